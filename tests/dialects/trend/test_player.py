"""What the player's side of `trend` makes of what a server says."""

import json
from typing import Any

import pytest

from croupier.dialects.player_side import (
    Failed,
    HandOver,
    MatchOver,
    Question,
    Reconnect,
    Step,
    WireError,
)
from croupier.dialects.tokens import token_of
from croupier.dialects.trend.player import TrendPlayer
from croupier.rules.decisions import BET, CALL, FOLD, RAISE, Decision, raise_to

ME, ANN, BOB = (token_of(name) for name in ("me", "ann", "bob"))
NAMES = (ANN, BOB, ME)


def message(name: str, data: Any) -> bytes:
    return json.dumps({"eventName": name, "data": data}).encode()


def rows(chips: list[int], bets: list[int], before: int = 0, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "playerName": name,
            "chips": have,
            "folded": False,
            "allIn": have == 0,
            "cards": ["AS", "KD"] if name == ME else [],
            "isSurvive": True,
            "reloadCount": 0,
            "roundBet": before,
            "bet": bet,
        }
        | more
        for name, have, bet in zip(NAMES, chips, bets, strict=True)
    ]


def table(board: list[str], raises: int = 0, bets: int = 0) -> dict[str, Any]:
    return {
        "tableNumber": "1",
        "roundName": ("Deal", "Flop", "Turn", "River")[max(0, len(board) - 2)],
        "board": board,
        "roundCount": 3,
        "raiseCount": raises,
        "betCount": bets,
        "smallBlind": {"playerName": ANN, "amount": 10},
        "bigBlind": {"playerName": BOB, "amount": 20},
    }


NEW_ROUND = message(
    "__new_round", {"players": rows([990, 980, 1000], [10, 20, 0]), "table": table([])}
)


def request(name: str, players: list[dict[str, Any]], board: list[str], **counts: int) -> bytes:
    game = table(board, **counts) | {"players": players}
    return message(name, {"tableNumber": "1", "self": {}, "game": game})


def player() -> TrendPlayer:
    side = TrendPlayer("me")
    side.hello()
    return side


def steps(side: TrendPlayer, *messages: bytes) -> list[Step]:
    return [step for text in messages for step in side.receive(text)]


def asked(side: TrendPlayer, *messages: bytes) -> Question:
    (step,) = steps(side, *messages)
    assert isinstance(step, Question)
    return step


def first_question(side: TrendPlayer) -> Question:
    players = rows([990, 980, 1000], [10, 20, 0])
    return asked(side, NEW_ROUND, request("__action", players, []))


def say(side: TrendPlayer, question: Question, decision: Decision) -> dict[str, Any]:
    value = json.loads(side.answer(question, decision))
    assert value["eventName"] == "__action"
    data: dict[str, Any] = value["data"]
    return data


def test_the_private_name_is_said_once() -> None:
    side = TrendPlayer("top secret")
    assert json.loads(side.hello()) == {
        "eventName": "__join",
        "data": {"playerName": "top secret"},
    }
    question = first_question(player())
    assert b"me" not in player().answer(question, raise_to(60)).replace(b"eventName", b"")


def test_seats_count_from_the_small_blind() -> None:
    view = first_question(player()).view
    assert (view.seat, view.number) == (2, 3)
    assert view.stacks == [990, 980, 1000]
    assert (view.small_blind, view.big_blind, view.high, view.pot) == (10, 20, 20, 30)


def test_with_two_players_the_button_posts_the_small_blind() -> None:
    side = TrendPlayer("ann")
    players = [row | {"cards": ["2C", "2D"]} for row in rows([990, 980, 0], [10, 20, 0])]
    players[2]["isSurvive"] = False
    data = {"players": players, "table": table([])}
    view = asked(side, message("__new_round", data), request("__action", players, [])).view
    assert (view.seat, view.small_seat, view.bets) == (1, 1, [20, 10])


def test_with_two_players_and_no_big_blind_the_other_posts_the_small_one() -> None:
    side = TrendPlayer("ann")
    players = [row | {"cards": ["2C", "2D"]} for row in rows([990, 1000, 0], [10, 0, 0])]
    players[2]["isSurvive"] = False
    data = {"players": players, "table": table([])}
    view = asked(side, message("__new_round", data), request("__action", players, [])).view
    assert (view.seat, view.bets) == (0, [10, 0])


@pytest.mark.parametrize(
    ("decision", "data"),
    [
        (FOLD, {"action": "fold"}),
        (CALL, {"action": "call"}),
        (raise_to(60), {"action": "bet", "amount": 60}),
        (raise_to(40), {"action": "bet", "amount": 40}),
        (raise_to(40, RAISE), {"action": "raise"}),
        (raise_to(50, RAISE), {"action": "bet", "amount": 50}),
        (raise_to(1000), {"action": "allin"}),
    ],
)
def test_decisions_in_the_words_of_the_protocol(decision: Decision, data: dict[str, Any]) -> None:
    side = player()
    assert say(side, first_question(side), decision) == data


def test_where_a_bet_is_asked_for_a_check_is_no_call_and_a_call_the_small_bet() -> None:
    side = player()
    first_question(side)
    players = rows([980, 980, 980], [0, 0, 0], before=20)
    board = ["2C", "3C", "4C"]
    data = {"players": players, "table": table(board)}
    question = asked(side, message("__deal", data), request("__bet", players, board))
    assert question.options.small_to == 10
    assert say(side, question, CALL) == {"action": "check"}
    assert say(side, question, raise_to(10, BET)) == {"action": "call"}


def test_a_raise_adds_a_big_blind_at_least() -> None:
    side = player()
    first_question(side)
    players = rows([960, 980, 980], [40, 20, 20])
    question = asked(side, request("__action", players, [], bets=1))
    assert question.options.min_to == 41
    assert first_question(player()).options.min_to == 21
    players = rows([965, 980, 980], [25, 20, 20])
    assert asked(side, request("__action", players, [])).options.min_to == 40


def test_after_four_bets_a_plain_raise_is_no_option() -> None:
    side = player()
    first_question(side)
    players = rows([900, 800, 980], [100, 200, 20])
    options = asked(side, request("__action", players, [], bets=4)).options
    assert not options.can_raise
    assert options.raise_
    assert options.all_in
    options = asked(side, request("__action", players, [], bets=4, raises=4)).options
    assert not options.raise_


def test_the_counts_tell_what_an_all_in_was() -> None:
    for counts, verb in (({"bets": 1}, "bet"), ({"raises": 1}, "raise"), ({}, "allin")):
        side = player()
        players = rows([990, 0, 1000], [10, 1000, 0])
        action = {"action": "allin", "playerName": BOB, "amount": 980, "chips": 0}
        data = {"action": action, "players": players, "table": table([], **counts)}
        question = asked(
            side, NEW_ROUND, message("__show_action", data), request("__action", players, [])
        )
        assert question.view.history[0][1].action == verb


def test_min_bet_tells_the_bet_to_match_at_a_table_of_other_rules_too() -> None:
    """Where a big blind that is all-in for 5 asks for a whole one, nobody's bet shows it."""
    short = rows([990, 0, 1000], [10, 5, 0])
    started = message("__new_round", {"players": short, "table": table([])})
    side = player()
    steps(side, started)
    game = table([]) | {"players": short}
    data = {"tableNumber": "1", "self": {"bet": 0, "minBet": 20}, "game": game}
    question = asked(side, message("__action", data))
    assert (question.view.high, question.options.owed, question.options.call) == (20, 20, 20)
    side = player()
    question = asked(side, started, request("__action", short, []))
    assert (question.view.high, question.options.owed) == (10, 10), "nothing else is said"


def test_a_call_is_a_call_also_where_it_exceeds_all_bets() -> None:
    side = player()
    before, after = rows([990, 0, 1000], [10, 5, 0]), rows([990, 0, 980], [10, 5, 20])
    shown = {"action": {"action": "call", "playerName": ME, "amount": 20, "chips": 980}}
    steps(
        side,
        message("__new_round", {"players": before, "table": table([])}),
        message("__show_action", shown | {"players": after, "table": table([])}),
    )
    view = asked(side, request("__action", after, [])).view
    assert [(street, done.action) for street, done in view.history] == [(0, "call")]


def test_min_bet_may_exceed_the_own_chips() -> None:
    players = rows([0, 980, 15], [500, 20, 0])
    game = table([], raises=1) | {"players": players}
    data = {"tableNumber": "1", "self": {"bet": 0, "minBet": 500}, "game": game}
    options = asked(player(), NEW_ROUND, message("__action", data)).options
    assert (options.owed, options.call, options.max_to) == (500, 15, 0)


def test_the_end_of_a_round_brings_what_was_won_less_what_was_put_in() -> None:
    side = player()
    question = first_question(side)
    say(side, question, CALL)
    players = rows([990, 980, 980], [10, 20, 20])
    action = {"action": "call", "playerName": ME, "amount": 20, "chips": 980}
    shown = message("__show_action", {"action": action, "players": players, "table": table([])})
    end = message("__round_end", {"players": rows([0, 0, 0], [0, 0, 0], winMoney=50)})
    assert steps(side, shown, end) == [HandOver(30)]
    assert steps(side, end) == []


def test_who_comes_back_in_the_middle_of_a_hand_knows_where_it_stands() -> None:
    side = player()
    first_question(side)
    assert side.lost("", 0, at_once=False) == Reconnect()
    side.hello()
    board = ["2C", "3C", "4C"]
    players = rows([900, 940, 940], [40, 0, 0], before=60)
    state = message("_join", {"players": players, "table": table(board, bets=1)})
    view = asked(side, state, request("__action", players, board, bets=1)).view
    assert (view.stacks, view.bets, view.put) == ([900, 940, 940], [40, 0, 0], [100, 60, 60])
    assert (view.street, view.high, view.pot, view.history) == (1, 40, 220, [])
    assert view.options is not None
    assert (view.options.owed, view.options.min_to) == (40, 41)


def test_a_question_alone_is_enough_to_go_by() -> None:
    players = rows([900, 940, 940], [40, 0, 0], before=60)
    view = asked(player(), request("__action", players, ["2C", "3C", "4C"])).view
    assert (view.seat, view.put, view.street) == (2, [100, 60, 60], 1)


def test_a_table_where_nothing_is_played_tells_of_no_hand() -> None:
    over = message("_join", {"players": [], "table": {"roundName": "Showdown"}})
    assert steps(player(), message("_join", {}), over) == []


def test_who_is_out_goes_on_listening() -> None:
    side = player()
    players = rows([990, 980, 0], [10, 20, 0])
    players[2] |= {"isSurvive": False, "cards": []}
    assert steps(side, message("__new_round", {"players": players, "table": table([])})) == []
    assert side.idle
    action = {"action": "fold", "playerName": ANN, "chips": 990}
    data = {"action": action, "players": players, "table": table([])}
    assert steps(side, message("__show_action", data)) == []
    assert steps(side, message("__game_over", {"players": players})) == [MatchOver()]


def test_a_stopped_match_is_over_and_says_why() -> None:
    (step,) = steps(player(), message("__game_stop", {"msg": "stopped"}))
    assert isinstance(step, MatchOver)
    assert step.reason


def test_close_codes_say_whether_to_come_back() -> None:
    side = player()
    assert side.lost("table full", 4004, True) == Failed(
        "the server refused the player: table full"
    )
    assert isinstance(side.lost("taken", 4002, True), Failed)
    steps(side, message("__new_peer", [ME]))
    assert side.lost("taken", 4002, True) == Reconnect()
    assert side.lost("", 1006, False) == Reconnect()
    assert side.lost("", 0, False) == Reconnect()
    assert isinstance(side.lost("unknown", 4003, True), Failed)
    assert isinstance(side.lost("game over", 1000, False), Failed)


@pytest.mark.parametrize(
    "garbage",
    [
        b"\xff",
        b"[]",
        b"{}",
        b'"__action"',
        b"[" * 10_000,
        message("__new_round", {}),
        message("__new_round", {"players": 7, "table": {}}),
        message("__action", {"game": {"players": []}}),
        message("__show_action", {"action": 1}),
        NEW_ROUND.replace(b"AS", b"XX"),
        NEW_ROUND.replace(b"990", b'"many"'),
    ],
)
def test_what_no_server_says_is_named(garbage: bytes) -> None:
    side = player()
    with pytest.raises(WireError):
        steps(side, garbage, message("__action", {"game": {}}))


def test_unknown_events_are_passed_over() -> None:
    assert steps(player(), message("__weather", {"sun": 1}), b'{"eventName":null}') == []


@pytest.mark.parametrize("name", ["", "x" * 257])
def test_a_name_that_no_server_accepts_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="1 to 256"):
        TrendPlayer(name)
