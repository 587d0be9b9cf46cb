"""Is a cluster of articles or of lists, by its texts: the weights of `learner.kinds.text_measures`.

The sites are learned from halves drawn by chance as far as the learner judges their clusters a
second time. A page model that has learned nothing of a site says what it takes its pages for. A
logistic regression with an L2 penalty is fitted to the articles and lists in the clusters; every
site has the same weight, and lists count less where there are few. Each site is then left out once,
and its clusters are judged by the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.dom import site_rows
from benchmarks.material.corpus import group_of, pages_to_learn, read_halves, redraw
from benchmarks.measures.logit import Logit, Vector, Weights, fit_logit
from benchmarks.quality import Figures, on_all_cores
from learner.dom.model import load_model
from learner.dom.teaching.gold import lesson_of, read_gold
from learner.dom.teaching.training import fold_of, study, train
from learner.induction.steps import find_texts
from learner.kinds.text_measures import TextMeasures, model_evidence
from learner.kinds.weights import INTERCEPT

DRAWS = (0, 1, 2)
"""Halves of each site that are learned from; 0 are those of score.py."""

PENALTY = 0.03
"""L2 penalty on the weights of the standardised measures. Origin: guess."""

ARTICLES_WEIGHT = 1.5
"""What the articles of a site weigh beside its lists: to lose them is worse. Origin: guess."""

MANY_LISTS = 50
"""Lists in the clusters of a site from which on they weigh as much as those of any. Origin:
guess."""

PARTS = 2
"""Parts that sites are dealt into: a page model reads those that it has not learned from."""

LISTING = "listing"

NAMES = (*TextMeasures.__slots__, LISTING)


@dataclass(frozen=True, slots=True)
class JudgedCluster:
    """A cluster of one half of a site, measured."""

    site: str
    group: str
    measures: tuple[float, ...]
    """Of `NAMES`."""
    articles: int
    """Pages that the gold calls so."""
    lists: int


def part_of(site: str) -> int:
    """Which of the page models knows nothing of a site."""
    return fold_of(site, PARTS, "texts")


def teach_models(sources: Sequence[Path], gold: Sequence[Path], folder: Path) -> list[Path]:
    """Files of page models, each taught by all but one part of the sites, and by gold files."""
    rows = [row for source in sources for row in site_rows(source)]
    rows += [row for path in gold for row in read_gold(path)]
    studied = study([lesson_of(row) for row in rows])
    files = []
    for part in range(PARTS):
        own = {source.stem for source in sources if part_of(source.stem) == part}
        model = train([each for each in studied if each.lesson.site not in own])
        files.append(folder / f"{part}.npz")
        model.save(files[-1])
    return files


def measure_clusters(source: Path, models: Sequence[Path]) -> list[JudgedCluster]:
    """The clusters of a site, learned from each draw."""
    halves, group = read_halves(source), group_of(source)
    is_article = {page.url: page.is_article for page in (*halves.train, *halves.test)}
    model = load_model(models[part_of(source.stem)])
    found = []
    for seed in DRAWS:
        for texts in find_texts(pages_to_learn(redraw(halves, seed).train)):
            known = [is_article[t.url] for t in texts.trees if t.url in is_article]
            row = (*asdict(texts.measures).values(), model_evidence(texts.trees, model))
            n_articles = sum(known)
            found.append(
                JudgedCluster(source.stem, group, row, n_articles, len(known) - n_articles)
            )
    return found


def fit_clusters(clusters: Sequence[JudgedCluster]) -> Logit:
    """Above 0 the evidence speaks for lists."""
    rows = np.array([each.measures for each in clusters], np.float64)
    weights = _weights(clusters)
    is_list = np.repeat([0.0, 1.0], len(clusters))
    return fit_logit(np.vstack([rows, rows]), is_list, weights / weights.sum(), PENALTY)


def _weights(clusters: Sequence[JudgedCluster]) -> Vector:
    """Of the articles of each cluster, then of the lists of each."""
    articles, lists = (
        np.array([getattr(each, name) for each in clusters], np.float64)
        for name in ("articles", "lists")
    )
    sites = np.array([each.site for each in clusters])
    for site in set(sites.tolist()):
        own = sites == site
        n_lists = lists[own].sum()
        articles[own] *= ARTICLES_WEIGHT / max(articles[own].sum(), 1)
        lists[own] *= min(1.0, n_lists / MANY_LISTS) / max(n_lists, 1)
    return np.concatenate([articles, lists])


def errors_by_group(clusters: Sequence[JudgedCluster], are_lists: Sequence[bool]) -> Figures:
    """Shares of the articles and lists of each group's sites, on average, that stand in clusters
    of the other kind."""
    figures: Figures = {}
    pairs = list(zip(clusters, are_lists, strict=True))
    for group in sorted({each.group for each in clusters}):
        for kind, wrong_if in (("articles", True), ("lists", False)):
            counts: dict[str, tuple[int, int]] = {}
            for each, is_list in pairs:
                n = getattr(each, kind)
                if each.group == group and n:
                    wrong, total = counts.get(each.site, (0, 0))
                    counts[each.site] = (wrong + n * (is_list is wrong_if), total + n)
            if counts:
                shares = [wrong / total for wrong, total in counts.values()]
                figures[f"{group}_{kind}_wrong"] = fmean(shares)
    return figures


def judge_left_out(clusters: Sequence[JudgedCluster]) -> list[bool]:
    """Whether each cluster is one of lists by the fit to the other sites."""
    told = {}
    for site in dict.fromkeys(each.site for each in clusters):
        fit = fit_clusters([each for each in clusters if each.site != site])
        for number, each in enumerate(clusters):
            if each.site == site:
                told[number] = _is_list(fit, each)
    return [told[number] for number in range(len(clusters))]


def _is_list(fit: Logit, cluster: JudgedCluster) -> bool:
    return bool(fit.log_odds(np.array(cluster.measures)) > 0)


def fit_texts(
    sources: Sequence[Path], models: Sequence[Path], tell: Callable[[str], None]
) -> tuple[Weights, Figures]:
    """The weights, and what they are worth."""
    measured = on_all_cores(partial(measure_clusters, models=models), sources)
    clusters = [each for site in measured for each in site]
    fit = fit_clusters(clusters)
    ways: Mapping[str, list[bool]] = {
        "evidence": [each.measures[0] > 0 for each in clusters],
        "fitted": [_is_list(fit, each) for each in clusters],
        "left_out": judge_left_out(clusters),
    }
    figures: Figures = {}
    for way, are_lists in ways.items():
        for name, value in errors_by_group(clusters, are_lists).items():
            figures[f"{way}_{name}"] = value
            tell(f"{way.replace('_', ' '):12}{name.replace('_', ' '):26}{value:8.4f}")
    weights = {name: float(value) for name, value in zip(NAMES, fit.coefficients, strict=True)}
    return {**weights, INTERCEPT: fit.intercept}, figures
