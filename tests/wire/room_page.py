"""The games whose frames the page for bot authors shows: `python -m tests.wire.room_page`."""

import json
from collections.abc import Callable
from typing import Any

from croupier.cards import parse_many
from croupier.dialects.room.reader import V1, V2
from croupier.match.audience import Policy
from croupier.rules.rules import Rules
from croupier.rules.sets import ROOM, ROOM2
from tests.wire.room_game import BOARD, BOT, Game, Place, ScriptedChance

RULES = {V1: ROOM, V2: ROOM2}
THREE = (Place("Bob", V1), Place("Alice", V1), Place("CallAgent0", BOT))
DEALT = {
    0: parse_many("KdQd"),
    1: parse_many("7s9c"),
    2: parse_many("AcTh"),
    BOARD: parse_many("8hJc9s4s3h"),
}


def begun(rules: Rules, places: tuple[Place, ...], policy: Policy | None = None) -> Game:
    """Return a game whose players sit in this order, with the cards of the page."""
    dealt = {place: cards for place, cards in DEALT.items() if place < len(places)}
    game = Game(rules, places, ScriptedChance(range(len(places)), {1: dealt}), policy)
    game.start()
    game.start_all()
    return game


def play(game: Game, words: str) -> None:
    """Let whoever is asked act, one word after the other."""
    for word in words.split():
        if game.places[game.match.asked].version == BOT:
            game.act(word)
        else:
            game.say(word)


def pair(version: int, policy: Policy | None = None, hands: int = 0) -> Game:
    """Return a game of Bob and Alice."""
    rules = RULES[version].with_fields({"hands": hands})
    return begun(rules, (Place("Bob", version), Place("Alice", version)), policy)


def first_version() -> Game:
    """Three players: a showdown, and the beginning of the next hand."""
    game = begun(ROOM, THREE)
    play(game, "call r300 call call r600 call fold check check check check")
    game.start_all()
    return game


def all_in() -> Game:
    """Three players: a hand in which nobody can act any more before the flop."""
    game = begun(ROOM, THREE)
    play(game, "fold r20000 call")
    return game


def second_version() -> Game:
    """Two players: a showdown, a hand that ends by a fold, and the end."""
    game = pair(V2, hands=2)
    play(game, "call check check check check check check check")
    game.start_all()
    play(game, "r300 fold")
    game.start_all()
    return game


def watched(version: int = V1) -> Game:
    """Two players and somebody who watches them."""
    game = pair(version, Policy())
    play(game, "r300 call check check check check check check" if version == V1 else "r300 fold")
    return game


def troubled() -> list[Game]:
    """One game for each way in which a player can end a room."""
    games = []
    for version in (V1, V2):
        for trouble in TROUBLES:
            game = pair(version)
            trouble(game)
            games.append(game)
    return games


def _unready(game: Game) -> None:
    play(game, "fold")
    game.take(0, {"info": "start"})
    game.wait(ROOM.ready_ms / 1000)


def _leave(game: Game) -> None:
    play(game, "call")
    game.leave(1)


def _be_late(game: Game) -> None:
    play(game, "call")
    game.wait(ROOM.decision_ms / 1000)


def _let_alice_act(game: Game, frame: dict[str, Any]) -> None:
    play(game, "call")
    game.take(1, frame)


TROUBLES: tuple[Callable[[Game], None], ...] = (
    lambda game: _let_alice_act(game, {"info": "action", "action": "r101"}),
    lambda game: _let_alice_act(game, {"info": "action"}),
    lambda game: _let_alice_act(game, {"info": "exit"}),
    _leave,
    _be_late,
    _unready,
    lambda game: game.stop(),
)


def page_frames() -> list[str]:
    """Return every frame that Alice, or who watches, gets in the games of the page."""
    games = [first_version(), all_in(), second_version(), *troubled()]
    frames = [text for game in games for text in game.texts[1]]
    frames += [text for game in troubled() for text in game.texts[0]]
    return frames + [text for version in (V1, V2) for _, text in watched(version).watched]


def pretty(text: str) -> str:
    """Write a frame with two fields on a line at most."""
    value = json.loads(text)
    if len(text) < 90:
        return text
    rows = [f'"{key}": {json.dumps(item)}' for key, item in value.items()]
    lines = [rows[0]]
    for row in rows[1:]:
        if len(lines[-1]) + len(row) < 110:
            lines[-1] += f", {row}"
        else:
            lines.append(row)
    return "{" + ",\n ".join(lines) + "}"


if __name__ == "__main__":
    for name, frames in {
        "first": first_version().texts[1],
        "all in": all_in().texts[1],
        "second": second_version().texts[1],
        "watched": [text for _, text in watched().watched],
        "watched, second version": [text for _, text in watched(V2).watched],
        "troubled": [game.texts[0][-1] for game in troubled()],
    }.items():
        print(f"--- {name}")
        for text in frames:
            print(pretty(text))
