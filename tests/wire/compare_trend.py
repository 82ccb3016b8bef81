"""Compare recorded `trend` traffic with our messages: `python -m tests.wire.compare_trend FILE…`.

Key sets, key order and value types of every event have to be those of our own messages, apart from
the differences that are listed here by name. A file has one JSON object a line: `{t, to, msg}`, or
the message itself; then its key order is lost and only the sets are compared.

Our side is not written down but played: a few games without sockets show each shape.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.match.chance import SeededChance
from croupier.match.match import RELOAD
from croupier.rules.sets import TREND
from tests.wire.trend_game import Game, Reply, message

Keys = tuple[str, ...]

REQUESTS = ("__action", "__bet")
PEERS = ("__new_peer_2", "__left_2")


@dataclass(frozen=True)
class Place:
    """Where in a message something stands, such as `.players[].chips` in `__deal`."""

    event: str
    path: str

    def ends(self, *ends: str) -> bool:
        return self.path.endswith(ends)


def walk(value: Any, event: str, path: str = "") -> Iterator[tuple[Place, Any]]:
    """Return every object, array and plain value of a message with its place."""
    yield Place(event, path), value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(inner, event, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner, event, f"{path}[]")


def kind_of(value: Any) -> str:
    return "number" if type(value) in (int, float) else type(value).__name__


@dataclass
class Shapes:
    """The key orders and types that occur at each place."""

    keys: dict[Place, set[Keys]] = field(default_factory=dict)
    kinds: dict[Place, set[str]] = field(default_factory=dict)

    def add(self, text: bytes) -> None:
        whole = json.loads(text)
        for place, value in walk(whole["data"], whole["eventName"]):
            self.kinds.setdefault(place, set()).add(kind_of(value))
            if isinstance(value, dict):
                self.keys.setdefault(place, set()).add(tuple(value))


def ours() -> Shapes:
    """Play until every shape of our messages has been seen."""
    shapes = Shapes()
    for seed, players in enumerate((2, 3, 5)):
        dice = random.Random(seed)
        names = [f"name {index}" for index in range(players)]
        game = Game(TREND.with_fields({"hands": 25}), names, SeededChance(bytes([seed]) * 32))
        game.on_message = lambda _, text: shapes.add(text)

        def answer(
            game: Game, player: int, dice: random.Random = dice, others: int = players
        ) -> Reply:
            gone = (player + 1) % others
            if dice.random() < 0.1 and not game.match.players[gone].out:
                game.leave(gone)
                game.rejoin(gone)
            words = ("call", "check", "raise", "bet", "fold", "allin")
            return message(dice.choice(words), amount=50)

        def reload(game: Game) -> None:
            if game.match.phase == RELOAD:
                game.leave(0)
                game.rejoin(0)

        game.start()
        game.run(answer, reload)
    stopped = Game(TREND, ["a", "b"], SeededChance(bytes(32)))
    stopped.on_message = lambda _, text: shapes.add(text)
    stopped.start()
    stopped.stop()
    return shapes


# The differences: what is done to their keys, or their types, to get ours.


def without(keys: Keys, *names: str) -> Keys:
    return tuple(key for key in keys if key not in names)


def with_after(keys: Keys, name: str, *before: str) -> Keys:
    """Put a key behind the first of these that is there."""
    rest = without(keys, name)
    for other in before:
        if other in rest:
            index = rest.index(other) + 1
            return (*rest[:index], name, *rest[index:])
    return keys


def is_player(place: Place) -> bool:
    return place.ends(".players[]", ".self") and place.event not in (*PEERS, "__start_reload")


def no_private_name(place: Place, keys: Keys) -> Keys:
    return without(keys, "plainName")


def always_cards(place: Place, keys: Keys) -> Keys:
    if is_player(place) and place.event not in REQUESTS and "cards" not in keys:
        return with_after(keys, "cards", "allIn")
    if place.path == ".basicData.players[]" and "cards" not in keys:
        return with_after(keys, "cards", "allIn")
    return keys


def cards_behind_all_in(place: Place, keys: Keys) -> Keys:
    if place.ends(".players[]", ".self") and "cards" in keys:
        return with_after(keys, "cards", "allIn")
    return keys


def always_online_and_human(place: Place, keys: Keys) -> Keys:
    if not place.ends(".players[]") or place.event == "__start_reload" or "chips" not in keys:
        return keys
    last = ("minBet", "winMoney", "bet")
    keys = keys if "isOnline" in keys else with_after(keys, "isOnline", *last)
    return keys if "isHuman" in keys else with_after(keys, "isHuman", "isOnline")


def self_is_no_peer(place: Place, keys: Keys) -> Keys:
    return without(keys, "isOnline", "isHuman") if place.ends(".self") else keys


def always_chips_of_the_game(place: Place, keys: Keys) -> Keys:
    if place.ends(".table") and "initChips" not in keys:
        keys = with_after(keys, "initChips", "totalBet")
        return with_after(keys, "maxReloadCount", "initChips")
    return keys


def no_current_player(place: Place, keys: Keys) -> Keys:
    return without(keys, "currentPlayer") if place.ends(".table") else keys


def players_last_in_game(place: Place, keys: Keys) -> Keys:
    return with_after(keys, "players", "bigBlind") if place.path == ".game" else keys


def action_first(place: Place, keys: Keys) -> Keys:
    if place == Place("__show_action", "") and "action" in keys:
        return ("action", *without(keys, "action"))
    return keys


def join_has_the_state(place: Place, keys: Keys) -> Keys:
    return keys or (("players", "table") if place == Place("_join", "") else keys)


KEYS: dict[str, Callable[[Place, Keys], Keys]] = {
    "plainName is never sent": no_private_name,
    "cards are always there, [] if hidden": always_cards,
    "cards stand behind allIn": cards_behind_all_in,
    "isOnline and isHuman are always there": always_online_and_human,
    "self has neither isOnline nor isHuman": self_is_no_peer,
    "initChips and maxReloadCount are always there": always_chips_of_the_game,
    "currentPlayer is not sent": no_current_player,
    "players come last in game": players_last_in_game,
    "action comes first in __show_action": action_first,
    "_join always has the state": join_has_the_state,
}

KINDS: dict[str, Callable[[Place, str], bool]] = {
    "tableNumber is a string": lambda place, kind: place.ends("tableNumber") and kind == "number",
    "the data of __left is an array": lambda place, kind: (
        place == Place("__left", "") and kind == "dict"
    ),
    "players in __new_peer_2 are objects": lambda place, kind: (
        place.event in PEERS and place.path == ".players[]" and kind == "str"
    ),
}
FOREIGN = {"the data of __left is an array": Place("__left", "")}


@dataclass
class Comparison:
    """What a file has in common with our messages, and what not."""

    named: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)

    @property
    def table(self) -> str:
        rows = [f"{count:8}  {name}" for name, count in sorted(self.named.items())]
        rows += [f"{count:8}  NOT KNOWN: {name}" for name, count in sorted(self.unknown.items())]
        return "\n".join(rows)


def compare(lines: list[str], shapes: Shapes) -> Comparison:
    """Compare recorded messages with ours."""
    result = Comparison()
    for line in lines:
        row = json.loads(line)
        ordered = "msg" in row
        whole = row["msg"] if ordered else row
        event = whole["eventName"]
        if event is None and not ordered:
            result.named["a message without a name is left out"] += 1
            continue
        result.events[event] += 1
        if Place(event, "") not in shapes.kinds:
            result.unknown[f"the event {event}"] += 1
            continue
        if ordered and tuple(whole) != ("eventName", "data"):
            result.unknown[f"{event}: {tuple(whole)}"] += 1
        _compare(event, whole["data"], shapes, result, ordered)
    return result


def _compare(event: str, data: Any, shapes: Shapes, result: Comparison, ordered: bool) -> None:
    for place, value in walk(data, event):
        kind = kind_of(value)
        if kind not in shapes.kinds.get(place, ()):
            known = place.path.rpartition(".")[2] in ("plainName", "currentPlayer", "isHuman")
            known = known or place.path in (".self.isOnline",)
            name = next((name for name, fits in KINDS.items() if fits(place, kind)), "")
            if name:
                result.named[name] += 1
                if name in FOREIGN:
                    return
            elif not known:
                result.unknown[f"{event}{place.path}: {kind}"] += 1
        if isinstance(value, dict):
            _compare_keys(place, tuple(value), shapes, result, ordered)


def _compare_keys(
    place: Place, keys: Keys, shapes: Shapes, result: Comparison, ordered: bool
) -> None:
    possible = shapes.keys.get(place, set())
    names = []
    for name, change in KEYS.items():
        changed = change(place, keys)
        if changed != keys if ordered else set(changed) != set(keys):
            names.append(name)
        keys = changed
    same = keys in possible if ordered else set(keys) in [set(row) for row in possible]
    if same:
        result.named.update(names)
    else:
        result.unknown[f"{place.event}{place.path}: {keys}"] += 1


def main(files: list[str]) -> int:
    """Print a table for each file."""
    shapes = ours()
    failed = False
    for name in files:
        result = compare(Path(name).read_text("utf-8").splitlines(), shapes)
        print(f"{name}: {sum(result.events.values())} messages, {len(result.events)} events")
        print(result.table)
        failed = failed or bool(result.unknown)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
