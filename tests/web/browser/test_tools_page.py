"""The tools in a real browser."""

from hashlib import md5

import pytest

from tests.store.recorded import Recording
from tests.web.browser.browsing import Browser

RESULT = "return document.querySelector('output.token')?.textContent"


def test_the_token_of_a_name_is_its_md5(browser: Browser, match: Recording) -> None:
    # Lengths around the borders of MD5's blocks, and letters of several bytes.
    names = ["", "kobe-1001", "Zoë π 扑克 🂡", *("x" * size for size in (55, 56, 63, 64, 119, 120))]
    browser.open("/tools", RESULT)
    found = browser.waiting(
        "const done = arguments[1];"
        "import('/static/js/md5.js').then(m => done(arguments[0].map(name => m.md5(name))))",
        names,
    )
    assert found == [md5(name.encode()).hexdigest() for name in names]


def test_a_name_is_hashed_while_it_is_typed_and_never_sent(
    browser: Browser, match: Recording
) -> None:
    browser.open("/tools", RESULT)
    field = browser.find("input[name=name]")
    field.clear()
    asked = "return performance.getEntriesByType('resource').length"
    before = browser.script(asked)
    field.send_keys("Ada")
    assert browser.script(RESULT) == md5(b"Ada").hexdigest()
    assert browser.script(asked) == before


def test_cards_are_ranked_as_every_dialect_ranks_them(browser: Browser, match: Recording) -> None:
    browser.open("/tools", RESULT)
    browser.find("input[name=cards]").submit()
    browser.says(".facts", "straight")
    browser.says(".facts", "STRAIGHT")


def test_what_is_no_card_is_said_at_once_and_refused_in_a_sentence(
    browser: Browser, match: Recording
) -> None:
    browser.open("/tools", RESULT)
    field = browser.find("input[name=cards]")
    field.clear()
    field.send_keys("As As")
    browser.says(".wrong", "A card is there twice.")
    field.submit()
    browser.says(".blank", "That did not work")


@pytest.mark.parametrize("extra", ["", "2c 3c"])
def test_chances_of_hands_against_each_other_add_up(
    browser: Browser, match: Recording, extra: str
) -> None:
    browser.open("/tools", RESULT)
    if extra:
        browser.script(
            "[...document.querySelectorAll('button')]"
            ".find(button => button.textContent === 'Add a hand').click()"
        )
        browser.find("input[name=hand3]").send_keys(extra)
    browser.find("input[name=hand1]").submit()
    shares = browser.until(
        "const cells = [...document.querySelectorAll('.wide td:last-child')];"
        "return cells.length && cells.map(cell => parseFloat(cell.textContent))"
    )
    assert len(shares) == (3 if extra else 2)
    assert sum(shares) == pytest.approx(100, abs=0.05)
