"""How a word is compared whatever its spelling: capitals without accents, vowels long or short."""

from __future__ import annotations

import re
import unicodedata

from learner.page.words import UNSEEN

_LETTERS = str.maketrans(
    {
        "ı": "i",  # of Turkish; its capital with a dot loses that like an accent
        "ی": "ي", "ې": "ي", "ى": "ي", "ک": "ك", "ہ": "ه", "ھ": "ه", "ة": "ه", "ە": "ه",
        "‘": "'", "’": "'", "ʻ": "'", "ʼ": "'",
        "ൺ": "ണ്", "ൻ": "ന്", "ർ": "ര്", "ൽ": "ല്", "ൾ": "ള്", "ൿ": "ക്",
        **dict.fromkeys(UNSEEN + "\u0640\u200c\u200d\u200e\u200f\u061c\u0970"),
    }
)  # fmt: skip
"""Letters that keyboards of one language have in the place of another's, and what is not seen, or
only says that a word is cut short: `जन॰`."""

_INDIC = range(0x900, 0xD80)
"""Scripts of India, whose blocks of 128 signs have one order (Unicode, chapter 12)."""
_SHORT = {0x08: 0x07, 0x0A: 0x09, 0x40: 0x3F, 0x42: 0x41, 0x01: 0x02}
"""Place in such a block of a long vowel (or the sign of one) -> that of the short one."""
_NASAL = re.compile(
    "|".join(
        f"[{''.join(chr(block + place) for place in (0x19, 0x1E, 0x23, 0x28, 0x2E))}]"
        f"{chr(block + 0x4D)}(?=[{chr(block + 0x15)}-{chr(block + 0x39)}])"
        for block in range(_INDIC.start, _INDIC.stop, 128)
    )
)
"""A nasal before a consonant, which a dot may stand for: `सितम्बर`, `सितंबर`."""


def folded(word: str) -> str:
    """A word in small letters, without accents, in one of its spellings.

    >>> folded("ΙΟΥΝΊΟΥ") == folded("Ιουνίου"), folded("KASIM") == folded("Kasım")
    (True, True)
    >>> folded("حزیران") == folded("حزيران"), folded("জানুয়ারি") == folded("জানুয়ারী")
    (True, True)
    """
    word = word.casefold()
    if word.isascii():
        return word
    parted = unicodedata.normalize("NFD", word.translate(_LETTERS))
    bare = "".join(map(_short, filter(_is_kept, parted)))
    return unicodedata.normalize("NFC", _NASAL.sub(_dotted, bare))


def _is_kept(sign: str) -> bool:
    """Whether a sign is no accent: its combining class (Unicode, 4.3) is not that of marks above
    and below letters, of the points of Hebrew and Arabic, or of the dot of India."""
    place = unicodedata.combining(sign)
    return place < 200 and place != 7 and not 10 <= place <= 35


def _short(sign: str) -> str:
    code = ord(sign)
    place = _SHORT.get(code & 0x7F) if code in _INDIC else None
    return sign if place is None else chr((code & ~0x7F) + place)


def _dotted(nasal: re.Match[str]) -> str:
    return chr((ord(nasal[0][0]) & ~0x7F) + 2)
