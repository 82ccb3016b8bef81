"""The API about contests says what `croupier contest` says, and gives away no more."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from croupier.store.schema import MATCHES, open_store
from tests.support.contests import CUP, ContestFolder, house_teams, stage
from tests.web.siting import SiteProcess

LEAGUE_MATCHES = 12
"""Four teams, each pair twice."""


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> ContestFolder:
    """A contest whose league is complete, and of whose knockout one semi-final has been played."""
    folder = tmp_path_factory.mktemp("cup")
    text = CUP + house_teams(4) + stage("round-robin") + stage("knockout", 6, "third_place = true")
    cup = ContestFolder(folder, text)
    cup.play(LEAGUE_MATCHES + 2)
    return cup


@pytest.fixture(scope="module")
def site(cup: ContestFolder) -> Iterator[SiteProcess]:
    with SiteProcess(cup.store) as site:
        yield site


@pytest.fixture(scope="module")
def contest(site: SiteProcess) -> str:
    """The address of the contest."""
    (found,) = site.get("/contests")["items"]
    return f"/contests/{found['contest']}"


def test_the_list_says_how_far_a_contest_is_and_who_leads(site: SiteProcess) -> None:
    page = site.get("/contests")
    (found,) = page["items"]
    assert (page["total"], found["title"], found["state"]) == (1, "Cup", "running")
    assert [(one["name"], one["state"]) for one in found["stages"]] == [
        ("round-robin", "complete"),
        ("knockout", "current"),
    ]
    assert found["played"] == LEAGUE_MATCHES + 2
    assert len(found["leaders"]) == 3


def test_a_standing_is_that_of_the_command(
    site: SiteProcess, cup: ContestFolder, contest: str
) -> None:
    for told in cup.json("standings")["stages"]:
        shown = site.get(f"{contest}/stages/{told['name']}")["standing"]
        keys = ("rank", "team", "hands", "score", "rate", "ci95", "points", "chips", "house")
        assert [{key: line[key] for key in keys} for line in shown] == [
            {key: line[key] for key in keys} for line in told["standings"]
        ]


def test_the_cells_of_two_teams_mirror_each_other(site: SiteProcess, contest: str) -> None:
    cells = {
        (cell["team"], cell["opponent"]): cell
        for cell in site.get(f"{contest}/stages/round-robin")["cells"]
    }
    assert len(cells) == LEAGUE_MATCHES
    for (team, opponent), cell in cells.items():
        assert cell["rate"] == pytest.approx(-cells[opponent, team]["rate"])
        assert cell["chips"] == -cells[opponent, team]["chips"]


def test_a_bracket_knows_who_goes_on_and_what_is_still_open(
    site: SiteProcess, contest: str
) -> None:
    found = site.get(f"{contest}/stages/knockout")
    by_name = {one["fixture"]: one for one in found["bracket"]}
    assert list(by_name) == ["r1.1", "r1.2", "r2.1", "r2.2"]
    first, second, final, third = by_name.values()
    assert first["winner"] in first["teams"]
    assert second["winner"] is None
    assert final["teams"] == [first["winner"], None]
    assert third["label"] == "third place"
    (loser,) = set(first["teams"]) - {first["winner"]}
    assert third["teams"] == [loser, None]


def test_fixtures_lead_to_the_records_of_their_matches(site: SiteProcess, contest: str) -> None:
    played, open_one = site.get(f"{contest}/stages/knockout")["fixtures"]
    assert (played["state"], open_one["state"]) == ("played", "to come")
    for record in played["records"]:
        assert site.get(f"/matches/{record['match']}")["match"]["status"] == "ended"
    detail = site.get(contest)
    assert [one["fixture"] for one in detail["next"]] == [open_one["fixture"]]
    assert detail["latest"][0]["match"] == played["records"][-1]["match"]


def test_the_seed_is_secret_until_the_contest_is_complete(site: SiteProcess, contest: str) -> None:
    detail = site.get(contest)
    assert (detail["seed"], detail["salt"]) == (None, None)
    assert len(detail["commitment"]) == 64


def test_a_team_has_its_opponents_its_rounds_and_its_fixtures(
    site: SiteProcess, contest: str
) -> None:
    team = site.get(f"{contest}/teams/A")
    league = team["stages"][0]
    assert (team["house"], team["plays_by"]) == (True, "RuleAgent")
    assert sorted(cell["opponent"] for cell in league["opponents"]) == ["B", "C", "D"]
    assert [point["round"] for point in league["rounds"]] == [1, 2, 3]
    assert league["rounds"][-1]["value"] == pytest.approx(league["line"]["rate"])
    assert league["rounds"][-1]["margin"] == pytest.approx(league["line"]["ci95"])
    assert all("A" in one["teams"] for one in league["fixtures"])


def test_how_a_team_played_comes_from_the_hands_on_record(
    site: SiteProcess, cup: ContestFolder, contest: str
) -> None:
    shown = site.get(f"{contest}/play/C")
    hands = sum(
        result.hands
        for result in cup.results().values()
        if any(seat.team == "C" for seat in result.seats)
    )
    assert shown["hands"] == shown["of_hands"] == hands
    assert 0 < shown["style"]["vpip"]["chances"] <= hands
    pots = [pot["big_blinds"] for pot in shown["pots"]]
    assert pots == sorted(pots, reverse=True)
    biggest = shown["pots"][0]
    replay = site.get(f"/matches/{biggest['match']}/hands/{biggest['hand']}")
    assert "C" in {seat["name"] for seat in replay["frames"][0]["scene"]["seats"]}


@pytest.mark.parametrize(
    "path",
    [
        "/contests/99",
        "/contests/99999999999999999999",
        "/contests/1/stages/final",
        "/contests/1/teams/Nobody",
        "/contests/1/play/Nobody",
    ],
)
def test_what_does_not_exist_is_not_found(site: SiteProcess, path: str) -> None:
    answer = site.client.get("/api/v1" + path)
    assert answer.status_code == 404
    assert answer.json()["error"]


@pytest.mark.parametrize("path", ["/contests", "/contests/1", "/contests/1/teams/A"])
def test_every_page_has_the_mark_and_the_title_of_the_event(site: SiteProcess, path: str) -> None:
    page = site.client.get(path)
    assert page.status_code == 200
    assert '<a class="brand" href="/"><img src="/static/svg/icon.svg"' in page.text
    assert "<span>Cup</span>" in page.text


def test_a_match_that_is_being_played_is_on_now(cup: ContestFolder, tmp_path: Path) -> None:
    copy = ContestFolder(tmp_path, cup.file.read_text("utf-8"))
    copy.play(1)
    _reopen(copy, "round-robin/r1.1/1.2")
    with SiteProcess(copy.store) as site:
        (on,) = site.get("/contests/1")["now"]
        assert on["fixture"] == "r1.1"
        assert [record["ended"] is None for record in on["records"]] == [False, True]


def _reopen(cup: ContestFolder, name: str) -> None:
    """Put a match on record that has begun and not ended."""
    engine = open_store(str(cup.store))
    try:
        with engine.begin() as connection:
            row: dict[str, Any] = dict(connection.execute(select(MATCHES)).mappings().one())
            row |= {"id": "running", "ended": None, "place": f"contest 1 {name}"}
            connection.execute(insert(MATCHES).values(row))
    finally:
        engine.dispose()
