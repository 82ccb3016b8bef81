"""The frozen coefficients of luck: which apply where, and the hash by which they are known.

They were fitted on bots that are used for nothing else, before anything was played, and belong to a
version of the program: so nobody chooses them after seeing the results.
"""

from hashlib import sha256

import numpy as np

from croupier.contest.frozen import COEFFICIENTS, VERSION
from croupier.contest.guard import Vector
from croupier.contest.luck import TERMS
from croupier.rules.rules import Rules


def luck_problem(rules: Rules) -> str:
    """Return why nothing is known of the luck of a game; empty if it is known."""
    games = sorted({game for game, _, _ in COEFFICIENTS})
    if rules.game in games:
        return ""
    return f"the luck of the cards is known in {' and '.join(games)} only, not in {rules.name}"


def frozen(game: str, deals: str, seats: int) -> Vector:
    """Return the coefficients for a game, single or duplicate deals, and a number of seats.

    Where there are none for this number, those for the nearest apply; an unknown game has zeros,
    and learns its own.
    """
    known = [size for kind, how, size in COEFFICIENTS if (kind, how) == (game, deals)]
    if not known:
        return np.zeros(len(TERMS))
    nearest = min(known, key=lambda size: (abs(size - seats), size))
    return np.array(COEFFICIENTS[game, deals, nearest])


def coefficients_hash() -> str:
    """Return the SHA-256 of all coefficients, one line for each set of them.

    A line is the game, the deals, the number of seats and the coefficients with three decimals, in
    the order of the terms, separated by blanks; the first line has the version.
    """
    lines = [f"luck {VERSION}", " ".join(TERMS)]
    for (game, deals, seats), values in sorted(COEFFICIENTS.items()):
        lines.append(" ".join([game, deals, str(seats), *(f"{value:.3f}" for value in values)]))
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
