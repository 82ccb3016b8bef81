"""Teams' nonces and a beacon enter the deals of a contest, after it has committed to its seed."""

from pathlib import Path

import pytest

from croupier.commitments import commitment_to, deal_seed
from croupier.store import contests
from croupier.store.contests import ContestRow
from croupier.store.schema import open_store
from tests.support.contests import CUP, ContestFolder, house_teams, stage

BEACON = 'beacon = "lottery"\n'


@pytest.fixture
def contest(tmp_path: Path) -> ContestFolder:
    text = CUP + house_teams(2) + stage("round-robin", hands=2)
    return ContestFolder(tmp_path, text)


def on_record(contest: ContestFolder) -> ContestRow:
    engine = open_store(str(contest.store))
    try:
        (row,) = contests.all_contests(engine)
        return row
    finally:
        engine.dispose()


def give_nonces(contest: ContestFolder, *nonces: str) -> None:
    for team, nonce in zip("AB", nonces, strict=True):
        contest.edit(f'name = "{team}"\n', f'name = "{team}"\nnonce = "{nonce}"\n')


def test_nonces_that_come_after_the_commitment_enter_the_deals(contest: ContestFolder) -> None:
    promised = contest.json("commit")["commitment"]
    give_nonces(contest, "one", "two")
    assert contest.json("commit")["commitment"] == promised
    contest.play()
    row = on_record(contest)
    assert row.deal_seed == deal_seed(row.seed, ["one", "two"])
    report = contest.done("verify", "--commitment", promised)
    assert "the seed is the one promised, and noted beforehand" in report
    assert "nonces in the order of the file: A one, B two" in report
    noted = contest.command("verify", "--commitment", "0" * 64)
    assert noted.exit_code == 1
    assert f"noted was {'0' * 64}" in noted.output
    assert "64 hexadecimal digits" in contest.refused("verify", "--commitment", "12")


def test_announcing_another_beacon_is_another_commitment(contest: ContestFolder) -> None:
    without = contest.json("commit")["commitment"]
    contest.file.write_text(BEACON + contest.file.read_text("utf-8"), "utf-8")
    found = contest.json("commit")
    row = on_record(contest)
    assert found["announced"] == "lottery"
    assert found["commitment"] == commitment_to(row.seed, row.salt, "lottery") != without
    assert "beacon announced: lottery" in contest.done("commit")


def test_once_the_value_of_the_beacon_is_on_record_no_nonce_changes(
    contest: ContestFolder,
) -> None:
    contest.file.write_text(BEACON + contest.file.read_text("utf-8"), "utf-8")
    give_nonces(contest, "one", "two")
    promised = contest.json("commit")["commitment"]
    engine = open_store(str(contest.store))
    contests.set_beacon(engine, on_record(contest).id, "3 9 12")
    engine.dispose()
    for old, new in (("one", "other"), ("lottery", "another")):
        contest.edit(f'"{old}"', f'"{new}"')
        assert "cannot change any more" in contest.refused("commit")
        contest.edit(f'"{new}"', f'"{old}"')
    contest.play()
    row = on_record(contest)
    assert row.deal_seed == deal_seed(row.seed, ["one", "two"], "3 9 12")
    report = contest.done("verify", "--commitment", promised)
    assert "beacon announced: lottery; its value: 3 9 12" in report
