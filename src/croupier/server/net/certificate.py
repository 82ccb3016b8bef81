"""The certificate of a listener, read again when its files have changed."""

import os
import ssl
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path

import structlog

log = structlog.get_logger()

LOOK_EVERY = 60.0
"""Seconds between two looks at whether the files have changed."""


class CertificateError(Exception):
    """Files that no listener can use; the text says why, and what to do about it."""


@dataclass(frozen=True)
class TlsFiles:
    """The files of a certificate, with the chain that leads to it, and of its key."""

    cert: Path
    key: Path

    def check(self) -> None:
        """Raise CertificateError if they cannot be used."""
        _context(self)


@dataclass
class Certificate:
    """A TLS context, which is made anew when the certificate was renewed."""

    files: TlsFiles
    _context: ssl.SSLContext = field(init=False)
    _version: tuple[int, ...] = field(init=False)
    _looked_at: float = field(init=False)

    def __post_init__(self) -> None:
        self._version = _version(self.files)
        self._context = _context(self.files)
        self._looked_at = time.monotonic()

    def context(self) -> ssl.SSLContext:
        """Return the context for a new connection."""
        now = time.monotonic()
        if now - self._looked_at > LOOK_EVERY:
            self._looked_at = now
            self.renew()
        return self._context

    def renew(self) -> None:
        """Read the files again if they have changed; keep what there is if they cannot be used."""
        version = _version(self.files)
        if version == self._version:
            return
        try:
            self._context = _context(self.files)
        except CertificateError as error:
            # A renewal may be half done: it is tried again.
            log.warning("the new certificate cannot be used", reason=str(error))
            return
        self._version = version
        log.info("certificate renewed", file=str(self.files.cert))


def _version(files: TlsFiles) -> tuple[int, ...]:
    """Return numbers that change when one of the files does."""
    try:
        return tuple(
            number
            for path in (files.cert, files.key)
            for number in (path.stat().st_mtime_ns, path.stat().st_ino)
        )
    except OSError:
        return ()


def _context(files: TlsFiles) -> ssl.SSLContext:
    for path in (files.cert, files.key):
        try:
            text = path.read_bytes()
        except OSError as error:
            raise CertificateError(f"cannot read {path}: {os.strerror(error.errno or 0)}") from None
    if b"ENCRYPTED" in text:  # it would ask for the password at the terminal
        raise CertificateError(
            f"the key in {files.key} is encrypted; write one without a password with"
            f" `openssl pkey -in {files.key} -out NEW.pem`"
        )
    if files.key.stat().st_mode & stat.S_IROTH:
        raise CertificateError(
            f"everybody on this machine can read {files.key}, which has the key of the certificate:"
            f" `chmod o= {files.key}`"
        )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # Renegotiations, compression: costs that a peer could make the server pay.
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    try:
        context.load_cert_chain(files.cert, files.key)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            problem = f"the key in {files.key} is not that of the certificate in {files.cert}"
        else:
            problem = f"{files.cert} and {files.key} are no certificate and key in PEM"
        raise CertificateError(problem) from None
    return context
