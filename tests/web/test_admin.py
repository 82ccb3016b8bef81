"""An organiser's part of the site: who gets in, what he can do, what is written down."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from sqlalchemy import Engine

from croupier.dialects.tokens import token_of
from croupier.server.arena.control import PlayerRow, TableRow
from croupier.store import queries, registry
from croupier.store.schema import open_store
from croupier.web.admin.players import MAX_PLAYERS
from croupier.web.http.failed_logins import MAX_ADDRESSES, OTHERS, WINDOW_S, FailedLogins
from croupier.web.http.sessions import LONGEST_WAIT_S, OrganiserSessions
from tests.web.refereeing import FakeReferee
from tests.web.siting import SECONDS, SiteProcess

TOKEN = "an organiser's token"
SENT = {"X-Croupier": "1"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("admin") / "admin.db"


@pytest.fixture(scope="module")
def engine(store: Path) -> Iterator[Engine]:
    engine = open_store(str(store))
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeReferee]:
    referee = FakeReferee(tmp_path_factory.mktemp("c") / "c.sock")
    yield referee
    referee.close()


@pytest.fixture(scope="module")
def site(store: Path, engine: Engine, referee: FakeReferee) -> Iterator[SiteProcess]:
    control = referee.path
    with SiteProcess(store, control=control, admin_token=TOKEN) as site:
        yield site


@pytest.fixture
def client(site: SiteProcess) -> Iterator[httpx.Client]:
    """Return a browser of an organiser who has not logged in yet."""
    with httpx.Client(base_url=f"{site.url}/api/v1/admin", timeout=SECONDS) as client:
        yield client


@pytest.fixture
def organiser(client: httpx.Client) -> httpx.Client:
    answer = client.post("/login", json={"token": TOKEN}, headers=SENT)
    assert answer.status_code == 200
    client.headers.update(SENT)
    return client


ACTS = (
    ("POST", "/players"),
    ("POST", "/players/import"),
    ("POST", "/players/00/reset"),
    ("POST", "/players/00/assign"),
    ("DELETE", "/players/00"),
    ("POST", "/tables/main/start"),
    ("POST", "/tables/main/pause"),
    ("POST", "/tables/main/resume"),
    ("POST", "/tables/main/end"),
    ("POST", "/tables/main/withdraw"),
)


@pytest.mark.parametrize(("method", "path"), ACTS)
def test_without_a_session_nothing_can_be_done(
    client: httpx.Client, referee: FakeReferee, method: str, path: str
) -> None:
    before = len(referee.asked)
    assert client.request(method, path, headers=SENT, json={}).status_code == 401
    client.cookies.set("croupier_session", "guessed")
    assert client.request(method, path, headers=SENT, json={}).status_code == 401
    assert len(referee.asked) == before


@pytest.mark.parametrize(("method", "path"), [*ACTS, ("POST", "/login"), ("POST", "/logout")])
def test_without_the_header_nothing_can_be_done(
    organiser: httpx.Client, referee: FakeReferee, method: str, path: str
) -> None:
    before = len(referee.asked)
    del organiser.headers["X-Croupier"]
    body = {"token": TOKEN, "display": "x", "player": "x"}
    assert organiser.request(method, path, json=body).status_code == 403
    assert len(referee.asked) == before


def test_without_a_session_the_registry_is_closed(client: httpx.Client) -> None:
    assert client.get("/players").status_code == 401
    state = client.get("/state").json()
    assert state == {"logged_in": False, "enabled": True, "tables": [], "audit": []}


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(client: httpx.Client) -> None:
    answer = client.post("/login", json={"token": TOKEN}, headers=SENT)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/api/v1/admin" in cookie
    assert TOKEN not in cookie
    assert "secure" not in cookie


def test_behind_https_the_cookie_is_never_sent_without_it(client: httpx.Client) -> None:
    answer = client.post(
        "/login",
        json={"token": TOKEN},
        headers={**SENT, "X-Forwarded-Proto": "https"},
    )
    assert answer.status_code == 200
    assert "; secure" in answer.headers["set-cookie"].lower()


def test_a_session_ends_with_the_logout(organiser: httpx.Client) -> None:
    session = organiser.cookies["croupier_session"]
    assert organiser.get("/players").status_code == 200
    assert organiser.post("/logout").status_code == 200
    organiser.cookies.set("croupier_session", session)
    assert organiser.get("/players").status_code == 401


def test_a_wrong_token_is_refused_and_the_next_try_has_to_wait(store: Path, engine: Engine) -> None:
    with SiteProcess(store, admin_token=TOKEN) as site:
        place = "/api/v1/admin/login"
        wrong = site.client.post(place, json={"token": "guess"}, headers=SENT)
        assert wrong.status_code == 403
        assert "set-cookie" not in wrong.headers
        again = site.client.post(place, json={"token": TOKEN}, headers=SENT)
        assert again.status_code == 429
        assert int(again.headers["retry-after"]) >= 1
        # From another address one need not wait.
        transport = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=site.url, transport=transport, timeout=SECONDS) as other:
            assert other.post(place, json={"token": TOKEN}, headers=SENT).status_code == 200


def logins(engine: Engine) -> list[tuple[str, str, str, str]]:
    """Return what was written down of failed logins, in order."""
    acts = [act for act in queries.audit(engine) if act.act == "login"]
    return [(act.actor, act.table, act.detail, act.outcome) for act in reversed(acts)]


def test_failed_logins_are_in_the_audit_log_with_their_number_and_without_the_token(
    tmp_path: Path,
) -> None:
    store = tmp_path / "logins.db"
    engine = open_store(str(store))
    with SiteProcess(store, admin_token=TOKEN) as site:
        place = "/api/v1/admin/login"
        for status in (403, 429, 429, 429):
            tried = site.client.post(place, json={"token": "my guess"}, headers=SENT)
            assert tried.status_code == status
        assert logins(engine) == [("web", "", "127.0.0.1", "refused")]
    # What was counted since is written when the site ends, if not before.
    assert logins(engine)[1:] == [("web", "", "127.0.0.1", "refused, 3 more times")]
    assert "guess" not in str(queries.audit(engine))
    engine.dispose()


def test_a_login_that_works_is_no_failure(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "logins.db"))
    with SiteProcess(tmp_path / "logins.db", admin_token=TOKEN) as site:
        login = site.client.post("/api/v1/admin/login", json={"token": TOKEN}, headers=SENT)
        assert login.status_code == 200
    assert logins(engine) == []
    engine.dispose()


def test_of_a_flood_of_failed_logins_there_are_a_few_rows_a_minute() -> None:
    now = 0.0
    failed_logins = FailedLogins(lambda: now)
    rows = [row for number in range(5000) for row in failed_logins.record(f"10.0.0.{number % 100}")]
    each = 5000 // 100
    firsts = [(f"10.0.0.{number}", "refused") for number in range(MAX_ADDRESSES)]
    assert rows == [*firsts, (OTHERS, "refused")]
    now = WINDOW_S
    rest = failed_logins.record("10.0.0.1")
    more = f"refused, {each - 1} more times"
    others = each * (100 - MAX_ADDRESSES) - 1
    assert sorted(rest) == sorted(
        [
            *((who, more) for who, _ in firsts),
            (OTHERS, f"refused, {others} more times"),
            ("10.0.0.1", "refused"),
        ]
    )
    assert failed_logins.flush() == []


def test_each_failure_of_an_address_makes_it_wait_longer() -> None:
    now = 0.0
    sessions = OrganiserSessions(TOKEN, lambda: now)
    waits = []
    for _ in range(9):
        assert sessions.log_in("wrong", "2001:db8::1") is None
        waits.append(sessions.wait_s("2001:db8::2"))  # the same network
        now += waits[-1]
        assert sessions.wait_s("2001:db8::1") == 0
    assert waits == [1, 2, 4, 8, 16, 32, LONGEST_WAIT_S, LONGEST_WAIT_S, LONGEST_WAIT_S]
    assert sessions.wait_s("2001:db8:0:1::1") == 0
    assert sessions.log_in(TOKEN, "2001:db8::1") is not None
    sessions.log_in("wrong", "2001:db8::1")
    assert sessions.wait_s("2001:db8::1") == 1


def test_a_session_ends_of_itself() -> None:
    now = 0.0
    sessions = OrganiserSessions(TOKEN, lambda: now)
    session = sessions.log_in(TOKEN, "::1")
    assert session is not None
    assert sessions.knows(session)
    now = 13 * 3600.0
    assert not sessions.knows(session)


@pytest.mark.parametrize("token", [None, ""])
def test_without_a_token_nobody_gets_in(token: str | None) -> None:
    sessions = OrganiserSessions(token)
    assert not sessions.enabled
    assert sessions.log_in("", "::1") is None


def test_a_private_name_is_answered_once(organiser: httpx.Client, engine: Engine) -> None:
    added = organiser.post("/players", json={"display": "Ada <b>", "table": 2})
    assert added.status_code == 201
    name = added.json()["private_name"]
    player = registry.find(engine, token_of(name))
    assert player is not None
    assert (player.display, player.table) == ("Ada <b>", "2")
    reset = organiser.post(f"/players/{player.token}/reset").json()["private_name"]
    assert registry.find(engine, player.token) is None
    token = token_of(reset)
    for place in ("/players", "/state"):
        text = organiser.get(place).text
        assert "Ada <b>" in text
        assert name not in text
        assert reset not in text
    assert organiser.post(f"/players/{token}/assign", json={"table": "7"}).status_code == 200
    moved = registry.find(engine, token)
    assert moved is not None
    assert moved.table == "7"
    assert organiser.delete(f"/players/{token}").status_code == 200
    assert registry.find(engine, token) is None
    acts = [(act.actor, act.act, act.detail) for act in queries.audit(engine, 4)]
    assert acts == [
        ("web", f"player {act}", "Ada <b>") for act in ("remove", "assign", "reset", "add")
    ]
    assert name not in str(queries.audit(engine))


def test_a_private_name_that_was_given_is_not_repeated(
    organiser: httpx.Client, engine: Engine
) -> None:
    secret = "a name that was given"
    body = {"display": "Given", "private_name": secret}
    added = organiser.post("/players", json=body)
    assert added.status_code == 201
    assert secret not in added.text
    assert registry.find(engine, token_of(secret)) is not None
    again = organiser.post("/players", json=body)
    assert again.status_code == 409
    assert secret not in again.text
    wrong = organiser.post(
        "/players", content=b'{"display": 5, "private_name": "' + secret.encode()
    )
    assert wrong.status_code == 400
    assert secret not in wrong.text


@pytest.mark.parametrize("as_json", [True, False])
def test_a_list_is_added_as_a_whole_or_not_at_all(
    organiser: httpx.Client, engine: Engine, as_json: bool
) -> None:
    def send(text: str) -> httpx.Response:
        if as_json:
            return organiser.post("/players/import", json={"csv": text})
        return organiser.post("/players/import", content=text, headers={"content-type": "text/csv"})

    who = f"{as_json}"
    good = f'display,table,private_name\n"Turing, {who}",1,\nHopper {who},3,given {who}\n'
    added = send(good)
    assert added.status_code == 201
    items = added.json()["items"]
    assert [(one["display"], one["table"]) for one in items] == [
        (f"Turing, {who}", "1"),
        (f"Hopper {who}", "3"),
    ]
    assert items[1]["private_name"] is None
    assert registry.find(engine, token_of(items[0]["private_name"])) is not None
    before = len(registry.all_players(engine))
    bad = send(f"New {who},1\nHopper {who},1\n")
    assert bad.status_code == 409
    assert "line 2" in bad.json()["error"]
    assert len(registry.all_players(engine)) == before
    assert send("one column\n").status_code == 400
    assert send("").status_code == 400


def test_a_list_has_an_end(organiser: httpx.Client, engine: Engine) -> None:
    before = len(registry.all_players(engine))
    text = "".join(f"p{number},1\n" for number in range(MAX_PLAYERS + 1))
    refused = organiser.post("/players/import", json={"csv": text})
    assert refused.status_code == 400
    assert f"at most {MAX_PLAYERS} players" in refused.json()["error"]
    assert len(registry.all_players(engine)) == before


def test_a_token_that_is_someones_display_name_means_its_owner(
    organiser: httpx.Client, engine: Engine
) -> None:
    name = organiser.post("/players", json={"display": "First"}).json()["private_name"]
    token = token_of(name)
    assert organiser.post("/players", json={"display": token}).status_code == 201
    assert organiser.delete(f"/players/{token}").status_code == 200
    assert token in [player.display for player in registry.all_players(engine)]
    assert "First" not in [player.display for player in registry.all_players(engine)]


@pytest.fixture
def tables(referee: FakeReferee) -> Iterator[None]:
    """Let the referee have two tables and a room, which nobody can be assigned to."""
    before = referee.answer
    rows = [
        TableRow("main", "hand", number="1"),
        TableRow("Final Table", "closed", number="2"),
        TableRow("room-zz", "hand", kind="room"),
    ]
    referee.answer = {"ok": True, "tables": rows}
    yield
    referee.answer = before


@pytest.mark.parametrize("table", [2, "2", "Final Table", " final table "])
def test_a_table_is_meant_by_its_number_or_its_name(
    organiser: httpx.Client, engine: Engine, tables: None, table: str | int
) -> None:
    display = f"Assigned to {table!r}"
    name = organiser.post("/players", json={"display": display}).json()["private_name"]
    token = token_of(name)
    answer = organiser.post(f"/players/{token}/assign", json={"table": table})
    assert answer.json() == {"text": f"{display} plays at table 2"}
    player = registry.find(engine, token)
    assert player is not None
    assert player.table == "2"
    added = organiser.post("/players", json={"display": f"{display}, too", "table": table})
    assert added.json()["table"] == "2"
    listed = organiser.post("/players/import", json={"csv": f"{display} in a list,{table}\n"})
    assert [one["table"] for one in listed.json()["items"]] == ["2"]


@pytest.mark.parametrize("table", ["99", "room-zz", ""])
def test_a_table_that_the_referee_does_not_have_is_refused_in_a_sentence(
    organiser: httpx.Client, engine: Engine, tables: None, table: str
) -> None:
    display = f"Nowhere {table}"
    wanted = f"there is no table '{table}'; there are 1 (main), 2 (Final Table)"
    refused = organiser.post("/players", json={"display": display, "table": table})
    assert (refused.status_code, refused.json()["error"]) == (409, wanted)
    listed = organiser.post("/players/import", json={"csv": f"{display},1\nx,{table}\n"})
    assert (listed.status_code, listed.json()["error"]) == (409, f"line 2: {wanted}")
    name = organiser.post("/players", json={"display": display}).json()["private_name"]
    moved = organiser.post(f"/players/{token_of(name)}/assign", json={"table": table})
    assert (moved.status_code, moved.json()["error"]) == (409, wanted)
    player = registry.find(engine, token_of(name))
    assert player is not None
    assert player.table == "1"


@pytest.mark.parametrize("command", ["start", "pause", "resume", "end"])
def test_acts_at_a_table_go_to_the_referee(
    organiser: httpx.Client, referee: FakeReferee, command: str
) -> None:
    answer = organiser.post(f"/tables/final%20table/{command}")
    assert answer.json() == {"text": "done so"}
    assert referee.asked[-1] == {
        "command": command,
        "table": "final table",
        "player": "",
        "actor": "web",
        "beacon": "",
    }


def test_a_player_is_withdrawn_by_name(organiser: httpx.Client, referee: FakeReferee) -> None:
    assert organiser.post("/tables/main/withdraw", json={"player": "kobe"}).status_code == 200
    assert referee.asked[-1]["player"] == "kobe"
    assert organiser.post("/tables/main/withdraw", json={}).status_code == 400


def test_what_the_referee_refuses_is_said(organiser: httpx.Client, referee: FakeReferee) -> None:
    before = referee.answer
    referee.answer = {"ok": False, "error": "main has started already"}
    answer = organiser.post("/tables/main/start")
    referee.answer = before
    assert answer.status_code == 409
    assert answer.json() == {"error": "main has started already"}


def test_an_organiser_sees_the_tables(organiser: httpx.Client, referee: FakeReferee) -> None:
    before = referee.answer
    row = TableRow(
        "main", "hand", rules="plain", players=[PlayerRow("a", "house", 5, True, "")], number="1"
    )
    referee.answer = {"ok": True, "tables": [row]}
    state = organiser.get("/state").json()
    referee.answer = before
    assert state["logged_in"]
    assert msgspec.convert(state["tables"], list[TableRow]) == [row]


def test_without_a_referee_there_is_nothing_to_direct(tmp_path: Path) -> None:
    with SiteProcess(None, admin_token=TOKEN, control=str(tmp_path / "gone.sock")) as site:
        place = "/api/v1/admin"
        login = site.client.post(f"{place}/login", json={"token": TOKEN}, headers=SENT)
        assert login.status_code == 200
        acted = site.client.post(f"{place}/tables/main/start", headers=SENT)
        assert acted.status_code == 503
        assert site.client.get(f"{place}/state").json()["tables"] == []
        added = site.client.post(f"{place}/players", json={"display": "x"}, headers=SENT)
        assert added.status_code == 409
