"""The value of `--listen`: a dialect, a port, settings of the dialect, and a certificate."""

from pathlib import Path

from croupier.cli.errors import BadArgumentError
from croupier.dialects.dialect import Dialect
from croupier.dialects.registry import DIALECTS
from croupier.rules.rules import nearest
from croupier.server.arena.plan import ListenPlan
from croupier.server.net.certificate import CertificateError, TlsFiles

CERT, KEY = "cert", "key"


def parse_listen(text: str) -> ListenPlan:
    """Parse DIALECT[:PORT][,KEY=VALUE...]."""
    head, *settings = text.split(",")
    name, colon, port = head.partition(":")
    dialect = DIALECTS.get(name)
    if dialect is None:
        known = ", ".join(DIALECTS)
        hint = nearest(name, DIALECTS)
        raise BadArgumentError(f"unknown dialect {name!r}{hint} (there are {known})")
    if colon and not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise BadArgumentError(f"a port is a number from 0 to 65535, not {port!r}")
    files = [setting for setting in settings if setting.partition("=")[0] in (CERT, KEY)]
    options = dict(_option(dialect, setting) for setting in settings if setting not in files)
    return ListenPlan(name, int(port) if colon else dialect.port, options, _tls(files))


def _tls(settings: list[str]) -> TlsFiles | None:
    """Return the files of a certificate, if there are any."""
    if not settings:
        return None
    values = {key: value for key, _, value in (setting.partition("=") for setting in settings)}
    if not values.get(CERT) or not values.get(KEY):
        raise BadArgumentError("TLS needs both cert=FILE and key=FILE, in PEM")
    files = TlsFiles(Path(values[CERT]), Path(values[KEY]))
    try:
        files.check()
    except CertificateError as error:
        raise BadArgumentError(str(error)) from None
    return files


def _option(dialect: Dialect, setting: str) -> tuple[str, object]:
    key, _, value = setting.partition("=")
    for option in dialect.options:
        if option.key == key:
            try:
                return key, option.parse(value)
            except ValueError:
                raise BadArgumentError(f"{key} is {option.what}, not {value!r}") from None
    keys = [*(option.key for option in dialect.options), CERT, KEY]
    known = ", ".join(keys)
    hint = nearest(key, keys)
    raise BadArgumentError(f"{dialect.name} has no setting {key!r}{hint} (there are: {known})")
