"""The books of a match, rebuilt from its events alone.

The ledger knows how chips move between hands. It derives every figure from the events, never from
the recorded states, and raises `BooksError` at the first event that does not fit or the first
recorded state that differs from its own. It shares the match's functions for the position and
growth of the blinds and for the number of players that ends a match; chips it counts independently.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.match.blinds import Blinds
from croupier.match.events import (
    BROKE,
    TIMEOUTS,
    Broken,
    Faulted,
    HandVoided,
    Joined,
    Left,
    MatchEnded,
    MatchStarted,
    PlayerOut,
    Reloaded,
    Returned,
    TimedOut,
    ToppedUp,
)
from croupier.match.rotation import rotate, small_blind_of
from croupier.match.settlement import too_few_left
from croupier.match.standings import standings
from croupier.rules import rules as r
from croupier.rules.events import Event, HandEnded, HandStarted, PotDiscarded
from croupier.rules.rules import Rules
from croupier.store.queries import HandRow, Standing, State

FIELDS = ("name", "stack", "reserve", "won", "hands", "timeouts", "faults", "reloads", "out")


class BooksError(ValueError):
    """An event or a state that does not follow from what came before it."""


@dataclass
class Account:
    """A player's chips and counters."""

    name: str
    stack: int
    reserve: int
    won: int = 0
    hands: int = 0
    timeouts: int = 0
    faults: int = 0
    reloads: int = 0
    out: str = ""

    @property
    def chips(self) -> int:
        """The player's total, including what stack resets took or gave back."""
        return self.stack + self.reserve + self.won


class Ledger:
    """The books of one match; `follow` applies one record after another."""

    def __init__(self, rules: Rules, names: Sequence[str], order: Sequence[int] = ()) -> None:
        """Open the books; `order` is the drawn seating order, if known."""
        self.rules = rules
        self.accounts = [Account(name, rules.stack, rules.reserve) for name in names]
        self.order = tuple(order)
        self.played = 0
        self.brought = sum(account.chips for account in self.accounts)
        """All chips brought into the match, including later purchases."""
        self.discarded = 0
        self.broken = False
        """Whether a player's fault ends the match."""
        self._away: set[int] = set()
        """Players that left between two hands, which ends such a match unless they return."""
        self._blinds: Blinds | None = None
        self._started: HandStarted | None = None
        self._in_hand = False
        self._discarded_in_hand = 0

    def follow(self, row: HandRow) -> None:
        """Apply a record; raise `BooksError` if it, or the state after it, does not fit."""
        self._started = None
        self._in_hand = False
        for event in row.events:
            try:
                self._apply(event, row.number)
            except (IndexError, ValueError) as error:
                if isinstance(error, BooksError):
                    raise
                raise BooksError(f"{event!r} names a player who is not there") from None
        if row.played:
            self._check_nothing_overdue()
        self._compare(row)
        total = sum(account.chips for account in self.accounts) + self.discarded
        if total != self.brought:
            raise BooksError(f"{self.brought} chips have become {total}")

    def accept(self, state: State) -> None:
        """Adopt a recorded state, so that checking can continue after a difference."""
        if len(state.players) == len(self.accounts):
            for account, saved in zip(self.accounts, state.players, strict=True):
                for name in FIELDS[1:]:
                    setattr(account, name, getattr(saved, name))
        self.order = state.order
        self.played = state.played
        self.brought = sum(account.chips for account in self.accounts) + self.discarded

    def standings(self) -> list[Standing]:
        """Return the ranking according to these books."""
        return [
            Standing(rank, player, self.accounts[player].name, chips, hands)
            for rank, player, chips, hands in standings(self.accounts, self.rules)
        ]

    # Events.

    def _apply(self, event: Event, number: int) -> None:
        match event:
            case Joined():
                if self._account(event.player).name != event.name:
                    raise BooksError(f"player {event.player} is {event.name!r} in the record")
            case MatchStarted():
                if sorted(event.order) != list(range(len(self.accounts))):
                    raise BooksError(f"{event.order} are not the players of the match")
                self.order = self.order or event.order
            case HandStarted():
                self._start(event, number)
            case PotDiscarded():
                self._discarded_in_hand += event.amount
            case HandEnded():
                self._end(event)
            case TimedOut():
                account = self._account(event.player)
                account.timeouts += 1
                self.broken = self.rules.fault_ends
                _require_equal(f"timeouts of {account.name!r}", event.count, account.timeouts)
            case Faulted():
                self._account(event.player).faults += 1
                self.broken = self.rules.fault_ends
            case Left():
                if self._in_hand:
                    self.broken = self.rules.fault_ends
                else:
                    self._away.add(event.player)
            case Returned():
                self._away.discard(event.player)
            case Broken():
                self.broken = True
            case ToppedUp():
                self._top_up(event)
            case Reloaded():
                self._reload(event)
            case PlayerOut():
                self._remove(event)
            case HandVoided():
                _require_equal("the hand that is void", event.hand, number)
            case MatchEnded():
                _require_equal(
                    "the final standings", event.standings, standings(self.accounts, self.rules)
                )
            case _:
                pass

    @property
    def _breaks_off(self) -> bool:
        return self.broken or (self.rules.fault_ends and bool(self._away))

    def _account(self, player: int) -> Account:
        if player < 0:
            raise IndexError(player)
        return self.accounts[player]

    def _start(self, event: HandStarted, number: int) -> None:
        _require_equal("the number of the hand", event.hand, number)
        if self.played:
            out = [player for player, account in enumerate(self.accounts) if account.out]
            self.order = tuple(rotate(self.rules, list(self.order), out))
        elif not self.order:
            # A crash in the first hand loses the draw; it is known again once the seed is open.
            self.order = event.players
        _require_equal("who sits where", event.players, self.order)
        accounts = [self._account(player) for player in self.order]
        _require_equal("the stacks at the start", event.stacks, tuple(a.stack for a in accounts))
        _require_equal(
            "the reserves at the start", event.reserves, tuple(a.reserve for a in accounts)
        )
        blinds = self._blinds_of_hand()
        recorded = (event.small_blind, event.big_blind, event.ante)
        _require_equal(
            "the blinds and the ante", recorded, (blinds.small, blinds.big, self.rules.ante)
        )
        self._started = event
        self._in_hand = True
        self._discarded_in_hand = 0

    def _blinds_of_hand(self) -> Blinds:
        if self._blinds is None:
            self._blinds = Blinds(self.rules, self.order)
        self._blinds.move_to(small_blind_of(self.rules, list(self.order)))
        return self._blinds

    def _end(self, event: HandEnded) -> None:
        started = self._started
        if started is None or len(event.stacks) != len(started.stacks):
            raise BooksError("the hand ends without having begun")
        before, after = sum(started.stacks), sum(event.stacks) + self._discarded_in_hand
        if before != after:
            raise BooksError(f"{before} chips at the start of the hand have become {after}")
        self.discarded += self._discarded_in_hand
        self.played += 1
        self._in_hand = False
        for player, stack in zip(started.players, event.stacks, strict=True):
            account = self._account(player)
            account.hands += 1
            if self.rules.stacks == r.RESET:
                account.won += stack - account.stack
            else:
                account.stack = stack

    def _top_up(self, event: ToppedUp) -> None:
        account = self._account(event.player)
        if account.out or account.stack >= self._big_blind:
            raise BooksError(f"{account.name!r} is topped up and need not be")
        amount = self._top_up_amount(account)
        _require_equal(f"the top-up of {account.name!r}", event.amount, amount)
        account.stack += amount
        account.reserve -= amount

    def _reload(self, event: Reloaded) -> None:
        account = self._account(event.player)
        if account.out or account.reloads >= self.rules.reloads:
            raise BooksError(f"{account.name!r} buys chips and may not")
        account.reloads += 1
        _require_equal(f"the purchases of {account.name!r}", event.count, account.reloads)
        _require_equal(f"what {account.name!r} buys", event.amount, self.rules.stack)
        account.stack += event.amount
        self.brought += event.amount

    def _remove(self, event: PlayerOut) -> None:
        account = self._account(event.player)
        if account.out:
            raise BooksError(f"{account.name!r} is out twice")
        account.out = event.cause
        if event.cause == BROKE:
            if account.stack >= self._minimum_stack or self._can_refill(account):
                raise BooksError(f"{account.name!r} is out with {account.stack} chips")
            _require_equal(f"what {account.name!r} lost", event.discarded, 0)
            return
        if event.cause == TIMEOUTS and not self._timed_out_too_often(account):
            raise BooksError(f"{account.name!r} is out after {account.timeouts} timeouts")
        _require_equal(f"what {account.name!r} lost", event.discarded, account.chips)
        self.discarded += account.chips
        account.stack = account.reserve = account.won = 0

    # What a hand must have done by its end.

    @property
    def _big_blind(self) -> int:
        return self._blinds.big if self._blinds is not None else self.rules.big_blind

    @property
    def _minimum_stack(self) -> int:
        return self._big_blind if self.rules.out_below_big_blind else 1

    def _top_up_amount(self, account: Account) -> int:
        """Return what a top-up would add; 0 or less means nothing."""
        return min(self.rules.stack - account.stack, account.reserve)

    def _can_refill(self, account: Account) -> bool:
        return self._top_up_amount(account) > 0 or account.reloads < self.rules.reloads

    def _timed_out_too_often(self, account: Account) -> bool:
        return 0 < self.rules.max_timeouts <= account.timeouts

    def _check_nothing_overdue(self) -> None:
        last = self._breaks_off or 0 < self.rules.hands <= self.played
        for account in self.accounts:
            if account.out:
                continue
            if self._timed_out_too_often(account):
                raise BooksError(f"{account.name!r} is not out after {account.timeouts} timeouts")
            if last:
                continue
            if account.stack < self._big_blind and self._top_up_amount(account) > 0:
                raise BooksError(f"{account.name!r} is not topped up")
            if account.stack < self._minimum_stack and not self._can_refill(account):
                raise BooksError(f"{account.name!r} is not out with {account.stack} chips")

    def _compare(self, row: HandRow) -> None:
        """Compare with the recorded state, in which a voided hand changes nothing."""
        state = row.state
        _require_equal("the number in the state", state.number, row.number)
        _require_equal("the hands played in the state", state.played, self.played)
        if self.order:
            _require_equal("the order in the state", state.order, self.order)
        self.order = state.order
        _require_equal("the players in the state", len(state.players), len(self.accounts))
        for saved, account in zip(state.players, self.accounts, strict=True):
            for name in FIELDS:
                what = f"{name} of {account.name!r} in the state"
                _require_equal(what, getattr(saved, name), getattr(account, name))
        few = too_few_left(self.rules, self.accounts)
        ending = self._breaks_off or few or 0 < self.rules.hands <= self.played
        _require_equal("whether the match ends, in the state", state.ending, ending)
        if self._blinds is not None:
            _require_equal(
                "the growth of the blinds in the state", state.blinds, self._blinds.state()
            )


def _require_equal(what: str, recorded: object, expected: object) -> None:
    if recorded != expected:
        raise BooksError(f"{what} is {recorded!r}, by the books {expected!r}")
