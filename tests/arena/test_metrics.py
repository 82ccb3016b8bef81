"""What Prometheus is told: the numbers of a match that was played before our eyes."""

import re
from collections.abc import Iterator
from time import monotonic
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.arena.arenas import ArenaProcess, is_open
from tests.support.hosting import PATIENCE, Player

ARENA = """
metrics = 0

[[table]]
name = "main"
number = 1
seats = 2
bots = ["CallAgent"]
set = { hands = 5, decision_ms = 2000 }

[[table]]
name = "empty"
number = 2
seats = 2
dialects = ["trend"]
"""

Samples = dict[tuple[str, str], float]


class Watched(ArenaProcess):
    """An arena with its metrics."""

    def __enter__(self) -> "Watched":
        return self

    @property
    def url(self) -> str:
        found = re.search(r"metrics: (http://127.0.0.1:\d+/metrics)", "".join(self.lines))
        assert found is not None, self.lines
        return found[1]

    def metrics(self) -> Samples:
        """Return all samples, by name and by the value of their only label."""
        with urlopen(self.url, timeout=PATIENCE) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain")
            text = answer.read().decode("utf-8")
        return {
            (sample.name, next(iter(sample.labels.values()), "")): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    with Watched(tmp_path_factory.mktemp("metrics"), ARENA) as arena:
        yield arena


def answer(player: Player, *replies: bytes) -> None:
    """Answer one question after the other, and then all others with a check."""
    left = list(replies)
    while (message := player.next()) is not None and message != b"game-over \n":
        if message.startswith(b"inquire/"):
            player.send(left.pop(0) if left else b"check \n")


def test_before_anyone_has_come_there_are_two_tables_and_nothing_else(arena: Watched) -> None:
    samples = arena.metrics()
    assert samples["croupier_tables", ""] == 2
    for name in (
        "croupier_players",
        "croupier_matches_total",
        "croupier_hands_total",
        "croupier_decisions_total",
        "croupier_timeouts_total",
        "croupier_decision_seconds_count",
        "croupier_delay_seconds_count",
    ):
        assert samples[name, ""] == 0, name
    assert samples["croupier_write_queue", ""] >= 0
    assert not any(name == "croupier_faults_total" for name, _ in samples)


def test_a_match_is_counted_in_hands_decisions_timeouts_and_faults(arena: Watched) -> None:
    with arena.huawei(1) as player:
        player.until(b"inquire")
        samples = arena.metrics()
        assert (samples["croupier_tables", ""], samples["croupier_players", ""]) == (2, 1)
        player.until(b"pot-win/")  # the first question was not answered in time
        asked = 1
        while (message := player.next()) is not None and message != b"game-over \n":
            if message.startswith(b"inquire/"):
                asked += 1
                player.send(b"nonsense \n" if asked == 2 else b"fold \n")
    arena.wait_until(is_open, "main")
    deadline = monotonic() + PATIENCE
    while (samples := arena.metrics())["croupier_players", ""]:
        assert monotonic() < deadline
    assert samples["croupier_matches_total", ""] == 1
    assert samples["croupier_hands_total", ""] == 5
    assert samples["croupier_timeouts_total", ""] == 1
    assert samples["croupier_decisions_total", ""] == asked - 1 == 4
    assert samples["croupier_tables", ""] == 2
    faults = {cause: n for (name, cause), n in samples.items() if name == "croupier_faults_total"}
    assert sum(faults.values()) == 1


@pytest.mark.parametrize("name", ["croupier_decision_seconds", "croupier_delay_seconds"])
def test_the_histograms_are_cumulative_and_count_every_decision(arena: Watched, name: str) -> None:
    samples = arena.metrics()
    buckets = [(label, n) for (what, label), n in samples.items() if what == f"{name}_bucket"]
    counts = [count for _, count in buckets]
    bounds = [float(label) for label, _ in buckets]
    assert bounds == sorted(bounds)
    assert bounds[-1] == float("inf")
    assert counts == sorted(counts)
    assert counts[-1] == samples[f"{name}_count", ""] == samples["croupier_decisions_total", ""]
    assert samples[f"{name}_sum", ""] > 0


def test_answers_that_are_no_actions_are_one_cause_whatever_they_say(arena: Watched) -> None:
    with arena.huawei(2) as player:
        answer(player, b"nonsense \n", b"rubbish \n", b"a: b \n")
    arena.wait_until(is_open, "main")
    causes = {cause for name, cause in arena.metrics() if name == "croupier_faults_total"}
    assert len(causes) == 1
