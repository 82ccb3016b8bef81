"""A prepared table as data: who may sit down, and when its match starts."""

from collections.abc import Callable
from dataclasses import dataclass, field

from croupier.dialects.roster import Place
from croupier.rules.rules import Rules


@dataclass
class TablePlan:
    """The settings of a prepared table."""

    rules: Rules
    seats: int
    bots: list[str] = field(default_factory=list)
    number: str = "1"
    """Its number in protocols that number tables, and in the registry."""
    name: str = ""
    """Its name in an arena."""
    dialects: frozenset[str] = frozenset()
    """Whose players may sit down; empty: those of any dialect."""
    minimum: int | None = None
    """How many connected players an open table waits for; None: seating follows the rules."""
    wait_s: float = 10.0
    """Seconds that an open table waits for more players, once it has the minimum."""
    fill: list[str] = field(default_factory=list)
    """House bots for the places that are then still free."""
    on_command: bool = False
    """An open table starts only on an organiser's command."""
    repeat: bool = True
    """A new match opens when one is over."""
    allowed_pids: frozenset[str] = frozenset()
    closed: bool = False
    """A player is admitted only if it has the key of one who is registered for this table."""
    is_registered: Callable[[Place], bool] = lambda place: False
    humans: bool = False
    """People on the website may sit down."""
    beacon: str = ""
    """A public source that is announced with the commitment; its value is given at the start."""

    @property
    def key(self) -> str:
        """The key under which an interrupted match is found in the store."""
        return f"table {self.name}" if self.name else f"host {self.rules.name}"

    @property
    def patient(self) -> bool:
        """The table is open: its start does not follow the countdown of the rules."""
        return self.minimum is not None or self.on_command
