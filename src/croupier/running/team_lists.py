"""Teams that are not written into the contest's file: a list in CSV, or a folder of programs."""

import csv
import io
import os
import shlex
from pathlib import Path
from typing import Any

from croupier.dialects.registry import DIALECTS

COLUMNS = ("name", "bot", "run", "dialect", "nonce")
START = "run"
"""The file that starts a program in a folder of its own."""
ARGUMENTS = "{host} {port} {pid} {name} {key}"
"""What programs of a folder are started with."""


class TeamListError(ValueError):
    """A list that cannot be read; the message says why."""


def read_team_list(value: Any, folder: Path) -> list[dict[str, Any]]:
    """Return the teams of a list, each as the values of a [[team]]."""
    if isinstance(value, str):
        return _from_csv(folder / value)
    if isinstance(value, dict) and value.keys() == {"folder", "dialect"}:
        name, dialect = value["folder"], value["dialect"]
        if isinstance(name, str) and dialect in DIALECTS:
            return _from_folder(folder / name, name, dialect)
    raise TeamListError(
        'is a CSV file such as "teams.csv", or { folder = "bots", dialect = "NAME" } with one of'
        f" {', '.join(DIALECTS)}"
    )


def _from_csv(path: Path) -> list[dict[str, Any]]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise TeamListError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TeamListError(f"{path} is not UTF-8 text") from None
    rows = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    teams = []
    try:
        header = [cell.strip() for cell in next(rows, [])]
        unknown = [name for name in header if name not in COLUMNS]
        if "name" not in header or unknown:
            raise TeamListError(
                f"{path} begins with the names of its columns: name, and some of"
                f" {', '.join(COLUMNS[1:])}" + (f"; not {unknown[0]!r}" if unknown else "")
            )
        for row in rows:
            cells = [cell.strip() for cell in row]
            if len(cells) > len(header):
                raise TeamListError(f"{path}, line {rows.line_num}: too many columns")
            if any(cells):
                named = zip(header, cells, strict=False)
                teams.append({name: cell for name, cell in named if cell})
    except csv.Error as error:
        raise TeamListError(f"{path}, line {rows.line_num}: {error}") from None
    return teams


def _from_folder(path: Path, name: str, dialect: str) -> list[dict[str, Any]]:
    """Return a team for each program: an executable file, or a folder with one called `run`."""
    try:
        entries = sorted(path.iterdir())
    except OSError as error:
        raise TeamListError(f"cannot read {path}: {error.strerror}") from None
    teams = []
    for entry in entries:
        program = entry / START if entry.is_dir() else entry
        if not entry.name.startswith(".") and program.is_file() and os.access(program, os.X_OK):
            file = Path(name) / program.relative_to(path)
            command = f"{shlex.quote(str(file))} {ARGUMENTS}"
            teams.append({"name": entry.stem, "run": command, "dialect": dialect})
    if not teams:
        raise TeamListError(
            f"{path} has no programs: an executable file each, or a folder with an executable"
            f" file {START!r}"
        )
    return teams
