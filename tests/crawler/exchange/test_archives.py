"""`crawler.exchange.archives`: real archives, and hostile ones."""

import gzip
import io
import os
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastwarc.stream_io import BrotliWriter, GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from crawler.config.sites import SiteConfig
from crawler.exchange import archives
from crawler.exchange.archives import (
    ArchiveError,
    FoundAnchors,
    FoundPage,
    PassedOver,
    crawl_zip,
    file_url,
    read_archive,
)

SITE = SiteConfig(name="site", start_urls=("https://www.example.com/news/",))
TIME = datetime(2005, 1, 2, 3, 4, tzinfo=UTC)


def make_zip(path, entries, **options):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, body in entries.items():
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    return str(path)


def read(path, site=SITE, **options):
    return list(read_archive(str(path), site, **options))


# Webstemmer's archives


def test_a_crawl_archive_gives_its_anchor_texts_then_its_pages(tmp_path):
    linkinfo = b"('200501020304/example.com/a', [u'\\u65e5\\u672c', 'two'])\n\n"
    path = make_zip(
        tmp_path / "a.zip",
        {
            "200501020304/example.com/": b"<p>home",
            "200501020304/example.com/a?b=1": b"<p>a",
            "linkinfo": linkinfo,
        },
    )
    assert read(path) == [
        FoundAnchors(url="https://example.com/a", texts=("日本", "two"), fetched_at=TIME),
        FoundPage(url="https://example.com/", body=b"<p>home", fetched_at=TIME),
        FoundPage(url="https://example.com/a?b=1", body=b"<p>a", fetched_at=TIME),
    ]


def test_linkinfo_can_have_another_name_or_be_left_out(tmp_path):
    line = b"('200501020304/example.com/a', ['text'])"
    path = make_zip(tmp_path / "a.zip", {"links": line, "200501020304/example.com/a": b"x"})
    assert [type(each) for each in read(path, linkinfo="links")] == [FoundAnchors, FoundPage]
    assert [type(each) for each in read(path, linkinfo="")] == [PassedOver, FoundPage]


@pytest.mark.parametrize("name", ["first", "000101010000", "197001010000", "999901010000"])
def test_a_name_without_a_timestamp_takes_the_time_of_the_entry(tmp_path, name):
    path = make_zip(tmp_path / "a.zip", {f"{name}/example.com/a": b"x"})
    (page,) = read(path)
    assert (page.url, page.fetched_at) == (
        "https://example.com/a",
        datetime(1980, 1, 1, tzinfo=UTC),
    )


def test_what_is_written_reads_back(tmp_path):
    path = tmp_path / "a.zip"
    with crawl_zip(path) as archive:
        assert archive.add_page("https://example.com/", "200501020304", b"home", TIME)
        assert archive.add_page("https://example.com/a#top", "200501020304", b"a", TIME)
        assert not archive.add_page("https://example.com/a", "200501020304", b"b", TIME)
        archive.add_anchor("https://example.com/a", "200501020304", "日本\n")
        archive.add_anchor("https://example.com/a", "200501020304", "two")
    assert read(path) == [
        FoundAnchors(url="https://example.com/a", texts=("日本\n", "two"), fetched_at=TIME),
        FoundPage(url="https://example.com/", body=b"home", fetched_at=TIME),
        FoundPage(url="https://example.com/a", body=b"a", fetched_at=TIME),
    ]
    assert zipfile.ZipFile(path).read("linkinfo").isascii()


def test_a_broken_off_archive_is_not_there(tmp_path):
    with pytest.raises(RuntimeError), crawl_zip(tmp_path / "a.zip") as archive:
        archive.add_page("https://example.com/", "200501020304", b"home", TIME)
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "200501020304/../x", "/etc/passwd", "200501020304\\..\\..\\x", ".."],
)
def test_a_path_that_leads_elsewhere_is_refused_before_anything_is_read(tmp_path, name):
    path = make_zip(tmp_path / "a.zip", {"200501020304/example.com/a": b"x", name: b"x"})
    with pytest.raises(ArchiveError, match=r"a\.zip: expected names of pages"):
        read(path)


def test_a_zip_bomb_is_refused_before_anything_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "SMALL_ARCHIVE_BYTES", 2**20)
    path = make_zip(tmp_path / "a.zip", {"200501020304/example.com/a": b"\0" * 2**23})
    with pytest.raises(ArchiveError, match="zip bomb"):
        read(path)


def test_a_bomb_that_lies_about_its_size_costs_no_more_than_a_page(tmp_path):
    path = tmp_path / "a.zip"
    make_zip(path, {"200501020304/example.com/a": b"\0" * 2**22})
    raw = path.read_bytes()
    size = (2**22).to_bytes(4, "little")
    path.write_bytes(raw.replace(size, (5).to_bytes(4, "little")))
    with pytest.raises(ArchiveError, match="sound zip"):
        read(path)


def test_a_page_larger_than_the_limit_is_passed_over(tmp_path):
    path = make_zip(tmp_path / "a.zip", {"200501020304/example.com/a": b"x" * 11})
    (found,) = read(path, SITE.model_copy(update={"max_page_bytes": 10}))
    assert isinstance(found, PassedOver) and "larger than 10 bytes" in found.reason


def test_too_many_entries_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_ENTRIES", 2)
    path = make_zip(tmp_path / "a.zip", {f"1/a/{n}": b"x" for n in range(3)})
    with pytest.raises(ArchiveError, match="at most 2 entries"):
        read(path)


@pytest.mark.parametrize(
    "line",
    [
        b"__import__('os').system('touch touched')",
        b"('200501020304/example.com/a', open('touched', 'w'))",
        b"('200501020304/example.com/a', [5])",
        b"(5, ['a'])",
        b"'text'",
        b"(" * 5000,
        b"\xff\xfe",
    ],
)
def test_a_linkinfo_with_code_or_nonsense_is_refused_and_never_evaluated(
    tmp_path, line, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    good = b"('200501020304/example.com/a', ['text'])\n"
    path = make_zip(tmp_path / "a.zip", {"linkinfo": good + line})
    with pytest.raises(ArchiveError, match=r"a\.zip:linkinfo:2: expected .*, got b"):
        read(path)
    assert not Path("touched").exists()


def test_an_endless_linkinfo_line_is_refused_early(tmp_path):
    path = make_zip(tmp_path / "a.zip", {"linkinfo": b"(" * 20 * 2**20})
    with pytest.raises(ArchiveError, match="linkinfo:1: expected lines of"):
        read(path)


@pytest.mark.parametrize("body", [b"", b"PK\x03\x04 nonsense", b"x" * 1000])
def test_what_is_no_zip_is_refused(tmp_path, body):
    path = tmp_path / "a.zip"
    path.write_bytes(body)
    with pytest.raises(ArchiveError, match=r"a\.zip: expected a sound zip"):
        read(path)


DAMAGED = "200501020304/example.com/日本"


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
@pytest.mark.parametrize("place", ["name", "head of the body", "body"])
def test_a_damaged_entry_is_refused(tmp_path, method, place):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(DAMAGED, os.urandom(500).hex())
    raw = bytearray(path.read_bytes())
    body = raw.index(DAMAGED.encode()) + len(DAMAGED.encode())
    damaged = {"name": raw.rindex("本".encode()), "head of the body": body, "body": body + 200}
    raw[damaged[place] : damaged[place] + 3] = b"\xff" * 3
    path.write_bytes(raw)
    with pytest.raises(ArchiveError, match="sound zip"):
        read(path)


# WARC


def warc_record(url, body, status=b"200 OK", headers=b"Content-Type: text/html\r\n"):
    record = WarcRecord()
    record.init_headers(record_type=WarcRecordType.response)
    record.headers["WARC-Target-URI"] = url
    record.headers["WARC-Date"] = "2005-01-02T03:04:00Z"
    record.headers["Content-Type"] = "application/http; msgtype=response"
    record.set_bytes_content(b"HTTP/1.1 " + status + b"\r\n" + headers + b"\r\n" + body)
    return record


def make_warc(path, *records):
    with path.open("wb") as file:
        writer = GzipWriter(file)
        for record in records:
            record.write(writer)
        writer.close()
    return path


@pytest.mark.parametrize(
    "field",
    [
        b"X-Date: 2005-01-02T03:04:00Z",
        b"WARC-Date: 0001-01-01T00:00:00+14:00",
        b"WARC-Date: 1970-01-01T00:00:00Z",
        b"WARC-Date: 9999-12-31T23:59:59-14:00",
    ],
)
def test_a_warc_record_without_a_date_has_that_of_its_file(tmp_path, field):
    path = tmp_path / "a.warc.gz"
    record = warc_record("http://example.com/a", b"<p>a")
    make_warc(path, record)
    dated = gzip.decompress(path.read_bytes())
    undated = dated.replace(b"WARC-Date: 2005-01-02T03:04:00Z", field)
    assert undated != dated
    path.write_bytes(gzip.compress(undated))
    os.utime(path, (0, 1_100_000_000))
    (page,) = read_archive(str(path), SITE)
    assert page.fetched_at == datetime.fromtimestamp(1_100_000_000, UTC)


def test_the_html_responses_of_a_warc_file(tmp_path):
    zipped = b"Content-Type: text/html; charset=euc-jp\r\nContent-Encoding: gzip\r\n"
    found = read(
        make_warc(
            tmp_path / "a.warc.gz",
            warc_record("https://example.com/a", b"<p>a"),
            warc_record("https://example.com/b", gzip.compress(b"<p>b"), headers=zipped),
            warc_record("https://example.com/c", b"", status=b"404 Not Found"),
            warc_record("https://example.com/d", b"x", headers=b"Content-Type: image/png\r\n"),
        )
    )
    assert found == [
        FoundPage(
            url="https://example.com/a", body=b"<p>a", fetched_at=TIME, content_type="text/html"
        ),
        FoundPage(
            url="https://example.com/b",
            body=b"<p>b",
            fetched_at=TIME,
            content_type="text/html; charset=euc-jp",
        ),
        PassedOver(name="https://example.com/c", reason="no response with status 200"),
        PassedOver(name="https://example.com/d", reason="not HTML"),
    ]


def test_a_body_that_inflates_beyond_the_limit_is_passed_over(tmp_path):
    zipped = b"Content-Type: text/html\r\nContent-Encoding: gzip\r\n"
    bomb = warc_record("https://example.com/a", gzip.compress(b"\0" * 2**24), headers=zipped)
    site = SITE.model_copy(update={"max_page_bytes": 2**20})
    (found,) = read(make_warc(tmp_path / "a.warc.gz", bomb), site)
    assert isinstance(found, PassedOver) and found.reason.startswith("larger than")


def test_the_records_after_a_page_that_cannot_be_had_are_read(tmp_path):
    """FastWARC's own decoding ends with an error at the record after it."""
    zipped = b"Content-Type: text/html\r\nContent-Encoding: gzip\r\n"
    urls = [f"https://example.com/{name}" for name in ("large", "broken", "after")]
    bodies = [gzip.compress(b"\0" * 2**24), b"no gzip", gzip.compress(b"<p>after")]
    records = [warc_record(*each, headers=zipped) for each in zip(urls, bodies, strict=True)]
    site = SITE.model_copy(update={"max_page_bytes": 2**20})
    large, broken, after = read(make_warc(tmp_path / "a.warc.gz", *records), site)
    assert large.reason.startswith("larger than")
    assert broken.reason.startswith("its encoding cannot be undone: ")
    assert after.body == b"<p>after"


def brotlied(body):
    file = io.BytesIO()
    writer = BrotliWriter(file)
    writer.write(body)
    writer.close()
    return file.getvalue()


@pytest.mark.parametrize(
    ("fields", "encoded"),
    [
        (b"Content-Encoding: deflate", zlib.compress(b"<p>text")),
        (b"Content-Encoding: x-gzip", gzip.compress(b"<p>text", mtime=0)),
        (b"Content-Encoding: br", brotlied(b"<p>text")),
        (b"Content-Encoding: identity", b"<p>text"),
        (b"Transfer-Encoding: chunked", b"3\r\n<p>\r\n4\r\ntext\r\n0\r\n\r\n"),
        (
            b"Transfer-Encoding: chunked\r\nContent-Encoding: gzip",
            b"1b\r\n%b\r\n0\r\n\r\n" % gzip.compress(b"<p>text", mtime=0),
        ),
    ],
)
def test_encodings_are_undone(tmp_path, fields, encoded):
    record = warc_record("https://example.com/a", encoded, headers=fields + b"\r\n")
    (page,) = read(make_warc(tmp_path / "a.warc.gz", record))
    assert page.body == b"<p>text"


def test_a_record_that_is_cut_off_is_passed_over(tmp_path):
    path = make_warc(tmp_path / "a.warc.gz", warc_record("https://example.com/a", os.urandom(2000)))
    path.write_bytes(path.read_bytes()[:-40])
    assert read(path) == [PassedOver(name="https://example.com/a", reason="cut off")]


@pytest.mark.parametrize("body", [b"x" * 1000, b"\x1f\x8b\x08" + b"x" * 1000])
def test_what_is_no_warc_is_refused_or_empty(tmp_path, body):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(body)
    try:
        assert read(path) == []
    except ArchiveError as error:
        assert "sound WARC" in str(error)


# Folders and lists


def test_a_mirror_of_wget_gives_the_urls_of_its_host(tmp_path):
    folder = tmp_path / "mirror" / "www.example.com" / "news"
    folder.mkdir(parents=True)
    (folder / "a b?id=1.html").write_bytes(b"<p>a")
    (folder / "picture.png").write_bytes(b"x")
    os.utime(folder / "a b?id=1.html", (TIME.timestamp(), TIME.timestamp()))
    page, picture = read(tmp_path / "mirror")
    url = "https://www.example.com/news/a%20b?id=1.html"
    assert page == FoundPage(url=url, body=b"<p>a", fetched_at=TIME)
    assert picture.reason == "media file"


def test_a_folder_of_pages_lies_under_the_first_url(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.html").write_bytes(b"<p>a")
    (page,) = read(tmp_path)
    assert page.url == "https://www.example.com/news/sub/a.html"


def test_names_of_files_need_not_be_utf_8(tmp_path):
    """As the mirrors of old sites have them: here in EUC-JP."""
    folder = tmp_path / "www.example.com"
    folder.mkdir()
    name = os.fsdecode("日本.html".encode("euc-jp"))
    (folder / name).write_bytes(b"<p>a")
    assert [page.url for page in read(tmp_path)] == [
        "https://www.example.com/%C6%FC%CB%DC.html",
    ]
    assert [page.url for page in read(folder / name)] == [
        "https://www.example.com/%C6%FC%CB%DC.html",
    ]


def test_links_out_of_a_folder_are_not_followed(tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.html").write_bytes(b"secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.html").symlink_to(tmp_path / "secret" / "key.html")
    (folder / "b").symlink_to(tmp_path / "secret")
    assert [each.reason for each in read(folder)] == ["no plain file"]


def test_a_list_names_files_as_find_prints_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "200501020304" / "example.com"
    folder.mkdir(parents=True)
    (folder / "a").write_bytes(b"<p>a")
    (tmp_path / "a.list").write_text("200501020304/example.com/a\n\nmissing\n")
    page, missing = read("a.list")
    assert page == FoundPage(url="https://example.com/a", body=b"<p>a", fetched_at=TIME)
    assert missing.reason == "no plain file"


def test_the_list_can_come_from_stdin(tmp_path, monkeypatch):
    (tmp_path / "a.html").write_bytes(b"<p>a")
    stdin = io.TextIOWrapper(io.BytesIO(f"{tmp_path}/a.html\n".encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    (page,) = read("-")
    assert page.url == "https://www.example.com/news/a.html"


@pytest.mark.parametrize("text", ["../x\n", "x" * (archives.MAX_LINE_BYTES + 1)])
def test_a_list_that_leads_elsewhere_or_never_ends_is_refused(tmp_path, text):
    (tmp_path / "a.list").write_text(text)
    with pytest.raises(ArchiveError, match=r"a\.list"):
        read(tmp_path / "a.list")


def test_a_single_page_and_what_is_none(tmp_path):
    (tmp_path / "a.htm").write_bytes(b"<p>a")
    assert read(tmp_path / "a.htm")[0].body == b"<p>a"
    (tmp_path / "a.doc").write_bytes(b"x")
    with pytest.raises(ArchiveError, match=r"\.zip, \.warc.*got the name 'a\.doc'"):
        read(tmp_path / "a.doc")
    with pytest.raises(ArchiveError, match="none; look at the name"):
        read(tmp_path / "missing")


def test_the_port_is_part_of_a_host():
    site = SiteConfig(name="site", start_urls=("http://127.0.0.1:8123/",))
    file = Path("/mirror/127.0.0.1:8123/a.html")
    assert file_url(file, Path("/mirror"), site) == "http://127.0.0.1:8123/a.html"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that cannot be read")
def test_a_file_that_cannot_be_read_is_passed_over(tmp_path):
    (tmp_path / "a.html").write_text("<p>a")
    (tmp_path / "some.list").write_text(f"/proc/self/mem\n{tmp_path}/a.html\n")
    unreadable, page = read(tmp_path / "some.list")
    assert unreadable.reason == "not read: Input/output error"
    assert page.body == b"<p>a"
