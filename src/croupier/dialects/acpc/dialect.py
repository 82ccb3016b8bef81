"""The `acpc` protocol: states as lines over TCP, from the Annual Computer Poker Competition."""

from collections.abc import Callable

from croupier.dialects import scenarios as s
from croupier.dialects.acpc.log import log_lines
from croupier.dialects.acpc.player import AcpcPlayer
from croupier.dialects.acpc.reader import printable_name
from croupier.dialects.acpc.session import AcpcSession
from croupier.dialects.acpc.speaker import AcpcSpeaker
from croupier.dialects.acpc.words import NAME as ACPC_NAME
from croupier.dialects.dialect import NAME, SEAT, Dialect, Join, ListenerOption, is_number
from croupier.dialects.player_side import PlayerSide
from croupier.dialects.scenarios import Scenario, Twist
from croupier.rules.definition import definition_problem, usual_seats
from croupier.rules.rules import CUSTOM, HOLDEM, MAX_SEATS
from croupier.rules.sets import (
    ACPC_KUHN2,
    ACPC_KUHN3,
    ACPC_LEDUC,
    ACPC_LEDUC_NOLIMIT,
    ACPC_LIMIT,
    ACPC_NOLIMIT,
)


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError
    return text == "true"


def _seat(text: str) -> int:
    if not is_number(text, 1, MAX_SEATS):
        raise ValueError
    return int(text)


def _text(text: str) -> str:
    if not _is_name(text):
        raise ValueError
    return text


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value == printable_name(value)


STRICT = ListenerOption("strict", "true or false", _truth, lambda value: isinstance(value, bool))
SEAT_OPTION = ListenerOption(
    SEAT,
    f"the seat, from 1 to {MAX_SEATS}, whose player comes to this port",
    _seat,
    lambda value: type(value) is int and 1 <= value <= MAX_SEATS,
)


NAME_OPTION = ListenerOption(NAME, "the name of the player at this port", _text, _is_name)

# Nothing in a state says who is to act and what is possible: a program has to know it.
POSITIONS = Scenario(
    "positions",
    "a match of three: you have each position twice, and others begin than in a match of two",
    ("RandomAgent", "RuleAgent"),
    hands=6,
)
FACING_ALL_IN = Scenario(
    "facing-all-in",
    "your opponent is all in: you call or fold, and the missing rounds come in one state",
    ("AllinAgent",),
)
TIME_UP = Scenario(
    "time-up",
    "time is up: the table checks or folds for you until the hand ends, and with it the match",
    ("CallAgent", "CallAgent"),
    twist=Twist.LATE,
)
PATIENCE_WHEN_CHECKED_MS = 10_000


def _player(join: Join) -> Callable[[], PlayerSide]:
    return lambda: AcpcPlayer(join.name or "", join.rules)


ACPC = Dialect(
    name=ACPC_NAME,
    about="MATCHSTATE lines over TCP",
    document="The protocol of research programs, with limit, no-limit, Kuhn and Leduc.",
    port=16177,
    rule_sets=(
        ACPC_NOLIMIT, ACPC_LIMIT, ACPC_KUHN2, ACPC_KUHN3, ACPC_LEDUC, ACPC_LEDUC_NOLIMIT,
    ),
    games=(HOLDEM, CUSTOM),
    antes=True,
    problem_of=definition_problem,
    usual_seats=usual_seats,
    options=(STRICT, SEAT_OPTION, NAME_OPTION),
    first_message="VERSION",
    session=AcpcSession,
    speaker=lambda roster, listeners, clock: AcpcSpeaker(listeners),
    unique=False,
    log=log_lines,
    player=_player,
    scenarios=(
        s.HEADS_UP, POSITIONS, s.FULL_TABLE, FACING_ALL_IN, s.RUN_OUT, s.SPLIT_POT, s.WINNING,
        s.PIECES, s.GLUED, TIME_UP, s.SERVER_GONE,
    ),
    checker_rules={"decision_ms": PATIENCE_WHEN_CHECKED_MS},
    address_example="acpc://HOST:PORT",
    key_help="send it after the version: VERSION:2.0.0 KEY",
    name_help="what follows the version, nothing unless given",
    returns_help="never within a match",
)  # fmt: skip
