import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.fields.language import alphabets_of, count_alphabets, find_language


@pytest.mark.parametrize(
    ("declared", "text", "code"),
    [
        ("en-US", "All the news", "en"),
        ("PT_br", "Todas as notícias", "pt"),
        ("zh-Hant", "試想中國近二十年的教育狀況", "zh"),
        ("ja", "JavaとRubyを比較する", "ja"),
        ("sr", "Добро јутро", "sr"),
        ("sr", "Dobro jutro", "sr"),
        ("en", "これは日本語です", "ja"),
        ("en", "한국어 기사", "ko"),
        ("", "Ελληνικά νέα", "el"),
        ("xx", "שלום עולם", "he"),
        ("en", "", "en"),
    ],
)
def test_the_declared_language_or_that_of_the_letters(declared, text, code):
    assert find_language(declared, text) == code


def test_a_guess_where_nothing_is_declared():
    text = "De regering heeft gisteren een nieuw voorstel voor de belastingen aangenomen."
    assert find_language("", text) == "nl"


@pytest.mark.parametrize("text", ["", "1, 2, 3", "Oh, nee!"])
def test_none_of_a_text_that_is_too_short(text):
    assert find_language("", text) is None


@given(st.text(max_size=50), st.sampled_from(["", "en", "ru", "ja", "??", "toolong-x"]))
def test_a_code_or_none(text, declared):
    found = find_language(declared, text)
    assert found is None or (len(found) == 2 and found == found.lower())


def test_alphabets():
    assert count_alphabets("Abc где 1") == {"LATIN": 3, "CYRILLIC": 3}
    assert alphabets_of("ru") == {"CYRILLIC"} and alphabets_of("xx") == frozenset()
