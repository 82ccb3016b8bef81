"""Parameters of requests, none of which is trusted."""

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
"""What `Paging.of` reads, for the description of the API."""


class BadParameterError(ValueError):
    """A parameter that means nothing here; the text says what would."""


@overload
def whole(query: Mapping[str, str], name: str, default: int, low: int = 0, *, high: int) -> int: ...


@overload
def whole(
    query: Mapping[str, str], name: str, default: None, low: int = 0, *, high: int
) -> int | None: ...


def whole(
    query: Mapping[str, str], name: str, default: int | None, low: int = 0, *, high: int
) -> int | None:
    """Return a whole number from a range, or the default where none is given."""
    text = query.get(name, "")
    if not text:
        return default
    # Of longer texts, to make a number takes long.
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and low <= int(text) <= high):
        raise BadParameterError(f"{name} is a whole number from {low} to {high}")
    return int(text)


def choice(query: Mapping[str, str], name: str, choices: Sequence[str], default: str) -> str:
    """Return one of some words."""
    text = query.get(name, "") or default
    if text != default and text not in choices:
        raise BadParameterError(f"{name} is one of {', '.join(choices)}")
    return text


def text_of(query: Mapping[str, str], name: str) -> str:
    """Return a text that can be looked up."""
    text = query.get(name, "")
    if len(text) > MAX_TEXT:
        raise BadParameterError(f"{name} has at most {MAX_TEXT} characters")
    return text.encode("utf-8", "replace").decode()


@dataclass(frozen=True)
class Paging:
    """Which part of a list is wanted."""

    page: int
    per_page: int

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Paging":
        """Return what a request asks for."""
        return cls(
            whole(query, "page", 1, 1, high=MAX_PAGE),
            whole(query, "per_page", 50, 1, high=MAX_PER_PAGE),
        )

    @property
    def offset(self) -> int:
        """How many items come before the page."""
        return (self.page - 1) * self.per_page

    def pages(self, total: int) -> int:
        """Return how many pages so many items make; an empty list has one."""
        return max(1, -(-total // self.per_page))

    def cut(self, items: Sequence[T]) -> list[T]:
        """Return the page of a whole list."""
        return list(items[self.offset : self.offset + self.per_page])
