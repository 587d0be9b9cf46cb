"""Archived sites are served under their own host name, and nothing else is."""

import json
import ssl
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest

from benchmarks.serving import ArchivedSite, ServedSite, serve

PAGES = {
    "index.html": b'<a href="/blog/one">one</a>',
    "blog/one/index.html": b"<h1>One</h1>",
    "odd name.htm": b"<h1>Odd</h1>",
    "style.css": b"h1 { }",
    "robots.txt": b"User-agent: *\nDisallow: /private/\n",
}
GOLD = (
    {"url": "https://archive.test/", "path": "index.html", "kind": "list"},
    {"url": "https://archive.test/odd", "path": "odd name.htm", "kind": "article"},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "archive"
    for name, body in PAGES.items():
        path = root / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    (root / "site.json").write_text(json.dumps({"base_url": "https://archive.test/"}))
    (root / "gold.jsonl").write_text("".join(json.dumps(page) + "\n" for page in GOLD))
    return root


@pytest.fixture
def served(folder: Path) -> Iterator[ServedSite]:
    with serve(ArchivedSite(folder)) as running:
        yield running


@pytest.fixture
def get(served: ServedSite) -> Callable[[str], tuple[str, str, bytes]]:
    """Fetch through the proxy: (final URL, content type, body)."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler(dict.fromkeys(("http", "https"), served.proxy_url)),
        urllib.request.HTTPSHandler(context=context),
    )

    def fetch(url: str) -> tuple[str, str, bytes]:
        try:
            with opener.open(url, timeout=10) as response:
                return response.url, response.headers["Content-Type"], response.read()
        except HTTPError as error:
            error.close()
            raise

    return fetch


def test_pages_come_over_tls_with_the_types_of_a_static_server(
    get: Callable[[str], tuple[str, str, bytes]],
) -> None:
    root = "https://archive.test/"
    assert get(root) == (root, "text/html", PAGES["index.html"])
    assert get(root + "odd")[2] == PAGES["odd name.htm"]
    assert get(root + "odd%20name.htm")[2] == PAGES["odd name.htm"]
    assert get(root + "style.css")[1] == "text/css"
    assert get(root + "blog/one/?page=2")[2] == PAGES["blog/one/index.html"]


def test_other_forms_of_an_address_are_moved_to_the_sites_own(
    get: Callable[[str], tuple[str, str, bytes]],
) -> None:
    own = "https://archive.test/blog/one/"
    for url in (
        "https://archive.test/blog/one",
        "http://archive.test/blog/one/",
        "https://www.archive.test/blog/one/",
        "https://ARCHIVE.test/blog/one",
    ):
        assert get(url)[0] == own


def test_what_is_missing_answers_404(get: Callable[[str], tuple[str, str, bytes]]) -> None:
    for path in ("nothing.html", "blog/", "../site.json", "%2e%2e/gold.jsonl"):
        with pytest.raises(HTTPError) as caught:
            get("https://archive.test/" + path)
        assert caught.value.code == 404


def test_other_hosts_are_refused(get: Callable[[str], tuple[str, str, bytes]]) -> None:
    with pytest.raises(HTTPError) as caught:
        get("http://elsewhere.test/")
    assert caught.value.code == 403
    with pytest.raises(URLError, match="403"):
        get("https://elsewhere.test/")


def test_a_zip_answers_as_its_folder_does(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "archive.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(folder.rglob("*")):
            file.write(path, path.relative_to(folder.parent))
    zipped, plain = ArchivedSite(archive), ArchivedSite(folder)
    assert zipped.files == plain.files
    assert zipped.gold == plain.gold


def test_requests_are_counted(
    served: ServedSite, get: Callable[[str], tuple[str, str, bytes]]
) -> None:
    get("https://archive.test/")
    get("https://archive.test/")
    assert served.requests == {("https://archive.test/", 200): 2}
