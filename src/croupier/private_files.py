"""Files and folders that only their owner can read, whatever the umask says."""

import contextlib
import os
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
OTHERS = 0o077
"""The bits of a mode that let somebody else in."""


def opener(path: str, flags: int) -> int:
    """Open a file for the built-in `open`; if it is made by that, only its owner can read it.

    A file that exists keeps its mode.
    """
    if flags & os.O_CREAT:
        try:
            made = os.open(path, flags | os.O_EXCL, FILE_MODE)
        except FileExistsError:
            pass
        else:
            os.fchmod(made, FILE_MODE)
            return made
    return os.open(path, flags, FILE_MODE)


def make_file(path: Path) -> None:
    """Make an empty private file, unless there is a file already.

    An existing one is not even opened: closing it again would drop SQLite's locks on it.
    """
    with contextlib.suppress(FileExistsError):
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
        os.fchmod(made, FILE_MODE)
        os.close(made)


def make_folder(path: Path) -> None:
    """Make a private folder and those above it that are missing; others stay as they are."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        try:
            folder.mkdir(FOLDER_MODE)
        except FileExistsError:
            continue  # somebody else was faster, or it is no folder: the caller will see
        folder.chmod(FOLDER_MODE)
    path.mkdir(exist_ok=True)


def exposed(path: Path) -> bool:
    """Tell whether a file exists and its mode lets others than its owner in."""
    try:
        return bool(path.stat().st_mode & OTHERS)
    except OSError:
        return False
