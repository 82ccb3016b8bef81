"""Watching a table: a real site, a real feed, real WebSockets."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from croupier.match.events import Faulted, MatchEnded
from croupier.rules.events import Acted, HandEnded
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, TREND
from croupier.store.schema import open_store
from croupier.web.live.schemas import TablePlayer
from croupier.web.live.table import MAX_LINES, LiveTable
from tests.store.recorded import Trouble
from tests.web.siting import SECONDS, LiveGame, SiteProcess, Teller, wait_for

BOTS = ["RuleAgent", "RandomAgent", "CallAgent", "AllinAgent", "RuleAgent"] * 2


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("live") / "live.db"


@pytest.fixture(scope="module")
def engine(store: Path) -> Iterator[Engine]:
    engine = open_store(str(store))
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def site(store: Path, engine: Engine) -> Iterator[SiteProcess]:
    log = store.with_suffix(".log")
    with SiteProcess(store, feed=True, errors=log, patience_s=0.5) as site:
        yield site


class Spectator:
    """Someone who watches a table."""

    def __init__(self, site: SiteProcess, table: str, after: int | None = None) -> None:
        self._stack = ExitStack()
        self.connection: ClientConnection = self._stack.enter_context(
            connect(site.live_url(table, after), max_size=None)
        )
        self.lines: list[dict[str, Any]] = []
        self.messages = 0
        self.seq = 0
        self.scene: dict[str, Any] = {}
        self.gap = False

    def read(self) -> bool:
        """Take in a message; return False if it says that the table is closed."""
        message = json.loads(self.connection.recv(SECONDS))
        if message["type"] == "closed":
            return False
        assert message["seq"] > self.seq
        self.messages += 1
        self.seq, self.scene = message["seq"], message["scene"]
        self.lines += message["lines"]
        self.gap = self.gap or message.get("gap", False)
        return True

    def read_until(self, wanted: Any) -> dict[str, Any]:
        """Take in messages until the scene is as wanted."""
        while not (self.scene and wanted(self.scene)):
            assert self.read()
        return self.scene

    def close(self) -> None:
        self._stack.close()


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        pytest.param(replace(PLAIN, hands=4), 2, id="plain, 2"),
        pytest.param(replace(HUAWEI, hands=6), 6, id="huawei, 6"),
        pytest.param(replace(TREND, hands=5), 10, id="trend, 10"),
        pytest.param(replace(KUHN, hands=6), 2, id="kuhn"),
    ],
)
def test_the_scene_at_the_end_of_every_hand_has_the_stacks_on_record(
    site: SiteProcess, engine: Engine, rules: Any, seats: int
) -> None:
    table = f"{rules.name} {seats}"
    trouble = Trouble(late=20, nonsense=20, gone=10)
    game = LiveGame(
        site, engine, rules, BOTS[:seats], "live", table=table, trouble=trouble, match_id=table
    )
    game.begin()
    wait_for(site, "/tables", lambda found: table in [one["table"] for one in found["items"]])
    spectator = Spectator(site, table)
    while True:
        # Up to the end of the hand, before its record lets the next one begin.
        while game.match.phase == "hand":
            game.step()
        events = game._untold
        ended = next((event for event in events if isinstance(event, HandEnded)), None)
        if ended is not None:
            number = game.match.number
            scene = spectator.read_until(lambda one, n=number: one["hand"] == n and one["over"])
            stacks = [seat["stack"] for seat in scene["seats"][: len(ended.stacks)]]
            assert stacks == list(ended.stacks)
        if not game.step():
            break
    scene = spectator.read_until(lambda one: one["state"] == "over")
    chips = {line["name"]: line["chips"] for line in scene["ranking"]}
    assert chips == {one.name: one.chips for one in game.match.players}
    seqs = [line["seq"] for line in spectator.lines]
    assert seqs == sorted(set(seqs))
    spectator.close()


def told(site: SiteProcess, table: str, seats: int = 3) -> Teller:
    """Open a table at which nothing but faults happens, of which each is a line."""
    names = [f"bot-{number}" for number in range(seats)]
    teller = Teller(site, table, f"match at {table}", PLAIN, names)
    teller.open()
    wait_for(site, "/tables", lambda found: table in [one["table"] for one in found["items"]])
    return teller


def faults(teller: Teller, first: int, count: int, size: int = 0) -> None:
    reasons = (f"number {number}{' x' * size}" for number in range(first, first + count))
    teller.tell([Faulted(number % 3, reason) for number, reason in enumerate(reasons)])


def numbers(spectator: Spectator, newest: int = 0) -> list[int]:
    """Return the numbers of the faults that a spectator was told of, or of the newest lines."""
    lines = spectator.lines[-newest:]
    texts = [line["text"] for line in lines if line["kind"] == "trouble"]
    return [int(text.partition("number ")[2].split()[0]) for text in texts]


def read_to(spectator: Spectator, number: int) -> None:
    while number not in numbers(spectator, 1):
        assert spectator.read()


def test_who_comes_back_gets_exactly_what_he_missed(site: SiteProcess) -> None:
    teller = told(site, "resumed")
    stayed = Spectator(site, "resumed")
    left = Spectator(site, "resumed")
    faults(teller, 0, 10)
    read_to(left, 9)
    left.close()
    faults(teller, 10, 300)
    read_to(stayed, 309)
    again = Spectator(site, "resumed", left.seq)
    read_to(again, 309)
    assert not again.gap
    assert numbers(left) + numbers(again) == list(range(310))
    assert left.lines + again.lines == stayed.lines
    for spectator in (stayed, again):
        spectator.close()


def test_who_is_up_to_date_gets_the_scene_at_once_and_no_line(site: SiteProcess) -> None:
    teller = told(site, "quiet")
    faults(teller, 0, 5)
    first = Spectator(site, "quiet")
    read_to(first, 4)
    again = Spectator(site, "quiet", first.seq)
    message = json.loads(again.connection.recv(SECONDS))
    assert message["lines"] == []
    assert message["seq"] == first.seq
    assert "gap" not in message
    first.close()
    again.close()


def test_lines_that_are_no_longer_known_are_a_gap(site: SiteProcess) -> None:
    teller = told(site, "old")
    first = Spectator(site, "old")
    faults(teller, 0, 3)
    read_to(first, 2)
    first.close()
    faults(teller, 3, MAX_LINES + 10)
    last = MAX_LINES + 12
    wait_for(site, "/tables/old", lambda one: one["lines"][-1]["text"].endswith(f" {last}"))
    again = Spectator(site, "old", first.seq)
    read_to(again, last)
    assert again.gap
    assert numbers(again) == list(range(last - MAX_LINES + 1, last + 1))
    from_elsewhere = Spectator(site, "old", 1 << 52)
    assert from_elsewhere.read()
    assert from_elsewhere.gap
    again.close()
    from_elsewhere.close()


def test_the_newest_scene_wins_and_no_line_is_lost(site: SiteProcess) -> None:
    teller = told(site, "fast")
    spectator = Spectator(site, "fast")
    for first in range(0, 3000, 10):
        faults(teller, first, 10)
    read_to(spectator, 2999)
    assert numbers(spectator) == list(range(3000))
    assert spectator.messages < 300
    spectator.close()


def test_who_does_not_read_is_dropped_and_nobody_else_notices_but_the_log(
    site: SiteProcess, store: Path
) -> None:
    teller = told(site, "slow")
    good = Spectator(site, "slow")
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    host, port = site.url.removeprefix("http://").split(":")
    slow.connect((host, int(port)))
    slow.sendall(
        b"GET /api/v1/tables/slow/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    first = 0
    while first < 30_000:
        faults(teller, first, 1000, size=90)
        first += 1000
        read_to(good, first - 1)
    assert numbers(good) == list(range(first))
    good.close()
    # What had been sent is still there; then comes the end, long before the last line.
    slow.settimeout(SECONDS)
    got = b""
    while piece := slow.recv(1 << 20):
        got += piece
    assert f"number {first - 1} x".encode() not in got
    slow.close()
    assert store.with_suffix(".log").read_text().count('event="cut off" address=127.0.0.1') == 1


def test_after_skipped_events_the_next_hand_restores_the_picture(
    site: SiteProcess, engine: Engine
) -> None:
    rules = replace(PLAIN, hands=5)
    game = LiveGame(site, engine, rules, BOTS[:3], "skip", table="skipping", match_id="skipping")
    game.begin()
    game.play_hand()
    spectator = Spectator(site, "skipping")
    game.teller.say("skipped")
    teller, game.teller = game.teller, Teller(site, "nowhere", "", rules, [])
    game.play_hand()
    while game.match.phase == "hand":
        game.step()
    game.teller = teller
    scene = spectator.read_until(lambda one: "skipped" in one["message"])
    assert scene["hand"] == 0
    while game.step():
        pass
    scene = spectator.read_until(lambda one: one["state"] == "over")
    chips = {line["name"]: line["chips"] for line in scene["ranking"]}
    assert chips == {one.name: one.chips for one in game.match.players}
    assert any(line["kind"] == "gap" for line in spectator.lines)
    spectator.close()


def test_an_event_that_fits_nothing_is_a_gap_in_the_log_and_the_table_goes_on() -> None:
    table = LiveTable("main")
    table.open("m", PLAIN, 2, [TablePlayer("A", "house"), TablePlayer("B", "house")])
    table.see(Acted(1, "call", 100, 100, False), 0.0)  # a match that resumed before it was heard of
    assert table.newest_lines[-1].kind == "gap"
    assert table.hand == -1


def test_a_table_goes_on_with_the_next_match(site: SiteProcess, engine: Engine) -> None:
    rules = replace(PLAIN, hands=1)
    spectator = None
    for match_id in ("first of two", "second of two"):
        game = LiveGame(site, engine, rules, BOTS[:2], match_id, table="again", match_id=match_id)
        game.begin()
        wait_for(site, "/tables", lambda found: "again" in [one["table"] for one in found["items"]])
        spectator = spectator or Spectator(site, "again")
        while game.step():
            pass
        wanted = match_id
        spectator.read_until(lambda one, w=wanted: one["match"] == w and one["state"] == "over")
    assert spectator is not None
    seqs = [line["seq"] for line in spectator.lines]
    assert seqs == sorted(set(seqs))
    spectator.close()


def ended(site: SiteProcess, engine: Engine, table: str) -> LiveGame:
    """Play a match to its end at a table of its own."""
    rules = replace(PLAIN, hands=1)
    game = LiveGame(site, engine, rules, BOTS[:2], table, table=table, match_id=table)
    game.begin()
    while game.step():
        pass
    over = "over"
    wait_for(site, "/tables", lambda it: table in [one["table"] for one in it["items"]])
    wait_for(site, f"/tables/{table}", lambda one: one["scene"]["state"] == over)
    return game


def test_the_end_of_a_match_is_shown_while_only_house_bots_are_at_the_next(
    site: SiteProcess, engine: Engine
) -> None:
    ended(site, engine, "ending")
    end = site.get("/tables/ending")["scene"]
    following = Teller(site, "ending", "the next", PLAIN, ["house bot", "ada", "bob"])
    following.open(1)
    found = wait_for(site, "/tables/ending", lambda one: one["scene"]["next"])
    assert found["scene"] == end | {"next": {"match": "the next", "here": 1, "seats": 3}}
    summaries = {one["table"]: one for one in site.get("/tables")["items"]}
    assert (summaries["ending"]["match"], summaries["ending"]["state"]) == ("the next", "seating")
    following.open(2, dialect="trend")
    scene = wait_for(site, "/tables/ending", lambda one: one["scene"]["match"] == "the next")
    assert scene["scene"]["state"] == "seating"
    assert scene["scene"]["next"] is None


def test_the_next_match_is_shown_when_it_begins_with_house_bots_alone(
    site: SiteProcess, engine: Engine
) -> None:
    ended(site, engine, "bots")
    following = LiveGame(site, engine, PLAIN, BOTS[:2], "2nd", table="bots", match_id="2nd")
    following.begin()
    scene = wait_for(site, "/tables/bots", lambda one: one["scene"]["match"] == "2nd")["scene"]
    assert scene["state"] == "playing"


def test_lines_between_two_matches_belong_to_no_hand(site: SiteProcess, engine: Engine) -> None:
    ended(site, engine, "heading")
    Teller(site, "heading", "the next", PLAIN, ["ada"]).open()
    lines = wait_for(
        site, "/tables/heading", lambda one: "takes a seat" in one["lines"][-1]["text"]
    )["lines"]
    assert [line["hand"] for line in lines[-3:]] == [1, 0, 0]


def test_a_table_that_is_gone_says_so(site: SiteProcess) -> None:
    teller = told(site, "closing")
    spectator = Spectator(site, "closing")
    faults(teller, 0, 1)
    teller.say("closed")
    while spectator.read():
        pass
    assert numbers(spectator) == [0]
    assert site.client.get("/api/v1/tables/closing").status_code == 404


@pytest.mark.parametrize(("query", "status"), [("", 404), ("?after=-1", 400), ("?after=x", 400)])
def test_a_table_that_is_not_there_is_refused(site: SiteProcess, query: str, status: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        with connect(site.live_url("nowhere") + query):
            pass
    assert refused.value.response.status_code == status
    assert b'"error"' in (refused.value.response.body or b"")
    assert "content-security-policy" in refused.value.response.headers


def test_a_refusal_is_no_mistake_of_the_site(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with SiteProcess(None, feed=True, errors=log) as site:
        for query in ("", "?after=x"):
            with pytest.raises(InvalidStatus), connect(site.live_url("nowhere") + query):
                pass
        # Each connection of its own: the site is still there for everyone else.
        assert site.get("/status")["tables"] == []
    assert log.read_text() == ""


def test_before_the_first_hand_the_scene_says_who_is_missing(site: SiteProcess) -> None:
    teller = Teller(site, "seating", "seating", PLAIN, ["a", "b", "c"])
    teller.open(2)
    found = wait_for(site, "/tables", lambda one: "seating" in [t["table"] for t in one["items"]])
    summary = next(one for one in found["items"] if one["table"] == "seating")
    assert summary["seats"] == 3
    assert summary["state"] == "seating"
    scene = site.get("/tables/seating")["scene"]
    assert [seat["name"] for seat in scene["seats"]] == ["a", "b"]
    assert scene["message"] == "Waiting for players: 2 of 3 are here."
    teller.tell([MatchEnded(())])


def test_listeners_are_told(site: SiteProcess) -> None:
    site.tell({"kind": "listen", "dialect": "trend", "address": "127.0.0.1", "port": 3000})
    wait_for(site, "/status", lambda one: len(one["listen"]) == 1)


def test_where_hole_cards_are_shown_pages_of_other_sites_see_nothing(store: Path) -> None:
    for audience, refused in (("all", True), ("3", True), ("showdown", False)):
        with SiteProcess(store, feed=True, audience=audience) as site:
            url = site.live_url("nothing")
            for origin, status in (("http://evil.example", 403), (site.url, 404), (None, 404)):
                with pytest.raises(InvalidStatus) as denied:
                    connect(url, origin=origin)  # type: ignore[arg-type]
                expected = status if refused else 404
                assert denied.value.response.status_code == expected
