"""One protocol as a value: everything that the rest of the house has to know of it.

A dialect is a package with its session (what a player says), its speaker (what a table says), its
player side and its words, and one `Dialect` that names them. `registry.DIALECTS` is the only list
of them; nothing else asks which one it is dealing with.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from croupier.dialects.base import Speaker, SpectatorSpeaker
from croupier.dialects.player_side import PlayerSide
from croupier.dialects.roster import Listeners, Place, Roster
from croupier.dialects.scenarios import Scenario
from croupier.dialects.session import Session
from croupier.dialects.turns import Turns
from croupier.rules.rules import HOLDEM, MAX_SEATS, Rules


class Transport(Enum):
    """What carries the messages of a dialect."""

    TCP = "tcp"
    WEBSOCKET = "ws"


class OnDemand(Enum):
    """What a dialect opens for its players besides prepared tables."""

    ROOMS = "rooms"
    """Rooms that come into being with the first player that asks for them."""
    CHALLENGES = "challenges"
    """A table for each player alone, against a bot of the house."""


class Recognised(Enum):
    """By what the organiser knows a player beforehand."""

    BY_NAME = "name"
    BY_PID = "pid"
    BY_TOKEN = "token"
    """The digest of a private name, from the registry."""


@dataclass(frozen=True)
class ListenerOption:
    """A setting of a listener, on the command line and in files."""

    key: str
    what: str
    """Which values it has, as an error says it."""
    parse: Callable[[str], Any]
    """Return the value of a text; raise ValueError for what is none."""
    accepts: Callable[[Any], bool]
    """Tell whether a value of a file is one."""


GAP_MS = "gap_ms"
MAX_GAP_MS = 1000


def _gap(text: str) -> int:
    if not is_number(text, 0, MAX_GAP_MS):
        raise ValueError
    return int(text)


GAP_OPTION = ListenerOption(
    GAP_MS,
    f"a whole number of milliseconds from 0 to {MAX_GAP_MS}",
    _gap,
    lambda value: type(value) is int and 0 <= value <= MAX_GAP_MS,
)
"""For dialects with a gap between two messages to the same player."""


@dataclass(frozen=True)
class Join:
    """What a bot wants at a server of the dialect."""

    name: str | None
    """What the user calls it; None: the dialect finds a name or number."""
    bot_name: str
    """What its class is called."""
    table: str
    settings: Mapping[str, str]
    """What stands behind the address."""
    hands: int
    """How many hands are wanted, where the player side says so."""
    rules: Rules
    draw: Callable[[int], int]
    """Draw a number below another one."""

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """Return a setting that is a number."""
        return number_setting(self.settings, key, default, low, high)


def number_setting(settings: Mapping[str, str], key: str, default: int, low: int, high: int) -> int:
    """Return a number of an address's settings; raise ValueError if it is none."""
    text = settings.get(key)
    if text is None:
        return default
    if not is_number(text, low, high):
        raise ValueError(f"{key} is a number from {low} to {high}, not {text!r}")
    return int(text)


def is_number(text: str, low: int, high: int) -> bool:
    """Tell whether a text is a number within these limits."""
    return text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high


def plain_name(place: Place) -> str:
    """Return the name that a player gave itself."""
    return place.name


def by_name(place: Place) -> tuple[str | None, ...]:
    """Recognise a player that comes back by its name."""
    return (place.dialect, place.name)


def own_name(place: Place) -> tuple[str, ...]:
    """Return how a player's transcript is labelled: by dialect and name."""
    return (place.dialect, place.name)


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """All there is to know of a protocol."""

    name: str
    about: str
    """A few words on the wire, for people who look for their protocol."""
    port: int
    """The usual one."""
    transport: Transport = Transport.TCP
    rule_sets: tuple[Rules, ...]
    """The games of its own document; the first is the usual one."""
    game: str = HOLDEM
    max_seats: int = MAX_SEATS
    """How many seats it can speak of."""
    options: tuple[ListenerOption, ...] = ()
    gap_ms: int = 0
    """Milliseconds between two messages to the same player, unless its listener has another gap:
    programs of some protocols take whatever one read returns for one message."""

    # The server's side.
    first_message: str
    """What a player says first, as an error speaks of it."""
    session: Callable[..., Session]
    """Make the session of a connection, from the options of its listener."""
    speaker: Callable[[Roster, Listeners, Callable[[], str]], Speaker]
    """Make the speaker of a table: who is who, who listens, and a clock for the time of day."""
    default_listener: Any = None
    """What is assumed of a player that has not come back yet after a restart."""
    spectator_speaker: (
        Callable[[Roster, Listeners, Iterable[int], Callable[[], str]], SpectatorSpeaker] | None
    ) = None
    """Make the speaker for spectators, if the protocol has any: who is who, which players listen
    in the dialect, the numbers of the spectators, and a clock for the time of day."""
    reloads: bool = False
    """It has a word for buying chips."""
    on_demand: OnDemand | None = None
    section: str = ""
    """Where an arena's file speaks of that."""
    rules_of_room: Callable[[Sequence[Rules], Any, int | None], Rules] | None = None
    """Return the rules of a room: of those that stand for the dialect's own sets, for a first
    player with this listener that asks for so many hands."""
    bot_names: Callable[[Sequence[str]], list[dict[Any, str]]] | None = None
    """Return what house bots that were asked for are called, by what their listener is."""

    # Who a player is.
    recognised: Recognised = Recognised.BY_NAME
    identity: Callable[[Place], tuple[str | None, ...]] = by_name
    """Return what a player must show to be taken for the one who had a place."""
    unique: bool = True
    """No two players of a table may have the same identity."""
    rejoins: bool = False
    """A player that lost its connection may come back to a running match."""
    called: Callable[[Place], str] = plain_name
    """Return how those who have no number for a player call it."""
    transcript_label: Callable[[Place], tuple[str, ...]] = own_name
    private_names: bool = False
    """Players join with a secret: who guesses is slowed down."""

    # The player's side.
    player: Callable[[Join], Callable[[], PlayerSide]]
    """Return what makes the player's side of one match after another; raise ValueError."""
    settings: tuple[str, ...] = ()
    """What may stand behind an address."""
    has_tables: bool = False
    """An address may name a table."""
    games_are_hands: bool = False
    """A bot plays one match of so many hands, and not so many matches."""
    rules_of_address: Callable[[Mapping[str, str]], Rules] | None = None
    """Return the rules that an address asks for, where its settings decide."""

    # The checker.
    scenarios: tuple[Scenario, ...] = ()
    turns: Callable[[], Turns] | None = None
    """Make what tells surplus answers of a program apart, where the protocol lets one tell."""
    checker_rules: Mapping[str, int] = field(default_factory=dict)
    """What is different from its own rules when a program is checked."""

    # Words for people.
    address_example: str
    """An address with its settings, for help texts."""
    name_help: str = ""
    """What the name of a bot means here, if it is no plain name."""
    returns_help: str = ""
    """When a bot may come back after its connection was lost."""
    hand_words: Callable[[Sequence[int]], Any] | None = None
    """Return what the protocol calls a hand of seven cards."""

    @property
    def guide(self) -> str:
        """The document about it."""
        return f"protocols/{self.name}"

    @property
    def rules(self) -> Rules:
        """The usual rules of its document."""
        return self.rule_sets[0]

    def plays(self, rules: Rules) -> bool:
        """Tell whether a game can be played in this dialect."""
        return rules.game == self.game
