"""What the players hear: what holds of every frame of every match, and what is said of faults."""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import parse_many
from croupier.dialects.room.reader import V1, V2
from croupier.match.audience import Policy
from croupier.match.events import Faulted
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN, ROOM, ROOM2, TREND
from tests.dialects.room.model import (
    RESULT_KEYS,
    STACK,
    STATE_KEYS,
    Betting,
    Hand,
    games,
    hands_of,
    programs,
    random_game,
    random_match,
    small_blind_first,
    words,
)
from tests.support.referee import STAMP
from tests.wire.room_game import BOARD, BOT, Game, Place, ScriptedChance

Played = tuple[Game, int]
OPEN = Policy(open_cards=True)


def all_hands(game: Game) -> list[tuple[int, Hand]]:
    """Return (player, hand) for everything that every program saw."""
    return [(player, hand) for player in programs(game) for hand in hands_of(game, player)]


# Of every match.


@given(games())
def test_every_frame_has_exactly_the_keys_of_its_version_in_their_order(played: Played) -> None:
    game, _ = played
    for player in programs(game):
        version = game.places[player].version
        for text in game.texts[player]:
            frame = json.loads(text)
            assert json.dumps(frame) == text  # the spelling of the original, ASCII only
            if frame["info"] == "state":
                assert " ".join(frame) == STATE_KEYS[version]
            elif frame["info"] == "result":
                assert " ".join(frame) == RESULT_KEYS[version]


@given(games())
def test_a_match_is_a_name_hands_and_a_goodbye(played: Played) -> None:
    game, _ = played
    for player in programs(game):
        kinds = [frame["info"] for frame in game.frames(player)]
        if game.places[player].version == V1:
            assert kinds.pop(0) == "name"
        else:
            assert kinds.pop() == "success"
        hands = " ".join(kinds).split("result")
        assert hands.pop() == ""
        assert len(hands) == game.match.played
        assert all(set(hand.split()) == {"state"} for hand in hands)
        assert player in game.closed


@given(games())
def test_the_last_state_and_no_other_has_nobody_to_act(played: Played) -> None:
    game, _ = played
    for _, hand in all_hands(game):
        assert [state["action_position"] == -1 for state in hand.states] == [
            *([False] * len(hand.before_the_end)),
            True,
        ]


@given(games())
def test_fold_is_always_legal_and_exactly_one_of_check_and_call(played: Played) -> None:
    game, _ = played
    for _, hand in all_hands(game):
        for state in hand.states:
            legal = state["legal_actions"]
            assert legal in (
                ["fold", "check"],
                ["fold", "call"],
                ["fold", "check", "raise"],
                ["fold", "call", "raise"],
            )
            assert ("raise" in legal) == bool(state["raise_range"])


@given(games())
def test_actions_and_ranges_are_those_of_the_protocol_computed_from_the_history(
    played: Played,
) -> None:
    game, version = played
    size = len(game.places)
    for _, hand in all_hands(game):
        for state in hand.before_the_end:
            betting = Betting(size, words(state))
            turn = state["action_position"]
            assert turn == betting.next_in_turn(with_chips=True)
            assert (state["legal_actions"], state["raise_range"]) == betting.legal(turn, version)


@given(games())
def test_the_last_state_has_the_options_of_the_next_in_turn_who_has_not_folded(
    played: Played,
) -> None:
    game, version = played
    for _, hand in all_hands(game):
        state = hand.states[-1]
        betting = Betting(len(game.places), words(state))
        turn = betting.next_in_turn(with_chips=False)
        assert (state["legal_actions"], state["raise_range"]) == betting.legal(turn, version)


@given(games())
def test_under_version_2_a_street_has_at_most_four_raises(played: Played) -> None:
    game, version = played
    if version == V1:
        return
    for _, hand in all_hands(game):
        for street in words(hand.states[-1]):
            assert sum(word.startswith("r") for _, word in street) <= 4


def test_four_raises_on_a_street_do_happen() -> None:
    """So that the test above can fail."""
    counts = []
    for seed in range(30):
        for _, hand in all_hands(random_game(4, V2, [V2] * 4, seed, 4, None)):
            rounds = words(hand.states[-1])
            counts += [sum(word[0] == "r" for _, word in street) for street in rounds]
    assert max(counts) == 4


@given(games())
def test_the_history_grows_by_one_action_and_begins_a_street_with_its_first_question(
    played: Played,
) -> None:
    game, _ = played
    for _, hand in all_hands(game):
        before: list[tuple[int, str]] = []
        for number, state in enumerate(hand.states):
            rounds = words(state)
            actions = [item for street in rounds for item in street]
            assert len(actions) == number
            assert actions[: len(before)] == before
            before = actions
            # Only the street that is being asked for may be empty, and it is no run-out.
            assert all(rounds[:-1])
            assert rounds[-1] or state["action_position"] != -1
            if number:
                assert actions[-1][0] == hand.states[number - 1]["action_position"]
                word = actions[-1][1]
                kind = "raise" if word.startswith("r") else word
                assert kind in hand.states[number - 1]["legal_actions"]


@given(games())
def test_the_board_is_as_long_as_its_street_and_whole_after_a_run_out(played: Played) -> None:
    game, _ = played
    for _, hand in all_hands(game):
        for state in hand.before_the_end:
            assert len(state["public_card"]) == (0, 3, 4, 5)[len(state["action_history"]) - 1]
        last = hand.states[-1]
        board = last["public_card"]
        if hand.by_folds:
            assert len(board) == (0, 3, 4, 5)[len(last["action_history"]) - 1]
        else:
            assert len(board) == 5
        assert hand.result["public_card"] == board
        for state in hand.states:
            assert board[: len(state["public_card"])] == state["public_card"]


def test_run_outs_do_happen() -> None:
    """So that the tests above can fail."""
    lengths = set()
    for seed in range(80):
        for _, hand in all_hands(random_game(2, V1, [V1, V1], seed, 4, None)):
            if len(hand.states[-1]["public_card"]) == 5:
                lengths.add(len(hand.states[-1]["action_history"]))
    assert lengths == {1, 2, 3, 4}


def won(result: dict[str, Any]) -> list[int]:
    """Return the winnings of a result of either version."""
    if "win_money" in result:
        amounts: list[int] = result["win_money"]
        return amounts
    return [player["win_money"] for player in result["players"]]


@given(games())
def test_the_winnings_sum_to_0_and_are_those_of_the_cards(played: Played) -> None:
    game, _ = played
    for _, hand in all_hands(game):
        amounts = won(hand.result)
        assert sum(amounts) == 0
        assert all(type(amount) is int for amount in amounts)
        betting = Betting(len(game.places), words(hand.states[-1]))
        assert amounts == betting.winnings(hand.hole, hand.result["public_card"])


@given(games())
def test_everyone_moves_one_position_down_after_each_hand(played: Played) -> None:
    game, _ = played
    size = len(game.places)
    for player in programs(game):
        positions = []
        for hand in hands_of(game, player):
            (position,) = {state["position"] for state in hand.states}
            assert position == hand.position
            positions.append(position)
        assert positions == [(positions[0] - number) % size for number in range(len(positions))]
        if game.places[player].version == V1:
            assert game.frames(player)[0]["position"] == positions[0]


@given(games())
def test_names_are_those_of_the_first_hands_seats_or_of_the_present_hand(played: Played) -> None:
    game, _ = played
    for player in programs(game):
        first = game.frames(player)[0]
        if game.places[player].version == V1:
            expected = [game.places[other].name for other in small_blind_first(game, 0)]
            assert first["name"] == expected
            continue
        for number, hand in enumerate(hands_of(game, player)):
            expected = [game.places[other].name for other in small_blind_first(game, number)]
            for frame in (*hand.states, hand.result):
                assert [row["name"] for row in frame["players"]] == expected


@given(games())
def test_everyone_sees_his_own_cards_and_nobody_elses_before_the_result(played: Played) -> None:
    game, _ = played
    for _, hand in all_hands(game):
        own = hand.hole[hand.position]
        others = {card for cards in hand.hole for card in cards} - set(own)
        for state in hand.states:
            assert state["private_card"] == own
            text = json.dumps(state)
            assert not [card for card in others if f'"{card}"' in text]


@given(games())
def test_a_result_shows_who_got_to_the_showdown_and_after_folds_only_the_own_cards_of_version_2(
    played: Played,
) -> None:
    game, _ = played
    for player, hand in all_hands(game):
        live = Betting(len(game.places), words(hand.states[-1])).live
        shown = [cards if p in live else [] for p, cards in enumerate(hand.hole)]
        if hand.by_folds:
            shown = [[] for _ in hand.hole]
            if game.places[player].version == V2:
                shown[hand.position] = hand.hole[hand.position]
        assert hand.result["player_card"] == shown
        if game.places[player].version == V1:
            assert hand.result["private_card"] == shown
        hidden = {card for cards in hand.hole for card in cards if cards not in shown}
        text = json.dumps(hand.result)
        assert not [card for card in hidden if f'"{card}"' in text]


@given(games())
def test_version_2_knows_what_everyone_has_left(played: Played) -> None:
    game, _ = played
    for player, hand in all_hands(game):
        if game.places[player].version == V1:
            continue
        for state in hand.states:
            rest = Betting(len(game.places), words(state)).rest
            rows = state["players"]
            assert [" ".join(row) for row in rows] == [
                "position money_left total_money name"
            ] * len(rows)
            assert [row["position"] for row in rows] == list(range(len(rows)))
            assert [row["money_left"] for row in rows] == rest
            assert {row["total_money"] for row in rows} == {STACK}
        rows = hand.result["players"]
        assert [" ".join(row) for row in rows] == [
            "position win_money moneyLeft totalMoney name"
        ] * len(rows)
        assert [row["moneyLeft"] for row in rows] == rest
        assert hand.result["action_history"] == hand.states[-1]["action_history"]


@given(games())
def test_the_history_is_texts_in_version_1_and_objects_with_a_time_in_version_2(
    played: Played,
) -> None:
    game, _ = played
    for player, hand in all_hands(game):
        items = [item for street in hand.states[-1]["action_history"] for item in street]
        if game.places[player].version == V1:
            assert all(isinstance(item, str) for item in items)
        else:
            assert {" ".join(item) for item in items} == {"position action timestamp"}
            assert {item["timestamp"] for item in items} == {STAMP}


@given(games(bots=False))
def test_all_see_the_same_hand_whatever_version_they_speak(played: Played) -> None:
    game, _ = played
    rows = [hands_of(game, player) for player in programs(game)]
    for views in zip(*rows, strict=True):
        assert len({len(hand.states) for hand in views}) == 1
        assert all(won(hand.result) == won(views[0].result) for hand in views)
        for states in zip(*(hand.states for hand in views), strict=True):
            for key in ("action_position", "legal_actions", "raise_range", "public_card"):
                assert all(state[key] == states[0][key] for state in states)
            assert all(words(state) == words(states[0]) for state in states)


@given(
    rules=st.sampled_from([PLAIN, HUAWEI, TREND.with_fields({"countdown_s": 0, "reloads": 0})]),
    size=st.integers(2, 8),
    version=st.sampled_from([V1, V2]),
    seed=st.integers(0, 2**32),
)
def test_games_of_other_protocols_can_be_spoken_too(
    rules: Rules, size: int, version: int, seed: int
) -> None:
    """Stacks carry over, blinds grow, players drop out: the frames keep their shape."""
    game = random_match(rules.with_fields({"hands": 5}), size, [version] * size, seed, OPEN)
    assert not any(isinstance(event, Faulted) for event in game.events)
    for player in programs(game):
        frames = [frame for frame in game.frames(player) if frame["info"] in ("state", "result")]
        for frame in frames:
            keys = STATE_KEYS if frame["info"] == "state" else RESULT_KEYS
            assert " ".join(frame) == keys[version]
        for asked, then in pairwise(frames):
            if asked["info"] == "result" or asked["action_position"] == -1:
                continue
            place, word = [item for street in words(then) for item in street][-1]
            assert place == asked["action_position"]
            if word.startswith("r"):
                assert "raise" in asked["legal_actions"]
                assert int(word[1:]) <= asked["raise_range"][1]
            else:
                assert word in asked["legal_actions"]
        assert player in game.closed


# Single tables.


def table(
    spoken: Sequence[int],
    dealt: dict[int, list[int]] | None = None,
    names: Sequence[str] = (),
    **fields: Any,
) -> Game:
    """Return a room in its first hand; the players sit as they are listed."""
    rules = ROOM2 if V2 in spoken else ROOM
    places = [
        Place(names[player] if names else f"p{player}", version)
        for player, version in enumerate(spoken)
    ]
    chance = ScriptedChance(range(len(places)), {1: dealt or {}})
    game = Game(rules.with_fields(fields), places, chance)
    game.start()
    game.start_all()
    return game


def say(game: Game, actions: str) -> None:
    """Let whoever is asked act, one after the other."""
    for word in actions.split():
        game.say(word)


def kinds(game: Game, player: int) -> list[str]:
    return [frame["info"] for frame in game.frames(player)]


def errors(game: Game, player: int) -> list[str]:
    return [frame["text"] for frame in game.frames(player) if frame["info"] == "error"]


@pytest.mark.parametrize(("opened", "odd"), [(300, 0), (301, 1), (302, 2)])
def test_odd_chips_go_one_by_one_to_the_winners_in_the_lowest_positions(
    opened: int, odd: int
) -> None:
    """Three share a pot in which the fourth has left his chips."""
    dealt = {
        0: parse_many("2c3c"),
        1: parse_many("AhKd"),
        2: parse_many("AsKh"),
        3: parse_many("AcKs"),
        BOARD: parse_many("AdQh9s4d5h"),
    }
    game = table([V1] * 4, dealt)
    say(game, f"r{opened} call call call r100 call call fold" + 6 * " check")
    result = game.frames(0)[-1]
    extra = [1] * odd + [0] * (3 - odd)
    assert result["win_money"] == [-opened, *(100 + chip for chip in extra)]


def test_the_name_message_is_sent_once_to_version_1_and_never_to_version_2() -> None:
    game = table([V1, V2, BOT])
    say(game, "fold")  # the house bot
    say(game, "fold")
    game.start_all()
    assert kinds(game, 0).count("name") == 1
    assert "name" not in kinds(game, 1)
    assert game.texts[2] == []


def test_in_version_1_the_first_hand_waits_for_every_start() -> None:
    game = Game(ROOM, [Place("a"), Place("b")], ScriptedChance([0, 1]))
    game.start()
    assert kinds(game, 0) == kinds(game, 1) == ["name"]
    game.take(1, {"info": "start"})
    assert kinds(game, 1) == ["name"]
    game.take(0, {"info": "start"})
    assert kinds(game, 0) == kinds(game, 1) == ["name", "state"]


def test_in_version_2_the_first_state_comes_when_the_room_is_full() -> None:
    game = Game(ROOM2, [Place("a", V2), Place("b", V2)], ScriptedChance([0, 1]))
    game.start()
    assert kinds(game, 0) == kinds(game, 1) == ["state"]


def test_any_frame_but_exit_counts_as_ready() -> None:
    game = table([V1, V1])
    say(game, "fold")
    game.take(0, {})
    game.take(1, {"info": "action", "action": "call"})
    assert kinds(game, 0)[-1] == "state"
    assert not game.answers[1:]


def test_in_version_2_success_waits_for_the_last_ready() -> None:
    game = table([V2, V2], hands=1)
    say(game, "fold")
    assert kinds(game, 0)[-1] == "result"
    game.take(0, {"info": "ready", "status": "start"})
    assert kinds(game, 0)[-1] == "result"
    assert not game.closed
    game.take(1, {"info": "ready", "status": "exit"})
    for player in (0, 1):
        assert game.texts[player][-1] == '{"info": "success", "text": "Complete playing"}'
    assert game.closed == {0, 1}


def test_who_leaves_after_the_last_hand_is_no_trouble() -> None:
    game = table([V2, V2], hands=1)
    say(game, "fold")
    game.leave(0)
    assert kinds(game, 0)[-1] == "result"
    game.take(1, {"info": "ready"})
    assert kinds(game, 1)[-1] == "success"
    assert game.over


# Faults.


def after_a_fault(game: Game, text: str, gone: Sequence[int] = ()) -> None:
    """Check that the hand was played to its end, and the room closed with an error frame."""
    assert game.over
    for player in programs(game):
        if player in gone:
            assert not errors(game, player)
            continue
        assert kinds(game, player)[-3:] == ["state", "result", "error"]
        assert game.frames(player)[-3]["action_position"] == -1
        assert errors(game, player) == [text]
        assert player in game.closed


versions = pytest.mark.parametrize("version", [V1, V2])


@versions
def test_an_illegal_action_is_a_fold_and_ends_the_room_after_the_hand(version: int) -> None:
    game = table([version] * 3)
    say(game, "r101")
    assert not game.over
    assert words(game.frames(0)[-1]) == [[(2, "fold")]]
    say(game, "r1000 r2000 fold")
    assert words(game.frames(0)[-3]) == [[(2, "fold"), (0, "r1000"), (1, "r2000"), (0, "fold")]]
    after_a_fault(game, "Player p2 makes an illegal action: r101")


@versions
def test_a_missing_action_is_a_fold_and_ends_the_room_after_the_hand(version: int) -> None:
    game = table([version] * 2)
    game.take(0, {"info": "action"})
    after_a_fault(game, "No action in Player p0' message")


@versions
def test_a_timeout_is_a_fold_and_ends_the_room_after_the_hand(version: int) -> None:
    game = table([version] * 2)
    game.wait(299.9)
    assert not game.over
    game.wait(0.1)
    after_a_fault(game, "Player p0 did not act in time")


@versions
def test_a_lost_connection_is_a_fold_and_ends_the_room_after_the_hand(version: int) -> None:
    game = table([version] * 3)
    game.leave(0)
    assert not game.over
    say(game, "call check" + 6 * " check")
    after_a_fault(game, "Player p0 disconnected", gone=[0])


@versions
def test_a_connection_lost_by_who_is_asked_is_a_fold_at_once(version: int) -> None:
    game = table([version] * 2)
    game.leave(0)
    after_a_fault(game, "Player p0 disconnected", gone=[0])


@versions
def test_exit_when_asked_is_a_fold_and_ends_the_room(version: int) -> None:
    game = table([version] * 2)
    game.take(0, {"info": "exit"})
    after_a_fault(game, "Player p0 exit the room")


@versions
def test_exit_between_hands_ends_the_room_at_once(version: int) -> None:
    game = table([version] * 2)
    say(game, "fold")
    game.take(1, {"info": "exit"})
    after_a_fault(game, "Player p1 exit the room")


@versions
def test_a_timeout_before_the_next_hand_ends_the_room(version: int) -> None:
    game = table([version] * 2)
    say(game, "fold")
    game.take(0, {"info": "start"})
    game.wait(300)
    after_a_fault(game, "Player p1 was not ready in time")


def test_a_connection_lost_between_hands_ends_a_room_of_version_2_with_an_error() -> None:
    game = table([V2] * 3)
    say(game, "fold fold")
    game.leave(1)
    after_a_fault(game, "Player p1 disconnected", gone=[1])


def test_a_program_of_version_1_says_goodbye_by_leaving_between_hands() -> None:
    """Its matches have no other end, so nobody is told of a fault."""
    game = table([V1] * 3)
    say(game, "fold fold")
    game.leave(1)
    assert game.over
    for player in (0, 2):
        assert kinds(game, player)[-1] == "result"
        assert player in game.closed


def test_only_the_first_fault_of_a_hand_is_said() -> None:
    game = table([V2] * 3)
    say(game, "nonsense")
    game.leave(0)
    after_a_fault(game, "Player p2 makes an illegal action: nonsense", gone=[0])


def test_who_answers_out_of_turn_is_not_heard() -> None:
    game = table([V1] * 3)
    game.take(0, {"info": "action", "action": "nonsense"})
    assert game.ignored
    assert words(game.frames(0)[-1]) == [[]]
    say(game, "fold fold")
    assert errors(game, 0) == []


def test_the_organisers_stop_is_said_to_everyone() -> None:
    game = table([V1, V2])
    game.stop()
    for player in (0, 1):
        assert errors(game, player) == ["The match was stopped by the organiser"]
        assert player in game.closed
    assert "result" not in kinds(game, 0)


def test_an_error_frame_is_ascii_whatever_a_player_is_called_and_sends() -> None:
    game = table([V1, V1], names=["Zoë", "😀"])
    game.take(0, {"action": "日本"})
    assert errors(game, 1) == ["Player Zoë makes an illegal action: 日本"]
    assert game.texts[1][-1].isascii()


def test_who_is_withdrawn_hears_nothing_after_the_hand_and_the_others_play_on() -> None:
    game = table([V2] * 3)
    game.withdraw(1)
    say(game, "fold fold")
    assert 1 in game.closed
    heard = len(game.texts[1])
    game.start_all()
    say(game, "fold")
    assert len(game.texts[1]) == heard
    assert [row["name"] for row in game.frames(0)[-1]["players"]] == ["p0", "p2"]
    assert kinds(game, 0)[-1] == kinds(game, 2)[-1] == "result"
