"""Tables for people: what a file and the commands accept, and what the audience sees there."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from croupier.match.audience import Policy
from croupier.server.arena.file import ArenaFileError, read_arena

TABLE = """
[[table]]
name = "people"
seats = 3
humans = true
"""


def test_a_table_for_people_needs_no_listener() -> None:
    (table,) = read_arena(TABLE).tables
    assert table.plan.humans
    (other,) = read_arena('[[listen]]\ndialect = "huawei"\n[[table]]\nseats = 3\n').tables
    assert not other.plan.humans


@pytest.mark.parametrize("line", ['humans = "yes"', "humans = true\nclosed = true"])
def test_what_cannot_be_is_refused_with_its_key(line: str) -> None:
    with pytest.raises(ArenaFileError) as refused:
        read_arena(TABLE.replace("humans = true", line))
    assert [mistake.key for mistake in refused.value.mistakes] == ["table[0].humans"]


def test_people_are_not_a_dialect_that_a_listener_or_table_can_name() -> None:
    for text in ('[[listen]]\ndialect = "browser"\n', f'{TABLE}dialects = ["browser"]\n'):
        with pytest.raises(ArenaFileError):
            read_arena(text)


def test_a_table_for_people_without_a_website_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "arena.toml"
    file.write_text(TABLE, "utf-8")
    done = CliRunner().invoke(main, ["serve", str(file), "--web", "-1"])
    assert done.exit_code != 0
    assert "people" in done.output
    assert "--web" in done.output


@pytest.mark.parametrize(
    "options",
    [["--humans", "--seats", "3"], ["--humans", "--web", "0"]],
    ids=["no web", "no seats"],
)
def test_a_host_for_people_needs_seats_and_a_website(options: list[str]) -> None:
    done = CliRunner().invoke(main, ["host", "--rules", "plain", *options])
    assert done.exit_code != 0
    assert "--humans goes with" in done.output


def test_where_people_play_cards_are_seen_at_showdown_or_later() -> None:
    assert Policy.parse("all").with_people() == Policy.parse("showdown")
    assert Policy.parse("showdown").with_people() == Policy.parse("showdown")
    assert Policy.parse("3").with_people() == Policy.parse("3")
