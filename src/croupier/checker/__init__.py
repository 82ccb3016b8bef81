"""Plays scenarios with a bot author's program, and names its mistakes."""
