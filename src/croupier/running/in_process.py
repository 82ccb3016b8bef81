"""A match between bots of this process, as fast as they can decide."""

import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import msgspec

from croupier.bots import bots_for
from croupier.bots.bot import Bot, ask, cause_of_bot
from croupier.dialects.roster import HOUSE, Place, Roster
from croupier.match.chance import SeededChance
from croupier.match.match import HAND, OVER, Match
from croupier.rules.view import view_of
from croupier.server.table.books import MatchBooks
from croupier.server.table.game import match_header, match_result, new_id
from croupier.server.table.opening import Opening
from croupier.server.table.recorder import Recorder
from croupier.server.table.task import MatchTask, Played, chance_for
from croupier.store.records import MatchRecord, Records, ResultRecord


def play(
    task: MatchTask,
    bots: Mapping[int, Bot],
    sink: Records | None = None,
) -> Played:
    """Play a match; its hands go to `sink`, if there is one.

    A bot that raises an exception or returns an invalid decision checks, or folds if it owes chips.
    """
    chance = chance_for(task)
    # Makes user bots that use the random module as reproducible as the house bots.
    random.seed(chance.module_seed)
    # There is no audience for a countdown.
    rules = replace(task.rules, countdown_s=0)
    match = Match(rules, len(task.players), chance, quiet=sink is None)
    books = MatchBooks(match, chance)
    record = _Record(task, match, sink) if sink is not None else None
    faults: list[Counter[str]] = [Counter() for _ in task.players]
    for number, player in enumerate(task.players):
        match.never_reloads(number)
        events = match.join(player.team, 0.0)
        if record is not None:
            record.recorder.events += events
    while match.phase is not OVER:
        while match.phase is HAND:
            actor, hand = match.asked, match.hand
            assert hand is not None
            decision, fault = ask(bots[actor], view_of(hand, hand.actor))
            if fault:
                faults[actor][cause_of_bot(fault)] += 1
            events = match.decide(actor, decision, 0.0)
            if record is not None:
                record.recorder.events += events
        books.hand_over()
        if record is not None:
            record.recorder.store_hand(_nothing)
        events = match.recorded(0.0)
        if record is not None:
            record.recorder.events += events
    played = books.played()
    for result, causes in zip(played.players, faults, strict=True):
        result.faults += causes.total()
        result.causes = dict(causes)
    if record is not None:
        record.close()
        played.match_id = record.match_id
    return played


class _Record:
    """The record of one match, as a server makes it."""

    def __init__(self, task: MatchTask, match: Match, sink: Records) -> None:
        self.match_id = new_id()
        self.recorder = Recorder(match, self.match_id, sink, time.time)
        self._began = time.time()
        self._match = match
        self._sink = sink
        self._roster = Roster()
        self._opening = Opening(task.seed, task.secret, twin=task.twin)
        house = bots_for(match.rules)
        for player in task.players:
            bot = player.bot if player.bot in house else ""
            self._roster.add(Place(player.team, HOUSE, bot=bot), player.team)
        self._roster.assign_missing_pids()
        header = match_header(
            self.match_id,
            self._began,
            task.place,
            match,
            self._roster.places,
            self._opening,
        )
        sink.write(MatchRecord(header), _nothing)

    def close(self) -> None:
        """Store the end of the match."""
        self.recorder.store_the_rest()
        result = match_result(
            self.match_id,
            self._began,
            self._match,
            self._roster.places,
            self._opening,
            SeededChance(self._opening.seed),
        )
        record = ResultRecord(self.match_id, time.time(), msgspec.json.encode(result))
        self._sink.write(record, _nothing)


def _nothing() -> None:
    """Do nothing: no message waits for this record."""
