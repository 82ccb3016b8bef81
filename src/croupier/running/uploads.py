"""New versions of programs that teams have uploaded: unpacked, checked, and put in.

The site only stores what it was sent. Here, in the process that runs the contest, a version is
unpacked into a folder of its own, `croupier check` lets it play in a box, and if it passes every
scenario the team plays with it from its next match on, as after `croupier contest replace`.
"""

import asyncio
import contextlib
import io
import os
import shlex
import shutil
import signal
import sys
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import structlog
from sqlalchemy import Engine

from croupier.checker.verdict import Verdict
from croupier.contest.acts import ADMIT, REPLACE, Act
from croupier.contest.plan import Team
from croupier.private_files import make_folder
from croupier.running.contest_file import ContestFile
from croupier.running.team_lists import ARGUMENTS, START
from croupier.server.arena.programs import environment, literal
from croupier.server.net.transcript import file_part
from croupier.store import contests, requests
from croupier.store.contests import ContestRow
from croupier.store.requests import DONE, PROGRAM, REFUSED, TeamRequest

log = structlog.get_logger()

BY = "croupier check"
"""Who decides, for the audit log."""

MAX_UNPACKED = 64 << 20
MAX_FILES = 2000
KEPT = 5
"""Versions of a team that are kept: a long match may still be played with an earlier one."""
CHECK_S = 600.0
"""Seconds after which a check is given up."""

OPEN = 0o755
"""The mode of what a program sees: the user that its box has is nobody else's."""

PASSED = "passed all scenarios"


class BadUploadError(ValueError):
    """An upload that is no program; the message says what would be one."""


class Uploads:
    """Checks one upload after the other, while the contest is played."""

    def __init__(self, file: ContestFile, engine: Engine, contest: ContestRow) -> None:
        assert file.uploads is not None
        self._file = file
        self._folder = file.uploads
        self._engine = engine
        self._contest = contest
        self._task: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Begin with the next upload, unless one is being checked."""
        if self._task is not None:
            if not self._task.done():
                return
            self._task.result()  # an internal error ends the contest's process, as elsewhere
            self._task = None
        waiting = requests.next_waiting(self._engine, self._contest.id, PROGRAM)
        if waiting is not None:
            self._task = asyncio.get_running_loop().create_task(self._check(waiting))

    async def close(self) -> None:
        """Break off what is being checked; it is checked again when the contest goes on."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _check(self, request: TeamRequest) -> None:
        team = contests.course_of(self._engine, self._contest).plan.teams_by_name[request.team]
        data = requests.data_of(self._engine, request.number)
        if not data:
            return  # a newer one has taken its place
        versions = self._folder / file_part(team.name)
        folder = versions / str(request.number)
        try:
            await asyncio.to_thread(unpack, data, folder)
            verdicts = await self._verdicts(team, versions, folder)
        except (BadUploadError, OSError) as error:
            self._refuse(request, str(error), [], folder)
            return
        failed = [verdict for verdict in verdicts if not verdict.ok]
        if failed:
            why = f"{failed[0].scenario}: {failed[0].text}"
            self._refuse(request, why, verdicts, folder)
        else:
            self._put_in(request, team, folder, verdicts)
            drop_old(versions)

    async def _verdicts(self, team: Team, versions: Path, folder: Path) -> list[Verdict]:
        """Let the program play all scenarios in a box, in a process that gives way to others."""
        program = str((folder / START).relative_to(versions))
        words = ["nice", "-n", "5", sys.executable, "-m", "croupier", "check", team.dialect]
        words += ["--sandbox", "required", "--json", "--", program, *shlex.split(ARGUMENTS)]
        process = await asyncio.create_subprocess_exec(
            *words,
            cwd=versions,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
            env=environment(),
        )
        try:
            async with asyncio.timeout(CHECK_S):
                output, errors = await process.communicate()
        except TimeoutError:
            raise BadUploadError(f"the check was not over after {CHECK_S:g} s") from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        try:
            return msgspec.json.decode(output, type=list[Verdict])
        except msgspec.DecodeError:
            *_, last = errors.decode("utf-8", "replace").strip().splitlines() or [""]
            raise BadUploadError(f"it cannot be checked: {last}") from None

    def _refuse(
        self, request: TeamRequest, why: str, verdicts: list[Verdict], folder: Path
    ) -> None:
        log.info("an upload was refused", team=request.team, upload=request.number, reason=why)
        shutil.rmtree(folder, ignore_errors=True)
        requests.answer(self._engine, request.number, REFUSED, _answer(why, verdicts))

    def _put_in(
        self, request: TeamRequest, team: Team, folder: Path, verdicts: list[Verdict]
    ) -> None:
        if not requests.answer(self._engine, request.number, DONE, _answer(PASSED, verdicts)):
            return
        base = self._file.folder.resolve()
        path = os.path.relpath(folder.resolve() / START, base)
        command = f"{shlex.quote(literal(path))} {ARGUMENTS}"
        entry = Team(team.name, "", command, team.dialect, nonce=team.nonce)
        why = f"upload {request.number}, SHA-256 {request.about['sha256']}"
        replaced = Act(REPLACE, team.name, why=why, entry=entry)
        contests.act(self._engine, self._contest, replaced, BY, f"{team.name}: {why}")
        admitted = Act(ADMIT, team.name, why=PASSED)
        contests.act(self._engine, self._contest, admitted, BY, team.name)
        log.info("a team plays with a new version", team=team.name, upload=request.number)


def _answer(why: str, verdicts: list[Verdict]) -> dict[str, Any]:
    told: list[dict[str, Any]] = msgspec.to_builtins(verdicts)
    return {"why": why, "verdicts": told}


def unpack(data: bytes, folder: Path) -> None:
    """Write a program into a new folder: a zip archive with a file `run`, or that file itself."""
    make_folder(folder)
    folder.parent.chmod(OPEN)
    if not zipfile.is_zipfile(io.BytesIO(data)):
        (folder / START).write_bytes(data)
    else:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                _extract(archive, folder)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError) as error:
            # RuntimeError: it is encrypted. NotImplementedError: an unknown compression.
            raise BadUploadError(f"the archive cannot be unpacked: {error}") from None
    _let_everyone_run(folder)


def _extract(archive: zipfile.ZipFile, folder: Path) -> None:
    names = [info for info in archive.infolist() if not info.is_dir()]
    if len(names) > MAX_FILES:
        raise BadUploadError(f"an archive has at most {MAX_FILES} files")
    if START not in (info.filename for info in names):
        raise BadUploadError(f"the archive has no file {START!r} at its top, which starts it")
    left = MAX_UNPACKED
    for info in names:
        path = Path(os.path.normpath(folder / info.filename))
        if not path.is_relative_to(folder) or "\0" in info.filename:
            raise BadUploadError("the archive has a file that would be outside its folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(info) as source, path.open("wb") as target:
            # Sizes in an archive are what its author says, so what comes out is counted.
            while piece := source.read(min(1 << 20, left + 1)):
                left -= len(piece)
                if left < 0:
                    raise BadUploadError(f"it has more than {MAX_UNPACKED >> 20} MB unpacked")
                target.write(piece)


def drop_old(versions: Path) -> None:
    """Remove all but the newest versions of a team, which would fill the disk in the end."""
    folders = sorted(versions.iterdir(), key=lambda folder: int(folder.name))
    for folder in folders[:-KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def _let_everyone_run(folder: Path) -> None:
    """Let the user that a box has run the program; folders above stay closed to others."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(OPEN)
