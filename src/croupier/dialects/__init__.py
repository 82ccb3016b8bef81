"""The languages of the protocols: bytes and messages, no socket, no clock, no rule."""
