"""How an idea of the learner is switched off: what holds it is replaced, in one process."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

Change = Callable[[Any], Any]
"""From what stands in the learner to what takes its place."""


@dataclass(frozen=True, slots=True)
class Idea:
    """One thing that the learner does, and how it is switched off."""

    name: str
    target: str
    """`module:attribute`, or `module:Class.attribute`; empty if only the anchor texts go."""
    change: Change
    with_anchors: bool = True
    is_fitted: bool = False
    """One number of a fitted model: without it the others would be fitted anew."""

    @property
    def lines(self) -> int:
        """Lines of the function or constant that holds the idea; IdeaGone if it is not there."""
        if not self.target:
            return 0
        owner, name = holder(self)
        held = vars(owner)[name]
        try:
            return len(inspect.getsourcelines(inspect.unwrap(getattr(held, "func", held)))[0])
        except TypeError:  # a constant, with the line that explains it
            return 2


class IdeaGone(LookupError):
    """What an idea replaces no longer stands in the learner."""

    def __init__(self, idea: Idea) -> None:
        super().__init__(
            f"{idea.name}: expected {idea.target!r} in the learner, found nothing; "
            f"mend or remove the idea in benchmarks/ideas/listed.py"
        )
        self.idea = idea


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
        if is_own(module) and isinstance(owner, ModuleType) and vars(module).get(name) is original:
            setattr(module, name, changed)


def is_own(module: ModuleType) -> bool:
    """Whether a loaded module is one of those whose ideas are switched off."""
    return getattr(module, "__name__", "").partition(".")[0] in ("learner", "extractor")
