"""Contests carried out: matches in worker processes and at live tables, and their resumption."""
