"""Describe events in sentences, identical on a terminal, at a live table and in a replay."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from croupier.cards import HIDDEN, letter, short
from croupier.history.printable import plain
from croupier.match import events as m
from croupier.ranking import CATEGORY_NAMES, category, rank
from croupier.rules import events as e
from croupier.rules.events import Event
from croupier.rules.rules import HOLDEM, KUHN, Rules
from croupier.rules.view import View

MAX_REASON = 200
"""The maximum length of a quoted answer of a player, in characters."""

_STREETS = ("", "Flop", "Turn", "River")

Kind = Literal["match", "hand", "deal", "action", "show", "pot", "trouble"]


class Sentence(NamedTuple):
    """The description of an event, without a full stop."""

    kind: Kind
    text: str


class Context(Protocol):
    """What a sentence needs besides its event; the context has already seen the event."""

    @property
    def rules(self) -> Rules: ...

    @property
    def names(self) -> Sequence[str]:
        """The players' printable names, by player number."""
        ...

    @property
    def hand(self) -> View:
        """The current hand as the reader sees it."""
        ...

    @property
    def verb(self) -> str:
        """The verb for the last bet or raise, from `BetVerb`."""
        ...


class BetVerb:
    """Track whether a wager is a bet or a raise, whatever the player called it."""

    def __init__(self) -> None:
        self.word = ""
        """The verb for the last wager: `bet` or `raise`."""
        self._opened = False
        """Whether this street has a bet; a blind counts as one."""

    def see(self, event: Event) -> None:
        """Process the next event."""
        match event:
            case e.HandStarted() | e.BoardDealt():
                self._opened = False
            case e.Posted():
                self._opened = self._opened or event.kind != e.ANTE
            case e.Acted() if event.action not in (e.FOLDED, e.CHECKED, e.CALLED):
                self.word = "raise" if self._opened else "bet"
                self._opened = True
            case _:
                pass


def sentence(context: Context, event: Event) -> Sentence | None:
    """Return the description of an event, or None if it needs none."""
    if type(event) in e.HAND_EVENTS:
        return _of_the_hand(context, event)
    return _of_the_match(context.names, event)


def takes_a_seat(name: str) -> Sentence:
    """Return the sentence for a player who joins."""
    return Sentence("match", f"{plain(name)} takes a seat")


def _of_the_hand(context: Context, event: Event) -> Sentence | None:
    match event:
        case e.HandStarted():
            ante = f", ante {event.ante:,}" if event.ante else ""
            blinds = f"blinds {event.small_blind:,}/{event.big_blind:,}{ante}"
            return Sentence("hand", f"Hand {event.hand:,}: {blinds}")
        case e.Posted():
            what = "the ante" if event.kind == e.ANTE else f"the {event.kind} blind"
            return Sentence("action", f"{_at(context, event.seat)} posts {what} {event.amount:,}")
        case e.HoleDealt():
            return _dealt(context, event)
        case e.BoardDealt():
            street = _STREETS[event.street] if context.rules.game == HOLDEM else "Board"
            return Sentence("deal", f"{street}: {_cards(context, event.cards)}")
        case e.Acted():
            return Sentence("action", f"{_at(context, event.seat)} {_action(event, context.verb)}")
        case e.BetReturned():
            who = _at(context, event.seat)
            return Sentence("pot", f"{who} takes back {event.amount:,} that nobody called")
        case e.Shown():
            return Sentence("show", _shown(context, event))
        case e.BoardShown():
            cards = _cards(context, event.cards)
            return Sentence("show", f"The board would have gone on: {cards}")
        case e.PotWon():
            return Sentence("pot", _pot(context, event))
        case e.PotDiscarded():
            return Sentence("pot", f"Everyone folded: {event.amount:,} chips leave the game")
        case _:
            return None


def _of_the_match(names: Sequence[str], event: Event) -> Sentence | None:
    match event:
        case m.Joined():
            return takes_a_seat(event.name)
        case m.MatchStarted():
            order = ", ".join(names[player] for player in event.order)
            return Sentence("match", f"The seats are drawn: {order}")
        case m.TimedOut():
            how = "is not there" if event.absent else "is late"
            return Sentence("trouble", f"{names[event.player]} {how}: timeout {event.count:,}")
        case m.Faulted():
            reason = plain(event.reason[:MAX_REASON])
            return Sentence("trouble", f"{names[event.player]} gives no legal answer: {reason}")
        case m.NotReady():
            return Sentence("trouble", f"{names[event.player]} is not ready in time")
        case m.TurnExtended():
            return Sentence("trouble", f"{names[event.player]} gets {event.ms:,} ms more")
        case m.Left():
            return Sentence("trouble", f"{names[event.player]} has lost the connection")
        case m.Returned():
            return Sentence("trouble", f"{names[event.player]} is back")
        case m.ToppedUp():
            name = names[event.player]
            return Sentence("match", f"{name} takes {event.amount:,} from the reserve")
        case m.StartFailed():
            return Sentence("match", "The match cannot start yet: it has too few players")
        case m.CountedDown():
            return Sentence("match", f"The first hand begins in {event.seconds} s")
        case m.Reloaded():
            bought = f"buys {event.amount:,} chips, purchase {event.count}"
            return Sentence("match", f"{names[event.player]} {bought}")
        case m.PlayerOut():
            lost = f"; {event.discarded:,} chips leave the game" if event.discarded else ""
            cause = plain(event.cause)
            return Sentence("match", f"{names[event.player]} is out ({cause}){lost}")
        case m.HandVoided():
            text = f"Hand {event.hand:,} was interrupted and counts for nothing"
            return Sentence("match", text)
        case m.Paused():
            return Sentence("match", "The match is paused")
        case m.Resumed():
            return Sentence("match", "The match goes on")
        case m.Broken():
            cause = plain(event.cause[:MAX_REASON])
            text = f"The match ends because of {names[event.player]}: {cause}"
            return Sentence("trouble", text)
        case m.Stopped():
            return Sentence("match", "The organiser has ended the match")
        case m.MatchEnded():
            return Sentence("match", f"The match is over{_verdict(names, event)}")
        case _:
            return None


def _at(context: Context, seat: int) -> str:
    return context.names[context.hand.players[seat]]


def _cards(context: Context, cards: Sequence[int]) -> str:
    spelling = letter if context.rules.game == KUHN else short
    return " ".join(map(spelling, cards))


def _dealt(context: Context, event: e.HoleDealt) -> Sentence | None:
    """Return one sentence for all seats, with the hole cards that are open."""
    hand = context.hand
    if event.seat < len(hand.players) - 1:
        return None
    seen = [
        f"{_at(context, seat)} {_cards(context, cards)}"
        for seat, cards in enumerate(hand.cards)
        if HIDDEN not in cards
    ]
    return Sentence("deal", "The cards are dealt" + (f": {', '.join(seen)}" if seen else ""))


def _action(event: e.Acted, verb: str) -> str:
    more = " and is all-in" if event.all_in else ""
    match event.action:
        case e.FOLDED | e.CHECKED:
            return f"{event.action}s"
        case e.CALLED:
            return f"calls {event.added:,}{more}"
        case "allin":
            return f"is all-in with {event.to:,}"
        case _:
            to = "" if verb == "bet" else "to "
            return f"{verb}s {to}{event.to:,}{more}"


def _shown(context: Context, event: e.Shown) -> str:
    """Describe what a seat shows; a folded seat has no hand, even if its cards are open."""
    who, cards = _at(context, event.seat), _cards(context, event.cards)
    if context.hand.folded[event.seat]:
        return f"{who} had folded {cards}"
    return f"{who} shows {cards}{_made(context, event)}"


def _made(context: Context, event: e.Shown) -> str:
    board = context.hand.board
    if len(board) < 5 or HIDDEN in event.cards:
        return ""
    return f", {CATEGORY_NAMES[category(rank((*event.cards, *board)))]}"


def _pot(context: Context, event: e.PotWon) -> str:
    pot = f"side pot {event.pot}" if event.pot else "the pot"
    if len(event.winners) == 1:
        return f"{_at(context, event.winners[0][0])} wins {pot} of {event.amount:,}"
    shares = (f"{_at(context, seat)} {share:,}" for seat, share in event.winners)
    return f"{pot[0].upper()}{pot[1:]} of {event.amount:,} is split: {', '.join(shares)}"


def _verdict(names: Sequence[str], event: m.MatchEnded) -> str:
    first = [names[player] for place, player, *_ in event.standings if place == 1]
    if not first:
        return ""
    verb = "wins" if len(first) == 1 else "share the first place"
    return f": {' and '.join(first)} {verb}"
