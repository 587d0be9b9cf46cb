"""Rules and site models as JSON: the dataclasses are the schema, and what they lack is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, get_args

from cattrs import Converter, transform_error
from cattrs.errors import BaseValidationError

from learner.page.locators import Locator

T = TypeVar("T")

FORMER = frozenset({"owners", "leads", "is_first_line", "is_behind_section", "nameless"})
"""Keys that were written before, and say nothing now."""


class RulesError(ValueError):
    """A text that holds no rules of this schema; it says what is wrong, and where."""


def to_json(rules: object) -> str:
    """Rules, or a site model, as a JSON object; the same for the same rules.

    >>> from learner.titles.rule import TitleRule
    >>> to_json(TitleRule(place=Locator.parse("body/h1"), above=frozenset({"b", "a"})))[:42]
    '{"above": ["a", "b"], "is_alone": true, "i'
    """
    written = _converter().unstructure(rules)
    return json.dumps(written, ensure_ascii=False, sort_keys=True)


def from_json(text: str, kind: type[T]) -> T:
    """What `to_json` wrote; RulesError for anything else, keys that are not known among it.

    >>> from learner.kinds.rule import KindRule
    >>> from_json('{"usual": null}', KindRule)
    Traceback (most recent call last):
    learner.patterns.serializer.RulesError: KindRule: extra fields found (usual) @ $
    """
    try:
        content = json.loads(text, object_hook=_without_former)
        if not isinstance(content, dict):
            raise ValueError(f"expected a JSON object, got {content!r}")
        return _converter().structure(content, kind)
    except BaseValidationError as problem:
        raise RulesError(f"{kind.__name__}: {'; '.join(transform_error(problem))}") from problem
    except ValueError as problem:
        raise RulesError(f"{kind.__name__}: {problem}") from problem


def _without_former(content: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name not in FORMER}


@cache
def _converter() -> Converter:
    converter = Converter(forbid_extra_keys=True)
    converter.register_unstructure_hook(Locator, str)
    converter.register_structure_hook(Locator, lambda text, _: Locator.parse(text))
    converter.register_unstructure_hook_func(_is_frozenset, sorted)
    converter.register_unstructure_hook_func(_is_mapping, _sorted_items)
    return converter


def _is_frozenset(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is frozenset


def _is_mapping(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is Mapping and len(get_args(kind)) == 2


def _sorted_items(mapping: Mapping[Any, Any]) -> dict[str, Any]:
    """JSON's keys are texts."""
    return {str(key): mapping[key] for key in sorted(mapping)}
