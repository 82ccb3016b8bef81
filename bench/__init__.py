"""Croupier measured side by side with other engines, in one run."""
