"""The switches of the bar: colours and language, both kept."""

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from tests.store.recorded import Recording
from tests.web.browser.browsing import Browser

READY = "return document.querySelector('.switches .language')"
GROUND = "return getComputedStyle(document.body).backgroundColor"


@pytest.fixture(autouse=True)
def _forgetful(browser: Browser) -> Iterator[None]:
    browser.forget()
    yield
    browser.forget()


@pytest.mark.usefixtures("contest")
def test_a_reader_who_changes_the_colours_keeps_them(browser: Browser) -> None:
    browser.look(scheme="dark")
    browser.open("/games", READY)
    dark = browser.script(GROUND)
    browser.script("document.querySelector('.switches .theme').focus()")
    browser.press(Keys.ENTER)
    light = browser.script(GROUND)
    assert light != dark
    browser.open("/players", READY)
    assert browser.script(GROUND) == light
    browser.look(scheme="light")
    browser.script("document.querySelector('.switches .theme').click()")
    assert browser.script(GROUND) == dark


@pytest.mark.usefixtures("contest")
def test_a_reader_who_changes_the_language_keeps_it(browser: Browser, match: Recording) -> None:
    browser.open("/contests/1?stage=round-robin", READY)
    assert browser.script("return document.documentElement.lang") == "en"
    browser.script("document.querySelector('.switches .language').click()")
    browser.until("return document.documentElement.lang === 'zh'")
    browser.until("return document.querySelector('.crosstable td')")
    assert "对战表" in browser.text(".crosstable-panel h2")
    browser.open("/games/record#hand=3&step=9", "return document.querySelector('.steps li')")
    assert "盲注" in browser.text(".steps")
    assert browser.complaints() == []
