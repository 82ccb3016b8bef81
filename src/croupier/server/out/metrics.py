"""Metrics for Prometheus: the counters of a house, at /metrics."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from croupier.server.table.counters import Durations
from croupier.server.table.house import House


class HouseCollector(Collector):
    """Turns the counters of a house into metrics on request."""

    def __init__(self, house: House) -> None:
        self._house = house

    def collect(self) -> Iterator[Metric]:
        """Return all metrics."""
        house, counters = self._house, self._house.counters
        yield _gauge("croupier_tables", "Tables with a match that is not over.", house.open_games)
        yield _gauge("croupier_players", "Connected players and observers.", len(house.clients))
        yield _gauge(
            "croupier_write_queue", "Records on their way to the store.", house.records_waiting
        )
        yield _counter("croupier_matches", "Matches that are over.", counters.matches)
        yield _counter("croupier_hands", "Hands that were played.", counters.hands)
        yield _counter(
            "croupier_decisions", "Decisions of connected players.", sum(counters.decisions.counts)
        )
        yield _counter(
            "croupier_timeouts", "Decisions that did not come in time.", counters.timeouts
        )
        faults = CounterMetricFamily(
            "croupier_faults", "Answers that were no legal decision.", labels=["cause"]
        )
        for cause, count in list(counters.faults.items()):
            faults.add_metric([cause], count)
        yield faults
        yield _histogram(
            "croupier_decision_seconds", "How long players took to decide.", counters.decisions
        )
        yield _histogram(
            "croupier_delay_seconds",
            "How long the server took from an answer to the next question.",
            counters.delays,
        )


def serve_metrics(house: House, address: str, port: int) -> tuple[Any, int]:
    """Serve /metrics in a separate thread; return the server and its port."""
    registry = CollectorRegistry()
    registry.register(HouseCollector(house))
    server, _ = start_http_server(port, address, registry)
    return server, server.server_port


def _gauge(name: str, text: str, value: int) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


def _counter(name: str, text: str, value: int) -> Metric:
    return CounterMetricFamily(name, text, value=value)


def _histogram(name: str, text: str, durations: Durations) -> Metric:
    counts = list(accumulate(durations.counts))
    bounds = [*map(str, durations.bounds), "+Inf"]
    buckets = list(zip(bounds, counts, strict=True))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=durations.total)
