"""The site of finished contests as files, under a sub-path of a web server that knows nothing."""

import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from tests.support.contests import CUP, ContestFolder, stage, team
from tests.web.browser.browsing import Browser

ODD = "<b> ..c?#%"
"""A team's name of which nothing may be taken for a part of an address."""


class Quiet(SimpleHTTPRequestHandler):
    """A web server for files without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a web server has: one site, in a folder."""
    folder = tmp_path_factory.mktemp("published")
    text = CUP + team("Ada", "RuleAgent") + team(ODD, "CallAgent") + team("德州", "RandomAgent")
    text += stage("round-robin", 60)
    cup = ContestFolder(folder, text)
    code, _, errors = cup.run()
    assert code == 0, errors
    command = ["site", "build", str(folder / "www" / "past cups"), "--store", str(cup.store)]
    (folder / "www").mkdir()
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    return folder / "www"


@pytest.fixture
def files(folder: Path, browser: Browser) -> Iterator[Browser]:
    """A browser at the published site."""
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.url = f"http://127.0.0.1:{server.server_port}/past%20cups"
        yield browser
        browser.forget()
        server.shutdown()


def follow(browser: Browser, selector: str) -> None:
    """Go where a link leads."""
    href = browser.find(selector).get_attribute("href")
    assert href is not None
    assert href.startswith(browser.url + "/")
    browser.driver.get(href)


def test_contest_team_match_and_replay_open_from_link_to_link(files: Browser) -> None:
    files.open("/")
    files.says("h1", "Cup")
    follow(files, "a[href*='_3cb_3e']")
    files.says("h1", ODD)
    files.says(".style, main", "VPIP")
    follow(files, "main a[href*='games/']")
    files.says(".ranking tbody", ODD)
    files.until("return document.querySelectorAll('.hand-list li').length === 20")
    assert files.complaints() == []


def test_a_hand_of_any_file_replays_and_the_biggest_pot_comes_first(
    files: Browser, folder: Path
) -> None:
    files.open("/games/")
    files.until("return document.querySelectorAll('tbody tr').length === 6")
    href = files.find("tbody a").get_attribute("href")
    assert href is not None
    files.driver.get("about:blank")
    files.driver.get(f"{href}#hand=60")
    files.says(".replayer", "Hand 60")
    files.until("return document.querySelector('.replayer .seat')")
    files.script("document.querySelectorAll('.hands .tabs button')[1].click()")
    (listed,) = (folder / "past cups/api/v1/matches" / href.split("/")[-2]).glob("hands.json")
    items = json.loads(listed.read_bytes())["items"]
    biggest = sorted(items, key=lambda one: -one["pot"])[:20]
    files.until(
        """const shown = [...document.querySelectorAll('.hand-list .no')].map(one => one.innerText);
        return shown.join() === arguments[0]""",
        ",".join(f"Hand {one['hand']}" for one in biggest),
    )
    files.find("a[href$='export.phh']")
    assert files.complaints() == []


def test_the_language_is_switched_and_kept(files: Browser) -> None:
    files.open("/contests/1/")
    files.find("button.language").click()
    files.until("return location.pathname.endsWith('/zh/contests/1/')")
    files.says("nav[aria-label]", "赛事")
    files.open("/docs/")
    files.until("return document.documentElement.lang === 'zh'")


def test_every_link_of_every_page_leads_to_a_file(folder: Path) -> None:
    site = folder / "past cups"
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        text = page.read_text("utf-8")
        for target in re.findall(r' (?:href|src)="([^"#:]+)(?:#[^"]*)?"', text):
            found = (page.parent / unquote(target)).resolve()
            assert found.is_relative_to(site.resolve())
            assert found.is_file() or (found / "index.html").is_file(), (page, target)
