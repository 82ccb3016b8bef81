"""What the player's side of `room` makes of what a server says, in both versions."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.dialects.player_side import (
    Failed,
    HandOver,
    MatchOver,
    Question,
    Reconnect,
    Send,
    Step,
    WireError,
)
from croupier.dialects.room.frames import FrameReader, frame
from croupier.dialects.room.player import RoomPlayer
from croupier.dialects.room.reader import V1, V2
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.sets import TREND

NAME = frame('{"info": "name", "name": ["Bob", "Ann", "Cyd"], "position": 0}')
START = frame('{"info": "start"}')
READY = frame('{"info": "ready", "status": "start"}')


def sent(message: dict[str, Any]) -> bytes:
    return frame(json.dumps(message))


def state(
    own: int,
    turn: int,
    history: list[list[Any]],
    board: str = "",
    raises: tuple[int, ...] = (200, 20000),
    legal: str = "call",
    **more: Any,
) -> bytes:
    return sent(
        {
            "position": own,
            "action_position": turn,
            "legal_actions": ["fold", legal, *(["raise"] if raises else [])],
            "raise_range": list(raises),
            "private_card": ["As", "Kd"],
            "public_card": board.split(),
            "action_history": history,
            "info": "state",
        }
        | more
    )


def money(*left: int, total: int = 20000) -> list[dict[str, Any]]:
    return [
        {"position": place, "money_left": chips, "total_money": total, "name": f"n{place}"}
        for place, chips in enumerate(left)
    ]


def player(version: int = V1, hands: int = 2, **more: Any) -> RoomPlayer:
    side = RoomPlayer("Bob", "7", 3, hands=hands, version=version, **more)
    side.hello()
    return side


def steps(side: RoomPlayer, *frames: bytes) -> list[Step]:
    return [step for data in frames for step in side.receive(data)]


def asked(side: RoomPlayer, *frames: bytes) -> Question:
    found = [step for step in steps(side, *frames) if isinstance(step, Question)]
    assert len(found) == 1
    return found[0]


def test_the_connect_of_each_version() -> None:
    (first,) = FrameReader().receive(RoomPlayer("Bob", "7", 3, ["CallAgent"], 5, V1).hello())
    assert first == {
        "info": "connect",
        "room_id": 7,
        "name": "Bob",
        "room_number": 3,
        "bots": ["CallAgent"],
    }
    (second,) = FrameReader().receive(RoomPlayer("Bob", "x", 2, (), 5, V2).hello())
    assert isinstance(second, dict)
    assert (second["room_id"], second["game_number"]) == ("x", 5)


def test_a_state_is_the_whole_hand() -> None:
    side = player()
    steps(side, NAME, state(0, 2, [[]]))
    history = [["2:r300", "0:call", "1:fold"], ["2:check", "0:r100", "2:r1000"]]
    question = asked(side, state(0, 0, history, "2c 3c 4c", (1900, 19700)))
    view = question.view
    assert (view.seat, view.street, view.high) == (0, 1, 1000)
    assert view.bets == [100, 0, 1000]
    assert view.put == [400, 100, 1300]
    assert view.stacks == [19600, 19900, 18700]
    assert view.folded == [False, True, False]
    assert [(s, a.seat, a.action, a.to) for s, a in view.history] == [
        (0, 2, "raise", 300),
        (0, 0, "call", 300),
        (0, 1, "fold", 100),
        (1, 2, "check", 0),
        (1, 0, "bet", 100),
        (1, 2, "raise", 1000),
    ]
    assert (question.options.owed, question.options.min_to, question.options.max_to) == (
        900,
        1900,
        19700,
    )


def test_the_second_version_tells_stacks_and_blinds() -> None:
    side = player(V2)
    first = state(2, 2, [[]], raises=(40, 500), players=money(490, 480, 500, total=500))
    view = asked(side, first).view
    assert (view.small_blind, view.big_blind) == (10, 20)
    assert (view.bets, view.stacks) == ([10, 20, 0], [490, 480, 500])
    acted = [[{"position": 2, "action": "call", "timestamp": ""}]]
    later = state(2, 0, acted, raises=(40, 500), players=money(490, 480, 480, total=500))
    assert steps(side, later) == []


def test_a_blind_that_took_the_last_chip_does_not_lower_the_blinds() -> None:
    side = player(V2)
    players = money(490, 0, 500, total=500)
    players[1]["total_money"] = 15
    view = asked(side, state(2, 2, [[]], raises=(40, 500), players=players)).view
    assert (view.big_blind, view.high, view.bets) == (20, 20, [10, 15, 0])


def test_with_two_players_position_0_has_the_button_and_posts_the_small_blind() -> None:
    side = player(V2)
    first = state(0, 0, [[]], players=money(19950, 19900))
    view = asked(side, first).view
    assert (view.seat, view.button, view.small_seat, view.bets) == (1, 1, 1, [100, 50])


def test_with_two_players_and_no_big_blind_position_1_has_the_button() -> None:
    side = player(V2)
    first = state(1, 1, [[]], raises=(150, 2000), players=money(1950, 2000, total=2000))
    view = asked(side, first).view
    assert (view.seat, view.small_seat, view.bets) == (1, 0, [50, 0])
    assert (view.small_blind, view.big_blind) == (50, 100)


def test_the_first_version_learns_stacks_from_ranges_once_they_contradict_the_rules() -> None:
    side = player()
    steps(side, NAME, state(0, 2, [[]], raises=(200, 700)))
    view = asked(side, state(0, 0, [["2:call"]], raises=(200, 900))).view
    assert view.stacks == [850, None, 600]
    # Where no range is told, own chips do not suffice for a raise.
    steps(side, state(0, 1, [["2:call", "0:call"]], raises=(), legal="check"))
    view = asked(side, state(0, 0, [["2:call", "0:call", "1:r800"]], raises=())).view
    assert view.stacks == [800, None, 600]


def test_the_first_version_scales_the_blinds_to_the_first_range() -> None:
    side = player()
    view = asked(side, NAME, state(2, 2, [[]], raises=(40, 20000))).view
    assert (view.small_blind, view.big_blind) == (10, 20)
    side = player(rules=TREND)
    view = asked(side, NAME, state(2, 2, [[]], raises=(21, 1000))).view
    assert (view.small_blind, view.big_blind) == (10, 20)


def test_the_same_player_keeps_his_number() -> None:
    side = player()
    seen = []
    for hand, own in enumerate((2, 1, 0)):
        view = asked(side, NAME, state(own, own, [[]])).view
        seen.append((view.seat, view.players))
        result = {"info": "result", "win_money": [0, 0, 0]}
        assert HandOver(0) in steps(side, sent(result)), hand
    assert seen == [(2, (0, 1, 2)), (1, (1, 2, 0)), (0, (2, 0, 1))]


@pytest.mark.parametrize(
    ("decision", "word"),
    [(FOLD, "fold"), (CALL, "call"), (raise_to(200), "r200"), (raise_to(20000), "r20000")],
)
def test_decisions_in_the_words_of_the_protocol(decision: Decision, word: str) -> None:
    side = player()
    question = asked(side, NAME, state(2, 2, [[]]))
    (said,) = FrameReader().receive(side.answer(question, decision))
    assert said == {"info": "action", "action": word}
    question = asked(
        side, state(2, 2, [["2:call", "0:call", "1:check"], []], "2c 3c 4c", (), "check")
    )
    (said,) = FrameReader().receive(side.answer(question, CALL))
    assert said == {"info": "action", "action": "check"}


def test_the_first_version_says_start_and_leaves_after_its_hands() -> None:
    side = player(V1, hands=2)
    assert steps(side, NAME) == [Send(START)]
    result = sent({"info": "result", "win_money": [-50, 100, -50.0]})
    steps(side, state(1, 2, [[]]))
    assert steps(side, result) == [HandOver(100), Send(START)]
    steps(side, state(2, 0, [[]]))
    assert steps(side, result) == [HandOver(-50), MatchOver()]


def test_the_second_version_says_ready_until_it_is_dismissed() -> None:
    side = player(V2, hands=1)
    steps(side, state(1, 0, [[]], players=money(19950, 19900, 20000)))
    players = [{"position": place, "win_money": won} for place, won in enumerate((-50, 50, 0))]
    result = sent({"info": "result", "players": players})
    assert steps(side, result) == [HandOver(50), Send(READY)]
    success = sent({"info": "success", "text": "Complete playing"})
    assert steps(side, success) == [MatchOver()]


def test_an_error_before_the_first_hand_is_a_refusal_and_later_an_end() -> None:
    error = sent({"info": "error", "text": "room 7 is full"})
    assert steps(player(), error) == [Failed("the server says: room 7 is full")]
    side = player()
    steps(side, NAME, state(0, 2, [[]]))
    assert steps(side, error) == [MatchOver("the server says: room 7 is full")]


def test_who_has_begun_comes_back_only_to_a_server_that_was_restarted() -> None:
    assert player().lost("", 0, at_once=False) == Reconnect()
    assert isinstance(player().lost("", 0, at_once=True), Failed)
    for version, end in ((V1, MatchOver), (V2, Failed)):
        side = player(version)
        players: dict[str, Any] = {"players": money(19950, 19900, 20000)} if version == V2 else {}
        steps(side, state(0, 2, [[]], **players))
        lost = side.lost("", 0, at_once=False)
        assert isinstance(lost, Reconnect)
        assert isinstance(lost.otherwise, Failed)
        won = [{"win_money": 0}] * 3
        steps(side, sent({"info": "result", "win_money": [0, 0, 0], "players": won}))
        lost = side.lost("", 0, at_once=False)
        assert isinstance(lost, Reconnect)
        assert isinstance(lost.otherwise, end)


def test_after_a_restart_a_hand_that_was_cut_off_counts_for_nothing() -> None:
    side = player()
    steps(side, NAME, state(0, 2, [[]]))
    side.hello()
    with pytest.raises(WireError, match="before any state"):
        steps(side, sent({"info": "result", "win_money": [0, 0, 0]}))
    assert steps(side, NAME) == [Send(START)]


STATE = state(0, 2, [[]]) + state(0, 0, [["2:call"]])


@given(st.lists(st.integers(0, len(STATE)), max_size=6))
def test_frames_may_come_in_any_pieces(cuts: list[int]) -> None:
    side = player()
    found: list[Step] = []
    for start, end in pairwise([0, *sorted(cuts), len(STATE)]):
        found += steps(side, STATE[start:end])
    assert len(found) == 1


@pytest.mark.parametrize(
    "garbage",
    [
        b"HTTP/1.1 400",
        b"\xff\xff\xff\xff",
        b"\x04\x00\x00\x00nope",
        sent({}),
        sent({"info": ["state"]}),
        sent({"info": "state"}),
        sent({"info": "result", "win_money": [1]}),
        state(0, 0, [["2:sings"]]),
        state(0, 0, [["x"]]),
        state(0, 0, [[7]]),
        state(11, 11, [[]]),
        state(-1, 0, [[]]),
        state(0, 0, [[]], raises=(1, True)),
        state(0, 0, [[]], "zz zz zz"),
        state(0, 0, [[]], players=[{"total_money": 1, "money_left": 2}] * 3),
    ],
)
def test_what_no_server_says_is_named(garbage: bytes) -> None:
    with pytest.raises(WireError):
        steps(player(), garbage)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("", "1"), "1 to 64 characters"),
        (("Bob", "1", 1), "2 to 10 seats"),
        (("Bob", "1", 2, ["CallAgent", "CallAgent"]), "leave no seat"),
    ],
)
def test_a_room_that_no_server_opens_is_refused(arguments: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        RoomPlayer(*arguments)
