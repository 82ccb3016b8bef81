"""`croupier site build` writes where it may, and what is finished."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import main
from croupier.web.published.names import place_of
from tests.support.contests import CUP, ContestFolder, house_teams, stage


def build(folder: Path, store: Path) -> Result:
    return CliRunner().invoke(main, ["site", "build", str(folder), "--store", str(store)])


TEXT = CUP + house_teams(2) + stage("round-robin", 4)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> ContestFolder:
    """A contest that is over."""
    cup = ContestFolder(tmp_path_factory.mktemp("cup"), TEXT)
    cup.play()
    return cup


def test_a_contest_that_is_not_complete_is_not_published(tmp_path: Path) -> None:
    cup = ContestFolder(tmp_path, TEXT)
    cup.play(1)
    target = cup.folder / "early"
    refused = build(target, cup.store)
    assert refused.exit_code == 2
    assert "no contest on record is complete" in refused.output
    assert not target.exists()


def test_a_site_is_replaced_but_nothing_else_is(cup: ContestFolder) -> None:
    target, mine = cup.folder / "site", cup.folder / "mine"
    assert "1 contest with 2 matches" in build(target, cup.store).output
    (target / "old.html").touch()
    assert build(target, cup.store).exit_code == 0
    assert not (target / "old.html").exists()
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    refused = build(mine, cup.store)
    assert (refused.exit_code, "is not empty" in refused.output) == (2, True)
    assert (mine / "letter.txt").read_text() == "dear"


def test_store_and_pages_come_from_the_contest_file(cup: ContestFolder) -> None:
    (cup.folder / "texts").mkdir()
    (cup.folder / "texts" / "news.md").write_text("# News")
    other = cup.folder / "other.toml"
    other.write_text('pages = "texts"\n' + cup.file.read_text())
    target = cup.folder / "with-pages"
    arguments = ["site", "build", str(target), "--contest", str(other)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert "News" in (target / "docs/pages/news/index.html").read_text()
    refused = CliRunner().invoke(main, [*arguments, "--store", "x.db"])
    assert (refused.exit_code, "leave out --store" in refused.output) == (2, True)
    other.write_text(other.read_text().replace("texts", "nowhere"))
    refused = CliRunner().invoke(main, arguments)
    assert (refused.exit_code, "there is no folder" in refused.output) == (2, True)


def test_beside_the_file_of_a_contest_a_missing_store_is_no_riddle(
    cup: ContestFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cup.folder)
    refused = CliRunner().invoke(main, ["site", "build", "new"])
    assert (refused.exit_code, "add --contest contest.toml" in refused.output) == (2, True)


def test_no_part_of_an_address_leaves_its_folder() -> None:
    assert (
        str(place_of("/contests/1/teams/..%2F..%2Fetc")) == "contests/1/teams/_2e_2e_2f_2e_2e_2fetc"
    )
