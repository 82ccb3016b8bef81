"""Validate query parameters, none of which is trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, overload

from croupier.web.http.endpoints import Parameter

MAX_PER_PAGE = 200
MAX_PAGE = 10**6
MAX_TEXT = 300

T = TypeVar("T")

PAGING = (
    Parameter("page", "which page, from 1", {"type": "integer", "minimum": 1}),
    Parameter(
        "per_page",
        "items of a page",
        {"type": "integer", "minimum": 1, "maximum": MAX_PER_PAGE},
    ),
)
"""The parameters that `Paging.of` reads, for the OpenAPI description."""


class BadParameterError(ValueError):
    """A query parameter is invalid; the message says what is valid."""


@overload
def whole_number(
    query: Mapping[str, str], name: str, default: int, low: int = 0, *, high: int
) -> int: ...


@overload
def whole_number(
    query: Mapping[str, str], name: str, default: None, low: int = 0, *, high: int
) -> int | None: ...


def whole_number(
    query: Mapping[str, str], name: str, default: int | None, low: int = 0, *, high: int
) -> int | None:
    """Return an integer from a range, or the default if the parameter is missing."""
    text = query.get(name, "")
    if not text:
        return default
    # Converting a very long text to a number is slow.
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and low <= int(text) <= high):
        raise BadParameterError(f"{name} is a whole number from {low} to {high}")
    return int(text)


def choice(query: Mapping[str, str], name: str, choices: Sequence[str], default: str) -> str:
    """Return one of `choices`, or the default if the parameter is missing."""
    text = query.get(name, "") or default
    if text != default and text not in choices:
        raise BadParameterError(f"{name} is one of {', '.join(choices)}")
    return text


def text_of(query: Mapping[str, str], name: str) -> str:
    """Return a text without surrogates, so that it can be used in a query."""
    text = query.get(name, "")
    if len(text) > MAX_TEXT:
        raise BadParameterError(f"{name} has at most {MAX_TEXT} characters")
    return text.encode("utf-8", "replace").decode()


@dataclass(frozen=True)
class Paging:
    """The requested page of a list."""

    page: int
    per_page: int

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Paging":
        """Return the page that a query asks for."""
        return cls(
            whole_number(query, "page", 1, 1, high=MAX_PAGE),
            whole_number(query, "per_page", 50, 1, high=MAX_PER_PAGE),
        )

    @property
    def offset(self) -> int:
        """The number of items before the page."""
        return (self.page - 1) * self.per_page

    def pages(self, total: int) -> int:
        """Return the number of pages for `total` items; an empty list has one."""
        return max(1, -(-total // self.per_page))

    def cut(self, items: Sequence[T]) -> list[T]:
        """Return the items of the page."""
        return list(items[self.offset : self.offset + self.per_page])
