"""Draw a match as a scene: what a spectator sees at one moment, ready to be encoded. Pure."""

from collections.abc import Sequence
from functools import lru_cache

from croupier.cards import HIDDEN, short
from croupier.ranking import best_five, equity, rank, rank_small
from croupier.ranking.small_games import boards, shares
from croupier.rules.rules import CUSTOM, HOLDEM, Rules
from croupier.rules.view import View
from croupier.web.live.public_match import PublicMatch
from croupier.web.live.schemas import Pot, RankingLine, Scene, Seat, StreetName, Turn

STREETS: tuple[StreetName, ...] = ("preflop", "flop", "turn", "river")
ROUNDS: tuple[StreetName, ...] = ("round1", "round2", "round3", "round4")
"""The streets of games with other boards than hold'em has."""

BOARDS = 20_000
"""With more possible boards, equities are sampled: a live table cannot wait for exact ones."""

SAMPLES = 10_000

SMALL_BOARDS = 1_000
"""In games other than hold'em every board is counted, one by one, or none."""

Cards = tuple[int, ...]


def draw(public: PublicMatch, table: str | None = None) -> Scene:
    """Return the scene of a match."""
    hand = public.view.hand
    dealt = public.dealt
    pots = _pots(public) if dealt else []
    return Scene(
        table=table,
        match=public.match_id,
        rules=public.rules.name,
        hand=hand.number if dealt else 0,
        street=(ROUNDS if _has_rounds(public.rules) else STREETS)[hand.street],
        over=dealt and hand.over,
        small_blind=hand.small_blind if dealt else public.rules.small_blind,
        big_blind=hand.big_blind if dealt else public.rules.big_blind,
        pot=sum(pots),
        pots=[Pot(amount) for amount in pots],
        board=[short(card) for card in hand.board] if dealt else [],
        seats=_seats(public),
        turn=_turn(public) if dealt and _asked(hand) else None,
        ranking=[
            RankingLine(rank, public.view.names[player], chips, public.view.out[player])
            for rank, player, chips, _ in public.ranking()
        ],
        state=public.state,
        message=public.message if dealt else public.waiting(),
    )


def _has_rounds(rules: Rules) -> bool:
    return rules.game == CUSTOM and len(rules.streets) > 1


def _turn(public: PublicMatch) -> Turn:
    hand = public.view.hand
    price = 0 if hand.options is None else hand.options.call
    # Nobody wins more from another than it has put in itself.
    reach = hand.put[hand.actor] + price
    stake = sum(min(put, reach) for put in hand.put)
    return Turn(hand.actor, public.clock_ms, public.since, price, stake)


def _asked(hand: View) -> bool:
    return hand.actor >= 0 and not hand.over


def _seats(public: PublicMatch) -> list[Seat]:
    view, hand = public.view, public.view.hand
    if not public.dealt:
        order = view.circle or range(len(view.names))
        return [_bystander(public, seat, player) for seat, player in enumerate(order)]
    chances = _equities(public)
    seats = [_seat(public, seat, chances.get(seat)) for seat in range(len(hand.players))]
    absent = [player for player in range(len(view.names)) if player not in hand.players]
    return seats + [_bystander(public, len(seats) + i, player) for i, player in enumerate(absent)]


def _bystander(public: PublicMatch, seat: int, player: int) -> Seat:
    """Return the seat of a player who is not in the current hand."""
    return Seat(
        seat=seat,
        player=player,
        name=public.view.names[player],
        dialect=public.dialects[player],
        stack=public.accounts[player].stack,
        bet=0,
        cards=[],
        folded=False,
        all_in=False,
        # Every player still in the match is dealt in.
        out=public.view.out[player] or public.dealt,
        online=public.view.online[player],
        button=False,
        blind="",
        last="",
        turn=False,
        equity=None,
        won=0,
        best=None,
    )


def _seat(public: PublicMatch, seat: int, chance: float | None) -> Seat:
    view, hand = public.view, public.view.hand
    player = hand.players[seat]
    cards = hand.cards[seat]
    return Seat(
        seat=seat,
        player=player,
        name=view.names[player],
        dialect=public.dialects[player],
        stack=hand.stacks[seat],
        bet=hand.bets[seat],
        cards=[None if card == HIDDEN else short(card) for card in cards],
        folded=hand.folded[seat],
        all_in=not hand.over and not hand.folded[seat] and not hand.stacks[seat],
        out=view.out[player],
        online=view.online[player],
        button=seat == hand.button,
        blind=public.blinds[seat],
        last=public.last[seat],
        turn=_asked(hand) and seat == hand.actor,
        equity=chance,
        won=public.won[seat],
        best=_best(public, seat),
    )


def _best(public: PublicMatch, seat: int) -> list[str] | None:
    """Return the winning five cards, if they are open."""
    hand = public.view.hand
    cards = hand.cards[seat]
    if not public.won[seat] or len(hand.board) < 5 or HIDDEN in cards or hand.folded[seat]:
        return None
    return [short(card) for card in best_five([*cards, *hand.board])]


def _pots(public: PublicMatch) -> list[int]:
    """Return the main pot and the side pots; only all-in players split the pot."""
    hand = public.view.hand
    put = hand.put
    if public.paying:
        return [sum(put)] if any(put) else []
    seats = range(len(put))
    all_in = {put[seat] for seat in seats if not hand.folded[seat] and not hand.stacks[seat]}
    levels = sorted({*all_in, max(put, default=0)} - {0})
    pots, below = [], 0
    for level in levels:
        pots.append(sum(min(chips, level) - below for chips in put if chips > below))
        below = level
    return pots


def _equities(public: PublicMatch) -> dict[int, float]:
    """Return the equities of the seats whose cards are open, against each other."""
    hand, rules = public.view.hand, public.rules
    open_seats = [
        seat
        for seat, cards in enumerate(hand.cards)
        if len(cards) == rules.hole_cards and HIDDEN not in cards
    ]
    live = [seat for seat in open_seats if not hand.folded[seat]]
    if len(live) < 2:
        return {}
    dead = [card for seat in open_seats if hand.folded[seat] for card in hand.cards[seat]]
    cards = tuple(hand.cards[seat] for seat in live), tuple(hand.board), tuple(sorted(dead))
    found = _shares(*cards) if rules.game == HOLDEM else _small_shares(rules, *cards)
    return dict(zip(live, found, strict=True)) if found else {}


@lru_cache(maxsize=4096)
def _shares(hands: tuple[Cards, ...], board: Cards, dead: Cards) -> Sequence[float]:
    found = equity(hands, board, dead=dead, limit=BOARDS, samples=SAMPLES)
    return [round(share, 4) for share in found.share]


@lru_cache(maxsize=4096)
def _small_shares(
    rules: Rules, hands: tuple[Cards, ...], board: Cards, dead: Cards
) -> Sequence[float]:
    """Return the shares in another game than hold'em; nothing where there are too many boards."""
    gone = {*board, *dead, *(card for hand in hands for card in hand)}
    deck = [card for card in rules.deck if card not in gone]
    missing = sum(rules.streets) - len(board)
    if boards(deck, missing) > SMALL_BOARDS:
        return ()
    ranking = rank_small if rules.hole_cards + sum(rules.streets) < 5 else rank
    return [round(share, 4) for share in shares(hands, board, deck, missing, ranking)]
