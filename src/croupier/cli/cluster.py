"""`croupier cluster`: machines that play contests together."""

import asyncio
import os
import signal
import tempfile
from collections.abc import Callable, Coroutine
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import click

from croupier.cli.bind_option import bind_option
from croupier.cli.errors import BadArgumentError
from croupier.running.estimate import usual_workers
from croupier.server.arena.startup_checks import StartupError

F = TypeVar("F", bound=Callable[..., Any])

FOLDER = Path("certificates")
PORT = 8786


def certificate_option(name: str) -> Callable[[F], F]:
    """Return the option --certificate, for a machine that is usually called so."""
    return click.option(
        "--certificate",
        type=click.Path(path_type=Path),
        default=FOLDER / f"{name}.pem",
        show_default=True,
        metavar="FILE",
        help="The certificate and key of this machine; ca.pem lies beside it.",
    )


def check_address(address: str) -> str:
    """Return the address of a scheduler, if it is one."""
    host, colon, port = address.removeprefix("tls://").rpartition(":")
    if not address.startswith("tls://") or not colon or not host or not port.isdigit():
        raise BadArgumentError(f"a scheduler's address is tls://HOST:PORT, not {address!r}")
    return address


def need_cluster() -> None:
    """Check that what clusters need is installed."""
    if find_spec("cryptography") is None or find_spec("distributed") is None:
        raise BadArgumentError("clusters need more: `pip install 'croupier[cluster]'`")


@click.group("cluster")
def command() -> None:
    """Let several machines play a contest: a scheduler, workers.

    Whoever has a certificate of the cluster, with its key, may run any code on its scheduler and
    workers, as the user that runs them.
    """


@command.command("certificates")
@click.argument("folder", type=click.Path(path_type=Path), default=FOLDER)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="Whom to make a certificate for, any number of times; scheduler, worker and coordinator"
    " unless given.",
)
def certificates(folder: Path, names: tuple[str, ...]) -> None:
    """Make an authority for a cluster and certificates in FOLDER; what is there stays.

    Each machine gets ca.pem and a certificate; ca-key.pem stays where it is, since it makes new
    ones. Any certificate of the authority may run any code on the scheduler and the workers: keep
    them as you keep the keys to those machines. They are valid for a year.
    """
    need_cluster()
    from croupier.running.cluster_certificates import make_certificates

    for name in names:
        if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name[0] == ".":
            raise BadArgumentError(f"a name is of letters, digits, _ . and -, not {name!r}")
    try:
        made = make_certificates(folder, list(names or ("scheduler", "worker", "coordinator")))
    except (OSError, ValueError) as error:
        raise BadArgumentError(f"cannot make certificates: {error}") from None
    for path in made:
        click.echo(path)
    if not made:
        click.echo("all of them are there already")


@command.command("scheduler")
@bind_option()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="The port; 0 for any that is free.",
)
@certificate_option("scheduler")
@click.option(
    "--dashboard",
    metavar="ADDRESS:PORT",
    help="Show Dask's dashboard there, over HTTP and to anyone; it needs bokeh.",
)
def scheduler(bind: str, port: int, certificate: Path, dashboard: str | None) -> None:
    """Run the scheduler of a cluster, until Ctrl-C.

    Only who has a certificate of the cluster is let in, and may run any code here.
    """
    need_cluster()
    from croupier.running.cluster_nodes import run_scheduler

    if dashboard is not None and find_spec("bokeh") is None:
        raise BadArgumentError("the dashboard needs more: `pip install bokeh`")
    _run(lambda stop: run_scheduler(bind, port, certificate, dashboard, stop, _say))


@command.command("worker")
@click.argument("address")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many matches to play at once; as many as there are cores unless given.",
)
@certificate_option("worker")
@click.option(
    "--scratch",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where teams' files are unpacked; a private folder for temporary files unless given.",
)
def worker(address: str, workers: int | None, certificate: Path, scratch: Path | None) -> None:
    """Play matches for the scheduler at ADDRESS, such as tls://10.0.0.1:8786, until Ctrl-C.

    A worker that crashes is started again; when the scheduler goes away, this waits for it. It
    refuses to work for a scheduler of another version of croupier. Whoever has a certificate of the
    cluster may run any code here.
    """
    check_address(address)
    need_cluster()
    from croupier.running.cluster_nodes import run_workers

    folder = scratch or Path(tempfile.gettempdir()) / f"croupier-cluster-{os.getuid()}"
    count = workers or usual_workers()
    _run(lambda stop: run_workers(address, count, certificate, folder, stop, _say))


def _say(text: str) -> None:
    click.echo(text, err=True)


def _run(main: Callable[[asyncio.Event], Coroutine[Any, Any, None]]) -> None:
    async def until_stopped() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await main(stop)

    try:
        asyncio.run(until_stopped())
    except StartupError as error:
        raise BadArgumentError(str(error)) from None
    except OSError as error:
        raise BadArgumentError(f"cannot continue: {error}") from None
