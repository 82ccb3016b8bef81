"""The scheduler and the workers of a cluster: those of Dask, with what contests need of them."""

import asyncio
import logging
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask
from distributed import Nanny, Scheduler, Security, rpc

from croupier import __version__
from croupier.private_files import exposed, make_folder
from croupier.server.arena.startup_checks import StartupError

ALLOWED_FAILURES = 3
"""A task that has ended its worker once more than this is not tried again."""

CA = "ca.pem"
RETRY_S = 1.0
ASK_S = 10.0

SETTINGS: dict[str, Any] = {
    "distributed.comm.require-encryption": True,
    "distributed.scheduler.allowed-failures": ALLOWED_FAILURES,
    # A worker has one task, so that the task that killed it is the one that is blamed.
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.work-stealing": False,
    # The nodes answer over TLS alone.
    "distributed.worker.http.routes": [],
}
NO_DASHBOARD: dict[str, Any] = {"distributed.scheduler.http.routes": []}


def security(certificate: Path) -> Any:
    """Return how one end of the cluster proves itself, and what it believes."""
    for path in (certificate, certificate.with_name(CA)):
        if not path.is_file():
            raise StartupError(
                f"there is no {path}: `croupier cluster certificates` makes certificates; each"
                f" machine needs one, with {CA} beside it"
            )
    if exposed(certificate):
        raise StartupError(
            f"others than you can read {certificate}, which has a key: `chmod go= {certificate}`"
        )
    mine = str(certificate.resolve())
    return Security(
        require_encryption=True,
        tls_ca_file=str(certificate.with_name(CA).resolve()),
        **{
            f"tls_{role}_{part}": mine
            for role in ("scheduler", "worker", "client")
            for part in ("cert", "key")
        },
    )


def refusal(theirs: str) -> str:
    """Say why two versions do not play together."""
    return (
        f"the scheduler runs croupier {theirs}, and this is {__version__}: a contest is the same on"
        f" all machines only with one version; install that one here, `pip install"
        f" 'croupier[cluster]=={theirs}'`, or this one there"
    )


async def version_of(scheduler: Any) -> str:
    """Return which version a scheduler runs; raise ValueError if it is none of ours."""
    try:
        found = await asyncio.wait_for(scheduler.croupier_version(), ASK_S)
    except (OSError, TimeoutError):
        raise
    except Exception as error:
        raise ValueError(f"this is no scheduler that croupier has started ({error})") from None
    return str(found)


async def run_scheduler(
    host: str,
    port: int,
    certificate: Path,
    dashboard: str | None,
    stop: asyncio.Event,
    say: Callable[[str], None],
) -> None:
    """Run a scheduler until `stop` is set."""
    logging.getLogger("distributed").setLevel(logging.WARNING)
    settings = SETTINGS if dashboard is not None else SETTINGS | NO_DASHBOARD
    with dask.config.set(settings):
        scheduler = Scheduler(
            host=host,
            port=port,
            protocol="tls://",
            security=security(certificate),
            dashboard=dashboard is not None,
            dashboard_address=dashboard if dashboard is not None else "127.0.0.1:0",
        )
        scheduler.handlers["croupier_version"] = _own_version
        try:
            await scheduler
        except (OSError, RuntimeError) as error:  # Dask wraps what happened
            raise StartupError(
                f"cannot listen on {host}:{port}: {error.__cause__ or error}"
            ) from None
        async with scheduler:
            say(f"scheduler at {scheduler.address}")
            await stop.wait()


def _own_version() -> str:
    return __version__


async def run_workers(
    address: str,
    count: int,
    certificate: Path,
    scratch: Path,
    stop: asyncio.Event,
    say: Callable[[str], None],
) -> None:
    """Run workers until `stop` is set; after the loss of the scheduler, wait for it again."""
    proof = security(certificate)
    make_folder(scratch)
    if exposed(scratch) or not scratch.is_dir():
        raise StartupError(f"others than you can read {scratch}: `chmod go= {scratch}`")
    with dask.config.set(SETTINGS):
        while not stop.is_set():
            theirs = await _asked(address, proof, stop, say)
            if stop.is_set():
                return
            if theirs != __version__:
                raise StartupError(refusal(theirs))
            await _work(address, count, proof, scratch, stop, say)


async def _asked(address: str, proof: Any, stop: asyncio.Event, say: Callable[[str], None]) -> str:
    """Wait for the scheduler, and ask for its version."""
    waiting = False
    while not stop.is_set():
        scheduler = rpc(address, connection_args=proof.get_connection_args("worker"), timeout=ASK_S)
        try:
            return await version_of(scheduler)
        except ValueError as error:
            raise StartupError(f"{address}: {error}") from None
        except OSError as error:
            if not waiting:
                say(f"waiting for the scheduler at {address}: {error}")
            waiting = True
            await _pause(stop)
        finally:
            await scheduler.close_rpc()
    return ""


async def _work(
    address: str,
    count: int,
    proof: Any,
    scratch: Path,
    stop: asyncio.Event,
    say: Callable[[str], None],
) -> None:
    host = _reached_from(address)
    nannies = [
        Nanny(
            address,
            nthreads=1,
            memory_limit=0,
            security=proof,
            protocol="tls://",
            host=host,
            local_directory=str(scratch),
            silence_logs=logging.WARNING,
            dashboard=False,
            dashboard_address="127.0.0.1:0",
        )
        for _ in range(count)
    ]
    try:
        await asyncio.gather(*nannies)
        say(f"{count} workers at {address}")
        ends = [asyncio.ensure_future(nanny.finished()) for nanny in nannies]
        stopped = asyncio.ensure_future(stop.wait())
        await asyncio.wait([*ends, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
    except (OSError, RuntimeError) as error:
        say(f"cannot work: {error}")
    finally:
        await asyncio.gather(*(nanny.close() for nanny in nannies), return_exceptions=True)
    if not stop.is_set():
        await _pause(stop)


def _reached_from(address: str) -> str:
    """Return the address of this machine on the way to the scheduler; workers listen there."""
    host, _, port = address.removeprefix("tls://").rpartition(":")
    family, kind, _, _, where = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_DGRAM)[
        0
    ]
    with socket.socket(family, kind) as probe:
        probe.connect(where)  # nothing is sent
        return str(probe.getsockname()[0])


async def _pause(stop: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(stop.wait(), RETRY_S)
    except TimeoutError:
        return
