"""Main and side pots, and how a pot is divided.

Invariant: no chip appears or vanishes. The pots add up to what was put in, and the shares of a pot
to the pot.
"""


def split_pots(put: list[int], live: list[int]) -> list[tuple[int, list[int]]]:
    """Return the pots as (amount, contending seats), the main pot first.

    `put` is what each seat put into the hand, `live` the seats that have not folded. Chips of
    folded seats count towards every level they reached; what they put in above the highest live
    level belongs to the last pot.
    """
    pots: list[tuple[int, list[int]]] = []
    below = 0
    while True:
        level = 0
        for seat in live:
            chips = put[seat]
            if chips > below and (not level or chips < level):
                level = chips
        if not level:
            break
        amount = 0
        for chips in put:
            if chips > below:
                amount += (level if chips > level else chips) - below
        pots.append((amount, [seat for seat in live if put[seat] >= level]))
        below = level
    surplus = 0
    for chips in put:
        if chips > below:
            surplus += chips - below
    if surplus and pots:
        pots[-1] = (pots[-1][0] + surplus, pots[-1][1])
    return pots


def share_out(amount: int, winners: list[int]) -> list[tuple[int, int]]:
    """Return (seat, share) for each winner; odd chips go to winners one by one, in order."""
    share = amount // len(winners)
    odd = amount % len(winners)
    return [(seat, share + 1 if place < odd else share) for place, seat in enumerate(winners)]
