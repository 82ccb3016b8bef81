"""Hands in a row, and the time between them.

- Nothing in here waits, sends or draws: time is an argument of every input, `deadline` says when to
  come back with `tick`, and the source of deals is an argument too.
- Every input is a method that returns the events it caused. An input that does not fit (a decision
  out of turn, a second pause) causes none.
- After a hand the match stands still until `recorded` says that the hand is safely stored. What is
  recorded with it is `state()`, from which `restore` makes the same match again.
- Chips in stacks, pots and reserves are constant, less what `PotDiscarded` and `PlayerOut` name.
"""

from typing import Any

from croupier.match.blinds import Blinds
from croupier.match.chance import Chance
from croupier.match.entrant import Entrant
from croupier.match.events import (
    LATE,
    LEFT,
    LEFT_BETWEEN,
    NOT_READY,
    WITHDRAWN,
    Broken,
    CountedDown,
    Faulted,
    HandVoided,
    Joined,
    Left,
    MatchEnded,
    MatchStarted,
    NotReady,
    Paused,
    ReloadOpened,
    Resumed,
    Returned,
    StartFailed,
    Stopped,
    TimedOut,
    TurnExtended,
)
from croupier.match.ready import Handshake, ReadyList
from croupier.match.reload_window import ReloadWindow
from croupier.match.rotation import rotate, small_blind_of
from croupier.match.settlement import remove, remove_late, take_over, top_up
from croupier.match.standings import standings
from croupier.rules.decisions import FOLD, Decision, IllegalDecisionError, Options
from croupier.rules.events import Event
from croupier.rules.hand import NOBODY, Hand
from croupier.rules.rules import Rules

SEATING = "seating"
COUNTDOWN = "countdown"
READY = "ready"
RELOAD = "reload"
RETURNING = "returning"
HAND = "hand"
INTERVAL = "interval"
PAUSED = "paused"
OVER = "over"

REPEAT_S = 0.05
"""Seconds for a second purchase, after the last of those who are waited for has answered."""

_BETWEEN = (READY, RELOAD, RETURNING, PAUSED)
"""Phases in which nothing is under way, so that the match can end at once."""


class Match:
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
        self._on_command = on_command
        if not 2 <= size <= rules.max_seats:
            raise ValueError(f"{rules.name} seats 2 to {rules.max_seats} players, not {size}")
        self.rules = rules
        self.size = size
        self.chance = chance
        self.players: list[Entrant] = []
        self.phase = SEATING
        self.deadline: float | None = None if patient or on_command else now + rules.registration_s
        self._overdue = False
        """The time to come is over, and whoever comes now starts the match or lets it go on."""
        self.order: list[int] = []
        """Who is still in, from the left of the button of the last hand."""
        self.blinds = Blinds(rules, ())
        self._before_the_hand = self.order, self.blinds.state()
        self.number = 0
        """The number of the last hand that was dealt."""
        self.played = 0
        """How many hands were played to their end."""
        self.hand: Hand | None = None
        self.asked = NOBODY
        self.reload_window = ReloadWindow(rules, self.players)
        self.ready_list = ReadyList()
        self._told = 0
        self._seconds_left = 0
        self._absent = False
        """The player who is asked was not there when his turn came."""
        self._pausing = False
        self._leaving: set[int] = set()
        self._ending = False
        self._broken: Broken | None = None
        self._exited: set[int] = set()
        """Who has said that he leaves: he is asked no more."""

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
        if self.phase != SEATING or len(self.players) == self.size:
            return []
        self.players.append(Entrant(name, self.rules.stack, self.rules.reserve))
        events: list[Event] = [Joined(len(self.players) - 1, name)]
        full = len(self.players) == self.size and not self._on_command
        if full or (self._overdue and len(self.players) > 1):
            events += self._start(now)
        return events

    def start(self, now: float) -> list[Event]:
        """Start with those who are here; two are enough."""
        if self.phase != SEATING:
            return []
        return self._start(now) if len(self.players) > 1 else [StartFailed()]

    def _start(self, now: float) -> list[Event]:
        self._seconds_left = self.rules.countdown_s
        if not self._seconds_left:
            return self._begin(now)
        self.phase = COUNTDOWN
        self.deadline = now + 1
        return [CountedDown(self._seconds_left)]

    def _count_down(self, now: float) -> list[Event]:
        self._seconds_left -= 1
        if not self._seconds_left:
            return self._begin(now)
        self.deadline = now + 1
        return [CountedDown(self._seconds_left)]

    def _begin(self, now: float) -> list[Event]:
        self.order = self.chance.seats(len(self.players))
        self.blinds = Blinds(self.rules, self.order)
        return [MatchStarted(tuple(self.order)), *self._await_ready(now)]

    # Inputs.

    def decide(self, player: int, decision: Decision, now: float) -> list[Event]:
        """Take a player's decision; one that the rules refuse is a fault."""
        if player != self.asked or self.hand is None:
            return []
        try:
            self.hand.act(decision)
        except IllegalDecisionError as error:
            return self.illegal(player, str(error), now)
        return self._go_on(now)

    def illegal(self, player: int, reason: str, now: float) -> list[Event]:
        """Take an answer that is no decision: a fold, and a fault."""
        if player != self.asked or self.hand is None:
            return []
        self.players[player].faults += 1
        self._break(player, reason)
        self.hand.act(FOLD)
        return [Faulted(player, reason), *self._go_on(now)]

    def exit(self, player: int, reason: str, now: float) -> list[Event]:
        """Take a player's word that he leaves; what is said of it is the reason."""
        if self.phase == OVER:
            return []
        self._exited.add(player)
        events = self.illegal(player, reason, now)
        if not events and not self._ending:
            self._break(player, reason)
            events = self._end_if_broken()
        return events

    def ready(self, player: int, now: float) -> list[Event]:
        """Note that a player waits for the next hand."""
        self.ready_list.say(player)
        return self._all_ready(now)

    def tick(self, now: float) -> list[Event]:
        """Do what the deadline asks for, if it has come."""
        if self.deadline is None or now < self.deadline:
            return []
        if self.phase == HAND:
            return self._time_out(now, absent=self._absent)
        self.deadline = None
        if self.phase == COUNTDOWN:
            return self._count_down(now)
        if self.phase == READY:
            return self._wait_no_longer(now)
        if self.phase == RELOAD:
            return self._close_reloads(now)
        if self.phase == SEATING:
            self._overdue = True
            return self._start(now) if len(self.players) > 1 else []
        if self.phase == RETURNING:
            return self._await_ready(now)
        return []

    def wait_for_anyone(self) -> None:
        """Let the time to come back be over for the first who does: nobody is here to play."""
        self._overdue = True
        self.deadline = None

    def start_clock(self, now: float) -> None:
        """Let the time of the player who is asked begin now, when the question has gone out."""
        if self.phase == HAND and not self._absent:
            self.deadline = now + self.rules.decision_ms / 1000

    def expire(self, now: float) -> list[Event]:
        """Let the time of the player who is asked be over."""
        return self._time_out(now, absent=self._absent) if self.phase == HAND else []

    def extend(self, seconds: float) -> list[Event]:
        """Give the player who is asked more time."""
        if self.phase != HAND or self.deadline is None:
            return []
        self.deadline += seconds
        return [TurnExtended(self.asked, round(1000 * seconds))]

    def connected(self, player: int, now: float) -> list[Event]:
        """Note that a player is back."""
        entrant = self.players[player]
        if entrant.online:
            return []
        entrant.online = True
        self._exited.discard(player)
        events: list[Event] = [Returned(player)]
        if player == self.asked and self._absent:
            # He was away when his turn came: he is asked now, and has all his time.
            self._absent = False
            self.deadline = now + self.rules.decision_ms / 1000
        if self.phase == RETURNING and (
            self._overdue or all(p.online or p.out for p in self.players)
        ):
            events += self._await_ready(now)
        return events

    def disconnected(self, player: int, now: float) -> list[Event]:
        """Note that a player's connection is gone."""
        entrant = self.players[player]
        if not entrant.online:
            return []
        entrant.online = False
        events: list[Event] = [Left(player)]
        if self.phase in (HAND, INTERVAL, READY, RELOAD, PAUSED) and not self._ending:
            self._break(player, LEFT if self.phase == HAND else LEFT_BETWEEN)
        if player == self.asked and not self.rules.absence_ms:
            events += self._time_out(now, absent=True)
        events += self._end_if_broken() or self._all_ready(now)
        if self.phase == RELOAD:
            events += self._reloads_done(now)
        return events

    def recorded(self, now: float) -> list[Event]:
        """Go on after a hand that is safely stored."""
        return self._await_ready(now) if self.phase == INTERVAL else []

    def reload(self, player: int, now: float) -> list[Event]:
        """Let a player buy a stack, while the window is open and he has a purchase left."""
        if self.phase != RELOAD or self.players[player].out:
            return []
        events = self.reload_window.answer(player)
        if self.reload_window.done and self.deadline is not None:
            self.deadline = min(self.deadline, now + REPEAT_S)
        return events

    def pause(self) -> list[Event]:
        """Let no hand begin after the one that is being played."""
        if self.phase in (COUNTDOWN, HAND, INTERVAL, READY, RELOAD, RETURNING):
            self._pausing = True
        return []

    def resume(self, now: float) -> list[Event]:
        """Go on with the next hand."""
        self._pausing = False
        if self.phase != PAUSED:
            return []
        return [Resumed(), *self._next_hand(now)]

    def withdraw(self, player: int, now: float) -> list[Event]:
        """Take a player out: he folds when his turn comes and is gone after the hand."""
        if self.players[player].out or self.phase in (SEATING, OVER):
            return []
        self._leaving.add(player)
        if self.phase == HAND:
            return self._go_on(now) if player == self.asked else []
        if self.phase == COUNTDOWN:
            return []
        events = self._remove_leaving() + self._check_end() + self._all_ready(now)
        return events + (self._reloads_done(now) if self.phase == RELOAD else [])

    def stop(self) -> list[Event]:
        """End the match at once; a hand that is being played is void."""
        if self.phase == OVER:
            return []
        events: list[Event] = []
        if self.phase == HAND:
            events.append(HandVoided(self.number))
            # As if the hand had never been dealt.
            self.order, blinds = self._before_the_hand
            self.blinds = Blinds.restore(self.rules, blinds)
        return [*events, Stopped(), *self._end()]

    # The course of a hand.

    def _next_hand(self, now: float) -> list[Event]:
        left = self._remove_leaving()
        if self._ends():
            return left + self._end()
        if self._pausing:
            self._pausing = False
            self.phase = PAUSED
            self.deadline = None
            return [*left, Paused()]
        out = [player for player, entrant in enumerate(self.players) if entrant.out]
        self._before_the_hand = self.order, self.blinds.state()
        if self.played:
            self.order = rotate(self.rules, self.order, out)
        else:
            self.order = [player for player in self.order if player not in out]
        self.ready_list.said.clear()
        rules = self.rules
        order = self.order
        self.blinds.move_to(small_blind_of(rules, order))
        self.number += 1
        self.phase = HAND
        cards = self.chance.cards(self.number, rules.deck, rules.cards_for(len(order)))
        self.hand = Hand(
            rules,
            [self.players[player].stack for player in order],
            cards,
            number=self.number,
            players=order,
            reserves=[self.players[player].reserve for player in order],
            small_blind=self.blinds.small,
            big_blind=self.blinds.big,
        )
        self._told = 0
        return left + self._go_on(now)

    def _go_on(self, now: float) -> list[Event]:
        """Return what happened since, and see to whoever is asked now."""
        hand = self.hand
        assert hand is not None
        events: list[Event] = []
        while True:
            events += hand.events[self._told :]
            self._told = len(hand.events)
            if hand.over:
                return events + self._end_hand(hand)
            player = self.order[hand.actor]
            self.asked = player
            self._absent = not self.players[player].online
            if player in self._leaving:
                hand.act(FOLD)
            elif player in self.ready_list.late or player in self._exited:
                events.append(self._count_timeout(player, absent=self._absent))
                hand.act(FOLD)
            elif self._absent and self.rules.absence_ms:
                self.deadline = now + self.rules.absence_ms / 1000
                return events
            elif self._absent:
                events.append(self._count_timeout(player, absent=True))
                hand.act(FOLD)
            else:
                self.deadline = now + self.rules.decision_ms / 1000
                return events

    def _time_out(self, now: float, absent: bool) -> list[Event]:
        assert self.hand is not None
        event = self._count_timeout(self.asked, absent)
        self.hand.act(FOLD)
        return [event, *self._go_on(now)]

    def _count_timeout(self, player: int, absent: bool) -> Event:
        entrant = self.players[player]
        entrant.timeouts += 1
        self._break(player, LEFT if absent else LATE)
        return TimedOut(player, entrant.timeouts, absent)

    def _end_hand(self, hand: Hand) -> list[Event]:
        self.phase = INTERVAL
        self.deadline = None
        self.asked = NOBODY
        self.played += 1
        take_over(self.rules, (self.players[player] for player in self.order), hand.stacks)
        self.hand = None
        self.ready_list.late = set()
        events = remove_late(self.rules, self.players, self.order)
        events += self._remove_leaving()
        if self._broken is None and (not self.rules.hands or self.played < self.rules.hands):
            events += top_up(self.rules, self.blinds.big, self.players, self.order)
        else:
            self._ending = True
        return events + self._check_end()

    def _break(self, player: int, cause: str) -> None:
        """Let the match end because of a player, if the rules want it so."""
        if self.rules.fault_ends and self._broken is None:
            self._broken = Broken(player, cause)

    def _end_if_broken(self) -> list[Event]:
        return self._end() if self._broken and self.phase in _BETWEEN else []

    # Who is ready for the next hand.

    def _await_ready(self, now: float) -> list[Event]:
        if self._broken is not None:
            return self._end()
        self.phase = READY
        self.deadline = now + self.rules.ready_ms / 1000
        return self._all_ready(now)

    def _all_ready(self, now: float) -> list[Event]:
        """Go on once there is nobody left to wait for."""
        return self._open_reloads(now) if self.phase == READY and not self._unready() else []

    def _unready(self) -> list[int]:
        missing = self.ready_list.missing(self.players, first=not self.played, last=self._ending)
        return [player for player in missing if player not in self._leaving]

    def _wait_no_longer(self, now: float) -> list[Event]:
        late = [] if self._ending else self._unready()
        self.ready_list.late = set(late)
        for player in late:
            self._break(player, NOT_READY)
        events: list[Event] = [NotReady(player) for player in late]
        return events + (self._end_if_broken() or self._open_reloads(now))

    # Buying chips between two hands.

    def _open_reloads(self, now: float) -> list[Event]:
        """Open the reload window before the next hand, if the rules have one."""
        if not self.rules.reloads or not self.played or self._ending:
            return self._next_hand(now)
        self.phase = RELOAD
        self.reload_window.open()
        self.deadline = now + self.rules.reload_ms / 1000
        return [ReloadOpened(), *self._reloads_done(now)]

    def _reloads_done(self, now: float) -> list[Event]:
        """Close the window early once there is nobody left to wait for."""
        return self._close_reloads(now) if self.reload_window.done else []

    def _close_reloads(self, now: float) -> list[Event]:
        return self.reload_window.close() + self._next_hand(now)

    def _remove_leaving(self) -> list[Event]:
        events: list[Event] = [
            remove(self.players, player, WITHDRAWN)
            for player in sorted(self._leaving)
            if not self.players[player].out
        ]
        self._leaving.clear()
        return events

    def _ends(self) -> bool:
        """Tell whether there is no next hand."""
        self._ending = self._ending or sum(not player.out for player in self.players) < 2
        return self._ending

    def _check_end(self) -> list[Event]:
        return self._end() if self._ends() and self.phase in _BETWEEN else []

    def _end(self) -> list[Event]:
        self.phase = OVER
        self.deadline = None
        self.asked = NOBODY
        self.hand = None
        broken = [] if self._broken is None else [self._broken]
        return [*broken, MatchEnded(standings(self.players, self.rules))]

    @property
    def pausing(self) -> bool:
        """The match is paused, or will be before its next hand."""
        return self._pausing or self.phase == PAUSED

    # What is stored.

    @property
    def options(self) -> Options | None:
        """What the player who is asked may do."""
        return self.hand.options if self.hand is not None else None

    def skip_number(self) -> None:
        """Use up the number of a hand that is never dealt: a record of its own bears it."""
        self.number += 1

    def state(self) -> dict[str, Any]:
        """Return the books after a hand, as plain values for the record."""
        return {
            "number": self.number,
            "played": self.played,
            "order": list(self.order),
            "ending": self._ending,
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
        match._ending = state["ending"]
        match._pausing = paused
        match.number = state["number"] + 1
        match.phase = RETURNING
        match.deadline = now + rules.return_s
        return match, [HandVoided(match.number)]
