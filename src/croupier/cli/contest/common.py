"""What the commands about contests share."""

import getpass
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from sqlalchemy import Engine

from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import opened
from croupier.contest.course import Course
from croupier.rules.rules import nearest
from croupier.running.contest_file import ContestFile
from croupier.running.contest_reader import ContestFileError, read_contest
from croupier.running.opening import ChangedContestError, open_contest
from croupier.store import contests
from croupier.store.contests import ContestRow, NoContestError
from croupier.store.databases import path_of

F = TypeVar("F", bound=Callable[..., Any])

NAME = "contest.toml"


def file_argument(command: F) -> F:
    """Add the argument that names the contest's file."""
    return click.argument(
        "file", type=click.Path(path_type=Path), default=NAME, metavar="[CONTEST.toml]"
    )(command)


def first_file_argument(command: F) -> F:
    """Add the file as an argument that others follow, so it must be given."""
    return click.argument("file", type=click.Path(path_type=Path), metavar="CONTEST.toml")(command)


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object on one line."
)


def load(file: Path) -> ContestFile:
    """Read a contest's file; report all its mistakes in one message."""
    try:
        text = file.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except OSError as error:
        raise BadArgumentError(
            f"cannot read {file}: {error.strerror} (`croupier contest init` writes an example)"
        ) from None
    except UnicodeDecodeError:
        raise BadArgumentError(f"{file} is not UTF-8 text; save it as UTF-8") from None
    try:
        return read_contest(text, file.parent)
    except ContestFileError as error:
        hint = ""
        if any(mistake.key == "table" for mistake in error.mistakes):
            hint = f"\ntables belong to an arena: `croupier serve {file}`"
        raise BadArgumentError(f"{file} cannot be used:\n{error}{hint}") from None


def load_begun(file: Path) -> ContestFile:
    """Read a contest's file, whose store must exist."""
    contest = load(file)
    kept = path_of(contest.store)
    if kept is not None and not kept.exists():
        raise BadArgumentError(
            f"{contest.plan.title} has not begun, there is no store {kept} yet:"
            f" `croupier contest run {shlex.quote(str(file))}` begins it"
        )
    return contest


def put_on_record(file: Path, engine: Engine, contest: ContestFile) -> ContestRow:
    """Return the contest of a file, newly put on record if it is not there yet."""
    try:
        return open_contest(engine, contest)
    except ChangedContestError as error:
        raise BadArgumentError(f"{file} does not fit the contest on record:\n{error}") from None


@dataclass(frozen=True)
class OnRecord:
    """A contest as the store has it."""

    file: ContestFile
    engine: Engine
    row: ContestRow
    course: Course

    def team(self, name: str) -> str:
        """Return the name of a team that a user typed."""
        known = self.course.plan.teams_by_name
        if name not in known:
            raise BadArgumentError(f"there is no team {name!r}{nearest(name, known)}")
        return name


def unknown_stage(name: str, planned: Sequence[str]) -> BadArgumentError:
    """Return the error of a stage that a user mistyped."""
    return BadArgumentError(f"there is no stage {name!r} (there are {', '.join(planned)})")


@contextmanager
def on_record(path: Path) -> Iterator[OnRecord]:
    """Open the contest of a file, which must have been run or given keys before."""
    file = load_begun(path)
    with opened(file.store) as engine:
        try:
            row = contests.find(engine, file.plan.title)
        except NoContestError as error:
            raise BadArgumentError(
                f"{error}; `croupier contest run {shlex.quote(str(path))}` begins it"
            ) from None
        yield OnRecord(file, engine, row, contests.course_of(engine, row))


def user() -> str:
    """Return who gives a command, for the audit log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
