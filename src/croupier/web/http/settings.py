"""The site's settings, which its process reads as one line of JSON from standard input."""

from pathlib import Path
from typing import BinaryIO

import msgspec

from croupier.match.audience import SHOWDOWN, Policy, PolicyError

PACKAGE = Path(__file__).resolve().parents[2]


class SettingsError(ValueError):
    """The settings are invalid; the message says why."""


class ContestFiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file of a contest says about the files that belong to its teams."""

    title: str
    output: str
    """The folder of what programs print."""
    transcripts: str | None = None
    """The folder of transcripts, if they are kept."""


class Settings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Where the site listens and what it shows."""

    bind: str = "127.0.0.1"
    port: int = 8080
    """0 selects any free port."""
    store: str | None = None
    """The store of matches and players; without one the site shows live tables only."""
    control: str | None = None
    """The Unix socket for organisers' commands, if there is a referee."""
    audience: str = SHOWDOWN
    """What the audience may see of matches that have not ended."""
    admin_token: str | None = None
    """The token that organisers log in with; without it nobody can log in."""
    proxies: list[str] = []
    """The addresses of proxies that are believed when they say that a visitor speaks HTTPS."""
    seats: str | None = None
    """The Unix socket through which people take seats, if there are any for them."""
    docs: str | None = None
    """The folder of the documents; by default the one shipped with the program."""
    pages: str | None = None
    """The folder of the organiser's own pages, if there are any."""
    contest: ContestFiles | None = None
    """The contest whose teams find their own files here, if the site knows its file."""
    feed: int | None = None
    """The file descriptor of the feed, if there is a referee."""
    arena: str | None = None
    """The name of the arena whose site it is; without a referee it is nobody's."""
    announce: bool = True
    """Whether the site prints its address."""
    patience_s: float = 10.0
    """The timeout for sending one message to a spectator."""
    request_s: float = 10.0
    """The time in which a request has to arrive."""


def read_settings(source: BinaryIO) -> Settings:
    """Read and validate the settings."""
    try:
        settings = msgspec.json.decode(source.readline(), type=Settings)
        Policy.parse(settings.audience)
    except (msgspec.DecodeError, PolicyError) as error:
        raise SettingsError(f"the settings are invalid: {error}") from None
    return settings


def docs_folder(settings: Settings) -> Path:
    """Return the folder of the documents: configured, packaged, or in the source tree."""
    if settings.docs is not None:
        return Path(settings.docs)
    packed = PACKAGE / "docs"
    return packed if packed.is_dir() else PACKAGE.parents[1] / "docs"


def pages_folder(settings: Settings) -> Path | None:
    """Return the folder of the organiser's own pages."""
    return None if settings.pages is None else Path(settings.pages)
