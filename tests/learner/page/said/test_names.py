import json

import pytest
from lxml import html

from learner.page.said.metadata import read_metadata
from learner.page.said.names import read_names


@pytest.mark.parametrize(
    ("said", "language", "names"),
    [
        ("Ann Lee, Bob Fry", "", ("Ann Lee", "Bob Fry")),
        ("Ann Lee, Bob Fry and Eve Hill", "en-GB", ("Ann Lee", "Bob Fry", "Eve Hill")),
        ("Ann Lee und Bob Fry", "de", ("Ann Lee", "Bob Fry")),
        ("Ann Lee und Bob Fry", "en", ("Ann Lee und Bob Fry",)),
        ("José Ortega y Gasset", "es", ("José Ortega y Gasset",)),
        ("Ann Lee, PhD", "en", ("Ann Lee, PhD",)),
        ("Lee, Ann; Fry, Bob", "en", ("Lee, Ann", "Fry, Bob")),
        ("By Ann Lee", "en", ("Ann Lee",)),
        ("Von: Ann Lee", "de", ("Ann Lee",)),
        ("Ann Lee <ann@site.example>", "", ("Ann Lee",)),
        ("ann@site.example (Ann Lee)", "", ("Ann Lee",)),
        ("ann@site.example", "", ()),
        ("<a href='/ann'>Ann Lee</a>", "", ("Ann Lee",)),
        ("https://site.example/ann", "", ()),
    ],
)
def test_names_in_one_text(said, language, names):
    assert read_names([said], language) == names


def authors_of(author, **more):
    said = json.dumps({"@type": "NewsArticle", "headline": "Ice", "author": author, **more})
    page = f'<html lang=en><head><script type="application/LD+JSON">{said}</script></head></html>'
    return read_metadata(html.document_fromstring(page)).json_authors


def test_authors_of_json_ld_in_all_forms():
    person = {"@type": "Person", "name": "Ann Lee"}
    site = {"@type": "http://schema.org/NewsMediaOrganization", "name": "The Site"}
    parts = {"@type": "Person", "givenName": "Ann", "familyName": "Lee"}
    for author in (person, [[person]], [site, person], [None, {"name": None}, person], parts):
        assert authors_of(author) == ("Ann Lee",)
    assert authors_of(site) == ("The Site",)
    assert authors_of(None, creator="Ann Lee") == ("Ann Lee",)


def test_an_author_in_microdata():
    card = '<p itemprop=author itemscope><meta itemprop=name content="Ann Lee"></p>'
    other = '<p itemprop=publisher itemscope><meta itemprop=name content="The Site"></p>'
    assert read_metadata(html.document_fromstring(card + other)).meta_authors == ("Ann Lee",)
