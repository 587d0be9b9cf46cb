"""Figures of a benchmark, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def report(figures: Mapping[str, float], path: Path | None) -> None:
    """Print the figures, a line each, and write them to `path` as `{"figures": {name: number}}`."""
    for name, value in figures.items():
        print(f"{name:32} {value:12.3f}")
    if path:
        path.write_text(json.dumps({"figures": figures}, indent=2) + "\n", encoding="utf-8")
