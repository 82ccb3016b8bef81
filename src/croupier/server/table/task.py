"""One match as a task for a worker, and what comes back.

Both are plain values, so that they can travel to another process or machine.
"""

import msgspec

from croupier.match.chance import SeededChance, chance_of
from croupier.rules.rules import Rules


class Player(msgspec.Struct, frozen=True):
    """Who plays in a match, and how it is reached."""

    team: str
    bot: str = ""
    """A house bot's name, or a class as `FILE.py:Class`."""
    command: str = ""
    """The command that starts its program."""
    dialect: str = ""
    """The dialect of its program, or of the connection that is awaited; empty for a bot."""
    pid: str = ""
    """The number that its program is started with."""


class MatchTask(msgspec.Struct, frozen=True):
    """A whole match."""

    name: str
    """Its name in the contest, such as `final/r1.2/1.1`."""
    place: str
    """Its place in the store."""
    rules: Rules
    players: tuple[Player, ...]
    """In the order of their player numbers."""
    seed: bytes
    secret: bool
    recorded: bool
    """Whether its hands are recorded, or only its result."""
    folder: str
    """The folder that the files of bots and programs are relative to."""
    output: str
    """The folder for the output of programs."""
    arrive_s: float = 20.0
    """Seconds that programs have to take their seats."""
    transcripts: str = ""
    """The folder for transcripts, if they are kept."""
    boxed: bool = False
    """Whether programs run in boxes."""
    hidden: tuple[str, ...] = ()
    """What no program sees in its box, such as the store."""
    twin: int = 0
    """Its number in a set of duplicates."""
    owned: tuple[str, ...] = ()
    """The files of all teams, each of which is seen only by those whose command names it."""
    luck: bool = False
    """Whether the luck of its players is part of its result."""


def chance_for(task: MatchTask) -> SeededChance:
    """Return where the cards of a match come from, and the chance of its house bots."""
    return chance_of(task.seed, task.twin, task.rules.hands, len(task.players))


class PlayerResult(msgspec.Struct):
    """What a player made of a match."""

    chips: int = 0
    """Won, negative if lost."""
    bb: float = 0.0
    bb2: float = 0.0
    """The sum of squares over hands, in big blinds."""
    groups: list[float] = []
    """What it won in each group of deals, in big blinds."""
    rank: int = 1
    survived: int = 0
    faults: int = 0
    timeouts: int = 0
    causes: dict[str, int] = {}
    """Its faults by cause, where the record does not have them."""
    forfeit: str = ""
    """Why the player did not play the match, or not to its end; empty: it did."""
    luck: bytes = b""
    """The terms of its luck, if they were asked for."""


class Played(msgspec.Struct):
    """The result of a match."""

    hands: int
    players: list[PlayerResult]
    digest: str = ""
    """Of the chips of all players after each hand."""
    match_id: str = ""
    """Its record in the store, if its hands were recorded."""
