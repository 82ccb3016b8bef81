"""Game definitions: the `.game` files by which research programs know their games.

A definition lists stacks and blinds by position and bets, caps and board cards by round. Not every
game can be defined so: `definition_problem` says why one cannot.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from croupier.rules import rules as r
from croupier.rules.rules import MAX_CHIPS, MAX_SEATS, Rules, RulesError
from croupier.rules.sets import ACPC_LIMIT, ACPC_NOLIMIT

NO_STACK: Final = 2**31 - 1
"""The stack of a definition that names none."""
NO_CAP: Final = 255
"""The number of raises that stands for any number."""
MAX_ACTIONS: Final = 64
"""The most actions of a round that programs can keep."""
_LIMIT, _NO_LIMIT = "limit", "nolimit"
_KEYS: Final[tuple[str, ...]] = (
    "numplayers", "numrounds", "stack", "blind", "raisesize", "maxraises", "firstplayer",
    "numsuits", "numranks", "numholecards", "numboardcards",
)  # fmt: skip
_LINE: Final = re.compile(r"([a-z]+)\s*=?\s*([0-9 \t]{0,400})")

_REQUIRED: Final[dict[str, Any]] = {
    "stacks": r.RESET,
    "reserve": 0,
    "reloads": 0,
    "blinds_double": r.NEVER,
    "rotation": r.BUTTON,
    "later_start": r.LEFT_OF_BUTTON,
    "min_raise": r.STANDARD,
    "verb_cap": r.UNLIMITED,
    "short_all_in_reopens": True,
    "small_opening": False,
    "raise_unanswered": False,
    "free_fold": False,
    "ask_last": False,
    "ask_lone": False,
    "ask_all_in": False,
    "max_timeouts": 0,
    "out_below_big_blind": False,
}
"""The settings that every definition implies."""


def definition_problem(rules: Rules) -> str:
    """Return why no definition can express a game, or an empty string."""
    if rules.game == r.KUHN:
        return "a definition has the highest ranks, and kuhn is played with J, Q and K"
    for key, value in _REQUIRED.items():
        if getattr(rules, key) != value:
            wanted = str(value).lower() if isinstance(value, bool) else value
            return f"a definition implies {key} = {wanted}"
    if not 0 < rules.action_cap <= MAX_ACTIONS:
        return f"a definition implies action_cap = {MAX_ACTIONS}"
    if rules.ante and not rules.ante_only:
        return "a definition has blinds or antes, not both"
    if not rules.ante_only and rules.heads_up != r.BUTTON_SMALL:
        return f"a definition implies heads_up = {r.BUTTON_SMALL}"
    if rules.ante_only and not any(rules.fixed_bets) and rules.big_blind != rules.ante:
        return "with antes alone a definition implies big_blind = ante"
    if rules.hole_cards > 3:
        return "a definition has 3 hole cards at most"
    if not any(rules.fixed_bets) and any(cap >= 0 for cap in rules.raise_caps):
        return "a definition without limits has no caps on raises"
    return ""


def usual_seats(rules: Rules) -> int:
    """Return how many players a game is for, if nobody says it."""
    return rules.max_seats if rules.game == r.CUSTOM else 2


def definition(rules: Rules, seats: int) -> str:
    """Return the definition of a game for a number of players; raise RulesError if it has none."""
    problem = definition_problem(rules)
    if problem:
        raise RulesError(f"{rules.name} has no game definition: {problem}")
    if not 2 <= seats <= rules.max_seats:
        raise RulesError(f"{rules.name} seats 2 to {rules.max_seats} players, not {seats}")
    limit = any(rules.fixed_bets)
    lines = [
        _LIMIT if limit else _NO_LIMIT,
        f"numPlayers = {seats}",
        f"numRounds = {len(rules.streets)}",
        f"stack = {_row([rules.stack] * seats)}",
        f"blind = {_row(_blinds(rules, seats))}",
    ]
    if limit:
        caps = [NO_CAP if cap < 0 else cap for cap in rules.raise_caps]
        lines += [f"raiseSize = {_row(rules.fixed_bets)}", f"maxRaises = {_row(caps)}"]
    lines += [
        f"firstPlayer = {_row(_first_players(rules.ante_only, len(rules.streets), seats))}",
        f"numSuits = {rules.suits}",
        f"numRanks = {rules.ranks}",
        f"numHoleCards = {rules.hole_cards}",
        f"numBoardCards = {_row(rules.streets)}",
    ]
    return "\n".join(["GAMEDEF", *lines, "END GAMEDEF"]) + "\n"


def _row(numbers: Any) -> str:
    return " ".join(map(str, numbers))


def _blinds(rules: Rules, seats: int) -> list[int]:
    if rules.ante_only:
        return [rules.ante] * seats
    if seats == 2:
        return [rules.big_blind, rules.small_blind]
    return [rules.small_blind, rules.big_blind] + [0] * (seats - 2)


def _first_players(ante_only: bool, rounds: int, seats: int) -> list[int]:
    """Return who starts each round, counted from 1 at the left of the button."""
    first = 1 if ante_only else 2 if seats == 2 else 3 % seats or seats
    return [first] + [1] * (rounds - 1)


def read_definition(text: str, name: str) -> Rules:
    """Return the rules of a definition; raise RulesError if it is wrong or cannot be played here.

    Its number of players becomes `max_seats`.
    """
    limit, values = _values(text)
    given: dict[str, list[int]] = dict(values)

    def one(key: str, low: int, high: int, usual: int | None = None) -> int:
        numbers = given.get(key, [] if usual is None else [usual])
        if len(numbers) != 1 or not low <= numbers[0] <= high:
            raise RulesError(f"{key} is one number from {low} to {high}")
        return numbers[0]

    def row(key: str, count: int, usual: Callable[[], list[int]] | None = None) -> list[int]:
        numbers = given.get(key)
        if numbers is None and usual is not None:
            return usual()
        if numbers is None or len(numbers) < count:
            raise RulesError(f"{key} has {count} numbers")
        return numbers[:count]

    seats = one("numplayers", 2, MAX_SEATS)
    rounds = one("numrounds", 1, 4)
    blinds = row("blind", seats)
    stacks = row("stack", seats, lambda: [NO_STACK] * seats)
    first = row("firstplayer", rounds, lambda: [1] * rounds)
    streets = row("numboardcards", rounds)
    if len(set(stacks)) > 1:
        raise RulesError("stack: all players have the same here")
    changes: dict[str, Any] = {"name": name, "max_seats": seats}
    changes |= {"stack": min(stacks[0], MAX_CHIPS)}
    changes |= _posts(blinds, seats)
    if first != _first_players(bool(changes.get("ante_only")), rounds, seats):
        raise RulesError("firstplayer: who starts each round is fixed here by the blinds")
    changes |= _cards(one("numranks", 1, 13), one("numsuits", 1, 4), one("numholecards", 1, 3),
                      tuple(streets))  # fmt: skip
    if limit:
        caps = row("maxraises", rounds, lambda: [NO_CAP] * rounds)
        changes["fixed_bet"] = tuple(row("raisesize", rounds))
        changes["raise_cap"] = tuple(-1 if cap >= NO_CAP else cap for cap in caps)
    else:
        changes |= {"fixed_bet": 0, "raise_cap": r.UNLIMITED}
    return (ACPC_LIMIT if limit else ACPC_NOLIMIT).with_fields(changes)


def _values(text: str) -> tuple[bool, list[tuple[str, list[int]]]]:
    """Return whether the game is a limit game, and its keys with their numbers."""
    lines = [line.strip().lower() for line in text.splitlines() if not line.startswith("#")]
    lines = [line for line in lines if line]
    if not lines or lines[0] != "gamedef" or lines[-1] != "end gamedef":
        raise RulesError("a game definition begins with GAMEDEF and ends with END GAMEDEF")
    kinds = [line for line in lines if line in (_LIMIT, _NO_LIMIT)]
    if len(kinds) != 1:
        raise RulesError("a game definition has one line limit or nolimit")
    values: list[tuple[str, list[int]]] = []
    for line in lines[1:-1]:
        if line in (_LIMIT, _NO_LIMIT):
            continue
        match = _LINE.fullmatch(line)
        if match is None or match[1] not in _KEYS:
            raise RulesError(f"a game definition has no line {line[:40]!r}")
        if any(match[1] == key for key, _ in values):
            raise RulesError(f"{match[1]} is there twice")
        values.append((match[1], [int(number) for number in match[2].split()]))
    return kinds[0] == _LIMIT, values


def _posts(blinds: list[int], seats: int) -> dict[str, Any]:
    """Return blinds or antes; other rows than those of the usual games are refused."""
    if blinds[0] and len(set(blinds)) == 1:
        return {"ante": blinds[0], "ante_only": True, "small_blind": 0, "big_blind": blinds[0]}
    small, big = (blinds[1], blinds[0]) if seats == 2 else (blinds[0], blinds[1])
    if any(blinds[2:]) or not big or small > big:
        raise RulesError("blind: a small and a big blind, or the same ante for everybody")
    return {"small_blind": small, "big_blind": big}


def _cards(ranks: int, suits: int, hole: int, streets: tuple[int, ...]) -> dict[str, Any]:
    if (ranks, suits, hole, streets) == (13, 4, 2, (0, 3, 1, 1)):
        return {}
    custom = {"ranks": ranks, "suits": suits, "hole_cards": hole, "streets": streets}
    return {"game": r.CUSTOM} | custom
