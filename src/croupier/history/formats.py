"""The only list of formats in which a match is exported."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from croupier.dialects.dialect import Dialect
from croupier.dialects.registry import DIALECTS
from croupier.history import jsonl, ohh, phh, pokerstars
from croupier.history.protocol_log import ProtocolLog
from croupier.store.queries import HandRow, MatchRow


@dataclass(frozen=True)
class Format:
    """A way to write the hands of a match."""

    name: str
    about: str
    suffix: str
    """How a file of it ends."""
    media_type: str
    write: Callable[[MatchRow, Iterable[HandRow]], Iterator[str]]
    """Yield the parts of a file, one for each hand on record, besides a header."""
    check: Callable[[MatchRow], None] = lambda match: None
    """Raise NoSuchVariantError if a match cannot be written."""


_ALL = (
    Format(
        "phh",
        "hand histories that PokerKit reads",
        "phhs",
        "application/toml",
        phh.tables,
        phh.check,
    ),
    Format("jsonl", "every event as a line of JSON", "jsonl", "application/jsonl", jsonl.lines),
    Format(
        "pokerstars",
        "hands as PokerStars writes them, for trackers",
        "txt",
        "text/plain; charset=utf-8",
        pokerstars.hands,
        pokerstars.check,
    ),
    Format(
        "ohh",
        "Open Hand History, JSON for trackers",
        "ohh",
        "text/plain; charset=utf-8",
        ohh.hands,
        ohh.check,
    ),
)


def _log_of(dialect: Dialect) -> Format:
    log = ProtocolLog(dialect)
    about = "the log of the protocol's original server"
    return Format(dialect.name, about, "log", "text/plain; charset=utf-8", log.lines, log.check)


_LOGS = [_log_of(dialect) for dialect in DIALECTS.values() if dialect.log is not None]

FORMATS = {one.name: one for one in (*_ALL, *_LOGS)}
"""By name, in the order in which they are listed for people."""


def formats_of(match: MatchRow) -> list[str]:
    """Return the names of the formats in which a match can be written."""
    return [one.name for one in FORMATS.values() if _can_write(one, match)]


def _can_write(one: Format, match: MatchRow) -> bool:
    try:
        one.check(match)
    except phh.NoSuchVariantError:
        return False
    return True
