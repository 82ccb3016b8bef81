"""A contest is verified from its record alone, wherever that is, and what was altered is named."""

import base64
import hashlib
import io
import json
import re
import sqlite3
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select, update

from croupier.cli.contest import exporting
from croupier.cli.main import main
from croupier.contest.adjusting import packed_luck
from croupier.contest.coefficients import frozen
from croupier.contest.estimates import Estimates, Share, shares_of_hand, summed
from croupier.contest.luck import TERMS
from croupier.match.chance import chance_of
from croupier.store import queries
from croupier.store.schema import CONTEST_RESULTS, open_store
from tests.support import postgres
from tests.support.contests import CUP, ContestFolder, ended, house_teams, stage, team
from tests.support.processes import croupier

TEXT = CUP + house_teams(3) + stage("round-robin", 12)
RESULTS = TEXT.replace('seed = "7"', 'seed = "7"\nrecord = "results"')

CHECKS = ("commitment", "pairings", "seeds", "matches", "replays", "luck")


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> ContestFolder:
    contest = ContestFolder(tmp_path_factory.mktemp("clean"), TEXT)
    contest.play()
    return contest


@pytest.fixture(scope="module")
def bulk(tmp_path_factory: pytest.TempPathFactory) -> ContestFolder:
    contest = ContestFolder(tmp_path_factory.mktemp("bulk"), RESULTS)
    contest.play()
    return contest


def copied(original: ContestFolder, folder: Path) -> ContestFolder:
    """Return a copy that may be altered."""
    copy = ContestFolder(folder, original.file.read_text())
    with (
        closing(sqlite3.connect(original.store)) as source,
        closing(sqlite3.connect(copy.store)) as target,
    ):
        source.backup(target)
    return copy


def alter(contest: ContestFolder, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(contest.store)) as store:
        assert store.execute(statement, values).rowcount > 0
        store.commit()


def seats_of_one(contest: ContestFolder) -> Iterator[tuple[str, int, list[dict[str, object]]]]:
    with closing(sqlite3.connect(contest.store)) as store:
        for fixture, match, seats in store.execute(
            "SELECT fixture, match, seats FROM contest_results ORDER BY fixture, match"
        ):
            yield fixture, match, json.loads(seats)


def alter_seat(contest: ContestFolder, key: str, by: object) -> None:
    """Alter one figure of the first seat of the first match."""
    fixture, match, seats = next(seats_of_one(contest))
    assert seats[0][key] != by
    seats[0][key] = by
    alter(
        contest, "UPDATE contest_results SET seats = ? WHERE fixture = ? AND match = ?",
        json.dumps(seats).encode(), fixture, match,
    )  # fmt: skip


def failed(result: Result) -> set[str]:
    """Return the checks that failed."""
    assert result.exit_code == 1, result.output
    assert "FAILED: it is not what was drawn" in result.output
    return {line.split()[0] for line in result.output.splitlines() if " FAILED: " in line} & {
        *CHECKS
    }


def test_a_contest_that_nobody_altered_is_verified(clean: ContestFolder) -> None:
    output = clean.done("verify")
    for check in CHECKS[:4]:
        assert f"{check:<10} ok" in output
    assert f"digest     {clean.digest}" in output
    assert "Cup is verified: 6 matches" in output


SEATS = [
    ("chips", 123456, {"matches"}),
    ("bb", 99.5, {"matches"}),
    ("bb2", 99.5, {"matches"}),
    ("rank", 7, {"matches"}),
    ("survived", 3, {"matches"}),
    ("forfeit", "late", {"matches"}),
    ("team", "C", {"pairings", "matches"}),
]


def test_a_contest_in_postgresql_is_verified_and_what_is_altered_there_is_found(
    clean: ContestFolder, tmp_path: Path, postgres_server: postgres.Cluster
) -> None:
    contest = ContestFolder(tmp_path, TEXT.replace("cup.db", postgres_server.fresh()))
    contest.play()
    assert "Cup is verified: 6 matches" in contest.done("verify")
    assert contest.digest == clean.digest
    engine = open_store(contest.address)
    with engine.begin() as connection:
        seats = connection.execute(select(CONTEST_RESULTS.c.seats).limit(1)).scalar_one()
        altered = seats.replace(b'"rank":1', b'"rank":7')
        same = CONTEST_RESULTS.c.seats == seats
        assert connection.execute(
            update(CONTEST_RESULTS).where(same).values(seats=altered)
        ).rowcount
    engine.dispose()
    assert failed(contest.command("verify")) == {"matches"}


@pytest.mark.parametrize(("key", "by", "checks"), SEATS, ids=[seat[0] for seat in SEATS])
def test_an_altered_figure_of_a_result_is_found(
    clean: ContestFolder, tmp_path: Path, key: str, by: object, checks: set[str]
) -> None:
    copy = copied(clean, tmp_path)
    alter_seat(copy, key, by)
    assert failed(copy.command("verify")) == checks


ONE = "(SELECT match_id FROM contest_results ORDER BY fixture, match LIMIT 1)"
ALTERED = [
    ("UPDATE contests SET seed = zeroblob(32)", {"commitment", "seeds"}),
    ("UPDATE contests SET commitment = 'x'", {"commitment"}),
    ("UPDATE contests SET salt = zeroblob(32)", {"commitment"}),
    ("UPDATE contests SET beacon = 'x'", {"commitment", "seeds"}),
    ("UPDATE contest_results SET hands = hands + 1 WHERE match = 1", {"matches"}),
    ("UPDATE contest_results SET digest = 'x' WHERE match = 1", {"matches"}),
    ("UPDATE contest_results SET match_id = NULL WHERE match = 1", {"matches"}),
    ("UPDATE contest_results SET match_id = NULL, digest = '' WHERE match = 1", {"matches"}),
    ("UPDATE contest_results SET match_id = 'x' WHERE match = 1", {"matches"}),
    (f"UPDATE contest_results SET match_id = {ONE}", {"matches", "seeds"}),
    (f"UPDATE matches SET seed = zeroblob(32) WHERE id = {ONE}", {"matches", "seeds"}),
    ("UPDATE matches SET twin = 1 - twin", {"matches", "seeds"}),
    (f"DELETE FROM hands WHERE number = 5 AND match_id = {ONE}", {"matches"}),
    (
        "UPDATE hands SET events = (SELECT events FROM hands WHERE number = 6 LIMIT 1)"
        f" WHERE number = 5 AND match_id = {ONE}",
        {"matches"},
    ),
    (f"UPDATE hands SET state = x'7b7d' WHERE number = 5 AND match_id = {ONE}", {"matches"}),
    (f"UPDATE matches SET rules = replace(rules, '10000', '20000') WHERE id = {ONE}", {"matches"}),
    ("UPDATE contest_results SET fixture = 'r9.9' WHERE fixture = 'r1.1' AND match = 1", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("statement", "checks"), ALTERED, ids=[f"{n} {a[0][:50]}" for n, a in enumerate(ALTERED)]
)
def test_an_altered_record_is_found_by_the_check_it_belongs_to(
    clean: ContestFolder, tmp_path: Path, statement: str, checks: set[str] | None
) -> None:
    copy = copied(clean, tmp_path)
    alter(copy, statement)
    if checks is None:
        assert "not complete" in copy.refused("verify")
    else:
        assert failed(copy.command("verify")) == checks


@pytest.mark.parametrize("column", ["seats", "plan"])
def test_a_record_that_cannot_be_read_is_refused_with_a_sentence(
    clean: ContestFolder, tmp_path: Path, column: str
) -> None:
    copy = copied(clean, tmp_path)
    alter(copy, f"UPDATE contest{'s' if column == 'plan' else '_results'} SET {column} = '{{'")
    assert "cannot be read" in copy.refused("verify")


def test_a_pairing_of_a_ladder_that_was_altered_is_found(tmp_path: Path) -> None:
    ladder = ContestFolder(tmp_path, CUP + house_teams(3) + stage("ladder", 5, "matches = 3"))
    code, _, errors = ladder.run("--workers", "1")
    assert code == 0, errors
    assert "is verified" in ladder.done("verify")
    with closing(sqlite3.connect(ladder.store)) as store:
        ((fixture,),) = store.execute("SELECT fixture FROM contest_fixtures WHERE number = 1")
    other = json.loads(fixture)
    other["teams"] = [name for name in "ABC" if name not in other["teams"]] + other["teams"][:1]
    alter(
        ladder, "UPDATE contest_fixtures SET fixture = ? WHERE number = 1",
        json.dumps(other).encode(),
    )  # fmt: skip
    assert failed(ladder.command("verify")) == {"pairings"}


# Where only results are kept.


def test_matches_of_house_bots_are_played_again_where_only_results_were_kept(
    bulk: ContestFolder, clean: ContestFolder
) -> None:
    assert bulk.digest == clean.digest
    output = bulk.done("verify")
    assert "replays    ok" in output
    assert "matches    not checked: only results were kept" in output


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE contest_results SET digest = 'x' WHERE match = 1",
        "UPDATE contest_results SET hands = 11 WHERE match = 1",
        "UPDATE contest_results SET seats = replace(seats, '\"rank\":1', '\"rank\":2')",
    ],
)
def test_a_result_that_does_not_come_out_again_is_found(
    bulk: ContestFolder, tmp_path: Path, statement: str
) -> None:
    copy = copied(bulk, tmp_path)
    alter(copy, statement)
    assert failed(copy.command("verify")) == {"replays"}


def test_a_result_without_its_digest_is_found(bulk: ContestFolder, tmp_path: Path) -> None:
    copy = copied(bulk, tmp_path)
    alter(copy, "UPDATE contest_results SET digest = '' WHERE match = 1")
    assert failed(copy.command("verify")) == {"matches"}


# Exports.


def verified(source: Path) -> Result:
    return CliRunner().invoke(main, ["contest", "verify", str(source)])


@pytest.mark.parametrize("name", ["export", "export.zip", "export.tar.gz", "export.tgz"])
def test_an_export_is_verified_without_the_store(
    clean: ContestFolder, tmp_path: Path, name: str
) -> None:
    target = tmp_path / name
    clean.done("export", str(target))
    result = verified(target)
    assert result.exit_code == 0, result.output
    assert f"digest     {clean.digest}" in result.output
    assert "exists already" in clean.refused("export", str(target))


@pytest.mark.parametrize("name", ["export.rar", "export.tar.xz", "export.7Z"])
def test_no_folder_gets_the_name_of_an_archive_that_cannot_be_written(
    clean: ContestFolder, tmp_path: Path, name: str
) -> None:
    assert "ends in .zip, .tar, .tar.gz or .tgz" in clean.refused("export", str(tmp_path / name))
    assert not (tmp_path / name).exists()


def test_an_export_has_results_hands_and_the_seed(clean: ContestFolder, tmp_path: Path) -> None:
    target = tmp_path / "export"
    clean.done("export", str(target))
    about = json.loads((target / "contest.json").read_text())
    assert about["title"] == "Cup"
    assert len(bytes.fromhex(about["seed"])) == len(bytes.fromhex(about["salt"])) == 32
    assert len(json.loads((target / "results.json").read_text())) == 12
    assert len((target / "results.csv").read_text().splitlines()) == 13
    assert len(list((target / "hands").glob("*.phhs"))) == 6


def test_an_export_that_was_altered_fails(clean: ContestFolder, tmp_path: Path) -> None:
    target = tmp_path / "export"
    clean.done("export", str(target))
    with closing(sqlite3.connect(target / "record.db")) as store:
        store.execute("UPDATE contests SET salt = zeroblob(32)")
        store.commit()
    assert failed(verified(target)) == {"commitment"}


def test_nothing_of_a_contest_is_exported_or_verified_before_it_is_complete(tmp_path: Path) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    contest.play(1)
    assert "not complete" in contest.refused("export", str(tmp_path / "export"))
    assert not (tmp_path / "export").exists()
    assert "not complete" in contest.refused("verify")


def test_what_is_no_export_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "broken.zip").write_bytes(b"PK")
    (tmp_path / "broken.tar.gz").write_bytes(b"no")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("a/b.txt", "nothing")
    for name in ("folder", "broken.zip", "broken.tar.gz", "other.zip", "nowhere"):
        result = verified(tmp_path / name)
        assert result.exit_code == 2, result.output
        assert "Traceback" not in result.output


def test_an_archive_that_unpacks_to_any_size_is_refused_and_nothing_else_of_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "SMALL", 0)
    bomb = bytes(4 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("../outside.txt", "")
        zipped.writestr("cup/record.db", bomb)
    with tarfile.open(tmp_path / "bomb.tar.gz", "w:gz") as packed:
        link = tarfile.TarInfo("link/record.db")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
        member = tarfile.TarInfo("cup/record.db")
        member.size = len(bomb)
        packed.addfile(member, io.BytesIO(bomb))
    for name in ("bomb.zip", "bomb.tar.gz"):
        result = verified(tmp_path / name)
        assert result.exit_code == 2
        assert "record.db is more than 50 times as large as the archive" in result.output


def test_no_key_leaves_the_store_in_an_export(tmp_path: Path) -> None:
    text = TEXT + '\n[[team]]\nname = "Fay"\ndialect = "huawei"\n'
    contest = ContestFolder(tmp_path, text)
    (row,) = json.loads(contest.done("keys", "--json"))
    contest.done("withdraw", "Fay")
    contest.play()
    with closing(sqlite3.connect(contest.store)) as store:
        ((salt, digest),) = store.execute("SELECT salt, digest FROM contest_keys")
    target = tmp_path / "export"
    contest.done("export", str(target))
    written = b"".join(file.read_bytes() for file in target.rglob("*") if file.is_file())
    for secret in (row["key"].encode(), digest, digest.hex().encode(), salt, salt.hex().encode()):
        assert secret not in written
    assert row["key"].encode() not in contest.store.read_bytes()


JOINED = {
    "huawei": ("plain", "CallAgent", "RuleAgent", "?pid={pid}"),
    "trend": ("plain", "CallAgent", "RuleAgent", ""),
    "room": ("plain", "CallAgent", "RuleAgent", ""),
    "kuhn": ("kuhn", "call", "nash", ""),
}
"""By dialect: rules, the bots of the team and of its opponent, and settings of the address."""


@pytest.mark.parametrize("dialect", JOINED)
def test_a_key_that_was_played_with_is_in_no_export_and_its_text_nowhere(
    tmp_path: Path, dialect: str
) -> None:
    rules, bot, other, settings = JOINED[dialect]
    text = CUP + f'rules = "{rules}"\ntranscripts = "transcripts"\n'
    text += f'[[listen]]\ndialect = "{dialect}"\nport = 0\n'
    text += f'[[team]]\nname = "Fay"\ndialect = "{dialect}"\n' + team("Gus", other)
    contest = ContestFolder(tmp_path, text + stage("round-robin", 3))
    (row,) = json.loads(contest.done("keys", "--json"))
    key = row["key"]
    program = contest.start()
    assert program.stderr is not None
    for line in program.stderr:
        if found := re.search(r"listening: \w+ [\d.]+:(\d+)", line):
            break
    assert found is not None
    address = f"{dialect}://127.0.0.1:{found[1]}{settings.format(pid=row['pid'])}"
    joined = croupier("join", address, "--name", key, "--bot", bot, "--rules", rules)
    code, _, errors = ended(program)
    assert code == 0, errors + joined.stderr
    assert not any(s.forfeit for result in contest.results().values() for s in result.seats)
    contest.done("export", str(tmp_path / "export"))
    assert verified(tmp_path / "export").exit_code == 0
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any(
        "transcripts" in file.relative_to(tmp_path / "export").parts
        for file in files
        if file.is_relative_to(tmp_path / "export")
    )
    hashes = [hashlib.md5(key.encode()).hexdigest(), hashlib.sha256(key.encode()).hexdigest()]
    for file in files:
        written = file.read_bytes()
        assert key.encode() not in written, file
        if file.is_relative_to(tmp_path / "export"):
            assert not any(digest.encode() in written for digest in hashes), file


LUCKY = CUP + 'luck = true\nrecord = "RECORD"\n' + house_teams(2) + stage("round-robin", 12)


@pytest.fixture(scope="module", params=["hands", "results"])
def lucky(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> ContestFolder:
    text = LUCKY.replace("RECORD", request.param)
    contest = ContestFolder(tmp_path_factory.mktemp("lucky"), text)
    contest.play()
    return contest


def test_luck_is_computed_again(lucky: ContestFolder, tmp_path: Path) -> None:
    assert "luck       ok" in lucky.done("verify")
    altered = copied(lucky, tmp_path)
    luck = packed_luck(np.ones((12, len(TERMS))))
    alter_seat(altered, "luck", base64.b64encode(luck).decode())
    assert failed(altered.command("verify")) == {"luck"}


def test_the_coefficients_are_part_of_the_commitment(lucky: ContestFolder, tmp_path: Path) -> None:
    altered = copied(lucky, tmp_path)
    alter(altered, "UPDATE contests SET plan = replace(plan, 'duplicate 2 ', 'duplicate 2 1')")
    output = altered.command("verify").output
    assert "seed and coefficients of luck do not give the commitment" in output
    assert "this Croupier has others" in output


def test_rates_without_luck_are_those_of_the_hands_on_record(
    lucky: ContestFolder,
) -> None:
    if 'record = "hands"' not in lucky.file.read_text():
        pytest.skip("there are no hands")
    engine = open_store(str(lucky.store))
    units: dict[tuple[str, int], list[list[Share]]] = {}
    try:
        for row in queries.matches(engine):
            match = queries.match(engine, row.id)
            assert match.seed is not None
            chance = chance_of(match.seed, match.twin, match.rules.hands, 2)
            for hand in queries.all_hands(engine, match.id):
                shares = shares_of_hand(hand.events, 2, match.seed, lucky=True)
                names = [player.name for player in match.players]
                ordered = [shares[names.index(name)] for name in ("A", "B")]
                units.setdefault((row.place[:-2], chance.deal_of(hand.number)), []).append(ordered)
    finally:
        engine.dispose()
    estimates = Estimates(2, frozen("holdem", "duplicate", 2))
    for _, twins in sorted(units.items()):
        estimates.add([summed(shares) for shares in zip(*twins, strict=True)])
    (stage,) = lucky.json("standings")["stages"]
    assert (stage["unit"], stage["luck"]) == ("set", True)
    for line in stage["standings"]:
        shown = asdict(estimates.shown("AB".index(line["team"])))
        assert line["adjusted"] == pytest.approx(shown, rel=1e-5)
