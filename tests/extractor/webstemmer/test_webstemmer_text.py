from extractor.records.articles import ArticleRecord, ArticleSection, Status
from extractor.webstemmer.webstemmer_text import format_article


def record(status=Status.OK, *sections):
    found = tuple(ArticleSection(role=role, index=i, text=text) for role, i, text in sections)
    return ArticleRecord(url="http://a/", url_key="http://a/", status=status, sections=found)


def test_each_paragraph_is_a_line_under_its_label():
    sections = [("sub", 0, "Site"), ("title", 1, "A title"), ("main", 4, "One.\nTwo.")]
    assert format_article(record(Status.OK, *sections), "p", "q") == (
        "!MATCHED: p\nPATTERN: q\nSUB-0: Site\nTITLE: A title\nMAIN-4: One.\nMAIN-4: Two.\n\n"
    )


def test_a_text_cannot_look_like_a_header():
    text = format_article(record(Status.OK, ("sub", 3, "One\u2028!MATCHED: x\r\nTwo")), "p", "q")
    assert text == "!MATCHED: p\nPATTERN: q\nSUB-3: One !MATCHED: x\nSUB-3: Two\n\n"


def test_a_page_without_a_pattern_is_unmatched():
    for status in (Status.NO_PATTERN, Status.GUESSED, Status.LOW_SCORE, Status.LIST, Status.ERROR):
        text = format_article(record(status), "p\n!MATCHED: x", "")
        assert text == "!UNMATCHED: p !MATCHED: x\n\n"


def test_a_match_without_main_text_is_a_match():
    assert format_article(record(Status.EMPTY), "p", "q") == "!MATCHED: p\nPATTERN: q\n\n"
