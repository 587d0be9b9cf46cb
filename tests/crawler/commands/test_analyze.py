"""`webstem analyze`."""

import json
from pathlib import Path

import pytest

from crawler.fetching.browser.launch import start_problem
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from tests.project import Project, Run

HTML = "<title>Flood</title><h1>Flood</h1><div><p>{0}</p><p>{0}</p></div>".format(
    "The river rose by a metre in the night, and the mayor closed the old bridge. " * 3
)


@pytest.fixture
def saved(empty_project: Project) -> Path:
    path = empty_project.folder / "a.html"
    path.write_text(HTML)
    return path


def test_for_people(run_here: Run, saved: Path) -> None:
    code, out, err = run_here("analyze", "a.html")
    assert (code, err) == (EXIT_OK, "")
    assert out.splitlines()[0] == "a.html"
    assert any(line.startswith("title ") and " Flood " in line for line in out.splitlines())
    assert "The river rose" in out


def test_a_line_of_json_for_each(run_here: Run, saved: Path) -> None:
    code, out, err = run_here("analyze", "--json", "a.html", "none.html", "a.html")
    assert code == EXIT_FAILED
    assert err == "none.html: not read: No such file or directory\n"
    first, second = map(json.loads, out.splitlines())
    assert first == second
    assert first["title"] == "Flood"


def test_where_it_stands(run_here: Run, saved: Path) -> None:
    _, out, _ = run_here("analyze", "--json", "--url", "https://a.example/x", "a.html")
    assert json.loads(out)["url"] == "https://a.example/x"


def test_addresses_have_the_guards_of_a_crawl(run_here: Run, empty_project: Project) -> None:
    code, out, err = run_here("analyze", "http://127.0.0.2:1/")
    assert (code, out) == (EXIT_FAILED, "")
    assert err.startswith("http://127.0.0.2:1/: not fetched: private address 127.0.0.2")
    # Its site's private_hosts names this one, where nobody answers.
    _, _, err = run_here("analyze", "http://127.0.0.1:1/")
    assert "connection refused" in err


def test_nothing_named(run_here: Run) -> None:
    assert run_here("analyze")[0] == EXIT_USAGE


def test_drawing_without_a_browser_is_told(
    run_here: Run, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = "rendering needs Chromium"
    monkeypatch.setattr("crawler.fetching.one_drawing.start_problem", lambda: problem)
    code, out, err = run_here("analyze", "--render", "a.html")
    assert (code, out, err) == (EXIT_FAILED, "", f"{problem}\n")


@pytest.mark.skipif(start_problem() is not None, reason=start_problem() or "")
def test_pages_are_drawn_first(run_here: Run, saved: Path) -> None:
    saved.write_text(
        HTML + "<script>document.querySelector('h1').textContent = document.title = 'Ebb'</script>"
    )
    code, out, err = run_here("analyze", "--json", "--render", "a.html")
    assert (code, err) == (EXIT_OK, "")
    assert json.loads(out)["title"] == "Ebb"
