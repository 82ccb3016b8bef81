"""Who is where in the end."""

from collections.abc import Sequence
from typing import Protocol


class Books(Protocol):
    """What the ranking looks at."""

    @property
    def hands(self) -> int: ...

    @property
    def chips(self) -> int: ...


def standings(players: Sequence[Books]) -> tuple[tuple[int, int, int, int], ...]:
    """Return (rank, player, chips, hands survived), best first.

    Who survived more hands is ahead; then the chips decide. Ties share a rank: 1, 2, 2, 4.
    """
    keys = [(-player.hands, -player.chips) for player in players]
    ordered = sorted(range(len(players)), key=lambda player: (keys[player], player))
    first_with: dict[tuple[int, int], int] = {}
    rows = []
    for place, player in enumerate(ordered, 1):
        rank = first_with.setdefault(keys[player], place)
        rows.append((rank, player, players[player].chips, players[player].hands))
    return tuple(rows)
