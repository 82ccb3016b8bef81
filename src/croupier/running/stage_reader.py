"""Reads the stages of a contest's file, with their rules, deals and when they stop."""

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from croupier.bots import bots_for
from croupier.contest.coefficients import luck_problem
from croupier.contest.deciding import stop_problems
from croupier.contest.formats.registry import FORMATS
from croupier.contest.plan import DUPLICATE, POINTS, RATE, SCORES, SINGLE, StagePlan, Team
from croupier.contest.stopping import Stop
from croupier.rules.rules import CARRY, Rules
from croupier.rules.sets import named
from croupier.server.arena.rules_file import apply, rules_from
from croupier.server.arena.sandbox import AUTO
from croupier.server.arena.toml_reader import (
    TomlReader,
    any_of,
    is_bool,
    is_int,
    is_positive,
    is_text,
    one_of,
)

STAGE_KEYS = (
    "name", "format", "rules", "set", "seats", "hands", "deals", "sets", "score", "start",
    "advance", "seeding", "fill", "stop", "luck",
)  # fmt: skip

STOP_KEYS = ("better", "same")
SEEDINGS = ("file", "draw")
DEALS = (SINGLE, DUPLICATE)
LADDER = "ladder"

MAX_SETS = 1000
DEFAULT_HANDS = 1000

_STAGE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")
_ALL_FORMAT_KEYS = tuple({key: None for format in FORMATS.values() for key in format.keys})


class StageReader(TomlReader):
    """Builds stages from the values of a file, and goes on after a mistake to report them all."""

    def __init__(self, text: str, folder: Path) -> None:
        super().__init__(text)
        self.folder = folder

    def stages(self, values: dict[str, Any], teams: Sequence[Team]) -> list[StagePlan]:
        """Return the stages, with defaults for invalid values."""
        stages: list[StagePlan] = []
        base = self._rules(values, "", None)
        luck = self._luck(values, "", None)
        names: Sequence[str] | None = [team.name for team in teams]
        for index, row in enumerate(self.rows(values, "stage")):
            path = f"stage[{index}]"
            stage = self._stage(row, path, base, teams, luck)
            if stage is None:
                continue
            if any(stage.name == other.name for other in stages):
                self.wrong(f"{path}.name", f"there are two stages {stage.name!r}")
            for key, problem in FORMATS[stage.format].problems(stage, names):
                self.wrong(f"{path}.{key}" if key else path, problem)
            if stages and stages[-1].format == LADDER and not stages[-1].matches:
                self.wrong(path, "comes after a ladder that goes on until it is stopped")
            names = None
            stages.append(stage)
        if not stages and not self.mistakes:
            self.wrong("stage", "a contest has at least one [[stage]]")
        return stages

    def _stage(
        self, row: Any, path: str, base: Rules, teams: Sequence[Team], luck: bool | None
    ) -> StagePlan | None:
        known = tuple(FORMATS)
        values = row if isinstance(row, dict) else {}
        format_name = self.get(values, path, "format", "", one_of(known), any_of(known))
        keys = FORMATS[format_name].keys if format_name else _ALL_FORMAT_KEYS
        self.section(row, path, (*STAGE_KEYS, *keys))
        name = self.get(
            values, path, "name", format_name, _is_stage_name, "of letters, digits, _ . and -"
        )
        if not format_name:
            if "format" not in values:
                self.wrong(f"{path}.format", f"is missing: {any_of(known)}")
            return None
        rules = self._rules(values, path, base)
        hands = self.get(
            values, path, "hands", rules.hands or DEFAULT_HANDS, is_positive, "above 0"
        )
        if "hands" in values or rules.stacks != CARRY:  # where nobody goes broke, nothing ends it
            rules = replace(rules, hands=hands)
        seats = self.get(
            values, path, "seats", 2, lambda v: is_int(v) and 2 <= v <= rules.max_seats,
            f"from 2 to {rules.max_seats}",
        )  # fmt: skip
        stage = StagePlan(
            name=name,
            format=format_name,
            rules=rules,
            seats=seats,
            sets=self.get(
                values, path, "sets", 1, lambda v: is_int(v) and 1 <= v <= MAX_SETS,
                f"from 1 to {MAX_SETS}",
            ),
            start=self._start(values, path),
            advance=self.get(values, path, "advance", 0, is_positive, "above 0"),
            times=self.get(values, path, "times", 1, is_positive, "above 0"),
            rounds=self.get(values, path, "rounds", 0, is_positive, "above 0"),
            groups=self.get(values, path, "groups", 1, is_positive, "above 0"),
            third_place=self.get(values, path, "third_place", False, is_bool, "true or false"),
            challengers=tuple(
                self.words(values, path, "challengers", tuple(t.name for t in teams), [])
            ),
            draw=self.get(values, path, "seeding", "file", one_of(SEEDINGS), any_of(SEEDINGS))
            == "draw",
            fill=tuple(self.words(values, path, "fill", bots_for(rules), [])),
            matches=self.get(values, path, "matches", 0, is_positive, "above 0"),
            luck=self._luck(values, path, luck),
        )  # fmt: skip
        if stage.luck and (problem := luck_problem(rules)):
            self.wrong(f"{path}.luck" if "luck" in values else "luck", f"cannot be true: {problem}")
        stage = replace(stage, deals=self._deals(values, path, stage, teams))
        return replace(
            stage,
            stop=self._stop(values, path, stage),
            score=self.get(
                values, path, "score", _usual_score(stage), one_of(SCORES), any_of(SCORES)
            ),
        )

    def _luck(self, values: dict[str, Any], path: str, usual: bool | None) -> bool | None:
        if "luck" not in values:
            return usual
        wanted = f"true, false or {AUTO!r}"
        given = self.get(values, path, "luck", AUTO, lambda v: is_bool(v) or v == AUTO, wanted)
        return None if given == AUTO else bool(given)

    def _start(self, values: dict[str, Any], path: str) -> float | None:
        start = self.get(
            values, path, "start", None, lambda v: isinstance(v, datetime.datetime),
            "a time such as 2027-03-01T18:00:00",
        )  # fmt: skip
        return start.timestamp() if isinstance(start, datetime.datetime) else None

    def _stop(self, values: dict[str, Any], path: str, stage: StagePlan) -> Stop | None:
        if "stop" not in values:
            return None
        path = f"{path}.stop"
        given = values["stop"]
        if not isinstance(given, dict):
            self.wrong(path, "is a table such as { better = 0.05, same = 10 }")
            return None
        self.section(given, path, STOP_KEYS)
        limits = {key: given[key] for key in STOP_KEYS if key in given}
        for key, value in limits.items():
            if not is_int(value) and not isinstance(value, float):
                self.wrong(f"{path}.{key}", f"is a number, not {value!r}")
                return None
        try:
            stop = Stop(**limits)
        except ValueError as error:
            self.wrong(path, str(error))
            return None
        for problem in stop_problems(stage):
            self.wrong(path, problem)
        return stop

    def _deals(
        self, values: dict[str, Any], path: str, stage: StagePlan, teams: Sequence[Team]
    ) -> str:
        # A program that connects by itself could recognise a deal that comes again.
        unfit = stage.carried or stage.fill or any(team.connects for team in teams)
        usual = SINGLE if unfit else DUPLICATE
        deals: str = self.get(values, path, "deals", usual, one_of(DEALS), any_of(DEALS))
        if deals == DUPLICATE and stage.carried:
            self.wrong(
                f"{path}.deals",
                "duplicates need stacks that are reset before each hand, and those of"
                f" {stage.rules.name} carry over",
            )
        if deals == DUPLICATE and stage.fill:
            self.wrong(f"{path}.fill", 'needs deals = "single": only teams change their seats')
        return deals

    def _rules(self, values: dict[str, Any], path: str, default: Rules | None) -> Rules:
        name = self.get(values, path, "rules", "", is_text, "the name of a rule set or a file")
        base = default or named("plain")
        where = f"{path}.rules" if path else "rules"
        if name:
            base = self._named_rules(name, where) or base
        settings = self.get(values, path, "set", {}, lambda v: isinstance(v, dict), "a table")
        rules, problems = apply(base, settings)
        for key, problem in problems:
            self.wrong(
                f"{path}.set.{key}" if path else f"set.{key}", problem.removeprefix(f"{key} ")
            )
        return rules

    def _named_rules(self, name: str, path: str) -> Rules | None:
        rules, problems = rules_from(name, self.folder)
        for problem in problems:
            self.wrong(path, problem)
        return rules


def _usual_score(stage: StagePlan) -> str:
    return FORMATS[stage.format].score or (POINTS if stage.by_places else RATE)


def _is_stage_name(value: Any) -> bool:
    return isinstance(value, str) and bool(_STAGE_NAME.fullmatch(value))
