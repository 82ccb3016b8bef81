"""Parse server addresses: `DIALECT[+tls]://HOST[:PORT][/TABLE][?KEY=VALUE…]`.

The query holds everything else that a dialect needs, so an address is complete on its own. The
`Dialect` defines which keys are valid and whether a table can be chosen.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from croupier.client.result import JoinError
from croupier.dialects.dialect import Dialect, Join
from croupier.dialects.nonces import WHAT, is_nonce
from croupier.dialects.player_side import PlayerSide
from croupier.dialects.registry import DIALECTS
from croupier.rules.rules import Rules, nearest

TLS = "+tls"
"""Follows the dialect in the address of a server that speaks TLS."""

HANDS = 100
"""Hands to play by default where the player chooses the length of a match."""


@dataclass(frozen=True)
class Address:
    """A server, the dialect it speaks and the settings to join it with."""

    dialect: Dialect
    host: str
    port: int
    table: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    tls: bool = False

    @property
    def netloc(self) -> str:
        """Host and port, as shown to the user."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def rules(self) -> Rules:
        """The rules that the dialect defines for these settings."""
        if self.dialect.rules_of_address is None:
            return self.dialect.rules
        try:
            return self.dialect.rules_of_address(self.settings)
        except ValueError as error:
            raise JoinError(str(error)) from None


def parse_address(text: str) -> Address:
    """Parse an address; raise JoinError if it is not valid."""
    parts = urlsplit(text)
    dialect = DIALECTS.get(parts.scheme.removesuffix(TLS))
    if dialect is None or "://" not in text:
        raise JoinError(
            f"{text!r} is not DIALECT://HOST:PORT{nearest(parts.scheme, DIALECTS)} (there are"
            f" {', '.join(DIALECTS)})"
        )
    name = dialect.name
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0 or parts.netloc.endswith(":"):
        raise JoinError(
            f"a port is a number from 1 to 65535, not {parts.netloc.rpartition(':')[2]!r}"
        )
    if not parts.hostname:
        raise JoinError(f"{text!r} names no host; write {name}://127.0.0.1:{dialect.port}")
    if parts.username is not None or parts.fragment:
        surplus = f"#{parts.fragment}" if parts.fragment else parts.netloc.rpartition("@")[0] + "@"
        raise JoinError(f"an address has no {surplus!r}; write {name}://HOST:PORT?KEY=VALUE")
    table = unquote(parts.path.strip("/"))
    if table and not dialect.has_tables:
        raise JoinError(f"{name} has no tables to choose from; leave out /{table}")
    settings: dict[str, str] = {}
    for key, value in parse_qsl(parts.query, keep_blank_values=True):
        if key not in dialect.settings:
            hint = nearest(key, dialect.settings)
            known = ", ".join(dialect.settings) or "none"
            raise JoinError(f"{name} has no setting {key!r}{hint} (there are: {known})")
        if key in settings:
            raise JoinError(f"the address has {key} twice")
        settings[key] = value
    tls = parts.scheme.endswith(TLS)
    return Address(dialect, parts.hostname, port or dialect.port, table, settings, tls)


def matches_of(address: Address, games: int | None) -> int:
    """Return how many matches to play; some dialects count `games` as hands of a single match."""
    return 1 if address.dialect.games_are_hands else (games or 1)


def player_maker(
    address: Address,
    name: str | None,
    bot_name: str,
    games: int | None,
    rules: Rules,
    nonce: str | None = None,
) -> Callable[[], PlayerSide]:
    """Return a factory that creates the player's side of each match.

    The name defaults to the bot's; identifiers that must be unique on a server are drawn at random
    unless the address gives them.
    """
    dialect = address.dialect
    if nonce is not None and not dialect.nonce_help:
        able = ", ".join(other.name for other in DIALECTS.values() if other.nonce_help)
        raise JoinError(f"{dialect.name} has no room for a nonce; these have: {able}")
    if nonce is not None and not is_nonce(nonce):
        raise JoinError(f"{WHAT}, not {nonce!r}")
    if name == "":
        raise JoinError("the name is empty")
    if not dialect.plays(rules):
        raise JoinError(f"the rules {rules.name} cannot be played in {dialect.name}")
    join = Join(
        name,
        bot_name or "bot",
        address.table,
        address.settings,
        games or HANDS,
        rules,
        secrets.randbelow,
        nonce or "",
    )
    try:
        make = dialect.player(join)
        make()
    except ValueError as error:
        raise JoinError(str(error)) from None
    return make
