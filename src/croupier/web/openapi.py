"""The description of the API, made from the types that it answers with.

`OPERATIONS` names every route; a test compares it with the routes that there are.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from croupier import __version__
from croupier.web import admin_shapes as a
from croupier.web import scene_shapes as sc
from croupier.web import shapes as s
from croupier.web.answers import JSON

Parameter = tuple[str, str, dict[str, Any]]
"""Its name, what it means, and its schema."""

PAGING: tuple[Parameter, ...] = (
    ("page", "which page, from 1", {"type": "integer", "minimum": 1}),
    ("per_page", "items of a page", {"type": "integer", "minimum": 1, "maximum": 200}),
)
_TEXT: dict[str, Any] = {"type": "string"}
_CARDS = "cards such as AsKd, in a row"


@dataclass(frozen=True)
class Operation:
    """One route and one method."""

    method: str
    path: str
    summary: str
    answer: type[msgspec.Struct] | str
    """A type, or the media type of a text."""
    query: tuple[Parameter, ...] = ()
    body: type[msgspec.Struct] | None = None
    status: int = 200
    failures: tuple[int, ...] = ()


def _choice(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": [*words, ""]}


_TABLE = "/tables/{table}"
_MATCH = "/matches/{match}"
_PLAYER = "/admin/players/{token}"
_DESK = "/admin/tables/{table}"
_FILTER: tuple[Parameter, ...] = (
    ("rules", "only matches of these rules", _TEXT),
    ("player", "only matches of this player", _TEXT),
    ("status", "only matches that run, or have ended", _choice("running", "ended")),
)
_ACT = (401, 403, 409, 503)
_REGISTRY = (400, 401, 403, 409)

OPERATIONS = (
    Operation("get", "/openapi.json", "This description", JSON),
    Operation("get", "/status", "What is on, who leads, where to connect", s.SiteStatus),
    Operation("get", "/tables", "The live tables", sc.TablePage, PAGING, failures=(400,)),
    Operation("get", _TABLE, "A table now, with its log", sc.TableDetail, failures=(404,)),
    Operation("get", "/players", "Who has played", s.CareerPage, PAGING, failures=(400,)),
    Operation(
        "get",
        "/matches",
        "Matches, the newest first",
        s.MatchPage,
        _FILTER + PAGING,
        failures=(400,),
    ),
    Operation("get", _MATCH, "A match with its ranking", s.MatchDetail, failures=(404,)),
    Operation("get", f"{_MATCH}/chips", "Chips over hands", s.Chart, failures=(404,)),
    Operation(
        "get",
        f"{_MATCH}/hands",
        "The hands of a match",
        s.HandPage,
        (("order", "by number, or the biggest pots first", _choice("number", "pot")), *PAGING),
        failures=(400, 404),
    ),
    Operation(
        "get", f"{_MATCH}/hands/{{number}}", "A hand step by step", s.Replay, failures=(400, 404)
    ),
    Operation(
        "get", f"{_MATCH}/export.phh", "All hands as PHH", "application/toml", failures=(404,)
    ),
    Operation(
        "get", f"{_MATCH}/export.jsonl", "All events as lines", "application/jsonl", failures=(404,)
    ),
    Operation("get", f"{_MATCH}/results.csv", "The ranking", "text/csv", failures=(404,)),
    Operation(
        "get",
        "/tools/rank",
        "What five to seven cards are worth",
        s.Ranked,
        (("cards", _CARDS, _TEXT),),
        failures=(400,),
    ),
    Operation(
        "get",
        "/tools/equity",
        "What hands can expect against each other",
        s.EquityAnswer,
        (
            ("hands", f"two to ten hands with commas between: {_CARDS}", _TEXT),
            ("board", _CARDS, _TEXT),
        ),
        failures=(400,),
    ),
    Operation(
        "post",
        "/admin/login",
        "Begin a session",
        a.AdminState,
        body=a.Login,
        failures=(400, 403, 413, 429),
    ),
    Operation("post", "/admin/logout", "End the session", a.AdminState, failures=(403,)),
    Operation("get", "/admin/state", "Whether one is logged in, and what goes on", a.AdminState),
    Operation("get", "/admin/players", "The registry", a.RegistryPage, PAGING, failures=(400, 401)),
    Operation(
        "post",
        "/admin/players",
        "Add a player",
        a.Added,
        body=a.NewPlayer,
        status=201,
        failures=(*_REGISTRY, 413),
    ),
    Operation(
        "post",
        "/admin/players/import",
        "Add a list of players; as text/csv too",
        a.AddedList,
        body=a.PlayerList,
        status=201,
        failures=(*_REGISTRY, 413),
    ),
    Operation(
        "post", f"{_PLAYER}/reset", "Draw a new private name", a.Added, failures=(*_REGISTRY, 404)
    ),
    Operation(
        "post",
        f"{_PLAYER}/assign",
        "Move a player to a table",
        s.Done,
        body=a.Assignment,
        failures=(*_REGISTRY, 404, 413),
    ),
    Operation("delete", _PLAYER, "Remove a player", s.Done, failures=(*_REGISTRY, 404)),
    Operation("post", f"{_DESK}/start", "Start the match", s.Done, failures=_ACT),
    Operation("post", f"{_DESK}/pause", "Pause after this hand", s.Done, failures=_ACT),
    Operation("post", f"{_DESK}/resume", "Go on after a pause", s.Done, failures=_ACT),
    Operation("post", f"{_DESK}/end", "End the match", s.Done, failures=_ACT),
    Operation(
        "post",
        f"{_DESK}/withdraw",
        "Take a player out of the match",
        s.Done,
        body=a.Withdrawal,
        failures=(*_ACT, 400, 413),
    ),
)

LIVE = (
    "A WebSocket. Messages are {type: scene, seq, scene, lines} with the lines since the last"
    " message, and {type: closed} when the table is gone. With after=SEQ the first message has all"
    " lines after that number, and gap: true if some of them are no longer known."
)


def describe() -> dict[str, Any]:
    """Return the description."""
    types: list[Any] = [s.Problem]
    for operation in OPERATIONS:
        types += [part for part in (operation.answer, operation.body) if isinstance(part, type)]
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    refs = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _described(operation, refs)
    paths[f"{_TABLE}/live"] = {
        "get": {
            "summary": "Watch a table",
            "description": LIVE,
            "parameters": [
                *_path_parameters(_TABLE),
                _parameter(
                    ("after", "the last number that is known", {"type": "integer"}), "query"
                ),
            ],
            "responses": {"101": {"description": "the WebSocket opens"}},
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Croupier", "version": __version__},
        "servers": [{"url": "/api/v1"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": "croupier_session"}
            },
        },
    }


def _described(operation: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    answer = operation.answer
    if isinstance(answer, type):
        content = {JSON: {"schema": refs[answer]}}
    else:
        content = {answer: {"schema": {"type": "object" if answer == JSON else "string"}}}
    parameters = _path_parameters(operation.path)
    parameters += [_parameter(one, "query") for one in operation.query]
    responses: dict[str, Any] = {str(operation.status): {"description": "ok", "content": content}}
    for status in operation.failures:
        problem = {JSON: {"schema": refs[s.Problem]}}
        responses[str(status)] = {"description": "a sentence says why", "content": problem}
    described = {"summary": operation.summary, "parameters": parameters, "responses": responses}
    if operation.path.startswith("/admin/") and operation.method != "get":
        header = {"type": "string", "enum": ["1"]}
        parameters.append(
            _parameter(("X-Croupier", "guards against other sites", header), "header")
            | {"required": True}
        )
    if operation.path.startswith("/admin/") and 401 in operation.failures:
        described["security"] = [{"session": []}]
    if operation.body is not None:
        body = {JSON: {"schema": refs[operation.body]}}
        described["requestBody"] = {"required": True, "content": body}
    return described


def _path_parameters(path: str) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [_parameter((name, "", _TEXT), "path") | {"required": True} for name in names]


def _parameter(parameter: Parameter, where: str) -> dict[str, Any]:
    name, meaning, schema = parameter
    return {"name": name, "in": where, "description": meaning, "schema": schema}


DESCRIPTION = msgspec.json.encode(describe())
