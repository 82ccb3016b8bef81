"""A sparse table of numbers, packed so that an entry takes two lookups in lists and no hashing.

The indices are cut into rows of equal length. Each row is moved to the first place of the packed
table where its entries fall on free slots: "row displacement". So the entry of `index` is
``packed[index + moved[index >> ROW_BITS]]``. Only indices that were given may be looked up; others
find somebody else's entry.
"""

from typing import Final

ROW_BITS: Final = 8

PARTS: Final = 8
"""Into how many parts the packed table is divided: fewer slots to look through for each row."""


def displaced(entries: dict[int, int]) -> tuple[list[int], list[int]]:
    """Return by how much each row is moved, and the packed table."""
    rows: dict[int, list[int]] = {}
    for index in entries:
        rows.setdefault(index >> ROW_BITS, []).append(index)
    moved = [0] * (max(rows) + 1)
    # Bit i of a row's mask, or of what is taken, stands for one slot. All places are tried at once:
    # bit p of `blocked` tells that a row at place p would hit a slot that is taken.
    largest_first = sorted(rows.items(), key=lambda item: -len(item[1]))
    base = 0
    for part in range(PARTS):
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
    packed = [0] * base
    for index, entry in entries.items():
        packed[index + moved[index >> ROW_BITS]] = entry
    return moved, packed
