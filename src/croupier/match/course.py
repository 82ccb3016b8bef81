"""What a match does by itself: the way from one phase to the next.

Nothing in here listens to anybody: these are the steps that an input (match.py) sets off, and that
lead on until somebody has to be waited for. Steps return the events that they cause.

State that lives here: the players and their order, the hand that is played, the numbers of hands,
and what an organiser has asked for (a pause, withdrawals). The phase (phases.py), the turn
(turn.py), the end (ending.py), the blinds, and who is ready or buys chips have owners of their own,
which this file tells what happens.
"""

from croupier.match.blinds import Blinds
from croupier.match.chance import Chance
from croupier.match.ending import Ending
from croupier.match.entrant import Entrant
from croupier.match.events import (
    LATE,
    LEFT,
    NOT_READY,
    WITHDRAWN,
    CountedDown,
    MatchEnded,
    MatchStarted,
    NotReady,
    Paused,
    ReloadOpened,
)
from croupier.match.phases import (
    COUNTDOWN,
    HAND,
    IN_BETWEEN,
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
from croupier.match.settlement import remove, remove_late, take_over, top_up
from croupier.match.standings import standings
from croupier.match.turn import Turn
from croupier.rules.decisions import FOLD, Options
from croupier.rules.events import Event
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules


class Course:
    """The course of one match; `Match` is what others use."""

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
        """Who is still in, from the left of the button of the last hand."""
        self.blinds = Blinds(rules, ())
        self._before_the_hand = self.order, self.blinds.state()
        """Order and blinds as they are again if the hand is void."""
        self.number = 0
        """The number of the last hand that was dealt."""
        self.played = 0
        """How many hands were played to their end."""
        self.hand: Hand | None = None
        self.reload_window = ReloadWindow(rules, self.players)
        self.ready_list = ReadyList()
        self._progress = progress
        self._turn = Turn(rules, self.players)
        self._ending = Ending(rules, self.players)
        self._quorum = quorum
        """How many players have to be here before the match starts, or goes on after a restart."""
        self._seconds_left = 0
        """What is left of the countdown."""
        self._reported = 0
        """How many events of the hand were returned."""
        self._pausing = False
        """A pause begins before the next hand."""
        self._withdrawn: set[int] = set()
        """Who is taken out of the match when no hand is under way."""

    # What others read.

    @property
    def phase(self) -> Phase:
        """What the match is doing."""
        return self._progress.phase

    @property
    def deadline(self) -> float | None:
        """When `tick` has something to do, if nothing happens before."""
        progress = self._progress
        return self._turn.deadline if progress.phase is HAND else progress.deadline

    @property
    def asked(self) -> int:
        """The player to act, or NOBODY."""
        return self._turn.asked

    @property
    def options(self) -> Options | None:
        """What the player who is asked may do."""
        return self.hand.options if self.hand is not None else None

    @property
    def pausing(self) -> bool:
        """The match is paused, or will be before its next hand."""
        return self._pausing or self.phase is PAUSED

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
        self.order = self.chance.seats(len(self.players))
        self.blinds = Blinds(self.rules, self.order)
        return [MatchStarted(tuple(self.order)), *self._await_ready(now)]

    # Who is ready, and who buys chips.

    def _await_ready(self, now: float) -> list[Event]:
        self._progress.enter(READY, now + self.rules.ready_ms / 1000)
        return self._end_if_broken() or self._all_ready(now)

    def _all_ready(self, now: float) -> list[Event]:
        """Go on once there is nobody left to wait for."""
        return self._open_reloads(now) if self.phase is READY and not self._unready() else []

    def _unready(self) -> list[int]:
        ending = self._ending.last
        missing = self.ready_list.missing(self.players, first=not self.played, last=ending)
        return [player for player in missing if player not in self._withdrawn]

    def _go_on_without_the_late(self, now: float) -> list[Event]:
        late = [] if self._ending.last else self._unready()
        self._turn.not_ready(late)
        for player in late:
            self._ending.blame(player, NOT_READY)
        events: list[Event] = [NotReady(player) for player in late]
        return events + (self._end_if_broken() or self._open_reloads(now))

    def _open_reloads(self, now: float) -> list[Event]:
        """Open the reload window before the next hand, if the rules have one."""
        if not self.rules.reloads or not self.played or self._ending.last:
            return self._next_hand(now)
        self._progress.enter(RELOAD, now + self.rules.reload_ms / 1000)
        self.reload_window.open()
        return [ReloadOpened(), *self._all_sold(now)]

    def _all_sold(self, now: float) -> list[Event]:
        """Close the window early once there is nobody left to wait for."""
        done = self.phase is RELOAD and self.reload_window.done
        return self._close_reloads(now) if done else []

    def _close_reloads(self, now: float) -> list[Event]:
        return self.reload_window.close() + self._next_hand(now)

    def _wait_for_fewer(self, now: float) -> list[Event]:
        """Go on if the one who has just gone was the last to be waited for."""
        return self._end_if_broken() or self._all_ready(now) or self._all_sold(now)

    # A hand.

    def _next_hand(self, now: float) -> list[Event]:
        left = self._remove_withdrawn()
        if self._ending.look():
            return left + self._end()
        if self._pausing:
            self._pausing = False
            self._progress.enter(PAUSED)
            return [*left, Paused()]
        out = [player for player, entrant in enumerate(self.players) if entrant.out]
        self._before_the_hand = self.order, self.blinds.state()
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
        return left + self._go_on(now)

    def _go_on(self, now: float) -> list[Event]:
        """Return what happened since, and see to whoever is asked now."""
        hand = self.hand
        assert hand is not None
        events = hand.events[self._reported :]
        self._reported = len(hand.events)
        while not hand.over:
            player = self.order[hand.actor]
            if player not in self._withdrawn:
                if self._turn.begin(player, now):
                    return events
                events.append(self._count_timeout())
            hand.act(FOLD)
            events += hand.events[self._reported :]
            self._reported = len(hand.events)
        return events + self._end_hand(hand)

    def _time_out(self, now: float) -> list[Event]:
        assert self.hand is not None
        event = self._count_timeout()
        self.hand.act(FOLD)
        return [event, *self._go_on(now)]

    def _count_timeout(self) -> Event:
        event = self._turn.time_out()
        self._ending.blame(event.player, LEFT if event.absent else LATE)
        return event

    def _end_hand(self, hand: Hand) -> list[Event]:
        self._progress.enter(INTERVAL)
        self._turn.end()
        self.hand = None
        self.played += 1
        take_over(self.rules, (self.players[player] for player in self.order), hand.stacks)
        events = remove_late(self.rules, self.players, self.order)
        events += self._remove_withdrawn()
        if self._ending.after_hand(self.played):
            events += top_up(self.rules, self.blinds.big, self.players, self.order)
        self._ending.look()
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
        return self._end() if self._ending.look() and self.phase in IN_BETWEEN else []

    def _end_if_broken(self) -> list[Event]:
        return self._end() if self._ending.broken and self.phase in IN_BETWEEN else []

    def _end(self) -> list[Event]:
        self._progress.enter(OVER)
        self._turn.end()
        self.hand = None
        broken = self._ending.broken
        ended = MatchEnded(standings(self.players, self.rules))
        return [ended] if broken is None else [broken, ended]
