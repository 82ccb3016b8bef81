"""Hand histories: PokerKit reads them back to the same stacks."""

import random
import tomllib
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

from croupier.history import phh
from croupier.rules.events import HandEnded, PotDiscarded
from croupier.rules.rules import Rules
from croupier.rules.sets import ACPC_LIMIT, HUAWEI, KUHN, PLAIN, ROOM, ROOM2, TREND
from croupier.store import queries
from croupier.store.queries import PlayerRecord
from croupier.store.schema import open_store
from tests.history.wild import hand_row, match_row, wild_hand
from tests.store.recorded import CALM, Trouble, record_match
from tests.support.scripted import act, hand_of

MANY = ["RandomAgent", "RandomAgent", "CallAgent", "RuleAgent", "RandomAgent", "AllinAgent"]
TROUBLE = Trouble(late=15, nonsense=10, gone=5)

EQUAL_BLINDS = {"small_blind": 100, "big_blind": 100}
WILD_RULES = [
    PLAIN,
    HUAWEI,
    ROOM,
    ROOM2,
    TREND,
    PLAIN.with_fields({"name": "ante", "ante": 30}),
    PLAIN.with_fields({"name": "equal blinds", **EQUAL_BLINDS}),
    ROOM2.with_fields({"name": "equal blinds, small one last", **EQUAL_BLINDS}),
    HUAWEI.with_fields({"name": "ante only", "small_blind": 0, "big_blind": 100, "ante": 20}),
    HUAWEI.with_fields({"name": "no big one, small one last", "later_start": ROOM.later_start}),
]


def replayed(text: str) -> list[tuple[dict[str, Any], list[int] | None]]:
    """Return each hand of a file, and the stacks to which PokerKit plays it, if it can."""
    found: list[tuple[dict[str, Any], list[int] | None]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit wonders at folds for which there is no reason
        for table, history in zip(
            tomllib.loads(text).values(), HandHistory.loads_all(text), strict=True
        ):
            try:
                *_, last = history
                found.append((table, [int(stack) for stack in last.stacks]))
            except ValueError:
                found.append((table, None))
    return found


def exported(path: Path, match_id: str) -> str:
    engine = open_store(str(path), create=False)
    try:
        match = queries.match(engine, match_id)
        return "".join(phh.tables(match, queries.all_hands(engine, match_id)))
    finally:
        engine.dispose()


@pytest.mark.parametrize(
    ("rules", "bots", "trouble", "hands"),
    [
        (PLAIN.with_fields({"hands": 100}), MANY, CALM, 100),
        (PLAIN.with_fields({"hands": 60}), MANY[2:4], TROUBLE, 60),
        (HUAWEI.with_fields({"hands": 200}), MANY, TROUBLE, 40),
        (HUAWEI.with_fields({"hands": 100}), MANY[3:5], TROUBLE, 30),
        (ROOM2.with_fields({"hands": 80}), MANY, TROUBLE, 80),
        (TREND.with_fields({"hands": 50, "stack": 10**6}), MANY[1:4], TROUBLE, 5),
        (ACPC_LIMIT.with_fields({"hands": 60}), MANY[2:4], CALM, 60),
        (ACPC_LIMIT.with_fields({"hands": 60}), MANY[:3], CALM, 60),
    ],
    ids=lambda value: value.name if isinstance(value, Rules) else None,
)
def test_pokerkit_plays_a_match_to_the_same_stacks(
    tmp_path: Path, rules: Rules, bots: list[str], trouble: Trouble, hands: int
) -> None:
    path = tmp_path / "match.db"
    recording = record_match(path, rules, bots, "phh", trouble)
    found = replayed(exported(path, recording.id))
    assert len(found) == len(recording.hands) >= (1 if rules.fault_ends and trouble else hands)
    for number, (table, stacks) in enumerate(found, 1):
        assert table["hand"] == number
        assert table["variant"] == ("FT" if rules.fixed_bet else "NT")
        if "_croupier_differs" not in table:
            assert stacks == table["finishing_stacks"], table
    standard = [table for table, _ in found if "_croupier_differs" not in table]
    assert len(standard) > 0.8 * len(found)


@pytest.mark.parametrize("rules", WILD_RULES, ids=lambda rules: rules.name)
def test_a_hand_either_ends_alike_or_says_why_it_does_not(rules: Rules) -> None:
    alike = 0
    for number in range(1, 41):
        hand = wild_hand(rules, random.Random(f"{rules.name} {number}"))
        text = "".join(phh.tables(match_row(rules, hand.size), [hand_row(hand, number)]))
        [(table, stacks)] = replayed(text)
        assert sorted(table["finishing_stacks"]) == sorted(hand.stacks)
        if "_croupier_differs" in table:
            assert stacks != table["finishing_stacks"], table
        else:
            assert stacks == table["finishing_stacks"], table
            alike += 1
    assert alike > 20


@pytest.mark.parametrize("hole", ["Ah Ad Kc Kd 7s 2c 6h 5h", "Ah Ad 7c 2d Ks Kc 6h 5h"])
@pytest.mark.parametrize(("all_in", "differs"), [(1, True), (2, False)])
def test_a_fold_of_the_only_player_who_can_bet_ends_alike_where_a_showdown_follows(
    hole: str, all_in: int, differs: bool
) -> None:
    stacks = [2000, 2000, 400, 300][: 2 + all_in]
    hand = hand_of(stacks, hole[: 6 * len(stacks) - 1], "3s 8d 9h Js 4c", rules=HUAWEI)
    act(hand, "400 " + "call " * (1 + all_in) + "fold fold")
    text = "".join(phh.tables(match_row(HUAWEI, hand.size), [hand_row(hand, 1)]))
    [(table, found)] = replayed(text)
    assert (found != table["finishing_stacks"]) == differs
    assert ("p2 sm" in table["actions"]) == (not differs)
    assert table.get("_croupier_differs", []) == (
        ["p2 folds with nothing to call from who is all-in"] if differs else []
    )


def test_a_discarded_pot_is_in_nobodys_stack(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    recording = record_match(path, HUAWEI, MANY[:3], "lost", Trouble(late=400))
    discarded = {
        event.amount
        for events in recording.hands
        for event in events
        if isinstance(event, PotDiscarded)
    }
    assert discarded
    found = [
        (table, stacks)
        for table, stacks in replayed(exported(path, recording.id))
        if "_croupier_discarded" in table
    ]
    assert {table["_croupier_discarded"] for table, _ in found} == discarded
    for table, stacks in found:
        assert stacks == table["finishing_stacks"]
        assert sum(table["starting_stacks"]) - sum(stacks or []) == table["_croupier_discarded"]


def test_of_a_running_match_only_shown_cards_are_written(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    recording = record_match(path, PLAIN, MANY[:4], "running", hands=40)
    found = replayed(exported(path, recording.id))
    hidden = [action for table, _ in found for action in table["actions"] if "????" in action]
    assert hidden
    for table, stacks in found:
        shown = {action.split()[0] for action in table["actions"] if " sm " in action}
        for place, action in enumerate(table["actions"][:4], 1):
            assert action.startswith(f"d dh p{place} ")
            assert ("????" in action) == (f"p{place}" not in shown)
        assert stacks == table["finishing_stacks"]


def test_names_are_escaped_so_that_they_come_back() -> None:
    names = ['"]\n[9]', "\\u0041\x7f\x00", "'''", "[b]Ü 漢 😀[/b]"]
    hand = wild_hand(PLAIN, random.Random(3))
    players = tuple(PlayerRecord(name, "house") for name in names * 2)
    row = match_row(PLAIN, 2)
    match = replace(row, players=players)
    table = tomllib.loads("".join(phh.tables(match, [hand_row(hand, 1)])))
    assert list(table) == ["1"]
    assert table["1"]["players"] == [(names * 2)[player] for player in hand.players]


def test_who_was_late_is_noted_beside_his_fold(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    rules = PLAIN.with_fields({"hands": 10})
    recording = record_match(path, rules, MANY[:3], "late", Trouble(late=300, nonsense=200))
    text = exported(path, recording.id)
    assert "f # timed out" in text
    assert "f # no legal decision" in text


def test_kuhn_poker_has_no_variant() -> None:
    with pytest.raises(phh.NoSuchVariantError, match="export it as jsonl"):
        phh.check(match_row(KUHN, 2))


def test_limits_that_no_variant_has_are_refused() -> None:
    phh.check(match_row(ACPC_LIMIT, 2))
    with pytest.raises(phh.NoSuchVariantError, match="export it as jsonl"):
        phh.check(match_row(ACPC_LIMIT.with_fields({"fixed_bet": (10, 20, 20, 40)}), 2))


def test_the_stacks_of_the_file_are_those_of_the_record(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    recording = record_match(path, ROOM.with_fields({"hands": 20}), MANY[:4], "stacks")
    for table, events in zip(
        tomllib.loads(exported(path, recording.id)).values(), recording.hands, strict=True
    ):
        [ended] = [event for event in events if isinstance(event, HandEnded)]
        # The first place of the file is the big blind, because the small one acts last.
        assert table["finishing_stacks"] == [*ended.stacks[1:], ended.stacks[0]]
        assert table["blinds_or_straddles"] == [100, 0, 0, 50]
