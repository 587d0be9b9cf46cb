"""How closely the preset `webstemmer` gives what Webstemmer 0.7.1 gave.

    python -m benchmarks.conformance [FOLDER] [--json FILE] [--details] [--matchers]

FOLDER (default `../shared/oracle`) holds, for each site, two crawls in the original's format, its
answers for some pages of the first (`SITE.json`), the patterns it learned from the first
(`SITE.pat`) and the texts it extracted from the second, plain and strict (`SITE.txt`,
`SITE.strict.txt`). Patterns are learned here from the first crawl and applied to the second; all
steps are compared with the original's answers.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from pathlib import Path
from statistics import fmean
from typing import Any

from crawler.config.stages import ExtractConfig, LearnConfig
from crawler.exchange.archives import entry_url
from learner.page.pages import Page
from learner.patterns.pattern import Pattern, PatternSet, Role
from learner.patterns.scores import diff_score
from learner.patterns.sequences import greedy_runs, lcs_runs
from learner.webstemmer.alignment import align_layouts
from learner.webstemmer.blocks import WEBSTEMMER_STYLE, Layout
from learner.webstemmer.pat_file import read_pat
from learner.webstemmer.preset import (
    MATCHER,
    cluster_layouts,
    learn_webstemmer,
    match_webstemmer,
    page_layout,
)
from learner.webstemmer.similarity import similarity

DEFAULT_FOLDER = Path(__file__).parents[1] / "../shared/oracle"
SIMILARITY_MARGIN = 0.02
DIFF_SCORE_MARGIN = 0.05
GOALS = {
    "block_path_same": 0.99,
    "block_weight_same": 0.98,
    "similarity_within": 1.0,
    "cluster_ari": 0.95,
    "diff_score_within": 1.0,
    "title_block_same": 0.95,
    "matched_same": 0.95,
    "title_text_same": 0.95,
    "main_f1": 0.98,
}


@dataclass
class Tally:
    """What was compared: 1 or 0 for same or not, or a score from 0 to 1, by the figure's name."""

    values: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def add(self, name: str, value: float, where: str) -> None:
        """Note one comparison."""
        self.values[name].append(float(value))
        if value < 1:
            self.differences.append(f"{name} {value:.3f}: {where}")

    def merge(self, other: Tally) -> None:
        """Add the comparisons of one site to those of all."""
        for name, values in other.values.items():
            self.values[name] += values
        self.counts += other.counts
        self.differences += other.differences

    def figures(self) -> dict[str, float]:
        """The mean of each figure."""
        return {name: fmean(self.values[name]) for name in GOALS if self.values[name]}


@dataclass(frozen=True)
class Oracle:
    """One site of the folder."""

    site: str
    folder: Path

    def crawl(self, which: int) -> dict[str, Page]:
        """The pages of its first (0) or second (1) crawl, by their names in the archive."""
        archive = sorted(self.folder.glob(f"{self.site}.*.zip"))[which]
        with zipfile.ZipFile(archive) as file:
            anchors = dict(map(ast.literal_eval, file.read("linkinfo").decode().splitlines()))
            return {
                name: Page(
                    url=entry_url(name),
                    html=file.read(name),
                    anchor_texts=tuple(anchors.get(name, ())),
                )
                for name in file.namelist()
                if name != "linkinfo"
            }

    def answers(self) -> dict[str, Any]:
        """Blocks of some pages, similarities of their pairs, all clusters."""
        answers: dict[str, Any] = json.loads((self.folder / f"{self.site}.json").read_bytes())
        return answers

    def config(self) -> LearnConfig:
        """The settings named in the header of its patterns."""
        header = (self.folder / f"{self.site}.pat").read_text("utf-8")
        (threshold,) = re.findall(r"^### cluster_threshold=(\S+)", header, re.MULTILINE)
        return LearnConfig(preset="webstemmer", cluster_threshold=float(threshold))

    def patterns(self) -> PatternSet:
        """The patterns it learned."""
        with (self.folder / f"{self.site}.pat").open("rb") as file:
            return read_pat(file, file.name)

    def texts(self, kind: str) -> dict[str, dict[str, list[str]] | None]:
        """Texts by label of each page of the second crawl; None where nothing matched."""
        content = (self.folder / f"{self.site}{kind}.txt").read_text("utf-8")
        return dict(map(_read_entry, content.rstrip("\n").split("\n\n")))


def _read_entry(entry: str) -> tuple[str, dict[str, list[str]] | None]:
    head, *lines = entry.split("\n")
    label, _, name = head.partition(": ")
    if label == "!UNMATCHED":
        return name, None
    texts: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        kind, _, text = line.partition(": ")
        texts[kind.partition("-")[0]].append(text)
    return name, texts


def compare_blocks(answers: dict[str, Any], layouts: dict[str, Layout], tally: Tally) -> None:
    """Every block of the original: is there one with this path at its place, with these weights?"""
    for name, page in answers["pages"].items():
        mine, theirs = layouts[name].blocks, page["blocks"]
        paths = [block["path"] for block in theirs]
        place = dict(_aligned(paths, [block.path for block in mine]))
        for i, block in enumerate(theirs):
            found = mine[place[i]] if i in place else None
            weights = found and (found.weight, found.unlinked_weight)
            tally.add("block_path_same", found is not None, f"{name} block {i} {block}")
            same = weights == (block["weight"], block["weight_noanchor"])
            tally.add("block_weight_same", same, f"{name} block {i} {block}, got {weights}")
        for _ in range(len(mine) - len(place)):
            tally.add("block_path_same", 0, f"{name}: a block more than the original")


def _aligned(first: Sequence[str], second: Sequence[str]) -> Iterator[tuple[int, int]]:
    for run in lcs_runs(first, second):
        yield from ((run.a + k, run.b + k) for k in range(run.size))


def compare_similarities(answers: dict[str, Any], layouts: dict[str, Layout], tally: Tally) -> None:
    """Sim of each pair of the sampled pages."""
    for first, second, theirs in answers["similarity"]:
        mine = similarity(layouts[first], layouts[second], MATCHER)
        near = abs(mine - theirs) <= SIMILARITY_MARGIN
        tally.add("similarity_within", near, f"{first} {second}: {theirs}, got {mine}")
        tally.counts["similarity not the same"] += abs(mine - theirs) > 1e-6


def compare_clusters(
    answers: dict[str, Any], layouts: dict[str, Layout], config: LearnConfig, tally: Tally
) -> None:
    """All clusters, as the adjusted Rand index."""
    names = sorted(layouts)
    clusters = cluster_layouts(
        [entry_url(name) for name in names], [layouts[name] for name in names], config
    )
    mine = [{names[page] for page in cluster} for cluster in clusters]
    theirs = [set(cluster) for cluster in answers["clusters"]]
    tally.add("cluster_ari", adjusted_rand_index(mine, theirs), f"{len(mine)}, {len(theirs)}")
    for cluster in theirs:
        tally.counts["clusters"] += 1
        tally.counts["clusters not the same"] += cluster not in mine


def adjusted_rand_index(first: Sequence[set[str]], second: Sequence[set[str]]) -> float:
    """Agreement of two clusterings of the same items, 1 = same (Hubert and Arabie 1985).

    >>> adjusted_rand_index([{"a", "b"}, {"c"}], [{"a", "b"}, {"c"}])
    1.0
    """
    both = sum(comb(len(one & other), 2) for one in first for other in second)
    mine = sum(comb(len(cluster), 2) for cluster in first)
    theirs = sum(comb(len(cluster), 2) for cluster in second)
    expected = mine * theirs / comb(sum(map(len, first)), 2)
    most = (mine + theirs) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def compare_patterns(mine: PatternSet, theirs: PatternSet, tally: Tally) -> None:
    """Patterns that correspond, i.e. that were learned from mostly the same pages."""
    for pattern in theirs:
        same = max(mine, key=lambda other: _overlap(pattern, other), default=None)
        if same is None or _overlap(pattern, same) <= 0.5:
            tally.counts["patterns without counterpart"] += 1
            continue
        tally.counts["patterns compared"] += 1
        place = dict(_aligned([s.path for s in pattern.sections], [s.path for s in same.sections]))
        where = f"pattern {pattern.name}"
        title = -1 if same.title is None else same.title
        expected = -1 if pattern.title is None else place.get(pattern.title)
        tally.add("title_block_same", title == expected, f"{where}: {expected}, got {title}")
        for i, j in place.items():
            wanted, got = pattern.sections[i].diff_score, same.sections[j].diff_score
            near = abs(wanted - got) <= DIFF_SCORE_MARGIN
            tally.add("diff_score_within", near, f"{where} section {i}: {wanted}, got {got}")
            tally.counts["sections compared"] += 1
        tally.counts["sections without counterpart"] += len(pattern.sections) - len(place)


def _overlap(first: Pattern, second: Pattern) -> float:
    one, other = set(first.example_urls), set(second.example_urls)
    return len(one & other) / len(one | other)


def compare_texts(
    pages: dict[str, Page],
    patterns: PatternSet,
    theirs: dict[str, dict[str, list[str]] | None],
    config: ExtractConfig,
    tally: Tally,
) -> None:
    """What is extracted from each page of the second crawl."""
    for name, texts in theirs.items():
        match = match_webstemmer(pages[name], patterns, config)
        where = f"{name}{' (strict)' if config.strict else ''}"
        tally.add("matched_same", (match is None) == (texts is None), where)
        if match is None or texts is None:
            continue
        titles = match.texts(Role.TITLE)
        wanted = texts.get("TITLE", [])
        tally.add("title_text_same", titles == wanted, f"{where}: {wanted}, got {titles}")
        score = token_f1(match.texts(Role.MAIN), texts.get("MAIN", []))
        tally.add("main_f1", score, where)


# Words; of Chinese and Japanese, characters.
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")


def token_f1(mine: Iterable[str], theirs: Iterable[str]) -> float:
    """F1 of the two multisets of tokens; 1 if both are empty.

    >>> token_f1(["a b c"], ["a b d"]) == 2 / 3
    True
    """
    one, other = (Counter(_TOKEN.findall(" ".join(texts))) for texts in (mine, theirs))
    if not one and not other:
        return 1.0
    return 2 * (one & other).total() / (one.total() + other.total())


def count_matcher_differences(oracle: Oracle, tally: Tally) -> None:
    """How often the original's greedy matcher and the true LCS say something else."""
    train, clusters = oracle.crawl(0), oracle.answers()["clusters"]
    layouts = {name: page_layout(page, WEBSTEMMER_STYLE) for name, page in train.items()}
    for first, second in combinations(sorted(layouts), 2):
        pair = layouts[first], layouts[second]
        apart = similarity(*pair, lcs_runs) - similarity(*pair, greedy_runs)
        tally.counts["page pairs"] += 1
        tally.counts["page pairs more similar by LCS"] += apart > 1e-6
        tally.counts["page pairs less similar by LCS"] += apart < -1e-6
    for cluster in clusters:
        columns = align_layouts([layouts[name] for name in cluster], MATCHER)
        for column in columns if len(cluster) > 1 else ():
            greedy, exact = (diff_score(column.texts, m) for m in (greedy_runs, lcs_runs))
            tally.counts["sections"] += 1
            tally.counts["DiffScores lower by LCS"] += exact < greedy - 1e-9
            tally.counts["DiffScores lower by more than .05"] += exact < greedy - 0.05
            tally.counts["DiffScores below .5 by LCS only"] += exact < 0.5 <= greedy


def compare_site(oracle: Oracle, tally: Tally) -> None:
    """All steps on one site."""
    answers, config = oracle.answers(), oracle.config()
    train, test = oracle.crawl(0), oracle.crawl(1)
    layouts = {name: page_layout(page, WEBSTEMMER_STYLE) for name, page in train.items()}
    compare_blocks(answers, layouts, tally)
    compare_similarities(answers, layouts, tally)
    compare_clusters(answers, layouts, config, tally)
    learned = learn_webstemmer(train.values(), config)
    compare_patterns(learned, oracle.patterns(), tally)
    for kind, strict in (("", False), (".strict", True)):
        compare_texts(test, learned, oracle.texts(kind), ExtractConfig(strict=strict), tally)


def print_figures(figures: dict[str, float], counts: Counter[str]) -> None:
    """The figures beside their goals, and the counts."""
    for name, value in figures.items():
        verdict = "" if value >= GOALS[name] else "MISSED"
        print(f"{name:18} {value:.4f}  goal {GOALS[name]:.2f}  {verdict}")
    for name, count in counts.items():
        print(f"{count:6} {name}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0, 1 if a goal is missed, 2 without the original's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    parser.add_argument("--matchers", action="store_true", help="count what the true LCS changes")
    parser.add_argument("--details", action="store_true", help="print every difference")
    options = parser.parse_args(arguments)
    sites = sorted(path.stem for path in options.folder.glob("*.pat"))
    if not sites:
        print(
            f"{options.folder}: expected *.pat and *.zip of the original, found none",
            file=sys.stderr,
        )
        return 2
    tally, per_site = Tally(), {}
    for site in sites:
        own = Tally()
        compare_site(Oracle(site, options.folder), own)
        if options.matchers:
            count_matcher_differences(Oracle(site, options.folder), own)
        per_site[site] = own.figures()
        tally.merge(own)
    figures = tally.figures()
    print_figures(figures, tally.counts)
    if options.details:
        print(*tally.differences, sep="\n")
    if options.json:
        document = {"figures": figures, "per_site": per_site, "counts": tally.counts}
        options.json.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    return int(any(figures[name] < goal for name, goal in GOALS.items()))


if __name__ == "__main__":
    sys.exit(main())
