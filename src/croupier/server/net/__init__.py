"""Sockets: connections, the doors they come in by, and the limits on both."""
