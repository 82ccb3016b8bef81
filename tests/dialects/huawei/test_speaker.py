"""What the players are told, to whom, and in which order."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, parse_many
from croupier.dialects.huawei import words
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.match.events import Joined, MatchEnded
from croupier.match.view import MatchView
from croupier.rules import rules as r
from croupier.rules.decisions import ALL_IN, CALL, FOLD, raise_to
from croupier.rules.events import Asked, Event
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN, ROOM, SETS, TREND
from tests.support.scripted import act, hand_of
from tests.wire.test_golden_huawei import COURSE, GRAMMAR, kind

PLAIN_LISTENER = Listener()
NOTIFY = Listener(notify=True)
BETS = Listener(bets=True)
HOLDEM = [rules for rules in SETS.values() if rules.game == r.HOLDEM]


class Told:
    """Everything that a hand's events make a speaker say, as (player, event, message)."""

    def __init__(self, hand: Hand, listeners: dict[int, Listener]) -> None:
        self.view = MatchView(hand.rules)
        for player in range(hand.size):
            self.view.see(Joined(player, f"p{player}"))
        self.speaker = HuaweiSpeaker({p: str(1001 + p) for p in hand.players}, listeners)
        self.rows: list[tuple[int, Event, bytes]] = []
        for event in hand.events:
            self.view.see(event)
            self.rows += [(p, event, m) for p, m in self.speaker.tell(event, self.view)]

    def to(self, player: int, *kinds: str) -> list[str]:
        """Return a player's messages of some kinds, or all, without their line ends."""
        return [
            message.decode("ascii").replace(" \n", ",").rstrip(",")
            for to, _, message in self.rows
            if to == player and (not kinds or kind(message) in kinds)
        ]

    def kinds(self, player: int) -> list[str]:
        return [kind(message) for to, _, message in self.rows if to == player]

    def who(self, name: str) -> list[int]:
        """Return whom the messages of a kind went to, in order."""
        return [player for player, _, message in self.rows if kind(message) == name]


def told(hand: Hand, *listeners: Listener) -> Told:
    """Tell a hand; who has no listener given has a plain one."""
    row = [*listeners, *[PLAIN_LISTENER] * (hand.size - len(listeners))]
    return Told(hand, dict(enumerate(row)))


def hand(stacks: list[int], actions: str = "", hole: str = "", board: str = "") -> Hand:
    made = hand_of(stacks, hole, board, rules=HUAWEI)
    act(made, actions)
    return made


# Seats, blinds, cards.


def test_every_line_ends_with_one_space_and_a_newline() -> None:
    for _, _, message in told(hand([2000] * 4, "call call call check " + "check " * 12)).rows:
        lines = message.split(b"\n")
        assert lines.pop() == b""
        assert all(line.endswith(b" ") and not line.endswith(b"  ") for line in lines)
        assert message.isascii()
        assert b"\0" not in message


def test_seat_has_button_small_blind_big_blind_and_then_the_others_in_order() -> None:
    [seat] = told(hand([2000, 1900, 1800, 1700])).to(0, "seat")
    assert seat == (
        "seat/,button: 1004 1700 0,small blind: 1001 2000 0,big blind: 1002 1900 0,"
        "1003 1800 0,/seat"
    )


def test_with_two_players_there_is_no_big_blind_in_seat_or_blind() -> None:
    heads_up = told(hand([2000, 1900]))
    assert heads_up.to(0, "seat") == ["seat/,button: 1002 1900 0,small blind: 1001 2000 0,/seat"]
    assert heads_up.to(0, "blind") == ["blind/,1001: 50,/blind"]


def test_with_two_players_the_button_acts_first_before_the_flop_and_the_small_blind_after() -> None:
    made = hand([2000, 2000], "call check check")
    assert [event.seat for event in made.events if isinstance(event, Asked)] == [1, 0, 0, 1]


def test_with_two_players_the_smallest_raise_is_still_twice_the_small_blind() -> None:
    made = hand([2000, 2000])
    assert made.options is not None
    assert made.options.min_to - made.high == 100


def test_the_big_blind_is_twice_the_small_blind() -> None:
    assert told(hand([2000] * 3)).to(0, "blind") == ["blind/,1001: 50,1002: 100,/blind"]


def test_hold_goes_to_one_player_after_the_blinds() -> None:
    cards = told(hand([2000] * 3, hole="As Kd Th 9c 2d 3h"))
    assert cards.to(0, "hold") == ["hold/,SPADES A,DIAMONDS K,/hold"]
    assert cards.to(1, "hold") == ["hold/,HEARTS 10,CLUBS 9,/hold"]
    assert cards.kinds(0)[:3] == ["seat", "blind", "hold"]


def test_flop_turn_and_river_go_to_everyone_seated_folded_or_not() -> None:
    everyone = told(hand([2000] * 3, "fold call check " + "check " * 6, board="2c 7d 9h Js 3c"))
    for player in range(3):
        assert everyone.to(player, "flop") == ["flop/,CLUBS 2,DIAMONDS 7,HEARTS 9,/flop"]
        assert everyone.to(player, "turn") == ["turn/,SPADES J,/turn"]
        assert everyone.to(player, "river") == ["river/,CLUBS 3,/river"]
        assert "showdown" in everyone.kinds(player)


def test_the_words_for_cards_are_those_of_the_document() -> None:
    lines = words.cards(DECK)
    assert lines[0] == "CLUBS 2"
    assert lines[-1] == "SPADES A"
    assert {line.split()[0] for line in lines} == {"SPADES", "HEARTS", "CLUBS", "DIAMONDS"}
    assert {line.split()[1] for line in lines} == {*map(str, range(2, 11)), "J", "Q", "K", "A"}


def test_who_is_not_seated_hears_nothing_of_the_hand() -> None:
    made = hand([2000] * 3, "fold fold check")
    listeners = {player: Listener(notify=True, bets=True) for player in range(4)}
    assert Told(made, listeners).to(3) == []


def test_who_speaks_another_dialect_is_not_spoken_to() -> None:
    made = hand([2000] * 3, "call call check")
    assert {player for player, _, _ in Told(made, {1: NOTIFY}).rows} == {1}


def test_game_over_goes_to_everyone_the_eliminated_too() -> None:
    speaker = HuaweiSpeaker({0: "1", 1: "2", 2: "3"}, dict.fromkeys(range(3), PLAIN_LISTENER))
    said = list(speaker.tell(MatchEnded(()), MatchView(HUAWEI)))
    assert said == [(player, b"game-over \n") for player in range(3)]


# Inquire.


def test_inquire_lists_backwards_from_the_seat_before_with_blinds_counted_as_acted() -> None:
    first = told(hand([2000] * 4)).to(2, "inquire")
    assert first == ["inquire/,1002 1900 0 100 blind,1001 1950 0 50 blind,total pot: 150,/inquire"]


def test_inquire_leaves_out_who_has_not_acted_and_has_the_asked_player_last() -> None:
    [asked] = told(hand([2000] * 4, "call call")).to(0, "inquire")
    assert asked == (
        "inquire/,1004 1900 0 100 call,1003 1900 0 100 call,1002 1900 0 100 blind,"
        "1001 1950 0 50 blind,total pot: 350,/inquire"
    )


def test_inquire_shows_jetton_money_total_bet_and_last_action() -> None:
    made = Hand(HUAWEI, [2000, 2000], list(range(9)), reserves=[700, 800])
    act(made, "call check 300")
    [_, asked] = told(made).to(1, "inquire")
    assert asked == (
        "inquire/,1001 1650 700 350 raise,1002 1950 800 50 call,total pot: 400,/inquire"
    )


def test_the_last_action_is_kept_over_streets() -> None:
    asked = told(hand([2000] * 3, "300 call call")).to(0, "inquire")[-1]
    assert "1003 1700 0 300 raise" in asked


def test_total_pot_includes_the_bets_of_the_street() -> None:
    asked = told(hand([2000] * 3, "300 call call 100")).to(1, "inquire")[-1]
    assert "total pot: 1000," in asked


def test_a_call_of_nothing_is_recorded_as_check() -> None:
    made = hand([2000] * 3, "call call call")
    assert "1002 1900 0 100 check" in told(made).to(0, "inquire")[-1]


def test_a_call_for_all_he_has_is_recorded_as_all_in() -> None:
    made = hand([2000, 2000, 100], "call")
    assert "1003 0 0 100 all_in" in told(made).to(0, "inquire")[-1]


def test_a_blind_that_takes_the_last_chip_stays_a_blind_and_he_is_not_asked() -> None:
    made = hand([2000, 100, 2000], "call call")
    assert "1002 0 0 100 blind" in told(made).to(0, "inquire")[-1]
    assert told(made).to(1, "inquire") == []


# Notify.


def notified(hand: Hand, *listeners: Listener) -> list[tuple[int, str]]:
    """Return who was notified, and by which event."""
    return [
        (player, type(event).__name__)
        for player, event, message in told(hand, *listeners).rows
        if kind(message) == "notify"
    ]


def test_only_who_asked_for_it_is_notified() -> None:
    made = hand([2000] * 3, "fold call check " + "check " * 6)
    assert notified(made) == []
    assert {player for player, _ in notified(made, PLAIN_LISTENER, NOTIFY)} <= {1}


def test_who_has_folded_is_notified_each_time_the_turn_passes_his_seat() -> None:
    made = hand([2000] * 4, "fold 300 call call")
    assert notified(made, *[NOTIFY] * 4) == [(2, "RoundEnded"), (3, "RoundEnded")]
    act(made, "check check")
    assert notified(made, *[NOTIFY] * 4)[2:] == [(2, "Asked")]


def test_who_is_all_in_is_notified_each_time_the_turn_passes_his_seat() -> None:
    made = hand([2000, 2000, 300, 2000], "300 call call call check check")
    listeners = (PLAIN_LISTENER, PLAIN_LISTENER, NOTIFY)
    assert notified(made, *listeners) == [(2, "RoundEnded"), (2, "Asked")]


def test_on_later_streets_the_turn_starts_at_the_small_blind_even_if_he_has_folded() -> None:
    made = hand([2000] * 3, "call fold check")
    assert notified(made, NOTIFY) == [(0, "Asked")]


def test_the_end_of_a_round_is_notified_to_the_seats_after_the_last_actor() -> None:
    made = hand([2000] * 4, "call call call check")
    assert notified(made, *[NOTIFY] * 4) == [(2, "RoundEnded"), (3, "RoundEnded")]


def test_the_end_of_a_round_that_the_button_closed_is_notified_to_nobody() -> None:
    made = hand([2000] * 3, "call call check check check check")
    assert notified(made, *[NOTIFY] * 3) == [(2, "RoundEnded")]


def test_when_at_most_one_can_still_bet_everyone_but_the_last_actor_is_notified() -> None:
    made = hand([2000, 2000, 2000], "2000 call fold")
    assert notified(made, *[NOTIFY] * 3) == [(0, "RoundEnded"), (2, "RoundEnded")]


def test_the_end_of_the_river_is_notified_to_all_who_asked_but_the_last_actor() -> None:
    made = hand([2000] * 3, "call call check " + "check " * 9)
    assert notified(made, *[NOTIFY] * 3)[1:] == [(0, "RoundEnded"), (1, "RoundEnded")]
    both = Listener(notify=True, bets=True)
    assert notified(made, both, NOTIFY, BETS) == [(0, "RoundEnded"), (1, "RoundEnded")]


def test_who_has_folded_hears_how_the_river_ended() -> None:
    made = hand([2000] * 4, "fold call call check " + "check " * 9)
    assert notified(made, PLAIN_LISTENER, PLAIN_LISTENER, NOTIFY)[-1] == (2, "RoundEnded")


def test_who_is_told_of_every_bet_is_not_notified_at_the_end_of_an_earlier_street() -> None:
    both = Listener(notify=True, bets=True)
    made = hand([2000] * 4, "call call call check " + "check " * 3 + "300 call call call check")
    assert notified(made, *[NOTIFY] * 4) == [
        *((2, "RoundEnded"), (3, "RoundEnded")),
        (3, "RoundEnded"),
    ]
    assert notified(made, both, both, both, both) == []
    assert notified(made, both, both, NOTIFY, both) == [(2, "RoundEnded")]
    all_in = hand([2000, 2000, 2000], "2000 call fold")
    assert notified(all_in, NOTIFY, NOTIFY, both) == [(0, "RoundEnded")]


def test_who_is_told_of_every_bet_is_notified_when_the_turn_passes_his_seat() -> None:
    made = hand([2000] * 4, "fold 300 call call check check")
    assert notified(made, *[Listener(notify=True, bets=True)] * 4) == [(2, "Asked")]


def test_notify_has_the_same_body_as_inquire() -> None:
    made = hand([2000] * 4, "fold 300 call call check check")
    last = told(made, *[NOTIFY] * 4).to(2, "notify")[-1]
    assert last == (
        "notify/,1002 1700 0 300 check,1001 1700 0 300 check,1004 1700 0 300 raise,"
        "1003 2000 0 0 fold,total pot: 900,/notify"
    )


# Bets.


def test_need_bet_tells_every_action_to_all_who_asked_the_actor_too() -> None:
    made = hand([2000] * 3, "call fold 300")
    both = told(made, BETS, PLAIN_LISTENER, BETS)
    expected = [
        "bet/,1003 1900 0 100 call,/bet",
        "bet/,1001 1950 0 50 fold,/bet",
        "bet/,1002 1700 0 300 raise,/bet",
    ]
    assert both.to(0, "bet") == both.to(2, "bet") == expected
    assert both.to(1, "bet") == []


def test_blinds_are_no_bets_and_a_bet_comes_before_any_notify() -> None:
    made = hand([2000] * 3, "fold call check check check")
    row = told(made, PLAIN_LISTENER, PLAIN_LISTENER, Listener(notify=True, bets=True))
    assert row.kinds(2)[:4] == ["seat", "blind", "hold", "inquire"]
    assert row.kinds(2)[4:] == ["bet", "bet", "bet", "flop", "bet", "bet", "turn"]
    act(made, "check check check")
    row = told(made, PLAIN_LISTENER, PLAIN_LISTENER, Listener(notify=True, bets=True))
    assert row.kinds(2)[11:] == ["bet", "bet", "river", "bet"]
    act(made, "check")
    row = told(made, PLAIN_LISTENER, PLAIN_LISTENER, Listener(notify=True, bets=True))
    assert row.kinds(2)[15:] == ["bet", "notify", "showdown", "pot-win"]


# Showdown and pots.


def test_showdown_lines_go_in_seat_order_from_the_small_blind_with_dense_ranks() -> None:
    made = hand(
        [2000] * 4,
        "call call call check " + "check " * 12,
        hole="Ah Qd Kc Kd As Qh 7c 8d",
        board="Ac Qs 9d 4h 2c",
    )
    [shown] = told(made).to(0, "showdown")
    assert shown == (
        "showdown/,common/,CLUBS A,SPADES Q,DIAMONDS 9,HEARTS 4,CLUBS 2,/common,"
        "1: 1001 HEARTS A DIAMONDS Q TWO_PAIR,2: 1002 CLUBS K DIAMONDS K ONE_PAIR,"
        "1: 1003 SPADES A HEARTS Q TWO_PAIR,3: 1004 CLUBS 7 DIAMONDS 8 HIGH_CARD,/showdown"
    )


@pytest.mark.parametrize(
    ("hole", "board", "name"),
    [
        ("Ah 9d", "2c 4d 6h 8s Qc", "HIGH_CARD"),
        ("Ah 9d", "Ac 4d 6h 8s Qc", "ONE_PAIR"),
        ("Ah 9d", "Ac 9h 6h 8s Qc", "TWO_PAIR"),
        ("Ah 9d", "Ac As 6h 8s Qc", "THREE_OF_A_KIND"),
        ("Ah 2d", "3c 4d 5h 8s Qc", "STRAIGHT"),
        ("Ah 9h", "2h 4h 6h 8s Qc", "FLUSH"),
        ("Ah 9d", "Ac As 9h 8s Qc", "FULL_HOUSE"),
        ("Ah 9d", "Ac As Ad 8s Qc", "FOUR_OF_A_KIND"),
        ("5h 6h", "7h 8h 9h 2s Qc", "STRAIGHT_FLUSH"),
        ("Ah Kh", "Qh Jh Th 2s 3c", "STRAIGHT_FLUSH"),
    ],
)
def test_each_kind_of_hand_has_its_name(hole: str, board: str, name: str) -> None:
    made = hand([2000] * 2, "call check " + "check " * 6, hole=hole, board=board)
    [shown] = told(made).to(0, "showdown")
    assert f"1001 {' '.join(words.cards(parse_many(hole)))} {name}," in shown


def test_without_two_players_left_there_is_no_showdown_and_no_further_board() -> None:
    made = hand([2000] * 3, "300 fold fold")
    assert told(made).kinds(0)[-2:] == ["inquire", "pot-win"]
    assert told(made).to(0, "pot-win") == ["pot-win/,1003: 450,/pot-win"]


def test_cards_of_players_who_folded_are_not_shown() -> None:
    made = hand([2000] * 3, "fold call check " + "check " * 6)
    [shown] = told(made).to(0, "showdown")
    assert "1003" not in shown


def test_if_everyone_folds_the_pot_is_discarded() -> None:
    made = hand([2000] * 3, "fold fold fold")
    assert told(made).to(0, "pot-win") == ["pot-win/,/pot-win"]
    assert sum(made.stacks) == 6000 - 150


def test_the_last_player_is_asked_if_he_has_not_acted_on_this_street() -> None:
    made = hand([2000] * 3, "fold fold")
    assert len(told(made).to(1, "inquire")) == 1
    made = hand([2000] * 3, "call call check fold fold")
    assert len(told(made).to(2, "inquire")) == 2
    assert not made.over


def test_the_last_player_wins_at_once_if_he_has_acted_on_this_street() -> None:
    made = hand([2000] * 3, "call fold fold")
    assert made.over
    assert len(told(made).to(2, "inquire")) == 1


def test_folded_money_belongs_to_every_pot_it_reached() -> None:
    made = hand(
        [2000, 2000, 300, 900],
        "300 900 fold call",
        hole="3c 4d Kh Ks Ah As Qh Qs",
        board="2c 7d 9h Js 8c",
    )
    assert told(made).to(0, "pot-win") == ["pot-win/,1003: 950,1002: 1200,/pot-win"]


def test_what_nobody_called_comes_back_as_an_ordinary_line() -> None:
    made = hand([2000, 500], "call 2000 call", hole="7c 2d Ah As", board="3c 4d 9s Jh 6c")
    assert told(made).to(0, "pot-win") == ["pot-win/,1002: 1000,1001: 1500,/pot-win"]


def test_odd_chips_go_to_the_first_winners_left_of_the_button() -> None:
    made = hand(
        [2000] * 4,
        "call 301 call fold call " + "check " * 9,
        hole="Ah Qd 2h 3d As Qh Ad Qc",
        board="Ac Qs 9d 4h 2c",
    )
    assert made.over
    assert told(made).to(0, "pot-win") == [
        "pot-win/,1001: 335,1003: 334,1004: 334,/pot-win",
    ]


def test_pot_win_lines_are_in_order_of_rank_and_then_of_seat() -> None:
    made = hand(
        [500, 2000, 1000, 2000],
        "1000 2000 call call",
        hole="Qh Qs 2h 3d Kh Ks Ah As",
        board="4c 7d 9h Js 8c",
    )
    assert [row[:4] for row in told(made).to(0, "pot-win")[0].split(",")[1:-1]] == ["1004"]
    made = hand(
        [500, 2000, 1000, 2000],
        "1000 2000 call call",
        hole="Ah As 2h 3d Kh Ks Qh Qs",
        board="4c 7d 9h Js 8c",
    )
    assert told(made).to(0, "pot-win") == ["pot-win/,1001: 2000,1003: 1500,1004: 2000,/pot-win"]


def test_when_at_most_one_can_bet_the_board_is_sent_without_inquiries() -> None:
    made = hand([2000, 2000, 500], "500 fold call")
    assert told(made).kinds(1)[-5:] == ["flop", "turn", "river", "showdown", "pot-win"]


# Under other rules, and when players come and go.


def play_out(rules: Rules, seed: list[int], size: int) -> Hand:
    """Return a finished hand after decisions that a list of numbers chooses."""
    made = hand_of([20 * rules.big_blind + 7 * seat for seat in range(size)], rules=rules)
    for number in seed * 40:
        if made.options is None:
            break
        options = made.options
        choices = [CALL, FOLD, CALL]
        if options.max_to and options.raise_:
            choices.append(raise_to(options.min_to, "raise"))
        if options.max_to and options.all_in:
            choices.append(raise_to(options.max_to, ALL_IN))
        made.act(choices[number % len(choices)])
    while not made.over:
        made.act(CALL)
    return made


@pytest.mark.parametrize("rules", HOLDEM, ids=lambda rules: rules.name)
@given(seed=st.lists(st.integers(0, 60), min_size=1, max_size=30), size=st.integers(2, 8))
def test_any_hand_under_any_rules_is_told_in_the_documents_grammar(
    rules: Rules, seed: list[int], size: int
) -> None:
    made = play_out(rules, seed, size)
    everyone = told(made, *[Listener(notify=True, bets=True)] * size)
    for player, _, message in everyone.rows:
        assert re.fullmatch(GRAMMAR[kind(message)], message), message
        assert player in range(size)
    for player in range(size):
        assert COURSE.fullmatch("".join(f"{name} " for name in everyone.kinds(player)))


def test_where_all_cards_are_shown_at_the_end_a_hand_without_a_board_is_told_too() -> None:
    made = hand_of([1000] * 3, rules=TREND)
    act(made, "fold fold")
    assert told(made).to(0, "pot-win") == ["pot-win/,1002: 30,/pot-win"]


def test_where_the_small_blind_acts_last_nobody_still_in_is_notified_at_the_start_of_a_street() -> (
    None
):
    made = hand_of([20_000] * 3, rules=ROOM)
    act(made, "call call check")
    assert (0, "Asked") not in notified(made, NOTIFY)


def test_blind_has_no_more_than_two_lines_where_there_is_an_ante() -> None:
    made = hand_of([2000] * 3, rules=PLAIN.with_fields({"ante": 10}))
    assert told(made).to(0, "blind") == ["blind/,1001: 50,1002: 100,/blind"]
