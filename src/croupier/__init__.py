"""Croupier deals poker to programs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.bots.bot import Bot as Bot
    from croupier.client.runner import run as run
    from croupier.rules.decisions import Decision as Decision
    from croupier.rules.view import View as View

__version__ = "0.2.0"

_HOMES = {
    "Bot": "croupier.bots.bot",
    "Decision": "croupier.rules.decisions",
    "View": "croupier.rules.view",
    "run": "croupier.client.runner",
}
"""The public API for bot authors; names are imported lazily, so importing the package is cheap."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
