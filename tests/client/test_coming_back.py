"""A lost connection is taken up again where the dialect allows it."""

import asyncio
import json
import signal
import socket
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from croupier.bots import Bot, CallAgent
from croupier.client import session
from croupier.client.back_off import FIRST_WAIT, BackOff
from croupier.client.progress import Progress
from croupier.client.result import JoinError, Result
from croupier.client.runner import run
from croupier.dialects.room.frames import frame
from croupier.dialects.tokens import token_of
from croupier.rules.decisions import Decision
from croupier.rules.view import View
from tests.client.servers import (
    DROP,
    HEAR,
    HOLD,
    RESET,
    UPGRADE,
    Line,
    TcpServer,
    WebSocketServer,
    text_frame,
)
from tests.support.hosting import PATIENCE, HostProcess


class Alarm(Bot):
    """Calls, and says when it has done so many times."""

    def __init__(self, decisions: int) -> None:
        self.reached = threading.Event()
        self._left = decisions
        self._bot = CallAgent()

    def decide(self, view: View) -> Decision:
        self._left -= 1
        if not self._left:
            self.reached.set()
        return self._bot.decide(view)


class Held(Alarm):
    """Waits with its last answer until the server is gone, so that the hand cannot end before."""

    def __init__(self, decisions: int) -> None:
        super().__init__(decisions)
        self.let_go = threading.Event()

    def decide(self, view: View) -> Decision:
        decision = super().decide(view)
        if self.reached.is_set():
            assert self.let_go.wait(PATIENCE)
        return decision


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@pytest.mark.parametrize("dialect", ["huawei", "trend"])
def test_a_match_goes_on_after_a_crash_of_the_server(dialect: str, tmp_path: Path) -> None:
    hands = 12
    port = free_port()
    arguments = (
        *("--listen", f"{dialect}:{port}", "--rules", dialect, "--seats", "3", "--seed", "crash"),
        *("--hands", str(hands), "--once", "--json", "--store", str(tmp_path / "croupier.db")),
        *("--set", "decision_ms=60000", "--set", "countdown_s=0", "--set", "reloads=0"),
        *("--set", "stack=20000", "--set", "reserve=0", "--set", "return_s=600"),
    )
    bots = [Alarm(18), Alarm(10**9), Alarm(10**9)]
    with ThreadPoolExecutor(3) as threads:
        with HostProcess(*arguments, dialect=dialect) as host:
            host.wait_for(rf"listening: {dialect} [\d.]+:{port}")
            futures = [
                threads.submit(
                    run,
                    bot,
                    f"{dialect}://127.0.0.1:{port}" + (f"?pid={n}" if dialect == "huawei" else ""),
                    name=f"n{n}",
                    patience=PATIENCE,
                    retry=PATIENCE,
                )
                for n, bot in enumerate(bots)
            ]
            assert bots[0].reached.wait(PATIENCE)
            host.kill()
        with HostProcess(*arguments, dialect=dialect) as host:
            results: list[Result] = [future.result(PATIENCE) for future in futures]
            seats = host.result()["seats"]
    assert [result.matches for result in results] == [1, 1, 1]
    assert not any(result.faults for result in results)
    by_name = {seat["name"]: seat for seat in seats}
    for n, result in enumerate(results):
        seat = by_name[f"n{n}" if dialect == "huawei" else f"t-{token_of(f'n{n}')[:8]}"]
        assert result.chips_won == seat["chips"] - 20_000
        assert result.hands == seat["hands_survived"]


class Lookout(Progress):
    """Notices when a server was looked for in vain."""

    def __init__(self) -> None:
        self.missed_it = threading.Event()

    def say(self, text: str) -> None:
        if text.startswith("trying again for"):
            self.missed_it.set()


class Restarted:
    """A host of `room` on a port of its own, that is killed within a hand and started again."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.port = free_port()
        self._lookouts: list[Lookout] = []
        self._arguments = (
            *("--listen", f"room:{self.port}", "--rules", "room", "--json", *arguments),
            *("--store", str(folder / "croupier.db")),
        )

    def host(self) -> HostProcess:
        """Start it, once all who have joined know that it is gone."""
        for lookout in self._lookouts:
            assert lookout.missed_it.wait(PATIENCE)
        host = HostProcess(*self._arguments, dialect="room")
        host.wait_for(rf"listening: room [\d.]+:{self.port}")
        return host

    def join(
        self, threads: ThreadPoolExecutor, bots: list[Bot], settings: str, names: str
    ) -> list[Future[Result]]:
        """Let bots join room 7."""
        url = f"room://127.0.0.1:{self.port}/7?{settings}"
        self._lookouts = [Lookout() for _ in bots]
        more: dict[str, Any] = {"games": HANDS, "patience": PATIENCE, "retry": PATIENCE}
        return [
            threads.submit(run, bot, url, name=name, progress=lookout, **more)
            for bot, name, lookout in zip(bots, names, self._lookouts, strict=True)
        ]


HANDS = 12


@pytest.mark.parametrize("names", ["ab", "bb"], ids=["two names", "one name"])
@pytest.mark.parametrize("version", [1, 2])
def test_in_room_a_match_at_a_prepared_table_goes_on_after_a_crash_of_the_server(
    tmp_path: Path, version: int, names: str
) -> None:
    prepared = ("--seats", "3", "--bot", "CallAgent", "--hands", str(HANDS), "--once")
    server = Restarted(tmp_path, *prepared)
    bot = Held(18)
    with ThreadPoolExecutor(2) as threads:
        with server.host() as host:
            settings = f"seats=3&version={version}"
            futures = server.join(threads, [bot, CallAgent()], settings, names)
            assert bot.reached.wait(PATIENCE)
            host.kill()
            bot.let_go.set()
        with server.host() as host:
            results = [future.result(PATIENCE) for future in futures]
            result = host.result()
    assert result["hands"] == HANDS
    assert not any(seat["timeouts"] or seat["faults"] for seat in result["seats"])
    assert [each.ended for each in results] == ["", ""]
    assert [each.hands for each in results] == [HANDS, HANDS]


@pytest.mark.parametrize("version", [1, 2])
def test_in_room_a_bot_ends_with_the_servers_word_for_a_room_that_a_crash_has_closed(
    tmp_path: Path, version: int
) -> None:
    server = Restarted(tmp_path)
    bot = Held(18)
    with ThreadPoolExecutor(1) as threads:
        with server.host() as host:
            settings = f"seats=2&bots=CallAgent&version={version}"
            (future,) = server.join(threads, [bot], settings, "a")
            assert bot.reached.wait(PATIENCE)
            host.kill()
            bot.let_go.set()
        with server.host():
            result = future.result(PATIENCE)
    assert result.matches == 1
    assert result.ended.startswith("the server says: room 7 was closed by a restart of the server")


def test_in_room_the_end_of_a_room_by_another_player_is_no_reason_to_come_back() -> None:
    script: list[Line] = [HEAR, frame(ROOM_STATE), HEAR, frame(ROOM_RESULT), HEAR]
    with TcpServer(script, [HEAR]) as server:
        url = f"room://127.0.0.1:{server.port}?version=1"
        result = run(CallAgent(), url, games=2, patience=PATIENCE)
    assert (result.hands, result.ended) == (1, "the server closed the room")
    assert server.heard[1:] in ([], [[]]), "nobody asked for a seat again"


def test_in_room_a_connection_that_is_lost_within_a_hand_is_not_taken_up_again() -> None:
    with TcpServer([HEAR, frame(ROOM_STATE), HEAR], [HEAR]) as server:
        url = f"room://127.0.0.1:{server.port}?version=1"
        with pytest.raises(JoinError, match="in the middle of a hand; the server is still there"):
            run(CallAgent(), url, games=2, patience=PATIENCE)


ME, OTHER = token_of("me"), token_of("other")


def trend_message(name: str, bet: int = 0, **more: object) -> bytes:
    players = [
        {"playerName": ME, "chips": 990 - bet, "bet": 10 + bet, "cards": ["AS", "AD"]},
        {"playerName": OTHER, "chips": 980, "bet": 20, "cards": []},
    ]
    table = {
        "board": [],
        "roundCount": 1,
        "roundName": "Deal",
        "smallBlind": {"playerName": ME, "amount": 10},
        "bigBlind": {"playerName": OTHER, "amount": 20},
    }
    data = {"players": players, "table": table, "game": table | {"players": players}} | more
    return json.dumps({"eventName": name, "data": data}).encode()


def test_in_trend_a_player_who_was_cut_off_in_the_middle_of_a_hand_is_asked_again() -> None:
    before = [HEAR, trend_message("__new_round"), trend_message("__action"), HEAR, DROP]
    end = {"players": [{"playerName": ME, "winMoney": 40}]}
    after = [
        HEAR,
        trend_message("_join"),
        trend_message("__action"),
        HEAR,
        trend_message(
            "__show_action",
            bet=10,
            action={"action": "call", "playerName": ME, "amount": 10, "chips": 980},
        ),
        json.dumps({"eventName": "__round_end", "data": end}).encode(),
        json.dumps({"eventName": "__game_over", "data": end}).encode(),
        HOLD,
    ]
    with WebSocketServer(before, after) as server:
        result = run(CallAgent(), f"trend://127.0.0.1:{server.port}", name="me", patience=PATIENCE)
    assert (result.hands, result.chips_won, result.matches) == (1, 20, 1)
    assert [len(heard) for heard in server.heard] == [2, 2]
    assert server.heard[0][0] == server.heard[1][0]


def test_in_trend_a_seat_that_the_server_believes_taken_is_asked_for_again() -> None:
    peers = json.dumps({"eventName": "__new_peer", "data": [ME]}).encode()
    over = json.dumps({"eventName": "__game_over", "data": {"players": []}}).encode()
    with WebSocketServer(
        [HEAR, peers, DROP], [HEAR], [HEAR, peers, over, HOLD], close=(4002, "taken")
    ) as server:
        result = run(CallAgent(), f"trend://127.0.0.1:{server.port}", name="me", patience=PATIENCE)
    assert result.matches == 1
    assert len(server.heard) == 3


def test_in_huawei_a_player_registers_again_until_the_match_has_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session, "REFUSAL_WINDOW", 0.0)  # nobody refuses here
    with TcpServer([HEAR], [HEAR], [HEAR, b"game-over \n", HOLD]) as server:
        result = run(CallAgent(), f"huawei://127.0.0.1:{server.port}?pid=7", patience=PATIENCE)
    assert result.matches == 1
    assert len({heard[0] for heard in server.heard}) == 1


@pytest.mark.parametrize("dialect", ["huawei", "trend"])
@pytest.mark.parametrize("stored", [False, True])
def test_one_match_after_the_other(dialect: str, stored: bool, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "croupier.db")) if stored else ()
    with HostProcess(
        *("--rules", dialect, "--seats", "2", "--bot", "CallAgent", "--hands", "4", *store),
        *("--set", "decision_ms=60000", "--set", "countdown_s=0", "--set", "reloads=0"),
        dialect=dialect,
    ) as host:
        url = f"{dialect}://127.0.0.1:{host.port}"
        result = run(CallAgent(), url, games=3, patience=PATIENCE)
        host.process.send_signal(signal.SIGINT)
    assert (result.matches, result.hands) == (3, 12)


def test_a_server_that_is_not_ready_for_the_next_match_is_asked_again() -> None:
    over = b"game-over \n"
    with TcpServer([HEAR, over, HOLD], [HEAR], [HEAR], [HEAR, over, HOLD]) as server:
        url = f"huawei://127.0.0.1:{server.port}"
        result = run(CallAgent(), url, games=2, patience=PATIENCE)
    assert result.matches == 2


# How long it is tried.


HUAWEI_HAND = (
    b"seat/ \nbutton: 7 2000 0 \nsmall blind: 8 2000 0 \n/seat \nblind/ \n8: 50 \n/blind \n"
    b"hold/ \nSPADES 10 \nHEARTS A \n/hold \n"
    b"inquire/ \n8 1950 0 50 blind \ntotal pot: 50 \n/inquire \n"
)


@pytest.mark.serial
@pytest.mark.parametrize("dialect", ["huawei", "trend"])
def test_a_server_that_has_gone_is_looked_for_no_longer_than_retry_says(dialect: str) -> None:
    script: list[Line] = [HEAR, HUAWEI_HAND, HEAR]
    if dialect == "trend":
        script = [HEAR, UPGRADE, HEAR, peers_and_over()[0]]
    began = time.monotonic()
    with TcpServer(script) as server:
        url = f"{dialect}://127.0.0.1:{server.port}" + ("?pid=7" if dialect == "huawei" else "")
        with pytest.raises(JoinError, match=r"within 0\.4 s: cannot connect"):
            run(CallAgent(), url, name="me", retry=0.4)
    assert 0.4 <= time.monotonic() - began < session.GIVE_UP / 2


def test_with_no_time_to_retry_the_first_refusal_is_the_end() -> None:
    with TcpServer([HEAR, HUAWEI_HAND, HEAR]) as server:
        url = f"huawei://127.0.0.1:{server.port}?pid=7"
        with pytest.raises(JoinError, match=r"^cannot connect to"):
            run(CallAgent(), url, retry=0)


@pytest.mark.serial
def test_attempts_to_come_back_begin_soon_and_grow_rare_and_begin_anew_once_it_was_heard() -> None:
    async def waits(back_off: BackOff) -> list[float]:
        loop, times = asyncio.get_running_loop(), []
        for _ in range(3):
            began = loop.time()
            await back_off.wait("gone", 60)
            times.append(loop.time() - began)
        return times

    async def twice() -> tuple[list[float], list[float]]:
        back_off = BackOff()
        first = await waits(back_off)
        back_off.reset()
        return first, await waits(back_off)

    first, second = asyncio.run(twice())
    for times in (first, second):
        # The loop's clock may be a little early.
        assert all(times[n] > 0.9 * FIRST_WAIT * 2**n for n in range(3))
    assert second[0] < 0.9 * FIRST_WAIT * 2**3


# The end of a match, and of the connection with it.

ROOM_STATE = (
    '{"position": 0, "action_position": 0, "legal_actions": ["fold", "call"], "raise_range": [],'
    ' "private_card": ["As", "Kd"], "public_card": [], "action_history": [[]], "info": "state"}'
)
ROOM_RESULT = '{"win_money": [50, -50], "info": "result"}'
KUHN_HAND: list[Line] = [HEAR, b"STKS 20 20\n", HEAR, b"DEAL '0'\nCARD 'J'\n", HEAR]


@pytest.mark.parametrize("end", [None, RESET], ids=["closed", "reset"])
@pytest.mark.parametrize(
    ("url", "script"),
    [
        ("huawei://127.0.0.1:{}?pid=7", [HEAR, HUAWEI_HAND, HEAR, b"game-over \n"]),
        ("kuhn://127.0.0.1:{}", [*KUHN_HAND, b"CHCK\nSHOW 'Q'\nSTKS 19 21\n"]),
        (
            "room://127.0.0.1:{}?version=1",
            [HEAR, frame(ROOM_STATE), HEAR, frame(ROOM_RESULT)],
        ),
    ],
    ids=["huawei", "kuhn", "room"],
)
def test_however_the_server_closes_after_the_last_word_the_match_is_over(
    url: str, script: list[Line], end: Line
) -> None:
    with TcpServer([*script, *([end] if end else [])]) as server:
        result = run(CallAgent(), url.format(server.port), games=1, patience=PATIENCE)
    assert result.matches == 1


def peers_and_over() -> tuple[bytes, bytes]:
    peers = json.dumps({"eventName": "__new_peer", "data": [ME]}).encode()
    over = json.dumps({"eventName": "__game_over", "data": {"players": []}}).encode()
    return text_frame(peers), text_frame(over)


@pytest.mark.parametrize("end", [None, RESET], ids=["closed", "reset"])
def test_however_the_server_closes_after_game_over_in_trend_the_match_is_over(end: Line) -> None:
    _, over = peers_and_over()
    with TcpServer([HEAR, UPGRADE, HEAR, over, *([end] if end else [])]) as server:
        result = run(CallAgent(), f"trend://127.0.0.1:{server.port}", name="me", patience=PATIENCE)
    assert result.matches == 1


def test_in_trend_a_reset_within_a_match_is_a_lost_connection_like_any_other() -> None:
    peers, over = peers_and_over()
    first: list[Line] = [HEAR, UPGRADE, HEAR, peers, RESET]
    with TcpServer(first, [HEAR, UPGRADE, HEAR, over, HOLD]) as server:
        result = run(CallAgent(), f"trend://127.0.0.1:{server.port}", name="me", patience=PATIENCE)
    assert result.matches == 1
    assert len(server.heard) == 2
