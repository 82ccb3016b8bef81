"""The `room` protocol: length-prefixed JSON over TCP, in two versions on one port."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from croupier.dialects import scenarios as s
from croupier.dialects.dialect import Dialect, Join, OnDemand, number_setting
from croupier.dialects.player_side import PlayerSide
from croupier.dialects.room.observer import ObserverSpeaker
from croupier.dialects.room.player import RoomPlayer
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.room.session import RoomSession
from croupier.dialects.room.speaker import RoomSpeaker
from croupier.dialects.room.turns import RoomTurns
from croupier.dialects.room.words import NAME, commitment
from croupier.dialects.roster import Listeners, Roster
from croupier.rules.rules import Rules
from croupier.rules.sets import ROOM as RULES_V1
from croupier.rules.sets import ROOM2 as RULES_V2

PATIENCE_WHEN_CHECKED_MS = 10_000


def _version(settings: Mapping[str, str]) -> int:
    return number_setting(settings, "version", V2, V1, V2)


def _rules_of_address(settings: Mapping[str, str]) -> Rules:
    return RULES_V1 if _version(settings) == V1 else RULES_V2


def _player(join: Join) -> Callable[[], PlayerSide]:
    bots = [bot for bot in join.settings.get("bots", "").split(",") if bot]
    seats = join.number("seats", max(2, len(bots) + 1), 2, 10)
    name, room, version = join.name or join.bot_name, join.table or "0", _version(join.settings)
    return lambda: RoomPlayer(name, room, seats, bots, join.hands, version, join.rules, join.nonce)


def _bot_names(bots: Sequence[str]) -> list[dict[Any, str]]:
    names: list[dict[Any, str]] = []
    for index, bot in enumerate(bots):
        before = list(bots[:index]).count(bot)
        names.append({V1: f"{bot}{index}", V2: f"{bot}{before}" if before else bot})
    return names


def _rules_of_room(sets: Sequence[Rules], version: int, hands: int | None) -> Rules:
    rules = sets[version - V1]
    return rules if hands is None else replace(rules, hands=hands)


def _spectator_speaker(
    roster: Roster, players: Listeners, spectators: Iterable[int], clock: Callable[[], str]
) -> ObserverSpeaker:
    def version() -> int:
        """Return the room's own version; at any other table that of its first player."""
        return roster.opened_by or (players[min(players)] if players else V1)

    return ObserverSpeaker(roster.names, spectators, players.get, version, clock)


ROOM = Dialect(
    name=NAME,
    about="length-prefixed JSON over TCP, rooms on demand",
    document="Rooms on demand for 2 to 10 players.",
    port=18888,
    rule_sets=(RULES_V1, RULES_V2),
    first_message="connect message",
    session=RoomSession,
    speaker=lambda roster, listeners, clock: RoomSpeaker(
        roster.names, listeners, clock, roster.bot_names
    ),
    default_listener=V1,
    spectator_speaker=_spectator_speaker,
    rules_of_room=_rules_of_room,
    on_demand=OnDemand.ROOMS,
    section="rooms",
    unique=False,
    bot_names=_bot_names,
    commitment=commitment,
    player=_player,
    settings=("seats", "bots", "version"),
    has_tables=True,
    games_are_hands=True,
    rules_of_address=_rules_of_address,
    scenarios=(
        s.HEADS_UP, s.FULL_TABLE, s.RUN_OUT, s.SPLIT_POT, s.WINNING, s.PIECES, s.GLUED,
        s.SERVER_GONE,
    ),
    turns=RoomTurns,
    checker_rules={
        "decision_ms": PATIENCE_WHEN_CHECKED_MS, "ready_ms": PATIENCE_WHEN_CHECKED_MS
    },
    address_example="room://HOST:PORT/7?seats=3&bots=CallAgent,RuleAgent&version=1",
    key_help="send it as the name in connect",
    nonce_help="`nonce` in `connect`",
    returns_help="before the match and after a restart of the server",
)  # fmt: skip
