"""Take matches that were dealt elsewhere into a store.

A match is played again from its cards and decisions by its rules, so whatever is on record
afterwards was legal, and pays what the file says. It has no seed: nobody can check its deals.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

import msgspec
from sqlalchemy import Engine

from croupier.dialects.roster import Place, Roster
from croupier.history.printable import plain
from croupier.history.recorded import ImportFileError, RecordedHand, RecordedMatch
from croupier.match.chance import SeededChance
from croupier.match.match import HAND, Match
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import ARRIVAL
from croupier.server.table.game import match_header, match_result, new_id
from croupier.server.table.opening import Opening
from croupier.server.table.recorder import Recorder
from croupier.store.places import IMPORT
from croupier.store.records import MatchRecord, Record, ResultRecord
from croupier.store.writer import Writer

NO_SEED = Opening(bytes(32), secret=False, salt=b"")
MAX_NAME = 100
"""Characters of a name."""

IMPORTED = "imported"
"""In place of a dialect's name: nobody knows how the player was connected."""


class RecordedCards:
    """Deals the cards of a file; those that it does not tell are any others."""

    def __init__(self, hands: Sequence[RecordedHand], each: int) -> None:
        self._hands = hands
        self._each = each

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        """Return the cards of a hand in dealing order."""
        told = self._hands[hand - 1]
        known = [card for cards in (*told.hole, told.board) for card in cards]
        if len(set(known)) < len(known) or not set(known) <= set(deck):
            raise ImportFileError(f"{told.where}: a card is there twice, or not in the deck")
        if any(len(hole) not in (0, self._each) for hole in told.hole):
            raise ImportFileError(f"{told.where}: a player has {self._each} cards in this game")
        if len(told.board) > count - len(told.hole) * self._each:
            raise ImportFileError(f"{told.where}: the board has more cards than this game deals")
        rest = [card for card in deck if card not in known]
        dealt: list[int] = []
        for hole in told.hole:
            dealt += hole or [rest.pop() for _ in range(self._each)]
        return (dealt + list(told.board) + rest)[:count]

    def seats(self, players: int) -> list[int]:
        """Return the players as they are: the first hand has them in the order of its seats."""
        return list(range(players))


def import_match(engine: Engine, recorded: RecordedMatch, name: str) -> tuple[str, int]:
    """Store a match; return its id and the number of its hands."""
    match_id = new_id()
    sink = _Kept()
    hands = recorded.hands
    if not hands:
        raise ImportFileError("there is no hand in it")
    rules = recorded.rules
    size = len(hands[0].names)
    if not 2 <= size <= rules.max_seats:
        raise ImportFileError(f"{rules.name} seats 2 to {rules.max_seats} players, not {size}")
    for told in hands:
        _check_seats(told, size)
    rules = replace(rules, hands=len(hands), seating=ARRIVAL, countdown_s=0)
    match = Match(rules, size, RecordedCards(hands, rules.hole_cards))
    roster = Roster()
    for name_of_player in hands[0].names:
        roster.add(Place(name_of_player, IMPORTED), name_of_player)
    began = time.time()
    recorder = Recorder(match, match_id, sink, time.time)
    for player, place in enumerate(roster.places):
        match.never_reloads(player)
        recorder.events += match.join(place.name, 0.0)
    header = match_header(match_id, began, f"{IMPORT} {plain(name)}", match, roster.places, NO_SEED)
    header |= {"seed": b"", "salt": b"", "commitment": "", "scheme": 1}
    for hand in hands:
        _play(match, recorder, hand)
        recorder.store_hand(_nothing)
        recorder.events += match.recorded(0.0)
    recorder.store_the_rest()
    result = match_result(match_id, began, match, roster.places, NO_SEED, SeededChance(bytes(32)))
    result |= {"seed": None, "salt": None, "seed_sha256": "", "deal_seed": None}
    end = ResultRecord(match_id, time.time(), msgspec.json.encode(result))
    writer = Writer(engine, lambda call: call())
    for record in (MatchRecord(header), *sink.records, end):
        writer.write(record, _nothing)
    writer.close()
    return match_id, len(hands)


def _check_seats(told: RecordedHand, size: int) -> None:
    """Look whether a hand tells as much for each seat, by names that can be shown anywhere."""
    if not len(told.names) == len(told.hole) == size or len(told.net) not in (0, size):
        raise ImportFileError(
            f"{told.where}: there are {size} seats, and not names, cards and results for each"
        )
    for name in told.names:
        if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= MAX_NAME:
            raise ImportFileError(
                f"{told.where}: a name is a text of 1 to {MAX_NAME} printable characters"
            )


def _play(match: Match, recorder: Recorder, told: RecordedHand) -> None:
    """Play one hand as the file tells it."""
    if match.phase is not HAND:
        raise ImportFileError(f"{told.where}: the match was over before it")
    seated = tuple(match.players[player].name for player in match.order)
    if seated != told.names:
        raise ImportFileError(
            f"{told.where}: the seats are {', '.join(told.names)}, and it is the turn of"
            f" {', '.join(seated)}: only matches whose button moves by one can be imported"
        )
    before = {player: match.players[player].chips for player in match.order}
    for letter, total in told.actions:
        hand = match.hand
        if hand is None or hand.options is None:
            raise ImportFileError(f"{told.where}: an action follows the end of the hand")
        decision = _decision(hand, letter, total)
        fault = hand.options.fault(decision)
        if fault:
            raise ImportFileError(f"{told.where}: {letter}{total or ''} is not legal: {fault}")
        recorder.events += match.decide(match.asked, decision, 0.0)
    if match.hand is not None:
        raise ImportFileError(f"{told.where}: the hand is not over")
    for name, player, net in zip(told.names, before, told.net, strict=False):
        won = match.players[player].chips - before[player]
        if not abs(won - net) < 1:  # nor if it is no number
            raise ImportFileError(f"{told.where}: {name} won {net:g}, by the rules {won}")


def _decision(hand: Hand, letter: str, total: int) -> Decision:
    if letter == "f":
        return FOLD
    if letter == "c":
        return CALL
    options, seat = hand.options, hand.actor
    assert options is not None
    if hand.rules.fixed_bets[hand.street]:
        return raise_to(options.min_to)
    return raise_to(total - hand.put[seat] + hand.bets[seat])


class _Kept:
    """Keeps records until the whole match is known to be sound."""

    waiting = 0

    def __init__(self) -> None:
        self.records: list[Record] = []

    def write(self, record: Record, acknowledge: object) -> None:
        """Keep a record."""
        self.records.append(record)

    def close(self) -> None:
        """Do nothing."""


def _nothing() -> None:
    """Do nothing: no message waits for this record."""
