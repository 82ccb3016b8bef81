"""`croupier.run`: a bot at a server, from a program that knows nothing of events and sockets."""

import asyncio

from croupier.bots.bot import Bot
from croupier.client.address import matches_of, parse_address, player_maker
from croupier.client.result import JoinError, Result
from croupier.client.session import Session
from croupier.rules.rules import Rules
from croupier.rules.sets import named

PATIENCE = 600.0


def run(
    bot: Bot,
    url: str,
    *,
    name: str | None = None,
    games: int | None = None,
    rules: Rules | str | None = None,
    patience: float = PATIENCE,
) -> Result:
    """Let a bot play at a server and return what it won; raise JoinError if it cannot go on.

    `url` is DIALECT://HOST[:PORT][/TABLE], with what the dialect needs besides behind a `?`.
    `games` is how many matches to play, 1 unless given; in `room` and `kuhn` it is how many hands,
    100 unless given. `rules` are those that the table plays by, if not the dialect's own.
    `patience` is for how many seconds the server may say nothing, 0 for ever. Ctrl-C ends it early.
    """
    if games is not None and games < 1:
        raise JoinError(f"games is at least 1, not {games}")
    address = parse_address(url)
    if isinstance(rules, str):
        rules = named(rules)
    make_side = player_maker(address, name, type(bot).__name__, games, rules or address.rules)
    session = Session(bot, address, make_side, matches_of(address, games), patience)
    try:
        asyncio.run(session.play())
    except KeyboardInterrupt:
        session.result.interrupted = True
    except JoinError as error:
        error.result = session.result
        raise
    return session.result
