"""A match on record in a real browser: replaying by key and by link, its hands and its curves."""

from typing import Any

import httpx
from selenium.webdriver.common.keys import Keys

from tests.store.recorded import Recording
from tests.web.browser.browsing import Browser
from tests.web.browser.playing import MARKUP, REPLAY_READY, stacks
from tests.web.siting import SiteProcess

WHERE = (
    "const place = document.querySelector('.replay').dataset;"
    "return [Number(place.hand), Number(place.step)]"
)
STANDS_AT = (
    "const place = document.querySelector('.replay')?.dataset;"
    "return place && +place.hand === arguments[0] && +place.step === arguments[1]"
)


def assert_shows(browser: Browser, replay: dict[str, Any], step: int) -> None:
    """Check that a step of a hand is shown, and linked to, as the API has it."""
    browser.until(STANDS_AT, replay["hand"], step)
    frame = replay["frames"][step]
    assert browser.text(".now") == frame["text"]
    seats = {seat["name"]: seat["stack"] for seat in frame["scene"]["seats"]}
    assert stacks(browser) == seats
    board = browser.script(
        "return [...document.querySelectorAll('.board .card')].map(c => c.dataset.card)"
    )
    assert board == frame["scene"]["board"]
    assert browser.script("return location.hash") == f"#hand={replay['hand']}&step={step}"


def test_the_keyboard_steps_through_a_hand_and_back(
    browser: Browser, site: SiteProcess, match: Recording
) -> None:
    replay = site.get("/matches/record/hands/1")
    browser.open("/games/record", REPLAY_READY)
    assert_shows(browser, replay, 0)
    last = len(replay["frames"]) - 1
    for step in range(1, last + 1):
        browser.press(Keys.ARROW_RIGHT)
        assert_shows(browser, replay, step)
    browser.press(Keys.ARROW_RIGHT)
    assert_shows(browser, site.get("/matches/record/hands/2"), 0)
    browser.press(Keys.ARROW_LEFT)
    assert_shows(browser, replay, last)
    browser.press(Keys.ARROW_LEFT)
    assert_shows(browser, replay, last - 1)
    assert browser.complaints() == []


def test_a_link_leads_to_the_decision_it_names(
    browser: Browser, site: SiteProcess, match: Recording
) -> None:
    replay = site.get("/matches/record/hands/7")
    browser.open("/games/record#hand=7&step=4", REPLAY_READY)
    assert_shows(browser, replay, 4)
    browser.script("location.hash = '#hand=7&step=2'")
    assert_shows(browser, replay, 2)
    browser.script("location.hash = '#hand=9&step=1'")
    assert_shows(browser, site.get("/matches/record/hands/9"), 1)


def test_a_link_to_a_hand_that_is_not_on_record_says_so(browser: Browser, match: Recording) -> None:
    browser.open("/games/record#hand=999&step=4")
    browser.says(".replay .notice", "Hand 999 is not on record")


def test_brackets_go_to_the_hand_before_and_after(browser: Browser, match: Recording) -> None:
    browser.open("/games/record#hand=3&step=2", REPLAY_READY)
    browser.press("]")
    browser.until(STANDS_AT, 4, 0)
    browser.press("[")
    browser.until(STANDS_AT, 3, 0)


def test_space_plays_and_pauses(browser: Browser, match: Recording) -> None:
    browser.open("/games/record#hand=2&step=0", REPLAY_READY)
    browser.find(".controls select").send_keys("10")
    browser.script("document.activeElement.blur()")
    browser.press(Keys.SPACE)
    browser.until("return document.querySelector('.replay').dataset.step >= 3")
    browser.press(Keys.SPACE)
    assert browser.text(".keys button:nth-child(3)") == "Play"


def test_the_scrubber_moves_by_key_and_marks_the_streets(
    browser: Browser, site: SiteProcess, match: Recording
) -> None:
    replay = site.get("/matches/record/hands/1")
    browser.open("/games/record#hand=1&step=0", REPLAY_READY)
    scrubber = browser.find(".scrubber")
    scrubber.send_keys(Keys.ARROW_RIGHT)
    assert_shows(browser, replay, 1)
    scrubber.send_keys(Keys.END)
    assert_shows(browser, replay, len(replay["frames"]) - 1)
    streets = {frame["street"] for frame in replay["frames"]}
    marks = "return document.querySelectorAll('.marks span').length"
    assert browser.script(marks) == len(streets)


def test_one_can_jump_to_a_hand_by_its_number(browser: Browser, match: Recording) -> None:
    browser.open("/games/record", REPLAY_READY)
    number = browser.find(".jump input")
    number.clear()
    number.send_keys("17", Keys.ENTER)
    browser.until(STANDS_AT, 17, 0)


def test_the_hands_come_in_order_or_with_the_biggest_pots_first(
    browser: Browser, site: SiteProcess, match: Recording
) -> None:
    listed = (
        "return [...document.querySelectorAll('.hand-list .no')]"
        ".map(n => Number(n.textContent.slice(5)))"
    )
    browser.open("/games/record", REPLAY_READY)
    assert browser.until(listed + ".slice(0, 3)") == [1, 2, 3]
    browser.find(".hands .tabs button:nth-child(2)").click()
    biggest = site.get("/matches/record/hands?order=pot&per_page=20")["items"]
    wanted = [item["hand"] for item in biggest]
    browser.until(listed + ".join() === arguments[0].join()", wanted)
    browser.find(".hand-list button").click()
    browser.until(STANDS_AT, wanted[0], 0)


def test_the_curves_are_read_by_key_and_lead_to_the_hand(
    browser: Browser, site: SiteProcess, match: Recording
) -> None:
    curves = site.get("/matches/record/chips")
    browser.open("/games/record", REPLAY_READY)
    chart = browser.find(".chart")
    chart.send_keys(Keys.HOME)
    chart.send_keys(Keys.ARROW_RIGHT)
    shown = browser.script(
        "return [...document.querySelectorAll('.legend .chips')].map(v => v.textContent)"
    )
    wanted = [f"{player['chips'][1]:,}".replace("-", "−") for player in curves["players"]]
    assert shown == wanted
    assert chart.get_attribute("aria-valuenow") == str(curves["hands"][1])
    chart.send_keys(Keys.ENTER)
    browser.until(STANDS_AT, curves["hands"][1], 0)


def test_the_ranking_has_everyone_and_names_are_only_text(
    browser: Browser, site: SiteProcess, match: Recording
) -> None:
    browser.open("/games/record", REPLAY_READY)
    shown = browser.script(
        "return [...document.querySelectorAll('.ranking td .name')].map(n => n.textContent)"
    )
    assert shown == [row["name"] for row in site.get("/matches/record")["ranking"]]
    assert MARKUP in shown
    assert browser.script("return document.querySelectorAll('main script').length") == 0


def test_every_download_is_there(browser: Browser, match: Recording) -> None:
    browser.open("/games/record", REPLAY_READY)
    links = browser.script("return [...document.querySelectorAll('a[download]')].map(a => a.href)")
    assert len(links) == 5
    for link in links:
        answer = httpx.get(link)
        assert answer.status_code == 200
        assert answer.content
