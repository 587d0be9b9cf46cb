"""docs/learner.md says what the learner does: its examples run, its pictures are current."""

import doctest
import re
from pathlib import Path

import pytest
from lxml import etree

from benchmarks.house import COUNTED, constants, parse, stage_files
from examples.picture import BASE_URL
from examples.pictures import KINDS, Learned, draw_all
from examples.settings import DOCUMENT, MODULES, read_settings, with_table
from examples.site import build_site

ROOT = DOCUMENT.parents[1]
TEXT = DOCUMENT.read_text(encoding="utf-8")


def test_the_worked_example_gives_what_it_shows():
    examples = "\n".join(re.findall(r"^```python\n(.*?)^```", TEXT, re.S | re.M))
    test = doctest.DocTestParser().get_doctest(examples, {}, DOCUMENT.name, str(DOCUMENT), 0)
    assert len(test.examples) > 40
    report: list[str] = []
    assert not doctest.DocTestRunner().run(test, out=report.append).failed, "".join(report)


def test_the_table_of_settings_is_current():
    assert with_table(TEXT) == TEXT, "run `python -m examples.settings`"


@pytest.mark.parametrize("module", MODULES)
def test_every_setting_tells_its_origin_or_belongs_to_one_that_does(module):
    settings = list(read_settings((ROOT / module).read_text(encoding="utf-8")))
    meanings = " ".join(each.meaning for each in settings)
    assert not settings or re.search(r"[Oo]rigin|[Mm]easured", meanings), module


def test_a_document_without_the_marks_is_refused():
    with pytest.raises(ValueError, match="around the table of settings"):
        with_table("no table")


def test_the_pictures_are_those_that_the_learner_gives(tmp_path):
    draw_all(tmp_path)
    shown = set(re.findall(r"\]\(pictures/(\w+\.svg)\)", TEXT))
    assert shown == {path.name for path in tmp_path.iterdir()}
    for name in shown:
        committed = (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8")
        assert (tmp_path / name).read_text(encoding="utf-8") == committed, (
            "run `python -m examples.pictures docs/pictures`"
        )


def test_the_pictures_show_what_the_text_says(tmp_path):
    draw_all(tmp_path)
    learned = Learned(build_site(1, BASE_URL))
    assert len(learned.kinds) == 89 and set(learned.kinds) == set(KINDS)
    kinds = etree.fromstring((tmp_path / "kinds.svg").read_bytes())
    assert len(kinds.findall("{*}circle")) == 2 * 89
    container = "".join(etree.fromstring((tmp_path / "container.svg").read_bytes()).itertext())
    assert "div.story__body" in container and "reader comments" in container


def referring() -> set[str]:
    """`module.py`: `NAME` of each number whose docstring says that its story is in decisions.md."""
    found = set()
    for path in stage_files(*COUNTED):
        for name, meaning in constants(parse(path)):
            if "see docs/decisions.md" in " ".join(meaning.split()):
                found.add(f"`{'/'.join(path.relative_to(ROOT).parts[1:])}`: `{name}")
    return found


def test_each_story_is_of_a_number_that_refers_to_it() -> None:
    text = " ".join((ROOT / "docs" / "decisions.md").read_text("utf-8").split())
    told = set(re.findall(r"- (`[\w/]+\.py`: `\w+)", text))
    assert referring() <= told
    names = {name for path in stage_files(*COUNTED) for name in constant_names(path)}
    assert told <= names


def constant_names(path: Path) -> set[str]:
    """All names in capitals that a module sets."""
    module = "/".join(path.relative_to(ROOT).parts[1:])
    set_here = re.findall(r"^(_?[A-Z][A-Z_]+)\b", path.read_text("utf-8"), re.M)
    return {f"`{module}`: `{name}" for name in set_here}
