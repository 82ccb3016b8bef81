"""Rooms of two and of six in `room` beside a bare echo of the same frames: measured, compared.

Server and echo run side by side, each with all its connections open, and take turns: in every round
each plays the same number of hands by the same script, so that the ratios are taken within a round.
The players have the second core. What they do is said in `room_players.py`, what the echo sends in
`room_echo.py`. Errors are error frames, connections that were closed, and connections that did not
hear of all their hands.

To compare with: the aims are 3,000 connections without an error, and 3,000 hands per second
heads-up. The original platform published, on unknown hardware and with unknown players, 1,600 hands
per second heads-up with 3,000 connections, and 260 with six players and 1,000 connections.
"""

from dataclasses import dataclass
from statistics import median
from time import monotonic, sleep
from typing import Any

from bench.figures import ratio
from bench.server import room_apart
from bench.server.child import Child
from bench.server.room_players import V1, open_files

ROOMS = {2: 1500, 6: 166}
"""How many rooms of each size."""

HANDS = {(2, "showdown"): 2, (2, "fold"): 5, (6, "showdown"): 2, (6, "fold"): 10}
"""How many hands each room plays per round."""

SIZES = {2: "two", 6: "six"}
SCRIPTS = ("showdown", "fold")
IDLE = 3000
SPARE = 200
"""Open files that are not connections."""
PATIENCE = 30.0
"""Seconds for one measurement."""
BUDGET = 25.0
"""Seconds after which no further round begins for a size: on a busy machine there are fewer."""
LIMIT = 240.0
"""Seconds after which a process ends in any case."""


@dataclass(frozen=True)
class Figures:
    """What was measured once."""

    hands: float
    """Hands per second by the players' clock."""
    cpu: float
    """CPU seconds of the server per hand."""
    errors: int


Measured = dict[str, list[Figures]]
"""By name, a figure of each round."""


def possible_rooms(seats: int) -> int:
    """Return how many rooms of a size the limit on open files lets us open."""
    return min(ROOMS[seats], (open_files() - SPARE) // seats)


def named(seats: int, script: str) -> str:
    """Return what a measurement is called."""
    return f"{possible_rooms(seats):,} rooms of {SIZES[seats]}, {script}"


def measure(server: Child, players: Child, seats: int, script: str) -> Figures:
    """Let every room play its hands."""
    hands = HANDS[seats, script]
    before = server.ask("report")
    done = players.ask(f"{script} {hands} {PATIENCE}")
    after = server.ask("report")
    played = possible_rooms(seats) * hands
    errors = done["errors"]
    if "hands" in after:
        errors += after["ended"] + abs(after["hands"] - before["hands"] - played)
    return Figures(played / done["seconds"], (after["cpu"] - before["cpu"]) / played, errors)


def rooms_of(seats: int, rounds: int, version: int) -> tuple[Measured, dict[str, Any]]:
    """Measure rooms of one size; return the figures, and how large a hand is by each script."""
    until = monotonic() + BUDGET
    found: Measured = {}
    settings = {"seats": seats, "version": version, "rooms": possible_rooms(seats)}
    with (
        Child("room_echo", LIMIT, core=0, **settings) as echo,
        Child("room_serve", LIMIT, core=0) as server,
    ):
        sizes = echo.read()
        ports = {"echo, ": sizes.pop("port"), "": server.read()["port"]}
        empty = server.ask("report")["rss"]
        with (
            Child("room_players", LIMIT, core=1, port=ports["echo, "], **settings) as echoed,
            Child("room_players", LIMIT, core=1, port=ports[""], **settings) as served,
        ):
            echoed.read()
            served.read()
            seated = server.ask("report")["rss"]
            pairs = {"echo, ": (echo, echoed), "": (server, served)}
            for _, players in pairs.values():
                players.ask(f"first 1 {PATIENCE}")
            for number in range(rounds):
                if number and monotonic() > until:
                    break
                for script in SCRIPTS:
                    for prefix, pair in pairs.items():
                        row = found.setdefault(prefix + named(seats, script), [])
                        row.append(measure(*pair, seats, script))
            sizes["seated"] = (seated - empty) / (seats * possible_rooms(seats))
            server.end()  # first, or it would tell everyone of every player who leaves
            echo.end()
    return found, sizes


def waiting() -> dict[str, float]:
    """Return how much memory of the server a connection takes that waits for its room to fill."""
    count = min(IDLE, open_files() - SPARE)
    with Child("room_serve", 60, core=0) as server:
        port = server.read()["port"]
        empty = server.ask("report")["rss"]
        with Child("room_players", 50, core=1, port=port, rooms=count, seats=1, idle=1) as players:
            players.read()
            until = monotonic() + 10
            while (report := server.ask("report"))["clients"] < count and monotonic() < until:
                sleep(0.05)
            server.end()
    return {"connections": report["clients"], "bytes": (report["rss"] - empty) / report["clients"]}


def run(rounds: int = 3, version: int = V1) -> dict[str, Any]:
    """Measure everything; return what is worth knowing of it."""
    idle = waiting()
    every: Measured = {}
    sizes = {}
    for seats in ROOMS:
        found, sizes[seats] = rooms_of(seats, rounds, version)
        every |= found
    return compare(every, sizes) | {
        "memory": [
            {
                "what": "a connection that waits for its room to fill",
                "connections": idle["connections"],
                "KiB_of_the_server": round(idle["bytes"] / 1024, 1),
            },
            {
                "what": "a connection in a full room of two, before its first hand",
                "connections": 2 * possible_rooms(2),
                "KiB_of_the_server": round(sizes[2]["seated"] / 1024, 1),
            },
        ],
        "apart": room_apart.compare(),
        "rounds": {
            name: [[round(f.hands), round(1e6 * f.cpu), f.errors] for f in row]
            for name, row in every.items()
        },
    }


def compare(every: Measured, sizes: dict[int, Any]) -> dict[str, Any]:
    """Return medians, and shares of the echo, taken within a round."""

    def row(name: str, of: str) -> list[float]:
        return [getattr(figures, of) for figures in every[name]]

    def middle(name: str, of: str) -> float:
        return median(row(name, of))

    rates = []
    ratios = []
    for seats in ROOMS:
        for script in SCRIPTS:
            for name in (f"echo, {named(seats, script)}", named(seats, script)):
                rates.append(
                    {
                        "what": name,
                        "connections": seats * possible_rooms(seats),
                        "hands_per_second": round(middle(name, "hands")),
                        "server_cpu_us_per_hand": round(1e6 * middle(name, "cpu")),
                        "frames_per_hand": round(sizes[seats][script]["frames"]),
                        "bytes_per_hand": sizes[seats][script]["bytes"],
                        "errors": max(figures.errors for figures in every[name]),
                    }
                )
            echo = f"echo, {name}"
            ratios.append(
                {
                    "what": name,
                    "to": echo,
                    "per_second": ratio(row(name, "hands"), row(echo, "hands"))["ratio"],
                    # Seconds per hand are the other way round.
                    **ratio(row(echo, "cpu"), row(name, "cpu")),
                }
            )
    return {"rates": rates, "ratios": ratios}
