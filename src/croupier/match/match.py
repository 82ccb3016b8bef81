"""Hands in a row, and the time between them: what a match is told, and what it answers.

- Nothing in here waits, sends or draws: time is an argument of every input, `deadline` says when to
  come back with `tick`, and the source of deals is an argument too.
- Every input is a method that returns the events it caused. phases.py has the table of phases and
  inputs; an input that does not fit (a decision out of turn, a second pause) causes no event.
- After a hand the match stands still until `recorded` says that the hand is safely stored. What is
  recorded with it is `state()`, from which `restore` makes the same match again.
- Chips in stacks, pots and reserves are constant, less what `PotDiscarded` and `PlayerOut` name.

No state lives here: an input tells the owner of what it changes (course.py names them), and sets
off the steps from one phase to the next.
"""

from typing import Any

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
    COUNTDOWN,
    HAND,
    INTERVAL,
    OVER,
    PAUSED,
    READY,
    RELOAD,
    RETURNING,
    SEATING,
    UNDER_WAY,
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

REPEAT_S = 0.05
"""Seconds for a second purchase, after the last of those who are waited for has answered."""


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
    ) -> None:
        """Open a match for `size` players; once registration is over, two of them are enough.

        A patient match has no such time: it starts when all places are taken, or when told to; one
        on command only when told to.
        """
        deadline = None if patient or on_command else now + rules.registration_s
        quorum = size + 1 if on_command else size
        super().__init__(rules, size, chance, Progress(SEATING, deadline), quorum)

    # What is known of a player when it takes its place.

    def expect_ready(self, player: int, handshake: Handshake) -> None:
        """Wait for a player before hands, as its dialect has it."""
        self.ready_list.expect(player, handshake)

    def never_reloads(self, player: int) -> None:
        """Wait for no purchase of a player; one that has no chips left still gets its stack."""
        self.reload_window.skip(player)

    # Before the first hand.

    def join(self, name: str, now: float) -> list[Event]:
        """Give the next place to a player; the match starts when the last one is taken."""
        if not self._progress.hears(Input.JOIN) or len(self.players) == self.size:
            return []
        self.players.append(Entrant(name, self.rules.stack, self.rules.reserve))
        events: list[Event] = [Joined(len(self.players) - 1, name)]
        if len(self.players) >= self._quorum:
            events += self._start(now)
        return events

    def start(self, now: float) -> list[Event]:
        """Start with those who are here; two are enough."""
        if not self._progress.hears(Input.START):
            return []
        return self._start(now) if len(self.players) > 1 else [StartFailed()]

    # The player who is asked.

    def decide(self, player: int, decision: Decision, now: float) -> list[Event]:
        """Take a player's decision; one that the rules refuse is a fault."""
        if player != self._turn.asked or self.hand is None:
            return []
        try:
            self.hand.act(decision)
        except IllegalDecisionError as error:
            return self.illegal(player, str(error), now)
        return self._go_on(now)

    def illegal(self, player: int, reason: str, now: float) -> list[Event]:
        """Take an answer that is no decision: a fold, and a fault."""
        if player != self._turn.asked or self.hand is None:
            return []
        self.players[player].faults += 1
        self._ending.blame(player, reason)
        self.hand.act(FOLD)
        return [Faulted(player, reason), *self._go_on(now)]

    def ask(self, now: float) -> None:
        """Put a question that was kept back: nobody's time has run until now."""
        if self._progress.hears(Input.ASK):
            self._turn.ask(now)

    def start_clock(self, now: float) -> None:
        """Let the time of the player who is asked begin now, when the question has gone out."""
        if self._progress.hears(Input.START_CLOCK):
            self._turn.start_clock(now)

    def extend(self, seconds: float) -> list[Event]:
        """Give the player who is asked more time."""
        if not self._progress.hears(Input.EXTEND):
            return []
        self._turn.extend(seconds)
        return [TurnExtended(self.asked, round(1000 * seconds))]

    def expire(self, now: float) -> list[Event]:
        """Let the time of the player who is asked be over."""
        return self._time_out(now) if self._progress.hears(Input.EXPIRE) else []

    # The time, and the record.

    def tick(self, now: float) -> list[Event]:
        """Do what the deadline asks for, if it has come."""
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
            return self._go_on_without_the_late(now)
        if phase is RELOAD:
            return self._close_reloads(now)
        return self._await_ready(now)  # whoever has not returned by now is late

    def recorded(self, now: float) -> list[Event]:
        """Go on after a hand that is safely stored."""
        return self._await_ready(now) if self._progress.hears(Input.RECORDED) else []

    # Between hands.

    def ready(self, player: int, now: float) -> list[Event]:
        """Note that a player waits for the next hand."""
        if not self._progress.hears(Input.READY):
            return []
        self.ready_list.say(player)
        self._turn.ready(player)
        return self._all_ready(now)

    def reload(self, player: int, now: float) -> list[Event]:
        """Let a player buy a stack, while the window is open and it has a purchase left."""
        if not self._progress.hears(Input.RELOAD) or self.players[player].out:
            return []
        events = self.reload_window.answer(player)
        deadline = self._progress.deadline
        if self.reload_window.done and deadline is not None:
            self._progress.deadline = min(deadline, now + REPEAT_S)
        return events

    # Coming and going.

    def connected(self, player: int, now: float) -> list[Event]:
        """Note that a player is back."""
        entrant = self.players[player]
        if entrant.online:
            return []
        entrant.online = True
        self._turn.returned(player, now)
        if self.phase is not HAND:
            self.ready_list.returned.add(player)
        events: list[Event] = [Returned(player)]
        if self.phase is RETURNING and self._enough_are_back():
            events += self._await_ready(now)
        return events

    def _enough_are_back(self) -> bool:
        here = sum(entrant.online or bool(entrant.out) for entrant in self.players)
        return here >= self._quorum

    def disconnected(self, player: int, now: float) -> list[Event]:
        """Note that a player's connection is gone."""
        entrant = self.players[player]
        if not entrant.online:
            return []
        entrant.online = False
        events: list[Event] = [Left(player)]
        if self.phase in UNDER_WAY:
            self._ending.blame(player, LEFT if self.phase is HAND else LEFT_BETWEEN)
        if self._turn.gone(player):
            events += self._time_out(now)
        return events + self._wait_for_fewer(now)

    def exit(self, player: int, reason: str, now: float) -> list[Event]:
        """Take a player's word that it leaves; what is said of it is the reason."""
        if not self._progress.hears(Input.EXIT):
            return []
        self._turn.exited(player)
        events = self.illegal(player, reason, now)
        if not events:
            self._ending.blame(player, reason)
            events = self._end_if_broken()
        return events

    def wait_for_anyone(self) -> None:
        """Let the first player who comes back be enough: nobody is here to play."""
        if self._progress.hears(Input.WAIT_FOR_ANYONE):
            self._quorum = 1
            self._progress.deadline = None

    # What an organiser asks for.

    def pause(self) -> list[Event]:
        """Let no hand begin after the one that is being played."""
        if self._progress.hears(Input.PAUSE):
            self._pausing = True
        return []

    def resume(self, now: float) -> list[Event]:
        """Go on with the next hand."""
        if not self._progress.hears(Input.RESUME):
            return []
        self._pausing = False
        return [Resumed(), *self._next_hand(now)] if self.phase is PAUSED else []

    def withdraw(self, player: int, now: float) -> list[Event]:
        """Take a player out: it folds when its turn comes and is gone after the hand."""
        if self.players[player].out or not self._progress.hears(Input.WITHDRAW):
            return []
        self._withdrawn.add(player)
        if self.phase is HAND:
            return self._go_on(now) if player == self.asked else []
        if self.phase is COUNTDOWN:
            return []
        return self._remove_withdrawn() + self._end_if_due() + self._wait_for_fewer(now)

    def stop(self) -> list[Event]:
        """End the match at once; a hand that is being played is void."""
        if not self._progress.hears(Input.STOP):
            return []
        events: list[Event] = []
        if self.phase is HAND:
            events.append(HandVoided(self.number))
            # As if the hand had never been dealt.
            self.order, blinds = self._before_the_hand
            self.blinds = Blinds.restore(self.rules, blinds)
        return [*events, Stopped(), *self._end()]

    # What is stored.

    def skip_number(self) -> None:
        """Use up the number of a hand that is never dealt: a record of its own bears it."""
        self.number += 1

    def state(self) -> dict[str, Any]:
        """Return the books after a hand, as plain values for the record."""
        return {
            "number": self.number,
            "played": self.played,
            "order": list(self.order),
            "ending": self._ending.last,
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
        """Return a match after a crash, and the event that voids the hand that was cut off.

        All players are offline and have some time to come back before the next hand.
        """
        match = cls(rules, len(state["players"]), chance, now)
        match.players.extend(Entrant.restore(saved) for saved in state["players"])
        match.order = list(state["order"])
        match.played = state["played"]
        match.blinds = Blinds.restore(rules, state["blinds"])
        if not match.played:
            match.blinds = Blinds(rules, match.order)
        match._ending.last = state["ending"]
        match._pausing = paused
        match.number = state["number"] + 1
        match._progress = Progress(RETURNING, now + rules.return_s)
        return match, [HandVoided(match.number)]
