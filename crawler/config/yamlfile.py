"""A YAML file whose faults can be pointed at: `file:line:column`.

ruamel.yaml keeps the position of every key and value; `YamlFile` turns them, together with
pydantic's error locations, into `ConfigProblem`s that a user can act on.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.parser import ParserError
from ruamel.yaml.scanner import ScannerError

KeyPath = tuple[str | int, ...]

SECRET_KEYS = re.compile(r"(?<=[?&])(?:access_key|secret_key|session_token)=[^&'\"]*")
"""What the query of a storage's URI may have, and this file should not."""
_PASSWORD = re.compile(r"(?<=//)[^/\s]+(?=@)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigProblem:
    """One fault of a configuration file."""

    path: str
    """The file, as the user named it."""
    line: int = 0
    """From 1; 0 if the whole file is meant."""
    column: int = 0
    """From 1; 0 if the whole file is meant."""
    key_path: str = ""
    """Such as `sites[0].rules[2].allow`; empty for the top level."""
    expected: str
    """What may stand there."""
    got: str
    """`repr` of the value, or a word such as nothing."""
    advice: str
    """What the user can do."""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        key = f"{self.key_path}: " if self.key_path else ""
        return f"{where}: {key}expected {self.expected}, got {self.got}; {self.advice}"


class ConfigError(ValueError):
    """The configuration cannot be used; `problems` holds every reason, in file order."""

    def __init__(self, problems: Sequence[ConfigProblem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda each: (each.line, each.column)))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class YamlFile:
    """The tree of a YAML file with its positions; ConfigError if it is not readable YAML."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self._tree = _parse(self.path)
        self.data: Any = self._plain(self._tree, ())

    def problem(
        self, keys: KeyPath, *, expected: str, got: str, advice: str, at_key: bool = False
    ) -> ConfigProblem:
        """A problem with the value at `keys`, or with its key if `at_key`."""
        line, column = _position(self._tree, keys, at_key)
        return ConfigProblem(
            path=self.path,
            line=line,
            column=column,
            key_path=_dotted(keys),
            expected=expected,
            got=got,
            advice=advice,
        )

    def model_problems(
        self, error: ValidationError, model: type[BaseModel], under: KeyPath
    ) -> Iterator[ConfigProblem]:
        """The problems that `model` found in the mapping that stands at `under`."""
        for detail in error.errors(include_url=False):
            keys = detail["loc"]
            if detail["type"] == "extra_forbidden":
                yield self._unknown_key(keys, model, under)
            elif detail["type"] == "missing":
                yield self.problem(
                    (*under, *keys[:-1]),
                    expected=f"the key {keys[-1]!r}",
                    got="nothing",
                    advice="add it",
                )
            else:
                yield self.problem(
                    (*under, *keys),
                    expected=_expected(detail["type"], detail["msg"]),
                    got=shown(detail["input"]),
                    advice="change it",
                )

    def _unknown_key(self, keys: KeyPath, model: type[BaseModel], under: KeyPath) -> ConfigProblem:
        names = list(_model_at(model, keys[:-1]).model_fields)
        close = get_close_matches(str(keys[-1]), names, n=1)
        return self.problem(
            (*under, *keys),
            expected="a key that is known here" if close else f"one of the keys {', '.join(names)}",
            got=repr(keys[-1]),
            advice=f"did you mean {close[0]!r}?" if close else "remove it",
            at_key=True,
        )

    def _plain(self, node: Any, keys: KeyPath) -> Any:
        """`node` with plain types: dict, tuple for a list, and scalars.

        An alias to its own parent comes as null from ruamel, so the tree has no loop.
        """
        if isinstance(node, Mapping):
            return {
                self._key(key, keys): self._plain(value, (*keys, str(key)))
                for key, value in node.items()
            }
        if isinstance(node, CommentedSeq):
            return tuple(self._plain(each, (*keys, i)) for i, each in enumerate(node))
        return _plain_scalar(node)

    def _key(self, key: Any, keys: KeyPath) -> str:
        if isinstance(key, str):
            return str(key)
        raise ConfigError(
            [self.problem(keys, expected="text as keys", got=shown(key), advice="quote the key")]
        )


def shown(value: object) -> str:
    """`repr` of a configured value, without what URLs in it keep secret, cut to a line's length.

    >>> shown("s3://me:wo@rd@bucket/a"), shown("s3://bucket?secret_key=word&region=eu")
    ("'s3://...@bucket/a'", "'s3://bucket?...&region=eu'")
    """
    if value is None:
        return "nothing (null)"
    text = repr(list(value) if isinstance(value, tuple) else value)
    text = _PASSWORD.sub("...", SECRET_KEYS.sub("...", text))
    return text if len(text) <= 80 else f"{text[:77]}..."


def whole_file_problem(path: str, expected: str, got: str, advice: str) -> ConfigProblem:
    """A problem that has no position in the file."""
    return ConfigProblem(path=path, expected=expected, got=got, advice=advice)


def _parse(path: str) -> Any:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as problem:
        advice = "`webstem init` makes one, $WEBSTEM_CONFIG names another"
        raise ConfigError(
            [whole_file_problem(path, "a readable file", str(problem.strerror), advice)]
        ) from None
    except UnicodeDecodeError as problem:
        raise ConfigError(
            [whole_file_problem(path, "UTF-8 text", str(problem), "save it as UTF-8")]
        ) from None
    try:
        return YAML(typ="rt").load(text)
    except YAMLError as problem:
        raise ConfigError([_syntax_problem(path, problem)]) from None


def _syntax_problem(path: str, error: YAMLError) -> ConfigProblem:
    mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    said = str(error.problem if isinstance(error, MarkedYAMLError) else error)
    return ConfigProblem(
        path=path,
        line=mark.line + 1 if mark else 0,
        column=mark.column + 1 if mark else 0,
        expected="well-formed YAML with every key once",
        got=" ".join(f"{said} {_opened(error)}".split()),
        advice="indent with spaces" if "'\\t'" in said else "correct the file",
    )


def _opened(error: YAMLError) -> str:
    """What was begun in a line before and not closed, such as a quotation; empty if nothing was."""
    if not isinstance(error, ScannerError | ParserError):
        return ""  # a duplicate key stands in a mapping that began before, but is not open
    begun, mark = error.context_mark, error.problem_mark
    if begun is None or mark is None or begun.line >= mark.line:
        return ""
    return f"{error.context} that begins in line {begun.line + 1}"


def _plain_scalar(node: Any) -> Any:
    """ruamel's scalars remember how they were written; pydantic wants the plain types."""
    if isinstance(node, bool):
        return node
    for plain in (str, int, float):
        if isinstance(node, plain):
            return plain(node)
    return node


def _position(tree: Any, keys: KeyPath, at_key: bool) -> tuple[int, int]:
    """Line and column, from 1, of the value at `keys` or of its nearest ancestor in the file."""
    line, column = _start(tree)
    node = tree
    for key in keys:
        if isinstance(node, CommentedMap) and key in (node.lc.data or {}):
            # A value left out has no position of its own: ruamel gives that of the next token.
            name = node[key] is None or (at_key and key == keys[-1])
            line, column = node.lc.key(key) if name else node.lc.value(key)
        elif isinstance(node, CommentedSeq) and isinstance(key, int) and key < len(node):
            # ruamel keeps no positions inside a list with a tag.
            line, column = node.lc.item(key) or (line, column)
        else:
            break
        node = node[key]
    return line + 1, column + 1


def _start(tree: Any) -> tuple[int, int]:
    marked = isinstance(tree, CommentedMap | CommentedSeq)
    return (tree.lc.line, tree.lc.col) if marked else (0, 0)


def _dotted(keys: KeyPath) -> str:
    """`("sites", 0, "depth")` as `sites[0].depth`."""
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    return text.removeprefix(".")


def _model_at(model: type[BaseModel], keys: KeyPath) -> type[BaseModel]:
    """The model of the value at `keys` below `model`."""
    for key in keys:
        if isinstance(key, str):
            kind = model.model_fields[key].annotation
            for each in (kind, *get_args(kind)):
                if isinstance(each, type) and issubclass(each, BaseModel):
                    model = each
    return model


_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list ([a, b], or lines that begin with -)",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "finite_number": "a finite number",
}


def _expected(kind: str, said: str) -> str:
    """What pydantic wanted, from its error type and its message."""
    for lead in ("Value error, ", "Input should be "):
        said = said.removeprefix(lead)
    return _EXPECTED.get(kind, said)
