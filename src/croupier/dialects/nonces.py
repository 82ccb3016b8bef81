"""Nonces: public texts that players may give when they join, to be hashed into the deals."""

MAX_NONCE = 64
"""The most characters of a nonce. A security limit."""

WHAT = f"a nonce is a text of 1 to {MAX_NONCE} printable ASCII characters without blanks"


def is_nonce(value: object) -> bool:
    """Tell whether a value is a nonce that every protocol with room for one can carry."""
    if not isinstance(value, str) or not 0 < len(value) <= MAX_NONCE:
        return False
    return all("!" <= character <= "~" for character in value)
