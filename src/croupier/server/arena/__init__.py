"""The arena: the tables, listeners and programs of one file, and its control socket."""
