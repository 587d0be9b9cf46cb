"""Each text names 8 June 2022, or the day given with it."""

from datetime import date

import pytest

from learner.page.calendars.spelling import folded
from learner.page.dates import find_dates
from learner.page.months import month_names

DAY = date(2022, 6, 8)


def first_day(text, language="en"):
    found = find_dates(text, month_names((language, "en")))
    return found[0].day() if found else None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("8 June / juin 2022", "en"),
        ("8 June (juin) 2022", "fr"),
        ("8 حزيران/يونيو 2022", "ar"),
        ("8 Jun / Haziran 2022", "tr"),
        ("June / juin 8, 2022", "en"),
        ("2022 June (juin) 8", "en"),
        ("8 June / unheardof 2022", "en"),
        ("8 Unheardof / June 2022", "en"),
    ],
)
def test_a_month_that_is_said_twice(text, language):
    assert first_day(text, language) == DAY


@pytest.mark.parametrize("text", ["31 June 2022", "31 June / juin 2022"])
def test_a_month_behind_a_day_is_no_month_alone(text):
    assert first_day(text) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("8 ΙΟΥΝΙΟΥ 2022", "el"),
        ("8 HAZİRAN 2022", "tr"),
        ("2022 M. BIRZELIO 8 D.", "lt"),
        ("8. KESAKUUTA 2022", "fi"),
        ("८ जुन २०२२", "ne"),
        ("8 یونیو 2022", "ar"),
        ("8 حزیران 2022", "fa"),
        ("8. juna 2022.", "sr"),
        ("8. јуна 2022.", "bs"),
        ("8 июни 2022", "tg"),
        ("8ی حوزەیرانی 2022", "ckb"),
        ("2022 ජුනි 08", "si"),
    ],
)
def test_other_spellings_of_a_month(text, language):
    assert first_day(text, language) == DAY


@pytest.mark.parametrize(
    ("text", "language", "month"),
    [
        ("8 जन 2022", "hi", 1),
        ("8 जन॰ 2022", "hi", 1),
        ("8 दिस. 2022", "hi", 12),
        ("8 كانون ثاني 2022", "ar", 1),
        ("8 تشرين أول 2022", "ar", 10),
        ("8 Pebruari 2022", "id", 2),
        ("8 Agt 2022", "id", 8),
        ("8. Feber 2022", "de", 2),
    ],
)
def test_spellings_that_pages_have_and_cldr_lacks(text, language, month):
    assert first_day(text, language) == date(2022, month, 8)


def test_vowels_long_and_short_nasals_and_dots():
    assert {first_day(f"28 {name} 2022", "bn") for name in ("জানুয়ারি", "জানুয়ারী", "জানুযারি")} == {
        date(2022, 1, 28)
    }
    assert folded("सितम्बर") == folded("सितंबर")


def test_a_name_without_accents_is_looked_for_in_its_own_language():
    assert first_day("Marc 5, 2022") is None
    assert first_day("Marc 5, 2022", "ca") == date(2022, 3, 5)
    assert first_day("8 AOÛT 2022") == date(2022, 8, 8)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("2022. gada 8. jūnijs", "lv"),
        ("2022 жылғы 8 маусым", "kk"),
        ("2022-yil 8-iyun", "uz"),
        ("2022 yil 8 iyun", "uz"),
        ("2022ko ekainaren 8a", "eu"),
        ("၂၀၂၂ ခုနှစ်၊ ဇွန်လ ၈ ရက်", "my"),
        ("2022 оны 6 сарын 8", "mn"),
        ("2022 оны 6-р сарын 8", "mn"),
        ("2022 оны зургаадугаар сарын 8", "mn"),
        ("2022 წლის 8 ივნისი", "ka"),
        ("ថ្ងៃទី៨ ខែមិថុនា ឆ្នាំ២០២២", "km"),
    ],
)
def test_words_between_year_and_day(text, language):
    assert first_day(text, language) == DAY


@pytest.mark.parametrize(
    "text",
    [
        "8.VI.2022",
        "8 VI 2022",
        "2022. VI. 8.",
        "8 Ⅵ 2022",
        "20220608",
        "(20220608 10:20)",
        "二〇二二年六月八日",
        "令和四年六月八日",
        "\u200f٨\u200f/٦\u200f/٢٠٢٢",
        "۱۴۰۱-۰۳-۱۸",
        "۱۸/۰۳/۱۴۰۱",
    ],
)
def test_other_numbers(text):
    assert first_day(text) == DAY


@pytest.mark.parametrize(
    "text",
    [
        "8-10 June 2022",
        "8 – 10 June 2022",
        "8. bis 10. Juni 2022",
        "June 8-10, 2022",
        "8 June – 10 July 2022",
        "June 8 – July 10, 2022",
        "8 June to 10 July 2022",
        "2022. június 8–10.",
        "08.-10.06.2022",
        "8.6.–10.7.2022",
        "08.06.2022-10.07.2022",
        "2022/6/8-10",
        "2022-06-08/10",
    ],
)
def test_the_first_day_of_a_range(text):
    assert first_day(text) == DAY


def test_a_range_over_the_end_of_a_year():
    assert first_day("28 December – 3 January 2023") == date(2022, 12, 28)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Issue 3 - 8 June 2022", DAY),
        ("Posted by Marc 8 June 2022", DAY),
        ("Mar Jun 08, 2022", DAY),
        ("20220608 and 20220609", None),
        ("call 202206081", None),
        ("1 of 2022 people on 8 June", None),
    ],
)
def test_what_stands_beside_a_date(text, day):
    assert first_day(text, "fr") == day


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("8 มิ.ย. 65", "th"),
        ("8 มิถุนายน 65 10:30", "th"),
        ("令和4.6.8", "ja"),
        ("民國111/06/08", "zh"),
        ("입력 :2022-06-08 09:30", "ko"),
        ("Posted:2022-06-08", "en"),
        ("Datum:8.6.2022", "de"),
    ],
)
def test_short_years_and_labels_without_a_blank(text, language):
    assert first_day(text, language) == DAY


@pytest.mark.parametrize("text", ["R4.6.8", "8 มิ.ย. 10:30", "10:16.04.2021"])
def test_what_is_no_date(text):
    assert first_day(text, "th") is None
