"""How often a server looks for garbage."""

import gc

ALLOCATIONS = 50_000
"""So many objects more than before make the collector look at the young ones."""


def collect_seldom() -> None:
    """Let the collector run seldom, and spare it what stays until the end.

    A table makes a few hundred objects per hand, hardly any of them in circles. At the usual
    threshold of 700 the collector takes a fifth of the time of a server with thousands of players.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS, 20, 20)
