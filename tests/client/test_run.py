"""`croupier.run` and its addresses."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest

import croupier
from croupier.bots import CallAgent
from croupier.client.address import Address, matches_of, parse_address, player_maker
from croupier.client.progress import Progress
from croupier.client.result import JoinError, Result
from croupier.client.runner import run
from croupier.dialects.registry import DIALECTS
from croupier.dialects.room.frames import FrameReader
from croupier.rules.rules import RulesError
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, ROOM, ROOM2, TREND
from tests.client.servers import HEAR, HOLD, TcpServer
from tests.support.hosting import PATIENCE, HostProcess


def test_the_package_has_what_a_bots_author_needs() -> None:
    from croupier.bots.bot import Bot
    from croupier.rules.decisions import Decision
    from croupier.rules.view import View

    assert (croupier.Bot, croupier.Decision, croupier.View, croupier.run) == (
        Bot,
        Decision,
        View,
        run,
    )
    with pytest.raises(AttributeError, match="no attribute 'bot'"):
        croupier.bot  # noqa: B018


def test_importing_the_package_imports_nothing_of_it() -> None:
    program = "import sys, croupier; print([m for m in sys.modules if m.startswith('croupier.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("huawei://127.0.0.1:6001", Address(DIALECTS["huawei"], "127.0.0.1", 6001)),
        ("trend://example.org", Address(DIALECTS["trend"], "example.org", 3000)),
        ("trend://[::1]:3000/game", Address(DIALECTS["trend"], "::1", 3000, "game")),
        ("room://h/299", Address(DIALECTS["room"], "h", 18888, "299")),
        (
            "room://h:1/a%20b?seats=3&bots=CallAgent,RuleAgent&version=1",
            Address(
                DIALECTS["room"],
                "h",
                1,
                "a b",
                {"seats": "3", "bots": "CallAgent,RuleAgent", "version": "1"},
            ),
        ),
        (
            "kuhn://h?id=5&spelling=binary",
            Address(DIALECTS["kuhn"], "h", 1212, "", {"id": "5", "spelling": "binary"}),
        ),
    ],
)
def test_addresses(text: str, address: Address) -> None:
    assert parse_address(text) == address


def test_the_rules_of_an_address_are_those_of_its_document() -> None:
    urls = ("huawei://h", "trend://h", "room://h", "room://h?version=1", "kuhn://h")
    assert [parse_address(url).rules for url in urls] == [HUAWEI, TREND, ROOM2, ROOM, KUHN]


def test_games_are_matches_or_hands() -> None:
    assert [matches_of(parse_address(f"{d}://h"), 7) for d in ("huawei", "trend")] == [7, 7]
    assert [matches_of(parse_address(f"{d}://h"), 7) for d in ("room", "kuhn")] == [1, 1]
    address = parse_address("room://h/9?bots=CallAgent")
    (connect,) = FrameReader().receive(player_maker(address, None, "Bob", 7, ROOM2)().hello())
    assert connect == {
        "info": "connect",
        "room_id": 9,
        "name": "Bob",
        "room_number": 2,
        "bots": ["CallAgent"],
        "game_number": 7,
    }


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("127.0.0.1:3000", "is not DIALECT://HOST:PORT"),
        ("tend://h:1", "did you mean 'trend'?"),
        ("http://h:1", "there are huawei, trend, room, kuhn"),
        ("trend:h", "is not DIALECT://HOST:PORT"),
        ("trend://h:0", "a port is a number from 1 to 65535, not '0'"),
        ("trend://h:70000", "not '70000'"),
        ("trend://h:x", "not 'x'"),
        ("trend://h:", "not ''"),
        ("trend://:3000", "names no host"),
        ("huawei://h:1/table", "huawei has no tables to choose from"),
        ("kuhn://h:1/7", "kuhn has no tables"),
        ("trend://h?pid=1", "trend has no setting 'pid' (there are: none)"),
        ("room://h?seat=3", "did you mean 'seats'?"),
        ("room://h?seats=1", "seats is a number from 2 to 10, not '1'"),
        ("room://h?seats=x", "not 'x'"),
        ("room://h?version=3", "version is a number from 1 to 2"),
        ("room://h?seats=2&bots=CallAgent,CallAgent", "leave no seat"),
        ("huawei://h?pid=-1", "pid is a number"),
        ("kuhn://h?spelling=morse", "spelling is text or binary"),
        ("kuhn://h?spelling=binary&id=9999999999", "id is a number from 1 to 2147483647"),
        ("kuhn://h?id=5&id=6", "the address has id twice"),
        ("kuhn://1001@h:1212", "an address has no '1001@'"),
        ("room://h:1#7", "an address has no '#7'"),
    ],
)
def test_a_wrong_address_is_named(url: str, problem: str) -> None:
    with pytest.raises(JoinError) as caught:
        run(CallAgent(), url)
    assert problem in str(caught.value)
    assert caught.value.result is None


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"games": 0}, "games is at least 1, not 0"),
        ({"rules": "kuhn"}, "the rules kuhn cannot be played in huawei"),
        ({"name": "two words"}, "without blanks"),
    ],
)
def test_a_wrong_wish_is_named(more: dict[str, Any], problem: str) -> None:
    with pytest.raises(JoinError, match=problem):
        run(CallAgent(), "huawei://127.0.0.1:1", **more)


@pytest.mark.parametrize(("name", "hello"), [("1001", b"STRT 1001\n"), (None, b"STRT 77\n")])
def test_in_kuhn_the_name_is_the_id(name: str | None, hello: bytes) -> None:
    address = parse_address("kuhn://h" if name else "kuhn://h?id=77")
    assert player_maker(address, name, "nash", None, KUHN)().hello() == hello


@pytest.mark.parametrize(
    ("url", "name", "problem"),
    [
        ("kuhn://h", "Bob", "a number from 1 to 999999999999999999, not 'Bob'"),
        ("kuhn://h", "0", "not '0'"),
        ("kuhn://h", "-5", "not '-5'"),
        ("kuhn://h?spelling=binary", "2147483648", "a number from 1 to 2147483647"),
        ("kuhn://h?id=5", "6", "the name is the id; give one of them, not both"),
        ("kuhn://h", "", "the name is empty"),
        ("trend://h", "", "the name is empty"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(url: str, name: str, problem: str) -> None:
    with pytest.raises(JoinError, match=problem):
        run(CallAgent(), url, name=name)


def test_unknown_rules_are_named() -> None:
    with pytest.raises(RulesError, match="did you mean 'plain'"):
        run(CallAgent(), "huawei://127.0.0.1:1", rules="plan")


class Broken(croupier.Bot):
    """Fails in every way in turn."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, view: croupier.View) -> croupier.Decision:
        self.asked += 1
        if self.asked % 3 == 0:
            raise KeyError("no idea")
        if self.asked % 3 == 1:
            return None  # type: ignore[return-value]
        return croupier.Decision(2, 10**9)


def test_a_bot_that_fails_checks_or_folds_and_its_faults_are_counted() -> None:
    bot = Broken()
    with HostProcess(
        *("--rules", "plain", "--seats", "2", "--bot", "CallAgent", "--hands", "5", "--once"),
        *("--json", "--set", "decision_ms=60000"),
    ) as host:
        result = run(bot, f"huawei://127.0.0.1:{host.port}", rules="plain", patience=PATIENCE)
        seats = host.result()["seats"]
    assert result.hands == 5
    assert result.faults == bot.asked > 5
    assert "returned None, which is no decision" in result.first_fault
    assert not any(seat["faults"] for seat in seats)


def test_a_view_is_the_bots_own_and_stays_as_it_was() -> None:
    class Keeper(croupier.Bot):
        def __init__(self) -> None:
            self.seen: list[tuple[croupier.View, str]] = []

        def decide(self, view: croupier.View) -> croupier.Decision:
            self.seen.append((view, self.shown(view)))
            return view.call

        def shown(self, view: croupier.View) -> str:
            return repr((view.stacks, view.bets, view.board, view.history, view.options))

    bot = Keeper()
    with HostProcess("--rules", "room", "--seed", "7", "--once", "--json", dialect="room") as host:
        run(bot, f"room://127.0.0.1:{host.port}/1?bots=CallAgent", games=3, patience=PATIENCE)
    assert len(bot.seen) > 6
    assert all(bot.shown(view) == text for view, text in bot.seen)


def test_the_players_own_rules_are_in_its_view() -> None:
    seen: list[croupier.View] = []

    class Looker(croupier.Bot):
        def decide(self, view: croupier.View) -> croupier.Decision:
            seen.append(view)
            return view.fold

    hand = (
        b"seat/ \nbutton: 7 2000 0 \nsmall blind: 8 2000 0 \n/seat \nblind/ \n8: 50 \n/blind \n"
        b"hold/ \nSPADES 10 \nHEARTS A \n/hold \n"
        b"inquire/ \n8 1950 0 50 blind \ntotal pot: 50 \n/inquire \n"
    )
    with TcpServer([HEAR, hand, HEAR, b"game-over \n", HOLD]) as server:
        url = f"huawei://127.0.0.1:{server.port}?pid=7"
        run(Looker(), url, rules="plain", patience=PATIENCE)
    assert seen[0].rules == PLAIN


HAND = (
    b"seat/ \nbutton: 7 2000 0 \nsmall blind: 8 2000 0 \n/seat \nblind/ \n8: 50 \n/blind \n"
    b"hold/ \nSPADES 10 \nHEARTS A \n/hold \n"
    b"inquire/ \n8 1950 0 50 blind \ntotal pot: 50 \n/inquire \n"
)


def test_a_class_is_as_good_as_a_bot() -> None:
    with TcpServer([HEAR, HAND, HEAR, b"game-over \n", HOLD]) as server:
        result = run(CallAgent, f"huawei://127.0.0.1:{server.port}?pid=7", patience=PATIENCE)
    assert (result.matches, result.faults) == (1, 0)
    assert server.heard[0][:2] == [b"reg: 7 CallAgent need_notify need_bet \n", b"call \n"]


class Wants(croupier.Bot):
    def __init__(self, model: str) -> None:
        self.model = model


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        (Wants, "Wants() failed, so give run() a bot and not its class"),
        ("CallAgent", "str is no bot: it has no decide(view)"),
        (dict, "dict is no bot: it has no decide(view)"),
        (None, "NoneType is no bot"),
    ],
)
def test_what_is_no_bot_is_named(bot: Any, problem: str) -> None:
    with pytest.raises(JoinError) as caught:
        run(bot, "huawei://127.0.0.1:1")
    assert problem in str(caught.value)
    assert caught.value.result is None


@pytest.mark.filterwarnings("error")
def test_within_an_event_loop_run_says_what_to_write_instead() -> None:
    async def inside() -> None:
        run(CallAgent(), "huawei://127.0.0.1:1")

    with pytest.raises(JoinError, match=r"await asyncio\.to_thread\(croupier\.run, bot, url\)"):
        asyncio.run(inside())


def test_what_run_says_to_write_within_an_event_loop_works() -> None:
    with TcpServer([HEAR, HAND, HEAR, b"game-over \n", HOLD]) as server:
        url = f"huawei://127.0.0.1:{server.port}?pid=7"

        async def inside() -> Result:
            return await asyncio.to_thread(croupier.run, CallAgent(), url)

        assert asyncio.run(inside()).matches == 1


class Heard(Progress):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.hands = 0

    def say(self, text: str) -> None:
        self.texts.append(text)

    def hand(self, result: Result) -> None:
        self.hands = result.hands


def test_whoever_wants_to_hears_how_it_gets_on() -> None:
    progress = Heard()
    end = b"pot-win/ \n8: 100 \n/pot-win \ngame-over \n"
    with TcpServer([HEAR, HAND], [HEAR, HAND, HEAR, end, HOLD]) as server:
        url = f"huawei://127.0.0.1:{server.port}?pid=7"
        run(CallAgent(), url, patience=PATIENCE, progress=progress)
    assert progress.texts == [
        f"connected to 127.0.0.1:{server.port}, waiting for the first hand",
        "the match has begun",
        "the connection was lost; trying again",
        f"connected to 127.0.0.1:{server.port} again",
    ]
    assert progress.hands == 1


def test_why_it_is_tried_again_is_said_once() -> None:
    progress = Heard()
    with TcpServer([HEAR, HAND, HEAR]) as server:
        url = f"huawei://127.0.0.1:{server.port}?pid=7"
        with pytest.raises(JoinError):
            run(CallAgent(), url, patience=PATIENCE, retry=0.5, progress=progress)
    refused = f"cannot connect to 127.0.0.1:{server.port}: Connection refused"
    assert progress.texts[2:] == [
        "the connection was lost; trying again",
        f"trying again for 0.5 s: {refused}",
    ]
