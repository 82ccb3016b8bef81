"""Where to listen: a dialect, a port, and what some dialects have besides."""

import re
from dataclasses import replace

from croupier.cli.errors import BadArgumentError
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.rules.rules import nearest
from croupier.server.arena_plan import PORTS, ListenPlan
from croupier.server.huawei import MAX_GAP_MS, HuaweiOptions
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
        listener = _with(listener, setting)
    return listener


def _with(listener: ListenPlan, setting: str) -> ListenPlan:
    """Return a listener with one setting of its dialect."""
    if listener.dialect == "huawei":
        return replace(listener, huawei=_huawei(setting))
    if listener.dialect == "kuhn":
        return replace(listener, kuhn=_kuhn(listener.kuhn, setting))
    key = setting.partition("=")[0]
    raise BadArgumentError(
        f"{listener.dialect} has no setting {key!r}; only huawei and kuhn have some"
    )


def _huawei(setting: str) -> HuaweiOptions:
    key, _, value = setting.partition("=")
    if key == "gap_ms" and re.fullmatch("[0-9]{1,9}", value) and int(value) <= MAX_GAP_MS:
        return HuaweiOptions(int(value))
    raise BadArgumentError(
        f"a setting of huawei is gap_ms=0 to gap_ms={MAX_GAP_MS}, not {setting!r}"
    )


def _kuhn(options: KuhnOptions, setting: str) -> KuhnOptions:
    key, _, value = setting.partition("=")
    if key == "spelling" and value in (TEXT, BINARY):
        return replace(options, spelling=value)
    if key == "error_text" and value in ("true", "false"):
        return replace(options, error_text=value == "true")
    raise BadArgumentError(
        f"a setting of kuhn is spelling={TEXT}, spelling={BINARY}, error_text=true or"
        f" error_text=false, not {setting!r}"
    )
