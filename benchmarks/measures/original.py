"""domextract's features and forest beside the page model: `python -m benchmarks.dom --original`.

Hosts are dealt into folds; both learn from the gold of the others and read the pages of each fold.
A figure is the mean over pages of body F1 (`score.py`), as in `benchmarks.dom`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmarks.material.gold import scorer
from extractor.domextract import Extractor, Model
from learner.dom.teaching.gold import lesson_of
from learner.dom.teaching.original import train_forest
from learner.dom.teaching.training import fold_of, study, train

Row = Mapping[str, Any]

FOLDS = 3
"""Parts that hosts are dealt into."""


def compare_original(
    rows: Sequence[Row], tell: Callable[[str], None]
) -> dict[str, dict[str, float]]:
    """Body F1 of the page model and of the original's forest on the pages that have a text; rows
    are those of gold files."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    studied = study([lesson_of(row) for row in rows])
    tell("studied")
    for fold in range(FOLDS):
        others = [each for each in studied if fold_of(each.lesson.site, FOLDS) != fold]
        models: dict[str, Model] = {
            "page model": train(others),
            "original": train_forest([each.lesson for each in others]),
        }
        tell(f"fold {fold}: taught")
        for name, model in models.items():
            extractor = Extractor(model)
            for row in rows:
                if row["body"] and fold_of(row["site"], FOLDS) == fold:
                    found[name].append(_body_f1(extractor, row))
        tell(f"fold {fold}: read")
    return {name: {"pages": len(f1), "body_f1": fmean(f1)} for name, f1 in found.items()}


def _body_f1(extractor: Extractor, row: Row) -> float:
    text = extractor.extract(row["html"], is_url=str)
    language = row["language"] or scorer().guess_lang([row["body"]])
    return float(scorer().body_scores(text, row["body"], language)[2])
