"""Teams of a contest are led to their matches, over real sockets."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from croupier.bots import Bot, CallAgent
from croupier.client.result import JoinError
from croupier.match.events import Left
from croupier.rules.decisions import CALL, Decision
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, ROOM, ROOM2, TREND
from croupier.rules.view import View
from croupier.server.table.limits import Limits
from croupier.server.table.task import Played
from croupier.store.records import HandRecord
from croupier.store.schema import open_store
from tests.support.contesting import TEAMS, WRONG_KEY, Contest, contest, key_of
from tests.support.rooming import action, connect, frame, passive

GAMES = {
    "huawei": (HUAWEI, ""),
    "trend": (TREND.with_fields({"countdown_s": 0, "reload_ms": 0}), ""),
    "room v1": (ROOM, "?version=1"),
    "room v2": (ROOM2, "?version=2"),
    "kuhn text": (KUHN, ""),
    "kuhn binary": (KUHN, "?spelling=binary"),
}
Scenario = Callable[[Contest], Awaitable[None]]


def run(scenario: Scenario) -> None:
    """Let a scenario happen in a contest of its own."""

    async def main() -> None:
        async with contest() as one:
            await scenario(one)

    asyncio.run(main())


def forfeits(played: Played) -> list[str]:
    return [player.forfeit for player in played.players]


@pytest.mark.parametrize("order", ["as in the task", "reversed"])
@pytest.mark.parametrize("game", GAMES)
def test_teams_are_seated_in_the_order_of_the_task_whoever_came_first(
    game: str, order: str
) -> None:
    dialect, (rules, settings) = game.split()[0], GAMES[game]

    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", rules=rules))
        for team in ("Ada", "Bob") if order == "as in the task" else ("Bob", "Ada"):
            one.join(team, dialect, settings=settings, rules=rules)
            assert await one.entered.get() == team
        played = await result
        assert one.names == ["Ada", "Bob"]
        assert (played.hands, forfeits(played)) == (3, ["", ""])
        assert sum(player.chips for player in played.players) == 0

    run(scenario)


def test_teams_of_several_dialects_meet_at_one_table() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", "Cid"))
        joined = [
            one.join("Cid", "room", settings="/9?seats=5&bots=AllinAgent", rules=PLAIN),
            one.join("Bob", "trend", rules=PLAIN),
            one.join("Ada", "huawei", rules=PLAIN),
        ]
        played = await result
        assert (played.hands, forfeits(played)) == (3, ["", "", ""])
        assert one.names == ["Ada", "Bob", "Cid"]
        for team in joined:
            assert (await team).hands == 3

    run(scenario)


def test_a_team_that_comes_before_its_match_is_held_until_it_is_called() -> None:
    async def scenario(one: Contest) -> None:
        ada = one.join("Ada", "kuhn", rules=KUHN)
        assert await one.entered.get() == "Ada"
        assert one.lobby.waiting == ["Ada"]
        result = one.call(one.task("Ada", "Bob", rules=KUHN))
        one.join("Bob", "kuhn", settings="?spelling=binary", rules=KUHN)
        assert (await result).hands == 3
        assert (await ada).hands == 3
        assert one.lobby.waiting == []

    run(scenario)


def test_what_a_held_client_of_kuhn_says_ahead_counts_when_it_is_seated() -> None:
    async def scenario(one: Contest) -> None:
        reader, writer = await one.connect("kuhn")
        writer.write(b"STRT 70001\nANOK\n")
        assert await one.entered.get() == "Ada"
        result = one.call(one.task("Ada", "Bob", rules=KUHN, hands=1), bots={1: CallAgent()})
        assert await reader.readuntil(b"CARD") == b"STKS 20 20\nDEAL '1'\nCARD"
        writer.write(b"CHCK\nANOK\n")
        assert (await reader.read()).endswith(b"ERRO N_C\n")
        assert forfeits(await result) == ["", ""]

    run(scenario)


class KuhnClient:
    """Ada in kuhn: a connection in text, against a bot that never bets."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def connected(cls, one: Contest) -> "KuhnClient":
        client = cls(*await one.connect("kuhn"))
        client.writer.write(b"STRT 70001\n")
        assert await one.entered.get() == "Ada"
        return client

    async def begin(self) -> bytes:
        """Begin a hand, up to the card; return whether it is the dealer, as it was told."""
        self.writer.write(b"ANOK\n")
        dealer = await self.reader.readline()
        await self.reader.readuntil(b"CARD")
        return dealer

    async def check(self) -> bytes:
        """Check the hand down; return the stakes after it."""
        self.writer.write(b"CHCK\n")
        await self.reader.readuntil(b"SHOW")
        await self.reader.readline()
        return await self.reader.readline()


@pytest.mark.parametrize("left", ["open", "closed", "QUIT"])
def test_in_kuhn_a_match_goes_on_with_a_new_connection_for_every_hand(left: str) -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", rules=KUHN, hands=6), bots={1: CallAgent()})
        stakes, dealers, old = b"STKS 20 20\n", [], None
        for _ in range(6):
            client = await KuhnClient.connected(one)
            assert await client.reader.readline() == stakes
            if old is not None:
                assert await old.reader.read() == b"", "the old connection is closed"
            dealers.append(await client.begin())
            stakes = await client.check()
            if left == "QUIT":
                client.writer.write(b"QUIT\n")
            if left == "closed":
                client.writer.close()
            else:
                old = client
        played = await result
        assert (played.hands, forfeits(played)) == (6, ["", ""])
        assert dealers == dealers[:2] * 3

    run(scenario)


def test_in_kuhn_a_client_that_leaves_before_it_has_heard_the_end_of_the_hand_may_go_on() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", rules=KUHN, hands=3), bots={1: CallAgent()})
        for _ in range(3):
            client = await KuhnClient.connected(one)
            assert (await client.reader.readline()).startswith(b"STKS")
            await client.begin()
            client.writer.write(b"CHCK\n")
            client.writer.close()
        played = await result
        assert (played.hands, forfeits(played)) == (3, ["", ""])

    run(scenario)


def test_in_kuhn_a_new_connection_within_a_hand_plays_from_the_next_one_on() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", rules=KUHN, hands=2), bots={1: CallAgent()})
        first = await KuhnClient.connected(one)
        await first.begin()
        second = await KuhnClient.connected(one)
        stakes = await first.check()
        assert await second.reader.readline() == stakes
        assert await first.reader.read() == b""
        await second.begin()
        await second.check()
        played = await result
        assert (played.hands, forfeits(played)) == (2, ["", ""])

    run(scenario)


def test_in_kuhn_the_newest_connection_may_use_the_other_spelling() -> None:
    async def scenario(one: Contest) -> None:
        one.call(one.task("Ada", "Bob", rules=KUHN, hands=2), bots={1: CallAgent()})
        first = await KuhnClient.connected(one)
        await first.begin()
        await first.check()
        reader, writer = await one.connect("kuhn")
        writer.write(b"STRT " + (70001).to_bytes(4, "big") + b"ANOK")
        assert (await reader.readexactly(24))[::14] == b"SD"

    run(scenario)


def test_in_kuhn_who_agreed_to_the_next_hand_has_to_do_so_again_on_a_new_connection() -> None:
    async def scenario(one: Contest) -> None:
        one.call(one.task("Ada", "Bob", rules=KUHN, hands=2))
        ada = await KuhnClient.connected(one)
        bob, writer = await one.connect("kuhn")
        writer.write(b"STRT 70002\n")
        assert await one.entered.get() == "Bob"
        assert await ada.reader.readline() == b"STKS 20 20\n"
        ada.writer.write(b"ANOK\nSTRT 70001\n")
        assert await ada.reader.readline() == b"STKS 20 20\n", "it has been read"
        again = await KuhnClient.connected(one)
        assert await again.reader.readline() == b"STKS 20 20\n"
        writer.write(b"ANOK\nSTRT 70002\n")
        assert await bob.readline() + await bob.readline() == 2 * b"STKS 20 20\n"
        assert (await again.begin())[:4] == b"DEAL"
        assert (await bob.readline())[:4] == b"DEAL"

    run(scenario)


def test_in_kuhn_who_does_not_come_back_has_broken_off_when_its_time_is_over() -> None:
    async def scenario(one: Contest) -> None:
        rules = KUHN.with_fields({"ready_ms": 50})
        result = one.call(one.task("Ada", "Bob", rules=rules, hands=2), bots={1: CallAgent()})
        client = await KuhnClient.connected(one)
        await client.begin()
        client.writer.write(b"CHCK\n")
        client.writer.close()
        played = await result
        assert (played.hands, forfeits(played)) == (1, ["broke off", ""])

    run(scenario)


@pytest.mark.parametrize("first", ["the connection", "the program"])
def test_a_program_that_has_ended_between_two_hands_of_kuhn_is_not_waited_for(first: str) -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", rules=KUHN, hands=2), bots={1: CallAgent()})
        client = await KuhnClient.connected(one)
        await client.begin()
        await client.check()
        if first == "the program":
            one.lobby.give_up("Ada", "ended with status 0")
        client.writer.write(b"QUIT\n")
        assert await client.reader.read() == b""
        if first == "the connection":
            one.lobby.give_up("Ada", "ended with status 0")
        played = await result
        assert (played.hands, forfeits(played)) == (1, ["broke off", ""])

    run(scenario)


def test_bots_play_in_this_process_at_their_places() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", "Cid"), bots={0: CallAgent(), 2: CallAgent()})
        one.join("Bob", "huawei", rules=PLAIN)
        assert (await result).hands == 3
        assert one.names == ["Ada", "Bob", "Cid"]

    run(scenario)


def test_teams_from_one_address_are_not_counted_however_low_the_limits_are() -> None:
    async def main() -> None:
        least = Limits(**{limit.name: 1 for limit in fields(Limits)})
        async with contest(limits=least) as one:
            pairs = list(zip(TEAMS[::2], TEAMS[1::2], strict=True))
            results = [one.call(one.task(*pair, rules=ROOM)) for pair in pairs]
            for team in TEAMS:
                one.join(team, "room", settings="?version=1", rules=ROOM)
            for result in results:
                played = await result
                assert (played.hands, forfeits(played)) == (3, ["", ""])
            assert len(results) == 20

    asyncio.run(main())


def test_who_does_not_come_forfeits_and_the_others_play() -> None:
    async def scenario(one: Contest) -> None:
        one.join("Ada", "huawei", settings="?pid=1", rules=PLAIN)
        one.join("Cid", "huawei", settings="?pid=3", rules=PLAIN)
        await one.entered.get()
        await one.entered.get()
        played = await one.call(one.task("Ada", "Bob", "Cid"), arrive_s=0.01)
        assert played.hands == 3
        assert forfeits(played) == ["", "did not arrive within 0.01 s", ""]
        assert played.players[1].rank == 3
        assert one.names == ["Ada", "Cid"]

    run(scenario)


def test_one_team_alone_goes_on_waiting_and_the_match_is_not_played() -> None:
    async def scenario(one: Contest) -> None:
        one.join("Ada", "huawei", rules=PLAIN)
        await one.entered.get()
        played = await one.call(one.task("Ada", "Bob"), arrive_s=0.01)
        assert (played.hands, played.match_id) == (0, "")
        assert forfeits(played) == ["", "did not arrive within 0.01 s"]
        assert one.lobby.waiting == ["Ada"]
        result = one.call(one.task("Ada", "Bob"), bots={1: CallAgent()})
        assert (await result).hands == 3, "it plays its next match with the same connection"

    run(scenario)


def test_a_team_that_is_given_up_is_waited_for_no_longer() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", "Cid"), bots={2: CallAgent()})
        one.join("Ada", "huawei", rules=PLAIN)
        await one.entered.get()
        one.lobby.give_up("Bob", "ended with status 1")
        played = await result
        assert (played.hands, forfeits(played)) == (3, ["", "ended with status 1", ""])

    run(scenario)


def test_a_team_that_speaks_a_dialect_in_which_the_game_cannot_be_played_is_absent() -> None:
    async def scenario(one: Contest) -> None:
        one.join("Ada", "huawei")
        await one.entered.get()
        played = await one.call(one.task("Ada", "Bob", rules=KUHN), 0.01, {1: CallAgent()})
        assert forfeits(played) == ["did not arrive within 0.01 s", ""]

    run(scenario)


@pytest.mark.parametrize(
    ("dialect", "hello", "answer"),
    [
        ("huawei", b"reg: 7 keyofnobody \n", b""),
        ("kuhn", b"STRT 12345\n", b"ERRO WID\n"),
        ("kuhn", b"STRT " + (12345).to_bytes(4, "big") + b"ANOK", b"ERRO WID"),
    ],
)
def test_a_wrong_key_is_refused_and_not_written_down(
    dialect: str, hello: bytes, answer: bytes, tmp_path: Path
) -> None:
    async def main() -> None:
        async with contest(transcripts=tmp_path) as one:
            reader, writer = await one.connect(dialect)
            writer.write(hello)
            assert await one.entered.get() == ""
            assert await reader.read() == answer
            assert one.lobby.waiting == []

    asyncio.run(main())
    (path,) = tmp_path.iterdir()
    assert path.name == f"refused-{dialect}.log"
    text = path.read_text("utf-8")
    assert WRONG_KEY in text
    assert " > " not in text


def test_a_new_connection_takes_the_place_of_one_that_waits() -> None:
    async def scenario(one: Contest) -> None:
        old, _ = await one.registered("Ada")
        one.join("Ada", "huawei", settings="?pid=7", rules=PLAIN)
        assert await one.entered.get() == "Ada"
        assert await old.read() == b""
        assert one.lobby.waiting == ["Ada"]
        assert (await one.call(one.task("Ada", "Bob"), bots={1: CallAgent()})).hands == 3

    run(scenario)


def test_a_waiting_connection_that_is_lost_is_forgotten() -> None:
    async def scenario(one: Contest) -> None:
        _, writer = await one.registered("Ada")
        writer.close()
        await writer.wait_closed()
        played = await one.call(one.task("Ada", "Bob"), 0.05, {1: CallAgent()})
        assert forfeits(played) == ["did not arrive within 0.05 s", ""]
        assert one.lobby.waiting == []

    run(scenario)


@pytest.mark.parametrize("called", ["before", "after"])
def test_of_two_teams_with_the_same_pid_the_later_one_is_refused(called: str) -> None:
    async def scenario(one: Contest) -> None:
        task = one.task("Ada", "Bob")
        result = one.call(task) if called == "before" else None
        await one.registered("Bob", 7)
        reader, _ = await one.registered("Ada", 7)
        result = result or one.call(task)
        assert await reader.read() == b""
        assert one.lobby.waiting == ["Bob"]
        one.join("Ada", "huawei", settings="?pid=8", rules=PLAIN)
        assert await one.entered.get() == "Ada"
        assert one.lobby.waiting == []
        result.cancel()

    run(scenario)


def test_of_two_programs_with_the_same_name_in_trend_the_second_is_refused() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob"))
        for team in ("Ada", "Bob"):
            one.ports["trend"] = await one.open_to(team, "trend")
            joined = one.join(team, "trend", rules=PLAIN, key="same")
            while team == "Ada" and not one.lobby.waiting:
                await asyncio.sleep(0)
        with pytest.raises(JoinError, match="another team has joined with this name"):
            await joined
        assert one.lobby.waiting == ["Ada"]
        result.cancel()

    run(scenario)


def test_when_the_contest_is_over_everyone_is_sent_away_with_the_reason() -> None:
    async def scenario(one: Contest) -> None:
        reader, writer = await one.connect("kuhn")
        writer.write(b"STRT 70001\n")
        await one.entered.get()
        one.lobby.close("the contest is over")
        assert await reader.read() == b"ERRO WID\n"
        late, writer = await one.connect("room")
        writer.write(frame(connect(1, name="keyofbob")))
        assert b"the contest is over" in await late.read()
        assert one.entered.empty(), "nobody is asked who it is any more"

    run(scenario)


class AtHand(Bot):
    """Calls, and does something at its first decision in the hand of a number."""

    def __init__(self, number: int, act: Callable[[], object]) -> None:
        self._number = number
        self._act: Callable[[], object] | None = act

    def decide(self, view: View) -> Decision:
        if self._act is not None and view.number >= self._number:
            act, self._act = self._act, None
            act()
        return CALL


def test_a_player_of_a_dialect_that_rejoins_gets_its_place_back() -> None:
    rules = PLAIN.with_fields({"absence_ms": 60_000})

    async def scenario(one: Contest) -> None:
        def cut() -> None:
            (client,) = (c for c in one.house.clients if c.dialect.name == "trend")
            client.drop("the cable is out")

        result = one.call(one.task("Ada", "Bob", rules=rules, hands=5))
        one.join("Ada", "trend", rules=rules)
        one.join("Bob", "huawei", AtHand(1, cut), rules=rules)
        played = await result
        assert (played.hands, forfeits(played)) == (5, ["", ""])
        left = [e for r in one.records if isinstance(r, HandRecord) for e in r.events]
        assert any(isinstance(event, Left) for event in left)

    run(scenario)


def test_a_player_that_cannot_rejoin_breaks_off_and_waits_for_its_next_match() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", rules=HUAWEI, hands=4))
        one.join("Bob", "huawei", settings="?pid=8", rules=HUAWEI)
        assert await one.entered.get() == "Bob"
        reader, writer = await one.registered("Ada")
        await reader.readuntil(b"/inquire")
        writer.close()
        await one.registered("Ada")
        played = await result
        assert (played.hands, forfeits(played)) == (4, ["broke off", ""])
        assert one.lobby.waiting == ["Ada"]

    run(scenario)


@pytest.mark.parametrize(
    ("game", "leaves"), [("kuhn", b"QUIT\n"), ("kuhn", b"XXXX\n"), ("kuhn", b"CALL\n")]
)
def test_who_ends_the_match_by_a_fault_forfeits_and_the_other_does_not(
    game: str, leaves: bytes
) -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", rules=KUHN))
        one.join("Bob", game, rules=KUHN)
        reader, writer = await one.connect(game)
        writer.write(b"STRT 70001\nANOK\n")
        await reader.readuntil(b"CARD")
        writer.write(leaves)
        played = await result
        assert played.hands == 1
        ada, bob = forfeits(played)
        assert (bool(ada), bob) == (True, "")

    run(scenario)


def test_a_room_program_that_leaves_after_the_last_hand_has_not_broken_off() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", rules=ROOM2, hands=1), bots={1: CallAgent()})
        reader, writer = await one.connect("room")
        writer.write(frame(connect(1, name="keyofada", games=9)))
        message: dict[str, Any] = {"info": ""}
        while message["info"] != "result":
            size = int.from_bytes(await reader.readexactly(4), "little")
            message = json.loads(await reader.readexactly(size))
            if message["info"] == "state" and message["position"] == message["action_position"]:
                writer.write(frame(action(passive(message))))
        writer.close()
        assert forfeits(await result) == [""] * 2

    run(scenario)


@pytest.mark.parametrize("game", GAMES)
def test_no_key_is_in_a_transcript_or_in_its_name(game: str, tmp_path: Path) -> None:
    dialect, (rules, settings) = game.split()[0], GAMES[game]

    async def main() -> None:
        async with contest(transcripts=tmp_path) as one:
            result = one.call(one.task("Ada", "Bob", rules=rules, hands=1))
            for team in ("Ada", "Bob"):
                one.join(team, dialect, settings=settings, rules=rules)
            assert (await result).hands == 1

    asyncio.run(main())
    paths = list(tmp_path.iterdir())
    assert len(paths) == 2
    for team in ("Ada", "Bob"):
        (path,) = (path for path in paths if team in path.name)
        key = key_of(team, dialect)
        spelled = repr(int(key).to_bytes(4, "big"))[2:-1] if dialect == "kuhn" else key
        text = path.read_text("utf-8")
        assert " < " in text
        assert key not in path.name + text
        assert spelled not in text


def test_a_stakes_request_of_kuhn_in_the_middle_of_a_match_shows_no_key(tmp_path: Path) -> None:
    async def main() -> None:
        async with contest(transcripts=tmp_path) as one:
            result = one.call(one.task("Ada", "Bob", rules=KUHN, hands=1), bots={1: CallAgent()})
            reader, writer = await one.connect("kuhn")
            for hello in (b"STRT 70001\n", b"STRT 70001\n", b"STRT 5\n"):
                writer.write(hello)
                answer = await reader.readline()
            assert answer == b"ERRO WID\n"
            await result

    asyncio.run(main())
    (path,) = tmp_path.iterdir()
    text = path.read_text("utf-8")
    assert "STRT ..." in text
    assert "70001" not in text


def settings_of(game: str, team: str) -> str:
    """Return how a team joins a game, beside its key."""
    dialect, (_, settings) = game.split()[0], GAMES[game]
    return f"?pid={1 + len(team)}{ord(team[0])}" if dialect == "huawei" else settings


async def interrupt(engine: Engine, game: str) -> None:
    """Let Ada and Bob begin a match of five hands, and crash in the third."""
    dialect, (rules, _) = game.split()[0], GAMES[game]
    async with contest(engine) as one:
        third = asyncio.Event()
        one.call(one.task("Ada", "Bob", rules=rules, hands=5))
        bots = {"Ada": AtHand(3, third.set), "Bob": CallAgent()}
        for team, bot in bots.items():
            one.join(team, dialect, bot, settings=settings_of(game, team), rules=rules)
        await third.wait()
        one.crash()


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_a_restart_interrupted_goes_on_with_its_teams(
    game: str, tmp_path: Path
) -> None:
    dialect, (rules, _) = game.split()[0], GAMES[game]
    engine = open_store(str(tmp_path / "cup.db"))

    async def resumed() -> Played:
        async with contest(engine) as one:
            result = one.call(one.task("Ada", "Bob", rules=rules, hands=5), resume=True)
            for team in ("Bob", "Ada"):
                one.join(team, dialect, settings=settings_of(game, team), rules=rules)
            return await result

    asyncio.run(interrupt(engine, game))
    played = asyncio.run(resumed())
    engine.dispose()
    assert (played.hands, forfeits(played)) == (5, ["", ""])
    assert sum(player.chips for player in played.players) == 0
    assert played.match_id


def test_who_comes_back_first_may_be_ready_before_the_other_is_there(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "cup.db"))

    async def resumed() -> None:
        async with contest(engine) as one:
            one.call(one.task("Ada", "Bob", rules=KUHN, hands=5), resume=True)
            reader, writer = await one.connect("kuhn")
            hello = f"STRT {key_of('Bob', 'kuhn')}\n".encode()
            for words in (hello, b"ANOK\n" + hello):
                writer.write(words)
                assert (await reader.readline()).startswith(b"STKS")

    asyncio.run(interrupt(engine, "kuhn text"))
    asyncio.run(resumed())
    engine.dispose()


def test_a_match_to_which_nobody_returns_is_over(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "cup.db"))
    rules = Rules(return_s=0)

    async def interrupted() -> None:
        async with contest(engine) as one:
            one.call(one.task("Ada", "Bob", rules=rules))
            await one.registered("Ada", 1)
            reader, _ = await one.registered("Bob", 2)
            await reader.readuntil(b"seat/")
            one.crash()

    async def resumed() -> Played:
        async with contest(engine) as one:
            return await one.call(one.task("Ada", "Bob", rules=rules), 0.05, resume=True)

    asyncio.run(interrupted())
    played = asyncio.run(resumed())
    engine.dispose()
    assert (played.hands, forfeits(played)) == (0, ["broke off", "broke off"])


def test_the_result_of_a_match_that_has_ended_can_be_recalled_from_its_record(
    tmp_path: Path,
) -> None:
    engine = open_store(str(tmp_path / "cup.db"))

    async def played() -> Played:
        async with contest(engine) as one:
            result = one.call(one.task("Ada", "Bob"), bots={0: CallAgent()})
            one.join("Bob", "huawei", rules=PLAIN)
            return await result

    async def recalled() -> Played:
        async with contest(engine) as one:
            return await one.call(one.task("Ada", "Bob"), bots={0: CallAgent()}, recall=True)

    first, again = asyncio.run(played()), asyncio.run(recalled())
    engine.dispose()
    assert again == first


def test_a_nonce_is_given_at_the_registration_of_a_team_and_not_when_it_joins() -> None:
    async def scenario(one: Contest) -> None:
        reader, writer = await one.connect("room")
        wish = {"info": "connect", "room_id": 1, "name": key_of("Ada", "room"), "nonce": "x"}
        body = json.dumps(wish | {"room_number": 2, "bots": []}).encode()
        writer.write(len(body).to_bytes(4, "little") + body)
        assert (
            b"teams give their nonces when they register; join without one" in await reader.read()
        )
        assert one.lobby.waiting == []

    run(scenario)


def test_a_match_that_is_cut_short_before_all_have_come_is_not_played_and_nobody_forfeits() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob"))
        ada = one.join("Ada", "huawei", rules=PLAIN)
        assert await one.entered.get() == "Ada"
        one.lobby.cut_short("final/r1.1/1.1")
        played = await result
        assert (played.hands, forfeits(played)) == (0, ["", ""])
        assert one.lobby.waiting == ["Ada"], "it waits for its next match"
        again = one.call(one.task("Ada", "Bob"), bots={1: CallAgent()})
        assert (await again).hands == 3
        assert (await ada).hands == 3

    run(scenario)


def test_a_match_that_is_cut_short_ends_with_the_hands_that_were_played() -> None:
    async def scenario(one: Contest) -> None:
        result = one.call(one.task("Ada", "Bob", hands=100), bots={1: CallAgent()})
        reader, writer = await one.registered("Ada")
        for _ in range(2):
            while not (line := await reader.readuntil(b" \n")).startswith(b"pot-win"):
                if line.startswith(b"inquire"):
                    writer.write(b"call \n")
        one.lobby.cut_short("another/r1.1/1.1")
        one.lobby.cut_short("final/r1.1/1.1")
        assert (await reader.read()).endswith(b"game-over \n")
        played = await result
        assert (played.hands, forfeits(played)) == (2, ["", ""])

    run(scenario)
