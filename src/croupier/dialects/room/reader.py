"""Parsing of a player's frames into messages, and of messages into decisions.

The first frame of a connection asks for a seat in a room, to watch a room, or to watch house bots.
It is parsed leniently, since real programs omit fields. Every later frame answers a question or
signals that the player is ready.
"""

from dataclasses import dataclass
from typing import Any, Final

from croupier.dialects.base import PLAIN_CALL, PLAIN_FOLD, Answer, Illegal
from croupier.dialects.nonces import WHAT, is_nonce
from croupier.dialects.session import Watch, WatchBots
from croupier.rules.decisions import Options, raise_to
from croupier.rules.rules import MAX_SEATS

V1: Final = 1
"""The version of the specification."""
V2: Final = 2
"""The later one, which a connect with `game_number` asks for."""

MAX_TEXT: Final = 64
"""The longest name or room id, in characters. A security limit."""

MAX_GAMES: Final = 10**9

NO_ACTION: Final = "no action in the message"
ILLEGAL_ACTION: Final = "illegal action"
EXIT: Final = "exit the room"


@dataclass(frozen=True, slots=True)
class Connect:
    """A player wants a seat; the first one determines the room's size, bots and hands."""

    room: str
    name: str
    seats: int
    bots: tuple[str, ...]
    hands: int | None
    nonce: str = ""

    @property
    def version(self) -> int:
        """The version that the player speaks."""
        return V1 if self.hands is None else V2


@dataclass(frozen=True, slots=True)
class Wrong:
    """An invalid first frame; the text says why."""

    text: str


def first_message(frame: dict[str, Any]) -> Connect | Watch | WatchBots | Wrong:
    """Parse the first frame of a connection."""
    try:
        info = frame.get("info")
        if info == "observer":
            return Watch(_room(frame))
        if info == "ai_vs_ai":
            return _watch_bots(frame)
        if info == "connect" or (info is None and "room_number" in frame):
            return _connect(frame)
    except _WrongError as wrong:
        return Wrong(str(wrong))
    return Wrong("the first message has to be a connect, such as " + EXAMPLE)


EXAMPLE: Final = '{"info": "connect", "room_id": 1, "name": "Bob", "room_number": 2, "bots": []}'


class _WrongError(ValueError):
    """An invalid field; the message says which and why."""


def _connect(frame: dict[str, Any]) -> Connect:
    name = frame.get("name")
    if not isinstance(name, str) or not _is_plain(name):
        raise _WrongError(
            f"name is a text of 1 to {MAX_TEXT} printable characters, not {_shown(name)}"
        )
    seats, bots = _seats(frame), _bots(frame)
    if len(bots) >= seats:
        raise _WrongError(
            f"{len(bots)} bots leave no seat for a player in a room of {seats}"
            " (room_number counts the bots too)"
        )
    nonce = frame.get("nonce")
    if nonce is not None and not is_nonce(nonce):
        raise _WrongError(f"{WHAT}, not {_shown(nonce)}")
    return Connect(_room(frame), name, seats, bots, _hands(frame), nonce or "")


def _watch_bots(frame: dict[str, Any]) -> WatchBots:
    seats, bots = _seats(frame), _bots(frame)
    if len(bots) != seats:
        raise _WrongError(f"room_number is {seats}, but there are {len(bots)} bots")
    hands = _hands(frame)
    return WatchBots(_room(frame), bots, hands, V1 if hands is None else V2)


def _room(frame: dict[str, Any]) -> str:
    room = frame.get("room_id", 0)
    if isinstance(room, int | str) and not isinstance(room, bool):
        text = str(room) if -(10**18) < _size(room) < 10**18 else ""
        if _is_plain(text):
            return text
    raise _WrongError(f"room_id is a number or a short text, not {_shown(room)}")


def _size(value: int | str) -> int:
    return value if isinstance(value, int) else 0


def _seats(frame: dict[str, Any]) -> int:
    seats = _whole(frame.get("room_number"))
    if seats is None or not 2 <= seats <= MAX_SEATS:
        raise _WrongError(
            f"room_number is from 2 to {MAX_SEATS}, not {_shown(frame.get('room_number'))}"
        )
    return seats


def _bots(frame: dict[str, Any]) -> tuple[str, ...]:
    bots = frame.get("bots", [])
    if bots is None:
        return ()
    if not isinstance(bots, list) or not all(isinstance(bot, str) for bot in bots):
        raise _WrongError(f"bots is a list of names, not {_shown(bots)}")
    return tuple(bots)


def _hands(frame: dict[str, Any]) -> int | None:
    if frame.get("game_number") is None:
        return None
    hands = _whole(frame["game_number"])
    if hands is None or not 1 <= hands <= MAX_GAMES:
        raise _WrongError(
            f"game_number is from 1 to {MAX_GAMES}, not {_shown(frame['game_number'])}"
        )
    return hands


def _whole(value: Any) -> int | None:
    """Return a whole number, which may be written as a string, or None."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_plain(text: str) -> bool:
    """Tell whether a string is printable on one line and not too long."""
    return 0 < len(text) <= MAX_TEXT and text.isprintable()


def _shown(value: Any) -> str:
    """Return a player's value in a form that is safe to quote in a message."""
    text = repr(value) if not isinstance(value, int) or abs(value) < 10**18 else "that"
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"


# After the first frame.


def is_exit(frame: dict[str, Any]) -> bool:
    """Tell whether a frame announces that the player leaves the room."""
    return frame.get("info") == "exit"


def is_start(frame: dict[str, Any]) -> bool:
    """Tell whether a frame can only mean that its player is ready for the next hand."""
    return frame.get("info") in ("start", "ready")


def decide(
    frame: dict[str, Any], version: int, options: Options, high: int, pot: int
) -> Answer | Illegal:
    """Return the decision that a frame means.

    `high` is the bet to match, `pot` all chips in the middle, which only the second version needs.
    """
    action = frame.get("action")
    if action is None:
        return Illegal(NO_ACTION)
    if action in ("fold", "f"):
        return PLAIN_FOLD
    if action == "c" or action == ("call" if options.owed else "check"):
        return PLAIN_CALL
    if options.can_raise and isinstance(action, str):
        to = _raise_to(action, options, high + pot + options.owed if version == V2 else 0)
        if to is not None and not options.fault(raise_to(to)):
            return Answer(raise_to(to))
    shown = action if isinstance(action, str) and _is_plain(action) else _shown(action)
    return Illegal(f"{ILLEGAL_ACTION}: {shown[:MAX_TEXT]}")


def _raise_to(action: str, options: Options, pot_raise: int) -> int | None:
    """Return the total that an action names; `pot_raise` is what `bet` means, if anything."""
    digits = action[1:]
    if action[:1] == "r" and digits.isascii() and digits.isdigit() and len(digits) < 19:
        return int(digits)
    if action == "bet" and pot_raise:
        return min(max(pot_raise, options.min_to), options.max_to)
    return None
