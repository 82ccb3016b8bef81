"""People at a table of a real arena, through its website: no browser, but every byte to one."""

import json
import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import PIPE, run
from time import monotonic
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from croupier.cards import short
from croupier.rules.events import HandStarted, HoleDealt
from croupier.store import queries
from croupier.store.queries import HandRow
from croupier.store.schema import open_store
from croupier.web.seats.relay import MAX_SEATS_PER_ADDRESS
from tests.arena.arenas import ArenaProcess

PATIENCE = 30.0
TOKEN = "0123456789abcdef0123456789abcdef"
ARENA = """
audience = "all"
transcripts = "transcripts"

[[table]]
name = "people"
seats = 3
humans = true
bots = ["CallAgent", "RandomAgent"]
minimum = 1
wait_s = 0
set = { hands = 6 }

[[table]]
name = "bots"
seats = 2
"""


def open_for_people(arena: ArenaProcess) -> ArenaProcess:
    deadline = monotonic() + PATIENCE
    while "people" not in urlopen(f"{arena.site_url}/api/v1/tables").read().decode():
        assert monotonic() < deadline, "the site has not heard of the table"
    return arena


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    process = ArenaProcess(tmp_path_factory.mktemp("people"), ARENA, "--web", "0")
    yield open_for_people(process)
    process.close()


class Person:
    """A person at a table, who keeps every message."""

    def __init__(self, arena: ArenaProcess, token: str = TOKEN, table: str = "people") -> None:
        url = arena.site_url.replace("http", "ws", 1)
        self._open = ExitStack()
        self._socket: ClientConnection = self._open.enter_context(
            connect(f"{url}/api/v1/tables/{table}/seat")
        )
        self.heard: list[dict[str, Any]] = []
        self.say(type="hello", table=table, name="Ann", token=token)

    def say(self, **message: Any) -> None:
        self._socket.send(json.dumps(message))

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv(PATIENCE))
        self.heard.append(message)
        if message["type"] != "scene":
            self._open.close()
        return message

    def until(self, ready: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while not ready(message := self.hear()):
            pass
        return message

    def asked(self) -> dict[str, Any]:
        return self.until(lambda message: is_asked(message) or message["type"] != "scene")

    def act(self, message: dict[str, Any], action: str, **more: Any) -> None:
        hand, street = message["scene"]["hand"], message["you"]["street"]
        self.say(type="act", hand=hand, street=street, action=action, **more)


def is_asked(message: dict[str, Any]) -> bool:
    return message["type"] == "scene" and message["you"]["options"] is not None


def mine(message: dict[str, Any]) -> dict[str, Any]:
    me = message["you"]["player"]
    (seat,) = (seat for seat in message["scene"]["seats"] if seat["player"] == me)
    assert isinstance(seat, dict)
    return seat


def test_a_match_to_its_end_with_a_new_connection_in_the_middle(arena: ArenaProcess) -> None:
    person = Person(arena)
    first = person.asked()
    assert first["scene"]["turn"]["clock_ms"] == 30_000
    assert first["scene"]["message"] == ""

    # The page is loaded again: the new connection may come before the old one is gone.
    again = Person(arena)
    back = again.asked()
    assert mine(back)["cards"] == mine(first)["cards"]
    assert back["you"]["options"] == first["you"]["options"]
    assert back["you"]["away"] == {"hands": 0, "before": 10_000}

    message = back
    again.act(message, "raise", to=message["you"]["options"]["min_to"])
    while message["type"] == "scene" and message["scene"]["state"] != "over":
        message = again.hear()
        if is_asked(message):
            again.act(message, "call")
    ranking = message["scene"]["ranking"]
    again.until(lambda one: one["type"] == "closed")

    engine = open_store(str(arena.store))
    record = queries.match(engine, message["scene"]["match"])
    assert [player.dialect for player in record.players] == ["house", "house", "browser"]
    person.until(lambda one: one["type"] == "closed")  # it has given way to the newer one
    names = [player.name for player in record.players]
    chips = {names[line.player]: line.chips for line in record.standings}
    assert {line["name"]: line["chips"] for line in ranking} == chips
    nothing_of_others(person.heard + again.heard, queries.all_hands(engine, record.id))
    engine.dispose()
    for transcript in (arena.folder / "transcripts").iterdir():
        assert TOKEN not in transcript.read_text("utf-8")
    assert TOKEN not in arena.log


CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def nothing_of_others(heard: list[dict[str, Any]], hands: Iterable[HandRow]) -> None:
    """Check that no message has a card of another before a line has said that it shows it."""
    holes: dict[int, dict[int, set[str]]] = {}
    for row in hands:
        players = next(event.players for event in row.events if isinstance(event, HandStarted))
        holes[row.number] = {
            players[event.seat]: set(map(short, event.cards))
            for event in row.events
            if isinstance(event, HoleDealt)
        }
    shown: set[tuple[int, str]] = set()
    for message in heard:
        if message["type"] != "scene" or not message["scene"]["hand"]:
            continue
        number = message["scene"]["hand"]
        lines = [line for line in message["lines"] if line["hand"] == number]
        shown |= {(number, line["text"].split()[0]) for line in lines if line["kind"] == "show"}
        cards = set(CARD.findall(json.dumps([message["scene"], message["you"], lines])))
        for seat in message["scene"]["seats"]:
            if seat["player"] != message["you"]["player"] and (number, seat["name"]) not in shown:
                assert not cards & holes[number].get(seat["player"], set())
    assert shown, "nothing was shown at all"


def test_people_see_no_open_cards_of_others_even_where_the_audience_sees_all(
    arena: ArenaProcess,
) -> None:
    url = arena.site_url.replace("http", "ws", 1)
    person = Person(arena)
    asked = person.asked()
    with connect(f"{url}/api/v1/tables/people/live") as spectator:
        scene: dict[str, Any] = {"match": ""}
        while scene["match"] != asked["scene"]["match"] or not scene["hand"]:
            scene = json.loads(spectator.recv(PATIENCE))["scene"]
    assert [seat["cards"] for seat in scene["seats"]] == [[None, None]] * 3
    person.say(type="leave")
    person.until(lambda one: one["type"] == "closed")


def test_a_table_that_is_left_to_bots_is_open_again(arena: ArenaProcess) -> None:
    person = Person(arena)
    match = person.asked()["scene"]["match"]
    person.say(type="leave")
    person.until(lambda one: one["type"] == "closed")
    row = arena.wait_until(lambda row: row["match"] != match, "people")
    assert row["state"] == "seating"


def test_a_killed_server_dismisses_nobody_and_the_token_is_the_seat_in_the_next_one(
    tmp_path: Path,
) -> None:
    arena = open_for_people(ArenaProcess(tmp_path, ARENA, "--web", "0"))
    person = Person(arena)
    match = person.asked()["scene"]["match"]
    arena.kill()
    with pytest.raises(ConnectionClosed):
        person.until(lambda _: False)
    assert {message["type"] for message in person.heard} == {"scene"}
    arena = open_for_people(ArenaProcess(tmp_path, "", "--web", "0"))
    try:
        asked = Person(arena).asked()
        assert asked["scene"]["match"] == match
        assert asked["you"]["away"] is None
    finally:
        arena.close()


def test_a_killed_site_is_started_again_and_people_find_their_seats_in_the_same_hand(
    tmp_path: Path,
) -> None:
    arena = open_for_people(ArenaProcess(tmp_path, ARENA, "--web", "0"))
    try:
        person = Person(arena)
        first = person.asked()
        listed = run(["pgrep", "-P", str(arena.process.pid)], stdout=PIPE, check=True)
        for child in listed.stdout.split():
            os.kill(int(child), signal.SIGKILL)
        with pytest.raises(ConnectionClosed):
            person.until(lambda _: False)
        arena.lines.clear()  # the port is another one
        arena.wait_for("^web: ")
        asked = Person(open_for_people(arena)).asked()
        assert mine(asked)["cards"] == mine(first)["cards"]
        assert "the website has ended" in arena.log
        answered = urlopen(f"{arena.site_url}/api/v1/status").read()
        assert {one["dialect"] for one in json.loads(answered)["listen"]} == set(arena.ports)
    finally:
        arena.close()


def test_who_has_no_token_of_the_table_gets_no_place_in_a_running_match(
    arena: ArenaProcess,
) -> None:
    person = Person(arena)
    person.asked()
    other = Person(arena, token=TOKEN[::-1])
    refused = other.hear()
    assert (refused["type"], refused["reason"]) == ("refused", "the match is running")
    person.say(type="leave")
    person.until(lambda one: one["type"] == "closed")


@pytest.mark.parametrize("table", ["bots", "nowhere"])
def test_nobody_sits_down_where_people_may_not(arena: ArenaProcess, table: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Person(arena, table=table)
    assert refused.value.response.status_code == 404


def test_another_site_cannot_play_for_a_visitor(arena: ArenaProcess) -> None:
    url = arena.site_url.replace("http", "ws", 1)
    with pytest.raises(InvalidStatus) as refused:
        with connect(f"{url}/api/v1/tables/people/seat", origin=Origin("http://elsewhere.example")):
            pass
    assert refused.value.response.status_code == 403


def test_one_address_cannot_take_the_place_of_all_others(arena: ArenaProcess) -> None:
    url = arena.site_url.replace("http", "ws", 1) + "/api/v1/tables/people/seat"
    with ExitStack() as stack:
        for _ in range(MAX_SEATS_PER_ADDRESS):
            stack.enter_context(connect(url))
        with pytest.raises(InvalidStatus) as refused:
            stack.enter_context(connect(url))
        assert refused.value.response.status_code == 503
        assert b"your address has 50 seats already" in (refused.value.response.body or b"")
        with connect(url, additional_headers={"X-Forwarded-For": "192.0.2.7"}) as other:
            other.send("{}")
            assert json.loads(other.recv(PATIENCE))["type"] == "refused"
