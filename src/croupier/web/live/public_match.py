"""The public state of a match, built from its events; scenes are drawn from it.

It serves live tables and replays alike. It is pure, and holds only what the audience may see.
"""

from collections.abc import Sequence

from croupier.dialects.registry import dialect_of
from croupier.history.printable import plain
from croupier.history.sentences import BetVerb, Sentence, sentence
from croupier.match.events import (
    CountedDown,
    HandVoided,
    Joined,
    MatchEnded,
    MatchStarted,
    Paused,
    PlayerOut,
    Reloaded,
    ReloadOpened,
    Resumed,
    Returned,
    Stopped,
    ToppedUp,
    TurnExtended,
)
from croupier.match.standings import standings
from croupier.match.view import MatchView
from croupier.rules.events import (
    ANTE,
    HAND_EVENTS,
    Acted,
    Asked,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    Posted,
    PotWon,
)
from croupier.rules.rules import RESET, Rules
from croupier.rules.view import View
from croupier.store.books import Account
from croupier.store.queries import State
from croupier.web.live.schemas import BlindName, StateName


class PublicMatch:
    """A match as the audience knows it; `see` applies one event."""

    def __init__(self, rules: Rules, match_id: str, places: int = 0) -> None:
        self.rules = rules
        self.match_id = match_id
        self.places = places
        """The number of players that the match waits for."""
        self.view = MatchView(rules, open_cards=True)
        self.accounts: list[Account] = []
        """Each player's books after the last hand."""
        self.dialects: list[str] = []
        self.state: StateName = "seating"
        self.message = ""
        self.known = True
        """False after a gap, until the next hand starts."""
        self.blinds: list[BlindName] = []
        self.won: list[int] = []
        self.last: list[str] = []
        """Each seat's last action on this street, as a short label."""
        self._bet = BetVerb()
        self.paying = False
        """Whether pots are being paid out; the remaining chips then show as one pot."""
        self.clock_ms = 0
        self.since: float | None = None

    def join(self, name: str, dialect: str) -> None:
        """Add a player."""
        self.view.see(Joined(len(self.view.names), plain(name)))
        self.accounts.append(Account(name, self.rules.stack, self.rules.reserve))
        self.dialects.append(dialect)

    def rename(self, player: int, name: str) -> None:
        """Change a player's name."""
        self.view.names[player] = plain(name)

    def adopt(self, state: State) -> None:
        """Adopt the recorded books after a hand."""
        for account, saved in zip(self.accounts, state.players, strict=True):
            account.stack, account.reserve, account.won = saved.stack, saved.reserve, saved.won
            account.hands, account.reloads, account.out = saved.hands, saved.reloads, saved.out
        for player, account in enumerate(self.accounts):
            self.view.out[player] = bool(account.out)
            self.view.stacks[player] = account.stack
        self.view.circle = self.view.circle or _seated(state.order, len(self.accounts))

    def resume(self, online: Sequence[bool], *, returning: bool) -> None:
        """Resume a match after a crash; if `returning`, it waits for players to reconnect."""
        for player, here in zip(range(len(self.accounts)), online, strict=False):
            self.view.online[player] = here
        self.state = "returning" if returning else "playing"
        self.message = "The match goes on; the picture comes with the next hand to be shown."

    def lose_track(self) -> None:
        """Mark the current hand as unknown because events are missing."""
        self.known = False
        self.message = "Some events were skipped; the picture comes back with the next hand."

    def see(self, event: Event, at: float | None = None) -> None:
        """Apply the next event, which happened at the time `at`."""
        kind = type(event)
        if kind is HandStarted:
            self.known = True
        if not self.known and kind in HAND_EVENTS:
            return
        if kind is not Joined:
            self.view.see(event)
        self._follow(event)
        self._follow_state(event)
        self._follow_clock(event, at)

    def ranking(self) -> tuple[tuple[int, int, int, int], ...]:
        """Return (rank, player, chips, hands survived), best first."""
        return self.view.standings or standings(self.accounts, self.rules)

    @property
    def dealt(self) -> bool:
        """Whether there is a hand to show."""
        return self.known and bool(self.view.hand.players)

    # Sentences and the context that they need.

    def sentence(self, event: Event) -> Sentence | None:
        """Return the description of the event that was just applied, or None if it needs none."""
        if not self.known and type(event) in HAND_EVENTS:
            return None
        return sentence(self, event)

    @property
    def names(self) -> Sequence[str]:
        """The players' names, by player number."""
        return self.view.names

    @property
    def hand(self) -> View:
        """The current hand, or the last one."""
        return self.view.hand

    @property
    def verb(self) -> str:
        """The verb for the last bet or raise."""
        return self._bet.word

    # Books and labels.

    def _follow(self, event: Event) -> None:
        self._bet.see(event)
        match event:
            case HandStarted():
                self._hand_started(event)
            case Posted() if event.kind != ANTE:
                self.blinds[event.seat] = "small" if event.kind == "small" else "big"
                self.last[event.seat] = f"{event.kind} blind {event.amount:,}"
            case BoardDealt():
                self.last = [""] * len(self.last)
            case Acted():
                self.last[event.seat] = _label(event, self.verb)
            case PotWon():
                self.paying = True
                for seat, share in event.winners:
                    self.won[seat] += share
            case HandEnded():
                self._hand_ended(event.stacks)
            case ToppedUp():
                self.accounts[event.player].stack += event.amount
                self.accounts[event.player].reserve -= event.amount
            case Reloaded():
                self.accounts[event.player].stack += event.amount
                self.accounts[event.player].reloads = event.count
            case PlayerOut():
                account = self.accounts[event.player]
                account.out = event.cause
                if event.discarded:
                    account.stack = account.reserve = account.won = 0
            case _:
                pass

    def _hand_started(self, event: HandStarted) -> None:
        size = len(event.players)
        self.blinds = [""] * size
        self.won = [0] * size
        self.last = [""] * size
        self.paying = False
        for seat, player in enumerate(event.players):
            self.accounts[player].stack = event.stacks[seat]
            self.accounts[player].reserve = event.reserves[seat]

    def _hand_ended(self, stacks: Sequence[int]) -> None:
        for player, stack in zip(self.view.hand.players, stacks, strict=True):
            account = self.accounts[player]
            account.hands += 1
            if self.rules.stacks == RESET:
                account.won += stack - account.stack
            else:
                account.stack = stack

    # The state of the match.

    def _follow_state(self, event: Event) -> None:
        match event:
            case CountedDown():
                self.state = "countdown"
            case MatchStarted() | HandStarted() | Resumed():
                self.state = "playing"
            case Paused():
                self.state = "paused"
            case MatchEnded():
                self.state = "over"
            case _:
                pass
        match event:
            case CountedDown() | HandVoided() | Paused() | Stopped() | MatchEnded():
                told = sentence(self, event)
                self.message = "" if told is None else f"{told.text}."
            case MatchStarted():
                self.message = "The seats are drawn; the first hand begins."
            case HandStarted() | Resumed():
                self.message = ""
            case ReloadOpened():
                self.message = "Players may buy chips before the next hand."
            case _:
                pass

    def waiting(self) -> str:
        """Return the message of a table without a hand: what it waits for."""
        if self.state == "seating":
            here = len(self.accounts)
            return f"Waiting for players: {here} of {max(here, self.places)} are here."
        if self.state == "returning":
            left = [player for player, gone in enumerate(self.view.out) if not gone]
            here = sum(self.view.online[player] for player in left)
            return f"Waiting for players to come back: {here} of {len(left)} are here."
        return self.message

    def _follow_clock(self, event: Event, at: float | None) -> None:
        rules, hand = self.rules, self.view.hand
        if isinstance(event, Asked):
            player = hand.players[event.seat]
            away = not self.view.online[player] and rules.absence_ms and not self._is_human(player)
            self.clock_ms = rules.absence_ms if away else self._time_of(player)
            self.since = at
        elif isinstance(event, TurnExtended):
            self.clock_ms += event.ms
        elif isinstance(event, Returned) and self._is_asked(event.player):
            self.clock_ms = self._time_of(event.player)
            self.since = at

    def _time_of(self, player: int) -> int:
        return self.rules.human_ms if self._is_human(player) else self.rules.decision_ms

    def _is_human(self, player: int) -> bool:
        dialect = dialect_of(self.dialects[player])
        return dialect is not None and dialect.human

    def _is_asked(self, player: int) -> bool:
        hand = self.view.hand
        return 0 <= hand.actor < len(hand.players) and hand.players[hand.actor] == player


def _seated(order: Sequence[int], count: int) -> tuple[int, ...]:
    """Return all players in seat order, eliminated players last."""
    return (*order, *(player for player in range(count) if player not in order))


def _label(acted: Acted, verb: str) -> str:
    match acted.action:
        case "fold" | "check":
            return acted.action
        case "call":
            return f"call {acted.added:,}"
        case "allin":
            return f"all-in {acted.to:,}"
        case _:
            return f"{verb} {acted.to:,}"
