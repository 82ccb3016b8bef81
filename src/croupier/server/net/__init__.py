"""Sockets: connections, the doors that accept them, and the limits on both."""
