"""Friendly matches are played while a contest is, by real processes, and count nowhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine

from croupier.contest.seeds import friendly_seed
from croupier.running.contest_reader import ContestFileError, read_contest
from croupier.store import contests, friendlies, queries
from croupier.store.contests import ContestRow
from croupier.store.friendlies import ASKED, WAITING, Friendly
from croupier.store.schema import open_store
from croupier.store.verify import Verifier
from tests.support.contests import (
    CUP,
    ContestFolder,
    Gate,
    connecting,
    ended,
    house_teams,
    ports,
    stage,
    team,
)
from tests.support.hosting import Player, wait_for_end
from tests.support.processes import Program
from tests.web.siting import awaited

FRIENDLIES = "friendlies = { hands = 8, waiting = 3 }\n"
SLOW = "set = { decision_ms = 60000 }\n"
LATER = "start = 2099-01-01T00:00:00"
"""A stage that has not begun leaves room for friendly matches."""

TEAMS = team("Ada", "gated.py:Gated") + team("Bob", "gated.py:Odd") + team("Cid", "RuleAgent")
TEXT = CUP + SLOW + FRIENDLIES + TEAMS + stage("round-robin", 5, 'deals = "single"')


class Cup:
    """A contest in whose store a test asks for friendly matches, as the site does."""

    def __init__(self, folder: ContestFolder, engine: Engine) -> None:
        self.folder = folder
        self.engine = engine
        self.row: ContestRow = contests.find(engine, "Cup")

    def ask(self, who: str, opponent: str, house: bool = False) -> int:
        return friendlies.ask(self.engine, self.row, who, opponent, house, 3)

    def one(self, number: int) -> Friendly:
        found = friendlies.find(self.engine, self.row.id, number)
        assert found is not None
        return found

    def until(self, number: int, *states: str) -> Friendly:
        """Return a request once it is in one of some states."""
        return awaited(lambda: self.one(number), lambda one: one.state in states)

    def friendly_matches(self) -> list[queries.MatchRow]:
        return [match for match in queries.matches(self.engine) if match.friendly]


@contextmanager
def opened(folder: Path, text: str) -> Iterator[Cup]:
    """Have a contest on record; its gated bots just go on unless the test opens a gate."""
    Gate(folder).close()
    contest = ContestFolder(folder, text)
    contest.done("commit")
    engine = open_store(contest.address)
    try:
        yield Cup(contest, engine)
    finally:
        engine.dispose()


@contextmanager
def running(contest: ContestFolder, *arguments: str) -> Iterator[Program]:
    """Run a contest, and end it if it has not ended."""
    program = contest.start(*arguments)
    try:
        yield program
    finally:
        if program.poll() is None:
            program.kill()
            ended(program)


@pytest.mark.parametrize(
    ("value", "mistakes"),
    [
        ("true", ["line 4: friendlies: is a table such as { hands = 200, waiting = 2 }, not True"]),
        ("{ hand = 9 }", ["line 4: friendlies.hand: unknown key; did you mean 'hands'?"]),
        ("{ hands = 0 }", ["line 4: friendlies.hands: is from 1 to 10,000, not 0"]),
        ("{ waiting = 21 }", ["line 4: friendlies.waiting: is from 1 to 20, not 21"]),
    ],
)
def test_what_is_wrong_with_the_key_is_named_with_its_line(value: str, mistakes: list[str]) -> None:
    text = f"{CUP}friendlies = {value}\n" + house_teams(2) + stage("swiss")
    with pytest.raises(ContestFileError) as error:
        read_contest(text)
    assert [str(mistake) for mistake in error.value.mistakes] == mistakes


def test_without_the_key_there_are_none_and_with_an_empty_table_the_usual_ones() -> None:
    text = house_teams(2) + stage("swiss")
    assert read_contest(CUP + text).plan.friendlies is None
    plan = read_contest(f"{CUP}friendlies = {{}}\n{text}").plan.friendlies
    assert plan is not None
    assert (plan.hands, plan.waiting) == (200, 2)


def test_matches_against_the_house_and_between_teams_are_played_recorded_and_verify(
    tmp_path: Path,
) -> None:
    with opened(tmp_path, TEXT.replace('"single"', f'"single"\n{LATER}')) as cup:
        house, agreed = cup.ask("Bob", "CallAgent", True), cup.ask("Ada", "Bob")
        cup.ask("Bob", "Ada")  # nobody has agreed to that
        assert friendlies.move(cup.engine, agreed, [ASKED], WAITING)
        with running(cup.folder, "--workers", "1") as program:
            played = [cup.until(number, "played") for number in (house, agreed)]
            assert "friendly matches: 1 asked, 0 waiting, 0 playing" in cup.folder.done("status")
            program.terminate()
            assert ended(program)[0] == 130
        for one, names in zip(played, (["Bob", "house CallAgent"], ["Ada", "Bob"]), strict=True):
            match = queries.match(cup.engine, one.outcome.match)
            assert (match.hands, match.names, match.friendly) == (8, names, True)
            assert match.seed == friendly_seed(cup.row.deal_seed, one.number)
            assert sum(one.outcome.chips.values()) == 0
            assert list(one.outcome.chips) == names
            verifier = Verifier(cup.engine, match.id)
            assert list(verifier.run())
            assert verifier.report.ok
        assert len(cup.friendly_matches()) == 2


def test_they_count_nowhere(tmp_path: Path) -> None:
    """A contest with friendly matches between its rounds comes out as one without them."""
    for name in ("with", "without"):
        (tmp_path / name).mkdir()
    rounds = stage("round-robin", 5, 'deals = "single"') + stage("knockout", 5, LATER)
    text = TEXT.partition("\n[[stage]]")[0] + rounds
    with opened(tmp_path / "with", text) as cup, opened(tmp_path / "without", text) as plain:
        with running(cup.folder, "--workers", "2") as program:
            number = cup.ask("Ada", "RuleAgent", True)
            cup.until(number, "played")
            awaited(cup.folder.results, lambda found: len(found) == 3)
            program.terminate()
            ended(program)
        code, _, errors = plain.folder.run("--stage", "round-robin")
        assert code == 0, errors
        for one in (cup.folder, plain.folder):
            one.edit(f"\n{LATER}", "")
            code, _, errors = one.run()
            assert code == 0, errors
        assert [match.id for match in cup.friendly_matches()] == [cup.one(number).outcome.match]
        assert cup.folder.digest == plain.folder.digest
        for command in ("standings", "crosstable", "fixtures", "teams"):
            assert cup.folder.json(command) == plain.folder.json(command), command
        assert "is verified" in cup.folder.done("verify")
        cup.folder.done("export", str(tmp_path / "exported"))
        exported = [path.read_bytes() for path in (tmp_path / "exported").rglob("*.*")]
        assert not any(cup.one(number).outcome.match.encode() in data for data in exported)


def test_what_waits_when_the_contest_is_complete_is_answered_and_not_waited_for(
    tmp_path: Path,
) -> None:
    with opened(tmp_path, TEXT) as cup, Gate(tmp_path) as gate:
        with running(cup.folder, "--workers", "1") as program:
            held = gate.next()  # the only worker of the contest plays
            numbers = [cup.ask("Ada", "CallAgent", True), cup.ask("Ada", "Bob")]
            gate.close()
            held.go()
            code, _, errors = ended(program)
        assert code == 0, errors
        for number in numbers:
            one = cup.one(number)
            assert (one.state, one.outcome.why) == ("cancelled", "the contest is over")
        assert cup.friendly_matches() == []


def test_one_that_is_being_played_when_the_contest_is_complete_leaves_no_record(
    tmp_path: Path,
) -> None:
    teams = team("Ada", "gated.py:Gated") + team("Bob", "RuleAgent")
    text = TEXT.replace(TEAMS, teams)
    with opened(tmp_path, text) as cup, Gate(tmp_path) as gate:
        with running(cup.folder, "--workers", "2") as program:
            counted = gate.next()
            number = cup.ask("Ada", "CallAgent", True)
            gate.next().go()
            friendly = gate.next()
            assert (friendly.word, cup.one(number).state) == ("plays", "playing")
            gate.close()
            counted.go()
            code, _, errors = ended(program)
        assert code == 0, errors
        assert cup.one(number).outcome.why == "the contest is over"
        assert cup.friendly_matches() == []
        assert len(cup.folder.results()) == 1
        friendly.go()
        wait_for_end(friendly.child)


def test_a_coordinator_that_is_killed_leaves_nothing_half_done(tmp_path: Path) -> None:
    text = TEXT.replace('"single"', f'"single"\n{LATER}')
    with opened(tmp_path, text) as cup, Gate(tmp_path) as gate:
        first, second = cup.ask("Ada", "CallAgent", True), cup.ask("Ada", "RuleAgent", True)
        with running(cup.folder, "--workers", "1") as program:
            while (passing := gate.next()).word != "plays":
                passing.go()
            assert (cup.one(first).state, cup.one(second).state) == ("playing", "waiting")
            program.kill()
            ended(program)
            wait_for_end(passing.child)
            passing.go()
        gate.close()
        with running(cup.folder, "--workers", "1"):
            played = [cup.until(number, "played") for number in (first, second)]
        found = {match.id: match.hands for match in cup.friendly_matches()}
        assert found == {one.outcome.match: 8 for one in played}


def test_none_is_begun_while_the_contest_is_paused_and_those_of_a_team_that_leaves_are_answered(
    tmp_path: Path,
) -> None:
    with opened(tmp_path, TEXT.replace('"single"', f'"single"\n{LATER}')) as cup:
        cup.folder.done("pause")
        waits, leaves = cup.ask("Ada", "CallAgent", True), cup.ask("Cid", "Bob")
        with running(cup.folder, "--workers", "1"):
            cup.folder.done("withdraw", "Bob")
            one = cup.until(leaves, "cancelled")
            assert one.outcome.why == "Bob is no longer in the contest"
            assert cup.one(waits).state == "waiting"
            cup.folder.done("resume")
            cup.until(waits, "played")


def test_what_cannot_be_played_says_why_and_takes_nothing_else_with_it(tmp_path: Path) -> None:
    text = TEXT.replace("gated.py:Odd", "broken.py:Odd").replace('"single"', f'"single"\n{LATER}')
    (tmp_path / "broken.py").write_text("raise RuntimeError('no such luck')\n")
    with opened(tmp_path, text) as cup, running(cup.folder, "--workers", "1"):
        one = cup.until(cup.ask("Bob", "CallAgent", True), "cancelled")
        assert one.outcome.why.startswith("Bob: ")
        assert "no such luck" in one.outcome.why
        cup.until(cup.ask("Ada", "CallAgent", True), "played")
        assert len(cup.friendly_matches()) == 1


LIVE = (
    CUP
    + SLOW
    + FRIENDLIES
    + connecting("Ada", "huawei")
    + team("Bob", "gated.py:Gated")
    + team("Cid", "CallAgent")
)


def calls(player: Player, hands: int) -> None:
    """Call until so many hands are over."""
    for _ in range(hands):
        while not (player.next() or b"").startswith(b"pot-win"):
            if player.messages[-1].startswith(b"inquire"):
                player.send(b"call \n")


def test_a_team_that_connects_is_called_and_goes_on_after_a_crash(tmp_path: Path) -> None:
    with opened(tmp_path, LIVE + stage("round-robin", 1, LATER)) as cup:
        (row,) = (row for row in cup.folder.json("keys") if row["team"] == "Ada")
        number = cup.ask("Ada", "CallAgent", True)
        with running(cup.folder, "--workers", "1") as program:
            assert program.stderr is not None
            port = int(ports(program.stderr, 1)["huawei"])
            with Player(port, f"{row['pid']} {row['key']}") as player:
                calls(player, 3)
                assert cup.one(number).state == "playing"
                program.kill()
                ended(program)
        with running(cup.folder, "--workers", "1") as program:
            assert program.stderr is not None
            port = int(ports(program.stderr, 1)["huawei"])
            with Player(port, f"{row['pid']} {row['key']}") as player:
                player.play(lambda _: b"call \n")
            one = cup.until(number, "played")
        (match,) = cup.friendly_matches()
        assert (match.id, match.hands) == (one.outcome.match, 8)
        assert match.ended is not None


def test_of_a_match_that_a_crash_interrupted_nothing_is_left_if_its_team_has_left(
    tmp_path: Path,
) -> None:
    with opened(tmp_path, LIVE + stage("round-robin", 1, LATER)) as cup:
        (row,) = (row for row in cup.folder.json("keys") if row["team"] == "Ada")
        number = cup.ask("Ada", "CallAgent", True)
        with running(cup.folder, "--workers", "1") as program:
            assert program.stderr is not None
            port = int(ports(program.stderr, 1)["huawei"])
            with Player(port, f"{row['pid']} {row['key']}") as player:
                calls(player, 2)
            program.kill()
            ended(program)
        assert len(cup.friendly_matches()) == 1
        cup.folder.done("withdraw", "Ada")
        with running(cup.folder, "--workers", "1"):
            one = cup.until(number, "cancelled")
            assert one.outcome.why == "Ada is no longer in the contest"
            assert cup.friendly_matches() == []


def test_a_team_that_does_not_come_costs_the_match(tmp_path: Path) -> None:
    text = LIVE + stage("round-robin", 1, LATER)
    with opened(tmp_path, text.replace(SLOW, "arrive_s = 0.1\n")) as cup:
        cup.folder.done("keys")
        number = cup.ask("Ada", "CallAgent", True)
        with running(cup.folder, "--workers", "1"):
            one = cup.until(number, "cancelled")
        assert one.outcome.why == "Ada: did not arrive within 0.1 s"
        assert cup.friendly_matches() == []


def test_a_table_ends_early_when_the_contest_wants_one_of_its_teams(tmp_path: Path) -> None:
    # The first seed of three waits for its opponent in the final.
    with opened(tmp_path, LIVE + stage("knockout", 1)) as cup, Gate(tmp_path) as gate:
        (row,) = (row for row in cup.folder.json("keys") if row["team"] == "Ada")
        with running(cup.folder, "--workers", "1") as program:
            assert program.stderr is not None
            port = int(ports(program.stderr, 1)["huawei"])
            held = gate.next()
            number = cup.ask("Ada", "CallAgent", True)
            with Player(port, f"{row['pid']} {row['key']}") as player:
                calls(player, 2)
                gate.close()
                held.go()
                player.until(b"game-over")
            one = cup.until(number, "played")
            assert one.outcome.hands < 8
            assert one.outcome.why.startswith("it ended early")
            with Player(port, f"{row['pid']} {row['key']}") as player:
                player.play(lambda _: b"call \n")
            code, _, errors = ended(program)
        assert code == 0, errors
        assert "is verified" in cup.folder.done("verify")


def test_a_table_ends_with_what_was_played_when_the_contest_is_complete(tmp_path: Path) -> None:
    # Who does not come is out, and can still play friendly matches while the final is on.
    text = (
        CUP
        + "arrive_s = 1\n"
        + SLOW
        + FRIENDLIES
        + team("Bob", "RuleAgent")
        + team("Cid", "gated.py:Gated")
        + team("Dan", "CallAgent")
        + connecting("Ada", "huawei")
        + stage("knockout", 5)
    )
    with opened(tmp_path, text) as cup, Gate(tmp_path) as gate:
        (row,) = (row for row in cup.folder.json("keys") if row["team"] == "Ada")
        with running(cup.folder, "--workers", "1") as program:
            assert program.stderr is not None
            port = int(ports(program.stderr, 1)["huawei"])
            held = semi = gate.next()
            while held.child == semi.child:
                held.go()
                held = gate.next()
            with Player(port, f"{row['pid']} {row['key']}") as player:
                number = cup.ask("Ada", "CallAgent", True)
                calls(player, 2)
                gate.close()
                held.go()
                player.until(b"game-over")
                code, _, errors = ended(program)
        assert code == 0, errors
        one = cup.one(number)
        assert (one.state, one.outcome.hands < 8) == ("played", True)
        assert one.outcome.why.startswith("it ended early")
        (match,) = cup.friendly_matches()
        assert match.ended is not None
