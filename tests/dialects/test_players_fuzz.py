"""No message, however broken, makes the player's side fail in any way but one."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.deals import seed_from_text
from croupier.dialects.acpc.player import AcpcPlayer
from croupier.dialects.base import CLOSE
from croupier.dialects.huawei.player import HuaweiPlayer
from croupier.dialects.kuhn.player import KuhnPlayer
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.dialects.player_side import PlayerSide, Question, WireError
from croupier.dialects.room.frames import frame
from croupier.dialects.room.player import RoomPlayer
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.trend.player import TrendPlayer
from croupier.rules.decisions import CALL, FOLD
from croupier.rules.sets import ACPC_LEDUC, ACPC_NOLIMIT, HUAWEI, KUHN, ROOM, ROOM2, TREND
from tests.dialects.table import (
    Told,
    WireTable,
    acpc_side,
    huawei_side,
    kuhn_side,
    room_side,
    some_decision,
    trend_side,
)


def heard(side: Told, rules: Any, seats: int, player: int = 0) -> list[bytes]:
    """Return what a player hears in a short match."""
    table = WireTable(rules, seats, {player: side}, seed_from_text("fuzz"), lambda *_: None)
    chance = Random(7)
    table.run(lambda view: some_decision(view, chance), lambda view: some_decision(view, chance))
    return [message for message in table.sent[player] if message != CLOSE]


def _transcripts() -> dict[str, tuple[Callable[[], PlayerSide], list[bytes]]]:
    hands = {"hands": 4}
    huawei, trend, kuhn = (rules.with_fields(hands) for rules in (HUAWEI, TREND, KUHN))
    found: dict[str, tuple[Callable[[], PlayerSide], list[bytes]]] = {
        "huawei": (
            lambda: HuaweiPlayer(1001, "bot", huawei),
            heard(huawei_side(0, huawei), huawei, 4),
        ),
        "trend": (lambda: TrendPlayer("n0", trend), heard(trend_side(0, trend), trend, 4)),
    }
    for version, base in ((V1, ROOM), (V2, ROOM2)):
        rules = base.with_fields(hands)
        found[f"room{version}"] = (
            lambda version=version: RoomPlayer("n0", seats=4, version=version),  # type: ignore[misc]
            heard(room_side(0, rules, version, 4), rules, 4),
        )
    for spelling in (TEXT, BINARY):
        found[spelling] = (
            lambda spelling=spelling: KuhnPlayer(7, spelling=spelling),  # type: ignore[misc]
            heard(kuhn_side(kuhn, spelling), kuhn, 2, 1),
        )
    for base in (ACPC_NOLIMIT, ACPC_LEDUC):
        rules = base.with_fields(hands)
        found[rules.name] = (
            lambda rules=rules: AcpcPlayer("", rules),  # type: ignore[misc]
            heard(acpc_side(rules), rules, 2),
        )
    return found


TRANSCRIPTS = _transcripts()


def survives(side: PlayerSide, messages: list[bytes]) -> None:
    """Hear everything out, answering what is asked; a WireError is the only excuse."""
    side.hello()
    try:
        for number, message in enumerate(messages):
            for step in side.receive(message):
                if isinstance(step, Question):
                    decision = (CALL, FOLD, step.view.min_raise, step.view.max_raise)[number % 4]
                    fine = not step.options.fault(decision)
                    assert isinstance(side.answer(step, decision if fine else CALL), bytes)
    except WireError as error:
        assert "\n" not in str(error)
    side.lost("", 0, at_once=False)
    assert side.idle in (True, False)


@pytest.mark.parametrize("dialect", TRANSCRIPTS)
@given(data=st.data())
def test_changed_missing_and_repeated_bytes(dialect: str, data: st.DataObject) -> None:
    make, messages = TRANSCRIPTS[dialect]
    broken = list(messages)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(broken) - 1))
        kind = data.draw(st.sampled_from(["byte", "drop", "repeat", "swap", "cut"]))
        text = bytearray(broken[place])
        if kind == "drop" and len(broken) > 1:
            del broken[place]
        elif kind == "repeat":
            broken.insert(place, broken[place])
        elif kind == "swap":
            other = data.draw(st.integers(0, len(broken) - 1))
            broken[place], broken[other] = broken[other], broken[place]
        elif text and kind == "byte":
            text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
            broken[place] = bytes(text)
        elif text:
            broken[place] = bytes(text[: data.draw(st.integers(0, len(text)))])
    survives(make(), broken)


JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 0, 10**30, 1.5, float("inf"), "", "x", [], {}, [None], [[]], {"a": 1}]
)


def with_junk(value: Any, data: st.DataObject) -> Any:
    """Return a JSON value in which one part is something else."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 9)):
        key = data.draw(st.sampled_from(sorted(value)))
        if not data.draw(st.integers(0, 4)):
            return {other: part for other, part in value.items() if other != key}
        return value | {key: with_junk(value[key], data)}
    if isinstance(value, list) and value and data.draw(st.integers(0, 9)):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], with_junk(value[place], data), *value[place + 1 :]]
    return data.draw(JUNK)


@pytest.mark.parametrize("dialect", ["trend", "room1", "room2"])
@given(data=st.data())
def test_json_of_another_shape(dialect: str, data: st.DataObject) -> None:
    make, messages = TRANSCRIPTS[dialect]
    broken = list(messages)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(broken) - 1))
        header = 0 if dialect == "trend" else 4
        text = json.dumps(with_junk(json.loads(messages[place][header:]), data))
        broken[place] = text.encode() if dialect == "trend" else frame(text)
    survives(make(), broken)
