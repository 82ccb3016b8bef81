"""What the live page of a ten-seat table costs the browser: `python -m bench.live_page [SECONDS]`.

A table of ten plays at ten events a second, told to a real site; chromium watches it without a
window. Printed is the CPU time of all its processes that show the page, as a share of one core, and
the same for an empty page in the same browser: the difference is the page's.
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
            empty = _share(browser, game, seconds, play=False)
            browser.open("/live/bench", TABLE_READY)
            busy = _share(browser, game, seconds, play=True)
        engine.dispose()
    print(f"an empty page      {empty:6.1%} of a core")
    print(f"ten seats, live    {busy:6.1%} of a core, {EVENTS_A_SECOND} decisions a second")
    print(f"the page's own     {busy - empty:6.1%}")


def _share(browser: Browser, game: LiveGame, seconds: float, *, play: bool) -> float:
    """Return how much of a core the renderer takes while so many decisions are made."""
    start, used = time.perf_counter(), _cpu_seconds(browser)
    step = 0
    while (now := time.perf_counter() - start) < seconds:
        if play and now * EVENTS_A_SECOND >= step:
            game.step()
            step += 1
        time.sleep(0.005)
    return (_cpu_seconds(browser) - used) / (time.perf_counter() - start)


def _cpu_seconds(browser: Browser) -> float:
    """Return the CPU time of the process that shows the page, as the browser counts it."""
    browser.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    metrics = browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    values = {one["name"]: one["value"] for one in metrics}
    return float(values["ProcessTime"])


if __name__ == "__main__":
    main()
