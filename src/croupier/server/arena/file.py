"""Reads the arena's TOML file, and reports every mistake with its line and key."""

import ipaddress
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from croupier.bots import bots_for
from croupier.dialects.dialect import Dialect, OnDemand
from croupier.dialects.registry import DIALECTS
from croupier.match.audience import Policy, PolicyError
from croupier.server.arena.listener_reader import LISTENER_OPTIONS, read_listeners
from croupier.server.arena.plan import ArenaPlan, ArenaTable, OnDemandPlan
from croupier.server.arena.player_reader import PLAYER_KEYS, read_player
from croupier.server.arena.sandbox import MODES
from croupier.server.arena.table_reader import TABLE_KEYS, TableReader
from croupier.server.arena.toml_reader import (
    Mistake,
    any_of,
    are_texts,
    is_arena,
    is_int,
    is_port,
    is_text,
    key_at,
    not_toml,
    one_of,
)
from croupier.server.table.limits import Limits
from croupier.store.arenas import A_NAME
from croupier.store.databases import path_of

MIN_TOKEN = 12

MAX_SOCKET_PATH = 107
"""Bytes that the kernel accepts as the path of a Unix socket."""

_ON_DEMAND = {
    dialect.section: dialect for dialect in DIALECTS.values() if dialect.on_demand is not None
}
"""By section, the dialects whose players may open tables on demand."""

ARENA_KEYS = (
    "arena", "site", "bind", "store", "durability", "transcripts", "output", "audience", "control",
    "metrics", "admin_token", "sandbox", "limits", "proxies", "listen", "table", *_ON_DEMAND,
    "player",
)  # fmt: skip

LIMITS = tuple(limit.name for limit in fields(Limits))

MAX_LIMIT = 1_000_000
PER_CENT = 100

_HOST = re.compile(r"(?!.*\.\d+$)(?!\d+$)[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9])?")

_A_SITE = "the site's public address, such as 'https://north.example.org'"

_HARMLESS = {
    *ARENA_KEYS, *LIMITS, *TABLE_KEYS, *PLAYER_KEYS, *LISTENER_OPTIONS, "port", "bot", "memory_mb",
    "open_files", "processes", "cpu_s", "tls", "cert", "key",
} - {
    "dialect", "dialects", "seats", "humans", "bots", "run", "listen", "table", *_ON_DEMAND,
}  # fmt: skip
"""Keys that do not affect which players can reach which table."""


class ArenaFileError(Exception):
    """A file that does not describe an arena; `mistakes` are all that were found."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


def decode_arena(data: bytes) -> str:
    """Decode a file, or report the line that is not UTF-8."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        key = key_at(data.decode("utf-8", "replace"), line)
        what = f"the byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise ArenaFileError([Mistake(line, key, what)]) from None


def read_arena(text: str, folder: Path = Path()) -> ArenaPlan:
    """Return the arena that a text describes; its paths are relative to the folder."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ArenaFileError([not_toml(text, str(error))]) from None
    reader = _Reader(text, folder)
    plan = reader.arena(values)
    if reader.mistakes:
        raise ArenaFileError(sorted(reader.mistakes, key=lambda mistake: mistake.line))
    return plan


class _Reader(TableReader):
    """Builds an arena from the values of a file."""

    def arena(self, values: dict[str, Any]) -> ArenaPlan:
        values = self.section(values, "", ARENA_KEYS)
        plan = ArenaPlan()
        plan.arena = self.get(values, "", "arena", "", is_arena, A_NAME)
        plan.site = self.get(values, "", "site", "", _is_site, _A_SITE).rstrip("/")
        plan.bind = self.get(
            values, "", "bind", plan.bind, _is_address, "an address such as '127.0.0.1' or a name"
        )
        plan.store = self._store(values, plan.store)
        durabilities = ("process", "power")
        plan.durability = self.get(
            values, "", "durability", plan.durability, one_of(durabilities), any_of(durabilities)
        )
        plan.sandbox = self.get(values, "", "sandbox", plan.sandbox, one_of(MODES), any_of(MODES))
        for key in ("transcripts", "output", "control"):
            if self.get(values, "", key, None, is_text, "a path") is not None:
                setattr(plan, key, self.folder / values[key])
            elif key != "transcripts":
                setattr(plan, key, self.folder / getattr(plan, key))
        self._check_control(plan)
        plan.metrics = self.get(values, "", "metrics", None, is_port, "a port")
        self._policy(values, plan)
        self._token(values, plan)
        plan.limits = self._limits(values.get("limits", {}))
        plan.proxies = tuple(
            self.get(values, "", "proxies", [], _are_addresses, "a list of IP addresses")
        )
        ports: dict[str, int] = {}
        for index, row in enumerate(self.rows(values, "listen")):
            plan.listen += read_listeners(self, row, f"listen[{index}]", ports, self.folder)
        self._check_ports(plan, ports)
        self.spoken = tuple(listener.dialect for listener in plan.listen)
        rows = self.rows(values, "table")
        for index, row in enumerate(rows):
            table = self.table(row, f"table[{index}]", index)
            if table is not None:
                self._check_name(table, plan, f"table[{index}]")
                plan.tables.append(table)
        for section, dialect in _ON_DEMAND.items():
            if section in values:
                plan.on_demand[dialect.name] = self._on_demand(dialect, values[section])
        names = tuple(
            str(row.get("name", f"table{index + 1}"))
            for index, row in enumerate(rows)
            if isinstance(row, dict)
        )
        for index, row in enumerate(self.rows(values, "player")):
            read_player(self, row, f"player[{index}]", plan, names)
        # Other mistakes would be reported once more by their consequences.
        if all(map(_is_harmless, self.mistakes)):
            self._check_reachability(plan)
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
        store = path_of(plan.store)
        if store is not None and os.path.abspath(store) == os.path.abspath(plan.control):
            self.wrong("control", "is the file of the store, too; give them two names")

    def _policy(self, values: dict[str, Any], plan: ArenaPlan) -> None:
        audience = values.get("audience", str(plan.policy))
        try:
            plan.policy = Policy.parse(str(audience))
        except PolicyError as error:
            self.wrong("audience", str(error))

    def _token(self, values: dict[str, Any], plan: ArenaPlan) -> None:
        token = values.get("admin_token", "")
        # The message must not repeat a secret.
        if not isinstance(token, str) or (token and len(token) < MIN_TOKEN):
            self.wrong("admin_token", f"is a text of at least {MIN_TOKEN} characters")
        else:
            plan.admin_token = token

    def _limits(self, values: Any) -> Limits:
        values = self.section(values, "limits", LIMITS)
        found: dict[str, int] = {}
        for limit in fields(Limits):
            most = PER_CENT if limit.name == "bot_share" else MAX_LIMIT
            found[limit.name] = self.get(
                values, "limits", limit.name, limit.default, _is_up_to(most), f"from 1 to {most:,}"
            )
        return Limits(**found)

    def _check_ports(self, plan: ArenaPlan, ports: dict[str, int]) -> None:
        """Check that no port is used twice; 0 picks a free one."""
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

    def _on_demand(self, dialect: Dialect, values: Any) -> OnDemandPlan:
        section = dialect.section
        against_house = dialect.on_demand is OnDemand.CHALLENGES
        values = self.section(values, section, ("set", "bot") if against_house else ("set",))
        rules = tuple(self.rules(values, section, own.name) for own in dialect.rule_sets)
        if not against_house:
            return OnDemandPlan(rules)
        known = bots_for(rules[0])
        bot = self.get(values, section, "bot", known[0], one_of(known), any_of(known))
        return OnDemandPlan(rules, bot)

    def _check_reachability(self, plan: ArenaPlan) -> None:
        """Check that everyone who can connect finds a table, and the reverse."""
        listened = {listener.dialect for listener in plan.listen}
        for index, listener in enumerate(plan.listen):
            served = any(listener.dialect in table.plan.dialects for table in plan.tables)
            if not served and listener.dialect not in plan.on_demand:
                dialect = DIALECTS[listener.dialect]
                remedies = [f"[{dialect.section}]"] if dialect.section else []
                if dialect.on_demand is not OnDemand.CHALLENGES:
                    remedies.append("a [[table]]")
                self.wrong(
                    f"listen[{index}]",
                    f"there is no table for players of {dialect.name}; add {' or '.join(remedies)}",
                )
        for section, dialect in _ON_DEMAND.items():
            if dialect.name in plan.on_demand and dialect.name not in listened:
                self.wrong(section, f"nobody can come: there is no [[listen]] for {dialect.name}")
        for index, table in enumerate(plan.tables):
            full_of_bots = len(table.plan.bots) == table.plan.seats
            reachable = table.plan.humans or table.plan.dialects & listened
            if not full_of_bots and not reachable:
                self.wrong(f"table[{index}]", "nobody can come: no [[listen]] has its dialects")
            for program in table.programs:
                if program.dialect not in listened:
                    self.wrong(
                        f"table[{index}].run", f"there is no [[listen]] for {program.dialect}"
                    )


def _is_harmless(mistake: Mistake) -> bool:
    """Tell whether a mistake does not affect which players can reach which table."""
    key = mistake.key
    return key.rpartition(".")[2] in _HARMLESS or ".set." in key or key.startswith("player[")


def _is_up_to(most: int) -> Callable[[Any], bool]:
    return lambda value: is_int(value) and 1 <= value <= most


def _is_site(value: Any) -> bool:
    if not isinstance(value, str) or not value.isprintable() or " " in value:
        return False
    try:
        parts = urlsplit(value)
        parts.port  # noqa: B018  (raises if it is none)
    except ValueError:
        return False
    extra = parts.query or parts.fragment or parts.username or parts.password
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not extra


def _are_addresses(value: Any) -> bool:
    if not are_texts(value):
        return False
    try:
        return all(ipaddress.ip_address(one) for one in value)
    except ValueError:
        return False


def _is_address(value: Any) -> bool:
    """Tell whether this may be an address; binding it shows whether it is one of this machine."""
    if not is_text(value):
        return False
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return bool(_HOST.fullmatch(value))
    return True
