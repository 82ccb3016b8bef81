"""Reads the listeners of a file."""

from pathlib import Path
from typing import Any

from croupier.dialects.dialect import NAME, SEAT, Dialect
from croupier.dialects.registry import DIALECTS
from croupier.rules.rules import MAX_SEATS
from croupier.server.arena.plan import ListenPlan
from croupier.server.arena.toml_reader import (
    TomlReader,
    any_of,
    are_texts,
    is_port,
    is_text,
    one_of,
)
from croupier.server.net.certificate import CertificateError, TlsFiles

LISTENER_OPTIONS = {
    option.key: option for dialect in DIALECTS.values() for option in dialect.options
}
"""The settings of listeners; dialects that have the same one share it."""

LISTENER_KEYS = ("dialect", "port", "ports", "names", "tls", *LISTENER_OPTIONS)

TLS_KEYS = ("cert", "key")

_A_PORT = "a number from 0 to 65535"


def read_listeners(
    reader: TomlReader, row: Any, path: str, ports: dict[str, int], folder: Path
) -> list[ListenPlan]:
    """Return a listener, or one for each seat; add their ports to `ports` under their paths.

    Its files are relative to the folder.
    """
    values = reader.section(row, path, LISTENER_KEYS)
    if not isinstance(row, dict):
        return []
    names = tuple(DIALECTS)
    if "dialect" not in values:
        reader.wrong(f"{path}.dialect", f"is missing; it is {any_of(names)}")
    name = reader.get(values, path, "dialect", "", one_of(names), any_of(names))
    dialect = DIALECTS.get(name)
    options = {
        option.key: reader.get(values, path, option.key, None, option.accepts, option.what)
        for option in LISTENER_OPTIONS.values()
        if option.key in values
    }
    if dialect is None:
        reader.get(values, path, "port", 0, is_port, _A_PORT)  # which may be wrong, too
        return []
    for key in options:
        owners = [one.name for one in DIALECTS.values() if LISTENER_OPTIONS[key] in one.options]
        if name not in owners:
            reader.wrong(f"{path}.{key}", f"only {any_of(tuple(owners))} has this setting")
    tls = _read_tls(reader, values["tls"], f"{path}.tls", folder) if "tls" in values else None
    if "ports" in values or "names" in values:
        seats = _one_for_each_seat(reader, values, path, dialect, ports)
        return [
            ListenPlan(name, port, options | {SEAT: seat, NAME: player}, tls)
            for seat, (port, player) in enumerate(seats, 1)
        ]
    ports[path] = reader.get(values, path, "port", dialect.port, is_port, _A_PORT)
    return [ListenPlan(name, ports[path], options, tls)]


def _read_tls(reader: TomlReader, row: Any, path: str, folder: Path) -> TlsFiles | None:
    """Return the files of a certificate, if they can be used."""
    if not isinstance(row, dict):
        reader.wrong(path, "is written tls = { cert = 'FILE.pem', key = 'FILE.pem' }")
        return None
    values = reader.section(row, path, TLS_KEYS)
    found = {key: reader.get(values, path, key, "", is_text, "a file's path") for key in TLS_KEYS}
    for key in TLS_KEYS:
        if key not in values:
            reader.wrong(path, f"{key} is missing: a file in PEM")
    if not all(found.values()):
        return None
    files = TlsFiles(folder / found["cert"], folder / found["key"])
    try:
        files.check()
    except CertificateError as error:
        reader.wrong(path, str(error))
        return None
    return files


def _one_for_each_seat(
    reader: TomlReader, values: dict[str, Any], path: str, dialect: Dialect, ports: dict[str, int]
) -> list[tuple[int, str]]:
    """Return the port and the name of each seat, from the first on."""
    able = [one.name for one in DIALECTS.values() if _has_seats(one)]
    if dialect.name not in able:
        reader.wrong(f"{path}.ports", f"only {any_of(tuple(able))} has a port for each seat")
        return []
    for key in ("port", SEAT, NAME):
        if key in values:
            reader.wrong(f"{path}.{key}", "is said by ports and names already")
    numbers = reader.get(values, path, "ports", [], _are_ports, "a list of ports")
    names = reader.get(values, path, "names", [""] * len(numbers), are_texts, "a list of names")
    if len(names) != len(numbers):
        reader.wrong(f"{path}.names", f"has {len(names)} names for {len(numbers)} ports")
        return []
    for index, port in enumerate(numbers):
        ports[f"{path}.ports[{index}]"] = port
    return list(zip(numbers, names, strict=True))


def _has_seats(dialect: Dialect) -> bool:
    return any(option.key == SEAT for option in dialect.options)


def _are_ports(value: Any) -> bool:
    return isinstance(value, list) and 2 <= len(value) <= MAX_SEATS and all(map(is_port, value))
