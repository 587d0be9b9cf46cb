"""The stories of the demo site: what every page says, and so what an extractor should find.

A story is made from its own name alone (`random.Random("en/night-ferry")`), never from its
neighbours, so edition 2 holds the stories of edition 1 unchanged.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Literal

from examples.vocabulary import ENGLISH, JAPANESE, Topic, Vocabulary

Edition = Literal[1, 2]
Language = Literal["en", "ja"]
Layout = Literal["news", "column"]
PartKind = Literal["p", "h2", "quote", "list", "figure"]

VOCABULARIES: dict[Language, Vocabulary] = {"en": ENGLISH, "ja": JAPANESE}
FIRST_DAY = datetime(2026, 9, 1, 7, 30, tzinfo=UTC)
EDITION_2_NEWS = 3
"""News stories of each language that only edition 2 has (the newest ones)."""
EDITION_2_COLUMNS = 1
"""Columns of each language that only edition 2 has (the newest ones)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One piece of a body: a paragraph, heading, quote, figure caption, or a list of lines."""

    kind: PartKind
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A reader's comment under a story: not part of its body."""

    reader: str
    text: str
    delay: timedelta
    """Time from the story's publication to the comment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One article of the demo site; ``edition`` is the first edition that has it."""

    language: Language
    layout: Layout
    slug: str
    title: str
    author: str
    published: datetime
    parts: tuple[Part, ...]
    comments: tuple[Comment, ...]
    tags: tuple[tuple[str, str], ...]
    edition: Edition

    @property
    def path(self) -> str:
        """Where the story lies, as `/en/news/2026/09/05/night-ferry/`."""
        if self.layout == "column":
            return f"/{self.language}/columns/{self.slug}/"
        return f"/{self.language}/news/{self.published:%Y/%m/%d}/{self.slug}/"

    @property
    def body(self) -> str:
        """The text an extractor should return, a line for each paragraph."""
        return "\n".join(line for part in self.parts for line in part.lines)

    @property
    def summary(self) -> str:
        """The first paragraph, as lists and feeds show it."""
        return next(part.lines[0] for part in self.parts if part.kind == "p")


class _Writer:
    """Fills sentence moulds for one story, always the same way."""

    def __init__(self, language: Language, topic: Topic) -> None:
        self.words = VOCABULARIES[language]
        self.topic = topic
        self.dice = random.Random(f"{language}/{topic.slug}")
        self.author = self.dice.choice(self.words.authors)
        self.joint = "" if language == "ja" else " "

    def fill(self, mould: str) -> str:
        """The mould with every slot filled; ``*_cap`` slots start with a capital."""
        values = {name: self.dice.choice(choices) for name, choices in self.words.slots.items()}
        values |= {
            "person": self.dice.choice(self.words.people),
            "subject": self.topic.subject,
            "place": self.topic.place,
            "author": self.author,
        }
        values |= {f"{name}_cap": text[:1].upper() + text[1:] for name, text in values.items()}
        text = mould.format_map(values)
        return text[:1].upper() + text[1:]

    def paragraph(self, opening: bool = False) -> Part:
        moulds = self.dice.sample(self.words.moulds, self.dice.randint(2, 5))
        if opening:
            moulds = [self.dice.choice(self.words.openings), *moulds[1:]]
        return Part(kind="p", lines=(self.joint.join(self.fill(mould) for mould in moulds),))

    def heading(self) -> Part:
        return Part(kind="h2", lines=(self.fill(self.dice.choice(self.words.headings)),))

    def quote(self) -> Part:
        return Part(kind="quote", lines=(self.fill(self.dice.choice(self.words.quotes)),))

    def figure(self) -> Part:
        return Part(kind="figure", lines=(self.fill(self.dice.choice(self.words.captions)),))

    def bullet_list(self) -> Part:
        moulds = self.dice.sample(self.words.list_items, self.dice.randint(3, 4))
        return Part(kind="list", lines=tuple(self.fill(mould) for mould in moulds))

    def body(self) -> tuple[Part, ...]:
        """Paragraphs with, on some pages, a figure, headings, a quote and a list between them."""
        parts = [self.paragraph(opening=True)]
        if self.dice.random() < 0.5:
            parts.append(self.figure())
        for _ in range(self.dice.randint(1, 3)):
            if self.dice.random() < 0.6:
                parts.append(self.heading())
            parts.append(self.paragraph())
            extra = self.dice.choice((None, self.quote, self.bullet_list, self.paragraph))
            if extra is not None:
                parts.append(extra())
        parts.append(self.paragraph())
        return tuple(parts)

    def comments(self) -> tuple[Comment, ...]:
        moulds = self.dice.sample(self.words.comments, self.dice.choice((0, 1, 2, 4)))
        return tuple(
            Comment(
                reader=self.dice.choice(self.words.readers),
                text=self.fill(mould),
                delay=timedelta(hours=7 * number, minutes=self.dice.randint(0, 300)),
            )
            for number, mould in enumerate(moulds)
        )


def _story(
    language: Language, layout: Layout, topic: Topic, number: int, edition: Edition
) -> Story:
    writer = _Writer(language, topic)
    step = timedelta(days=3 if layout == "news" else 6, minutes=47 * (number % 11))
    return Story(
        language=language,
        layout=layout,
        slug=topic.slug,
        title=topic.title,
        author=writer.author,
        published=FIRST_DAY + number * step,
        parts=writer.body(),
        comments=writer.comments(),
        tags=tuple(writer.dice.sample(writer.words.tags, 2)),
        edition=edition,
    )


def _in_edition(topics: tuple[Topic, ...], number: int, only_in_second: int) -> Edition:
    return 2 if number >= len(topics) - only_in_second else 1


@cache
def all_stories() -> tuple[Story, ...]:
    """Every story of both editions and languages, newest first."""
    stories = []
    for language, words in VOCABULARIES.items():
        for number, topic in enumerate(words.news):
            edition = _in_edition(words.news, number, EDITION_2_NEWS)
            stories.append(_story(language, "news", topic, number, edition))
        for number, topic in enumerate(words.columns):
            edition = _in_edition(words.columns, number, EDITION_2_COLUMNS)
            stories.append(_story(language, "column", topic, number, edition))
    return tuple(sorted(stories, key=lambda story: (story.published, story.path), reverse=True))


def stories_of(edition: Edition) -> tuple[Story, ...]:
    """The stories an edition of the site shows, newest first."""
    return tuple(story for story in all_stories() if story.edition <= edition)
