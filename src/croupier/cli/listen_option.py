"""Where to listen: a dialect, a port, and what some dialects have besides."""

from dataclasses import replace

from croupier.cli.errors import BadArgumentError
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.rules.rules import nearest
from croupier.server.arena.plan import PORTS, ListenPlan
from croupier.server.kuhn import KuhnOptions


def parse_listen(text: str) -> ListenPlan:
    """Return the listener that DIALECT[:PORT][,KEY=VALUE...] means."""
    head, *settings = text.split(",")
    dialect, colon, port = head.partition(":")
    if dialect not in PORTS:
        raise BadArgumentError(
            f"unknown dialect {dialect!r}{nearest(dialect, PORTS)} (there are {', '.join(PORTS)})"
        )
    if colon and not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise BadArgumentError(f"a port is a number from 0 to 65535, not {port!r}")
    listener = ListenPlan(dialect, int(port) if colon else PORTS[dialect])
    for setting in settings:
        listener = replace(listener, kuhn=_with(listener, setting))
    return listener


def _with(listener: ListenPlan, setting: str) -> KuhnOptions:
    key, _, value = setting.partition("=")
    if listener.dialect != "kuhn":
        raise BadArgumentError(f"{listener.dialect} has no setting {key!r}; only kuhn has some")
    if key == "spelling" and value in (TEXT, BINARY):
        return replace(listener.kuhn, spelling=value)
    if key == "error_text" and value in ("true", "false"):
        return replace(listener.kuhn, error_text=value == "true")
    raise BadArgumentError(
        f"a setting of kuhn is spelling={TEXT}, spelling={BINARY}, error_text=true or"
        f" error_text=false, not {setting!r}"
    )
