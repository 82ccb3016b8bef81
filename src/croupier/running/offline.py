"""A match on a worker: its hands are stored as they come, its end with what follows from it."""

from croupier.running.pool import MatchWorker
from croupier.server.table.task import MatchTask, Played
from croupier.store.records import DropRecord, MatchRecord, Record, ResultRecord
from croupier.store.writer import Writer

MAX_WAITING = 5000
"""Records that wait to be stored before workers have to wait."""


async def play_on(
    worker: MatchWorker, task: MatchTask, writer: Writer
) -> tuple[Played, ResultRecord | None, str]:
    """Let a worker play a match; return its result, and the end and the id of its record.

    The end is not stored yet: it belongs into one transaction with the result. A match that breaks
    or is broken off leaves no record.
    """
    match_id = ""
    end: ResultRecord | None = None

    def take(record: Record) -> None:
        nonlocal match_id, end
        if isinstance(record, ResultRecord):
            end = record
            return
        if isinstance(record, MatchRecord):
            match_id = record.values["id"]
        writer.write(record, _nothing)

    try:
        played = await worker.play(task, take, lambda: writer.waiting < MAX_WAITING)
    except BaseException:
        drop(writer, match_id)
        raise
    if end is None:
        # A bot that hung has ended it: what was recorded of it does not count.
        drop(writer, match_id)
        match_id = ""
    return played, end, match_id


def drop(writer: Writer, match_id: str) -> None:
    """Drop the record of a match, if it has one."""
    if match_id:
        writer.write(DropRecord(match_id), _nothing)


def _nothing() -> None:
    """Do nothing: nobody waits for this record."""
