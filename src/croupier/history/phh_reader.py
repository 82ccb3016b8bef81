"""Read hold'em hands in the PHH format, one hand or several to a file."""

import tomllib
from typing import Any

from croupier.cards import parse_many
from croupier.history.printable import plain
from croupier.history.recorded import ImportFileError, RecordedHand, RecordedMatch
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN

SHARED = ("blinds_or_straddles", "antes", "starting_stacks")
"""What is the same in all hands of a file."""


def read_phh(text: str, rules: Rules | None) -> RecordedMatch:
    """Return the hands of a file; without rules, no-limit hold'em with its blinds and stacks."""
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportFileError(f"it is not TOML: {error}") from None
    tables = {"1": values} if "variant" in values else values
    hands: list[RecordedHand] = []
    first: dict[str, Any] = {}
    for name, table in tables.items():
        where = f"hand {plain(name)}"
        try:
            first = first or table
            hands.append(_hand(where, table, first))
        except (KeyError, TypeError, AttributeError) as error:
            raise ImportFileError(f"{where} is not a hand of PHH: {error}") from None
        except ValueError as error:
            raise ImportFileError(f"{where}: {error}") from None
    if not hands:
        raise ImportFileError("there is no hand in it")
    return RecordedMatch(rules or _rules(first), hands)


def _rules(table: dict[str, Any]) -> Rules:
    small, big = table["blinds_or_straddles"][:2]
    return PLAIN.with_fields(
        {
            "name": "phh",
            "stack": table["starting_stacks"][0],
            "small_blind": small,
            "big_blind": big,
            "ante": table["antes"][0],
        }
    )


def _hand(where: str, table: dict[str, Any], first: dict[str, Any]) -> RecordedHand:
    if table["variant"] not in ("NT", "FT"):
        raise ValueError(f"{table['variant']!r} is not hold'em")
    for key in SHARED:
        if table[key] != first[key]:
            raise ValueError(f"{key} is another than in the first hand")
    stacks = table["starting_stacks"]
    size = len(stacks)
    for key in SHARED:
        if not isinstance(table[key], list) or len(table[key]) != size or size < 2:
            raise ValueError(f"{key} is a list with a number for each of two players or more")
    if len(set(stacks)) > 1 or len(set(table["antes"])) > 1:
        raise ValueError("only hands that all players begin with the same stack can be imported")
    names = tuple(table.get("players") or (f"p{seat + 1}" for seat in range(size)))
    hole: list[tuple[int, ...]] = [()] * size
    put = [0] * size
    bets = [0] * size
    board: list[int] = []
    actions: list[tuple[str, int]] = []
    small, big = table["blinds_or_straddles"][:2]
    posts = (big, small) if size == 2 else (small, big)
    for seat, blind in enumerate(posts):
        put[seat] = bets[seat] = blind
    for action in table["actions"]:
        words = action.partition("#")[0].split()
        match words:
            case ["d", "db", cards]:
                board += parse_many(cards)
                bets = [0] * size
            case ["d", "dh", player, cards] | [player, "sm", cards] if "?" not in cards:
                hole[_seat(player, size)] = tuple(parse_many(cards)) if cards != "-" else ()
            case [_, "f"]:
                actions.append(("f", 0))
            case [player, "cc"]:
                seat = _seat(player, size)
                owed = max(bets) - bets[seat]
                put[seat] += owed
                bets[seat] += owed
                actions.append(("c", 0))
            case [player, "cbr", total]:
                seat = _seat(player, size)
                put[seat] += int(total) - bets[seat]
                bets[seat] = int(total)
                actions.append(("r", put[seat] + table["antes"][0]))
            case [] | ["d", "dh", _, _] | [_, "sm"] | [_, "sm", _]:
                pass
            case _:
                raise ValueError(f"the action {' '.join(words)!r} is unknown")
    ends = table.get("finishing_stacks")
    net = () if ends is None else tuple(b - a for a, b in zip(stacks, ends, strict=True))
    return RecordedHand(where, names, tuple(hole), tuple(board), tuple(actions), net)


def _seat(player: str, size: int) -> int:
    players = [f"p{number}" for number in range(1, size + 1)]
    if player not in players:
        raise ValueError(f"{player!r} is none of the players, p1 to p{size}")
    return players.index(player)
