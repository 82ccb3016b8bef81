"""A protocol as a value: everything that the rest of the program has to know about it.

A dialect is a package with a session (what a player sends), a speaker (what a table sends), a
player side and its vocabulary, and one `Dialect` that names them. `registry.DIALECTS` is the only
list of dialects; no other code depends on which one it is dealing with.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from croupier.dialects.base import Speaker, SpectatorSpeaker
from croupier.dialects.player_side import PlayerSide
from croupier.dialects.roster import Listeners, Place, Roster
from croupier.dialects.scenarios import Scenario
from croupier.dialects.session import Session
from croupier.dialects.turns import Turns
from croupier.rules.events import Event
from croupier.rules.rules import HOLDEM, MAX_SEATS, Rules


class Transport(Enum):
    """The transport of a dialect's messages."""

    TCP = "tcp"
    WEBSOCKET = "ws"
    SITE = "site"
    """A private socket of the website's process, which speaks for people in browsers."""


class OnDemand(Enum):
    """The kinds of tables that a dialect opens on demand, besides prepared tables."""

    ROOMS = "rooms"
    """Rooms, each created by the first player that asks for it."""
    CHALLENGES = "challenges"
    """A separate table for each player, against a house bot."""


class Recognised(Enum):
    """How the organiser identifies a player beforehand."""

    BY_NAME = "name"
    BY_PID = "pid"
    BY_TOKEN = "token"
    """By the digest of a private name, from the registry."""


@dataclass(frozen=True)
class ListenerOption:
    """An option of a listener, on the command line and in files."""

    key: str
    what: str
    """Its valid values, as described in error messages."""
    parse: Callable[[str], Any]
    """Parse a value from the command line; raise ValueError if it is invalid."""
    accepts: Callable[[Any], bool]
    """Tell whether a value from a file is valid."""


SEAT = "seat"
NAME = "name"
"""Options of listeners that belong to one seat: which, and how its player is called."""
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
"""For dialects that keep a gap between two messages to the same player."""


@dataclass(frozen=True)
class Join:
    """A bot's request to join a server of the dialect."""

    name: str | None
    """The name given by the user; None: the dialect chooses a name or number."""
    bot_name: str
    """The name of its class."""
    table: str
    settings: Mapping[str, str]
    """The settings that follow the address."""
    hands: int
    """The number of hands to request, where the player side requests it."""
    rules: Rules
    draw: Callable[[int], int]
    """Draw a random number below a bound."""
    nonce: str = ""
    """A public text to be hashed into the deals, if its dialect has room for one."""

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """Return a numeric setting."""
        return number_setting(self.settings, key, default, low, high)


def number_setting(settings: Mapping[str, str], key: str, default: int, low: int, high: int) -> int:
    """Return a numeric setting of an address; raise ValueError if it is invalid."""
    text = settings.get(key)
    if text is None:
        return default
    if not is_number(text, low, high):
        raise ValueError(f"{key} is a number from {low} to {high}, not {text!r}")
    return int(text)


def is_number(text: str, low: int, high: int) -> bool:
    """Tell whether a string is a number within these limits."""
    return text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high


def plain_name(place: Place) -> str:
    """Return the name that a player chose."""
    return place.name


def by_name(place: Place) -> tuple[str | None, ...]:
    """Identify a reconnecting player by its name."""
    return (place.dialect, place.name)


def own_name(place: Place) -> tuple[str, ...]:
    """Label a player's transcript by dialect and name."""
    return (place.dialect, place.name)


def no_player_side(join: Join) -> Callable[[], PlayerSide]:
    """Refuse a program: only people play in this dialect."""
    raise ValueError("people play this on the website; programs connect in another dialect")


KEY_LENGTH = 20
"""Characters of a key that is a word; the shortest name that a dialect admits has room for it."""
_KEY_CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def word_key(draw: Callable[[int], int]) -> str:
    """Make a key that is a word, without characters that look alike."""
    return "".join(_KEY_CHARACTERS[draw(len(_KEY_CHARACTERS))] for _ in range(KEY_LENGTH))


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """The description of a protocol."""

    name: str
    about: str
    """A few words about the wire format, for people looking for their protocol."""
    port: int
    """The default port."""
    document: str = ""
    """What the page of the protocol tells, in one sentence, if it has one."""
    transport: Transport = Transport.TCP
    rule_sets: tuple[Rules, ...]
    """The games of its own specification; the first is the default."""
    games: tuple[str, ...] = (HOLDEM,)
    """The games that its messages can express."""
    antes: bool = False
    """Whether they can express antes."""
    problem_of: Callable[[Rules], str] | None = None
    """Return why its messages cannot express rules of these games, or an empty string."""
    usual_seats: Callable[[Rules], int] | None = None
    """Return how many seats a table has if nobody says it."""
    max_seats: int = MAX_SEATS
    """The largest number of seats that its messages can express."""
    options: tuple[ListenerOption, ...] = ()
    gap_ms: int = 0
    """Default gap in milliseconds between two messages to the same player: programs of some
    protocols treat whatever one read returns as one message."""

    # The server's side.
    first_message: str
    """The name of a player's first message, for error messages."""
    session: Callable[..., Session]
    """Make the session of a connection, given the options of its listener."""
    speaker: Callable[[Roster, Listeners, Callable[[], str]], Speaker]
    """Make the speaker of a table, given its roster, its listeners and the time of day."""
    default_listener: Any = None
    """The listener assumed for a player that has not reconnected yet after a restart."""
    spectator_speaker: (
        Callable[[Roster, Listeners, Iterable[int], Callable[[], str]], SpectatorSpeaker] | None
    ) = None
    """Make the speaker for spectators, if the protocol has any, given the roster, the listeners,
    the numbers of the spectators and the time of day."""
    reloads: bool = False
    """Whether players can buy chips in it."""
    on_demand: OnDemand | None = None
    section: str = ""
    """The section of an arena file for such tables."""
    rules_of_room: Callable[[Sequence[Rules], Any, int | None], Rules] | None = None
    """Choose the rules of a room among those configured for `rule_sets`, given the listener of its
    first player and the number of hands which that player asks for."""
    bot_names: Callable[[Sequence[str]], list[dict[Any, str]]] | None = None
    """Return the names of requested house bots, each by listener."""

    # The identity of a player.
    recognised: Recognised = Recognised.BY_NAME
    identity: Callable[[Place], tuple[str | None, ...]] = by_name
    """Return what a reconnecting player must present to get its place back."""
    unique: bool = True
    """Whether the identities of a table's players must be distinct."""
    rejoins: bool = False
    """Whether a disconnected player may rejoin a running match."""
    takes_over: bool = False
    """Whether a new connection of a player takes the place of its old one."""
    renews: bool = False
    """Whether, in a contest, a player may go on with a new connection between two hands, which
    takes the place of its old one."""
    human: bool = False
    """Whether its players are people, who get the time that the rules give to people."""
    called: Callable[[Place], str] = plain_name
    """Return the player's name in dialects that do not use its pid."""
    transcript_label: Callable[[Place], tuple[str, ...]] = own_name
    private_names: bool = False
    """Whether players join with a secret, so that guessing has to be slowed down."""

    key: Callable[[Callable[[int], int]], str] = word_key
    """Make a key that a player can present, given what draws a random number below a bound."""

    commitment: Callable[[str], bytes] | None = None
    """Encode the commitment to the seed, for players that gave a nonce; None: the protocol has no
    room for a nonce."""
    log: Callable[[str, Rules, Sequence[str], Iterable[Sequence[Event]], bool], Iterator[str]] | (
        None
    ) = None
    """Write a match as the logs of the protocol have it, given a title, the rules, the players'
    names, the events of each hand and whether the match has ended."""

    # The player's side.
    player: Callable[[Join], Callable[[], PlayerSide]]
    """Return a factory of player sides, one per match; raise ValueError for an invalid request."""
    settings: tuple[str, ...] = ()
    """The settings that may follow an address."""
    has_tables: bool = False
    """Whether an address may name a table."""
    named: bool = True
    """Whether a name stands for somebody; a number that anyone may take does not."""
    games_are_hands: bool = False
    """Whether a requested number of games means the hands of one match, not matches."""
    rules_of_address: Callable[[Mapping[str, str]], Rules] | None = None
    """Return the rules that the settings of an address select, if they do."""

    # The checker.
    scenarios: tuple[Scenario, ...] = ()
    turns: Callable[[], Turns] | None = None
    """Make the classifier of a program's surplus answers, if the protocol makes that possible."""
    checker_rules: Mapping[str, int] = field(default_factory=dict)
    """Changes to its own rules while a program is checked."""

    # Texts for people.
    address_example: str
    """An address with its settings, for help texts."""
    key_help: str
    """Where a player presents its key."""
    nonce_help: str = ""
    """Where a player gives a nonce, if the protocol has room for one."""
    name_help: str = ""
    """What the name of a bot means here, if it is not a plain name."""
    returns_help: str = ""
    """When a bot may reconnect after a lost connection."""

    @property
    def guide(self) -> str:
        """The path of its documentation."""
        return f"protocols/{self.name}"

    @property
    def rules(self) -> Rules:
        """The default rules of its specification."""
        return self.rule_sets[0]

    def plays(self, rules: Rules) -> bool:
        """Tell whether a game can be played in this dialect."""
        return not self.problem(rules)

    def problem(self, rules: Rules) -> str:
        """Return why a game cannot be played in this dialect, or an empty string."""
        if rules.game not in self.games:
            return f"it cannot express {rules.game}"
        return "" if self.problem_of is None else self.problem_of(rules)
