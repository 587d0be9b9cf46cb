"""`crawler.config.sites`: what a pipelines.yaml may say, and where each mistake is pointed at."""

import json
import pickle
from pathlib import Path
from textwrap import dedent

import pytest
from pydantic import BaseModel, ValidationError

from crawler.config import sites as config_module
from crawler.config.sites import (
    Config,
    Rule,
    SiteConfig,
    UnknownSiteError,
    config_schema,
    find_config,
    load_config,
)
from crawler.config.stages import ExtractConfig, LearnConfig
from crawler.config.yamlfile import ConfigError

ROOT = Path(__file__).parents[3]


@pytest.fixture
def write(tmp_path: Path):
    def write_config(text: str) -> Path:
        path = tmp_path / "pipelines.yaml"
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        return path

    return write_config


def problems_of(path: Path) -> list[str]:
    """Each problem of the file, without the file's name."""
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{path}") for line in lines)
    return [line.removeprefix(f"{path}:").removeprefix(" ") for line in lines]


SITE = "sites: [{name: a, start_urls: ['http://a/']}]\n"


# What is accepted


def test_the_shipped_file_is_right_and_has_the_demo() -> None:
    demo = load_config(ROOT / "pipelines.yaml").site("demo")
    assert demo.start_urls == ("http://127.0.0.1:8123/",)
    assert demo.private_hosts == ("127.0.0.1",)


def test_hosts_in_letters_beyond_ascii_are_read_as_they_are_sent(write) -> None:
    path = write(
        """
        sites:
          - name: a
            start_urls: ["http://Bücher.example:81/ü?q=ü"]
            feeds: ["https://straße.example/feed"]
            private_hosts: [bücher.example, 10.0.0.0/8, intranet]
        """
    )
    (site,) = load_config(path).sites
    assert site.start_urls == ("http://xn--bcher-kva.example:81/ü?q=ü",)
    assert site.feeds == ("https://xn--strae-oqa.example/feed",)
    assert site.private_hosts == ("xn--bcher-kva.example", "10.0.0.0/8", "intranet")


def test_a_site_falls_back_to_defaults_key_by_key(write) -> None:
    path = write(
        """
        defaults:
          depth: 7
          headers: {Accept-Language: en, X-A: "1"}
          rules: [{deny: old}]
          learn: {min_pages: 5, mangle: "^[a-z]+"}
        sites:
          - name: a
            start_urls: [http://a/]
            headers: {X-A: "2"}
            rules: [{allow: new}]
            learn: {min_pages: 9}
          - {name: b, start_urls: [http://b/]}
        """
    )
    first, second = load_config(path).sites
    assert first.depth == second.depth == 7
    assert first.headers == {"Accept-Language": "en", "X-A": "2"}
    assert [rule.allow for rule in first.rules] == ["new"]
    assert (first.learn.min_pages, first.learn.mangle) == (9, "^[a-z]+")
    assert [rule.deny for rule in second.rules] == ["old"]
    assert second.learn.min_pages == 5


def test_yaml_anchors_and_merge_keys_work(write) -> None:
    path = write(
        """
        sites:
          - &first {name: a, start_urls: [http://a/], depth: 4}
          - <<: *first
            name: b
        """
    )
    assert load_config(path).site("b").depth == 4


def test_paths_are_relative_to_the_file(write, tmp_path: Path) -> None:
    path = write("storage: tables\nstate: st\ndefaults: {cookies_file: c.txt}\n" + SITE)
    config = load_config(path)
    assert config.storage == str(tmp_path / "tables")
    assert config.state == str(tmp_path / "st")
    assert config.site("a").cookies_file == str(tmp_path / "c.txt")


@pytest.mark.parametrize(
    ("storage", "state"),
    [("storage: d\n", "d/.state"), ("", "data/.state"), ("storage: s3://b/p\n", ".state")],
)
def test_the_state_folder_is_local_by_default(
    write, tmp_path: Path, storage: str, state: str
) -> None:
    config = load_config(write(storage + SITE))
    assert config.state == str(tmp_path / state)


@pytest.mark.parametrize(
    "storage", ["file:///srv/a@b", "s3://b", "gs://anonymous@b/a?x=1", "a/b@c", "c:/d"]
)
def test_a_storage_may_be(write, storage: str) -> None:
    assert load_config(write(f"storage: {storage}\n")).storage.endswith(storage)


def test_a_uri_stays_as_it_is(write) -> None:
    assert load_config(write("storage: s3://b/p\n" + SITE)).storage == "s3://b/p"


def test_a_feed_alone_is_enough(write) -> None:
    path = write("sites: [{name: a, feeds: ['http://a/feed']}]")
    assert load_config(path).site("a").start_urls == ()


def test_a_file_without_sites_is_a_config_without_sites(write) -> None:
    assert load_config(write("storage: d\n")).sites == ()


def test_the_tree_is_frozen_and_travels_to_other_processes(write) -> None:
    config = load_config(write(SITE))
    with pytest.raises(ValidationError, match="frozen"):
        config.site("a").depth = 3  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(config)) == config


def test_stages_run_without_any_file() -> None:
    assert LearnConfig().preset == "default"
    assert ExtractConfig().diff_threshold == 0.5


# What is refused, and where


FAULTS = {
    "unknown key at the top": (
        "stroage: d\n" + SITE,
        "1:1: stroage: expected a key that is known here, got 'stroage'; did you mean 'storage'?",
    ),
    "unknown key of a site, nothing like it": (
        "sites:\n  - name: a\n    start_urls: [http://a/]\n    zzzz: 1\n",
        "4:5: sites[0].zzzz: expected one of the keys depth, rules, ... got 'zzzz'; remove it",
    ),
    "unknown key of a section": (
        "defaults:\n  learn:\n    min_page: 1\n" + SITE,
        "3:5: defaults.learn.min_page: expected a key that is known here, "
        "got 'min_page'; did you mean 'min_pages'?",
    ),
    "unknown key of a rule": (
        "defaults:\n  rules:\n    - allow: x\n      alow: y\n" + SITE,
        "4:7: defaults.rules[0].alow: expected a key that is known here, "
        "got 'alow'; did you mean 'allow'?",
    ),
    "bad regex": (
        "defaults:\n  rules:\n    - deny: x\n    - allow: 'a('\n" + SITE,
        "4:14: defaults.rules[1].allow: expected a regular expression (missing ), unterminated "
        "subpattern at position 1), got 'a('; change it",
    ),
    "rule that allows and denies": (
        "defaults:\n  rules:\n    - {allow: x, deny: y}\n" + SITE,
        "3:7: defaults.rules[0]: expected exactly one of the keys allow and deny, "
        "got {'allow': 'x', 'deny': 'y'}; change it",
    ),
    "duplicate site": (
        "sites:\n- name: a\n  start_urls: [http://a/]\n- start_urls: [http://b/]\n  name: a\n",
        "5:9: sites[1].name: expected a name that no other site has, got 'a', the name of "
        "sites[0] too; rename one of them",
    ),
    "duplicate key": (
        "sites:\n- name: a\n  name: b\n",
        '3:3: expected well-formed YAML with every key once, got found duplicate key "name" '
        'with value "b" (original value: "a"); correct the file',
    ),
    "syntax": (
        "sites:\n  - name: [a\n",
        "3:1: expected well-formed YAML with every key once, got ...; correct the file",
    ),
    "a tab": ("sites:\n\t- name: a\n", "2:1: expected well-formed ...; indent with spaces"),
    "a quotation mark that is not closed": (
        'sites:\n  - name: "a\n    depth: 1\n',
        "4:1: expected well-formed YAML with every key once, got found unexpected end of stream "
        "while scanning a quoted scalar that begins in line 2; correct the file",
    ),
    "text for a whole number": (
        "defaults:\n  depth: many\n" + SITE,
        "2:10: defaults.depth: expected a whole number, got 'many'; change it",
    ),
    "quoted number": (
        "defaults:\n  delay_seconds: '1'\n" + SITE,
        "2:18: defaults.delay_seconds: expected a number, got '1'; change it",
    ),
    "fraction for a whole number": (
        "defaults: {concurrency: 1.5}\n" + SITE,
        "1:25: defaults.concurrency: expected a whole number, got 1.5; change it",
    ),
    "whole number for a switch": (
        "defaults: {linkinfo: 1}\n" + SITE,
        "1:22: defaults.linkinfo: expected true or false, got 1; change it",
    ),
    "switch for a number": (
        "defaults: {depth: yes, delay_seconds: true}\n" + SITE,
        "1:19: defaults.depth: expected a whole number, got 'yes'; change it",
        "1:39: defaults.delay_seconds: expected a number, got True; change it",
    ),
    "negative": (
        "defaults: {delay_seconds: -1}\n" + SITE,
        "1:27: defaults.delay_seconds: expected greater than or equal to 0, got -1; change it",
    ),
    "not finite": (
        "defaults: {delay_seconds: .inf}\n" + SITE,
        "1:27: defaults.delay_seconds: expected a finite number, got inf; change it",
    ),
    "share above one": (
        "sites:\n- {name: a, start_urls: ['http://a/'], extract: {match_threshold: 80}}\n",
        "2:67: sites[0].extract.match_threshold: expected less than or equal to 1, got 80; "
        "change it",
    ),
    "unknown preset": (
        "defaults: {learn: {preset: fast}}\n" + SITE,
        "1:28: defaults.learn.preset: expected 'default' or 'webstemmer', got 'fast'; change it",
    ),
    "nothing where a mapping belongs": (
        "defaults:\n" + SITE,
        "1:1: defaults: expected a mapping of keys to values, got nothing (null); change it",
    ),
    "one value where a list belongs": (
        "sites:\n  - name: a\n    start_urls: http://a/\n",
        "3:17: sites[0].start_urls: expected a list ([a, b], or lines that begin with -), got "
        "'http://a/'; change it",
    ),
    "sites as a mapping": (
        "sites:\n  a: {depth: 1}\n",
        "2:3: sites: expected a list of sites, got {'a': {'depth': 1}}; change it",
    ),
    "site that is no mapping": (
        "sites:\n  - http://a/\n",
        "2:5: sites[0]: expected a mapping of keys to values, got 'http://a/'; change it",
    ),
    "missing name": (
        "sites:\n  - start_urls: [http://a/]\n",
        "2:5: sites[0]: expected the key 'name', got nothing; add it",
    ),
    "bad name": (
        "sites:\n  - name: My Site\n    start_urls: [http://a/]\n",
        "2:11: sites[0].name: expected lower-case letters, digits, '_' and '-', got 'My Site'; "
        "change it",
    ),
    "no seed": (
        "sites:\n  - name: a\n",
        "2:5: sites[0]: expected at least one URL in start_urls, feeds or sitemaps, "
        "got {'name': 'a'}; change it",
    ),
    "URL of another kind": (
        "sites:\n  - name: a\n    start_urls:\n      - http://a/\n      - ftp://a/\n",
        "5:9: sites[0].start_urls[1]: expected an absolute http or https URL, "
        "without user name or password, got 'ftp://a/'; change it",
    ),
    "URL without a host": (
        "sites: [{name: a, start_urls: ['http:///x']}]\n",
        "1:32: sites[0].start_urls[0]: expected an absolute http or https URL, "
        "without user name or password, got 'http:///x'; change it",
    ),
    "URL that cannot be parsed": (
        "sites: [{name: a, start_urls: ['http://[::1/']}]\n",
        "1:32: sites[0].start_urls[0]: expected an absolute http or https URL, "
        "without user name or password, got 'http://[::1/'; change it",
    ),
    "storage without a bucket": (
        "storage: s3://\n" + SITE,
        "1:10: storage: expected a folder, or a URI such as s3://bucket/prefix, got 's3://'; "
        "change it",
    ),
    "storage with one slash too few": (
        "storage: s3:/bucket/web\n" + SITE,
        "1:10: storage: expected a folder, or a URI such as s3://bucket/prefix, got "
        "'s3:/bucket/web'; change it",
    ),
    "storage with keys in it": (
        "storage: s3://me:word@bucket/web\n" + SITE,
        "1:10: storage: expected a URI without keys: they come from the environment, got "
        "'s3://...@bucket/web'; change it",
    ),
    "storage with keys behind it": (
        "storage: s3://bucket/web?secret_key=word\n" + SITE,
        "1:10: storage: expected a URI without keys: they come from the environment, got "
        "'s3://bucket/web?...'; change it",
    ),
    "cluster without a port": (
        "cluster_address: tcp://127.0.0.1\n" + SITE,
        "1:18: cluster_address: expected an address with a port, such as tcp://host:8786, got "
        "'tcp://127.0.0.1'; change it",
    ),
    "unknown charset": (
        "defaults:\n  default_charset: klingon\n" + SITE,
        "2:20: defaults.default_charset: expected a charset that Python knows, such as "
        "shift_jis, got 'klingon'; change it",
    ),
    "private host with a scheme": (
        "defaults:\n  private_hosts: [10.0.0.0/8, 'http://b/']\n" + SITE,
        "2:31: defaults.private_hosts[1]: expected a lower-case host name, IP address or "
        "network, got 'http://b/'; change it",
    ),
    "header that is no text": (
        "defaults:\n  headers:\n    X-Number: 3\n" + SITE,
        "3:15: defaults.headers.X-Number: expected text, got 3; change it",
    ),
    "key that is no text": (
        "defaults:\n  headers: {1: a}\n" + SITE,
        "2:12: defaults.headers: expected text as keys, got 1; quote the key",
    ),
    "date where text belongs": (
        "defaults: {index_name: 2026-11-20}\n" + SITE,
        "1:24: defaults.index_name: expected text, got datetime.date(2026, 11, 20); change it",
    ),
    "alias to its own parent": (
        "defaults: &d\n  learn:\n    mangle: *d\n" + SITE,
        "3:5: defaults.learn.mangle: expected text, got nothing (null); change it",
    ),
    "list at the top": (
        "- name: a\n",
        "1:1: expected a mapping with the key sites, got [{'name': 'a'}]; add it",
    ),
    "empty file": (
        "# nothing yet\n",
        "1:1: expected a mapping with the key sites, got nothing (null); add it",
    ),
}


@pytest.mark.parametrize("text_and_said", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_pointed_at(write, text_and_said: tuple[str, ...]) -> None:
    text, *said = text_and_said
    found = problems_of(write(text))
    assert len(found) == len(said)
    for problem, expected in zip(found, said, strict=True):
        start, _, end = expected.partition("...")
        assert problem.startswith(start) and problem.endswith(end), problem


def test_all_faults_come_at_once_in_file_order(write) -> None:
    found = problems_of(
        write("sites:\n- {name: A, start_urls: [x]}\n- 3\nstorage: 1\ndefaults: {depth: a}\n")
    )
    assert [line.split(": ")[:2] for line in found] == [
        ["2:10", "sites[0].name"],
        ["2:26", "sites[0].start_urls[0]"],
        ["3:3", "sites[1]"],
        ["4:10", "storage"],
        ["5:19", "defaults.depth"],
    ]


def test_a_fault_of_the_defaults_is_told_once(write) -> None:
    found = problems_of(
        write(
            """
            defaults: {depth: a}
            sites:
              - {name: a, start_urls: [http://a/]}
              - {name: b, start_urls: [http://b/]}
            """
        )
    )
    assert len(found) == 1


MIXED = """
    sites:
      - {name: good, start_urls: [http://a/]}
      - {name: wrong, start_urls: [x]}
      - {name: UP, start_urls: [http://a/]}
      - {name: good, start_urls: [http://b/]}
      - {name: last, start_urls: [http://c/]}
    """


def test_wrong_entries_may_be_left_out(write) -> None:
    config = load_config(write(MIXED), leave_out=True)
    assert [(site.name, site.start_urls) for site in config.sites] == [
        ("good", ("http://a/",)),
        ("last", ("http://c/",)),
    ]
    assert [wrong.name for wrong in config.wrong_sites] == ["wrong", "UP", "good"]
    with pytest.raises(ConfigError, match=r":3:32: sites\[1\].start_urls"):
        config.site("wrong")


@pytest.mark.parametrize("common", ["defaults: {depth: a}", "storage: 1", "sits: []"])
def test_what_concerns_all_sites_is_never_left_out(write, common: str) -> None:
    with pytest.raises(ConfigError, match=common.partition(":")[0]):
        load_config(write(f"{common}\n{SITE}"), leave_out=True)


def test_problems_are_data_too(write) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(write("defaults:\n  depth: many\n" + SITE))
    (problem,) = caught.value.problems
    assert (problem.line, problem.column, problem.key_path) == (2, 10, "defaults.depth")
    assert (problem.expected, problem.got) == ("a whole number", "'many'")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    (found,) = problems_of(tmp_path / "none.yaml")
    assert "expected a readable file, got No such file or directory" in found
    assert "WEBSTEM_CONFIG" in found


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pipelines.yaml"
    path.write_bytes("storage: dätä".encode("latin-1"))
    (found,) = problems_of(path)
    assert "expected UTF-8 text" in found


def test_a_control_character_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pipelines.yaml"
    path.write_bytes(b"storage: a\x00b\n")
    (found,) = problems_of(path)
    assert "expected well-formed YAML" in found


def test_tags_that_would_run_code_do_nothing(write, tmp_path: Path) -> None:
    path = write(f"storage: !!python/object/apply:os.mkdir [{tmp_path / 'made'}]\n" + SITE)
    with pytest.raises(ConfigError):
        load_config(path)
    assert not (tmp_path / "made").exists()


def test_an_unknown_site_names_those_there_are(write) -> None:
    path = write(SITE)
    with pytest.raises(UnknownSiteError) as caught:
        load_config(path).site("b")
    assert str(caught.value) == f"{path}: expected one of the sites a, got 'b'; add it"
    assert isinstance(caught.value, KeyError)


def test_an_unknown_site_of_many(write) -> None:
    names = [f"site{number}" for number in range(30)]
    sites = [{"name": name, "start_urls": ["http://a/"]} for name in names]
    config = load_config(write(json.dumps({"sites": sites})))
    with pytest.raises(UnknownSiteError) as caught:
        config.site("Site7")
    said = str(caught.value)
    assert "site9 and 20 more (`scrapy list`), got 'Site7'; did you mean 'site7'?" in said


@pytest.mark.parametrize(
    "url", ["http://a b/", "http://a:99999/", "http://a:x/", "http://a:0/", "http://me:pass@a/"]
)
def test_a_url_that_no_crawl_could_take(write, url: str) -> None:
    (problem,) = problems_of(write(f"sites: [{{name: a, start_urls: ['{url}']}}]"))
    got = url.replace("me:pass", "...")  # a password is not repeated
    assert f"absolute http or https URL, without user name or password, got '{got}'" in problem


def test_a_list_with_a_tag_has_no_positions_inside(write) -> None:
    """Nothing is made of the tag; ruamel gives the position of the list alone."""
    (problem,) = problems_of(write("sites: !!python/object/apply:os.system ['echo hi']"))
    assert problem.startswith("1:8: sites[0]: expected a mapping of keys to values, got 'echo hi'")


# Where the file is


def test_the_environment_names_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WEBSTEM_CONFIG", str(tmp_path / "other.yaml"))
    assert find_config() == tmp_path / "other.yaml"


def test_the_file_lies_beside_scrapy_cfg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WEBSTEM_CONFIG", raising=False)
    (tmp_path / "scrapy.cfg").touch()
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert find_config() == tmp_path / "pipelines.yaml"


# Schema and words


def test_the_shipped_schema_is_current() -> None:
    shipped = (ROOT / "crawler" / "config" / "pipelines.schema.json").read_text(encoding="utf-8")
    assert shipped == config_schema(), (
        "renew it: python -m crawler.config.sites > crawler/config/pipelines.schema.json"
    )
    assert json.loads(shipped)["additionalProperties"] is False


def sections() -> list[type[BaseModel]]:
    kinds = vars(config_module).values()
    return [
        kind
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind.model_fields
    ]


def test_every_key_is_described() -> None:
    assert {Config, SiteConfig, LearnConfig, ExtractConfig, Rule} <= set(sections())
    bare = [
        f"{section.__name__}.{name}"
        for section in sections()
        for name, field in section.model_fields.items()
        if not field.description
    ]
    assert bare == []
