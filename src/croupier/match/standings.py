"""The final ranking of a match."""

from collections.abc import Sequence
from typing import Protocol

from croupier.rules.rules import Rules


class Books(Protocol):
    """What the ranking needs to know about a player."""

    @property
    def hands(self) -> int: ...

    @property
    def chips(self) -> int: ...

    @property
    def reloads(self) -> int: ...

    @property
    def out(self) -> str: ...


def worth(player: Books, rules: Rules) -> int:
    """Return a player's chips plus the stacks that it could still have bought."""
    unused = 0 if player.out else rules.reloads - player.reloads
    return player.chips + unused * rules.stack


def standings(players: Sequence[Books], rules: Rules) -> tuple[tuple[int, int, int, int], ...]:
    """Return (rank, player, chips, hands survived), best first.

    Players that survived more hands rank first, then those worth more. Ties share a rank: 1, 2, 2,
    4.
    """
    keys = [(-player.hands, -worth(player, rules)) for player in players]
    ordered = sorted(range(len(players)), key=lambda player: (keys[player], player))
    first_with: dict[tuple[int, int], int] = {}
    rows = []
    for place, player in enumerate(ordered, 1):
        rank = first_with.setdefault(keys[player], place)
        rows.append((rank, player, players[player].chips, players[player].hands))
    return tuple(rows)
