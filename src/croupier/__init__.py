"""Croupier deals poker to programs.

The names in `__all__` are the part of the package that programs may rely on, together with what
docs/api.md lists; that page says what is promised about them. Everything else may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.bots.bot import Bot
    from croupier.client.result import JoinError, Result
    from croupier.client.runner import run
    from croupier.rules.decisions import Decision
    from croupier.rules.view import View

__version__ = "0.2.0"

__all__ = ["Bot", "Decision", "JoinError", "Result", "View", "__version__", "run"]

_HOMES = {
    "Bot": "croupier.bots.bot",
    "Decision": "croupier.rules.decisions",
    "JoinError": "croupier.client.result",
    "Result": "croupier.client.result",
    "View": "croupier.rules.view",
    "run": "croupier.client.runner",
}
"""Where each public name is defined. It is imported on first use, so `import croupier` is cheap."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
