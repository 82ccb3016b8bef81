"""One person's table: the referee's messages turned into what the page shows.

It has a live table of its own, drawn from the events as this seat may know them. The referee tells
everything anew to whoever comes back, so nothing is remembered here for longer than a connection.
"""

from typing import Any

import msgspec

from croupier.match.events import MatchEnded
from croupier.rules.decisions import Options
from croupier.rules.events import Acted, Asked, Event, HandEnded
from croupier.rules.rules import Rules
from croupier.store.codec import decode
from croupier.web.live.schemas import Line, Scene, TablePlayer
from croupier.web.live.table import LiveTable

_encode = msgspec.json.Encoder().encode


class Away(msgspec.Struct):
    """How many hands began while the player was away, and its chips when it left."""

    hands: int
    before: int


class Situation(msgspec.Struct, tag_field="type", tag="table"):
    """Where a player stands who has just come."""

    match: str
    you: int
    rules: dict[str, Any]
    players: list[TablePlayer]
    begun: bool
    stacks: list[int]
    online: list[bool]
    out: list[bool]
    circle: tuple[int, ...]
    hand: msgspec.Raw
    away: Away | None


class Happened(msgspec.Struct, tag_field="type", tag="event"):
    """An event, as the player may know it."""

    event: msgspec.Raw


class Refused(msgspec.Struct, tag_field="type", tag="refused"):
    """There is no seat, and why."""

    kind: str
    reason: str


Message = Situation | Happened | Refused
_decoder = msgspec.json.Decoder(Message)


class SeatView:
    """What one person sees of its table."""

    def __init__(self, table: str, audience: LiveTable | None) -> None:
        """`audience` is the table as everyone sees it: its log has what was said before."""
        self._name = table
        self._audience = audience
        self._table = LiveTable(table)
        self._player = -1
        self._options: Options | None = None
        self._told: int | None = None
        self._away: Away | None = None
        self.over = False
        """The match has ended."""
        self.dismissed = False
        """The person has asked to leave, or was refused: nobody expects it back."""

    def take(self, line: bytes, at: float) -> bytes:
        """Take a line of the referee, which came at a time; return the message for the page."""
        match _decoder.decode(line):
            case Situation() as situation:
                self._arrive(situation, at)
            case Happened(raw):
                self._see(decode(b"[" + bytes(raw) + b"]"), at)
            case Refused(kind, reason):
                self.dismissed = True
                return _encode({"type": "refused", "kind": kind, "reason": reason})
        return self._message()

    def _arrive(self, told: Situation, at: float) -> None:
        table = self._table = LiveTable(self._name)
        rules = Rules().with_fields(told.rules)
        self._player, self._options, self._away = told.you, None, told.away
        if told.begun:
            table.resume(told.match, rules, told.players, None, told.online, returning=False)
            view = table.public.view
            view.circle = told.circle
            for player, account in enumerate(table.public.accounts):
                account.stack = view.stacks[player] = told.stacks[player]
                view.out[player] = told.out[player]
        else:
            seats = rules.max_seats if self._audience is None else self._audience.seats
            table.open(told.match, rules, seats, told.players)
        self._told = None
        hand = decode(bytes(told.hand))
        if hand:
            table.hand = getattr(hand[0], "hand", 1) - 1
        self._see(hand, at)

    def _see(self, events: list[Event], at: float) -> None:
        for event in events:
            self._table.see(event, at)
            if isinstance(event, Asked):
                mine = self._table.public.view.hand.players[event.seat] == self._player
                self._options = event.options if mine else None
            elif isinstance(event, Acted | HandEnded):
                self._options = None
            elif isinstance(event, MatchEnded):
                self.over = True

    def _message(self) -> bytes:
        table = self._table
        lines = table.lines_after(self._told) if self._told is not None else self._first_lines()
        self._told = table.seq
        options = self._options
        away, self._away = self._away, None
        return _encode(
            {
                "type": "scene",
                "seq": table.seq,
                "scene": self._scene(),
                "lines": lines,
                "you": {
                    "player": self._player,
                    "street": table.public.view.hand.street,
                    "options": None
                    if options is None
                    else {name: getattr(options, name) for name in Options.FIELDS},
                    "away": away,
                },
            }
        )

    def _scene(self) -> Scene:
        """Return the table; the ranking is the audience's, which has followed every hand."""
        scene, audience = self._table.scene, self._audience
        if audience is None or audience.scene.match != scene.match or self.over:
            return scene
        ranking = audience.scene.ranking
        if len(ranking) < len(scene.ranking):
            return scene  # the audience has not heard of the newest players yet
        return msgspec.structs.replace(scene, ranking=ranking)

    def _first_lines(self) -> list[Line]:
        """Return what the audience has heard of earlier hands, and the present one."""
        own = self._table.newest_lines
        if self._audience is None:
            return own
        hand = self._table.hand
        earlier = [line for line in self._audience.newest_lines if line.hand < hand]
        return [*earlier, *(line for line in own if line.hand >= hand)]
