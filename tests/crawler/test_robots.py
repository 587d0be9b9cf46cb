"""robots.txt holds for every request, the first ones of a crawl included."""

from tests.project import Project
from tests.server import TestSite


def test_requests_that_wait_for_robots_txt_together_all_obey_it(project: Project) -> None:
    with TestSite() as site:
        seeds = [f"{site.url}private/{number}" for number in range(8)]
        project.configure(start_urls=seeds, concurrency=8)
        project.run("crawl", "site")
        assert site.paths() == []
        assert [path for path, _ in site.requests] == ["/robots.txt"]
