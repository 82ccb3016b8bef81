"""Whole `huawei` games without sockets: `python -m tests.wire.huawei_game FILE…` records them.

A file has a head, which sets the table, and after `---` everything that goes over the wire, in
order:

    1001 > reg: 1001 alice \\n      bytes of a player
    1001 1002 < seat/ \\n           a message to these players; its further lines stand below
    (500 ms)                       time passes
    1002 leaves                    his connection is gone
    # 1002: timeout 1, folded      what the server makes of it

The lines of players and of time are the script; playing it has to bring back the whole file, byte
for byte. Recording rewrites the file with what comes out, which is then read and compared with the
protocol by eye.
"""

import re
import sys
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from croupier.cards import DECK, parse
from croupier.dialects.base import Answer, Illegal
from croupier.dialects.huawei.words import NAME
from croupier.dialects.roster import Place
from croupier.dialects.session import Flood, Hello, Said, Wrong
from croupier.match.events import Faulted, MatchEnded, PlayerOut, TimedOut, ToppedUp
from croupier.match.match import OVER, Match
from croupier.rules.events import Event
from croupier.rules.rules import FIELD_TYPES, Rules
from croupier.rules.sets import named
from tests.support.referee import Connection, Referee

FOLDER = Path(__file__).parent / "huawei"
HEAD = re.compile(r"(rules|seats|hand \d+:) +(.*)")
PLAYER = re.compile(r"(\d+) > (.*)")
TIME = re.compile(r"\((\d+) ms\)")
LEAVES = re.compile(r"(\d+) leaves")


@dataclass
class ScriptedChance:
    """Cards and seats as a script names them; cards that it does not name are the lowest unused."""

    pids: list[str] = field(default_factory=list)
    """Of the players, in the order in which they joined."""
    order: list[str] = field(default_factory=list)
    """The pids of the first hand's seats, the small blind first and the button last."""
    dealt: dict[int, dict[str, list[int]]] = field(default_factory=dict)
    """The cards of each pid, and of the board, in each hand."""
    match: Match | None = None

    def seats(self, players: int) -> list[int]:
        return [self.pids.index(pid) for pid in self.order if pid in self.pids]

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        assert self.match is not None
        named = self.dealt.get(hand, {})
        used = {card for cards in named.values() for card in cards}
        spare = [card for card in deck if card not in used]
        row = []
        for who, size in [*((self.pids[p], 2) for p in self.match.order), ("board", 5)]:
            cards = named.get(who, [])
            row += cards + [spare.pop(0) for _ in range(size - len(cards))]
        assert len(row) == count
        return row


class Game(Referee):
    """A table that is played in no time; `log` is everything that went over the wire."""

    def __init__(self, rules: Rules, size: int, chance: ScriptedChance) -> None:
        super().__init__(rules, size, chance)
        chance.match = self.match
        self.log: list[str] = []
        self._pids = chance.pids
        self._links: dict[str, Connection] = {}

    # What players and time do.

    def receive(self, pid: str, data: bytes) -> None:
        """Take bytes of a player, who registers with the first of them."""
        self.log.append(f"{pid} > {shown(data)}")
        link = self._links.get(pid)
        if link is None or (link.closed and not link.seated):
            link = self._links[pid] = self.connect(NAME)
        link.receive(data)

    def pause(self, milliseconds: int) -> None:
        """Let time pass."""
        self.log.append(f"({milliseconds} ms)")
        self.wait(milliseconds / 1000)

    def hang_up(self, pid: str) -> None:
        """Take a player's connection away."""
        self.log.append(f"{pid} leaves")
        self.leave(self._pids.index(pid))

    # What the server does.

    def place_of(self, hello: Hello) -> Place:
        assert hello.place.pid is not None
        assert hello.place.pid in self._links, "the script's label is the pid"
        self._pids.append(hello.place.pid)
        return hello.place

    def said(self, connection: Connection, item: Said) -> None:
        (pid,) = (pid for pid, link in self._links.items() if link is connection)
        if isinstance(item, Wrong):
            self.log.append(f"# {pid} is refused: {item.farewell.reason}")
        elif isinstance(item, Flood):
            self.log.append(f"# {pid} is cut off: {item.reason}")
        super().said(connection, item)

    def answered(self, player: int, answer: Answer | Illegal) -> None:
        if isinstance(answer, Answer) and answer.correction:
            self.log.append(f"# {self._pids[player]}: {answer.correction}")
        super().answered(player, answer)

    def told(self, event: Event, messages: list[tuple[int, bytes]]) -> None:
        super().told(event, messages)
        rows: list[tuple[list[str], bytes]] = []
        for player, message in messages:
            if rows and rows[-1][1] == message:
                rows[-1][0].append(self._pids[player])
            else:
                rows.append(([self._pids[player]], message))
        for pids, message in rows:
            to = " ".join(sorted(pids))
            for line in message.splitlines(keepends=True):
                self.log.append(f"{to} < {shown(line)}")
                to = " " * len(to)
        note = self._note(event)
        if note:
            self.log.append(f"# {note}")

    def _note(self, event: Event) -> str:
        if isinstance(event, TimedOut):
            closed = ", closed" if event.count == self.match.rules.max_timeouts else ""
            return f"{self._pids[event.player]}: timeout {event.count}, folded{closed}"
        if isinstance(event, Faulted):
            return f"{self._pids[event.player]}: {event.reason}, folded"
        if isinstance(event, ToppedUp):
            return f"{self._pids[event.player]}: {event.amount} from money to jetton"
        if isinstance(event, PlayerOut):
            return f"{self._pids[event.player]}: out ({event.cause})"
        if isinstance(event, MatchEnded):
            places = [f"{rank}. {self._pids[p]} {chips}" for rank, p, chips, _ in event.standings]
            return "result: " + ", ".join(places)
        return ""

    def messages_to(self, pid: str) -> list[bytes]:
        return self.sent[self._pids.index(pid)]

    @property
    def over(self) -> bool:
        return self.match.phase == OVER

    @property
    def asked(self) -> str:
        """The pid of the player who is asked."""
        return self._pids[self.match.asked]


def shown(data: bytes) -> str:
    """Return bytes as a line of text that no editor changes."""
    text = repr(data)[2:-1].replace("\\'", "'")
    return text[:-1] + "\\x20" if text.endswith(" ") else text


def meant(text: str) -> bytes:
    """Return the bytes that a line of text shows."""
    data = literal_eval('b"' + text.replace('"', '\\"') + '"')
    assert isinstance(data, bytes)
    return data


def table(head: str) -> Game:
    """Return the game that the head of a file describes."""
    chance = ScriptedChance()
    rules = named("huawei")
    for line in head.splitlines():
        match = HEAD.fullmatch(line)
        if match is None:
            continue  # prose
        what, rest = match.groups()
        if what == "rules":
            name, *settings = rest.split()
            values = dict(setting.split("=") for setting in settings)
            rules = named(name).with_fields({k: FIELD_TYPES[k](v) for k, v in values.items()})
        elif what == "seats":
            chance.order = rest.split()
        else:
            rows = [part.split() for part in rest.split(",")]
            hand = int(what.strip("hand :"))
            chance.dealt[hand] = {row[0]: [parse(card) for card in row[1:]] for row in rows}
    for dealt in chance.dealt.values():
        cards = [card for row in dealt.values() for card in row]
        assert len(cards) == len(set(cards))
        assert set(cards) <= set(DECK)
    return Game(rules, len(chance.order), chance)


def replayed(text: str) -> tuple[str, Game]:
    """Play the script that a file contains; return the file as it comes out, and the game."""
    head, rule, body = text.partition("---\n")
    assert rule, "a file has a head and a body with --- between them"
    game = table(head)
    for line in body.splitlines():
        if match := PLAYER.fullmatch(line):
            game.receive(match[1], meant(match[2]))
        elif match := TIME.fullmatch(line):
            game.pause(int(match[1]))
        elif match := LEAVES.fullmatch(line):
            game.hang_up(match[1])
    return head + rule + "\n".join(game.log) + "\n", game


def main(files: list[str]) -> int:
    """Record games."""
    for name in files:
        path = Path(name)
        text, game = replayed(path.read_text("ascii"))
        path.write_text(text, "ascii")
        print(f"{name}: {game.match.played} hands{'' if game.over else ', not over'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
