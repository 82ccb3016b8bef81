"""Audit a recorded match: was every card dealt and every chip moved correctly?

- **commitment**: the seed is the one that was committed to before the first player joined, and so
  is the beacon that was announced with it.
- **opening**: the commitment is that of the table's opening on record, and each opening of the
  table follows from the one before.
- **hands**: no hand is missing.
- **deals**: the seats and all cards follow from the seed, the players' nonces and the beacon.
- **play**: replaying every hand by the rules, with its recorded cards and decisions, produces the
  same events.
- **books**: stacks, reserves, purchases, timeouts and eliminations, carried from hand to hand
  (books.py), agree with the record; no chip appears or vanishes.
- **standings**: the final result follows from the books.

Before a match has ended only hands and books can be checked: its seed and hidden cards are not
open yet. The record is untrusted: whatever it holds, the worst outcome is a failed check.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine

from croupier.commitments import SCHEME, commitment_to
from croupier.match.chance import SeededChance, chance_of, seat_order
from croupier.match.events import MatchStarted
from croupier.rules.decisions import CALL, FOLD, Decision, IllegalDecisionError, raise_to
from croupier.rules.events import (
    CALLED,
    CHECKED,
    FOLDED,
    HAND_EVENTS,
    Acted,
    BettingClosed,
    BoardDealt,
    BoardShown,
    Event,
    HandStarted,
    HoleDealt,
)
from croupier.rules.hand import Hand
from croupier.rules.rules import ARRIVAL, Rules
from croupier.store import openings, queries
from croupier.store.books import BooksError, Ledger
from croupier.store.queries import HandRow, MatchRow, RecordError

IMPORTED = "the match was dealt elsewhere and imported: it has no seed"
SEED_IS_SECRET = "the seed is revealed when the match has ended"


@dataclass
class CheckResult:
    """The result of one check: the `problems` found, or why it was `skipped`."""

    name: str
    what: str
    problems: list[str] = field(default_factory=list)
    skipped: str = ""

    @property
    def ok(self) -> bool:
        """Whether the check found no problem."""
        return not self.problems


@dataclass
class Report:
    """The results of all checks of a match."""

    match: MatchRow
    checks: list[CheckResult] = field(default_factory=list)
    voided: list[int] = field(default_factory=list)
    """The numbers of the hands that were interrupted and do not count."""

    @property
    def ok(self) -> bool:
        """Whether no check found a problem."""
        return all(check.ok for check in self.checks)


class Verifier:
    """Check one match hand by hand; `report` is complete when `run` is exhausted."""

    def __init__(self, engine: Engine, match_id: str, noted: str = "") -> None:
        """`noted` is the commitment that somebody wrote down beforehand, if anybody did."""
        self._engine = engine
        self._noted = noted
        self._match = queries.match(engine, match_id)
        seed = self._match.deal_seed
        # A seed of the wrong length cannot deal; the commitment check fails in that case.
        usable = seed is not None and len(seed) == 32
        players = len(self._match.players)
        rules = self._match.rules
        self._chance = (
            chance_of(seed, self._match.twin, rules.hands, players)
            if seed is not None and usable
            else None
        )
        drawn = seat_order(rules, self._chance, players) if self._chance is not None else ()
        names = [player.name for player in self._match.players]
        self._ledger = Ledger(rules, names, drawn)
        self.report = Report(self._match)
        secret = SEED_IS_SECRET if self._match.ended is None else ""
        no_promise = secret or (IMPORTED if self._match.imported else "")
        no_seed = no_promise or ("" if self._chance else "there is no seed to deal from")
        promised = "the seed is the one promised"
        self._commitment = self._check(
            "commitment", f"{promised}, and noted beforehand" if noted else promised, no_promise
        )
        self._opening: CheckResult | None = None
        if self._match.opening is not None:
            self._opening = self._check("opening", "")
        self._hands = self._check("hands", "no hand is missing")
        self._deals = self._check("deals", "seats and cards follow from the seed", no_seed)
        self._play = self._check("play", "the decisions lead to the recorded events", secret)
        self._books = self._check("books", "stacks are carried from hand to hand, no chip is lost")
        self._standings = self._check(
            "standings",
            "the result follows from the books",
            "the match has not ended" if secret else "",
        )

    def _check(self, name: str, what: str, skipped: str = "") -> CheckResult:
        check = CheckResult(name, what, skipped=skipped)
        self.report.checks.append(check)
        return check

    def run(self) -> Iterator[int]:
        """Run all checks, yielding the number of each hand once it is checked."""
        if not self._commitment.skipped:
            self._check_commitment()
        self._check_noted()
        if self._opening is not None:
            self._check_opening(self._opening)
        expected = 1
        for row in self._rows():
            if row.number != expected:
                self._hands.problems.append(_missing(expected, row.number - 1))
            expected = row.number + 1
            self._check_hand(row)
            yield row.number
        if not self._standings.skipped:
            self._check_standings()

    def _rows(self) -> Iterator[HandRow]:
        """Yield the readable hands, so that a damaged one does not hide the others."""
        after = 0
        while True:
            try:
                page = queries.hands(self._engine, self._match.id, after=after)
            except RecordError:
                page = []
                for number in queries.hand_numbers(self._engine, self._match.id, after=after):
                    after = number
                    try:
                        yield queries.hand(self._engine, self._match.id, number)
                    except RecordError as error:
                        self._hands.problems.append(str(error))
                        self._books.problems.append(f"hand {number} cannot be read")
                return
            if not page:
                return
            yield from page
            after = page[-1].number

    def _check_commitment(self) -> None:
        seed, salt = self._match.seed or b"", self._match.salt or b""
        match = self._match
        digest = commitment_to(seed, salt, match.announced)
        if digest != match.commitment:
            what = "salt ‖ seed ‖ beacon" if match.announced else "salt ‖ seed"
            self._commitment.problems.append(
                f"SHA-256({what}) is {digest}, promised was {match.commitment}"
            )
        if match.scheme not in (1, SCHEME):
            self._commitment.problems.append(
                f"it was dealt by scheme {match.scheme}, this program knows {SCHEME}"
            )
        if bool(match.announced) != bool(match.beacon):
            self._commitment.problems.append("a beacon was announced, or used, but not both")

    def _check_noted(self) -> None:
        """Compare what somebody noted; that can be done before the match is over."""
        if not self._noted or self._noted == self._match.commitment:
            return
        others = openings.chain(self._engine, (self._match.arena, self._match.place))
        other = next((row for row in others if row.commitment == self._noted), None)
        where = "" if other is None else f"; that one was opening {other.number} of this table"
        self._commitment.skipped = ""
        self._commitment.problems.append(
            f"noted was {self._noted}, the match has {self._match.commitment}{where}"
        )

    def _check_opening(self, check: CheckResult) -> None:
        match = self._match
        rows = openings.chain(self._engine, (match.arena, match.place))
        check.problems += openings.problems(rows)
        own = next((row for row in rows if row.number == match.opening), None)
        if own is None:
            check.problems.append(f"opening {match.opening} of {match.table} is not on record")
            return
        if (own.commitment, own.announced) != (match.commitment, match.announced):
            check.problems.append(f"opening {own.number} had another commitment or beacon")
        if own.match != match.id:
            check.problems.append(f"opening {own.number} belongs to match {own.match}")
        unplayed = sum(1 for row in rows if not row.match and row.number < own.number)
        without = f"; {unplayed} before it led to no match" if unplayed else ""
        check.what = (
            f"it is opening {own.number} of {len(rows)} of {match.table}, each bound to the one"
            f" before{without}"
        )

    def _check_hand(self, row: HandRow) -> None:
        if row.void and not row.played:
            self.report.voided.append(row.number)
        events = [event for event in row.events if type(event) in HAND_EVENTS]
        where = f"hand {row.number}"
        if self._chance is not None:
            problem = self._seats_problem(row.events) or (
                _cards_problem(self._match.rules, self._chance, row.number, events)
                if row.played
                else ""
            )
            _report(self._deals, where, problem)
        if row.played and not self._play.skipped:
            _report(self._play, where, _play_problem(self._match, row.number, events))
        try:
            self._ledger.follow(row)
        except BooksError as error:
            _report(self._books, where, str(error))
            # Continue from the recorded figures, so that only the next difference is reported.
            self._ledger.accept(row.state)

    def _seats_problem(self, events: Sequence[Event]) -> str:
        assert self._chance is not None
        for event in events:
            if isinstance(event, MatchStarted):
                match = self._match
                expected = tuple(seat_order(match.rules, self._chance, len(match.players)))
                if event.order != expected:
                    by = "in order of arrival" if match.rules.seating == ARRIVAL else "by the seed"
                    return f"the seats are {event.order}, {by} {expected}"
        return ""

    def _check_standings(self) -> None:
        expected = [
            (line.rank, line.name, line.chips, line.hands) for line in self._ledger.standings()
        ]
        try:
            result: dict[str, Any] = self._match.result or {}
            recorded = [
                (seat["rank"], seat["name"], seat["chips"], seat["hands_survived"])
                for seat in result["seats"]
            ]
        except (KeyError, TypeError):
            self._standings.problems.append("the result has no standings")
            return
        if result.get("hands") != self._ledger.played:
            self._hands.problems.append(
                f"the result counts {result.get('hands')!r} hands, on record are"
                f" {self._ledger.played}"
            )
        for theirs, ours in zip(recorded, expected, strict=False):
            if theirs != ours:
                self._standings.problems.append(
                    f"(rank, name, chips, hands) is {theirs}, by the books {ours}"
                )
                return
        if len(recorded) != len(expected):
            self._standings.problems.append(
                f"the result has {len(recorded)} players, the match {len(expected)}"
            )


def _report(check: CheckResult, where: str, problem: str) -> None:
    if problem:
        check.problems.append(f"{where}: {problem}")


def _missing(first: int, last: int) -> str:
    return f"hand {first} is missing" if first == last else f"hands {first} to {last} are missing"


def _cards_problem(rules: Rules, chance: SeededChance, number: int, events: Sequence[Event]) -> str:
    """Return how a hand's cards differ from those that the seed deals, or an empty string."""
    seats = [event.seat for event in events if isinstance(event, HoleDealt)]
    if seats != list(range(len(seats))) or not 2 <= len(seats) <= rules.max_seats:
        return "not every seat was dealt its cards in turn"
    dealt = chance.cards(number, rules.deck, rules.cards_for(len(seats)))
    recorded = _recorded_cards(events)
    for place, card in enumerate(recorded):
        if place >= len(dealt) or card != dealt[place]:
            each = rules.hole_cards
            at = f"seat {place // each}" if place < each * len(seats) else "the board"
            return f"the cards of {at} are not those of the seed"
    return ""


def _recorded_cards(events: Sequence[Event]) -> list[int]:
    """Return a hand's recorded cards in the order of the deal."""
    return [
        card
        for event in events
        if isinstance(event, HoleDealt | BoardDealt | BoardShown)
        for card in event.cards
    ]


def _play_problem(match: MatchRow, number: int, events: Sequence[Event]) -> str:
    """Replay a hand; return where the record differs, or an empty string."""
    rules = match.rules
    started = events[0] if events else None
    if not isinstance(started, HandStarted):
        return "it does not begin with a deal"
    cards = _recorded_cards(events)
    unused = [card for card in rules.deck if card not in cards]
    needed = rules.cards_for(len(started.stacks)) - len(cards)
    acted: Acted | None = None
    try:
        hand = Hand(
            rules,
            started.stacks,
            cards + unused[: max(0, needed)],
            number=number,
            players=started.players,
            reserves=started.reserves,
            small_blind=started.small_blind,
            big_blind=started.big_blind,
        )
        for acted in (event for event in events if isinstance(event, Acted)):
            hand.act(_decision(acted))
    except IllegalDecisionError as error:
        return f"{acted!r} was not legal: {error}"
    except (ValueError, LookupError) as error:
        return f"it cannot be played: {error}"
    again = hand.events
    if match.version.startswith("0.1."):  # 0.1 did not record this event
        again = [event for event in again if not isinstance(event, BettingClosed)]
    for recorded, played in zip(events, again, strict=False):
        if recorded != played:
            return f"recorded is {recorded!r}, by the rules it is {played!r}"
    if len(events) != len(again):
        return f"{len(events)} events are recorded, by the rules there are {len(again)}"
    return ""


def _decision(event: Acted) -> Decision:
    if event.action == FOLDED:
        return FOLD
    if event.action in (CHECKED, CALLED):
        return CALL
    return raise_to(event.to, event.action)
