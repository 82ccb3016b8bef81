"""The API as a whole: described truly, and never at a loss."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.rules.sets import HUAWEI, KUHN, PLAIN
from croupier.server.arena.programs import program_name
from croupier.store import contests
from croupier.store.schema import open_store
from croupier.web.http.app import ENDPOINTS
from croupier.web.http.endpoints import Endpoint
from croupier.web.http.headers import HEADERS
from tests.store.recorded import Trouble, record_match
from tests.support.contests import CUP, ContestFolder, house_teams, stage
from tests.web.siting import SiteProcess, Teller, wait_for

TOKEN = "token"
SENT = {"X-Croupier": "1"}
OPERATIONS = [one for one in ENDPOINTS if isinstance(one, Endpoint)]
MIX = ["RuleAgent", "RandomAgent", "CallAgent", "AllinAgent"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteProcess]:
    path = tmp_path_factory.mktemp("api") / "api.db"
    trouble = Trouble(late=20, nonsense=20, gone=10)
    record_match(path, replace(HUAWEI, hands=10), MIX, "one", trouble, match_id="h")
    record_match(path, replace(PLAIN, hands=10), MIX, "two", match_id="r", hands=3)
    record_match(path, KUHN, MIX[:2], "three", match_id="k")
    text = CUP.replace("cup.db", str(path)) + house_teams(4)
    text += stage("groups", 4, "groups = 2\nadvance = 1") + stage("knockout", 4)
    ContestFolder(path.parent, text).play(5)
    engine = open_store(str(path))
    contests.put_keys(engine, 1, [("A", "", TOKEN, "")])
    for one in contests.results(engine, 1):
        (path.parent / f"{program_name(str(one.result.name), 'A')}.log").write_text("said")
    engine.dispose()
    files = {"title": "Cup", "output": str(path.parent)}
    with SiteProcess(path, feed=True, admin_token=TOKEN, contest=files) as site:
        Teller(site, "main", "live", PLAIN, ["a", "b"]).open()
        wait_for(site, "/tables", lambda one: one["total"] == 1)
        yield site


@pytest.fixture(scope="module")
def organiser(site: SiteProcess) -> SiteProcess:
    """Return the site with its client logged in, as organiser and as a team."""
    answer = site.client.post("/api/v1/admin/login", json={"token": TOKEN}, headers=SENT)
    assert answer.status_code == 200
    login = {"contest": 1, "team": "A", "key": TOKEN}
    assert site.client.post("/api/v1/team/login", json=login, headers=SENT).status_code == 200
    return site


def test_the_served_description_names_every_endpoint_and_no_other(site: SiteProcess) -> None:
    paths = site.get("/openapi.json")["paths"]
    told = {(path, method) for path, methods in paths.items() for method in methods}
    assert told == {
        (one.public_path, one.method if isinstance(one, Endpoint) else "get") for one in ENDPOINTS
    }
    assert ("/tables/{table}/live", "get") in told
    assert ("/admin/tables/{table}/withdraw", "post") in told


def fits(value: Any, schema: dict[str, Any], components: dict[str, Any], where: str = "") -> None:
    """Check a value against a schema, as far as our description goes."""
    if "$ref" in schema:
        return fits(value, components[schema["$ref"].rpartition("/")[2]], components, where)
    if "anyOf" in schema:
        problems = []
        for one in schema["anyOf"]:
            try:
                return fits(value, one, components, where)
            except AssertionError as problem:
                problems.append(str(problem))
        raise AssertionError(f"{where}: {problems}")
    if "enum" in schema:
        assert value in schema["enum"], (where, value)
    kinds: dict[str, Any] = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
        "null": type(None),
    }
    if "type" in schema:
        assert isinstance(value, kinds[schema["type"]]), (where, value, schema)
        assert not (schema["type"] in ("integer", "number") and isinstance(value, bool)), where
    if isinstance(value, dict) and "properties" in schema:
        assert set(value) <= set(schema["properties"]), (where, set(value))
        assert set(schema.get("required", ())) <= set(value), (where, set(value))
        for key, inner in value.items():
            fits(inner, schema["properties"][key], components, f"{where}.{key}")
    elif isinstance(value, dict) and isinstance(schema.get("additionalProperties"), dict):
        for key, inner in value.items():
            fits(inner, schema["additionalProperties"], components, f"{where}.{key}")
    if isinstance(value, list) and "items" in schema:
        for inner in value:
            fits(inner, schema["items"], components, f"{where}[]")
    return None


GETS = [operation for operation in OPERATIONS if operation.method == "get"]


@pytest.mark.parametrize("operation", GETS, ids=lambda operation: operation.public_path)
def test_answers_are_as_described(organiser: SiteProcess, operation: Any) -> None:
    description = organiser.get("/openapi.json")
    schema = description["paths"][operation.public_path]["get"]["responses"]["200"]["content"]
    own = organiser.get("/team/matches")["items"]
    queries = {
        "/team/state": "?contest=1&team=A",
        "/team/file": f"?match={next(one['name'] for one in own if one['output'])}",
        "/tools/rank": "?cards=AsKsQsJsTs2c3d",
        "/tools/equity": "?hands=AsKd,QhQs&board=2c3d4h",
    }
    for match_id in ("h", "r", "k"):
        path = operation.public_path.replace("{match}", match_id).replace("{number}", "2")
        path = path.replace("{contest}", "1").replace("{team}", "A")
        path = path.replace("{stage}", "groups").replace("{table}", "main")
        path += queries.get(operation.public_path, "")
        answer = organiser.client.get("/api/v1" + path)
        if path.endswith(("k/export.phh", "k/export.pokerstars", "k/export.ohh")):
            continue
        if path.endswith("/export.acpc"):  # none of these games has a definition
            assert answer.status_code == 404
            assert "export it as jsonl" in answer.text
            continue
        assert answer.status_code == 200
        (media,) = schema
        assert answer.headers["content-type"].split(";")[0] == media
        if media == "application/json":
            fits(answer.json(), schema[media]["schema"], description["components"]["schemas"])


@pytest.mark.parametrize("match", ["h", "r", "k"])
def test_a_match_names_the_exports_that_there_are_of_it(site: SiteProcess, match: str) -> None:
    named = set(site.get(f"/matches/{match}")["formats"])
    assert "jsonl" in named
    known = {
        one.public_path.rpartition("export.")[2] for one in OPERATIONS if "export." in one.path
    }
    there = {
        name
        for name in known
        if site.client.get(f"/api/v1/matches/{match}/export.{name}").status_code == 200
    }
    assert named == there


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: f"{one.method} {one.public_path}")
def test_every_answer_has_the_headers_and_failures_a_sentence(
    site: SiteProcess, operation: Any
) -> None:
    path = re.sub(r"\{.*?\}", "nobody", operation.public_path)
    answer = site.client.request(operation.method, "/api/v1" + path)
    for name, value in HEADERS:
        assert answer.headers[name.decode()] == value.decode()
    if answer.status_code != 200:
        assert answer.status_code in operation.failures
        assert set(answer.json()) == {"error"}
        assert answer.json()["error"]


HOSTILE = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "h",
            "r",
            "k",
            "main",
            "last",
            "-1",
            "0",
            "2",
            "1e9",
            "9" * 30,
            "٣",
            "..",
            "%00",
            "\x00",
            "\ud7ff",
        ]
    ),
    st.integers(-10, 10**20).map(str),
)
NAMES = [
    "page",
    "per_page",
    "rules",
    "player",
    "status",
    "order",
    "after",
    "cards",
    "hands",
    "board",
]
BODIES = st.one_of(
    st.binary(max_size=60),
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
        lambda inner: st.dictionaries(
            st.sampled_from(["display", "table", "private_name", "csv", "player", "token"]), inner
        ),
    ).map(lambda value: json.dumps(value).encode()),
)


@given(
    operation=st.sampled_from(OPERATIONS),
    parts=st.lists(HOSTILE, min_size=3, max_size=3),
    query=st.dictionaries(st.sampled_from(NAMES), HOSTILE, max_size=4),
    body=BODIES,
    kind=st.sampled_from(["application/json", "text/csv", "x"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_request_makes_it_fail(
    organiser: SiteProcess,
    operation: Any,
    parts: list[str],
    query: dict[str, str],
    body: bytes,
    kind: str,
) -> None:
    if operation.public_path in ("/admin/login", "/admin/logout"):
        return
    rest = iter(parts)
    path = re.sub(r"\{.*?\}", lambda _: quote(next(rest), safe="") or "x", operation.public_path)
    tail = "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items())
    headers = {"X-Croupier": "1", "content-type": kind}
    answer = organiser.client.request(
        operation.method, f"/api/v1{path}?{tail}", content=body, headers=headers
    )
    assert answer.status_code < 500, (path, tail, answer.text)
    if answer.status_code >= 400 and answer.status_code != 405:
        assert set(answer.json()) == {"error"}


@given(path=st.lists(HOSTILE, max_size=4), query=HOSTILE)
def test_no_address_makes_a_page_fail(path: list[str], query: str, site: SiteProcess) -> None:
    address = "/" + "/".join(quote(part, safe="") for part in path)
    answer = site.client.get(
        f"{site.url}{address}?screen={quote(query, safe='')}", follow_redirects=True
    )
    assert answer.status_code in (200, 400, 404)
    for name, value in HEADERS:
        assert answer.headers[name.decode()] == value.decode()


def test_too_long_a_body_is_refused(organiser: SiteProcess) -> None:
    answer = organiser.client.post("/api/v1/admin/players", content=b"x" * (2 << 20), headers=SENT)
    assert answer.status_code == 413


@pytest.mark.parametrize("spelled", ["As Kd 10h Jc Qs", "AsKd10hJcQs", "AsKdThJcQs"])
def test_a_ten_may_be_written_with_two_digits(organiser: SiteProcess, spelled: str) -> None:
    ranked = organiser.get(f"/tools/rank?cards={quote(spelled)}")
    assert ranked["cards"] == ["As", "Kd", "Th", "Jc", "Qs"]
    assert ranked["category"] == "straight"
    hands = organiser.get("/tools/equity?hands=10s10d,AhKh&board=10c2s3d")["players"]
    assert hands[0]["cards"] == ["Ts", "Td"]


def test_too_many_hands_are_refused_and_not_cut_off(organiser: SiteProcess) -> None:
    answer = organiser.client.get(f"{organiser.url}/api/v1/tools/equity?hands={'AsKd,' * 21}QhQs")
    assert answer.status_code == 400
    assert "too many" in answer.text
