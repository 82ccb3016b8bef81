"""The order of a standing: scores and tie-breaks, by small examples."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from statistics import stdev

import pytest

from croupier.contest.fixtures import MatchName, MatchResult, SeatResult
from croupier.contest.forfeits import not_played
from croupier.contest.outcome import Outcome
from croupier.contest.plan import BANKROLL, DUPLICATE, POINTS, RATE, RUNOFF, StagePlan
from croupier.contest.rates import rate_of
from croupier.contest.standings import Line, lines_of, ranked
from croupier.stats import t95
from tests.support.stages import outcome, planned

RESET = planned("round-robin")
CARRIED = planned("round-robin", carried=True)


def standing(
    score: str,
    *fixtures: Mapping[str, int],
    stage: StagePlan = RESET,
    byes: Mapping[str, int] | None = None,
) -> list[Line]:
    outcomes = [outcome(stage, f"f{number}", chips) for number, chips in enumerate(fixtures)]
    teams = sorted({team for chips in fixtures for team in chips} | set(byes or ()))
    return ranked(score, stage, lines_of(stage, teams, outcomes, byes), outcomes)


def places(lines: list[Line]) -> list[tuple[int, str, float]]:
    return [(line.rank, line.team, line.score) for line in lines]


def won(winner: str, by: int, loser: str) -> dict[str, int]:
    return {winner: by, loser: -by}


def test_who_won_the_direct_encounter_is_ahead_with_the_same_points() -> None:
    lines = standing(POINTS, won("B", 1, "A"), won("A", 900, "C"))
    assert places(lines) == [(1, "B", 1.0), (2, "A", 1.0), (3, "C", 0.0)]


def test_who_met_none_of_its_rivals_is_between_the_winner_and_the_loser_of_theirs() -> None:
    lines = standing(POINTS, won("B", 1, "A"), won("A", 900, "D"), won("C", 500, "D"))
    assert places(lines) == [(1, "B", 1.0), (2, "C", 1.0), (3, "A", 1.0), (4, "D", 0.0)]


def test_in_a_circle_of_direct_encounters_the_rate_decides() -> None:
    lines = standing(POINTS, won("A", 10, "B"), won("B", 20, "C"), won("C", 30, "A"))
    assert places(lines) == [(1, "B", 1.0), (2, "C", 1.0), (3, "A", 1.0)]


def test_who_is_equal_in_everything_shares_a_rank() -> None:
    lines = standing(POINTS, won("A", 10, "C"), won("B", 10, "D"))
    assert places(lines) == [(1, "A", 1.0), (1, "B", 1.0), (3, "C", 0.0), (3, "D", 0.0)]


def test_a_rate_is_in_big_blinds_per_100_hands_and_points_come_after_it() -> None:
    lines = standing(RATE, won("A", 300, "B"), won("A", 100, "C"), won("C", 100, "B"))
    assert places(lines) == [(1, "A", 2.0), (2, "C", 0.0), (3, "B", -2.0)]


def test_a_bankroll_is_the_sum_of_chips() -> None:
    lines = standing(BANKROLL, won("A", 10, "B"), won("B", 50, "C"), won("C", 45, "A"))
    assert places(lines) == [(1, "B", 40), (2, "C", -5), (3, "A", -35)]


def test_a_runoff_takes_out_the_smallest_bankroll_and_counts_again_without_it() -> None:
    # A has most chips, but only thanks to D. Without D it has lost to C and is the next to go.
    fixtures = [won("A", 90, "D"), won("C", 20, "A"), won("B", 5, "A"), won("C", 10, "B")]
    assert [team for _, team, _ in places(standing(BANKROLL, *fixtures))] == ["A", "C", "B", "D"]
    assert places(standing(RUNOFF, *fixtures)) == [
        (1, "C", 3.0),
        (2, "B", 2.0),
        (3, "A", 1.0),
        (4, "D", 0.0),
    ]


def test_where_stacks_carry_over_places_count_and_chips_decide_between_equals() -> None:
    first = {"A": 100, "B": 50, "C": -150}
    second = {"A": -100, "B": 60, "C": 40}
    lines = standing(POINTS, first, second, stage=CARRIED)
    assert places(lines) == [(1, "B", 3.0), (2, "A", 2.0), (3, "C", 1.0)]
    # Two fixtures each won by one of them: chips are ahead of hands survived.
    even = standing(POINTS, won("A", 5, "B"), won("B", 7, "A"), stage=CARRIED)
    assert places(even) == [(1, "B", 1.0), (2, "A", 1.0)]


def test_a_tie_at_a_table_shares_the_points() -> None:
    lines = standing(POINTS, {"A": 10, "B": 10, "C": -20}, stage=CARRIED)
    assert places(lines) == [(1, "A", 1.5), (1, "B", 1.5), (3, "C", 0.0)]


def test_a_bye_gives_the_points_of_a_win() -> None:
    lines = standing(POINTS, won("A", 10, "B"), byes={"C": 1})
    assert {line.team: line.points for line in lines} == {"A": 1.0, "B": 0.0, "C": 1.0}
    table = replace(RESET, seats=6)
    assert lines_of(table, ["A"], (), {"A": 2})[0].points == 10.0


def test_where_each_match_gives_points_a_bye_gives_those_of_all_of_them() -> None:
    stage = replace(CARRIED, seats=3, sets=2, deals=DUPLICATE)
    assert lines_of(stage, ["A"], (), {"A": 1})[0].points == 2 * 3 * 2


def test_an_outcome_in_which_nothing_was_played_changes_nothing() -> None:
    nothing: Outcome = outcome(RESET, "f9")
    lines = lines_of(RESET, ["A", "B"], [nothing])
    assert [line.rank for line in ranked(POINTS, RESET, lines, [nothing])] == [1, 1]


def twins(chips: Mapping[str, Sequence[Sequence[int]]]) -> list[MatchResult]:
    """Return the matches of one set, from what each team won in each deal of each match."""
    return [
        MatchResult(
            MatchName("stage", "f1", 1, number + 1),
            tuple(
                SeatResult(
                    team,
                    sum(matches[number]),
                    sum(matches[number]) / 100,
                    sum((won / 100) ** 2 for won in matches[number]),
                    1,
                    len(matches[number]),
                    groups=tuple(won / 100 for won in matches[number]),
                )
                for team, matches in chips.items()
            ),
            4,
        )
        for number in range(2)
    ]


def test_the_same_deal_in_all_matches_of_a_set_is_one_unit() -> None:
    # What the cards gave in the first match they took in the second, but for a little.
    first, second = [9000, -5000, 300, -4100], [-8900, 5100, -100, 4200]
    lost = [[-won for won in match] for match in (first, second)]
    played = twins({"A": [first, second], "B": lost})
    of_deal = [won + back for won, back in zip(first, second, strict=True)]
    rate = rate_of(replace(RESET, deals=DUPLICATE), played, "A")
    assert rate.groups == 4
    assert rate.rate == pytest.approx(sum(of_deal) / 100 / 8)
    assert rate.ci95 == pytest.approx(t95(3) * stdev(of_deal) / 100 / 2 / sqrt(4))
    alone = rate_of(RESET, played, "A").ci95
    assert alone is not None
    assert alone > 50 * (rate.ci95 or 0)


def test_what_a_forfeit_costs_has_no_spread() -> None:
    stage = replace(RESET, deals=DUPLICATE)
    absent = not_played(MatchName("stage", "f1", 1, 1), stage, ["A", "B"], {"B": "late"}, 1.0)
    rate = rate_of(stage, [absent], "A")
    assert rate.hands == absent.hands
    assert rate.rate == pytest.approx(absent.seats[0].bb / absent.hands)
    assert rate.ci95 == pytest.approx(0, abs=1e-9)
