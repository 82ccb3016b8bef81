"""The arena's TOML file: read, checked, and every mistake named with its line and key."""

import ipaddress
import os
import re
import tomllib
from pathlib import Path
from typing import Any

from croupier.bots import bots_for
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.dialects.room.reader import V1, V2
from croupier.match.audience import Policy, PolicyError
from croupier.rules.rules import Rules
from croupier.server.arena_plan import PORTS, ArenaPlan, ArenaTable, ListenPlan
from croupier.server.arena_player_reader import PLAYER_KEYS, read_player
from croupier.server.arena_table_reader import TABLE_KEYS, TableReader
from croupier.server.huawei import MAX_GAP_MS, HuaweiOptions
from croupier.server.kuhn import KuhnOptions
from croupier.server.toml_reader import (
    Mistake,
    any_of,
    is_bool,
    is_int,
    is_port,
    is_text,
    key_at,
    one_of,
)

MIN_TOKEN = 12

MAX_SOCKET_PATH = 107
"""Bytes that the kernel takes as the path of a Unix socket."""

ARENA_KEYS = (
    "bind", "store", "durability", "transcripts", "output", "audience", "control", "metrics",
    "admin_token", "listen", "table", "rooms", "kuhn", "player",
)  # fmt: skip

_HOST = re.compile(r"(?!.*\.\d+$)(?!\d+$)[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9])?")

_HARMLESS = {
    *ARENA_KEYS, *TABLE_KEYS, *PLAYER_KEYS, "port", "gap_ms", "spelling", "error_text", "bot",
    "memory_mb", "open_files",
} - {"dialect", "dialects", "seats", "bots", "run", "listen", "table", "rooms", "kuhn"}  # fmt: skip
"""Keys on which it does not depend who can come to which table."""


LISTEN_KEYS = ("dialect", "port", "gap_ms", "spelling", "error_text")
_OWNERS = {"gap_ms": "huawei", "spelling": "kuhn", "error_text": "kuhn"}
"""The settings of listeners that only one dialect has."""


class ArenaFileError(Exception):
    """A file that describes no arena; `mistakes` are all that were found."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


def decode_arena(data: bytes) -> str:
    """Return the text of a file's bytes, or name the line that is no text."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        key = key_at(data.decode("utf-8", "replace"), line)
        what = f"the byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise ArenaFileError([Mistake(line, key, what)]) from None


def read_arena(text: str, folder: Path = Path()) -> ArenaPlan:
    """Return the arena that a file's text describes; its paths are relative to the folder."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ArenaFileError([_no_toml(text, str(error))]) from None
    reader = _Reader(text, folder)
    plan = reader.arena(values)
    if reader.mistakes:
        raise ArenaFileError(sorted(reader.mistakes, key=lambda mistake: mistake.line))
    return plan


def _no_toml(text: str, error: str) -> Mistake:
    """Return where a text is no TOML, and why; the parser sees no further than the first place."""
    found = re.search(r" \(at line (\d+), (column \d+)\)$", error)
    if found is None:
        line = text.rstrip().count("\n") + 1
        return Mistake(line, key_at(text, line), f"not TOML: {error}")
    line = int(found.group(1))
    reason = f"{error[: found.start()]} ({found.group(2)})"
    return Mistake(line, key_at(text, line), f"not TOML: {reason}")


class _Reader(TableReader):
    """Makes an arena of a file's values."""

    def arena(self, values: dict[str, Any]) -> ArenaPlan:
        values = self.section(values, "", ARENA_KEYS)
        plan = ArenaPlan()
        plan.bind = self.get(
            values, "", "bind", plan.bind, _is_address, "an address such as '127.0.0.1' or a name"
        )
        plan.store = self._store(values, plan.store)
        durabilities = ("process", "power")
        plan.durability = self.get(
            values, "", "durability", plan.durability, one_of(durabilities), any_of(durabilities)
        )
        for key in ("transcripts", "output", "control"):
            if self.get(values, "", key, None, is_text, "a path") is not None:
                setattr(plan, key, self.folder / values[key])
            elif key != "transcripts":
                setattr(plan, key, self.folder / getattr(plan, key))
        self._check_control(plan)
        plan.metrics = self.get(values, "", "metrics", None, is_port, "a port")
        self._policy(values, plan)
        self._token(values, plan)
        ports: dict[str, int] = {}
        for index, row in enumerate(self.rows(values, "listen")):
            listener = self._listener(row, f"listen[{index}]", ports)
            if listener is not None:
                plan.listen.append(listener)
        self._check_ports(plan, ports)
        self.spoken = tuple(listener.dialect for listener in plan.listen)
        rows = self.rows(values, "table")
        for index, row in enumerate(rows):
            table = self.table(row, f"table[{index}]", index)
            if table is not None:
                self._check_name(table, plan, f"table[{index}]")
                plan.tables.append(table)
        if "rooms" in values:
            plan.rooms = self._rooms(values["rooms"])
        if "kuhn" in values:
            plan.kuhn = self._kuhn(values["kuhn"])
        names = tuple(
            str(row.get("name", f"table{index + 1}"))
            for index, row in enumerate(rows)
            if isinstance(row, dict)
        )
        for index, row in enumerate(self.rows(values, "player")):
            read_player(self, row, f"player[{index}]", plan, names)
        if all(map(_is_harmless, self.mistakes)):  # else it would complain about what is not meant
            self._check_who_meets(plan)
        return plan

    def _store(self, values: dict[str, Any], default: str) -> str:
        store: str = self.get(values, "", "store", default, is_text, "a file's path")
        return store if "://" in store else str(self.folder / store)

    def _check_control(self, plan: ArenaPlan) -> None:
        length = len(os.fsencode(plan.control))
        if length > MAX_SOCKET_PATH:
            self.wrong(
                "control",
                f"is too long for a socket, with its folder {length} bytes:"
                f" {MAX_SOCKET_PATH} are possible",
            )
        store = plan.store.removeprefix("sqlite:///")
        if "://" not in store and os.path.abspath(store) == os.path.abspath(plan.control):
            self.wrong("control", "is the file of the store, too; give them two names")

    def _policy(self, values: dict[str, Any], plan: ArenaPlan) -> None:
        audience = values.get("audience", str(plan.policy))
        try:
            plan.policy = Policy.parse(str(audience))
        except PolicyError as error:
            self.wrong("audience", str(error))

    def _token(self, values: dict[str, Any], plan: ArenaPlan) -> None:
        token = values.get("admin_token", "")
        # The error must not repeat what was meant to be a secret.
        if not isinstance(token, str) or (token and len(token) < MIN_TOKEN):
            self.wrong("admin_token", f"is a text of at least {MIN_TOKEN} characters")
        else:
            plan.admin_token = token

    def _listener(self, row: Any, path: str, ports: dict[str, int]) -> ListenPlan | None:
        """Return a listener, and note its port by its path."""
        values = self.section(row, path, LISTEN_KEYS)
        if not isinstance(row, dict):
            return None
        if "dialect" not in values:
            self.wrong(f"{path}.dialect", f"is missing; it is {any_of(tuple(PORTS))}")
        dialect = self.get(values, path, "dialect", "", one_of(tuple(PORTS)), any_of(tuple(PORTS)))
        usual = PORTS.get(dialect, 0)
        port = self.get(values, path, "port", usual, is_port, "a number from 0 to 65535")
        ports[path] = port
        spelling = self.get(
            values, path, "spelling", None, one_of((TEXT, BINARY)), any_of((TEXT, BINARY))
        )
        error_text = self.get(values, path, "error_text", False, is_bool, "true or false")
        gap_ms = self.get(
            values,
            path,
            "gap_ms",
            HuaweiOptions().gap_ms,
            lambda value: is_int(value) and 0 <= value <= MAX_GAP_MS,
            f"a number of milliseconds from 0 to {MAX_GAP_MS}",
        )
        for key, owner in _OWNERS.items():
            if key in values and dialect not in ("", owner):
                self.wrong(f"{path}.{key}", f"only {owner} has this setting")
        if not dialect:
            return None
        return ListenPlan(dialect, port, KuhnOptions(spelling, error_text), HuaweiOptions(gap_ms))

    def _check_ports(self, plan: ArenaPlan, ports: dict[str, int]) -> None:
        """See that no port is to be opened twice; 0 picks a free one."""
        owners: dict[int, str] = {}
        for path, port in ports.items():
            if port and port in owners:
                self.wrong(f"{path}.port", f"{port} is taken by {owners[port]}")
            owners.setdefault(port, path)
        if plan.metrics and plan.metrics in owners:
            self.wrong("metrics", f"{plan.metrics} is taken by {owners[plan.metrics]}")

    def _check_name(self, table: ArenaTable, plan: ArenaPlan, path: str) -> None:
        for other in plan.tables:
            if other.plan.name == table.plan.name:
                self.wrong(f"{path}.name", f"there are two tables {table.plan.name!r}")
            if other.plan.number == table.plan.number:
                self.wrong(f"{path}.number", f"there are two tables {table.plan.number}")

    def _rooms(self, values: Any) -> dict[int, Rules]:
        values = self.section(values, "rooms", ("set",))
        return {
            version: self.rules(values, "rooms", name)
            for version, name in ((V1, "room"), (V2, "room2"))
        }

    def _kuhn(self, values: Any) -> tuple[Rules, str]:
        values = self.section(values, "kuhn", ("set", "bot"))
        rules = self.rules(values, "kuhn", "kuhn")
        known = bots_for(rules)
        return rules, self.get(values, "kuhn", "bot", known[0], one_of(known), any_of(known))

    def _check_who_meets(self, plan: ArenaPlan) -> None:
        """See that everyone who can connect finds a table, and the other way round."""
        listened = {listener.dialect for listener in plan.listen}
        for index, listener in enumerate(plan.listen):
            if listener.dialect == "kuhn":
                served = plan.kuhn is not None
            else:
                served = any(listener.dialect in table.plan.dialects for table in plan.tables)
                served = served or (listener.dialect == "room" and bool(plan.rooms))
            if not served:
                self.wrong(
                    f"listen[{index}]", f"there is no table for players of {listener.dialect}"
                )
        for section, present, dialect in (
            ("kuhn", plan.kuhn is not None, "kuhn"),
            ("rooms", bool(plan.rooms), "room"),
        ):
            if present and dialect not in listened:
                self.wrong(section, f"nobody can come: there is no [[listen]] for {dialect}")
        for index, table in enumerate(plan.tables):
            full_of_bots = len(table.plan.bots) == table.plan.seats
            if not full_of_bots and not table.plan.dialects & listened:
                self.wrong(f"table[{index}]", "nobody can come: no [[listen]] has its dialects")
            for program in table.programs:
                if program.dialect not in listened:
                    self.wrong(
                        f"table[{index}].run", f"there is no [[listen]] for {program.dialect}"
                    )


def _is_harmless(mistake: Mistake) -> bool:
    """Tell whether it is clear in spite of a mistake who can come to which table."""
    key = mistake.key
    return key.rpartition(".")[2] in _HARMLESS or ".set." in key or key.startswith("player[")


def _is_address(value: Any) -> bool:
    """Tell whether this may be an address; whether it is one of this machine, the start shows."""
    if not is_text(value):
        return False
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return bool(_HOST.fullmatch(value))
    return True
