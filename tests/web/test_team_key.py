"""With its key a team finds its own files on the site, and nobody else's."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from croupier.cli.pages_option import files_of
from croupier.running.contest_reader import read_contest
from croupier.store import contests, queries
from croupier.store.schema import open_store
from tests.support.contests import CUP, ContestFolder, connecting, ports, program, stage, team
from tests.support.hosting import Player
from tests.web.siting import SECONDS, SiteProcess, awaited

SENT = {"X-Croupier": "1"}
JOIN = (
    f"{shlex.quote(sys.executable)} -m croupier join huawei://{{host}}:{{port}}?pid={{pid}}"
    " --bot CallAgent --name {key}"
)
MATCH = "round-robin/r1.1/1.1"


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> ContestFolder:
    """A contest of two programs that is complete, with transcripts."""
    text = CUP + 'transcripts = "transcripts"\n' + program("Ada", JOIN) + program("Bob", JOIN)
    cup = ContestFolder(tmp_path_factory.mktemp("cup"), text + stage("round-robin", 3))
    code, _, errors = cup.run()
    assert code == 0, errors
    return cup


@pytest.fixture(scope="module")
def keys(cup: ContestFolder) -> dict[str, str]:
    rows = cup.json("keys")
    assert [(row["team"], row["dialect"]) for row in rows] == [("Ada", ""), ("Bob", "")]
    return {row["team"]: row["key"] for row in rows}


@pytest.fixture(scope="module")
def site(cup: ContestFolder, keys: dict[str, str]) -> Iterator[SiteProcess]:
    with started(cup) as site:
        yield site


def started(cup: ContestFolder) -> SiteProcess:
    file = read_contest(cup.file.read_text("utf-8"), cup.folder)
    files = files_of(file)
    contest = {"title": files.title, "output": files.output, "transcripts": files.transcripts}
    return SiteProcess(cup.store, contest=contest, errors=cup.folder / "site.log")


@pytest.fixture
def visitor(site: SiteProcess) -> Iterator[httpx.Client]:
    """A browser in which nobody has logged in."""
    with httpx.Client(base_url=f"{site.url}/api/v1/team", timeout=SECONDS, headers=SENT) as client:
        yield client


def log_in(client: httpx.Client, team: str, key: str) -> httpx.Response:
    return client.post("/login", json={"contest": 1, "team": team, "key": key})


def test_a_team_sees_and_downloads_what_its_program_printed_and_what_it_was_sent(
    cup: ContestFolder, keys: dict[str, str], visitor: httpx.Client
) -> None:
    answer = log_in(visitor, "Ada", keys["Ada"])
    assert answer.json() == {"enabled": True, "logged_in": True}
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/api/v1/team"} <= set(cookie.split("; "))
    found = visitor.get("/matches").json()
    assert (found["total"], found["sealed"], found["transcripts"]) == (2, 0, True)
    row = next(one for one in found["items"] if one["name"] == MATCH)
    assert row["opponents"] == ["Bob"]
    shown = visitor.get("/file", params={"match": MATCH, "kind": "transcript"})
    assert row["transcript"] == len(shown.content)
    assert "inquire" in shown.text
    assert keys["Ada"] not in shown.text
    assert shown.headers["content-type"].startswith("text/plain")
    (own,) = (cup.folder / "transcripts").glob(f"{row['match']}-*-Ada.log")
    assert own.read_bytes() == shown.content
    output = visitor.get("/file", params={"match": MATCH, "download": "1"})
    assert row["output"] == len(output.content) > 0
    assert output.headers["content-disposition"].startswith("attachment")
    assert visitor.post("/logout").status_code == 200
    assert visitor.get("/matches").status_code == 401


@pytest.mark.parametrize("match", ["", "no/such/1.1", "../../cup.db", "round-robin/r1.1/1.1/.."])
def test_only_matches_of_the_team_name_files(
    keys: dict[str, str], visitor: httpx.Client, match: str
) -> None:
    log_in(visitor, "Ada", keys["Ada"])
    for kind in ("output", "transcript"):
        answer = visitor.get("/file", params={"match": match, "kind": kind})
        assert answer.status_code == 404


def test_a_wrong_key_is_refused_slowed_down_and_on_record_without_it(
    cup: ContestFolder, keys: dict[str, str]
) -> None:
    with started(cup) as site:
        client = httpx.Client(base_url=f"{site.url}/api/v1/team", timeout=SECONDS, headers=SENT)
        with client:
            assert log_in(client, "Ada", keys["Bob"]).status_code == 403
            later = log_in(client, "Ada", keys["Ada"])
            assert (later.status_code, later.headers["retry-after"]) == (429, "1")
            assert client.get("/matches").status_code == 401
            assert log_in(client, "Nobody", keys["Ada"]).status_code == 404
    engine = open_store(str(cup.store))
    acts = [(a.actor, a.act, a.table, a.detail, a.outcome) for a in queries.audit(engine, 20)]
    engine.dispose()
    assert acts.count(("web", "contest wrong key", "Cup", "Ada", "refused")) == 1
    said = (cup.folder / "site.log").read_text()
    assert "wrong key" in said
    for secret in keys.values():
        assert secret not in said + str(acts)


def test_requests_of_other_sites_and_without_a_login_get_nothing(
    site: SiteProcess, keys: dict[str, str]
) -> None:
    api = f"{site.url}/api/v1/team"
    login = {"contest": 1, "team": "Ada", "key": keys["Ada"]}
    assert httpx.post(f"{api}/login", json=login).status_code == 403
    for path in ("/matches", f"/file?match={MATCH}"):
        assert httpx.get(api + path).status_code == 401


def test_a_new_key_ends_the_sessions_of_the_old_one(
    cup: ContestFolder, keys: dict[str, str], visitor: httpx.Client
) -> None:
    log_in(visitor, "Bob", keys["Bob"])
    state = {"contest": "1", "team": "Bob"}
    assert visitor.get("/state", params=state).json()["logged_in"]
    assert not visitor.get("/state", params=state | {"team": "Ada"}).json()["logged_in"]
    (row,) = cup.json("keys", "Bob", "--renew")
    assert visitor.get("/matches").status_code == 401
    assert log_in(visitor, "Bob", row["key"]).status_code == 200
    assert visitor.get("/matches").status_code == 200


def test_house_bots_have_no_key_and_a_sealed_match_has_no_files_yet(tmp_path: Path) -> None:
    text = CUP + connecting("Ada", "huawei") + team("B", "CallAgent")
    cup = ContestFolder(tmp_path, text + stage("round-robin", 3, 'deals = "duplicate"\nsets = 2'))
    (row,) = cup.json("keys")
    assert "B" in cup.refused("keys", "B")
    asked = read_contest(cup.file.read_text("utf-8"), tmp_path).plan
    cup.edit('name = "Ada"\ndialect = "huawei"', 'name = "Ada"\nbot = "CallAgent"')
    cup.play(3)  # as if it had connected
    engine = open_store(str(cup.store))
    contests.change_plan(engine, 1, asked)
    engine.dispose()
    with started(cup) as site:
        client = httpx.Client(base_url=f"{site.url}/api/v1/team", timeout=SECONDS, headers=SENT)
        with client:
            assert log_in(client, "Ada", row["key"]).status_code == 200
            found = client.get("/matches").json()
            names = [one["name"] for one in found["items"]]
            assert (names, found["sealed"]) == (
                ["round-robin/r1.1/1.2", "round-robin/r1.1/1.1"],
                1,
            )
            sealed = client.get("/file", params={"match": "round-robin/r1.1/2.1"})
            assert sealed.status_code == 404
            assert "sealed" in sealed.json()["error"]
            state = client.get("/state", params={"contest": 1, "team": "B"}).json()
            assert state == {"enabled": False, "logged_in": False}


@pytest.mark.parametrize("deals", ["single", "duplicate"])
def test_the_site_of_a_running_contest_shows_its_tables_but_no_sealed_ones(
    tmp_path: Path, deals: str
) -> None:
    text = CUP + connecting("Ada", "huawei") + team("B", "CallAgent")
    cup = ContestFolder(tmp_path, text + stage("round-robin", 1, f'deals = "{deals}"'))
    (row,) = cup.json("keys")
    run = cup.start("--web", "0")
    assert run.stdout is not None
    assert run.stderr is not None
    try:
        port = int(ports(run.stderr, 1)["huawei"])
        url = run.stdout.readline().removeprefix("web: ").strip()
        with Player(port, f"{row['pid']} {row['key']}") as player:
            while not (player.next() or b"").startswith(b"inquire"):
                pass
            told = httpx.get(f"{url}api/v1/contests/1", timeout=SECONDS).json()
            assert told["title"] == "Cup"
            if deals == "single":
                (table,) = awaited(
                    lambda: httpx.get(f"{url}api/v1/tables", timeout=SECONDS).json()["items"], bool
                )
                assert table["table"] == "contest-1 round-robin/r1.1/1.1"
            else:  # listeners are told over the same feed, before any table
                awaited(lambda: httpx.get(f"{url}api/v1/status").json()["listen"], bool)
                assert httpx.get(f"{url}api/v1/tables").json()["items"] == []
    finally:
        run.kill()
        run.wait(SECONDS)
        run.stdout.close()
        run.stderr.close()
