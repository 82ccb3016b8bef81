"""Who may sit down where, who is waited for, and how one leaves: by the rules of the table."""

import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from croupier.dialects.room.reader import V1, V2
from croupier.match.events import NotReady, PlayerOut, TimedOut
from croupier.match.match import HAND, OVER, READY
from croupier.rules.events import FOLDED, Acted, HandEnded
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN, ROOM, ROOM2, SETS, TREND
from tests.mixed.table import CLOSED, MixedTable, house, huawei, room, room2, trend

HOLDEM = [rules for rules in SETS.values() if rules.game == "holdem"]


def refused(*arguments: str) -> str:
    """Return the one line with which `croupier host` refuses to set a table up."""
    result = CliRunner().invoke(main, ["host", *arguments])
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.strip().splitlines()
    return line


# Setting up a table.


def test_more_than_eight_seats_are_refused_where_huawei_is_spoken() -> None:
    listen = ("--listen", "trend:0", "--listen", "huawei:0")
    text = refused("--rules", "plain", *listen, "--seats", "9")
    assert "huawei can speak of 8 seats at most, not 9" in text


@pytest.mark.parametrize("other", ["huawei", "trend", "room"])
def test_kuhn_goes_with_nothing_else(other: str) -> None:
    both = ("--listen", "kuhn:0", "--listen", f"{other}:0")
    assert "kuhn go with the dialect kuhn only" in refused("--rules", "kuhn", *both)
    assert "kuhn goes with --rules kuhn only" in refused("--rules", "plain", *both, "--seats", "2")
    alone = ("--listen", f"{other}:0")
    assert "kuhn go with the dialect kuhn only" in refused("--rules", "kuhn", *alone)
    assert refused("--rules", "plain", "--listen", "kuhn:0", "--seats", "2")


@pytest.mark.parametrize("dialect", ["huawei", "trend", "room"])
def test_antes_are_refused_in_every_dialect(dialect: str) -> None:
    ante = ("--set", "ante=10", "--seats", "3")
    text = refused("--rules", "plain", "--listen", f"{dialect}:0", *ante)
    assert "no dialect can speak of antes" in text


# Waiting for those who say that they are ready.


def hands_ended(table: MixedTable) -> int:
    return sum(isinstance(event, HandEnded) for event in table.events)


def end_hand(table: MixedTable) -> None:
    ended = hands_ended(table)
    while hands_ended(table) == ended:
        table.say("fold")


@pytest.mark.parametrize("rules", HOLDEM, ids=lambda rules: rules.name)
def test_a_hand_waits_for_every_connected_room_player_and_for_nobody_else(rules: Rules) -> None:
    rules = rules.with_fields({"countdown_s": 0})
    guests = (room("a"), room2("b"), huawei(1001, "c"), trend("d"), house())
    table = MixedTable(rules, *guests, order=[4, 0, 1, 2, 3])
    table.sit_down()
    assert table.match.phase == READY
    for player in (1, 2, 3, 4):  # version 2 says nothing before the first hand
        table.play(table.match.ready(player, table.now))
        assert table.match.phase == READY
    table.play(table.match.ready(0, table.now))
    assert table.match.phase == HAND
    end_hand(table)
    assert table.match.phase == READY
    table.play(table.match.ready(0, table.now))
    assert table.match.phase == READY
    table.play(table.match.ready(1, table.now))
    assert table.match.phase != READY


def test_a_hand_does_not_wait_for_a_room_player_who_is_gone() -> None:
    table = MixedTable(PLAIN, room("a"), room2("b"), huawei(1001, "c"))
    table.start()
    table.leave(1)
    end_hand(table)
    table.play(table.match.ready(0, table.now))
    assert table.match.phase == HAND


def test_players_are_waited_for_5_seconds_and_under_room_rules_for_300() -> None:
    waits = {rules.name: rules.ready_ms for rules in HOLDEM}
    room_rules = {ROOM.name, ROOM2.name}
    assert waits == {name: 300_000 if name in room_rules else 5000 for name in waits}
    table = MixedTable(PLAIN, room("a"), huawei(1001, "b"))
    table.sit_down()
    assert table.match.deadline == 5.0


@pytest.mark.parametrize("rules", [PLAIN, HUAWEI, TREND], ids=lambda rules: rules.name)
def test_who_is_not_ready_in_time_is_dealt_in_and_folded_when_asked(rules: Rules) -> None:
    rules = rules.with_fields({"countdown_s": 0})
    table = MixedTable(rules, room("a"), room("b"), huawei(1001, "c"), order=[1, 2, 0])
    table.sit_down()
    table.play(table.match.ready(1, table.now))
    table.tick()
    assert [event for event in table.events if isinstance(event, NotReady)] == [NotReady(0)]
    assert table.started.players == (1, 2, 0), "he is dealt in"
    # He was the first to act, and it is the next one's turn already.
    acted = [event for event in table.events if isinstance(event, Acted)]
    assert [(event.seat, event.action) for event in acted] == [(2, FOLDED)]
    assert any(isinstance(event, TimedOut) and event.player == 0 for event in table.events)
    assert table.asked == 1
    assert table.last(0, "state")["private_card"], "he is told of the hand"
    end_hand(table)
    # Ready again, he plays the next hand like everyone else.
    table.go_on()
    end_hand(table)
    late = [event for event in table.events if isinstance(event, TimedOut)]
    assert len(late) == 1


@pytest.mark.parametrize("rules", [ROOM, ROOM2], ids=lambda rules: rules.name)
def test_under_room_rules_who_is_not_ready_in_time_ends_the_match(rules: Rules) -> None:
    table = MixedTable(rules, room("a"), room2("b"), huawei(1001, "c"))
    table.start()
    end_hand(table)
    table.play(table.match.ready(0, table.now))
    table.tick()
    assert table.match.phase == OVER
    assert table.last(0, "error")["text"] == "Player b was not ready in time"
    assert table.sent[2][-1] == b"game-over \n"


# Out of chips.


def lose_everything() -> MixedTable:
    """Play a hand after which players 0 to 3 have nothing left, and three others go on."""
    rules = HUAWEI.with_fields({"reserve": 0, "hands": 3})
    pairs = ("2c2d", "3c3d", "4c4d", "5c5d", "AsAh", "KsKh", "QsQh")
    dealt = {1: {player: pairs[player] for player in range(7)} | {"board": "AdAcKdQc9s"}}
    people = (
        huawei(1001, "a"),
        trend("b"),
        room("c", V1),
        room("d", V2),
        huawei(1005, "e"),
        trend("f"),
        room("g"),
    )
    table = MixedTable(rules, *people, order=[5, 6, 0, 1, 2, 3, 4], dealt=dealt)
    table.start()
    for word in ("all_in", "allin", "call", "call", "call", "fold", "fold"):
        table.say(word)
    return table


def test_huawei_without_chips_hears_nothing_until_the_game_is_over() -> None:
    table = lose_everything()
    assert [e.player for e in table.events if isinstance(e, PlayerOut)] == [0, 1, 2, 3]
    table.take(0)
    table.go_on()
    end_hand(table)
    assert table.take(0) == []
    assert table.match.players[0].online
    while table.match.phase != OVER:
        table.go_on()
        if table.match.phase == HAND:
            table.say("fold")
    assert table.take(0) == [b"game-over \n"]


def test_trend_without_chips_does_not_survive_and_goes_on_watching() -> None:
    table = lose_everything()
    table.take(1)
    table.go_on()
    end_hand(table)
    table.go_on()
    frames = table.frames(1)
    kinds = [frame["eventName"] for frame in frames]
    assert {"__new_round", "__show_action", "__round_end"} <= set(kinds)
    assert not {"__action", "__bet"} & set(kinds)
    data = next(frame["data"] for frame in frames if frame["eventName"] == "__new_round")
    survivors = {player["playerName"] for player in data["players"] if player["isSurvive"]}
    assert survivors == {table.seating.tokens[player] for player in (4, 5, 6)}
    assert all(player["cards"] == [] for player in data["players"]), "he is dealt no cards"


@pytest.mark.parametrize(("player", "goodbye"), [(2, []), (3, ["success"])])
def test_room_without_chips_is_closed_after_the_result(player: int, goodbye: list[str]) -> None:
    table = lose_everything()
    assert table.sent[player][-1] == CLOSED
    kinds = [frame["info"] for frame in table.frames(player)]
    assert kinds[kinds.index("result") :] == ["result", *goodbye]
    assert not table.match.players[player].online
    before = len(table.sent[player])
    table.go_on()
    end_hand(table)
    assert len(table.sent[player]) == before


def test_lists_in_room_messages_are_as_long_as_the_hand_has_players() -> None:
    table = lose_everything()
    assert len(table.last(6, "result")["win_money"]) == 7
    table.go_on()
    assert len(table.started.players) == 3
    end_hand(table)
    result = table.last(6, "result")
    assert len(result["win_money"]) == len(result["player_card"]) == 3


# The end.


@pytest.mark.parametrize("rules", HOLDEM, ids=lambda rules: rules.name)
def test_the_end_of_the_match_is_told_in_each_dialect_s_own_way(rules: Rules) -> None:
    rules = rules.with_fields({"hands": 1, "countdown_s": 0})
    guests = (huawei(1001, "a"), trend("b"), room("c", V1), room("d", V2))
    table = MixedTable(rules, *guests)
    table.start()
    end_hand(table)
    table.go_on()
    assert table.match.phase == OVER
    assert table.sent[0][-1] == b"game-over \n"
    assert table.frames(1)[-1]["eventName"] == "__game_over"
    assert table.sent[2][-1] == CLOSED
    assert table.frames(2)[-1]["info"] == "result"
    assert table.sent[3][-1] == CLOSED
    assert table.frames(3)[-1] == {"info": "success", "text": "Complete playing"}


@pytest.mark.parametrize("rules", HOLDEM, ids=lambda rules: rules.name)
def test_a_match_that_is_stopped_within_a_hand_is_told_of_in_each_dialect(rules: Rules) -> None:
    rules = rules.with_fields({"countdown_s": 0})
    guests = (huawei(1001, "a"), trend("b"), room("c", V1), room("d", V2))
    table = MixedTable(rules, *guests)
    table.start()
    table.play(table.match.stop())
    assert table.sent[0][-1] == b"game-over \n"
    kinds = [frame["eventName"] for frame in table.frames(1)]
    assert kinds[-2:] == ["__game_stop", "__game_over"]
    for player in (2, 3):
        assert table.sent[player][-1] == CLOSED
        assert table.frames(player)[-1]["info"] == "error"


# Coming back to a running match, as after a restart of the server.


def hand_over(table: MixedTable) -> None:
    """Play to the end of the hand, and throw away what everyone was sent."""
    end_hand(table)
    for player in range(len(table.guests)):
        table.take(player)


def test_room_who_comes_back_in_version_1_is_told_who_sits_where_in_the_next_hand() -> None:
    table = MixedTable(PLAIN, room("a"), huawei(1001, "b"), house("c"))
    table.start()
    table.leave(0)
    hand_over(table)
    hand_over(table)
    table.play(table.match.pause())
    hand_over(table)
    table.come_back(0)
    (name,) = table.frames(0)
    table.play(table.match.resume(table.now))
    state = table.frames(0)[0]
    assert name["info"] == "name"
    assert name["position"] == state["position"]
    players = [table.started.players[seat] for seat in range(3)]
    names = {0: "a", 1: "b-1001", 2: "c"}
    assert name["name"] == [names[player] for player in players]


def test_room_who_comes_back_in_version_2_hears_of_the_next_hand_without_a_word() -> None:
    table = MixedTable(PLAIN, room2("a"), huawei(1001, "b"))
    table.start()
    table.leave(0)
    table.play(table.match.pause())
    hand_over(table)
    table.come_back(0)
    assert table.frames(0) == []
    table.play(table.match.resume(table.now))
    assert table.frames(0)[0]["info"] == "state"


@pytest.mark.parametrize("version", [V1, V2])
def test_room_who_comes_back_within_a_hand_is_told_of_it(version: int) -> None:
    rules = PLAIN.with_fields({"absence_ms": 1000})
    others = huawei(1001, "b"), huawei(1002, "c")
    table = MixedTable(rules, room("a", version), *others, order=[1, 2, 0])
    table.start()
    assert table.asked == 0
    table.leave(0)
    table.take(0)
    table.come_back(0)
    *names, state = table.frames(0)
    assert [name["info"] for name in names] == (["name"] if version == V1 else [])
    assert state["action_position"] == state["position"]
    table.say("fold")
    assert table.frames(0)[0]["action_history"] != [[]]


def test_room_who_comes_back_within_a_hand_in_another_version_is_told_in_that_one() -> None:
    rules = PLAIN.with_fields({"absence_ms": 1000})
    table = MixedTable(rules, room("a"), huawei(1001, "b"), huawei(1002, "c"), order=[1, 2, 0])
    table.start()
    table.leave(0)
    assert table.asked == 0
    table.take(0)
    table.join(room2("a"))
    end_hand(table)
    *states, result = table.frames(0)
    assert [len(state["players"]) for state in states] == [3] * len(states)
    assert result["info"] == "result"
    assert result["action_history"][0][0]["position"] == 2


def test_room_who_comes_back_and_is_out_is_sent_away() -> None:
    table = MixedTable(PLAIN, room2("a"), huawei(1001, "b"), huawei(1002, "c"))
    table.start()
    table.leave(0)
    table.play(table.match.withdraw(0, table.now))
    hand_over(table)
    table.come_back(0)
    assert table.take(0)[-1:] == [CLOSED]


def test_room_who_comes_back_before_the_match_hears_nothing_yet() -> None:
    table = MixedTable(PLAIN, room("a"), huawei(1001, "b"), seats=3)
    table.sit_down()
    table.leave(0)
    table.come_back(0)
    assert table.take(0) == []
