"""Scenes and lines, event by event, for matches of all rules."""

from dataclasses import replace
from pathlib import Path

import pytest

from croupier.cards import parse
from croupier.match.audience import Audience, Policy
from croupier.match.events import Joined
from croupier.match.standings import standings
from croupier.ranking import equity
from croupier.rules.decisions import BET, RAISE
from croupier.rules.events import Acted, Event, HandEnded, HandStarted
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import ACPC_KUHN3, ACPC_LEDUC, HUAWEI, KUHN, PLAIN, ROOM, ROOM2, TREND
from croupier.store import queries
from croupier.store.schema import open_store
from croupier.web.archive.replay import replay
from croupier.web.live.public_match import PublicMatch
from croupier.web.live.scene import draw
from croupier.web.live.schemas import Scene
from tests.store.recorded import Recording, Trouble, record_match
from tests.support.scripted import act, hand_of

TROUBLE = Trouble(late=20, nonsense=20, gone=10)
MIX = ["RuleAgent", "RandomAgent", "CallAgent", "AllinAgent"] * 3

MATCHES = [
    pytest.param(replace(PLAIN, hands=6), 2, id="plain, 2"),
    pytest.param(replace(PLAIN, hands=6, ante=10), 3, id="plain with antes, 3"),
    pytest.param(replace(PLAIN, hands=6), 10, id="plain, 10"),
    pytest.param(replace(HUAWEI, hands=20), 2, id="huawei, 2"),
    pytest.param(replace(HUAWEI, hands=10), 8, id="huawei, 8"),
    pytest.param(replace(TREND, hands=20), 5, id="trend, 5"),
    pytest.param(replace(TREND, hands=8), 10, id="trend, 10"),
    pytest.param(replace(ROOM, hands=6, fault_ends=False), 4, id="room, 4"),
    pytest.param(replace(ROOM2, hands=6, fault_ends=False), 6, id="room2, 6"),
    pytest.param(replace(KUHN, hands=20), 2, id="kuhn"),
    pytest.param(replace(ACPC_LEDUC, hands=20, fault_ends=False), 2, id="leduc"),
]


def bots(rules_name: str, count: int) -> list[str]:
    """Return house bots for so many seats."""
    return ["RandomAgent", "RuleAgent"] if rules_name == "kuhn" else MIX[:count]


def joined(recording: Recording) -> PublicMatch:
    """Return the match with everyone at the table."""
    public = PublicMatch(recording.rules, recording.id, len(recording.names))
    for name in recording.names:
        public.join(name, "house")
    return public


def released(audience: Audience, events: list[Event]) -> list[Event]:
    """Return what may be seen of some events."""
    told = [seen for event in events for seen in audience.release(event)]
    return [event for event in told if not isinstance(event, Joined)]


@pytest.mark.parametrize("policy", ["showdown", "all"])
@pytest.mark.parametrize(("rules", "seats"), MATCHES)
def test_a_scene_has_the_stacks_of_the_hand_and_the_ranking_of_the_books(
    rules: Rules, seats: int, policy: str, tmp_path: Path
) -> None:
    recording = record_match(
        tmp_path / "s.db", rules, bots(rules.name, seats), "scene", TROUBLE, match_id="m"
    )
    public = joined(recording)
    audience = Audience(Policy.parse(policy))
    for events, state in zip(recording.hands, recording.states, strict=True):
        in_play = 0
        for event in released(audience, events):
            public.see(event, 5.0)
            told = public.sentence(event)
            assert told is None or told[1]
            scene = draw(public, "main")
            assert scene.pot == sum(pot.amount for pot in scene.pots)
            assert [seat.seat for seat in scene.seats] == list(range(len(scene.seats)))
            if isinstance(event, HandStarted):
                in_play = sum(event.stacks)
                assert [seat.player for seat in scene.seats[: len(event.players)]] == list(
                    event.players
                )
            if scene.hand and not scene.over:
                on_the_table = scene.seats[: len(public.view.hand.players)]
                assert scene.pot + sum(seat.stack for seat in on_the_table) == in_play
            if isinstance(event, HandEnded):
                dealt_in = scene.seats[: len(event.stacks)]
                assert [seat.stack for seat in dealt_in] == list(event.stacks)
                assert scene.over
                assert scene.turn is None
                assert not any(seat.bet for seat in scene.seats)
        # The books are those that were recorded.
        saved = [
            (one["stack"], one["reserve"], one["won"], one["hands"]) for one in state["players"]
        ]
        kept = [(one.stack, one.reserve, one.won, one.hands) for one in public.accounts]
        assert kept == saved
    final = standings(public.accounts, recording.rules)
    assert [(one.rank, one.chips) for one in draw(public).ranking] == [
        (rank, chips) for rank, _, chips, _ in final
    ]


@pytest.mark.parametrize(("rules", "seats"), MATCHES)
def test_a_replay_ends_with_the_stacks_on_record(rules: Rules, seats: int, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    recording = record_match(path, rules, bots(rules.name, seats), "replay", TROUBLE, match_id="m")
    engine = open_store(str(path))
    match = queries.match(engine, recording.id)
    before = None
    for row in queries.all_hands(engine, match.id):
        found = replay(match, row, before)
        ended = next(event for event in row.events if isinstance(event, HandEnded))
        last = found.frames[-1].scene
        assert [seat.stack for seat in last.seats[: len(ended.stacks)]] == list(ended.stacks)
        assert found.frames[0].text.startswith(f"Hand {row.number}")
        assert found.previous == (row.number - 1 or None)
        assert all(frame.text and frame.scene.table is None for frame in found.frames)
        # Between two questions somebody acts: the turn is seen in the frame before the action.
        turns = [frame.scene.turn for frame in found.frames if frame.scene.turn is not None]
        assert all(turn.since is None for turn in turns)
        before = row.state
    assert found.next is None
    engine.dispose()


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (ACPC_LEDUC, {"round1", "round2"}),
        (ACPC_KUHN3, {"preflop"}),
        (PLAIN, {"preflop", "flop", "turn", "river"}),
    ],
)
def test_streets_of_other_games_than_hold_em_have_numbers_and_no_flop(
    rules: Rules, names: set[str], tmp_path: Path
) -> None:
    path = tmp_path / "s.db"
    players = ["CallAgent"] * min(rules.max_seats, 3)
    record_match(path, replace(rules, hands=2), players, "streets", match_id="m")
    engine = open_store(str(path))
    match = queries.match(engine, "m")
    rows = list(queries.all_hands(engine, match.id))
    engine.dispose()
    frames = replay(match, rows[0], None).frames
    assert {frame.street for frame in frames} == names
    assert any("Flop" in frame.text for frame in frames) == ("flop" in names)
    assert any("Board" in frame.text for frame in frames) == ("round2" in names)


def test_in_a_replay_all_get_their_cards_at_once(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    record_match(path, replace(PLAIN, hands=1), ["CallAgent"] * 4, "deal", match_id="m")
    engine = open_store(str(path))
    match = queries.match(engine, "m")
    (row,) = queries.all_hands(engine, match.id)
    engine.dispose()
    for frame in replay(match, row, None).frames:
        dealt = [bool(seat.cards) for seat in frame.scene.seats]
        assert all(dealt) or not any(dealt), frame.text


def seen(stacks: list[int], words: str, hole: str, board: str, open_cards: bool) -> Scene:
    """Return the scene after some decisions of a hand."""
    hand = hand_of(stacks, hole, board)
    act(hand, words)
    public = PublicMatch(PLAIN, "m")
    for number in range(len(stacks)):
        public.join(f"p{number}", "house")
    audience = Audience(Policy(open_cards=open_cards))
    for event in hand.events:
        for told in audience.release(event):
            public.see(told)
    return draw(public)


def test_cards_that_are_not_open_are_null() -> None:
    scene = seen([1000, 1000], "call check", "AsKdQhQs", "Ts9h2c3d4s", open_cards=False)
    assert [seat.cards for seat in scene.seats] == [[None, None], [None, None]]
    assert scene.board == ["Ts", "9h", "2c"]
    assert all(seat.equity is None for seat in scene.seats)


def test_open_cards_have_their_equity_against_each_other() -> None:
    scene = seen([1000, 1000], "call check", "AsKdQhQs", "Ts9h2c3d4s", open_cards=True)
    assert [seat.cards for seat in scene.seats] == [["As", "Kd"], ["Qh", "Qs"]]
    exact = equity([[51, 45], [42, 43]], [35, 30, 0]).share
    assert [seat.equity for seat in scene.seats] == [round(share, 4) for share in exact]


def test_in_a_small_game_every_board_is_counted() -> None:
    rules = ACPC_LEDUC
    hand = Hand(rules, [100, 100], [parse(text) for text in ("Ks", "Qh", "As")])
    public = PublicMatch(rules, "m")
    for name in ("a", "b"):
        public.join(name, "house")
    for event in hand.events:
        public.see(event)
    # Of the four cards that can come one makes the queen a pair; the kings and aces do not matter.
    assert [seat.equity for seat in draw(public).seats] == [0.75, 0.25]


def test_the_stake_of_a_short_stack_is_what_it_can_win() -> None:
    turn = seen([300, 1000], "1000", "", "", open_cards=False).turn
    assert turn is not None
    assert turn.price + turn.stake == 600


def test_only_who_is_all_in_parts_the_pot() -> None:
    words = "call 300"
    scene = seen([1000, 200, 1000], words, "", "", open_cards=False)
    assert [pot.amount for pot in scene.pots] == [scene.pot]
    scene = seen([1000, 200, 1000], "500 call call", "", "", open_cards=False)
    assert [pot.amount for pot in scene.pots] == [600, 600]


def test_who_won_shows_his_five_cards() -> None:
    words = "call check check check check check check check"
    scene = seen([1000, 1000], words, "AsKdQhQs", "Ts9h2c3d4s", open_cards=False)
    won, lost = sorted(scene.seats, key=lambda seat: -seat.won)
    assert won.cards == ["Qh", "Qs"]
    assert won.best is not None
    assert {"Qh", "Qs"} <= set(won.best)
    assert len(won.best) == 5
    assert lost.best is None
    assert won.won == 200


def said(rules: Rules, stacks: list[int], words: str, hole: str = "", board: str = "") -> list[str]:
    """Return what is said of a hand whose cards are all open."""
    hand = hand_of(stacks, hole, board, rules)
    act(hand, words)
    public = PublicMatch(rules, "m")
    for name in ("Ada", "Bob", "Cleo")[: len(stacks)]:
        public.join(name, "house")
    told = []
    for event in hand.events:
        public.see(event)
        told.append(public.sentence(event))
    return [line[1] for line in told if line is not None]


def test_who_has_folded_shows_nothing_where_all_cards_are_revealed() -> None:
    rules = replace(PLAIN, reveal="all")
    words = "fold call check check check check check check check"
    lines = said(rules, [1000] * 3, words, "2s2hAsAhKsKh", "3c3d9s9h4s")
    assert "Cleo had folded Ks Kh" in lines
    assert any(line.startswith("Ada shows 2s 2h, ") for line in lines)
    assert not any(line.startswith("Cleo shows") for line in lines)


def verbs(lines: list[str]) -> list[str]:
    return [line for line in lines if " bets " in line or " raises " in line]


def test_the_first_bet_of_a_street_is_a_bet_and_before_the_flop_a_raise() -> None:
    hand = said(PLAIN, [1000, 1000], "200 call 100 300 call 150 call")
    assert verbs(hand) == [
        "Bob raises to 200",
        "Ada bets 100",
        "Bob raises to 300",
        "Ada bets 150",
    ]
    # In Kuhn poker there are only antes: the first bet is one.
    assert verbs(said(KUHN, [2, 2], "1")) == ["Ada bets 1 and is all-in"]


@pytest.mark.parametrize("verb", [BET, RAISE])
def test_a_bet_is_called_so_whatever_its_player_has_called_it(verb: str) -> None:
    public = PublicMatch(PLAIN, "m")
    for name in ("Ada", "Bob"):
        public.join(name, "house")
    hand = hand_of([1000, 1000])
    act(hand, "call check")
    for event in [*hand.events, Acted(0, verb, 100, 100, False)]:
        public.see(event)
        told = public.sentence(event)
    assert told == ("action", "Ada bets 100")
    assert draw(public).seats[0].last == "bet 100"


def test_labels_and_blinds_are_those_of_this_street() -> None:
    scene = seen([1000, 1000, 1000], "300", "", "", open_cards=False)
    assert [seat.last for seat in scene.seats] == ["small blind 50", "big blind 100", "raise 300"]
    assert [seat.blind for seat in scene.seats] == ["small", "big", ""]
    assert [seat.button for seat in scene.seats] == [False, False, True]
    scene = seen([1000, 1000, 1000], "300 call call", "", "", open_cards=False)
    assert [seat.last for seat in scene.seats] == ["", "", ""]
    assert scene.street == "flop"
