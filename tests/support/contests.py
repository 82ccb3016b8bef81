"""Contests for tests: in a folder of their own, played here at once or by real processes."""

import json
import re
import socket
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from click.testing import CliRunner, Result
from sqlalchemy import select

from croupier.bots import house_bot
from croupier.cli.main import main
from croupier.contest.adjusting import with_coefficients
from croupier.contest.fixtures import MatchName, MatchResult, twin_of
from croupier.contest.plan import HANDS as RECORD_HANDS
from croupier.contest.seeds import set_seed
from croupier.running import in_process
from croupier.running.contest_reader import read_contest
from croupier.running.luck_account import LuckAccount, LuckySink
from croupier.running.opening import open_contest
from croupier.running.scoring import filling, scored
from croupier.server.table.task import MatchTask, Player, chance_for
from croupier.store import contests
from croupier.store.contests import ContestRow
from croupier.store.records import ContestResult, Record, ResultRecord
from croupier.store.schema import HANDS, MATCHES, open_store
from croupier.store.writer import Writer
from tests.support.hosting import PATIENCE
from tests.support.processes import Program

CUP = """\
title = "Cup"
store = "cup.db"
seed = "7"
"""

LISTENING = re.compile(r"listening: (\w+) 127\.0\.0\.1:(\d+)")

BOTS = ("RuleAgent", "CallAgent", "RandomAgent", "AllinAgent", "TightPassive")

GATED_BOT = '''\
"""Bots that tell the test where they are, and go on when it lets them."""

import os
import random
import socket
from pathlib import Path

from croupier.bots import Bot
from croupier.rules.decisions import CALL, FOLD, raise_to

WORDS = {"ace", "king", "queen", "jack", "ten", "nine", "eight", "seven", "six", "five"}
WORKER = os.getppid()
decided = []


def gate(word):
    try:
        port = int(Path(__file__).with_name("gate.port").read_text())
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(f"{word} {WORKER} {os.getpid()}".encode())
            connection.recv(1)
    except OSError:
        pass


class Odd(Bot):
    """Draws, goes by the order of a set, and by what the whole module has seen."""

    def __init__(self):
        self.luck = random.random()

    def decide(self, view):
        decided.append(view.number)
        word = list(WORDS)[(len(decided) + random.randrange(7)) % len(WORDS)]
        if word[0] in "ajs":
            return CALL
        if word[0] in "kq" and view.options.max_to:
            return raise_to(view.options.min_to)
        return FOLD if self.luck < 0.2 and view.options.owed else CALL


class Gated(Odd):
    """The same, announced: each instance, and each hand in which it decides."""

    def __init__(self):
        super().__init__()
        self.hand = 0
        gate("begins")

    def decide(self, view):
        if view.number != self.hand:
            self.hand = view.number
            gate("plays")
        return super().decide(view)
'''


def team(name: str, bot: str) -> str:
    """Return a [[team]] that plays with a bot."""
    return f'\n[[team]]\nname = "{name}"\nbot = "{bot}"\n'


def program(name: str, command: str, dialect: str = "huawei") -> str:
    """Return a [[team]] with a program that is started for each match."""
    team = f"\n[[team]]\nname = {json.dumps(name)}\nrun = {json.dumps(command)}\n"
    return team + f'dialect = "{dialect}"\n'


def connecting(name: str, dialect: str) -> str:
    """Return a [[team]] that connects by itself, and the listener that it comes to."""
    listen = f'\n[[listen]]\ndialect = "{dialect}"\nport = 0\n'
    return f'{listen}\n[[team]]\nname = "{name}"\ndialect = "{dialect}"\n'


def house_teams(number: int) -> str:
    """Return so many teams, A, B, … with house bots."""
    return "".join(team(chr(65 + i), BOTS[i % len(BOTS)]) for i in range(number))


def stage(format: str, hands: int = 10, more: str = "") -> str:
    """Return a [[stage]] that is named like its format."""
    return f'\n[[stage]]\nformat = "{format}"\nhands = {hands}\n{more}\n'


def ports(errors: IO[str], count: int) -> dict[str, str]:
    """Wait for the listeners; return their ports by dialect."""
    found: dict[str, str] = {}
    for line in errors:
        match = LISTENING.search(line)
        if match is not None:
            found[match.group(1)] = match.group(2)
        if len(found) == count:
            return found
    raise AssertionError("it has ended")


class ContestFolder:
    """A contest's file in a folder of its own, and everything that is done with it."""

    def __init__(self, folder: Path, text: str, name: str = "contest.toml") -> None:
        self.folder = folder
        self.file = folder / name
        self.file.write_text(text, "utf-8")

    @property
    def store(self) -> Path:
        return self.folder / "cup.db"

    @property
    def address(self) -> str:
        """The store that the file names, of whichever kind."""
        store: str = tomllib.loads(self.file.read_text("utf-8"))["store"]
        return store if "://" in store else str(self.folder / store)

    def edit(self, old: str, new: str) -> None:
        """Change the file."""
        text = self.file.read_text("utf-8")
        assert old in text
        self.file.write_text(text.replace(old, new), "utf-8")

    def command(self, command: str, *arguments: str) -> Result:
        """Give a command of `croupier contest` about it, in this process."""
        return CliRunner().invoke(main, ["contest", command, str(self.file), *arguments])

    def done(self, command: str, *arguments: str) -> str:
        """Give a command that succeeds, and return what it prints."""
        result = self.command(command, *arguments)
        assert result.exit_code == 0, result.output
        return result.output

    def refused(self, command: str, *arguments: str) -> str:
        """Give a command that is refused, and return the sentence."""
        result = self.command(command, *arguments)
        assert result.exit_code == 2, result.output
        assert "Traceback" not in result.output
        return result.output

    def json(self, command: str, *arguments: str) -> Any:
        """Return the object that a command prints on one line."""
        output = self.done(command, *arguments, "--json")
        assert output.count("\n") == 1
        return json.loads(output)

    @property
    def digest(self) -> str:
        digest: str = self.json("standings")["digest"]
        return digest

    def start(self, *arguments: str) -> Program:
        """Start to play it, in a process of its own."""
        return Program("croupier", "contest", "run", str(self.file), *arguments, cwd=self.folder)

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Play it in a process of its own; return the exit code and what it printed."""
        return ended(self.start(*arguments))

    def results(self) -> dict[str, MatchResult]:
        """Return the results on record, by the names of their matches."""
        engine = open_store(self.address)
        try:
            rows = contests.all_contests(engine)
            return {
                str(one.result.name): one.result
                for row in rows
                for one in contests.results(engine, row.id)
            }
        finally:
            engine.dispose()

    def breaks(self) -> dict[str, int]:
        """Return how often each match broke."""
        engine = open_store(self.address)
        broken: dict[str, int] = {}
        try:
            for row in contests.all_contests(engine):
                for act in contests.acts(engine, row.id):
                    if act.kind == "broken":
                        broken[act.match] = broken.get(act.match, 0) + 1
        finally:
            engine.dispose()
        return broken

    def records(self) -> dict[str, Any]:
        """Return all that is on record of each match but times, ids and salts."""
        engine = open_store(self.address)
        found: dict[str, Any] = {}
        try:
            (row,) = contests.all_contests(engine)
            with engine.connect() as connection:
                for one in contests.results(engine, row.id):
                    match = connection.execute(
                        select(MATCHES).where(MATCHES.c.id == one.match_id)
                    ).one()
                    hands = connection.execute(
                        select(HANDS.c.number, HANDS.c.events, HANDS.c.state)
                        .where(HANDS.c.match_id == one.match_id)
                        .order_by(HANDS.c.number)
                    ).all()
                    found[str(one.result.name)] = (
                        one.result,
                        one.digest,
                        match.seed,
                        match.place,
                        match.rules,
                        [tuple(hand) for hand in hands],
                    )
                ids = [match[0] for match in connection.execute(select(MATCHES.c.id))]
        finally:
            engine.dispose()
        assert len(ids) == len(found), "records are left of matches that count nothing"
        return found

    def play(self, matches: int | None = None) -> None:
        """Play it at once, in this process: house bots only; all of it, or so many matches."""
        file = read_contest(self.file.read_text("utf-8"), self.folder)
        engine = open_store(file.store)
        writer = Writer(engine, lambda callback: callback())
        row = open_contest(engine, file)
        played: list[ContestResult] = []
        try:
            while matches is None or len(played) < matches:
                course = contests.course_of(engine, row)
                due = next(course.due(), None)
                if due is None:
                    return
                played.append(_play(row, due.name, due.teams, writer))
                writer.write(played[-1], _nothing)
                writer.close()  # stored, before the next one is asked for
                writer = Writer(engine, lambda callback: callback())
        finally:
            writer.close()
            engine.dispose()


def _play(
    row: ContestRow, name: MatchName, teams: tuple[str, ...], writer: Writer
) -> ContestResult:
    plan = with_coefficients(row.plan)
    stage = plan.stage(name.stage)
    known = plan.teams_by_name
    players = (*(Player(team, known[team].bot) for team in teams), *filling(stage, len(teams)))
    seed = set_seed(row.deal_seed, name)
    kept = plan.record == RECORD_HANDS
    twin = twin_of(name, stage)
    task = MatchTask(
        str(name), row.place(name), stage.rules, players, seed, True, kept, "", "", twin=twin
    )
    chance = chance_for(task)
    bots = {n: house_bot(player.bot, chance.bot(n)) for n, player in enumerate(players)}
    sink = _Sink(writer)
    if stage.coefficients:
        lucky = LuckySink(LuckAccount(task.rules, chance), sink if kept else None)
        played = in_process.play(task, bots, lucky)
        lucky.enter(task, played)
        played.match_id = played.match_id if kept else ""
    else:
        played = in_process.play(task, bots, sink if kept else None)
    result = scored(name, teams, stage, played, plan.forfeit_stacks)
    values = contests.result_values(row.id, result, played.digest, played.match_id)
    return ContestResult(values, sink.end)


class _Sink:
    """Keeps the end of a match back, as a coordinator does."""

    waiting = 0

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.end: ResultRecord | None = None

    def write(self, record: Record, acknowledge: Callable[[], None]) -> None:
        if isinstance(record, ResultRecord):
            self.end = record
        else:
            self._writer.write(record, acknowledge)

    def close(self) -> None:
        """Do nothing."""


def _nothing() -> None:
    """Do nothing."""


def ended(program: Program) -> tuple[int, str, str]:
    """Wait for the end of a program; return its exit code and what it printed."""
    assert program.stdout is not None
    assert program.stderr is not None
    try:
        # Both are short: neither pipe is ever full.
        output, errors = program.stdout.read(), program.stderr.read()
        return program.wait(PATIENCE), output, errors
    finally:
        program.kill()
        program.stdout.close()
        program.stderr.close()


@dataclass(frozen=True)
class Passing:
    """A bot that waits at the gate."""

    word: str
    worker: int
    child: int
    connection: socket.socket

    def go(self) -> None:
        """Let it go on."""
        self.connection.close()


class Gate:
    """Where gated bots of a folder announce themselves; once it is closed they just go on."""

    def __init__(self, folder: Path) -> None:
        (folder / "gated.py").write_text(GATED_BOT, "utf-8")
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self._listener.settimeout(PATIENCE)
        self._port = folder / "gate.port"
        self._port.write_text(str(self._listener.getsockname()[1]))

    def next(self) -> Passing:
        """Wait for the next bot."""
        connection, _ = self._listener.accept()
        word, worker, child = connection.recv(100).decode().split()
        return Passing(word, int(worker), int(child), connection)

    def close(self) -> None:
        """Let everyone pass."""
        self._port.unlink(missing_ok=True)
        self._listener.close()

    def __enter__(self) -> "Gate":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
