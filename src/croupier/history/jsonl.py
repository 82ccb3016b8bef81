"""Export a match as JSON lines, with everything that may be known about it.

The first line describes the match (`"line": "match"`). Each hand starts with a line of its own
(`"line": "hand"`) with the books after it, followed by one line per event (`"line": "event"`) with
its fields by name. Cards are integers, 4 × rank + suit; -1 is a card that is not open yet.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import msgspec

from croupier.store.codec import to_object
from croupier.store.queries import HandRow, MatchRow

_encode = msgspec.json.Encoder().encode


def match_object(match: MatchRow) -> dict[str, Any]:
    """Return a match's header as an object; the seed is null until the match has ended."""
    return {
        "match": match.id,
        "arena": match.arena,
        "began": match.began,
        "ended": match.ended,
        "version": match.version,
        "players": match.players,
        "rules": match.rules.as_dict(),
        "hands": match.hands,
        "standings": [asdict(line) for line in match.standings],
        "commitment": match.commitment,
        "secret": match.secret,
        "seed": None if match.seed is None else match.seed.hex(),
        "salt": None if match.salt is None else match.salt.hex(),
        **match.deals,
        "result": match.result,
    }


def hand_object(hand: HandRow) -> dict[str, Any]:
    """Return a hand as an object, without its events."""
    return {"hand": hand.number, "ended": hand.ended, "void": hand.void, "state": hand.state}


def lines(match: MatchRow, hands: Iterable[HandRow]) -> Iterator[str]:
    """Yield the lines of a match, all lines of a hand as one string."""
    yield _line({"line": "match"} | match_object(match))
    for hand in hands:
        rows = [{"line": "hand"} | hand_object(hand)]
        rows += [{"line": "event", "hand": hand.number} | to_object(e) for e in hand.events]
        yield "".join(map(_line, rows))


def _line(value: dict[str, Any]) -> str:
    return _encode(value).decode() + "\n"
