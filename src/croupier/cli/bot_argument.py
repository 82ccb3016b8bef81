"""The BOT arguments of commands."""

from collections.abc import Sequence

from croupier.bot_files import BotFileError, load_bot
from croupier.bots import bots_for
from croupier.cli.errors import BadArgumentError
from croupier.match.chance import SeededChance
from croupier.play import Player
from croupier.rules.rules import Rules


def load_players(arguments: Sequence[str], seed: bytes, rules: Rules) -> list[Player]:
    """Return a player for each BOT argument; repeated names are numbered."""
    seen: dict[str, int] = {}
    players = []
    for index, argument in enumerate(arguments):
        try:
            bot = load_bot(argument, bots_for(rules), SeededChance(seed).bot(index))
        except BotFileError as error:
            raise BadArgumentError(str(error)) from None
        name = argument.rpartition(":")[2]
        seen[name] = seen.get(name, 0) + 1
        players.append(Player(name if seen[name] == 1 else f"{name}-{seen[name]}", bot))
    return players
