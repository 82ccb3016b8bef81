"""Bots in a series of hands."""

import pytest

from croupier.bots import AllinAgent, Bot, CallAgent, RandomAgent, RuleAgent, house_bot
from croupier.deals import seed_from_text
from croupier.match.chance import SeededChance
from croupier.play import Outcome, Player, play
from croupier.rules.decisions import CALL, Decision, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, ROOM, ROOM2, TREND
from croupier.rules.view import View, view_of
from tests.support.builds import interpreted

SEED = seed_from_text("play")


def series(names: list[str], hands: int, rules: Rules = PLAIN, seed: bytes = SEED) -> Outcome:
    players = [
        Player(name, house_bot(name, SeededChance(seed).bot(index)))
        for index, name in enumerate(names)
    ]
    return play(rules, players, hands, seed)


def test_the_same_seed_and_bots_give_the_same_result_to_the_chip() -> None:
    names = ["RandomAgent", "RuleAgent", "RandomAgent"]
    first, again = series(names, 300), series(names, 300)
    assert [p.chips_won for p in first.players] == [p.chips_won for p in again.players]
    other = series(names, 300, seed=seed_from_text("other"))
    assert [p.chips_won for p in first.players] != [p.chips_won for p in other.players]


@pytest.mark.parametrize("rules", [PLAIN, HUAWEI, TREND, ROOM, ROOM2], ids=lambda r: r.name)
@pytest.mark.parametrize("seats", [2, 3, 8])
def test_chips_won_add_up_to_nothing_under_every_rule_set(rules: Rules, seats: int) -> None:
    rules = rules.with_fields({"stacks": "reset", "ask_last": False})
    outcome = series(["RandomAgent", "RuleAgent", *["RandomAgent"] * (seats - 2)], 200, rules)
    assert sum(player.chips_won for player in outcome.players) == 0
    assert all(player.faults == 0 for player in outcome.players)


def test_kuhn_is_played_like_any_other_game() -> None:
    rules = KUHN.with_fields({"stacks": "reset"})
    outcome = series(["RandomAgent", "CallAgent"], 500, rules)
    assert sum(player.chips_won for player in outcome.players) == 0
    assert all(player.faults == 0 for player in outcome.players)


@pytest.mark.parametrize(
    ("other", "hands"), [("RandomAgent", 6000), ("CallAgent", 1500), ("AllinAgent", 6000)]
)
@pytest.mark.parametrize("seats", [2, 6])
def test_the_rule_agent_clearly_beats_the_other_house_bots(
    other: str, hands: int, seats: int
) -> None:
    outcome = series(["RuleAgent", *[other] * (seats - 1)], hands)
    rate = outcome.players[0].bb_per_hand
    assert rate.ci95 is not None
    assert rate.rate - 2 * rate.ci95 > 0


def test_seats_rotate_every_hand_so_that_the_small_blind_gets_the_button() -> None:
    seating: dict[int, tuple[int, ...]] = {}

    class Watcher(Bot):
        def decide(self, view: View) -> Decision:
            seating[view.number] = view.players
            return CALL

    play(PLAIN, [Player(str(index), Watcher()) for index in range(3)], 4, SEED)
    first = seating[1]
    assert sorted(first) == [0, 1, 2]
    rotated = [first[turn:] + first[:turn] for turn in (0, 1, 2, 0)]
    assert list(seating.values()) == rotated


def test_a_match_with_carried_stacks_ends_when_one_player_is_left() -> None:
    rules = PLAIN.with_fields({"stacks": "carry"})
    outcome = series(["AllinAgent", "AllinAgent", "AllinAgent"], 300, rules)
    assert outcome.matches > 20
    finished = sum(player.matches_won for player in outcome.players)
    assert outcome.matches - 1 <= finished <= outcome.matches
    assert sum(player.chips_won for player in outcome.players) == 0


def test_blinds_double_each_time_the_small_blind_has_been_round_the_table() -> None:
    blinds: list[int] = []

    class Watcher(Bot):
        def decide(self, view: View) -> Decision:
            if not blinds or view.number > len(blinds):
                blinds.append(view.small_blind)
            return CALL

    rules = TREND.with_fields({"stack": 10**9})
    play(rules, [Player(str(i), Watcher()) for i in range(3)], 9, SEED)
    assert blinds == [10, 10, 10, 20, 20, 20, 40, 40, 40]


class Raises(Bot):
    def decide(self, view: View) -> Decision:
        raise RuntimeError("out of ideas")


class Nonsense(Bot):
    def decide(self, view: View) -> Decision:
        return "all in"  # type: ignore[return-value]


class TooMuch(Bot):
    def decide(self, view: View) -> Decision:
        return raise_to(10**9)


class BadNumber(Bot):
    def decide(self, view: View) -> Decision:
        return raise_to("many")  # type: ignore[arg-type]


class Half(Bot):
    def decide(self, view: View) -> Decision:
        return raise_to(250.5)  # type: ignore[arg-type]


class NoKind(Bot):
    def decide(self, view: View) -> Decision:
        return Decision(7)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (Raises, "RuntimeError: out of ideas"),
        (Nonsense, "returned 'all in', which is no decision"),
        (TooMuch, "10000 at most, not to 1000000000"),
        pytest.param(BadNumber, "'many'", marks=interpreted),
        (Half, "250.5"),
        (NoKind, "7"),
    ],
)
def test_a_bot_that_fails_checks_or_folds_and_the_series_goes_on(
    kind: type[Bot], reason: str
) -> None:
    players = [Player("bad", kind()), Player("good", CallAgent())]
    outcome = play(PLAIN, players, 100, SEED)
    bad, good = outcome.players
    assert outcome.hands == 100
    assert bad.faults > 0
    assert good.faults == 0
    assert reason in bad.first_fault
    assert bad.chips_won + good.chips_won == 0


class Odd(Bot):
    def decide(self, view: View) -> Decision:
        return Decision(None)  # type: ignore[arg-type]


class Bare(Bot):
    def decide(self, view: View) -> Decision:
        return Decision.__new__(Decision)


@pytest.mark.parametrize("kind", [Odd, Bare])
def test_whatever_decide_returns_is_the_bots_fault(kind: type[Bot]) -> None:
    bad, good = play(PLAIN, [Player("bad", kind()), Player("good", CallAgent())], 20, SEED).players
    assert bad.faults > 0
    assert good.faults == 0


def test_an_exception_in_the_engine_is_no_bots_fault_and_ends_the_series(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(hand: Hand, seat: int) -> View:
        if hand.number == 3:
            raise RuntimeError("the engine is broken")
        return view_of(hand, seat)

    monkeypatch.setattr("croupier.play.view_of", broken)
    players = [Player("a", CallAgent()), Player("b", CallAgent())]
    with pytest.raises(RuntimeError, match="the engine is broken"):
        play(PLAIN, players, 20, SEED)
    assert [player.faults for player in players] == [0, 0]


def test_progress_is_told_up_to_the_last_hand() -> None:
    told: list[int] = []
    players = [Player("a", CallAgent()), Player("b", AllinAgent())]
    play(PLAIN, players, 200, SEED, told.append)
    assert told == sorted(told)
    assert told[-1] == 200


def test_ctrl_c_ends_the_series_with_what_was_played() -> None:
    class Interrupted(Bot):
        hands = 0

        def decide(self, view: View) -> Decision:
            if view.number == 10:
                raise KeyboardInterrupt
            return CALL

    players = [Player("a", Interrupted()), Player("b", CallAgent())]
    outcome = play(PLAIN, players, 1000, SEED)
    assert outcome.interrupted
    assert outcome.hands == 9


def test_the_random_agent_chooses_evenly_among_what_is_legal() -> None:
    chosen: dict[str, int] = {}

    class Counting(RandomAgent):
        def decide(self, view: View) -> Decision:
            decision = super().decide(view)
            options = view.options
            assert options is not None
            if options.owed and options.can_raise and options.min_to < options.max_to:
                key = repr(decision).split("(")[0]
                if key == "raise_to":
                    key = "smallest" if decision.to == options.min_to else "largest"
                chosen[key] = chosen.get(key, 0) + 1
            return decision

    players = [Player("r", Counting(SeededChance(SEED).bot(0))), Player("c", CallAgent())]
    play(PLAIN, players, 3000, SEED)
    assert set(chosen) == {"FOLD", "CALL", "smallest", "largest"}
    expected = sum(chosen.values()) / 4
    assert sum((n - expected) ** 2 / expected for n in chosen.values()) < 20


def test_the_rule_agent_answers_the_same_view_the_same_way() -> None:
    seen: list[Decision] = []

    class Twice(RuleAgent):
        def decide(self, view: View) -> Decision:
            first, second = super().decide(view), super().decide(view)
            assert first == second
            seen.append(first)
            return first

    players = [Player("r", Twice()), Player("x", RandomAgent(SeededChance(SEED).bot(1)))]
    play(PLAIN, players, 200, SEED)
    assert len(set(seen)) > 5
