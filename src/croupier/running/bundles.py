"""The files of a contest's teams as one bundle, which travels to other machines.

A bundle is named by the SHA-256 of its bytes, and the same files are always the same bytes.
"""

import hashlib
import io
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from croupier.private_files import make_folder
from croupier.running.contest_file import ContestFile
from croupier.server.arena.programs import named_in

MAX_BYTES = 200_000_000
_EPOCH = (1980, 1, 1, 0, 0, 0)


class BundleError(Exception):
    """The files of the teams cannot travel; the message says why."""


@dataclass(frozen=True)
class Bundle:
    """Files, packed."""

    name: str
    """The SHA-256 of the data."""
    data: bytes


def bundle_of(contest: ContestFile) -> Bundle:
    """Pack what the teams of a contest name, with what lies beside it.

    A file below the contest's folder comes with the folder that it is in, as into a box; a Python
    file in the contest's folder itself comes with the other Python files there.
    """
    base = contest.folder.resolve()
    hidden = set(contest.surroundings(False).hidden)
    files = {
        path
        for named in _named(contest, base)
        for path in _with_neighbours(named, base)
        if not hidden & {path, *path.parents} and "__pycache__" not in path.parts
    }
    if sum(path.stat().st_size for path in files) > MAX_BYTES:
        raise BundleError(
            f"the files of the teams are more than {MAX_BYTES // 1_000_000} MB; keep large ones on"
            " the machines of the workers, and name them by absolute paths"
        )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path.relative_to(base).as_posix(), _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            executable = path.stat().st_mode & 0o100
            entry.external_attr = (0o700 if executable else 0o600) << 16
            archive.writestr(entry, path.read_bytes())
    data = packed.getvalue()
    return Bundle(hashlib.sha256(data).hexdigest(), data)


def unpack(bundle: Bundle, folder: Path) -> None:
    """Write the files of a bundle to a private folder.

    In it everyone may read them: in a box of root's a program has a user of its own.
    """
    if hashlib.sha256(bundle.data).hexdigest() != bundle.name:
        raise BundleError("the bundle was damaged on its way")
    make_folder(folder)
    with zipfile.ZipFile(io.BytesIO(bundle.data)) as archive:
        for entry in archive.infolist():
            path = Path(archive.extract(entry, folder))
            executable = (entry.external_attr >> 16) & stat.S_IXUSR
            path.chmod(0o755 if executable else 0o644)
            for above in path.relative_to(folder).parents[:-1]:
                (folder / above).chmod(0o755)


def _named(contest: ContestFile, base: Path) -> Iterator[Path]:
    for team in contest.plan.teams:
        if team.bot and not team.house:
            yield _inside(Path(team.bot.rpartition(":")[0]), base, team.name)
        for path in named_in(team.command, base):
            if path.is_relative_to(base):
                if str(base) in team.command:
                    raise BundleError(
                        f"{team.name}: on a cluster, commands name files of the contest by paths"
                        f" relative to its folder, not as {path}"
                    )
                yield path
            elif str(path) not in team.command:  # an absolute one is there on all machines
                _inside(path, base, team.name)


def _inside(file: Path, base: Path, team: str) -> Path:
    path = base / file
    if file.is_absolute() or not path.resolve().is_relative_to(base):
        raise BundleError(
            f"{team}: {file} is not in the contest's folder, so it cannot be sent to a cluster;"
            " put it there, and name it by its path relative to that folder"
        )
    return path


def _with_neighbours(path: Path, base: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (one for one in path.rglob("*") if one.is_file())
    elif path.parent != base:
        yield from _with_neighbours(path.parent, base)
    else:
        yield path
        if path.suffix == ".py":
            yield from base.glob("*.py")
