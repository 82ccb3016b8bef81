"""Events as plain sentences, for the log of a table and the steps of a replay. Pure."""

from collections.abc import Sequence

from croupier.cards import HIDDEN, letter, short
from croupier.history.text import plain
from croupier.match import events as m
from croupier.ranking import CATEGORY_NAMES, category, rank
from croupier.rules import events as e
from croupier.rules.events import Event
from croupier.rules.rules import KUHN
from croupier.web.scene_shapes import LineKind
from croupier.web.stage import Stage

MAX_REASON = 200
"""Characters of what a player answered."""

_STREETS = ("", "Flop", "Turn", "River")

Sentence = tuple[LineKind, str]


def sentence(stage: Stage, event: Event) -> Sentence | None:
    """Return what is said of an event that the stage has just seen, or None if nothing is."""
    told = _of_the_match(stage, event)
    if told is None and stage.known and type(event) in e.HAND_EVENTS:
        told = _of_the_hand(stage, event)
    return told


def _of_the_hand(stage: Stage, event: Event) -> Sentence | None:
    match event:
        case e.HandStarted():
            ante = f", ante {event.ante:,}" if event.ante else ""
            blinds = f"blinds {event.small_blind:,}/{event.big_blind:,}{ante}"
            return "hand", f"Hand {event.hand:,}: {blinds}"
        case e.Posted():
            what = "the ante" if event.kind == e.ANTE else f"the {event.kind} blind"
            return "action", f"{_at(stage, event.seat)} posts {what} {event.amount:,}"
        case e.HoleDealt():
            return _dealt(stage, event)
        case e.BoardDealt():
            return "deal", f"{_STREETS[event.street]}: {_cards(stage, event.cards)}"
        case e.Acted():
            return "action", f"{_at(stage, event.seat)} {_deed(event, stage.verb)}"
        case e.BetReturned():
            who = _at(stage, event.seat)
            return "pot", f"{who} takes back {event.amount:,} that nobody called"
        case e.Shown():
            return "show", _shown(stage, event)
        case e.BoardShown():
            return "show", f"The board would have gone on: {_cards(stage, event.cards)}"
        case e.PotWon():
            return "pot", _pot(stage, event)
        case e.PotDiscarded():
            return "pot", f"Everyone folded: {event.amount:,} chips leave the game"
        case _:
            return None


def _of_the_match(stage: Stage, event: Event) -> Sentence | None:
    names = stage.view.names
    match event:
        case m.MatchStarted():
            return "match", "The seats are drawn: " + ", ".join(names[p] for p in event.order)
        case m.TimedOut():
            how = "is not there" if event.absent else "is late"
            return "trouble", f"{names[event.player]} {how}: timeout {event.count:,}"
        case m.Faulted():
            reason = plain(event.reason[:MAX_REASON])
            return "trouble", f"{names[event.player]} gives no legal answer: {reason}"
        case m.NotReady():
            return "trouble", f"{names[event.player]} is not ready in time"
        case m.TurnExtended():
            return "trouble", f"{names[event.player]} gets {event.ms:,} ms more"
        case m.Left():
            return "trouble", f"{names[event.player]} has lost the connection"
        case m.Returned():
            return "trouble", f"{names[event.player]} is back"
        case m.ToppedUp():
            return "match", f"{names[event.player]} takes {event.amount:,} from the reserve"
        case m.StartFailed():
            return "match", "The match cannot start yet: it has too few players"
        case m.CountedDown():
            return "match", f"The first hand begins in {event.seconds} s"
        case m.Reloaded():
            bought = f"buys {event.amount:,} chips, purchase {event.count}"
            return "match", f"{names[event.player]} {bought}"
        case m.PlayerOut():
            lost = f"; {event.discarded:,} chips leave the game" if event.discarded else ""
            return "match", f"{names[event.player]} is out ({plain(event.cause)}){lost}"
        case m.HandVoided():
            return "match", f"Hand {event.hand:,} was cut off and counts for nothing"
        case m.Paused():
            return "match", "The match is paused"
        case m.Resumed():
            return "match", "The match goes on"
        case m.Broken():
            cause = plain(event.cause[:MAX_REASON])
            return "trouble", f"The match ends because of {names[event.player]}: {cause}"
        case m.Stopped():
            return "match", "The organiser ends the match"
        case m.MatchEnded():
            return "match", stage.message
        case _:
            return None


def _at(stage: Stage, seat: int) -> str:
    return stage.name_at(seat)


def _cards(stage: Stage, cards: Sequence[int]) -> str:
    spelling = letter if stage.rules.game == KUHN else short
    return " ".join(map(spelling, cards))


def _dealt(stage: Stage, event: e.HoleDealt) -> Sentence | None:
    """Say once for all seats what they were dealt, as far as it is open."""
    hand = stage.view.hand
    if event.seat < len(hand.players) - 1:
        return None
    seen = [
        f"{_at(stage, seat)} {_cards(stage, cards)}"
        for seat, cards in enumerate(hand.cards)
        if HIDDEN not in cards
    ]
    return "deal", "The cards are dealt" + (f": {', '.join(seen)}" if seen else "")


def _deed(event: e.Acted, verb: str) -> str:
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


def _shown(stage: Stage, event: e.Shown) -> str:
    """Say what a seat shows; who has folded has no hand, though his cards are open."""
    who, cards = _at(stage, event.seat), _cards(stage, event.cards)
    if stage.view.hand.folded[event.seat]:
        return f"{who} had folded {cards}"
    return f"{who} shows {cards}{_made(stage, event)}"


def _made(stage: Stage, event: e.Shown) -> str:
    board = stage.view.hand.board
    if len(board) < 5 or HIDDEN in event.cards:
        return ""
    return f", {CATEGORY_NAMES[category(rank((*event.cards, *board)))]}"


def _pot(stage: Stage, event: e.PotWon) -> str:
    pot = f"side pot {event.pot}" if event.pot else "the pot"
    if len(event.winners) == 1:
        return f"{_at(stage, event.winners[0][0])} wins {pot} of {event.amount:,}"
    shares = (f"{_at(stage, seat)} {share:,}" for seat, share in event.winners)
    return f"{pot[0].upper()}{pot[1:]} of {event.amount:,} is split: {', '.join(shares)}"
