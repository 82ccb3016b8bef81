"""The `huawei` protocol: lines of text over TCP, from a software contest."""

from collections.abc import Callable

from croupier.dialects import scenarios as s
from croupier.dialects.dialect import GAP_OPTION, Dialect, Join, Recognised
from croupier.dialects.huawei.player import HuaweiPlayer
from croupier.dialects.huawei.reader import MAX_NAME
from croupier.dialects.huawei.session import HuaweiSession
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.dialects.huawei.words import NAME, commitment
from croupier.dialects.player_side import PlayerSide
from croupier.dialects.roster import FIRST_HOUSE_PID, Place
from croupier.rules.sets import HUAWEI as RULES

MAX_PID = 10**18 - 1


def _player(join: Join) -> Callable[[], PlayerSide]:
    # Tables assign pids from FIRST_HOUSE_PID on to players without one; stay below them.
    drawn = 1 + join.draw(FIRST_HOUSE_PID - 1)
    pid = join.number("pid", drawn, 0, MAX_PID)
    name = join.name or join.bot_name[:MAX_NAME]
    return lambda: HuaweiPlayer(pid, name, join.rules, join.nonce)


def _identity(place: Place) -> tuple[str | None, ...]:
    return (NAME, place.pid, place.name)


def _called(place: Place) -> str:
    return f"{place.name}-{place.pid}"


def _transcript_label(place: Place) -> tuple[str, ...]:
    return (place.pid or "", place.name)


HUAWEI = Dialect(
    name=NAME,
    about="lines of text over TCP",
    document="Messages of text for 2 to 8 players: connect, messages, clock, mistakes.",
    port=6000,
    rule_sets=(RULES,),
    max_seats=8,
    options=(GAP_OPTION,),
    gap_ms=1,
    first_message="registration",
    session=HuaweiSession,
    speaker=lambda roster, listeners, clock: HuaweiSpeaker(roster.pids, listeners),
    default_listener=Listener(),
    recognised=Recognised.BY_PID,
    identity=_identity,
    called=_called,
    transcript_label=_transcript_label,
    commitment=commitment,
    player=_player,
    settings=("pid",),
    scenarios=(
        s.HEADS_UP, s.FULL_TABLE, s.RUN_OUT, s.SPLIT_POT, s.SIDE_POTS, s.WINNING, s.PIECES,
        s.GLUED, s.LATE, s.ELIMINATION, s.SERVER_GONE,
    ),
    address_example="huawei://HOST:PORT?pid=8888",
    key_help="register with it as the name: reg: PID KEY",
    nonce_help="`nonce=TEXT` as a further word of the registration",
    returns_help="before the match and after a restart of the server",
)  # fmt: skip
