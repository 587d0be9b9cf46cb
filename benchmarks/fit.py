"""Where the weights of `learner.kinds` come from: `python -m benchmarks.fit pages|texts [SITE]`.

`pages`: is a page an article or a list, by itself (`benchmarks.measures.fit_pages`). `texts`: is a
cluster of articles or of lists, by the texts found on its pages (`benchmarks.measures.fit_texts`);
page models that know nothing of a site are taught first, by the sites and by `--gold` files, which
needs the extra `train`.

It prints the weights beside those that the learner has, and how often they are wrong, on the sites
that they were fitted to and on sites left out. `--write` puts them into the learner.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.material.corpus import sites_to_measure
from benchmarks.measures.fit_pages import fit_pages
from benchmarks.measures.fit_texts import fit_texts, teach_models
from benchmarks.measures.logit import Weights
from benchmarks.quality import Figures
from learner.kinds.weights import SHIPPED, shipped_weights

QUESTIONS = ("pages", "texts")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if the sites, the scorer or an extra is missing, or there is only one site."""
    parser = argparse.ArgumentParser(description="Fit what tells articles from lists.")
    parser.add_argument("question", choices=QUESTIONS, help="what the weights are for")
    parser.add_argument("sites", type=Path, nargs="*", help="zip or folder; default: all of them")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    parser.add_argument(
        "--gold", type=Path, action="append", default=[], help="pages that teach page models, too"
    )
    parser.add_argument("--write", action="store_true", help="put the weights into the learner")
    options = parser.parse_args(arguments)
    question = options.question
    try:
        sources = sites_to_measure(options.sites)
        if len(sources) < 2:
            raise ValueError("expected at least 2 sites, one of which is left out; got 1")
        weights, figures = fit(question, sources, options.gold)
    except ImportError as error:
        print(f"{error}; `pip install -e '.[bench,train]'` brings it", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print_weights(weights, question)
    if options.json:
        content = {"figures": figures, "weights": weights}
        options.json.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    if options.write:
        write_weights(weights, question)
    return 0


def fit(question: str, sources: Sequence[Path], gold: Sequence[Path]) -> tuple[Weights, Figures]:
    """The weights for one question, and what they are worth."""
    if question == "pages":
        return fit_pages(sources, print)
    with tempfile.TemporaryDirectory() as folder:
        return fit_texts(sources, teach_models(sources, gold, Path(folder)), print)


def print_weights(weights: Weights, question: str) -> None:
    """The weights beside the learner's."""
    shipped = shipped_weights(question)
    print(f"\n{'measure':20}{'fitted':>9}{'learner':>9}")
    for name, value in weights.items():
        print(f"{name:20}{value:9.3f}{shipped.get(name, 0.0):9.3f}")


def write_weights(weights: Weights, question: str) -> None:
    """Put the weights into the file that the learner reads."""
    import learner.kinds

    path = Path(learner.kinds.__file__).with_name(SHIPPED)
    content = json.loads(path.read_text("utf-8"))
    content[question]["weights"] = {name: round(value, 3) for name, value in weights.items()}
    path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
