"""The effect of a hand on the accounts: stacks, reserves, and who is out."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from croupier.match.entrant import Entrant
from croupier.match.events import BROKE, TIMEOUTS, PlayerOut, ToppedUp
from croupier.rules import rules as r
from croupier.rules.events import Event
from croupier.rules.rules import Rules


class Contestant(Protocol):
    """A player that started a match; `out` says why it is out, if it is."""

    @property
    def out(self) -> str:
        """Empty while the player is in the match."""


def too_few_left(rules: Rules, players: Sequence[Contestant]) -> bool:
    """Tell whether too few players remain for another hand."""
    left = sum(not player.out for player in players)
    return left < 2 or (rules.ends_below_half and 2 * left < len(players))


def record_stacks(rules: Rules, dealt: Iterable[Entrant], stacks: Sequence[int]) -> None:
    """Record the stacks after a hand for the players that were dealt in."""
    for entrant, stack in zip(dealt, stacks, strict=True):
        entrant.hands += 1
        if rules.stacks == r.RESET:
            entrant.won += stack - entrant.stack
        else:
            entrant.stack = stack


def remove(players: Sequence[Entrant], player: int, cause: str) -> Event:
    """Remove a player from the match with all its chips."""
    entrant = players[player]
    discarded = entrant.chips
    entrant.stack = entrant.reserve = entrant.won = 0
    entrant.out = cause
    return PlayerOut(player, cause, discarded)


def remove_timed_out(rules: Rules, players: Sequence[Entrant], dealt: Iterable[int]) -> list[Event]:
    """Remove the players that have timed out too often."""
    limit = rules.max_timeouts
    return [
        remove(players, player, TIMEOUTS)
        for player in dealt
        if limit and players[player].timeouts >= limit
    ]


def top_up(
    rules: Rules, big_blind: int, players: Sequence[Entrant], dealt: Iterable[int]
) -> list[Event]:
    """Top up short stacks from the reserves, and mark players that are still too short as out."""
    events: list[Event] = []
    for player in dealt:
        entrant = players[player]
        if entrant.out:
            continue
        amount = min(rules.stack - entrant.stack, entrant.reserve)
        if entrant.stack < big_blind and amount > 0:
            entrant.stack += amount
            entrant.reserve -= amount
            events.append(ToppedUp(player, amount))
        too_little = big_blind if rules.out_below_big_blind else 1
        if entrant.stack < too_little and entrant.reloads >= rules.reloads:
            entrant.out = BROKE
            events.append(PlayerOut(player, BROKE, 0))
    return events
