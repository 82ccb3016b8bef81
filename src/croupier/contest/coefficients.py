"""The frozen coefficients of luck: which apply where, and the hash by which they are known.

They were fitted on bots that are used for nothing else, before anything was played, and belong to a
version of the program: so nobody chooses them after seeing the results. Their version stands for
the guard as well, whose constants are frozen with them.
"""

from functools import lru_cache
from hashlib import sha256
from math import isfinite

import numpy as np

from croupier.contest.frozen import COEFFICIENTS, VERSION
from croupier.contest.guard import Vector
from croupier.contest.luck import TERMS
from croupier.rules.rules import Rules

Coefficients = dict[tuple[str, str, int], tuple[float, ...]]
"""By game, deals and number of seats."""

_TERMS_LINE = " ".join(TERMS)


def luck_problem(rules: Rules) -> str:
    """Return why nothing is known of the luck of a game; empty if it is known."""
    games = sorted({game for game, _, _ in COEFFICIENTS})
    if rules.game in games:
        return ""
    return f"the luck of the cards is known in {' and '.join(games)} only, not in {rules.name}"


def frozen(game: str, deals: str, seats: int, text: str | None = None) -> Vector:
    """Return the coefficients for a game, single or duplicate deals, and a number of seats.

    They are those of each style of play in the order of the terms, one style after the other. Where
    there are none for this number, those for the nearest apply; an unknown game has zeros, and
    learns its own. `text` has those that a contest has committed to; None: those of this version.
    """
    coefficients = COEFFICIENTS if text is None else _read(text)
    known = [size for kind, how, size in coefficients if (kind, how) == (game, deals)]
    if not known:
        return np.zeros(len(TERMS))
    nearest = min(known, key=lambda size: (abs(size - seats), size))
    return np.array(coefficients[game, deals, nearest])


def coefficients_text() -> str:
    """Return all coefficients as they are kept with a contest, one line for each set of them.

    A line is the game, the deals, the number of seats and the coefficients with three decimals, in
    the order of the terms and style after style, separated by blanks; the first line has the
    version, the second the terms.
    """
    lines = [f"luck {VERSION}", _TERMS_LINE]
    for (game, deals, seats), values in sorted(COEFFICIENTS.items()):
        lines.append(" ".join([game, deals, str(seats), *(f"{value:.3f}" for value in values)]))
    return "".join(f"{line}\n" for line in lines)


def coefficients_hash() -> str:
    """Return the hash of the coefficients of this version."""
    return hash_of(coefficients_text())


def hash_of(coefficients: str) -> str:
    """Return the SHA-256 of a text of coefficients; empty if there are none."""
    return sha256(coefficients.encode()).hexdigest() if coefficients else ""


def text_problem(text: str) -> str:
    """Return why coefficients on record cannot be used with the luck that is measured here."""
    if text.splitlines()[1:2] != [_TERMS_LINE]:
        return "its luck is measured in terms that this version of Croupier does not have"
    try:
        _read(text)
    except ValueError:
        return "its coefficients of luck cannot be read"
    return ""


@lru_cache(maxsize=8)
def _read(text: str) -> Coefficients:
    """Return the coefficients that a text has."""
    read = {}
    for line in text.splitlines()[2:]:
        game, deals, seats, *values = line.split(" ")
        read[game, deals, int(seats)] = tuple(map(float, values))
    numbers = [number for values in read.values() for number in values]
    whole = all(values and len(values) % len(TERMS) == 0 for values in read.values())
    if not read or not whole or not all(map(isfinite, numbers)):
        raise ValueError("the coefficients of luck cannot be read")
    return read


def coefficients_name() -> str:
    """Return by what luck is taken out, for people: a result is explained by it alone."""
    return f"coefficients version {VERSION}, {coefficients_hash()[:16]}"
