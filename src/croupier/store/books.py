"""The books of a match, carried forward from its events alone.

The ledger knows the rules by which chips move between hands and takes nothing from the recorded
states: it follows the events, and complains with `BooksError` at the first that does not fit, or
when the recorded state after a hand is not its own. Where the blinds go, how they grow and how few
players end a match it asks the same functions as the match; the money is counted here on its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.match.blinds import Blinds
from croupier.match.events import (
    BROKE,
    TIMEOUTS,
    Faulted,
    HandVoided,
    Joined,
    Left,
    MatchEnded,
    MatchStarted,
    PlayerOut,
    Reloaded,
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
    """An event or a state that does not follow from what was before."""


@dataclass
class Account:
    """What a player has."""

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
        """All he has, with what resets took or gave back."""
        return self.stack + self.reserve + self.won


class Ledger:
    """The books; `follow` takes in one record after another."""

    def __init__(self, rules: Rules, names: Sequence[str], order: Sequence[int] = ()) -> None:
        """Open the books; `order` is how the seats were drawn, if that is known."""
        self.rules = rules
        self.accounts = [Account(name, rules.stack, rules.reserve) for name in names]
        self.order = tuple(order)
        self.played = 0
        self.brought = sum(account.chips for account in self.accounts)
        """All chips that came into the match, those bought later included."""
        self.discarded = 0
        self.broken = False
        """A player's fault ends the match."""
        self._blinds: Blinds | None = None
        self._started: HandStarted | None = None
        self._discarded_in_hand = 0

    def follow(self, row: HandRow) -> None:
        """Take in a record; complain if it, or the state after it, does not fit."""
        self._started = None
        for event in row.events:
            try:
                self._take(event, row.number)
            except (IndexError, ValueError) as error:
                if isinstance(error, BooksError):
                    raise
                raise BooksError(f"{event!r} names a player who is not there") from None
        if row.played:
            self._check_nothing_left_out()
        self._compare(row)
        total = sum(account.chips for account in self.accounts) + self.discarded
        if total != self.brought:
            raise BooksError(f"{self.brought} chips have become {total}")

    def accept(self, state: State) -> None:
        """Take over a recorded state, to go on after a difference."""
        if len(state.players) == len(self.accounts):
            for account, saved in zip(self.accounts, state.players, strict=True):
                for name in FIELDS[1:]:
                    setattr(account, name, getattr(saved, name))
        self.order = state.order
        self.played = state.played
        self.brought = sum(account.chips for account in self.accounts) + self.discarded

    def standings(self) -> list[Standing]:
        """Return the ranking by these books."""
        return [
            Standing(rank, player, self.accounts[player].name, chips, hands)
            for rank, player, chips, hands in standings(self.accounts, self.rules)
        ]

    # Events.

    def _take(self, event: Event, number: int) -> None:
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
                _same(f"timeouts of {account.name!r}", event.count, account.timeouts)
            case Faulted():
                self._account(event.player).faults += 1
                self.broken = self.rules.fault_ends
            case Left():
                self.broken = self.rules.fault_ends
            case ToppedUp():
                self._top_up(event)
            case Reloaded():
                self._reload(event)
            case PlayerOut():
                self._remove(event)
            case HandVoided():
                _same("the hand that is void", event.hand, number)
            case MatchEnded():
                _same("the final standings", event.standings, standings(self.accounts, self.rules))
            case _:
                pass

    def _account(self, player: int) -> Account:
        if player < 0:
            raise IndexError(player)
        return self.accounts[player]

    def _start(self, event: HandStarted, number: int) -> None:
        _same("the number of the hand", event.hand, number)
        if self.played:
            out = [player for player, account in enumerate(self.accounts) if account.out]
            self.order = tuple(rotate(self.rules, list(self.order), out))
        elif not self.order:
            # A crash in the first hand took the draw with it; when the seed is open it is known.
            self.order = event.players
        _same("who sits where", event.players, self.order)
        accounts = [self._account(player) for player in self.order]
        _same("the stacks at the start", event.stacks, tuple(a.stack for a in accounts))
        _same("the reserves at the start", event.reserves, tuple(a.reserve for a in accounts))
        blinds = self._blinds_of_hand()
        recorded = (event.small_blind, event.big_blind, event.ante)
        _same("the blinds and the ante", recorded, (blinds.small, blinds.big, self.rules.ante))
        self._started = event
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
        for player, stack in zip(started.players, event.stacks, strict=True):
            account = self._account(player)
            account.hands += 1
            if self.rules.stacks == r.RESET:
                account.won += stack - account.stack
            else:
                account.stack = stack

    def _top_up(self, event: ToppedUp) -> None:
        account = self._account(event.player)
        if account.out or account.stack >= self._big:
            raise BooksError(f"{account.name!r} is topped up and need not be")
        amount = self._missing(account)
        _same(f"the top-up of {account.name!r}", event.amount, amount)
        account.stack += amount
        account.reserve -= amount

    def _reload(self, event: Reloaded) -> None:
        account = self._account(event.player)
        if account.out or account.reloads >= self.rules.reloads:
            raise BooksError(f"{account.name!r} buys chips and may not")
        account.reloads += 1
        _same(f"the purchases of {account.name!r}", event.count, account.reloads)
        _same(f"what {account.name!r} buys", event.amount, self.rules.stack)
        account.stack += event.amount
        self.brought += event.amount

    def _remove(self, event: PlayerOut) -> None:
        account = self._account(event.player)
        if account.out:
            raise BooksError(f"{account.name!r} is out twice")
        account.out = event.cause
        if event.cause == BROKE:
            if account.stack >= self._least or self._may_fill_up(account):
                raise BooksError(f"{account.name!r} is out with {account.stack} chips")
            _same(f"what {account.name!r} lost", event.discarded, 0)
            return
        if event.cause == TIMEOUTS and not self._too_late(account):
            raise BooksError(f"{account.name!r} is out after {account.timeouts} timeouts")
        _same(f"what {account.name!r} lost", event.discarded, account.chips)
        self.discarded += account.chips
        account.stack = account.reserve = account.won = 0

    # What must have happened by the end of a hand.

    @property
    def _big(self) -> int:
        return self._blinds.big if self._blinds is not None else self.rules.big_blind

    @property
    def _least(self) -> int:
        return self._big if self.rules.out_below_big_blind else 1

    def _missing(self, account: Account) -> int:
        """What a top-up would bring, 0 or less if nothing."""
        return min(self.rules.stack - account.stack, account.reserve)

    def _may_fill_up(self, account: Account) -> bool:
        return self._missing(account) > 0 or account.reloads < self.rules.reloads

    def _too_late(self, account: Account) -> bool:
        return 0 < self.rules.max_timeouts <= account.timeouts

    def _check_nothing_left_out(self) -> None:
        last = self.broken or 0 < self.rules.hands <= self.played
        for account in self.accounts:
            if account.out:
                continue
            if self._too_late(account):
                raise BooksError(f"{account.name!r} is not out after {account.timeouts} timeouts")
            if last:
                continue
            if account.stack < self._big and self._missing(account) > 0:
                raise BooksError(f"{account.name!r} is not topped up")
            if account.stack < self._least and not self._may_fill_up(account):
                raise BooksError(f"{account.name!r} is not out with {account.stack} chips")

    def _compare(self, row: HandRow) -> None:
        """Compare with the recorded state, in which a hand that is void changes nothing."""
        state = row.state
        _same("the number in the state", state.number, row.number)
        _same("the hands played in the state", state.played, self.played)
        if self.order:
            _same("the order in the state", state.order, self.order)
        self.order = state.order
        _same("the players in the state", len(state.players), len(self.accounts))
        for saved, account in zip(state.players, self.accounts, strict=True):
            for name in FIELDS:
                what = f"{name} of {account.name!r} in the state"
                _same(what, getattr(saved, name), getattr(account, name))
        few = too_few_left(self.rules, self.accounts)
        ending = self.broken or few or 0 < self.rules.hands <= self.played
        _same("whether the match ends, in the state", state.ending, ending)
        if self._blinds is not None:
            _same("the growth of the blinds in the state", state.blinds, self._blinds.state())


def _same(what: str, recorded: object, expected: object) -> None:
    if recorded != expected:
        raise BooksError(f"{what} is {recorded!r}, by the books {expected!r}")
