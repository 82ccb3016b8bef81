"""A table has one name: on its live page, in the record of its matches, and in every address."""

from pathlib import Path
from urllib.parse import quote

import httpx
from websockets.sync.client import connect as watch

from tests.arena.arenas import ArenaProcess
from tests.support.rooming import Guest, begin, connect, to_turn
from tests.web.siting import SECONDS, awaited

ARENA = "[rooms]\nset = { decision_ms = 100000 }\n"
LISTEN = '[[listen]]\ndialect = "room"\nport = 0\n'
ROOM = "tea time/2 100% a&b?c#d"


def test_a_running_match_leads_to_its_live_table_whatever_its_room_is_called(
    tmp_path: Path,
) -> None:
    with ArenaProcess(tmp_path, ARENA, "--web", "0", listen=LISTEN) as arena:
        url = arena.site_url
        guests = [Guest(arena.ports["room"], connect(ROOM, name, 2)) for name in ("ann", "bob")]
        begin(guests)
        to_turn(guests)
        with httpx.Client(base_url=url, timeout=SECONDS) as client:

            def matches() -> list[dict[str, str]]:
                found: list[dict[str, str]] = client.get("/api/v1/matches").json()["items"]
                return found

            (match,) = awaited(matches, lambda found: found)
            awaited(lambda: client.get("/api/v1/tables").json()["total"], lambda total: total)
            name = match["table"]
            assert name == f"room-{ROOM}"
            address = quote(name, safe="")
            assert client.get(f"/live/{address}").status_code == 200
            table = client.get(f"/api/v1/tables/{address}").json()
            assert (table["scene"]["table"], table["scene"]["match"]) == (name, match["match"])
        live = f"ws{url.removeprefix('http')}/api/v1/tables/{address}/live"
        with watch(live) as spectator:
            assert spectator.recv(SECONDS)
        for guest in guests:
            guest.close()
