"""Where to listen: a dialect, a port, and what some dialects have besides."""

from dataclasses import dataclass, replace

from croupier.cli.errors import BadArgumentError
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.rules.rules import nearest
from croupier.server.kuhn import KuhnOptions

DIALECTS = {"huawei": 6000, "trend": 3000, "room": 18888, "kuhn": 1212}
"""The dialects that can be listened to, and their usual ports."""


@dataclass(frozen=True)
class Listener:
    """One port to open."""

    dialect: str
    port: int
    kuhn: KuhnOptions = KuhnOptions()  # noqa: RUF009  (it is frozen)


def parse_listen(text: str) -> Listener:
    """Return the listener that DIALECT[:PORT][,KEY=VALUE...] means."""
    head, *settings = text.split(",")
    dialect, colon, port = head.partition(":")
    if dialect not in DIALECTS:
        raise BadArgumentError(
            f"unknown dialect {dialect!r}{nearest(dialect, DIALECTS)} (there are"
            f" {', '.join(DIALECTS)})"
        )
    if colon and not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise BadArgumentError(f"a port is a number from 0 to 65535, not {port!r}")
    listener = Listener(dialect, int(port) if colon else DIALECTS[dialect])
    for setting in settings:
        listener = replace(listener, kuhn=_with(listener, setting))
    return listener


def _with(listener: Listener, setting: str) -> KuhnOptions:
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
