"""The registry of players: tokens of their private names, their display names and their tables.

A player's private name is a credential. It is given or generated here, and only its token is
stored. Nothing in this module, error messages included, repeats a private name passed to it.
"""

import re
import secrets
import string
import time
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update

from croupier.dialects.tokens import MAX_PRIVATE_NAME, token_of
from croupier.rules.rules import nearest
from croupier.store.schema import REGISTRY, writing

MAX_DISPLAY = 64
"""The maximum length of a display name, in characters."""

MIN_PREFIX = 6
"""The shortest token prefix that identifies a player; a shorter one could match by a typo."""

_ALPHABET = string.digits + string.ascii_uppercase
_GENERATED_LENGTH = 16
_TABLE = re.compile(r"0|[1-9][0-9]{0,8}")


class RegistryError(ValueError):
    """A request to the registry is invalid; the message says why and how to correct it."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A registered player."""

    token: str
    display: str
    table: str
    added: float
    """The time of registration, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A line of a list of players; a missing private name is generated."""

    line: int
    display: str
    table: str
    private_name: str | None = field(default=None, repr=False)


def add(engine: Engine, display: str, table: str, private_name: str | None = None) -> str:
    """Register a player and return its private name, which nobody can look up later."""
    new, row = _checked(NewPlayer(0, display, table, private_name))
    with writing(engine) as connection:
        _insert(connection, [(0, row)])
    return new


def put(engine: Engine, token: str, display: str, table: str) -> None:
    """Register a player by its token, replacing any entry with the same token or display name."""
    _, row = _checked(NewPlayer(0, display, table, "unused"))
    with writing(engine) as connection:
        same = (REGISTRY.c.token == token) | (REGISTRY.c.folded == row["folded"])
        connection.execute(delete(REGISTRY).where(same))
        _insert(connection, [(0, row | {"token": token})])


def import_rows(engine: Engine, rows: Iterable[NewPlayer]) -> list[str]:
    """Register all players of a list or none; return their private names in order."""
    names = []
    checked = []
    for new in rows:
        try:
            name, row = _checked(new)
        except RegistryError as error:
            raise RegistryError(f"line {new.line}: {error}") from None
        names.append(name)
        checked.append((new.line, row))
    with writing(engine) as connection:
        _insert(connection, checked)
    return names


def all_players(engine: Engine, table: str | None = None) -> list[Registered]:
    """Return all players, or those of one table, sorted by table and name."""
    number = REGISTRY.c.table
    query = select(REGISTRY).order_by(func.length(number), number, REGISTRY.c.folded)
    if table is not None:
        query = query.where(number == table_of(table))
    with engine.connect() as connection:
        return [_registered(row) for row in connection.execute(query)]


def find(engine: Engine, token: str) -> Registered | None:
    """Return the player with a token."""
    with engine.connect() as connection:
        row = connection.execute(select(REGISTRY).where(REGISTRY.c.token == _text(token))).first()
    return None if row is None else _registered(row)


def remove(engine: Engine, name: str) -> Registered:
    """Remove the player with a display name or a token prefix, and return it."""
    with writing(engine) as connection:
        player = _resolve(connection, name)
        connection.execute(delete(REGISTRY).where(REGISTRY.c.token == player.token))
    return player


def reset_private_name(engine: Engine, name: str) -> str:
    """Replace the private name of a player, given as in `remove`, and return the new one."""
    new = _generate()
    with writing(engine) as connection:
        player = _resolve(connection, name)
        connection.execute(
            update(REGISTRY).where(REGISTRY.c.token == player.token).values(token=token_of(new))
        )
    return new


def table_of(text: str) -> str:
    """Return the table number in a text, normalised."""
    number = text.strip()
    if not _TABLE.fullmatch(number):
        raise RegistryError(f"a table is a whole number such as 1, not {text!r}")
    return number


def _generate() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_GENERATED_LENGTH))


def folded(display: str) -> str:
    """Return a key that is equal for display names that a reader would confuse."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", display).casefold())


def display_problem(display: str) -> str:
    """Return why a display name is invalid, or an empty string."""
    if not 1 <= len(display) <= MAX_DISPLAY:
        return f"a display name has 1 to {MAX_DISPLAY} characters, not {len(display)}"
    for char in display:
        if not char.isprintable():
            return (
                f"the display name {display!r} has the character U+{ord(char):04X}, which cannot"
                " be printed"
            )
    return ""


def name_problem(name: str) -> str:
    """Return why a private name is invalid, without repeating it, or an empty string."""
    if not 1 <= len(name) <= MAX_PRIVATE_NAME:
        return f"a private name has 1 to {MAX_PRIVATE_NAME} characters, not {len(name)}"
    if name != name.strip() or not name.isprintable():
        return "a private name has printable characters only, and no blank at its beginning or end"
    return ""


def same_display(one: str, other: str) -> bool:
    """Tell whether a reader would confuse two display names."""
    return folded(one) == folded(other)


def _checked(new: NewPlayer) -> tuple[str, dict[str, Any]]:
    """Validate a new player; return its private name and its row."""
    display = new.display.strip()
    problem = display_problem(display)
    if problem:
        raise RegistryError(problem)
    plain = folded(display)
    table = table_of(new.table)
    name = new.private_name
    if name is None:
        name = _generate()
    elif problem := name_problem(name):
        raise RegistryError(problem)
    elif folded(name) == plain:
        raise RegistryError(
            f"the private name of {display!r} is the display name, which everyone can see"
        )
    row = {
        "token": token_of(name),
        "display": display,
        "folded": plain,
        "table": table,
        "added": time.time(),
    }
    return name, row


def _insert(connection: Connection, rows: Sequence[tuple[int, dict[str, Any]]]) -> None:
    """Insert rows, each with its line number or 0; reject duplicate names."""
    displays: dict[str, tuple[str, int]] = {}
    tokens: dict[str, tuple[str, int]] = {}
    for old in connection.execute(select(REGISTRY)):
        displays[old.folded] = tokens[old.token] = (old.display, 0)
    for line, row in rows:
        where = f"line {line}: " if line else ""
        if same := displays.get(row["folded"]):
            raise RegistryError(
                f"{where}there is a player {_at(*same)} already; display names differ in more"
                " than capital letters"
            )
        if same := tokens.get(row["token"]):
            raise RegistryError(
                f"{where}the private name of {row['display']!r} is taken by {_at(*same)};"
                " each player has its own"
            )
        displays[row["folded"]] = tokens[row["token"]] = (row["display"], line)
    if rows:
        connection.execute(insert(REGISTRY), [row for _, row in rows])


def _at(display: str, line: int) -> str:
    return f"{display!r} (line {line})" if line else repr(display)


def _resolve(connection: Connection, name: str) -> Registered:
    """Return the player with a display name or a token prefix that a user typed."""
    name = _text(name).strip()
    row = connection.execute(select(REGISTRY).where(REGISTRY.c.folded == folded(name))).first()
    if row is not None:
        return _registered(row)
    if len(name) >= MIN_PREFIX:
        same_beginning = func.substr(REGISTRY.c.token, 1, len(name)) == name.lower()
        found = connection.execute(select(REGISTRY).where(same_beginning).limit(2)).all()
        if len(found) == 1:
            return _registered(found[0])
        if found:
            raise RegistryError(f"more than one token begins with {name!r}; write more of it")
    known = connection.execute(select(REGISTRY.c.display).order_by(REGISTRY.c.folded)).scalars()
    raise RegistryError(
        f"there is no player {name!r}{nearest(name, known)} (`croupier players list` shows all;"
        f" {MIN_PREFIX} digits of a token will do)"
    )


def _text(argument: str) -> str:
    """Escape surrogates for bytes that are not text; nothing stored contains them."""
    return argument.encode("utf-8", "backslashreplace").decode()


def _registered(row: Row[Any]) -> Registered:
    return Registered(row.token, row.display, row.table, row.added)
