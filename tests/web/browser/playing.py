"""What the browser tests share: names, and how a table is read from a page."""

from typing import Any

from tests.web.browser.browsing import Browser

TOKEN = "the organiser's token"
TEAM_KEY = "adas-own-key"
MARKUP = "<script>alert(1)</script>"
TAG = "<b onclick=alert(1)>"
"""Markup that is a valid name of a team."""
LONG_NAME = "a-bot-whose-name-is-far-too-long-for-any-plate-at-the-table-2027"

TABLE_READY = "return document.querySelector('croupier-table')?.scene"
REPLAY_READY = "return document.querySelector('.replay')?.dataset.step !== undefined"


def stacks(browser: Browser) -> dict[str, int]:
    """Return the stacks that the table shows, by name."""
    shown: list[list[str]] = browser.script(
        "return [...document.querySelectorAll('croupier-table .seat')].map(seat =>"
        " [seat.querySelector('.name').textContent, seat.querySelector('.stack').textContent])"
    )
    return {name: int(text.replace(",", "")) for name, text in shown}


def ranking(browser: Browser) -> list[tuple[str, str]]:
    """Return name and chips of the ranking beside the table."""
    rows: Any = browser.script(
        "return [...document.querySelectorAll('.standings li')].map(row =>"
        " [row.querySelector('.name').textContent, row.querySelector('.chips').textContent])"
    )
    return [(name, chips) for name, chips in rows]
