"""Files of models: arrays in an `.npz` that is read without code in it, and a model card beside it.

The card is a JSON file: what the model was learned from by name and hash, its features in their
order, and figures.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile, is_zipfile

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Arrays = Mapping[str, NDArray[Any]]
Card = Mapping[str, Any]


class ModelError(ValueError):
    """A file that is no model of its kind; the message names it."""


def write_model(path: Path, arrays: Arrays, card: Card) -> None:
    """Write the arrays of a model, and its card beside them."""
    np.savez_compressed(path, allow_pickle=False, **arrays)
    text = json.dumps(card, ensure_ascii=False, indent=1)
    path.with_suffix(".json").write_text(text + "\n", "utf-8")


def read_model(path: Path, expected: str, made_of: Callable[[Arrays, Card], T]) -> T:
    """What `made_of` makes of the arrays and the card of a file; without one the card is empty.

    Nothing in it is executed. ModelError, which says what was `expected`, if it is no such file, or
    `made_of` raises a ValueError, KeyError or IndexError.
    """
    try:
        if not is_zipfile(path):
            raise ValueError("no archive of arrays")
        beside = path.with_suffix(".json")
        card = json.loads(beside.read_text("utf-8")) if beside.exists() else {}
        with np.load(path, allow_pickle=False) as arrays:
            return made_of(dict(arrays), card)
    except (OSError, ValueError, KeyError, IndexError, BadZipFile) as error:
        said = f"{type(error).__name__}: {error}"
        raise ModelError(f"{path}: expected {expected}, got {said}") from error


def pack_words(words: Sequence[str] | Mapping[str, Any]) -> NDArray[np.uint8]:
    """Words, none of which has a line break, as an array that needs no unpickling.

    >>> unpack_words(pack_words(["rain", "sun"])), unpack_words(pack_words([]))
    (['rain', 'sun'], [])
    """
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def unpack_words(array: NDArray[Any]) -> list[str]:
    """What `pack_words` was given."""
    text = array.astype(np.uint8).tobytes().decode()
    return text.split("\n") if text else []


def named(name: str, arrays: Arrays) -> dict[str, NDArray[Any]]:
    """The arrays of one of several parts of a model, under its name.

    >>> [*named("a", {"x": np.zeros(1)})], [*part_of({"a.x": np.zeros(1)}, "a")]
    (['a.x'], ['x'])
    """
    return {f"{name}.{key}": array for key, array in arrays.items()}


def part_of(arrays: Arrays, name: str) -> dict[str, NDArray[Any]]:
    """What `named` was given."""
    prefix = f"{name}."
    return {key.removeprefix(prefix): a for key, a in arrays.items() if key.startswith(prefix)}
