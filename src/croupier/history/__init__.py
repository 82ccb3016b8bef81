"""Hands on record as other programs and people read them."""
