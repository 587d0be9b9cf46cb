"""A new site in a pipelines.yaml."""

from pathlib import Path

import pytest

from crawler.config.entries import (
    NoPlaceError,
    add_entry,
    extend_entry,
    with_entry,
    with_lines,
)
from crawler.config.sites import load_config
from crawler.config.yamlfile import ConfigError

NEW = ["name: new", "# Why.", "start_urls: [http://new/]"]
A = "{name: a, start_urls: [http://a/]}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only words\n",
        "storage: d\n",
        "sites:\n",
        "sites: null\nstorage: d\n",
        "sites: []  # none\nstorage: d\n",
        f"sites:\n- {A}\n# about storage\nstorage: d\n",
        "sites:\n  - name: a  # one\n    start_urls: [http://a/,\n      http://b/]\n\n  # end\n",
        "storage: d\nsites:\n    - name: a\n      start_urls:\n        - http://a/\n",
    ],
)
def test_all_else_stays(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pipelines.yaml"
    path.write_text(text)
    before = load_config(path).sites if "name: a" in text else ()
    add_entry(path, NEW)
    sites = load_config(path).sites
    assert sites[:-1] == before
    assert (sites[-1].name, sites[-1].start_urls) == ("new", ("http://new/",))
    lines = path.read_text().splitlines()
    kept = [line for line in text.splitlines() if line not in lines]
    assert kept in ([], ["sites: null"], ["sites: []  # none"])


def test_no_place_for_it() -> None:
    with pytest.raises(NoPlaceError):
        with_entry(f"sites: [{A}]\n", NEW)
    with pytest.raises(NoPlaceError):
        with_entry("sites: [\n]\n", NEW)


def test_a_wrong_entry_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "pipelines.yaml"
    path.write_text(f"sites:\n- {A}\n")
    with pytest.raises(ConfigError):
        add_entry(path, ["name: a", "start_urls: [http://b/]"])
    assert path.read_text() == f"sites:\n- {A}\n"


ENTRIES = """\
sites:
  - name: a   # the first
    start_urls:
      - http://a/
    # The end of it.

  - name: b
    start_urls: ["http://b/"]
storage: data
"""
RULE = ["# Why.", "rules:", '  - deny: "x"']


@pytest.mark.parametrize(
    ("name", "before"), [("a", "      - http://a/\n"), ("b", '    start_urls: ["http://b/"]\n')]
)
def test_lines_are_put_at_the_end_of_an_entry(name: str, before: str) -> None:
    added = '    # Why.\n    rules:\n      - deny: "x"\n'
    changed = with_lines(ENTRIES, name, RULE)
    assert changed == ENTRIES.replace(before, before + added)
    assert with_lines(changed, name, RULE) == changed


@pytest.mark.parametrize("text", ["", "sites: []\n", "sites: [{name: a}]\n", ENTRIES])
def test_without_a_place_nothing_is_put_in(text: str) -> None:
    assert with_lines(text, "a" if text != ENTRIES else "c", RULE) == text


def test_what_would_be_wrong_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "pipelines.yaml"
    path.write_text(ENTRIES)
    with pytest.raises(ConfigError):
        extend_entry(path, "a", ["deny: 3"])
    assert path.read_text() == ENTRIES
    extend_entry(path, "a", RULE)
    assert [rule.deny for rule in load_config(path).sites[0].rules] == ["x"]
