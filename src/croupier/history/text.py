"""A hand as people read it: who sat where, what was done on each street, who won what."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from croupier.cards import HIDDEN, letter, short
from croupier.match.events import (
    CountedDown,
    Faulted,
    HandVoided,
    Joined,
    Left,
    MatchEnded,
    MatchStarted,
    Paused,
    PlayerOut,
    Reloaded,
    Resumed,
    Returned,
    TimedOut,
    ToppedUp,
    TurnExtended,
)
from croupier.ranking import CATEGORY_NAMES, category, rank
from croupier.rules.events import (
    Acted,
    BetReturned,
    BoardDealt,
    BoardShown,
    Event,
    HandEnded,
    HandStarted,
    HoleDealt,
    Posted,
    PotDiscarded,
    PotWon,
    Shown,
)
from croupier.rules.rules import KUHN, Rules

STREETS = ("before the flop", "flop", "turn", "river")


def plain(text: str) -> str:
    """Return a player's text without anything that could steer a terminal."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of a hand, in short."""

    pot: int
    winners: list[str]
    discarded: bool


def summary(events: Sequence[Event], names: Sequence[str]) -> Summary:
    """Return who won the pots of a hand that was played to its end."""
    seats: Sequence[int] = ()
    pot = 0
    won: set[int] = set()
    returned: set[int] = set()
    discarded = False
    for event in events:
        if isinstance(event, HandStarted):
            seats = event.players
        elif isinstance(event, PotWon):
            pot += event.amount
            won.update(seat for seat, _ in event.winners)
        elif isinstance(event, BetReturned):
            # Where nobody put in a chip against it, this is all that the winner gets.
            returned = {event.seat}
        elif isinstance(event, PotDiscarded):
            pot += event.amount
            discarded = True
    return Summary(pot, [plain(names[seats[seat]]) for seat in sorted(won or returned)], discarded)


def hand_log(rules: Rules, events: Sequence[Event], names: Sequence[str]) -> Iterator[str]:
    """Return the lines that tell a hand, with what happened around it."""
    return _Log(rules, [plain(name) for name in names]).lines(events)


class _Log:
    """Remembers who sits where while the events go by."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules = rules
        self.names = names
        self.players: Sequence[int] = ()
        self.board: list[int] = []

    def lines(self, events: Sequence[Event]) -> Iterator[str]:
        for event in events:
            if isinstance(event, HandStarted):
                yield from self._started(event)
            elif isinstance(event, MatchEnded):
                yield "the match is over"
                for place, player, chips, _ in event.standings:
                    yield f"  {place}. {self.names[player]} with {chips:,}"
            else:
                line = self._line(event)
                if line:
                    yield line

    def _started(self, event: HandStarted) -> Iterator[str]:
        self.players = event.players
        self.board = []
        ante = f", ante {event.ante:,}" if event.ante else ""
        blinds = f"blinds {event.small_blind:,}/{event.big_blind:,}{ante}"
        yield f"hand {event.hand}, {blinds}"
        width = max(len(self.names[player]) for player in event.players)
        for seat, player in enumerate(event.players):
            reserve = f" and {event.reserves[seat]:,} beside it" if event.reserves[seat] else ""
            button = "  button" if seat == len(event.players) - 1 else ""
            name = self.names[player].ljust(width)
            yield f"  seat {seat}  {name}  {event.stacks[seat]:>9,}{reserve}{button}"
        yield STREETS[0] if self.rules.game != KUHN else "cards"

    def _line(self, event: Event) -> str:
        """Return the line of an event, or an empty text if it goes without saying."""
        match event:
            case Posted():
                kind = "the ante" if event.kind == "ante" else f"the {event.kind} blind"
                return f"  {self._seat(event.seat)} posts {kind} {event.amount:,}"
            case HoleDealt():
                hidden = HIDDEN in event.cards
                cards = "cards that are not open yet" if hidden else self._cards(event.cards)
                return f"  {self._seat(event.seat)} is dealt {cards}"
            case BoardDealt():
                self.board += event.cards
                return f"{STREETS[event.street]} {self._cards(event.cards)}"
            case Acted():
                return f"  {self._seat(event.seat)} {_action(event)}"
            case BetReturned():
                return f"  {self._seat(event.seat)} gets {event.amount:,} back that nobody called"
            case Shown():
                cards = self._cards(event.cards) + self._made(event)
                return f"  {self._seat(event.seat)} shows {cards}"
            case BoardShown():
                return f"  the board would have gone on {self._cards(event.cards)}"
            case PotWon():
                return self._pot(event)
            case PotDiscarded():
                return f"  everyone folded, {event.amount:,} chips are discarded"
            case HandEnded():
                stacks = zip(self.players, event.stacks, strict=True)
                after = (f"{self.names[player]} {stack:,}" for player, stack in stacks)
                return f"stacks after it: {', '.join(after)}"
            case _:
                return self._around(event)

    def _around(self, event: Event) -> str:
        """Return the line of an event of the match."""
        match event:
            case Joined():
                return f"{plain(event.name)} joins as player {event.player}"
            case MatchStarted():
                order = ", ".join(self.names[player] for player in event.order)
                return f"the seats are drawn: {order}"
            case TimedOut():
                how = "is not there" if event.absent else "is late"
                return f"  {self.names[event.player]} {how}, timeout {event.count}"
            case Faulted():
                reason = plain(event.reason)
                return f"  {self.names[event.player]} answers with no legal decision: {reason}"
            case TurnExtended():
                return f"  {self.names[event.player]} gets {event.ms:,} ms more"
            case Left():
                return f"  {self.names[event.player]} is gone"
            case Returned():
                return f"  {self.names[event.player]} is back"
            case ToppedUp():
                return f"{self.names[event.player]} takes {event.amount:,} from the reserve"
            case Reloaded():
                name = self.names[event.player]
                return f"{name} buys {event.amount:,} chips, purchase {event.count}"
            case CountedDown():
                return f"the first hand begins in {event.seconds} s"
            case PlayerOut():
                lost = f", {event.discarded:,} chips are discarded" if event.discarded else ""
                return f"{self.names[event.player]} is out ({event.cause}){lost}"
            case HandVoided():
                return f"hand {event.hand} was cut off and counts for nothing"
            case Paused():
                return "the match is paused"
            case Resumed():
                return "the match goes on"
            case _:
                return ""

    def _seat(self, seat: int) -> str:
        return self.names[self.players[seat]]

    def _cards(self, cards: Sequence[int]) -> str:
        spelling = letter if self.rules.game == KUHN else short
        return " ".join(map(spelling, cards))

    def _made(self, event: Shown) -> str:
        if len(self.board) < 5 or HIDDEN in event.cards:
            return ""
        return f", {CATEGORY_NAMES[category(rank((*event.cards, *self.board)))]}"

    def _pot(self, event: PotWon) -> str:
        name = f"side pot {event.pot}" if event.pot else "pot"
        shares = [f"{self._seat(seat)} wins {share:,}" for seat, share in event.winners]
        if len(shares) == 1 and event.winners[0][1] == event.amount:
            return f"  {self._seat(event.winners[0][0])} wins the {name} of {event.amount:,}"
        return f"  the {name} of {event.amount:,} is split: {', '.join(shares)}"


def _action(event: Acted) -> str:
    all_in = " and is all-in" if event.all_in and event.action != "allin" else ""
    match event.action:
        case "fold" | "check":
            return f"{event.action}s"
        case "call":
            return f"calls {event.added:,}{all_in}"
        case "bet":
            return f"bets {event.to:,}{all_in}"
        case "allin":
            return f"goes all-in to {event.to:,}"
        case _:
            return f"{event.action}s to {event.to:,}{all_in}"
