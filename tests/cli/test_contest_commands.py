"""`croupier contest …` about contests that nobody is playing: lists, acts, edits of the file."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from croupier.contest.coefficients import coefficients_hash
from tests.support.contests import CUP, ContestFolder, house_teams, stage, team

TEXT = CUP + house_teams(4) + stage("swiss", 10, "rounds = 2\nadvance = 2") + stage("knockout")


@pytest.fixture
def cup(tmp_path: Path) -> ContestFolder:
    return ContestFolder(tmp_path, TEXT)


@pytest.fixture
def played(cup: ContestFolder) -> ContestFolder:
    cup.play()
    return cup


@pytest.fixture
def begun(cup: ContestFolder) -> ContestFolder:
    cup.play(1)
    return cup


def audit(contest: ContestFolder) -> list[list[str]]:
    """Return act and detail of what is in the audit log about contests."""
    store = ["--store", str(contest.store)]
    result = CliRunner().invoke(main, ["audit", *store, "--json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.output)
    return [[row["act"], row["detail"]] for row in rows if row["act"].startswith("contest ")]


# Lists.


def test_standings_are_one_object_on_one_line_with_the_fields_that_were_promised(
    played: ContestFolder,
) -> None:
    found = played.json("standings")
    assert found["contest"] == "Cup"
    assert len(found["digest"]) == 64
    assert [(s["name"], s["format"], s["complete"]) for s in found["stages"]] == [
        ("swiss", "swiss", True),
        ("knockout", "knockout", True),
    ]
    for one in found["stages"]:
        assert [line["rank"] for line in one["standings"]] == sorted(
            line["rank"] for line in one["standings"]
        )
        for line in one["standings"]:
            fields = ("rank", "team", "matches", "hands", "score", "rate", "ci95", "forfeits")
            assert tuple(line)[:8] == fields
    swiss = found["stages"][0]["standings"]
    assert {line["team"] for line in swiss} == {"A", "B", "C", "D"}
    assert all(line["matches"] == 4 and line["hands"] == 40 for line in swiss)


@pytest.mark.parametrize("by", ["points", "rate", "bankroll", "runoff"])
def test_standings_by_another_score_are_ordered_by_it(played: ContestFolder, by: str) -> None:
    found = played.json("standings", "--by", by, "--stage", "swiss")
    (one,) = found["stages"]
    assert one["score"] == by
    scores = [line["score"] for line in one["standings"]]
    assert scores == sorted(scores, reverse=True)
    own = {"points": "points", "rate": "rate", "bankroll": "chips"}
    if by in own:
        assert scores == [line[own[by]] for line in one["standings"]]
    assert found["digest"] == played.digest


def test_the_caption_of_a_standing_says_what_it_is_ordered_by(played: ContestFolder) -> None:
    assert "by total chips" in played.done("standings", "--by", "bankroll", "--stage", "swiss")


def test_a_plan_has_every_fixture_that_is_known_and_puts_nothing_on_record(
    cup: ContestFolder,
) -> None:
    found = cup.json("plan", "--no-trial")
    first, second = found["stages"]
    assert (found["contest"], first["matches"], first["hands"]) == ("Cup", 4, 40)
    assert [len(fixture["teams"]) for fixture in first["fixtures"]] == [2, 2]
    assert (second["known"], second["fixtures"], second["seconds"]) == (False, [], None)
    assert not cup.store.exists()


def test_a_plan_estimates_its_time_from_a_trial(cup: ContestFolder) -> None:
    assert cup.json("plan", "--workers", "2")["stages"][0]["seconds"] > 0


def test_a_plan_counts_the_time_that_luck_takes(tmp_path: Path) -> None:
    """Between quick bots it is several times that of playing."""

    def seconds(luck: str) -> float:
        text = CUP + f"luck = {luck}\n" + house_teams(2) + stage("round-robin", 100)
        folder = tmp_path / luck
        folder.mkdir()
        planned = ContestFolder(folder, text).json("plan", "--workers", "1")
        return float(planned["stages"][0]["seconds"])

    assert seconds("true") > seconds("false")


def test_status_says_how_far_a_contest_has_come(begun: ContestFolder) -> None:
    found = begun.json("status")
    assert (found["state"], found["complete"]) == ("not complete", False)
    assert [(s["played"], s["matches"]) for s in found["stages"]] == [(1, 4)]


def test_a_stage_that_does_not_exist_or_has_not_begun_is_named(begun: ContestFolder) -> None:
    assert "has not begun yet" in begun.refused("standings", "--stage", "knockout")
    for command in ("standings", "run"):
        assert "(there are swiss, knockout)" in begun.refused(command, "--stage", "final")


def test_a_contest_that_was_never_run_is_named_with_the_command_that_begins_it(
    cup: ContestFolder, tmp_path: Path
) -> None:
    other = ContestFolder(tmp_path, TEXT.replace('"Cup"', '"Other"'), "other.toml")
    other.play(0)
    text = cup.refused("standings")
    assert "no contest 'Cup'" in text
    assert "contest run" in text


@pytest.mark.parametrize("command", ["standings", "status", "pause", "verify"])
def test_before_there_is_a_store_the_command_that_begins_the_contest_is_named(
    cup: ContestFolder, command: str
) -> None:
    text = cup.refused(command)
    assert "Cup has not begun" in text
    assert "croupier contest run" in text


def test_where_only_house_bots_play_nobody_is_told_to_have_a_key(cup: ContestFolder) -> None:
    assert "no team needs a key" in cup.done("keys")


def test_what_the_audience_sees_is_checked_without_a_site_too(cup: ContestFolder) -> None:
    assert "not 'nothing'" in cup.refused("run", "--audience", "nothing")


def test_several_contests_share_a_store_and_know_nothing_of_each_other(
    played: ContestFolder, tmp_path: Path
) -> None:
    before = played.json("standings")
    other = ContestFolder(tmp_path, TEXT.replace('"Cup"', '"Other"'), "other.toml")
    other.play()
    assert played.json("standings") == before
    assert other.digest == played.digest, "titles are in no seed"
    other.done("withdraw", "A")
    assert played.json("status")["acts"] == []
    assert "is verified" in played.done("verify")


# Acts, while nobody is playing.


def test_acts_are_on_record_and_in_the_audit_log(begun: ContestFolder) -> None:
    begun.done("pause")
    assert begun.json("status")["state"] == "paused"
    assert "paused already" in begun.refused("pause")
    begun.done("resume")
    begun.done("withdraw", "A", "--why", "a wedding")
    begun.done("disqualify", "B", "--why", "two accounts")
    begun.done("replace", "C", "--bot", "CallAgent")
    assert [act["act"] for act in begun.json("status")["acts"]] == [
        "pause", "resume", "withdraw", "disqualify", "replace",
    ]  # fmt: skip
    assert sorted(audit(begun)) == sorted([
        ["contest pause", ""],
        ["contest resume", ""],
        ["contest withdraw", "A: a wedding"],
        ["contest disqualify", "B: two accounts"],
        ["contest replace", "C: CallAgent"],
    ])  # fmt: skip


def test_a_contest_goes_on_without_a_team_that_left(begun: ContestFolder) -> None:
    begun.done("withdraw", "A")
    begun.play()
    swiss, knockout = begun.json("standings")["stages"]
    assert "A" in {line["team"] for line in swiss["standings"]}
    assert "A" not in {line["team"] for line in knockout["standings"]}
    begun.done("disqualify", "A", "--why", "found out later")
    swiss = begun.json("standings")["stages"][0]
    assert "A" not in {line["team"] for line in swiss["standings"]}
    assert begun.json("status")["complete"]


def test_a_forfeit_decides_what_is_left_of_a_fixture(begun: ContestFolder) -> None:
    rows = begun.json("fixtures")
    (half,) = [row for row in rows if row["state"].startswith("1 of")]
    loser = half["teams"][0]
    text = begun.done("forfeit", f"swiss/{half['fixture']}", loser, "--why", "left the room")
    assert "1 match" in text
    result = begun.results()[half["matches"][1]]
    seat = result.of(loser)
    assert seat is not None
    assert (seat.chips, seat.forfeit) == (-10_000, "left the room")
    assert ["contest forfeit", f"swiss/{half['fixture']}: {loser} (left the room)"] in audit(begun)
    assert "nothing is left" in begun.refused("forfeit", f"swiss/{half['fixture']}", loser)
    begun.play()
    assert "is verified" in begun.done("verify")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (("withdraw", "AA"), "no team 'AA'"),
        (("disqualify", "A"), "--why"),
        (("replace", "A"), "either --bot or --run"),
        (("replace", "A", "--bot", "x", "--run", "y"), "either --bot or --run"),
        (("replace", "A", "--bot", "CalAgent"), "CallAgent"),
        (("replace", "A", "--bot", "nowhere.py:Bot"), "nowhere.py"),
        (("replace", "A", "--run", "prog", "--dialect", "huwei"), "huawei"),
        (("replace", "A", "--run", "prog"), "--dialect"),
        (("forfeit", "swiss/r9.9", "A"), "nothing is left to play of 'swiss/r9.9'"),
        (("give-up", "swiss/r1.1/1.1"), "is not set aside"),
        (("resume",), "not paused"),
    ],
    ids=" ".join,
)
def test_an_act_that_makes_no_sense_is_refused_with_a_sentence(
    begun: ContestFolder, command: tuple[str, ...], what: str
) -> None:
    assert what in begun.refused(*command)
    assert audit(begun) == []


def test_a_team_is_taken_out_once(begun: ContestFolder) -> None:
    begun.done("withdraw", "A")
    assert "already" in begun.refused("withdraw", "A")


# Edits of the file.


def test_before_the_first_match_the_file_may_change(cup: ContestFolder) -> None:
    cup.play(0)
    cup.edit("hands = 10", "hands = 5")
    cup.file.write_text(cup.file.read_text() + team("E", "CallAgent"))
    cup.play()
    swiss = cup.json("standings")["stages"][0]["standings"]
    assert {line["hands"] / line["matches"] for line in swiss} == {5}
    assert len(swiss) == 5


EDITS = [
    ('seed = "7"', 'seed = "8"', "another seed"),
    ('name = "D"', 'name = "E"', "the team 'D' is missing"),
    ('name = "A"\nbot = "RuleAgent"', 'name = "A"\nbot = "CallAgent"', "replace"),
    ("hands = 10\nrounds", "hands = 20\nrounds", "the stage 'swiss' has begun"),
    ('seed = "7"', 'seed = "7"\nrecord = "results"', "record has changed"),
    ('seed = "7"', 'seed = "7"\ndisqualified = "keep"', "disqualified has changed"),
    ('seed = "7"', 'seed = "7"\nforfeit_stacks = 2', "forfeit_stacks has changed"),
    ("\n[[stage]]", team("E", "CallAgent") + "\n[[stage]]", "only be added to a ladder"),
]


@pytest.mark.parametrize(("old", "new", "what"), EDITS, ids=[edit[2] for edit in EDITS])
def test_after_the_first_match_an_edit_that_changes_the_course_is_refused(
    begun: ContestFolder, old: str, new: str, what: str
) -> None:
    text = begun.file.read_text()
    begun.file.write_text(text.replace(old, new, 1))
    assert what in begun.refused("run")
    begun.file.write_text(text)
    begun.play()
    assert begun.json("status")["complete"]


@pytest.mark.parametrize("matches", [1, 8], ids=["before its teams are known", "after"])
def test_a_stage_that_has_not_begun_may_still_change(cup: ContestFolder, matches: int) -> None:
    cup.play(matches)
    assert len(cup.json("standings")["stages"]) == (1 if matches == 1 else 2)
    cup.edit('format = "knockout"\nhands = 10', 'format = "knockout"\nhands = 30')
    cup.play()
    final = cup.json("standings")["stages"][1]["standings"]
    assert {line["hands"] / line["matches"] for line in final} == {30}


def test_a_team_that_is_added_to_the_file_of_a_ladder_joins_it(tmp_path: Path) -> None:
    text = CUP + house_teams(3) + stage("ladder", 10, "matches = 2")
    ladder = ContestFolder(tmp_path, text)
    code, _, errors = ladder.run("--workers", "1")
    assert code == 0, errors
    ladder.file.write_text(text.replace("matches = 2", "matches = 12") + team("Eve", "CallAgent"))
    assert "has begun" in ladder.refused("run")
    ladder.file.write_text(text + team("Eve", "CallAgent"))
    code, output, errors = ladder.run("--workers", "1")
    assert code == 0, errors
    assert "Eve" in output
    assert [act["team"] for act in ladder.json("status")["acts"] if act["act"] == "add"] == ["Eve"]


STOPPING = "sets = 20\nstop = { better = 0.05, same = 1 }"


@pytest.mark.parametrize("luck", ["true", "false"])
def test_while_a_fixture_goes_on_its_interval_is_shown(tmp_path: Path, luck: str) -> None:
    text = CUP + f"luck = {luck}\n" + house_teams(2) + stage("round-robin", 50, STOPPING)
    contest = ContestFolder(tmp_path, text)
    contest.play(4)
    (one,) = contest.json("standings")["stages"]
    assert one["luck"] is (luck == "true")
    (known,) = one["intervals"]
    assert (known["fixture"], known["teams"]) == ("r1.1", ["A", "B"])
    assert (known["played"], known["matches"]) == (4, 40)
    assert known["interval"]["always_valid"] > 0
    (row,) = contest.json("fixtures")
    assert (row["interval"], row["stopped"]) == (known["interval"], None)
    assert contest.json("status")["stages"][0]["intervals"] == [known]
    for command in ("status", "standings"):
        assert "an interval that holds at every look" in contest.done(command).replace("\n", " ")


def test_a_contest_that_began_without_luck_goes_on_without_it(tmp_path: Path) -> None:
    more = stage("round-robin", 10) + stage("knockout", 10)
    contest = ContestFolder(tmp_path, CUP + house_teams(2) + more)
    contest.play(1)
    contest.edit('format = "knockout"', 'format = "knockout"\nluck = true')
    assert "has not committed to coefficients" in contest.refused("run")


def test_a_commitment_with_luck_names_the_coefficients(tmp_path: Path) -> None:
    plain = ContestFolder(tmp_path, CUP + house_teams(2) + stage("round-robin"))
    assert plain.json("commit")["coefficients"] == ""
    plain.edit('seed = "7"', 'seed = "7"\nluck = true')
    found = plain.json("commit")
    assert found["coefficients"] == coefficients_hash()
    assert plain.json("status")["commitment"] == found["commitment"]
