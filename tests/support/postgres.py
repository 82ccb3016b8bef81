"""A PostgreSQL server of the tests' own, or none where it is not installed.

`python3 -m tests.support.postgres COMMAND…` runs a command with one server for all tests in it.
Only the standard library is needed for that.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

SERVER = "CROUPIER_TEST_POSTGRES"
"""The environment variable with the folder of a server that runs already."""

WHY_NOT = "PostgreSQL is not installed (on Debian: apt-get install postgresql)"

_numbers = count()


def binaries() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest if there are several."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    folders = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max((path.parent for path in folders), default=None, key=lambda path: str(path))


class Cluster:
    """A server that listens on a socket in its own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def url(self, schema: str = "public") -> str:
        """Return the address of a store."""
        options = quote(f"-csearch_path={schema}", safe="")
        return (
            f"postgresql+psycopg://croupier:not-needed@/postgres?host={quote(str(self.folder))}"
            f"&options={options}"
        )

    def fresh(self) -> str:
        """Return the address of a new, empty store."""
        import psycopg

        schema = f"t{os.getpid()}_{next(_numbers)}"
        with psycopg.connect(
            host=str(self.folder), user="croupier", dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(f"CREATE SCHEMA {schema}".encode())
        return self.url(schema)

    def make(self) -> None:
        """Make an empty cluster."""
        _run(self.folder, "initdb", "-D", "data", "-U", "croupier", "-A", "trust", "--no-sync")
        settings = {
            "listen_addresses": "''",
            "unix_socket_directories": f"'{self.folder}'",
            "fsync": "off",  # no test cuts the power
            "full_page_writes": "off",
            "max_connections": "200",
        }
        with (self.folder / "data" / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())

    def start(self) -> None:
        """Start the server and wait until it answers."""
        _run(self.folder, "pg_ctl", "-D", "data", "-w", "-l", "log", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop the server; `immediate` is a crash."""
        _run(self.folder, "pg_ctl", "-D", "data", "-w", "-m", how, "stop")


def _run(folder: Path, program: str, *arguments: str) -> None:
    found = binaries()
    assert found is not None
    options: dict[str, Any] = {}
    if os.getuid() == 0:  # PostgreSQL refuses to run as root
        options = {"user": "postgres", "group": "postgres", "extra_groups": []}
    subprocess.run(
        [str(found / program), *arguments],
        cwd=folder,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        **options,
    )


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Run a server of one's own."""
    # Not below pytest's folder, which PostgreSQL's user cannot enter.
    folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
    if os.getuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
    server = Cluster(folder)
    try:
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def shared_cluster() -> Iterator[Cluster]:
    """Use the server that runs already, or run one."""
    folder = os.environ.get(SERVER)
    if folder:
        yield Cluster(Path(folder))
        return
    with cluster() as own:
        yield own


def main() -> None:
    """Run a command with a server, if there can be one."""
    if binaries() is None:
        print(WHY_NOT, file=sys.stderr)
        sys.exit(subprocess.call(sys.argv[1:]))
    with cluster() as server:
        status = subprocess.call(sys.argv[1:], env=os.environ | {SERVER: str(server.folder)})
    sys.exit(status)


if __name__ == "__main__":
    main()
