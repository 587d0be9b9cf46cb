"""Annotations are read as labelImg writes them, and hostile ones are refused."""

from pathlib import Path

import pytest
from lxml import etree

from learner.labels.voc import (
    MAX_BYTES,
    MAX_OBJECTS,
    Annotation,
    VocError,
    VocObject,
    annotation_xml,
    read_annotation,
)

BOX = "<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>30</xmax><ymax>40</ymax></bndbox>"
OBJECT = f"<object><name>title</name>{BOX}</object>"
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "page.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_what_was_written_is_read(tmp_path: Path) -> None:
    objects = (
        VocObject(name="title", box=(1, 2, 30, 40)),
        VocObject(name="<body> & co", box=(5, 6, 7, 8), difficult=True),
    )
    annotation = Annotation(filename="a.jpeg", size=(64, 64), objects=objects, verified=True)
    found = read_annotation(written(tmp_path, annotation_xml(annotation, "images")))
    assert (found.objects, found.verified) == (objects, True)


def test_it_is_what_pascal_voc_says() -> None:
    one = VocObject(name="title", box=(1, 2, 30, 40))
    annotation = Annotation(filename="a.jpeg", size=(64, 48), objects=(one,))
    root = etree.fromstring(annotation_xml(annotation, "images"))
    assert [each.tag for each in root] == [
        "folder", "filename", "source", "size", "segmented", "object"
    ]  # fmt: skip
    assert [each.text for each in root.iterfind("size/*")] == ["64", "48", "3"]
    assert [each.tag for each in root.iterfind("object/*")] == [
        "name", "pose", "truncated", "difficult", "bndbox"
    ]  # fmt: skip
    assert root.findtext("object/truncated") == "1"  # it touches the left side


def test_corners_may_be_drawn_from_the_lower_right(tmp_path: Path) -> None:
    box = "<xmin>30.7</xmin><ymin>40</ymin><xmax>1</xmax><ymax>2</ymax>"
    text = f"<annotation><object><name> title </name><bndbox>{box}</bndbox></object></annotation>"
    assert read_annotation(written(tmp_path, text)).objects == (
        VocObject(name="title", box=(1, 2, 30, 40)),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Document is empty"),
        ("<annotation>", "Premature end"),
        ("<html/>", "a root element called 'html'"),
        (f'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><annotation>{OBJECT}</annotation>',
         "a DOCTYPE"),
        (f"<!DOCTYPE a [<!ENTITY l0 'ha'>{LAUGHS}]><annotation>&l9;</annotation>", ""),
        (f"<annotation><object>{BOX}</object></annotation>", "box 1 with a name of 0 characters"),
        (f"<annotation><object><name>{'x' * 101}</name>{BOX}</object></annotation>", "of 101 char"),
        ("<annotation><object><name>title</name></object></annotation>", "where pixels should"),
        (f"<annotation>{OBJECT.replace('>30<', '>nan<')}</annotation>", "'nan' where pixels"),
        (f"<annotation>{OBJECT.replace('>30<', '>-3<')}</annotation>", "'-3' where pixels"),
        (f"<annotation>{OBJECT.replace('>30<', '>1e9<')}</annotation>", "'1e9' where pixels"),
        (f"<annotation>{OBJECT.replace('>30<', '>1<')}</annotation>", "box 1 without an area"),
        (f"<annotation>{OBJECT * (MAX_OBJECTS + 1)}</annotation>", "more than 10000 boxes"),
        (f"<annotation>{' ' * MAX_BYTES}</annotation>", "more than 4194304 bytes"),
    ],
)  # fmt: skip
def test_what_is_none_is_told_with_what_to_do(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(VocError) as told:
        read_annotation(written(tmp_path, text))
    assert said in str(told.value)
    assert str(tmp_path / "page.xml") in str(told.value)
    assert "save them anew in labelImg, or remove the file" in str(told.value)
