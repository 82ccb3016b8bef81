"""The phases of a match: the inputs accepted in each, and the transitions.

Theory of operation. A match is always in exactly one phase. Everything that comes from outside is
an input, and every input is a method of `Match` of the same name. `TABLE` has a row for each phase
with the inputs accepted in it; any other input causes no event and changes nothing. Each input is
listed with the phases to which it may lead. Which of them it leads to depends on the rules and the
accounts, and is decided in course.py; `Progress.enter`, the only place where the phase changes,
checks that the transition is in the table.

             join, start, tick                tick
    SEATING ──────┬───────────▶ COUNTDOWN ────┐       restore() ──▶ RETURNING
                  └───────────────────────────┤                         │ connected, tick
                                              ▼                         │
                       ┌──────────────────▶ READY ◀─────────────────────┘
              recorded │                      │ ready, tick
                       │                      ▼
                   INTERVAL                RELOAD ────▶ PAUSED
                       ▲                      │ tick      │ resume
                       │       decide         ▼           │
                       └─────────────────── HAND ◀────────┘

- A phase with nobody to wait for is left at once, within the same input: READY if no player signals
  that it is ready, RELOAD if nobody may buy. If the rules sell no chips, and before the first hand,
  READY leads past RELOAD; without a countdown SEATING leads to READY.
- Every phase leads to OVER when the match is stopped. A phase in which no hand is in progress also
  leads there as soon as the match is decided or broken.
- During a hand the deadline is that of the turn (turn.py); in all other phases it is kept here.

State owned by this module: the phase and its deadline.
"""

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """The phases; the values are shown to users."""

    SEATING = "seating"
    """Waiting for players to join."""
    COUNTDOWN = "countdown"
    """The start is announced second by second."""
    READY = "ready"
    """Before a hand, and after the last one: waiting for players that signal when ready."""
    RELOAD = "reload"
    """Before a hand: players may buy chips."""
    RETURNING = "returning"
    """After a restart of the server: players have time to reconnect."""
    HAND = "hand"
    """A hand is in progress, waiting for a decision."""
    INTERVAL = "interval"
    """A hand has ended and is being stored."""
    PAUSED = "paused"
    """No hand begins until the organiser resumes the match."""
    OVER = "over"
    """The match has ended."""


SEATING: Final[Phase] = Phase.SEATING
COUNTDOWN: Final[Phase] = Phase.COUNTDOWN
READY: Final[Phase] = Phase.READY
RELOAD: Final[Phase] = Phase.RELOAD
RETURNING: Final[Phase] = Phase.RETURNING
HAND: Final[Phase] = Phase.HAND
INTERVAL: Final[Phase] = Phase.INTERVAL
PAUSED: Final[Phase] = Phase.PAUSED
OVER: Final[Phase] = Phase.OVER


class Input(StrEnum):
    """The inputs of a match; the values are the names of its methods."""

    JOIN = "join"
    START = "start"
    DECIDE = "decide"
    ILLEGAL = "illegal"
    EXIT = "exit"
    READY = "ready"
    RELOAD = "reload"
    TICK = "tick"
    ASK = "ask"
    START_CLOCK = "start_clock"
    EXTEND = "extend"
    EXPIRE = "expire"
    CONNECTED = "connected"
    DISCONNECTED = "disconnected"
    WAIT_FOR_ANYONE = "wait_for_anyone"
    RECORDED = "recorded"
    PAUSE = "pause"
    RESUME = "resume"
    WITHDRAW = "withdraw"
    STOP = "stop"


_STAYS: Final[tuple[Phase, ...]] = ()
_STARTED: Final[tuple[Phase, ...]] = (COUNTDOWN, READY)
_ALL_READY: Final[tuple[Phase, ...]] = (RELOAD, HAND, PAUSED, OVER)
_ALL_SOLD: Final[tuple[Phase, ...]] = (HAND, PAUSED)

TABLE: Final[dict[Phase, dict[Input, tuple[Phase, ...]]]] = {
    SEATING: {
        Input.JOIN: _STARTED,
        Input.START: _STARTED,
        Input.TICK: _STARTED,
        Input.READY: _STAYS,
        Input.EXIT: _STAYS,
        Input.CONNECTED: _STAYS,
        Input.DISCONNECTED: _STAYS,
        Input.STOP: (OVER,),
    },
    COUNTDOWN: {
        Input.TICK: (READY,),
        Input.READY: _STAYS,
        Input.EXIT: _STAYS,
        Input.CONNECTED: _STAYS,
        Input.DISCONNECTED: _STAYS,
        Input.WITHDRAW: _STAYS,
        Input.PAUSE: _STAYS,
        Input.RESUME: _STAYS,
        Input.STOP: (OVER,),
    },
    READY: {
        Input.READY: _ALL_READY,
        Input.TICK: _ALL_READY,
        Input.DISCONNECTED: _ALL_READY,
        Input.WITHDRAW: _ALL_READY,
        Input.EXIT: (OVER,),
        Input.CONNECTED: _STAYS,
        Input.PAUSE: _STAYS,
        Input.RESUME: _STAYS,
        Input.STOP: (OVER,),
    },
    RELOAD: {
        Input.RELOAD: _STAYS,
        Input.TICK: _ALL_SOLD,
        Input.DISCONNECTED: (*_ALL_SOLD, OVER),
        Input.WITHDRAW: (*_ALL_SOLD, OVER),
        Input.EXIT: (OVER,),
        Input.READY: _STAYS,
        Input.CONNECTED: _STAYS,
        Input.PAUSE: _STAYS,
        Input.RESUME: _STAYS,
        Input.STOP: (OVER,),
    },
    RETURNING: {
        Input.CONNECTED: (READY,),
        Input.TICK: (READY,),
        Input.WAIT_FOR_ANYONE: _STAYS,
        Input.DISCONNECTED: _STAYS,
        Input.READY: _STAYS,
        Input.EXIT: (OVER,),
        Input.WITHDRAW: (OVER,),
        Input.PAUSE: _STAYS,
        Input.RESUME: _STAYS,
        Input.STOP: (OVER,),
    },
    HAND: {
        Input.DECIDE: (INTERVAL,),
        Input.ILLEGAL: (INTERVAL,),
        Input.EXIT: (INTERVAL,),
        Input.TICK: (INTERVAL,),
        Input.EXPIRE: (INTERVAL,),
        Input.DISCONNECTED: (INTERVAL,),
        Input.WITHDRAW: (INTERVAL,),
        Input.ASK: _STAYS,
        Input.START_CLOCK: _STAYS,
        Input.EXTEND: _STAYS,
        Input.READY: _STAYS,
        Input.CONNECTED: _STAYS,
        Input.PAUSE: _STAYS,
        Input.RESUME: _STAYS,
        Input.STOP: (OVER,),
    },
    INTERVAL: {
        Input.RECORDED: (READY,),
        Input.READY: _STAYS,
        Input.EXIT: _STAYS,
        Input.CONNECTED: _STAYS,
        Input.DISCONNECTED: _STAYS,
        Input.WITHDRAW: _STAYS,
        Input.PAUSE: _STAYS,
        Input.RESUME: _STAYS,
        Input.STOP: (OVER,),
    },
    PAUSED: {
        Input.RESUME: (HAND,),
        Input.EXIT: (OVER,),
        Input.DISCONNECTED: (OVER,),
        Input.WITHDRAW: (OVER,),
        Input.READY: _STAYS,
        Input.CONNECTED: _STAYS,
        Input.STOP: (OVER,),
    },
    OVER: {
        Input.CONNECTED: _STAYS,
        Input.DISCONNECTED: _STAYS,
    },
}

_NEXT: Final[dict[Phase, frozenset[Phase]]] = {
    phase: frozenset(later for phases in row.values() for later in phases)
    for phase, row in TABLE.items()
}

BETWEEN_HANDS: Final = frozenset((READY, RELOAD, RETURNING, PAUSED))
"""Phases without a hand in progress, in which the match can end at once."""

BREAKABLE: Final = frozenset((READY, RELOAD, HAND, INTERVAL, PAUSED))
"""Phases in which a lost connection may break the match: it has begun, and is not waiting for
players to reconnect after a restart."""


class PhaseError(Exception):
    """A change of phase that the table does not have: an internal error."""


class Progress:
    """The current phase and its deadline."""

    __slots__ = ("deadline", "phase")

    def __init__(self, phase: Phase, deadline: float | None) -> None:
        self.phase = phase
        self.deadline = deadline
        """When the phase times out; None: it waits for an input or for a turn."""

    def hears(self, what: Input) -> bool:
        """Tell whether an input is accepted in this phase."""
        return what in TABLE[self.phase]

    def enter(self, phase: Phase, deadline: float | None = None) -> None:
        """Change to another phase."""
        if phase not in _NEXT[self.phase]:
            raise PhaseError(f"there is no way from {self.phase} to {phase}")
        self.phase = phase
        self.deadline = deadline
