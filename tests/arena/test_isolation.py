"""An error of our own at one table closes that table, and no other."""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.bots import Bot, house_bot
from croupier.deals import Stream
from croupier.rules.decisions import Decision
from croupier.rules.view import View
from croupier.server.arena.arena import Arena
from croupier.server.arena.control import Control, Request
from croupier.server.arena.file import read_arena
from croupier.server.table import house, interrupted
from croupier.store.schema import open_store
from tests.mixed.players import MESSAGE, tcp
from tests.support.hosting import PATIENCE

TEXT = "".join(
    f"""
[[table]]
name = "{name}"
number = {number}
seats = 2
bots = ["{bot}"]
repeat = false
set = {{ hands = 4, decision_ms = 60000 }}

[[player]]
display = "{name}"
pid = {number}
table = "{name}"
"""
    for number, (name, bot) in enumerate((("bad", "RandomAgent"), ("good", "CallAgent")), 1)
)
LISTEN = '[[listen]]\ndialect = "huawei"\nport = 0\n'


class Broken(Bot):
    """A bot whose ninth decision is none."""

    def __init__(self, decide: Callable[[int], Any]) -> None:
        self._decide = decide
        self.calls = 0

    def decide(self, view: View) -> Decision:
        self.calls += 1
        decision = self._decide(self.calls)
        return view.call if decision is None else decision


class NoDecision:
    """What no table can make anything of."""


def nonsense(call: int) -> Any:
    return NoDecision() if call == 9 else None


def trouble(call: int) -> Any:
    if call == 3:
        raise RuntimeError("a bot has trouble of its own")


class Client:
    """A player of huawei in the arena's own loop."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.hands = 0
        self.over = False
        self.closed = asyncio.Event()

    async def play(self, port: int) -> None:
        async with tcp(port) as (reader, writer):
            writer.write(f"reg: {self.pid} bot \n".encode())
            buffer = b""
            while not self.over and (data := await reader.read(1 << 16)):
                buffer += data
                while match := MESSAGE.match(buffer):
                    buffer = buffer[match.end() :]
                    self.hands += match.group().startswith(b"pot-win/")
                    self.over = match.group() == b"game-over \n"
                    if match.group().startswith(b"inquire/"):
                        writer.write(b"check \n")
        self.closed.set()


def run(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    decide: Callable[[int], Any],
    script: Callable[[Arena, Control], Awaitable[None]],
    text: str = TEXT,
) -> None:
    """Run an arena, whose random bots are broken, while a script runs beside it."""

    def made(name: str, stream: Stream) -> Bot:
        return Broken(decide) if name == "RandomAgent" else house_bot(name, stream)

    for makes_bots in (house, interrupted):
        monkeypatch.setattr(makes_bots, "house_bot", made)
    engine = open_store(str(folder / "croupier.db"))

    async def main() -> None:
        arena = Arena(read_arena(text + LISTEN, folder), engine)
        opened = asyncio.Event()
        running = asyncio.create_task(arena.run(opened.set))
        await opened.wait()
        try:
            await script(arena, Control(arena))
        finally:
            arena.stop()
            await running

    try:
        asyncio.run(asyncio.wait_for(main(), PATIENCE))
    finally:
        engine.dispose()


def states(control: Control) -> dict[str, str]:
    return {row.table: row.state for row in control.tables()}


def test_an_error_at_one_table_closes_it_and_the_others_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(arena: Arena, control: Control) -> None:
        port = arena.ports["huawei"]
        bad, good = Client(1), Client(2)
        playing = asyncio.create_task(bad.play(port))
        await bad.closed.wait()
        assert not bad.over
        assert states(control) == {"bad": "failed", "good": "seating"}
        assert arena.house.open_games == 1
        for command in ("pause", "resume", "end"):
            answer = await control.execute(Request(command, "bad"))
            assert answer == {"ok": False, "error": "nothing is being played at bad"}
        await good.play(port)
        assert (good.over, good.hands) == (True, 4)
        await playing

    run(tmp_path, monkeypatch, nonsense, script)
    printed = capsys.readouterr()
    log = printed.out + printed.err
    assert len(re.findall(r"\[error *\] internal error", log)) == 1
    assert "NoDecision" in log


def test_the_programs_of_a_table_end_with_its_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = tmp_path / "process"
    command = f"sh -c 'echo $$ > {noted}; exec sleep 1000'"
    text = TEXT.replace("repeat", f'run = ["{command}"]\nrepeat', 1)

    async def script(arena: Arena, control: Control) -> None:
        while not (noted.exists() and noted.read_text()):
            await asyncio.sleep(0)
        process = os.pidfd_open(int(noted.read_text()))
        ended = asyncio.Event()
        asyncio.get_running_loop().add_reader(process, ended.set)
        await Client(1).play(arena.ports["huawei"])
        assert states(control)["bad"] == "failed"
        await ended.wait()
        asyncio.get_running_loop().remove_reader(process)
        os.close(process)

    run(tmp_path, monkeypatch, nonsense, script, text)


def test_a_table_that_failed_can_be_opened_again_and_goes_on_with_its_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(arena: Arena, control: Control) -> None:
        port = arena.ports["huawei"]
        bad = Client(1)
        await bad.play(port)
        game = arena.tables["bad"].game
        assert game is not None
        match, played = game.table.id, bad.hands
        assert played > 0, "a hand was announced before the error"
        for makes_bots in (house, interrupted):
            monkeypatch.setattr(makes_bots, "house_bot", house_bot)
        answer = await control.execute(Request("start", "bad"))
        assert answer["ok"], answer
        assert states(control)["bad"] == "returning"
        again = Client(1)
        await again.play(port)
        assert again.over
        assert played + again.hands == 4, "no hand that was announced is lost"
        game = arena.tables["bad"].game
        assert game is not None
        assert game.table.id == match

    run(tmp_path, monkeypatch, nonsense, script)


def test_a_house_bot_that_fails_checks_or_folds_and_its_table_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(arena: Arena, control: Control) -> None:
        client = Client(1)
        await client.play(arena.ports["huawei"])
        assert (client.over, client.hands) == (True, 4)

    run(tmp_path, monkeypatch, trouble, script)
    printed = capsys.readouterr()
    log = printed.out + printed.err
    assert "house bot failed" in log
    assert "internal error" not in log


def test_a_player_of_a_table_that_failed_may_sit_down_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(arena: Arena, control: Control) -> None:
        port = arena.ports["huawei"]
        first = Client(7)
        await first.play(port)
        assert states(control)["bad"] == "failed"
        again = Client(7)
        await again.play(port)
        assert (again.over, again.hands) == (True, 4)

    run(tmp_path, monkeypatch, nonsense, script)
