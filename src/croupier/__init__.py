"""Croupier deals poker to programs."""

__version__ = "0.2.0"
