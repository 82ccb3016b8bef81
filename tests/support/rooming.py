"""An independent client of `room`, and hosts whose rooms open on demand.

Frames are packed here by hand, and every frame that comes in is checked against the document, so
each conversation of the tests is also a test of the wire.
"""

import json
import re
import socket
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from tests.support.hosting import PATIENCE, HostProcess

Frame = dict[str, Any]
Answer = Callable[[Frame], Any]

OBSERVER = 0
V1 = 1
V2 = 2
OBSERVER_2 = 3
"""Who watches a room of the second version."""

V1_STATE = (
    *("position", "action_position", "legal_actions", "raise_range", "private_card"),
    *("public_card", "action_history", "info"),
)
OBSERVER_STATE = (
    *("player_card", "money", "round_raise", "public_card", "desktop_money", "current_action"),
    *("action_player", "action_history", "action_position", "info", "name"),
)
OBSERVER_RESULT = (
    *("win_money", "player_card", "public_card", "info", "total_money", "times", "name"),
)
OBSERVER_2_STATE = (*OBSERVER_STATE[:7], "players", *OBSERVER_STATE[7:])
OBSERVER_2_RESULT = (*OBSERVER_RESULT[:3], "action_history", "players", *OBSERVER_RESULT[3:])
KEYS = {
    (V1, "name"): ("info", "name", "position"),
    (V1, "state"): V1_STATE,
    (V1, "result"): ("win_money", "player_card", "private_card", "public_card", "info"),
    (V2, "state"): (*V1_STATE[:6], "players", *V1_STATE[6:]),
    (V2, "result"): ("player_card", "public_card", "action_history", "players", "info"),
    (V2, "success"): ("info", "text"),
    (OBSERVER, "state"): OBSERVER_STATE,
    (OBSERVER, "result"): OBSERVER_RESULT,
    (OBSERVER, "success"): ("info", "text"),
    (OBSERVER_2, "state"): OBSERVER_2_STATE,
    (OBSERVER_2, "result"): OBSERVER_2_RESULT,
    (OBSERVER_2, "success"): ("info", "text"),
}
"""What each listener is told, with the fields in the order of the document and the captures."""

V2_ACTION = re.compile(r"fold|check|call|r\d+")
STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}")
CARD = re.compile(r"[2-9TJQKA][cdsh]")


def frame(message: Any) -> bytes:
    """Return the frame of a message, or of a body that is given as it is."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return struct.pack("<i", len(body)) + body


def connect(
    room: Any, name: Any = "a", seats: Any = 2, bots: Any = (), games: Any = None, **more: Any
) -> Frame:
    """Return a connect message; with a number of games it is one of the second version."""
    wish = {"info": "connect", "room_id": room, "name": name, "room_number": seats, "bots": bots}
    return wish | ({} if games is None else {"game_number": games}) | more


def action(word: Any) -> Frame:
    return {"info": "action", "action": word}


START = {"info": "start"}
READY = {"info": "ready", "status": "start"}
EXIT = {"info": "exit"}


def passive(state: Frame) -> str:
    """Check or call."""
    return "check" if "check" in state["legal_actions"] else "call"


class EndedWithinAFrameError(AssertionError):
    """The server has cut the connection off."""


class Guest:
    """A socket at the server's port, with the frames it got."""

    def __init__(self, port: int, message: Frame | bytes | None = None) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self.socket.makefile("rb")
        self.version = OBSERVER
        self.name = ""
        self.frames: list[Frame] = []
        if isinstance(message, dict):
            self.introduce(message)
            self.say(message)
        elif message is not None:
            self.send(message)

    def introduce(self, wish: Frame) -> None:
        """Remember what this guest asks for, and so how it expects to be spoken to."""
        if wish.get("info", "connect") == "connect":
            self.version = V1 if wish.get("game_number") is None else V2
            self.name = wish.get("name", "")
        elif wish["info"] == "ai_vs_ai" and wish.get("game_number") is not None:
            self.version = OBSERVER_2

    # Saying.

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def say(self, *messages: Any) -> None:
        """Send frames in one segment."""
        self.send(b"".join(map(frame, messages)))

    def act(self, word: Any) -> None:
        self.say(action(word))

    def go_on(self) -> None:
        """Say that the next hand may begin, in the words of the guest's version."""
        self.say(START if self.version == V1 else READY)

    # Hearing.

    def next(self) -> Frame | None:
        """Return the next frame, or None if the connection is closed."""
        try:
            head = self._file.read(4)
            if not head:
                return None
            (length,) = struct.unpack("<i", head)
            body = self._file.read(length)
        except ConnectionError:
            return None
        if len(body) < length:
            raise EndedWithinAFrameError
        message = json.loads(body.decode("ascii"))
        check(message, self.version)
        self.frames.append(message)
        return message  # type: ignore[no-any-return]

    def hear(self, info: str) -> Frame:
        """Return the next frame, which has to be of a kind."""
        message = self.next()
        assert message is not None, f"closed instead of {info}; before: {self.frames[-2:]}"
        assert message["info"] == info, message
        return message

    def rest(self) -> list[Frame]:
        """Return everything up to the end of the connection, and hang up as well."""
        rest = []
        while (message := self.next()) is not None:
            rest.append(message)
        self.close()  # a server that ends waits a while for that
        return rest

    def refusal(self) -> str:
        """Return the text of an error frame, after which nothing but the end may come."""
        text = self.hear("error")["text"]
        assert self.rest() == []
        assert isinstance(text, str)
        return text

    # Leaving.

    def leave(self) -> None:
        """Hang up, and wait until the server has noticed."""
        self.socket.shutdown(socket.SHUT_WR)
        self.rest()
        self.close()

    def vanish(self) -> None:
        """Cut the connection off, as a program does that is killed with bytes unread."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()
        self.socket.close()


def check(message: Frame, version: int) -> None:
    """Look at a frame alone: are its fields those of the document, and do they fit together?"""
    info = message["info"]
    if info == "error":
        assert tuple(message) == ("info", "text")
        return
    assert tuple(message) == KEYS[version, info], message
    if info == "state":
        _check_state(message, version)
    elif info == "result":
        won = message.get("win_money") or [place["win_money"] for place in message["players"]]
        assert sum(won) == 0
        assert all(type(amount) is int for amount in won)
        assert len(message["player_card"]) == len(won)
        assert message.get("private_card", message["player_card"]) == message["player_card"]
    if version in (V2, OBSERVER_2) and info in ("state", "result"):
        _check_v2(message)


def _check_state(state: Frame, version: int) -> None:
    assert len(state["public_card"]) in (0, 3, 4, 5)
    if version in (OBSERVER, OBSERVER_2):
        assert len({len(state[key]) for key in ("player_card", "money", "name")}) == 1
        return
    assert len(state["private_card"]) == 2
    assert all(CARD.fullmatch(card) for card in state["private_card"] + state["public_card"])
    legal = state["legal_actions"]
    assert legal[:2] in (["fold", "check"], ["fold", "call"])
    assert legal[2:] == (["raise"] if state["raise_range"] else [])
    if state["raise_range"]:
        low, high = state["raise_range"]
        assert 0 < low <= high <= 20_000
    if version == V1:
        for street in state["action_history"]:
            assert all(re.fullmatch(r"\d:(fold|check|call|r\d+)", item) for item in street)


def _check_v2(message: Frame) -> None:
    names = ("money_left", "total_money") if message["info"] == "state" else ()
    keys = ("position", *(names or ("win_money", "moneyLeft", "totalMoney")), "name")
    for place, player in enumerate(message["players"]):
        assert tuple(player) == keys
        assert player["position"] == place
    for street in message["action_history"]:
        for item in street:
            assert tuple(item) == ("position", "action", "timestamp")
            assert V2_ACTION.fullmatch(item["action"])
            assert STAMP.fullmatch(item["timestamp"])


def history(state: Frame) -> list[list[tuple[int, str]]]:
    """Return what was done, in either version's words, as (position, action) by street."""
    return [
        [
            (item["position"], item["action"])
            if isinstance(item, dict)
            else (int(item.partition(":")[0]), item.partition(":")[2])
            for item in street
        ]
        for street in state["action_history"]
    ]


# Several guests of one room, played in step: everyone in a room is told the same things in the
# same order, so one thread that reads one frame of each, and lets the one who is asked act, never
# waits for something that does not come.


def step(guests: Sequence[Guest]) -> list[Frame]:
    """Return the next frame of everyone; they are at the same point of the same hand."""
    frames = []
    for guest in guests:
        message = guest.next()
        assert message is not None, f"{guest.name} was closed; before: {guest.frames[-2:]}"
        frames.append(message)
    assert len({message["info"] for message in frames}) == 1, frames
    if frames[0]["info"] == "state":
        assert len({message["action_position"] for message in frames}) == 1
        assert len({message["position"] for message in frames}) == len(frames)
        assert all(history(message) == history(frames[0]) for message in frames)
        assert all(message["public_card"] == frames[0]["public_card"] for message in frames)
        cards = [card for message in frames for card in message["private_card"]]
        assert len({*cards, *frames[0]["public_card"]}) == len(cards) + len(
            frames[0]["public_card"]
        )
    return frames


def is_asked(state: Frame) -> bool:
    asked: bool = state["info"] == "state" and state["position"] == state["action_position"]
    return asked


def begin(guests: Sequence[Guest]) -> None:
    """Do what each version does before the first hand."""
    for guest in guests:
        if guest.version == V1:
            guest.hear("name")
            guest.go_on()


def to_turn(guests: Sequence[Guest]) -> tuple[Guest, list[Guest], Frame]:
    """Go on to the first turn of one of the guests; return him, the others and his state."""
    while True:
        for guest, state in zip(guests, step(guests), strict=True):
            if is_asked(state):
                return guest, [other for other in guests if other is not guest], state


def play_hand(guests: Sequence[Guest], answer: Answer = passive) -> list[Frame]:
    """Play a hand, or the rest of one, to its end; return the result that each is told."""
    while True:
        frames = step(guests)
        if frames[0]["info"] == "result":
            return frames
        for guest, state in zip(guests, frames, strict=True):
            if is_asked(state):
                guest.act(answer(state))


def finish(guests: Sequence[Guest], answer: Answer = passive) -> list[list[Frame]]:
    """Play until the server has closed every connection; return what each was told meanwhile."""
    told: list[list[Frame]] = [[] for _ in guests]
    there = list(range(len(guests)))
    while there:
        for index in list(there):
            message = guests[index].next()
            if message is None:
                there.remove(index)
                continue
            told[index].append(message)
            if is_asked(message):
                guests[index].act(answer(message))
    return told


def broken(told: list[Frame]) -> str:
    """Return who did what, of frames that end as a hand does after a fault."""
    state, result, error = told[-3:]
    assert (state["info"], state["action_position"]) == ("state", -1)
    assert result["info"] == "result"
    assert error["info"] == "error", error
    assert [message["info"] for message in told].count("result") == 1
    text: str = error["text"]
    return text


# Hosts.


class RoomHost(HostProcess):
    """A host with rooms on demand; on leaving it must not have failed."""

    def __init__(self, *arguments: str, rules: str = "room") -> None:
        super().__init__("--rules", rules, *arguments, dialect="room")
        self._guests: list[Guest] = []
        self._rooms = count(1000)

    def __enter__(self) -> "RoomHost":
        return self

    def __exit__(self, *error: object) -> None:
        self.see_off()
        super().__exit__(*error)
        if error == (None, None, None):
            self.check_log()

    def check_log(self) -> None:
        """Assert that nothing went wrong in the server itself."""
        assert "Traceback" not in self.log, self.log
        assert "internal error" not in self.log, self.log

    def see_off(self) -> None:
        """Close all sockets."""
        for guest in self._guests:
            guest.close()
        self._guests.clear()

    # Guests.

    def new_room(self) -> int:
        """Return a room's id that nobody has used yet."""
        return next(self._rooms)

    def guest(self, message: Frame | bytes | None = None) -> Guest:
        """Open a connection; it is closed after the test."""
        guest = Guest(self.port, message)
        self._guests.append(guest)
        return guest

    def watcher(self, room: Any, version: int = V1) -> Guest:
        """Watch a room of a version."""
        guest = self.guest({"info": "observer", "room_id": room})
        guest.version = OBSERVER if version == V1 else OBSERVER_2
        return guest

    def is_known(self, room: Any) -> bool:
        """Tell whether somebody waits or plays in a room.

        House bots that do not exist are asked for, so that no room comes into being.
        """
        message = {"info": "ai_vs_ai", "room_id": room, "room_number": 2, "bots": ["?", "?"]}
        guest = Guest(self.port, message)
        try:
            text = guest.refusal()
        finally:
            guest.close()
        assert text in (f"room {room} is full", "Agent ? not found")
        return text.startswith("room")

    def wait_until_known(self, room: Any) -> None:
        """Wait until the server has taken in the first player of a room."""
        self._wait(lambda: self.is_known(room))

    def wait_until_free(self, room: Any) -> None:
        """Wait until nobody waits or plays in a room any more."""
        self._wait(lambda: not self.is_known(room))

    def _wait(self, has_come: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not has_come():
            assert time.monotonic() < deadline, self.log

    def seat(
        self,
        *versions: int,
        bots: Sequence[str] = (),
        games: int = 3,
        room: Any = None,
        names: Sequence[str] = "abcdefghij",
    ) -> list[Guest]:
        """Fill a room with guests of these versions, who connect in this order, and house bots."""
        room = self.new_room() if room is None else room
        guests = []
        for version, name in zip(versions, names, strict=False):
            wish = connect(room, name, len(versions) + len(bots), list(bots))
            guests.append(self.guest(wish | ({"game_number": games} if version == V2 else {})))
            if len(guests) == 1 < len(versions):
                self.wait_until_known(room)
        return guests

    # What it prints.

    def find(self, pattern: str) -> re.Match[str]:
        """Return the first line of standard output that matches, once it is there."""
        for line in self.lines:
            if match := re.search(pattern, line):
                return match
        return self.wait_for(pattern)

    def result_of(self, room: Any) -> dict[str, Any]:
        """Return the result that is printed of the first match of a room."""
        match = self.find(rf"^room {room}, match (\S+):").group(1)
        line = self.find(rf'^{{"match": "{match}".*').group()
        value: dict[str, Any] = json.loads(line)
        return value


class WatchedHost(RoomHost):
    """A host for many tests, with a room in which one hand is played after each of them.

    So whatever a test does, it is seen that another room does not notice it.
    """

    def __init__(self, *arguments: str) -> None:
        super().__init__("--json", *arguments)
        self._witness = Guest(self.port, connect("witness", "witness", 3, ["CallAgent"] * 2))
        self._witness.hear("name")

    def __enter__(self) -> "WatchedHost":
        return self

    def __exit__(self, *error: object) -> None:
        self._witness.close()
        super().__exit__(*error)

    def check(self) -> None:
        """Close the sockets of a test, and assert that the other room goes on."""
        self.see_off()
        self._witness.go_on()
        play_hand([self._witness])
        self.check_log()
