"""A person plays a whole match in a browser, by keyboard alone, and loads the page in between."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver.common.keys import Keys

from croupier.store import queries
from croupier.store.schema import open_store
from tests.arena.arenas import ArenaProcess
from tests.web.browser.browsing import Browser
from tests.web.browser.playing import ranking
from tests.web.browser.watching import CONTRAST

ARENA = """
[[table]]
name = "people"
seats = 3
humans = true
bots = ["CallAgent", "CallAgent"]
minimum = 1
wait_s = 0
set = { hands = 3, stacks = "carry" }

[[table]]
name = "hasty"
seats = 3
humans = true
bots = ["CallAgent", "CallAgent"]
minimum = 1
wait_s = 0
set = { hands = 2, human_ms = 500 }
"""
MINE = "return document.querySelector('.action-bar.mine') !== null"
CARDS = "return [...document.querySelectorAll('.seat.you .card')].map(c => c.dataset.card).join()"
HAND = "return document.querySelector('croupier-table')?.scene?.hand ?? 0"
MINE_OR_OVER = (
    "return document.querySelector('.result') ? 'over'"
    " : document.querySelector('.action-bar.mine') ? 'mine' : ''"
)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    process = ArenaProcess(tmp_path_factory.mktemp("people"), ARENA, "--web", "0")
    yield process
    process.close()


def tab_to(browser: Browser, selector: str) -> None:
    """Press Tab until the focus is where it is wanted."""
    for _ in range(60):
        browser.press(Keys.TAB)
        if browser.script(f"return document.activeElement.matches('{selector}')"):
            return
    raise AssertionError(f"{selector} cannot be reached by keyboard")


def leave(browser: Browser, arena: ArenaProcess) -> None:
    """Leave the table, and wait until it is open for the next test."""
    browser.find(".heading button").click()
    browser.says(".notice", "You have left the table")
    arena.wait_until(lambda row: row["state"] == "seating", "people")


def test_the_live_page_of_a_table_that_takes_people_offers_a_seat(
    browser: Browser, arena: ArenaProcess
) -> None:
    browser.url = arena.site_url
    browser.open("/live/people")
    assert browser.text("a.seat-link") == "Take a seat"
    browser.find("a.seat-link").click()
    browser.find(".take-seat input")


def test_a_whole_match_from_the_home_page_to_the_result_by_keyboard(
    browser: Browser, arena: ArenaProcess
) -> None:
    browser.url = arena.site_url
    browser.open("/", "return document.querySelector('a.seat-link')")
    tab_to(browser, "a.seat-link")
    browser.press(Keys.ENTER)
    browser.until("return document.activeElement.matches('.take-seat input')")
    browser.press("Ann", Keys.ENTER)

    browser.until(MINE)
    cards = browser.script(CARDS)
    browser.driver.refresh()
    browser.until(MINE)
    assert browser.script(CARDS) == cards, "the address has brought her back"

    # A raise is chosen, and confirmed by its button.
    browser.press("r")
    browser.until("return document.activeElement.matches('.action-bar .short')")
    browser.press(Keys.BACKSPACE, "300")
    browser.says(".action-bar .raise", "300")
    assert browser.script(MINE), "choosing an amount decides nothing"
    assert browser.script(CONTRAST) == []
    browser.press(Keys.ENTER)
    browser.says(".log", "Ann raises to 300")

    folded_in = 0
    while browser.until(MINE_OR_OVER) == "mine":
        hand = browser.script(HAND)
        folded_in = folded_in or (hand if hand == 2 else 0)
        browser.press("f" if hand == 2 else "c")
        browser.until(
            MINE_OR_OVER + " === 'over' || !document.querySelector('.action-bar.mine')"
            " || document.querySelector('croupier-table').scene.hand !== arguments[0]"
            " || document.querySelector('croupier-table').scene.board.length > arguments[1]",
            hand,
            browser.script("return document.querySelector('croupier-table').scene.board.length"),
        )
    assert folded_in == 2
    browser.says(".log", "Ann folds")
    browser.says(".result", "You finished in place")
    shown = dict(ranking(browser))
    match = browser.script("return document.querySelector('croupier-table').scene.match")
    assert browser.find(".result a").get_attribute("href") == f"{browser.url}/games/{match}"
    engine = open_store(str(arena.store))
    record = queries.match(engine, match)
    chips = {record.players[line.player].name: f"{line.chips:,}" for line in record.standings}
    engine.dispose()
    assert shown == chips
    assert browser.complaints() == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 560)])
def test_a_phone_has_the_bar_at_hand_and_nothing_beside_the_screen(
    browser: Browser, arena: ArenaProcess, width: int, height: int
) -> None:
    browser.url = arena.site_url
    browser.look(width, height)
    browser.open("/play/people", "return document.querySelector('.take-seat input')")
    browser.find(".take-seat input").send_keys("Bo", Keys.ENTER)
    browser.until(MINE)
    box = "document.querySelector('.action-bar').getBoundingClientRect()"
    assert browser.script(f"return {box}.bottom <= innerHeight + 1")
    for part in ("plate", "label", "card"):
        place = f"document.querySelector('.seat.you .{part}').getBoundingClientRect()"
        assert browser.script(f"return {place}.bottom <= {box}.top"), part
        assert browser.script(f"return {place}.top >= 0"), part
    assert browser.script("return document.documentElement.scrollWidth <= innerWidth")
    leave(browser, arena)


def test_a_second_window_takes_the_seat_over_and_the_first_can_take_it_back(
    browser: Browser, arena: ArenaProcess
) -> None:
    browser.url = arena.site_url
    browser.open("/play/people", "return document.querySelector('.take-seat input')")
    browser.find(".take-seat input").send_keys("Cy", Keys.ENTER)
    browser.until(MINE)
    assert [name for name, _ in ranking(browser)].count("Cy") == 1
    first, address = browser.driver.current_window_handle, browser.driver.current_url
    browser.driver.switch_to.new_window("tab")
    second = browser.driver.current_window_handle
    browser.driver.get(address)
    browser.until(MINE)
    browser.driver.switch_to.window(first)
    browser.says(".notice", "Your seat is open in another window")
    assert not browser.script(MINE)
    browser.find(".notice button").click()
    browser.until(MINE)
    browser.driver.switch_to.window(second)
    browser.says(".notice", "Your seat is open in another window")
    browser.driver.close()
    browser.driver.switch_to.window(first)
    leave(browser, arena)


def test_a_person_is_told_when_its_time_was_up_and_its_old_address_has_the_result(
    browser: Browser, arena: ArenaProcess
) -> None:
    browser.url = arena.site_url
    browser.open("/play/hasty", "return document.querySelector('.take-seat input')")
    browser.find(".take-seat input").send_keys("Di", Keys.ENTER)
    browser.says(".notice", "Your time was up")
    address = browser.driver.current_url
    browser.says(".result", "You finished in place")
    assert "token" not in browser.driver.current_url
    browser.driver.get("about:blank")
    browser.driver.get(address)
    browser.says(".offer .why", "You finished in place")
    match = parse_qs(urlsplit(address).fragment)["match"][0]
    assert browser.find(".offer .why a").get_attribute("href") == f"{browser.url}/games/{match}"
    assert browser.find(".take-seat input").get_attribute("value") == "Di"


def test_a_page_for_people_is_not_found_where_they_cannot_sit(
    browser: Browser, arena: ArenaProcess
) -> None:
    browser.url = arena.site_url
    browser.open("/play/nowhere", "return document.querySelector('main h1')")
    assert browser.text("main h1") == "Not found"
