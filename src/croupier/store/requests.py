"""What teams ask of a contest over the site: a queue that whoever runs the contest works through.

The site writes requests, and the contest's process answers them; neither waits for the other.
"""

import time
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from sqlalchemy import Engine, delete, insert, select, update

from croupier.store.schema import CONTEST_REQUESTS, writing

PROGRAM = "program"
"""The kind of a request to play with a new version of its program, which comes with it."""

State = Literal["waiting", "done", "refused"]
WAITING: State = "waiting"
DONE: State = "done"
REFUSED: State = "refused"


@dataclass(frozen=True)
class TeamRequest:
    """A request, and what became of it."""

    number: int
    team: str
    at: float
    about: dict[str, Any]
    """What is asked for."""
    state: State
    answer: dict[str, Any]
    """Empty while it is waiting."""


def put(
    engine: Engine, contest: int, team: str, kind: str, about: dict[str, Any], data: bytes = b""
) -> int:
    """Add a request in place of one that the team still has waiting; return its number."""
    with writing(engine) as connection:
        connection.execute(
            delete(CONTEST_REQUESTS).where(
                CONTEST_REQUESTS.c.contest == contest,
                CONTEST_REQUESTS.c.team == team,
                CONTEST_REQUESTS.c.kind == kind,
                CONTEST_REQUESTS.c.state == WAITING,
            )
        )
        values = {
            "contest": contest,
            "team": team,
            "kind": kind,
            "at": time.time(),
            "about": msgspec.json.encode(about),
            "data": data,
            "state": WAITING,
            "answer": b"{}",
        }
        made = connection.execute(insert(CONTEST_REQUESTS).values(values))
        (number,) = made.inserted_primary_key or (0,)
        return int(number)


def of_team(engine: Engine, contest: int, team: str, kind: str, limit: int) -> list[TeamRequest]:
    """Return the latest requests of a team, the newest first."""
    query = (
        _selected(contest, kind)
        .where(CONTEST_REQUESTS.c.team == team)
        .order_by(CONTEST_REQUESTS.c.number.desc())
        .limit(limit)
    )
    with engine.connect() as connection:
        return [_request(row) for row in connection.execute(query)]


def next_waiting(engine: Engine, contest: int, kind: str) -> TeamRequest | None:
    """Return the request that has waited for longest."""
    query = (
        _selected(contest, kind)
        .where(CONTEST_REQUESTS.c.state == WAITING)
        .order_by(CONTEST_REQUESTS.c.number)
        .limit(1)
    )
    with engine.connect() as connection:
        row = connection.execute(query).first()
    return None if row is None else _request(row)


def data_of(engine: Engine, number: int) -> bytes:
    """Return what came with a request; empty if it was answered or replaced meanwhile."""
    query = select(CONTEST_REQUESTS.c.data).where(CONTEST_REQUESTS.c.number == number)
    with engine.connect() as connection:
        return connection.execute(query).scalar() or b""


def answer(engine: Engine, number: int, state: State, about: dict[str, Any]) -> bool:
    """Answer a request and drop what came with it; return False if it was replaced meanwhile."""
    own = CONTEST_REQUESTS.c.number == number
    values = {"state": state, "answer": msgspec.json.encode(about), "data": b""}
    with writing(engine) as connection:
        done = connection.execute(update(CONTEST_REQUESTS).where(own).values(values))
        return bool(done.rowcount)


_SHOWN = [column for column in CONTEST_REQUESTS.c if column.name != "data"]


def _selected(contest: int, kind: str) -> Any:
    return select(*_SHOWN).where(
        CONTEST_REQUESTS.c.contest == contest, CONTEST_REQUESTS.c.kind == kind
    )


def _request(row: Any) -> TeamRequest:
    about, answer = msgspec.json.decode(row.about), msgspec.json.decode(row.answer)
    return TeamRequest(row.number, row.team, row.at, about, row.state, answer)
