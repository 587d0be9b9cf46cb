from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learner.page.calendars.day_text import DateText
from learner.page.calendars.spelling import folded
from learner.page.dates import (
    find_dates,
    learn_order,
    read_machine_date,
    url_date,
    usual_order,
)
from learner.page.months import month_names, names_of_months

DAYS = st.dates(date(1980, 1, 1), date(2069, 12, 31))
ENGLISH = month_names(("en",))


def read(text, language="en", order="dmy"):
    return [found.day(order) for found in find_dates(text, month_names((language,)))]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("March 5, 2018", "en"),
        ("Posted by Ann on Monday, March 5th, 2018 at 10:20", "en"),
        ("5 Mar '18", "en"),
        ("05-MAR-2018", "en"),
        ("5. März 2018", "de"),
        ("le 5 mars 2018", "fr"),
        ("lunes 5 de marzo de 2018 a las 23:25", "es"),
        ("5 d’abril de 2018 (corrigé: 5 de març de 2018)", "ca"),
        ("5 марта 2018 г.", "ru"),
        ("5 березня 2018", "uk"),
        ("5η Μαρτίου 2018", "el"),
        ("2018年3月5日", "ja"),
        ("2018 年 03 月 05 日 9:46", "zh"),
        ("2018년 3월 5일", "ko"),
        ("3月 5, 2018", "zh"),
        ("3月 05 2018", "zh"),
        ("5 3月 2018", "ja"),
        ("3월 5, 2018", "ko"),
        ("平成30年3月5日", "ja"),
        ("民國 107 年 3 月 5 日", "zh"),
        ("۱۴ اسفند ۱۳۹۶", "fa"),
        ("14 اسفند ماه 1396", "en"),
        ("۱۳۹۶/۱۲/۱۴ - ۱۰:۲۰", "fa"),
        ("5 tháng 3, 2018", "vi"),
        ("٥ مارس ٢٠١٨", "ar"),
        ("5 آذار 2018", "ar"),
        ("5 مارس، 2018", "ar"),
        ("5 במרץ 2018", "he"),
        ("5 มีนาคม 2561", "th"),
        ("5 ส.ค. 2561", "th"),
        ("5 मार्च 2018", "hi"),
        ("2018. március 5.", "hu"),
        ("2018-03-05T10:20:30+09:00", "en"),
        ("2018/03/05", "ja"),
        ("05.03.2018, 12:30", "de"),
    ],
)
def test_dates_of_many_languages(text, language):
    day = date(2018, 8, 5) if "ส.ค" in text else date(2018, 3, 5)
    assert day in read(text, language)


@pytest.mark.parametrize(
    "text",
    [
        "version 1.2.3.4",
        "call (937) 555-0183",
        "192.168.2.17",
        "10:20:30",
        "from 5 to 7",
        "see 5 pages",
        "31/02/2010",
        "page 3/4/5000",
        "12-13-14-15",
        "12月20日64版",
        "",
    ],
)
def test_what_is_no_date(text):
    assert read(text) == []


def test_a_month_alone_is_its_first_day():
    (found,) = find_dates("Published in issue 31, August 1998", ENGLISH)
    assert (found.day(), found.whole) == (date(1998, 8, 1), False)
    (found,) = find_dates("2004年3月号", ENGLISH)
    assert (found.day(), found.whole) == (date(2004, 3, 1), False)


def test_a_weekday_that_is_called_like_a_month():
    found = find_dates("mar, 21/04/2009 - 14:36", month_names(("fr",)))
    assert [each.day("dmy") for each in found] == [date(2009, 4, 21)]


@pytest.mark.parametrize(
    "text",
    ["Tue Apr  6 19:53:25 CET 2004", "Tue Apr 6 19:53:25 2004", "Tue Apr 6 19:53:25 +0100 2004"],
)
def test_the_clock_inside_a_date(text):
    (found,) = find_dates(text, ENGLISH)
    assert (found.day(), found.clock) == (date(2004, 4, 6), (19, 53, 25))


def test_the_clock_beside_a_date():
    clocks = {
        "2016-09-02 11:34": (11, 34, 0),
        "April 3, 2010, 2:05 pm": (14, 5, 0),
        "April 3, 2010 12:05 AM": (0, 5, 0),
        "3/4/2010 23:59:58": (23, 59, 58),
        "3/4/2010 25:00": None,
        "3/4/2010": None,
    }
    assert {text: find_dates(text, ENGLISH)[0].clock for text in clocks} == clocks


@given(DAYS, st.sampled_from(["en", "nl", "ru", "el", "pt", "fi", "tr", "fa", "sw", "cy"]))
def test_every_month_of_a_language_is_read(day, language):
    names = month_names((language,))
    for name in names_of_months(language):
        if names[folded(name)] == day.month and len(name) > 2:
            assert find_dates(f"{day.day} {name} {day.year}", names)[0].day() == day
            assert find_dates(f"{name} {day.day}, {day.year}", names)[0].day() == day
            assert find_dates(f"{day.year} {name} {day.day}", names)[0].day() == day


@given(DAYS, st.sampled_from("/.-"))
def test_numeric_dates_in_each_order(day, sign):
    written = {
        "dmy": f"{day:%d}{sign}{day:%m}{sign}{day:%Y}",
        "mdy": f"{day.month}{sign}{day.day}{sign}{day.year}",
        "ymd": f"{day:%Y}{sign}{day:%m}{sign}{day:%d}",
    }
    for order, text in written.items():
        (found,) = find_dates(f"x {text} y", {})
        assert found.day(order) == day
        assert found.ambiguous is (order != "ymd")


@given(st.lists(DAYS, min_size=1, max_size=30), st.sampled_from(["%d/%m/%y", "%m/%d/%y"]))
def test_the_order_is_learned_from_days_above_twelve(days, form):
    found = [f for day in days for f in find_dates(day.strftime(form), {})]
    order = {"%d/%m/%y": "dmy", "%m/%d/%y": "mdy"}[form]
    learned = learn_order(found)
    if learned is not None:
        assert all(f.day(learned) for f in found)
    known = learn_order(found, days)
    if known != order:  # then another order says the same: 13/01/13
        others = {"dmy", "mdy", "ymd"} - {order}
        assert any(all(f.day(other) == f.day(order) for f in found) for other in others)


def test_nothing_tells_the_order():
    assert learn_order([DateText(0, 8, (3, 4, 2010), False)]) is None
    assert learn_order([]) is None


def test_what_readers_expect():
    assert [usual_order(code) for code in ("en", "en_GB", "de", "zh-Hans", "", "fr-CA")] == [
        "mdy", "dmy", "dmy", "ymd", "dmy", "dmy",
    ]  # fmt: skip


def test_a_name_that_two_languages_share():
    assert read("3 listopad 2010", "hr") == [date(2010, 10, 3)]
    assert read("3 listopad 2010", "pl") == [date(2010, 11, 3)]


def test_short_names_of_other_languages_are_words():
    assert read("see 5, 2010") == []
    assert read("3 augustus 2010") == [date(2010, 8, 3)]


@given(st.datetimes(datetime(1971, 1, 2), datetime(2100, 1, 1)), st.integers(-12, 14))
def test_machine_dates_come_back(moment, hours):
    moment = moment.replace(microsecond=0, tzinfo=timezone(timedelta(hours=hours)))
    for text in (moment.isoformat(), f" {moment:%Y-%m-%d %H:%M:%S %z} "):
        assert read_machine_date(text) == (moment.astimezone(UTC), moment.date())


def test_machine_dates_of_all_kinds():
    midnight = datetime(2018, 3, 5, tzinfo=UTC)
    assert read_machine_date("2018-03-05") == (midnight, midnight.date())
    assert read_machine_date("20180305") == (midnight, midnight.date())
    assert read_machine_date("2018-03-05T10:20:30.123Z")[0].hour == 10
    assert read_machine_date("20180305102030") == (midnight, midnight.date())
    assert read_machine_date("1520245230")[0].isoformat() == "2018-03-05T10:20:30+00:00"
    assert read_machine_date("1520245230000") == read_machine_date("1520245230")
    for wrong in (
        "171210123",
        "",
        "yesterday",
        "2018-13-05",
        "0000-00-00T00:00:00Z",
        "2018-03-05T99:00",
    ):
        read = read_machine_date(wrong)
        assert read is None, (wrong, read)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/2010/10/24/news", (date(2010, 10, 24), True)),
        ("https://a.example/posts/2010-10-24-news.html", (date(2010, 10, 24), True)),
        ("https://a.example/20101024/news", (date(2010, 10, 24), True)),
        ("https://a.example/2010/10/news", (date(2010, 10, 1), False)),
        ("https://a.example/issue31/1998.html", None),
        ("https://2010-10-24.example/", None),
        ("https://a.example/?date=2010-10-24", None),
        ("https://a.example/123456789", None),
    ],
)
def test_dates_in_urls(url, expected):
    found = url_date(url)
    assert (found and found[:2]) == expected


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text):
    for found in find_dates(text, ENGLISH):
        assert 0 <= found.start < found.end <= len(text)
    read_machine_date(text)
    url_date(text)
