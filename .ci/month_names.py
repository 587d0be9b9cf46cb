"""Write learner/page/month_names.json from the CLDR data that Babel ships: `python
.ci/month_names.py`.

Needs Babel, which nothing else does; run it again when CLDR names months anew.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from babel import Locale, localedata

TARGET = Path(__file__).parents[1] / "learner" / "page" / "month_names.json"
NUMBERED = re.compile(r"(\D{2,}?)\s*(\d{1,2})")


PERSIAN = {
    "fa": "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند",
    "ps": "وری غویی غبرګولی چنګاښ زمری وږی تله لړم لیندۍ مرغومی سلواغه کب",
}
"""The months of the Persian calendar, which Babel leaves out."""
ARABIC_LETTERS = str.maketrans("یک", "يك")
"""What old keyboards have for two of the Persian letters."""


def names_of(locale: Locale) -> Iterator[tuple[int, str]]:
    """Month (1 to 12; 0: a word before the number of the month; 13 to 24: those of the Persian
    calendar) and name, in lower case."""
    for forms in locale.months.values():
        for width in ("wide", "abbreviated"):
            for month, name in forms.get(width, {}).items():
                text = unicodedata.normalize("NFC", name).casefold().strip(" .\u200f")
                if max(text) > "\uffff":  # alphabets that hardly anyone writes
                    continue
                numbered = NUMBERED.fullmatch(text)
                if numbered and int(numbered[2]) == month:
                    if numbered[1].strip().isalpha():
                        yield 0, numbered[1].strip()
                elif len(text) > 1 and not re.search(r"\d", text):
                    yield month, text
                    if locale.language == "he":  # "in March" is written as one word
                        yield month, "ב" + text


def persian_names(language: str) -> Iterator[tuple[int, str]]:
    for month, name in enumerate(PERSIAN.get(language, "").split(), start=13):
        yield from ((month, form) for form in (name, name.translate(ARABIC_LETTERS)))


def collect() -> dict[str, dict[str, int]]:
    languages: dict[str, dict[str, int]] = {}
    for identifier in sorted(localedata.locale_identifiers()):
        locale = Locale.parse(identifier)
        names = languages.setdefault(locale.language, {})
        for month, name in (*names_of(locale), *persian_names(locale.language)):
            names.setdefault(name, month)
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
