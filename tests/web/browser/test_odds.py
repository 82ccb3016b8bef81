"""What the replayer says about a decision: its price, the chances, and where the streets begin."""

from tests.store.recorded import Recording
from tests.web.browser.browsing import Browser

READY = "return document.querySelector('.replay')?.dataset.hand !== undefined"
LABELS = "return [...document.querySelectorAll('.marks span')].map(m => m.textContent)"
APART = """
const boxes = [...document.querySelectorAll('.marks span')].map(m => m.getBoundingClientRect());
return boxes.every((box, i) => i === 0 || box.left >= boxes[i - 1].right - 1);
"""
AT_TURN = """
const replay = document.querySelector('croupier-table').scene;
return replay.turn && [replay.turn.price, replay.turn.stake];
"""


def test_every_decision_has_its_price_and_every_street_its_label(
    browser: Browser, match: Recording
) -> None:
    for width in (1280, 390):
        browser.look(width, 900)
        for hand in range(1, 12):
            browser.open(f"/games/{match.id}#hand={hand}&step=0", READY)
            streets = browser.script(
                "const all = [...document.querySelectorAll('.steps li')].map(b => b.textContent);"
                "return ['Flop: ', 'Turn: ', 'River: '].filter(s => all.some(t => t.startsWith(s)))"
            )
            wanted = ["Deal", *(street.removesuffix(": ") for street in streets)]
            assert browser.script(LABELS) == wanted
            assert browser.script(APART), (width, hand)


def test_a_call_has_its_odds_and_a_click_on_the_graph_goes_to_its_step(
    browser: Browser, match: Recording
) -> None:
    browser.open(f"/games/{match.id}#hand=2&step=0", READY)
    for _ in range(40):
        turn = browser.script(AT_TURN)
        if turn and turn[0]:
            break
        browser.press("\ue014")
    price, pot = turn
    share = round(100 * price / (pot + price))
    said = browser.text(".odds .price")
    assert f"pays {price:,} for a pot of {pot:,}: a call needs {share} %" in said
    browser.find(".chances polyline")
    assert "%" in browser.text(".chances-key")
    browser.script(
        "const box = document.querySelector('.chances').getBoundingClientRect();"
        "document.querySelector('.chances').dispatchEvent(new MouseEvent('click',"
        "{ bubbles: true, clientX: box.right - 1, clientY: box.y + 5 }))"
    )
    last = browser.script("return document.querySelectorAll('.steps button').length - 1")
    browser.until(
        "return Number(document.querySelector('.replay').dataset.step) === arguments[0]", last
    )
