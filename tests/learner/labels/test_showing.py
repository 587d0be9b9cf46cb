"""What a person is shown: each box at its place, and nothing of a page as markup."""

from pathlib import Path

import pytest
from lxml.html import document_fromstring

from learner.labels.files import FolderError
from learner.labels.going_out import prepare
from learner.labels.showing import write_shown
from tests.learner.labels.pages import ARTICLE, BODY, TITLE, add_box, folder_of

HOSTILE = "javascript:alert(1)//<script>alert(1)</script>\"'"


def shown(folder: Path) -> str:
    told: list[str] = []
    path = write_shown(folder, told.append)
    assert told == [] and path == folder / "index.html"
    return path.read_text("utf-8")


def test_boxes_stand_over_the_picture(tmp_path: Path) -> None:
    annotation = folder_of(tmp_path)
    page = document_fromstring(shown(tmp_path))
    (picture,) = page.iter("img")
    assert (tmp_path / picture.get("src", "")).read_bytes()[:2] == b"\xff\xd8"
    assert picture.get("src") == f"images/{annotation.stem}.jpeg"
    boxes = {each.get("title"): each.get("style") for each in page.iterfind(".//div[@style]")}
    assert boxes == {
        "title, as proposed": "left:7.812%;top:5.0%;width:62.5%;height:6.0%",
        "body, as proposed": "left:7.812%;top:15.0%;width:62.5%;height:50.0%",
    }
    assert "It rained.\nIt rained on." in "".join(page.itertext())


def test_what_was_crawled_or_saved_is_escaped(tmp_path: Path) -> None:
    html = ARTICLE.replace("It rained.", "&lt;script&gt;alert(2)&lt;/script&gt;")
    annotation = folder_of(tmp_path, {"title": TITLE, "body": BODY}, html=html, url=HOSTILE)
    add_box(annotation, "&lt;img src=x onerror=alert(3)&gt;&quot;", 5, 5, 9, 9)
    text = shown(tmp_path)
    page = document_fromstring(text)
    assert next(page.iter("script"), None) is None
    assert [each.get("src") for each in page.iter("img")] == [f"images/{annotation.stem}.jpeg"]
    assert all(not name.startswith("on") for each in page.iter("*") for name in each.attrib)
    assert all(each.get("href", "").startswith("#") for each in page.iter("a"))
    assert "<img src=x onerror=alert(3)>" in "".join(page.itertext())


def test_nothing_comes_from_elsewhere(tmp_path: Path) -> None:
    folder_of(tmp_path)
    text = shown(tmp_path)
    assert "default-src 'none'" in text
    page = document_fromstring(text)
    assert not [*page.iter("script", "link", "iframe")] and "url(" not in text


def test_no_file_elsewhere_is_written_over(tmp_path: Path) -> None:
    folder_of(tmp_path / "a")
    mine = tmp_path / "mine"
    mine.write_text("mine")
    (tmp_path / "a" / "index.html").symlink_to(mine)
    with pytest.raises(FolderError, match="got a link"):
        write_shown(tmp_path / "a", print)
    (tmp_path / "a" / "classes.txt").unlink()
    (tmp_path / "a" / "classes.txt").symlink_to(mine)
    with pytest.raises(FolderError, match="got a link"):
        prepare(tmp_path / "a")
    assert mine.read_text() == "mine"


def test_a_folder_may_be_reached_by_a_link(tmp_path: Path) -> None:
    folder_of(tmp_path / "a")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert "2 boxes" in shown(tmp_path / "b")


def test_a_page_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder_of(tmp_path).write_text("<html/>")
    told: list[str] = []
    write_shown(tmp_path, told.append)
    assert len(told) == 1 and "Pascal VOC" in told[0]
