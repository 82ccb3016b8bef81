"""Replay recorded `acpc` traffic: `python -m tests.wire.replay_acpc FILE…`.

A file holds the conversations of the players of one match, and the dealer's log:

       0.004334 2 > MATCHSTATE:1:0::|Td4d:c\\r\\n
       0.004461 1 < MATCHSTATE:0:0:c:8dJd|\\r\\n

The match is played again through sessions, match and speaker, with the cards that were seen (the
others are any unused ones) and with every byte that a player sent, when it was sent. What each seat
is sent has to be the same, byte for byte, and so have the STATE and SCORE lines. A difference is
excused only by one of the named choices.
"""

import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from croupier.cards import parse_many
from croupier.dialects.acpc.log import score_line, state_line
from croupier.match.match import OVER
from croupier.rules.events import HAND_EVENTS, Event, HandEnded, HandStarted
from croupier.rules.rules import Rules
from croupier.rules.sets import (
    ACPC_KUHN2,
    ACPC_KUHN3,
    ACPC_LEDUC,
    ACPC_LEDUC_NOLIMIT,
    ACPC_LIMIT,
    ACPC_NOLIMIT,
)
from tests.support.referee import Connection, Referee

PLAYED_ON = "for a late or lost player the hand is played to its end"
OTHER_VERSION = "a version other than 2 is refused"
FIXED = "the button always moves"
WHOLE_CHIPS = "odd chips go left of the button"

CHOICES = {PLAYED_ON, OTHER_VERSION, FIXED, WHOLE_CHIPS}

GAMES = {
    "holdem.limit": ACPC_LIMIT,
    "holdem.nolimit": ACPC_NOLIMIT,
    "kuhn.limit.2p": ACPC_KUHN2,
    "kuhn.limit.3p": ACPC_KUHN3,
    "leduc.limit": ACPC_LEDUC,
    "leduc": ACPC_LEDUC_NOLIMIT,
}
OPTIONS = {"--t_response": "decision_ms", "--t_hand": "hand_ms", "--t_per_hand": "average_ms"}
HEAD = re.compile(r"# game (\S+)  hands (\d+)  seed \d+  options \[(.*)\]  names (\S+)")
LINE = re.compile(r" *([\d.]+) (\d+) ([<>])(\|?) ?(.*)")
STATE = re.compile(r"MATCHSTATE:(\d+):(\d+):[^:]*:([^:\r\n]*)\r\n")
ESCAPED = re.compile(r"\\(r|n|\\|x[0-9a-f]{2})")


def unescape(text: str) -> bytes:
    """Return the bytes of a recorded line."""

    def one(match: re.Match[str]) -> str:
        word = match[1]
        return chr(int(word[1:], 16)) if word[0] == "x" else {"r": "\r", "n": "\n"}.get(word, "\\")

    return ESCAPED.sub(one, text).encode("latin-1")


@dataclass
class Recording:
    """One match."""

    rules: Rules
    options: str
    names: list[str]
    finished: bool
    """Whether the dealer ended the match in order."""
    said: list[tuple[float, int, bytes | None]] = field(default_factory=list)
    """When a player, from 0, said what; None: it closed its connection."""
    sent: dict[int, bytes] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)


def read(path: Path) -> Recording:
    """Read a file."""
    text = path.read_text("latin-1")
    head, status = HEAD.search(text), re.search(r"^# dealer exit status (\S+)", text, re.M)
    assert head is not None, path
    assert status is not None, path
    game = next(rules for name, rules in GAMES.items() if head[1].startswith(name))
    words = head[3].replace(",", " ").split()
    times = {
        OPTIONS[key]: int(value)
        for key, value in zip(words[::2], words[1::2], strict=False)
        if key in OPTIONS
    }
    rules = game.with_fields({"hands": int(head[2])} | times)
    recording = Recording(rules, head[3], head[4].split("|"), status[1] == "0")
    for line in text.splitlines():
        match = LINE.fullmatch(line)
        if match is None:
            continue
        player = int(match[2]) - 1
        if match[3] == ">":
            data = None if match[4] else unescape(match[5])
            recording.said.append((float(match[1]), player, data))
        elif not match[4]:
            recording.sent[player] = recording.sent.get(player, b"") + unescape(match[5])
    log = text.partition("## dealer log file")[2].splitlines()
    recording.log = [line for line in log if line.startswith(("STATE:", "SCORE:"))]
    return recording


class SeenCards:
    """Deals the cards that were seen in a recording, and any others where none were."""

    def __init__(self, recording: Recording) -> None:
        self._hole: dict[tuple[int, int], list[int]] = {}
        self._board: dict[int, list[int]] = {}
        self._size = len(recording.names)
        self._each = recording.rules.hole_cards
        for sent in recording.sent.values():
            for _, hand, cards in STATE.findall(sent.decode("latin-1")):
                *fields, last = cards.split("|")
                fields += [last.partition("/")[0]]
                board = parse_many(last.partition("/")[2].replace("/", ""))
                for position, field_ in enumerate(fields):
                    if field_:
                        self._hole[int(hand), position] = parse_many(field_)
                if len(board) >= len(self._board.get(int(hand), [])):
                    self._board[int(hand)] = board
        for line in recording.log:
            if line.startswith("STATE:"):
                _, hand, _, cards, _, _ = line.split(":")
                for position, field_ in enumerate(cards.partition("/")[0].split("|")):
                    self._hole[int(hand), position] = parse_many(field_)

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        number, board = hand - 1, self._board.get(hand - 1, [])
        seen = [self._hole.get((number, position)) for position in range(self._size)]
        used = {card for hole in seen if hole for card in hole} | set(board)
        rest = [card for card in deck if card not in used]
        dealt: list[int] = []
        for hole in seen:
            dealt += hole or [rest.pop() for _ in range(self._each)]
        return (dealt + board + rest)[:count]

    def seats(self, players: int) -> list[int]:
        raise AssertionError("seats are in order of arrival")


@dataclass
class Report:
    """What was compared; `differences` is empty if everything is explained."""

    states: int = 0
    lines: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def replayed(recording: Recording) -> tuple[Referee, list[Connection]]:
    """Play a match again, with what its players said."""
    size = len(recording.names)
    referee = Referee(recording.rules, size, SeenCards(recording))
    connections = [referee.connect("acpc") for _ in range(size)]
    for when, player, data in _in_seat_order(recording):
        if when > referee.now:
            referee.wait(when - referee.now)
        connection = connections[player]
        if data is None:
            if connection.seated:
                referee.leave(connection.player)
        else:
            connection.receive(data)
    return referee, connections


def _in_seat_order(recording: Recording) -> list[tuple[float, int, bytes | None]]:
    """Return what was said; the dealer read the first lines in the order of the seats."""
    firsts = [
        next((said for said in recording.said if said[1] == player and said[2]), None)
        for player in range(len(recording.names))
    ]
    rest = [said for said in recording.said if said not in firsts]
    return [said for said in firsts if said is not None] + rest


def compare(path: Path) -> Report:
    """Replay a file and compare what every seat is sent, and the log."""
    recording = read(path)
    referee, connections = replayed(recording)
    report = Report()
    for player, name in enumerate(recording.names):
        theirs = recording.sent.get(player, b"")
        seated = connections[player].player
        ours = b"".join(referee.sent[seated]) if connections[player].seated else b""
        report.states += theirs.count(b"\n")
        if ours != theirs:
            choice = _choice(recording, referee, connections, theirs, ours)
            if choice:
                report.excused[choice] += 1
            else:
                report.differences.append(f"{name}: {_first_difference(theirs, ours)}")
    _compare_log(recording, referee, report)
    return report


def _choice(
    recording: Recording,
    referee: Referee,
    connections: list[Connection],
    theirs: bytes,
    ours: bytes,
) -> str:
    """Return the choice that explains why a seat is sent something else."""
    refused = [one.closed and not one.seated for one in connections]
    if any(refused) and not ours:
        return OTHER_VERSION
    if "-f" in recording.options.split():
        hand = theirs.partition(b":1::")[0]
        return FIXED if ours.startswith(hand[: hand.rfind(b"\n") + 1]) else ""
    broken = referee.match.broken is not None
    if broken and not recording.finished:
        gone = any(data is None for _, _, data in recording.said)
        if ours.startswith(theirs) or (gone and theirs.startswith(ours)):
            return PLAYED_ON
    return ""


def _first_difference(theirs: bytes, ours: bytes) -> str:
    for number, (a, b) in enumerate(zip(theirs.split(b"\n"), ours.split(b"\n"), strict=False)):
        if a != b:
            return f"state {number + 1}: {a!r} recorded, {b!r} from us"
    return f"{theirs.count(10)} states recorded, {ours.count(10)} from us"


def _compare_log(recording: Recording, referee: Referee, report: Report) -> None:
    if report.excused or "-f" in recording.options.split():
        return
    theirs = recording.log
    for mine, line in zip(our_log(recording, referee), theirs, strict=False):
        report.lines += 1
        if mine == line + "\n":
            continue
        if _odd_chips(line, mine.strip(), report.excused[WHOLE_CHIPS]):
            report.excused[WHOLE_CHIPS] += 1
        else:
            report.differences.append(f"log: {line} recorded, {mine.strip()} from us")
    if report.lines != len(theirs):
        report.differences.append(f"{len(theirs)} lines recorded, {report.lines} from us")


def _odd_chips(theirs: str, ours: str, so_far: int) -> bool:
    """Tell whether two lines differ by half chips alone, those of `so_far` hands in the totals."""
    one, other = theirs.split(":"), ours.split(":")
    limit = 1 if one[0] == "STATE" else so_far + 1
    chips = zip(one.pop(-2).split("|"), other.pop(-2).split("|"), strict=True)
    return one == other and all(abs(float(a) - float(b)) < limit for a, b in chips)


def our_log(recording: Recording, referee: Referee) -> list[str]:
    """Return the log as we write it."""
    lines: list[str] = []
    events: list[Event] = []
    totals = [0] * len(recording.names)
    players: tuple[int, ...] = ()
    begun: tuple[int, ...] = ()
    for event in referee.events:
        if isinstance(event, HandStarted):
            events, players, begun = [], event.players, event.stacks
        if isinstance(event, Event) and begun:
            events.append(event)
        if isinstance(event, HandEnded):
            hand = [one for one in events if type(one) in HAND_EVENTS]
            lines.append(state_line(recording.rules, hand, recording.names))
            for player, before, after in zip(players, begun, event.stacks, strict=True):
                totals[player] += after - before
    if referee.match.phase is OVER and referee.match.broken is None:
        lines.append(score_line(totals, recording.names))
    return lines


def main(arguments: Sequence[str]) -> int:
    """Compare files and say what differs."""
    if not arguments:
        print(__doc__)
        return 2
    failed = 0
    for name in arguments:
        report = compare(Path(name))
        excused = "".join(f"; {count} × {choice}" for choice, count in report.excused.items())
        print(f"{name}: {report.states} states, {report.lines} lines of log{excused}")
        for difference in report.differences[:10]:
            print(f"  {difference}")
        failed |= bool(report.differences)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
