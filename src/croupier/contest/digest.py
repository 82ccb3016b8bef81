"""The digest of a contest: two runs with the same results have the same one."""

from collections.abc import Iterable
from hashlib import sha256

from croupier.contest.fixtures import MatchResult


def digest(results: Iterable[MatchResult]) -> str:
    """Return the SHA-256 of results in the order of their names.

    Each match is a line of tab-separated fields: its name, its hands, and for each seat the team,
    its chips, its faults and, after a forfeit, the word `forfeit`.
    """
    lines = []
    for result in sorted(results, key=lambda result: result.name):
        fields = [str(result.name), str(result.hands)]
        for seat in result.seats:
            fields += [seat.team, str(seat.chips), str(seat.faults)]
            fields += ["forfeit"] if seat.forfeit else []
        lines.append("\t".join(fields) + "\n")
    return sha256("".join(lines).encode()).hexdigest()
