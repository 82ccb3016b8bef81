"""One match being played: its table, clock and record, and the house that opens tables."""
