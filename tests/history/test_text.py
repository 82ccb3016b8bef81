"""A hand as people read it."""

from croupier.history.printable import plain
from croupier.history.text import hand_log, summary
from croupier.match.events import Faulted, MatchEnded, PlayerOut, TimedOut, ToppedUp
from croupier.rules.decisions import BET, RAISE
from croupier.rules.events import Acted
from croupier.rules.sets import HUAWEI, PLAIN
from tests.support.scripted import act, hand_of

NAMES = ["Ann", "Bob", "Cid"]


def test_a_hand_is_told_street_by_street() -> None:
    hand = hand_of([1000, 1000, 1000], "AsAh KsKh 2c7d", "Ad9s8s 3h 2d")
    act(hand, "fold call check 200 call check check check check")
    assert list(hand_log(PLAIN, hand.events, NAMES)) == [
        "Hand 1: blinds 50/100",
        "  seat 0  Ann      1,000",
        "  seat 1  Bob      1,000",
        "  seat 2  Cid      1,000  button",
        "Before the flop",
        "  Ann posts the small blind 50",
        "  Bob posts the big blind 100",
        "  The cards are dealt: Ann As Ah, Bob Ks Kh, Cid 2c 7d",
        "  Cid folds",
        "  Ann calls 50",
        "  Bob checks",
        "Flop: Ad 9s 8s",
        "  Ann bets 200",
        "  Bob calls 200",
        "Turn: 3h",
        "  Ann checks",
        "  Bob checks",
        "River: 2d",
        "  Ann checks",
        "  Bob checks",
        "  Ann shows As Ah, three of a kind",
        "  Bob shows Ks Kh, pair",
        "  Ann wins the pot of 600",
        "Stacks after it: Ann 1,300, Bob 700, Cid 1,000",
    ]


def test_side_pots_and_splits_are_told_apart() -> None:
    hand = hand_of([500, 1000, 1000], "2c2d 3c4d 3d4c", "AsKsQs Js Ts")
    act(hand, "1000 call call")
    lines = list(hand_log(PLAIN, hand.events, NAMES))
    assert "  Cid raises to 1,000 and is all-in" in lines
    assert "  The pot of 1,500 is split: Ann 500, Bob 500, Cid 500" in lines
    assert "  Side pot 1 of 1,000 is split: Bob 500, Cid 500" in lines
    assert summary(hand.events, NAMES).winners == NAMES
    assert summary(hand.events, NAMES).pot == 2500


def test_what_happens_around_a_hand_is_told() -> None:
    events = [
        TimedOut(0, 3, False),
        TimedOut(1, 1, True),
        Faulted(2, "dance\x1b[2J"),
        ToppedUp(0, 1500),
        PlayerOut(1, "timeouts", 900),
    ]
    assert list(hand_log(HUAWEI, events, NAMES)) == [
        "  Ann is late: timeout 3",
        "  Bob is not there: timeout 1",
        "  Cid gives no legal answer: dance\N{REPLACEMENT CHARACTER}[2J",
        "Ann takes 1,500 from the reserve",
        "Bob is out (timeouts); 900 chips leave the game",
    ]


def test_a_pot_that_all_fold_is_told_as_discarded() -> None:
    hand = hand_of([1000, 1000, 1000], rules=HUAWEI)
    act(hand, "fold fold fold")
    assert summary(hand.events, NAMES).discarded
    assert "  Everyone folded: 150 chips leave the game" in hand_log(HUAWEI, hand.events, NAMES)


def test_who_only_gets_his_own_back_has_won_the_hand() -> None:
    hand = hand_of([1000, 1000], rules=HUAWEI)
    act(hand, "fold call")
    assert summary(hand.events, NAMES).pot == 0
    assert summary(hand.events, NAMES).winners == ["Ann"]


def test_nothing_in_a_name_can_steer_a_terminal() -> None:
    assert plain("a\x1b[31m\r\n\x07b\u202ec") == "a\ufffd[31m\ufffd\ufffd\ufffdb\ufffdc"
    assert plain("Ü 漢 😀") == "Ü 漢 😀"


def test_a_bet_and_a_raise_are_told_apart_whatever_their_player_called_them() -> None:
    hand = hand_of([1000, 1000])
    act(hand, "call check")
    events = [*hand.events, Acted(0, RAISE, 100, 100, False), Acted(1, BET, 300, 300, False)]
    lines = list(hand_log(PLAIN, events, NAMES[:2]))
    assert lines[-2:] == ["  Ann bets 100", "  Bob raises to 300"]


def test_the_end_of_a_match_names_the_winners_and_the_standings() -> None:
    events = [MatchEnded(((1, 2, 3000, 5), (1, 0, 3000, 5), (3, 1, 0, 2)))]
    assert list(hand_log(PLAIN, events, NAMES)) == [
        "The match is over: Cid and Ann share the first place",
        "  1. Cid with 3,000",
        "  1. Ann with 3,000",
        "  3. Bob with 0",
    ]
