"""Reads the listeners of a file."""

from typing import Any

from croupier.dialects.registry import DIALECTS
from croupier.server.arena.plan import ListenPlan
from croupier.server.arena.toml_reader import TomlReader, any_of, is_port, one_of

LISTENER_OPTIONS = {
    option.key: option for dialect in DIALECTS.values() for option in dialect.options
}
"""The settings of listeners; dialects that have the same one share it."""


def read_listener(
    reader: TomlReader, row: Any, path: str, ports: dict[str, int]
) -> ListenPlan | None:
    """Return a listener, and add its port to `ports` under its path."""
    values = reader.section(row, path, ("dialect", "port", *LISTENER_OPTIONS))
    if not isinstance(row, dict):
        return None
    names = tuple(DIALECTS)
    if "dialect" not in values:
        reader.wrong(f"{path}.dialect", f"is missing; it is {any_of(names)}")
    name = reader.get(values, path, "dialect", "", one_of(names), any_of(names))
    dialect = DIALECTS.get(name)
    usual = 0 if dialect is None else dialect.port
    port = reader.get(values, path, "port", usual, is_port, "a number from 0 to 65535")
    ports[path] = port
    options = {
        option.key: reader.get(values, path, option.key, None, option.accepts, option.what)
        for option in LISTENER_OPTIONS.values()
        if option.key in values
    }
    if dialect is None:
        return None
    for key in options:
        owners = [one.name for one in DIALECTS.values() if LISTENER_OPTIONS[key] in one.options]
        if name not in owners:
            reader.wrong(f"{path}.{key}", f"only {any_of(tuple(owners))} has this setting")
    return ListenPlan(name, port, options)
