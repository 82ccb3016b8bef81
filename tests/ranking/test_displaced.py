"""The packed table of seven-card hands."""

from hypothesis import given
from hypothesis import strategies as st

from croupier.ranking.displaced import ROW_BITS, Displaced

entries_by_index = st.dictionaries(
    st.integers(0, 50 << ROW_BITS), st.integers(0, 0xFFFF), min_size=1, max_size=300
)


@given(entries_by_index)
def test_every_index_finds_the_entry_that_was_given_for_it(entries: dict[int, int]) -> None:
    table = Displaced()
    table.fill(entries)
    for index, entry in entries.items():
        slot = 2 * (index + table.moved[index >> ROW_BITS])
        assert int.from_bytes(table.packed[slot : slot + 2], "little") == entry
