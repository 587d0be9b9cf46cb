"""What a person saved comes back as labels of elements, and nothing is lost in silence."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from learner.labels.coming_back import Tally, read_page, rows_of_folder
from learner.labels.elements import Found
from learner.labels.files import FolderError, pages_of
from learner.labels.going_out import prepare
from learner.labels.labelled_page import read_labelled
from learner.labels.names import Proposal
from learner.labels.values import Values, names_in
from learner.vision.snapshots.reading import read_snapshot
from tests.learner.labels.pages import (
    ARTICLE,
    AUTHOR,
    BODY,
    DATE,
    TITLE,
    add_box,
    drawn,
    drawn_bytes,
    folder_of,
    node_of,
)

OTHER = "https://a.example/snow"


def values_of(folder: Path) -> Values:
    (files,) = pages_of(folder)
    page = read_labelled(files)
    assert page
    return read_page(page)[1]


def rows(folder: Path, **options: bool) -> tuple[list[dict[str, Any]], Tally, list[str]]:
    tally, told = Tally(), list[str]()
    found = list(rows_of_folder(folder, tally, told.append, **options))
    return found, tally, told


def test_proposals_that_were_left_alone_come_back(tmp_path: Path) -> None:
    folder_of(tmp_path, {"title": TITLE, "body": BODY, "author": AUTHOR, "date": DATE})
    ((row,), tally, told) = rows(tmp_path)
    assert (row["title"], row["body"]) == ("Rain <today>", "It rained.\nIt rained on.")
    assert (row["authors"], row["date"], row["date_raw"]) == (
        ["Ann Lee"], "2021-05-03", "3 May 2021"
    )  # fmt: skip
    assert (row["page_type"], row["language"], row["verified"]) == ("article", "en", False)
    assert row["body_xpath"] == "/html/body/article/div"
    assert [each["xpath"] for each in row["elements"]] == [TITLE, BODY, AUTHOR, DATE]
    assert (dict(tally.boxes), tally.gone, told) == ({Found.PROPOSED: 4}, 0, [])
    assert len(read_snapshot(row["snapshot"])) == len(read_snapshot(drawn_bytes()))


def test_what_bears_another_label_is_not_of_the_body(tmp_path: Path) -> None:
    folder_of(tmp_path, {"title": TITLE, "body": "/html/body/article", "date": DATE})
    assert values_of(tmp_path).body == "By Ann Lee\nIt rained.\nIt rained on."


def test_what_was_proposed_of_a_meaning_holds_while_its_box_is_there(tmp_path: Path) -> None:
    snapshot = drawn()
    marked = {"title": "Rain", "date": "2021-05-04", "author": "Ann Lee\nBob Ray"}
    places = {"title": TITLE, "date": DATE, "author": AUTHOR}
    proposals = [
        Proposal(label=label, node=node_of(snapshot, places[label]), value=value)
        for label, value in marked.items()
    ]
    annotation = folder_of(tmp_path, proposals=proposals)
    values = values_of(tmp_path)
    assert (values.title, str(values.day), values.authors) == (
        "Rain", "2021-05-04", ("Ann Lee", "Bob Ray")
    )  # fmt: skip
    annotation.write_text("<annotation></annotation>")
    add_box(annotation, "title", 100, 700, 500, 730)
    add_box(annotation, "date", 200, 120, 291, 140)
    assert values_of(tmp_path).title == "Red cup"
    annotation.write_text(annotation.read_text().replace("date", "author"))
    assert values_of(tmp_path).authors == ()


def test_boilerplate_is_not_of_the_body(tmp_path: Path) -> None:
    folder_of(tmp_path, {"body": BODY, "boilerplate": f"{BODY}/p[1]"})
    assert values_of(tmp_path).body == "It rained on."


def test_several_boxes_are_one_body(tmp_path: Path) -> None:
    folder_of(tmp_path, {"body": f"{BODY}/p[2]"})
    (annotation,) = (tmp_path / "images").glob("*.xml")
    add_box(annotation, "body", 100, 150, 900, 350)
    ((row,), _, _) = rows(tmp_path)
    assert row["body"] == "It rained.\nIt rained on."
    assert row["body_xpath"] == BODY


def test_boxes_drawn_by_hand_are_found(tmp_path: Path) -> None:
    annotation = folder_of(tmp_path, {})
    add_box(annotation, "name", 100, 700, 500, 730)
    add_box(annotation, "price", 318, 739, 381, 761)
    add_box(annotation, "image", 99, 740, 301, 841)
    ((row,), tally, told) = rows(tmp_path)
    assert (row["product_name"], row["price"]) == ("Red cup", "$3.50")
    assert row["image"] == "https://a.example/big/red.jpg"
    assert row["page_type"] == "product"
    found = [(each["found"], each["xpath"].rpartition("/")[2]) for each in row["elements"]]
    assert found == [("same_box", "h2"), ("overlap", "b"), ("same_box", "img")]
    assert tally.boxes.total() == 3 and told == []


@pytest.mark.parametrize(
    ("name", "box", "said"),
    [
        ("title", (700, 800, 720, 820), "no element has such a box (the most like it overlaps"),
        ("titel", (100, 50, 900, 110), "no such label; name it one of title, body"),
    ],
)
def test_a_box_of_nothing_is_kept_and_told(
    tmp_path: Path, name: str, box: tuple[int, ...], said: str
) -> None:
    add_box(folder_of(tmp_path, {}), name, *box)
    ((row,), tally, (told,)) = rows(tmp_path)
    (element,) = row["elements"]
    assert (element["label"], element["node"], element["xpath"]) == (name, None, None)
    assert tuple(element[side] for side in ("left", "top", "right", "bottom")) == box
    assert tally.boxes == {Found.NOTHING: 1}
    assert said in told and f"{name!r} at {', '.join(map(str, box))}" in told
    assert row["title"] is None and row["page_type"] is None


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder_of(tmp_path, {"date": TITLE, "image": BODY})
    values = values_of(tmp_path)
    assert (values.day, values.date_raw, values.image) == (None, "Rain <today>", None)
    assert [each.partition(":")[0] for each in values.problems] == ["date", "image"]


def test_a_proposal_that_is_gone_is_counted(tmp_path: Path) -> None:
    annotation = folder_of(tmp_path)
    annotation.write_text("<annotation/>")
    ((row,), tally, _) = rows(tmp_path)
    assert (tally.gone, row["page_type"], row["elements"]) == (2, None, [])


@pytest.mark.parametrize("taken_for", ["list", "collection"])
def test_a_list_that_is_left_without_labels_is_one(tmp_path: Path, taken_for: str) -> None:
    folder_of(tmp_path, {}, page_type=taken_for)
    assert values_of(tmp_path).page_type == taken_for


def test_a_page_with_a_box_of_nothing_is_no_list(tmp_path: Path) -> None:
    add_box(folder_of(tmp_path, {}, page_type="list"), "body", 700, 800, 720, 820)
    assert values_of(tmp_path).page_type is None


@pytest.mark.parametrize(("taken_for", "is_one"), [("forum", "forum"), ("list", "article")])
def test_a_page_with_a_body_is_no_list(tmp_path: Path, taken_for: str, is_one: str) -> None:
    folder_of(tmp_path, {"body": BODY}, page_type=taken_for)
    assert values_of(tmp_path).page_type == is_one


def test_only_what_was_verified_if_asked_for(tmp_path: Path) -> None:
    folder_of(tmp_path)
    annotation = folder_of(tmp_path, url=OTHER)
    annotation.write_text(
        annotation.read_text().replace("<annotation", "<annotation verified='yes'")
    )
    ((row,), tally, _) = rows(tmp_path, only_verified=True)
    assert (row["url"], tally.verified, tally.unverified) == (OTHER, 1, 1)


def test_one_bad_file_stops_no_other(tmp_path: Path) -> None:
    folder_of(tmp_path).write_text("<html/>")
    folder_of(tmp_path, url=OTHER)
    (tmp_path / "images" / "else.xml").write_text("<annotation/>")
    ((row,), tally, told) = rows(tmp_path)
    assert (row["url"], tally.unread) == (OTHER, 2)
    assert "else.xml: no page of this folder" in told[0] and "Pascal VOC" in told[1]


def test_a_page_without_its_annotation_is_left_out(tmp_path: Path) -> None:
    folder_of(tmp_path).unlink()
    found, tally, _ = rows(tmp_path)
    assert (found, tally.removed) == ([], 1)


@pytest.mark.parametrize("suffix", [".json", ".dom.json.gz", ".html"])
def test_what_is_damaged_or_a_link_is_told(tmp_path: Path, suffix: str) -> None:
    folder_of(tmp_path / "a")
    (file,) = (each for each in (tmp_path / "a" / "pages").iterdir() if each.name.endswith(suffix))
    if suffix != ".html":
        file.write_bytes(b"{}")
        _, tally, (told,) = rows(tmp_path / "a")
        assert tally.unread == 1 and "export the page again" in told
    content = tmp_path / "elsewhere"
    content.write_bytes(b"secret")
    file.unlink()
    file.symlink_to(content)
    found, _, (told,) = rows(tmp_path / "a")
    assert found == [] and "expected a file, got a link" in told


def test_a_pipe_does_not_hold_up_the_import(tmp_path: Path) -> None:
    annotation = folder_of(tmp_path)
    annotation.unlink()
    os.mkfifo(annotation)
    found, _, (told,) = rows(tmp_path)
    assert found == [] and "expected a file, got none" in told


def test_a_folder_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    folder_of(tmp_path / "a")
    (tmp_path / "a" / "images").rename(tmp_path / "elsewhere")
    (tmp_path / "a" / "images").symlink_to(tmp_path / "elsewhere")
    found, _, (told,) = rows(tmp_path / "a")
    assert found == [] and "got a link" in told


def test_a_sidecar_that_names_other_nodes_is_refused(tmp_path: Path) -> None:
    folder_of(tmp_path)
    (sidecar,) = (tmp_path / "pages").glob("*.json")
    sidecar.write_text(sidecar.read_text().replace('"nodes":[1,', '"nodes":[199999,'))
    _, _, (told,) = rows(tmp_path)
    assert "expected what `webstem labels export` wrote" in told


def test_another_folder_is_told(tmp_path: Path) -> None:
    prepare(tmp_path)
    with pytest.raises(FolderError, match="that `webstem labels export` has written"):
        rows(tmp_path)


def test_what_is_unseen_is_no_text(tmp_path: Path) -> None:
    html = ARTICLE.replace("It rained on.", "It rained <b box='0 0 0 0'>never</b>on.")
    folder_of(tmp_path, {"body": BODY}, html=html)
    assert "never" not in (values_of(tmp_path).body or "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By Ann Lee", ["Ann Lee"]),
        ("Ann Lee & Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("This post was written by Ann Lee on 3 May 2021", ["Ann Lee"]),
        ("著者: 山田太郎 2021年5月3日", ["山田太郎"]),
        ("Ludwig van Beethoven", ["Ludwig van Beethoven"]),
        ("3 May 2021", []),
    ],
)
def test_names_in_bylines(text: str, names: list[str]) -> None:
    assert names_in(text) == names


def test_an_address_that_is_none_keeps_nothing_from_being_read(tmp_path: Path) -> None:
    folder_of(tmp_path, {"title": TITLE, "image": "/html/body/div[2]/a"})
    (sidecar,) = (tmp_path / "pages").glob("*.json")
    sidecar.write_text(sidecar.read_text().replace(OTHER.removesuffix("/snow"), "http://["))
    values = values_of(tmp_path)
    assert (values.title, values.image) == ("Rain <today>", None)
