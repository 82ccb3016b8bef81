"""Friendly matches that teams have asked for: requests of a kind of their own.

A request against a team waits for its answer (`asked`); then, or at once against a house bot, for
whoever runs the contest (`waiting`), who plays it (`playing`) and answers. The site and the
contest's process both move requests from state to state, each only from a state that it expects, so
neither undoes what the other has done.
"""

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, Engine, Update, func, insert, select, update
from sqlalchemy.engine import Connection

from croupier.store.contests import ContestRow
from croupier.store.schema import CONTEST_REQUESTS, writing

KIND = "friendly"

State = Literal["asked", "waiting", "playing", "played", "declined", "withdrawn", "cancelled"]
ASKED: State = "asked"
WAITING: State = "waiting"
PLAYING: State = "playing"
PLAYED: State = "played"
DECLINED: State = "declined"
WITHDRAWN: State = "withdrawn"
CANCELLED: State = "cancelled"
OPEN: tuple[State, ...] = (ASKED, WAITING, PLAYING)

MAX_PER_DAY = 100
"""How many friendly matches a team may ask for in 24 hours. A security limit."""


class RefusedRequestError(Exception):
    """A team may not ask for another match now; the message says why."""


class Outcome(msgspec.Struct, frozen=True):
    """What became of a request."""

    why: str = ""
    """Why it was not played, or not to its end; empty: there is nothing to say."""
    match: str = ""
    """The record of the match, if it was played."""
    hands: int = 0
    chips: dict[str, int] = {}
    """What each player won, by its name in the match."""


@dataclass(frozen=True)
class Friendly:
    """A friendly match that a team has asked for."""

    number: int
    team: str
    opponent: str
    """A team, or a house bot by its own name."""
    house: bool
    """Whether the opponent is a house bot."""
    at: float
    state: State
    outcome: Outcome

    @property
    def name(self) -> str:
        """The name of its match, beside those of the contest."""
        return f"{KIND}/{self.number}"

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams that play in it."""
        return (self.team,) if self.house else (self.team, self.opponent)


def ask(
    engine: Engine, contest: ContestRow, team: str, opponent: str, house: bool, most: int
) -> int:
    """Add a request and return its number; a team has at most so many that are open."""
    with writing(engine) as connection:
        own = [*_of(contest.id), CONTEST_REQUESTS.c.team == team]
        mine = list(_found(connection, own, OPEN))
        if any((one.opponent, one.house) == (opponent, house) for one in mine):
            raise RefusedRequestError("you have asked for this match already")
        if len(mine) >= most:
            raise RefusedRequestError(f"at most {most} matches that you ask for are open at a time")
        lately = select(func.count()).where(*own, CONTEST_REQUESTS.c.at > time.time() - 86400)
        if connection.execute(lately).scalar_one() >= MAX_PER_DAY:
            raise RefusedRequestError(f"a team may ask for {MAX_PER_DAY} matches a day")
        values = {
            "contest": contest.id,
            "team": team,
            "kind": KIND,
            "at": time.time(),
            "about": msgspec.json.encode({"opponent": opponent, "house": house}),
            "data": b"",
            "state": WAITING if house else ASKED,
            "answer": msgspec.json.encode(Outcome()),
        }
        made = connection.execute(insert(CONTEST_REQUESTS).values(values))
        (number,) = made.inserted_primary_key or (0,)
        return int(number)


def of_team(engine: Engine, contest: int, team: str, limit: int | None = None) -> list[Friendly]:
    """Return the matches that a team has asked for or was asked for, the newest first.

    With a limit, only so many.
    """
    with engine.connect() as connection:
        every = _found(connection, _of(contest), newest_first=True)
        return list(islice((one for one in every if team in one.teams), limit))


def find(engine: Engine, contest: int, number: int) -> Friendly | None:
    """Return a request by its number."""
    if number >= 1 << 63:  # integers of the store have 64 bits
        return None
    own = [*_of(contest), CONTEST_REQUESTS.c.number == number]
    with engine.connect() as connection:
        return next(_found(connection, own), None)


def open_ones(engine: Engine, contest: int) -> list[Friendly]:
    """Return the requests that are not answered for good, in the order in which they came."""
    with engine.connect() as connection:
        return list(_found(connection, _of(contest), OPEN))


def counts(engine: Engine, contest: int) -> dict[str, int]:
    """Return how many requests are in each of the open states."""
    states = [one.state for one in open_ones(engine, contest)]
    return {state: states.count(state) for state in OPEN}


def move(
    engine: Engine,
    number: int,
    before: Collection[State],
    state: State,
    outcome: Outcome = Outcome(),  # noqa: B008  (it is frozen)
) -> bool:
    """Bring a request from one of some states into another; return False if it was in none."""
    with writing(engine) as connection:
        answer = msgspec.json.encode(outcome)
        return bool(connection.execute(moved(number, before, state, answer)).rowcount)


def moved(number: int, before: Collection[State], state: str, answer: bytes) -> Update:
    """Return the statement that brings a request from one of some states into another."""
    return (
        update(CONTEST_REQUESTS)
        .where(
            CONTEST_REQUESTS.c.number == number,
            CONTEST_REQUESTS.c.kind == KIND,
            CONTEST_REQUESTS.c.state.in_(before),
        )
        .values(state=state, answer=answer)
    )


def _of(contest: int) -> list[ColumnElement[bool]]:
    return [CONTEST_REQUESTS.c.contest == contest, CONTEST_REQUESTS.c.kind == KIND]


def _found(
    connection: Connection,
    which: list[ColumnElement[bool]],
    states: Collection[State] = (),
    newest_first: bool = False,
) -> Iterator[Friendly]:
    query = select(CONTEST_REQUESTS).where(*which)
    if states:
        query = query.where(CONTEST_REQUESTS.c.state.in_(states))
    number = CONTEST_REQUESTS.c.number
    query = query.order_by(number.desc() if newest_first else number)
    return map(_friendly, connection.execute(query))


def _friendly(row: Any) -> Friendly:
    about = msgspec.json.decode(row.about)
    outcome = msgspec.json.decode(row.answer, type=Outcome)
    return Friendly(
        row.number, row.team, about["opponent"], about["house"], row.at, row.state, outcome
    )
