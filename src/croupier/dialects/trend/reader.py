"""Parsing of a player's text frames into messages, and of messages into decisions.

This follows the specification's table of decisions and corrections; the name of each correction is
written to the player's transcript.
"""

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Final

from croupier.dialects.base import PLAIN_CALL, PLAIN_FOLD, Answer, Illegal
from croupier.dialects.nonces import WHAT, is_nonce
from croupier.dialects.tokens import MAX_PRIVATE_NAME
from croupier.rules.decisions import ALL_IN, BET, CALL, RAISE, Options, raise_to

MAX_MESSAGE: Final = 64 * 1024
"""The longest message, in bytes. A security limit."""

LARGE: Final = 10**18
"""A number larger than any stack."""

RAISED_TO_MINIMUM: Final = "bet below the big blind counts as the big blind"
NOT_WHOLE: Final = "bet of a fraction counts as the big blind"
BEYOND_CHIPS: Final = "not enough chips: all in"
BET_IS_CALL: Final = "bet that does not exceed the highest bet counts as call"
CAPPED_BET: Final = "the fifth bet of a street counts as call"
CAPPED_RAISE: Final = "the fifth raise of a street counts as call"
CALL_IS_SMALL_BET: Final = "call where a bet is asked for counts as a bet of the small blind"
RAISE_IS_BIG_BET: Final = "raise where a bet is asked for counts as a bet of the big blind"
CHECK_IS_CALL: Final = "check facing a bet counts as call"


@dataclass(frozen=True, slots=True)
class Join:
    """A player wants its seat; the name is a secret shared with the server."""

    name: str
    nonce: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """An answer to a request."""

    data: Any


@dataclass(frozen=True, slots=True)
class Reload:
    """A player wants to buy chips."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any other message, and what is wrong with it."""

    reason: str


Message = Join | Action | Reload | Unknown


def parse(text: bytes) -> Message:
    """Parse a text frame."""
    if len(text) > MAX_MESSAGE:
        return Unknown("too long")
    try:
        value = json.loads(text, parse_int=_whole, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return Unknown("not JSON")
    if not isinstance(value, dict):
        return Unknown("not a JSON object")
    name = value.get("eventName")
    data = value.get("data")
    if name == "__action":
        return Action(data)
    if name == "__reload":
        return Reload()
    if name == "__join":
        fields = data if isinstance(data, dict) else {}
        player, nonce = fields.get("playerName"), fields.get("nonce")
        if not isinstance(player, str) or not 0 < len(player) <= MAX_PRIVATE_NAME:
            return Unknown("a join without a playerName")
        if nonce is not None and not is_nonce(nonce):
            return Unknown(WHAT)
        return Join(player, nonce or "")
    return Unknown("an unknown event")


def _whole(digits: str) -> int:
    """Return a whole number; one larger than any stack is replaced by `LARGE`."""
    if len(digits) < 19:
        return int(digits)
    return -LARGE if digits.startswith("-") else LARGE


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def decide(
    message: Message, options: Options, high: int, bet: int, big_blind: int
) -> Answer | Illegal:
    """Return the decision that a message means.

    `high` is the bet to match, `bet` the player's own; if `high` is 0, a bet was asked for.
    """
    if not isinstance(message, Action) or not isinstance(message.data, dict):
        return Illegal("no action in the message")
    action = message.data.get("action")
    if action == "call":
        return _call(options, high)
    if action == "check":
        return Answer(CALL, CHECK_IS_CALL) if options.owed else PLAIN_CALL
    if action == "fold":
        return PLAIN_FOLD
    if action == "allin":
        return _all_in(options)
    if action == "raise":
        return _raise(options, high, big_blind)
    if action == "bet":
        return _bet(message.data.get("amount"), options, high, bet, big_blind)
    return Illegal("an unknown action")


def _all_in(options: Options, correction: str = "") -> Answer:
    if options.max_to and options.all_in:
        return Answer(raise_to(options.max_to, ALL_IN), correction)
    return Answer(CALL, correction)


def _call(options: Options, high: int) -> Answer:
    if high:
        return PLAIN_CALL
    if options.small_to and options.bet:
        return Answer(raise_to(options.small_to, BET), CALL_IS_SMALL_BET)
    if options.max_to and options.bet:
        return _to(options.min_to, options, CALL_IS_SMALL_BET)
    return Answer(CALL, CALL_IS_SMALL_BET)


def _raise(options: Options, high: int, big_blind: int) -> Answer:
    if not high:
        if not (options.max_to and options.bet):
            return Answer(CALL, CAPPED_BET)
        return _to(big_blind, options, RAISE_IS_BIG_BET)
    if not options.max_to:
        return Answer(CALL, BEYOND_CHIPS)
    if not options.raise_:
        return Answer(CALL, CAPPED_RAISE)
    if 2 * high >= options.max_to and options.all_in:
        return _all_in(options, BEYOND_CHIPS)
    return Answer(raise_to(min(max(2 * high, options.min_to), options.max_to), RAISE))


def _bet(amount: Any, options: Options, high: int, bet: int, big_blind: int) -> Answer | Illegal:
    number = _number(amount)
    if number is None:
        return Illegal("the amount of a bet is not a number")
    correction = ""
    if isinstance(number, float):
        number, correction = big_blind, NOT_WHOLE
    elif number < big_blind:
        number, correction = big_blind, RAISED_TO_MINIMUM
    to = bet + number
    if to <= high:
        return Answer(CALL, BET_IS_CALL)
    if not options.max_to:
        return Answer(CALL, BEYOND_CHIPS)
    if not options.bet:
        return Answer(CALL, CAPPED_BET)
    return _to(to, options, correction)


def _to(to: int, options: Options, correction: str) -> Answer:
    """Return a bet to a total, or an all-in if the player does not have more chips."""
    to = max(to, options.min_to)
    if to >= options.max_to:
        if options.all_in:
            return _all_in(options, correction or (BEYOND_CHIPS if to > options.max_to else ""))
        to = options.max_to
    return Answer(raise_to(to, BET), correction)


def _number(amount: Any) -> int | float | None:
    """Return a whole number as int, any other finite number as float, anything else as None."""
    if isinstance(amount, bool):
        return None
    if isinstance(amount, str):
        if not _NUMBER.fullmatch(amount.strip()):
            return None
        amount = float(amount)
    if isinstance(amount, int):
        return max(-LARGE, min(amount, LARGE))
    if isinstance(amount, float) and math.isfinite(amount):
        amount = max(-float(LARGE), min(amount, float(LARGE)))
        return int(amount) if amount.is_integer() else amount
    return None


_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
