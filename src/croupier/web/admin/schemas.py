"""The types of the organiser's requests and responses.

A private name appears only in the response to the request that generated it.
"""

from msgspec import Struct

from croupier.server.arena.control import TableRow


class Login(Struct, forbid_unknown_fields=True):
    """An organiser's token."""

    token: str


class Act(Struct):
    """An organiser's action and its outcome."""

    at: float
    actor: str
    act: str
    table: str
    detail: str
    outcome: str
    arena: str


class AdminState(Struct):
    """Whether an organiser is logged in and, if so, the tables and the audit log."""

    logged_in: bool
    enabled: bool
    tables: list[TableRow] = []
    audit: list[Act] = []


class Registered(Struct):
    """A registered player; the token is public, the private name is not stored."""

    display: str
    token: str
    table: str
    added: float


class RegistryPage(Struct):
    """A page of the registry."""

    items: list[Registered]
    page: int
    pages: int
    total: int


class NewPlayer(Struct, forbid_unknown_fields=True):
    """A player to add; a missing private name is generated."""

    display: str
    table: str | int = "1"
    private_name: str | None = None


class Added(Struct):
    """A player with its generated private name, which is returned only once."""

    display: str
    table: str
    private_name: str | None


class PlayerList(Struct, forbid_unknown_fields=True):
    """Players to add, as CSV: display, table and optionally private name."""

    csv: str


class AddedList(Struct):
    """The players that were added from a list."""

    items: list[Added]


class Assignment(Struct, forbid_unknown_fields=True):
    """The table to move a player to."""

    table: str | int


class Withdrawal(Struct, forbid_unknown_fields=True):
    """The player to withdraw from a match."""

    player: str
