"""The running server: sockets, tables, clocks."""
