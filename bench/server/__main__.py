"""`make bench`, its server part: a table on the screen and bench/results/server.json.

Server and players are two processes on loopback. How many actions a server referees is measured in
turns with a bare echo of the same messages on the same kind of event loop, answered by the same
players, so that a busy machine is equally unkind to both: the ratios are taken within a round,
and every figure is the median of the rounds. `python -m bench.server --quick` is a short look.

Where two processes run decides more than what they do if only one of them has work at a time: to
wake another core can take ten times as long as to go on with the next process of one's own. So both
get their cores: one for both, or one for each. With many tables it is one for each.

The echo sends every message at once, so tables are compared with it without a gap between two
messages to a player; how many actions they referee with the usual one stands beside it.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import Any

from bench.figures import ratio, show
from bench.server import room, trend
from bench.server.child import Child
from bench.server.room import SPARE
from bench.server.room_players import open_files
from croupier.dialects.registry import DIALECTS
from croupier.server.table.counters import DELAY_BOUNDS

MANY = 64
CROWD = min(1000, (open_files() - SPARE) // 2)
"""As many tables as the limit on open files allows: what does it cost if nothing is in a cache?"""
PLAYERS = 1000
SEATS = 8
GAP_MS = DIALECTS["huawei"].gap_ms
HELD = 0.01
"""The share of answers that are held back until they are late."""

RATIOS = "Ratios, the last three per CPU second of the server"

PLACES = {"one core": 0, "two cores": 1}
"""The core of the players; the server has core 0."""

Round = dict[str, tuple[float, float]]
"""What was measured, by name: round trips per second, and per CPU second of the server."""


def measure(
    server: Child, connections: int, register: bool, seconds: float, core: int
) -> tuple[float, float]:
    """Let players answer at once for a while."""
    port = server.read()["port"]
    with Child(
        "players",
        seconds + 30,
        core=core,
        port=port,
        connections=connections,
        register=register,
        warm_up=min(0.5, seconds / 2),
        seconds=seconds,
    ) as players:
        players.read()
        before = server.ask("report")
        done = players.read()
        after = server.ask("report")
    if register and (after["faults"] or after["timeouts"] or not after["hands"]):
        raise SystemExit(f"the players did not just play: {after}")
    return done["answers"] / done["seconds"], done["answers"] / (after["cpu"] - before["cpu"])


def tables(
    count: int, seconds: float, core: int, with_store: bool = False, gap_ms: int = 0
) -> tuple[float, float]:
    """Measure heads-up tables with the players on this core; the server is on the first."""
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "bench.db") if with_store else ""
        with Child(
            "serve", seconds + 40, core=0, tables=count, seats=2, store=store, gap_ms=gap_ms
        ) as server:
            return measure(server, 2 * count, True, seconds, core)


def echo(count: int, seconds: float, core: int) -> tuple[float, float]:
    """Measure the bare echo of as many pairs of players as there are tables."""
    with Child("echo", seconds + 40, core=0) as server:
        return measure(server, 2 * count, False, seconds, core)


def one_round(seconds: float) -> Round:
    """Measure everything once."""
    found = {}
    for place, core in PLACES.items():
        found[f"echo, 1 pair, {place}"] = echo(1, seconds, core)
        found[f"1 table, {place}"] = tables(1, seconds, core)
        found[f"1 table with store, {place}"] = tables(1, seconds, core, with_store=True)
        found[f"1 table, {GAP_MS} ms gap, {place}"] = tables(1, seconds, core, gap_ms=GAP_MS)
    found[f"echo, {MANY} pairs"] = echo(MANY, seconds, 1)
    found[f"{MANY} tables"] = tables(MANY, seconds, 1)
    found[f"{MANY} tables with store"] = tables(MANY, seconds, 1, with_store=True)
    found[f"{MANY} tables, {GAP_MS} ms gap"] = tables(MANY, seconds, 1, gap_ms=GAP_MS)
    found[f"echo, {CROWD:,} pairs"] = echo(CROWD, seconds, 1)
    found[f"{CROWD:,} tables"] = tables(CROWD, seconds, 1)
    return found


def compare(rounds: list[Round]) -> dict[str, Any]:
    """Return what is worth knowing of the rounds: medians, and shares of the echo.

    `ratio`, with its lowest and highest, is that of answers per CPU second of the server.
    """

    def speeds(name: str, of: int) -> list[float]:
        return [found[name][of] for found in rounds]

    rates = [
        {
            "what": name,
            "per_second": round(median(speeds(name, 0))),
            "per_server_cpu_second": round(median(speeds(name, 1))),
        }
        for name in rounds[0]
    ]

    pairs = []
    for place in PLACES:
        to = f"echo, 1 pair, {place}"
        pairs += [(f"1 table, {place}", to), (f"1 table with store, {place}", to)]
        pairs += [(f"1 table, {GAP_MS} ms gap, {place}", f"1 table, {place}")]
    to = f"echo, {MANY} pairs"
    pairs += [(f"{MANY} tables", to), (f"{MANY} tables with store", to)]
    pairs += [(f"{MANY} tables with store", f"{MANY} tables")]
    pairs += [(f"{MANY} tables, {GAP_MS} ms gap", f"{MANY} tables")]
    pairs += [
        (f"{CROWD:,} tables", f"echo, {CROWD:,} pairs"),
        (f"{CROWD:,} tables", f"{MANY} tables"),
    ]
    pairs += [(f"echo, {CROWD:,} pairs", f"echo, {MANY} pairs")]
    ratios = [
        {
            "what": name,
            "to": to,
            "per_second": ratio(speeds(name, 0), speeds(to, 0))["ratio"],
            **ratio(speeds(name, 1), speeds(to, 1)),
        }
        for name, to in pairs
    ]
    return {"rates": rates, "ratios": ratios}


def fairness(seconds: float, gap_ms: int) -> dict[str, Any]:
    """Let many players think at the limit; compare what they are charged with their own clocks."""
    count = PLAYERS // SEATS
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "bench.db")
        with Child(
            "serve",
            seconds + 60,
            tables=count,
            seats=SEATS,
            store=store,
            timed=True,
            gap_ms=gap_ms,
        ) as server:
            port = server.read()["port"]
            with Child(
                "players",
                seconds + 50,
                port=port,
                connections=PLAYERS,
                seats=SEATS,
                register=True,
                thinking=True,
                seconds=seconds,
                held=HELD,
            ) as players:
                clocks = players.read()
                charged = server.ask("report")
    if charged["started"] != count:
        raise SystemExit(f"only {charged['started']} of {count} tables were played at")
    unjust = {
        name: timeouts - clocks["late"].get(name, 0)
        for name, timeouts in charged["timeouts"].items()
        if timeouts > clocks["late"].get(name, 0)
    }
    return {
        "players": PLAYERS,
        "tables": count,
        "seconds": seconds,
        "gap_ms": gap_ms,
        "answers": clocks["answers"],
        "longest_answer_in_time_ms": round(1000 * clocks["longest_in_time"], 1),
        "late_by_the_players_clocks": sum(clocks["late"].values()),
        "timeouts_charged": sum(charged["timeouts"].values()),
        "charged_though_in_time": sum(unjust.values()),
        "turns_extended": charged["extended"],
        "server_delay_ms_at_most": within(charged["delays"]),
        "delay_seen_by_players_ms": spread(clocks["seen"]),
    }


def spread(seconds: list[float]) -> dict[str, float]:
    """Return the middle and the end of a row of times, in ms."""
    row = sorted(seconds)
    return {
        "p50": round(1000 * row[len(row) // 2], 3),
        "p99": round(1000 * row[len(row) * 99 // 100], 3),
        "max": round(1000 * row[-1], 3),
    }


def within(counts: list[int]) -> dict[str, float | None]:
    """Return bounds, in ms, within which most of the server's delays are; None is beyond all."""
    bounds = [*(1000 * bound for bound in DELAY_BOUNDS), None]
    reached = list(accumulate(counts))
    return {
        name: next(b for b, n in zip(bounds, reached, strict=True) if n >= share * reached[-1])
        for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0))
    }


def show_room(found: dict[str, Any]) -> None:
    """Print what was measured in rooms."""
    if room.possible_rooms(2) < room.ROOMS[2]:
        print("\nthe limit on open files allows no more connections in rooms than these")
    show("room: all players check or call to the showdown, or fold when asked", found["rates"])
    show(RATIOS, found["ratios"])
    show("Memory per idle connection (resident, without the kernel's share)", found["memory"])
    show("room: one player who writes a frame in two pieces, without TCP_NODELAY", found["apart"])


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a short look: one round, briefly")
    parser.add_argument("--rounds", type=int, help="how often everything is measured")
    parser.add_argument("--seconds", type=float, help="seconds per measurement")
    parser.add_argument("--fair-seconds", type=float, help="seconds of thinking; 0 leaves it out")
    parser.add_argument("--room", action="store_true", help="only rooms; nothing is written")
    parser.add_argument("--out", type=Path, default=Path("bench/results/server.json"))
    arguments = parser.parse_args()
    rounds_wanted = arguments.rounds or (1 if arguments.quick else 5)
    seconds = arguments.seconds or (1.0 if arguments.quick else 2.0)
    fair = arguments.fair_seconds
    if fair is None:
        fair = 5.0 if arguments.quick else 20.0
    if arguments.room:
        show_room(room.run(min(3, rounds_wanted)))
        return
    sizes = trend.sizes()
    rounds = []
    trend_rounds = []
    for number in range(rounds_wanted):
        if sys.stderr.isatty():
            print(f"\r  round {number + 1} of {rounds_wanted}", end="", file=sys.stderr, flush=True)
        rounds.append(one_round(seconds))
        trend_rounds.append(trend.one_round(seconds))
    print("\r" + " " * 30 + "\r", end="", file=sys.stderr)
    results = compare(rounds)
    show("huawei: answers on loopback, two players at each table", results["rates"])
    show(RATIOS, results["ratios"])
    results["trend"] = sizes | trend.compare(trend_rounds) | {"rounds": trend.rows(trend_rounds)}
    show(
        f"trend, tables of 10 (a decision causes {sizes['frames']} frames with"
        f" {sizes['bytes']:,} bytes on average)",
        results["trend"]["rates"],
    )
    show(RATIOS, results["trend"]["ratios"])
    results["room"] = room.run(min(3, rounds_wanted))
    show_room(results["room"])
    if fair:
        results["fairness"] = [fairness(fair, gap_ms) for gap_ms in (0, GAP_MS)]
        for row in results["fairness"]:
            show(
                f"Fairness: {PLAYERS:,} players at tables of {SEATS} think up to 300 of 500 ms",
                [{"what": name.replace("_", " "), "value": value} for name, value in row.items()],
            )
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    machine = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
    }
    rows = [
        {name: [round(rate) for rate in rates] for name, rates in row.items()} for row in rounds
    ]
    arguments.out.write_text(json.dumps({"on": machine, **results, "rounds": rows}, indent=1))
    print(f"\nwritten to {arguments.out}")


if __name__ == "__main__":
    main()
