"""The words of the protocol, and what the server says, in both spellings.

The document writes numbers as text, quotes what is one character, and ends a message with a
newline. The programs in the field write numbers as four bytes, quote nothing and end nothing: they
read by count. Both mean the same, so nothing outside of this module and the reader tells them
apart.
"""

import re

from croupier.cards import letter

NAME = "kuhn"

TEXT = "text"
BINARY = "binary"

CHCK = "CHCK"
BET = "BET_"
CALL = "CALL"
FOLD = "FOLD"

WRONG_ACTION = "W_A"
NO_COINS = "N_C"
WRONG_SYNTAX = "W_S"
WRONG_ID = "WID"

MAX_ERROR = 99
"""Characters of an error's text, code included: its length has two digits."""

_UNPRINTABLE = re.compile("[^ -~]")
_MAX_INT32 = 2**31 - 1


def stakes(spelling: str, client: int, house: int) -> bytes:
    """Return the message of the coins that both have."""
    if spelling == BINARY:
        return b"STKS " + _int32(client) + b" " + _int32(house)
    return f"STKS {client} {house}\n".encode("ascii")


def dealer(spelling: str, is_client: bool) -> bytes:
    """Return the message of who deals."""
    return _with_character(spelling, "DEAL", "1" if is_client else "0")


def card(spelling: str, own: int) -> bytes:
    """Return the message of the client's card."""
    return _with_character(spelling, "CARD", letter(own))


def show(spelling: str, of_house: int) -> bytes:
    """Return the message of the house's card at showdown."""
    return _with_character(spelling, "SHOW", letter(of_house))


def action(spelling: str, word: str) -> bytes:
    """Return the message of what the house does."""
    return _ended(spelling, word)


def error(spelling: str, code: str, explanation: str = "", with_text: bool = False) -> bytes:
    """Return the message after which the connection is closed.

    The document's example is the code alone; its prose wants a text after two digits that count
    its characters, of which the code is then the beginning.
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
    # More than the number can say is a matter of the table's options, and no reason to fail.
    return min(coins, _MAX_INT32).to_bytes(4, "big")
