"""A whole arena: real bots of every dialect, started from the website and watched to the end."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from croupier.rules.events import HandEnded, HandStarted
from croupier.store import queries
from croupier.store.schema import open_store
from croupier.web.archive.records import names_of
from tests.web.browser.browsing import SECONDS, Browser
from tests.web.browser.playing import TABLE_READY, TOKEN, ranking, stacks

HANDS = 15
JOIN = f"{sys.executable} -m croupier join"
ARENA = f"""
store = "arena.db"
control = "arena.sock"
output = "programs"
admin_token = "{TOKEN}"

[[listen]]
dialect = "huawei"
port = 0

[[listen]]
dialect = "trend"
port = 0

[[listen]]
dialect = "room"
port = 0

[[table]]
name = "mixed"
number = 1
rules = "plain"
set = {{ hands = {HANDS} }}
seats = 5
start = "command"
repeat = false
bots = ["RuleAgent"]

[[table.run]]
dialect = "huawei"
command = "{JOIN} huawei://{{host}}:{{port}}?pid={{pid}} --name hua --bot CallAgent --rules plain"

[[table.run]]
dialect = "trend"
command = "{JOIN} trend://{{host}}:{{port}}/1 --name tre --bot RandomAgent --rules plain"

[[table.run]]
dialect = "room"
command = "{JOIN} room://{{host}}:{{port}}/1 --name roo --bot CallAgent --rules plain"
"""


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[str]:
    """A running arena; the value is its website's address."""
    file = tmp_path / "arena.toml"
    file.write_text(ARENA, "utf-8")
    command = [sys.executable, "-m", "croupier", "serve", str(file), "--web", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path, text=True) as process:
        assert process.stdout is not None
        address = next(line for line in process.stdout if line.startswith("web: "))
        yield address.removeprefix("web: ").strip().rstrip("/")
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        process.wait(SECONDS)


def test_a_match_is_started_on_the_site_and_its_end_is_what_the_store_has(
    browser: Browser, arena: str, tmp_path: Path
) -> None:
    browser.url = arena
    browser.forget()
    browser.open("/players", "return document.querySelector('input[name=token]')")
    browser.find("input[name=token]").send_keys(TOKEN, Keys.ENTER)
    browser.find("input[name=display]").send_keys("Ada Lovelace", Keys.ENTER)
    browser.find(".private")
    browser.find("button[aria-label='Start: table mixed']")
    desk = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    watch = browser.driver.current_window_handle
    browser.look()
    browser.open("/live/mixed", TABLE_READY)
    browser.until("return document.querySelectorAll('croupier-table .seat').length === 4")
    browser.driver.switch_to.window(desk)
    browser.find("button[aria-label='Start: table mixed']").click()
    browser.says(".desk .notice.good", "Mixed starts with 4 players")
    browser.driver.switch_to.window(watch)
    browser.until("return document.querySelector('croupier-table').scene.state === 'over'")
    shown = dict(ranking(browser))
    held = stacks(browser)
    dialects = browser.script(
        "return document.querySelector('croupier-table').scene.seats.map(seat => seat.dialect)"
    )
    assert sorted(dialects) == ["house", "huawei", "room", "trend"]
    bound = browser.until("return document.querySelector('.openings dd code')").text
    assert browser.complaints() == []
    browser.driver.close()
    browser.driver.switch_to.window(desk)
    engine = open_store(str(tmp_path / "arena.db"))
    (match,) = queries.matches(engine)
    events = queries.hand(engine, match.id, HANDS).events
    engine.dispose()
    assert bound == match.commitment
    names = names_of(match)
    assert shown == {names[line.player]: signed(line.chips) for line in match.standings}
    (started,) = (event for event in events if isinstance(event, HandStarted))
    (ended,) = (event for event in events if isinstance(event, HandEnded))
    seats = zip(started.players, ended.stacks, strict=True)
    assert held == {names[player]: stack for player, stack in seats}


def signed(chips: int) -> str:
    """Return a number of chips as pages write it."""
    return f"{chips:,}".replace("-", "−")
