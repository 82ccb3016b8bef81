"""Watching a table in a real browser, through a wire that can be cut."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine

from croupier.rules.events import HandEnded, HandStarted
from croupier.rules.sets import HUAWEI, PLAIN
from croupier.store import queries
from tests.web.browser.browsing import Browser, Wire
from tests.web.browser.playing import LONG_NAME, MARKUP, TABLE_READY, ranking, stacks
from tests.web.siting import LiveGame, SiteProcess, wait_for

AT = (
    "const scene = document.querySelector('croupier-table').scene;"
    "return scene && scene.match === arguments[0] && "
)
SHOWN_LINES = "return [...document.querySelectorAll('.log [data-seq]')].map(l => +l.dataset.seq)"


def begun(site: SiteProcess, engine: Engine, table: str, **change: Any) -> LiveGame:
    """Begin a match of four at a table of its own."""
    rules = replace(change.pop("rules", PLAIN), **change)
    bots = ["RuleAgent", "RandomAgent", "AllinAgent", "CallAgent"]
    names = ["Ada", MARKUP, LONG_NAME, "Zoë"]
    game = LiveGame(site, engine, rules, bots, table, table=table, names=names, match_id=table)
    game.begin()
    wait_for(site, "/tables", lambda found: table in [one["table"] for one in found["items"]])
    return game


def test_a_game_watched_to_its_end_shows_the_stacks_on_record(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "watched", rules=HUAWEI, hands=6)
    browser.open("/live/watched", TABLE_READY)
    while True:
        while game.match.phase == "hand":
            game.step()
        ended = [event for event in game._untold if isinstance(event, HandEnded)]
        if ended:
            number = game.match.number
            browser.until(AT + "scene.hand === arguments[1] && scene.over", game.id, number)
            (started,) = (event for event in game._untold if isinstance(event, HandStarted))
            names = [game.names[player] for player in started.players]
            shown = stacks(browser)
            assert [shown[name] for name in names] == list(ended[0].stacks)
        if not game.step():
            break
    game.end()
    browser.until(AT + "scene.state === 'over'", game.id)
    record = queries.match(engine, game.id)
    chips = {line.player: line.chips for line in record.standings}
    shown_chips = dict(ranking(browser))
    for player, name in enumerate(game.names):
        expected = "out" if game.match.players[player].out else f"{chips[player]:,}"
        assert shown_chips[name] == expected
    browser.says(".notice", "The match is over.")
    assert browser.find(".notice a").get_attribute("href") == f"{browser.url}/games/watched"
    assert browser.complaints() == []


def test_a_broken_connection_is_said_and_resumes_without_a_gap(
    browser: Browser, wire: Wire, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "broken")
    browser.open("/live/broken", TABLE_READY)
    game.play_hand()
    browser.until(AT + "scene.hand >= 2", game.id)
    wire.cut()
    browser.says(".notice", "Connection lost since")
    for _ in range(3):
        game.play_hand()
    assert browser.script(AT + "scene.hand", game.id) < game.match.number
    wire.mend()
    browser.find(".notice button").click()
    browser.until(AT + "scene.hand === arguments[1]", game.id, game.match.number)
    browser.until("return document.querySelector('.notice').childElementCount === 0")
    wanted = [line["seq"] for line in site.get("/tables/broken")["lines"]]
    browser.until(SHOWN_LINES + ".at(-1) >= arguments[0]", wanted[-1])
    shown: list[int] = browser.script(SHOWN_LINES)
    assert [seq for seq in shown if seq >= wanted[0]] == wanted
    assert shown == sorted(set(shown))


def test_a_lost_connection_comes_back_by_itself(
    browser: Browser, wire: Wire, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "patient")
    browser.open("/live/patient", TABLE_READY)
    wire.cut()
    browser.says(".notice", "Connection lost since")
    wire.mend()
    game.play_hand()
    browser.until(AT + "scene.hand === arguments[1]", game.id, game.match.number)


def test_a_feed_that_skipped_events_is_said_and_goes_on_with_the_next_hand(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "skipped")
    browser.open("/live/skipped", TABLE_READY)
    game.teller.say("skipped")
    browser.says(".log", "Some events are not shown here")
    game.play_hand()
    game.play_hand()
    browser.until(AT + "scene.hand === arguments[1]", game.id, game.match.number)


def test_a_table_that_closes_says_so_and_where_to_go_on(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "closing")
    browser.open("/live/closing", TABLE_READY)
    game.teller.say("closed")
    browser.says(".notice", "This table is closed.")
    assert browser.find(".notice a").get_attribute("href") == f"{browser.url}/"


def test_a_table_that_does_not_exist_says_so_and_where_to_go_on(
    browser: Browser, game: LiveGame
) -> None:
    browser.open("/live/nowhere")
    browser.says(".blank", "There is no table called nowhere now.")
    browser.find(".blank a[href='/live']")


def test_a_name_that_is_markup_is_only_text(browser: Browser, game: LiveGame) -> None:
    browser.open("/live/main", TABLE_READY)
    assert MARKUP in stacks(browser)
    assert MARKUP in [name for name, _ in ranking(browser)]
    assert browser.script("return document.querySelectorAll('main script').length") == 0


def test_every_card_is_spoken_by_its_name_and_hidden_ones_as_hidden(
    browser: Browser, game: LiveGame
) -> None:
    browser.open("/live/main", TABLE_READY)
    scene = browser.script(TABLE_READY)
    said = browser.script(
        "return [...document.querySelectorAll('.board .card .vh')].map(c => c.textContent)"
    )
    ranks = dict(zip("23456789TJQKA", WORDS, strict=True))
    suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    assert said == [f"{ranks[card[0]]} of {suits[card[1]]}" for card in scene["board"]]
    backs = sum(seat["cards"].count(None) for seat in scene["seats"])
    assert backs > 0
    hidden = "return document.querySelectorAll('.hole .card.back .vh').length"
    assert browser.script(hidden) == backs


WORDS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)


def test_actions_are_announced_politely(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "spoken")
    browser.open("/live/spoken", TABLE_READY)
    while game.match.phase == "hand":
        game.step()
    said = browser.until(
        "const place = document.querySelector('[aria-live=polite]'); return place.textContent"
    )
    assert any(name in said for name in game.names)


def test_the_big_screen_has_only_the_table_and_the_ranking(
    browser: Browser, game: LiveGame
) -> None:
    browser.look(1920, 1080)
    browser.open("/live/main?screen=1", TABLE_READY)
    visible = "return getComputedStyle(document.querySelector(arguments[0])).display !== 'none'"
    assert not browser.script(visible, "body > header")
    assert browser.script("return document.querySelector('.log') === null")
    assert browser.script(visible, ".standings")
    assert browser.script("return document.documentElement.scrollHeight <= innerHeight")


def test_nothing_moves_for_those_who_ask_for_no_motion(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "still")
    browser.look(still=True)
    browser.open("/live/still", TABLE_READY)
    browser.script(
        "window.moved = 0;"
        "const look = () => { window.moved += document.getAnimations().length;"
        " requestAnimationFrame(look); }; look()"
    )
    for _ in range(2):
        game.play_hand()
    browser.until(AT + "scene.hand === arguments[1]", game.id, game.match.number)
    assert browser.script("return window.moved") == 0


@pytest.mark.parametrize("width", [360, 1280])
def test_any_number_of_seats_fits_on_the_table(
    browser: Browser, game: LiveGame, width: int
) -> None:
    browser.look(width, 900, still=True)
    browser.open("/live/main", TABLE_READY)
    trouble = browser.waiting(FILL_THE_TABLE)
    assert trouble == []


FILL_THE_TABLE = """
const done = arguments[0];
const shown = document.querySelector('croupier-table');
const scene = structuredClone(shown.scene);
const table = document.createElement('croupier-table');
shown.replaceWith(table);
const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
  && a.top < b.bottom - 1 && b.top < a.bottom - 1;
const trouble = [];
(async () => {
  for (let count = 2; count <= 10; count += 1) {
    const seats = Array.from({ length: count }, (_, seat) => ({
      ...scene.seats[0], seat, player: seat, name: 'W'.repeat(30), stack: 9999999999,
      bet: 1234567, cards: ['Ts', 'Td'], folded: false, out: false, turn: seat === 0,
      button: seat === count - 1, equity: 0.123, last: 'raise 1,234,567', won: 0, blind: '',
    }));
    const board = ['Ts', 'Th', 'Td', 'Tc', '9c'];
    table.show({ ...scene, seats, board, over: false, pot: 12345678, pots: [] }, { jump: true });
    await new Promise(requestAnimationFrame);
    const frame = document.documentElement.clientWidth;
    const plates = [...table.querySelectorAll('.plate')].map(e => e.getBoundingClientRect());
    const middle = [table.board.getBoundingClientRect()];
    for (const [i, plate] of plates.entries()) {
      if (plate.left < 0 || plate.right > frame) trouble.push(`${count}: plate ${i} is cut off`);
      for (const [j, other] of plates.entries()) {
        if (i < j && overlap(plate, other)) trouble.push(`${count}: plates ${i} and ${j}`);
      }
      if (middle.some(box => overlap(plate, box))) trouble.push(`${count}: plate ${i}, board`);
    }
  }
  done(trouble);
})();
"""
