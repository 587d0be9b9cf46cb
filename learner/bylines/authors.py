"""Where the pages of a cluster name their author.

Short blocks near the title, the date or the end of the text are cut into fields: at dates, at
separators, and at the words that recur on nearly all pages (`By`, `Posted`, `in`). A field's place
is the element, the word before it and the inline element around it. An author's place gives a short
text without digits that differs between some pages and recurs on others, that is no topic (a word
of the articles themselves, an entry of the menu), and that agrees with what the page says for
machines, if it says anything. Names that never differ are those of `learner.bylines.sole_authors`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import dropwhile, filterfalse
from statistics import fmean

from learner.bylines.author_places import AuthorPlace, word_above
from learner.bylines.authorship import (
    LEAST_SHARE,
    BlockPlace,
    Corpus,
    FieldPlace,
    are_titled,
    block_place,
    ends_text,
    in_card,
    is_beside,
    is_told,
    names_people,
    names_several,
    score_place,
    shows_article,
)
from learner.bylines.fields import (
    WORD,
    cut_fields,
    find_joints,
    is_prose,
    leads_to_mail,
)
from learner.bylines.sole_authors import SoleAuthors
from learner.page import hints
from learner.page.locators import Locator
from learner.site.addresses import folder
from learner.site.cluster_page import ClusterPage

FIXED_SHARES = (0.95, 0.8)
"""Words that stand in the blocks of a place on at least this share of its pages are no names. The
second is tried if the first gives no authors. Origin: guess, see docs/decisions.md."""

LED_SHARE = 0.2
"""... but so many are enough for one that says that an author's name follows. Origin: guess; of a
project's posts some are signed, those of releases not."""

LONGEST_LED = 12
"""Characters of such a word: without blanks a whole sentence is none. Origin: guess."""

AUTHOR_SCORE = 0.45
"""Least score of an author's place, 0 to 1; see `score_place`. Origin: measured, see
docs/decisions.md."""

COMMON_SHARE = 0.8
"""Share of the pages up to which a place that more pages have is the surer one: who took the
picture is named on some, in a line like that of the author. Origin: a school's newspaper."""


def find_author_places(
    pages: Sequence[ClusterPage], locators: Mapping[int, Locator]
) -> Iterator[AuthorPlace]:
    """The places of the author, the surest first; `locators` by signature."""
    corpus = Corpus(pages)
    sole = SoleAuthors(pages, corpus, locators)
    places = _places_of_people(pages, corpus)
    if sole.confirmed:
        places = [place for place in places if place.is_said]
    last = sole.confirmed or [*sole.led, *sole.of_host]
    if not any(place.is_told for place in places):
        known = {locators[place.signature] for place in places}
        if sole.labelled and sole.labelled.locator not in known:
            yield sole.labelled
            return
        if not sole.confirmed:
            if not any(names_people(place, corpus) for place in places):
                yield from last  # what differs is the section, or the newspaper
                last = []
            yield from sole.told
    for place in places:
        (signature, is_dated), lead, label = place.key
        yield AuthorPlace(
            locator=locators[signature],
            lead=lead,
            label=label,
            fixed=place.fixed,
            dated=is_dated,
            several=names_several(place, corpus),
            titled=are_titled(place, corpus),
            joints=find_joints(place.values.values()),
        )
    if _n_without(pages, places) >= LEAST_SHARE * len(pages):
        yield from last


def _places_of_people(pages: Sequence[ClusterPage], corpus: Corpus) -> list[FieldPlace]:
    """The places of names that differ."""
    fixed: dict[BlockPlace, frozenset[str]] = {}
    places: list[FieldPlace] = []
    for share in FIXED_SHARES:
        before, fixed = fixed, _fixed_words(pages, share)
        if fixed == before:
            break  # the same words give the same places
        places = list(_varying_names(pages, corpus, fixed))
        if _n_without(pages, places) < 0.5 * len(pages):
            break
    return places


def _n_without(pages: Sequence[ClusterPage], places: Sequence[FieldPlace]) -> int:
    """How many pages have a name at none of some places."""
    return len(pages) - len({page for place in places for page in place.values})


def _varying_names(
    pages: Sequence[ClusterPage], corpus: Corpus, fixed: Mapping[BlockPlace, frozenset[str]]
) -> Iterator[FieldPlace]:
    """The places whose fields are authors, each for pages that those before it leave out."""
    scored = [(score_place(place, corpus), place) for place in _collect(pages, fixed)]
    scored = [each for each in scored if each[0] >= AUTHOR_SCORE]
    scored.sort(key=lambda each: _rank(each[0], each[1], len(pages)))
    left = set(range(len(pages)))
    for _, place in scored:
        if len(left & place.values.keys()) >= max(1, LEAST_SHARE * len(pages)):
            left -= place.values.keys()
            yield place


def _rank(
    score: float, place: FieldPlace, n_pages: int
) -> tuple[bool, float, float, float, float, tuple[BlockPlace, str, str]]:
    """Sorts the surest place first: what is said to be an author, on most of the pages, then what
    is no prose ("Written by"), then what stands early."""
    common = min(1.0, len(place.values) / (COMMON_SHARE * n_pages))
    prose = fmean(map(is_prose, place.names))
    early = fmean(place.order), fmean(place.order_within)
    return not place.is_told, -score * common, prose, *early, place.key


def _fixed_words(pages: Sequence[ClusterPage], share: float) -> dict[BlockPlace, frozenset[str]]:
    """For each place of a block the words that stand there on at least this share of the pages; of
    the words of links to authors only those that begin several, for one author may write it all,
    and the authors may be of one family."""
    seen: Counter[BlockPlace] = Counter()
    words: dict[BlockPlace, Counter[str]] = defaultdict(Counter)
    openings: dict[BlockPlace, Counter[str]] = defaultdict(Counter)
    told: dict[BlockPlace, set[str]] = defaultdict(set)
    for page in pages:
        here: dict[BlockPlace, list[str]] = defaultdict(list)
        for block in page.byline:
            place = block_place(page, block)
            pieces = [(" ".join(p.text.split()), p.label) for p in page.pieces[block.index]]
            said = {text for text, label in pieces if label.endswith("@author")}
            told[place] |= set(filterfalse(hints.leads_to_author, said))
            text = " ".join(text for text, _ in pieces)
            for date in page.written_dates.get(block.index, ()):
                text = text.replace(date, " ")
            here[place] += WORD.findall(text)
        for place, found in here.items():
            seen[place] += bool(found)  # not where nothing but a date stands
            words[place].update(set(found))
            openings[place].update(found[:1])
    fixed = {}
    for place, counts in words.items():
        least = max(2, share * seen[place])
        often = {word for word, n in counts.items() if n >= least}
        often |= _opening(openings[place], least)
        written = {word.casefold() for word in often}
        led = _led(openings[place], max(2, LED_SHARE * seen[place]))
        often |= {word for word in led if word.casefold() not in written}
        fixed[place] = frozenset(often - _of_names(told[place], often))
    return fixed


def _led(openings: Counter[str], least: float) -> set[str]:
    """The words that open so many blocks of a place and may say that an author's name follows: some
    pages have none.

    >>> _led(Counter({"By": 3, "Wednesday": 9, "Thursday": 4}), 3)
    {'By'}
    """
    often = {word for word, n in openings.items() if n >= least and len(word) <= LONGEST_LED}
    return set(filter(hints.leads_to_author, often))


def _opening(openings: Counter[str], least: float) -> set[str]:
    """The word that opens the blocks of a place on so many pages, in capitals or in small letters,
    as it is written most often.

    >>> _opening(Counter({"By": 30, "by": 2, "Ann": 1}), 31)
    {'By'}
    """
    pages: Counter[str] = Counter()
    for word, n in openings.items():
        pages[word.casefold()] += n
    often = {word for word, n in pages.items() if n >= least}
    ranked = sorted(openings, key=lambda word: (-openings[word], word))
    return set(next(([word] for word in ranked if word.casefold() in often), []))


def _of_names(told: set[str], often: set[str]) -> set[str]:
    """Of the words that stand at a place often those that are parts of names, given the texts there
    that are said to be authors: all but the first of them.

    >>> sorted(_of_names({"by Ann Lee", "by Bob Lee"}, {"by", "Lee"}))
    ['Lee']
    >>> sorted(_of_names({"Sea and Sun", "Work and Travel"}, {"and"}))
    ['and']
    """
    if len(told) < 2:
        return set()
    names = [WORD.findall(text) for text in told]
    pages = Counter(word for words in names for word in set(words))
    behind = {
        word
        for words in names
        if not often.issuperset(words)
        for word in dropwhile(often.__contains__, words)
    }
    return {word for word in often if pages[word] == 1} | (often & behind)


def _is_kin(page: ClusterPage, articles: Set[str], target: str) -> bool:
    """Whether a link leads to another article, or into the folder of its own page."""
    return target in articles or folder(target) == folder(page.tree.key)


def _collect(
    pages: Sequence[ClusterPage], fixed: Mapping[BlockPlace, frozenset[str]]
) -> list[FieldPlace]:
    places: dict[tuple[BlockPlace, str, str], FieldPlace] = {}
    articles = {page.tree.key for page in pages}
    for number, page in enumerate(pages):
        for order, block in enumerate(page.byline):
            where = block_place(page, block)
            dates = page.written_dates.get(block.index, ())
            above = word_above(page.tree, block)
            is_carded = shows_article(page, block, articles) or in_card(
                page, block, partial(_is_kin, page, articles)
            )
            fields = cut_fields(page.pieces[block.index], fixed[where], dates, above)
            here: set[tuple[BlockPlace, str, str]] = set()
            for number_here, each in enumerate(fields):
                key = where, each.lead, each.label
                place = places.get(key)
                if place is None:
                    words = tuple(sorted(fixed[where]))
                    place = places[key] = FieldPlace(key, words)
                place.values.setdefault(number, []).append(each.text)
                place.n_blocks += key not in here
                here.add(key)
                target = page.tree.target(each.href)
                if target or leads_to_mail(each.href):
                    is_kin = target is not None and _is_kin(page, articles, target)
                    place.leads_to_kin.append(is_kin)
                if each.beside_date:
                    place.beside_date.append((page.weekday, each.text))
                is_led = bool(above) and each.lead == above
                told = hints.names_author(each.lead) or is_told(page.tree, block, each.label)
                place.told.append(told or is_led)
                place.has_mail.append(each.has_mail)
                place.in_cards.append(is_carded)
                place.order.append(order)
                place.order_within.append(number_here)
                place.above_title.append(block.index < page.title_index)
                beside = is_beside(page, block) or ends_text(page, block)
                place.beside_byline.append(beside)
                place.in_text.append(page.extent.holds(block.index) and not beside)
                place.in_date_block.append(block.index == page.date_index)
    return [places[key] for key in sorted(places)]
