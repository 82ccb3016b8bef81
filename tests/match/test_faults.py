"""The causes of faults: few, and never the player's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.match.faults import ABSENT, LATE, MAX_CAUSE, cause_of, cause_of_timeout

WRITTEN_BY_A_PLAYER = st.one_of(st.binary(max_size=40), st.text(max_size=40)).map(repr)


@given(WRITTEN_BY_A_PLAYER)
def test_what_a_player_wrote_does_not_change_the_cause(words: str) -> None:
    assert cause_of(f"{words} is no action") == "no action"
    assert cause_of(f"unknown command {words}") == "unknown command …"
    assert cause_of(f"illegal action: {words}") == "illegal action"
    assert cause_of(f"a raise is to a whole number of chips, not {words}") == (
        "a raise is to a whole number of chips, not …"
    )


@given(st.text(max_size=40))
def test_what_follows_a_colon_is_never_part_of_the_cause(words: str) -> None:
    assert cause_of(f"illegal action: {words}") == "illegal action"


@given(st.integers(), st.integers(), st.integers())
def test_amounts_do_not_change_the_cause(low: int, high: int, to: int) -> None:
    reason = f"a raise is to {low} at least and {high} at most, not to {to}"
    assert cause_of(reason) == "a raise is to … at least and … at most, not to …"


@given(st.text())
def test_a_cause_is_one_short_line_that_steers_no_terminal(reason: str) -> None:
    cause = cause_of(reason)
    assert cause
    assert len(cause) <= MAX_CAUSE
    assert cause.isprintable()
    assert cause == cause.strip()


@pytest.mark.parametrize(
    "reason",
    ["no action in the message", "an unknown action", "exit", "CALL without a bet; CHCK or BET_"],
)
def test_a_reason_without_a_player_s_words_is_its_own_cause(reason: str) -> None:
    assert cause_of(reason) == reason


def test_a_quotation_that_was_cut_short_is_no_cause() -> None:
    assert cause_of("unknown command 'it never en") == "unknown command …"
    assert cause_of("b'\\xff: is no act") == "other"


def test_a_timeout_has_one_of_two_causes() -> None:
    assert [cause_of_timeout(absent) for absent in (True, False)] == [ABSENT, LATE]
