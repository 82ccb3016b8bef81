"""Lobbies: they assign newcomers to prepared tables, rooms, or tables against the house."""
