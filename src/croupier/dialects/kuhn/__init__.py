"""`kuhn`: four-letter commands over TCP, one player against a house bot."""
