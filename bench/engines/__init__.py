"""Other poker engines, stepped from Python with one policy, and other 7-card rankings.

The game is no-limit hold'em, blinds 50/100, every stack 10,000 at the start of each hand, no ante
and no rake. The policy is uniform over { fold, check or call, the smallest raise, the largest
raise (all-in) }, restricted to those that are legal at that point, with two conventions that an
engine under comparison has to share:

* fold is an option only when something is owed;
* where the smallest raise *is* the largest (the minimum would take the whole stack), that raise is
  one option, not two.

With equal stacks an all-in can only be called or folded to: there are no side pots, no raise after
an all-in, and so no room for engines to differ over whether a short all-in reopens the betting.

Every engine module has ``name``, ``available(players)``, ``play(players, hands, seed)``, which
plays whole hands, showdown included, and returns the number of decisions taken, and
``audit(players, hands, seed)``, a slow run of the same thing that raises ``AssertionError`` as
soon as chips are lost or an option that ``play`` takes for legal is not. ``audit`` must not be
timed and must not be run under ``python -O``.

What is timed is ``play`` as a whole: setting up the hand, shuffling, the policy, each step, and the
settlement. Where an engine offers several ways, the fastest one found is used; where its own list
of legal actions is costly, the two facts the policy needs (is a raise possible, how small may it
be) are read or kept by cheaper means, and ``audit`` compares them with the engine's own answer.
"""

from importlib import import_module
from typing import Any, Protocol

SMALL_BLIND = 50
BIG_BLIND = 100
STACK = 10_000

ENGINES = ("peer_clubs", "peer_pokerkit", "peer_rlcard", "peer_openspiel")


class Engine(Protocol):
    """What every module named in ``ENGINES`` provides."""

    name: str

    def available(self, players: int | None = None) -> str | None:
        """Return None when usable (for that many players), else a reason in one line."""

    def play(self, players: int, hands: int, seed: int) -> int:
        """Play that many hands; return the number of decisions."""

    def audit(self, players: int, hands: int, seed: int) -> int:
        """Play as ``play`` does, checking each step; return the number of decisions."""


def optional(module: str) -> tuple[Any, str | None]:
    """Import a peer that may be missing: the module and None, or None and why not."""
    try:
        return import_module(module), None
    except Exception as error:  # a broken binary wheel may raise more than ImportError
        reason = str(error).strip().split("\n", 1)[0]
        return None, f"cannot import {module}: {type(error).__name__}: {reason}"


def engines() -> list[Engine]:
    """Import all the engine modules, usable or not."""
    loaded: list[Engine] = []
    for module in ENGINES:
        engine: Any = import_module(f"{__name__}.{module}")
        loaded.append(engine)
    return loaded
