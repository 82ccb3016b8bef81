"""A match: a series of hands between the same players, with clocks, faults, chips and seats."""
