import json
import signal
import time
from pathlib import Path

from benchmarks.material.corpus import read_halves
from benchmarks.quality import (
    PageResult,
    Settings,
    SiteResult,
    failures,
    judge_page,
    main,
    measure_site,
    summarise,
    table_line,
)
from extractor.records.articles import ArticleRecord, Status
from learner.page import hints
from tests.crawler.engine.test_local import ended_by

FIGURES = {
    "body_p", "body_r", "body_f1", "worst_body_f1", "share_f1_95", "title_exact",
    "list_as_article", "unmatched", "date_exact", "author_exact", "sites", "learn_seconds",
    "extract_pages_per_second",
}  # fmt: skip


def result(name: str, *pages: PageResult) -> SiteResult:
    return SiteResult(
        name=name, pages=pages, n_train=1, n_patterns=1, learn_seconds=1.0, extract_seconds=0.5
    )


def test_it_measures_a_site(archive: Path, tmp_path: Path, capsys) -> None:
    assert main([str(archive), "--json", str(tmp_path / "out.json")]) == 0
    content = json.loads((tmp_path / "out.json").read_text())
    figures = content["figures"]
    assert figures.keys() == FIGURES
    assert content["per_site"]["lantern"]["articles"] >= 20
    # The demo site is an easy one: less than this is a fault of the learner.
    assert figures["body_f1"] >= 0.95
    assert figures["title_exact"] >= 0.95
    assert figures["list_as_article"] == 0
    assert figures["sites"] == 1
    assert capsys.readouterr().out.count("lantern") == 1


def test_it_measures_with_few_pages_and_no_anchors(archive: Path, capsys) -> None:
    assert main([str(archive), "--train-pages", "12", "--no-anchors", "--failures", "2"]) == 0
    assert "mean" in capsys.readouterr().out


def test_it_measures_without_the_hint(archive: Path, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(hints, "names_author", lambda written: asked.append(written))
    measure_site(archive, Settings(with_hints=False))
    assert not asked
    measure_site(archive, Settings())
    assert asked


def test_a_missing_site_is_told(tmp_path: Path, archive: Path, capsys) -> None:
    assert main([str(tmp_path / "none.zip")]) == 2
    assert "none.zip" in capsys.readouterr().err


def test_only_what_is_given_out_counts(archive: Path) -> None:
    halves = read_halves(archive)
    article = next(page for page in halves.test if page.is_article)
    list_page = next(page for page in halves.test if not page.is_article)

    def judged(page, status):
        record = ArticleRecord(
            url=page.url, url_key=page.key, status=status, title=article.title, body=article.body
        )
        return judge_page(page, record, halves)

    right, missed = judged(article, Status.OK), judged(article, Status.LIST)
    assert (right.f1, right.title_exact, right.badness) == (1, 1, 0)
    assert (missed.f1, missed.title_exact, missed.date_exact) == (0, 0, False)
    figures = result("a", right, missed, judged(list_page, Status.OK)).figures()
    assert figures["body_f1"] == figures["title_exact"] == figures["unmatched"] == 0.5
    assert figures["list_as_article"] == 1
    assert figures["extract_pages_per_second"] == 6
    lines = list(failures(result("a", right, missed, judged(list_page, Status.OK)), 9))
    assert len(lines) == 2
    assert any("not given out" in line and article.url in line for line in lines)
    assert any("list given out" in line and list_page.url in line for line in lines)


def test_means_are_taken_over_the_sites_that_have_the_figure(archive: Path) -> None:
    halves = read_halves(archive)
    article = next(page for page in halves.test if page.is_article)
    list_page = next(page for page in halves.test if not page.is_article)
    record = ArticleRecord(
        url="u", url_key="u", status=Status.OK, title=article.title, body=article.body
    )
    one = result("a", judge_page(article, record, halves))
    two = result("b", judge_page(article, record, halves), judge_page(list_page, record, halves))
    assert "list_as_article" not in one.figures()
    assert "-" in table_line("a", one.figures())
    assert summarise([one, two])["list_as_article"] == 1
    assert summarise([one, two])["sites"] == 2


def wait_by_size(source: Path) -> str:
    time.sleep(source.stat().st_size)
    return source.name


MEASURING = """
from pathlib import Path
from benchmarks.quality import on_all_cores
from tests.benchmarks.test_quality import wait_by_size

folder = Path({folder!r})
for name in on_all_cores(wait_by_size, [folder / "short", folder / "long"]):
    print(name, flush=True)
"""


def test_workers_end_with_a_measurement_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "short").touch()
    (tmp_path / "long").write_bytes(bytes(600))
    program = MEASURING.format(folder=str(tmp_path))
    assert ended_by(signal.SIGKILL, program)[0] == -signal.SIGKILL
