"""Checks that take minutes."""
