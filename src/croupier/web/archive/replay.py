"""Replay a recorded hand step by step."""

from croupier.match.events import Joined
from croupier.rules.events import Event, HandStarted, HoleDealt
from croupier.store.queries import HandRow, MatchRow, State
from croupier.web.archive.records import dialects_of, last_number, names_of
from croupier.web.archive.schemas import Frame, Replay
from croupier.web.live import scene
from croupier.web.live.public_match import PublicMatch


def replay(match: MatchRow, row: HandRow, before: State | None) -> Replay:
    """Return the steps of a hand; `before` holds the books after the previous hand."""
    public = PublicMatch(match.rules, match.id, len(match.players))
    for name, dialect in zip(names_of(match), dialects_of(match), strict=True):
        public.join(name, dialect)
    if before is not None:
        public.adopt(before)
    public.state = "playing"
    return Replay(
        hand=row.number,
        previous=row.number - 1 if row.number > 1 else None,
        next=row.number + 1 if row.number < last_number(match) else None,
        frames=_frames(public, [event for event in row.events if type(event) is not Joined]),
    )


def _frames(public: PublicMatch, events: list[Event]) -> list[Frame]:
    """Return one frame per event with a description, from the deal on.

    Events without one, such as whose turn is next, update the frame before them. Hole cards are
    dealt seat by seat, and have one description when all have theirs: none is seen before.
    """
    frames: list[Frame] = []
    begun = not any(isinstance(event, HandStarted) for event in events)
    for event in events:
        public.see(event)
        begun = begun or isinstance(event, HandStarted)
        if not begun:
            continue
        told = public.sentence(event)
        seen = scene.draw(public)
        if told is not None:
            frames.append(Frame(told.text, seen.street, seen))
        elif frames and not isinstance(event, HoleDealt):
            frames[-1].scene = seen
    return frames
