from learner.matchtext import format_matched, format_unmatched
from learner.patterns import Role


def test_a_text_cannot_look_like_a_header():
    text = format_matched("p", "q", [(Role.SUB, 3, "One\u2028!MATCHED: x\r\nTwo")])
    assert text == "!MATCHED: p\nPATTERN: q\nSUB-3: One !MATCHED: x\nSUB-3: Two\n\n"
    assert format_unmatched("p\n!MATCHED: q") == "!UNMATCHED: p !MATCHED: q\n\n"


def test_boilerplate_is_left_out():
    sections = [(Role.BOILERPLATE, 0, "Menu"), (Role.TITLE, 1, "Title"), (Role.MAIN, 2, "")]
    assert format_matched("p", "q", sections) == "!MATCHED: p\nPATTERN: q\nTITLE: Title\n\n"
