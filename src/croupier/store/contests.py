"""Contests in the store: plans, results, acts, pairings and keys."""

import hashlib
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import Engine, delete, func, insert, select, update
from sqlalchemy.engine import Connection

from croupier.commitments import commitment_to, deal_seed
from croupier.contest.acts import Act
from croupier.contest.coefficients import hash_of
from croupier.contest.course import Course
from croupier.contest.fixtures import Fixture, MatchName, MatchResult, SeatResult
from croupier.contest.plan import ContestPlan
from croupier.deals import SEED_BYTES
from croupier.rules.rules import nearest
from croupier.store.databases import kind_of
from croupier.store.places import CONTEST, FRIENDLY
from croupier.store.schema import (
    AUDIT,
    CONTEST_ACTS,
    CONTEST_FIXTURES,
    CONTEST_KEYS,
    CONTEST_RESULTS,
    CONTESTS,
    MATCHES,
    writing,
)


class NoContestError(LookupError):
    """There is no such contest in the store; the message says which there are."""


@dataclass(frozen=True)
class ContestRow:
    """A contest on record."""

    id: int
    title: str
    began: float
    plan: ContestPlan
    seed: bytes
    """Secret until the contest is complete."""
    salt: bytes
    commitment: str
    secret: bool
    beacon: str
    """The value of the beacon; empty: there is none yet."""
    arena: str = ""
    """The arena that it belongs to."""

    @property
    def deal_seed(self) -> bytes:
        """The seed from which matches are dealt."""
        nonces = [team.nonce for team in self.plan.teams]
        return deal_seed(self.seed, nonces, self.beacon)

    @property
    def is_committed(self) -> bool:
        """Whether its commitment is that to its seed, and to what was announced with it."""
        return _commitment(self.seed, self.salt, self.plan) == self.commitment

    def place(self, name: MatchName | str) -> str:
        """Return the place of a match in the store."""
        return f"{CONTEST} {self.id} {name}"

    def friendly_place(self, number: int | str) -> str:
        """Return the place of a friendly match in the store."""
        return f"{FRIENDLY} {self.id} {number}"


def create(
    engine: Engine, plan: ContestPlan, seed: bytes, secret: bool, arena: str = ""
) -> ContestRow:
    """Put a new contest of an arena on record, with the commitment to its seed."""
    salt = secrets.token_bytes(SEED_BYTES)
    values = {
        "title": plan.title,
        "began": time.time(),
        "plan": encoded_plan(plan),
        "seed": seed,
        "salt": salt,
        "commitment": _commitment(seed, salt, plan),
        "secret": int(secret),
        "arena": arena,
    }
    with writing(engine) as connection:
        connection.execute(insert(CONTESTS).values(values))
    return find(engine, plan.title)


def change_plan(engine: Engine, contest: int, plan: ContestPlan) -> None:
    """Replace the plan of a contest."""
    own = CONTESTS.c.id == contest
    with writing(engine) as connection:
        row = connection.execute(select(CONTESTS.c.seed, CONTESTS.c.salt).where(own)).one()
        # Announcing another beacon is another commitment: whoever noted the first one sees it.
        commitment = _commitment(row.seed, row.salt, plan)
        values = {"plan": encoded_plan(plan), "commitment": commitment}
        connection.execute(update(CONTESTS).where(own).values(values))


def _commitment(seed: bytes, salt: bytes, plan: ContestPlan) -> str:
    """Return what binds a contest to its seed, its beacon and its coefficients of luck."""
    return commitment_to(seed, salt, plan.beacon, hash_of(plan.coefficients))


def set_beacon(engine: Engine, contest: int, beacon: str) -> None:
    """Record the value of a contest's beacon."""
    with writing(engine) as connection:
        connection.execute(update(CONTESTS).where(CONTESTS.c.id == contest).values(beacon=beacon))


def all_contests(engine: Engine) -> list[ContestRow]:
    """Return all contests, the newest first."""
    with engine.connect() as connection:
        rows = connection.execute(select(CONTESTS).order_by(CONTESTS.c.id.desc())).all()
    return [_row(row) for row in rows]


def find(engine: Engine, title: str) -> ContestRow:
    """Return the contest with a title."""
    with engine.connect() as connection:
        row = connection.execute(select(CONTESTS).where(CONTESTS.c.title == title)).first()
        if row is None:
            known = connection.execute(select(CONTESTS.c.title)).scalars().all()
            raise NoContestError(
                f"there is no contest {title!r} in the store{nearest(title, known)}"
            )
    return _row(row)


def _row(row: Any) -> ContestRow:
    plan = msgspec.json.decode(row.plan, type=ContestPlan)
    return ContestRow(
        row.id,
        row.title,
        row.began,
        plan,
        row.seed,
        row.salt,
        row.commitment,
        bool(row.secret),
        row.beacon or "",
        row.arena,
    )


def encoded_plan(plan: ContestPlan) -> bytes:
    """Return a plan as JSON."""
    return msgspec.json.encode(plan)


# What happened.


def course_of(engine: Engine, contest: ContestRow) -> Course:
    """Return a contest as far as it has come, from one snapshot of the store."""
    with engine.connect() as connection:
        return _course(connection, contest)


def history(
    engine: Engine, contest: int
) -> tuple[list[Act], dict[MatchName, MatchResult], dict[str, list[Fixture]]]:
    """Return the acts, the results and the recorded pairings of a contest, from one snapshot."""
    with engine.connect() as connection:
        played = [stored.result for stored in _results(connection, contest)]
        acts = _acts(connection, contest)
        assigned = _assigned(connection, contest)
    return acts, {result.name: result for result in played}, assigned


def _course(connection: Connection, contest: ContestRow) -> Course:
    return Course(
        contest.plan,
        contest.deal_seed,
        [stored.result for stored in _results(connection, contest.id)],
        _acts(connection, contest.id),
        _assigned(connection, contest.id),
    )


@dataclass(frozen=True)
class StoredResult:
    """A result with what is known about how it came about."""

    result: MatchResult
    ended: float
    digest: str
    match_id: str | None


def results(engine: Engine, contest: int) -> list[StoredResult]:
    """Return all results of a contest, in the order in which they came."""
    with engine.connect() as connection:
        return _results(connection, contest)


def _results(connection: Connection, contest: int) -> list[StoredResult]:
    query = (
        select(CONTEST_RESULTS)
        .where(CONTEST_RESULTS.c.contest == contest)
        .order_by(CONTEST_RESULTS.c.ended, *CONTEST_RESULTS.primary_key)
    )
    stored = []
    for row in connection.execute(query):
        name = MatchName(row.stage, row.fixture, row.set, row.match)
        seats = tuple(msgspec.json.decode(row.seats, type=list[SeatResult]))
        result = MatchResult(name, seats, row.hands)
        stored.append(StoredResult(result, row.ended, row.digest, row.match_id))
    return stored


def result_values(
    contest: int, result: MatchResult, digest: str, match_id: str | None
) -> dict[str, Any]:
    """Return the row of a result that is stored now."""
    return {
        "contest": contest,
        **asdict(result.name),
        "ended": time.time(),
        "hands": result.hands,
        "seats": msgspec.json.encode(result.seats),
        "digest": digest,
        "match_id": match_id or None,
    }


def add_results(engine: Engine, contest: ContestRow, new: Sequence[MatchResult]) -> None:
    """Store results of matches that were not played; those that have a result keep it."""
    with writing(engine) as connection:
        for result in new:
            values = result_values(contest.id, result, "", None)
            statement = kind_of(connection).insert(CONTEST_RESULTS).values(values)
            connection.execute(statement.on_conflict_do_nothing())


def acts(engine: Engine, contest: int) -> list[Act]:
    """Return the acts of a contest, in order."""
    with engine.connect() as connection:
        return _acts(connection, contest)


def _acts(connection: Connection, contest: int) -> list[Act]:
    query = select(CONTEST_ACTS.c.act).where(CONTEST_ACTS.c.contest == contest)
    rows = connection.execute(query.order_by(CONTEST_ACTS.c.number)).scalars()
    return [msgspec.json.decode(row, type=Act) for row in rows]


def act(engine: Engine, contest: ContestRow, done: Act, actor: str, detail: str = "") -> None:
    """Record an act at its position in the course, and in the audit log."""
    with writing(engine) as connection:
        current = _course(connection, contest).current
        placed = replace(done, stage=current.index, round=current.round)
        values = {"contest": contest.id, "at": time.time(), "act": msgspec.json.encode(placed)}
        connection.execute(insert(CONTEST_ACTS).values(values))
        audit(connection, contest, actor, done.kind, detail or done.team or done.match)


def audit(connection: Connection, contest: ContestRow, actor: str, act: str, detail: str) -> None:
    """Write an act to the audit log."""
    connection.execute(
        insert(AUDIT).values(
            at=time.time(),
            actor=actor,
            act=f"contest {act}",
            table=contest.title,
            detail=detail,
            outcome="done",
            arena=contest.arena,
        )
    )


def _assigned(connection: Connection, contest: int) -> dict[str, list[Fixture]]:
    query = (
        select(CONTEST_FIXTURES)
        .where(CONTEST_FIXTURES.c.contest == contest)
        .order_by(CONTEST_FIXTURES.c.stage, CONTEST_FIXTURES.c.number)
    )
    assigned: dict[str, list[Fixture]] = {}
    for row in connection.execute(query):
        fixture = msgspec.json.decode(row.fixture, type=Fixture)
        assigned.setdefault(row.stage, []).append(fixture)
    return assigned


def fixture_values(contest: int, stage: str, number: int, fixture: Fixture) -> dict[str, Any]:
    """Return the row of a pairing."""
    return {
        "contest": contest,
        "stage": stage,
        "number": number,
        "fixture": msgspec.json.encode(fixture),
    }


# Keys.


@dataclass(frozen=True)
class TeamKey:
    """The key of a team in a dialect, of which only a salted hash is kept."""

    team: str
    dialect: str
    salt: bytes
    digest: bytes
    pid: str

    def opens(self, secret: str) -> bool:
        """Tell whether this is the key."""
        return secrets.compare_digest(_hashed(self.salt, secret), self.digest)


def _hashed(salt: bytes, secret: str) -> bytes:
    # A key is drawn at random and long, so one round suffices; a slow hash would only serve those
    # who knock often. The short numbers of Kuhn poker are guessed at the door, which slows down.
    return hashlib.sha256(salt + secret.encode("utf-8", "surrogatepass")).digest()


def put_keys(engine: Engine, contest: int, new: Sequence[tuple[str, str, str, str]]) -> None:
    """Store keys given as (team, dialect, secret, pid), in place of older ones."""
    with writing(engine) as connection:
        for team, dialect, secret, pid in new:
            salt = secrets.token_bytes(16)
            same = (
                (CONTEST_KEYS.c.contest == contest)
                & (CONTEST_KEYS.c.team == team)
                & (CONTEST_KEYS.c.dialect == dialect)
            )
            connection.execute(delete(CONTEST_KEYS).where(same))
            connection.execute(
                insert(CONTEST_KEYS).values(
                    contest=contest,
                    team=team,
                    dialect=dialect,
                    salt=salt,
                    digest=_hashed(salt, secret),
                    pid=pid,
                )
            )


def keys(engine: Engine, contest: int) -> list[TeamKey]:
    """Return the keys of a contest's teams."""
    query = select(CONTEST_KEYS).where(CONTEST_KEYS.c.contest == contest)
    with engine.connect() as connection:
        rows = connection.execute(query).all()
    return [TeamKey(row.team, row.dialect, row.salt, row.digest, row.pid) for row in rows]


# What a site asks for.


def by_id(engine: Engine, contest: int) -> ContestRow:
    """Return the contest with an id."""
    with engine.connect() as connection:
        row = connection.execute(select(CONTESTS).where(CONTESTS.c.id == contest)).first()
    if row is None:
        raise NoContestError(f"there is no contest {contest}")
    return _row(row)


def newest_title(engine: Engine) -> str:
    """Return the title of the newest contest, empty if there is none."""
    query = select(CONTESTS.c.title).order_by(CONTESTS.c.id.desc()).limit(1)
    with engine.connect() as connection:
        return str(connection.execute(query).scalar() or "")


def stamp(engine: Engine, contest: int) -> tuple[int, ...]:
    """Return numbers that grow whenever a contest goes on: those of its results, acts, pairings."""
    counts = (
        select(func.count()).select_from(table).where(table.c.contest == contest).scalar_subquery()
        for table in (CONTEST_RESULTS, CONTEST_ACTS, CONTEST_FIXTURES)
    )
    with engine.connect() as connection:
        return tuple(connection.execute(select(*counts)).one())


def running(engine: Engine, contest: ContestRow) -> dict[str, tuple[str, str]]:
    """Return the matches that have begun and not ended, by name: their id and their place."""
    prefix = contest.place("")
    query = select(MATCHES.c.id, MATCHES.c.place).where(
        MATCHES.c.ended.is_(None), MATCHES.c.place.startswith(prefix, autoescape=True)
    )
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(MATCHES.c.began)).all()
    return {row.place.removeprefix(prefix): (row.id, row.place) for row in rows}
