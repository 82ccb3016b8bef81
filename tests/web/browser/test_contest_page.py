"""The pages of a contest and of a team."""

import re

import pytest
from selenium.webdriver.common.keys import Keys

from tests.web.browser.browsing import Browser
from tests.web.browser.playing import TAG, TEAM_KEY

CROSSTABLE = "return document.querySelector('.crosstable td a')"
BRACKET = "return document.querySelector('.meeting')"


@pytest.fixture(autouse=True)
def _played(contest: str) -> None:
    """Have the contest on record."""


def texts(browser: Browser, selector: str) -> list[str]:
    found: list[str] = browser.script(
        "return [...document.querySelectorAll(arguments[0])].map(one => one.innerText)", selector
    )
    return found


def test_the_page_says_what_is_next_who_leads_and_what_happened(browser: Browser) -> None:
    browser.open("/contests/1", "return document.querySelector('.latest td')")
    assert browser.text("h1") == "Cup"
    assert browser.text(".lead .state") == "running"
    assert "to come" in browser.text(".next .fixtures")
    assert "Standing: knockout" in browser.text(".standing h2")
    assert len(texts(browser, ".latest tbody tr")) == 12


LONG = "Winchester-Gesellschaft-für-Wahrscheinlichkeitsrechnung-64"
OUTSIDE = """
const [long, selectors] = arguments;
const outside = [];
for (const selector of selectors) {
  const names = [...document.querySelectorAll(selector)];
  if (!names.length) outside.push(`nothing is ${selector}`);
  for (const name of names) name.textContent = long;
  for (const name of names) {
    const text = document.createRange();
    text.selectNodeContents(name);
    const box = name.closest('td, th, li').getBoundingClientRect();
    for (const part of text.getClientRects())
      if (part.left < box.left - 1 || part.right > box.right + 1 || part.bottom > box.bottom + 1)
        outside.push(selector);
    if (name.scrollWidth > name.clientWidth + 1 && getComputedStyle(name).overflow !== 'visible')
      outside.push(`${selector} is cut`);
  }
}
return [...new Set(outside)];
"""


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_name_of_a_team_wraps_and_is_not_cut(browser: Browser, width: int) -> None:
    browser.look(width, 900, still=True)
    browser.open("/contests/1", "return document.querySelector('.latest td')")
    overview = [".standing .name", ".latest .outcome > span", ".fixtures .name"]
    assert browser.script(OUTSIDE, LONG, overview) == []
    assert not browser.script(WIDER)
    browser.open("/contests/1?stage=round-robin", CROSSTABLE)
    stage = [".standing .name", ".crosstable tbody .name", ".fixtures .name"]
    assert browser.script(OUTSIDE, LONG, stage) == []
    assert not browser.script(WIDER)


WIDER = "return document.documentElement.scrollWidth > innerWidth"


def test_names_are_text_and_never_markup(browser: Browser) -> None:
    browser.open("/contests/1?stage=round-robin", CROSSTABLE)
    assert TAG in texts(browser, ".crosstable tbody .name")


def test_every_cell_has_its_number_and_its_interval(browser: Browser) -> None:
    browser.open("/contests/1?stage=round-robin", CROSSTABLE)
    values = texts(browser, ".crosstable .value")
    assert len(values) == 30
    assert all(value.lstrip("+−").replace(",", "").isdigit() for value in values)
    halves = texts(browser, ".crosstable small:not(.adjusted)")
    assert all(text.startswith("±") for text in halves)
    assert len(texts(browser, ".crosstable small.adjusted")) == 30


def test_strong_colour_is_only_where_the_sign_is_certain(browser: Browser) -> None:
    browser.open("/contests/1?stage=round-robin", CROSSTABLE)
    cells = browser.script(
        """return [...document.querySelectorAll('.crosstable .cell')].map(cell => [
            parseFloat(cell.style.getPropertyValue('--strength')),
            cell.querySelector('a').title.endsWith('a certain difference'),
        ])"""
    )
    assert any(certain for _, certain in cells)
    assert any(not certain for _, certain in cells)
    assert all(certain or strength <= 0.16 for strength, certain in cells)


def test_the_row_and_the_column_of_a_cell_with_the_focus_are_marked(browser: Browser) -> None:
    browser.open("/contests/1?stage=round-robin", CROSSTABLE)
    browser.script("document.querySelectorAll('.crosstable td a')[7].focus()")
    row, columns = browser.script(
        """const cell = document.activeElement.closest('td');
        return [cell.parentElement.classList.contains('crossed'),
            [...document.querySelectorAll('td.crossed')].map(one => one.dataset.column)
                .every(one => one === cell.dataset.column)]"""
    )
    assert row
    assert columns


def test_a_cell_leads_to_the_fixtures_of_its_two_teams(browser: Browser) -> None:
    browser.open("/contests/1?stage=round-robin", CROSSTABLE)
    browser.script("document.querySelector('.crosstable td a').focus()")
    browser.press(Keys.ENTER)
    browser.until("return location.search.includes('against=')")
    browser.until("return document.querySelector('.all-fixtures .fixtures')")
    fixtures = texts(browser, ".all-fixtures .fixtures li")
    assert len(fixtures) == 1
    browser.script("document.querySelector('.all-fixtures p a').click()")
    browser.until("return document.querySelectorAll('.all-fixtures .fixtures li').length === 15")


def test_a_fixture_leads_to_the_replay_of_its_match(browser: Browser) -> None:
    browser.open("/contests/1?stage=knockout", BRACKET)
    browser.script("document.querySelector('.all-fixtures .where a').click()")
    browser.until("return document.querySelector('.replay')?.dataset.step !== undefined")


def test_a_bracket_reads_from_left_to_right(browser: Browser) -> None:
    browser.open("/contests/1?stage=knockout", BRACKET)
    assert texts(browser, ".round h3") == ["Semi-finals", "Final", "Third place"]
    columns = browser.script(
        "return [...document.querySelectorAll('.round')].map(one => one.getBoundingClientRect().x)"
    )
    assert columns == sorted(columns)
    first, second, final = browser.script(
        "return [...document.querySelectorAll('.round:not(.third) .meeting')]"
        ".map(one => one.getBoundingClientRect()).map(box => box.top + box.height / 2)"
    )
    assert final == pytest.approx((first + second) / 2, abs=1)
    assert len(texts(browser, ".meeting .won")) == 2
    assert len(texts(browser, ".meeting .lost")) == 2


def test_a_team_shows_its_opponents_its_style_and_its_biggest_pots(browser: Browser) -> None:
    browser.open("/contests/1/teams/Ada", "return document.querySelector('.shares')")
    assert "Rank" in browser.text(".team-stage p")
    assert [text.split("\n")[0] for text in texts(browser, ".shares dt")] == [
        "VPIP",
        "PFR",
        "3-bet",
        "Aggression",
        "WTSD",
        "W$SD",
    ]
    assert all("chance" in text for text in texts(browser, ".shares dd"))
    assert "went to showdown after seeing the flop" in texts(browser, ".shares .about")


def test_the_curve_of_a_team_is_read_by_the_arrow_keys(browser: Browser) -> None:
    browser.open("/contests/1/teams/Ada", "return document.querySelector('svg.rounds')")
    browser.script("document.querySelector('svg.rounds').focus()")
    browser.press(Keys.HOME)
    browser.says(".readout", "After round 1:")
    browser.press(Keys.ARROW_RIGHT)
    browser.says(".readout", "After round 2:")


def test_the_curve_of_a_team_ends_at_the_rates_of_its_standing(browser: Browser) -> None:
    """That without luck, and that which was played."""
    browser.open("/contests/1/teams/Ada", "return document.querySelector('svg.rounds .played')")
    line, told = browser.script(
        """const league = document.querySelector('svg.rounds .played').closest('.team-stage');
        return ['p', '.readout'].map(part => league.querySelector(part).innerText)"""
    )
    standing = re.search(r"matches\. (.+) bb/100, (.+) without the luck", line)
    assert standing is not None
    played, adjusted = standing.groups()
    assert played != adjusted
    rate, half = adjusted.split(" ± ")
    assert told == (
        f"After round 5: {rate} bb/100 ± {half} without luck, {played} as played, 200 hands"
    )


def test_a_stage_that_does_not_exist_shows_the_overview(browser: Browser) -> None:
    browser.open("/contests/1?stage=nothing", "return document.querySelector('.latest td')")
    assert browser.script("return document.querySelector('.tabs [aria-current]').innerText") == (
        "Overview"
    )


def test_a_team_logs_in_with_its_key_and_out_again(browser: Browser) -> None:
    browser.forget()
    browser.open("/contests/1/teams/Ada", "return document.querySelector('.own input')")
    browser.find(".own input[name=key]").send_keys("wrong", Keys.ENTER)
    browser.says(".own .notice", "this is not the key of Ada")
    browser.complaints()  # the browser reports the 403
    browser.press(TEAM_KEY)
    browser.until(  # the address has to wait a second
        "document.querySelector('.own form')?.requestSubmit();"
        "return document.querySelector('.own td')"
    )
    browser.says(".own", "You are logged in as Ada.")
    assert len(texts(browser, ".own tbody tr")) > 1
    assert TEAM_KEY not in browser.script("return location.href + document.body.innerText")
    browser.open("/contests/1/teams/Ada", "return document.querySelector('.own td')")
    browser.find(".own button").click()
    browser.find(".own input[name=key]")
    browser.open("/contests/1/teams/π-bot", "return document.querySelector('.shares')")
    assert not browser.script("return document.querySelector('.own')")
