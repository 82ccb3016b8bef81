"""A bot that plays over a wire decides the same, and wins the same, as in `croupier play`."""

import hashlib
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import croupier
from croupier.bots import AllinAgent, Bot, CallAgent, RuleAgent, house_bot
from croupier.client.result import Result
from croupier.deals import hosted_seed, seed_from_text
from croupier.match.chance import SeededChance
from croupier.play import Player, play
from croupier.rules.decisions import Decision
from croupier.rules.events import CALLED, CHECKED, FOLDED
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, ROOM, ROOM2, TREND
from croupier.rules.view import View
from tests.support.hosting import PATIENCE, HostProcess

SEED = "exact"
HOSTED = hosted_seed(seed_from_text(SEED), 0)
"""What the first match of a host deals from."""
SLOW = ("--set", "decision_ms=60000")
"""A busy machine is no reason to be late."""

NOT_RAISED = (FOLDED, CHECKED, CALLED)


class HashBot(Bot):
    """Decides by a hash of everything that a view says in every dialect."""

    def decide(self, view: View) -> Decision:
        options = view.options
        assert options is not None
        history = [
            (street, done.seat, done.action if done.action in NOT_RAISED else "raise", done.to)
            for street, done in view.history
        ]
        facts = (
            (view.number, view.seat, view.hole, view.board, view.street, view.small_blind),
            (view.big_blind, view.stacks, view.bets, view.put, view.folded, view.high),
            (options.owed, options.call, options.max_to, history),
        )
        choice = hashlib.sha256(repr(facts).encode()).digest()[0]
        raises = sum(street == view.street and act == "raise" for street, _, act, _ in history)
        if choice < 25:
            return view.fold if options.owed else view.call
        if choice < 140 or raises > 2:
            return view.call
        if choice < 150:
            return view.max_raise
        # In trend a raise adds a big blind at least, so ask for no less.
        least = view.bets[view.seat] + view.big_blind
        return view.raise_to(max(least, view.high + choice * (view.pot + options.call) // 256))


class Watched(Bot):
    """Remembers what a bot decides."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.decisions: list[tuple[int, int, int, int, int]] = []

    def decide(self, view: View) -> Decision:
        decision = self.bot.decide(view)
        self.decisions.append((view.number, view.seat, view.street, decision.kind, decision.to))
        return decision


def join_all(
    bots: Sequence[Watched],
    urls: Sequence[str],
    games: int | None = None,
    rules: str | None = None,
) -> list[Result]:
    """Let all bots play at once, each in a thread of its own."""
    more: dict[str, Any] = {"games": games, "rules": rules, "patience": PATIENCE}
    with ThreadPoolExecutor(len(bots)) as threads:
        futures = [
            threads.submit(croupier.run, bot, url, name=f"n{index}", **more)
            for index, (bot, url) in enumerate(zip(bots, urls, strict=True))
        ]
        return [future.result(PATIENCE) for future in futures]


def in_process(rules: Rules, bots: Sequence[Bot], hands: int) -> list[tuple[Watched, int]]:
    """Play the same with bots of this process; return each with what it won."""
    players = [Player(str(index), Watched(bot)) for index, bot in enumerate(bots)]
    play(rules, players, hands, HOSTED)
    assert not any(player.faults for player in players)
    return [(player.bot, player.chips_won) for player in players]  # type: ignore[misc]


def same(
    rules: Rules,
    bots: Sequence[Bot],
    order: Sequence[int],
    watched: Sequence[Watched],
    results: Sequence[Result],
    hands: int,
) -> None:
    """Compare; `order` says which bot became which player."""
    expected = in_process(rules, [bots[index] for index in order], hands)
    for index, (bot, won) in zip(order, expected, strict=True):
        assert not results[index].faults, results[index].first_fault
        assert watched[index].decisions == bot.decisions
        assert results[index].chips_won == won
    assert sum(len(bot.decisions) for bot in watched) > hands


def result_of(host: HostProcess) -> dict[str, Any]:
    result = host.result()
    assert not any(seat["timeouts"] or seat["faults"] for seat in result["seats"])
    return result


def players_by_pid(result: dict[str, Any]) -> list[str]:
    """Return the names in the order of the players; who has no pid of his own gets the next."""
    rows = sorted(result["seats"], key=lambda seat: int(seat["pid"]))
    return [row["name"] for row in rows]


BOTS: list[tuple[Callable[[], Bot], ...]] = [
    (RuleAgent, RuleAgent, RuleAgent),
    (HashBot, HashBot, HashBot, HashBot),
    (HashBot, RuleAgent),
    (RuleAgent, HashBot, AllinAgent, CallAgent, HashBot, RuleAgent),
]
LINE_UPS = pytest.mark.parametrize("kinds", BOTS, ids=lambda kinds: f"{len(kinds)}")


@LINE_UPS
def test_huawei(kinds: Sequence[Callable[[], Bot]]) -> None:
    bots = [kind() for kind in kinds]
    watched = [Watched(bot) for bot in bots]
    hands = 40
    with HostProcess(
        *("--rules", "huawei", "--seats", str(len(bots)), "--hands", str(hands)),
        *("--seed", SEED, "--once", "--json", *SLOW),
    ) as host:
        urls = [f"huawei://127.0.0.1:{host.port}?pid={index}" for index in range(len(bots))]
        results = join_all(watched, urls)
        result = result_of(host)
    order = [int(pid) for pid in re.findall(r"event=joined .*player=\S+-(\d+)", host.log)]
    same(HUAWEI, bots, order, watched, results, result["hands"])


@LINE_UPS
def test_trend(kinds: Sequence[Callable[[], Bot]]) -> None:
    bots = [kind() for kind in kinds]
    watched = [Watched(bot) for bot in bots]
    rules = TREND.with_fields({"reloads": 0, "stack": 3000})
    with HostProcess(
        *("--rules", "trend", "--seats", str(len(bots)), "--hands", "40", "--seed", SEED),
        *("--once", "--json", "--set", "countdown_s=0", "--set", "reloads=0"),
        *("--set", "stack=3000", *SLOW),
        dialect="trend",
    ) as host:
        urls = [f"trend://127.0.0.1:{host.port}"] * len(bots)
        results = join_all(watched, urls)
        result = result_of(host)
    tokens = [hashlib.md5(f"n{index}".encode()).hexdigest()[:8] for index in range(len(bots))]
    order = [tokens.index(name.removeprefix("t-")) for name in players_by_pid(result)]
    same(rules, bots, order, watched, results, result["hands"])


@LINE_UPS
@pytest.mark.parametrize("version", [1, 2])
def test_room(version: int, kinds: Sequence[Callable[[], Bot]]) -> None:
    bots = [kind() for kind in kinds]
    watched = [Watched(bot) for bot in bots]
    hands = 30
    with HostProcess("--rules", "room", "--seed", SEED, "--once", "--json", dialect="room") as host:
        url = f"room://127.0.0.1:{host.port}/7?seats={len(bots)}&version={version}"
        results = join_all(watched, [url] * len(bots), hands)
        result = result_of(host)
    order = [int(name.removeprefix("n")) for name in players_by_pid(result)]
    same(ROOM if version == 1 else ROOM2, bots, order, watched, results, hands)


@pytest.mark.parametrize("spelling", ["text", "binary"])
@pytest.mark.parametrize("kind", [RuleAgent, HashBot])
def test_kuhn(spelling: str, kind: Callable[[], Bot]) -> None:
    bot = Watched(kind())
    with HostProcess("--rules", "kuhn", "--seed", SEED, "--once", "--json", dialect="kuhn") as host:
        url = f"kuhn://127.0.0.1:{host.port}?spelling={spelling}"
        result = croupier.run(bot, url, games=60, patience=PATIENCE)
        played = result_of(host)["hands"]
    house = house_bot("nash", SeededChance(HOSTED).bot(0))
    _, (own, won) = in_process(KUHN, [house, kind()], played)
    assert bot.decisions == own.decisions
    assert result.chips_won == won
    assert result.hands == played


@pytest.mark.parametrize("dialect", ["huawei", "room", "kuhn"])
def test_a_house_bot_with_the_same_seed_draws_the_same(dialect: str) -> None:
    # In trend the smallest raise is larger on the wire than in the rules: docs/first-bot.md.
    chance = SeededChance(HOSTED)
    rules = {"huawei": HUAWEI, "room": ROOM2, "kuhn": KUHN}[dialect]
    seats = () if dialect != "huawei" else ("--seats", "2", "--bot", "RandomAgent")
    bots = ("--bot", "random") if dialect == "kuhn" else ()
    with HostProcess(
        *("--rules", dialect, *seats, *bots, "--seed", SEED, "--once", "--json", *SLOW),
        *("--hands", "40") * (dialect == "huawei"),
        dialect=dialect,
    ) as host:
        more = {"huawei": "?pid=7", "room": "/7?bots=RandomAgent", "kuhn": ""}[dialect]
        url = f"{dialect}://127.0.0.1:{host.port}{more}"
        bot = Watched(house_bot("RandomAgent", chance.bot(1)))
        games = None if dialect == "huawei" else 40
        result = croupier.run(bot, url, games=games, patience=PATIENCE)
        played = result_of(host)["hands"]
    pair = [house_bot("RandomAgent", chance.bot(number)) for number in (0, 1)]
    _, (own, won) = in_process(rules, pair, played)
    assert bot.decisions == own.decisions
    assert result.chips_won == won


def test_bots_of_all_holdem_dialects_at_one_table_whose_rules_they_are_told() -> None:
    bots: list[Bot] = [HashBot(), HashBot(), HashBot(), RuleAgent()]
    watched = [Watched(bot) for bot in bots]
    with HostProcess(
        *("--rules", "plain", "--listen", "trend:0", "--listen", "room:0", "--seats", "4"),
        *("--hands", "40", "--seed", SEED, "--once", "--json", *SLOW, "--set", "ready_ms=60000"),
    ) as host:
        trend = host.wait_for(r"listening: trend [\d.]+:(\d+)").group(1)
        room = host.wait_for(r"listening: room [\d.]+:(\d+)").group(1)
        urls = [
            f"huawei://127.0.0.1:{host.port}?pid=7",
            f"trend://127.0.0.1:{trend}",
            f"room://127.0.0.1:{room}?seats=4",
            f"room://127.0.0.1:{room}?seats=4&version=1",
        ]
        results = join_all(watched, urls, rules="plain")
        result = result_of(host)
    token = hashlib.md5(b"n1").hexdigest()[:8]
    names = {"n0": 0, f"t-{token}": 1, "n2": 2, "n3": 3}
    # Whoever brought a pid joined at some time; try every place.
    others = [names[name] for name in players_by_pid(result) if name != "n0"]
    orders = [[*others[:place], 0, *others[place:]] for place in range(4)]
    chips = {names[seat["name"]]: seat["chips"] - PLAIN.stack for seat in result["seats"]}
    assert [results[index].chips_won for index in range(4)] == [chips[i] for i in range(4)]
    matching = [
        order
        for order in orders
        if [won for _, won in in_process(PLAIN, [bots[i] for i in order], 40)]
        == [chips[i] for i in order]
    ]
    assert matching
    same(PLAIN, bots, matching[0], watched, results, 40)
