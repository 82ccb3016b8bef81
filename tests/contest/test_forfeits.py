"""A forfeit is never better than to play: whoever forfeits is last, and gains nothing by it."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.contest.fixtures import Fixture, MatchName, MatchResult, SeatResult
from croupier.contest.forfeits import charged, not_played
from croupier.contest.outcome import summed_up
from croupier.contest.plan import StagePlan
from tests.support.stages import match, names, planned

NAME = MatchName("stage", "r1.1", 1, 1)
STAGE = planned("round-robin", seats=4)
stages = st.sampled_from([STAGE, planned("round-robin", seats=4, carried=True)])
stacks = st.floats(0.25, 5)
tables = st.integers(2, 4).map(names)


@given(stages, tables, stacks, st.data())
def test_who_does_not_come_loses_what_the_file_says_and_the_others_share_it(
    stage: StagePlan, teams: tuple[str, ...], stacks: float, data: st.DataObject
) -> None:
    absent = data.draw(st.lists(st.sampled_from(teams), min_size=1, unique=True))
    assume(len(absent) < len(teams))
    result = not_played(NAME, stage, teams, dict.fromkeys(absent, "late"), stacks)
    loss = round(stacks * stage.rules.stack)
    assert [seat.team for seat in result.seats] == list(teams)
    assert sum(seat.chips for seat in result.seats) == 0
    assert result.hands == stage.hands
    there = [seat for seat in result.seats if not seat.forfeit]
    for seat in result.seats:
        if seat.team in absent:
            assert seat.chips == -loss
            assert seat.rank == len(there) + 1
            assert seat.forfeit == "late"
            assert seat.survived == 0
        else:
            assert seat.chips > 0
            assert seat.rank == 1
    assert max(seat.chips for seat in there) - min(seat.chips for seat in there) <= 1


@given(stages, tables, stacks)
def test_where_nobody_comes_everybody_loses_and_no_hand_counts(
    stage: StagePlan, teams: tuple[str, ...], stacks: float
) -> None:
    result = not_played(NAME, stage, teams, dict.fromkeys(teams, "late"), stacks)
    assert result.hands == 0
    assert {seat.rank for seat in result.seats} == {1}
    assert {seat.chips for seat in result.seats} == {-round(stacks * stage.rules.stack)}


@st.composite
def broken_off(draw: st.DrawFn) -> tuple[StagePlan, MatchResult, float]:
    teams = draw(tables)
    won = {team: draw(st.integers(-(10**6), 10**6)) for team in teams[1:]}
    result = match(NAME, {teams[0]: -sum(won.values()), **won})
    leavers = draw(st.lists(st.sampled_from(teams), min_size=1, unique=True))
    seats = [replace(s, forfeit="broke off" if s.team in leavers else "") for s in result.seats]
    return draw(stages), replace(result, seats=tuple(seats)), draw(stacks)


@given(broken_off())
def test_who_breaks_off_is_last_and_loses_at_least_what_staying_away_costs(
    case: tuple[StagePlan, MatchResult, float],
) -> None:
    stage, before, stacks = case
    after = charged(before, stage, stacks)
    stayed = [seat for seat in after.seats if not seat.forfeit]
    for old, new in zip(before.seats, after.seats, strict=True):
        if new.forfeit:
            assert new.chips <= min(old.chips, -round(stacks * stage.rules.stack))
            assert new.bb <= old.bb
            assert new.rank == len(stayed) + 1
            assert all(new.chips < seat.chips for seat in stayed)
        else:
            assert replace(new, rank=old.rank) == old
            assert new.rank <= old.rank


@given(broken_off())
def test_who_breaks_off_wins_no_fixture(case: tuple[StagePlan, MatchResult, float]) -> None:
    stage, before, stacks = case
    teams = tuple(seat.team for seat in before.seats)
    assume(any(not seat.forfeit for seat in before.seats))
    outcome = summed_up(Fixture("r1.1", 1, teams), stage, [charged(before, stage, stacks)], True)
    leavers = {seat.team for seat in before.seats if seat.forfeit}
    assert outcome.best not in leavers
    most = max(outcome.points[team] for team in leavers)
    assert all(outcome.points[team] > most for team in teams if team not in leavers)


def test_a_forfeit_in_a_match_of_no_set_length_has_a_place_but_no_rate() -> None:
    endless = replace(STAGE, rules=replace(STAGE.rules, hands=0))
    result = not_played(NAME, endless, ("Ada", "Bob"), {"Bob": "late"}, 1.0)
    assert result.hands == 0
    assert result.seats == (
        SeatResult("Ada", 10000, 100.0, 0.0, 1, 0),
        SeatResult("Bob", -10000, -100.0, 0.0, 2, 0, forfeit="late"),
    )
