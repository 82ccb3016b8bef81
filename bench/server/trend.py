"""Tables of ten in `trend` beside a bare echo of the same frames: measured, compared.

A decision is told to ten players, each in a message of his own, so bytes count beside decisions.
What exactly the echo sends is said in `trend_echo.py`. With many tables the echo is so quick that
it may wait for its players: there the figures per CPU second of the server say more.
"""

from dataclasses import dataclass
from statistics import median
from typing import Any

from bench.figures import ratio
from bench.server.child import Child
from bench.server.trend_serve import SEATS

MANY = 32

PLACES = {"1 table, one core": (1, 0), "1 table, two cores": (1, 1), f"{MANY} tables": (MANY, 1)}
"""How many tables, and the core of the players; the server has core 0."""


@dataclass(frozen=True)
class Figures:
    """What was measured once, by the players' clock and by the server's CPU time."""

    decisions: float
    decisions_cpu: float
    received: float
    received_cpu: float


Round = dict[str, Figures]


def measure(module: str, tables: int, core: int, seconds: float) -> Figures:
    """Let ten players per table answer at once for a while."""
    with Child(module, seconds + 60, core=0, tables=tables) as server:
        with Child(
            "trend_players",
            seconds + 50,
            core=core,
            port=server.read()["port"],
            connections=SEATS * tables,
            warm_up=min(0.5, seconds / 2),
            seconds=seconds,
        ) as players:
            players.read()
            before = server.ask("report")
            done = players.read()
            after = server.ask("report")
            server.end()  # first, or it would tell everyone of every player who leaves
    if module == "trend_serve":
        wrong = after["faults"] or after["timeouts"] or after["gone"]
        if wrong or after["running"] != tables or not after["hands"]:
            raise SystemExit(f"the players did not just play: {after}")
    cpu = after["cpu"] - before["cpu"]
    return Figures(
        done["answers"] / done["seconds"],
        done["answers"] / cpu,
        done["bytes"] / done["seconds"],
        done["bytes"] / cpu,
    )


def sizes() -> dict[str, float]:
    """Return how many frames and bytes a decision causes, on average."""
    with Child("trend_echo", 30) as server:
        found = server.read()
    return {"frames": round(found["frames"], 2), "bytes": round(found["bytes"])}


def one_round(seconds: float) -> Round:
    """Measure everything once."""
    found = {}
    for place, (tables, core) in PLACES.items():
        found[f"echo, {place}"] = measure("trend_echo", tables, core, seconds)
        found[place] = measure("trend_serve", tables, core, seconds)
    return found


def compare(rounds: list[Round]) -> dict[str, Any]:
    """Return medians, and shares of the echo, taken within a round."""

    def row(name: str, of: str) -> list[float]:
        return [getattr(found[name], of) for found in rounds]

    rates = [
        {
            "what": name,
            "decisions_per_second": round(median(row(name, "decisions"))),
            "per_server_cpu_second": round(median(row(name, "decisions_cpu"))),
            "MB_per_second": round(median(row(name, "received")) / 1e6, 1),
            "MB_per_server_cpu_second": round(median(row(name, "received_cpu")) / 1e6, 1),
        }
        for name in rounds[0]
    ]
    ratios = [
        {
            "what": name,
            "to": echo,
            "per_second": ratio(row(name, "decisions"), row(echo, "decisions"))["ratio"],
            **ratio(row(name, "decisions_cpu"), row(echo, "decisions_cpu")),
        }
        for name, echo in ((name, f"echo, {name}") for name in PLACES)
    ]
    return {"rates": rates, "ratios": ratios}


def rows(rounds: list[Round]) -> list[dict[str, list[int]]]:
    """Return every figure of every round, for the record."""
    return [
        {
            name: [
                round(figure)
                for figure in (f.decisions, f.decisions_cpu, f.received, f.received_cpu)
            ]
            for name, f in found.items()
        }
        for found in rounds
    ]
