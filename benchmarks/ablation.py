"""What each idea of the learner is worth: `python -m benchmarks.ablation [SITE.zip ...]`.

Each idea is switched off by itself, by replacing the function or constant that holds it inside a
worker process, and the sites are learned and extracted again (`benchmarks.quality`). What gets
worse is what the idea is worth: the table shows the loss of each figure, so above 0 the idea earns
something and below 0 it costs. An idea whose line is 0 throughout earns nothing on these sites.

`IDEAS` is the list; an idea whose function or constant is gone is an error, so that the list stays
true. `--greedy` switches off as many together as nobody misses (`benchmarks.measures.greedy`).
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import math
import multiprocessing
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.material.corpus import grouped, sites_parser, sites_to_measure
from benchmarks.measures.greedy import Notebook, Step, Worth, select, worth
from benchmarks.quality import (
    PRELOADED,
    WORKERS,
    Figures,
    Settings,
    SiteResult,
    measure_site,
    summarise,
)
from learner.bodies.endings import Closings
from learner.kinds.measures import Measures
from learner.page.extent import Extent
from learner.page.tree import HEADINGS, LayoutTree
from learner.site.page_features import Skeletons
from learner.titles.names import says_same

Change = Callable[[Any], Any]
"""From what stands in the learner to what takes its place."""

SHOWN = (
    "body_f1", "worst_body_f1", "title_exact", "list_as_article", "unmatched", "date_exact",
    "author_exact",
)  # fmt: skip
"""The figures whose losses are shown."""

LESS_IS_BETTER = frozenset({"list_as_article", "unmatched"})

ALL_ON = "all ideas on"


@dataclass(frozen=True, slots=True)
class Idea:
    """One thing that the learner does, and how it is switched off."""

    name: str
    target: str
    """`module:attribute`, or `module:Class.attribute`; empty if only the anchor texts go."""
    change: Change
    with_anchors: bool = True


class IdeaGone(LookupError):
    """What an idea replaces no longer stands in the learner."""

    def __init__(self, idea: Idea) -> None:
        super().__init__(
            f"{idea.name}: expected {idea.target!r} in the learner, found nothing; "
            f"mend or remove the idea in {Path(__file__).name}"
        )
        self.idea = idea


def constant(value: Any) -> Change:
    """Another value."""
    return lambda _: value


def answer(value: Any) -> Change:
    """A function that always gives the same."""
    return lambda _: lambda *arguments, **named: value


def without_reason(reason: str) -> Change:
    """A trimming that never finds this reason."""

    def change(original: Callable[..., str | None]) -> Callable[..., str | None]:
        def reason_of(*arguments: Any) -> str | None:
            found = original(*arguments)
            return None if found == reason else found

        return reason_of

    return change


def without_coefficient(name: str) -> Change:
    """Coefficients of which one is 0."""
    return lambda coefficients: replace(coefficients, **{name: 0.0})


def own_evidence(_: Any) -> Callable[..., Any]:
    """Each page judged by itself."""
    return lambda evidence, skeletons, places: list(evidence)


def first_title(_: Any) -> Callable[..., list[str]]:
    """Pages called by `<title>` and anchor texts only."""

    def names(tree: LayoutTree, affixes: Any, anchor_texts: Sequence[str]) -> list[str]:
        called = [affixes.strip(tree.metadata.title), *anchor_texts]
        return [name for name in dict.fromkeys(called) if name]

    return names


def own_measures(_: Any) -> Callable[..., Any]:
    """The measures as they are."""
    return lambda measures: measures


def equal_weights(original: Callable[..., None]) -> Callable[..., None]:
    """Skeletons whose features all count the same."""

    def init(self: Skeletons, *arguments: Any) -> None:
        original(self, *arguments)
        self.weights = self.weights * 0 + 1

    return init


def own_cluster(_: Any) -> Callable[..., list[list[int]]]:
    """Every page a cluster of its own."""
    return lambda self, *arguments: [[page] for page in range(len(self.rows))]


def first_container(_: Any) -> Callable[..., list[int]]:
    """The first element at the place of the main container, whatever continues it."""
    return lambda tree, found: [found[0]]


def unchanged_text(_: Any) -> Callable[..., str]:
    """Texts with the page's own facts in them."""
    return lambda self, line: line.text


def linked_text(_: Any) -> Callable[..., str]:
    """Texts with the words of their links in them."""
    return lambda self, leads: self.text


def own_place(_: Any) -> Callable[..., int]:
    """Rows that a template tells apart are of different kinds."""
    return lambda self, signature: signature


def innermost(_: Any) -> Callable[..., Any]:
    """The deepest of equal containers."""
    return lambda container, signatures: container


def bare_heading(_: Any) -> Callable[..., int | None]:
    """Only what stands in a heading itself."""
    return lambda tree, block: block.element if tree.tags[block.element] in HEADINGS else None


def answer_text(_: Any) -> Callable[..., Any]:
    """The text as it was found."""
    return lambda tree, top, body: body


def own_parent(_: Any) -> Callable[..., int]:
    """Items are those that stand in one element."""
    return lambda tree, element: tree.parents[element]


def any_line(places_of_people: Any) -> Callable[..., Any]:
    """What differs beside a name behind "by" may be people, too."""
    return lambda pages, corpus, locators, _: places_of_people(pages, corpus, locators, frozenset())


def to_container_end(_: Any) -> Callable[..., Extent]:
    """Bylines at the end of the container only, whatever follows the text in it."""
    return lambda tree, container, body: Extent(
        tree.starts[container], tree.ends[container], tree.ends[container]
    )


def without_frame(original: Callable[..., bool]) -> Callable[..., bool]:
    """Titles only where they are the first block of their place."""
    return lambda block, names, frame, threshold: original(block, names, frozenset(), threshold)


def whole_title(_: Any) -> Callable[..., str]:
    """Titles with the signs and the links to the pages above on them."""
    return lambda self, tree, block, name: block.text


def says_title(_: Any) -> Callable[..., bool]:
    """Only what `<title>` says is what the page is called."""
    return lambda self, tree, block, name: says_same(block.text, name)


def any_name(_: Any) -> Callable[..., list[str]]:
    """Names that no block of the page repeats among them."""
    return lambda tree, names, frame, threshold: names


def unchanged_title(_: Any) -> Callable[..., str]:
    """Titles with the site's affixes on them."""
    return lambda self, title: title


TRIMMING_REASONS = (
    "asides", "navigation", "contents", "numbers", "static", "links", "details",
)  # fmt: skip

IDEAS = (
    Idea("anchor texts", "", constant(None), with_anchors=False),
    Idea("og:title", "learner.titles.names:page_names", first_title),
    Idea("affixes taken from titles", "learner.site.affixes:Affixes.strip", unchanged_title),
    Idea("names that no block repeats", "learner.titles.places:repeated_names", any_name),
    Idea("small groups with larger ones", "learner.induction.clusters:SMALL_GROUP", constant(0)),
    Idea("doubtful titles dropped", "learner.induction.clusters:_is_credible", answer(True)),
    Idea("titles below the site's texts", "learner.titles.places:may_be_title", without_frame),
    Idea("days before titles", "learner.titles.names:are_dated", answer(False)),
    Idea("sections before titles", "learner.titles.learning:_are_behind_sections", answer(False)),
    Idea(
        "first lines of nameless pages",
        "learner.titles.first_lines:open_with_titles",
        answer(False),
    ),
    Idea("headings that texts open with", "learner.titles.places:opening_headings", answer(None)),
    Idea("... before <title>", "learner.titles.rule:TitleRule.says_name", says_title),
    Idea("long texts are not left out", "learner.bodies.rule:BodyRule._long_text", answer([])),
    Idea("titles without the pages above", "learner.titles.rule:TitleRule._text", whole_title),
    Idea("frequent names only", "learner.site.signatures:STABLE_NAME_SHARE", constant(0.0)),
    Idea("rare names dropped", "learner.site.signatures:MINIMUM_NAME_SHARE", constant(0.0)),
    Idea("names on elements", "learner.site.signatures:StableNames.names", answer(())),
    Idea("comments found", "learner.bodies.comments:comment_signatures", answer(frozenset())),
    Idea("... in rows told apart", "learner.site.signatures:Signatures.plain", own_place),
    Idea("... with their number told", "learner.bodies.comments:_counted_places", answer(())),
    Idea("... in rows of a table", "learner.bodies.comments:_row_places", answer(())),
    Idea("... with days but no year", "learner.page.dates:has_day", answer(False)),
    Idea("... but no entries of lists", "learner.bodies.comments:text_holders", answer(set())),
    Idea("teasers found", "learner.bodies.teasers:teaser_signatures", answer(frozenset())),
    Idea("boxes known by their slots", "learner.bodies.container:SLOT_LOSS", constant(2.0)),
    Idea("outermost of equal containers", "learner.bodies.container:_widened", innermost),
    Idea("sentences of the site", "learner.bodies.trimming:find_refrains", answer(frozenset())),
    Idea("... between the author's", "learner.bodies.trimming:INSERTED_SHARE", constant(1.0)),
    Idea("sentences of the author", "learner.bodies.trimming:AUTHORED_SHARE", constant(2.0)),
    Idea("stamps", "learner.page.wording:Facts.mask", unchanged_text),
    Idea("... and their links", "learner.page.lines:Line.without_links", linked_text),
    Idea(
        "... and their neighbours", "learner.page.said.metadata:NEIGHBOURS", constant(frozenset())
    ),
    Idea("what closes many texts", "learner.bodies.endings:find_closings", answer(Closings())),
    Idea("... and is found nowhere else", "learner.bodies.endings:_stands_once", answer(True)),
    Idea("numbers of lines in cells", "learner.page.lines:counts_up", answer(False)),
    Idea("leads above the text", "learner.bodies.first_paragraphs:find_leads", answer([])),
    Idea("recurring texts", "learner.site.recurrence:recurring_texts", answer(frozenset())),
    Idea("... at the ends, on a fifth", "learner.bodies.trimming:ENDS_SHARE", constant(0.1)),
    Idea("trimming as a whole", "learner.bodies.trimming:trim", answer([])),
    *(
        Idea(f"trimming: {reason}", "learner.bodies.trimming:_reason", without_reason(reason))
        for reason in TRIMMING_REASONS
    ),
    Idea("named sections above titles", "learner.bodies.trimming:ABOVE_SHARE", constant(2.0)),
    Idea("sections above the title", "learner.bodies.rule:_n_above_heading", answer(0)),
    Idea("beginnings printed twice", "learner.bodies.excerpts:is_excerpt", answer(False)),
    Idea("bylines are no texts", "learner.bylines.learning:are_bylines", answer(False)),
    Idea("introduced before the text", "learner.bodies.trimming:_repeated", answer(frozenset())),
    Idea("places apart from text only", "learner.page.locators:Locator.covers", answer(False)),
    Idea("families learned apart", "learner.site.frames:LEAST_FAMILY", constant(1_000_000)),
    Idea(
        "evidence shared in clusters", "learner.site.page_features:Skeletons.clusters", own_cluster
    ),
    Idea("... and by places of titles", "learner.kinds.page_kinds:PLACE_PAGES", constant(0.0)),
    Idea("... and with its own", "learner.kinds.page_kinds:OWN_SHARE", constant(0.0)),
    Idea("evidence shared at all", "learner.kinds.page_kinds:shared_evidence", own_evidence),
    Idea("furniture counts half", "learner.bodies.container:OTHER_SHARE", constant(1.0)),
    Idea("what opens bylines", "learner.bylines.authors:_opening", answer(set())),
    Idea("owners are no authors", "learner.bylines.learning:find_owners", answer(frozenset())),
    Idea("boundary of the kinds", "learner.kinds.page_kinds:boundary", answer(0.0)),
    Idea(
        "rare features count more", "learner.site.page_features:Skeletons.__init__", equal_weights
    ),
    Idea("frame left out of evidence", "learner.site.frames:frame_texts", answer(frozenset())),
    *(
        Idea(
            f"kind: {field.name}",
            "learner.kinds.measures:COEFFICIENTS",
            without_coefficient(field.name),
        )
        for field in fields(Measures)
    ),
    Idea(
        "lists of whole texts", "learner.kinds.whole_text_lists:ANTHOLOGY_EVIDENCE", constant(0.0)
    ),
    Idea("... and what they hold", "learner.kinds.whole_text_lists:ENTRY_EVIDENCE", constant(0.0)),
    Idea("headings of boxes in them", "learner.page.tree:LayoutTree.heading", bare_heading),
    Idea(
        "headings left out count too", "learner.kinds.second_judgement:_with_headings", answer_text
    ),
    Idea("witnesses of lists", "learner.site.kind_features:KindFeatures.testify", answer(-1.0)),
    Idea("addresses testify, too", "learner.site.addresses:address_features", answer({})),
    Idea("a site may have no articles", "learner.kinds.texts:are_articles", answer(True)),
    Idea("... but boxes in articles", "learner.kinds.texts:_above_linked", answer([])),
    Idea("lists without texts", "learner.kinds.second_judgement:TEXT_PAGES", constant(0.0)),
    Idea("pages of authors", "learner.kinds.author_pages:find_profiles", answer([])),
    Idea(
        "doubtful lists of texts", "learner.kinds.second_judgement:DOUBTFUL_EVIDENCE", constant(0.0)
    ),
    Idea(
        "... and texts beyond the gap",
        "learner.kinds.second_judgement:MOVED_EVIDENCE",
        constant(-math.inf),
    ),
    Idea("... and undeclared texts", "learner.kinds.page_kinds:_undeclared", own_measures),
    Idea("... and a majority of texts", "learner.kinds.second_judgement:MAJORITY", constant(2.0)),
    Idea(
        "... but none that list others",
        "learner.kinds.second_judgement:FEW_LISTED",
        constant(math.inf),
    ),
    Idea("links of new pages, too", "learner.kinds.rule:STANDING_EVIDENCE", constant(0.0)),
    Idea("the text testifies, too", "learner.kinds.texts:body_evidence", answer(0.0)),
    Idea(
        "several articles are a list",
        "learner.patterns.matching:_Search._has_several",
        answer(False),
    ),
    Idea("one container an article", "learner.bodies.learning:_stands_alone", answer(False)),
    Idea("but cells like the title's", "learner.titles.learning:_are_alone", answer(True)),
    Idea("titles of other pages", "learner.titles.rule:TitleRule.is_of_another", answer(False)),
    Idea("texts that are next to nothing", "learner.kinds.texts:LEAST_PART", constant(0.0)),
    Idea("containers that fit anywhere", "learner.induction.steps:ANYWHERE_SHARE", constant(0.0)),
    Idea("titles of sections", "learner.kinds.page_kinds:section_titles", answer(frozenset())),
    Idea("titles broken into lines", "learner.titles.names:n_title_lines", answer(1)),
    Idea("single pages with other names", "learner.induction.steps:_is_like", answer(False)),
    Idea("neighbours of the container", "learner.site.signatures:Signatures.apart", answer([])),
    Idea("patterns compete by title", "learner.patterns.matching:_Search.fitness", answer(0)),
    Idea("... that hold the text", "learner.patterns.matching:LEAST_TEXT", constant(0.0)),
    Idea("text goes on in siblings", "learner.bodies.rule:main_content", first_container),
    Idea(
        "stamps: titles cut short",
        "learner.page.wording:_without_cut",
        lambda _: lambda text, title: text,
    ),
    Idea("dated lines are no titles", "learner.titles.places:_is_dated", answer(False)),
    Idea("places may lack names", "learner.page.locators:_fits_loosely", answer(False)),
    Idea("places may have moved", "learner.page.locators:Locator._find_end", answer([])),
    Idea(
        "dates of the template", "learner.site.recurrence:find_template_facts", answer(frozenset())
    ),
    Idea("places of dates", "learner.bylines.dates:_choose", answer(())),
    Idea(
        "languages of the dates learned", "learner.kinds.page_kinds:site_languages", answer(("en",))
    ),
    Idea("order of day and month learned", "learner.page.dates:learn_order", answer(None)),
    Idea("bylines where the text ends", "learner.page.extent:Extent.of", to_container_end),
    Idea("names before mail addresses", "learner.bylines.fields:_Cutter._mark_mail", answer(None)),
    Idea(
        "authors who wrote but once", "learner.bylines.authorship:_may_be_unshared", answer(False)
    ),
    Idea("sections are no authors", "learner.bylines.authorship:SECTION_SHARE", constant(2.0)),
    Idea("authors on most of the pages", "learner.bylines.authors:COMMON_SHARE", constant(0.001)),
    Idea("the site as an author", "learner.bylines.authorship:Corpus.is_sites", answer(False)),
    Idea("words before some names", "learner.bylines.authors:_led", answer(set())),
    Idea("boxes around authors", "learner.bylines.author_places:_parent_of_item", own_parent),
    Idea("authors in cards", "learner.bylines.author_places:CARD_STEP", constant(0)),
    Idea('sections beside "by"', "learner.bylines.authors:_places_of_people", any_line),
    Idea("authors on some pages", "learner.bylines.authors:_is_usual", answer(True)),
    Idea("labels of authors", "learner.bylines.sole_authors:_labels", answer(())),
    Idea(
        "... and those behind names",
        "learner.bylines.sole_authors:_words_before_colons",
        answer(()),
    ),
    Idea(
        "what stands in brackets",
        "learner.bylines.fields:_AFTER_NAME",
        constant(re.compile(r"(?!)")),
    ),
    Idea("elements named for the author", "learner.bylines.sole_authors:_told_names", answer(())),
    Idea("authors in the host's name", "learner.bylines.sole_authors:_named_by_host", answer(())),
    Idea('the hint "author"', "learner.page.hints:names_author", answer(False)),
    Idea('the hint "by"', "learner.page.hints:leads_to_author", answer(False)),
    Idea("places of authors", "learner.bylines.authors:find_author_places", answer(())),
)
"""Every idea that can be switched off."""


def find_idea(name: str) -> Idea:
    """The idea of that name; ValueError that lists all."""
    for idea in IDEAS:
        if idea.name == name:
            return idea
    names = ", ".join(repr(idea.name) for idea in IDEAS)
    raise ValueError(f"--only: expected one of {names}; got {name!r}")


def holder(idea: Idea) -> tuple[Any, str]:
    """What holds the idea's function or constant, a module or class, and its name there; IdeaGone
    if there is none."""
    module_name, _, path = idea.target.partition(":")
    *owners, name = path.split(".")
    try:
        owner: Any = importlib.import_module(module_name)
        for each in owners:
            owner = getattr(owner, each)
    except (ImportError, AttributeError) as error:
        raise IdeaGone(idea) from error
    if name not in vars(owner):
        raise IdeaGone(idea)
    return owner, name


def switch_off(idea: Idea) -> None:
    """Replace what holds the idea, in this process for good; IdeaGone if it is not there."""
    owner, name = holder(idea)
    replace_everywhere(owner, name, idea.change(vars(owner)[name]))


def replace_everywhere(owner: Any, name: str, changed: Any) -> None:
    """Replace what stands under a name in a class or module, in this process for good; a function
    or constant also in every module that imported it by its name."""
    original = vars(owner)[name]
    setattr(owner, name, changed)
    for module in list(sys.modules.values()):
        is_own = getattr(module, "__name__", "").partition(".")[0] in ("learner", "extractor")
        if is_own and isinstance(owner, ModuleType) and vars(module).get(name) is original:
            setattr(module, name, changed)


def measure_without(source: Path, names: Sequence[str], settings: Settings) -> SiteResult:
    """One site with some ideas switched off; call it in a fresh process."""
    for idea in map(find_idea, names):
        if not idea.with_anchors:
            settings = replace(settings, with_anchors=False)
        if idea.target:
            switch_off(idea)
    return measure_site(source, settings)


@contextmanager
def fresh_processes() -> Iterator[ProcessPoolExecutor]:
    """A pool whose processes serve one task each, so that nothing of an idea is left for the next;
    each begins as a copy of one that has imported everything."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with ProcessPoolExecutor(WORKERS, mp_context=context, max_tasks_per_child=1) as pool:
        yield pool


def measure_ideas(
    sources: Sequence[Path], names: Sequence[str], settings: Settings
) -> Iterator[tuple[str, Figures]]:
    """The figures with all ideas on, then without each of these, as they come."""
    with fresh_processes() as pool:
        tasks = {
            name: [pool.submit(measure_without, source, off, settings) for source in sources]
            for name, off in ((ALL_ON, ()), *((name, (name,)) for name in names))
        }
        for name, futures in tasks.items():
            yield name, summarise([future.result() for future in futures])


def measure_groups(
    pool: ProcessPoolExecutor, sources: Sequence[Path], off: Sequence[str], settings: Settings
) -> dict[str, Figures]:
    """The shown figures of each group of sites with some ideas switched off."""
    futures = {
        source.stem: pool.submit(measure_without, source, off, settings)
        for source in sorted(sources, key=lambda source: -source.stat().st_size)
    }
    results = {name: future.result() for name, future in futures.items()}
    found = {}
    for group, members in grouped(sources).items():
        figures = summarise([results[name] for name in members])
        found[group] = {name: figures[name] for name in SHOWN if name in figures}
    return found


def select_greedily(
    sources: Sequence[Path], names: Sequence[str], settings: Settings, notes: Path | None
) -> list[Step]:
    """Which of the ideas can go together, printed as it is found."""
    notebook = Notebook(notes)
    steps = []
    with fresh_processes() as pool:

        def measure(off: Sequence[str]) -> Worth:
            def groups(off: Sequence[str]) -> dict[str, Figures]:
                return measure_groups(pool, sources, off, settings)

            return worth(notebook.get((), groups), notebook.get(off, groups), losses)

        for step in select(names, measure):
            lost = step.worth
            print(
                f"{'goes ' if step.goes else 'stays'} {step.idea:36}{lines_of(step.idea):>6}"
                f"{lost.total:>+10.4f}{lost.most:>+10.4f}  {lost.where}",
                flush=True,
            )
            steps.append(step)
    return steps


def lines_of(name: str) -> int:
    """Lines of the function or constant that holds an idea."""
    idea = find_idea(name)
    if not idea.target:
        return 0
    owner, attribute = holder(idea)
    held = vars(owner)[attribute]
    try:
        return len(inspect.getsourcelines(inspect.unwrap(getattr(held, "func", held)))[0])
    except TypeError:  # a constant, with the line that explains it
        return 2


def losses(all_on: Figures, without: Figures) -> Figures:
    """How much worse each figure is without the idea; below 0: better."""
    return {
        name: without[name] - all_on[name]
        if name in LESS_IS_BETTER
        else all_on[name] - without[name]
        for name in SHOWN
        if name in without and name in all_on
    }


def table_line(name: str, figures: Figures, spec: str = "+.4f") -> str:
    """One line of the table."""
    # Rounded first, and 0 added: what is -0.00001 shall not show as a loss of -0.
    shown = {key: round(value, 4) + 0.0 for key, value in figures.items()}
    cells = (format(shown[key], spec) if key in shown else "-" for key in SHOWN)
    return f"{name:32}" + "".join(f"{cell:>16}" for cell in cells)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line, read."""
    parser = sites_parser(
        "Switch each idea of the learner off and measure what is lost.",
        epilog="example: python -m benchmarks.ablation --only 'comments found' 'og:title'",
    )
    parser.add_argument("--only", nargs="+", metavar="IDEA", help="only these ideas")
    parser.add_argument(
        "--train-pages", type=int, default=0, metavar="N", help="learn from N pages; default: all"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="draw the halves of each site by chance"
    )
    parser.add_argument(
        "--greedy", action="store_true", help="switch off as many together as nobody misses"
    )
    parser.add_argument(
        "--notes",
        type=Path,
        metavar="FILE",
        help="with --greedy: keep what was measured, and go on from there",
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site, the scorer or an idea is missing."""
    options = parse_arguments(arguments)
    all_on: Figures = {}
    lost: dict[str, Figures] = {}
    try:
        names = [find_idea(name).name for name in options.only or [idea.name for idea in IDEAS]]
        sources = sites_to_measure(options.sites)
        settings = Settings(train_pages=options.train_pages, seed=options.seed)
        if options.greedy:
            write_steps(select_greedily(sources, names, settings, options.notes), options.json)
            return 0
        print(f"{'loss without':32}" + "".join(f"{name:>16}" for name in SHOWN))
        for name, figures in measure_ideas(sources, names, settings):
            if name == ALL_ON:
                all_on = figures
                print(table_line(ALL_ON, figures, ".4f"), flush=True)
            else:
                lost[name] = losses(all_on, figures)
                print(table_line(name, lost[name]), flush=True)
    except (OSError, ValueError, IdeaGone) as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        flat = {f"{name}: {figure}": v for name, own in lost.items() for figure, v in own.items()}
        content = {"figures": flat, ALL_ON: all_on, "losses": lost}
        options.json.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return 0


def write_steps(steps: Sequence[Step], path: Path | None) -> None:
    """How many ideas go, and what each was worth when it was judged."""
    gone = [step for step in steps if step.goes]
    print(f"{len(gone)} of {len(steps)} ideas go")
    if path:
        figures = {"ideas": len(steps), "gone": len(gone)}
        content = {"figures": figures, "steps": [asdict(step) for step in steps]}
        path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
