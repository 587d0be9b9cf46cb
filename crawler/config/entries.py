"""A new site in pipelines.yaml; all that stands there stays as it is, comments too."""

from __future__ import annotations

import re
from pathlib import Path

from ruamel.yaml import YAML

from crawler.config.sites import load_config
from crawler.storage.outfile import whole_file

_EMPTY = re.compile(r"sites:\s*(\[\s*\]|null|~)?(?P<comment>\s*#.*)?\s*")


class NoPlaceError(ValueError):
    """The file is written in a way in which no entry can be put in by itself."""


def add_entry(path: Path, lines: list[str]) -> None:
    """Put an entry at the end of `sites`; `lines` are its own, the first without its dash.

    NoPlaceError if there is no place for it, ConfigError if the file would be wrong with it: then
    it stays as it was.
    """
    text = path.read_text(encoding="utf-8")
    changed = with_entry(text, lines)
    with whole_file(path) as hidden:
        hidden.write_text(changed, encoding="utf-8")
        load_config(hidden)


def with_entry(text: str, lines: list[str]) -> str:
    """The text of a pipelines.yaml with an entry more.

    >>> print(with_entry("sites: []  # none\\nstorage: d\\n", ["name: a", "depth: 1"]))
    sites:  # none
      - name: a
        depth: 1
    storage: d
    <BLANKLINE>
    """
    tree = YAML(typ="rt").load(text)
    rows = text.splitlines()
    if tree is None or "sites" not in tree:
        return "\n".join([*rows, "sites:", *_entry(lines, 2), ""])
    row, _ = tree.lc.key("sites")
    sites = tree["sites"]
    if not sites:
        empty = _EMPTY.fullmatch(rows[row])
        if empty is None:
            raise NoPlaceError("`sites` is empty, and not written as `sites: []`")
        rows[row] = f"sites:{empty['comment'] or ''}"
        end, indent = row + 1, 2
    elif sites.fa.flow_style():
        raise NoPlaceError("`sites` is written between [ and ]")
    else:
        end, indent = _end_of(rows, row), sites.lc.item(0)[1] - 2
    return "\n".join([*rows[:end], *_entry(lines, indent), *rows[end:], ""])


def extend_entry(path: Path, name: str, lines: list[str]) -> None:
    """Put lines at the end of a site's entry; ConfigError if the file would be wrong with them:
    then it stays as it was, as it does if the entry has them already."""
    text = path.read_text(encoding="utf-8")
    changed = with_lines(text, name, lines)
    if changed != text:
        with whole_file(path) as hidden:
            hidden.write_text(changed, encoding="utf-8")
            load_config(hidden)


def with_lines(text: str, name: str, lines: list[str]) -> str:
    """The text of a pipelines.yaml with lines more in the entry of a site; as it is if there is no
    such entry, or it has the key of one of them.

    >>> print(with_lines("sites:\\n  - name: a\\n  - name: b\\n", "a", ["# why", "depth: 1"]))
    sites:
      - name: a
        # why
        depth: 1
      - name: b
    <BLANKLINE>
    """
    keys = {line.partition(":")[0] for line in lines if line[:1] not in " #"}
    tree, rows = YAML(typ="rt").load(text), text.splitlines()
    for entry in (tree or {}).get("sites") or ():
        if entry.get("name") == name and not entry.fa.flow_style() and keys.isdisjoint(entry):
            column = entry.lc.col
            last = max(entry.lc.key(key)[0] for key in entry)
            end = last + 1
            while end < len(rows) and rows[end].startswith(" " * (column + 1)):
                end += 1
            added = [" " * column + line for line in lines]
            return "\n".join([*rows[:end], *added, *rows[end:], ""])
    return text


def _end_of(rows: list[str], start: int) -> int:
    """The row after the last one that belongs to the key at `start`."""
    end = start + 1
    for number in range(start + 1, len(rows)):
        row = rows[number]
        if not row.strip() or row.lstrip().startswith("#"):
            continue
        if not row.startswith((" ", "-")):
            break
        end = number + 1
    return end


def _entry(lines: list[str], indent: int) -> list[str]:
    first, *rest = lines
    margin = " " * indent
    return [f"{margin}- {first}", *(f"{margin}  {line}" for line in rest)]
