"""The phases of a match: what is heard in each, and which may follow.

Theory of operation. A match is in exactly one phase at any time. What comes from outside is an
input, and every input is a method of `Match` of the same name. `TABLE` has a row for each phase
with the inputs that are heard in it; any other input causes no event and changes nothing. Beside
an input stand the phases to which it may lead. Where it leads depends on the rules and the books,
and is decided in course.py; that it leads nowhere else is checked here, by `Progress.enter`, the
only thing that ever changes a phase.

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

- A phase in which there is nobody to wait for is left at once, within the same input: READY where
  no player's dialect has a word for it, RELOAD where nobody may buy. Where the rules sell no chips,
  and before the first hand, READY leads past RELOAD; without a countdown SEATING leads to READY.
- From every phase the match may be stopped, which leads to OVER. It also gets there from any phase
  in which no hand is under way, as soon as there is nothing left to play for.
- While a hand is played the deadline is that of the turn (turn.py); in other phases it is here.

State that lives here: the phase, and until when it lasts.
"""

from enum import StrEnum


class Phase(StrEnum):
    """What a match is doing; the words are those that users see."""

    SEATING = "seating"
    """Places are taken."""
    COUNTDOWN = "countdown"
    """All are here; the start is announced second by second."""
    READY = "ready"
    """Before a hand, and after the last one: those who say that they are ready are waited for."""
    RELOAD = "reload"
    """Before a hand: chips are sold."""
    RETURNING = "returning"
    """After a restart of the server: players have time to come back."""
    HAND = "hand"
    """A hand is played and somebody is asked."""
    INTERVAL = "interval"
    """A hand has ended and is being recorded."""
    PAUSED = "paused"
    """No hand begins until the organiser says so."""
    OVER = "over"
    """Nothing comes any more."""


SEATING = Phase.SEATING
COUNTDOWN = Phase.COUNTDOWN
READY = Phase.READY
RELOAD = Phase.RELOAD
RETURNING = Phase.RETURNING
HAND = Phase.HAND
INTERVAL = Phase.INTERVAL
PAUSED = Phase.PAUSED
OVER = Phase.OVER


class Input(StrEnum):
    """What a match is told from outside; the words are the names of its methods."""

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


_STAYS: tuple[Phase, ...] = ()
_STARTED = (COUNTDOWN, READY)
_ALL_READY = (RELOAD, HAND, PAUSED, OVER)
_ALL_SOLD = (HAND, PAUSED)

TABLE: dict[Phase, dict[Input, tuple[Phase, ...]]] = {
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

_NEXT: dict[Phase, frozenset[Phase]] = {
    phase: frozenset(later for phases in row.values() for later in phases)
    for phase, row in TABLE.items()
}

IN_BETWEEN = frozenset((READY, RELOAD, RETURNING, PAUSED))
"""Phases in which nothing is under way, so that the match can end at once."""

UNDER_WAY = frozenset((READY, RELOAD, HAND, INTERVAL, PAUSED))
"""Phases in which a lost connection may break the match: it has begun, and nobody has to come back
after a restart first."""


class PhaseError(RuntimeError):
    """A change of phase that the table does not have: an internal error."""


class Progress:
    """Where a match is, and until when."""

    __slots__ = ("deadline", "phase")

    def __init__(self, phase: Phase, deadline: float | None) -> None:
        self.phase = phase
        self.deadline = deadline
        """When the phase is over by itself; None: it waits for an input, or for a turn."""

    def hears(self, what: Input) -> bool:
        """Tell whether an input means something in this phase."""
        return what in TABLE[self.phase]

    def enter(self, phase: Phase, deadline: float | None = None) -> None:
        """Go on to another phase."""
        if phase not in _NEXT[self.phase]:
            raise PhaseError(f"there is no way from {self.phase} to {phase}")
        self.phase = phase
        self.deadline = deadline
