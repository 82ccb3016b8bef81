"""What a server consists of: listeners, tables, what is opened on demand, players, programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.match.audience import Policy
from croupier.rules.rules import Rules
from croupier.server.lobbies.prepared import TablePlan
from croupier.server.out.site_process import WebPlan


@dataclass(frozen=True)
class ListenPlan:
    """One port to open."""

    dialect: str
    port: int
    """0 picks a free one."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the dialect for this listener."""


@dataclass(frozen=True)
class OnDemandPlan:
    """What is opened for players of a dialect that ask for it."""

    rules: tuple[Rules, ...]
    """Those of the dialect's own rule sets, in their order."""
    bot: str = ""
    """Who plays for the house, where players meet the house."""


@dataclass(frozen=True)
class KnownPlayer:
    """A player whom the organiser expects."""

    display: str
    table: str = ""
    """The name of its table; empty: any."""
    token: str = ""
    """The digest of the private name, if that is how the player is known."""
    pid: str = ""
    """The public number, if that is how the player is known."""


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
    on_demand: dict[str, OnDemandPlan] = field(default_factory=dict)
    """What players of each dialect may ask for; of dialects that are not in it, nothing."""
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
    once: bool = False
    """The first match that ends is the last one."""
    is_host: bool = False
    """It has one table, which is all there is: an internal error ends the server, and players have
    as long to close their connections as the rules of the table say."""
