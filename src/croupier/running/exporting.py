"""Writes everything about a contest into a folder, so that a stranger can verify it."""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Engine, insert, select

from croupier.contest.course import Course
from croupier.history import phh
from croupier.running.tables import crosstable_object, standings_object
from croupier.store import contests, participants, queries
from croupier.store.contests import ContestRow
from croupier.store.schema import (
    CONTEST_ACTS,
    CONTEST_FIXTURES,
    CONTEST_RESULTS,
    CONTESTS,
    HANDS,
    MATCHES,
    open_store,
)

RECORD = "record.db"
"""The contest's own part of the store."""

CHUNK = 1000


def export_contest(
    engine: Engine,
    contest: ContestRow,
    course: Course,
    target: Path,
    transcripts: Path | None,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Write a complete contest into a new folder; call `advance` after each match."""
    target.mkdir(parents=True)
    results = contests.results(engine, contest.id)
    _write_results(results, target)
    about = {
        "title": contest.title,
        "commitment": contest.commitment,
        "seed": contest.seed.hex(),
        "salt": contest.salt.hex(),
        "secret": contest.secret,
        "announced": contest.plan.beacon,
        "beacon": contest.beacon,
        "deal_seed": contest.deal_seed.hex(),
        "coefficients": contest.plan.coefficients,
        "nonces": {team.name: team.nonce for team in contest.plan.teams if team.nonce},
        "teams": [asdict(team) for team in course.plan.teams],
        "acts": [asdict(act) for act in course.acts],
    }
    (target / "contest.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    tables = standings_object(course, course.stages)
    tables["crosstables"] = [crosstable_object(stage) for stage in course.stages]
    (target / "standings.json").write_text(json.dumps(tables, indent=1) + "\n", "utf-8")
    record = open_store(str(target / RECORD), private=False)
    try:
        ids = [stored.match_id for stored in results if stored.match_id is not None]
        _copy(engine, record, contest, ids, advance)
    finally:
        record.dispose()
    for stored in results:
        if stored.match_id is not None:
            _write_hands(engine, stored.match_id, str(stored.result.name), target / "hands")
            advance()
    if transcripts is not None and transcripts.is_dir():
        _copy_transcripts(transcripts, target / "transcripts", _tokens(engine, ids))


def _write_results(results: list[contests.StoredResult], target: Path) -> None:
    """Write one line per match and team, and the same as JSON."""
    rows = [
        {
            "stage": stored.result.name.stage,
            "fixture": stored.result.name.fixture,
            "set": stored.result.name.set,
            "match": stored.result.name.match,
            "hands": stored.result.hands,
            "record": stored.match_id or "",
            "digest": stored.digest,
            **{key: value for key, value in asdict(seat).items() if key not in ("groups", "luck")},
        }
        for stored in results
        for seat in stored.result.seats
    ]
    (target / "results.json").write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    with (target / "results.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else ["stage"])
        writer.writeheader()
        writer.writerows(rows)


def _copy(
    engine: Engine, record: Engine, contest: ContestRow, ids: list[str], advance: Callable[[], None]
) -> None:
    """Copy the rows of a contest; keys stay where they are."""
    with engine.connect() as source, record.begin() as copy:
        row = source.execute(select(CONTESTS).where(CONTESTS.c.id == contest.id)).mappings().one()
        copy.execute(insert(CONTESTS).values(dict(row)))
        for table in (CONTEST_RESULTS, CONTEST_ACTS, CONTEST_FIXTURES):
            rows = source.execute(select(table).where(table.c.contest == contest.id)).mappings()
            values = [dict(row) for row in rows]
            if values:
                copy.execute(insert(table), values)
        for match_id in ids:
            match = source.execute(select(MATCHES).where(MATCHES.c.id == match_id)).mappings()
            headers = [_without_tokens(dict(row)) for row in match]
            copy.execute(insert(MATCHES), headers)
            participants.add(copy, headers)
            hands = source.execute(select(HANDS).where(HANDS.c.match_id == match_id)).mappings()
            for part in hands.partitions(CHUNK):
                copy.execute(insert(HANDS), [dict(row) for row in part])
            advance()


def _without_tokens(row: dict[str, Any]) -> dict[str, Any]:
    """Return the header of a match without tokens: a token is a digest of the team's key."""
    players = msgspec.json.decode(row["players"])
    for player in players:
        player["token"] = None
    return row | {"players": msgspec.json.encode(players)}


def _tokens(engine: Engine, ids: list[str]) -> list[str]:
    """Return the tokens of all players of matches."""
    with engine.connect() as connection:
        rows = connection.execute(select(MATCHES.c.players).where(MATCHES.c.id.in_(ids))).scalars()
        found = {player.get("token") for row in rows for player in msgspec.json.decode(row)}
    return sorted(token for token in found if token)


def _copy_transcripts(source: Path, target: Path, tokens: list[str]) -> None:
    """Copy transcripts, with the number of each token in its place."""
    target.mkdir()
    numbers = {token.encode(): b"%032d" % number for number, token in enumerate(tokens, 1)}
    for file in sorted(source.rglob("*")):
        copy = target / file.relative_to(source)
        if file.is_dir():
            copy.mkdir()
            continue
        text = file.read_bytes()
        for token, number in numbers.items():
            text = text.replace(token, number)
        copy.write_bytes(text)


def _write_hands(engine: Engine, match_id: str, name: str, folder: Path) -> None:
    """Write the hands of a match as PHH, if that knows its game."""
    match = queries.match(engine, match_id)
    try:
        phh.check(match)
    except phh.NoSuchVariantError:
        return
    folder.mkdir(exist_ok=True)
    with (folder / f"{name.replace('/', '-')}.phhs").open("w", encoding="utf-8") as file:
        parts: Iterator[str] = phh.tables(match, queries.all_hands(engine, match_id))
        file.writelines(parts)
