"""pipelines.yaml as a frozen, typed tree.

Read with ruamel.yaml, which keeps positions, and checked with pydantic models. Every problem is
reported at once as `file:line:column: key path: expected ..., got ...; what to do`.
A stage takes its own section (`LearnConfig`), never the whole tree.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from crawler.config.stages import (
    ExtractConfig,
    LearnConfig,
    NightConfig,
    NotifyConfig,
    RevisitConfig,
)
from crawler.config.values import (
    Amount,
    CharsetName,
    ClusterAddress,
    Host,
    HttpUrl,
    ProxyUrl,
    Regex,
    Schedule,
    Section,
    SiteName,
    StorageRoot,
    TimeZone,
)
from crawler.config.yamlfile import (
    ConfigError,
    ConfigProblem,
    KeyPath,
    YamlFile,
    shown,
    whole_file_problem,
)

CONFIG_ENVIRONMENT_VARIABLE = "WEBSTEM_CONFIG"
CONFIG_NAME = "pipelines.yaml"

SHOWN_SITES = 10
"""Sites named where one is not known."""


class UnknownSiteError(ConfigError, KeyError):
    """No site of that name; the message lists the names there are."""


class Rule(Section):
    """One line of the ordered URL rules: a regex that allows or one that denies."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    allow: Regex | None = Field(
        default=None, description="URLs in which this is found are allowed."
    )
    deny: Regex | None = Field(default=None, description="URLs in which this is found are denied.")

    @model_validator(mode="after")
    def _exactly_one(self) -> "Rule":
        if (self.allow is None) == (self.deny is None):
            raise ValueError("exactly one of the keys allow and deny")
        return self

    @property
    def allows(self) -> bool:
        """True for an allow rule, False for a deny rule."""
        return self.allow is not None


class SiteDefaults(Section):
    """Settings that a site may give, or take from `defaults`."""

    depth: int = Field(
        default=99,
        ge=0,
        description="Links to follow from a seed; 0 fetches the seeds only. Origin: as far as "
        "links lead, against endless chains.",
    )
    rules: tuple[Rule, ...] = Field(
        default=(),
        description="Ordered allow and deny regexes on absolute URLs; the first that is found "
        "decides. Where none is found, a URL is allowed if it lies under the directory of a "
        "start URL.",
    )
    delay_seconds: Amount = Field(
        default=1.0,
        description="Least pause between two requests to a host; a longer Crawl-delay of "
        "robots.txt wins. Origin: guess, the politeness most crawlers use.",
    )
    max_delay_seconds: Amount = Field(
        default=60.0,
        description="A longer Crawl-delay, Retry-After or automatic pause is cut to this, with a "
        "warning. "
        "Origin: guess.",
    )
    concurrency: int = Field(
        default=2, ge=1, description="Requests in flight to one host at most. Origin: guess."
    )
    find_feeds: bool = Field(
        default=True,
        description="Read also the feeds that the seed pages name (`link rel=alternate`), as if "
        "they stood in feeds.",
    )
    find_sitemaps: bool = Field(
        default=True,
        description="Read also the sitemaps that robots.txt names; what only they name is fetched "
        "last.",
    )
    obey_noindex: bool = Field(
        default=False,
        description="Do not store pages that ask not to be indexed (noindex in meta robots or "
        "X-Robots-Tag); their links are followed.",
    )
    obey_nofollow: bool = Field(
        default=False,
        description="Do not follow the links of pages that ask so (nofollow in meta robots or "
        "X-Robots-Tag), nor links with rel=nofollow.",
    )
    headers: dict[str, str] = Field(
        default_factory=dict,
        description="HTTP headers sent with every request to the site's hosts.",
    )
    cookies_file: str | None = Field(
        default=None,
        description="A cookies.txt (Mozilla format), relative to pipelines.yaml; null: none.",
    )
    render: Literal["never", "auto", "always"] = Field(
        default="never",
        description="Whether a browser draws the pages (extra `render`): auto draws those that "
        "have next to no text without scripts, as long as that at least doubles it; always all.",
    )
    default_charset: CharsetName | None = Field(
        default=None,
        description="Encoding of pages that declare none; null: it is detected from the bytes.",
    )
    index_name: str = Field(
        default="",
        description="File name that URLs ending in / stand for (such as index.html), so that both "
        "are one page; empty: they stay two.",
    )
    timeout_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        default=60.0, description="A download may take this long. Origin: design, guess."
    )
    max_page_bytes: int = Field(
        default=16 * 2**20,
        ge=1,
        description="Larger bodies are given up and recorded as an error. Origin: design, guess.",
    )
    max_pages: int | None = Field(
        default=2000,
        ge=1,
        description="URLs that one run fetches at most, against endless sites; the next run goes "
        "on with the rest. null: no limit. Origin: guess, half an hour at a request a second.",
    )
    max_minutes: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None,
        description="Minutes after which one run asks for no more URLs; the next run goes on. "
        "null: no limit.",
    )
    max_megabytes: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None,
        description="Megabytes of bodies after which one run asks for no more URLs; the next run "
        "goes on. null: no limit.",
    )
    every: Schedule = Field(
        default="day",
        description="How often `scrapy night` and `scrapy schedule` work on the site: hour, day, "
        "week, or a cron expression of five fields.",
    )
    time_zone: TimeZone = Field(
        default="UTC", description="Time zone of a cron expression, such as Europe/Paris."
    )
    jitter_minutes: Amount = Field(
        default=0.0,
        description="`scrapy schedule` starts up to so many minutes later, drawn by chance, so "
        "that not all sites start at once.",
    )
    learn_every: Literal["day", "week", "month", "never"] = Field(
        default="week",
        description="How often the night learns the layouts anew; a layout that changed is learned "
        "at once, a new site when it was crawled. never: by hand alone. Origin: guess.",
    )
    revisit: RevisitConfig = Field(
        default_factory=RevisitConfig, description="When pages are fetched again."
    )
    user_agent: str | None = Field(
        default=None, description="User-Agent header; null: webstem's own with its version."
    )
    proxy: ProxyUrl | None = Field(
        default=None,
        description="Proxy of all requests, perhaps with user name and password; null: that of the "
        "environment (https_proxy, http_proxy, no_proxy), if any.",
    )
    private_hosts: tuple[Host, ...] = Field(
        default=(),
        description="Hosts, IP addresses or networks that may be fetched though they are private "
        "(loopback, 10/8, ...); all others are refused.",
    )
    linkinfo: bool = Field(
        default=True,
        description="Store the links with their anchor texts. Webstemmer's -L.",
    )
    learn: LearnConfig = Field(default_factory=LearnConfig, description="The learner's settings.")
    extract: ExtractConfig = Field(
        default_factory=ExtractConfig, description="The extractor's settings."
    )


class SiteConfig(SiteDefaults):
    """One site: where to start, and what differs from `defaults`."""

    name: SiteName = Field(
        description="Name of the spider and of the partitions: lower-case letters, digits, _ "
        "and -, with dots between them, such as blog.example.org."
    )
    start_urls: tuple[HttpUrl, ...] = Field(default=(), description="Seeds of the crawl.")
    feeds: tuple[HttpUrl, ...] = Field(
        default=(),
        description="RSS, Atom or JSON feeds; entries are seeds and their titles are anchor texts.",
    )
    sitemaps: tuple[HttpUrl, ...] = Field(
        default=(), description="Sitemaps or sitemap indexes whose URLs are seeds."
    )

    @model_validator(mode="after")
    def _some_seed(self) -> "SiteConfig":
        if not (self.start_urls or self.feeds or self.sitemaps):
            raise ValueError("at least one URL in start_urls, feeds or sitemaps")
        return self

    @property
    def gives_guesses(self) -> bool:
        """Whether pages that no pattern fits are read all the same: also before it was learned."""
        return self.learn.preset == "default" and self.extract.least_probability is not None


@dataclass(frozen=True, slots=True)
class WrongSite:
    """An entry of `sites` that cannot be used."""

    name: str | None
    """Its name; None if that is wrong, too."""
    problems: tuple[ConfigProblem, ...]


class Config(Section):
    """The whole of pipelines.yaml."""

    storage: StorageRoot = Field(
        default="data",
        min_length=1,
        description="Root of the tables: a folder, relative to pipelines.yaml, or a URI such as "
        "s3://bucket/prefix.",
    )
    state: str = Field(
        default="",
        description="Local folder of the URL databases and locks, relative to pipelines.yaml; "
        "empty: .state inside a local storage folder, .state beside pipelines.yaml for a URI.",
    )
    engine: Literal["local", "dask", "ray"] = Field(
        default="local",
        description="Where `scrapy learn --all` and `scrapy extract --all` work: processes of this "
        "machine, or a Dask or Ray cluster (extras of those names).",
    )
    workers: int | None = Field(
        default=None, ge=1, description="Tasks at once; null: one for each core of this machine."
    )
    cluster_address: ClusterAddress | None = Field(
        default=None,
        description="Address of the Dask scheduler or Ray cluster, such as tcp://host:8786; null: "
        "one is started here and ends with the command.",
    )
    night: NightConfig = Field(
        default_factory=NightConfig, description="How `scrapy night` works on many sites."
    )
    notify: tuple[NotifyConfig, ...] = Field(
        default=(), description="Who is told when a site falls ill, dies, or is well again."
    )
    copies: Literal["none", "other_sites", "all"] = Field(
        default="other_sites",
        description="What `scrapy copies`, and so each night, calls a near copy: an article that "
        "says what one of another site said first; all: what one of its own site said, too.",
    )
    metrics_file: str | None = Field(
        default=None,
        description="File for the textfile collector of Prometheus's node exporter, written after "
        "each night, relative to pipelines.yaml; null: none.",
    )
    defaults: SiteDefaults = Field(
        default_factory=SiteDefaults,
        description="Values for every site that does not give its own. Mappings are merged key by "
        "key, lists and single values replaced.",
    )
    sites: tuple[SiteConfig, ...] = Field(default=(), description="The sites to crawl.")
    _path: str = PrivateAttr(default=CONFIG_NAME)
    _wrong_sites: tuple[WrongSite, ...] = PrivateAttr(default=())

    @property
    def wrong_sites(self) -> tuple[WrongSite, ...]:
        """The entries that were left out, in the file's order."""
        return self._wrong_sites

    def site(self, name: str) -> SiteConfig:
        """The site called `name`; ConfigError if its entry was left out, UnknownSiteError lists the
        names if there is none, and what is wrong with entries that have none."""
        for site in self.sites:
            if site.name == name:
                return site
        for wrong in self.wrong_sites:
            if wrong.name == name:
                raise ConfigError(wrong.problems)
        names = [site.name for site in self.sites]
        close = get_close_matches(name, names, n=1)
        advice = f"did you mean {close[0]!r}?" if close else "add it"
        shown_names = ", ".join(names[:SHOWN_SITES]) or "none at all"
        if len(names) > SHOWN_SITES:
            shown_names += f" and {len(names) - SHOWN_SITES} more (`scrapy list`)"
        unknown = whole_file_problem(
            self._path, f"one of the sites {shown_names}", repr(name), advice
        )
        nameless = [each for wrong in self.wrong_sites if not wrong.name for each in wrong.problems]
        raise UnknownSiteError([unknown, *nameless])

    def of_sites(self, names: Iterable[str]) -> "Config":
        """The same with these sites alone, each once; what `site` raises."""
        chosen = tuple(self.site(name) for name in dict.fromkeys(names))
        copy = self.model_copy(update={"sites": chosen})
        copy._wrong_sites = ()
        return copy


def find_config() -> Path:
    """The configuration file: `$WEBSTEM_CONFIG`, else pipelines.yaml, here or in the nearest folder
    above that has one, or has a scrapy.cfg beside which it is to stand."""
    named = os.environ.get(CONFIG_ENVIRONMENT_VARIABLE)
    if named:
        return Path(named)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if any((folder / name).exists() for name in (CONFIG_NAME, "scrapy.cfg")):
            return folder / CONFIG_NAME
    return here / CONFIG_NAME


def load_config(path: str | Path, *, leave_out: bool = False) -> Config:
    """Read and check a pipelines.yaml; ConfigError tells every problem with its position. With
    `leave_out` entries of `sites` that are wrong are left out instead (`Config.wrong_sites`): one
    of two hundred sites shall stop no other.

    Relative paths in it are resolved against its folder.
    """
    file = YamlFile(path)
    problems = list(_common_problems(file))
    if problems and leave_out:
        raise ConfigError(problems)
    wrong = dict(_site_problems(file)) if isinstance(file.data, dict) else {}
    if not leave_out:
        problems += [each for own in wrong.values() for each in own]
    if problems:
        raise ConfigError(problems)
    defaults, entries = file.data.get("defaults", {}), file.data.get("sites", ())
    sites = tuple(_merged(defaults, e) for n, e in enumerate(entries) if n not in wrong)
    config = Config.model_validate({**file.data, "sites": sites})
    config = _resolved(config, Path(path).resolve().parent)
    config._path = str(path)
    config._wrong_sites = tuple(
        WrongSite(_name_of(entries[number]), tuple(own)) for number, own in wrong.items()
    )
    return config


def config_schema() -> str:
    """JSON schema of pipelines.yaml for editors, as crawler/config/pipelines.schema.json holds it.

    Renew that file with `python -m crawler.config.sites > crawler/config/pipelines.schema.json`.
    """
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps({**schema, **Config.model_json_schema()}, indent=2) + "\n"


def _common_problems(file: YamlFile) -> Iterator[ConfigProblem]:
    """Every problem that concerns all sites: of the top level, and of the defaults."""
    if not isinstance(file.data, dict):
        got = shown(file.data)
        yield file.problem((), expected="a mapping with the key sites", got=got, advice="add it")
        return
    parts = {key: value for key, value in file.data.items() if key not in ("defaults", "sites")}
    yield from _model_problems(file, Config, parts, ())
    yield from _default_problems(file)
    sites = file.data.get("sites", ())
    if not isinstance(sites, tuple):
        got = shown(sites)
        yield file.problem(("sites",), expected="a list of sites", got=got, advice="change it")


def _default_problems(file: YamlFile) -> list[ConfigProblem]:
    defaults = file.data.get("defaults", {})
    return list(_model_problems(file, SiteDefaults, defaults, ("defaults",)))


def _site_problems(file: YamlFile) -> Iterator[tuple[int, list[ConfigProblem]]]:
    """The number of each entry of `sites` that is wrong, and its problems, with the defaults under
    it."""
    sites = file.data.get("sites", ())
    if not isinstance(sites, tuple):
        return
    # Faults of the defaults would show again at every site.
    defaults = {} if _default_problems(file) else file.data.get("defaults", {})
    first: dict[str, int] = {}
    for number, site in enumerate(sites):
        value = _merged(defaults, site) if isinstance(site, dict) else site
        problems = list(_model_problems(file, SiteConfig, value, ("sites", number)))
        name = _name_of(site)
        if name is not None and first.setdefault(name, number) != number:
            problems.append(
                file.problem(
                    ("sites", number, "name"),
                    expected="a name that no other site has",
                    got=f"{name!r}, the name of sites[{first[name]}] too",
                    advice="rename one of them",
                )
            )
        if problems:
            yield number, problems


def _name_of(site: object) -> str | None:
    name = site.get("name") if isinstance(site, dict) else None
    return name if isinstance(name, str) else None


def _model_problems(
    file: YamlFile, model: type[BaseModel], value: object, under: KeyPath
) -> Iterator[ConfigProblem]:
    try:
        model.model_validate(value)
    except ValidationError as error:
        yield from file.model_problems(error, model, under)


def _merged(defaults: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """`own` over `defaults`: mappings merged key by key, all else replaced."""
    merged = dict(defaults)
    for key, value in own.items():
        below = merged.get(key)
        both = isinstance(value, dict) and isinstance(below, dict)
        merged[key] = _merged(below, value) if both and below else value
    return merged


def _resolved(config: Config, folder: Path) -> Config:
    """`config` with its relative paths made absolute against `folder`."""
    local = "://" not in config.storage
    storage = str(folder / config.storage) if local else config.storage
    inside = Path(storage) if local else folder
    return config.model_copy(
        update={
            "storage": storage,
            "state": str(folder / config.state) if config.state else str(inside / ".state"),
            "metrics_file": config.metrics_file and str(folder / config.metrics_file),
            "sites": tuple(_with_absolute_cookies(site, folder) for site in config.sites),
        }
    )


def _with_absolute_cookies(site: SiteConfig, folder: Path) -> SiteConfig:
    if site.cookies_file is None:
        return site
    return site.model_copy(update={"cookies_file": str(folder / site.cookies_file)})


if __name__ == "__main__":
    sys.stdout.write(config_schema())
