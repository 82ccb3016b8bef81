"""Hands that were dealt elsewhere, as files tell of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.rules.rules import Rules


class ImportFileError(ValueError):
    """A file that cannot be imported; the message says where and why."""


@dataclass(frozen=True)
class RecordedHand:
    """One hand; everything is by seat, from the left of the button."""

    where: str
    """Its place in the file, for messages."""
    names: tuple[str, ...]
    hole: tuple[tuple[int, ...], ...]
    """Empty where a file does not tell a seat's cards."""
    board: tuple[int, ...]
    actions: tuple[tuple[str, int], ...]
    """What was decided in turn: `f`, `c`, or `r` with the total of the whole hand, 0 for a fixed
    raise."""
    net: tuple[float, ...]
    """What each seat won or lost, if the file tells it."""


@dataclass(frozen=True)
class RecordedMatch:
    """The hands of a file, and the rules that they were played by."""

    rules: Rules
    hands: Sequence[RecordedHand]
