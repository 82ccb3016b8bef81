"""Reads a contest's TOML file, and reports every mistake with its line and key."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from croupier.contest.plan import HANDS, RESULTS, ContestPlan, StagePlan, Team
from croupier.dialects.registry import DIALECTS
from croupier.running.contest_file import ContestFile
from croupier.running.friendly_reader import read_friendlies
from croupier.running.stage_reader import StageReader
from croupier.running.team_checks import team_problems
from croupier.running.team_reader import read_teams
from croupier.server.arena.listener_reader import read_listeners
from croupier.server.arena.plan import ListenPlan
from croupier.server.arena.programs import named_in
from croupier.server.arena.sandbox import AUTO, MODES, OFF
from croupier.server.arena.toml_reader import (
    Mistake,
    any_of,
    is_arena,
    is_int,
    is_seconds,
    is_text,
    not_toml,
    one_of,
)
from croupier.store.arenas import A_NAME

CONTEST_KEYS = (
    "title", "rules", "set", "store", "seed", "record", "teams", "team", "stage", "listen", "bind",
    "arrive_s", "program_arrive_s", "forfeit_stacks", "disqualified", "admit", "transcripts",
    "output", "beacon", "durability", "sandbox", "pages", "arena", "uploads", "luck",
    "friendlies",
)  # fmt: skip

RECORDS = (HANDS, RESULTS)
ANNUL, KEEP = "annul", "keep"


class ContestFileError(Exception):
    """A file that does not describe a contest; `mistakes` are all that were found."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


def read_contest(text: str, folder: Path = Path()) -> ContestFile:
    """Return the contest that a text describes; its paths are relative to the folder."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ContestFileError([not_toml(text, str(error))]) from None
    reader = _Reader(text, folder)
    contest = reader.contest(values)
    if reader.mistakes or contest is None:
        mistakes = sorted(reader.mistakes, key=lambda mistake: mistake.line)
        raise ContestFileError(mistakes)
    return contest


class _Reader(StageReader):
    """Builds a contest from the values of a file."""

    def contest(self, values: dict[str, Any]) -> ContestFile | None:
        """Return the contest, unless there are mistakes."""
        self.section(values, "", CONTEST_KEYS)
        title = self.get(values, "", "title", "", _is_title, "a text of at most 80 characters")
        if "title" not in values:
            self.wrong("title", "is missing: what is the contest called?")
        teams, places = read_teams(self, values, self.folder)
        stages = self.stages(values, teams)
        self._check_teams(stages, teams, places)
        connecting = {team.dialect for team in teams if team.connects and team.dialect}
        listen = [
            listener
            for index, row in enumerate(self.rows(values, "listen"))
            for listener in read_listeners(self, row, f"listen[{index}]", {}, self.folder)
        ]
        missing = sorted(connecting - {one.dialect for one in listen})
        listen += [ListenPlan(dialect, DIALECTS[dialect].port) for dialect in missing]
        transcripts = self.get(values, "", "transcripts", "", is_text, "a folder")
        output = self.get(values, "", "output", "output", is_text, "a folder")
        pages = self.get(values, "", "pages", "", is_text, "a folder")
        if pages and not (self.folder / pages).is_dir():
            self.wrong("pages", f"there is no folder {self.folder / pages}")
        uploads = self.get(values, "", "uploads", "", is_text, "a folder")
        sandbox = self.get(values, "", "sandbox", AUTO, one_of(MODES), any_of(MODES))
        if uploads and sandbox == OFF:
            self.wrong("uploads", "need the sandbox: nobody has looked at what teams upload")
        for key, folder in (("transcripts", transcripts), ("output", output), ("uploads", uploads)):
            if folder and (self.folder / folder).is_file():
                self.wrong(key, f"is a folder, and {self.folder / folder} is a file")
        seed = self.get(values, "", "seed", None, _is_seed, 'a text, such as "7"')
        contest = ContestFile(
            plan=ContestPlan(
                title=title,
                teams=tuple(teams),
                stages=tuple(stages),
                record=self.get(values, "", "record", HANDS, one_of(RECORDS), any_of(RECORDS)),
                keep_disqualified=self.get(
                    values, "", "disqualified", ANNUL, one_of((ANNUL, KEEP)), any_of((ANNUL, KEEP))
                )
                == KEEP,
                forfeit_stacks=float(
                    self.get(values, "", "forfeit_stacks", 1.0, is_seconds, "a number of stacks")
                ),
                beacon=self.get(values, "", "beacon", "", is_text, "what will be announced"),
                uploads=bool(uploads),
                friendlies=read_friendlies(self, values),
            ),
            folder=self.folder,
            store=self._path(
                self.get(values, "", "store", "croupier.db", is_text, "a file such as cup.db")
            ),
            seed=None if seed is None else str(seed),
            listen=listen,
            bind=self.get(values, "", "bind", "127.0.0.1", is_text, "an address"),
            arrive_s=self.get(values, "", "arrive_s", 120.0, is_seconds, "a number of seconds"),
            program_arrive_s=self.get(
                values, "", "program_arrive_s", 20.0, is_seconds, "a number of seconds"
            ),
            admit=bool(self.get(values, "", "admit", "", one_of(("check",)), "'check'")),
            transcripts=self.folder / transcripts if transcripts else None,
            output=self.folder / output,
            pages=self.folder / pages if pages else None,
            durability=self.get(
                values, "", "durability", "process", one_of(("process", "power")),
                any_of(("process", "power")),
            ),
            uploads=self.folder / uploads if uploads else None,
            sandbox=sandbox,
            arena=self.get(values, "", "arena", "", is_arena, A_NAME),
        )  # fmt: skip
        self._check_output(contest)
        return None if self.mistakes else contest

    def _check_output(self, contest: ContestFile) -> None:
        """Refuse a folder for output that has programs in it: they would not see their files."""
        output = contest.output.resolve()
        for team in contest.plan.teams if contest.sandbox != OFF else ():
            for path in named_in(team.command, contest.folder):
                if path.resolve().is_relative_to(output):
                    what = f"the folder {contest.output.name} is hidden from programs"
                    self.wrong(
                        "output", f"{what}, and {path} of {team.name} is in it: name another"
                    )
                    return

    def _path(self, store: str) -> str:
        return store if "://" in store else str(self.folder / store)

    def _check_teams(
        self, stages: Sequence[StagePlan], teams: Sequence[Team], places: Sequence[str]
    ) -> None:
        """Check that every team can play the game of every stage."""
        for stage in stages:
            for team, where in zip(teams, places, strict=True):
                for key, problem in team_problems(team, stage, self.folder):
                    self.wrong(f"{where}.{key}", problem)


def _is_title(value: Any) -> bool:
    return is_text(value) and len(value) <= 80 and value.isprintable() and value == value.strip()


def _is_seed(value: Any) -> bool:
    return is_text(value) or is_int(value)
