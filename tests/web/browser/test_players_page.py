"""The organiser's desk in a real browser."""

from collections.abc import Iterator
from hashlib import md5
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys
from sqlalchemy import Engine

from croupier.server.arena.control import PlayerRow, TableRow
from croupier.store import registry
from tests.store.recorded import Recording
from tests.web.browser.browsing import Browser
from tests.web.browser.playing import MARKUP, TOKEN
from tests.web.refereeing import FakeReferee
from tests.web.siting import SiteProcess

LOGGED_IN = "return document.querySelector('input[name=display]')"


@pytest.fixture
def desk(browser: Browser, site: SiteProcess, match: Recording) -> Browser:
    """The players' page with an organiser logged in."""
    browser.forget()
    browser.open("/players", "return document.querySelector('input[name=token]')")
    browser.find("input[name=token]").send_keys(TOKEN, Keys.ENTER)
    browser.until(LOGGED_IN)
    return browser


def press_twice(browser: Browser, label: str) -> None:
    """Press a button that asks once more."""
    # At once: between two commands the list may be drawn anew.
    browser.until(
        "const button = document.querySelector(`button[aria-label='${arguments[0]}']`);"
        "button?.click(); button?.click(); return button",
        label,
    )


def test_without_the_token_there_is_nothing_to_organise(
    browser: Browser, site: SiteProcess, match: Recording
) -> None:
    browser.forget()
    browser.open("/players", "return document.querySelector('input[name=token]')")
    assert "Registered players" not in browser.text("main")


def test_a_wrong_token_is_refused_in_a_sentence(
    browser: Browser, engine: Engine, match: Recording
) -> None:
    store = engine.url.database
    assert store is not None
    # A site of its own: after a failure the next login has to wait.
    with SiteProcess(Path(store), admin_token=TOKEN) as site:
        browser.url = site.url
        browser.forget()
        browser.open("/players", "return document.querySelector('input[name=token]')")
        browser.find("input[name=token]").send_keys("guessed", Keys.ENTER)
        browser.says(".desk .notice", "not the administrator's token")
        assert browser.script(LOGGED_IN) is None


def test_a_player_who_is_added_has_a_private_name_that_is_shown_once(
    desk: Browser, engine: Engine
) -> None:
    desk.find("input[name=display]").send_keys("Ada Lovelace", Keys.ENTER)
    private = desk.text(".private")
    token = md5(private.encode()).hexdigest()
    player = registry.find(engine, token)
    assert player is not None
    assert player.display == "Ada Lovelace"
    desk.says(".desk table", token)
    desk.open("/players", LOGGED_IN)
    desk.says(".desk table", token)
    assert private not in desk.driver.page_source
    assert desk.complaints() == []


def test_a_private_name_is_reset_and_a_player_removed_after_a_second_press(
    desk: Browser, engine: Engine
) -> None:
    desk.find("input[name=display]").send_keys("Grace Hopper", Keys.ENTER)
    first = desk.text(".private")
    press_twice(desk, "Reset private name: Grace Hopper")
    desk.says(".desk .notice.good", "has a new private name")
    second = desk.text(".private")
    assert first != second
    desk.says(".desk table", md5(second.encode()).hexdigest())
    assert registry.find(engine, md5(first.encode()).hexdigest()) is None
    assert registry.find(engine, md5(second.encode()).hexdigest()) is not None
    press_twice(desk, "Remove: Grace Hopper")
    desk.says(".desk .notice.good", "is removed")
    assert registry.find(engine, md5(second.encode()).hexdigest()) is None


def test_a_list_is_imported_and_its_names_are_only_text(
    desk: Browser, engine: Engine, tmp_path: Path
) -> None:
    file = tmp_path / "players.csv"
    file.write_text(f"display,table,private_name\n{MARKUP},2,\nAlan Turing,1,\n", "utf-8")
    desk.find("input[name=csv]").send_keys(str(file))
    desk.find("input[name=csv]").submit()
    desk.says(".desk .notice.good", "Players added: 2.")
    desk.says(".secrets", MARKUP)
    assert desk.script("return document.querySelectorAll('main script').length") == 0


def test_a_player_is_moved_to_another_table(desk: Browser, engine: Engine) -> None:
    desk.find("input[name=display]").send_keys("Edsger Dijkstra", Keys.ENTER)
    token = md5(desk.text(".private").encode()).hexdigest()
    field = desk.find("input[aria-label='Table of Edsger Dijkstra']")
    field.clear()
    field.send_keys("7", Keys.ENTER)
    desk.says(".desk .notice.good", "plays at table 7")
    player = registry.find(engine, token)
    assert player is not None
    assert str(player.table) == "7"


@pytest.fixture
def directed(
    browser: Browser, engine: Engine, match: Recording, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Browser, FakeReferee]]:
    """The desk of a site whose referee has a table and a room."""
    referee = FakeReferee(tmp_path_factory.mktemp("desk") / "c.sock")
    players = [PlayerRow("bob", "room", 500, True, "")]
    rows = [
        TableRow("main", "seating", number="4", players=players),
        TableRow("room-zz", "hand", kind="room", players=players),
        TableRow("room-done", "over", kind="room", players=players),
    ]
    referee.answer = {"ok": True, "text": "done so", "tables": rows}
    store = engine.url.database
    assert store is not None
    with SiteProcess(Path(store), admin_token=TOKEN, control=referee.path) as site:
        browser.url = site.url
        browser.forget()
        browser.open("/players", "return document.querySelector('input[name=token]')")
        browser.find("input[name=token]").send_keys(TOKEN, Keys.ENTER)
        browser.until(LOGGED_IN)
        browser.find(".tables li")
        yield browser, referee
    referee.close()


def labels(browser: Browser, row: int) -> list[str]:
    """Return what can be done at a table of the desk."""
    found: list[str] = browser.script(
        "return [...document.querySelectorAll('.desk .tables li')[arguments[0]]"
        ".querySelectorAll('button')].map(button => button.textContent)",
        row,
    )
    return found


def test_a_room_is_directed_by_its_name_on_pages_and_cannot_be_started(
    directed: tuple[Browser, FakeReferee],
) -> None:
    browser, referee = directed
    assert labels(browser, 0) == ["Start", "End", "Withdraw"]
    assert labels(browser, 1) == ["Pause", "End", "Withdraw"]
    assert labels(browser, 2) == ["Withdraw"]
    links = "return [...document.querySelectorAll('.desk .tables li > a')].map(a => a.pathname)"
    assert browser.script(links)[:2] == ["/live/main", "/live/room-zz"]
    assert "table 4" in browser.text(".desk .tables li")
    press_twice(browser, "End: table room-zz")
    browser.says(".desk .notice.good", "Done so.")
    acts = [one for one in referee.asked if one["command"] != "tables"]
    assert [(one["command"], one["table"]) for one in acts] == [("end", "room-zz")]


def test_the_tables_that_players_can_be_assigned_to_are_offered(
    directed: tuple[Browser, FakeReferee], engine: Engine
) -> None:
    browser, _ = directed
    offered = (
        "const list = document.querySelector('input[name=table]').list;"
        "return list.options.length && [...list.options].map(o => [o.value, o.textContent])"
    )
    assert browser.until(offered) == [["4", "4: main"]]
    field = browser.find("input[name=table]")
    field.clear()
    field.send_keys("99")
    browser.find("input[name=display]").send_keys("John McCarthy", Keys.ENTER)
    browser.says(".desk .notice.bad", "there is no table '99'; there are 4 (main)")
    field.clear()
    field.send_keys("main", Keys.ENTER)
    browser.says(".desk .notice.good", "John McCarthy is added.")
    browser.find("input[aria-label='Table of John McCarthy'][list=tables]")
    player = registry.find(engine, md5(browser.text(".private").encode()).hexdigest())
    assert player is not None
    assert player.table == "4"


def test_who_logs_out_sees_nothing_any_more(desk: Browser) -> None:
    desk.script(
        "[...document.querySelectorAll('button')]"
        ".find(button => button.textContent === 'Log out').click()"
    )
    desk.until("return document.querySelector('input[name=token]')")
    assert desk.script(LOGGED_IN) is None
    desk.open("/players", "return document.querySelector('input[name=token]')")
