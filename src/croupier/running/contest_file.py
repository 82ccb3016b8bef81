"""Reads a contest's TOML file, and reports every mistake with its line and key."""

import datetime
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from croupier.bot_files import BotFileError, split_bot
from croupier.bots import bots_for
from croupier.contest.coefficients import luck_problem
from croupier.contest.deciding import stop_problems
from croupier.contest.formats.registry import FORMATS
from croupier.contest.plan import (
    DUPLICATE,
    HANDS,
    POINTS,
    RATE,
    RESULTS,
    SCORES,
    SINGLE,
    ContestPlan,
    StagePlan,
    Team,
)
from croupier.contest.stopping import Stop
from croupier.deals import seed_from_text
from croupier.dialects.registry import DIALECTS
from croupier.rules.rules import CARRY, Rules, RulesError, nearest
from croupier.rules.sets import named
from croupier.running.friendly_reader import read_friendlies
from croupier.running.team_lists import TeamListError, read_team_list
from croupier.server.arena.listener_reader import read_listeners
from croupier.server.arena.plan import ListenPlan
from croupier.server.arena.programs import ProgramError, named_in, words_of
from croupier.server.arena.rules_file import apply, is_rules_file, read_rules_file
from croupier.server.arena.sandbox import AUTO, MODES, OFF, Surroundings
from croupier.server.arena.toml_reader import (
    Mistake,
    TomlReader,
    any_of,
    is_arena,
    is_bool,
    is_int,
    is_positive,
    is_seconds,
    is_text,
    not_toml,
    one_of,
)
from croupier.store.arenas import A_NAME
from croupier.store.registry import display_problem, same_display

CONTEST_KEYS = (
    "title", "rules", "set", "store", "seed", "record", "teams", "team", "stage", "listen", "bind",
    "arrive_s", "program_arrive_s", "forfeit_stacks", "disqualified", "admit", "transcripts",
    "output", "beacon", "durability", "sandbox", "pages", "arena", "uploads", "luck",
    "friendlies",
)  # fmt: skip
TEAM_KEYS = ("name", "bot", "run", "dialect", "nonce")
STAGE_KEYS = (
    "name", "format", "rules", "set", "seats", "hands", "deals", "sets", "score", "start",
    "advance", "seeding", "fill", "stop", "luck",
)  # fmt: skip

STOP_KEYS = ("better", "same")
SEEDINGS = ("file", "draw")
DEALS = (SINGLE, DUPLICATE)
RECORDS = (HANDS, RESULTS)
ANNUL, KEEP = "annul", "keep"

MAX_SETS = 1000
DEFAULT_HANDS = 1000

_STAGE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")


class ContestFileError(Exception):
    """A file that does not describe a contest; `mistakes` are all that were found."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


@dataclass(frozen=True, kw_only=True)
class ContestFile:
    """A contest's plan, and how it is carried out on this machine."""

    plan: ContestPlan
    folder: Path
    store: str
    seed: str | None = None
    """For reproduction; None: one is drawn."""
    listen: list[ListenPlan] = field(default_factory=list)
    bind: str = "127.0.0.1"
    arrive_s: float = 120.0
    """Seconds that teams which connect by themselves have to come when they are called."""
    program_arrive_s: float = 20.0
    """Seconds that a program has to take its seat after it was started."""
    admit: bool = False
    """Whether programs are checked before their first match."""
    transcripts: Path | None = None
    output: Path = Path("output")
    pages: Path | None = None
    """A folder with pages of the organiser's own, for the site."""
    uploads: Path | None = None
    """The folder for new versions that teams upload, if they may."""
    durability: str = "process"
    sandbox: str = AUTO
    """Whether programs run in boxes."""
    arena: str = ""
    """The name of the arena that the contest belongs to, where several share a database."""

    @property
    def starts_programs(self) -> bool:
        """Whether there are programs to start, or may be at live tables."""
        teams = self.plan.teams
        live = any(team.connects for team in teams)
        return any(team.command or (live and team.bot and not team.house) for team in teams)

    def surroundings(self, boxed: bool) -> Surroundings:
        """Return what programs find around them."""
        hidden = [self.output] if self.transcripts is None else [self.output, self.transcripts]
        if self.uploads is not None:
            hidden.append(self.uploads)
        if "://" not in self.store:
            hidden.append(Path(self.store))
        hidden += [one.tls.key for one in self.listen if one.tls is not None]
        owned = []
        for team in self.plan.teams:
            owned += named_in(team.command, self.folder)
            if team.bot and not team.house:
                owned.append(self.folder / team.bot.rpartition(":")[0])
        resolved = ([path.resolve() for path in paths] for paths in (hidden, owned))
        return Surroundings(boxed, self.folder.resolve(), *resolved)

    @property
    def seed_bytes(self) -> bytes | None:
        """The seed that the file gives, if it does."""
        return None if self.seed is None else seed_from_text(self.seed)


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


def team_problems(team: Team, stage: StagePlan, folder: Path) -> Iterator[tuple[str, str]]:
    """Return why a team cannot play a stage's game, as (key, text)."""
    rules, known = stage.rules, bots_for(stage.rules)
    if team.bot and not team.house:
        try:
            file, _ = split_bot(team.bot, known)
        except BotFileError as error:
            yield "bot", str(error)
        else:
            if not (folder / file).is_file():
                yield "bot", f"there is no file {file}"
    elif team.bot and team.bot not in known:
        near = nearest(team.bot, known)
        yield "bot", f"no house bot {team.bot!r} plays {rules.name}{near} ({', '.join(known)} do)"
    if team.dialect:
        dialect = DIALECTS[team.dialect]
        if not dialect.plays(rules):
            yield "dialect", f"{team.dialect} cannot speak of {rules.name} (stage {stage.name})"
        elif stage.seats > dialect.max_seats:
            yield "dialect", f"{team.dialect} can speak of {dialect.max_seats} seats only"
    if team.command:
        try:
            words_of(team.command, "host", 1, 1, "name")
        except ProgramError as error:
            yield "run", str(error)


class _Reader(TomlReader):
    """Builds a contest from the values of a file, and goes on after a mistake."""

    def __init__(self, text: str, folder: Path) -> None:
        super().__init__(text)
        self._folder = folder
        self._written = 0
        """How many teams stand in the file itself."""

    def contest(self, values: dict[str, Any]) -> ContestFile | None:
        """Return the contest, unless there are mistakes."""
        self.section(values, "", CONTEST_KEYS)
        title = self.get(values, "", "title", "", _is_title, "a text of at most 80 characters")
        if "title" not in values:
            self.wrong("title", "is missing: what is the contest called?")
        teams = self._teams(values)
        stages = self._stages(values, teams)
        connecting = {team.dialect for team in teams if team.connects and team.dialect}
        listen = [
            listener
            for index, row in enumerate(self.rows(values, "listen"))
            for listener in read_listeners(self, row, f"listen[{index}]", {}, self._folder)
        ]
        missing = sorted(connecting - {one.dialect for one in listen})
        listen += [ListenPlan(dialect, DIALECTS[dialect].port) for dialect in missing]
        transcripts = self.get(values, "", "transcripts", "", is_text, "a folder")
        output = self.get(values, "", "output", "output", is_text, "a folder")
        pages = self.get(values, "", "pages", "", is_text, "a folder")
        if pages and not (self._folder / pages).is_dir():
            self.wrong("pages", f"there is no folder {self._folder / pages}")
        uploads = self.get(values, "", "uploads", "", is_text, "a folder")
        sandbox = self.get(values, "", "sandbox", AUTO, one_of(MODES), any_of(MODES))
        if uploads and sandbox == OFF:
            self.wrong("uploads", "need the sandbox: nobody has looked at what teams upload")
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
            folder=self._folder,
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
            transcripts=self._folder / transcripts if transcripts else None,
            output=self._folder / output,
            pages=self._folder / pages if pages else None,
            durability=self.get(
                values, "", "durability", "process", one_of(("process", "power")),
                any_of(("process", "power")),
            ),
            uploads=self._folder / uploads if uploads else None,
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
        return store if "://" in store else str(self._folder / store)

    # Teams.

    def _teams(self, values: dict[str, Any]) -> list[Team]:
        teams: list[Team] = []
        for index, row in enumerate(self.rows(values, "team")):
            path = f"team[{index}]"
            found = self._team(self.section(row, path, TEAM_KEYS), path)
            self._add_team(teams, found, f"{path}.name")
        self._written = len(teams)
        if "teams" in values:
            try:
                for row in read_team_list(values["teams"], self._folder):
                    self._add_team(teams, self._team(row, "teams"), "teams")
            except TeamListError as error:
                self.wrong("teams", str(error))
        if len(teams) < 2 and not self.mistakes:
            self.wrong("team", "a contest has at least two teams, each with a [[team]] of its own")
        return teams

    def _add_team(self, teams: list[Team], team: Team | None, path: str) -> None:
        if team is None:
            return
        if any(same_display(team.name, other.name) for other in teams):
            self.wrong(path, f"there are two teams {team.name!r}")
        else:
            teams.append(team)

    def _team(self, values: dict[str, Any], path: str) -> Team | None:
        name = self.get(values, path, "name", "", is_text, "the name that others see")
        problem = display_problem(name) if name else "is missing: the name that others see"
        if problem or name != name.strip() or "/" in name:
            self.wrong(f"{path}.name", problem or "has neither blanks at its ends nor a slash")
            return None
        bot = self.get(values, path, "bot", "", is_text, "a house bot or FILE.py:Class")
        command = self.get(values, path, "run", "", is_text, "a command")
        known = tuple(DIALECTS)
        dialect = self.get(values, path, "dialect", "", one_of(known), any_of(known))
        nonce = self.get(values, path, "nonce", "", is_text, "a text")
        if bot and (command or dialect):
            self.wrong(path, "has a bot, so neither run nor dialect: a bot plays without either")
        elif command:
            if not dialect and "dialect" not in values:
                self.wrong(f"{path}.dialect", f"is missing: {any_of(known)}, as the program speaks")
        elif not bot and not dialect and not {"bot", "run", "dialect"} & values.keys():
            self.wrong(path, "needs bot, run with dialect, or dialect alone if it connects")
        return Team(name, bot, command, dialect, house=is_house(bot), nonce=nonce)

    # Stages.

    def _stages(self, values: dict[str, Any], teams: Sequence[Team]) -> list[StagePlan]:
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
        self._check_teams(stage, teams)
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
        try:
            if not is_rules_file(name):
                return named(name)
            base, values = read_rules_file(self._folder / name)
        except RulesError as error:
            self.wrong(path, str(error))
            return None
        rules, problems = apply(base, values)
        for _, problem in problems:
            self.wrong(path, f"{name}: {problem}")
        return rules

    def _check_teams(self, stage: StagePlan, teams: Sequence[Team]) -> None:
        """Check that every team can play the stage's game."""
        for index, team in enumerate(teams):
            where = f"team[{index}]" if index < self._written else "teams"
            for key, problem in team_problems(team, stage, self._folder):
                self.wrong(f"{where}.{key}", problem)


LADDER = "ladder"

_ALL_FORMAT_KEYS = tuple({key: None for format in FORMATS.values() for key in format.keys})


def _usual_score(stage: StagePlan) -> str:
    return FORMATS[stage.format].score or (POINTS if stage.by_places else RATE)


def is_house(bot: str) -> bool:
    """Tell whether a bot is named as house bots are."""
    return bool(bot) and ":" not in bot and not bot.endswith(".py")


def _is_title(value: Any) -> bool:
    return is_text(value) and len(value) <= 80 and value.isprintable() and value == value.strip()


def _is_stage_name(value: Any) -> bool:
    return isinstance(value, str) and bool(_STAGE_NAME.fullmatch(value))


def _is_seed(value: Any) -> bool:
    return is_text(value) or is_int(value)
