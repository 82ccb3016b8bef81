"""`kuhn`: four-letter commands over TCP, one player against the house."""
