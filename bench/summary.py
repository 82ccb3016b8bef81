"""The end of `make bench`: one table of what we aim at, from what the other parts have written.

Every ratio is to a peer that did the same work in the same run, per CPU second: the median of the
rounds, with the lowest and the highest. `python -m bench.summary [FOLDER]` prints it again.
"""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench.figures import show

STARTS = 5


class Row(NamedTuple):
    """A line of the table."""

    what: str
    file: str
    part: str
    """The part of the file that has the ratios; nothing for the file itself."""
    begins: str
    """How the name of what was measured begins in the file."""
    to: str
    """How its peer's name begins."""
    aim: str
    inverted: bool = False
    """Show what an answer costs, instead of how many there are."""


ROWS = (
    Row("6 seats, stepped, compiled", "core-compiled", "", "6 players", "OpenSpiel", ">= 1.15"),
    Row("6 seats, stepped, pure Python", "core", "", "6 players", "OpenSpiel", ""),
    Row("7 cards, compiled", "core-compiled", "", "7-card", "phevaluator (native)", ">= 0.9"),
    Row("7 cards, pure Python", "core", "", "7-card", "phevaluator (native)", ""),
    Row("64 huawei tables, compiled", "server-compiled", "", "64 tables", "echo", ">= 0.38"),
    Row("64 huawei tables, pure Python", "server", "", "64 tables", "echo", ""),
    Row("1,000 huawei tables, compiled", "server-compiled", "", "1,000 tables", "echo", ""),
    Row(
        "cost of an answer at 1,000 tables, compiled",
        "server-compiled",
        "",
        "1,000 tables",
        "64 tables",
        "<= 1.2",
        inverted=True,
    ),
    Row(
        "the same of the echo alone",
        "server-compiled",
        "",
        "echo, 1,000",
        "echo, 64",
        "",
        inverted=True,
    ),
    Row("rooms of two, compiled", "server-compiled", "room", "1,500", "echo", ">= 0.4"),
    Row("rooms of six, compiled", "server-compiled", "room", "166", "echo", ">= 0.4"),
    Row("trend, ten seats, compiled", "server-compiled", "trend", "", "echo", ""),
)


def found(row: Row, folder: Path) -> dict[str, Any]:
    """Return a line of the table, or why there is none."""
    line = {"what": row.what, "to": row.to, "ratio": "not measured", "from": "", "aim": row.aim}
    try:
        results = json.loads((folder / f"{row.file}.json").read_text("utf-8"))
    except FileNotFoundError:
        return line
    for ratio in (results[row.part] if row.part else results)["ratios"]:
        if ratio["what"].startswith(row.begins) and ratio["to"].startswith(row.to):
            middle, low, high = (ratio[name] for name in ("ratio", "low", "high"))
            if row.inverted:
                middle, low, high = (round(1 / figure, 2) for figure in (middle, high, low))
            return line | {"to": ratio["to"], "ratio": middle, "from": f"{low} to {high}"}
    return line


def fairness(file: Path) -> list[dict[str, Any]]:
    """Return what was measured of the clocks, if it was."""
    measured: list[dict[str, Any]] = []
    if file.exists():
        measured = json.loads(file.read_text("utf-8")).get("fairness", [])
    return measured


def cpu_seconds(*arguments: str) -> float:
    """Return what a command of ours costs, the median of a few starts."""
    costs = []
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "croupier", *arguments], stdout=subprocess.DEVNULL, check=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return round(median(costs), 2)


def main() -> None:
    """Print the table."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "bench/results")
    show("What we aim at", [found(row, folder) for row in ROWS])
    fair = [
        {
            "build": build,
            "players": case["players"],
            "gap_ms": case["gap_ms"],
            "answers": case["answers"],
            "charged_though_in_time": case["charged_though_in_time"],
        }
        for build, file in (("pure Python", "server"), ("compiled", "server-compiled"))
        for case in fairness(folder / f"{file}.json")
    ]
    if fair:
        show("1,000 players at 500 ms; aim: 0 charged", fair)
    os.environ.setdefault("PYTHONPATH", "src")
    show(
        "CPU seconds of a start, aims 0.2 and 0.4",
        [
            {"command": f"croupier {' '.join(words)}", "seconds": cpu_seconds(*words)}
            for words in (("--help",), ("play", "--help"))
        ],
    )


if __name__ == "__main__":
    main()
