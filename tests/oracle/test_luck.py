"""Rates without luck are those of a second reading of the record, where nothing is sampled."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from croupier.contest.coefficients import frozen
from croupier.contest.luck import TERMS
from croupier.contest.plan import SINGLE
from croupier.results import results
from croupier.store import queries
from croupier.store.schema import open_store
from tests.oracle.luck import series_of, without_luck
from tests.support.contests import CUP, ContestFolder, stage, team

KUHN = CUP + 'rules = "kuhn"\nset = { stacks = "reset" }\n'


@pytest.mark.parametrize("bots", [("nash", "RandomAgent"), ("CallAgent", "AllinAgent")])
def test_both_readings_of_a_record_agree(tmp_path: Path, bots: tuple[str, str]) -> None:
    teams = team("A", bots[0]) + team("B", bots[1])
    cup = ContestFolder(tmp_path, KUHN + teams + stage("round-robin", 150, 'deals = "single"'))
    cup.play()
    export = ["export", "last", "--format", "jsonl", "--store", str(cup.store)]
    lines = CliRunner().invoke(main, export).output.splitlines()
    used = [TERMS.index(name) for name in ("share", "strength", "strength^4")]
    engine = open_store(str(cup.store))
    try:
        found = results(engine, queries.find(engine, "last"), luck=True)
    finally:
        engine.dispose()
    for player, line in enumerate(sorted(found.players, key=lambda line: line.name)):
        won, luck = series_of(lines, player)
        left = without_luck(won, luck, frozen("kuhn", SINGLE, 2)[used].tolist())
        assert line.adjusted is not None
        assert line.adjusted.hands == len(won) == 150
        assert line.adjusted.rate == pytest.approx(left.mean(), abs=1e-9)
        error = left.std(ddof=1) / np.sqrt(len(left))
        assert line.adjusted.error == pytest.approx(error, abs=1e-9)
        assert line.factor == pytest.approx(won.var() / left.var(), abs=1e-9)
