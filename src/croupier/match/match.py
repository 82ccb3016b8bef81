"""The inputs of a match, and the events that they cause.

- Nothing here waits, sends or draws random numbers: the time is an argument of every input,
  `deadline` says when `tick` is due, and the source of deals is an argument too.
- Every input is a method that returns the events it caused. phases.py has the table of phases and
  inputs; an input that does not apply (a decision out of turn, a second pause) causes no event.
- After a hand the match waits until `recorded` confirms that the hand is stored. `state()` is
  stored with it, and `restore` rebuilds the match from that snapshot.
- Chips in stacks, pots and reserves are constant, except for what `PotDiscarded` and `PlayerOut`
  remove.

This module owns no state: an input updates the owner of the state and triggers the steps of
course.py.
"""

from typing import Any, Final

from croupier.match.blinds import Blinds
from croupier.match.chance import Chance
from croupier.match.course import Course
from croupier.match.entrant import Entrant
from croupier.match.events import (
    LEFT,
    LEFT_BETWEEN,
    Faulted,
    HandVoided,
    Joined,
    Left,
    Resumed,
    Returned,
    StartFailed,
    Stopped,
    TurnExtended,
)
from croupier.match.phases import (
    BREAKABLE,
    COUNTDOWN,
    HAND,
    INTERVAL,
    OVER,
    PAUSED,
    READY,
    RELOAD,
    RETURNING,
    SEATING,
    Input,
    Progress,
)
from croupier.match.ready import Handshake
from croupier.rules.decisions import FOLD, Decision, IllegalDecisionError
from croupier.rules.events import Event
from croupier.rules.rules import Rules

__all__ = [
    "COUNTDOWN",
    "HAND",
    "INTERVAL",
    "OVER",
    "PAUSED",
    "READY",
    "RELOAD",
    "REPEAT_S",
    "RETURNING",
    "SEATING",
    "Match",
]

REPEAT_S: Final = 0.05
"""Seconds that remain for second purchases once every player has answered."""


class Match(Course):
    """One match; `asked` is the player to act, or NOBODY."""

    def __init__(
        self,
        rules: Rules,
        size: int,
        chance: Chance,
        now: float = 0.0,
        *,
        patient: bool = False,
        on_command: bool = False,
        quiet: bool = False,
    ) -> None:
        """Open a match for `size` players; when registration times out, two of them are enough.

        A `patient` match has no such timeout: it starts when all places are taken or when told to.
        An `on_command` match starts only when told to. A `quiet` one returns no events of hands.
        """
        deadline = None if patient or on_command else now + rules.registration_s
        quorum = size + 1 if on_command else size
        super().__init__(rules, size, chance, Progress(SEATING, deadline), quorum)
        self.quiet = quiet

    # Per-player settings, made when a player takes its place.

    def expect_ready(self, player: int, handshake: Handshake) -> None:
        """Wait for a player's ready signal before hands, as its dialect defines it."""
        self.ready_list.expect(player, handshake)

    def expect_return(self, player: int) -> None:
        """Wait for a player that disconnects between two hands as long as for its ready signal."""
        self.ready_list.may_leave.add(player)

    def never_reloads(self, player: int) -> None:
        """Never wait for a player's purchase; without chips it still gets a new stack."""
        self.reload_window.skip(player)

    def expect_human(self, player: int) -> None:
        """Give a player the time of a person."""
        self._turn.expect_human(player)

    def has_exited(self, player: int) -> bool:
        """Tell whether a player has left for good, as far as it said."""
        return self._turn.has_exited(player)

    # Before the first hand.

    def join(self, name: str, now: float) -> list[Event]:
        """Give the next place to a player, and start the match if it was the last one."""
        if not self._progress.hears(Input.JOIN) or len(self.players) == self.size:
            return []
        self.players.append(Entrant(name, self.rules.stack, self.rules.reserve))
        events: list[Event] = [Joined(len(self.players) - 1, name)]
        if len(self.players) >= self._quorum:
            events += self._start(now)
        return events

    def start(self, now: float) -> list[Event]:
        """Start with the players present, if there are at least two."""
        if not self._progress.hears(Input.START):
            return []
        return self._start(now) if len(self.players) > 1 else [StartFailed()]

    # The player to act.

    def decide(self, player: int, decision: Decision, now: float) -> list[Event]:
        """Apply a player's decision; an illegal one is a fault."""
        if player != self._turn.asked or self.hand is None:
            return []
        try:
            self.hand.act(decision)
        except IllegalDecisionError as error:
            return self.illegal(player, str(error), now)
        self._turn.answered(now)
        return self._advance_hand(now)

    def illegal(self, player: int, reason: str, now: float) -> list[Event]:
        """Count an answer that is not a decision as a fold and a fault."""
        if player != self._turn.asked or self.hand is None:
            return []
        self._turn.answered(now)
        self.players[player].faults += 1
        self._ending.blame(player, reason)
        self.hand.act(FOLD)
        return [Faulted(player, reason), *self._advance_hand(now)]

    def ask(self, now: float) -> None:
        """Ask a delayed question; the player's clock starts now."""
        if self._progress.hears(Input.ASK):
            self._turn.ask(now)

    def start_clock(self, now: float) -> None:
        """Restart the clock of the player to act, because its question was sent only now."""
        if self._progress.hears(Input.START_CLOCK):
            self._turn.start_clock(now)

    def extend(self, seconds: float) -> list[Event]:
        """Give the player to act more time."""
        if not self._progress.hears(Input.EXTEND):
            return []
        self._turn.extend(seconds)
        return [TurnExtended(self.asked, round(1000 * seconds))]

    def expire(self, now: float) -> list[Event]:
        """Time out the player to act."""
        return self._time_out(now) if self._progress.hears(Input.EXPIRE) else []

    # Time and storage.

    def tick(self, now: float) -> list[Event]:
        """Do what is due at the deadline, if it has passed."""
        deadline = self.deadline
        if deadline is None or now < deadline:
            return []
        phase = self.phase
        if phase is HAND:
            return self._time_out(now)
        if phase is SEATING:
            return self._registration_over(now)
        if phase is COUNTDOWN:
            return self._count_down(now)
        if phase is READY:
            return self._proceed_without_late(now)
        if phase is RELOAD:
            return self._close_reloads(now)
        return self._await_ready(now)  # whoever has not returned by now is late

    def recorded(self, now: float) -> list[Event]:
        """Continue after a hand, now that it is stored."""
        return self._await_ready(now) if self._progress.hears(Input.RECORDED) else []

    # Between hands.

    def ready(self, player: int, now: float) -> list[Event]:
        """Note that a player is ready for the next hand."""
        if not self._progress.hears(Input.READY):
            return []
        self.ready_list.mark_ready(player)
        self._turn.ready(player)
        return self._proceed_if_ready(now)

    def reload(self, player: int, now: float) -> list[Event]:
        """Let a player buy a stack if the window is open and it has a purchase left."""
        if not self._progress.hears(Input.RELOAD) or self.players[player].out:
            return []
        events = self.reload_window.answer(player)
        deadline = self._progress.deadline
        if self.reload_window.done and deadline is not None:
            self._progress.deadline = min(deadline, now + REPEAT_S)
        return events

    # Connections.

    def connected(self, player: int, now: float) -> list[Event]:
        """Note that a player has reconnected."""
        entrant = self.players[player]
        if entrant.online:
            return []
        entrant.online = True
        self._ending.deserters.discard(player)
        self._turn.reconnected(player, now)
        if self.phase is not HAND:
            self.ready_list.returned.add(player)
        events: list[Event] = [Returned(player)]
        if self.phase is RETURNING and self._quorum_is_back():
            events += self._await_ready(now)
        return events

    def _quorum_is_back(self) -> bool:
        here = sum(entrant.online or bool(entrant.out) for entrant in self.players)
        return here >= self._quorum

    def disconnected(self, player: int, now: float) -> list[Event]:
        """Note that a player has disconnected."""
        entrant = self.players[player]
        if not entrant.online:
            return []
        entrant.online = False
        events: list[Event] = [Left(player)]
        if self.phase in BREAKABLE and not entrant.out and not self.awaits(player):
            self._ending.blame(player, LEFT if self.phase is HAND else LEFT_BETWEEN)
        self._ending.desert(player)
        if self.phase is not HAND:
            self.ready_list.left(player)
        if self._turn.disconnected(player):
            events += self._time_out(now)
        return events + self._recheck_waiting(now)

    def awaits(self, player: int) -> bool:
        """Tell whether the next hand waits for a player even if it has disconnected."""
        between = self.phase in (INTERVAL, READY) and not self._ending.last
        return between and self.broken is None and player in self.ready_list.may_leave

    def exit(self, player: int, reason: str, now: float) -> list[Event]:
        """Note that a player leaves the match, for the given reason."""
        if not self._progress.hears(Input.EXIT):
            return []
        self._turn.exited(player)
        if self.players[player].out:
            return []
        events = self.illegal(player, reason, now)
        if not events:
            self._ending.blame(player, reason)
            events = self._end_if_broken()
        return events

    def wait_for_anyone(self) -> None:
        """Wait without a deadline until any player reconnects."""
        if self._progress.hears(Input.WAIT_FOR_ANYONE):
            self._quorum = 1
            self._progress.deadline = None

    # Requests of the organiser.

    def pause(self) -> list[Event]:
        """Pause the match after the current hand."""
        if self._progress.hears(Input.PAUSE):
            self._pausing = True
        return []

    def resume(self, now: float) -> list[Event]:
        """Resume with the next hand."""
        if not self._progress.hears(Input.RESUME):
            return []
        self._pausing = False
        return [Resumed(), *self._next_hand(now)] if self.phase is PAUSED else []

    def withdraw(self, player: int, now: float) -> list[Event]:
        """Withdraw a player: it folds on its turn and leaves the match after the hand."""
        if self.players[player].out or not self._progress.hears(Input.WITHDRAW):
            return []
        self._withdrawn.add(player)
        if self.phase is HAND:
            return self._advance_hand(now) if player == self.asked else []
        if self.phase is COUNTDOWN:
            return []
        return self._remove_withdrawn() + self._end_if_due() + self._recheck_waiting(now)

    def stop(self) -> list[Event]:
        """End the match at once, voiding the current hand."""
        if not self._progress.hears(Input.STOP):
            return []
        events: list[Event] = []
        if self.phase is HAND:
            events.append(HandVoided(self.number))
            # As if the hand had never been dealt.
            self.order, blinds = self._before_hand
            self.blinds = Blinds.restore(self.rules, blinds)
        return [*events, Stopped(), *self._end()]

    # Snapshots.

    def skip_number(self) -> None:
        """Skip a hand number that is used by a record other than a hand."""
        self.number += 1

    def state(self) -> dict[str, Any]:
        """Return a snapshot after a hand, as plain values for the record."""
        return {
            "number": self.number,
            "played": self.played,
            "order": list(self.order),
            # A hand in which somebody broke the match may be voided before it is over.
            "ending": self._ending.last or self._ending.broken is not None,
            "blinds": self.blinds.state(),
            "players": [player.state() for player in self.players],
        }

    @classmethod
    def restore(
        cls,
        rules: Rules,
        state: dict[str, Any],
        chance: Chance,
        now: float,
        *,
        paused: bool = False,
    ) -> tuple["Match", list[Event]]:
        """Return the match of a snapshot, and the event that voids the interrupted hand.

        All players are disconnected, and have some time to reconnect before the next hand.
        """
        match = cls(rules, len(state["players"]), chance, now)
        match.players.extend(Entrant.restore(saved) for saved in state["players"])
        match.order = list(state["order"])
        match.played = state["played"]
        match.blinds = Blinds.restore(rules, state["blinds"])
        if not match.played:
            match.blinds = Blinds(rules, match.order)
        match._ending.last = state["ending"]
        for player in range(len(match.players)):
            match._ending.desert(player)
        match._pausing = paused
        match.number = state["number"] + 1
        match._progress = Progress(RETURNING, now + rules.return_s)
        return match, [HandVoided(match.number)]
