"""Recorded hands in the formats that people and other programs read."""
