"""Reads the teams of a contest's file, and those of the list that it names."""

from pathlib import Path
from typing import Any

from croupier.contest.plan import Team
from croupier.dialects.registry import DIALECTS
from croupier.running.team_checks import is_house
from croupier.running.team_lists import TeamListError, read_team_list
from croupier.server.arena.toml_reader import TomlReader, any_of, is_text, one_of
from croupier.store.registry import display_problem, same_display

TEAM_KEYS = ("name", "bot", "run", "dialect", "nonce")


def read_teams(
    reader: TomlReader, values: dict[str, Any], folder: Path
) -> tuple[list[Team], list[str]]:
    """Return the teams of a contest, and the place of each in the file."""
    teams: list[Team] = []
    places: list[str] = []
    for index, row in enumerate(reader.rows(values, "team")):
        path = f"team[{index}]"
        found = _team(reader, reader.section(row, path, TEAM_KEYS), path)
        if _add_team(reader, teams, found, f"{path}.name"):
            places.append(path)
    if "teams" in values:
        try:
            for row in read_team_list(values["teams"], folder):
                _add_team(reader, teams, _team(reader, row, "teams"), "teams")
        except TeamListError as error:
            reader.wrong("teams", str(error))
    if len(teams) < 2 and not reader.mistakes:
        reader.wrong("team", "a contest has at least two teams, each with a [[team]] of its own")
    places += ["teams"] * (len(teams) - len(places))
    return teams, places


def _add_team(reader: TomlReader, teams: list[Team], team: Team | None, path: str) -> bool:
    """Add a team unless something is wrong with it; tell whether it was added."""
    if team is None:
        return False
    if any(same_display(team.name, other.name) for other in teams):
        reader.wrong(path, f"there are two teams {team.name!r}")
        return False
    teams.append(team)
    return True


def _team(reader: TomlReader, values: dict[str, Any], path: str) -> Team | None:
    name = reader.get(values, path, "name", "", is_text, "the name that others see")
    problem = display_problem(name) if name else "is missing: the name that others see"
    if problem or name != name.strip() or "/" in name:
        reader.wrong(f"{path}.name", problem or "has neither blanks at its ends nor a slash")
        return None
    bot = reader.get(values, path, "bot", "", is_text, "a house bot or FILE.py:Class")
    command = reader.get(values, path, "run", "", is_text, "a command")
    known = tuple(DIALECTS)
    dialect = reader.get(values, path, "dialect", "", one_of(known), any_of(known))
    nonce = reader.get(values, path, "nonce", "", is_text, "a text")
    if bot and (command or dialect):
        reader.wrong(path, "has a bot, so neither run nor dialect: a bot plays without either")
    elif command:
        if not dialect and "dialect" not in values:
            reader.wrong(f"{path}.dialect", f"is missing: {any_of(known)}, as the program speaks")
    elif not bot and not dialect and not {"bot", "run", "dialect"} & values.keys():
        reader.wrong(path, "needs bot, run with dialect, or dialect alone if it connects")
    return Team(name, bot, command, dialect, house=is_house(bot), nonce=nonce)
