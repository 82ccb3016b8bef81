"""A team asks for friendly matches on its page, sees what came of them, and opens the replay."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.contests import CUP, ContestFolder, Gate, ended, stage, team
from tests.web.browser.browsing import Browser
from tests.web.browser.playing import REPLAY_READY

TEXT = (
    CUP
    + "friendlies = { hands = 6 }\n"
    + team("Ada", "gated.py:Odd")
    + team("Bob", "gated.py:Odd")
    + stage("round-robin", 5, "start = 2099-01-01T00:00:00")
)
PANEL = "return document.querySelector('.own-list, .own select')"


class RunningCup:
    """A contest that is run with its site, and the keys of its teams."""

    def __init__(self, folder: Path) -> None:
        Gate(folder).close()
        contest = ContestFolder(folder, TEXT)
        self.keys = {row["team"]: row["key"] for row in contest.json("keys")}
        self.program = contest.start("--workers", "1", "--web", "0")
        assert self.program.stdout is not None
        self.url = self.program.stdout.readline().removeprefix("web: ").strip().rstrip("/")


@pytest.fixture
def cup(tmp_path: Path, browser: Browser) -> Iterator[RunningCup]:
    cup = RunningCup(tmp_path)
    before, browser.url = browser.url, cup.url
    yield cup
    browser.forget()
    browser.driver.get("about:blank")
    browser.url = before
    cup.program.kill()
    ended(cup.program)


def log_in(browser: Browser, cup: RunningCup, name: str) -> None:
    """Open a team's page as this team."""
    browser.forget()
    browser.open(f"/contests/1/teams/{name}", "return document.querySelector('.own input')")
    browser.find(".own input[name=key]").send_keys(cup.keys[name], Keys.ENTER)
    browser.until(PANEL)


def ask(browser: Browser, opponent: str) -> None:
    browser.script(
        "document.querySelector('.own select').value = arguments[0];"
        "document.querySelector('.own select').form.requestSubmit()",
        opponent,
    )


def test_a_team_asks_for_a_match_against_a_house_bot_and_opens_its_replay(
    browser: Browser, cup: RunningCup
) -> None:
    log_in(browser, cup, "Ada")
    browser.says(".own", "it counts nowhere")
    ask(browser, "CallAgent")
    browser.says(".own-list li", "Against house bot CallAgent")
    browser.until("return document.querySelector('.own-list li a[href*=games]')")
    assert "in 6 hands." in browser.text(".own-list li") or "Level" in browser.text(".own-list li")
    browser.script("document.querySelector('.own-list li a').click()")
    browser.until(REPLAY_READY)
    browser.says(".lead", "A friendly match, which counts nowhere.")
    browser.open("/games", "return document.querySelector('td .badge')")
    assert browser.text("td .badge") == "friendly"
    assert browser.complaints() == []


def test_two_teams_agree_on_a_match_and_both_see_its_result(
    browser: Browser, cup: RunningCup
) -> None:
    log_in(browser, cup, "Ada")
    ask(browser, "Bob")
    browser.says(".own-list li", "Waits for Bob to agree.")
    assert browser.text(".own-list button") == "Take back"
    log_in(browser, cup, "Bob")
    browser.says(".own-list li", "Ada asks you for a match.")
    accept, decline = browser.script(
        "return [...document.querySelectorAll('.own-list button')].map(one => one.textContent)"
    )
    assert (accept, decline) == ("Accept", "Decline")
    browser.script("document.querySelector('.own-list button').focus()")
    browser.press(Keys.ENTER)
    browser.until("return document.querySelector('.own-list li a[href*=games]')")
    theirs = browser.text(".own-list li")
    log_in(browser, cup, "Ada")
    browser.until("return document.querySelector('.own-list li a[href*=games]')")
    ours = browser.text(".own-list li")
    assert ("won" in ours, "lost" in ours) == ("lost" in theirs, "won" in theirs)
    assert browser.complaints() == []
