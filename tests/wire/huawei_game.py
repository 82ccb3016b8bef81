"""Whole `huawei` games without sockets: `python tests/wire/huawei_game.py FILE…` records them.

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

The driver does what the server does: it discards what came before a question, takes only the first
message as the answer, waits for silence, and sends nothing to those who are gone.
"""

import re
import sys
from ast import literal_eval
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from croupier.cards import DECK, parse
from croupier.dialects.base import Illegal
from croupier.dialects.huawei.reader import (
    MAX_UNREAD,
    SILENCE,
    HuaweiReader,
    decide,
    parse_registration,
)
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.match.events import Faulted, MatchEnded, PlayerOut, TimedOut, ToppedUp
from croupier.match.match import INTERVAL, OVER, Match
from croupier.match.view import MatchView
from croupier.rules.events import Asked, Event
from croupier.rules.rules import FIELD_TYPES, Rules
from croupier.rules.sets import named

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


@dataclass
class Seated:
    """A registered player's side of the driver."""

    player: int
    listener: Listener
    reader: HuaweiReader
    connected: bool = True
    flush_at: float | None = None
    stray: int = 0


class Game:
    """A table that is played in no time; `log` is everything that went over the wire."""

    def __init__(self, rules: Rules, size: int, chance: ScriptedChance) -> None:
        self.now = 0.0
        self.log: list[str] = []
        self.sent: dict[str, list[bytes]] = {}
        """The messages to each pid."""
        self.match = Match(rules, size, chance, self.now)
        chance.match = self.match
        self._pids = chance.pids
        self._readers: dict[str, HuaweiReader] = {}
        """Of those who have not registered yet."""
        self._seated: dict[str, Seated] = {}
        self._listeners: dict[int, Listener] = {}
        self._pid_of: dict[int, str] = {}
        self._speaker = HuaweiSpeaker(self._pid_of, self._listeners)
        self._view = MatchView(rules)

    # What players and time do.

    def receive(self, pid: str, data: bytes) -> None:
        """Take bytes of a player, who registers with the first of them."""
        self.log.append(f"{pid} > {shown(data)}")
        seated = self._seated.get(pid)
        if seated is None:
            reader = self._readers.setdefault(pid, HuaweiReader())
            messages = reader.receive(data)
            if messages:
                self._register(pid, messages[0])
            return
        if not seated.connected:
            return
        if self.match.asked != seated.player:
            seated.stray += len(data)
            if seated.stray > MAX_UNREAD:
                self._cut_off(pid, "too much input that nobody asked for")
            return
        messages = seated.reader.receive(data)
        if messages:
            self._answer(pid, messages[0])
        elif seated.reader.overflowed:
            self._cut_off(pid, "an endless message")
        elif seated.reader.pending:
            seated.flush_at = self.now + SILENCE

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        self.log.append(f"({milliseconds} ms)")
        until = round(self.now + milliseconds / 1000, 6)
        for pid, reader in list(self._readers.items()):
            if milliseconds / 1000 >= SILENCE:
                for message in reader.flush():
                    self._register(pid, message)
        while True:
            due = [(s.flush_at, pid) for pid, s in self._seated.items() if s.flush_at is not None]
            if self.match.deadline is not None:
                due.append((self.match.deadline, ""))
            if not due or min(due)[0] > until + 1e-9:
                break
            when, pid = min(due)
            self.now = max(self.now, when)
            if pid:
                self._flush(pid)
            else:
                self._deadline()
        self.now = until

    def leave(self, pid: str) -> None:
        """Take a player's connection away."""
        self.log.append(f"{pid} leaves")
        self._gone(pid)

    # What the server does.

    def _register(self, pid: str, message: bytes) -> None:
        reader = self._readers.pop(pid)
        registration = parse_registration(message)
        if isinstance(registration, Illegal):
            self.log.append(f"# {pid} is refused: {registration.reason}")
            return
        assert registration.pid == pid, "the script's label is the pid"
        # The same reader goes on: the newline of a registration may still be on its way.
        reader.registered = True
        reader.discard()
        listener = Listener(registration.notify, registration.bets)
        seated = Seated(len(self._pids), listener, reader)
        self._seated[pid] = seated
        self._pids.append(pid)
        self._pid_of[seated.player] = pid
        self._listeners[seated.player] = seated.listener
        self.sent[pid] = []
        self._play(self.match.join(registration.name, self.now))

    def _answer(self, pid: str, message: bytes) -> None:
        seated = self._seated[pid]
        seated.reader.discard()
        seated.flush_at = None
        assert self.match.hand is not None
        assert self.match.options is not None
        answer = decide(message, self.match.options, self.match.hand.high)
        if isinstance(answer, Illegal):
            self._play(self.match.illegal(seated.player, answer.reason, self.now))
            return
        if answer.correction:
            self.log.append(f"# {pid}: {answer.correction}")
        self._play(self.match.decide(seated.player, answer.decision, self.now))

    def _flush(self, pid: str) -> None:
        self._seated[pid].flush_at = None
        for message in self._seated[pid].reader.flush():
            self._answer(pid, message)

    def _deadline(self) -> None:
        if self.match.asked >= 0:
            pid = self.asked
            if self._seated[pid].reader.pending:
                self._flush(pid)
                return
        self._play(self.match.tick(self.now))

    def _cut_off(self, pid: str, reason: str) -> None:
        self.log.append(f"# {pid} is cut off: {reason}")
        self._gone(pid)

    def _gone(self, pid: str) -> None:
        seated = self._seated[pid]
        seated.connected = False
        seated.flush_at = None
        self._play(self.match.disconnected(seated.player, self.now))

    def _play(self, events: list[Event]) -> None:
        while events:
            for event in events:
                self._tell(event)
            events = self.match.recorded(self.now) if self.match.phase == INTERVAL else []

    def _tell(self, event: Event) -> None:
        self._view.see(event)
        if isinstance(event, Asked):
            asked = self._seated[self._pid_of[self._view.hand.players[event.seat]]]
            asked.reader.discard()
            asked.stray = 0
            asked.flush_at = None
        self._send(self._speaker.tell(event, self._view))
        if isinstance(event, Asked):
            self.match.start_clock(self.now)
        note = self._note(event)
        if note:
            self.log.append(f"# {note}")

    def _send(self, messages: Iterable[tuple[int, bytes]]) -> None:
        rows: list[tuple[list[str], bytes]] = []
        for player, message in messages:
            pid = self._pid_of[player]
            if not self._seated[pid].connected:
                continue
            self.sent[pid].append(message)
            if rows and rows[-1][1] == message:
                rows[-1][0].append(pid)
            else:
                rows.append(([pid], message))
        for pids, message in rows:
            to = " ".join(sorted(pids))
            for line in message.splitlines(keepends=True):
                self.log.append(f"{to} < {shown(line)}")
                to = " " * len(to)

    def _note(self, event: Event) -> str:
        if isinstance(event, TimedOut):
            pid = self._pid_of[event.player]
            if event.count == self.match.rules.max_timeouts:
                self._seated[pid].connected = False
                return f"{pid}: timeout {event.count}, folded, closed"
            return f"{pid}: timeout {event.count}, folded"
        if isinstance(event, Faulted):
            return f"{self._pid_of[event.player]}: {event.reason}, folded"
        if isinstance(event, ToppedUp):
            return f"{self._pid_of[event.player]}: {event.amount} from money to jetton"
        if isinstance(event, PlayerOut):
            return f"{self._pid_of[event.player]}: out ({event.cause})"
        if isinstance(event, MatchEnded):
            places = [f"{rank}. {self._pid_of[p]} {chips}" for rank, p, chips, _ in event.standings]
            return "result: " + ", ".join(places)
        return ""

    @property
    def over(self) -> bool:
        return self.match.phase == OVER

    @property
    def asked(self) -> str:
        """The pid of the player who is asked."""
        return self._pid_of[self.match.asked]


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
            game.wait(int(match[1]))
        elif match := LEAVES.fullmatch(line):
            game.leave(match[1])
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
