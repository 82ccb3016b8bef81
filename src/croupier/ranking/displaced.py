"""A sparse table of small numbers, packed so that it fits into a processor's cache.

The indices are cut into rows of equal length. Each row is moved to the first place of the packed
table where its entries fall on free slots: "row displacement". A slot has two bytes, the lower one
first, and the entry of `index` is in slot ``index + moved[index >> ROW_BITS]``. Only indices that
were given may be looked up; others find somebody else's entry.
"""

from typing import Final

ROW_BITS: Final = 10

PARTS: Final = 8
"""Into how many parts the packed table is divided: fewer slots to look through for each row."""


class Displaced:
    """Such a table; its users inline the lookup, for speed."""

    __slots__ = ("moved", "packed")

    def __init__(self) -> None:
        self.moved: list[int] = []
        self.packed = b""

    def fill(self, entries: dict[int, int]) -> None:
        """Pack these entries by index."""
        rows: dict[int, list[int]] = {}
        for index in entries:
            rows.setdefault(index >> ROW_BITS, []).append(index)
        largest_first = sorted(rows.items(), key=lambda item: -len(item[1]))
        moved = [0] * (max(rows) + 1)
        base = 0
        for part in range(PARTS):
            # Bit i of a row's mask, or of what is taken, stands for one slot. All places are tried
            # at once: bit p of `blocked` tells that a row at place p would hit a taken slot.
            taken = 0
            for row, indices in largest_first[part::PARTS]:
                start = row << ROW_BITS
                blocked = mask = 0
                for index in indices:
                    blocked |= taken >> index - start
                    mask |= 1 << index - start
                place = (~blocked & blocked + 1).bit_length() - 1  # the lowest bit that is not set
                taken |= mask << place
                moved[row] = base + place - start
            base += taken.bit_length()
        packed = bytearray(2 * base)
        for index, entry in entries.items():
            slot = 2 * (index + moved[index >> ROW_BITS])
            packed[slot] = entry & 0xFF
            packed[slot + 1] = entry >> 8
        self.moved = moved
        self.packed = bytes(packed)
