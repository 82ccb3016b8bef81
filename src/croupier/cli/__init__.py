"""The command line: thin shells, one module per command."""
