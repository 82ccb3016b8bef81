"""A connection that leaves a gap between two messages, with a real socket at both ends."""

import asyncio
import os
import socket
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from croupier.server.net.pacing import MAX_WAITING, PacedLink
from croupier.server.net.tcp import MAX_UNSENT, TcpLink
from croupier.server.net.transcript import Transcript
from tests.server.test_connection import Owner
from tests.support.builds import interpreted

pytestmark = interpreted

GAP = 0.002


class Pair:
    """A connection, the socket at its other end, and every write of the connection."""

    def __init__(self, writes: list[tuple[float, bytes]]) -> None:
        self.owner = Owner()
        self.writes = writes
        self.made: list[PacedLink] = []

    async def open(self, gap: float, transcript: Transcript) -> None:
        def factory() -> TcpLink:
            self.made.append(PacedLink(gap, self.owner, transcript))  # type: ignore[arg-type]
            return self.made[-1]

        loop = asyncio.get_running_loop()
        self.server = await loop.create_server(factory, "127.0.0.1", 0)  # type: ignore[arg-type]
        self.client = socket.socket()
        self.client.setblocking(False)
        await loop.sock_connect(self.client, self.server.sockets[0].getsockname())
        while not self.made or not self.made[0].address:
            await asyncio.sleep(0)

    @property
    def connection(self) -> PacedLink:
        return self.made[0]

    @property
    def written(self) -> list[bytes]:
        return [message for _, message in self.writes]

    async def read(self, length: int) -> bytes:
        """Return what comes, up to so many bytes or the end."""
        data = b""
        while len(data) < length:
            piece = await asyncio.get_running_loop().sock_recv(self.client, length - len(data))
            if not piece:
                break
            data += piece
        return data

    def close(self) -> None:
        self.client.close()
        self.server.close()


Scenario = Callable[[Pair], Coroutine[Any, Any, None]]


@pytest.fixture(params=["asyncio", "uvloop"])
def play(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[tuple[float, bytes]]]:
    """Return who plays a scenario and returns the writes, each with the time after it."""
    factory = None
    if request.param == "uvloop":
        factory = pytest.importorskip("uvloop").new_event_loop
    writes: list[tuple[float, bytes]] = []
    write = os.write

    def noted(fd: int, data: bytes) -> int:
        sent = write(fd, data)
        if data[:1] == b"<":  # a loop wakes itself with writes of its own
            writes.append((perf_counter(), bytes(data)))
        return sent

    monkeypatch.setattr(os, "write", noted)

    def runner(
        scenario: Scenario, gap: float = GAP, transcript: Transcript | None = None
    ) -> list[tuple[float, bytes]]:
        async def whole() -> None:
            pair = Pair(writes)
            await pair.open(gap, transcript or Transcript(None))
            await scenario(pair)
            pair.close()

        with asyncio.Runner(loop_factory=factory) as one:
            one.run(whole())
        return writes

    return runner


def messages(count: int) -> list[bytes]:
    return [b"<%d>" % number for number in range(count)]


def test_the_first_message_of_a_burst_leaves_at_once_and_the_others_wait(play: Any) -> None:
    async def scenario(pair: Pair) -> None:
        for burst in (messages(3), messages(2)):
            before = len(pair.writes)
            for message in burst:
                pair.connection.send(message)
                assert burst[0] in pair.written[before:]
            assert await pair.read(len(b"".join(burst))) == b"".join(burst)
            # The gap after the last message of a burst is over before the next one begins.
            last = pair.writes[-1][0]
            while perf_counter() < last + GAP:
                await asyncio.sleep(GAP)

    times = [at for at, _ in play(scenario)]
    assert all(later >= sooner + GAP for sooner, later in pairwise(times))


def test_each_message_is_one_write_no_earlier_than_the_gap_after_the_one_before(play: Any) -> None:
    sent = messages(200)

    async def scenario(pair: Pair) -> None:
        # Timers that are meant for others keep the loop awake, so that ours fire early, too.
        busy = asyncio.create_task(keep_busy())
        for place in range(0, len(sent), 10):
            for message in sent[place : place + 10]:
                pair.connection.send(message)
            await asyncio.sleep(0)
        assert await pair.read(len(b"".join(sent))) == b"".join(sent)
        busy.cancel()

    async def keep_busy() -> None:
        while True:
            await asyncio.sleep(0)

    writes = play(scenario, gap=0.001)
    assert [message for _, message in writes] == sent
    times = [at for at, _ in writes]
    assert all(later >= sooner + 0.001 for sooner, later in pairwise(times))


def test_to_close_lets_everything_leave_first(play: Any) -> None:
    sent = messages(5)

    async def scenario(pair: Pair) -> None:
        for message in sent:
            pair.connection.send(message)
        pair.connection.close()
        assert pair.connection.closed
        assert not pair.owner.gone.is_set()
        pair.connection.send(b"<nothing more>")
        assert await pair.read(1000) == b"".join(sent), "and then the end"
        await pair.owner.gone.wait()

    assert [message for _, message in play(scenario)] == sent


def test_whoever_says_no_more_is_sent_what_waits_and_then_the_end(play: Any) -> None:
    sent = messages(5)

    async def scenario(pair: Pair) -> None:
        for message in sent:
            pair.connection.send(message)
        pair.client.shutdown(socket.SHUT_WR)
        assert await pair.read(1000) == b"".join(sent), "and then the end"
        await pair.owner.gone.wait()

    assert [message for _, message in play(scenario)] == sent


def test_with_nothing_waiting_to_close_is_to_close_at_once(play: Any) -> None:
    async def scenario(pair: Pair) -> None:
        pair.connection.send(b"<last>")
        pair.connection.close()
        await asyncio.sleep(0)
        assert pair.owner.gone.is_set()
        assert await pair.read(1000) == b"<last>"

    play(scenario, gap=3600.0)


@pytest.mark.parametrize("closing", [False, True])
def test_to_cut_off_waits_for_nothing(play: Any, closing: bool) -> None:
    async def scenario(pair: Pair) -> None:
        for message in messages(5):
            pair.connection.send(message)
        if closing:
            pair.connection.close()
        pair.connection.drop("enough")
        assert pair.connection.closed
        await pair.owner.gone.wait()

    assert [message for _, message in play(scenario, gap=3600.0)] == messages(1)


def test_when_the_other_side_goes_nothing_waits_any_more(play: Any) -> None:
    left: list[str] = []

    async def scenario(pair: Pair) -> None:
        pair.owner.before = lambda: left.append("before")
        pair.owner.after = lambda: left.append("after")
        pair.connection.send(b"<first>")
        pair.connection.ask(b"<question>")
        pair.client.close()
        await pair.owner.gone.wait()
        await asyncio.sleep(5 * GAP)

    writes = play(scenario, gap=5 * GAP)
    assert [message for _, message in writes] in ([b"<first>"], [b"<first>", b"<question>"])
    assert len(left) == 2 * (len(writes) - 1)


def test_what_waits_counts_as_unread(play: Any) -> None:
    async def scenario(pair: Pair) -> None:
        message = b"<" + bytes(8191)
        pair.connection.send(message)
        for _ in range(MAX_UNSENT // len(message)):
            pair.connection.send(message)
            assert not pair.connection.closed
        pair.connection.send(message)
        assert pair.connection.closed
        await pair.owner.gone.wait()

    assert len(play(scenario, gap=3600.0)) == 1


def test_who_is_ahead_by_many_messages_waits_for_no_gap(play: Any) -> None:
    sent = messages(MAX_WAITING + 5)

    async def scenario(pair: Pair) -> None:
        for message in sent:
            pair.connection.send(message)
        assert pair.written == sent[: len(sent) - MAX_WAITING]

    play(scenario, gap=3600.0)


def test_the_client_is_told_just_before_and_just_after_a_question_leaves(play: Any) -> None:
    async def scenario(pair: Pair) -> None:
        order: list[object] = []
        asked = asyncio.Event()

        def before() -> None:
            order.append(list(pair.written))

        def after() -> None:
            order.append(list(pair.written))
            asked.set()

        pair.owner.before, pair.owner.after = before, after
        pair.connection.ask(b"<1>")
        assert order == [[], [b"<1>"]]
        order.clear()
        asked.clear()
        pair.connection.send(b"<2>")
        pair.connection.ask(b"<3>")
        pair.connection.send(b"<4>")
        assert order == []
        await asked.wait()
        assert order == [[b"<1>", b"<2>"], [b"<1>", b"<2>", b"<3>"]]
        assert await pair.read(12) == b"<1><2><3><4>"

    play(scenario)


def test_who_is_cut_off_while_he_is_asked_is_sent_nothing_more(play: Any) -> None:
    async def scenario(pair: Pair) -> None:
        asked = asyncio.Event()
        pair.owner.before = lambda: pair.connection.drop("too much input")
        pair.owner.after = asked.set
        pair.connection.send(b"<1>")
        pair.connection.ask(b"<2>")
        pair.connection.send(b"<3>")
        await asked.wait()
        await pair.owner.gone.wait()

    assert [message for _, message in play(scenario)] == [b"<1>"]


def test_the_transcript_has_a_message_when_it_leaves(play: Any, tmp_path: Path) -> None:
    transcript = Transcript(tmp_path)

    def told() -> list[str]:
        return [line.split(" ", 1)[1] for line in (tmp_path / "x.log").read_text().splitlines()]

    async def scenario(pair: Pair) -> None:
        transcript.name("x")
        for message in messages(2):
            pair.connection.send(message)
        transcript.add("#", "between")
        pair.connection.flush_transcript()
        assert told() == ["< b'<0>'", "# between"]
        left = asyncio.Event()
        pair.owner.after = left.set
        pair.connection.ask(b"<q>")
        await left.wait()
        await asyncio.sleep(0)
        assert told() == ["< b'<0>'", "# between", "< b'<1>'", "< b'<q>'"], "flushed at the end"

    play(scenario, transcript=transcript)
