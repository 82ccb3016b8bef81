"""The turn: the player to act, its deadline, and who is folded without being asked.

State owned by this module:

- the player to act, and its deadline;
- whether it was disconnected when its turn came (`absent`): it then has `absence_ms` to reconnect,
  and its full decision time from then on;
- the players who are people (`humans`): they have `human_ms` for both. One who was absent for all
  of it is not waited for again before it reconnects (`given_up`);
- the players that were not ready when the hand began or whose time was up in it (`late`) and those
  that announced that they leave (`exited`): both are folded on their turn, which counts as a
  timeout;
- since when the player to act is thinking, and how long each player has thought in this hand, where
  the rules limit that; what it has thought in the match is in its accounts.

`asked` is NOBODY whenever no hand is in progress.
"""

from collections.abc import Iterable, Sequence

from croupier.match.entrant import Entrant
from croupier.match.events import TimedOut
from croupier.rules.hand import NOBODY
from croupier.rules.rules import Rules


class Turn:
    """Tracks the turn as it passes from player to player."""

    __slots__ = (
        "_absence_s",
        "_began",
        "_decision_s",
        "_exited",
        "_given_up",
        "_hand_ms",
        "_human_s",
        "_humans",
        "_late",
        "_limited",
        "_match_ms",
        "_players",
        "_used_ms",
        "absent",
        "asked",
        "deadline",
    )

    def __init__(self, rules: Rules, players: Sequence[Entrant]) -> None:
        self._decision_s = rules.decision_ms / 1000
        self._absence_s = rules.absence_ms / 1000
        self._human_s = rules.human_ms / 1000
        self._limited = bool(rules.hand_ms or rules.average_ms)
        self._hand_ms = rules.hand_ms
        self._match_ms = rules.average_ms * rules.hands
        self._used_ms: dict[int, int] = {}
        """How long players have thought in this hand."""
        self._began = 0.0
        """When the player to act got its question."""
        self._players = players
        self.asked = NOBODY
        self.deadline: float | None = None
        self.absent = False
        """Whether the player to act was disconnected when its turn came."""
        self._late: set[int] = set()
        """Players that were not ready for this hand, or whose time was up in it."""
        self._humans: set[int] = set()
        self._given_up: set[int] = set()
        self._exited: set[int] = set()
        """Players that announced that they leave and have not reconnected."""

    def expect_human(self, player: int) -> None:
        """Give a player the time of a person."""
        self._humans.add(player)

    def has_exited(self, player: int) -> bool:
        """Tell whether a player has announced that it leaves, and has not reconnected."""
        return player in self._exited

    def _absence_of(self, player: int) -> float:
        """Return the seconds for which a disconnected player is waited for."""
        if player not in self._humans:
            return self._absence_s
        return 0.0 if player in self._given_up else self._human_s

    def begin(self, player: int, now: float) -> bool:
        """Pass the turn to a player; return False if it is folded without being asked."""
        self.asked = player
        self.ask(now)
        if player in self._late or player in self._exited:
            return False
        return not self.absent or bool(self._absence_of(player))

    def ask(self, now: float) -> None:
        """Start the player's time to answer, or to reconnect if it is disconnected."""
        self.absent = not self._players[self.asked].online
        self._began = now
        self.deadline = now + (self._absence_of(self.asked) if self.absent else self._time_s())

    def answered(self, now: float) -> None:
        """Charge the player to act for the time since its question."""
        if self._limited and not self.absent:
            used = max(0, round(1000 * (now - self._began)))
            self._used_ms[self.asked] = self._used_ms.get(self.asked, 0) + used
            self._players[self.asked].thought_ms += used

    def _time_s(self) -> float:
        """Return how long the player to act may think: a decision, or what is left of a limit."""
        if self.asked in self._humans:
            return self._human_s
        if not self._limited:
            return self._decision_s
        left = self._decision_s
        if self._hand_ms:
            left = min(left, (self._hand_ms - self._used_ms.get(self.asked, 0)) / 1000)
        if self._match_ms:
            left = min(left, (self._match_ms - self._players[self.asked].thought_ms) / 1000)
        return max(0.0, left)

    def time_out(self) -> TimedOut:
        """Count a timeout of the player to act, who is not asked again in this hand."""
        self._late.add(self.asked)
        entrant = self._players[self.asked]
        entrant.timeouts += 1
        if self.absent:
            self._given_up.add(self.asked)
        return TimedOut(self.asked, entrant.timeouts, self.absent)

    def end(self) -> None:
        """Clear the turn when the hand is over."""
        self.asked = NOBODY
        self.deadline = None
        self._late.clear()
        self._used_ms.clear()

    # The clock.

    def start_clock(self, now: float) -> None:
        """Restart the player's decision time; the wait for an absent player is unchanged."""
        if not self.absent:
            self._began = now
            self.deadline = now + self._time_s()

    def extend(self, seconds: float) -> None:
        """Give the player more time."""
        assert self.deadline is not None
        self.deadline += seconds
        self._began += seconds

    # Absent players.

    def disconnected(self, player: int) -> bool:
        """Note that a player has disconnected; tell whether that costs it its turn."""
        if player != self.asked or self._absence_of(player):
            return False
        self.absent = True
        return True

    def reconnected(self, player: int, now: float) -> None:
        """Note that a player is back; if it was absent on its turn, its time starts now."""
        self._exited.discard(player)
        self._given_up.discard(player)
        if player == self.asked and self.absent:
            self.absent = False
            self._began = now
            self.deadline = now + self._time_s()

    def exited(self, player: int) -> None:
        """Stop asking a player until it reconnects."""
        self._exited.add(player)

    def not_ready(self, players: Iterable[int]) -> None:
        """Do not ask these players in the next hand."""
        self._late = set(players)

    def ready(self, player: int) -> None:
        """Ask a player again after a late ready signal."""
        self._late.discard(player)
