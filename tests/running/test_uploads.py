"""Teams upload new versions: what is no program is refused, what passes the check plays."""

import hashlib
import io
import json
import shlex
import stat
import sys
import zipfile
from pathlib import Path

import httpx
import pytest

from croupier.running import uploads
from croupier.running.contest_reader import ContestFileError, read_contest
from croupier.running.uploads import BadUploadError, unpack
from croupier.server.arena.sandbox import find_problem
from croupier.store import contests, queries, requests
from croupier.store.requests import PROGRAM
from croupier.store.schema import open_store
from tests.support.contests import CUP, ContestFolder, ended, house_teams, program, stage
from tests.web.siting import SECONDS, awaited

BOTS = Path(__file__).parents[1] / "badbots"
SENT = {"X-Croupier": "1"}
TEAMS = 'uploads = "versions"\n' + program("Ada", "./old {port}") + program("Bob", "./old {port}")


def zipped(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def test_a_program_is_one_file_or_an_archive_with_run(tmp_path: Path) -> None:
    unpack(b"#!/bin/sh\n", tmp_path / "one" / "1")
    unpack(zipped({"run": b"#!/bin/sh\n", "data/x": b"x"}), tmp_path / "two" / "2")
    for run in ("one/1/run", "two/2/run"):
        assert (tmp_path / run).read_bytes() == b"#!/bin/sh\n"
        assert stat.S_IMODE((tmp_path / run).stat().st_mode) == 0o755
    assert (tmp_path / "two/2/data/x").read_bytes() == b"x"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (zipped({"bot.py": b""}), "no file 'run'"),
        (zipped({"run": b"", "../../out": b"x"}), "outside its folder"),
        (zipped({"run": b"", "/etc/out": b"x"}), "outside its folder"),
        (zipped({"run": b"x" * 100}), "MB unpacked"),
        (zipped({"run": b"", **{str(n): b"" for n in range(5)}}), "at most 4 files"),
        (zipped({"run": b""}).replace(b"PK\x03\x04", b"PK\x03\x05"), "cannot be unpacked"),
    ],
)
def test_an_archive_stays_in_its_folder_and_within_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, why: str
) -> None:
    monkeypatch.setattr(uploads, "MAX_UNPACKED", 50)
    monkeypatch.setattr(uploads, "MAX_FILES", 4)
    with pytest.raises(BadUploadError, match=why):
        unpack(data, tmp_path / "team" / "1")
    assert [path.name for path in tmp_path.iterdir()] == ["team"]


def test_the_newest_versions_are_kept(tmp_path: Path) -> None:
    for number in range(3, 13):
        unpack(b"#!/bin/sh\n", tmp_path / str(number))
    uploads.drop_old(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"8", "9", "10", "11", "12"}


def test_uploads_need_the_sandbox() -> None:
    with pytest.raises(ContestFileError, match="uploads: need the sandbox"):
        read_contest(CUP + 'uploads = "u"\nsandbox = "off"\n' + house_teams(2) + stage("swiss"))


def test_without_boxes_nothing_is_played_where_teams_upload(tmp_path: Path) -> None:
    contest = ContestFolder(tmp_path, CUP + TEAMS + stage("round-robin", 3))
    assert "uploads need boxes" in contest.refused("run", "--sandbox", "off")


def test_where_nobody_has_a_program_yet_the_reason_for_no_boxes_is_said_too(tmp_path: Path) -> None:
    text = CUP + 'uploads = "versions"\n' + house_teams(2) + stage("round-robin", 3)
    refusal = ContestFolder(tmp_path, text).refused("run", "--sandbox", "off")
    assert not refusal.rstrip().endswith(":"), refusal


def test_matches_of_a_set_are_sealed_where_teams_upload(tmp_path: Path) -> None:
    contest = ContestFolder(
        tmp_path, CUP + 'uploads = "v"\n' + house_teams(2) + stage("round-robin")
    )
    contest.play(1)
    engine = open_store(str(contest.store))
    ids = [str(one.match_id) for one in contests.results(engine, 1)]
    with pytest.raises(queries.SealedError):
        queries.match(engine, ids[0])
    contest.play(1)
    assert queries.match(engine, ids[0]).hands
    engine.dispose()


@pytest.mark.skipif(bool(find_problem()), reason="bubblewrap does not work here")
def test_a_version_that_passes_the_check_plays_and_one_that_fails_does_not(
    tmp_path: Path,
) -> None:
    contest = ContestFolder(tmp_path, CUP + TEAMS + stage("round-robin", 3))
    (tmp_path / "old").write_text("#!/bin/sh\necho old; exit 1\n")
    (tmp_path / "old").chmod(0o755)
    keys = {row["team"]: row["key"] for row in contest.json("keys")}
    contest.done("pause")
    starts = '#!/bin/sh\nexec {} "$(dirname "$0")/good.py" "$1" "$2" "$3" "$5"\n'
    good = zipped(
        {
            "run": starts.format(shlex.quote(sys.executable)).encode(),
            **{name: (BOTS / name).read_bytes() for name in ("good.py", "player.py")},
        }
    )
    run = contest.start("--workers", "1", "--web", "0")
    assert run.stdout is not None
    api = run.stdout.readline().removeprefix("web: ").strip() + "api/v1/team"
    found = {}
    for team, data in (("Ada", good), ("Bob", b"#!/bin/sh\necho no; exit 3\n")):
        with httpx.Client(base_url=api, timeout=SECONDS, headers=SENT) as client:
            assert client.get("/programs").status_code == 401
            client.post("/login", json={"contest": 1, "team": team, "key": keys[team]})
            assert client.post("/programs", content=b"").status_code == 400
            put = client.post("/programs", content=data)
            assert [one["state"] for one in put.json()["items"]] == ["waiting"]
            assert client.post("/programs", content=data).status_code == 429
            too_long = client.post("/programs", content=bytes(11 << 20))
            assert too_long.status_code == 413
            found[team] = awaited(
                lambda client=client: client.get("/programs").json()["items"][0],  # type: ignore[misc]
                lambda one: one["state"] != "waiting",
            )
    assert (found["Ada"]["state"], found["Ada"]["why"]) == ("done", "passed all scenarios")
    assert found["Ada"]["sha256"] == hashlib.sha256(good).hexdigest()
    assert found["Bob"]["state"] == "refused"
    assert "exit code 3" in found["Bob"]["why"]
    assert any("no" in one["lines"] for one in found["Bob"]["checks"])
    assert [len(list(path.iterdir())) for path in sorted((tmp_path / "versions").iterdir())] == [
        1,
        0,
    ], "what was refused is not kept"
    contest.done("resume")
    code, _, errors = ended(run)
    assert code == 0, errors
    forfeits = {seat.team: seat.forfeit for one in contest.results().values() for seat in one.seats}
    assert not forfeits["Ada"], forfeits
    assert "ended with status 1: old" in forfeits["Bob"]
    engine = open_store(str(contest.store))
    (replaced,) = (act for act in contests.acts(engine, 1) if act.kind == "replace")
    assert (replaced.team, found["Ada"]["sha256"] in replaced.why) == ("Ada", True)
    assert requests.next_waiting(engine, 1, PROGRAM) is None
    audit = json.dumps([(act.act, act.detail) for act in queries.audit(engine, 50)])
    assert found["Bob"]["sha256"] in audit
    engine.dispose()
