"""Where deals come again for teams that connect by themselves, nothing is shown before the end."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine

from croupier.cli.main import main
from croupier.contest.acts import GIVE_UP, Act
from croupier.match.audience import Policy
from croupier.store import contests, queries
from croupier.store.contests import ContestRow
from croupier.store.queries import SealedError
from croupier.store.schema import open_store
from croupier.web.archive.records import Records
from tests.support.contests import CUP, ContestFolder, house_teams, stage

TEXT = CUP + house_teams(2) + stage("round-robin", 4, "sets = 2")


@pytest.fixture
def cup(tmp_path: Path) -> ContestFolder:
    """A contest with one whole set of two, and the first match of the other."""
    folder = ContestFolder(tmp_path, TEXT)
    folder.play(3)
    return folder


@pytest.fixture
def engine(cup: ContestFolder) -> Iterator[Engine]:
    engine = open_store(str(cup.store))
    yield engine
    engine.dispose()


def matches_of(engine: Engine) -> list[str]:
    (row,) = contests.all_contests(engine)
    return [str(one.match_id) for one in contests.results(engine, row.id)]


def let_one_connect(engine: Engine) -> ContestRow:
    """Change the record as if a team connected by itself."""
    (row,) = contests.all_contests(engine)
    first, second = row.plan.teams
    second = replace(second, bot="", house=False, dialect="huawei")
    contests.change_plan(engine, row.id, replace(row.plan, teams=(first, second)))
    return contests.by_id(engine, row.id)


def test_commands_show_nothing_of_a_match_whose_deals_come_again(
    cup: ContestFolder, engine: Engine
) -> None:
    let_one_connect(engine)
    one, other, sealed = matches_of(engine)
    store = ["--store", str(cup.store)]
    for command in (
        ["show"],
        ["show", "--json"],
        ["export", "--format", "jsonl"],
        ["results"],
        ["verify"],
    ):
        for shown in (one, other):
            assert CliRunner().invoke(main, [*command, shown, *store]).exit_code == 0, command
        refused = CliRunner().invoke(main, [*command, sealed, *store])
        assert refused.exit_code == 2, command
        assert "sealed" in refused.output
        assert len(refused.output.splitlines()) == 1
    assert CliRunner().invoke(main, ["show", sealed, "1", *store]).exit_code == 2
    listed = json.loads(CliRunner().invoke(main, ["matches", "--json", *store]).output)
    line = next(line for line in listed if line["match"] == sealed)
    assert (line["ended"], line["hands"], line.get("seed")) == (None, 0, None)


def test_pages_show_nothing_of_it_and_list_it_as_running(engine: Engine) -> None:
    let_one_connect(engine)
    *_, sealed = ids = matches_of(engine)
    records = Records(engine, Policy())
    with pytest.raises(SealedError):
        records.match(sealed)
    with pytest.raises(SealedError):
        records.hand(sealed, 1)
    with pytest.raises(SealedError):
        queries.hand(engine, sealed, 1)
    with pytest.raises(SealedError):
        list(queries.all_hands(engine, sealed))
    assert records.books_now(sealed) is None
    found = [(one.status, one.hands, len(one.winners)) for one in records.summaries(ids)]
    assert found == [("ended", 4, 1), ("ended", 4, 1), ("running", 0, 0)]


def test_it_is_shown_once_nothing_more_is_played_of_its_fixture(engine: Engine) -> None:
    contest = let_one_connect(engine)
    *_, sealed = matches_of(engine)
    contests.act(engine, contest, Act(GIVE_UP, match="round-robin/r1.1/2.2"), "somebody")
    assert queries.match(engine, sealed).seed is not None


def test_duplicates_of_programs_that_are_started_are_shown_at_once(engine: Engine) -> None:
    *_, last = matches_of(engine)
    assert queries.match(engine, last).seed is not None


def test_the_figures_of_a_contest_do_without_what_is_sealed(
    cup: ContestFolder, engine: Engine
) -> None:
    let_one_connect(engine)
    assert [line["hands"] for line in cup.json("teams")] == [12, 12]
