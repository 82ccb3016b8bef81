"""What the process of the site is told when it starts: one line of JSON on standard input."""

from pathlib import Path
from typing import BinaryIO

import msgspec

from croupier.match.audience import SHOWDOWN, Policy, PolicyError

PACKAGE = Path(__file__).resolve().parents[2]


class SettingsError(ValueError):
    """Settings that no site can run with; the text says why."""


class Settings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Where the site listens, and what it shows."""

    bind: str = "127.0.0.1"
    port: int = 8080
    """0: any that is free."""
    store: str | None = None
    """Matches and players; without one there is only what is live."""
    control: str | None = None
    """The Unix socket that takes an organiser's commands, if there is a referee."""
    audience: str = SHOWDOWN
    """What the audience may see of matches that are not over."""
    admin_token: str | None = None
    """What an organiser logs in with; without it nobody can."""
    docs: str | None = None
    """The folder of the documents; without it the one that came with the program."""
    feed: int | None = None
    """The file descriptor of the feed, if there is a referee."""
    patience_s: float = 10.0
    """How long a spectator may take to read one message."""


def read_settings(source: BinaryIO) -> Settings:
    """Return the settings of a line."""
    try:
        settings = msgspec.json.decode(source.readline(), type=Settings)
        Policy.parse(settings.audience)
    except (msgspec.DecodeError, PolicyError) as error:
        raise SettingsError(f"these are no settings of the site: {error}") from None
    return settings


def docs_folder(settings: Settings) -> Path:
    """Return where the documents are: packed with the program, or beside its source."""
    if settings.docs is not None:
        return Path(settings.docs)
    packed = PACKAGE / "docs"
    return packed if packed.is_dir() else PACKAGE.parents[1] / "docs"
