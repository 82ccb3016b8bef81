"""A live table: its public match, the newest lines of its log, and shared encoded messages.

Every event increments `seq`, whether or not it adds a line. The first number comes from the clock,
so that a spectator who reconnects after the site was restarted has a lower number and is told that
lines are missing.
"""

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import structlog

from croupier.history.sentences import takes_a_seat
from croupier.match.events import Joined
from croupier.rules.events import Event, HandStarted
from croupier.rules.rules import Rules
from croupier.rules.view import View
from croupier.store.queries import State
from croupier.web.live import scene
from croupier.web.live.public_match import PublicMatch
from croupier.web.live.schemas import (
    Bound,
    Line,
    LineKind,
    NextMatch,
    Scene,
    TableDetail,
    TablePlayer,
    TableSummary,
    Terms,
)

log = structlog.get_logger()

MAX_LINES = 4000
"""The number of lines kept."""

NEWCOMER_LINES = 200
"""The number of lines that a new spectator gets."""

MAX_MESSAGES = 64
"""The number of different messages cached for one state of the table. A security limit."""

INTERVAL_S = 0.05
"""The minimum time between two messages to a spectator."""

FAST_S = 0.4
"""The same at a table where things happen faster than that: the page draws no oftener, so more
messages would only be work for a spectator's machine."""

HOUSE = "house"
"""The dialect of the house's own bots, which are seated without connecting."""

_PER_SECOND = 100_000
_encode = msgspec.json.Encoder().encode


def _is_all_in(hand: View) -> bool:
    return any(
        not folded and not stack for folded, stack in zip(hand.folded, hand.stacks, strict=True)
    )


class LiveTable:
    """One table, across its matches."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seats = 0
        self.humans = False
        """People may sit down here."""
        self.bound = Bound()
        self.closed = False
        self.seq = int(time.time()) * _PER_SECOND
        self.public = PublicMatch(Rules(), "")
        self.hand = 0
        """The number of the last hand that started, 0 before the first, -1 after a gap."""
        self._lines: deque[Line] = deque()
        self._forgotten = self.seq
        """The `seq` of the newest line that was discarded."""
        self._ended: Scene | None = None
        """The final scene of the last match, shown until a player joins the next one."""
        self._scene: Scene | None = None
        self._messages: dict[int, bytes] = {}
        self.ticks = 0
        """The number of times that spectators were woken to send something new."""
        self._tick = asyncio.Event()
        self._changed = asyncio.Event()

    # Input from the feed.

    def open(self, match_id: str, rules: Rules, seats: int, players: Sequence[TablePlayer]) -> None:
        """Update the match and the players at this table."""
        if match_id != self.public.match_id:
            self._begin(match_id, rules, seats)
            self._say("match", f"A match of {rules.name} is open, with {seats} seats")
        for name in self._seat(players):
            self._say(*takes_a_seat(name))
        self.seq += 1
        self._change()

    def _begin(self, match_id: str, rules: Rules, seats: int) -> None:
        self._ended = self._last_scene()
        self.public = PublicMatch(rules, match_id, seats)
        self.seats = seats
        self.hand = 0

    def _seat(self, players: Sequence[TablePlayer]) -> list[str]:
        """Add new players and update names; return the names of the new ones."""
        public = self.public
        known = len(public.view.names)
        for number, player in enumerate(players):
            if number < known:
                public.rename(number, player.name)
            else:
                public.join(player.name, player.dialect)
        return public.view.names[known:]

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
        """Resume a match after a crash, with the newest visible books."""
        self._begin(match_id, rules, len(players))
        self._seat(players)
        if books is not None and len(books.players) == len(players):
            self.public.adopt(books)
        self.public.resume(online, returning=returning)
        self._say("match", f"The match of {rules.name} was interrupted and goes on")
        self._change()

    def has_missed(self, event: HandStarted) -> bool:
        """Tell whether hands before this one were missed, so that the books are unknown."""
        return event.hand != self.hand + 1

    def see(self, event: Event, at: float, books: State | None = None) -> None:
        """Apply an event; `books` are those before the hand that it starts, if needed."""
        public = self.public
        if isinstance(event, Joined):
            return
        try:
            if books is not None:
                public.adopt(books)
            public.see(event, at)
            told = public.sentence(event)
        except (LookupError, ValueError):
            # The event does not fit what came before, so part of the feed is missing.
            log.warning("the feed is out of step", table=self.name, got=type(event).__name__)
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
        """Mark a gap: events are missing."""
        self.public.lose_track()
        self.hand = -1
        self._say("gap", "Some events are not shown here; the record has all of them")
        self._change()

    def close(self) -> None:
        """Mark the table as closed and wake all spectators."""
        self.closed = True
        self._changed.set()
        self._tick.set()

    def _say(self, kind: LineKind, text: str) -> None:
        self.seq += 1
        self._lines.append(Line(self.seq, text, max(self.public.view.hand.number, 0), kind))
        if len(self._lines) > MAX_LINES:
            self._forgotten = self._lines.popleft().seq

    def _change(self) -> None:
        self._scene = None
        self._messages.clear()
        self._changed.set()

    # Output.

    @property
    def scene(self) -> Scene:
        """The current scene."""
        if self._scene is None:
            self._scene = self._final_scene() or scene.draw(self.public, self.name)
        return self._scene

    def _last_scene(self) -> Scene | None:
        """Return the final scene of the current match, if it was played to its end."""
        if self.public.state != "over" or not self.public.view.standings:
            return None
        return scene.draw(self.public, self.name)

    def _final_scene(self) -> Scene | None:
        """Return the final scene of the last match until a player joins the next one.

        It tells a spectator more than an empty table would.
        """
        public = self.public
        if public.state != "seating" or any(dialect != HOUSE for dialect in public.dialects):
            self._ended = None
        if self._ended is None:
            return None
        following = NextMatch(public.match_id, len(public.accounts), self.seats)
        return msgspec.structs.replace(self._ended, next=following)

    def lines_after(self, seq: int) -> list[Line]:
        """Return the kept lines after `seq`, in order."""
        newest: list[Line] = []
        for line in reversed(self._lines):
            if line.seq <= seq:
                break
            newest.append(line)
        return newest[::-1]

    def lost_after(self, seq: int) -> bool:
        """Tell whether lines after `seq` have been discarded."""
        return seq < self._forgotten or seq > self.seq

    @property
    def newest_lines(self) -> list[Line]:
        """The last lines, as many as a new spectator gets."""
        return list(self._lines)[-NEWCOMER_LINES:]

    def detail(self) -> TableDetail:
        """Return the current state of the table with its last lines."""
        rules = self.public.rules
        return TableDetail(
            scene=self.scene,
            seq=self.seq,
            lines=self.newest_lines,
            bound=self.bound,
            summary=self.summary(),
            terms=Terms(
                hands=rules.hands,
                stack=rules.stack,
                small_blind=rules.small_blind,
                big_blind=rules.big_blind,
                decision_ms=rules.decision_ms,
                human_ms=rules.human_ms,
            ),
        )

    def summary(self) -> TableSummary:
        """Return the summary of the table."""
        public = self.public
        players = map(TablePlayer, public.view.names, public.dialects)
        hand = public.view.hand
        playing = public.dealt and not hand.over
        return TableSummary(
            table=self.name,
            match=public.match_id,
            rules=public.rules.name,
            seats=self.seats,
            players=list(players),
            hand=max(self.hand, 0),
            state=public.state,
            humans=self.humans,
            free=self.seats - len(public.accounts) if public.state == "seating" else 0,
            pot=sum(hand.put) if playing else 0,
            big_blind=hand.big_blind if playing else public.rules.big_blind,
            all_in=playing and _is_all_in(hand),
        )

    def message(self, after: int | None) -> bytes:
        """Return the current scene with the lines after `after`, or with the last ones.

        Spectators that are up to date share the same bytes, encoded once.
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

    # Timing.

    async def next_tick(self) -> None:
        """Wait until there is something new to send."""
        if not self.closed:
            await self._tick.wait()

    async def run_ticks(self) -> None:
        """Wake all spectators at the same moments, so that they share encoded messages."""
        loop = asyncio.get_running_loop()
        last = -FAST_S
        while not self.closed:
            await self._changed.wait()
            self._changed.clear()
            self.ticks += 1
            self._tick.set()
            self._tick = asyncio.Event()
            is_fast = loop.time() < last + FAST_S
            last = loop.time()
            await asyncio.sleep(FAST_S if is_fast else INTERVAL_S)
