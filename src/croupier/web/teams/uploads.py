"""A team uploads a new version of its program, and sees what became of it.

The site stores what it was sent and looks at nothing in it: whoever runs the contest unpacks and
checks it (`running/uploads.py`).
"""

import hashlib
import time
from math import ceil

from sqlalchemy import Engine
from starlette.exceptions import HTTPException

from croupier.contest.acts import has_left
from croupier.history.printable import plain
from croupier.store import contests, requests
from croupier.store.requests import PROGRAM, TeamRequest
from croupier.store.schema import writing
from croupier.web.admin.audit import ACTOR
from croupier.web.teams.entry import Entered
from croupier.web.teams.schemas import Checked, Upload, Uploads

MAX_UPLOAD = 10 << 20
"""The maximum size of an upload in bytes. A security limit."""

GAP_S = 20.0
"""Seconds between two uploads of a team. A security limit."""

SHOWN = 10


def problem_of(own: Entered) -> str:
    """Return why a team cannot upload a program; empty: it can."""
    course = own.followed.course
    if not course.plan.uploads:
        return "the organiser takes no uploads"
    if not own.team.command:
        return "only programs that the organiser starts can be uploaded"
    if course.complete:
        return "the contest is over"
    if has_left(course.acts, own.team.name):
        return "the team is no longer in the contest"
    return ""


def listed(engine: Engine, own: Entered) -> Uploads:
    """Return the latest uploads of a team; this blocks."""
    found = requests.of_team(engine, own.followed.row.id, own.team.name, PROGRAM, SHOWN)
    return Uploads(problem_of(own), own.team.dialect, [_upload(one) for one in found])


def put(engine: Engine, own: Entered, data: bytes) -> Uploads:
    """Store an upload for whoever runs the contest; this blocks."""
    contest, team = own.followed.row, own.team.name
    if problem := problem_of(own):
        raise HTTPException(409, problem)
    if not data:
        raise HTTPException(400, "the upload is empty")
    latest = requests.of_team(engine, contest.id, team, PROGRAM, 1)
    wait = latest[0].at + GAP_S - time.time() if latest else 0.0
    if wait > 0:
        seconds = {"retry-after": str(ceil(wait))}
        raise HTTPException(429, f"wait {GAP_S:g} s between two uploads", seconds)
    digest = hashlib.sha256(data).hexdigest()
    about = {"sha256": digest, "size": len(data)}
    number = requests.put(engine, contest.id, team, PROGRAM, about, data)
    with writing(engine) as connection:
        detail = f"{team}: upload {number}, {len(data)} bytes, SHA-256 {digest}"
        contests.audit(connection, contest, ACTOR, "upload", detail)
    return listed(engine, own)


def _upload(one: TeamRequest) -> Upload:
    checks = [
        Checked(
            plain(verdict["scenario"]),
            verdict["ok"],
            plain(verdict["text"]),
            [plain(line) for line in (*verdict["context"], *verdict["output"])],
        )
        for verdict in one.answer.get("verdicts", ())
    ]
    why = plain(one.answer.get("why", ""))
    return Upload(
        one.number, one.at, one.about["size"], one.about["sha256"], one.state, why, checks
    )
