"""Text of players where people read it."""


def plain(text: str) -> str:
    """Return a player's text without anything that could steer a terminal."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
