"""`scrapy import`, `scrapy export` and `scrapy text` as processes."""

import ast
import json
import re
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

import pytest

ORACLE = Path(__file__).parents[3] / "../shared/oracle"
TITLES = ["Quarterly figures disappoint", "Zebras escaped overnight", "Mayor opens the new bridge"]
WORDS = ["quick", "brown", "foxes", "jump", "over", "lazy", "dogs", "vexed", "wizards", "gawk"]


def article(number):
    random = Random(number)
    text = " ".join(f"{random.choice(WORDS)}{random.randrange(99)}" for _ in range(120))
    title = TITLES[number]
    return (
        f"<title>The Site: {title}</title><ul id=menu><li>Start page<li>All the news</ul>"
        f"<h1>{title}</h1><div class=body><p>{text[:400]}<p>{text[400:]}</div>"
    ).encode()


@pytest.fixture
def site(project):
    project.configure(
        start_urls=["http://example.com/"], learn={"preset": "webstemmer", "min_pages": 2}
    )
    path = project.folder / "site.200501020304.zip"
    with zipfile.ZipFile(path, "w") as archive:
        lines = []
        for number, title in enumerate(TITLES):
            name = f"200501020304/example.com/{number}.html"
            archive.writestr(name, article(number))
            lines.append(f"{(name, [title])!a}\n")
        archive.writestr("linkinfo", "".join(lines))
    return project


def run(project, *arguments, code=0):
    done = project.run(*arguments)
    assert done.returncode == code, done.stderr
    return done


def test_a_crawl_of_webstemmer_is_learned_extracted_and_exported(site):
    run(site, "import", "site", "site.200501020304.zip")
    assert site.query("select count(*), min(run_id) from {pages}") == [
        (3, "import-site.200501020304.zip")
    ]
    run(site, "import", "site", "site.200501020304.zip")
    assert site.query("select count(*) from {pages}") == [(3,)]
    assert site.query("select count(*) from {links}") == [(3,)]
    run(site, "learn", "site")
    run(site, "extract", "site")
    text = run(site, "export", "site", "--text", "-").stdout
    entries = text.strip().split("\n\n")
    assert len(entries) == 3
    assert entries[0].startswith("!MATCHED: 200501020304/example.com/0.html\nPATTERN: ")
    assert f"\nTITLE: {TITLES[0]}\nMAIN-3: " in entries[0]
    (site.folder / "new.html").write_bytes(article(1).replace(b"Zebras", b"Camels"))
    text = run(site, "extract", "site", "new.html", "--format", "webstemmer").stdout
    assert text.startswith("!MATCHED: new.html\nPATTERN: http://example.com/0.html\n")
    assert "\nTITLE: Camels escaped overnight\n" in text
    run(site, "export", "site", "--pat", "site.pat")
    run(site, "export", "site", "--zip", "copy.zip")
    names = zipfile.ZipFile(site.folder / "copy.zip").namelist()
    assert "200501020304/example.com/0.html" in names and "linkinfo" in names
    before = site.query("select pattern_id from {patterns}")
    run(site, "import", "site", "--pat", "site.pat")
    assert site.query("select distinct pattern_id from {patterns}") == before


def test_summaries_as_json(site):
    done = run(site, "import", "site", "site.200501020304.zip", "--json")
    (row,) = json.loads(done.stdout)
    assert (row["pages"], row["known"], row["links"], row["passed_over"]) == (3, 0, 3, {})


def test_hostile_files_are_refused(site):
    with zipfile.ZipFile(site.folder / "evil.zip", "w") as archive:
        archive.writestr("../../evil", b"x")
    done = run(site, "import", "site", "evil.zip", code=1)
    assert "evil.zip: expected names of pages" in done.stderr
    (site.folder / "evil.pat").write_text("__import__('os').system('touch touched')\n")
    done = run(site, "import", "site", "--pat", "evil.pat", code=1)
    assert "evil.pat:1: expected (score, name" in done.stderr
    assert not (site.folder / "touched").exists()


def test_what_there_is_nothing_of(site):
    (site.folder / "empty.pat").write_text("# nothing\n")
    assert "no pattern" in run(site, "import", "site", "--pat", "empty.pat", code=5).stderr
    (site.folder / "empty").mkdir()
    assert "no page of the site" in run(site, "import", "site", "empty", code=5).stderr
    assert "no page is stored" in run(site, "export", "site", "--zip", "x.zip", code=5).stderr
    assert "--preset webstemmer" in run(site, "export", "site", "--pat", "-", code=5).stderr
    assert "no article" in run(site, "export", "site", "--text", "-", code=5).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("import", "site"),
        ("import", "site", "a.zip", "--pta", "a.pat"),
        ("export", "site", "--zip", "a", "--pat", "b"),
        ("export", "site", "--text", "-", "--encoding", "nonsense"),
        ("text", "--bogus", "a.html"),
    ],
)
def test_wrong_arguments(site, arguments):
    assert run(site, *arguments, code=2).stdout == ""


def test_text_of_files_and_urls(site):
    page = "<title>題</title><p>日本語 <b>text</b><br>more<script>no</script>"
    (site.folder / "a.html").write_bytes(page.encode("euc-jp"))
    (site.folder / "b.html").write_bytes(b"<p>from the server")
    done = run(site, "text", "a.html", "--charset", "euc-jp")
    assert done.stdout == "題\n日本語 text\nmore\n"
    handler = partial(SimpleHTTPRequestHandler, directory=str(site.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}"
        done = run(site, "text", f"{base}/b.html", f"{base}/missing", "gone.html", code=1)
        server.shutdown()
    assert done.stdout == "from the server\n"
    assert f"{base}/missing: not read" in done.stderr
    assert "gone.html: not read" in done.stderr


def test_the_originals_crawl_gives_the_originals_patterns_and_texts(project, shared):
    """The whole way through the commands on the smallest site of the original's answers."""
    crawls = sorted((shared / "oracle").glob("tokiwatch.*.zip"))
    project.configure(
        start_urls=["http://tokiwatch.github.io/"],
        learn={"preset": "webstemmer", "cluster_threshold": 0.8},
    )
    run(project, "import", "site", str(crawls[0]))
    run(project, "learn", "site")
    run(project, "export", "site", "--pat", "site.pat")
    theirs, mine = (
        {
            tuple(re.findall(r"^#\t \d+/(.*)", part, re.M)): part
            for part in path.read_text().split("\n\n")
            if "\n(" in part
        }
        for path in (ORACLE / "tokiwatch.pat", project.folder / "site.pat")
    )
    largest = max(theirs, key=len)
    (same,) = (pages for pages in mine if set(pages) == set(largest))
    assert len(largest) == 38
    wanted, got = (
        ast.literal_eval(re.search(r"^\(.*", part, re.M)[0])
        for part in (theirs[largest], mine[same])
    )
    assert got[2] == wanted[2]
    assert [row[2] for row in got[3]] == [row[2] for row in wanted[3]]
    assert [row[0] for row in got[3]] == pytest.approx([row[0] for row in wanted[3]], abs=0.001)

    run(project, "import", "site", "--pat", str(ORACLE / "tokiwatch.pat"))
    run(project, "import", "site", str(crawls[1]))
    run(project, "extract", "site", "--date", "2005-02-01")
    text = run(project, "export", "site", "--text", "-", "--date", "2005-02-01").stdout
    wanted = (ORACLE / "tokiwatch.txt").read_text().strip().split("\n\n")
    got = text.strip().split("\n\n")
    copies = {text_of(entry) for entry in set(wanted) - set(got)} & set(map(text_of, got))
    assert (len(got), len(copies)) == (len(wanted) - 1, 1)  # a page under two addresses
    assert differing(got, wanted) <= 2


def text_of(entry: str) -> str:
    """An entry without the name of its page."""
    return entry.partition("\n")[2]


def differing(got, wanted):
    """Entries that are not the same; one has a character that Python 2 did not know."""
    return len(set(wanted) - set(got))
