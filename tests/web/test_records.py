"""Matches on the site: what the API says is what the store has."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pokerkit import HandHistory
from sqlalchemy import Engine

from croupier.history.text import summary
from croupier.results import results
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, TREND
from croupier.store import queries
from croupier.store.queries import PlayerRecord
from croupier.store.schema import open_store
from croupier.web.archive.records import dialects_of, names_of
from tests.history.wild import match_row
from tests.store.recorded import NONSENSE, Trouble, record_match
from tests.web.siting import SiteProcess

TROUBLE = Trouble(late=20, nonsense=20, gone=10)
CAUSES = {"late", "absent", *NONSENSE}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "records.db"
    mix = ["RuleAgent", "RandomAgent", "CallAgent", "AllinAgent"]
    record_match(path, replace(HUAWEI, hands=30), mix, "one", TROUBLE, match_id="h", began=1000)
    record_match(path, replace(TREND, hands=20), mix, "two", TROUBLE, match_id="t", began=2000)
    record_match(path, replace(PLAIN, hands=700), mix[:2], "three", match_id="p", began=3000)
    record_match(path, KUHN, ["RandomAgent", "RuleAgent"], "four", match_id="k", began=4000)
    record_match(path, replace(PLAIN, hands=9), mix, "five", match_id="r", began=5000, hands=4)
    return path


@pytest.fixture(scope="module")
def engine(store: Path) -> Iterator[Engine]:
    engine = open_store(str(store))
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def site(store: Path) -> Iterator[SiteProcess]:
    with SiteProcess(store) as site:
        yield site


def test_matches_are_listed_newest_first_and_filtered(site: SiteProcess) -> None:
    def ids(query: str) -> list[str]:
        return [one["match"] for one in site.get(f"/matches{query}")["items"]]

    assert ids("") == ["r", "k", "p", "t", "h"]
    assert ids("?rules=plain") == ["r", "p"]
    assert ids("?status=running") == ["r"]
    assert ids("?status=ended&rules=plain") == ["p"]
    assert ids("?player=AllinAgent-3") == ["r", "t", "h"]
    assert ids("?player=nobody") == []
    assert ids("?per_page=2&page=2") == ["p", "t"]
    page = site.get("/matches?per_page=2&page=9")
    assert page == {"items": [], "page": 9, "pages": 3, "total": 5}


@pytest.mark.parametrize("match_id", ["h", "t", "p", "k", "r"])
def test_the_ranking_is_that_of_the_results(
    site: SiteProcess, engine: Engine, match_id: str
) -> None:
    found = site.get(f"/matches/{match_id}")
    expected = results(engine, match_id)
    assert [
        (one["rank"], one["name"], one["chips"], one["hands"], one["timeouts"])
        for one in found["ranking"]
    ] == [(one.rank, one.name, one.chips, one.hands, one.timeouts) for one in expected.players]
    for shown, exact in zip(found["ranking"], expected.players, strict=True):
        assert shown["bb_per_100"] == round(exact.bb_per_100, 3)
        assert shown["ci95"] == (None if exact.ci95 is None else round(exact.ci95, 3))
        assert shown["faults"] == exact.faults
        assert set(shown["faults"]) <= CAUSES
    assert found["commitment"] == expected.match.commitment
    assert (found["seed"] is None) == (match_id == "r")
    assert found["match"]["winners"] == ([] if match_id == "r" else expected.match.winners)


def test_hands_are_listed_in_order_and_by_pot(site: SiteProcess, engine: Engine) -> None:
    names = queries.match(engine, "h").names
    expected = []
    for row in queries.all_hands(engine, "h"):
        short = summary(row.events, names)
        expected.append((row.number, short.pot, short.winners))
    found = site.get("/matches/h/hands?per_page=200")["items"]
    assert [(one["hand"], one["pot"]) for one in found] == [(n, pot) for n, pot, _ in expected]
    assert [sorted(one["winners"]) for one in found] == [sorted(w) for *_, w in expected]
    by_pot = site.get("/matches/h/hands?order=pot&per_page=5&page=2")
    ordered = sorted(expected, key=lambda one: -one[1])
    assert [one["pot"] for one in by_pot["items"]] == [pot for _, pot, _ in ordered[5:10]]
    assert by_pot["total"] == len(expected)


def test_a_chart_has_at_most_500_points_first_and_last_among_them(
    site: SiteProcess, engine: Engine
) -> None:
    chart = site.get("/matches/p/chips")
    assert len(chart["hands"]) == 500
    assert (chart["hands"][0], chart["hands"][-1]) == (1, 700)
    for player, curve in enumerate(chart["players"]):
        for number, chips in list(zip(chart["hands"], curve["chips"], strict=True))[::100]:
            state = queries.hand(engine, "p", number).state
            assert chips == state.players[player].chips


def test_a_hand_knows_its_neighbours(site: SiteProcess) -> None:
    first = site.get("/matches/t/hands/1")
    assert (first["previous"], first["next"]) == (None, 2)
    assert site.client.get("/api/v1/matches/t/hands/9999").status_code == 404
    assert site.client.get("/api/v1/matches/t/hands/0").status_code == 404
    assert site.client.get("/api/v1/matches/t/hands/x").status_code == 400


def test_downloads_are_whole(site: SiteProcess, engine: Engine) -> None:
    match = queries.match(engine, "p")
    text = site.client.get("/api/v1/matches/p/export.jsonl").text
    rows = [json.loads(line) for line in text.splitlines()]
    assert rows[0]["line"] == "match"
    assert [row["hand"] for row in rows if row["line"] == "hand"] == list(range(1, 701))
    answer = site.client.get("/api/v1/matches/h/export.phh")
    assert 'filename="h.phhs"' in answer.headers["content-disposition"]
    histories = list(HandHistory.load_all(io.BytesIO(answer.content)))
    assert len(histories) == queries.match(engine, "h").hands
    table = list(csv.reader(io.StringIO(site.client.get("/api/v1/matches/p/results.csv").text)))
    assert table[0][:5] == ["rank", "player", "dialect", "chips", "hands"]
    assert [row[1] for row in table[1:]] == [line.name for line in match.standings]


def test_phh_has_no_kuhn_poker(site: SiteProcess) -> None:
    answer = site.client.get("/api/v1/matches/k/export.phh")
    assert answer.status_code == 404
    assert "jsonl" in answer.json()["error"]


def test_players_have_their_wins_over_ended_matches(site: SiteProcess, engine: Engine) -> None:
    ended = [match for match in queries.matches(engine) if match.ended is not None]
    items = site.get("/players")["items"]
    for one in items:
        mine = [
            match
            for match in ended
            if one["name"] in match.names and match.rules_name == one["rules"]
        ]
        assert one["matches"] == len(mine)
        assert one["wins"] == sum(one["name"] in match.winners for match in mine)
        lines = [line for match in mine for line in match.standings if line.name == one["name"]]
        assert one["hands"] == sum(line.hands for line in lines)
    assert sum(one["matches"] for one in items) == sum(len(match.players) for match in ended)
    leaders = site.get("/status")["leaders"]
    for game in {one["rules"] for one in leaders}:
        first = [one for one in items if one["rules"] == game][:5]
        assert [one for one in leaders if one["rules"] == game] == first


def test_a_player_who_only_won_once_has_the_rate_of_that_match(
    site: SiteProcess, engine: Engine
) -> None:
    (career,) = [one for one in site.get("/players")["items"] if one["name"] == "RandomAgent-0"]
    found = next(line for line in results(engine, "k").players if line.name == "RandomAgent-0")
    assert career["bb_per_100"] == round(found.bb_per_100, 3)


def test_the_tools_calculate(site: SiteProcess) -> None:
    ranked = site.get("/tools/rank?cards=AsKsQsJsTs2c3d")
    assert ranked["category"] == "straight flush"
    assert ranked["best"] == ["As", "Ks", "Qs", "Js", "Ts"]
    assert ranked["huawei"] == "STRAIGHT_FLUSH"
    assert ranked["trend"] == {"rank": 302, "message": "Royal Flush"}
    assert site.get("/tools/rank?cards=AsKsQsJsTs")["trend"] is None
    chances = site.get("/tools/equity?hands=AsKd,QhQs&board=Ts9h2c")
    assert chances["exact"] is True
    assert sum(one["equity"] for one in chances["players"]) == pytest.approx(1, abs=1e-5)
    for bad in (
        "rank?cards=As",
        "rank?cards=AsAsKsQsJs",
        "equity?hands=AsKd",
        "equity?hands=AsKd,As2c",
    ):
        assert site.client.get(f"/api/v1/tools/{bad}").status_code == 400


def test_teams_of_a_contest_have_their_own_names_and_their_classes_no_protocol() -> None:
    players = (
        PlayerRecord("Ada", "house", pid="9001"),
        PlayerRecord("Bob", "house", pid="9002", bot="CallAgent"),
        PlayerRecord("Cid", "huawei", pid="1001"),
    )
    match = replace(match_row(PLAIN, 3), players=players)
    assert dialects_of(match) == ["house", "house", "huawei"]
    assert names_of(match)[2] == "Cid-1001"
    of_contest = replace(match, place="contest 1 final/r1.1/1.1")
    assert dialects_of(of_contest) == ["", "house", "huawei"]
    assert names_of(of_contest) == ["Ada", "Bob", "Cid"]
