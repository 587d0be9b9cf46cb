from datetime import UTC, date, datetime

import pytest

from benchmarks.measures.details import author_is_exact, date_is_exact, own_day, read_shown_date
from extractor.records.articles import ArticleRecord, Status


def record(moment: datetime | None, raw: str | None = None) -> ArticleRecord:
    return ArticleRecord(
        url="u", url_key="u", status=Status.OK, date_published=moment, date_published_raw=raw
    )


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("2013-09-02", "ja", date(2013, 9, 2)),
        ("2015/06/07", "en", date(2015, 6, 7)),
        ("2012-07-30 05:39", "zh-Hant", date(2012, 7, 30)),
        ("31/08/2010", "ru", date(2010, 8, 31)),
        ("7/8/2010", "fr", date(2010, 8, 7)),
        ("7/8/2010", "en", date(2010, 7, 8)),
        ("25 de septiembre de 2005", "es", date(2005, 9, 25)),
        ("19 augustus 2008", "nl", date(2008, 8, 19)),
        ("April 11th, 2000", "en", date(2000, 4, 11)),
        ("Feb 5, 2021", "fr", date(2021, 2, 5)),
    ],
)
def test_a_shown_date_is_read_in_the_sites_language_and_order(text, language, day):
    assert read_shown_date(text, language) == (day, False)


def test_what_is_no_date_is_never_exact():
    assert read_shown_date("no date", "en") == (None, False)
    assert not date_is_exact(record(datetime(2004, 3, 1, tzinfo=UTC)), "no date", "en")


def test_a_month_that_is_shown_alone_is_met_by_any_of_its_days():
    assert date_is_exact(record(datetime(2004, 3, 17, tzinfo=UTC)), "March 2004", "en")
    assert not date_is_exact(record(datetime(2004, 4, 1, tzinfo=UTC)), "March 2004", "en")


def test_the_day_counts_where_the_page_was_written():
    late = record(datetime(2013, 9, 1, 15, 30, tzinfo=UTC), "2013-09-02T00:30:00+09:00")
    assert own_day(late) == date(2013, 9, 2)
    assert date_is_exact(late, "2013-09-02", "ja")


def test_no_date_is_not_exact():
    assert not date_is_exact(record(None), "2013-09-02", "ja")


@pytest.mark.parametrize(
    ("authors", "gold"),
    [
        (["Brett Dickerson"], "Brett  Dickerson"),
        (["Brett Dickerson"], "By Brett Dickerson"),
        (["κeen"], "著者:κeen"),
        (["A. Silva", "M. Woodson"], "A. Silva and M. Woodson"),
        (["A. Silva, M. Woodson"], "A. Silva & M. Woodson"),
        (["S. Ewen (@ewen)", "A. Krettek (@a)"], "S. Ewen (@ewen) A. Krettek (@a)"),
        (["Ms. X"], "Ms. X"),
    ],
)
def test_authors_that_are_exact(authors, gold):
    assert author_is_exact(authors, gold)


@pytest.mark.parametrize(
    ("authors", "gold"),
    [([], "Jane"), (["Jane"], "jane"), (["Jane"], "Jane Roe"), (["Jane", "Ann"], "Jane")],
)
def test_authors_that_are_not(authors, gold):
    assert not author_is_exact(authors, gold)
