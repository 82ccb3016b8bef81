"""A certificate for localhost and 127.0.0.1 that signs itself, valid for a hundred years."""

import shutil
from pathlib import Path

from croupier.server.net.certificate import TlsFiles

CERT = Path(__file__).with_name("cert.pem")
_KEY = Path(__file__).with_name("key.pem")


def tls_files(folder: Path) -> TlsFiles:
    """Copy them into a folder, with a key that nobody else can read."""
    shutil.copy(CERT, folder / "cert.pem")
    shutil.copy(_KEY, folder / "key.pem")
    (folder / "key.pem").chmod(0o600)
    return TlsFiles(folder / "cert.pem", folder / "key.pem")
