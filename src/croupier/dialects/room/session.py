"""The server side of a `room` connection: the first frame names a room, later frames act in it."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from croupier.dialects.room import reader, words
from croupier.dialects.room.frames import BadFrame, FrameReader
from croupier.dialects.room.reader import EXIT, V1, V2
from croupier.dialects.roster import Place
from croupier.dialects.session import (
    Answered,
    Exit,
    Expected,
    Farewell,
    Goodbye,
    Hello,
    Ready,
    Refusal,
    Room,
    Said,
    Session,
    Situation,
    Stray,
    Watch,
    WatchBots,
    Wrong,
)
from croupier.match.ready import Handshake

HANDSHAKES: Final = {V1: Handshake(first=True, last=False), V2: Handshake(first=False, last=True)}

_READY: Final = Ready()


class RoomSession(Session):
    """One connection of a player or a spectator."""

    __slots__ = ("_frames", "_said_hello", "_version")

    def __init__(self) -> None:
        self._frames = FrameReader()
        self._said_hello = False
        self._version = V1

    @property
    def partial(self) -> bool:
        return self._frames.pending

    def receive(self, data: bytes, situation: Situation) -> Iterable[Said]:
        frames = self._frames.receive(data)
        if len(frames) == 1:
            return (self._said(frames[0], situation),)
        return self._one_by_one(frames, situation)

    def _one_by_one(
        self, frames: list[dict[str, Any] | BadFrame], situation: Situation
    ) -> Iterator[Said]:
        for frame in frames:
            yield self._said(frame, situation)

    def _said(self, frame: dict[str, Any] | BadFrame, situation: Situation) -> Said:
        if isinstance(frame, BadFrame):
            return _wrong(frame.reason)
        if not self._said_hello:
            return self._first(frame)
        if reader.is_exit(frame):
            return Exit(EXIT) if situation.seated else Goodbye(EXIT)
        if reader.is_start(frame):
            return _READY
        expected = situation.expected
        if expected is Expected.ANSWER:
            return self._answer(frame, situation)
        if expected is Expected.READY:
            return _READY  # between hands any frame means that the player is ready
        return Stray("ignored: it is not this player's turn")

    def refuse(self, refusal: Refusal) -> Farewell:
        return Farewell(refusal.reason, words.error(refusal.reason))

    def _first(self, frame: dict[str, Any]) -> Said:
        wish = reader.first_message(frame)
        if isinstance(wish, reader.Wrong):
            return _wrong(wish.text)
        self._said_hello = True
        if isinstance(wish, Watch | WatchBots):
            return wish
        self._version = wish.version
        return Hello(
            Place(wish.name, words.NAME, nonce=wish.nonce),
            wish.version,
            HANDSHAKES[wish.version],
            Room(wish.room, wish.seats, wish.bots, wish.hands),
            secret=wish.name,
        )

    def _answer(self, frame: dict[str, Any], situation: Situation) -> Answered:
        view = situation.view
        assert view.options is not None
        pot = view.pot if self._version == V2 else 0
        return Answered(reader.decide(frame, self._version, view.options, view.high, pot))


def _wrong(reason: str) -> Wrong:
    return Wrong(Farewell(reason, words.error(reason)))
