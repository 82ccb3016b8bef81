"""Replay recorded `trend` traffic: `python -m tests.wire.replay_trend FILE…`.

A file has one JSON object a line: `{t, to, msg}`, or the message itself, all to one player. Each
round is played again on its own from its `__new_round`, with its stacks, its cards and the actions
that were shown, and the values of every message of the round are compared: the broadcasts to the
first player, and the requests to all. A difference is excused only if it is exactly what one of the
named choices makes of the value. Keys, their order and types are what `compare_trend` looks at; who
is online is not compared, as a round on its own does not know it.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.cards import parse
from croupier.dialects.tokens import token_of
from croupier.dialects.trend.speaker import TrendSpeaker
from croupier.match.events import Joined, MatchStarted
from croupier.match.view import MatchView
from croupier.rules.decisions import ALL_IN, BET, CALL, FOLD, RAISE, Decision, raise_to
from croupier.rules.hand import Hand
from croupier.rules.sets import TREND

BROADCASTS = ("__new_round", "__show_action", "__deal", "__round_end")
REQUESTS = ("__action", "__bet")
NOT_COMPARED = (
    "plainName", "displayName", "isOnline", "isHuman", "tableNumber", "status", "initChips",
    "maxReloadCount",
)  # fmt: skip

CHECKS = "a call of nothing is a check"
COUNTED_AT_ONCE = "a raise is counted in the message that shows it"
NEW_COUNTS = "a round begins with no bets and raises"
BEFORE_RELOADS = "a round ends before chips are reloaded"
FLUSHES = "a flush is ranked by the cards of its suit"
DEALT_OUT = "the streets are dealt to the end when nobody can act"
AWAY = "a player who is away is not asked"

CHOICES = {CHECKS, COUNTED_AT_ONCE, NEW_COUNTS, BEFORE_RELOADS, FLUSHES, DEALT_OUT, AWAY}


@dataclass(frozen=True)
class Message:
    """One message of a round, to the player with this token."""

    to: str
    event: str
    data: dict[str, Any]


@dataclass
class Round:
    """The messages of one round, and the cards that anyone was shown in it."""

    messages: list[Message] = field(default_factory=list)
    hole: dict[str, list[str]] = field(default_factory=dict)

    def add(self, message: Message, to_first: bool) -> None:
        rows = message.data["game" if message.event in REQUESTS else "players"]
        for row in rows["players"] if isinstance(rows, dict) else rows:
            if row.get("cards"):
                self.hole[row["playerName"]] = row["cards"]
        if to_first or message.event in REQUESTS:
            self.messages.append(message)

    @property
    def complete(self) -> bool:
        return self.messages[-1].event == "__round_end"


def rounds_of(lines: list[str]) -> list[Round]:
    """Return the rounds of a recording that are in it from beginning to end."""
    rounds: list[Round] = []
    first = ""
    for line in lines:
        row = json.loads(line)
        event = row.get("msg", row)
        name, data = event["eventName"], event["data"]
        if name not in (*BROADCASTS, *REQUESTS):
            continue
        to = token_of(row["to"]) if "to" in row else ""
        if name == "__new_round":
            first = (
                first or to or next(one["playerName"] for one in data["players"] if one["cards"])
            )
            if to in ("", first):
                rounds.append(Round())
        if rounds:
            rounds[-1].add(Message(to or first, name, data), to in ("", first))
    return [one for one in rounds if one.complete]


class Replay:
    """A round as our engine and our speaker have it."""

    def __init__(self, recorded: Round) -> None:
        start, end = recorded.messages[0].data, recorded.messages[-1].data
        table, rows = start["table"], start["players"]
        dealt = [row for row in rows if row["isSurvive"]]
        small = [row["playerName"] for row in dealt].index(table["smallBlind"]["playerName"])
        seats = dealt[small:] + dealt[:small]
        if len(seats) == 2:  # the button, which is the last seat, posts the small blind
            seats.reverse()
        out = [row for row in rows if not row["isSurvive"]]
        self.tokens = [row["playerName"] for row in seats + out]
        holes = [parse(card) for row in seats for card in recorded.hole[row["playerName"]]]
        rules = TREND.with_fields(
            {
                "small_blind": table["smallBlind"]["amount"],
                "big_blind": table["bigBlind"]["amount"],
            }
        )
        self.hand = Hand(
            rules,
            [row["chips"] + row["bet"] for row in seats],
            holes + [parse(card) for card in end["table"]["board"]],
        )
        self.view = MatchView(rules)
        for player, row in enumerate(seats + out):
            self.view.see(Joined(player, row["playerName"]))
            self.view.stacks[player] = row["chips"]
            self.view.out[player] = not row["isSurvive"]
            self.view.reloads[player] = row["reloadCount"]
        circle = tuple(self.tokens.index(row["playerName"]) for row in rows)
        self.view.see(MatchStarted(circle))
        self.view.rounds = table["roundCount"] - 1

    def act(self, action: dict[str, Any]) -> None:
        """Take an action that was shown; one that nobody was asked for is left to our speaker."""
        hand = self.hand
        added = action.get("amount", 0)
        if hand.over and action["action"] in ("call", "check") and not added:
            return
        assert not hand.over, action
        assert self.tokens[hand.actor] == action["playerName"], action
        hand.act(self._decision(action["action"], hand.bets[hand.actor] + added))

    def _decision(self, word: str, to: int) -> Decision:
        if word == "fold":
            return FOLD
        if to <= self.hand.high:
            return CALL
        return raise_to(to, {"bet": BET, "raise": RAISE, "allin": ALL_IN}[word])

    def messages(self, first: str, asked: set[str]) -> Iterator[Message]:
        """Return the broadcasts to the first player, and the requests to those who are `asked`."""
        tokens = dict(enumerate(self.tokens))
        speaker = TrendSpeaker("1", tokens, list(tokens))
        for event in self.hand.events:
            self.view.see(event)
            for player, text in speaker.tell(event, self.view):
                message = json.loads(text)
                ours = Message(tokens[player], message["eventName"], message["data"])
                if ours.to in (asked if ours.event in REQUESTS else {first}):
                    yield ours


@dataclass
class Report:
    """What a comparison found."""

    rounds: int = 0
    values: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def compare(path: Path) -> Report:
    """Replay all rounds of a file and compare the values of every message."""
    report = Report()
    lines = path.read_text("utf-8").splitlines()
    receivers = {token_of(to) for line in lines if (to := json.loads(line).get("to"))}
    for number, recorded in enumerate(rounds_of(lines), 1):
        report.rounds += 1
        replay = Replay(recorded)
        for message in recorded.messages:
            if message.event == "__show_action":
                replay.act(message.data["action"])
        first = recorded.messages[0].to
        ours = list(replay.messages(first, receivers or {first}))
        difference = compare_round(recorded.messages, ours, report)
        if difference:
            report.differences.append(f"{path.name}, round {number}: {difference}")
    return report


def compare_round(theirs: list[Message], ours: list[Message], report: Report) -> str:
    """Return the first difference that nothing excuses, or an empty text."""
    rest = list(theirs)
    for message in ours:
        other = rest[0] if rest else None
        if other is None or (other.to, other.event) != (message.to, message.event):
            reason = reason_to_be_alone(message, other)
            if not reason:
                return f"recorded {other}, ours {message}"
            report.excused[reason] += 1
            continue
        rest.pop(0)
        known = dict(walk(message.data))
        for place, value in walk(other.data):
            if place not in known or place.rpartition(".")[2] in NOT_COMPARED:
                continue
            if value == known[place]:
                report.values += 1
            elif reason := reason_to_differ(message, other, place):
                report.excused[reason] += 1
            else:
                return f"{message.event}{place}: recorded {value!r}, ours {known[place]!r}"
    return f"recorded as well: {rest[0]}" if rest else ""


def walk(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Return every plain value of a message with its place, cards as one value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(inner, f"{place}.{key}")
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for index, inner in enumerate(value):
            yield from walk(inner, f"{place}[{index}]")
    else:
        yield place, value


def reason_to_be_alone(ours: Message, next_of_theirs: Message | None) -> str:
    """Return the choice by which we send a message that is not in the recording."""
    theirs = next_of_theirs
    if ours.event == "__deal" and theirs is not None and theirs.event == "__round_end":
        return DEALT_OUT
    if ours.event in REQUESTS and theirs is not None and theirs.event == "__show_action":
        (row,) = [row for row in theirs.data["players"] if row["playerName"] == ours.to]
        return "" if row["isOnline"] else AWAY
    return ""


def reason_to_differ(ours: Message, theirs: Message, place: str) -> str:
    """Return the choice by which a value differs from the recorded one."""
    action = theirs.data.get("action", {})
    if place == ".action.action":
        shown = ours.data["action"]["action"]
        return CHECKS if (action["action"], action["amount"], shown) == ("call", 0, "check") else ""
    if place == ".table.raiseCount" and action.get("action") == "raise":
        late = theirs.data["table"]["raiseCount"] + 1 == ours.data["table"]["raiseCount"]
        return COUNTED_AT_ONCE if late else ""
    if place in (".table.raiseCount", ".table.betCount"):
        # A street that only we deal has no bets; a new round has none of the one before.
        reasons = {"__new_round": NEW_COUNTS, "__round_end": DEALT_OUT}
        return "" if ours.data["table"][place[7:]] else reasons.get(ours.event, "")
    if ours.event == "__round_end":
        index = int(place.partition("[")[2].partition("]")[0] or -1)
        row, other = ours.data["players"][index], theirs.data["players"][index]
        if place.endswith(".hand.rank"):
            return FLUSHES if row["hand"]["message"] == "Flush" else ""
        if place.endswith((".chips", ".reloadCount")):
            times = other["reloadCount"] - row["reloadCount"]
            return BEFORE_RELOADS if other["chips"] == row["chips"] + times * 1000 else ""
    return ""


def main(files: list[str]) -> int:
    """Compare files and print what was found."""
    if not files:
        print(__doc__)
        return 2
    failed = False
    for file in files:
        report = compare(Path(file))
        failed |= bool(report.differences)
        print(f"{file}: {report.rounds} rounds, {report.values} values alike")
        for reason, count in report.excused.items():
            print(f"  excused {count} times: {reason}")
        for difference in report.differences:
            print(difference)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
