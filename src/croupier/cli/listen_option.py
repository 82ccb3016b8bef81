"""The value of `--listen`: a dialect, a port, and settings of the dialect."""

from croupier.cli.errors import BadArgumentError
from croupier.dialects.dialect import Dialect
from croupier.dialects.registry import DIALECTS
from croupier.rules.rules import nearest
from croupier.server.arena.plan import ListenPlan


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
    options = dict(_option(dialect, setting) for setting in settings)
    return ListenPlan(name, int(port) if colon else dialect.port, options)


def _option(dialect: Dialect, setting: str) -> tuple[str, object]:
    key, _, value = setting.partition("=")
    for option in dialect.options:
        if option.key == key:
            try:
                return key, option.parse(value)
            except ValueError:
                raise BadArgumentError(f"{key} is {option.what}, not {value!r}") from None
    keys = [option.key for option in dialect.options]
    known = ", ".join(keys) or "none"
    hint = nearest(key, keys)
    raise BadArgumentError(f"{dialect.name} has no setting {key!r}{hint} (there are: {known})")
