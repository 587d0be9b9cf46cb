"""docs/coming-from-webstemmer.md has every option of the original, and names what is there.

That its commands and their options exist is tested in `test_docs`.
"""

import re
from pathlib import Path

import pytest

from benchmarks.conformance import GOALS
from crawler.config.sites import Config, SiteConfig
from crawler.config.stages import ExtractConfig, LearnConfig
from extractor.records.articles import ARTICLE_SCHEMA

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "coming-from-webstemmer.md").read_text("utf-8")

OPTIONS = {
    "textcrawler.py": "-o -m -k -c -a -j -U -b -i -D -T -L -d",
    "analyze.py": "-c -a -j -t -T -S -m -P -L -d",
    "extract.py": "-t -T -M -S -c -C -a -j -P -d",
    "urldbutils.py": "-D -R -t -v",
    "html2txt.py and perf.py": "-c -C",
}
"""The options of Webstemmer 0.7.1, from its usage messages."""


def rows(heading: str) -> list[list[str]]:
    section = TEXT.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


@pytest.mark.parametrize("program", OPTIONS)
def test_every_option_of_the_original_has_one_row(program: str) -> None:
    named = [cell for cell, *_ in rows(program) if cell.startswith("`-")]
    assert sorted(named) == sorted(f"`{option}`" for option in OPTIONS[program].split())


def test_every_setting_named_exists() -> None:
    keys = set(SiteConfig.model_fields) | set(Config.model_fields)
    keys |= {f"learn.{name}" for name in LearnConfig.model_fields}
    keys |= {f"extract.{name}" for name in ExtractConfig.model_fields}
    keys |= set(ARTICLE_SCHEMA.names)
    cells = [cell for program in OPTIONS for *_, cell in rows(program)]
    code = [each for cell in cells for each in re.findall(r"`([^`]+)`", cell)]
    named = {match[1] for each in code if (match := re.match(r"([a-z_.]+)(?:: \S+)?$", each))}
    assert len(named) > 20
    assert named - keys == set()


def test_every_row_says_where_to_go() -> None:
    for program in OPTIONS:
        assert rows(program)
        for row in rows(program):
            assert len(row) == 3 and all(row)


def test_the_conformance_table_has_the_goals_of_the_benchmark() -> None:
    table = TEXT.partition("| figure | goal | value |")[2].partition("\n\n")[0]
    goals = [float(goal) for goal in re.findall(r"\| ([\d.]+) \| [\d.]+ \|", table)]
    values = [float(value) for value in re.findall(r"\| [\d.]+ \| ([\d.]+) \|", table)]
    assert goals == list(GOALS.values())
    assert all(value >= goal for value, goal in zip(values, goals, strict=True))
