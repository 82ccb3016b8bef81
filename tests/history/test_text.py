"""A hand as people read it."""

from croupier.history.text import hand_log, plain, summary
from croupier.match.events import Faulted, PlayerOut, TimedOut, ToppedUp
from croupier.rules.sets import HUAWEI, PLAIN
from tests.scripted import act, hand_of

NAMES = ["Ann", "Bob", "Cid"]


def test_a_hand_is_told_street_by_street() -> None:
    hand = hand_of([1000, 1000, 1000], "AsAh KsKh 2c7d", "Ad9s8s 3h 2d")
    act(hand, "fold call check 200 call check check check check")
    assert list(hand_log(PLAIN, hand.events, NAMES)) == [
        "hand 1, blinds 50/100",
        "  seat 0  Ann      1,000",
        "  seat 1  Bob      1,000",
        "  seat 2  Cid      1,000  button",
        "before the flop",
        "  Ann posts the small blind 50",
        "  Bob posts the big blind 100",
        "  Ann is dealt As Ah",
        "  Bob is dealt Ks Kh",
        "  Cid is dealt 2c 7d",
        "  Cid folds",
        "  Ann calls 50",
        "  Bob checks",
        "flop Ad 9s 8s",
        "  Ann bets 200",
        "  Bob calls 200",
        "turn 3h",
        "  Ann checks",
        "  Bob checks",
        "river 2d",
        "  Ann checks",
        "  Bob checks",
        "  Ann shows As Ah, three of a kind",
        "  Bob shows Ks Kh, pair",
        "  Ann wins the pot of 600",
        "stacks after it: Ann 1,300, Bob 700, Cid 1,000",
    ]


def test_side_pots_and_splits_are_told_apart() -> None:
    hand = hand_of([500, 1000, 1000], "2c2d 3c4d 3d4c", "AsKsQs Js Ts")
    act(hand, "1000 call call")
    lines = list(hand_log(PLAIN, hand.events, NAMES))
    assert "  Cid raises to 1,000 and is all-in" in lines
    assert "  the pot of 1,500 is split: Ann wins 500, Bob wins 500, Cid wins 500" in lines
    assert "  the side pot 1 of 1,000 is split: Bob wins 500, Cid wins 500" in lines
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
        "  Ann is late, timeout 3",
        "  Bob is not there, timeout 1",
        "  Cid answers with no legal decision: dance\N{REPLACEMENT CHARACTER}[2J",
        "Ann takes 1,500 from the reserve",
        "Bob is out (timeouts), 900 chips are discarded",
    ]


def test_a_pot_that_all_fold_is_told_as_discarded() -> None:
    hand = hand_of([1000, 1000, 1000], rules=HUAWEI)
    act(hand, "fold fold fold")
    assert summary(hand.events, NAMES).discarded
    assert "  everyone folded, 150 chips are discarded" in hand_log(HUAWEI, hand.events, NAMES)


def test_who_only_gets_his_own_back_has_won_the_hand() -> None:
    hand = hand_of([1000, 1000], rules=HUAWEI)
    act(hand, "fold call")
    assert summary(hand.events, NAMES).pot == 0
    assert summary(hand.events, NAMES).winners == ["Ann"]


def test_nothing_in_a_name_can_steer_a_terminal() -> None:
    assert plain("a\x1b[31m\r\n\x07b\u202ec") == "a\ufffd[31m\ufffd\ufffd\ufffdb\ufffdc"
    assert plain("Ü 漢 😀") == "Ü 漢 😀"
