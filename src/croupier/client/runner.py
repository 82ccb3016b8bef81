"""`croupier.run`: play a bot at a server from a synchronous program."""

import asyncio
import os
from typing import cast

from croupier import ranking
from croupier.bots.bot import Bot
from croupier.bots.style import StyleAgent
from croupier.client.address import TLS, matches_of, parse_address, player_maker
from croupier.client.connections import trust
from croupier.client.progress import Progress
from croupier.client.result import JoinError, Result
from croupier.client.session import RETRY, Session
from croupier.rules.rules import Rules
from croupier.rules.sets import named

PATIENCE = 600.0
"""Seconds for which the server may stay silent by default."""


def run(
    bot: Bot | type[Bot],
    url: str,
    *,
    name: str | None = None,
    games: int | None = None,
    rules: Rules | str | None = None,
    patience: float = PATIENCE,
    retry: float = RETRY,
    progress: Progress | None = None,
    ca: str | os.PathLike[str] | None = None,
    nonce: str | None = None,
) -> Result:
    """Play a bot at a server and return what it won; raise JoinError if it cannot continue.

    `url` is DIALECT://HOST[:PORT][/TABLE], followed by `?` and the settings of the dialect; it
    begins with DIALECT+tls:// if the server speaks TLS. `ca` is a file with the certificates to
    trust, if not those that the system does.
    `games` is how many matches to play, 1 by default; in dialects whose players choose the length
    of a match, it is how many hands, 100 by default. `rules` are those of the table, if they differ
    from the dialect's own.
    `patience` is how many seconds the server may stay silent, 0 for no limit; `retry` is how many
    seconds to keep trying to reconnect to a server that is gone. Ctrl-C ends the session early.
    `progress` receives reports on the way. `nonce` is a public text that enters the deals, in
    dialects with room for one; the server then tells what it is bound to (`Result.commitment`).
    """
    _require_no_running_loop()
    bot = _instance_of(bot)
    if games is not None and games < 1:
        raise JoinError(f"games is at least 1, not {games}")
    address = parse_address(url)
    if ca is not None and not address.tls:
        dialect = address.dialect.name
        raise JoinError(f"a ca is for servers with TLS, at {dialect}{TLS}://{address.netloc}")
    if isinstance(rules, str):
        rules = named(rules)
    bot_name = bot.name if isinstance(bot, StyleAgent) else type(bot).__name__
    make_side = player_maker(address, name, bot_name, games, rules or address.rules, nonce)
    session = Session(
        bot,
        address,
        make_side,
        matches_of(address, games),
        patience,
        retry,
        progress,
        trust(ca) if address.tls else None,
    )
    ranking.prepare()
    try:
        asyncio.run(session.play())
    except KeyboardInterrupt:
        session.result.interrupted = True
    except JoinError as error:
        error.result = session.result
        raise
    return session.result


def _instance_of(bot: object) -> Bot:
    """Return the bot, creating it if its class was given."""
    name = bot.__name__ if isinstance(bot, type) else type(bot).__name__
    if not callable(getattr(bot, "decide", None)):
        raise JoinError(f"{name} is no bot: it has no decide(view)")
    if isinstance(bot, type):
        try:
            bot = bot()
        except Exception as error:
            raise JoinError(
                f"{name}() failed, so give run() a bot and not its class: {error}"
            ) from error
    return cast(Bot, bot)


def _require_no_running_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise JoinError(
        "run() waits until all is played, so it cannot be called where an event loop is running"
        " already; write: await asyncio.to_thread(croupier.run, bot, url)"
    )
