"""Checks the values of a TOML file, and collects every mistake with its line and key."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from croupier.rules.rules import nearest
from croupier.store.arenas import is_name


@dataclass(frozen=True)
class Mistake:
    """An invalid value or key in a file."""

    line: int
    key: str
    text: str

    def __str__(self) -> str:
        return ": ".join(filter(None, (f"line {self.line}", self.key, self.text)))


class TomlReader:
    """Takes values from a parsed file, and collects what is wrong with them."""

    def __init__(self, text: str) -> None:
        """`text` is that of the file, for the line numbers of its keys."""
        self.mistakes: list[Mistake] = []
        self._lines: dict[str, int] = {}
        for line, path in _keys_of(text):
            self._lines.setdefault(path, line)

    def wrong(self, path: str, text: str) -> None:
        """Add a mistake at a key, such as table[2].seats, unless it is known."""
        where = path
        while where not in self._lines and "." in where:
            where = where.rpartition(".")[0]
        mistake = Mistake(self._lines.get(where, 1), path, text)
        if mistake not in self.mistakes:
            self.mistakes.append(mistake)

    def section(self, values: Any, path: str, known: tuple[str, ...]) -> dict[str, Any]:
        """Return a table of the file, and report its unknown keys."""
        if not isinstance(values, dict):
            self.wrong(path, "is a table, such as [[table]]")
            return {}
        for key in values:
            if key not in known:
                self.wrong(f"{path}.{key}" if path else key, f"unknown key{nearest(key, known)}")
        return values

    def get(
        self,
        values: dict[str, Any],
        path: str,
        key: str,
        default: Any,
        check: Callable[[Any], bool],
        wanted: str,
    ) -> Any:
        """Return a value, or the default if it is absent or invalid."""
        value = values.get(key, default)
        if key in values and not check(value):
            self.wrong(f"{path}.{key}" if path else key, f"is {wanted}, not {value!r}")
            return default
        return value

    def rows(self, values: dict[str, Any], key: str) -> list[Any]:
        """Return the rows of an array of tables."""
        rows = values.get(key, [])
        if isinstance(rows, list):
            return rows
        self.wrong(key, f"is written [[{key}]], with two brackets: there may be several")
        return []

    def list_of(self, row: dict[str, Any], path: str, key: str) -> list[Any]:
        """Return a list; an empty one if it is absent or invalid."""
        value: list[Any] = self.get(
            row, path, key, [], lambda v: isinstance(v, list), "a list in brackets"
        )
        return value

    def words(
        self, row: dict[str, Any], path: str, key: str, known: tuple[str, ...], default: list[str]
    ) -> list[str]:
        """Return a list of names, and report those that are unknown."""
        words = self.get(row, path, key, default, are_texts, "a list of names")
        for word in words:
            if word not in known:
                self.wrong(
                    f"{path}.{key}",
                    f"unknown {word!r}{nearest(word, known)} (there are {', '.join(known)})",
                )
        return [word for word in words if word in known]


def is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def is_arena(value: Any) -> bool:
    return isinstance(value, str) and is_name(value)


def is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_positive(value: Any) -> bool:
    return is_int(value) and value > 0


def is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def is_seconds(value: Any) -> bool:
    return (is_int(value) or isinstance(value, float)) and 0 <= value <= 10**6


def is_port(value: Any) -> bool:
    return is_int(value) and 0 <= value < 65536


def are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def one_of(choices: tuple[str, ...]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in choices


def any_of(choices: tuple[str, ...]) -> str:
    return " or ".join(repr(choice) for choice in choices)


_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.-]+)\s*\]")
_KEY = re.compile(r"\s*[\"']?([A-Za-z0-9_-]+)[\"']?((?:\.[A-Za-z0-9_-]+)*)\s*=")
_BROKEN_HEADER = re.compile(r"\s*\[\[?\s*([A-Za-z0-9_-]+)")
_BROKEN_KEY = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_-]*)")
_MIDDLE = re.compile(r"\s*[\"'\]},{]")
"""A line that continues the value of an earlier line."""


def key_at(text: str, line: int) -> str:
    """Return the key that a line of invalid TOML is about, or an empty text."""
    lines = text.split("\n")
    this = lines[line - 1] if line <= len(lines) else ""
    before = [(number, path) for number, path in _keys_of(text) if number <= line]
    if before and (before[-1][0] == line or _MIDDLE.match(this) or not this.strip()):
        return before[-1][1]
    header, key = _BROKEN_HEADER.match(this), _BROKEN_KEY.match(this)
    if header is not None:
        return header.group(1)
    if key is None:
        return ""
    section = _section_at(text, line)
    return f"{section}.{key.group(1)}" if section else key.group(1)


def _section_at(text: str, line: int) -> str:
    """Return the section that a line belongs to."""
    above = "\n".join(text.split("\n")[: line - 1])
    *_, (_, path) = [(0, ""), *_keys_of(f"{above}\n_ =")]
    return path.rpartition(".")[0]


def _keys_of(text: str) -> Iterator[tuple[int, str]]:
    """Return all keys with their lines, by their paths, such as table[0].seats."""
    counts: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.match(line)
        key = _KEY.match(line)
        if header is not None:
            name = header.group(2)
            first, dot, rest = name.partition(".")
            if dot and first in counts:
                # Part of the last row of an array; the rows of nested arrays share one name.
                name = f"{first}[{counts[first]}].{rest}"
            elif header.group(1) == "[[":
                yield number, name
                counts[name] = counts.get(name, -1) + 1
                name = f"{name}[{counts[name]}]"
            section = name
            yield number, section
        elif key is not None:
            path = f"{section}.{key.group(1)}" if section else key.group(1)
            yield number, path
            if key.group(2):
                yield number, path + key.group(2)


def not_toml(text: str, error: str) -> Mistake:
    """Return the first place where a text is not TOML, and why."""
    found = re.search(r" \(at line (\d+), (column \d+)\)$", error)
    if found is None:
        line = text.rstrip().count("\n") + 1
        return Mistake(line, key_at(text, line), f"not TOML: {error}")
    line = int(found.group(1))
    reason = f"{error[: found.start()]} ({found.group(2)})"
    return Mistake(line, key_at(text, line), f"not TOML: {reason}")
