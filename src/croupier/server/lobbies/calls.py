"""A match that teams of a contest are called to: who plays in it, and what it came to."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from croupier.bots.bot import Bot, ask, cause_of_bot
from croupier.rules.decisions import Decision
from croupier.rules.view import View
from croupier.server.table.books import MatchBooks
from croupier.server.table.game import Game
from croupier.server.table.house import House
from croupier.server.table.opening import Opening
from croupier.server.table.task import MatchTask, Played, PlayerResult

BROKE_OFF = "broke off"
"""The forfeit of a player that left before the match was over."""


class TeamBot(Bot):
    """A team's bot; what it does wrong becomes a check or a fold, and a fault."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.causes: Counter[str] = Counter()
        """Its faults by cause."""

    def decide(self, view: View) -> Decision:
        decision, fault = ask(self._bot, view)
        if fault:
            self.causes[cause_of_bot(fault)] += 1
        return decision


@dataclass(frozen=True)
class Call:
    """A match that is to be played, and what to do with its result."""

    task: MatchTask
    arrive_s: float
    """Seconds that its teams have to arrive."""
    on_over: Callable[[Played], None]
    """Called once, when the match is over and stored, or cannot be played."""
    bots: Mapping[int, Bot] = field(default_factory=dict)
    """By their place in the task, the players that need no connection."""
    on_failure: Callable[[], None] = lambda: None
    """Called instead of `on_over` if an internal error has ended the match."""

    @property
    def teams(self) -> list[str]:
        """All teams, in the order of the task."""
        return [player.team for player in self.task.players]

    @property
    def awaited(self) -> list[str]:
        """The teams that have to arrive."""
        return [team for place, team in enumerate(self.teams) if place not in self.bots]

    def team_bots(self) -> dict[str, TeamBot]:
        """Return the bots of teams that need no connection, with no fault yet."""
        return {self.teams[place]: TeamBot(bot) for place, bot in self.bots.items()}

    def late(self) -> str:
        """Return the forfeit of a team that did not arrive."""
        return f"did not arrive within {self.arrive_s:g} s"


class CalledMatch:
    """A match that is being played."""

    def __init__(
        self,
        call: Call,
        game: Game,
        teams: Sequence[str],
        bots: Mapping[str, TeamBot],
        absent: Mapping[str, str],
    ) -> None:
        """`teams` play, in the order of their player numbers; of the others, say why not."""
        self.call = call
        self.game = game
        self.teams = list(teams)
        self.given_up: set[str] = set()
        """The teams that will not come again once they have disconnected."""
        self._bots = bots
        self._absent = absent
        self._books = MatchBooks(game.table.match, game.chance)
        game.on_hand = self._hand_over

    def _hand_over(self, game: Game) -> None:
        self._books.hand_over()

    def replay(self, states: Sequence[Mapping[str, Any]]) -> None:
        """Enter the hands into the books that were played before a restart."""
        for state in states:
            self._books.replay(state)

    def played(self, recorded: bool) -> Played:
        """Return the result, with the players of the task in their order."""
        match = self.game.table.match
        played = self._books.played()
        for player in match.deserters:
            played.players[player].forfeit = BROKE_OFF
        broken = match.broken
        if broken is not None and not played.players[broken.player].forfeit:
            played.players[broken.player].forfeit = f"ended the match: {broken.cause}"
        results = dict(zip(self.teams, played.players, strict=True))
        for team, bot in self._bots.items():
            results[team].faults += bot.causes.total()
            results[team].causes = dict(bot.causes)
        last = len(results) + 1
        for team, reason in self._absent.items():
            results[team] = PlayerResult(rank=last, forfeit=reason)
        played.players = [results[team] for team in self.call.teams]
        played.match_id = self.game.table.id if recorded else ""
        return played


def unplayed(call: Call, absent: Mapping[str, str]) -> Played:
    """Return the result of a match that nobody could play, because of the absent teams."""
    return Played(
        0,
        [
            PlayerResult(rank=2 if team in absent else 1, forfeit=absent.get(team, ""))
            for team in call.teams
        ],
    )


def open_game(house: House, call: Call, size: int) -> Game:
    """Return the game of a call for as many players; it starts when it is told to."""
    task = call.task
    return house.open(
        task.rules,
        size,
        task.place,
        on_command=True,
        named=True,
        opening=Opening(task.seed, task.secret, twin=task.twin),
    )
