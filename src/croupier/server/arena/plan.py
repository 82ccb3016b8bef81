"""The plan of a server: listeners, tables, rooms and challenges, players, programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.match.audience import Policy
from croupier.rules.rules import Rules
from croupier.server.lobbies.table_plan import TablePlan
from croupier.server.net.certificate import TlsFiles
from croupier.server.out.site_process import WebPlan
from croupier.server.table.limits import Limits


@dataclass(frozen=True)
class ListenPlan:
    """One port to open."""

    dialect: str
    port: int
    """0 picks a free one."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the dialect for this listener."""
    tls: TlsFiles | None = None
    """The certificate to speak TLS with, if it does."""

    @property
    def scheme(self) -> str:
        """What an address begins with at which players connect here."""
        return self.dialect if self.tls is None else f"{self.dialect}+tls"


@dataclass(frozen=True)
class OnDemandPlan:
    """What players of a dialect may open on demand."""

    rules: tuple[Rules, ...]
    """The rules in place of the dialect's own rule sets, in the same order."""
    bot: str = ""
    """The bot that plays for the house, where the house is the opponent."""


@dataclass(frozen=True)
class KnownPlayer:
    """A player that the organiser has registered."""

    display: str
    table: str = ""
    """The name of its table; empty: any."""
    token: str = ""
    """The digest of its private name, if it is recognised by that."""
    pid: str = ""
    """Its public number, if it is recognised by that."""


@dataclass(frozen=True)
class Program:
    """A player's program that the arena starts and ends with each match."""

    command: str
    dialect: str
    memory_mb: int = 1024
    open_files: int = 256
    processes: int = 256
    """Threads count, too."""
    cpu_s: int = 3600
    """Of each of its processes."""
    endless: bool = False
    """It is restarted whenever it ends."""


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
    on_demand: dict[str, OnDemandPlan] = field(default_factory=dict)
    """By dialect, what its players may open; players of other dialects may open nothing."""
    players: list[KnownPlayer] = field(default_factory=list)
    arena: str = ""
    """Its name among those that share a database."""
    site: str = ""
    """The public address of its website, if it is known."""
    bind: str = "127.0.0.1"
    store: str = "croupier.db"
    durability: str = "process"
    transcripts: Path | None = None
    output: Path = Path("programs")
    """The folder for the output of programs."""
    policy: Policy = Policy()  # noqa: RUF009  (it is frozen)
    control: Path = Path("croupier.sock")
    limits: Limits = Limits()  # noqa: RUF009  (it is frozen)
    metrics: int | None = None
    """The port of /metrics, if there is one."""
    seed: bytes | None = None
    visitors: list[Program] = field(default_factory=list)
    """Programs that belong to no table and run as long as the arena does."""
    admin_token: str = ""
    """For the website; if empty, one is drawn at each start."""
    proxies: tuple[str, ...] = ()
    """The addresses of proxies in front of the website, besides those on this machine."""
    web: WebPlan | None = None
    """The website, if there is one."""
    sandbox: str = "auto"
    """Whether programs are to run in boxes: `auto`, `required` or `off`."""
    boxed: bool = False
    """Whether they do, which is found out at the start."""
    file: Path | None = None
    """The file that the plan was read from, if it was."""
    once: bool = False
    """The server stops when the first match ends."""
    is_host: bool = False
    """The server consists of a single table: an internal error stops it, and the rules of the table
    say how long players have to close their connections."""

    @property
    def programs(self) -> list[Program]:
        """All programs to start."""
        return [*self.visitors, *(one for table in self.tables for one in table.programs)]

    @property
    def starts_programs(self) -> bool:
        """Whether there are programs to start."""
        return bool(self.programs)

    def starts(self, dialect: str) -> bool:
        """Tell whether there are programs to start that speak this dialect."""
        return any(program.dialect == dialect for program in self.programs)
