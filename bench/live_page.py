"""What the live page of a ten-seat table costs the browser: `python -m bench.live_page [SECONDS]`.

A table of ten plays at ten events a second, told to a real site; chromium watches it without a
window. Printed is the CPU time of the process that shows the page, as a share of one core, and the
same for an empty page in the same browser: the difference is the page's. What is not spent in
scripts, styles and layout is painting and composing, which without a GPU is done in software.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from croupier.rules.sets import PLAIN
from croupier.store.schema import open_store
from tests.web.browser.browsing import Browser, browsing
from tests.web.browser.playing import TABLE_READY
from tests.web.siting import LiveGame, SiteProcess

EVENTS_A_SECOND = 10
SEATS = 10
PARTS = ("ProcessTime", "TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
"""The whole process, its main thread, and what of that is the page's work rather than painting."""


def main() -> None:
    """Measure and print."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    with TemporaryDirectory() as folder, browsing() as browser:
        store = Path(folder) / "bench.db"
        engine = open_store(str(store))
        with SiteProcess(store, feed=True) as site:
            bots = ["RuleAgent", "CallAgent"] * (SEATS // 2)
            game = LiveGame(
                site, engine, replace(PLAIN, hands=100_000), bots, "bench", table="bench"
            )
            game.begin()
            browser.url = site.url
            browser.open("/docs")
            empty = _shares(browser, game, seconds, play=False)
            browser.open("/live/bench", TABLE_READY)
            busy = _shares(browser, game, seconds, play=True)
        engine.dispose()
    whole = PARTS[0]
    print(f"an empty page      {empty[whole]:6.1%} of a core")
    print(f"ten seats, live    {busy[whole]:6.1%} of a core, {EVENTS_A_SECOND} decisions a second")
    print(f"the page's own     {busy[whole] - empty[whole]:6.1%}")
    for part in PARTS[1:]:
        print(f"  {part:<22} {busy[part]:6.1%}")


def _shares(browser: Browser, game: LiveGame, seconds: float, *, play: bool) -> dict[str, float]:
    """Return how much of a core the renderer takes while so many decisions are made."""
    start, used = time.perf_counter(), _cpu_seconds(browser)
    step = 0
    while (now := time.perf_counter() - start) < seconds:
        if play and now * EVENTS_A_SECOND >= step:
            game.step()
            step += 1
        time.sleep(0.005)
    passed = time.perf_counter() - start
    return {part: (now - used[part]) / passed for part, now in _cpu_seconds(browser).items()}


def _cpu_seconds(browser: Browser) -> dict[str, float]:
    """Return the CPU time of the process that shows the page, as the browser counts it."""
    browser.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    metrics = browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    values = {one["name"]: one["value"] for one in metrics}
    return {part: float(values[part]) for part in PARTS}


if __name__ == "__main__":
    main()
