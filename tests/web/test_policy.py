"""What the policy hides is in no byte of any answer."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine
from websockets.sync.client import connect

from croupier.cards import long, short, upper
from croupier.rules.events import HandEnded, HoleDealt, Shown
from croupier.rules.sets import PLAIN
from croupier.store.schema import open_store
from tests.web.siting import SECONDS, LiveGame, SiteProcess, wait_for

BOTS = ["RuleAgent", "RandomAgent", "CallAgent", "RuleAgent"]
PLACES = (
    "/status",
    "/tables",
    "/tables/main",
    "/matches",
    "/matches/m",
    "/matches/m/chips",
    "/matches/m/hands",
    "/matches/m/hands?order=pot",
    "/matches/m/export.phh",
    "/matches/m/export.pokerstars",
    "/matches/m/export.ohh",
    "/matches/m/export.jsonl",
    "/matches/m/results.csv",
    "/players",
)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_store(str(tmp_path / "policy.db"))
    yield engine
    engine.dispose()


def texts(site: SiteProcess, hands: int) -> Iterator[tuple[str, str]]:
    """Return everything that the site says, with where it says it."""
    for place in (*PLACES, *(f"/matches/m/hands/{number}" for number in range(hands + 2))):
        yield place, site.client.get("/api/v1" + place).text
    for page in ("/", "/live/main", "/games", "/games/m", "/players"):
        yield page, site.client.get(page).text
    with connect(site.live_url("main", 0)) as spectator:
        yield "live", str(spectator.recv(SECONDS))


def spelled(card: int) -> re.Pattern[str]:
    """Return what a card looks like in any spelling, as a word of its own or next to another."""
    either = "|".join((short(card), upper(card), long(card)))
    return re.compile(rf"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs])*(?:{either})(?![a-z])")


def test_cards_that_were_not_shown_are_nowhere_while_the_match_runs(
    tmp_path: Path, engine: Engine
) -> None:
    with SiteProcess(tmp_path / "policy.db", feed=True) as site:
        game = LiveGame(site, engine, replace(PLAIN, hands=9), BOTS, "hidden", match_id="m")
        game.begin()
        checked = 0
        for _ in range(4):
            game.play_hand()
        # One hand at a time, since another hand may show what this one hides.
        for number, events in enumerate(game.hands, 1):
            dealt = {event.seat: event.cards for event in events if isinstance(event, HoleDealt)}
            shown = {event.seat for event in events if isinstance(event, Shown)}
            answer = site.client.get(f"/api/v1/matches/m/hands/{number}").text
            open_cards = {card for seat in shown for card in dealt[seat]}
            for seat in dealt.keys() - shown:
                for card in dealt[seat]:
                    assert card not in open_cards
                    assert not spelled(card).search(answer)
                    checked += 1
            for row in map(
                json.loads, site.client.get("/api/v1/matches/m/export.jsonl").text.splitlines()
            ):
                if row.get("hand") == number and row.get("event") == "HoleDealt":
                    assert set(row["cards"]) == {-1}
        assert checked > 0
        assert site.get("/matches/m")["seed"] is None


def test_of_the_first_hand_no_hole_card_is_in_any_byte(tmp_path: Path, engine: Engine) -> None:
    with SiteProcess(tmp_path / "policy.db", feed=True) as site:
        game = LiveGame(site, engine, replace(PLAIN, hands=9), BOTS, "bytes", match_id="m")
        game.begin()
        hand = game.match.hand
        assert hand is not None
        hidden = [card for hole in hand.hole for card in hole]
        while not game.hands and len(hand.board) < 5:
            seen = 0
            scene = wait_for(site, "/tables/main", lambda one: one["scene"]["hand"] == 1)["scene"]
            assert all(set(seat["cards"]) == {None} for seat in scene["seats"])
            for place, text in texts(site, 1):
                for card in hidden:
                    assert not spelled(card).search(text), (place, short(card))
                seen += len(text)
            assert seen > 1000
            before = len(hand.board)
            while not game.hands and game.match.hand is hand and len(hand.board) == before:
                game.step()
            if game.match.hand is not hand:
                break


@pytest.mark.parametrize("void", [False, True])
def test_with_a_delay_the_last_hands_are_nowhere(
    tmp_path: Path, engine: Engine, void: bool
) -> None:
    with SiteProcess(tmp_path / "policy.db", feed=True, audience="2") as site:
        game = LiveGame(
            site, engine, replace(PLAIN, hands=20), BOTS, "late", match_id="m", policy="2"
        )
        game.begin()
        for _ in range(5):
            game.play_hand()
        last, open_until = 5, 3
        if void:
            game.crash()  # hand 6 is cut off: it is no hand by which the others are late
            last = 6
        state = game.states[open_until - 1]
        match = site.get("/matches/m")
        assert match["match"]["hands"] == open_until
        chips = {
            one["name"]: one["stack"] + one["reserve"] + one["won"] for one in state["players"]
        }
        assert {line["name"]: line["chips"] for line in match["ranking"]} == chips
        assert site.get("/matches/m/chips")["hands"] == [1, 2, 3]
        assert [one["hand"] for one in site.get("/matches/m/hands")["items"]] == [1, 2, 3]
        assert site.get("/matches/m/hands/3")["next"] is None
        for number in range(open_until + 1, last + 2):
            assert site.client.get(f"/api/v1/matches/m/hands/{number}").status_code == 404
        lines = site.client.get("/api/v1/matches/m/export.jsonl").text.splitlines()
        assert max(json.loads(line).get("hand", 0) for line in lines) == open_until
        assert json.loads(lines[0])["hands"] == open_until
        assert site.client.get("/api/v1/matches/m/export.phh").text.count("\nhand = ") == 3
        scene = wait_for(site, "/tables/main", lambda one: one["scene"]["hand"] == 3)["scene"]
        # Only what hand 3 was dealt may be seen of the hands after it.
        assert scene["over"]
        stacks = next(e.stacks for e in game.hands[2] if isinstance(e, HandEnded))
        assert [seat["stack"] for seat in scene["seats"]] == list(stacks)
        secret = {
            card
            for events in game.hands[open_until:]
            for event in events
            if isinstance(event, HoleDealt)
            for card in event.cards
        }
        seen_cards = {
            card
            for events in game.hands[:open_until]
            for event in events
            if hasattr(event, "cards")
            for card in event.cards
        }
        assert secret - seen_cards
        for place, text in texts(site, last):
            for card in secret - seen_cards:
                assert not spelled(card).search(text), (place, short(card))


@pytest.mark.parametrize("policy", ["all", "1"])
def test_open_cards_are_open_in_recorded_hands_of_a_running_match_too(
    tmp_path: Path, engine: Engine, policy: str
) -> None:
    with SiteProcess(tmp_path / "policy.db", feed=True, audience=policy) as site:
        rules = replace(PLAIN, hands=9)
        game = LiveGame(site, engine, rules, BOTS, "open", match_id="m", policy=policy)
        game.begin()
        for _ in range(2):
            game.play_hand()
        dealt = [list(event.cards) for event in game.hands[0] if isinstance(event, HoleDealt)]
        lines = site.client.get("/api/v1/matches/m/export.jsonl").text.splitlines()
        rows = [row for row in map(json.loads, lines) if row.get("hand") == 1]
        assert [row["cards"] for row in rows if row.get("event") == "HoleDealt"] == dealt
        frames = site.get("/matches/m/hands/1")["frames"]
        assert all(None not in seat["cards"] for seat in frames[-1]["scene"]["seats"])
        assert site.get("/matches/m")["seed"] is None


def test_when_the_match_is_over_everything_is_open(tmp_path: Path, engine: Engine) -> None:
    with SiteProcess(tmp_path / "policy.db", feed=True, audience="2") as site:
        rules = replace(PLAIN, hands=4)
        game = LiveGame(site, engine, rules, BOTS, "open", match_id="m", policy="2")
        game.begin()
        while game.step():
            pass
        game.end()
        found = wait_for(site, "/matches/m", lambda one: one["match"]["status"] == "ended")
        assert found["match"]["hands"] == 4
        assert found["seed"] == game.seed.hex()
        frames = site.get("/matches/m/hands/4")["frames"]
        assert all(None not in seat["cards"] for seat in frames[-1]["scene"]["seats"])
