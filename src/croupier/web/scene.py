"""A stage as a scene: what a spectator sees at one moment, ready to be encoded. Pure."""

from collections.abc import Sequence
from functools import lru_cache

from croupier.cards import HIDDEN, short
from croupier.ranking import best_five, equity
from croupier.rules.rules import HOLDEM
from croupier.rules.view import View
from croupier.web.scene_shapes import Place, Pot, Scene, Seat, StreetName, Turn
from croupier.web.stage import Stage

STREETS: tuple[StreetName, ...] = ("preflop", "flop", "turn", "river")

BOARDS = 20_000
"""Above so many boards to come, equities are sampled: a live table cannot wait for exact ones."""

SAMPLES = 10_000

Cards = tuple[int, ...]


def draw(stage: Stage, table: str | None = None) -> Scene:
    """Return what is to be seen."""
    hand = stage.view.hand
    dealt = stage.dealt
    pots = _pots(stage) if dealt else []
    return Scene(
        table=table,
        match=stage.match_id,
        rules=stage.rules.name,
        hand=hand.number if dealt else 0,
        street=STREETS[hand.street],
        over=dealt and hand.over,
        small_blind=hand.small_blind if dealt else stage.rules.small_blind,
        big_blind=hand.big_blind if dealt else stage.rules.big_blind,
        pot=sum(pots),
        pots=[Pot(amount) for amount in pots],
        board=[short(card) for card in hand.board] if dealt else [],
        seats=_seats(stage),
        turn=Turn(hand.actor, stage.clock_ms, stage.since) if dealt and _asked(hand) else None,
        ranking=[
            Place(rank, stage.view.names[player], chips, stage.view.out[player])
            for rank, player, chips, _ in stage.ranking()
        ],
        state=stage.state,
        message=stage.message if dealt else stage.waiting(),
    )


def _asked(hand: View) -> bool:
    return hand.actor >= 0 and not hand.over


def _seats(stage: Stage) -> list[Seat]:
    view, hand = stage.view, stage.view.hand
    if not stage.dealt:
        order = view.circle or range(len(view.names))
        return [_bystander(stage, seat, player) for seat, player in enumerate(order)]
    chances = _equities(stage)
    seats = [_seat(stage, seat, chances.get(seat)) for seat in range(len(hand.players))]
    absent = [player for player in range(len(view.names)) if player not in hand.players]
    return seats + [_bystander(stage, len(seats) + i, player) for i, player in enumerate(absent)]


def _bystander(stage: Stage, seat: int, player: int) -> Seat:
    """Return the place of a player who is in no hand now."""
    return Seat(
        seat=seat,
        player=player,
        name=stage.view.names[player],
        dialect=stage.dialects[player],
        stack=stage.accounts[player].stack,
        bet=0,
        cards=[],
        folded=False,
        all_in=False,
        # Everyone who is still in the match is dealt in.
        out=stage.view.out[player] or stage.dealt,
        online=stage.view.online[player],
        button=False,
        blind="",
        last="",
        turn=False,
        equity=None,
        won=0,
        best=None,
    )


def _seat(stage: Stage, seat: int, chance: float | None) -> Seat:
    view, hand = stage.view, stage.view.hand
    player = hand.players[seat]
    cards = hand.cards[seat]
    return Seat(
        seat=seat,
        player=player,
        name=view.names[player],
        dialect=stage.dialects[player],
        stack=hand.stacks[seat],
        bet=hand.bets[seat],
        cards=[None if card == HIDDEN else short(card) for card in cards],
        folded=hand.folded[seat],
        all_in=not hand.over and not hand.folded[seat] and not hand.stacks[seat],
        out=view.out[player],
        online=view.online[player],
        button=seat == hand.button,
        blind=stage.blinds[seat],
        last=stage.last[seat],
        turn=_asked(hand) and seat == hand.actor,
        equity=chance,
        won=stage.won[seat],
        best=_best(stage, seat),
    )


def _best(stage: Stage, seat: int) -> list[str] | None:
    """Return the five cards that won, if they are open."""
    hand = stage.view.hand
    cards = hand.cards[seat]
    if not stage.won[seat] or len(hand.board) < 5 or HIDDEN in cards or hand.folded[seat]:
        return None
    return [short(card) for card in best_five([*cards, *hand.board])]


def _pots(stage: Stage) -> list[int]:
    """Return the main pot and the side pots; only who is all-in parts them."""
    hand = stage.view.hand
    put = hand.put
    if stage.paying:
        return [sum(put)] if any(put) else []
    seats = range(len(put))
    all_in = {put[seat] for seat in seats if not hand.folded[seat] and not hand.stacks[seat]}
    levels = sorted({*all_in, max(put, default=0)} - {0})
    pots, below = [], 0
    for level in levels:
        pots.append(sum(min(chips, level) - below for chips in put if chips > below))
        below = level
    return pots


def _equities(stage: Stage) -> dict[int, float]:
    """Return the chances of the seats whose cards are open, against each other."""
    hand = stage.view.hand
    if stage.rules.game != HOLDEM:
        return {}
    open_seats = [
        seat for seat, cards in enumerate(hand.cards) if len(cards) == 2 and HIDDEN not in cards
    ]
    live = [seat for seat in open_seats if not hand.folded[seat]]
    if len(live) < 2:
        return {}
    dead = [card for seat in open_seats if hand.folded[seat] for card in hand.cards[seat]]
    shares = _shares(
        tuple(hand.cards[seat] for seat in live), tuple(hand.board), tuple(sorted(dead))
    )
    return dict(zip(live, shares, strict=True))


@lru_cache(maxsize=4096)
def _shares(hands: tuple[Cards, ...], board: Cards, dead: Cards) -> Sequence[float]:
    found = equity(hands, board, dead=dead, limit=BOARDS, samples=SAMPLES)
    return [round(share, 4) for share in found.share]
