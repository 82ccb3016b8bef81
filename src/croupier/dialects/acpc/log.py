"""Matches as the logs of the competition have them: `STATE` and `SCORE` lines.

`STATE:<hand>:<betting>:<cards>:<net chips>:<names>`, all by position, one line for each hand with
all its cards; `SCORE:<net chips>:<names>` by seat at the end.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from croupier.dialects.acpc.line import Line
from croupier.rules.events import Event, HandEnded, HandStarted
from croupier.rules.rules import Rules
from croupier.rules.view import View

_UNUSABLE = re.compile(r"[\s:|]")
"""Characters of a name that a line cannot have."""


def log_lines(
    title: str, rules: Rules, names: Sequence[str], hands: Iterable[Sequence[Event]], ended: bool
) -> Iterator[str]:
    """Yield the lines of a match, one for each hand between the first and the last."""
    names = [_UNUSABLE.sub("_", name) for name in names]
    totals = [0] * len(names)
    yield f"# name/game/hands/seed {title}\n"
    for events in hands:
        yield state_line(rules, events, names)
        started = next((event for event in events if isinstance(event, HandStarted)), None)
        over = next((event for event in events if isinstance(event, HandEnded)), None)
        if started is not None and over is not None:
            for seat, player in enumerate(started.players):
                totals[player] += over.stacks[seat] - started.stacks[seat]
    if ended:
        yield score_line(totals, names)


def state_line(rules: Rules, events: Iterable[Event], names: Sequence[str]) -> str:
    """Return the line of a hand, given its events with all cards and the names of the players."""
    view, line, net = View(rules), None, ""
    for event in events:
        view.see(event)
        if isinstance(event, HandStarted):
            line, started = Line(event), event
        elif isinstance(event, HandEnded):
            net = _row(end - begin for begin, end in zip(started.stacks, event.stacks, strict=True))
        elif line is not None:
            line.see(event, view)
    if line is None:
        return ""
    by_position = "|".join(names[player] for player in view.players)
    return f"STATE:{line.number}:{line.betting}:{line.all_cards}:{net}:{by_position}\n"


def score_line(totals: Sequence[int], names: Sequence[str]) -> str:
    """Return the last line: what each player has won or lost, in the order of the players."""
    return f"SCORE:{_row(totals)}:{'|'.join(names)}\n"


def _row(numbers: Iterable[int]) -> str:
    return "|".join(map(str, numbers))
