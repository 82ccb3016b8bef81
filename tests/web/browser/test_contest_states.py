"""The pages of a contest with groups, forfeits, a ladder and a team that was withdrawn."""

from collections.abc import Iterator

import pytest

from tests.web.browser.browsing import Browser
from tests.web.browser.conftest import LADDER_MATCHES
from tests.web.siting import SiteProcess

STAGES = {
    "overview": ("/contests/1", "return document.querySelector('.latest td')"),
    "groups": ("/contests/1?stage=groups", "return document.querySelector('.crosstable td')"),
    "ladder": ("/contests/1?stage=ladder", "return document.querySelector('.crosstable td')"),
    "team": ("/contests/1/teams/Breaks", "return document.querySelector('.team .panel')"),
}


@pytest.fixture
def open_page(browser: Browser, rough: SiteProcess) -> Iterator[Browser]:
    before, browser.url = browser.url, rough.url
    yield browser
    browser.url = before


def texts(browser: Browser, selector: str) -> list[str]:
    found: list[str] = browser.script(
        "return [...document.querySelectorAll(arguments[0])].map(one => one.innerText)", selector
    )
    return found


def test_who_forfeited_is_marked_where_results_are_listed_and_the_fixture_says_why(
    open_page: Browser,
) -> None:
    open_page.open(*STAGES["overview"])
    marked = texts(open_page, ".latest .outcome > span:has(.forfeit)")
    assert marked
    assert all(text.startswith("Breaks") for text in marked)
    open_page.open(*STAGES["groups"])
    (fixture,) = texts(open_page, ".fixtures li:has(.forfeit)")
    assert "group A" in fixture
    assert "Breaks: Breaks() in breaks.py failed: ValueError: it does not start" in fixture


def test_a_ladder_shows_ratings_with_their_uncertainty_and_its_newest_fixtures_first(
    open_page: Browser,
) -> None:
    open_page.open(*STAGES["ladder"])
    heads = texts(open_page, ".standing th")
    assert heads[2:4] == ["Rating", "Strength"]
    assert all("±" in text for text in texts(open_page, ".standing td:nth-child(4)"))
    assert "withdrawn" in open_page.text(".standing tbody")
    assert len(texts(open_page, ".fixtures li")) < LADDER_MATCHES
    assert f"f-ladder-m{LADDER_MATCHES}" == open_page.find(".fixtures li").get_attribute("id")
    open_page.script("document.querySelector('.all-fixtures button').click()")
    assert len(texts(open_page, ".fixtures li")) == LADDER_MATCHES
    assert open_page.script("return document.activeElement.closest('.fixtures') !== null")
