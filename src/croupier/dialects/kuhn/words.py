"""The vocabulary of the protocol, and the server's messages, in both spellings.

The specification writes numbers as text, quotes single characters and ends each message with a
newline. Real programs write numbers as four bytes and use neither quotes nor newlines: they read
by byte count. Both mean the same, so only this module and the reader distinguish them.
"""

import re
from typing import Final

from croupier.cards import letter

NAME: Final = "kuhn"

TEXT: Final = "text"
BINARY: Final = "binary"

CHCK: Final = "CHCK"
BET: Final = "BET_"
CALL: Final = "CALL"
FOLD: Final = "FOLD"

WRONG_ACTION: Final = "W_A"
NO_COINS: Final = "N_C"
WRONG_SYNTAX: Final = "W_S"
WRONG_ID: Final = "WID"

MAX_ERROR: Final = 99
"""The longest error text in characters, code included: its length field has two digits."""

_UNPRINTABLE: Final = re.compile("[^ -~]")
_MAX_INT32: Final = 2**31 - 1


def stakes(spelling: str, client: int, house: int) -> bytes:
    """Return the message with the coins of both sides."""
    if spelling == BINARY:
        return b"STKS " + _int32(client) + b" " + _int32(house)
    return f"STKS {client} {house}\n".encode("ascii")


def dealer(spelling: str, is_client: bool) -> bytes:
    """Return the message that names the dealer."""
    return _with_character(spelling, "DEAL", "1" if is_client else "0")


def card(spelling: str, own: int) -> bytes:
    """Return the message with the client's card."""
    return _with_character(spelling, "CARD", letter(own))


def show(spelling: str, of_house: int) -> bytes:
    """Return the message with the house's card at showdown."""
    return _with_character(spelling, "SHOW", letter(of_house))


def action(spelling: str, word: str) -> bytes:
    """Return the message with an action of the house."""
    return _ended(spelling, word)


def error(spelling: str, code: str, explanation: str = "", with_text: bool = False) -> bytes:
    """Return the error message, after which the connection is closed.

    The specification's example is the code alone; its prose asks for a text that begins with the
    code, after two digits with its length.
    """
    if not with_text:
        return _ended(spelling, f"ERRO {code}")
    text = _UNPRINTABLE.sub("?", " ".join([code, *explanation.split()]))[:MAX_ERROR]
    return _ended(spelling, f"ERRO {len(text):02}{text}")


def _with_character(spelling: str, command: str, character: str) -> bytes:
    argument = character if spelling == BINARY else f"'{character}'"
    return _ended(spelling, f"{command} {argument}")


def _ended(spelling: str, message: str) -> bytes:
    return (message if spelling == BINARY else f"{message}\n").encode("ascii")


def _int32(coins: int) -> bytes:
    # The table's options allow more coins than the field can hold: saturate instead of failing.
    return min(coins, _MAX_INT32).to_bytes(4, "big")
