"""Croupier deals poker to programs."""

__version__ = "0.1.0"
