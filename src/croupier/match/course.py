"""The internal transitions of a match from one phase to the next.

An input (match.py) triggers these steps, which continue until the match has to wait for somebody.
Steps return the events that they cause.

State owned by this module: the players and their order, the current hand, the hand numbers, and
what the organiser has requested (a pause, withdrawals). The phase (phases.py), the turn (turn.py),
the end (ending.py), the blinds, the ready list and the reload window have their own owners, which
are updated from here.
"""

from croupier.match.blinds import Blinds
from croupier.match.chance import Chance, seat_order
from croupier.match.ending import Ending
from croupier.match.entrant import Entrant
from croupier.match.events import (
    LATE,
    LEFT,
    LEFT_BETWEEN,
    NOT_READY,
    TIMEOUTS,
    WITHDRAWN,
    Broken,
    CountedDown,
    MatchEnded,
    MatchStarted,
    NotReady,
    Paused,
    ReloadOpened,
)
from croupier.match.phases import (
    BETWEEN_HANDS,
    COUNTDOWN,
    HAND,
    INTERVAL,
    OVER,
    PAUSED,
    READY,
    RELOAD,
    Phase,
    Progress,
)
from croupier.match.ready import ReadyList
from croupier.match.reload_window import ReloadWindow
from croupier.match.rotation import rotate, small_blind_of
from croupier.match.settlement import record_stacks, remove, remove_timed_out, top_up
from croupier.match.standings import standings
from croupier.match.turn import Turn
from croupier.rules.decisions import FOLD, Options
from croupier.rules.events import Event
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules


class Course:
    """The course of one match; callers use its subclass `Match`."""

    def __init__(
        self, rules: Rules, size: int, chance: Chance, progress: Progress, quorum: int
    ) -> None:
        if not 2 <= size <= rules.max_seats:
            raise ValueError(f"{rules.name} seats 2 to {rules.max_seats} players, not {size}")
        self.rules = rules
        self.size = size
        self.chance = chance
        self.players: list[Entrant] = []
        self.order: list[int] = []
        """The remaining players, starting left of the button of the last hand."""
        self.blinds = Blinds(rules, ())
        self._before_hand = self.order, self.blinds.state()
        """Snapshot of order and blinds, restored if the hand is voided."""
        self.number = 0
        """The number of the last hand dealt."""
        self.played = 0
        """The number of completed hands."""
        self.hand: Hand | None = None
        self.reload_window = ReloadWindow(rules, self.players)
        self.ready_list = ReadyList()
        self._progress = progress
        self._turn = Turn(rules, self.players)
        self._ending = Ending(rules, self.players)
        self._quorum = quorum
        """How many players are needed to start the match, or to resume it after a restart."""
        self._seconds_left = 0
        """The rest of the countdown."""
        self.quiet = False
        """Whether nobody wants to know what happens in a hand: its events are not returned."""
        self._reported = 0
        """How many events of the hand have been returned."""
        self._pausing = False
        """Whether to pause before the next hand."""
        self._withdrawn: set[int] = set()
        """Players to remove from the match as soon as no hand is in progress."""

    # Public state.

    @property
    def phase(self) -> Phase:
        """The current phase."""
        return self._progress.phase

    @property
    def deadline(self) -> float | None:
        """When `tick` is due unless another input comes first, or None."""
        progress = self._progress
        return self._turn.deadline if progress.phase is HAND else progress.deadline

    @property
    def asked(self) -> int:
        """The player to act, or NOBODY."""
        return self._turn.asked

    @property
    def options(self) -> Options | None:
        """The options of the player to act."""
        return self.hand.options if self.hand is not None else None

    @property
    def pausing(self) -> bool:
        """Whether the match is paused, or will be before its next hand."""
        return self._pausing or self.phase is PAUSED

    @property
    def hands_played(self) -> bool:
        """Whether as many hands are played as the rules ask for."""
        return 0 < self.rules.hands <= self.played

    @property
    def broken(self) -> Broken | None:
        """The fault that ended the match, or will after the current hand."""
        return self._ending.broken

    @property
    def deserters(self) -> list[int]:
        """The players that left before the last hand was over, though they were not out.

        Who is out because it was away when it was asked has left all the same.
        """
        left = sorted(self._ending.deserters)
        return [player for player in left if self.players[player].out in ("", TIMEOUTS)]

    # Before the first hand.

    def _start(self, now: float) -> list[Event]:
        self._seconds_left = self.rules.countdown_s
        if not self._seconds_left:
            return self._begin(now)
        self._progress.enter(COUNTDOWN, now + 1)
        return [CountedDown(self._seconds_left)]

    def _registration_over(self, now: float) -> list[Event]:
        self._progress.deadline = None
        self._quorum = 2
        return self._start(now) if len(self.players) > 1 else []

    def _count_down(self, now: float) -> list[Event]:
        self._seconds_left -= 1
        if not self._seconds_left:
            return self._begin(now)
        self._progress.deadline = now + 1
        return [CountedDown(self._seconds_left)]

    def _begin(self, now: float) -> list[Event]:
        self.order = seat_order(self.rules, self.chance, len(self.players))
        self.blinds = Blinds(self.rules, self.order)
        return [MatchStarted(tuple(self.order)), *self._await_ready(now)]

    # Waiting for ready players and reloads.

    def _await_ready(self, now: float) -> list[Event]:
        self._progress.enter(READY, now + self.rules.ready_ms / 1000)
        return self._end_if_broken() or self._proceed_if_ready(now)

    def _proceed_if_ready(self, now: float) -> list[Event]:
        """Proceed if nobody is left to wait for."""
        return self._open_reloads(now) if self.phase is READY and not self._unready() else []

    def _unready(self) -> list[int]:
        ending = self._ending.last
        missing = self.ready_list.missing(self.players, first=not self.played, last=ending)
        return [player for player in missing if player not in self._withdrawn]

    def _proceed_without_late(self, now: float) -> list[Event]:
        late = [] if self._ending.last else self._unready()
        self._turn.not_ready(late)
        events: list[Event] = []
        for player in late:
            if self.players[player].online:
                self._ending.blame(player, NOT_READY)
                events.append(NotReady(player))
            else:
                self._ending.blame(player, LEFT_BETWEEN)
        return events + (self._end_if_broken() or self._open_reloads(now))

    def _open_reloads(self, now: float) -> list[Event]:
        """Open the reload window before the next hand, if the rules allow reloads."""
        if not self.rules.reloads or not self.played or self._ending.last:
            return self._next_hand(now)
        self._progress.enter(RELOAD, now + self.rules.reload_ms / 1000)
        self.reload_window.open()
        return [ReloadOpened(), *self._close_reloads_if_done(now)]

    def _close_reloads_if_done(self, now: float) -> list[Event]:
        """Close the window early if nobody is left to wait for."""
        done = self.phase is RELOAD and self.reload_window.done
        return self._close_reloads(now) if done else []

    def _close_reloads(self, now: float) -> list[Event]:
        return self.reload_window.close() + self._next_hand(now)

    def _recheck_waiting(self, now: float) -> list[Event]:
        """Proceed if the match was only waiting for a player that has just left."""
        return (
            self._end_if_broken() or self._proceed_if_ready(now) or self._close_reloads_if_done(now)
        )

    # A hand.

    def _next_hand(self, now: float) -> list[Event]:
        left = self._remove_withdrawn()
        if self._ending.check():
            return left + self._end()
        if self._pausing:
            self._pausing = False
            self._progress.enter(PAUSED)
            return [*left, Paused()]
        out = [player for player, entrant in enumerate(self.players) if entrant.out]
        self._before_hand = self.order, self.blinds.state()
        if self.played:
            self.order = rotate(self.rules, self.order, out)
        else:
            self.order = [player for player in self.order if player not in out]
        self.ready_list.clear()
        rules = self.rules
        order = self.order
        self.blinds.move_to(small_blind_of(rules, order))
        self.number += 1
        self._progress.enter(HAND)
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
        self._reported = 0
        return left + self._advance_hand(now)

    def _advance_hand(self, now: float) -> list[Event]:
        """Return the hand's new events, folding for players who are not asked on their turn."""
        hand = self.hand
        assert hand is not None
        events = self._news(hand)
        while not hand.over:
            player = self.order[hand.actor]
            if player not in self._withdrawn:
                if self._turn.begin(player, now):
                    return events
                events.append(self._count_timeout())
            hand.act(FOLD)
            events += self._news(hand)
        return events + self._end_hand(hand)

    def _news(self, hand: Hand) -> list[Event]:
        """Return the events of a hand that have not been returned yet."""
        if self.quiet:
            return []
        events = hand.events
        news = events[self._reported :]
        self._reported = len(events)
        return news

    def _time_out(self, now: float) -> list[Event]:
        assert self.hand is not None
        self._turn.answered(now)
        event = self._count_timeout()
        self.hand.act(FOLD)
        return [event, *self._advance_hand(now)]

    def _count_timeout(self) -> Event:
        event = self._turn.time_out()
        self._ending.blame(event.player, LEFT if event.absent else LATE)
        return event

    def _end_hand(self, hand: Hand) -> list[Event]:
        self._progress.enter(INTERVAL)
        self._turn.end()
        self.hand = None
        self.played += 1
        record_stacks(self.rules, (self.players[player] for player in self.order), hand.stacks)
        events = remove_timed_out(self.rules, self.players, self.order)
        events += self._remove_withdrawn()
        if self._ending.after_hand(self.played):
            events += top_up(self.rules, self.blinds.big, self.players, self.order)
        self._ending.check()
        return events

    def _remove_withdrawn(self) -> list[Event]:
        events: list[Event] = [
            remove(self.players, player, WITHDRAWN)
            for player in sorted(self._withdrawn)
            if not self.players[player].out
        ]
        self._withdrawn.clear()
        return events

    # The end.

    def _end_if_due(self) -> list[Event]:
        return self._end() if self._ending.check() and self.phase in BETWEEN_HANDS else []

    def _end_if_broken(self) -> list[Event]:
        return self._end() if self._ending.broken and self.phase in BETWEEN_HANDS else []

    def _end(self) -> list[Event]:
        self._progress.enter(OVER)
        self._turn.end()
        self.hand = None
        broken = self._ending.broken
        ended = MatchEnded(standings(self.players, self.rules))
        return [ended] if broken is None else [broken, ended]
