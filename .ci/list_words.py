"""Write learner/page/said/list_words.json from the CLDR data that Babel ships: `python
.ci/list_words.py`.

Needs Babel, which nothing else does.
"""

from __future__ import annotations

import json
from pathlib import Path

from babel import Locale, localedata

TARGET = Path(__file__).parents[1] / "learner" / "page" / "said" / "list_words.json"


def joining_word(language: str) -> str:
    """What a language puts between the two of a list of two; empty if that is no word."""
    pattern = Locale.parse(language).list_patterns.get("standard", {}).get("2", "")
    word = pattern.replace("{0}", "").replace("{1}", "").strip()
    return word if word.isalpha() else ""


def main() -> None:
    """Write the file."""
    languages = (each for each in localedata.locale_identifiers() if "_" not in each)
    words = {language: word for language in languages if (word := joining_word(language))}
    text = json.dumps(words, ensure_ascii=False, indent=0, sort_keys=True)
    TARGET.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
