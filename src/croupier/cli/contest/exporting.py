"""`croupier contest export` and `verify`."""

import lzma
import shlex
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

import click
import msgspec
from sqlalchemy import Engine

from croupier.cli.contest.common import NAME, load_begun, on_record
from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import opened, progress
from croupier.cli.verify import commitment_option, noted_commitment, print_check
from croupier.contest.coefficients import coefficients_hash, hash_of
from croupier.running.exporting import RECORD, export_contest
from croupier.running.tables import digest_of
from croupier.running.verifying import ContestVerifier
from croupier.store import contests
from croupier.store.contests import ContestRow, NoContestError

ARCHIVES = {".zip": "zip", ".tar": "tar", ".gz": "gztar", ".tgz": "gztar"}
"""By the last suffix of its name, the kind of an archive."""

OTHER_ARCHIVES = (".7z", ".bz2", ".rar", ".tbz2", ".txz", ".xz", ".zst")
"""Endings with which nobody means a folder."""

SMALL = 64 << 20
"""Bytes that a record may always have."""

MAX_RATIO = 50
"""How many times as large as its archive a record may be beyond that. A security limit."""

UNREADABLE = (
    OSError, EOFError, ValueError, RuntimeError,
    zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError,
)  # fmt: skip
"""What reading an archive raises that is damaged, encrypted or none."""


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path), metavar="CONTEST.toml")
@click.argument("target", type=click.Path(path_type=Path), metavar="FOLDER|ARCHIVE")
def export(file: Path, target: Path) -> None:
    """Write everything about a complete contest into a new folder or archive.

    A name that ends in .zip, .tar, .tar.gz or .tgz is an archive's, any other a folder's. It has
    the results as CSV and JSON, all hands as PHH, the seed and the commitment to it, the
    transcripts, and the record, which `croupier contest verify` verifies.
    """
    if target.exists():
        raise BadArgumentError(f"{target} exists already; it is left as it is")
    if target.suffix.lower() in OTHER_ARCHIVES:
        raise BadArgumentError(
            f"{target}: an archive ends in .zip, .tar, .tar.gz or .tgz; another name is a folder's"
        )
    with on_record(file) as contest, tempfile.TemporaryDirectory() as temporary:
        if not contest.course.complete:
            raise BadArgumentError(
                "the contest is not complete, so its seed is still secret;"
                f" `croupier contest run {shlex.quote(str(file))}` goes on"
            )
        kind = ARCHIVES.get(target.suffix)
        name = target.name.split(".")[0] or "contest"
        folder = Path(temporary) / name if kind else target
        kept = contests.results(contest.engine, contest.row.id)
        steps = 2 * sum(stored.match_id is not None for stored in kept)
        bar, advance = progress("exporting", steps)
        try:
            with bar:
                export_contest(
                    contest.engine,
                    contest.row,
                    contest.course,
                    folder,
                    contest.file.transcripts,
                    advance,
                )
            if kind:
                base = str(Path(temporary) / "archive")
                made = shutil.make_archive(base, kind, temporary, name)
                shutil.move(made, target)
        except OSError as error:
            raise BadArgumentError(f"cannot write {target}: {error.strerror or error}") from None
    click.echo(f"{target} is written; verify it with: croupier contest verify {target}")


@click.command("verify")
@click.argument(
    "source",
    type=click.Path(path_type=Path),
    default=NAME,
    metavar="[CONTEST.toml|FOLDER|ARCHIVE]",
)
@commitment_option
@click.pass_context
def verify(context: click.Context, source: Path, commitment: str | None) -> None:
    """Verify a contest from its record alone: its own store, or what `export` has written.

    Prints one line per check, and the digest of all results. The exit code is 0 if all checks pass
    and 1 if not.
    """
    noted = noted_commitment(commitment)
    with _record(source) as (engine, row):
        try:
            verifier = ContestVerifier(engine, row, noted)
        except (msgspec.MsgspecError, ValueError) as error:
            raise BadArgumentError(f"the record of {source} cannot be read: {error}") from None
        if not verifier.course.complete:
            raise BadArgumentError("the contest is not complete; it can be verified at its end")
        bar, advance = progress("verifying", len(verifier.results))
        with bar:
            for _ in verifier.run():
                advance()
        for check in verifier.checks:
            print_check(check)
        click.echo(f"digest     {digest_of(verifier.course)}")
        nonces = [f"{team.name} {team.nonce}" for team in row.plan.teams if team.nonce]
        if nonces:
            click.echo(f"note       nonces in the order of the file: {', '.join(nonces)}")
        if row.plan.beacon:
            click.echo(f"note       beacon announced: {row.plan.beacon}; its value: {row.beacon}")
        if row.plan.coefficients:
            used = hash_of(row.plan.coefficients)
            others = "" if used == coefficients_hash() else "; this Croupier has others"
            click.echo(
                f"note       coefficients of luck, committed to with the seed: {used}{others}"
            )
        if not row.secret:
            click.echo("note       not secret: the seed was given in the file")
        if not verifier.ok:
            click.echo(f"{row.title} FAILED: it is not what was drawn, dealt and played")
            context.exit(1)
        click.echo(f"{row.title} is verified: {len(verifier.results):,} matches")


@contextmanager
def _record(source: Path) -> Iterator[tuple[Engine, ContestRow]]:
    """Open the record of a contest, wherever it is."""
    with tempfile.TemporaryDirectory() as temporary:
        if source.is_file() and source.suffix in ARCHIVES:
            store, title = str(_unpacked(source, Path(temporary))), None
        elif source.is_dir():
            if not (source / RECORD).is_file():
                raise BadArgumentError(f"{source} has no {RECORD}; it is no exported contest")
            # A copy, because opening a store may bring it up to date.
            shutil.copy(source / RECORD, temporary)
            store, title = str(Path(temporary) / RECORD), None
        else:
            contest = load_begun(source)
            store, title = contest.store, contest.plan.title
        with opened(store) as engine:
            try:
                if title is None:
                    (row,) = contests.all_contests(engine)
                else:
                    row = contests.find(engine, title)
            except NoContestError as error:
                raise BadArgumentError(str(error)) from None
            except msgspec.MsgspecError as error:
                raise BadArgumentError(f"the record of {source} cannot be read: {error}") from None
            except ValueError:
                raise BadArgumentError(f"{source} has not exactly one contest") from None
            yield engine, row


def _unpacked(archive: Path, folder: Path) -> Path:
    """Unpack the record of an archive that a stranger may have made, and nothing else of it."""
    target = folder / RECORD
    most = SMALL + MAX_RATIO * archive.stat().st_size
    try:
        with _member(archive) as member, target.open("wb") as file:
            while piece := member.read(1 << 20):
                if file.tell() + len(piece) > most:
                    raise BadArgumentError(
                        f"{archive} cannot be unpacked: {RECORD} is more than {MAX_RATIO} times as"
                        " large as the archive, which no record is"
                    )
                file.write(piece)
    except UNREADABLE as error:
        raise BadArgumentError(f"{archive} cannot be unpacked: {error}") from None
    return target


@contextmanager
def _member(archive: Path) -> Iterator[IO[bytes]]:
    """Open the record in an archive: a file in the only folder of it."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as zipped:
            found = (name for name in zipped.namelist() if _is_record(name))
            with zipped.open(_first(found, archive)) as member:
                yield member
    else:
        with tarfile.open(archive) as packed:
            names = (one.name for one in packed if one.isfile() and _is_record(one.name))
            file = packed.extractfile(_first(names, archive))
            assert file is not None
            with file as member:
                yield member


def _is_record(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return len(parts) == 2 and parts[1] == RECORD and not name.endswith("/")


def _first(names: Iterator[str], archive: Path) -> str:
    name = next(names, None)
    if name is None:
        raise BadArgumentError(f"{archive} has no {RECORD}; it is no exported contest")
    return name
