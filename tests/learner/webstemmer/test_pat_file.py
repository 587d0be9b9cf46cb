import ast
import io

import pytest

from learner.kinds.kind import Kind
from learner.patterns.pattern import Pattern, PatternSet, Role
from learner.webstemmer import pat_file
from learner.webstemmer.pat_file import PatExportError, PatFileError, read_pat, write_pat

FOUR_FIELDS = "(900.5, '2005/a.com/x', 0, [(0.9, 9.0, 'h1'), (0.8, 99.0, 'p')])"


def read(text, source="s.pat"):
    return read_pat(io.BytesIO(text if isinstance(text, bytes) else text.encode()), source)


def write(patterns, **options):
    file = io.StringIO()
    write_pat(patterns, file, "200501010000", **options)
    return file.getvalue()


def test_four_fields_and_three_field_blocks():
    (pattern,) = read(FOUR_FIELDS)
    assert (pattern.score, pattern.name, pattern.title) == (900.5, "2005/a.com/x", 0)
    assert [(s.path, s.role) for s in pattern.sections] == [("h1", Role.TITLE), ("p", Role.MAIN)]
    assert (pattern.preset, pattern.kind, pattern.main) == ("webstemmer", Kind.ARTICLE, 1)


def test_five_fields_name_the_main_section():
    (pattern,) = read("(9, 'x', -1, 1, [(0.9, 9.0, 'h1'), (0.8, 99.0, 'p')])")
    assert (pattern.title, pattern.main) == (None, 1)


def test_blocks_of_two_fields_take_the_main_section_from_its_number():
    (pattern,) = read("(900, 'x', 0, 2, [(0.9, 'h1'), (0.8, 'h2'), (0.8, 'p'), (0.1, 'div')])")
    roles = [section.role for section in pattern.sections]
    assert roles == [Role.TITLE, Role.SUB, Role.MAIN, Role.BOILERPLATE]


def test_blocks_of_two_fields_without_that_number_are_all_main_text():
    (pattern,) = read("(900, 'x', 0, [(0.9, 'h1'), (0.8, 'h2'), (0.8, 'p'), (0.1, 'div')])")
    roles = [section.role for section in pattern.sections]
    assert roles == [Role.TITLE, Role.MAIN, Role.MAIN, Role.BOILERPLATE]


def test_comments_name_the_pages_and_a_mangle_regex_counts_for_all():
    text = (
        f"### version=0.6.1\n\n# 900.5 <2005/a.com/x>\n#\t 2005/a.com/x\n#\t 2005/a.com/y\n"
        f"{FOUR_FIELDS}\r\n{FOUR_FIELDS.replace('900.5', '800')}\n!mangle_pat='[a-z]+'\n"
    )
    first, second = read(text)
    assert first.example_urls == ("http://a.com/x", "http://a.com/y")
    assert (first.n_pages, second.n_pages) == (2, 0)
    assert first.param("mangle") == second.param("mangle") == "[a-z]+"


def test_what_is_written_reads_back_the_same():
    patterns = read(f"!mangle_pat=u'\\u65e5+'\n# x\n#\t 2005/a.com/x\n{FOUR_FIELDS}\n")
    assert read(write(patterns)).patterns == patterns.patterns


def test_what_is_written_is_what_the_original_reads():
    text = write(read(FOUR_FIELDS), comments={"fname": "a.zip", "pages": 3})
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert [ast.literal_eval(line) for line in lines] == [ast.literal_eval(FOUR_FIELDS)]
    assert text.isascii()
    assert text.startswith("### version=0.6.1\n### fname='a.zip'\n### pages=3\n")


def test_urls_become_names_of_the_archive():
    pattern = Pattern(
        preset="webstemmer",
        kind=Kind.OTHER,
        score=1.0,
        n_pages=1,
        sections=(),
        name="https://a.com/日本\n",
    )
    assert "'200501010000/a.com/%E6%97%A5%E6%9C%AC%0A'" in write(PatternSet([pattern]))


def test_patterns_of_another_preset_have_no_such_file():
    pattern = Pattern(preset="default", kind=Kind.OTHER, score=1.0, n_pages=1, sections=())
    with pytest.raises(PatExportError, match="learn with `--preset webstemmer`"):
        write(PatternSet([pattern]))


@pytest.mark.parametrize(
    "line",
    [
        "__import__('os').system('touch {target}')",
        "[x for x in open('{target}', 'w')]",
        "(1, 'x', 0, [(0.9, 9.0, open('{target}', 'w'))])",
        "(900.5, 'x', 0",
        "(900.5, 'x', 0, [(0.9, 9.0, 'h1')], 5, 6)",
        "(900.5, 'x', 7, [(0.9, 9.0, 'h1')])",
        "(900.5, 'x', True, [(0.9, 9.0, 'h1')])",
        "('900', 'x', 0, [(0.9, 9.0, 'h1')])",
        "(1e999, 'x', 0, [(0.9, 9.0, 'h1')])",
        "(1" + "0" * 400 + ", 'x', 0, [(0.9, 9.0, 'h1')])",
        "(0x1" + "0" * 5000 + ", 'x', 0, [(0.9, 9.0, 'h1')])",
        "('" + "9" * 5000 + "', 'x', 0, [(0.9, 9.0, 'h1')])",
        "(900.5, 5, 0, [(0.9, 9.0, 'h1')])",
        "(900.5, 'x', 0, [(0.9, 9.0, 5)])",
        "(900.5, 'x', 0, [(0.9,)])",
        "(900.5, 'x', 0, 5)",
        "'text'",
        "{{}}",
        "(" * 5000,
        "-" * 100_000 + "1",
        "!mangle_pat=5",
        "!mangle_pat='['",
        "!mangle_pat=open('{target}', 'w')",
        "\x00",
    ],
)
def test_hostile_lines_are_refused_with_their_place_and_never_evaluated(line, tmp_path):
    target = tmp_path / "touched"
    text = f"# comment\n{FOUR_FIELDS}\n{line.format(target=target)}\n"
    with pytest.raises(PatFileError, match=r"^s\.pat:3: expected .*, got ") as caught:
        read(text)
    assert caught.value.line == 3
    assert len(str(caught.value)) < 500
    assert not target.exists()


class Endless(io.RawIOBase):
    """A file of one endless line that counts what was read of it."""

    taken = 0

    def readable(self):
        return True

    def readinto(self, buffer):
        self.taken += len(buffer)
        buffer[:] = b"(" * len(buffer)
        return len(buffer)


def test_an_endless_line_is_refused_early():
    endless = Endless()
    with pytest.raises(PatFileError, match="at most"):
        read_pat(io.BufferedReader(endless))
    assert endless.taken < 2 * pat_file.MAX_LINE_BYTES


def test_a_huge_file_is_refused(monkeypatch):
    monkeypatch.setattr(pat_file, "MAX_FILE_BYTES", 1000)
    with pytest.raises(PatFileError, match="at most"):
        read("# comment\n" * 200)


def test_the_originals_own_files_are_read(shared):
    files = sorted((shared / "oracle").glob("*.pat"))
    assert files
    for path in files:
        with path.open("rb") as file:
            patterns = read_pat(file, path.name)
        lines = [line for line in path.read_text().splitlines() if line.startswith("(")]
        assert len(patterns) == len(lines) > 0
        assert all(pattern.n_pages >= 2 for pattern in patterns)
        written = [line for line in write(patterns).splitlines() if line.startswith("(")]
        assert written == lines
