"""Requests for friendly matches: their states, their limits, and the end of what was played."""

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest
from sqlalchemy import Engine

from croupier.contest.plan import ContestPlan, FriendlyPlan, Team
from croupier.rules.sets import PLAIN
from croupier.store import careers, contests, friendlies, queries
from croupier.store.contests import ContestRow
from croupier.store.friendlies import (
    ASKED,
    CANCELLED,
    DECLINED,
    PLAYED,
    PLAYING,
    WAITING,
    WITHDRAWN,
    Outcome,
    RefusedRequestError,
)
from croupier.store.records import FriendlyResult, ResultRecord
from croupier.store.schema import open_store
from tests.store.recorded import Recording, write
from tests.support.stages import planned

TEAMS = tuple(Team(name, dialect="trend") for name in ("Ada", "Bob", "Cid"))
PLAN = ContestPlan(
    title="Cup", teams=TEAMS, stages=(planned("swiss"),), friendlies=FriendlyPlan(waiting=2)
)


@pytest.fixture
def engine(store: str) -> Iterator[Engine]:
    engine = open_store(store)
    yield engine
    engine.dispose()


@pytest.fixture
def cup(engine: Engine) -> ContestRow:
    return contests.create(engine, PLAN, bytes(32), secret=True)


def test_a_plan_keeps_what_its_file_says_of_friendly_matches(cup: ContestRow) -> None:
    assert cup.plan.friendlies == FriendlyPlan(hands=200, waiting=2)
    old = msgspec.json.decode(contests.encoded_plan(cup.plan))
    del old["friendlies"]
    assert msgspec.convert(old, ContestPlan).friendlies is None, "as in contests of before"


def test_a_house_bot_need_not_agree_and_a_team_finds_what_others_ask_for(
    engine: Engine, cup: ContestRow
) -> None:
    house = friendlies.ask(engine, cup, "Ada", "CallAgent", True, 2)
    team = friendlies.ask(engine, cup, "Ada", "Bob", False, 2)
    assert [(one.number, one.state) for one in friendlies.open_ones(engine, cup.id)] == [
        (house, WAITING),
        (team, ASKED),
    ]
    assert friendlies.counts(engine, cup.id) == {"asked": 1, "waiting": 1, "playing": 0}
    assert [one.number for one in friendlies.of_team(engine, cup.id, "Bob", 9)] == [team]
    assert [one.number for one in friendlies.of_team(engine, cup.id, "Ada", 1)] == [team]
    assert friendlies.of_team(engine, cup.id, "CallAgent", 9) == []
    assert friendlies.find(engine, cup.id + 1, team) is None
    assert friendlies.find(engine, cup.id, 1 << 70) is None


def test_a_team_has_a_limited_number_open_no_match_twice_and_so_many_a_day(
    engine: Engine, cup: ContestRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = friendlies.ask(engine, cup, "Ada", "Bob", False, 2)
    with pytest.raises(RefusedRequestError, match="already"):
        friendlies.ask(engine, cup, "Ada", "Bob", False, 2)
    friendlies.ask(engine, cup, "Ada", "CallAgent", True, 2)
    with pytest.raises(RefusedRequestError, match="at most 2"):
        friendlies.ask(engine, cup, "Ada", "Cid", False, 2)
    friendlies.ask(engine, cup, "Bob", "Ada", False, 2)
    assert friendlies.move(engine, first, [ASKED], WITHDRAWN)
    friendlies.ask(engine, cup, "Ada", "Cid", False, 2)
    monkeypatch.setattr(friendlies, "MAX_PER_DAY", 3)
    with pytest.raises(RefusedRequestError, match="3 matches a day"):
        friendlies.ask(engine, cup, "Ada", "Bob", False, 9)


def test_a_request_is_moved_only_from_a_state_in_which_it_is(
    engine: Engine, cup: ContestRow
) -> None:
    number = friendlies.ask(engine, cup, "Ada", "Bob", False, 2)
    assert not friendlies.move(engine, number, [WAITING], PLAYING)
    assert friendlies.move(engine, number, [ASKED], WAITING)
    assert not friendlies.move(engine, number, [ASKED], DECLINED)
    assert friendlies.move(engine, number, [WAITING], PLAYING)
    assert not friendlies.move(engine, number, [ASKED, WAITING], WITHDRAWN)


def test_a_match_ends_in_the_transaction_that_answers_it_and_counts_for_no_player(
    engine: Engine, cup: ContestRow
) -> None:
    number = friendlies.ask(engine, cup, "Ada", "CallAgent", True, 2)
    friendlies.move(engine, number, [WAITING], PLAYING)
    played = Recording(engine, replace(PLAIN, hands=5), ["RuleAgent", "CallAgent"], "f", "friendly")
    played.place = cup.friendly_place(number)
    played.play()
    outcome = Outcome("", "friendly", 5, {"Ada": 7})
    end = ResultRecord("friendly", 1.0, b"{}")
    write(engine, [FriendlyResult(number, PLAYED, msgspec.json.encode(outcome), end)])
    found = friendlies.find(engine, cup.id, number)
    assert found is not None
    assert (found.state, found.outcome) == (PLAYED, outcome)
    row = queries.match(engine, "friendly")
    assert (row.ended, row.friendly) == (1.0, True)
    assert careers.totals(engine) == {}
    assert contests.running(engine, cup) == {}


def test_what_is_answered_for_good_stays(engine: Engine, cup: ContestRow) -> None:
    number = friendlies.ask(engine, cup, "Ada", "CallAgent", True, 2)
    for state, why in ((CANCELLED, "first"), (WAITING, "second"), (PLAYED, "third")):
        answer = msgspec.json.encode(Outcome(why))
        write(engine, [FriendlyResult(number, state, answer)])
    found = friendlies.find(engine, cup.id, number)
    assert found is not None
    assert (found.state, found.outcome.why) == (CANCELLED, "first")
