"""Contests as a pure function of (file, seed, results so far) to (next fixtures, standings).

Nothing here plays a match, reads a file or draws a random number; `croupier.running` carries a
contest out.
"""
