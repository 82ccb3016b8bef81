"""Reads the players of an arena's file."""

import re
from typing import Any

from croupier.dialects.dialect import Recognised
from croupier.dialects.registry import DIALECTS
from croupier.dialects.tokens import token_of
from croupier.server.arena.plan import ArenaPlan, KnownPlayer
from croupier.server.arena.table_reader import is_pid
from croupier.server.arena.toml_reader import TomlReader, is_text, one_of
from croupier.store import registry

PLAYER_KEYS = ("display", "table", "token", "private_name", "pid")

_CREDENTIALS = ("token", "private_name", "pid")
_TOKEN = re.compile(r"[0-9a-f]{32}")


def read_player(
    reader: TomlReader, row: Any, path: str, plan: ArenaPlan, tables: tuple[str, ...]
) -> None:
    """Add a player to a plan; `tables` are the names of all tables, even invalid ones."""
    values = reader.section(row, path, PLAYER_KEYS)
    if not isinstance(row, dict):
        return
    display = reader.get(values, path, "display", "", is_text, "the name that others see")
    if "display" not in values:
        reader.wrong(f"{path}.display", "is missing: the name that others see")
    elif is_text(display):
        _check_display(reader, path, display, plan)
    table = reader.get(values, path, "table", "", one_of(tables), "the name of a table")
    token = _token(reader, values, path)
    pid = str(reader.get(values, path, "pid", "", is_pid, "a number of at most nine digits"))
    given = [key for key in _CREDENTIALS if key in values]
    if not given:
        reader.wrong(path, "needs one of token, private_name and pid")
    elif "token" in given and "private_name" in given:
        reader.wrong(path, "has token and private_name, but only one of them may be given")
    for other in plan.players:
        if pid and other.pid == pid:
            reader.wrong(f"{path}.pid", f"there are two players with the pid {pid}")
        if token and other.token == token:
            reader.wrong(path, "there are two players with this token")
    if pid:
        _check_table(reader, path, pid, token, table, plan)
    plan.players.append(KnownPlayer(display, table, token, pid))


def _token(reader: TomlReader, values: dict[str, Any], path: str) -> str:
    """Return the token that is given, or that of the private name."""
    # The messages must not repeat a secret.
    token, private = values.get("token", ""), values.get("private_name")
    if "token" in values and not (is_text(token) and _TOKEN.fullmatch(token)):
        reader.wrong(f"{path}.token", "is the MD5 of the private name, 32 digits from 0 to f")
        token = ""
    if private is not None:
        problem = "is a text" if not is_text(private) else registry.name_problem(private)
        if problem:
            reader.wrong(f"{path}.private_name", problem)
        else:
            token = token_of(private)
    return str(token)


def _check_display(reader: TomlReader, path: str, display: str, plan: ArenaPlan) -> None:
    problem = registry.display_problem(display)
    if problem:
        reader.wrong(f"{path}.display", problem)
    elif any(registry.same_display(display, other.display) for other in plan.players):
        reader.wrong(f"{path}.display", f"there are two players {display!r}")


def _check_table(
    reader: TomlReader,
    path: str,
    pid: str,
    token: str,
    table: str,
    plan: ArenaPlan,
) -> None:
    """Check that the table of a player with a pid admits it."""
    dialects = {d.name for d in DIALECTS.values() if d.recognised is Recognised.BY_PID}
    for place in plan.tables:
        allowed = place.plan.allowed_pids
        if place.plan.name != table:
            continue
        if not dialects & place.plan.dialects:
            names = " or ".join(sorted(dialects))
            reader.wrong(f"{path}.table", f"{table} does not admit players of {names}")
        elif allowed and pid not in allowed:
            reader.wrong(f"{path}.pid", f"{pid} is not among the pids that {table} admits")
        elif place.plan.closed and not token:
            reader.wrong(
                path, f"{table} is closed: a pid is no key; give it a private_name or a token, too"
            )
