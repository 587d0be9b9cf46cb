"""docs/configuration.md has each key of pipelines.yaml, with its default, and no other."""

import json
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from crawler.config.sites import Config, Rule, SiteConfig, SiteDefaults, load_config
from crawler.config.stages import (
    EmailConfig,
    ExtractConfig,
    LearnConfig,
    NightConfig,
    NotifyConfig,
)

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")

SECTIONS: dict[str, tuple[type[BaseModel], type[BaseModel] | None]] = {
    "## Top level": (Config, None),
    "## Only of a site": (SiteConfig, SiteDefaults),
    "## Each site": (SiteDefaults, None),
    "### rules": (Rule, None),
    "### learn": (LearnConfig, None),
    "### extract": (ExtractConfig, None),
    "### night": (NightConfig, None),
    "### notify": (NotifyConfig, None),
    "### email": (EmailConfig, None),
}
"""Heading -> the model it documents, and the model whose keys stand elsewhere."""


def documented(heading: str) -> dict[str, str]:
    """key -> default, as the table under `heading` has them."""
    section = TEXT.partition(f"\n{heading}\n")[2]
    section = re.split(r"^#", section, maxsplit=1, flags=re.M)[0]
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, re.M))


def shown_default(model: type[BaseModel], key: str) -> str:
    field = model.model_fields[key]
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if isinstance(value, BaseModel):
        return "`{}`"
    return f"`{value}`" if isinstance(value, str) and value else f"`{json.dumps(value)}`"


@pytest.mark.parametrize("heading", SECTIONS)
def test_each_key_is_documented_with_its_default(heading: str) -> None:
    model, elsewhere = SECTIONS[heading]
    keys = set(model.model_fields) - set(elsewhere.model_fields if elsewhere else ())
    assert documented(heading) == {key: shown_default(model, key) for key in keys}


def test_the_example_is_right(tmp_path: Path) -> None:
    example = re.search(r"^```yaml\n(.*?)^```", TEXT, re.S | re.M)
    assert example
    path = tmp_path / "pipelines.yaml"
    path.write_text(example[1], encoding="utf-8")
    assert load_config(path).site("my_blog").depth == 3
