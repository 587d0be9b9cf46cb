"""The extraction process beside a crawl."""

from pathlib import Path

from crawler.config.sites import SiteConfig
from crawler.storage.partitions import Storage
from extractor.beside_crawl.messages import Answer, Job, Order
from extractor.beside_crawl.worker import Worker
from tests.tables import DAY, pages


def test_what_storage_does_not_allow_is_answered(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path / "data"))
    part = storage.write_part("pages", "a", DAY, pages(range(3)))
    site = SiteConfig(name="a", start_urls=("http://a/",))
    order = Order(storage_root=storage.root, site=site, spool_folder=str(tmp_path / "spool"))
    assert Worker(order).serve(Job(part=part)) == Answer()  # nothing was learned
    folder = Path(storage.partition("patterns", "a", DAY))
    folder.mkdir(parents=True)
    (folder / "patterns.parquet").write_bytes(b"no parquet")
    for job in (Job(part=part), Job(day=str(DAY))):
        answer = Worker(order).serve(job)
        assert "patterns.parquet: not read: " in answer.problem
        assert Answer.from_json(answer.to_json()) == answer
