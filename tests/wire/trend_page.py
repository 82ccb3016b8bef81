"""The games whose messages the page for bot authors shows: `python -m tests.wire.trend_page`."""

import json
from collections.abc import Sequence
from typing import Any

from croupier.cards import parse
from croupier.rules.sets import TREND
from tests.wire.trend_game import RELOAD_MESSAGE, Game, message

CALL, CHECK, FOLD, ALLIN = (message(word) for word in ("call", "check", "fold", "allin"))


class PageCards:
    """Players sit as they joined; each round has the same cards."""

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        text = "JC KS 9D JD 8H KD 8S QC QS QD 2S"
        return [parse(card) for card in text.split()][:count]

    def seats(self, players: int) -> list[int]:
        return list(range(players))


def page_messages() -> list[bytes]:
    """Return everything that alice hears in the games of the page, in order."""
    game = Game(TREND.with_fields({"hands": 2}), ["alice", "bob", "carol"], PageCards())
    game.join(0, "alice")
    game.join(1, "bob")
    game.leave(1)
    game.rejoin(1)
    game.join(2, "carol")
    while not game.match.asked >= 0:
        game.tick()

    def say(*texts: bytes) -> None:
        for text in texts:
            game.receive(game.match.asked, text)

    say(message("raise"))
    game.leave(0)
    game.rejoin(0)
    say(CALL, FOLD, message("bet", amount=100), CALL, CHECK, CHECK, CHECK, CHECK)
    game.receive(0, RELOAD_MESSAGE)
    game.tick()
    say(FOLD, FOLD)
    stopped = Game(TREND, ["alice", "bob", "carol"], PageCards())
    stopped.start()
    stopped.stop()
    return game.sent[0] + [text for text in stopped.sent[0] if b"__game_stop" in text]


def pretty(value: Any, indent: str = "") -> str:
    """Write JSON with each player on a line."""
    if isinstance(value, dict) and any(isinstance(v, dict | list) and v for v in value.values()):
        deep = any(isinstance(v, dict) for v in value.values()) or "players" in value
        if deep and "playerName" not in value:
            inner = indent + "  "
            rows = [f'{inner}"{key}": {pretty(item, inner)}' for key, item in value.items()]
            return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        inner = indent + "  "
        return "[\n" + ",\n".join(inner + json.dumps(item) for item in value) + f"\n{indent}]"
    return json.dumps(value)


if __name__ == "__main__":
    for text in page_messages():
        print(pretty(json.loads(text)))
