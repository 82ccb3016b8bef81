"""The big screen: a picture that can be read from the back of a hall, and goes where it is loud."""

from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import Engine

from croupier.rules.sets import PLAIN
from tests.web.browser.browsing import Browser
from tests.web.browser.playing import TABLE_READY
from tests.web.siting import LiveGame, SiteProcess

SMALL = """
const small = [];
const walker = document.createTreeWalker(
  document.querySelector('.broadcast'), NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const seen = element.checkVisibility({ visibilityProperty: true }) && !element.closest('.vh');
  if (!seen || !walker.currentNode.textContent.trim()) continue;
  const size = parseFloat(getComputedStyle(element).fontSize);
  if (size < innerHeight * 0.022) small.push(`${element.className} ${size}`);
}
return small;
"""
SCROLLS = """
const { scrollHeight, scrollWidth } = document.documentElement;
return scrollHeight > innerHeight || scrollWidth > innerWidth;
"""
TEN = """
const shown = document.querySelector('croupier-table');
const names = arguments[0];
const scene = structuredClone(shown.scene);
const seats = names.map((name, seat) => ({ ...scene.seats[0], seat, player: seat, name,
  button: false, out: false }));
const ranking = names.map((name, at) => ({ rank: at + 1, name, chips: 9999, out: false }));
arguments[0].length && shown.show({ ...scene, seats, ranking }, { jump: true });
const cut = [...shown.querySelectorAll('.seat .name')].filter(
  name => name.scrollHeight > name.clientHeight + 2 || name.scrollWidth > name.clientWidth + 2);
const outside = [...shown.querySelectorAll('.plate')].map(p => p.getBoundingClientRect())
  .filter(box => box.left < 0 || box.right > innerWidth || box.bottom > innerHeight);
return [cut.map(name => name.textContent), outside.length];
"""

OVER_THE_BOARD = """
const card = document.querySelector('.winner').getBoundingClientRect();
const board = [...document.querySelectorAll('croupier-table .board .card')]
  .map(one => one.getBoundingClientRect());
const over = board.filter(one => one.left < card.right && card.left < one.right
  && one.top < card.bottom && card.top < one.bottom);
return [board.length, over.length];
"""


def opened(browser: Browser, site: SiteProcess, engine: Engine, table: str) -> LiveGame:
    bots = ["RuleAgent", "RandomAgent", "AllinAgent", "CallAgent"]
    game = LiveGame(site, engine, PLAIN, bots, table, table=table, match_id=table)
    game.begin()
    browser.open(f"/live/{table}?screen=1", TABLE_READY)
    return game


def until_showdown(browser: Browser, game: LiveGame) -> dict[str, Any]:
    """Play until a winner has shown its cards; return what is shown then."""
    for _ in range(12):
        while game.match.phase == "hand":
            game.step()
        scene: dict[str, Any] = browser.until(
            "const scene = document.querySelector('croupier-table').scene;"
            "return scene.over && scene.hand === arguments[0] && scene",
            game.match.number,
        )
        winner = max(scene["seats"], key=lambda seat: seat["won"])
        browser.says(".winner", f"{winner['name']} wins {winner['won']:,}")
        assert browser.text(".loud")
        if winner["best"]:
            return scene
        game.step()
    raise AssertionError("no hand came to a showdown")


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
def test_everything_is_large_enough_and_fits_with_ten_long_names(
    browser: Browser, site: SiteProcess, engine: Engine, width: int, height: int
) -> None:
    browser.look(width, height, still=True)
    opened(browser, site, engine, f"hall-{width}")
    for name in ("team{n}-Winchester", "team{n}-of-the-university-of-York"):
        assert browser.script(TEN, [name.format(n=n) for n in range(10)]) == [[], 0]
    assert browser.script(SMALL) == []
    assert not browser.script(SCROLLS)


def test_the_last_action_is_large_and_a_hand_ends_with_its_winner_and_the_five_cards(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    browser.look(1280, 720, still=True)
    scene = until_showdown(browser, opened(browser, site, engine, "winners"))
    cards = browser.script(
        "return [...document.querySelectorAll('.winner p:first-child .card')]"
        ".map(card => card.dataset.card)"
    )
    first = next(seat for seat in scene["seats"] if seat["won"])
    assert cards == first["best"]


def test_without_a_table_it_says_that_nothing_is_running_and_not_that_it_is_live(
    browser: Browser,
) -> None:
    with SiteProcess() as site:
        browser.url = site.url
        browser.look(1280, 720)
        browser.open("/live?screen=1")
        browser.says(".broadcast .blank", "As soon as one opens it is shown here.")
        assert browser.script("return document.querySelector('.on-air').hidden")
        assert browser.script(SMALL) == []
        assert browser.script(
            "return document.querySelector('.picture').offsetWidth === innerWidth"
        ), "there is no empty rail"


def test_between_two_matches_of_a_contest_it_shows_how_far_it_is_and_the_standing(
    browser: Browser, rough: SiteProcess
) -> None:
    browser.url = rough.url
    browser.look(1280, 720)
    browser.open("/live?screen=1")
    browser.says(".broadcast .blank", "Nothing is running")
    browser.says(".rail h2", "Standing: ladder")
    browser.says(".lower-third .where", "matches played")
    assert browser.script(SMALL) == []
    assert not browser.script(SCROLLS)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
def test_the_card_of_the_winner_leaves_the_board_free(
    browser: Browser, site: SiteProcess, engine: Engine, width: int, height: int
) -> None:
    browser.look(width, height, still=True)
    until_showdown(browser, opened(browser, site, engine, f"free-{width}"))
    assert browser.script(OVER_THE_BOARD) == [5, 0]


def test_at_a_table_of_a_contest_it_shows_its_title_stage_standing_and_results(
    browser: Browser, site: SiteProcess, engine: Engine, contest: str
) -> None:
    browser.look(1280, 720, still=True)
    table = "contest-1 knockout/r2.1/1.1"
    names = ["Ada", "Zoë"]
    bots = ["RuleAgent", "CallAgent"]
    game = LiveGame(site, engine, PLAIN, bots, "cup", table=table, names=names, match_id="cup")
    game.begin()
    browser.open(f"/live/{quote(table, safe='')}?screen=1", TABLE_READY)
    browser.says(".rail h2", "Standing: knockout")
    standing = site.get(contest)["standing"]
    lines = browser.script(
        "return [...document.querySelectorAll('.rail-list li')].map(line => ["
        "line.querySelector('.name').textContent, line.classList.contains('here')])"
    )
    assert lines == [[line["team"], line["team"] in names] for line in standing]
    assert browser.text(".lower-third .event") == "Cup"
    assert "knockout" in browser.text(".lower-third .where")
    assert browser.text(".ticker")
    assert browser.script(SMALL) == []
    moved = browser.waiting(MOVED, None)
    assert moved == [["b", "▲"], ["a", "▼"]]


def test_a_friendly_match_is_named_by_its_teams(
    browser: Browser, site: SiteProcess, engine: Engine, contest: str
) -> None:
    browser.look(1280, 720, still=True)
    table = "friendly-1 3"
    names = ["Ada", "RuleAgent (house)"]
    bots = ["RuleAgent", "CallAgent"]
    game = LiveGame(site, engine, PLAIN, bots, "f", table=table, names=names, match_id="friendly")
    game.begin()
    browser.open(f"/live/{quote(table, safe='')}?screen=1", TABLE_READY)
    browser.says(".lower-third .where", "Friendly match: Ada – RuleAgent (house)")
    assert table not in browser.text("main")
    assert table not in browser.script("return document.title")
    browser.says(".lower-third .event", "Cup")
    browser.open(f"/live/{quote(table, safe='')}", TABLE_READY)
    browser.says("h1", "Friendly match: Ada – RuleAgent (house)")


MOVED = """
const done = arguments[1];
import('/static/js/broadcast.js').then(({ Rail }) => {
  const rail = new Rail();
  const show = (...names) =>
    rail.show('', names.map((name, at) => ({ rank: at + 1, name, value: '' })), 'x');
  show('a', 'b');
  show('b', 'a');
  done([...rail.list.children].map(line => [
    line.querySelector('.name').textContent, line.querySelector('.move').firstChild.textContent]));
});
"""

CHOOSE = """
const done = arguments[1];
import('/static/js/screen.js').then(({ choose }) => {
  const at = (table, more) => ({ table, state: 'playing', players: [{ name: table }], pot: 0,
    big_blind: 100, all_in: false, ...more });
  const now = 1_000_000;
  const seen = new Map([['a', now], ['b', now - 5_000], ['c', now - 20_000]]);
  const go = (tables, leaders = []) => choose(tables, new Set(leaders), seen, now);
  done({
    quiet: go([at('a'), at('b'), at('c')]),
    pot: go([at('a'), at('b', { pot: 4_000 }), at('c')]),
    all_in: go([at('a', { all_in: true }), at('b', { pot: 4_000 }), at('c')]),
    leader: go([at('a'), at('b', { pot: 500 }), at('c')], ['b']),
    running: go([at('a', { state: 'seating', pot: 9_000 }), at('b')]),
    nothing: go([]),
  });
});
"""


def test_it_goes_to_big_pots_all_ins_leaders_and_what_was_not_seen_for_long(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    browser.open("/docs")
    assert browser.waiting(CHOOSE, None) == {
        "quiet": "c",
        "pot": "b",
        "all_in": "a",
        "leader": "b",
        "running": "b",
        "nothing": None,
    }
