"""Where to play, and as what: `DIALECT://HOST[:PORT][/TABLE][?KEY=VALUE…]`.

What each dialect needs besides is in the query, so that an address is all there is to say:

| dialect  | /TABLE             | keys                                                        |
|----------|--------------------|-------------------------------------------------------------|
| `huawei` | –                  | `pid`, the number to register with                          |
| `trend`  | the path, if any   | –                                                           |
| `room`   | the room           | `seats`, `bots` (names with commas between), `version` 1, 2 |
| `kuhn`   | –                  | `id`, and `spelling`: text, binary                          |
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from croupier.client.result import JoinError
from croupier.dialects.huawei.player import HuaweiPlayer
from croupier.dialects.huawei.reader import MAX_NAME
from croupier.dialects.kuhn.player import KuhnPlayer
from croupier.dialects.kuhn.start import MAX_DIGITS
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.dialects.player_base import PlayerSide
from croupier.dialects.room.player import RoomPlayer
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.trend.player import TrendPlayer
from croupier.rules.rules import HOLDEM, Rules, nearest
from croupier.rules.sets import HUAWEI, KUHN, ROOM, ROOM2, TREND

PORTS = {"huawei": 6000, "trend": 3000, "room": 18888, "kuhn": 1212}
KEYS: dict[str, tuple[str, ...]] = {
    "huawei": ("pid",),
    "trend": (),
    "room": ("seats", "bots", "version"),
    "kuhn": ("id", "spelling"),
}
WITH_TABLE = ("trend", "room")

HANDS = 100
"""How many hands are played in `room` and `kuhn` unless the user says so."""

FIRST_HOUSE_PID = 9001
"""From here on a table numbers players who brought no pid; ours stay below."""


@dataclass(frozen=True)
class Address:
    """A server, and how to speak to it."""

    dialect: str
    host: str
    port: int
    table: str = ""
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Host and port, as they are shown."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def rules(self) -> Rules:
        """The rules that the dialect's own document has."""
        if self.dialect == "room":
            return ROOM if self.version == V1 else ROOM2
        return {"huawei": HUAWEI, "trend": TREND, "kuhn": KUHN}[self.dialect]

    @property
    def version(self) -> int:
        """The version of `room` that is spoken."""
        return _number(self.settings, "version", V2, V1, V2)


def parse_address(text: str) -> Address:
    """Return the address that a text means."""
    parts = urlsplit(text)
    dialect = parts.scheme
    if dialect not in PORTS or "://" not in text:
        raise JoinError(
            f"{text!r} is not DIALECT://HOST:PORT{nearest(dialect, PORTS)} (there are"
            f" {', '.join(PORTS)})"
        )
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0 or parts.netloc.endswith(":"):
        raise JoinError(
            f"a port is a number from 1 to 65535, not {parts.netloc.rpartition(':')[2]!r}"
        )
    if not parts.hostname:
        raise JoinError(f"{text!r} names no host; write {dialect}://127.0.0.1:{PORTS[dialect]}")
    if parts.username is not None or parts.fragment:
        surplus = f"#{parts.fragment}" if parts.fragment else parts.netloc.rpartition("@")[0] + "@"
        raise JoinError(f"an address has no {surplus!r}; write {dialect}://HOST:PORT?KEY=VALUE")
    table = unquote(parts.path.strip("/"))
    if table and dialect not in WITH_TABLE:
        raise JoinError(f"{dialect} has no tables to choose from; leave out /{table}")
    settings: dict[str, str] = {}
    for key, value in parse_qsl(parts.query, keep_blank_values=True):
        if key not in KEYS[dialect]:
            hint = nearest(key, KEYS[dialect])
            known = ", ".join(KEYS[dialect]) or "none"
            raise JoinError(f"{dialect} has no setting {key!r}{hint} (there are: {known})")
        if key in settings:
            raise JoinError(f"the address has {key} twice")
        settings[key] = value
    return Address(dialect, parts.hostname, port or PORTS[dialect], table, settings)


def matches_of(address: Address, games: int | None) -> int:
    """Return how many matches are played: in `room` and `kuhn` games are the hands of one."""
    return (games or 1) if address.dialect in ("huawei", "trend") else 1


def player_maker(
    address: Address, name: str | None, bot_name: str, games: int | None, rules: Rules
) -> Callable[[], PlayerSide]:
    """Return what makes the player's side of one match after the other.

    Without a name the bot's is used; what has to be unique on a server and is not given is drawn.
    In `kuhn`, where nobody has a name, it is the id.
    """
    if name == "":
        raise JoinError("the name is empty")
    if (rules.game == HOLDEM) == (address.dialect == "kuhn"):
        raise JoinError(f"the rules {rules.name} cannot be played in {address.dialect}")
    make = _makers[address.dialect](address, name, bot_name or "bot", games or HANDS, rules)
    try:
        make()
    except ValueError as error:
        raise JoinError(str(error)) from None
    return make


def _huawei(
    address: Address, name: str | None, bot_name: str, games: int, rules: Rules
) -> Callable[[], PlayerSide]:
    drawn = 1 + secrets.randbelow(FIRST_HOUSE_PID - 1)
    pid = _number(address.settings, "pid", drawn, 0, 10**18 - 1)
    return lambda: HuaweiPlayer(pid, name or bot_name[:MAX_NAME], rules)


def _trend(
    address: Address, name: str | None, bot_name: str, games: int, rules: Rules
) -> Callable[[], PlayerSide]:
    private = name or f"{bot_name}-{secrets.token_hex(4)}"
    return lambda: TrendPlayer(private, rules)


def _room(
    address: Address, name: str | None, bot_name: str, games: int, rules: Rules
) -> Callable[[], PlayerSide]:
    settings, version = address.settings, address.version
    bots = [bot for bot in settings.get("bots", "").split(",") if bot]
    seats = _number(settings, "seats", max(2, len(bots) + 1), 2, 10)
    room = address.table or "0"
    return lambda: RoomPlayer(name or bot_name, room, seats, bots, games, version, rules)


def _kuhn(
    address: Address, name: str | None, bot_name: str, games: int, rules: Rules
) -> Callable[[], PlayerSide]:
    spelling = address.settings.get("spelling", TEXT)
    if spelling not in (TEXT, BINARY):
        raise JoinError(f"spelling is {TEXT} or {BINARY}, not {spelling!r}")
    settings, highest = address.settings, 2**31 - 1 if spelling == BINARY else 10**MAX_DIGITS - 1
    if name is not None:
        if "id" in settings:
            raise JoinError("in kuhn the name is the id; give one of them, not both")
        if not _is_number(name, 1, highest):
            raise JoinError(
                f"in kuhn the name is the id, a number from 1 to {highest}, not {name!r}"
            )
        settings = {"id": name}
    drawn = 1 + secrets.randbelow(10**6)
    number = _number(settings, "id", drawn, 1, highest)
    return lambda: KuhnPlayer(number, games, spelling, rules)


_makers = {"huawei": _huawei, "trend": _trend, "room": _room, "kuhn": _kuhn}


def _number(settings: dict[str, str], key: str, default: int, low: int, high: int) -> int:
    text = settings.get(key)
    if text is None:
        return default
    if not _is_number(text, low, high):
        raise JoinError(f"{key} is a number from {low} to {high}, not {text!r}")
    return int(text)


def _is_number(text: str, low: int, high: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high
