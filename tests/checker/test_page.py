"""docs/check.md tells of the scenarios that there are."""

import re
from pathlib import Path

from croupier.checker.check import DEFAULT_JOBS
from croupier.checker.trial import EXIT_TIMEOUT, RECONNECT_TIMEOUT, SEAT_TIMEOUT
from croupier.checker.watched_links import HOLD_FOR
from croupier.dialects.registry import DIALECTS

PAGE = (Path(__file__).parents[2] / "docs" / "check.md").read_text("utf-8")


def test_the_table_of_scenarios_is_complete_and_right() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*?) \| (.*?) \|$", PAGE, flags=re.MULTILINE)
    owners: dict[tuple[str, str], list[str]] = {}
    for dialect in DIALECTS.values():
        for scenario in dialect.scenarios:
            owners.setdefault((scenario.name, scenario.what), []).append(dialect.name)
    expected = {
        (*scenario, "all" if names == list(DIALECTS) else ", ".join(names))
        for scenario, names in owners.items()
    }
    assert len(rows) == len(expected)
    assert set(rows) == expected


def test_the_times_are_those_of_the_checker() -> None:
    assert SEAT_TIMEOUT == 15
    assert EXIT_TIMEOUT == 5
    assert RECONNECT_TIMEOUT == 10
    assert "within fifteen seconds" in PAGE
    assert "ten seconds to\nreconnect" in PAGE
    assert "five seconds after" in PAGE


def test_the_time_for_which_messages_are_held_back_is_that_of_the_checker() -> None:
    assert f"held back for {1000 * HOLD_FOR:.0f} ms" in PAGE


def test_the_number_of_scenarios_at_once_is_that_of_the_checker() -> None:
    assert DEFAULT_JOBS == 4
    assert "Four scenarios are played at once" in PAGE
