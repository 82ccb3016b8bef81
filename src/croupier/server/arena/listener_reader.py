"""Reads the listeners of a file."""

from pathlib import Path
from typing import Any

from croupier.dialects.registry import DIALECTS
from croupier.server.arena.plan import ListenPlan
from croupier.server.arena.toml_reader import TomlReader, any_of, is_port, is_text, one_of
from croupier.server.net.certificate import CertificateError, TlsFiles

LISTENER_OPTIONS = {
    option.key: option for dialect in DIALECTS.values() for option in dialect.options
}
"""The settings of listeners; dialects that have the same one share it."""

LISTENER_KEYS = ("dialect", "port", "tls", *LISTENER_OPTIONS)

TLS_KEYS = ("cert", "key")


def read_listener(
    reader: TomlReader, row: Any, path: str, ports: dict[str, int], folder: Path
) -> ListenPlan | None:
    """Return a listener, and add its port to `ports` under its path.

    Its files are relative to the folder.
    """
    values = reader.section(row, path, LISTENER_KEYS)
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
    tls = _read_tls(reader, values["tls"], f"{path}.tls", folder) if "tls" in values else None
    return ListenPlan(name, port, options, tls)


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
