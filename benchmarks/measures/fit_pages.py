"""Is a page an article or a list, by itself: the weights of `learner.kinds.measures`.

Both halves of every real site are measured as a site of their own (`measure_pages`), the mean of
the half is taken from each measure, and a logistic regression with an L2 penalty is fitted to what
the gold calls articles and lists. Every site, and each of the two kinds in it, has the same weight,
however many pages it has.

Beside the weights it tells what they are worth on sites they were not fitted to: each site is left
out once, and its pages are judged by the rest; page by page, and with the evidence shared in
clusters as the learner does it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.material.corpus import (
    GoldPage,
    pages_to_learn,
    read_halves,
)
from benchmarks.measures.logit import Logit, Vector, Weights, fit_logit
from benchmarks.quality import Figures, on_all_cores
from crawler.reading.html import parse_html
from learner.kinds.measures import COEFFICIENTS, Measures, measure_pages
from learner.kinds.page_kinds import shared_evidence
from learner.kinds.weights import INTERCEPT, shipped_weights
from learner.page.tree import build_tree
from learner.site.affixes import Affixes
from learner.site.frames import frame_texts
from learner.site.link_counts import LinkCounts
from learner.site.page_features import Skeletons
from learner.titles.names import page_names
from learner.titles.places import title_places

PENALTY = 0.05
"""L2 penalty on the coefficients of the standardised measures. Origin: guess."""

NAMES = tuple(field.name for field in fields(Measures))


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a site, measured."""

    site: str
    measures: Vector
    """A row for each page, the half's mean taken from each column."""
    is_list: Vector
    """1 for a list, 0 for an article."""
    clusters: list[list[int]]
    """Rows of pages that one page template filled."""
    places: dict[int, int]
    """Where the titles stand, for the sharing of evidence."""

    def shared(self, evidence: Vector) -> Vector:
        """The evidence of the pages as the learner shares it in clusters."""
        shared = shared_evidence(evidence.tolist(), self.clusters, self.places)
        return np.array(shared, np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Shares of the pages of one site on the wrong side."""

    articles: float
    lists: float


def measure_halves(source: Path) -> list[Half]:
    """Both halves of a site, each measured as a site of its own."""
    halves = read_halves(source)
    return [measure_half(halves.name, pages) for pages in (halves.train, halves.test)]


def measure_half(site: str, gold: Sequence[GoldPage]) -> Half:
    """Measure some pages of a site as the learner does, in the order of their addresses."""
    kinds = {page.key: page.is_article for page in gold}
    pages = sorted(pages_to_learn(gold), key=lambda page: page.url)
    trees = [build_tree(parse_html(page.html, page.charset), page.url) for page in pages]
    affixes = Affixes.learn(tree.metadata.title for tree in trees if tree.metadata.title)
    names = [
        page_names(tree, affixes, page.anchor_texts)
        for tree, page in zip(trees, pages, strict=True)
    ]
    frame = frame_texts(trees)
    measured = measure_pages(trees, names, frame, LinkCounts.find(trees))
    rows = np.array([[getattr(m, name) for name in NAMES] for m in measured], np.float64)
    return Half(
        site,
        rows - rows.mean(0),
        np.array([not kinds[page.url_key] for page in pages], np.float64),
        Skeletons([tree.skeleton for tree in trees]).clusters(),
        title_places(trees, names, frame),
    )


def fit_coefficients(halves: Sequence[Half]) -> Logit:
    """Above 0 the evidence speaks for a list."""
    rows = np.vstack([half.measures for half in halves])
    is_list = np.concatenate([half.is_list for half in halves])
    return fit_logit(rows, is_list, page_weights(halves), PENALTY)


def page_weights(halves: Sequence[Half]) -> Vector:
    """A weight for each page: all pages of one kind on one site share the same total."""
    keys = [(half.site, kind) for half in halves for kind in half.is_list]
    sizes: dict[tuple[str, float], int] = {}
    for key in keys:
        sizes[key] = sizes.get(key, 0) + 1
    return np.array([1 / sizes[key] / len(sizes) for key in keys])


def site_errors(fit: Logit, halves: Sequence[Half], shared: bool) -> Errors:
    """The errors of a fit on the halves of one site."""
    evidence = [fit.log_odds(half.measures) for half in halves]
    if shared:
        evidence = [half.shared(own) for half, own in zip(halves, evidence, strict=True)]
    says_list = np.concatenate(evidence) > 0
    is_list = np.concatenate([half.is_list for half in halves]) > 0
    return Errors(
        articles=float(says_list[~is_list].mean()) if (~is_list).any() else 0.0,
        lists=float((~says_list[is_list]).mean()) if is_list.any() else 0.0,
    )


def left_out(halves: Sequence[Half]) -> dict[str, tuple[Errors, Errors]]:
    """Site -> its errors page by page and shared in clusters, judged by a fit to the others."""
    errors = {}
    for site in dict.fromkeys(half.site for half in halves):
        own = [half for half in halves if half.site == site]
        fit = fit_coefficients([half for half in halves if half.site != site])
        errors[site] = (site_errors(fit, own, False), site_errors(fit, own, True))
    return errors


def figures_of(errors: dict[str, tuple[Errors, Errors]], fit: Logit) -> Figures:
    """Means over sites of the errors on sites left out, and the coefficients."""
    return {
        "page_articles_wrong": fmean(page.articles for page, _ in errors.values()),
        "page_lists_wrong": fmean(page.lists for page, _ in errors.values()),
        "cluster_articles_wrong": fmean(shared.articles for _, shared in errors.values()),
        "cluster_lists_wrong": fmean(shared.lists for _, shared in errors.values()),
        "sites": float(len(errors)),
        **{name: float(value) for name, value in zip(NAMES, fit.coefficients, strict=True)},
        "intercept": fit.intercept,
    }


def report(fit: Logit, errors: dict[str, tuple[Errors, Errors]]) -> list[str]:
    """The fit beside the learner's coefficients, then the errors."""
    lines = [f"{'measure':20}{'fitted':>9}{'learner':>9}"]
    for name, value in zip(NAMES, fit.coefficients, strict=True):
        lines.append(f"{name:20}{value:9.2f}{getattr(COEFFICIENTS, name):9.2f}")
    lines.append(f"{'intercept':20}{fit.intercept:9.2f}{shipped_weights('pages')[INTERCEPT]:9.2f}")
    lines.append("")
    lines.append("wrong on sites left out    per page       per cluster")
    lines.append(f"{'':20}{'articles':>9}{'lists':>7}{'articles':>10}{'lists':>7}")
    for site, (page, shared) in errors.items():
        if max(*asdict(page).values(), *asdict(shared).values()) > 0.02:
            lines.append(_error_line(site, page, shared))
    means = [
        Errors(
            articles=fmean(pair[i].articles for pair in errors.values()),
            lists=fmean(pair[i].lists for pair in errors.values()),
        )
        for i in (0, 1)
    ]
    lines.append(_error_line(f"mean of {len(errors)} sites", *means))
    return lines


def _error_line(name: str, page: Errors, shared: Errors) -> str:
    return (
        f"{name:20}{page.articles:9.3f}{page.lists:7.3f}{shared.articles:10.3f}{shared.lists:7.3f}"
    )


def fit_pages(sources: Sequence[Path], tell: Callable[[str], None]) -> tuple[Weights, Figures]:
    """The weights, and what they are worth."""
    halves = [half for each in on_all_cores(measure_halves, sources) for half in each]
    fit, errors = fit_coefficients(halves), left_out(halves)
    for line in report(fit, errors):
        tell(line)
    weights = {name: float(value) for name, value in zip(NAMES, fit.coefficients, strict=True)}
    return {**weights, INTERCEPT: fit.intercept}, figures_of(errors, fit)
