"""`croupier host` in `trend` over real sockets, with a WebSocket client that is not ours."""

import hashlib
import json
import re
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.deals import hosted_seed, seed_from_text
from croupier.match.chance import SeededChance
from tests.support.hosting import PATIENCE, HostProcess, Player
from tests.support.processes import croupier
from tests.wire.trend_messages import Ear, checked

AT_ONCE = ("--set", "countdown_s=0")
NO_RELOADS = ("--set", "reloads=0")
SLOW = ("--set", "decision_ms=60000", "--set", "reload_ms=60000", "--set", "absence_ms=60000")
SECRET = "zq-private-name-"


def md5(name: str) -> str:
    return hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()


class TrendHost(HostProcess):
    """A host that listens in `trend` too."""

    def __init__(self, *arguments: str) -> None:
        super().__init__("--rules", "trend", "--listen", "trend:0", *arguments)
        self.trend = int(self.wait_for(r"listening: trend [\d.]+:(\d+)").group(1))

    def __enter__(self) -> "TrendHost":
        return self

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if error == (None, None, None):
            assert "Traceback" not in self.log, self.log


class Bot:
    """A player at the other end; every message that it hears is checked."""

    def __init__(self, port: int, name: str = "") -> None:
        self._stack = ExitStack()
        self.ws = self._stack.enter_context(
            connect(
                f"ws://127.0.0.1:{port}",
                open_timeout=PATIENCE,
                close_timeout=PATIENCE,
                max_queue=None,  # who does not read for a while still notices the end
            )
        )
        self.name = name
        self.token = md5(name)
        self.heard: list[bytes] = []
        if name:
            self.say({"eventName": "__join", "data": {"playerName": name}})

    def say(self, message: Any) -> None:
        text = message if isinstance(message, str | bytes) else json.dumps(message)
        self.ws.send(text)

    def act(self, action: str, **more: Any) -> None:
        self.say({"eventName": "__action", "data": {"action": action, **more}})

    def reload(self) -> None:
        self.say({"eventName": "__reload"})

    def next(self, timeout: float = PATIENCE) -> tuple[str, Any]:
        text = self.ws.recv(timeout)
        assert isinstance(text, str), "the server speaks in text messages"
        self.heard.append(text.encode())
        return checked(self.heard[-1])

    def until(self, *events: str, timeout: float = PATIENCE) -> Any:
        """Return the data of the next message of these events."""
        while True:
            name, data = self.next(timeout)
            if name in events:
                return data

    def acted(self) -> str:
        """Return what is shown next, as action and amount."""
        action = self.until("__show_action").action
        word: str = action.action
        return word if word in ("check", "fold") else f"{word} {action.amount}"

    def closed(self, timeout: float = PATIENCE) -> tuple[int, str]:
        """Wait for the end of the connection; return its code and reason."""
        try:
            while True:
                self.next(timeout)
        except ConnectionClosed as error:
            assert error.rcvd is not None, "the server went without a close frame"
            return error.rcvd.code, error.rcvd.reason

    def drop(self) -> None:
        """Let the connection go without a word."""
        self.ws.socket.shutdown(socket.SHUT_RDWR)
        self.close()

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> "Bot":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def seated(
    names: str | list[str], *arguments: str, seats: int = 0
) -> Iterator[tuple[TrendHost, list[Bot]]]:
    """A host and players who have joined, in the order in which they sit: small blind first."""
    seed = "trend"
    count = seats or len(names)
    with TrendHost("--seats", str(count), "--seed", seed, "--once", "--json", *arguments) as host:
        with ExitStack() as stack:
            bots = []
            for name in names:
                bot = stack.enter_context(Bot(host.trend, name))
                bot.until("__new_peer_2")
                bots.append(bot)
            order = (
                SeededChance(hosted_seed(seed_from_text(seed), 0)).seats(count)
                if not seats
                else range(count)
            )
            yield host, [bots[player] for player in order if player < len(bots)]


def all_at_once(bots: list[Bot], play: Callable[[Bot], object]) -> None:
    """Let every player play in a thread of its own."""
    with ThreadPoolExecutor(len(bots)) as pool:
        for future in [pool.submit(play, bot) for bot in bots]:
            future.result(PATIENCE)


@pytest.fixture(scope="module")
def waiting() -> Iterator[TrendHost]:
    """A host whose table never fills up."""
    with TrendHost("--seats", "8", "--set", "registration_s=100000") as host:
        yield host


# Joining.


def test_joining_players_hear_each_other_by_token_and_are_counted_down() -> None:
    with TrendHost("--seats", "3", "--set", "countdown_s=1", "--table", "7") as host:
        with Bot(host.trend, "alice") as alice:
            assert alice.until("__new_peer") == [md5("alice")]
            second = alice.until("__new_peer_2")
            assert (second.tableNumber, second.tableStatus) == ("7", 0)
            with Bot(host.trend, "名字") as other:
                assert alice.until("__new_peer") == [md5("alice"), md5("名字")]
                assert other.until("__new_peer") == [md5("alice"), md5("名字")]
                with Bot(host.trend, "carol") as carol:
                    assert len(carol.until("__new_peer")) == 3
                    for bot in (alice, other, carol):
                        assert bot.until("__game_prepare").countDown == 1
                        start = bot.until("__game_start")
                        assert (start.error_code, start.tableNumber) == (1, "7")
                        assert bot.until("__new_round").table.tableNumber == "7"
                    with Bot(host.trend, "dave") as dave:
                        code, reason = dave.closed()
                        assert code == 4004
                        assert reason


BAD_JOINS: list[Any] = [
    "",
    "hello",
    "\x00",
    "[" * 20_000,
    {"eventName": "__action", "data": {"action": "call"}},
    {"eventName": "__reload"},
    {"eventName": "__join"},
    {"eventName": "__join", "data": "x"},
    {"eventName": "__join", "data": {"playerName": 5}},
    {"eventName": "__join", "data": {"playerName": ""}},
    {"eventName": "__join", "data": {"playerName": "x" * 300}},
    {"eventName": "__join", "data": {"name": SECRET}},
]


def test_a_first_message_that_is_no_join_closes_with_4001(waiting: TrendHost) -> None:
    for first in BAD_JOINS:
        with Bot(waiting.trend) as bot:
            bot.say(first)
            code, reason = bot.closed()
            assert code == 4001
            assert reason
            assert SECRET not in reason
    with Bot(waiting.trend, "fine") as bot:
        assert md5("fine") in bot.until("__new_peer")
    assert SECRET not in waiting.log


def test_a_binary_first_message_closes_with_4001(waiting: TrendHost) -> None:
    with Bot(waiting.trend) as bot:
        bot.say(b"\x00\x01")
        assert bot.closed()[0] == 4001


def test_a_join_in_a_binary_message_is_a_join(waiting: TrendHost) -> None:
    with Bot(waiting.trend) as bot:
        bot.ws.send([b" ", b'{"eventName":"__join","data":{"playerName":"bytes"}}'])
        assert md5("bytes") in bot.until("__new_peer")


def test_a_name_that_is_connected_is_refused_with_4002_and_the_first_plays_on() -> None:
    with seated("a", *AT_ONCE, "--bot", "CallAgent", "--hands", "1", seats=2) as (host, [first]):
        for _ in range(2):
            with Bot(host.trend, "a") as twin:
                assert twin.closed()[0] == 4002
        first.until("__action", "__bet")
        first.act("fold")
        first.until("__game_over")


def test_an_unknown_name_at_a_closed_table_is_refused_with_4003(tmp_path: Path) -> None:
    store = str(tmp_path / "croupier.db")
    with TrendHost("--seats", "2", "--closed", "--store", store) as host:
        with Bot(host.trend, SECRET) as bot:
            code, reason = bot.closed()
        assert code == 4003
        assert SECRET not in reason
        assert SECRET not in host.log


def test_a_closed_table_shuts_out_strangers_of_another_protocol_too(tmp_path: Path) -> None:
    arguments = ("--seats", "2", "--bot", "CallAgent", "--closed")
    with TrendHost(*arguments, *AT_ONCE, "--store", str(tmp_path / "croupier.db")) as host:
        with Player(host.port, "8888 stranger") as stranger:
            assert stranger.next() is None


def test_a_registered_name_is_admitted_at_its_closed_table(tmp_path: Path) -> None:
    store = str(tmp_path / "croupier.db")
    for display, table in (("Alice", "1"), ("Bob", "2")):
        where = ("--table", table, "--store", store, "--private-name", "-")
        added = croupier("players", "add", display, *where, said=f"{SECRET}{display}\n")
        assert added.returncode == 0, added.stderr
    arguments = ("--seats", "2", "--bot", "CallAgent", "--hands", "1", "--once", "--json")
    with TrendHost(*arguments, *AT_ONCE, "--closed", "--store", store) as host:
        with Bot(host.trend, f"{SECRET}Bob") as other_table:
            assert other_table.closed()[0] == 4003
        with Bot(host.trend, f"{SECRET}Alice") as bot:
            assert md5(f"{SECRET}Alice") in bot.until("__new_peer")
            check_to_the_end(bot)
        result = host.result()
    assert "Alice" in [seat["name"] for seat in result["seats"]]
    assert not leaks(tmp_path, host.log, json.dumps(result))


# Whole games.


def test_a_whole_game_adds_up_for_everyone() -> None:
    with seated("abcd", *AT_ONCE, "--hands", "12", "--set", "reload_ms=50") as (host, bots):
        tokens = [bot.token for bot in bots]

        def play(bot: Bot) -> None:
            ear = Ear(bot.token, tokens)
            for text in bot.heard:
                ear.hear(text)
            turns = 0
            while ear.over is None:
                bot.next()
                event = ear.hear(bot.heard[-1])
                if event in ("__action", "__bet"):
                    turns += 1
                    words = ("call", "check", "raise", "bet", "fold", "allin")
                    word = words[(turns * 7 + ord(bot.name)) % 13 % 6]
                    bot.act(word, amount=turns * 15)
                elif event == "__start_reload" and turns % 3 == 0:
                    bot.reload()
            assert ear.over.table.roundCount <= 12

        all_at_once(bots, play)
        for bot in bots:
            bot.close()
        result = host.result()
        assert host.process.returncode == 0
    over = checked(bots[0].heard[-1])[1]
    final = {player.playerName: player for player in over.players}
    for seat in result["seats"]:
        player = next(p for token, p in final.items() if seat["name"] == f"t-{token[:8]}")
        unused = 0 if not player.isSurvive else 2 - player.reloadCount
        assert seat["dialect"] == "trend"
        assert seat["chips"] == player.chips - 1000 * unused


# The table of decisions.

Said = tuple[str, Any]
NOT_GIVEN = object()
AMOUNTS: list[Any] = [
    NOT_GIVEN,
    None,
    True,
    "x",
    "100",
    100.0,
    33.5,
    -5,
    0,
    19,
    20,
    21,
    60,
    250,
    10**6,
    10**30,
    [100],
    {"a": 1},
]
CELLS: list[Any] = [
    *({"action": word} for word in ("call", "check", "raise", "fold", "allin", "CALL", "", 5)),
    *({"action": "bet"} | ({} if a is NOT_GIVEN else {"amount": a}) for a in AMOUNTS),
    {"action": "call", "amount": 77},
    None,
    [],
]


def expected(kind: str, data: Any, said: Any) -> str:
    """The document's table, from what the request shows."""
    me, game = data.self, data.game
    small, big = game.smallBlind.amount, game.bigBlind.amount
    high = max(player.bet for player in game.players)
    if game.roundName == "Deal":
        high = max(high, big)
    owed = high - me.bet

    def put(word: str, amount: int) -> str:
        return f"allin {me.chips}" if amount >= me.chips else f"{word} {amount}"

    call = put("call", owed) if owed else "check"
    action = said.get("action") if isinstance(said, dict) else None
    if action == "call":
        return put("bet", small) if kind == "__bet" else call
    if action == "check":
        return call
    if action == "allin":
        return f"allin {me.chips}"
    if action == "raise":
        if kind == "__bet":
            return put("bet", big)
        return call if game.raiseCount >= 4 else put("raise", 2 * high - me.bet)
    if action == "bet":
        amount = said.get("amount", "")
        if isinstance(amount, str) and amount.isdigit():
            amount = int(amount)
        if isinstance(amount, bool) or not isinstance(amount, int | float):
            return "fold"
        added = int(amount) if amount == int(amount) else big
        added = max(added, big)
        if me.bet + added <= high or game.betCount >= 4:
            return call
        return put("bet", added)
    return "fold"


def play_cells(bot: Bot, cells: Callable[[str], Any]) -> int:
    """Answer each request with the next cell and look at what is shown; return how many."""
    done = 0
    while True:
        name, data = bot.next()
        if name == "__game_over":
            return done
        if name in ("__action", "__bet"):
            said = cells(name)
            bot.say({"eventName": "__action", "data": said})
            shown = bot.until("__show_action").action
            assert shown.playerName == bot.token
            word = shown.action
            made = word if word in ("check", "fold") else f"{word} {shown.amount}"
            assert made == expected(name, data, said), (name, said, data.self)
            done += 1


def test_the_whole_table_of_decisions_over_sockets() -> None:
    settings = ("--set", "blinds_double=never", "--set", "reloads=1000", "--set", "reload_ms=0")
    rest = {kind: list(CELLS) for kind in ("__action", "__bet")}

    def cell(kind: str) -> Any:
        return rest[kind].pop() if rest[kind] else {"action": "check"}

    arguments = (*AT_ONCE, *settings, "--hands", "70", "--bot", "CallAgent", "--bot", "CallAgent")
    with seated(["a"], *arguments, seats=3) as (_, [bot]):
        assert play_cells(bot, cell) > len(CELLS)
    assert rest == {"__action": [], "__bet": []}


@pytest.mark.parametrize("said", [{"action": "raise"}, {"action": "bet", "amount": 400}])
def test_the_fifth_raise_and_the_fifth_bet_are_calls_over_sockets(said: Any) -> None:
    arguments = (*AT_ONCE, *NO_RELOADS, "--set", "stack=100000", "--hands", "2")
    with seated("ab", *arguments) as (_, bots):
        all_at_once(bots, lambda bot: play_cells(bot, lambda _: said))
        shown = [checked(text)[1] for text in bots[0].heard if b'"__show_action"' in text]
    assert {data.action.action for data in shown} == {said["action"], "call"} | (
        {"bet"} if said["action"] == "raise" else set()
    )
    assert max(data.table.raiseCount for data in shown) <= 4
    assert max(data.table.betCount for data in shown) <= 4


# Coming back.


def test_rejoining_in_every_phase_keeps_seat_cards_and_chips() -> None:
    with (
        TrendHost("--seats", "3", "--seed", "trend", *AT_ONCE, *SLOW) as host,
        ExitStack() as open_,
    ):

        def bot_of(name: str) -> Bot:
            return open_.enter_context(Bot(host.trend, name))

        bots = {name: bot_of(name) for name in "a"}
        bots["a"].until("__new_peer_2")
        bots["b"] = bot_of("b")
        bots["b"].until("__new_peer_2")

        # Before the start.
        bots["a"].drop()
        assert bots["b"].until("__left") == [md5("b")]
        bots["a"] = bot_of("a")
        assert bots["a"].until("__new_peer") == [md5("a"), md5("b")]
        bots["c"] = bot_of("c")
        order = ["abc"[p] for p in SeededChance(hosted_seed(seed_from_text("trend"), 0)).seats(3)]
        small, big, first = (bots[name] for name in order)
        cards = {}
        for bot in (small, big, first):
            state = bot.until("__new_round")
            assert [p.playerName for p in state.players] == [md5(name) for name in order]
            cards[bot.name] = next(p.cards for p in state.players if p.cards)

        def back(old: Bot, witness: Bot) -> tuple[Bot, Any]:
            """Drop and rejoin; return the new connection and its state."""
            old.drop()
            assert old.token not in witness.until("__left")
            new = bot_of(old.name)
            state = new.until("_join")
            mine = next(p for p in state.players if p.playerName == new.token)
            assert mine.cards == cards.get(old.name, [])
            assert mine.isOnline
            assert [p.playerName for p in state.players] == [md5(name) for name in order]
            return new, state

        # In the own turn: the request is there again.
        first.until("__action")
        first, state = back(first, small)
        assert [p.bet for p in state.players] == [10, 20, 0]
        assert first.until("__action").self.minBet == 20
        # In another's turn.
        big, state = back(big, small)
        assert state.table.totalBet == 30
        # Dropped after being asked: an action right after the join answers the request.
        first.drop()
        small.until("__left")
        first = bot_of(first.name)
        first.act("call")
        assert small.acted() == "call 20"
        small.until("__action")
        small.act("fold")
        big.until("__action")
        big.act("fold")
        # In the reload window.
        for bot in (small, big, first):
            bot.until("__start_reload")
        cards.clear()
        small, state = back(small, big)
        assert [p.chips for p in state.players] == [990, 980, 1030]
        small.reload()
        # Over the change of rounds: away when the window closes, back in the next round.
        big.drop()
        small.until("__left")
        first.reload()
        state = small.until("__new_round")
        assert [p.reloadCount for p in state.players] == [1, 0, 1]
        assert [p.isOnline for p in state.players] == [True, False, True]
        big = bot_of(big.name)
        state = big.until("_join")
        assert [len(p.cards) for p in state.players] == [0, 2, 0]
        assert state.table.roundCount == 2
        assert state.table.smallBlind.playerName == big.token


def test_who_is_away_when_his_turn_comes_is_waited_for_and_then_folded() -> None:
    arguments = (*AT_ONCE, *NO_RELOADS, "--hands", "1", "--set", "absence_ms=100")
    with seated("abc", *arguments) as (host, [small, big, first]):
        small.drop()
        big.until("__left")
        first.until("__action")
        first.act("call")
        assert big.acted() == "call 20"
        assert big.acted() == "fold"
        big.until("__action")
        big.act("fold")
        big.until("__game_over")
        host.end()
    assert "absent=true" in host.log


def test_who_comes_back_in_time_is_asked_then() -> None:
    arguments = (*AT_ONCE, *NO_RELOADS, "--hands", "1", "--set", "absence_ms=60000")
    with seated("abc", *arguments) as (host, [small, big, first]):
        small.drop()
        big.until("__left")
        first.until("__action")
        first.act("call")
        big.until("__show_action")
        with Bot(host.trend, small.name) as again:
            assert again.until("__action").self.minBet == 10
            again.act("call")
            assert big.acted() == "call 10"


def test_late_is_a_fold() -> None:
    arguments = (*AT_ONCE, *NO_RELOADS, "--hands", "1", "--set", "decision_ms=50")
    with seated("ab", *arguments) as (host, [big, small]):
        assert big.acted() == "fold"
        big.until("__game_over")
        big.close()
        small.close()
        assert sum(seat["timeouts"] for seat in host.result()["seats"]) == 1


# Nuisances.


def test_what_comes_out_of_turn_is_ignored() -> None:
    arguments = (*AT_ONCE, *NO_RELOADS, *SLOW, "--hands", "1")
    with seated("abc", *arguments) as (_, [small, big, first]):
        small.until("__new_round")
        small.act("allin")
        small.reload()
        small.say({"eventName": "__join", "data": {"playerName": "b"}})
        small.say("garbage")
        small.say("[" * 5000)
        small.say(b"\x00binary")
        small.say({"eventName": "__unknown"})
        small.say({"eventName": "__action", "data": {"action": "fold"}})
        assert small.ws.ping().wait(PATIENCE)  # so all of it has arrived
        first.until("__action")
        first.reload()  # no answer to the request either
        first.say({"eventName": "__join", "data": {"playerName": first.name}})
        first.act("call")
        assert small.acted() == "call 20"
        small.until("__action")
        small.act("call")
        assert small.acted() == "call 10"
        big.until("__action")


def test_two_answers_at_once_answer_one_question() -> None:
    arguments = (*AT_ONCE, *NO_RELOADS, *SLOW, "--hands", "1")
    with seated("abc", *arguments) as (_, [small, _, first]):
        first.until("__action")
        first.act("call")
        first.act("allin")
        first.act("fold")
        assert small.acted() == "call 20"
        small.until("__action")
        small.act("fold")
        assert small.acted() == "fold"


GARBAGE = ["garbage", "", "{}", "[" * 30_000, "\x00", '{"eventName":"__action"', '{"a":' * 9000]


def test_garbage_in_turn_is_a_fold_and_a_fault() -> None:
    hands = len(GARBAGE)
    arguments = (*AT_ONCE, *NO_RELOADS, "--set", "blinds_double=never", "--bot", "CallAgent")
    with seated(["a"], *arguments, "--hands", str(hands), seats=2) as (host, [bot]):
        for text in GARBAGE:
            bot.until("__action")
            bot.say(text)
            while (action := bot.until("__show_action").action).playerName != bot.token:
                pass
            assert action.action == "fold"
        bot.until("__game_over")
        bot.close()
        result = host.result()
    assert next(s for s in result["seats"] if s["dialect"] == "trend")["faults"] == hands


@pytest.mark.parametrize(
    ("answer", "shown"),
    [(b'{"eventName":"__action","data":{"action":"call"}}', "call 10"), (b"\xff{}", "fold")],
)
def test_an_answer_in_a_binary_message_counts_like_text(answer: bytes, shown: str) -> None:
    with seated("ab", *AT_ONCE, *NO_RELOADS, *SLOW, "--hands", "1") as (_, [big, small]):
        small.until("__action")
        small.say(answer)
        assert big.acted() == shown


FLOODS: dict[str, list[Any]] = {
    "huge": ["x" * 70_000],
    "huge in fragments": [["x" * 40_000, "x" * 40_000]],
    "reloads": ['{"eventName":"__reload"}'] * 1200,
    "out of turn": ["{}"] * 1200,
    "binary": [b"\x00"] * 1200,
}


def test_a_flood_cuts_its_sender_off_who_may_come_back() -> None:
    arguments = (*AT_ONCE, *NO_RELOADS, *SLOW, "--hands", "1")
    with seated("abc", *arguments) as (host, [small, big, first]):
        for flood in FLOODS.values():
            with suppress(ConnectionClosed):
                for message in flood:
                    small.ws.send(message)
            assert small.token not in big.until("__left")
            small.close()
            small = Bot(host.trend, small.name)
            small.until("_join")
        first.until("__action")
        first.act("call")
        small.until("__action")
        small.act("call")
        assert big.acted() == "call 20"
        assert big.acted() == "call 10"
        small.close()


def test_who_is_cut_off_is_logged_once() -> None:
    with seated("abc", *AT_ONCE, *NO_RELOADS, *SLOW, "--hands", "1") as (host, [small, big, _]):
        with suppress(ConnectionClosed):
            for _ in range(2000):
                small.say("{}")
        big.until("__left")
        host.end()
    assert host.log.count("cut off") == 1


def test_a_message_in_fragments_is_one_message() -> None:
    with seated("abc", *AT_ONCE, *NO_RELOADS, "--hands", "1") as (_, [small, _, first]):
        first.until("__action")
        text = '{"eventName":"__action","data":{"action":"call"}}'
        first.ws.send([text[:10], text[10:20], text[20:]])
        assert small.acted() == "call 20"


def test_a_ping_is_answered_before_and_after_the_join(waiting: TrendHost) -> None:
    with Bot(waiting.trend) as bot:
        assert bot.ws.ping().wait(PATIENCE)
        bot.say({"eventName": "__join", "data": {"playerName": "pinging"}})
        assert md5("pinging") in bot.until("__new_peer")
        assert bot.ws.ping(b"again").wait(PATIENCE)


UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def test_a_close_without_a_code_is_answered_with_a_valid_close(waiting: TrendHost) -> None:
    with socket.create_connection(("127.0.0.1", waiting.trend), PATIENCE) as raw:
        raw.sendall(UPGRADE)
        with raw.makefile("rb") as reply:
            while reply.readline().strip():
                pass
            raw.sendall(b"\x88\x80\0\0\0\0")  # a masked close frame with no body
            opcode, size = reply.read(2)
            assert opcode == 0x88
            code = int.from_bytes(reply.read(size)[:2], "big")
            assert size == 0 or code == 1000


def test_requests_that_are_no_upgrade_harm_nobody(waiting: TrendHost) -> None:
    for text in (b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 1000, b"reg: 1 a \n\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", waiting.trend), PATIENCE) as raw:
            raw.sendall(text)
            raw.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while raw.recv(4096):
                    pass
    with Bot(waiting.trend, "after them") as bot:
        assert md5("after them") in bot.until("__new_peer")


def test_who_does_not_read_is_cut_off_and_the_game_goes_on() -> None:
    clock = ("--set", "decision_ms=1", "--set", "absence_ms=1", "--set", "blinds_double=never")
    arguments = ("--seats", "4", *AT_ONCE, *NO_RELOADS, *clock, "--hands", "400", "--once")
    bots = ("--bot", "CallAgent") * 3
    with TrendHost(*arguments, *bots, "--json", "--set", "stack=1000000") as host:
        with socket.socket() as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.settimeout(PATIENCE)
            raw.connect(("127.0.0.1", host.trend))
            join = b'{"eventName":"__join","data":{"playerName":"deaf"}}'
            raw.sendall(UPGRADE + bytes([0x81, 0x80 | len(join), 0, 0, 0, 0]) + join)
            result = host.result()
    assert result["hands"] == 400
    assert "bytes unread" in host.log


def test_a_timeout_of_a_player_with_a_high_file_number() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4000:
        pytest.skip(f"no more than {hard} open files are allowed here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4000, hard))
    try:
        arguments = ("--seats", "2", *AT_ONCE, *NO_RELOADS, "--set", "decision_ms=50")
        with TrendHost(*arguments, "--hands", "1", "--bot", "CallAgent") as host:
            with ExitStack() as stack:
                for _ in range(1100):
                    stack.enter_context(socket.create_connection(("127.0.0.1", host.trend)))
                bot = stack.enter_context(Bot(host.trend, "a"))
                bot.until("__action")
                while bot.until("__show_action").action.playerName != bot.token:
                    pass
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# The end, and after a crash.


def test_a_signal_sends_game_stop() -> None:
    with seated("ab", *AT_ONCE, *SLOW) as (host, bots):
        bots[1].until("__action")
        host.process.send_signal(signal.SIGTERM)
        for bot in bots:
            assert bot.until("__game_stop").msg == "table 1 stopped successfully"
            bot.until("__game_over")
            bot.close()
        result = host.result()
        assert host.process.returncode == 1
    assert sum(seat["chips"] for seat in result["seats"]) == 2000


def test_a_signal_before_the_start_ends_the_host() -> None:
    with TrendHost("--seats", "3", "--once", "--set", "closing_s=1") as host:
        with Bot(host.trend, "a") as bot:
            bot.until("__new_peer_2")
            host.process.send_signal(signal.SIGTERM)
            bot.until("__game_stop")
        host.process.wait(PATIENCE)


def check_to_the_end(bot: Bot, hands: int = 0) -> None:
    """Check and call, to the end or up to a round."""
    while True:
        name, data = bot.next()
        if name in ("__action", "__bet"):
            bot.act("check")
        elif name == "__game_over" or (name == "__new_round" and data.table.roundCount == hands):
            return


def test_after_a_crash_players_rejoin_by_name_and_the_match_goes_on(tmp_path: Path) -> None:
    store = str(tmp_path / "croupier.db")
    arguments = ["--seats", "3", "--bot", "CallAgent", "--hands", "6", "--once", "--json", *AT_ONCE]
    arguments += ["--store", store, "--set", "reload_ms=10"]
    names = [f"{SECRET}{index}" for index in range(2)]
    with TrendHost(*arguments) as host:
        with Bot(host.trend, names[0]) as one, Bot(host.trend, names[1]) as two:
            all_at_once([one, two], lambda bot: check_to_the_end(bot, 3))
            host.kill()
    with TrendHost(*arguments) as host:
        with Bot(host.trend, "stranger") as stranger:
            assert stranger.closed()[0] == 4004
        with Bot(host.trend, names[0]) as one:
            one.until("__new_peer")
            with Bot(host.trend, names[1]) as two:
                all_at_once([one, two], check_to_the_end)
        result = host.result()
        assert host.process.returncode == 0
    assert result["hands"] == 6
    assert sum(seat["chips"] for seat in result["seats"]) == 3000
    verified = croupier("verify", result["match"], "--store", store)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert not leaks(tmp_path, host.log)


def test_who_rejoins_after_a_crash_in_the_middle_of_a_round_is_asked(tmp_path: Path) -> None:
    store = str(tmp_path / "croupier.db")
    arguments = ["--seats", "2", "--hands", "3", "--once", "--json", *AT_ONCE]
    arguments += [*NO_RELOADS, "--store", store, "--set", "return_s=0"]
    with TrendHost(*arguments) as host:
        with Bot(host.trend, "a") as first, Bot(host.trend, "b"):
            first.until("__new_round")
            host.kill()
    with TrendHost(*arguments) as host:
        with Bot(host.trend, "b") as other:
            # The time to come back is over, so the first who does is enough.
            began = other.until("__new_round")
            with Bot(host.trend, "a") as bot:
                state = bot.until("_join", timeout=3.0)
                assert [len(p.cards) for p in state.players if p.playerName == bot.token] == [2]
                if began.table.smallBlind.playerName == other.token:
                    other.until("__action")
                    other.act("call")
                bot.until("__action", "__bet", timeout=3.0)


# The pause before each request.


def test_a_pause_longer_than_the_time_to_think_costs_nobody_a_turn(tmp_path: Path) -> None:
    store = str(tmp_path / "croupier.db")
    pace = ("--set", "pace_ms=2500", "--set", "decision_ms=2000", "--set", "absence_ms=60000")
    arguments = (*AT_ONCE, *NO_RELOADS, *pace, "--hands", "1", "--store", store)
    with seated("ab", *arguments) as (host, (asked, other)):
        began = other.until("__new_round")
        asked.until("__new_round")
        if began.table.smallBlind.playerName == other.token:
            asked, other = other, asked
        other.drop()
        with Bot(host.trend, other.name) as again:  # in the pause, as far as the load lets it
            again.until("_join")
            asked.until("__action")
            asked.act("fold")
            for bot in (asked, again):
                bot.until("__game_over")
                bot.close()
        result = host.result()
    assert [seat["timeouts"] for seat in result["seats"]] == [0, 0]
    verified = croupier("verify", result["match"], "--store", store)
    assert verified.returncode == 0, verified.stdout + verified.stderr


# Secrets.


def leaks(folder: Path, *texts: str) -> list[str]:
    """Return where a private name is found."""
    found = [text for text in texts if SECRET in text]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return found + [path.name for path in files if SECRET.encode() in path.read_bytes()]


def play_with_secrets(
    tmp_path: Path, say: Callable[[Bot], None], ending: str = ""
) -> tuple[str, list[str]]:
    """Play and return the match, and where a private name is found."""
    store, transcripts = tmp_path / "croupier.db", tmp_path / "transcripts"
    arguments = ("--store", str(store), "--transcripts", str(transcripts), "--hands", "2")
    names = [f"{SECRET}{index}{ending}" for index in range(2)]
    with seated(names, *AT_ONCE, *NO_RELOADS, *arguments) as (host, bots):
        with Bot(host.trend, names[0]) as twin:
            assert SECRET not in twin.closed()[1]

        def play(bot: Bot) -> None:
            bot.say({"eventName": "__join", "data": {"playerName": bot.name}})
            while (event := bot.next()[0]) != "__game_over":
                if event in ("__action", "__bet"):
                    say(bot)

        all_at_once(bots, play)
        for bot in bots:
            bot.close()
        result = host.result()
    assert len(list(transcripts.iterdir())) == 3  # of two players, and of a twin that was refused
    heard = b"".join(text for bot in bots for text in bot.heard).decode()
    return result["match"], leaks(tmp_path, host.log, heard, json.dumps(result), *host.lines)


def test_the_private_name_is_nowhere(tmp_path: Path) -> None:
    match, found = play_with_secrets(tmp_path, lambda bot: bot.act("check"))
    assert found == []
    for command in (("show",), ("export", "--format", "jsonl"), ("export", "--format", "phh")):
        told = croupier(*command, match, "--store", str(tmp_path / "croupier.db"))
        assert told.returncode == 0, told.stderr
        assert SECRET not in told.stdout


def test_the_private_name_beside_an_action_is_nowhere(tmp_path: Path) -> None:
    _, found = play_with_secrets(tmp_path, lambda bot: bot.act("check", playerName=bot.name))
    assert found == []


def test_the_private_name_in_a_broken_second_join_is_nowhere(tmp_path: Path) -> None:
    def broken(bot: Bot) -> None:
        bot.say(f'{{"eventName":"__join","data":{{"playerName":"{bot.name}"')

    _, found = play_with_secrets(tmp_path, broken)
    assert found == []


def test_the_private_name_spelled_with_escapes_is_nowhere(tmp_path: Path) -> None:
    def say(bot: Bot) -> None:
        name = json.dumps(bot.name).replace("/", "\\/")  # as PHP writes it
        bot.say(f'{{"eventName":"__action","data":{{"action":"check","playerName":{name}}}}}')

    _, found = play_with_secrets(tmp_path, say, ending='/"x')
    assert found == []


def test_transcripts_name_each_correction(tmp_path: Path) -> None:
    arguments = (*AT_ONCE, *NO_RELOADS, "--hands", "1", "--transcripts", str(tmp_path))
    with seated("ab", *arguments) as (host, bots):
        all_at_once(bots, check_to_the_end)
        for bot in bots:
            bot.close()
        host.result()
    text = "".join(path.read_text() for path in tmp_path.iterdir())
    assert "# check facing a bet counts as call" in text
    assert re.search(r"^\d+\.\d+ < b'\{\"eventName\":\"__new_round\"", text, re.M)
    assert "connection lost" in text
