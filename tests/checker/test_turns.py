"""Who spoke out of turn in `room`, from what had been delivered."""

import json

from croupier.dialects.room.frames import frame
from croupier.dialects.room.turns import RoomTurns
from croupier.dialects.turns import OUT_OF_TURN, TOO_MANY, TWICE


def state(asked: int, position: int = 1) -> bytes:
    message = {"info": "state", "position": position, "action_position": asked}
    return frame(json.dumps(message))


ASKED, OTHER, LAST = state(1), state(0), state(-1)
RESULT = frame('{"info": "result"}')
CALL = frame('{"info": "action", "action": "call"}')
READY = frame('{"info": "ready", "status": "start"}')


def turns(*messages: bytes, together: bool = False) -> RoomTurns:
    """Return what follows a program to which these messages were delivered."""
    watched = RoomTurns()
    for message in messages:
        watched.delivered(message, together)
    return watched


def test_one_answer_to_one_question_is_right() -> None:
    watched = turns(OTHER, ASKED)
    assert watched.heard(CALL) == []
    watched.delivered(OTHER, False)
    watched.delivered(ASKED, False)
    assert watched.heard(CALL) == []


def test_a_second_answer_is_named_whether_it_comes_glued_or_apart() -> None:
    assert turns(ASKED).heard(CALL + CALL) == [TWICE]
    watched = turns(OTHER, ASKED)
    assert watched.heard(CALL[:9]) == []
    assert watched.heard(CALL[9:]) == []
    assert watched.heard(CALL) == [TWICE]


def test_an_answer_to_a_state_that_asked_somebody_else_or_nobody_is_out_of_turn() -> None:
    assert turns(OTHER).heard(CALL) == [OUT_OF_TURN]
    watched = turns(ASKED)
    watched.heard(CALL)
    watched.delivered(LAST, False)
    assert watched.heard(CALL) == [OUT_OF_TURN]


def test_which_of_several_states_was_answered_is_left_open_where_they_came_together() -> None:
    assert turns(OTHER + ASKED, together=True).heard(CALL + CALL) == [TOO_MANY]
    assert turns(ASKED, together=True).heard(CALL + CALL) == [TWICE]


def test_what_is_no_answer_is_never_out_of_turn() -> None:
    exit_frame = frame('{"info": "exit", "action": "fold"}')
    assert turns(OTHER).heard(READY + exit_frame) == []
    assert turns(OTHER).heard(b"\xff" * 8) == []


def test_between_hands_any_frame_says_that_the_player_is_ready() -> None:
    assert turns().heard(CALL) == []
    assert turns(LAST, RESULT).heard(CALL) == []
