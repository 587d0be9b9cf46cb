"""Ideas beside what takes their place: where an answer differs, the idea has an effect.

Wherever a function that holds an idea is called, what takes its place when the idea is switched off
is called as well, and the answers are compared; the learner goes on with its own. So one run tells
of all ideas at once. Constants, and functions that give no answer, cannot be compared.
"""

from __future__ import annotations

import functools
import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.ideas.listed import IDEAS
from benchmarks.ideas.switches import Idea, holder, replace_everywhere

counts: Counter[str] = Counter()
"""Idea -> calls whose answer it changed, of this process."""


def may_be_compared(idea: Idea) -> bool:
    """Whether an idea is a function that gives an answer: one in its place gives another."""
    if not idea.target:
        return False
    owner, name = holder(idea)
    held = vars(owner)[name]
    given = getattr(inspect.unwrap(held), "__annotations__", {}).get("return", "None")
    return callable(held) and not isinstance(held, type) and given != "None"


def compared(name: str, own: Callable[..., Any], other: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which counts the calls that the other answers otherwise.

    >>> half = compared("half", lambda n: n // 2, lambda n: n / 2)
    >>> [half(n) for n in (2, 3)], counts.pop("half")
    ([1, 1], 1)
    """

    @functools.wraps(own)
    def answer(*arguments: Any, **named: Any) -> Any:
        found = _held(own(*arguments, **named))
        if _differ(found, _held(other(*arguments, **named))):
            counts[name] += 1
        return found

    return answer


def _held(answer: Any) -> Any:
    """What an iterator gives, in a list: it is looked at twice."""
    return list(answer) if isinstance(answer, Iterator) else answer


def _differ(first: Any, second: Any) -> bool:
    equal = first == second
    return not (equal.all() if hasattr(equal, "all") else equal)


def compare_all() -> None:
    """Compare all ideas that can be, in this process for good."""
    for idea in IDEAS:
        if may_be_compared(idea):
            owner, name = holder(idea)
            own = vars(owner)[name]
            replace_everywhere(owner, name, compared(idea.name, own, idea.change(own)))
