"""Rates without luck are those of a second reading of the record, where nothing is sampled."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from croupier.cards import DECK
from croupier.cli.main import main
from croupier.contest.coefficients import frozen
from croupier.contest.luck import TERMS, luck_of
from croupier.contest.plan import SINGLE
from croupier.deals import deal, seed_from_text
from croupier.results import results
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.hand import NOBODY, Hand
from croupier.rules.sets import PLAIN
from croupier.store import queries
from croupier.store.codec import to_object
from croupier.store.schema import open_store
from tests.oracle.holdem_luck import Reading
from tests.oracle.luck import series_of, without_luck
from tests.support.contests import CUP, ContestFolder, stage, team

SEED = seed_from_text("oracle")

KUHN = CUP + 'rules = "kuhn"\nset = { stacks = "reset" }\n'


@pytest.mark.parametrize("bots", [("nash", "RandomAgent"), ("CallAgent", "AllinAgent")])
def test_both_readings_of_a_record_agree(tmp_path: Path, bots: tuple[str, str]) -> None:
    teams = team("A", bots[0]) + team("B", bots[1])
    cup = ContestFolder(tmp_path, KUHN + teams + stage("round-robin", 150, 'deals = "single"'))
    cup.play()
    export = ["export", "last", "--format", "jsonl", "--store", str(cup.store)]
    lines = CliRunner().invoke(main, export).output.splitlines()
    used = [TERMS.index(name) for name in ("share", "share x second^4", "strength", "strength^4")]
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


def test_both_readings_of_holdem_agree_wherever_nothing_is_sampled() -> None:
    """Random hands of two to ten seats with any stacks, as their records have them."""
    rng = random.Random(1)
    compared: Counter[str] = Counter()
    for number in range(1, 41):
        seats = rng.choice((2, 3, 6, 10))
        stacks = [rng.randrange(60, 6000) for _ in range(seats)]
        hand = Hand(PLAIN, stacks, deal(SEED, number, DECK, 2 * seats + 5), number=number)
        while hand.actor != NOBODY:
            options = hand.options
            assert options is not None
            choice = rng.random()
            if choice < 0.15 and options.owed:
                hand.act(FOLD)
            elif choice > 0.85 and options.can_raise:
                to = options.max_to if choice > 0.95 else options.min_to
                hand.act(raise_to(to))
            else:
                hand.act(CALL)
        luck = luck_of(hand.events, SEED)
        assert luck is not None
        for name, found in Reading(map(to_object, hand.events)).terms().items():
            assert np.abs(luck.terms[:, TERMS.index(name)] - found).max() < 1e-9, name
            compared[name] += 1
    assert all(compared[name] > 3 for name in ("closed", "pot, turn", "stack, river"))
