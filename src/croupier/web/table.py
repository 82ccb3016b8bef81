"""A live table: its stage, the newest lines of its log, and messages that are encoded once.

Every event moves `seq` on by one, whether or not something is said of it. The first number comes
from the clock, so that a spectator who comes back to a site that was restarted in the meantime has
a number from before, and is told that lines are missing.
"""

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import structlog

from croupier.match.events import Joined
from croupier.rules.events import Event, HandStarted
from croupier.rules.rules import Rules
from croupier.store.queries import State
from croupier.web import lines, scene
from croupier.web.scene_shapes import (
    Line,
    LineKind,
    NextMatch,
    Scene,
    TableDetail,
    TablePlayer,
    TableSummary,
)
from croupier.web.stage import Stage

log = structlog.get_logger()

RING = 4000
"""Lines that are kept."""

SHOWN = 200
"""Lines that a newcomer gets."""

MAX_MESSAGES = 64
"""Different messages of one moment that are kept. A security limit."""

INTERVAL_S = 0.05
"""Between two messages to a spectator."""

HOUSE = "house"
"""The dialect of those who are there without having come."""

_PER_SECOND = 100_000
_encode = msgspec.json.Encoder().encode


class LiveTable:
    """One table, from match to match."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seats = 0
        self.closed = False
        self.seq = int(time.time()) * _PER_SECOND
        self.stage = Stage(Rules(), "")
        self.hand = 0
        """The number of the last hand that began, or 0."""
        self._lines: deque[Line] = deque()
        self._forgotten = self.seq
        """The number of the newest line that is no longer known."""
        self._ended: Scene | None = None
        """How the last match ended, until somebody comes to the next one."""
        self._scene: Scene | None = None
        self._messages: dict[int, bytes] = {}
        self.ticks = 0
        """How many times there was something new to be sent."""
        self._tick = asyncio.Event()
        self._changed = asyncio.Event()

    # What the feed tells.

    def open(self, match_id: str, rules: Rules, seats: int, players: Sequence[TablePlayer]) -> None:
        """Take in who plays which match here."""
        if match_id != self.stage.match_id:
            self._begin(match_id, rules, seats)
            self._say("match", f"A match of {rules.name} is open, with {seats} seats")
        for name in self._seat(players):
            self._say("match", f"{name} takes a seat")
        self.seq += 1
        self._change()

    def _begin(self, match_id: str, rules: Rules, seats: int) -> None:
        self._ended = self._last_scene()
        self.stage = Stage(rules, match_id, seats)
        self.seats = seats
        self.hand = 0

    def _seat(self, players: Sequence[TablePlayer]) -> list[str]:
        """Let players join, or change their names; return who is new."""
        stage = self.stage
        known = len(stage.view.names)
        for number, player in enumerate(players):
            if number < known:
                stage.rename(number, player.name)
            else:
                stage.join(player.name, player.dialect)
        return stage.view.names[known:]

    def resume(
        self,
        match_id: str,
        rules: Rules,
        players: Sequence[TablePlayer],
        books: State | None,
        online: Sequence[bool],
        *,
        returning: bool,
    ) -> None:
        """Go on with a match after a crash, with its books as far as they may be seen."""
        self._begin(match_id, rules, len(players))
        self._seat(players)
        if books is not None and len(books.players) == len(players):
            self.stage.adopt(books)
        self.stage.resume(online, returning=returning)
        self._say("match", f"The match of {rules.name} was interrupted and goes on")
        self._change()

    def has_missed(self, event: HandStarted) -> bool:
        """Tell whether hands before this one are missing, so that the books are unknown."""
        return event.hand != self.hand + 1

    def saw(self, event: Event, at: float, books: State | None = None) -> None:
        """Take in an event; `books` are those before the hand that it begins, if asked for."""
        stage = self.stage
        if isinstance(event, Joined):
            return
        try:
            if books is not None:
                stage.adopt(books)
            stage.see(event, at)
            told = lines.sentence(stage, event)
        except (LookupError, ValueError):
            # An event that does not fit what was before: part of the feed is missing.
            log.warning("the feed is out of step", table=self.name, event=type(event).__name__)
            self.skipped()
            return
        if isinstance(event, HandStarted):
            self.hand = event.hand
        if told is None:
            self.seq += 1
        else:
            self._say(*told)
        self._change()

    def skipped(self) -> None:
        """Note that events are missing."""
        self.stage.lose_track()
        self.hand = -1
        self._say("gap", "Some events are not shown here; the record has all of them")
        self._change()

    def close(self) -> None:
        """The table is gone."""
        self.closed = True
        self._changed.set()
        self._tick.set()

    def _say(self, kind: LineKind, text: str) -> None:
        self.seq += 1
        self._lines.append(Line(self.seq, text, max(self.stage.view.hand.number, 0), kind))
        if len(self._lines) > RING:
            self._forgotten = self._lines.popleft().seq

    def _change(self) -> None:
        self._scene = None
        self._messages.clear()
        self._changed.set()

    # What is shown.

    @property
    def scene(self) -> Scene:
        """What is to be seen now."""
        if self._scene is None:
            self._scene = self._scene_of_the_end() or scene.draw(self.stage, self.name)
        return self._scene

    def _last_scene(self) -> Scene | None:
        """Return how a match ended that somebody has played."""
        if self.stage.state != "over" or not self.stage.view.standings:
            return None
        return scene.draw(self.stage, self.name)

    def _scene_of_the_end(self) -> Scene | None:
        """Return how the last match ended, while nobody has come to the next one.

        An empty table tells a spectator nothing; who won does.
        """
        stage = self.stage
        if stage.state != "seating" or any(dialect != HOUSE for dialect in stage.dialects):
            self._ended = None
        if self._ended is None:
            return None
        following = NextMatch(stage.match_id, len(stage.accounts), self.seats)
        return msgspec.structs.replace(self._ended, next=following)

    def lines_after(self, seq: int) -> list[Line]:
        """Return the known lines after a number, in order."""
        newest: list[Line] = []
        for line in reversed(self._lines):
            if line.seq <= seq:
                break
            newest.append(line)
        return newest[::-1]

    def lost_after(self, seq: int) -> bool:
        """Tell whether lines after a number are no longer known."""
        return seq < self._forgotten or seq > self.seq

    @property
    def newest_lines(self) -> list[Line]:
        """The last lines."""
        return list(self._lines)[-SHOWN:]

    def detail(self) -> TableDetail:
        """Return the table as it is now."""
        return TableDetail(self.scene, self.seq, self.newest_lines)

    def summary(self) -> TableSummary:
        """Return the table in short."""
        stage = self.stage
        players = map(TablePlayer, stage.view.names, stage.dialects)
        return TableSummary(
            table=self.name,
            match=stage.match_id,
            rules=stage.rules.name,
            seats=self.seats,
            players=list(players),
            hand=max(self.hand, 0),
            state=stage.state,
        )

    def message(self, after: int | None) -> bytes:
        """Return the present scene with the lines after a number, or with the last ones.

        Spectators who are up to date get the same bytes: they are made once for all of them.
        """
        key = -1 if after is None else after
        data = self._messages.get(key)
        if data is None:
            if len(self._messages) > MAX_MESSAGES:
                self._messages.clear()
            data = self._messages[key] = _encode(self._message(after))
        return data

    def _message(self, after: int | None) -> dict[str, Any]:
        told: Iterable[Line] = self.newest_lines if after is None else self.lines_after(after)
        gap = after is not None and self.lost_after(after)
        if gap and after is not None and after > self.seq:
            told = self.newest_lines
        message = {"type": "scene", "seq": self.seq, "scene": self.scene, "lines": told}
        return message | {"gap": True} if gap else message

    # When it is shown.

    async def next_tick(self) -> None:
        """Wait until there is something new to be sent."""
        if not self.closed:
            await self._tick.wait()

    async def beat(self) -> None:
        """Let all spectators send at the same moments, so that they share what is encoded."""
        while not self.closed:
            await self._changed.wait()
            self._changed.clear()
            self.ticks += 1
            self._tick.set()
            self._tick = asyncio.Event()
            await asyncio.sleep(INTERVAL_S)
