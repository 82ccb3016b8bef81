"""Where newcomers are led to a table: prepared ones, rooms, tables against the house."""
