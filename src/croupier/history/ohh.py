"""Export hands as Open Hand History, the JSON of trackers (hh-specs.handhistory.org, 1.4.6).

A hand is one object `{"ohh": …}`, with an empty line after it. Nothing is adapted to readers here:
actions and amounts are those of the record. An amount is what the player put in by the action; an
uncalled part, which the format has no word for, is in no pot.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from croupier.cards import HIDDEN, short
from croupier.history.phh import NoSuchVariantError
from croupier.history.printable import plain
from croupier.rules.events import (
    ANTE,
    SMALL,
    Acted,
    BoardDealt,
    HandStarted,
    HoleDealt,
    Posted,
    PotWon,
    Shown,
)
from croupier.rules.rules import HOLDEM
from croupier.store.queries import HandRow, MatchRow

SPEC_VERSION = "1.4.6"
STREETS = ("Preflop", "Flop", "Turn", "River")
SHOWDOWN = "Showdown"

_ACTIONS = {"fold": "Fold", "check": "Check", "call": "Call"}
_encode = msgspec.json.Encoder().encode


def check(match: MatchRow) -> None:
    """Raise NoSuchVariantError if the hands of a match cannot be written."""
    if match.rules.game != HOLDEM:
        raise NoSuchVariantError(f"OHH knows no {match.rules.game} poker; export it as jsonl")


def hands(match: MatchRow, rows: Iterable[HandRow]) -> Iterator[str]:
    """Yield each hand as JSON; one that was not completed yields an empty string."""
    check(match)
    for row in rows:
        yield _encode({"ohh": _hand(match, row)}).decode() + "\n\n" if row.played else ""


def _hand(match: MatchRow, row: HandRow) -> dict[str, Any]:
    started = next(event for event in row.events if isinstance(event, HandStarted))
    size = len(started.players)
    at = datetime.fromtimestamp(row.ended, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    bets = match.rules.fixed_bets
    return {
        "spec_version": SPEC_VERSION,
        "site_name": "Croupier",
        "network_name": "Croupier",
        "internal_version": match.version,
        "tournament": False,
        "game_number": f"{match.id}-{row.number}",
        "start_date_utc": at,
        "table_name": plain(match.table),
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "FL" if any(bets) else "NL", "bet_cap": 0},
        "table_size": size,
        "currency": "Chips",
        "dealer_seat": size,
        "small_blind_amount": started.small_blind,
        "big_blind_amount": started.big_blind,
        "ante_amount": started.ante,
        "hero_player_id": None,
        "flags": ["Observed"],
        "players": [
            {
                "id": seat + 1,
                "seat": seat + 1,
                "name": plain(match.names[player]),
                "starting_stack": started.stacks[seat],
            }
            for seat, player in enumerate(started.players)
        ],
        "rounds": _rounds(row),
        "pots": [_pot(event) for event in row.events if isinstance(event, PotWon)],
    }


def _rounds(row: HandRow) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = [_round(0, STREETS[0], ())]
    high = number = 0

    def add(seat: int, action: str, **more: Any) -> None:
        nonlocal number
        number += 1
        rounds[-1]["actions"].append(
            {"action_number": number, "player_id": seat + 1, "action": action, **more}
        )

    for event in row.events:
        match event:
            case Posted():
                what = {ANTE: "Post Ante", SMALL: "Post SB"}.get(event.kind, "Post BB")
                add(event.seat, what, amount=event.amount, is_allin=False)
                high = high if event.kind == ANTE else max(high, event.amount)
            case HoleDealt() if HIDDEN not in event.cards:
                add(event.seat, "Dealt Cards", cards=[short(card) for card in event.cards])
            case BoardDealt():
                high = 0
                rounds.append(_round(len(rounds), STREETS[event.street], event.cards))
            case Acted():
                name = _ACTIONS.get(event.action)
                if name is None:
                    # Before the flop there is no bet in this format.
                    first = not high and len(rounds) > 1
                    name = "Bet" if first else "Raise" if event.to > high else "Call"
                high = max(high, event.to)
                add(event.seat, name, amount=event.added, is_allin=event.all_in)
            case Shown():
                if rounds[-1]["street"] != SHOWDOWN:
                    rounds.append(_round(len(rounds), SHOWDOWN, ()))
                add(event.seat, "Shows Cards", cards=[short(card) for card in event.cards])
            case _:
                pass
    return rounds


def _round(number: int, street: str, cards: Iterable[int]) -> dict[str, Any]:
    return {"id": number, "street": street, "cards": [short(c) for c in cards], "actions": []}


def _pot(event: PotWon) -> dict[str, Any]:
    return {
        "number": event.pot,
        "amount": event.amount,
        "rake": 0,
        "jackpot": 0,
        "player_wins": [
            {"player_id": seat + 1, "win_amount": share} for seat, share in event.winners
        ],
    }
