"""Hands as PokerStars writes them: PokerKit reads them back to the same stacks."""

import random
import re
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from pokerkit import PokerStarsParser

from croupier.history import phh, pokerstars
from croupier.rules.events import HandEnded, HandStarted, Posted, PotWon
from croupier.rules.rules import CARRY, Rules
from croupier.rules.sets import KUHN, PLAIN
from croupier.store import queries
from croupier.store.queries import HandRow, MatchRow, PlayerRecord
from croupier.store.schema import open_store
from tests.history.wild import hand_row, match_row, wild_hand
from tests.store.recorded import CALM, record_match

MANY = ["RandomAgent", "RandomAgent", "CallAgent", "RuleAgent", "RandomAgent", "AllinAgent"]


class Parser(PokerStarsParser):
    """PokerKit's reader, which skips lines about antes, with the one pattern that it lacks."""

    ANTE_POSTING = re.compile(r"(?P<player>.+): posts the ante (?P<ante>[0-9]+)")


def finals(text: str) -> list[dict[str, int]]:
    """Return the stacks by name to which PokerKit plays each hand of a text."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit wonders at folds for which there is no reason
        for history in Parser()(text, error_status=True):
            *_, last = history
            players = history.players or []
            found.append(dict(zip(players, map(int, last.stacks), strict=True)))
    return found


def ended(match: MatchRow, row: HandRow) -> dict[str, int]:
    (started,) = (event for event in row.events if isinstance(event, HandStarted))
    (end,) = (event for event in row.events if isinstance(event, HandEnded))
    names = (match.names[player] for player in started.players)
    return dict(zip(names, end.stacks, strict=True))


@pytest.mark.parametrize("bots", [MANY, MANY[2:4]], ids=["six", "two"])
def test_pokerkit_plays_a_match_to_the_same_stacks(tmp_path: Path, bots: list[str]) -> None:
    rules = PLAIN.with_fields({"hands": 60})
    path = tmp_path / "match.db"
    match_id = record_match(path, rules, bots, "pokerstars", CALM).id
    engine = open_store(str(path), create=False)
    match = queries.match(engine, match_id)
    rows = list(queries.all_hands(engine, match_id))
    engine.dispose()
    text = "".join(pokerstars.hands(match, rows))
    assert finals(text) == [ended(match, row) for row in rows]


def is_standard(match: MatchRow, row: HandRow, rules: Rules) -> bool:
    """Tell whether a reader by the standard rules comes to the same end, as PHH says."""
    full = {"ante": rules.ante, "small": rules.small_blind, "big": rules.big_blind}
    short = any(
        isinstance(event, Posted) and event.amount < full[event.kind] for event in row.events
    )
    return not short and "_croupier_differs" not in phh.HandWriter(match, row).fields()


@pytest.mark.parametrize("ante", [0, 30])
def test_pokerkit_plays_wild_hands_to_the_same_stacks(ante: int) -> None:
    rules = PLAIN.with_fields({"stacks": CARRY, "ante": ante})
    rng = random.Random(18)
    read = 0
    seen: Counter[str] = Counter()
    for number in range(1, 400):
        row = hand_row(wild_hand(rules, rng), number)
        match = match_row(rules, 6)
        (text,) = pokerstars.hands(match, [row])
        if is_standard(match, row, rules):
            assert finals(text) == [ended(match, row)], text
            read += 1
            won = [event for event in row.events if isinstance(event, PotWon)]
            seen["all-in"] += "and is all-in" in text
            seen["side pot"] += len(won) > 1
            seen["odd chip"] += any(len({share for _, share in one.winners}) > 1 for one in won)
            seen["ante"] += "posts the ante" in text
    assert read > 150
    assert min(seen["all-in"], seen["side pot"]) > 50
    assert seen["odd chip"] > 3
    assert bool(seen["ante"]) == bool(ante)


def test_names_cannot_break_the_text() -> None:
    rules = PLAIN
    match = match_row(rules, 2)
    names = ("a: folds\nb", "a: folds\nb")
    players = tuple(PlayerRecord(name, "house") for name in names)
    match = replace(match, players=players)
    row = hand_row(wild_hand(rules.with_fields({"max_seats": 2}), random.Random(3)), 1)
    (text,) = pokerstars.hands(match, [row])
    (stacks,) = finals(text)
    assert len(stacks) == 2


def test_the_parts_of_a_hand_are_where_trackers_look_for_them() -> None:
    match = match_row(PLAIN, 6)
    rng = random.Random(7)
    texts = [
        text
        for number in range(40)
        for text in pokerstars.hands(match, [hand_row(wild_hand(PLAIN, rng), number)])
    ]
    for text in texts:
        head, table, *_ = text.splitlines()
        assert head.startswith("PokerStars Hand #")
        assert "Hold'em No Limit (50/100) - 1970/01/01 00:00:00 UTC" in head
        assert table.endswith("is the button")
        assert text.index("*** HOLE CARDS ***") < text.index("*** SUMMARY ***")
        assert text.endswith("\n\n\n")
    everything = "".join(texts)
    for part in ("and is all-in", "Uncalled bet (", "*** SHOW DOWN ***", "side pot-1", "Board ["):
        assert part in everything


def test_other_games_are_refused() -> None:
    for rules in (KUHN, PLAIN.with_fields({"fixed_bet": 100})):
        with pytest.raises(phh.NoSuchVariantError):
            pokerstars.check(match_row(rules, 2))
