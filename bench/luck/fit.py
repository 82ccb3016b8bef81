"""`make coefficients`: fit the frozen coefficients of luck and write them down.

A least-squares fit over several pairings of bots that are used for nothing else, each weighted by
the inverse of its variance, so that no pairing with large pots decides alone. It is done for
each style of play on its own, and once for single hands and once for sets, since duplicates cancel
a part of the luck.
"""

from pathlib import Path

import numpy as np

from bench.luck.dealing import units_of
from bench.luck.fitting_bots import FittingBot
from croupier.bots import house_bot
from croupier.contest.estimates import Share
from croupier.contest.luck import TERMS
from croupier.rules.sets import KUHN, PLAIN

TARGET = Path(__file__).parents[2] / "src" / "croupier" / "contest" / "frozen.py"

STYLES = ("lively", "mixed", "calm")

PAIRINGS: dict[int, tuple[int, dict[str, tuple[str, ...]]]] = {
    2: (
        1500,
        {
            "lively": (
                "solid wild", "solid sticky", "wild shy",
                "exact pushy", "exact solid", "pushy sticky",
            ),
            "mixed": ("solid loyal", "wild meek", "pushy loyal", "exact meek"),
            "calm": ("meek loyal", "meek sticky", "shy meek"),
        },
    ),
    3: (
        700,
        {
            "lively": ("solid wild exact", "pushy sticky solid", "shy exact wild"),
            "mixed": ("solid loyal meek", "wild loyal loyal"),
            "calm": ("meek loyal sticky", "loyal meek meek"),
        },
    ),
    6: (
        400,
        {
            "lively": (
                "solid wild exact pushy sticky shy",
                "exact exact solid solid pushy wild",
                "solid solid sticky exact shy solid",
            ),
            "mixed": ("solid loyal meek wild loyal exact", "meek solid loyal loyal meek pushy"),
            "calm": ("meek loyal meek loyal meek sticky", "loyal sticky meek shy loyal meek"),
        },
    ),
}  # fmt: skip
"""By number of seats, how many deals, and who plays; by style, which says how much is raised."""

RIDGE = 20.0
"""How many units speak for coefficients of zero."""

NOTHING = 1e-15


def coefficients(pairings: list[list[list[Share]]]) -> list[float]:
    """Return the coefficients that fit the units of several pairings best."""
    size = len(TERMS)
    left, right = np.zeros((size, size)), np.zeros(size)
    for units in pairings:
        for player in range(len(units[0])):
            won = np.array([unit[player].won for unit in units])
            terms = np.array([unit[player].terms for unit in units])
            weight = 1 / won.var() if won.var() else 0.0
            left += weight * terms.T @ terms
            right += weight * terms.T @ (won - won.mean())
    # What cancels in a set is left alone, but for rounding errors.
    used = left.diagonal() > NOTHING * max(left.diagonal())
    seen = sum(len(units) for units in pairings)
    fitted = np.zeros(size)
    left = left[np.ix_(used, used)]
    fitted[used] = np.linalg.solve(left + np.diag(RIDGE * left.diagonal() / seen), right[used])
    return [round(float(value), 3) for value in fitted]


def main() -> None:
    """Fit everything and write the module."""
    lines = []
    for seats, (deals, styles) in PAIRINGS.items():
        for kind, twins in (("single", 1), ("duplicate", 0)):
            many = 2 * deals if twins else deals
            fitted = []
            for style in STYLES:
                units = [
                    units_of(names.split(), FittingBot, PLAIN, many, f"fit {kind}", twins)
                    for names in styles[style]
                ]
                fitted += coefficients(units)
            lines.append((("holdem", kind, seats), fitted))
            print(*lines[-1], flush=True)
    kuhn = KUHN.with_fields({"stacks": "reset"})
    for kind, twins in (("single", 1), ("duplicate", 0)):
        units = [
            units_of(names, house_bot, kuhn, 2000, f"fit {kind}", twins)
            for names in (("nash", "nash"), ("nash", "random"))
        ]
        lines.append((("kuhn", kind, 2), coefficients(units)))
    TARGET.write_text(_module(lines))


def _module(lines: list[tuple[tuple[str, str, int], list[float]]]) -> str:
    """Return the module in the house format."""
    body = ""
    for (game, deals, seats), values in lines:
        texts = [repr(value) for value in values]
        body += f'    ("{game}", "{deals}", {seats}): (\n'
        rows = [", ".join(texts[at : at + 6]) for at in range(0, len(texts), 6)]
        body += "".join(f"        {row},\n" for row in rows) + "    ),\n"
    return (
        '"""The frozen coefficients of luck. Made by `make coefficients`; do not edit."""\n\n'
        "VERSION = 3\n\n"
        "# fmt: off\n"
        "COEFFICIENTS: dict[tuple[str, str, int], tuple[float, ...]] = {\n"
        f"{body}"
        "}\n"
        "# fmt: on\n"
        '"""By game, deals and number of seats, in the order of the terms; style after style."""\n'
    )


if __name__ == "__main__":
    main()
