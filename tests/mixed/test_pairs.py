"""Each dialect at a table of each other's rules: the bytes and messages that a player sees."""

from typing import Any

import pytest

from croupier.dialects.huawei.reader import RAISE_IS_CALL
from croupier.dialects.room.reader import V1, V2
from croupier.match.events import Faulted, PlayerOut, Reloaded
from croupier.match.match import OVER
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.events import (
    CALLED,
    FOLDED,
    Acted,
    BoardDealt,
    HandStarted,
    PotDiscarded,
    PotWon,
)
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN, ROOM, ROOM2, TREND
from tests.mixed.table import CLOSED, MixedTable, house, huawei, room, room2, trend

AT_ONCE = TREND.with_fields({"countdown_s": 0})


def seat(*lines: str) -> bytes:
    return block("seat", *lines)


def block(name: str, *lines: str) -> bytes:
    return "".join(f"{line} \n" for line in (f"{name}/", *lines, f"/{name}")).encode()


def of(players: list[dict[str, Any]], token: str) -> dict[str, Any]:
    return next(player for player in players if player["playerName"] == token)


def acted(table: MixedTable) -> list[Acted]:
    return [event for event in table.events if isinstance(event, Acted)]


# huawei elsewhere.


@pytest.mark.parametrize(
    ("rules", "jetton", "money", "small"),
    [
        (PLAIN, 10_000, 0, 50),
        (AT_ONCE, 1000, 2000, 10),
        (ROOM, 20_000, 0, 50),
        (ROOM2, 20_000, 0, 50),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_huawei_heads_up_the_button_acts_first_before_the_flop_and_last_after_it(
    rules: Rules, jetton: int, money: int, small: int
) -> None:
    table = MixedTable(rules, huawei(1001, "ann"), house(), order=[1, 0])
    table.start()
    told = table.take(0)
    assert told[:2] == [
        seat(f"button: 1001 {jetton} {money}", f"small blind: 9001 {jetton} {money}"),
        block("blind", f"1001: {small}", f"9001: {2 * small}"),
    ]
    assert told[3] == block(
        "inquire",
        f"9001 {jetton - 2 * small} {money} {2 * small} blind",
        f"1001 {jetton - small} {money} {small} blind",
        f"total pot: {3 * small}",
    )
    assert len(told) == 4
    table.say("call")
    table.decide(CALL)
    assert table.asked == 1, "after the flop the button is last"
    (flop,) = table.take(0)
    assert flop.startswith(b"flop/ \n")
    table.decide(CALL)
    assert table.asked == 0
    table.say("check")
    table.say("fold")
    # In the next hand the other one has the button.
    table.go_on()
    assert f"button: 9001 {table.started.stacks[1]}" in table.block(0, "seat")
    assert f"1001: {2 * small}" in table.block(0, "blind"), "the big blind was posted, and second"


def test_huawei_at_plain_has_no_money_and_a_whole_stack_in_every_hand() -> None:
    table = MixedTable(PLAIN, huawei(1001, "ann"), house("CallAgent0"), house("CallAgent1"))
    table.start()
    for hand in (1, 2):
        lines = table.block(0, "seat").splitlines()[1:-1]
        assert [line.split()[-2:] for line in lines] == [["10000", "0"]] * 3
        options = table.match.options
        assert options is not None
        table.decide(raise_to(options.max_to))
        while table.match.hand is not None and table.match.number == hand:
            table.decide(CALL)


def test_huawei_at_trend_money_is_what_can_still_be_bought_and_is_reloaded_at_nothing() -> None:
    dealt = {1: {0: "2c7d", 1: "AsAh", "board": "AdAc3h4h9s"}}
    table = MixedTable(AT_ONCE, huawei(1001, "ann"), house(), order=[1, 0], dealt=dealt)
    table.start()
    table.say("all_in")
    table.decide(CALL)
    table.go_on()
    assert [event for event in table.events if isinstance(event, Reloaded)] == [
        Reloaded(0, 1000, 1)
    ]
    lines = sorted(table.block(0, "seat").splitlines()[1:-1])
    assert lines == ["button: 9001 2000 2000 ", "small blind: 1001 1000 1000 "]


def test_huawei_at_trend_a_capped_raise_takes_effect_as_a_call() -> None:
    table = MixedTable(AT_ONCE, huawei(1001, "ann", bets=True), house(), order=[1, 0])
    table.start()
    for to in (40, 80, 160, 320):
        table.decide(raise_to(to))
    assert table.asked == 0
    table.take(0)
    table.say("raise", 20)
    assert acted(table)[-1].action == CALLED
    assert table.corrections == [RAISE_IS_CALL]
    assert table.take(0)[0] == block("bet", "1001 680 2000 320 call")


def test_huawei_at_trend_may_still_go_all_in_when_raises_are_capped() -> None:
    table = MixedTable(AT_ONCE, huawei(1001, "ann", bets=True), house(), order=[1, 0])
    table.start()
    for to in (40, 80, 160, 320):
        table.decide(raise_to(to))
    table.take(0)
    table.say("all_in")
    assert table.take(0)[0] == block("bet", "1001 0 2000 1000 all_in")


@pytest.mark.parametrize("rules", [ROOM, ROOM2], ids=lambda rules: rules.name)
def test_huawei_at_room_the_button_line_is_the_last_position_and_the_small_blind_acts_last(
    rules: Rules,
) -> None:
    table = MixedTable(rules, huawei(1001, "ann"), room("bob"), room2("cy"), order=[0, 1, 2])
    table.start()
    assert table.take(0)[0] == seat(
        "button: 9002 20000 0", "small blind: 1001 20000 0", "big blind: 9001 20000 0"
    )
    assert table.last(2, "state")["position"] == 2
    assert table.asked == 2
    table.say("call")
    table.say("call")
    table.say("check")
    assert [event.street for event in table.events if isinstance(event, BoardDealt)] == [1]
    assert table.asked == 1, "the big blind starts after the flop"
    table.say("check")
    table.say("check")
    assert table.asked == 0
    inquire = table.block(0, "inquire").splitlines()
    assert inquire[1:4] == [
        "9002 19900 0 100 check ",
        "9001 19900 0 100 check ",
        "1001 19900 0 100 call ",
    ]


def test_huawei_at_room_has_its_stack_back_in_every_hand() -> None:
    table = MixedTable(ROOM, huawei(1001, "ann"), room("bob"), order=[1, 0])
    table.start()
    table.say("raise", 5000)
    table.say("fold")
    table.go_on()
    lines = table.block(0, "seat").splitlines()[1:-1]
    assert lines == ["button: 9001 20000 0 ", "small blind: 1001 20000 0 "]


# trend elsewhere.


def test_trend_at_huawei_chips_are_jetton_and_there_are_no_reloads() -> None:
    table = MixedTable(HUAWEI, trend("x"), huawei(1001, "ann"), huawei(1002, "ben"))
    table.start()
    new_round = table.last(0, "__new_round")
    assert new_round["table"]["initChips"] == 2000
    assert new_round["table"]["maxReloadCount"] == 0
    assert [player["chips"] + player["bet"] for player in new_round["players"]] == [2000] * 3
    assert all(player["reloadCount"] == 0 for player in new_round["players"])
    for _ in range(3):
        while table.match.hand is not None and table.match.number < 4:
            table.say("call" if table.match.options and table.match.options.owed else "check")
        table.go_on()
    events = [frame["eventName"] for frame in table.frames(0)]
    assert events.count("__new_round") == 4
    assert "__start_reload" not in events
    assert table.match.reload(0, table.now) == [], "a __reload is ignored"


def test_trend_at_huawei_sees_what_was_topped_up_from_the_money() -> None:
    dealt = {1: {0: "2c7d", 1: "AsAh", "board": "AdAc3h4h9s"}}
    table = MixedTable(HUAWEI, trend("x"), huawei(1001, "ann"), order=[1, 0], dealt=dealt)
    table.start()
    table.say("allin")
    table.say("call")
    assert of(table.last(0, "__round_end")["players"], table.seating.tokens[0])["chips"] == 0
    table.go_on()
    players = table.last(0, "__new_round")["players"]
    assert of(players, table.seating.tokens[0])["chips"] == 2000 - 50
    assert of(players, table.seating.tokens[1])["chips"] == 4000


def test_trend_at_huawei_heads_up_the_big_blind_is_the_button_who_has_bet_nothing() -> None:
    table = MixedTable(HUAWEI, trend("x"), huawei(1001, "ann"), order=[1, 0])
    table.start()
    data = table.last(0, "__new_round")
    button, other = table.seating.tokens[0], table.seating.tokens[1]
    assert data["table"]["smallBlind"] == {"playerName": other, "amount": 50}
    assert data["table"]["bigBlind"] == {"playerName": button, "amount": 100}
    assert of(data["players"], button)["bet"] == 0
    assert of(data["players"], other)["bet"] == 50
    request = table.last(0, "__action")
    assert request["self"]["minBet"] == 50, "a call costs the small blind, nothing more was posted"


def test_trend_at_huawei_of_a_discarded_pot_everyone_wins_nothing() -> None:
    table = MixedTable(HUAWEI, trend("x"), huawei(1001, "ann"), huawei(1002, "ben"))
    table.start()
    for _ in range(3):
        table.say("fold")
    assert any(isinstance(event, PotDiscarded) for event in table.events)
    data = table.last(0, "__round_end")
    assert [player["winMoney"] for player in data["players"]] == [0, 0, 0]
    assert sum(player["chips"] for player in data["players"]) == 6000 - 150
    assert table.block(1, "pot-win") == "pot-win/ \n/pot-win \n"


def test_trend_at_plain_has_no_reloads_and_no_caps_but_the_counts() -> None:
    rules = PLAIN.with_fields({"stack": 100_000, "hands": 2})
    table = MixedTable(rules, trend("x"), room("bob"), order=[1, 0])
    table.start()
    to = 200
    for count in range(1, 9):
        if table.asked == 0:
            table.say("raise")
        else:
            table.say(f"r{to}")
        data = table.last(0, "__show_action")
        assert data["action"]["action"] == "raise"
        assert (data["table"]["raiseCount"], data["table"]["betCount"]) == (count, 0)
        to *= 2
    table.decide(FOLD)
    table.go_on()
    table.decide(FOLD)
    table.go_on()
    assert table.match.phase == OVER
    events = [frame["eventName"] for frame in table.frames(0)]
    assert "__start_reload" not in events
    assert table.last(0, "__new_round")["table"]["maxReloadCount"] == 0


@pytest.mark.parametrize("rules", [PLAIN, ROOM, ROOM2], ids=lambda rules: rules.name)
def test_trend_where_stacks_reset_chips_are_back_each_round_and_the_end_tells_the_net(
    rules: Rules,
) -> None:
    rules = rules.with_fields({"hands": 3})
    dealt = {n: {0: "2c7d", 1: "AsAh", "board": "AdAc3h4h9s"} for n in (1, 2, 3)}
    table = MixedTable(rules, trend("x"), room("bob"), order=[1, 0], dealt=dealt)
    table.start()
    for hand in (1, 2, 3):
        data = table.last(0, "__new_round")
        assert data["table"]["initChips"] == rules.stack
        assert {p["chips"] + p["bet"] for p in data["players"]} == {rules.stack}
        table.decide(raise_to(1000 * hand))
        while table.match.hand is not None and table.match.number == hand:
            table.decide(CALL)
        table.go_on()
    over = table.last(0, "__game_over")
    chips = {player["playerName"]: player["chips"] for player in over["players"]}
    assert chips == {
        table.seating.tokens[player]: entrant.chips
        for player, entrant in enumerate(table.match.players)
    }
    assert chips[table.seating.tokens[0]] == rules.stack - 6000
    assert chips[table.seating.tokens[1]] == rules.stack + 6000


def test_trend_where_stacks_reset_nobody_is_out_in_the_end() -> None:
    dealt = {1: {0: "2c7d", 1: "AsAh", "board": "AdAc3h4h9s"}}
    rules = PLAIN.with_fields({"hands": 1})
    table = MixedTable(rules, trend("x"), room("bob"), order=[1, 0], dealt=dealt)
    table.start()
    table.say("allin")
    table.say("call")
    table.go_on()
    assert not any(isinstance(event, PlayerOut) for event in table.events)
    over = table.last(0, "__game_over")
    assert [player["isSurvive"] for player in over["players"]] == [True, True]


# room elsewhere.


@pytest.mark.parametrize("version", [V1, V2])
def test_room_at_huawei_positions_are_dense_among_the_living_from_the_small_blind(
    version: int,
) -> None:
    rules = HUAWEI.with_fields({"reserve": 0})
    dealt = {1: {0: "2c7d", 1: "AsAh", 2: "KsKh", 3: "QsQh", "board": "AdAc3h4h9s"}}
    guests = [huawei(1001, "ann"), huawei(1002, "ben"), room("bob", version), room("cy", version)]
    table = MixedTable(rules, *guests, order=[0, 1, 2, 3], dealt=dealt)
    table.start()
    assert table.last(2, "state")["position"] == 2
    table.say("fold")  # bob
    table.say("fold")  # cy
    table.say("all_in")  # ann
    table.say("call")  # ben
    table.go_on()
    assert [event.player for event in table.events if isinstance(event, PlayerOut)] == [0]
    assert table.started.players == (2, 3, 1), "ben, the next one left, has the button"
    assert table.last(2, "state")["position"] == 0
    assert table.last(3, "state")["position"] == 1
    assert table.last(3, "state")["action_position"] == 2
    if version == V2:
        assert [row["name"] for row in table.last(3, "state")["players"]] == [
            "bob",
            "cy",
            "ben-1002",
        ]
    for _ in range(3):
        table.say("fold")
    result = table.last(2, "result")
    won = result["win_money"] if version == V1 else [row["win_money"] for row in result["players"]]
    assert len(won) == len(result["player_card"]) == 3


def test_room_at_huawei_heads_up_the_button_is_position_1_and_acts_first() -> None:
    table = MixedTable(HUAWEI, room("bob"), huawei(1001, "ann"), order=[1, 0])
    table.start()
    state = table.last(0, "state")
    assert (state["position"], state["action_position"]) == (1, 1)
    assert state["legal_actions"] == ["fold", "call", "raise"]
    assert state["raise_range"] == [150, 2000]
    table.say("call")
    table.say("check")
    state = table.last(0, "state")
    assert state["action_position"] == 0, "the small blind is first after the flop"


@pytest.mark.parametrize("version", [V1, V2])
def test_room_at_huawei_the_wins_sum_below_nothing_when_a_pot_is_discarded(version: int) -> None:
    table = MixedTable(HUAWEI, room("bob", version), huawei(1001, "ann"), order=[1, 0])
    table.start()
    table.say("fold")
    table.say("fold")
    result = table.last(0, "result")
    won = result["win_money"] if version == V1 else [row["win_money"] for row in result["players"]]
    assert won == [-50, 0]


@pytest.mark.parametrize("version", [V1, V2])
def test_room_at_trend_raise_is_left_out_when_raises_are_used_up(version: int) -> None:
    table = MixedTable(AT_ONCE, room("bob", version), house(), order=[1, 0])
    table.start()
    for to in (40, 80, 160, 320):
        assert "raise" in table.last(0, "state")["legal_actions"]
        table.say(f"r{to}") if table.asked == 0 else table.decide(raise_to(to))
    assert table.asked == 0
    state = table.last(0, "state")
    assert (state["legal_actions"], state["raise_range"]) == (["fold", "call"], [])
    table.say("r1000")
    assert any(isinstance(event, Faulted) for event in table.events)
    assert acted(table)[-1].action == FOLDED


def test_room_at_trend_is_reloaded_at_nothing_and_the_ranges_tell_the_blinds() -> None:
    dealt = {1: {0: "2c7d", 1: "AsAh", "board": "AdAc3h4h9s"}}
    table = MixedTable(AT_ONCE, room("bob"), house(), order=[1, 0], dealt=dealt)
    table.start()
    assert table.last(0, "state")["raise_range"] == [21, 1000]
    table.say("r1000")
    table.decide(CALL)
    table.go_on()
    assert [e for e in table.events if isinstance(e, Reloaded)] == [Reloaded(0, 1000, 1)]
    state = table.last(0, "state")
    assert state["raise_range"] == [21, 2000]
    table.decide(FOLD)
    table.go_on()
    # The small blind has been once round the table.
    assert table.last(0, "state")["raise_range"] == [41, 1010]


@pytest.mark.parametrize("version", [V1, V2])
def test_room_at_plain_an_illegal_action_is_a_fold_and_the_match_goes_on(version: int) -> None:
    table = MixedTable(PLAIN, room("bob", version), huawei(1001, "ann"), order=[1, 0])
    table.start()
    table.say("r150")
    assert acted(table)[-1].action == FOLDED
    assert table.last(0, "result")
    table.go_on()
    assert table.match.phase == "hand"
    assert sum(isinstance(event, HandStarted) for event in table.events) == 2
    assert CLOSED not in table.sent[0]
    assert not any(b'"error"' in message for message in table.sent[0])


def test_room_at_plain_only_the_ranges_show_the_stacks() -> None:
    rules = PLAIN.with_fields({"stack": 3000})
    table = MixedTable(rules, room("bob"), huawei(1001, "ann"), order=[1, 0])
    table.start()
    state = table.last(0, "state")
    assert state["raise_range"] == [200, 3000]
    assert "3000" not in str({key: value for key, value in state.items() if key != "raise_range"})


# Both versions of room together.


@pytest.mark.parametrize("rules", [ROOM, ROOM2, PLAIN], ids=lambda rules: rules.name)
def test_both_versions_of_room_keep_their_own_frames_at_one_table(rules: Rules) -> None:
    rules = rules.with_fields({"hands": 1})
    table = MixedTable(rules, room("bob"), room2("cy"), order=[1, 0])
    table.start()
    table.say("r300")
    table.say("call")
    while table.match.phase == "hand":
        table.say("check")
    table.go_on()
    first, second = table.frames(0), table.frames(1)
    assert [frame["info"] for frame in first][:2] == ["name", "state"]
    assert (second[0]["info"], second[-1]["info"]) == ("state", "success")
    assert table.sent[0][-1] == table.sent[1][-1] == CLOSED
    state1, state2 = table.last(0, "state"), table.last(1, "state")
    assert state1["action_history"][0] == ["0:r300", "1:call"]
    assert [(deed["position"], deed["action"]) for deed in state2["action_history"][0]] == [
        (0, "r300"),
        (1, "call"),
    ]
    result1, result2 = table.last(0, "result"), table.last(1, "result")
    assert "win_money" in result1
    assert result1["win_money"] == [row["win_money"] for row in result2["players"]]
    assert result1["player_card"] == result2["player_card"]


def test_what_is_said_of_one_hand_is_the_same_in_all_dialects() -> None:
    dealt = {1: {0: "2c7d", 1: "AsAh", 2: "KsKh", 3: "QsQd", "board": "AdAc3h4h9s"}}
    guests = (huawei(1001, "ann"), trend("x"), room("bob"), room2("cy"))
    table = MixedTable(PLAIN, *guests, order=[0, 1, 2, 3], dealt=dealt)
    table.start()
    table.say("r400")  # bob
    table.say("call")  # cy
    table.say("fold")  # ann
    table.say("call")  # the trend player
    for street in (1, 2, 3):
        table.say("bet", 500)
        table.say("call")
        table.say("fold" if street == 3 else "call")  # cy
    pot = 4 * 400 - 350 + 3 * 3 * 500 - 500
    assert [event for event in table.events if isinstance(event, PotWon)] == [
        PotWon(0, pot, ((1, pot),))
    ]
    assert table.block(0, "pot-win") == f"pot-win/ \n9001: {pot} \n/pot-win \n"
    players = table.last(1, "__round_end")["players"]
    assert [player["winMoney"] for player in players] == [0, pot, 0, 0]
    won = [-50, pot - 1900, -1900, -1400]
    assert table.last(2, "result")["win_money"] == won
    assert [row["win_money"] for row in table.last(3, "result")["players"]] == won
    shown = [[], ["As", "Ah"], ["Ks", "Kh"], []]
    assert table.last(2, "result")["player_card"] == shown
    assert table.last(3, "result")["player_card"] == shown
    assert [player["cards"] for player in players] == [[], ["AS", "AH"], ["KS", "KH"], []]
    assert table.block(0, "showdown").splitlines()[8:-1] == [
        "1: 9001 SPADES A HEARTS A FOUR_OF_A_KIND ",
        "2: 9002 SPADES K HEARTS K TWO_PAIR ",
    ]
