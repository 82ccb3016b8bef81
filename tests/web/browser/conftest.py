"""One browser and one site for all browser tests; each test has a table or a match of its own."""

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from sqlalchemy import Engine

from croupier.rules.sets import PLAIN
from croupier.store import contests, friendlies
from croupier.store.contests import put_keys
from croupier.store.schema import open_store
from tests.store.recorded import Recording
from tests.support.contests import BOTS, CUP, ContestFolder, house_teams, stage, team
from tests.web.browser.browsing import Browser, Wire, browsing, missing
from tests.web.browser.playing import LONG_NAME, MARKUP, TAG, TEAM_KEY, TOKEN
from tests.web.siting import LiveGame, SiteProcess, wait_for

BREAKS = """\
class Breaks:
    def __init__(self):
        raise ValueError("it does not start")

    def decide(self, view):
        return view.fold
"""
LADDER_MATCHES = 42


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "_browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def _browser() -> Iterator[Browser]:
    lack = missing()
    if lack:
        if os.environ.get("CI"):
            pytest.fail(lack)
        pytest.skip(lack)
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = open_store(str(tmp_path_factory.mktemp("browser") / "browser.db"))
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def site(engine: Engine) -> Iterator[SiteProcess]:
    store = engine.url.database
    assert store is not None
    with SiteProcess(Path(store), feed=True, admin_token=TOKEN) as site:
        site.tell({"kind": "listen", "dialect": "huawei", "address": "0.0.0.0", "port": 6000})
        site.tell({"kind": "listen", "dialect": "trend", "address": "127.0.0.1", "port": 3000})
        yield site


@pytest.fixture(scope="session")
def wire(site: SiteProcess) -> Iterator[Wire]:
    wire = Wire(site.url)
    yield wire
    wire.close()


@pytest.fixture
def browser(_browser: Browser, wire: Wire) -> Iterator[Browser]:
    """The browser, with an ordinary window and nothing to complain about so far."""
    _browser.url = wire.url
    _browser.look()
    _browser.complaints()
    yield _browser
    wire.mend()
    _browser.driver.get("about:blank")


@pytest.fixture(scope="session")
def match(engine: Engine) -> Recording:
    """A match of six on record, with names that try to be more."""
    bots = ["RuleAgent", "RandomAgent", "CallAgent", "AllinAgent", "RuleAgent", "RandomAgent"]
    names = ["Ada", MARKUP, LONG_NAME, "Zoë", "π-bot", "kobe-1001"]
    recording = Recording(engine, replace(PLAIN, hands=30), bots, "record", "record")
    recording.names = names
    recording.play()
    recording.end()
    return recording


@pytest.fixture(scope="session")
def game(site: SiteProcess, engine: Engine, match: Recording) -> LiveGame:
    """A match of six that is in the middle of its second hand."""
    bots = ["RuleAgent", "CallAgent", "RandomAgent", "CallAgent", "RuleAgent", "CallAgent"]
    names = ["Ada", MARKUP, LONG_NAME, "Zoë", "π-bot", "kobe-1001"]
    game = LiveGame(
        site, engine, PLAIN, bots, "running", table="main", names=names, match_id="running"
    )
    game.begin()
    game.play_hand()
    while game.match.hand is None or len(game.match.hand.board) < 3:
        game.step()
    wait_for(site, "/tables", lambda found: found["total"])
    wait_for(site, "/tables/main", lambda found: len(found["scene"]["board"]) >= 3)
    return game


@pytest.fixture(scope="session")
def contest(engine: Engine) -> str:
    """A contest of six teams with a complete league and a knockout of which the final is left.

    Luck is taken out of the rates of the league.
    """
    store = engine.url.database
    assert store is not None
    names = ["Ada", TAG, LONG_NAME[:32], "Zoë", "π-bot", "德州扑克"]
    text = CUP.replace("cup.db", store) + "friendlies = {}\n"
    text += "".join(team(name, bot) for name, bot in zip(names, cycle(BOTS), strict=False))
    text += stage("round-robin", 20, "advance = 4\nluck = true")
    text += stage("knockout", 6, "third_place = true")
    ContestFolder(Path(store).parent, text).play(30 + 4)
    put_keys(engine, 1, [("Ada", "", TEAM_KEY, "")])
    cup = contests.by_id(engine, 1)
    friendlies.ask(engine, cup, "Ada", "CallAgent", True, 2)
    friendlies.ask(engine, cup, "Zoë", "Ada", False, 2)
    return "/contests/1"


@pytest.fixture(scope="session")
def rough(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteProcess]:
    """The site of a complete contest in which a team never starts and another was withdrawn."""
    folder = tmp_path_factory.mktemp("rough")
    (folder / "breaks.py").write_text(BREAKS, "utf-8")
    text = CUP + house_teams(3) + team("Breaks", "breaks.py:Breaks")
    text += stage("groups", 5, "groups = 2") + stage("ladder", 2, f"matches = {LADDER_MATCHES}")
    contest = ContestFolder(folder, text)
    code, _, errors = contest.run("--workers", "1")
    assert code == 0, errors
    contest.done("withdraw", "B")
    with SiteProcess(contest.store) as site:
        yield site
