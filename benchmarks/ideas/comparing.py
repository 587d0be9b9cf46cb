"""Ideas beside what takes their place: where an answer differs, the idea has an effect.

Wherever a function that holds an idea is called, what takes its place when the idea is switched off
is called as well, and the answers are compared; the learner goes on with its own. Where the idea is
a constant, each function that reads it is called a second time with the other value. So one run
tells of all ideas at once. What gives no answer cannot be compared.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any

from benchmarks.ideas.listed import IDEAS
from benchmarks.ideas.switches import Idea, holder, is_own, replace_everywhere

counts: Counter[str] = Counter()
"""Idea -> calls whose answer it changed, of this process."""

_elsewhere = False
"""Whether what is called now answers as if an idea were switched off: there nothing is compared."""

Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]


def may_be_compared(idea: Idea) -> bool:
    """Whether an idea is a function that gives an answer, or is read by such functions alone."""
    if not idea.target:
        return False
    owner, name = holder(idea)
    held = vars(owner)[name]
    if not is_constant(name):
        return callable(held) and _gives_answer(held)
    readers = [vars(owner)[name] for owner, name in _readers(name, held)]
    kept = any(hasattr(reader, "cache_info") for reader in readers)
    return bool(readers) and not kept and all(map(_gives_answer, readers))


def is_constant(name: str) -> bool:
    """Whether a name is that of a constant.

    >>> is_constant("_AFTER_NAME"), is_constant("find_refrains"), is_constant("__init__")
    (True, False, False)
    """
    return name.isupper()


def compared(name: str, own: Callable[..., Any], other: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which counts the calls that the other answers otherwise.

    >>> half = compared("half", lambda n: n // 2, lambda n: n / 2)
    >>> [half(n) for n in (2, 3)], counts.pop("half")
    ([1, 1], 1)
    """

    @functools.wraps(own)
    def answer(*arguments: Any, **named: Any) -> Any:
        found = _held(own(*arguments, **named))
        if not _elsewhere:
            with _other_answers():
                differs = _differ(found, _held(other(*arguments, **named)))
            if differs:
                counts[name] += 1
        return found

    return answer


def compare_all() -> None:
    """Compare all ideas that can be, in this process for good."""
    chosen = [idea for idea in IDEAS if may_be_compared(idea)]
    for idea in sorted(chosen, key=lambda idea: is_constant(holder(idea)[1])):
        owner, name = holder(idea)
        own = vars(owner)[name]
        if is_constant(name):
            _compare_readers(idea.name, name, own, idea.change(own))
        else:
            replace_everywhere(owner, name, compared(idea.name, own, idea.change(own)))


def _compare_readers(idea: str, name: str, value: Any, other: Any) -> None:
    """Call whatever reads a constant with its other value, too."""
    modules = [module for module in _modules() if vars(module).get(name) is value]

    def with_other(own: Callable[..., Any]) -> Callable[..., Any]:
        def answer(*arguments: Any, **named: Any) -> Any:
            for module in modules:
                setattr(module, name, other)
            try:
                return _held(own(*arguments, **named))
            finally:
                for module in modules:
                    setattr(module, name, value)

        return answer

    for owner, reader in list(_readers(name, value)):
        held = vars(owner)[reader]
        wrapped = _rewrapped(held, lambda own: compared(idea, own, with_other(own)))
        if isinstance(wrapped, functools.cached_property):
            wrapped.__set_name__(owner, reader)
        replace_everywhere(owner, reader, wrapped)


def _readers(name: str, value: Any) -> Iterator[tuple[Any, str]]:
    """The functions and methods that read a constant: what holds each, and its name there."""
    for module in _modules():
        if vars(module).get(name) is value:
            own = [each for each in vars(module).values() if isinstance(each, type)]
            for owner in (module, *(each for each in own if each.__module__ == module.__name__)):
                for each, held in vars(owner).items():
                    function = _function(held)
                    is_ours = function is not None and function.__module__ == module.__name__
                    if function and is_ours and _reads(function.__code__, name):
                        yield owner, each


def _modules() -> list[ModuleType]:
    return [module for module in list(sys.modules.values()) if is_own(module)]


def _function(held: Any) -> FunctionType | None:
    """What runs where this is called or read; None if nothing of ours does."""
    if isinstance(held, property):
        held = held.fget
    elif isinstance(held, functools.cached_property):
        held = held.func
    elif isinstance(held, staticmethod | classmethod):
        held = held.__func__
    function = inspect.unwrap(held) if callable(held) else None
    return function if isinstance(function, FunctionType) else None


def _rewrapped(held: Any, wrap: Wrap) -> Any:
    """The same kind of thing around a function that is wrapped."""
    if isinstance(held, property):
        return property(wrap(held.fget)) if held.fget else held
    if isinstance(held, functools.cached_property):
        return functools.cached_property(wrap(held.func))
    if isinstance(held, staticmethod | classmethod):
        return type(held)(wrap(held.__func__))
    return wrap(held)


def _reads(code: CodeType, name: str) -> bool:
    """Whether a function, or one inside it, reads a global name."""
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return name in code.co_names or any(_reads(each, name) for each in inner)


def _gives_answer(held: Any) -> bool:
    function = _function(held)
    if function is None or isinstance(held, type):
        return False
    return bool(function.__annotations__.get("return", "None") != "None")


@contextmanager
def _other_answers() -> Iterator[None]:
    global _elsewhere
    _elsewhere = True
    try:
        yield
    finally:
        _elsewhere = False


def _held(answer: Any) -> Any:
    """What an iterator gives, in a list: it is looked at twice."""
    return list(answer) if isinstance(answer, Iterator) else answer


def _differ(first: Any, second: Any) -> bool:
    equal = first == second
    return not (equal.all() if hasattr(equal, "all") else equal)
