"""The real sites and their gold: where they lie, and the one measure for every tool.

They are not part of the repository: clone them beside it as `../shared`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

SHARED = Path(__file__).resolve().parents[3] / "shared"
SITES = SHARED / "sites"
SCORE = SHARED / "eval" / "score.py"

BodyScores = tuple[float, float, float]
TitleScores = tuple[float, float]


class Scorer(Protocol):
    """The parts of `score.py` that the benchmarks call; its docstring defines them."""

    def load_site(self, site_dir: str) -> Any: ...
    def split(self, pages: Sequence[Any]) -> tuple[list[Any], list[Any]]: ...
    def body_scores(self, pred_text: str, gold_text: str, lang: str) -> BodyScores: ...
    def guess_lang(self, texts: Sequence[str]) -> str: ...
    def title_scores(self, pred: str, gold: str, lang: str) -> TitleScores: ...
    def summarise(self, rows: Sequence[dict[str, Any]]) -> dict[str, float]: ...


class GoldMissing(FileNotFoundError):
    """The folder with the real sites is not there."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"benchmarks: expected the scorer at {path}, found nothing")


@cache
def scorer() -> Scorer:
    """The module `score.py`; GoldMissing if the sites are not beside the repository."""
    spec = importlib.util.spec_from_file_location("webstem_score", SCORE)
    if spec is None or spec.loader is None or not SCORE.exists():
        raise GoldMissing(SCORE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast(Scorer, module)
