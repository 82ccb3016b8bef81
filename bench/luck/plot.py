"""`python -m bench.luck.plot`: how error bars close in docs/results.md, as docs/luck.svg and text.

1,000 deals of RuleAgent against LooseAggressive, each in both seats: after how many hands is the
95 % interval how wide, with plain hands, without luck, in duplicate, and with both?
"""

from pathlib import Path

from bench.luck.dealing import twins_of
from croupier.bots import house_bot
from croupier.contest.coefficients import frozen
from croupier.contest.estimates import Estimates, summed
from croupier.contest.plan import DUPLICATE, SINGLE
from croupier.rules.sets import PLAIN

TARGET = Path(__file__).parents[2] / "docs" / "luck.svg"
NAMES = ("RuleAgent", "LooseAggressive")
DEALS, STEP = 1000, 50
MOST = 600.0
"""Half a width in bb/100 at the top of the picture."""

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 380, 60, 110, 20, 50
STYLE = """
  text { font: 13px sans-serif; fill: #222; } line { stroke: #8886; } path { fill: none; stroke-width: 2.5; }
  .plain { stroke: #777; } .luck { stroke: #0072b2; } .duplicate { stroke: #d55e00; } .both { stroke: #009e73; }
  @media (prefers-color-scheme: dark) { text { fill: #ddd; } .plain { stroke: #aaa; } .luck { stroke: #56b4e9; } .duplicate { stroke: #e69f00; } .both { stroke: #2fd6a5; } }
"""  # noqa: E501

Points = list[tuple[int, float]]


def curves() -> dict[str, Points]:
    """Return, by kind of estimate, half the width of the interval after so many hands."""
    deals = twins_of(NAMES, house_bot, PLAIN, DEALS, "plot", 2)
    sets = Estimates(2, frozen(PLAIN.game, DUPLICATE, 2))
    hands = Estimates(2, frozen(PLAIN.game, SINGLE, 2))
    found: dict[str, Points] = {kind: [] for kind in ("plain", "luck", "duplicate", "both")}
    for number, matches in enumerate(deals, 1):
        sets.add([summed(shares) for shares in zip(*matches, strict=True)])
        hands.add(matches[0])
        if number % STEP:
            continue
        for kind, rate in (
            ("plain", sets.plain[0]),
            ("luck", hands.adjusted[0]),
            ("duplicate", sets.raw[0]),
            ("both", sets.adjusted[0]),
        ):
            if rate.ci95 is not None:
                found[kind].append((rate.hands, 100 * rate.ci95))
    return found


def picture(found: dict[str, Points]) -> str:
    """Return the curves as SVG."""

    def place(hands: int, half: float) -> str:
        x = LEFT + hands / (2 * DEALS) * (WIDTH - LEFT - RIGHT)
        return f"{x:.1f} {HEIGHT - BOTTOM - min(half, MOST) / MOST * (HEIGHT - TOP - BOTTOM):.1f}"

    def text(hands: int, half: float, words: str, shift: str = "") -> str:
        x, y = place(hands, half).split()
        return f'<text x="{x}" y="{y}" {shift}>{words}</text>\n'

    parts = ""
    for half in range(0, int(MOST) + 1, 100):
        (x, y), (to, _) = place(0, half).split(), place(2 * DEALS, half).split()
        parts += f'<line x1="{x}" y1="{y}" x2="{to}" y2="{y}"/>\n'
        parts += text(0, half, str(half), 'dx="-8" dy="4" text-anchor="end"')
    for hands in range(0, 2 * DEALS + 1, 500):
        parts += text(hands, 0, f"{hands:,}", 'dy="18" text-anchor="middle"')
    parts += text(DEALS, 0, "hands played", 'dy="38" text-anchor="middle"')
    parts += f'<text x="{LEFT + 8}" y="{TOP - 6}">half the 95 % interval, bb/100</text>\n'
    for kind, points in found.items():
        line = " L ".join(place(*point) for point in points)
        parts += f'<path class="{kind}" d="M {line}"/>\n'
        parts += text(*points[-1], kind, 'dx="6" dy="4"')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="Error bars close faster without luck and in duplicate">\n'
        f"<style>{STYLE}</style>\n{parts}</svg>\n"
    )


def as_text(found: dict[str, Points]) -> str:
    """Return the curves as lines of text, a bar for each."""
    lines = []
    for hands in (500, 1000, 1500, 2000):
        for kind, points in found.items():
            half = dict(points).get(hands)
            if half is not None:
                lines.append(f"{hands:5,} {kind:<9} {'█' * round(half / 10)} {half:.0f}")
    return "\n".join(lines)


def main() -> None:
    """Write the picture and print the text."""
    found = curves()
    TARGET.write_text(picture(found))
    print(as_text(found))


if __name__ == "__main__":
    main()
