"""Kill an arena again and again, and see that every bot gets back to its seat.

    python -m soak.kills [--kills 100] [--tables 10] [--between 1.0] [--patience 60]

Ten tables, some of them with players of several protocols, a match of Kuhn poker for each of two
more, and bots that reconnect as `croupier join` does. The server is killed with SIGKILL at a random
moment and started again. After each start every bot has to be asked for a decision within the
patience; otherwise it was left behind, and its name is printed. In the end the server is stopped,
and every match on record is verified. The exit code is 1 if a bot was left behind or a match is not
what was dealt and played.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from croupier.bots import Bot, CallAgent, house_bot
from croupier.client.address import matches_of, parse_address, player_maker
from croupier.client.result import JoinError
from croupier.client.session import Session
from croupier.deals import Stream
from croupier.dialects.registry import DIALECTS
from croupier.rules.decisions import Decision
from croupier.rules.rules import Rules
from croupier.rules.sets import named
from croupier.rules.view import View
from croupier.store import queries
from croupier.store.schema import open_store
from croupier.store.verify import Verifier
from soak.serving import Server, free_ports

AGAIN_S = 0.2
"""Seconds after which a bot that was sent away comes again."""

TABLE = """
[[table]]
name = "t{number}"
number = {number}
rules = "{rules}"
seats = {seats}
minimum = {players}
wait_s = 0
bots = {bots}
dialects = {dialects}
set = {{ hands = 300, decision_ms = 60000 }}
"""
PLAYERS = """
[[player]]
display = "H{number}"
pid = {pid}
table = "t{number}"

[[player]]
display = "T{number}"
private_name = "secret of {number}"
table = "t{number}"
"""


class Counted(Bot):
    """Counts the questions of a bot, and answers them as another one does."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.asked = 0

    def decide(self, view: View) -> Decision:
        self.asked += 1
        return self._bot.decide(view)


@dataclass
class Player:
    """A bot, and how it joins."""

    label: str
    url: str
    name: str
    rules: Rules
    bot: Counted
    seen: int = 0
    """How often it had been asked when the server was started last."""
    refused: int = 0

    async def play(self) -> None:
        """Join, and join again whatever happens."""
        address = parse_address(self.url)
        make = player_maker(address, self.name, self.label, 10**6, self.rules)
        while True:
            games = matches_of(address, 10**6)
            with suppress(OSError):
                try:
                    await Session(self.bot, address, make, games, 0, retry=30).play()
                except JoinError:
                    self.refused += 1
            await asyncio.sleep(AGAIN_S)


def arena(tables: int, ports: dict[str, int]) -> tuple[str, list[Player]]:
    """Return the file of the arena, and everyone who plays there."""
    listen = (f'[[listen]]\ndialect = "{name}"\nport = {port}\n' for name, port in ports.items())
    text = 'store = "arena.db"\ncontrol = "arena.sock"\n' + "".join(listen) + "[kuhn]\n"
    people: list[Player] = []

    def add(label: str, dialect: str, rest: str, name: str, rules: str, bot: Bot) -> None:
        url = f"{dialect}://127.0.0.1:{ports[dialect]}{rest}"
        people.append(Player(label, url, name, named(rules), Counted(bot)))

    for number in range(1, tables + 1):
        if number % 5 == 0:
            text += TABLE.format(
                number=number, rules="acpc-nolimit", seats=2, players=2, bots=[],
                dialects='["acpc"]',
            )  # fmt: skip
            for side in "ab":
                who = f"acpc{number}{side}"
                add(who, "acpc", "", who, "acpc-nolimit", CallAgent())
            continue
        mixed = '["huawei", "trend", "room"]'
        text += TABLE.format(
            number=number, rules="plain", seats=4, players=3, bots='["CallAgent"]', dialects=mixed
        )
        pid = 1000 + number
        text += PLAYERS.format(number=number, pid=pid)
        add(f"huawei{number}", "huawei", f"?pid={pid}", f"h{number}", "plain", CallAgent())
        add(f"trend{number}", "trend", "", f"secret of {number}", "plain", CallAgent())
        version = 1 + number % 2
        room = f"/t{number}?seats=4&version={version}"
        add(f"room{number}", "room", room, f"r{number}", "plain", CallAgent())
    for number in (1, 2):
        nash = house_bot("nash", Stream(bytes(32), f"bot {number}"))
        add(f"kuhn{number}", "kuhn", "", str(7000 + number), "kuhn", nash)
    return text, people


async def everyone_is_asked(people: list[Player], patience: float) -> list[str]:
    """Wait until all have been asked since the start; return who has not, after the patience."""
    deadline = time.monotonic() + patience
    while late := [one.label for one in people if one.bot.asked == one.seen]:
        if time.monotonic() > deadline:
            return late
        await asyncio.sleep(0.02)
    return []


async def soak(
    options: argparse.Namespace, folder: Path, draw: Callable[[], float]
) -> tuple[bool, str]:
    """Kill the server as often as wanted; return whether everyone came back, and the figures."""
    ports = dict(zip(DIALECTS, free_ports(len(DIALECTS)), strict=True))
    text, people = arena(options.tables, ports)
    (folder / "arena.toml").write_text(text)
    server = Server(folder)
    await server.start()
    playing = [asyncio.create_task(one.play()) for one in people]
    waits = []
    late: list[str] = []
    for number in range(options.kills + 1):
        since = time.monotonic()
        late = await everyone_is_asked(people, options.patience)
        if late:
            print(f"left behind after {number} kills: {', '.join(late)}", flush=True)
            break
        if number:
            waits.append(time.monotonic() - since)
        if number == options.kills:
            break
        await asyncio.sleep(options.between * draw())
        await server.kill()
        for one in people:
            one.seen = one.bot.asked
        await server.start()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await server.stop()
    fine = not late
    back = waits or [0.0]
    figures = (
        f"{len(waits)} kills survived, {len(people)} bots of {len(ports)} protocols at"
        f" {options.tables} tables, {len(late)} left behind, asked again after"
        f" {sum(back) / len(back):.2f} s on average and {max(back):.2f} s at most"
    )
    for word in ("Traceback", "internal error"):
        if word in server.log:
            print(f"the server's log has: {word}\n{server.log[-3000:]}")
            fine = False
    return fine, figures


def verify(store: Path) -> tuple[bool, str]:
    """Verify every match on record; return whether all are right, and the figures."""
    engine = open_store(str(store), create=False)
    found = queries.matches(engine)
    hands = voided = wrong = 0
    for match in found:
        verifier = Verifier(engine, match.id)
        for _ in verifier.run():
            pass
        hands += match.hands
        voided += len(verifier.report.voided)
        if not verifier.report.ok:
            wrong += 1
            problems = [check.problems[0] for check in verifier.report.checks if not check.ok]
            print(f"{match.id} at {match.place}: {'; '.join(problems)}")
    engine.dispose()
    return not wrong, (
        f"{len(found)} matches, {hands:,} hands, {voided} of them void; {wrong} matches are wrong"
    )


def main() -> None:
    """Read the options, and kill."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100, help="how often the server is killed")
    parser.add_argument("--tables", type=int, default=10, help="every fifth is one of acpc")
    parser.add_argument("--between", type=float, default=1.0, help="seconds of play, at most")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds to be asked again")
    parser.add_argument("--seed", type=int, default=1, help="for the moments of the kills")
    options = parser.parse_args()
    if options.tables < 5:
        parser.error("--tables: at least 5, so that there is one for every protocol")
    with tempfile.TemporaryDirectory() as folder:
        moments = random.Random(options.seed)
        came_back, figures = asyncio.run(soak(options, Path(folder), moments.random))
        right, recorded = verify(Path(folder) / "arena.db")
    print(f"{figures}; {recorded}")
    sys.exit(not (came_back and right))


if __name__ == "__main__":
    main()
