"""The events of a match outside its hands; players are numbered in the order of joining."""

from typing import ClassVar, Final

from croupier.rules.events import EVENTS, Event, Fields

LEFT: Final = "left"
LEFT_BETWEEN: Final = "left between hands"
LATE: Final = "timeout"
NOT_READY: Final = "not ready"

BROKE: Final = "broke"
TIMEOUTS: Final = "timeouts"
WITHDRAWN: Final = "withdrawn"


class Joined(Event):
    """A player joined the match."""

    FIELDS: ClassVar[Fields] = {"player": int, "name": str}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int, name: str) -> None:
        self.player = player
        self.name = name


class MatchStarted(Event):
    """The match started; `order` is the seating, from the left of the first button."""

    FIELDS: ClassVar[Fields] = {"order": tuple[int, ...]}
    __slots__ = tuple(FIELDS)

    def __init__(self, order: tuple[int, ...]) -> None:
        self.order = order


class TimedOut(Event):
    """A player was late or `absent` when asked; this is its `count`-th timeout of the match."""

    FIELDS: ClassVar[Fields] = {"player": int, "count": int, "absent": bool}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int, count: int, absent: bool) -> None:
        self.player = player
        self.count = count
        self.absent = absent


class Faulted(Event):
    """A player's answer was not a legal decision."""

    FIELDS: ClassVar[Fields] = {"player": int, "reason": str}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int, reason: str) -> None:
        self.player = player
        self.reason = reason


class NotReady(Event):
    """A player did not signal in time that it is ready for the next hand."""

    FIELDS: ClassVar[Fields] = {"player": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int) -> None:
        self.player = player


class TurnExtended(Event):
    """A player got more time because the server itself was delayed."""

    FIELDS: ClassVar[Fields] = {"player": int, "ms": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int, ms: int) -> None:
        self.player = player
        self.ms = ms


class Left(Event):
    """A player disconnected."""

    FIELDS: ClassVar[Fields] = {"player": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int) -> None:
        self.player = player


class Returned(Event):
    """A player reconnected."""

    FIELDS: ClassVar[Fields] = {"player": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int) -> None:
        self.player = player


class ToppedUp(Event):
    """A player's stack was topped up from its reserve."""

    FIELDS: ClassVar[Fields] = {"player": int, "amount": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int, amount: int) -> None:
        self.player = player
        self.amount = amount


class StartFailed(Event):
    """The match was told to start but has too few players."""

    __slots__ = ()


class CountedDown(Event):
    """The first hand begins in `seconds`."""

    FIELDS: ClassVar[Fields] = {"seconds": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds


class ReloadOpened(Event):
    """Players may buy a new stack until the next hand begins."""

    __slots__ = ()


class Reloaded(Event):
    """A player bought a stack; this is its `count`-th of the match."""

    FIELDS: ClassVar[Fields] = {"player": int, "amount": int, "count": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int, amount: int, count: int) -> None:
        self.player = player
        self.amount = amount
        self.count = count


class PlayerOut(Event):
    """A player is out of the match; `discarded` of its chips left the game."""

    FIELDS: ClassVar[Fields] = {"player": int, "cause": str, "discarded": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int, cause: str, discarded: int) -> None:
        self.player = player
        self.cause = cause
        self.discarded = discarded


class HandVoided(Event):
    """A hand was interrupted and does not count; its cards are never dealt again."""

    FIELDS: ClassVar[Fields] = {"hand": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, hand: int) -> None:
        self.hand = hand


class Paused(Event):
    """No hand begins until the match is resumed."""

    __slots__ = ()


class Resumed(Event):
    """The match was resumed."""

    __slots__ = ()


class Broken(Event):
    """A player caused the match to end: LEFT, LEFT_BETWEEN, LATE, NOT_READY, or a fault reason."""

    FIELDS: ClassVar[Fields] = {"player": int, "cause": str}
    __slots__ = tuple(FIELDS)

    def __init__(self, player: int, cause: str) -> None:
        self.player = player
        self.cause = cause


class Stopped(Event):
    """The organiser stopped the match."""

    __slots__ = ()


class MatchEnded(Event):
    """The match ended; standings are (rank, player, chips, hands survived), best first."""

    FIELDS: ClassVar[Fields] = {"standings": tuple[tuple[int, int, int, int], ...]}
    __slots__ = tuple(FIELDS)

    def __init__(self, standings: tuple[tuple[int, int, int, int], ...]) -> None:
        self.standings = standings


MATCH_EVENTS: Final[tuple[type[Event], ...]] = (
    Joined,
    MatchStarted,
    TimedOut,
    Faulted,
    NotReady,
    TurnExtended,
    Left,
    Returned,
    ToppedUp,
    StartFailed,
    CountedDown,
    ReloadOpened,
    Reloaded,
    PlayerOut,
    HandVoided,
    Paused,
    Resumed,
    Broken,
    Stopped,
    MatchEnded,
)

ALL_EVENTS: Final[tuple[type[Event], ...]] = EVENTS + MATCH_EVENTS
