"""Every idea of the learner that can be switched off.

An idea is a name, the function or constant that holds it, and what takes its place. One whose
function or constant is gone is an error, so that the list stays true.
"""

from __future__ import annotations

import re
from dataclasses import fields

from benchmarks.ideas.replacements import (
    answer,
    answer_text,
    any_name,
    bare_heading,
    constant,
    equal_weights,
    first_container,
    first_title,
    innermost,
    linked_text,
    own_cluster,
    own_evidence,
    own_parent,
    own_place,
    own_text_evidence,
    says_title,
    to_container_end,
    unchanged_text,
    unchanged_title,
    whole_title,
    without_coefficient,
    without_frame,
    without_reason,
)
from benchmarks.ideas.switches import Idea
from learner.bodies.endings import Closings
from learner.kinds.measures import Measures

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
    Idea("recurring texts", "learner.site.recurrence:recurring_texts", answer(frozenset())),
    Idea("... at the ends, on a fifth", "learner.bodies.trimming:ENDS_SHARE", constant(0.1)),
    Idea("trimming as a whole", "learner.bodies.trimming:trim", answer([])),
    *(
        Idea(f"trimming: {reason}", "learner.bodies.trimming:_reason", without_reason(reason))
        for reason in TRIMMING_REASONS
    ),
    Idea("named sections above titles", "learner.bodies.trimming:ABOVE_SHARE", constant(2.0)),
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
    Idea(
        "rare features count more", "learner.site.page_features:Skeletons.__init__", equal_weights
    ),
    Idea("frame left out of evidence", "learner.site.frames:frame_texts", answer(frozenset())),
    *(
        Idea(
            f"kind: {field.name}",
            "learner.kinds.measures:COEFFICIENTS",
            without_coefficient(field.name),
            is_fitted=True,
        )
        for field in fields(Measures)
    ),
    Idea(
        "lists of whole texts", "learner.kinds.whole_text_lists:ANTHOLOGY_EVIDENCE", constant(0.0)
    ),
    Idea("... and what they hold", "learner.kinds.whole_text_lists:ENTRY_EVIDENCE", constant(0.0)),
    Idea("headings of boxes in them", "learner.page.tree:LayoutTree.heading", bare_heading),
    Idea("headings left out count too", "learner.kinds.text_measures:_with_headings", answer_text),
    Idea("witnesses of lists", "learner.site.kind_features:KindFeatures.testify", answer(-1.0)),
    Idea("addresses testify, too", "learner.site.addresses:address_features", answer({})),
    Idea("a site may have no articles", "learner.kinds.texts:are_articles", answer(True)),
    Idea("... but boxes in articles", "learner.kinds.texts:_above_linked", answer([])),
    Idea("lists without texts", "learner.kinds.second_judgement:TEXT_PAGES", constant(0.0)),
    Idea("pages of authors", "learner.kinds.author_pages:find_profiles", answer([])),
    Idea("kinds by their texts", "learner.kinds.second_judgement:text_evidence", own_text_evidence),
    Idea("... and the page model", "learner.kinds.text_measures:model_evidence", answer(-1.0)),
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
    Idea("authors on most of the pages", "learner.bylines.authors:COMMON_SHARE", constant(0.001)),
    Idea("words before some names", "learner.bylines.authors:_led", answer(set())),
    Idea("boxes around authors", "learner.bylines.author_places:_parent_of_item", own_parent),
    Idea("labels of authors", "learner.bylines.sole_authors:_labels", answer(())),
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
