"""Checks whether a team can play a stage's game with what it has."""

from collections.abc import Iterator
from pathlib import Path

from croupier.bot_files import BotFileError, split_bot
from croupier.bots import bots_for
from croupier.contest.plan import StagePlan, Team
from croupier.dialects.registry import DIALECTS
from croupier.rules.rules import nearest
from croupier.server.arena.programs import ProgramError, words_of


def is_house(bot: str) -> bool:
    """Tell whether a bot is named as house bots are."""
    return bool(bot) and ":" not in bot and not bot.endswith(".py")


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
