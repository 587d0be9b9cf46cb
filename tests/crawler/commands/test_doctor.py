"""`scrapy doctor` at real servers."""

import json
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.project import Project
from tests.server import TestSite


@pytest.fixture
def server() -> Iterator[TestSite]:
    with TestSite() as site:
        yield site


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def checks(done: object) -> dict[str, list[str]]:
    """Of each subject the states that were found."""
    found: dict[str, list[str]] = {}
    for row in json.loads(done.stdout):  # type: ignore[attr-defined]
        found.setdefault(row["subject"], []).append(row["state"])
    return found


def test_a_site_that_is_well(project: Project, server: TestSite) -> None:
    project.configure(
        start_urls=[server.url],
        feeds=[f"{server.url}feed.xml"],
        sitemaps=[f"{server.url}sitemap.xml"],
    )
    done = project.run("doctor", "site")
    assert done.returncode == 0, done.stdout
    assert f"well   site: start page: {server.url} names 1 of the site's pages" in done.stdout
    assert done.stderr == "1 site: 10 of 10 checks are well\n"
    assert sorted(server.paths()) == ["/", "/feed.xml", "/sitemap.xml"]
    assert not list((project.folder / "data").glob("pages*"))


def test_what_is_wrong_is_told_with_advice(project: Project, server: TestSite) -> None:
    url = server.url
    project.configure(
        start_urls=[f"{url}private/1", f"{url}missing", f"{url}away", f"{url}p/0"],
        feeds=[url],
        sitemaps=[f"{url}broken"],
        rules=[{"deny": "/p/"}],
    )
    done = project.run("doctor", "site")
    assert done.returncode == 1
    for words in (
        "private/1: Forbidden by robots.txt; the site does not want this fetched",
        "missing: http 404; it is gone",
        "away: redirect refused, other host: other.example: http://other.example/; name the new",
        "p/0 names 2 pages, none of the site (denied by rule '/p/'",
        f"feed: {url} cannot be read",
        "broken: http 500; the site fails",
    ):
        assert f"{words}" in done.stdout
    assert "/private/1" not in server.paths()


def test_all_sites(project: Project, server: TestSite) -> None:
    good = {"name": "good", "start_urls": [server.url], "private_hosts": ["127.0.0.1"]}
    dead = {"name": "dead", "start_urls": ["http://127.0.0.1:1/"], "private_hosts": ["127.0.0.1"]}
    inside = {"name": "inside", "start_urls": [server.url]}
    project.configure()
    sites = [good, dead, inside, {"name": "typo", "start": []}]
    (project.folder / "pipelines.yaml").write_text(json.dumps({"sites": sites}))
    done = project.run("doctor")
    assert done.returncode == 1
    assert (
        "wrong  dead: robots.txt: http://127.0.0.1:1/robots.txt: connection refused" in done.stdout
    )
    assert "inside: robots.txt: " in done.stdout and "private_hosts" in done.stdout
    assert "good" not in done.stdout and "'start'" in done.stderr
    assert server.paths() == ["/"]
    assert checks(project.run("doctor", "good", "--json"))["start page"] == ["well"]


def test_a_site_that_cannot_be_visited_is_not_well(project: Project, server: TestSite) -> None:
    project.configure(start_urls=[server.url], cookies_file="gone.txt")
    done = project.run("doctor", "site")
    assert done.returncode == 1 and "wrong  site: " in done.stdout
    assert server.paths() == []


def test_unknown_sites_and_options(project: Project) -> None:
    project.configure(start_urls=["http://127.0.0.1:1/"])
    assert project.run("doctor", "sit").returncode == 3
    assert project.run("doctor", "--jsn").returncode == 2


def certified(folder: Path, days: int) -> Path:
    """A key with a certificate that ends in so many days."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=90))
    certificate = builder.not_valid_after(now + timedelta(days=days, hours=1)).sign(
        key, hashes.SHA256()
    )
    path = folder / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.mark.parametrize(("days", "said"), [(3, "ends in 3 days"), (-3, "ended on ")])
def test_a_certificate_that_ends(
    project: Project, server: TestSite, tmp_path: Path, days: int, said: str
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certified(tmp_path, days))
    handler = server._server.RequestHandlerClass
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as secure:
        secure.socket = context.wrap_socket(secure.socket, server_side=True)
        threading.Thread(target=secure.serve_forever, args=(0.05,), daemon=True).start()
        project.configure(start_urls=[f"https://127.0.0.1:{secure.server_port}/"])
        done = project.run("doctor", "site")
        secure.shutdown()
    assert f"watch  site: certificate: 127.0.0.1:{secure.server_port}: {said}" in done.stdout
    assert done.returncode == 0
