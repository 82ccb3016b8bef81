"""Workers on a cluster: the same tasks as the local pool's, through a scheduler of Dask.

State owned here: the connection to the scheduler. Tasks that were under way when it was lost are
handed in again when it is back; nothing of them was stored, since records come with the result.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog
from distributed import Client, KilledWorker
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError

from croupier import __version__
from croupier.private_files import make_folder, opener
from croupier.running.bundles import Bundle
from croupier.running.cluster_nodes import ALLOWED_FAILURES, refusal, security, version_of
from croupier.running.cluster_worker import (
    OUTPUT,
    TRANSCRIPTS,
    BundleMissingError,
    Outcome,
    TeamFiles,
    play,
    unpacked_outcome,
)
from croupier.running.frames import Failed, unpacked
from croupier.running.pool import BrokenMatchError, HopelessMatchError
from croupier.server.arena.startup_checks import StartupError
from croupier.server.table.task import MatchTask, Played
from croupier.store.records import Record

log = structlog.get_logger()

CONNECT_S = 10.0
RETRY_S = 1.0
LOST = (FutureCancelledError, CommClosedError, OSError)
"""What is raised when the scheduler is gone."""


class Cluster:
    """The connection to a scheduler, for one contest."""

    def __init__(self, address: str, certificate: Path, bundle: Bundle, contest: str) -> None:
        self._address = address
        self._security = security(certificate)
        self._files = TeamFiles(bundle, contest)
        self._client: Any = None
        self._connecting = asyncio.Lock()

    async def open(self) -> int:
        """Connect, hand in the teams' files, and return how many workers there are."""
        try:
            client = await self._connect()
        except (OSError, ValueError) as error:
            raise StartupError(f"no cluster at {self._address}: {error}") from None
        return int((await client.scheduler.identity(n_workers=0))["n_workers"])

    async def close(self) -> None:
        """Sweep the teams' files from the workers, and disconnect."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):  # it may be gone, and the files with it
                await asyncio.wait_for(client.unregister_worker_plugin(self._files.name), CONNECT_S)
            await _close(client)

    async def carry_out(self, task: MatchTask) -> Outcome:
        """Have a match played somewhere; raise BrokenMatchError if it breaks."""
        while True:
            client = await self._connected()
            future = None
            try:
                # A name of its own each time: an answer to an earlier try must not count.
                key = f"{task.name}-{secrets.token_hex(8)}"
                future = client.submit(play, task, self._files.folder, key=key, pure=False)
                return unpacked_outcome(await future)
            except KilledWorker:
                raise HopelessMatchError(
                    f"its worker was killed {ALLOWED_FAILURES + 1} times"
                ) from None
            except BundleMissingError as error:
                await self._drop(client)  # the scheduler is another one meanwhile
                raise BrokenMatchError(str(error)) from None
            except LOST:
                await self._drop(client)
            except Exception as error:
                raise BrokenMatchError(f"{type(error).__name__}: {error}") from None
            finally:
                if future is not None:
                    future.release()

    async def _connected(self) -> Any:
        """Return the connection; if it is lost, wait until there is one again."""
        async with self._connecting:
            waiting = False
            while self._client is None or self._client.status != "running":
                await self._drop(self._client)
                try:
                    await self._connect()
                except (OSError, ValueError) as error:
                    if not waiting:
                        log.error("the cluster is lost; matches wait for it", reason=str(error))
                    waiting = True
                    await asyncio.sleep(RETRY_S)
            if waiting:
                log.info("the cluster is back")
            return self._client

    async def _connect(self) -> Any:
        client = Client(
            self._address,
            security=self._security,
            asynchronous=True,
            set_as_default=False,
            timeout=CONNECT_S,
        )
        try:
            await client
            theirs = await version_of(client.scheduler)
            if theirs != __version__:
                raise ValueError(refusal(theirs))
            await client.register_plugin(self._files, name=self._files.name)
        except BaseException:
            await _close(client)
            raise
        self._client = client
        return client

    async def _drop(self, client: Any) -> None:
        if client is not None and client is self._client:
            self._client = None
            await _close(client)


async def _close(client: Any) -> None:
    with contextlib.suppress(Exception):
        await client.close(timeout=1)


class ClusterWorker:
    """Room for one match on a cluster."""

    def __init__(self, cluster: Cluster, output: Path, transcripts: Path | None) -> None:
        """What programs print, and transcripts, are written to these folders."""
        self._cluster = cluster
        self._folders = {OUTPUT: output, TRANSCRIPTS: transcripts}

    async def play(
        self, task: MatchTask, on_record: Callable[[Record], None], has_space: Callable[[], bool]
    ) -> Played:
        """Play a match; raise `BrokenMatchError` if it breaks."""
        outcome = await self._cluster.carry_out(task)
        for kind, fields in outcome.records:
            on_record(unpacked(kind, fields))
            while not has_space():
                await asyncio.sleep(0.01)
        for name, data in outcome.files.items():
            self._write(name, data)
        if isinstance(outcome.ending, Failed):
            raise BrokenMatchError(outcome.ending.reason)
        return outcome.ending.played

    def _write(self, name: str, data: bytes) -> None:
        kind, *parts = Path(name).parts
        folder = self._folders.get(kind)
        if folder is None or ".." in parts:
            return
        path = folder.joinpath(*parts)
        make_folder(path.parent)
        with open(path, "ab", opener=opener) as file:
            file.write(data)

    async def end(self) -> None:
        """Do nothing: the cluster goes on."""

    def kill(self) -> None:
        """Do nothing: a match that nobody waits for is forgotten by the scheduler."""
