"""The pictures of docs/learner.md: `python -m examples.pictures docs/pictures`.

Three steps of the learner on the demo site, each drawn from what the learner's own functions give:
which pages are alike, what speaks for lists and for articles, and which element holds the text.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from crawler.reading.html import parse_html
from examples import svg
from examples.picture import BASE_URL
from examples.site import DemoSite, build_site
from learner.bodies.asides import aside_blocks, find_asides
from learner.bodies.container import find_container, page_balances
from learner.kinds.measures import list_evidence, measure_pages
from learner.kinds.page_kinds import shared_evidence
from learner.page.tree import LayoutTree, build_tree
from learner.site.affixes import Affixes
from learner.site.cluster_page import ClusterPage, standing_once
from learner.site.frames import frame_texts
from learner.site.link_counts import LinkCounts
from learner.site.page_features import Skeletons
from learner.site.recurrence import recurring_texts
from learner.site.signatures import Signatures
from learner.titles.names import page_names
from learner.titles.places import title_places

WIDTH, MARGIN = 760, 24
CELL = 9
"""Side of one page pair's square in the picture of clusters."""
EVERY = 2
"""Each second page is drawn there, so that the file stays small."""
SHADES = ("#ffffff", "#dbeafe", "#93c5fd", "#3b82f6", "#1e40af")
"""Similarity from 0 to 1, in equal steps."""
KINDS = {"article": "#15803d", "list": "#b45309", "other": "#6b7280"}
"""What a page of the demo site is -> its colour."""
LINE = 18
LEAST_SHOWN = 0.02
"""Balance from which on an element is drawn."""


@dataclass(frozen=True)
class Learned:
    """The demo site's pages as the learner sees them, with what they are."""

    site: DemoSite

    @cached_property
    def kinds(self) -> list[str]:
        """What each page is; the learner is not told."""
        return [kind for kind in KINDS for _ in self.site.pages(kind)]  # type: ignore[arg-type]

    @cached_property
    def trees(self) -> list[LayoutTree]:
        """The layout tree of each page."""
        resources = [r for kind in KINDS for r in self.site.pages(kind)]  # type: ignore[arg-type]
        return [build_tree(parse_html(r.body), BASE_URL + r.path) for r in resources]

    @cached_property
    def names(self) -> list[list[str]]:
        """What each page is called."""
        affixes = Affixes.learn(tree.metadata.title for tree in self.trees)
        return [page_names(tree, affixes, ()) for tree in self.trees]

    @cached_property
    def skeletons(self) -> Skeletons:
        return Skeletons([tree.skeleton for tree in self.trees])

    @cached_property
    def evidence(self) -> list[float]:
        """Evidence of each page by itself."""
        frame, hubs = frame_texts(self.trees), LinkCounts.find(self.trees)
        return list_evidence(measure_pages(self.trees, self.names, frame, hubs))

    @cached_property
    def shared(self) -> list[float]:
        """Evidence of each page with that of its cluster."""
        places = title_places(self.trees, self.names)
        return shared_evidence(self.evidence, self.skeletons.clusters(), places)


def draw_clusters(learned: Learned) -> str:
    """Each second page against each: the darker, the more alike; in the order of the clusters."""
    similar = learned.skeletons.similarities()
    clusters = [cluster[::EVERY] for cluster in learned.skeletons.clusters()]
    pages = [page for cluster in clusters for page in cluster]
    left, top, shapes = MARGIN + 14, 2 * MARGIN, []
    for row, page in enumerate(pages):
        y = top + CELL * row
        shapes.append(svg.box(left - 12, y, 8, CELL, KINDS[learned.kinds[page]]))
        shades = [min(int(similar[page, other] * 5 + 1e-4), 4) for other in pages]
        for start, length, shade in runs(shades):
            if shade:
                x = left + CELL * start
                shapes.append(svg.box(x, y, CELL * length, CELL, SHADES[shade]))
    edge = 0
    for cluster in clusters:
        shapes.append(frame(left + CELL * edge, top + CELL * edge, CELL * len(cluster)))
        edge += len(cluster)
    side = CELL * len(pages)
    title = svg.text(MARGIN, MARGIN, "How alike the pages of the demo site are", bold=True)
    scale = [
        svg.box(left + side + MARGIN, top + LINE * n, 12, 12, shade)
        + svg.text(left + side + MARGIN + 18, top + LINE * n + 11, f"from {n / 5:.1f}")
        for n, shade in enumerate(SHADES[1:], 1)
    ]
    legend = legend_of_kinds(left + side + MARGIN, top + LINE * 7)
    return svg.document(WIDTH, top + side + MARGIN, [title, *shapes, *scale, *legend])


def runs(values: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(start, length, value) of the runs of equal values.

    >>> list(runs([5, 5, 7]))
    [(0, 2, 5), (2, 1, 7)]
    """
    start = 0
    for end in range(1, len(values) + 1):
        if end == len(values) or values[end] != values[start]:
            yield start, end - start, values[start]
            start = end


def frame(x: float, y: float, side: float) -> str:
    """The outline of one cluster."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" fill="none" '
        'stroke="#111" stroke-width="1.5"/>'
    )


def legend_of_kinds(x: float, y: float) -> list[str]:
    """What the colours of the kinds mean."""
    return [
        svg.box(x, y + LINE * n, 12, 12, colour) + svg.text(x + 18, y + LINE * n + 11, kind)
        for n, (kind, colour) in enumerate(KINDS.items())
    ]


def draw_kinds(learned: Learned) -> str:
    """Every page at its evidence: alone, and together with its cluster."""
    rows = (("each page by itself", learned.evidence), ("with its cluster", learned.shared))
    left, right, height = MARGIN + 150, WIDTH - 120, 90
    furthest = max(abs(value) for _, values in rows for value in values)
    middle = (left + right) / 2
    shapes = [svg.text(MARGIN, MARGIN, "What speaks for an article, and for a list", bold=True)]
    for number, (label, values) in enumerate(rows):
        y = 2 * MARGIN + 40 + height * number
        shapes += [svg.text(MARGIN, y + 4, label), svg.line(left, y, right, y)]
        for page, value in enumerate(values):
            kind = learned.kinds[page]
            x = middle + value / furthest * (right - left) / 2
            lane = y + 14 * (list(KINDS).index(kind) - 1)
            shapes.append(svg.dot(x, lane, 4, KINDS[kind], learned.trees[page].address))
    bottom = 2 * MARGIN + 30 + height * len(rows)
    shapes += [
        svg.line(middle, 2 * MARGIN, middle, bottom - 20, "#111"),
        svg.text(left, bottom, "◂ article"),
        svg.text(right - 30, bottom, "list ▸"),
        *legend_of_kinds(right + MARGIN, 2 * MARGIN),
    ]
    return svg.document(WIDTH, bottom + MARGIN, shapes)


def draw_container(learned: Learned, slug: str) -> str:
    """The elements of one article's page, each with its balance on this page."""
    page = next(n for n, tree in enumerate(learned.trees) if slug in tree.url)
    places = title_places(learned.trees, learned.names)
    cluster = next(c for c in learned.skeletons.clusters() if page in c)
    members = [_member(learned.trees[n], places.get(n)) for n in cluster]
    signatures = Signatures([member.tree for member in members])
    member = members[cluster.index(page)]
    tree = member.tree
    recurring = recurring_texts([each.wording.stamps(each.tree.blocks) for each in members])
    asides = find_asides(members, signatures)
    left_out = aside_blocks(tree, signatures.of[tree], asides)
    in_page = page_balances(member, recurring, left_out)
    alone = standing_once(signatures.of[tree])
    balances = {element: in_page[element] for element in alone if in_page[element]}
    container = find_container(members, signatures, asides)
    best = container.elements[tree] if container else -1
    title = member.title.element if member.title else -1
    drawn = [
        element
        for element in range(len(tree.tags))
        if balances.get(element, 0) >= LEAST_SHOWN
        or element == title
        or tree.starts[element] in left_out
    ]
    shapes = [
        svg.text(MARGIN, MARGIN, f"Elements of {tree.url.removeprefix(BASE_URL)}", bold=True),
        svg.text(WIDTH - 220, MARGIN, "balance", "#777"),
        svg.text(WIDTH - 220, MARGIN + LINE, "reader comments do not count", "#777"),
    ]
    for row, element in enumerate(drawn):
        y = 2 * MARGIN + LINE * (row + 1)
        kind = "main" if element == best else "title" if element == title else "left"
        shapes += _element(tree, element, y, svg.COLOURS[kind], balances.get(element))
    return svg.document(WIDTH, 2 * MARGIN + LINE * (len(drawn) + 2), shapes)


def _member(tree: LayoutTree, place: int | None) -> ClusterPage:
    title = next((b for b in tree.blocks if tree.paths[b.element] == place), None)
    return ClusterPage(tree, title)


def _element(
    tree: LayoutTree, element: int, y: float, colour: str, balance: float | None
) -> list[str]:
    depth = sum(1 for _ in tree.ancestors(element)) - 1
    name = svg.cut(tree.tags[element] + "".join(tree.tokens[element]), 30)
    first = next(iter(tree.inside(element)), None)
    said = first.text if first and first.element == element else ""
    x = MARGIN + 22 * depth
    ink = "#222" if colour == svg.COLOURS["left"] else colour
    after = x + 12 + 7.5 * len(name)
    letters = int((WIDTH - 230 - after) / 6.5)
    shapes = [svg.text(x, y, name, ink, bold=ink != "#222")]
    if said and letters > 4:
        shapes.append(svg.text(after, y, svg.cut(said, letters), "#999"))
    if balance is not None:
        shapes.append(svg.box(WIDTH - 220, y - 10, 150 * balance, 11, colour))
        shapes.append(svg.text(WIDTH - 60, y, f"{balance:.2f}", "#777"))
    return shapes


def draw_all(folder: Path) -> None:
    """Write the pictures into a folder."""
    learned = Learned(build_site(1, BASE_URL))
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {
        "clusters": draw_clusters(learned),
        "kinds": draw_kinds(learned),
        "container": draw_container(learned, "night-ferry"),
    }
    for name, content in pictures.items():
        (folder / f"{name}.svg").write_text(content, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw three steps of the learner.")
    parser.add_argument("folder", type=Path, help="where the SVG files go")
    draw_all(parser.parse_args().folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
