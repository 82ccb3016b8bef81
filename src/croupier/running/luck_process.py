"""The luck of a match at a live table, computed by a process of its own.

Many tables share the coordinator's process, and their clocks would not wait for it.
"""

import asyncio
import os
import sys

import msgspec
from sqlalchemy import Engine

from croupier.match.chance import chance_of
from croupier.running.luck_account import LuckAccount
from croupier.server.table.task import MatchTask
from croupier.store.schema import open_store
from croupier.store.unfinished import events_of, last_ended

NICENESS = 5
"""It gives way to live tables."""


class _Question(msgspec.Struct, frozen=True):
    store: str
    task: MatchTask
    match_id: str
    players: list[str]


class LuckProcessError(RuntimeError):
    """The process has ended without an answer; the log has the reason."""


async def luck_elsewhere(engine: Engine, store: str, task: MatchTask) -> dict[str, bytes]:
    """Return the luck of a match that has ended, by the names of its players.

    `engine` is that of the store by this address.
    """
    ended = last_ended(engine, task.place)
    if ended is None:
        return {}
    header, _ = ended
    names = [player["name"] for player in msgspec.json.decode(header["players"])]
    question = msgspec.msgpack.encode(_Question(store, task, header["id"], names))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the coordinator
    )
    try:
        answer, _ = await process.communicate(question)
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        raise LuckProcessError(f"the luck of {task.name} is not known")
    return msgspec.msgpack.decode(answer, type=dict[str, bytes])


def _answer(question: _Question) -> dict[str, bytes]:
    task, names = question.task, question.players
    engine = open_store(question.store, create=False)
    try:
        chance = chance_of(task.seed, task.twin, task.rules.hands, len(names))
        account = LuckAccount(task.rules, chance)
        for events in events_of(engine, question.match_id):
            account.add(events)
        return account.packed(names)
    finally:
        engine.dispose()


def main() -> None:
    """Answer one question."""
    os.nice(NICENESS)
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=_Question)
    sys.stdout.buffer.write(msgspec.msgpack.encode(_answer(question)))


if __name__ == "__main__":
    main()
