"""What all benchmarks share: ratios within a round with their spread, and tables on the screen."""

from collections.abc import Sequence
from statistics import median
from typing import Any


def ratio(ours: Sequence[float], theirs: Sequence[float], digits: int = 2) -> dict[str, float]:
    """Return the median of the ratios of each round, and the lowest and the highest of them."""
    found = [one / other for one, other in zip(ours, theirs, strict=True)]
    return {
        "ratio": round(median(found), digits),
        "low": round(min(found), digits),
        "high": round(max(found), digits),
    }


def show(title: str, rows: list[dict[str, Any]]) -> None:
    """Print rows as a table."""
    print(f"\n{title}")
    columns = list(rows[0])
    texts = [columns, *([f"{v:,}" if type(v) is int else str(v) for v in r.values()] for r in rows)]
    widths = [max(len(text[i]) for text in texts) for i in range(len(columns))]
    for first, *rest in texts:
        print(
            f"  {first:<{widths[0]}}", *(f"{t:>{w}}" for t, w in zip(rest, widths[1:], strict=True))
        )
