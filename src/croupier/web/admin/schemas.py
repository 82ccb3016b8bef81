"""What an organiser sends and gets, as types; private names are in answers to acts alone."""

from msgspec import Struct

from croupier.server.arena.control import TableRow


class Login(Struct, forbid_unknown_fields=True):
    """An organiser's token."""

    token: str


class Act(Struct):
    """What an organiser did, and what came of it."""

    at: float
    actor: str
    act: str
    table: str
    detail: str
    outcome: str


class AdminState(Struct):
    """Whether an organiser is logged in, and if so, what he directs."""

    logged_in: bool
    enabled: bool
    tables: list[TableRow] = []
    audit: list[Act] = []


class Registered(Struct):
    """A player of the registry; the token is public, the private name is not kept."""

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
    """A player to add; without a private name one is drawn."""

    display: str
    table: str | int = "1"
    private_name: str | None = None


class Added(Struct):
    """A player with the private name that was drawn for him: it is shown this once."""

    display: str
    table: str
    private_name: str | None


class PlayerList(Struct, forbid_unknown_fields=True):
    """Players to add, as CSV: display, table and perhaps a private name."""

    csv: str


class AddedList(Struct):
    """The players of a list who were added."""

    items: list[Added]


class Assignment(Struct, forbid_unknown_fields=True):
    """The table that a player is to play at."""

    table: str | int


class Withdrawal(Struct, forbid_unknown_fields=True):
    """Who is to be taken out of a match."""

    player: str
