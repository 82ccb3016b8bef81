"""The `trend` protocol: JSON over WebSocket, from another contest."""

from collections.abc import Callable

from croupier.dialects import scenarios as s
from croupier.dialects.dialect import Dialect, Join, Recognised, Transport
from croupier.dialects.player_side import PlayerSide
from croupier.dialects.roster import Place
from croupier.dialects.scenarios import Scenario
from croupier.dialects.trend.player import TrendPlayer
from croupier.dialects.trend.session import TrendSession
from croupier.dialects.trend.speaker import TrendSpeaker
from croupier.dialects.trend.words import NAME, commitment
from croupier.rules.sets import TREND as RULES

RELOAD_MS_WHEN_CHECKED = 300
"""The reload window while a program is checked, in milliseconds; the default would slow it down."""

RELOAD = Scenario(
    "reload",
    "you lose your chips, and get new ones before the next hand",
    ("AllinAgent",),
    hands=6,
    hole={1: "2c7d", 2: "2c7d"},
    cards={1: "AsAhAdKsKh", 2: "AsAhAdKsKh"},
)


def _player(join: Join) -> Callable[[], PlayerSide]:
    private = join.name or f"{join.bot_name}-{join.draw(2**32):08x}"
    return lambda: TrendPlayer(private, join.rules, join.nonce)


def _identity(place: Place) -> tuple[str | None, ...]:
    return (NAME, place.token)


TREND = Dialect(
    name=NAME,
    about="JSON over WebSocket",
    document="JSON events for 2 to 10 players, with private names.",
    port=3000,
    transport=Transport.WEBSOCKET,
    rule_sets=(RULES,),
    first_message="__join",
    session=TrendSession,
    speaker=lambda roster, listeners, clock: TrendSpeaker(
        roster.table_number, roster.tokens, listeners, roster.humans
    ),
    reloads=True,
    recognised=Recognised.BY_TOKEN,
    identity=_identity,
    rejoins=True,
    private_names=True,
    commitment=commitment,
    player=_player,
    has_tables=True,
    scenarios=(
        s.HEADS_UP, s.FULL_TABLE, s.RUN_OUT, s.SPLIT_POT, s.SIDE_POTS, s.WINNING, s.LATE, RELOAD,
        s.ELIMINATION, s.RECONNECT, s.SERVER_GONE,
    ),
    # The document allows players to leave after __game_over; it does not ask them to close first.
    checker_rules={"countdown_s": 1, "reload_ms": RELOAD_MS_WHEN_CHECKED, "closing_s": 1},
    address_example="trend://HOST:PORT",
    name_help="the private one",
    key_help="join with it as the private name",
    nonce_help="`nonce` in the data of `__join`",
    returns_help="always",
)  # fmt: skip
