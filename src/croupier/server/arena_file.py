"""The arena's TOML file: read, checked, and every mistake named with its line and key."""

import re
import tomllib
from pathlib import Path
from typing import Any

from croupier.bots import bots_for
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.trend.reader import token_of
from croupier.match.audience import Policy, PolicyError
from croupier.rules.rules import KUHN, Rules, RulesError
from croupier.rules.sets import named
from croupier.server.arena_plan import (
    HOLDEM_DIALECTS,
    PORTS,
    ArenaPlan,
    ArenaTable,
    KnownPlayer,
    ListenPlan,
    Program,
)
from croupier.server.kuhn import KuhnOptions
from croupier.server.programs import ProgramError, words_of
from croupier.server.rules_file import read_rules
from croupier.server.tables import TablePlan
from croupier.server.toml_reader import (
    Mistake,
    TomlReader,
    any_of,
    is_bool,
    is_int,
    is_port,
    is_positive,
    is_seconds,
    is_text,
    one_of,
)
from croupier.store import registry

MAX_HUAWEI_SEATS = 8
START = ("auto", "command")
MIN_TOKEN = 12
MAX_NUMBER = 999_999_999

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")
_TOKEN = re.compile(r"[0-9a-f]{32}")
_PID = re.compile(r"[0-9]{1,9}")


class ArenaFileError(Exception):
    """A file that describes no arena; `mistakes` are all that were found."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


def read_arena(text: str, folder: Path = Path()) -> ArenaPlan:
    """Return the arena that a file's text describes; its paths are relative to the folder."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found.group(1)) if found else 0
        raise ArenaFileError([Mistake(line, "", f"not TOML: {error}")]) from None
    reader = _Reader(text, folder)
    plan = reader.arena(values)
    if reader.mistakes:
        raise ArenaFileError(sorted(reader.mistakes, key=lambda mistake: mistake.line))
    return plan


class _Reader(TomlReader):
    """Makes an arena of a file's values."""

    def __init__(self, text: str, folder: Path) -> None:
        super().__init__(text)
        self._folder = folder
        self._spoken: tuple[str, ...] = ()
        """The dialects that are listened to, in the order of the file."""
        self._names: tuple[str, ...] = ()
        """Of all tables, those included that cannot be used."""

    # The parts of an arena.

    def arena(self, values: dict[str, Any]) -> ArenaPlan:
        values = self.section(values, "", _ARENA)
        plan = ArenaPlan()
        plan.bind = self.get(values, "", "bind", plan.bind, is_text, "an address")
        plan.store = self._store(values, plan.store)
        durabilities = ("process", "power")
        plan.durability = self.get(
            values, "", "durability", plan.durability, one_of(durabilities), any_of(durabilities)
        )
        for key in ("transcripts", "output", "control"):
            if self.get(values, "", key, None, is_text, "a path") is not None:
                setattr(plan, key, self._folder / values[key])
            elif key != "transcripts":
                setattr(plan, key, self._folder / getattr(plan, key))
        plan.metrics = self.get(values, "", "metrics", None, is_port, "a port")
        self._policy(values, plan)
        self._token(values, plan)
        plan.listen = [
            listener
            for index, row in enumerate(self.rows(values, "listen"))
            if (listener := self._listener(row, f"listen[{index}]")) is not None
        ]
        self._spoken = tuple(listener.dialect for listener in plan.listen)
        rows = self.rows(values, "table")
        self._names = tuple(
            str(row.get("name", f"table{index + 1}")) if isinstance(row, dict) else ""
            for index, row in enumerate(rows)
        )
        for index, row in enumerate(rows):
            table = self._table(row, f"table[{index}]", index)
            if table is not None:
                self._check_name(table, plan, f"table[{index}]")
                plan.tables.append(table)
        if "rooms" in values:
            plan.rooms = self._rooms(values["rooms"])
        if "kuhn" in values:
            plan.kuhn = self._kuhn(values["kuhn"])
        for index, row in enumerate(self.rows(values, "player")):
            self._player(row, f"player[{index}]", plan)
        if not self.mistakes:  # else it would complain about what is not understood yet
            self._check_listeners(plan)
        return plan

    def _store(self, values: dict[str, Any], default: str) -> str:
        store: str = self.get(values, "", "store", default, is_text, "a file's path")
        return store if "://" in store else str(self._folder / store)

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

    def _listener(self, row: Any, path: str) -> ListenPlan | None:
        row = self.section(row, path, ("dialect", "port", "spelling", "error_text"))
        dialect = row.get("dialect")
        if not isinstance(dialect, str) or dialect not in PORTS:
            self.wrong(f"{path}.dialect", f"is {any_of(tuple(PORTS))}, not {dialect!r}")
            return None
        port = self.get(row, path, "port", PORTS[dialect], is_port, "a number from 0 to 65535")
        spelling = self.get(
            row, path, "spelling", None, one_of((TEXT, BINARY)), any_of((TEXT, BINARY))
        )
        error_text = self.get(row, path, "error_text", False, is_bool, "true or false")
        for key in ("spelling", "error_text"):
            if key in row and dialect != "kuhn":
                self.wrong(f"{path}.{key}", "only kuhn has this setting")
        return ListenPlan(dialect, port, KuhnOptions(spelling, error_text))

    def _rules(self, row: dict[str, Any], path: str, default: str) -> Rules | None:
        name = self.get(row, path, "rules", default, is_text, "the name of a rule set or a file")
        settings = self.get(row, path, "set", {}, lambda v: isinstance(v, dict), "a table of rules")
        try:
            base = read_rules(self._folder / name) if name.endswith(".toml") else named(name)
        except RulesError as error:
            self.wrong(f"{path}.rules", str(error))
            return None
        try:
            return base.with_fields(settings)
        except RulesError as error:
            self.wrong(f"{path}.set", str(error))
            return None

    def _table(self, row: Any, path: str, index: int) -> ArenaTable | None:
        row = self.section(row, path, _TABLE)
        rules = self._rules(row, path, "plain")
        if rules is None:
            return None
        if rules.game == KUHN:
            self.wrong(f"{path}.rules", "Kuhn poker has a section of its own: [kuhn]")
            return None
        seats = self.get(
            row, path, "seats", None, lambda v: is_int(v) and 2 <= v <= rules.max_seats,
            f"from 2 to {rules.max_seats}",
        )  # fmt: skip
        if seats is None:
            if "seats" not in row:
                self.wrong(f"{path}.seats", "is missing: how many sit at the table?")
            return None
        dialects = self.words(row, path, "dialects", HOLDEM_DIALECTS, list(HOLDEM_DIALECTS))
        if rules.ante:
            self.wrong(f"{path}.set", "no dialect can speak of antes; set ante = 0")
        if seats > MAX_HUAWEI_SEATS and "huawei" in dialects:
            if "dialects" in row:
                self.wrong(f"{path}.dialects", f"huawei can speak of {MAX_HUAWEI_SEATS} seats")
            dialects = [dialect for dialect in dialects if dialect != "huawei"]
        bots = self.words(row, path, "bots", bots_for(rules), [])
        if len(bots) > seats:
            self.wrong(f"{path}.bots", f"{len(bots)} bots do not fit into {seats} seats")
        plan = TablePlan(
            rules,
            seats,
            bots=bots,
            number=str(
                self.get(row, path, "number", index + 1, _is_number, f"from 1 to {MAX_NUMBER}")
            ),
            name=self.get(row, path, "name", f"table{index + 1}", _is_name, _A_NAME),
            dialects=frozenset(dialects),
            minimum=self.get(
                row, path, "minimum", min(2, seats), lambda v: is_int(v) and 1 <= v <= seats,
                f"from 1 to {seats}",
            ),
            wait_s=self.get(row, path, "wait_s", 10, is_seconds, "a number of seconds"),
            fill=self.words(row, path, "fill", bots_for(rules), []),
            on_command=self.get(row, path, "start", START[0], one_of(START), any_of(START))
            == START[1],
            repeat=self.get(row, path, "repeat", True, is_bool, "true or false"),
            allowed_pids=frozenset(map(str, self.get(row, path, "pids", [], _are_pids, _PIDS))),
            closed=self.get(row, path, "closed", False, is_bool, "true or false"),
        )  # fmt: skip
        programs = [
            program
            for place, entry in enumerate(self.list_of(row, path, "run"))
            if (program := self._program(entry, f"{path}.run", place, plan)) is not None
        ]
        return ArenaTable(plan, programs)

    def _program(self, entry: Any, path: str, place: int, plan: TablePlan) -> Program | None:
        if isinstance(entry, str):
            entry = {"command": entry}
        entry = self.section(entry, path, ("command", "dialect", "memory_mb", "open_files"))
        command = entry.get("command")
        if not is_text(command):
            self.wrong(path, f"program {place + 1} has no command")
            return None
        try:
            words_of(command, "host", 1, 1, "name")
        except ProgramError as error:
            self.wrong(path, str(error))
            return None
        allowed = tuple(dialect for dialect in HOLDEM_DIALECTS if dialect in plan.dialects)
        if not allowed:
            return None
        usual = next((dialect for dialect in self._spoken if dialect in allowed), allowed[0])
        return Program(
            command,
            self.get(entry, path, "dialect", usual, one_of(allowed), any_of(allowed)),
            self.get(entry, path, "memory_mb", 1024, is_positive, "a number above 0"),
            self.get(entry, path, "open_files", 256, is_positive, "a number above 0"),
        )

    def _check_name(self, table: ArenaTable, plan: ArenaPlan, path: str) -> None:
        for other in plan.tables:
            if other.plan.name == table.plan.name:
                self.wrong(f"{path}.name", f"there are two tables {table.plan.name!r}")
            elif other.plan.number == table.plan.number:
                self.wrong(f"{path}.number", f"there are two tables {table.plan.number}")

    def _rooms(self, values: Any) -> dict[int, Rules]:
        values = self.section(values, "rooms", ("set",))
        first = self._rules(values, "rooms", "room")
        second = None if first is None else self._rules(values, "rooms", "room2")
        return {} if first is None or second is None else {V1: first, V2: second}

    def _kuhn(self, values: Any) -> tuple[Rules, str] | None:
        values = self.section(values, "kuhn", ("set", "bot"))
        rules = self._rules(values, "kuhn", "kuhn")
        if rules is None:
            return None
        known = bots_for(rules)
        return rules, self.get(values, "kuhn", "bot", known[0], one_of(known), any_of(known))

    def _player(self, row: Any, path: str, plan: ArenaPlan) -> None:
        row = self.section(row, path, ("display", "table", "token", "private_name", "pid"))
        display = self.get(row, path, "display", "", is_text, "the name that others see")
        if not display and "display" not in row:
            self.wrong(f"{path}.display", "is missing: the name that others see")
        table = self.get(row, path, "table", "", one_of(self._names), "the name of a table")
        # The errors must not repeat what was meant to be a secret.
        token, private = row.get("token", ""), row.get("private_name")
        if "token" in row and not (is_text(token) and _TOKEN.fullmatch(token)):
            self.wrong(f"{path}.token", "is the MD5 of the private name, 32 digits from 0 to f")
            token = ""
        if private is not None:
            problem = "is a text" if not is_text(private) else registry.name_problem(private)
            if problem:
                self.wrong(f"{path}.private_name", problem)
            else:
                token = token_of(private)
        if is_text(display):
            self._check_display(path, display, plan)
        pid = str(self.get(row, path, "pid", "", _is_pid, "a number of at most nine digits"))
        given = [key for key in ("token", "private_name", "pid") if key in row]
        if len(given) != 1:
            self.wrong(path, "needs one of token, private_name and pid")
            return
        for other in plan.players:
            if pid and other.pid == pid:
                self.wrong(f"{path}.pid", f"there are two players with the pid {pid}")
            if token and other.token == token:
                self.wrong(path, "there are two players with this token")
        dialect = "huawei" if pid else "trend"
        for place in plan.tables:
            if place.plan.name == table and dialect not in place.plan.dialects:
                self.wrong(f"{path}.table", f"{table} does not admit players of {dialect}")
        plan.players.append(KnownPlayer(display, table, token, pid))

    def _check_display(self, path: str, display: str, plan: ArenaPlan) -> None:
        problem = registry.display_problem(display)
        if problem:
            self.wrong(f"{path}.display", problem)
        elif any(registry.same_display(display, other.display) for other in plan.players):
            self.wrong(f"{path}.display", f"there are two players {display!r}")

    def _check_listeners(self, plan: ArenaPlan) -> None:
        """See that everyone who can connect finds a table, and the other way round."""
        listened = {listener.dialect for listener in plan.listen}
        seen: dict[int, int] = {}
        for index, listener in enumerate(plan.listen):
            path = f"listen[{index}]"
            if listener.port and listener.port in seen:
                self.wrong(
                    f"{path}.port", f"{listener.port} is taken by listen[{seen[listener.port]}]"
                )
            seen[listener.port] = index
            if listener.dialect == "kuhn":
                served = plan.kuhn is not None
            else:
                served = any(listener.dialect in table.plan.dialects for table in plan.tables)
                served = served or (listener.dialect == "room" and bool(plan.rooms))
            if not served:
                self.wrong(path, f"there is no table for players of {listener.dialect}")
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


_ARENA = (
    "bind", "store", "durability", "transcripts", "output", "audience", "control", "metrics",
    "admin_token", "listen", "table", "rooms", "kuhn", "player",
)  # fmt: skip
_TABLE = (
    "name", "number", "rules", "set", "dialects", "seats", "bots", "minimum", "wait_s", "fill",
    "start", "repeat", "closed", "pids", "run",
)  # fmt: skip
_A_NAME = "a name of letters, digits, _ . and -"
_PIDS = "a list of pids"


def _is_number(value: Any) -> bool:
    return is_int(value) and 1 <= value <= MAX_NUMBER


def _is_name(value: Any) -> bool:
    return is_text(value) and bool(_NAME.fullmatch(value))


def _is_pid(value: Any) -> bool:
    return bool(_PID.fullmatch(str(value))) and not isinstance(value, bool)


def _are_pids(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_pid, value))
