"""`croupier join` gets through every scenario of every dialect, with the options that it has."""

import json
import sys

import pytest

from croupier.dialects.registry import DIALECTS
from tests.support.processes import croupier

JOIN = [sys.executable, "-m", "croupier", "join"]
ADDRESSES = {
    "huawei": ("huawei://{host}:{port}?pid={pid}", "--name", "{name}"),
    "trend": ("trend://{host}:{port}", "--name", "{name}"),
    "room": ("room://{host}:{port}", "--name", "{name}"),
    "acpc": ("acpc://{host}:{port}",),
    "kuhn": ("kuhn://{host}:{port}", "--name", "{pid}"),
}


@pytest.mark.parametrize("dialect", ADDRESSES)
def test_join_gets_through_every_scenario_and_the_verdicts_come_in_order(dialect: str) -> None:
    program = [*JOIN, *ADDRESSES[dialect], "--bot", "CallAgent"]
    done = croupier("check", dialect, "--json", "--", *program)
    verdicts = json.loads(done.stdout)
    assert [verdict for verdict in verdicts if not verdict["ok"]] == []
    names = [verdict["scenario"] for verdict in verdicts]
    assert names == [scenario.name for scenario in DIALECTS[dialect].scenarios]
    assert done.returncode == 0
