"""Export hands in the PHH format (poker hand history, a dialect of TOML), for PokerKit and others.

A match becomes one `.phhs` file with the tables ``[1]``, ``[2]``, …, one for each completed hand.
A reader replays a history by the standard rules, so each hand is written such that the reader
arrives at the same stacks even where Croupier's rules differ:

- p1 is the seat that acts first after the flop. Where the small blind acts last, it is pN.
- With two players the format lists the blinds crosswise: p2 posts the first.
- A hand whose pot was discarded because everyone folded stops before the last two folds, which
  follow as comments: its chips then end up in nobody's stack.
- An action that a reader would not ask for, or a raise that nobody can answer, becomes a comment
  or a call (standard.py).

Where that is not possible, `_croupier_differs` says why; `finishing_stacks` are always Croupier's.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from croupier.cards import HIDDEN, join
from croupier.history.standard import StandardBetting, comment
from croupier.match.events import Faulted, TimedOut
from croupier.rules.events import (
    ANTE,
    SMALL,
    Acted,
    BoardDealt,
    BoardShown,
    Event,
    HandEnded,
    HandStarted,
    HoleDealt,
    Posted,
    PotDiscarded,
    PotWon,
    Shown,
)
from croupier.rules.rules import AFTER_SMALL_BLIND, HOLDEM
from croupier.store.queries import HandRow, MatchRow

MAX_RAISES = 4
"""On a street of limit hold'em, as readers play it."""


class NoSuchVariantError(ValueError):
    """The format has no name for this game."""


def check(match: MatchRow) -> None:
    """Raise NoSuchVariantError if the hands of a match cannot be written."""
    if match.rules.game != HOLDEM:
        raise NoSuchVariantError(f"PHH knows no {match.rules.game} poker; export it as jsonl")
    bets, caps = match.rules.fixed_bets, match.rules.raise_caps
    usual = all(bets) and bets[0] == bets[1] and bets[2] == bets[3]
    if any(bets) and not (usual and all(0 <= cap <= MAX_RAISES for cap in caps)):
        raise NoSuchVariantError(
            "PHH knows limits with one bet up to the flop, one after it and at most"
            f" {MAX_RAISES} raises only; export it as jsonl"
        )


def tables(match: MatchRow, hands: Iterable[HandRow]) -> Iterator[str]:
    """Yield the tables of the file; a hand that was not completed yields an empty string."""
    check(match)
    number = 0
    for hand in hands:
        if hand.played:
            number += 1
            fields = HandWriter(match, hand).fields()
            lines = [f"{key} = {_toml(value)}" for key, value in fields.items()]
            yield f"[{number}]\n" + "\n".join(lines) + "\n\n"
        else:
            yield ""


class HandWriter:
    """Write one hand; places are those of the file, where p1 is place 0."""

    def __init__(self, match: MatchRow, hand: HandRow) -> None:
        self.match = match
        self.hand = hand
        started = next(event for event in hand.events if isinstance(event, HandStarted))
        self.started = started
        self.size = len(started.stacks)
        posts = [event for event in hand.events if isinstance(event, Posted)]
        small_seat = next((post.seat for post in posts if post.kind == SMALL), 0)
        late = match.rules.later_start == AFTER_SMALL_BLIND
        self.first = (small_seat + 1) % self.size if late else 0
        """The seat that is p1."""
        self.blinds = self._blinds(posts)
        self.betting = StandardBetting(self.by_place(started.stacks), started.big_blind)
        self.actions: list[str] = []
        self.undealt = ""
        self.discarded = 0
        self.stacks: Sequence[int] = ()
        self._write(hand.events)

    def fields(self) -> dict[str, Any]:
        """Return the fields of the hand's table, in the format's order."""
        match, rules, started = self.match, self.match.rules, self.started
        players = self.by_place(started.players)
        bets = rules.fixed_bets
        fields = {
            "variant": "FT" if any(bets) else "NT",
            "ante_trimming_status": True,
            "antes": [started.ante] * self.size,
            "blinds_or_straddles": self.blinds,
            **(
                {"small_bet": bets[0], "big_bet": bets[-1]}
                if any(bets)
                else {"min_bet": self.betting.min_bet}
            ),
            "starting_stacks": self.by_place(started.stacks),
            "actions": self.actions,
            "hand": self.hand.number,
            "players": [match.names[player] for player in players],
            "finishing_stacks": self.by_place(self.stacks),
            "time_limit": rules.decision_ms / 1000,
            "_croupier_match": match.id,
            "_croupier_rules": match.rules_name,
            "_croupier_version": match.version,
            "_croupier_players": players,
            "_croupier_ended": datetime.fromtimestamp(self.hand.ended, UTC),
        }
        if self.undealt:
            fields["_croupier_undealt"] = self.undealt
        if self.discarded:
            fields["_croupier_discarded"] = self.discarded
        differs = [*self.betting.differences, *self._odd_chips()]
        if differs:
            fields["_croupier_differs"] = differs
        return fields

    def place(self, seat: int) -> int:
        return (seat - self.first) % self.size

    def by_place(self, values: Sequence[int]) -> list[int]:
        return [*values[self.first :], *values[: self.first]]

    def _blinds(self, posts: Sequence[Posted]) -> list[int]:
        blinds = [0] * self.size
        for post in posts:
            if post.kind == SMALL:
                # Of two equal blinds a reader takes the one at the higher place as the last one.
                # A negative blind is posted too, but does not count for the order.
                equal = self.started.small_blind == self.started.big_blind
                sign = -1 if equal and (self.size == 2 or self.first) and len(posts) > 1 else 1
                blinds[self.place(post.seat)] = sign * self.started.small_blind
            elif post.kind != ANTE:
                blinds[self.place(post.seat)] = self.started.big_blind
        return blinds[::-1] if self.size == 2 else blinds

    def _write(self, events: Sequence[Event]) -> None:
        self._write_holes(events)
        betting = self.betting
        note = ""
        for event in events:
            match event:
                case Posted():
                    betting.post(self.place(event.seat), event, event.kind == ANTE)
                case BoardDealt():
                    betting.next_street()
                    self.actions.append(f"d db {join(event.cards)}")
                case TimedOut():
                    note = "absent" if event.absent else "timed out"
                case Faulted():
                    note = "no legal decision"
                case Acted():
                    self.actions.append(betting.action(self.place(event.seat), event, note))
                    note = ""
                case Shown():
                    place = self.place(event.seat)
                    if betting.live > 1 and not betting.has_given_up(place):
                        self.actions.append(f"p{place + 1} sm {join(event.cards)}")
                case BoardShown():
                    self.undealt = join(event.cards)
                case PotDiscarded():
                    self.discarded = event.amount
                    self.actions[-2:] = [
                        action if action.startswith("#") else comment(action)
                        for action in self.actions[-2:]
                    ]
                case HandEnded():
                    self.stacks = event.stacks
                    if " sm " in self.actions[-1] and not betting.differences:
                        self.actions += [f"p{place + 1} sm" for place in betting.mucked]
                case _:
                    pass

    def _write_holes(self, events: Sequence[Event]) -> None:
        """Write the hole cards; in a running match only those that were shown are known."""
        holes: dict[int, str] = {}
        for event in events:
            if isinstance(event, HoleDealt | Shown) and HIDDEN not in event.cards:
                holes[self.place(event.seat)] = join(event.cards)
        for place in range(self.size):
            self.actions.append(f"d dh p{place + 1} {holes.get(place, '????')}")

    def _odd_chips(self) -> list[str]:
        """Return a difference if a reader would split the pots otherwise.

        A reader merges pots with the same winners and pays all odd chips to the first of them.
        """
        ours: dict[int, int] = {}
        pots: dict[tuple[int, ...], int] = {}
        for event in self.hand.events:
            if isinstance(event, PotWon):
                winners = tuple(sorted(self.place(seat) for seat, _ in event.winners))
                pots[winners] = pots.get(winners, 0) + event.amount
                for seat, share in event.winners:
                    ours[self.place(seat)] = ours.get(self.place(seat), 0) + share
        theirs: dict[int, int] = {}
        for winners, amount in pots.items():
            share, odd = divmod(amount, len(winners))
            for place in winners:
                theirs[place] = theirs.get(place, 0) + share + (odd if place == winners[0] else 0)
        return [] if ours == theirs else ["odd chips go singly to the first left of the button"]


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON's escapes are valid in TOML, which requires one more character to be escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
