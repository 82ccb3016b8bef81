"""A table after a crash: the site shows what is on record, and for whom the match waits."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

from croupier.store import queries
from croupier.store.schema import open_store
from tests.arena.arenas import ArenaProcess
from tests.support.hosting import Player
from tests.web.siting import SECONDS, awaited

ARENA = """
audience = AUDIENCE

[[table]]
name = "main"
number = 1
rules = "plain"
seats = 3
bots = ["CallAgent", "CallAgent"]
repeat = false
set = { stacks = "carry", hands = 1000, decision_ms = 100000, return_s = 1000, countdown_s = 0 }
"""

HANDS = 5


def scene_of(arena: ArenaProcess, wanted: Any = lambda scene: scene["seats"]) -> dict[str, Any]:
    """Return the scene of the table once it is as wanted."""
    place = f"{arena.site_url}/api/v1/tables/main"
    with httpx.Client(timeout=SECONDS) as client:
        answer = awaited(
            lambda: client.get(place).json(), lambda it: "scene" in it and wanted(it["scene"])
        )
    scene: dict[str, Any] = answer["scene"]
    return scene


def crashed(folder: Path, audience: str) -> None:
    """Play some hands, which cost one player chips, and end in the middle of the next."""
    text = ARENA.replace("AUDIENCE", audience)
    with ArenaProcess(folder, text, "--web", "0") as arena, ExitStack() as stack:
        player = stack.enter_context(Player(arena.ports["huawei"], "7 ann"))
        for _ in range(HANDS):
            player.until(b"inquire")
            player.send(b"fold \n")
            player.until(b"pot-win/")
        player.until(b"inquire")
        arena.kill()


def books(folder: Path, hand: int) -> dict[str, int]:
    """Return everyone's chips after a hand, by name on pages."""
    engine = open_store(str(folder / "croupier.db"))
    (match,) = queries.matches(engine)
    state = queries.hand(engine, match.id, hand).state
    engine.dispose()
    names = [f"{one.name}-7" if one.name == "ann" else one.name for one in state.players]
    return {name: one.chips for name, one in zip(names, state.players, strict=True)}


def chips(scene: dict[str, Any]) -> dict[str, int]:
    return {line["name"]: line["chips"] for line in scene["ranking"]}


def test_after_a_crash_the_scene_has_the_chips_on_record_and_says_who_is_away(
    tmp_path: Path,
) -> None:
    crashed(tmp_path, '"showdown"')
    known = books(tmp_path, HANDS)
    assert len(set(known.values())) > 1
    with ArenaProcess(tmp_path, "", "--web", "0") as arena:
        scene = scene_of(arena)
        assert scene["state"] == "returning"
        assert scene["message"] == "Waiting for players to come back: 2 of 3 are here."
        assert chips(scene) == known
        assert {seat["name"]: seat["stack"] for seat in scene["seats"]} == known
        assert {seat["name"] for seat in scene["seats"] if not seat["online"]} == {"ann-7"}
        with Player(arena.ports["huawei"], "7 ann"):
            scene = scene_of(arena, lambda scene: scene["state"] == "playing" and scene["hand"])
            # Hand 6 was cut off.
            assert scene["hand"] == HANDS + 2
            assert all(seat["online"] for seat in scene["seats"])


def test_with_a_delay_a_crash_opens_no_book_before_its_time(tmp_path: Path) -> None:
    crashed(tmp_path, "2")
    known = books(tmp_path, HANDS - 2)
    assert known != books(tmp_path, HANDS)
    with ArenaProcess(tmp_path, "", "--web", "0") as arena:
        scene = scene_of(arena)
        assert chips(scene) == known
        assert scene["state"] == "playing"
        assert all(seat["online"] for seat in scene["seats"])


def test_the_end_of_a_match_is_seen_until_somebody_comes_to_the_next(tmp_path: Path) -> None:
    text = ARENA.replace("AUDIENCE", '"showdown"').replace("repeat = false", "repeat = true")
    with ArenaProcess(tmp_path, text, "--web", "0") as arena, ExitStack() as stack:
        player = stack.enter_context(Player(arena.ports["huawei"], "7 ann"))
        player.until(b"inquire")
        first = arena.table("main")["match"]
        arena.ask("end", "main")
        arena.wait_until(lambda row: bool(row["match"] != first), "main")
        scene = scene_of(arena, lambda scene: scene["next"])
        assert (scene["match"], scene["state"]) == (first, "over")
        assert "The match is over" in scene["message"]
        assert len(scene["ranking"]) == 3
        following = arena.table("main")["match"]
        wanted = {"match": following, "here": 2, "seats": 3}
        scene_of(arena, lambda scene: scene["next"] == wanted)
        player.close()
        stack.enter_context(Player(arena.ports["huawei"], "8 bob"))
        scene_of(arena, lambda scene: scene["match"] == following)
