"""Recorded traffic of the original servers, as scripts for a server and decisions for a bot.

The recordings are not part of this repository; tests that need them are skipped without them.
"""

import json
import re
from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.bots import Bot
from croupier.dialects.base import Answer
from croupier.dialects.huawei import reader as huawei
from croupier.dialects.kuhn.decisions import decide as decide_kuhn
from croupier.dialects.kuhn.messages import Action
from croupier.dialects.room import reader as room
from croupier.dialects.room.frames import frame
from croupier.dialects.tokens import token_of
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.view import View
from tests.client.servers import HEAR, Line

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "captures"


@dataclass
class Recording:
    """One connection: what the server said and when it was answered."""

    path: Path
    who: str
    script: list[Line] = field(default_factory=list)
    answers: list[bytes] = field(default_factory=list)
    """What the recorded program said when it was asked."""
    complete: bool = False
    """The server told the end of the match."""
    settings: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.path.parent.name}-{self.path.stem}-{self.who}"[-60:]


def huawei_recordings() -> Iterator[Recording]:
    for path in sorted((RECORDED / "huawei").glob("*/p*.events")):
        found = Recording(path, path.stem[1:], [HEAR])
        spoken = False
        for line in path.read_text("ascii").splitlines():
            match = re.match(r"[\d.]+ ([<>]) (b['\"].*)$", line)
            if match is None:
                continue
            data: bytes = literal_eval(match.group(2))
            if match.group(1) == "<":
                found.script += _up_to_questions(data)
            elif spoken:
                found.answers.append(data)
            spoken = True
        found.complete = bool(found.script) and found.script[-1] == b"game-over \n"
        yield found


def _up_to_questions(data: bytes) -> Iterator[Line]:
    """Cut what was sent at once after each question, which is to be answered first."""
    end = b"/inquire \n"
    *asked, rest = data.split(end)
    for part in asked:
        yield part + end
        yield HEAR
    parts = rest.split(b"game-over \n")
    if parts[0]:
        yield parts[0]
    if len(parts) > 1:
        yield b"game-over \n"


def trend_recordings() -> Iterator[Recording]:
    for path in sorted((RECORDED / "trend").glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for who in sorted({row["to"] for row in rows if "to" in row}):
            messages = [row["msg"] for row in rows if row.get("to") == who]
            # Who left and came back was recorded as one; a connection ends where he left.
            found = Recording(path, who, [HEAR])
            asked = False
            for message in messages:
                name, data = message["eventName"], message["data"]
                if name == "__show_action" and asked:
                    action = data["action"]
                    if action["playerName"] == token_of(who):
                        found.answers.append(json.dumps(action).encode())
                        asked = False
                if name in ("__new_peer", "__game_over") and asked:
                    asked = False
                found.script.append(json.dumps(message).encode())
                if name in ("__action", "__bet"):
                    found.script.append(HEAR)
                    asked = True
                found.complete = found.complete or name == "__game_over"
            yield found


def room_recordings() -> Iterator[Recording]:
    for path in sorted((RECORDED / "room").glob("*.log")):
        connections: dict[str, Recording] = {}
        for line in path.read_text("utf-8").splitlines():
            match = re.match(r"\s*[\d.]+ (conn\d+) (C->S|S->C) len=\S+ (\{.*)", line)
            if match is None:
                continue
            name, way, text = match.groups()
            message: dict[str, Any] = json.loads(text)
            found = connections.get(name)
            if found is None:
                found = connections[name] = Recording(path, name)
                found.settings = {
                    "info": str(message.get("info")),
                    "version": "2" if "game_number" in message else "1",
                    "seats": str(message.get("room_number", 2)),
                }
            if way == "C->S":
                found.script.append(HEAR)
                if "action" in message:
                    found.answers.append(text.encode())
            else:
                found.script.append(frame(text))
                found.complete = message["info"] in ("success", "result")
        yield from (r for r in connections.values() if r.settings["info"] == "connect")


def kuhn_recordings() -> Iterator[Recording]:
    for path in sorted((RECORDED / "kuhn").glob("*.raw.log")):
        pieces = re.findall(r"conn1 (C->S|S->C) .*\| (b.*)", path.read_text("ascii"))
        found = Recording(path, "binary")
        # Runs of bytes in one direction; the recorded program repeats STRT before every hand.
        joined: list[tuple[str, bytes]] = []
        for way, text in pieces:
            data: bytes = literal_eval(text)
            if joined and joined[-1][0] == way:
                joined[-1] = way, joined[-1][1] + data
            else:
                joined.append((way, data))
        repeated = False
        for index, (way, data) in enumerate(joined):
            if way == "C->S":
                repeated = data.startswith(b"STRT") and index > 0
                if not repeated:
                    found.script.append(HEAR)
                if data[:4] in (b"CHCK", b"BET_", b"CALL", b"FOLD"):
                    found.answers.append(data[:4])
            elif not repeated:
                found.script.append(data)
        found.complete = True
        yield found


class Recorded(Bot):
    """A bot that decides as the recorded program did."""

    def __init__(self, dialect: str, recording: Recording) -> None:
        self._dialect = dialect
        self._answers = iter(recording.answers)

    def decide(self, view: View) -> Decision:
        options = view.options
        assert options is not None
        answer = next(self._answers, b"")
        if self._dialect == "huawei":
            meaning: Any = huawei.decide(answer.strip(b" \n\0"), options, view.high)
        elif self._dialect == "room":
            meaning = room.decide(
                json.loads(answer or b"{}"), room.V2, options, view.high, view.pot
            )
        elif self._dialect == "kuhn":
            meaning = decide_kuhn(Action(answer.decode("ascii")), options)
        else:
            return self._shown(json.loads(answer or b"{}"), view)
        decision = meaning.decision if isinstance(meaning, Answer) else FOLD
        return FOLD if options.fault(decision) else decision

    def _shown(self, action: dict[str, Any], view: View) -> Decision:
        """Return the decision whose effect was shown."""
        options = view.options
        assert options is not None
        if action.get("action") in (None, "fold"):
            return FOLD
        to = view.bets[view.seat] + action.get("amount", 0)
        if to <= view.high or not options.can_raise:
            return CALL
        return raise_to(max(options.min_to, min(to, options.max_to)))
