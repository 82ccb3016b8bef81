"""The wire protocols: bytes and messages, without sockets, clocks or game rules."""
