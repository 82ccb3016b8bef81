"""Which team of a contest a newcomer plays for: its key tells, or the listener that it came by.

These lobbies stand before the one in which all teams wait for their matches (fixtures.py).
"""

from collections.abc import Callable

from croupier.dialects.dialect import Dialect
from croupier.dialects.session import Hello, Refusal, RefusalKind, Watch, WatchBots
from croupier.server.lobbies.challenges import NOTHING_TO_WATCH
from croupier.server.lobbies.fixtures import FixtureLobby
from croupier.server.net.client import Client

Identify = Callable[[Dialect, Hello], str | Refusal]
"""Returns the display name of the team that a newcomer plays for, or why it is refused."""


class _TeamLobby:
    """Leads to the matches of a contest: for players, not for spectators."""

    in_contest = True

    def __init__(self, lobby: FixtureLobby) -> None:
        self._lobby = lobby

    def watch(self, client: Client, wish: Watch) -> Refusal | None:
        """Refuse: these matches are shown on the website only."""
        return NOTHING_TO_WATCH

    def watch_bots(self, client: Client, wish: WatchBots) -> Refusal | None:
        """Refuse: only teams play here."""
        return NOTHING_TO_WATCH


class KeyedLobby(_TeamLobby):
    """For all teams that connect by themselves; each is recognised by its key."""

    keyed = True

    def __init__(self, lobby: FixtureLobby, identify: Identify) -> None:
        """`identify` also counts and logs wrong keys."""
        super().__init__(lobby)
        self._identify = identify

    def enter(self, client: Client, hello: Hello) -> Refusal | None:
        """Let a team in that has presented its key."""
        if self._lobby.closed is not None:
            return self._lobby.closed
        team = self._identify(client.dialect, hello)
        return team if isinstance(team, Refusal) else self._lobby.admit(team, client, hello)


class ProgramLobby(_TeamLobby):
    """For the program of one team, which was started with its address.

    So it may call itself what it likes, as programs do that were written for another server.
    """

    keyed = False

    def __init__(self, lobby: FixtureLobby, team: str, key: str, has_to_prove: bool) -> None:
        """`key` was given to the program; `has_to_prove` says whether it has to present it."""
        super().__init__(lobby)
        self._team = team
        self._key = key
        self._has_to_prove = has_to_prove

    def enter(self, client: Client, hello: Hello) -> Refusal | None:
        """Let the team in."""
        if hello.secret == self._key:
            client.hide_key()
        elif self._has_to_prove:
            return Refusal(RefusalKind.UNKNOWN, "this is not the key of the program")
        return self._lobby.admit(self._team, client, hello)
