"""Write learner/page/calendars/month_names.json from the CLDR data that Babel ships: `python
.ci/month_names.py`.

Needs Babel, which nothing else does; run it again when CLDR names months anew. Names that it has no
more stay.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from babel import Locale, localedata

TARGET = Path(__file__).parents[1] / "learner" / "page" / "calendars" / "month_names.json"
NUMBERED = re.compile(r"(\D{2,}?)\s*(\d{1,2})")
COUNTED = re.compile(r"(\d{1,2})\D{0,3}?([^\W\d]{2,})")
AFTER_NAME = re.compile(r"(?:MMMM?|LLLL?)'(\w+)'")
AFTER_NUMBER = re.compile(r"(?<!M)MM? ?'([^\W\d]{2,})'")
"""What CLDR's forms of dates put behind the name of a month, as a part of the word, or its number.
"""


PERSIAN = {
    "fa": "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند",
    "ps": "وری غویی غبرګولی چنګاښ زمری وږی تله لړم لیندۍ مرغومی سلواغه کب",
}
"""The months of the Persian calendar, which Babel leaves out."""
ADDED = {
    "ar": {1: "كانون ثاني", 10: "تشرين أول", 11: "تشرين ثاني", 12: "كانون أول"},
    "bs": {3: "marta|марта", 6: "juna|јуна", 7: "jula|јула", 8: "augusta|аугуста|avgusta|августа"},
    "ckb": {
        1: "کانوونی دووەمی", 2: "شوباتی", 3: "ئازاری", 4: "نیسانی", 5: "ئایاری", 6: "حوزەیرانی",
        7: "تەممووزی|تەمموزی", 8: "ئابی", 9: "ئەیلوولی", 10: "تشرینی یەکەمی", 11: "تشرینی دووەمی",
        12: "کانوونی یەکەمی",
    },
    "de": {2: "feber"},
    "id": {2: "pebruari", 8: "agt", 11: "nopember|nop"},
    "si": {6: "ජුනි", 7: "ජුලි"},
    "sr": {
        1: "januara|јануара", 2: "februara|фебруара", 3: "marta|марта", 4: "aprila|априла",
        5: "maja|маја", 6: "juna|јуна|juni|јуни", 7: "jula|јула|juli|јули", 8: "avgusta|августа",
        9: "septembra|септембра", 10: "oktobra|октобра", 11: "novembra|новембра",
        12: "decembra|децембра",
    },
    "tg": {
        1: "январи", 2: "феврали", 3: "марти", 4: "апрели", 5: "майи", 6: "июни", 7: "июли",
        8: "августи", 9: "сентябри", 10: "октябри", 11: "ноябри", 12: "декабри",
    },
}  # fmt: skip
"""What pages write and CLDR lacks: second cases (`8. juna`, `8 июни`, `8ی حوزەیرانی`), names
without the article, older spellings, `|` between those of one month."""
ARABIC_LETTERS = str.maketrans("یک", "يك")
"""What old keyboards have for two of the Persian letters."""


def names_of(locale: Locale) -> Iterator[tuple[int, str]]:
    """Month (1 to 12; 0: a word before the number of the month, with `#` one behind it; 13 to 24:
    those of the Persian calendar) and name, in lower case, with and without the endings that it has
    in dates."""
    forms = list(date_forms(locale))
    endings = {"", *(end for form in forms for end in AFTER_NAME.findall(form))}
    for month, name in plain_names(locale):
        yield from ((month, name + end) for end in sorted(endings))
    yield from ((0, f"#{word}") for form in forms for word in AFTER_NUMBER.findall(form))


def plain_names(locale: Locale) -> Iterator[tuple[int, str]]:
    for forms in locale.months.values():
        for width in ("wide", "abbreviated"):
            for month, name in forms.get(width, {}).items():
                text = unicodedata.normalize("NFC", name).casefold().strip(" .\u200f")
                if max(text) > "\uffff":  # alphabets that hardly anyone writes
                    continue
                numbered, counted = NUMBERED.fullmatch(text), COUNTED.fullmatch(text)
                if numbered and int(numbered[2]) == month:
                    if numbered[1].strip().isalpha():
                        yield 0, numbered[1].strip()
                elif counted and int(counted[1]) == month:
                    yield 0, f"#{counted[2]}"
                elif len(text) > 1 and not re.search(r"\d", text):
                    yield month, text
                    if locale.language == "he":  # "in March" is written as one word
                        yield month, "ב" + text


def date_forms(locale: Locale) -> Iterator[str]:
    """How dates are written: `y 'оны' MMMM'ын' d`."""
    yield from (form.pattern for form in locale.date_formats.values())
    yield from (form.pattern for form in locale.datetime_skeletons.values())


def persian_names(language: str) -> Iterator[tuple[int, str]]:
    for month, name in enumerate(PERSIAN.get(language, "").split(), start=13):
        yield from ((month, form) for form in (name, name.translate(ARABIC_LETTERS)))


def added_names(language: str) -> Iterator[tuple[int, str]]:
    for month, names in ADDED.get(language, {}).items():
        yield from ((month, name) for name in names.split("|"))


def known_names() -> Iterator[tuple[str, int, str]]:
    """Language, month and name of what is stored: CLDR drops spellings that pages still have."""
    for language, months in json.loads(TARGET.read_text("utf-8")).items():
        for month, written in enumerate(months):
            yield from ((language, month, name) for name in written.split("|") if name)


def collect() -> dict[str, dict[str, int]]:
    languages: dict[str, dict[str, int]] = {}
    for identifier in sorted(localedata.locale_identifiers()):
        locale = Locale.parse(identifier)
        names = languages.setdefault(locale.language, {})
        for month, name in chain(
            names_of(locale), persian_names(locale.language), added_names(locale.language)
        ):
            names.setdefault(name, month)
    for language, month, name in known_names():
        languages.setdefault(language, {}).setdefault(name, month)
    return {language: names for language, names in languages.items() if names}


if __name__ == "__main__":
    languages = {
        language: [
            "|".join(n for n, m in names.items() if m == month)
            for month in range(25 if language in PERSIAN else 13)
        ]
        for language, names in sorted(collect().items())
    }
    lines = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in languages.items()]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"{TARGET}: {len(languages)} languages, {TARGET.stat().st_size} bytes")
