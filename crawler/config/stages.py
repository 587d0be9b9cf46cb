"""What pipelines.yaml tells learner, extractor and night, and what they use without one."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from crawler.config.values import Amount, HttpUrl, Regex, Section, Share

AS_LIKELY_AS_NOT = 0.5
"""Probability from which on a page that no pattern fits is an article where nobody says another."""


class LearnConfig(Section):
    """How a site's layout patterns are learned."""

    preset: Literal["default", "webstemmer"] = Field(
        default="default",
        description="Set of choices of the learner: today's, or that of Webstemmer 0.7.1.",
    )
    min_pages: int | None = Field(
        default=None,
        ge=2,
        description="Pages a cluster needs to give a pattern; null takes the preset's: 2 for "
        "webstemmer (its program), 1 for default, where the site must have 3 in all (guess; below, "
        "nothing tells varying text from static text).",
    )
    cluster_threshold: Share | None = Field(
        default=None,
        description="Similarity (0-1, inclusive) at which two pages share a cluster; null takes "
        "the preset's: .97 for webstemmer (its paper), .5 for default (measured on real sites).",
    )
    title_threshold: Share = Field(
        default=0.6,
        description="Least dice similarity (inclusive) of an anchor text and a title block. "
        "Origin: Webstemmer 0.7.1.",
    )
    score_threshold: Amount = Field(
        default=100.0,
        description="Preset webstemmer: patterns whose PatternScore is below are dropped. Origin: "
        "Webstemmer 0.7.1.",
    )
    mangle: Regex = Field(
        default="",
        description="Only what this regex finds in an attribute value counts in block paths; "
        "empty: the whole value. Webstemmer's -P.",
    )
    sample_size: int = Field(
        default=0,
        ge=0,
        description="Pages of a cluster that a new page is compared with; 0: all. Webstemmer's -m.",
    )

    most_pages: int | None = Field(
        default=None,
        ge=0,
        description="Pages that a site is learned from at most, chosen among five times as many, "
        "which are drawn by a hash of their address; 0: all; null takes the preset's: 120 for "
        "default, all for webstemmer. Origin: 35 real sites are learned as well from 75 pages as "
        "from all (`python -m benchmarks.quality --most-pages 75`).",
    )

    @property
    def sample_pages(self) -> int:
        """`most_pages`, or the preset's; 0: all."""
        if self.most_pages is not None:
            return self.most_pages
        return {"default": 120, "webstemmer": 0}[self.preset]

    @property
    def least_pages(self) -> int:
        """`min_pages`, or the preset's."""
        return self.min_pages or {"default": 3, "webstemmer": 2}[self.preset]


class ExtractConfig(Section):
    """How patterns are applied to pages."""

    guess: bool | Share = Field(
        default=True,
        description="Whether a page that no pattern fits is read by the page model, and is an "
        "article of status `guessed` if it looks like one: yes, no, or the least probability "
        "(0-1, inclusive) that this is right; yes is .5. Not with the preset webstemmer.",
    )

    @property
    def least_probability(self) -> float | None:
        """From which on such a page is an article; None: none is."""
        if isinstance(self.guess, bool):
            return AS_LIKELY_AS_NOT if self.guess else None
        return self.guess

    match_threshold: Share = Field(
        default=0.8,
        description="Preset webstemmer: least share (inclusive) of a page's weight that its "
        "pattern must explain. Origin: Webstemmer 0.7.1.",
    )
    diff_threshold: Share = Field(
        default=0.5,
        description="Preset webstemmer: least DiffScore (inclusive) of a main text block. Origin: "
        "Webstemmer 0.7.1.",
    )
    main_threshold: Amount = Field(
        default=50.0,
        description="Preset webstemmer: least MainScore (inclusive) of a main text block. Origin: "
        "Webstemmer 0.7.1.",
    )
    strict: bool = Field(
        default=False,
        description="Preset webstemmer: true: a pattern does not match if any of its blocks is "
        "missing. Webstemmer's -S.",
    )


class RevisitConfig(Section):
    """When pages that were fetched are fetched again, with conditional requests."""

    least_hours: Amount = Field(
        default=1.0,
        description="Least pause between two visits of a page that lists others: it is learned "
        "from how often the page brings new links. Seeds are visited by every run. Origin: guess.",
    )
    most_days: Annotated[float, Field(gt=0, le=36_500, allow_inf_nan=False)] = Field(
        default=30.0, description="Longest pause of such a page. Origin: guess."
    )
    articles: int = Field(
        default=2,
        ge=0,
        description="How often an article that was new is visited again, for edits. Origin: guess.",
    )


class NightConfig(Section):
    """How `scrapy night` works on many sites."""

    at_once: int | None = Field(
        default=None,
        ge=1,
        description="Sites at once, each in processes of its own; null: as many as memory holds, "
        "four for each core at most. Sites of one host wait for each other.",
    )
    retries: int = Field(
        default=2,
        ge=0,
        description="How often a crawl that failed is tried again within the night. Origin: guess.",
    )
    retry_minutes: Amount = Field(
        default=10.0, description="Pause before it is tried again. Origin: guess."
    )
    stage_minutes: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        default=240.0,
        description="A crawl, a learning or an extraction of one site that takes longer is ended; "
        "the next night goes on. Origin: guess, half a night.",
    )


class EmailConfig(Section):
    """A message to somebody."""

    to: tuple[str, ...] = Field(min_length=1, description="Addresses that get it.")
    sender: str = Field(description="The address that it comes from.")
    host: str = Field(default="localhost", description="The SMTP server.")
    port: int = Field(default=25, ge=1, le=65535, description="Its port.")
    user: str = Field(default="", description="Name to log in with; empty: none is needed.")
    password_env: str = Field(
        default="", description="Environment variable that holds the password of `user`."
    )
    tls: Literal["if offered", "start", "always", "never"] = Field(
        default="if offered",
        description="Encryption: by STARTTLS if the server offers it, by STARTTLS or not at all, "
        "from the first byte, or none.",
    )


class NotifyConfig(Section):
    """Who is told when the state of a site changes: exactly one of these."""

    command: tuple[str, ...] | None = Field(
        default=None,
        min_length=1,
        description="A program with its arguments, started without a shell; it gets the change as "
        "JSON on stdin.",
    )
    webhook: HttpUrl | None = Field(
        default=None, description="An address that the change is sent to as JSON, by POST."
    )
    email: EmailConfig | None = Field(default=None, description="A message to somebody.")

    @model_validator(mode="after")
    def _exactly_one(self) -> "NotifyConfig":
        if sum(each is not None for each in (self.command, self.webhook, self.email)) != 1:
            raise ValueError("exactly one of the keys command, webhook and email")
        return self
