"""Make text from players safe to display."""


def plain(text: str) -> str:
    """Return a player's text without characters that could control a terminal."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
