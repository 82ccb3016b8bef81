"""A reader of no-limit hold'em hands in the PHH format (poker hand history, a dialect of TOML).

A ``.phhs`` file holds several hands as the tables ``[1]``, ``[2]``, …; each becomes a `Recorded`.
Only what our plain rules can play is read: variant ``NT``, two blinds and one ante for all.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from croupier.cards import DECK, parse_many
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules

BOARD_CARDS = 5


@dataclass(frozen=True)
class Recorded:
    """One hand of a file; seats count from the left of the button, as in the file."""

    name: str
    """The name of its table in the file."""
    stacks: tuple[int, ...]
    small_blind: int
    big_blind: int
    ante: int
    cards: tuple[int, ...]
    """The hole cards of seat 0, of seat 1, …, and then the board."""
    decisions: tuple[tuple[int, Decision], ...]
    """What was decided, as (seat, decision)."""
    finishing_stacks: tuple[int, ...]
    """The stacks after the hand, in whole chips."""
    notes: dict[str, Any]
    """The fields of the hand that begin with an underscore."""


def read(text: str) -> list[Recorded]:
    """Return the hands of the text of a ``.phhs`` file, in order."""
    return [_hand(name, table) for name, table in tomllib.loads(text).items()]


def play(recorded: Recorded) -> Hand:
    """Play a recorded hand by the plain rules; fail at the first decision that is not legal."""
    rules = Rules(
        stack=max(*recorded.stacks, recorded.big_blind, recorded.ante),
        small_blind=recorded.small_blind,
        big_blind=recorded.big_blind,
        ante=recorded.ante,
    )
    hand = Hand(rules, recorded.stacks, recorded.cards)
    for place, (seat, decision) in enumerate(recorded.decisions):
        where = f"hand {recorded.name}, decision {place + 1} ({decision})"
        assert hand.options is not None, f"{where}: the hand is already over"
        assert hand.actor == seat, f"{where}: seat {hand.actor} is asked, not seat {seat}"
        fault = hand.options.fault(decision)
        assert not fault, f"{where}: {fault}"
        hand.act(decision)
    assert hand.over, f"hand {recorded.name}: seat {hand.actor} is still asked"
    return hand


def _hand(name: str, table: dict[str, Any]) -> Recorded:
    if table["variant"] != "NT":
        raise ValueError(f"hand {name}: {table['variant']!r} is not no-limit hold'em")
    small_blind, big_blind, *others = table["blinds_or_straddles"]
    if any(others) or table["min_bet"] != big_blind:
        raise ValueError(f"hand {name}: only a small and a big blind can be read")
    if len(set(table["antes"])) != 1:
        raise ValueError(f"hand {name}: only the same ante for everyone can be read")
    stacks = tuple(table["starting_stacks"])
    hole: list[list[int]] = [[] for _ in stacks]
    board: list[int] = []
    decisions: list[tuple[int, Decision]] = []
    for action in table["actions"]:
        match action.partition("#")[0].split():
            case ["d", "db", cards]:
                board += parse_many(cards)
            case ["d", "dh", player, cards]:
                hole[_seat(player)] = _known(cards)
            case [player, "f"]:
                decisions.append((_seat(player), FOLD))
            case [player, "cc"]:
                decisions.append((_seat(player), CALL))
            case [player, "cbr", total]:
                decisions.append((_seat(player), raise_to(int(total))))
            case [player, "sm", cards] if cards != "-":
                hole[_seat(player)] = _known(cards)
            case [_, "sm"] | [_, "sm", "-"]:
                pass
            case words:
                raise ValueError(f"hand {name}: the action {' '.join(words)!r} is unknown")
    return Recorded(
        name=name,
        stacks=stacks,
        small_blind=small_blind,
        big_blind=big_blind,
        ante=table["antes"][0],
        cards=_filled(hole, board),
        decisions=tuple(decisions),
        finishing_stacks=_whole(table["finishing_stacks"], sum(stacks)),
        notes={key: value for key, value in table.items() if key.startswith("_")},
    )


def _whole(stacks: Sequence[float], total: int) -> tuple[int, ...]:
    """Return stacks in whole chips: the first winners left of the button get the odd ones whole.

    Some files have an odd chip of a split pot in halves.
    """
    whole = [int(stack) for stack in stacks]
    parts = [seat for seat, stack in enumerate(stacks) if stack != whole[seat]]
    for seat in parts[: total - sum(whole)]:
        whole[seat] += 1
    return tuple(whole)


def _seat(player: str) -> int:
    return int(player.removeprefix("p")) - 1


def _known(cards: str) -> list[int]:
    return [] if "?" in cards else parse_many(cards)


def _filled(hole: Sequence[Sequence[int]], board: Sequence[int]) -> tuple[int, ...]:
    """Return all cards in a row; those that the file does not tell are the lowest unused ones."""
    used = {card for cards in (*hole, board) for card in cards}
    unused = iter([card for card in DECK if card not in used])
    row: list[int] = []
    for cards, size in [(cards, 2) for cards in hole] + [(board, BOARD_CARDS)]:
        row += cards
        row += [next(unused) for _ in range(size - len(cards))]
    return tuple(row)
