"""Export hands as PokerStars writes them, for trackers, replayers and PokerKit.

Readers of this text replay it by the standard rules, so the actions are those that the PHH export
has written for such readers (phh.py), with amounts in place of totals. Posts are written as they
were made; the format has no place for comments, so what a reader would not ask for is left out.
"""

import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from croupier.cards import parse
from croupier.history import phh
from croupier.history.printable import plain
from croupier.ranking import CATEGORY_NAMES, category, rank
from croupier.rules.events import ANTE, SMALL, Posted, PotWon
from croupier.rules.rules import HOLDEM
from croupier.store.queries import HandRow, MatchRow

STREETS = ("FLOP", "TURN", "RIVER")
_IN_NAMES = str.maketrans({":": ".", "[": "(", "]": ")", "\n": " "})
"""Characters that mean something in this text, and what a name has in their place."""


def check(match: MatchRow) -> None:
    """Raise NoSuchVariantError if the hands of a match cannot be written."""
    if match.rules.game != HOLDEM or any(match.rules.fixed_bets):
        raise phh.NoSuchVariantError("this is written of no-limit hold'em only; export it as jsonl")


def hands(match: MatchRow, rows: Iterable[HandRow]) -> Iterator[str]:
    """Yield the text of each hand; one that was not completed yields an empty string."""
    check(match)
    for row in rows:
        yield _Text(match, row).text() if row.played else ""


class _Text:
    """Write one hand; a seat's number is its place from the left of the button, from 1."""

    def __init__(self, match: MatchRow, row: HandRow) -> None:
        self._match = match
        self._row = row
        self._written = phh.HandWriter(match, row)
        fields = self._written.fields()
        self._names = _names(fields["players"])
        self._starting: list[int] = fields["starting_stacks"]
        self._stacks = list(self._starting)
        self._bets = [0] * len(self._names)
        self._board: list[str] = []
        self._ended = ["mucked"] * len(self._names)
        """How each seat is summed up."""
        self._lines: list[str] = []
        self._shows: list[str] = []

    def text(self) -> str:
        """Return the hand, with empty lines after it."""
        started = self._written.started
        at = datetime.fromtimestamp(self._row.ended, UTC).strftime("%Y/%m/%d %H:%M:%S UTC")
        size = len(self._names)
        number = f"{zlib.crc32(self._match.id.encode())}{self._row.number:06d}"
        self._lines = [
            f"PokerStars Hand #{number}:  Hold'em No Limit"
            f" ({started.small_blind}/{started.big_blind}) - {at}",
            f"Table '{plain(self._match.table)}' {size}-max Seat #{size} is the button",
            *(
                f"Seat {place + 1}: {name} ({self._starting[place]} in chips)"
                for place, name in enumerate(self._names)
            ),
        ]
        for event in self._row.events:
            if isinstance(event, Posted):
                self._post(event)
        self._lines.append("*** HOLE CARDS ***")
        for action in self._written.actions:
            self._act(action.partition(" #")[0])
        self._end()
        return "\n".join(self._lines) + "\n\n\n"

    def _post(self, event: Posted) -> None:
        place = self._written.place(event.seat)
        self._stacks[place] -= event.amount
        if event.kind == ANTE:
            what = "the ante"
        else:
            self._bets[place] += event.amount
            what = "small blind" if event.kind == SMALL else "big blind"
        self._say(place, f"posts {what} {event.amount}")

    def _say(self, place: int, text: str) -> None:
        all_in = "" if self._stacks[place] or "check" in text else " and is all-in"
        self._lines.append(f"{self._names[place]}: {text}{all_in}")

    def _act(self, action: str) -> None:
        """Write an action of the PHH notation."""
        match action.split():
            case ["d", "dh", who, cards] if "?" not in cards:
                self._lines.append(f"Dealt to {self._names[_place(who)]} {_cards(cards)}")
            case ["d", "db", cards]:
                self._deal(cards)
            case [who, "f"]:
                self._lines.append(f"{self._names[_place(who)]}: folds")
                self._ended[_place(who)] = f"folded {self._when()}"
            case [who, "cc"]:
                place = _place(who)
                owed = min(max(self._bets) - self._bets[place], self._stacks[place])
                self._put(place, owed)
                self._say(place, f"calls {owed}" if owed else "checks")
            case [who, "cbr", total]:
                place, high = _place(who), max(self._bets)
                self._put(place, int(total) - self._bets[place])
                by = int(total) - high
                self._say(place, f"raises {by} to {total}" if high else f"bets {by}")
            case [who, "sm", cards]:
                self._show(_place(who), cards)
            case _:
                pass

    def _put(self, place: int, amount: int) -> None:
        self._stacks[place] -= amount
        self._bets[place] += amount

    def _deal(self, cards: str) -> None:
        before = f" [{' '.join(self._board)}]" if self._board else ""
        street = STREETS[max(0, len(self._board) - 2)]
        self._lines.append(f"*** {street} ***{before} {_cards(cards)}")
        self._board += _split(cards)
        self._bets = [0] * len(self._bets)

    def _when(self) -> str:
        if not self._board:
            return "before Flop"
        return f"on the {STREETS[len(self._board) - 3].title()}"

    def _show(self, place: int, cards: str) -> None:
        seven = [parse(card) for card in (*_split(cards), *self._board)]
        name = CATEGORY_NAMES[category(rank(seven))]
        self._shows.append(f"{self._names[place]}: shows {_cards(cards)} ({name})")
        self._ended[place] = f"showed {_cards(cards)}"

    def _end(self) -> None:
        put = [before - now for before, now in zip(self._starting, self._stacks, strict=True)]
        most, second = sorted(put)[-1], sorted(put)[-2]
        if most > second:
            name = self._names[put.index(most)]
            self._lines.append(f"Uncalled bet ({most - second}) returned to {name}")
        if self._shows:
            self._lines += ["*** SHOW DOWN ***", *self._shows]
        pots = [event for event in self._row.events if isinstance(event, PotWon)]
        won = [0] * len(self._names)
        for event in pots:
            title = f"side pot-{event.pot}" if event.pot else "main pot"
            title = title if len(pots) > 1 else "pot"
            for seat, share in event.winners:
                place = self._written.place(seat)
                won[place] += share
                self._lines.append(f"{self._names[place]} collected {share} from {title}")
        self._lines += [
            "*** SUMMARY ***",
            f"Total pot {sum(event.amount for event in pots)} | Rake 0",
        ]
        if self._board:
            self._lines.append(f"Board [{' '.join(self._board)}]")
        for place, name in enumerate(self._names):
            end = self._ended[place]
            if won[place]:
                shown = end.startswith("showed")
                end = f"{end} and won ({won[place]})" if shown else f"collected ({won[place]})"
            self._lines.append(f"Seat {place + 1}: {name} {end}")


def _names(given: list[str]) -> list[str]:
    """Return names that readers of the text can tell apart from it, and from each other."""
    names: list[str] = []
    for name in given:
        free = base = plain(name).translate(_IN_NAMES).strip() or "player"
        number = 2
        while free in names:
            free, number = f"{base}-{number}", number + 1
        names.append(free)
    return names


def _place(who: str) -> int:
    return int(who[1:]) - 1


def _split(cards: str) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def _cards(cards: str) -> str:
    return f"[{' '.join(_split(cards))}]"
