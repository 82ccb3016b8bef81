"""Hands in a row between the same players: clocks, faults, money, seats and the end."""
