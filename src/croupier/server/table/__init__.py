"""A running match: its table, clock and record, and the house that opens tables."""
