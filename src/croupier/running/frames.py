"""What a worker and its coordinator send each other: frames of msgpack, each after its length."""

import socket
from typing import Any

import msgspec

from croupier.server.table.task import MatchTask, Played
from croupier.store.codec import encode
from croupier.store.records import HandRecord, MatchRecord, Record, ResultRecord

LENGTH_BYTES = 4


class Play(msgspec.Struct, frozen=True, tag="play"):
    """To a worker: play this match."""

    task: MatchTask


class Recorded(msgspec.Struct, frozen=True, tag="recorded"):
    """From a worker: records of the match, in order, each with the name of its kind."""

    records: list[tuple[str, list[Any]]]


class Done(msgspec.Struct, frozen=True, tag="done"):
    """From a worker: the match is over."""

    played: Played


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """From a worker: the match broke, for no fault of a team."""

    reason: str


FromWorker = Recorded | Done | Failed

_KINDS: dict[str, type[HandRecord] | type[MatchRecord] | type[ResultRecord]] = {
    kind.__name__: kind for kind in (HandRecord, MatchRecord, ResultRecord)
}


def packed(record: Record) -> tuple[str, list[Any]]:
    """Return a record as plain values."""
    if isinstance(record, HandRecord):
        events = record.events if isinstance(record.events, bytes) else encode(record.events)
        fields: list[Any] = [
            record.match_id, record.number, record.ended, events, record.state, record.times,
            record.stretch,
        ]  # fmt: skip
    elif isinstance(record, MatchRecord):
        fields = [record.values]
    else:
        assert isinstance(record, ResultRecord)
        fields = [record.match_id, record.ended, record.result]
    return type(record).__name__, fields


def unpacked(kind: str, fields: list[Any]) -> Record:
    """Return the record that was packed."""
    return _KINDS[kind](*fields)


def framed(message: Play | FromWorker) -> bytes:
    """Return a message as it is sent."""
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def receive_task(connection: socket.socket) -> MatchTask | None:
    """Wait for the next task; return None when the coordinator is gone."""
    length = _exactly(connection, LENGTH_BYTES)
    if length is None:
        return None
    body = _exactly(connection, int.from_bytes(length, "big"))
    return None if body is None else msgspec.msgpack.decode(body, type=Play).task


def _exactly(connection: socket.socket, count: int) -> bytes | None:
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            return None
        data += more
    return data
