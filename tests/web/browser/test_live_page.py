"""Watching a table in a real browser, through a wire that can be cut."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine

from croupier.match.events import CountedDown, MatchEnded, Paused
from croupier.rules.events import HandEnded, HandStarted
from croupier.rules.sets import HUAWEI, PLAIN
from croupier.store import queries
from tests.web.browser.browsing import Browser, Wire
from tests.web.browser.playing import LONG_NAME, MARKUP, TABLE_READY, ranking, stacks
from tests.web.browser.watching import CONTRAST
from tests.web.siting import LiveGame, SiteProcess, Teller, wait_for

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
    browser.says(".notice", "The match is over: ")
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
    browser.find(".notice button")
    wire.mend()
    # The page may have tried of its own accord just now, and the button be another one or gone.
    browser.script("document.querySelector('.notice button')?.click()")
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


NOTICES = {
    "seating": "Players are taking their seats.",
    "countdown": "The match is about to begin.",
    "returning": "The match was interrupted.",
    "paused": "The match is paused",
    "over": "The match is over: bot-0 wins.",
}


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("state", NOTICES)
def test_what_a_match_is_doing_is_said_with_enough_contrast(
    browser: Browser, site: SiteProcess, state: str, scheme: str
) -> None:
    table = f"{state} in {scheme}"
    teller = Teller(site, table, table, PLAIN, ["bot-0", "bot-1", "bot-2"])
    gone = {"returning": True, "online": [True, False, False]}
    teller.open(resumed=gone if state == "returning" else None)
    standings = ((1, 0, 3000, 9), (2, 1, 2000, 9), (3, 2, 1000, 9))
    events = {"countdown": CountedDown(3), "paused": Paused(), "over": MatchEnded(standings)}
    if state in events:
        teller.tell([events[state]])
    wait_for(site, "/tables?per_page=200", lambda it: table in str(it["items"]))
    wait_for(site, f"/tables/{table}", lambda one: one["scene"]["state"] == state)
    browser.look(1280, 900, scheme=scheme, still=True)
    browser.open(f"/live/{table}", TABLE_READY)
    browser.says(".notice", NOTICES[state])
    assert browser.script(CONTRAST) == []


def test_players_who_are_away_after_a_crash_are_marked(browser: Browser, site: SiteProcess) -> None:
    teller = Teller(site, "crashed", "crashed", PLAIN, ["here", "away", "gone"])
    teller.open(resumed={"returning": True, "online": [True, False, False]})
    wait_for(site, "/tables?per_page=200", lambda it: "crashed" in str(it["items"]))
    browser.open("/live/crashed", TABLE_READY)
    browser.says(".centre", "Waiting for players to come back: 1 of 3 are here.")
    away = "return [...document.querySelectorAll('.seat.away .name')].map(n => n.textContent)"
    assert browser.script(away) == ["away", "gone"]


def test_the_end_of_a_match_stays_on_view_when_the_next_one_begins_at_once(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "ends", hands=1)
    browser.open("/live/ends", TABLE_READY)
    browser.script(
        "window.changes = []; const table = document.querySelector('croupier-table');"
        "const show = table.show.bind(table);"
        "table.show = (scene, how) => {"
        " window.changes.push([performance.now(), scene.match, scene.state]); show(scene, how); }"
    )
    while game.step():
        pass
    browser.until(AT + "scene.state === 'over'", "ends")
    rest = LiveGame(
        site, engine, PLAIN, ["CallAgent", "CallAgent"], "next", table="ends", match_id="next"
    )
    rest.begin()
    rest.play_hand()
    # The lines go on, and the end of the match is still there.
    browser.says(".log", "A match of plain is open, with 2 seats")
    browser.says(".notice", "See the result and replay its hands")
    heading = "return [...document.querySelectorAll('.log .match.hand')].map(l => l.textContent)"
    assert browser.script(heading) == ["A match of plain is open, with 2 seats"]
    browser.until(AT + "scene.state === 'playing'", "next")
    changes = browser.script("return window.changes")
    ended = next(at for at, match, state in changes if (match, state) == ("ends", "over"))
    begins = next(at for at, match, _ in changes if match == "next")
    assert begins - ended > 5000, "about six seconds: timers are not exact to the millisecond"
    browser.until("return document.querySelector('.notice').childElementCount === 0")


def test_while_nobody_has_come_to_the_next_match_the_last_one_is_shown(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "waits", hands=1)
    while game.step():
        pass
    game.end()
    Teller(site, "waits", "another", PLAIN, ["a", "b", "c"]).open(0)
    wait_for(site, "/tables/waits", lambda one: one["scene"]["next"])
    browser.open("/live/waits", TABLE_READY)
    browser.says(".notice", "The match is over: ")
    browser.says(".notice", "The next match is open: 0 of 3 are here.")
    assert browser.find(".notice a").get_attribute("href") == f"{browser.url}/games/waits"
    assert len(stacks(browser)) == 4
    assert len(ranking(browser)) == 4
    browser.look(1920, 1080, still=True)
    browser.open("/live/waits?screen=1", TABLE_READY)
    browser.says(".notice", "The match is over: ")
    assert browser.script("return document.documentElement.scrollHeight <= innerHeight")


def test_below_the_heading_of_a_hand_the_log_has_whole_lines(
    browser: Browser, site: SiteProcess, engine: Engine
) -> None:
    game = begun(site, engine, "lines")
    browser.open("/live/lines", TABLE_READY)
    for _ in range(4):
        game.play_hand()
        number = game.match.number
        browser.until(AT + "scene.hand === arguments[1]", game.id, number)
        cut = browser.until(HALF_LINES)
        assert cut == ["whole"]


HALF_LINES = """
const list = document.querySelector('.log');
const lines = [...list.querySelectorAll('li')];
const last = lines.at(-1).getBoundingClientRect();
const box = list.getBoundingClientRect();
if (last.bottom > box.bottom + 1) return ['the last line is not seen'];
const heads = [...list.querySelectorAll('.hand')].map(e => e.getBoundingClientRect());
const stuck = heads.filter(head => Math.abs(head.top - box.top) < 1).at(-1);
const edge = stuck ? stuck.bottom : box.top;
const rows = line => {
  const range = document.createRange();
  range.selectNodeContents(line);
  return [...range.getClientRects()];
};
// Letters keep away from the edges of their boxes.
const cut = lines.filter(line => !line.classList.contains('hand')).filter(line =>
  rows(line).some(({ top, bottom }) => top < edge - 4 && bottom > edge + 4)
).map(line => line.textContent);
return cut.length ? cut : ['whole'];
"""


@pytest.mark.parametrize("path", ["/live/main", "/live/main?screen=1"])
@pytest.mark.parametrize("width", [360, 1280, 1920])
def test_a_badge_is_seen_whole_or_not_at_all(
    browser: Browser, game: LiveGame, width: int, path: str
) -> None:
    browser.look(width, 900, still=True)
    browser.open(path, TABLE_READY)
    seen = browser.waiting(BADGES)
    assert seen == {"1,234": True, "98,765": True, "9,999,999,999": False}


BADGES = """
const done = arguments[0];
const shown = document.querySelector('croupier-table');
const scene = structuredClone(shown.scene);
const table = document.createElement('croupier-table');
shown.replaceWith(table);
const stacks = [1234, 98765, 9999999999];
const seats = Array.from({ length: 10 }, (_, seat) => ({
  ...scene.seats[0], seat, player: seat, name: 'kobe', stack: stacks[seat % 3],
  dialect: 'huawei', folded: false, out: false, turn: false, button: false, equity: null,
}));
table.show({ ...scene, seats }, { jump: true });
requestAnimationFrame(() => {
  const seen = {};
  for (const row of table.querySelectorAll('.plate .row')) {
    const box = row.getBoundingClientRect();
    const badge = row.querySelector('.badge').getBoundingClientRect();
    const hidden = badge.top >= box.bottom - 1;
    const whole = badge.right <= box.right + 1 && badge.bottom <= box.bottom + 1;
    seen[row.querySelector('.stack').textContent] = whole || (hidden ? false : 'cut');
  }
  done(seen);
});
"""


@pytest.mark.parametrize("width", [360, 1280, 1920])
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
      button: seat === count - 1, equity: 1, last: 'raise 1,234,567', won: 0, blind: '',
    }));
    const board = ['Ts', 'Th', 'Td', 'Tc', '9c'];
    table.show({ ...scene, seats, board, over: false, pot: 12345678, pots: [] }, { jump: true });
    await new Promise(requestAnimationFrame);
    const frame = document.documentElement.clientWidth;
    const plates = [...table.querySelectorAll('.plate')].map(e => e.getBoundingClientRect());
    const edge = table.getBoundingClientRect();
    for (const [i, chance] of [...table.querySelectorAll('.equity')].entries()) {
      const box = chance.getBoundingClientRect();
      if (box.left < edge.left || box.right > edge.right) {
        trouble.push(`${count}: the chance of ${i} is outside the table`);
      }
    }
    for (const name of table.querySelectorAll('.name')) {
      if (name.title !== name.textContent) trouble.push(`${count}: a name without its title`);
    }
    const middle = [table.board.getBoundingClientRect()];
    for (const [i, plate] of plates.entries()) {
      if (plate.left < 0 || plate.right > frame) trouble.push(`${count}: plate ${i} is cut off`);
      for (const [j, other] of plates.entries()) {
        if (i < j && overlap(plate, other)) trouble.push(`${count}: plates ${i} and ${j}`);
      }
      if (middle.some(box => overlap(plate, box))) trouble.push(`${count}: plate ${i}, board`);
    }
    const few = seats.map(seat => ({ ...seat, bet: 1250, last: 'raise 1,250', equity: null }));
    const before = { ...scene, seats: few, board: [], street: 'preflop', hand: 88, over: false };
    table.show({ ...before, pot: 12345, pots: [] }, { jump: true });
    await new Promise(requestAnimationFrame);
    const text = document.createRange();
    text.selectNodeContents(table.hand);
    const words = text.getBoundingClientRect();
    const boxes = selector =>
      [...table.querySelectorAll(selector)].map(e => [selector, e.getBoundingClientRect()]);
    const others = ['.plate', '.label', '.hole .card', '.dealer', '.pots'].flatMap(boxes);
    const bets = boxes('.bet');
    for (const [i, [, bet]] of bets.entries()) {
      if (overlap(bet, words)) trouble.push(`${count}: bet ${i}, street`);
      for (const [what, other] of [...others, ...bets.slice(i + 1)]) {
        if (overlap(bet, other)) trouble.push(`${count}: bet ${i}, ${what}`);
      }
    }
  }
  done(trouble);
})();
"""


def test_a_ranking_that_counts_more_than_the_seats_show_says_so(
    browser: Browser, game: LiveGame
) -> None:
    browser.open("/live/main", TABLE_READY)
    hidden = browser.script("return document.querySelector('.beside .small').hidden")
    assert hidden
    notes = browser.waiting(
        """const done = arguments[0];
        import('/static/js/standings.js').then(({ Standings }) => {
          const standings = new Standings();
          const line = { rank: 1, name: 'Ada', out: false };
          const seats = [{ stack: 1500 }];
          const seen = [2000, 12000].map(chips => {
            standings.show({ ranking: [{ ...line, chips }], seats, pot: 500, over: false });
            return standings.note.hidden ? '' : standings.note.textContent;
          });
          done(seen);
        });"""
    )
    assert notes == ["", "Chips with reserve and winnings, after the last hand."]
