"""The API for calculations: the ranking of cards, and winning chances."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from croupier.cards import parse_many, short
from croupier.dialects.huawei.words import HAND_NAMES
from croupier.dialects.trend.ranker import hand_number
from croupier.ranking import CATEGORY_NAMES, best_five, category, equity, rank
from croupier.web.http.answers import reply
from croupier.web.http.endpoints import Endpoint, Parameter
from croupier.web.http.parameters import BadParameterError
from croupier.web.http.schemas import Chances, EquityAnswer, Ranked, TrendRank
from croupier.web.site import site_of

MAX_CARDS_TEXT = 100
"""The maximum length of a list of cards, in characters. A security limit."""


async def rank_cards(request: Request) -> Response:
    """Return the ranking of five to seven cards."""
    cards = _cards(request.query_params.get("cards", ""), "cards")
    if not 5 <= len(cards) <= 7:
        raise BadParameterError(f"cards are five to seven, not {len(cards)}: write AsKdQhJcTs")
    value = rank(cards)
    kind = category(value)
    trend = TrendRank(*hand_number(cards)) if len(cards) == 7 else None
    return reply(
        Ranked(
            cards=_short(cards),
            category=CATEGORY_NAMES[kind],
            best=_short(best_five(cards)),
            huawei=HAND_NAMES[kind],
            trend=trend,
            value=value,
        )
    )


async def equities(request: Request) -> Response:
    """Return the winning chances of several hands against each other."""
    query = request.query_params
    text = query.get("hands", "")
    if len(text) > MAX_CARDS_TEXT:
        raise BadParameterError("hands are too many")
    hands = [_cards(hand, "hands") for hand in text.split(",")]
    board = _cards(query.get("board", ""), "board")
    try:
        found = await site_of(request).in_thread(equity, hands, board)
    except ValueError as error:
        raise BadParameterError(f"{error}: write hands=AsKd,QhQs&board=Ts9h2c") from None
    players = [
        Chances(_short(hand), round(win, 6), round(tie, 6), round(share, 6))
        for hand, win, tie, share in zip(hands, found.win, found.tie, found.share, strict=True)
    ]
    return reply(EquityAnswer(players, found.exact))


def _cards(text: str, name: str) -> list[int]:
    if len(text) > MAX_CARDS_TEXT:
        raise BadParameterError(f"{name} are too many")
    try:
        cards = parse_many(text.replace("10", "T"))  # people write 10 for a ten
    except ValueError as error:
        raise BadParameterError(f"{name}: {error}") from None
    if len(set(cards)) < len(cards):
        raise BadParameterError(f"{name}: a card is given twice")
    return cards


def _short(cards: Sequence[int]) -> list[str]:
    return [short(card) for card in cards]


_CARDS = "cards such as AsKd, in a row"

ENDPOINTS = (
    Endpoint(
        "get",
        "/tools/rank",
        rank_cards,
        "The ranking of five to seven cards",
        Ranked,
        (Parameter.text("cards", _CARDS),),
        failures=(400,),
    ),
    Endpoint(
        "get",
        "/tools/equity",
        equities,
        "The winning chances of hands against each other",
        EquityAnswer,
        (
            Parameter.text("hands", f"two to ten hands with commas between: {_CARDS}"),
            Parameter.text("board", _CARDS),
        ),
        failures=(400,),
    ),
)
"""Below /api/v1, without a login."""
