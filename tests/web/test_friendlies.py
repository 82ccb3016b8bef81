"""Teams ask for friendly matches over the site's API, and answer each other."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.contests import (
    CUP,
    ContestFolder,
    Gate,
    connecting,
    ended,
    ports,
    program,
    stage,
    team,
)
from tests.support.hosting import Player
from tests.support.processes import Program
from tests.web.siting import SECONDS, SiteProcess, awaited

SENT = {"X-Croupier": "1"}
TEXT = (
    CUP
    + "friendlies = { hands = 6, waiting = 2 }\n"
    + team("Ada", "gated.py:Odd")
    + team("Bob", "gated.py:Odd")
    + team("Zoë", "gated.py:Odd")
    + team("House", "CallAgent")
    + stage("round-robin", 5, "start = 2099-01-01T00:00:00")
)

LogIn = Callable[[str], httpx.Client]


@pytest.fixture
def cup(tmp_path: Path) -> ContestFolder:
    Gate(tmp_path).close()
    return ContestFolder(tmp_path, TEXT)


@pytest.fixture
def keys(cup: ContestFolder) -> dict[str, str]:
    return {row["team"]: row["key"] for row in cup.json("keys")}


@pytest.fixture
def site(cup: ContestFolder, keys: dict[str, str]) -> Iterator[SiteProcess]:
    with SiteProcess(cup.store) as site:
        yield site


@pytest.fixture
def log_in(site: SiteProcess, keys: dict[str, str]) -> Iterator[LogIn]:
    """Log a team in, in a browser of its own."""
    clients: list[httpx.Client] = []

    def enter(name: str) -> httpx.Client:
        client = logged_in(site.url, name, keys[name])
        clients.append(client)
        return client

    yield enter
    for client in clients:
        client.close()


def logged_in(url: str, name: str, key: str) -> httpx.Client:
    client = httpx.Client(base_url=f"{url}/api/v1/team", timeout=SECONDS, headers=SENT)
    answer = client.post("/login", json={"contest": 1, "team": name, "key": key})
    assert answer.status_code == 200, answer.text
    return client


def states(client: httpx.Client) -> list[tuple[str, bool, str]]:
    """Return opponent, who has asked, and state of a team's matches, the newest first."""
    items = client.get("/friendlies").json()["items"]
    return [(one["opponent"], one["mine"], one["state"]) for one in items]


def ask(client: httpx.Client, opponent: str, house: bool = False) -> httpx.Response:
    return client.post("/friendlies", json={"opponent": opponent, "house": house})


def act(client: httpx.Client, number: int, act: str) -> httpx.Response:
    return client.post(f"/friendlies/{number}", json={"act": act})


def test_a_team_sees_whom_it_may_ask_and_what_for(log_in: LogIn) -> None:
    found = log_in("Ada").get("/friendlies").json()
    assert found["teams"] == ["Bob", "Zoë"], "house bots are asked by their own names"
    assert {"CallAgent", "RuleAgent"} <= set(found["house"])
    assert (found["problem"], found["hands"], found["waiting"], found["items"]) == ("", 6, 2, [])


def test_a_team_that_is_asked_accepts_or_declines_and_one_that_asks_may_take_it_back(
    log_in: LogIn,
) -> None:
    ada, bob, zoe = log_in("Ada"), log_in("Bob"), log_in("Zoë")
    (first,) = ask(ada, "Bob").json()["items"]
    second = ask(ada, "Zoë").json()["items"][0]
    assert states(bob) == [("Ada", False, "asked")]
    assert act(bob, first["friendly"], "accept").json()["items"][0]["state"] == "waiting"
    assert act(zoe, second["friendly"], "decline").status_code == 200
    assert states(ada) == [("Zoë", True, "declined"), ("Bob", True, "waiting")]
    assert act(ada, first["friendly"], "withdraw").status_code == 200
    assert states(bob) == [("Ada", False, "withdrawn")]
    assert ask(ada, "CallAgent", house=True).json()["items"][0]["state"] == "waiting"


def test_nobody_answers_for_another_team_or_twice(log_in: LogIn) -> None:
    ada, bob, zoe = log_in("Ada"), log_in("Bob"), log_in("Zoë")
    number = ask(ada, "Bob").json()["items"][0]["friendly"]
    for client, word in ((ada, "accept"), (ada, "decline"), (bob, "withdraw"), (zoe, "accept")):
        assert act(client, number, word).status_code == 404
    assert act(bob, number + 1, "accept").status_code == 404
    assert act(bob, 1 << 70, "accept").status_code == 404
    assert act(bob, number, "play").status_code == 400
    assert act(bob, number, "decline").status_code == 200
    late = act(bob, number, "accept")
    assert (late.status_code, "too late" in late.json()["error"]) == (409, True)
    assert states(zoe) == []


def test_whoever_cannot_answer_cannot_be_asked(
    cup: ContestFolder, site: SiteProcess, log_in: LogIn
) -> None:
    ada = log_in("Ada")
    for opponent, house in (("Ada", False), ("House", False), ("Nobody", False), ("Bob", True)):
        assert ask(ada, opponent, house).status_code == 404, opponent
    cup.done("withdraw", "Bob")
    assert ask(ada, "Bob").status_code == 404
    assert ada.post("/friendlies", json={"house": True}).status_code == 400


def test_a_team_has_as_many_open_as_the_file_says(log_in: LogIn) -> None:
    ada = log_in("Ada")
    assert ask(ada, "Bob").status_code == 200
    assert "already" in ask(ada, "Bob").json()["error"]
    assert ask(ada, "RuleAgent", house=True).status_code == 200
    refused = ask(ada, "CallAgent", house=True)
    assert (refused.status_code, "at most 2" in refused.json()["error"]) == (429, True)


def test_requests_of_other_sites_and_without_a_login_do_nothing(
    site: SiteProcess, log_in: LogIn
) -> None:
    ada = log_in("Ada")
    number = ask(ada, "CallAgent", house=True).json()["items"][0]["friendly"]
    del ada.headers["X-Croupier"]
    assert ask(ada, "Bob").status_code == 403
    assert act(ada, number, "withdraw").status_code == 403
    assert states(ada) == [("CallAgent", True, "waiting")]
    api = f"{site.url}/api/v1/team/friendlies"
    assert httpx.get(api).status_code == 401
    assert httpx.post(api, json={"opponent": "Bob"}, headers=SENT).status_code == 401


def test_where_there_are_none_the_page_says_so(
    cup: ContestFolder, site: SiteProcess, log_in: LogIn
) -> None:
    cup.edit("friendlies = { hands = 6, waiting = 2 }\n", "")
    cup.done("commit")
    ada = log_in("Ada")
    found = ada.get("/friendlies").json()
    assert found["problem"] == "the organiser plays no friendly matches"
    assert (found["teams"], found["house"]) == ([], [])
    assert ask(ada, "Bob").status_code == 409


@contextmanager
def running(cup: ContestFolder) -> Iterator[tuple[str, Program]]:
    """Run a contest with its site; give the site's address."""
    run = cup.start("--workers", "1", "--web", "0")
    assert run.stdout is not None
    try:
        yield run.stdout.readline().removeprefix("web: ").strip().rstrip("/"), run
    finally:
        run.kill()
        ended(run)


def played(client: httpx.Client) -> dict[str, Any]:
    """Return the newest match of a team once it was played."""
    return awaited(
        lambda: client.get("/friendlies").json()["items"][0],
        lambda item: item["state"] == "played",
    )


def test_what_two_teams_agree_on_is_played_and_can_be_replayed_by_everyone(
    cup: ContestFolder, keys: dict[str, str]
) -> None:
    with (
        running(cup) as (url, _),
        closing(logged_in(url, "Ada", keys["Ada"])) as ada,
        closing(logged_in(url, "Zoë", keys["Zoë"])) as zoe,
    ):
        number = ask(ada, "Zoë").json()["items"][0]["friendly"]
        act(zoe, number, "accept")
        mine, hers = played(ada), played(zoe)
        assert (mine["hands"], mine["match"]) == (6, hers["match"])
        assert mine["chips"] == -hers["chips"]
        match = httpx.get(f"{url}/api/v1/matches/{mine['match']}").json()["match"]
        assert (match["friendly"], match["players"]) == (True, ["Ada", "Zoë"])
        hand = httpx.get(f"{url}/api/v1/matches/{mine['match']}/hands/6")
        assert hand.status_code == 200
        assert httpx.get(f"{url}/api/v1/players").json()["items"] == []
        told = httpx.get(f"{url}/api/v1/contests/1/teams/Ada").json()
        assert mine["match"] not in str(told)


PROGRAMS = (
    CUP
    + 'friendlies = { hands = 3 }\ntranscripts = "transcripts"\nset = { decision_ms = 60000 }\n'
    + connecting("Ada", "huawei")
    + program(
        "Bob",
        f"{shlex.quote(sys.executable)} -m croupier join huawei://{{host}}:{{port}}?pid={{pid}}"
        " --bot CallAgent --name {key}",
    )
    + stage("round-robin", 5, "start = 2099-01-01T00:00:00")
)


def test_a_team_finds_its_own_logs_of_a_match_and_nobody_elses(tmp_path: Path) -> None:
    cup = ContestFolder(tmp_path, PROGRAMS)
    keys = {row["team"]: row["key"] for row in cup.json("keys")}
    with (
        running(cup) as (url, _),
        closing(logged_in(url, "Ada", keys["Ada"])) as ada,
        closing(logged_in(url, "Bob", keys["Bob"])) as bob,
    ):
        ask(bob, "CallAgent", house=True)
        one = played(bob)
        for kind, words in (("output", "hands"), ("transcript", "inquire")):
            found = bob.get("/file", params={"match": one["name"], "kind": kind})
            assert (len(found.content), words in found.text) == (one[kind], True), found.text
            assert ada.get("/file", params={"match": one["name"], "kind": kind}).status_code == 404


def test_a_match_of_a_team_that_connects_is_shown_live(tmp_path: Path) -> None:
    cup = ContestFolder(tmp_path, PROGRAMS)
    keys = {row["team"]: row for row in cup.json("keys")}
    own = keys["Ada"]
    with running(cup) as (url, run), closing(logged_in(url, "Ada", own["key"])) as ada:
        assert run.stderr is not None
        port = int(ports(run.stderr, 1)["huawei"])
        number = ask(ada, "CallAgent", house=True).json()["items"][0]["friendly"]
        with Player(port, f"{own['pid']} {own['key']}") as player:
            player.until(b"inquire")
            one = awaited(
                lambda: ada.get("/friendlies").json()["items"][0], lambda item: item["live"]
            )
            assert (one["live"], one["state"]) == (f"friendly-1 {number}", "playing")
            assert act(ada, number, "withdraw").status_code == 409
            (table,) = httpx.get(f"{url}/api/v1/tables").json()["items"]
            assert table["table"] == one["live"]
            player.send(b"call \n")
            player.play(lambda _: b"call \n")
        assert played(ada)["live"] is None
