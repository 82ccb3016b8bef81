"""Reads the tables of an arena's file, with their rules and programs."""

import re
from pathlib import Path
from typing import Any

from croupier.bots import bots_for
from croupier.dialects.registry import DIALECTS, dialects_for
from croupier.rules.rules import ARRIVAL, KUHN, Rules
from croupier.rules.sets import named
from croupier.server.arena.plan import ArenaTable, Program
from croupier.server.arena.programs import ProgramError, words_of
from croupier.server.arena.rules_file import apply, rules_from
from croupier.server.arena.toml_reader import (
    TomlReader,
    any_of,
    is_bool,
    is_int,
    is_positive,
    is_seconds,
    is_text,
    one_of,
)
from croupier.server.lobbies.table_plan import TablePlan
from croupier.server.table.opening import MAX_BEACON

START = ("auto", "command")
MAX_NUMBER = 999_999_999

TABLE_KEYS = (
    "name", "number", "rules", "set", "dialects", "seats", "bots", "minimum", "wait_s", "fill",
    "start", "repeat", "closed", "pids", "humans", "run",
    "beacon",
)  # fmt: skip

LIMITS = {"memory_mb": 1024, "open_files": 256, "processes": 256, "cpu_s": 3600}
"""The limits on a program, and what they are where the file says nothing."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")
_PID = re.compile(r"[0-9]{1,9}")
_A_NAME = "a name of letters, digits, _ . and -"
_PIDS = "a list of pids"


class TableReader(TomlReader):
    """Builds tables from the values of a file, and goes on after a mistake to report them all."""

    def __init__(self, text: str, folder: Path) -> None:
        super().__init__(text)
        self.folder = folder
        self.spoken: tuple[str, ...] = ()
        """The dialects with a listener, in the order of the file."""

    def rules(self, row: dict[str, Any], path: str, default: str) -> Rules:
        """Return the rules of a table, with defaults for invalid fields."""
        name = self.get(row, path, "rules", default, is_text, "the name of a rule set or a file")
        usual = named(default)
        base = self._base(name, f"{path}.rules") or usual
        settings = self.get(row, path, "set", {}, lambda v: isinstance(v, dict), "a table of rules")
        rules, problems = apply(base, settings)
        for key, problem in problems:
            self.wrong(f"{path}.set.{key}", problem.removeprefix(f"{key} "))
        if rules.game != usual.game and KUHN in (rules.game, usual.game):
            key = "set.game" if "game" in settings else "rules"
            (section,) = {DIALECTS[name].section for name in dialects_for(KUHN)}
            self.wrong(f"{path}.{key}", f"Kuhn poker is played in [{section}], and only there")
            return usual
        antes = any(one.antes and one.plays(rules) for one in DIALECTS.values())
        if rules.ante and not antes:
            key = "set.ante" if "ante" in settings else "rules"
            self.wrong(f"{path}.{key}", "no dialect can speak of antes; set ante = 0")
        return rules

    def _base(self, name: str, path: str) -> Rules | None:
        rules, problems = rules_from(name, self.folder)
        for problem in problems:
            self.wrong(path, problem)
        return rules

    def table(self, row: Any, path: str, index: int) -> ArenaTable | None:
        """Return a table, with defaults for invalid values."""
        values = self.section(row, path, TABLE_KEYS)
        if not isinstance(row, dict):
            return None
        rules = self.rules(values, path, "plain")
        seats = self.get(
            values, path, "seats", None, lambda v: is_int(v) and 2 <= v <= rules.max_seats,
            f"from 2 to {rules.max_seats}",
        )  # fmt: skip
        if "seats" not in values:
            self.wrong(f"{path}.seats", "is missing: how many sit at the table?")
        known_seats = rules.max_seats if seats is None else seats
        bots = self.words(values, path, "bots", bots_for(rules), [])
        if len(bots) > known_seats:
            self.wrong(f"{path}.bots", f"{len(bots)} bots do not fit into {known_seats} seats")
        beacon = self.get(
            values, path, "beacon", "", _is_beacon, f"a text of 1 to {MAX_BEACON} characters"
        )
        # Where seats are taken in order of arrival, a game is for a number of players.
        full = rules.seating == ARRIVAL
        plan = TablePlan(
            rules,
            known_seats,
            bots=bots,
            number=str(
                self.get(values, path, "number", index + 1, _is_number, f"from 1 to {MAX_NUMBER}")
            ),
            name=self.get(values, path, "name", f"table{index + 1}", _is_name, _A_NAME),
            dialects=self._dialects(values, path, seats, rules),
            minimum=self.get(
                values, path, "minimum", known_seats if full else min(2, known_seats),
                lambda v: is_int(v) and 1 <= v <= known_seats, f"from 1 to {known_seats}",
            ),
            wait_s=self.get(values, path, "wait_s", 10, is_seconds, "a number of seconds"),
            fill=self.words(values, path, "fill", bots_for(rules), []),
            on_command=self.get(
                values, path, "start", START[bool(beacon)], one_of(START), any_of(START)
            )
            == START[1],
            repeat=self.get(values, path, "repeat", not beacon, is_bool, "true or false"),
            allowed_pids=frozenset(map(str, self.get(values, path, "pids", [], _are_pids, _PIDS))),
            closed=self.get(values, path, "closed", False, is_bool, "true or false"),
            humans=self.get(values, path, "humans", False, is_bool, "true or false"),
            beacon=beacon,
        )  # fmt: skip
        if beacon and not plan.on_command:
            self.wrong(
                f"{path}.start",
                "a table with a beacon starts on command: its value has to be given",
            )
        if beacon and plan.repeat:
            self.wrong(f"{path}.repeat", "a beacon is good for one match, so nothing is repeated")
        programs = [
            program
            for place, entry in enumerate(self.list_of(values, path, "run"))
            if (program := self._program(entry, f"{path}.run", place, plan)) is not None
        ]
        if plan.closed and programs:
            self.wrong(
                f"{path}.closed", "only holders of a registered key come in, and `run` gives none"
            )
        if plan.closed and plan.humans:
            self.wrong(
                f"{path}.humans", "only holders of a registered key come in, and people have none"
            )
        return ArenaTable(plan, programs)

    def _dialects(
        self, values: dict[str, Any], path: str, seats: int | None, rules: Rules
    ) -> frozenset[str]:
        known = dialects_for(rules.game)
        usual = [name for name in known if _speaks_of(name, rules)] or list(known)
        dialects = frozenset(self.words(values, path, "dialects", known, usual))
        for name in sorted(dialects.difference(usual)):
            problem = DIALECTS[name].problem(rules) or "it has no word for antes"
            self.wrong(f"{path}.dialects", f"{name} cannot speak of {rules.name}: {problem}")
        if seats is None:
            return dialects
        too_small = {name for name in dialects if DIALECTS[name].max_seats < seats}
        for name in sorted(too_small) if "dialects" in values else ():
            self.wrong(f"{path}.dialects", f"{name} can speak of {DIALECTS[name].max_seats} seats")
        return dialects - too_small

    def _program(self, entry: Any, path: str, place: int, plan: TablePlan) -> Program | None:
        if isinstance(entry, str):
            entry = {"command": entry}
        values = self.section(entry, path, ("command", "dialect", *LIMITS))
        known = dialects_for(plan.rules.game)
        allowed = tuple(dialect for dialect in known if dialect in plan.dialects)
        usual = next((dialect for dialect in self.spoken if dialect in allowed), (*allowed, "")[0])
        dialect = usual
        if allowed:
            dialect = self.get(values, path, "dialect", usual, one_of(allowed), any_of(allowed))
        limits = {
            key: self.get(values, path, key, usual, is_positive, "a number above 0")
            for key, usual in LIMITS.items()
        }
        command = values.get("command")
        if not isinstance(command, str) or not command:
            self.wrong(path, f"program {place + 1} has no command")
            return None
        try:
            words_of(command, "host", 1, 1, "name")
        except ProgramError as error:
            self.wrong(path, str(error))
            return None
        return Program(command, dialect, **limits) if dialect else None


def _speaks_of(dialect: str, rules: Rules) -> bool:
    known = DIALECTS[dialect]
    return known.plays(rules) and (known.antes or not rules.ante)


def is_pid(value: Any) -> bool:
    """Tell whether this is a pid, a number or a text, which may begin with zeros."""
    return bool(_PID.fullmatch(str(value))) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return is_int(value) and 1 <= value <= MAX_NUMBER


def _is_name(value: Any) -> bool:
    return is_text(value) and bool(_NAME.fullmatch(value))


def _is_beacon(value: Any) -> bool:
    return is_text(value) and 0 < len(value) <= MAX_BEACON and value.isprintable()


def _are_pids(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_pid, value))
