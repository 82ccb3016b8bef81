"""The `kuhn` protocol: four-letter commands over TCP, one client against the house."""

from collections.abc import Callable

from croupier.dialects import scenarios as s
from croupier.dialects.dialect import (
    GAP_OPTION,
    Dialect,
    Join,
    ListenerOption,
    OnDemand,
    is_number,
)
from croupier.dialects.kuhn.player import KuhnPlayer
from croupier.dialects.kuhn.session import KuhnSession
from croupier.dialects.kuhn.speaker import SharedSpeaker
from croupier.dialects.kuhn.start import MAX_DIGITS
from croupier.dialects.kuhn.words import BINARY, NAME, TEXT
from croupier.dialects.player_side import PlayerSide
from croupier.dialects.roster import Listeners, Roster
from croupier.dialects.scenarios import Scenario
from croupier.rules.rules import KUHN as GAME
from croupier.rules.sets import KUHN as RULES

PATIENCE_WHEN_CHECKED_MS = 10_000
SPELLINGS = (TEXT, BINARY)

MAX_KEY = 500_000_000
"""Ids up to this are told apart in both spellings."""

NO_COINS = Scenario(
    "no-coins",
    "one of you has no coin left, so there is no next hand",
    hands=200,
    settings={"stack": 2},
)


def _player(join: Join) -> Callable[[], PlayerSide]:
    spelling = join.settings.get("spelling", TEXT)
    if spelling not in SPELLINGS:
        raise ValueError(f"spelling is {TEXT} or {BINARY}, not {spelling!r}")
    highest = 2**31 - 1 if spelling == BINARY else 10**MAX_DIGITS - 1
    number = join.number("id", 1 + join.draw(10**6), 1, highest)
    if join.name is not None:
        if "id" in join.settings:
            raise ValueError(f"in {NAME} the name is the id; give one of them, not both")
        if not is_number(join.name, 1, highest):
            raise ValueError(
                f"in {NAME} the name is the id, a number from 1 to {highest}, not {join.name!r}"
            )
        number = int(join.name)
    return lambda: KuhnPlayer(number, join.hands, spelling, join.rules)


def _key(draw: Callable[[int], int]) -> str:
    return str(1 + draw(MAX_KEY))


def _speaker(roster: Roster, listeners: Listeners, clock: Callable[[], str]) -> SharedSpeaker:
    return SharedSpeaker(listeners)


def _spelling(text: str) -> str:
    if text not in SPELLINGS:
        raise ValueError
    return text


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError
    return text == "true"


KUHN = Dialect(
    name=NAME,
    about="four-letter commands over TCP, Kuhn poker",
    document="Kuhn poker against the house, in commands of four letters.",
    port=1212,
    rule_sets=(RULES,),
    games=(GAME,),
    antes=True,
    max_seats=2,
    options=(
        GAP_OPTION,
        ListenerOption("spelling", f"{TEXT} or {BINARY}", _spelling, SPELLINGS.__contains__),
        ListenerOption("error_text", "true or false", _truth, lambda v: isinstance(v, bool)),
    ),
    gap_ms=1,
    first_message="STRT",
    session=KuhnSession,
    speaker=_speaker,
    default_listener=TEXT,
    on_demand=OnDemand.CHALLENGES,
    section="kuhn",
    renews=True,
    key=_key,
    player=_player,
    settings=("id", "spelling"),
    named=False,
    games_are_hands=True,
    scenarios=(s.HEADS_UP, s.PIECES, s.GLUED, NO_COINS, s.SERVER_GONE),
    checker_rules={
        "hands": 0,
        "decision_ms": PATIENCE_WHEN_CHECKED_MS,
        "ready_ms": PATIENCE_WHEN_CHECKED_MS,
    },
    address_example="kuhn://HOST:PORT?id=77432&spelling=binary",
    name_help="the id, a number (drawn unless given)",
    key_help="send it as the number of STRT",
    returns_help="before the match",
)
