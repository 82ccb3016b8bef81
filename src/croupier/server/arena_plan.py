"""What an arena consists of: listeners, tables, rooms, Kuhn poker, players, programs."""

from dataclasses import dataclass, field
from pathlib import Path

from croupier.match.audience import Policy
from croupier.rules.rules import Rules
from croupier.server.huawei import HuaweiOptions
from croupier.server.kuhn import KuhnOptions
from croupier.server.tables import TablePlan
from croupier.server.web_child import WebPlan

PORTS = {"huawei": 6000, "trend": 3000, "room": 18888, "kuhn": 1212}
"""The dialects that can be listened to, and their usual ports."""

HOLDEM_DIALECTS = ("huawei", "trend", "room")


@dataclass(frozen=True)
class ListenPlan:
    """One port to open."""

    dialect: str
    port: int
    kuhn: KuhnOptions = KuhnOptions()  # noqa: RUF009  (it is frozen)
    huawei: HuaweiOptions = HuaweiOptions()  # noqa: RUF009


@dataclass(frozen=True)
class KnownPlayer:
    """A player whom the organiser expects."""

    display: str
    table: str = ""
    """The name of his table; empty: any."""
    token: str = ""
    """In `trend`."""
    pid: str = ""
    """In `huawei`."""


@dataclass(frozen=True)
class Program:
    """A player's program that the arena starts and ends with each match."""

    command: str
    dialect: str
    memory_mb: int = 1024
    open_files: int = 256
    endless: bool = False
    """It is started again whenever it ends."""


@dataclass
class ArenaTable:
    """A table and the programs that play at it."""

    plan: TablePlan
    programs: list[Program] = field(default_factory=list)


@dataclass
class ArenaPlan:
    """Everything that `croupier serve` runs."""

    listen: list[ListenPlan] = field(default_factory=list)
    tables: list[ArenaTable] = field(default_factory=list)
    rooms: dict[int, Rules] = field(default_factory=dict)
    """The rules of rooms on demand, by version; empty: none are opened."""
    kuhn: tuple[Rules, str] | None = None
    """The rules of Kuhn poker and the bot of the house, if it is played."""
    players: list[KnownPlayer] = field(default_factory=list)
    bind: str = "127.0.0.1"
    store: str = "croupier.db"
    durability: str = "process"
    transcripts: Path | None = None
    output: Path = Path("programs")
    """Where the output of programs goes."""
    policy: Policy = Policy()  # noqa: RUF009  (it is frozen)
    control: Path = Path("croupier.sock")
    metrics: int | None = None
    """The port of /metrics, if there is one."""
    seed: bytes | None = None
    visitors: list[Program] = field(default_factory=list)
    """Programs that belong to no table and run as long as the arena does."""
    admin_token: str = ""
    """Of the website; without one it is drawn at each start."""
    web: WebPlan | None = None
    """The website, if there is one."""
