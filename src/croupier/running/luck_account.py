"""The luck of the teams of a match, from its record: kept with its result.

It is computed where nobody's time runs: in a worker between two hands, and after a match at a live
table in a process of its own (`luck_process`).
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from croupier.contest.adjusting import packed_luck
from croupier.contest.fixtures import DEAL_GROUPS
from croupier.contest.luck import TERMS, LuckTerms, luck_of
from croupier.match.chance import SeededChance
from croupier.rules.events import Event
from croupier.rules.rules import CARRY, Rules
from croupier.server.table.task import MatchTask, Played
from croupier.store.records import Acknowledge, HandRecord, MatchRecord, Record, Records


class LuckAccount:
    """Adds up the luck of each player, over the groups of deals."""

    def __init__(self, rules: Rules, chance: SeededChance) -> None:
        """`chance` is what the match is dealt from."""
        self._chance = chance
        # Where stacks carry over, a match is one observation.
        self._groups = 1 if rules.stacks == CARRY else min(rules.hands, DEAL_GROUPS)
        self._terms: dict[int, LuckTerms] = {}

    def add(self, events: Iterable[Event]) -> None:
        """Add a hand; what is none counts nothing."""
        luck = luck_of(events, self._chance.deal_seed)
        if luck is None:
            return
        group = (self._chance.deal_of(luck.number) - 1) % self._groups
        for player, terms in zip(luck.players, luck.terms, strict=True):
            if player not in self._terms:
                self._terms[player] = np.zeros((self._groups, len(TERMS)))
            self._terms[player][group] += terms

    def terms_of(self, player: int) -> LuckTerms:
        """Return the terms of a player, one row for each group."""
        return self._terms.get(player, np.zeros((self._groups, len(TERMS))))

    def packed(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return the luck of players by their names, as a result has it."""
        return {name: packed_luck(self.terms_of(player)) for player, name in enumerate(names)}


class LuckySink:
    """Takes the records of a match, passes them on, and follows the luck in them."""

    def __init__(self, account: LuckAccount, then: Records | None) -> None:
        """`then` is where records go; None: they are not kept."""
        self._account = account
        self._then = then
        self._names: list[str] = []

    @property
    def waiting(self) -> int:
        """The number of records that were not passed on yet."""
        return 0 if self._then is None else self._then.waiting

    def write(self, record: Record, acknowledge: Acknowledge) -> None:
        """Take a record."""
        if isinstance(record, MatchRecord):
            players = msgspec.json.decode(record.values["players"])
            self._names = [player["name"] for player in players]
        elif isinstance(record, HandRecord) and not isinstance(record.events, bytes):
            self._account.add(record.events)
        if self._then is not None:
            self._then.write(record, acknowledge)

    def add(self, record: Record) -> None:
        """Take a record that nobody waits for."""
        self.write(record, lambda: None)

    def close(self) -> None:
        """Pass on what is left."""
        if self._then is not None:
            self._then.close()

    def enter(self, task: MatchTask, played: Played) -> None:
        """Enter the luck of all players into the result of their match."""
        enter(task, played, self._account.packed(self._names))


def enter(task: MatchTask, played: Played, luck: Mapping[str, bytes]) -> None:
    """Enter the luck of players, by their names, into the result of their match."""
    for player, result in zip(task.players, played.players, strict=True):
        result.luck = luck.get(player.team, b"")
