"""The API for the record: matches, rankings, charts, hands, downloads, players."""

import csv
import io

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from croupier.history.formats import FORMATS, formats_of
from croupier.history.phh import NoSuchVariantError
from croupier.results import unit_of
from croupier.store.openings import page as openings_page
from croupier.store.queries import MatchRow
from croupier.web.archive.careers import careers
from croupier.web.archive.downloads import as_file
from croupier.web.archive.records import ENDED, RUNNING, last_number
from croupier.web.archive.replay import replay
from croupier.web.archive.schemas import (
    CareerPage,
    Chart,
    HandPage,
    MatchDetail,
    MatchPage,
    Opening,
    OpeningPage,
    Replay,
    Result,
    RulesList,
)
from croupier.web.http.answers import reply
from croupier.web.http.endpoints import Endpoint, Parameter
from croupier.web.http.origin import visitor_of
from croupier.web.http.parameters import PAGING, BadParameterError, Paging, choice, text_of
from croupier.web.site import Site, site_of

BY_NUMBER = "number"
BY_POT = "pot"

CSV_TYPE = "text/csv"

_RISKY = ("=", "+", "-", "@", "\t", "\r")
"""Characters that make a spreadsheet interpret a cell as a formula."""


async def matches(request: Request) -> Response:
    """List the matches."""
    site, query = site_of(request), request.query_params
    paging = Paging.of(query)
    rules, player = text_of(query, "rules"), text_of(query, "player")
    status = choice(query, "status", (RUNNING, ENDED), "")
    arena = text_of(query, "arena")
    ids, total = await site.in_thread(site.records.page, rules, player, status, arena, paging)
    items = await site.in_thread(site.records.summaries, ids)
    return reply(MatchPage(items, paging.page, paging.pages(total), total))


async def match(request: Request) -> Response:
    """Return a match with its ranking."""
    site = site_of(request)
    found = await _match(request)
    return reply(
        MatchDetail(
            match=await site.in_thread(site.records.summary, found),
            ranking=await site.in_thread(_ranking, site, found),
            unit=unit_of(found),
            commitment=found.commitment,
            secret=found.secret,
            seed=None if found.seed is None else found.seed.hex(),
            salt=None if found.salt is None else found.salt.hex(),
            formats=formats_of(found),
            **found.deals,
        )
    )


async def openings(request: Request) -> Response:
    """List the openings of prepared tables."""
    site, paging = site_of(request), Paging.of(request.query_params)
    table = text_of(request.query_params, "table")
    arena = text_of(request.query_params, "arena") or (site.records.arena if table else None)
    rows, total = await site.in_thread(
        openings_page, site.engine, arena, table, paging.offset, paging.per_page
    )
    items = [Opening(**row.public) for row in rows]
    return reply(OpeningPage(items, paging.page, paging.pages(total), total))


async def chips(request: Request) -> Response:
    """Return the chart of all players' chips."""
    site = site_of(request)
    return reply(await site.in_thread(site.records.chart, await _match(request)))


async def hands(request: Request) -> Response:
    """List the hands of a match."""
    site, query = site_of(request), request.query_params
    paging = Paging.of(query)
    by_pot = choice(query, "order", (BY_NUMBER, BY_POT), BY_NUMBER) == BY_POT
    found = await _match(request)

    def page() -> HandPage:
        digest = site.digests.of(found)
        items, total = digest.hands(paging.offset, paging.per_page, by_pot=by_pot)
        return HandPage(items, paging.page, paging.pages(total), total)

    return reply(await site.in_thread(page))


async def hand(request: Request) -> Response:
    """Return the replay of a hand."""
    site = site_of(request)
    text = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and 0 < len(text) <= 12):
        raise BadParameterError("a hand has a whole number")

    def steps() -> Replay:
        found, row = site.records.hand(request.path_params["match"], int(text))
        before = site.records.books_after(found.id, row.number - 1)
        return replay(found, row, before)

    return reply(await site.in_thread(steps))


async def export(request: Request) -> Response:
    """Stream a match in one of the formats of an export."""
    site = site_of(request)
    found = await _match(request)
    hands = site.records.hands(found)
    chosen = FORMATS[request.url.path.rpartition(".")[2]]
    try:
        chosen.check(found)
    except NoSuchVariantError as error:
        raise HTTPException(404, str(error)) from None
    name = f"{found.id}.{chosen.suffix}"
    parts, address = chosen.write(found, hands), visitor_of(request, site.settings.proxies)
    return await site.downloads.start(parts, name, chosen.media_type, address)


async def table_of_results(request: Request) -> Response:
    """Return the ranking as CSV."""
    site = site_of(request)
    found = await _match(request)
    text = _csv(await site.in_thread(_ranking, site, found))
    return Response(text, media_type=CSV_TYPE, headers=as_file(f"{found.id}.csv"))


async def players(request: Request) -> Response:
    """List all players with their careers."""
    site = site_of(request)
    query = request.query_params
    paging = Paging.of(query)
    found = await site.in_thread(careers, site.engine, text_of(query, "rules"))
    return reply(CareerPage(paging.cut(found), paging.page, paging.pages(len(found)), len(found)))


async def rules(request: Request) -> Response:
    """List the rules of the matches on record."""
    site = site_of(request)
    return reply(RulesList(await site.in_thread(site.records.rules)))


async def _match(request: Request) -> MatchRow:
    site = site_of(request)
    return await site.in_thread(site.records.match, request.path_params["match"])


def _ranking(site: Site, match: MatchRow) -> list[Result]:
    if not last_number(match):
        return []
    return site.digests.of(match).ranking(match)


def _csv(ranking: list[Result]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = ["player" if field == "name" else field for field in Result.__struct_fields__]
    writer.writerow(columns)
    for line in ranking:
        values = [getattr(line, field) for field in Result.__struct_fields__]
        writer.writerow([_cell(value) for value in values])
    return text.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, dict):
        return _cell("; ".join(f"{cause}: {count}" for cause, count in value.items()))
    if isinstance(value, str) and value.startswith(_RISKY):
        return "'" + value
    return value


_MATCH = "/matches/{match}"

ENDPOINTS = (
    Endpoint(
        "get",
        "/matches",
        matches,
        "Matches, the newest first",
        MatchPage,
        (
            Parameter.text("rules", "only matches with these rules"),
            Parameter.text("player", "only matches of this player"),
            Parameter.choice("status", "only running or only ended matches", RUNNING, ENDED),
            Parameter.text("arena", "only matches of this arena"),
            *PAGING,
        ),
        failures=(400,),
    ),
    Endpoint(
        "get",
        "/openings",
        openings,
        "What the server was bound to each time that a table opened",
        OpeningPage,
        (
            Parameter.text("table", "only openings of this table, of this site's arena"),
            Parameter.text("arena", "only openings of this arena"),
            *PAGING,
        ),
        failures=(400,),
    ),
    Endpoint("get", _MATCH, match, "A match with its ranking", MatchDetail, failures=(404,)),
    Endpoint("get", f"{_MATCH}/chips", chips, "Chips over hands", Chart, failures=(404,)),
    Endpoint(
        "get",
        f"{_MATCH}/hands",
        hands,
        "The hands of a match",
        HandPage,
        (
            Parameter.choice("order", "by number, or the biggest pots first", BY_NUMBER, BY_POT),
            *PAGING,
        ),
        failures=(400, 404),
    ),
    Endpoint(
        "get",
        f"{_MATCH}/hands/{{number}}",
        hand,
        "A hand step by step",
        Replay,
        failures=(400, 404),
    ),
    *(
        Endpoint(
            "get",
            f"{_MATCH}/export.{one.name}",
            export,
            f"All hands: {one.about}",
            one.media_type.partition(";")[0],
            failures=(404, 503),
        )
        for one in FORMATS.values()
    ),
    Endpoint(
        "get", f"{_MATCH}/results.csv", table_of_results, "The ranking", CSV_TYPE, failures=(404,)
    ),
    Endpoint("get", "/rules", rules, "The rules of the matches on record", RulesList),
    Endpoint(
        "get",
        "/players",
        players,
        "Who has played, in which game",
        CareerPage,
        (Parameter.text("rules", "only this game"), *PAGING),
        failures=(400,),
    ),
)
"""Below /api/v1, without a login."""
