"""The two example games of the original document, as whole transcripts of one player.

The document leaves some states out, has two typing errors, one line that it attributes to the
wrong player, and house bots that are both called `RanAgent`; it moves one player the wrong way
round after a hand and mixes floats into `win_money`. What stands here is what those games are
without all that: every frame from the server to one player, byte for byte. A result of ours has its
cards under both of the names that the document gives them.
"""

from dataclasses import dataclass

from croupier.cards import parse_many
from croupier.dialects.room.reader import V1
from tests.wire.room_game import BOARD, BOT, Place


@dataclass(frozen=True)
class Example:
    """A game: who sits where, what is dealt and done, and what one player is sent."""

    places: tuple[Place, ...]
    """By position in the first hand."""
    dealt: dict[int, dict[int, list[int]]]
    actions: str
    """The words of the first hand, in order."""
    reader: int
    """The player whose frames these are."""
    frames: tuple[str, ...]
    """Up to the first state of the second hand."""
    shown: tuple[int, ...]
    """Which of them the document shows."""


HEADS_UP = Example(
    places=(Place("Bob", V1), Place("Alice", V1)),
    dealt={
        1: {0: parse_many("JsTs"), 1: parse_many("7s9c"), BOARD: parse_many("8hJc4s9s3h")},
        2: {0: parse_many("TsQc")},
    },
    actions="call check r2000 call r10000 call check check",
    reader=1,
    shown=(0, 1, 2, 3, 4, 8, 9, 10, 11),
    frames=(
        '{"info": "name", "name": ["Bob", "Alice"], "position": 1}',
        '{"position": 1, "action_position": 0, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [200, 20000], "private_card": ["7s", "9c"], "public_card": [],'
        ' "action_history": [[]], "info": "state"}',
        '{"position": 1, "action_position": 1, "legal_actions": ["fold", "check", "raise"],'
        ' "raise_range": [200, 20000], "private_card": ["7s", "9c"], "public_card": [],'
        ' "action_history": [["0:call"]], "info": "state"}',
        '{"position": 1, "action_position": 1, "legal_actions": ["fold", "check", "raise"],'
        ' "raise_range": [100, 19900], "private_card": ["7s", "9c"],'
        ' "public_card": ["8h", "Jc", "4s"],'
        ' "action_history": [["0:call", "1:check"], []], "info": "state"}',
        '{"position": 1, "action_position": 0, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [4000, 19900], "private_card": ["7s", "9c"],'
        ' "public_card": ["8h", "Jc", "4s"],'
        ' "action_history": [["0:call", "1:check"], ["1:r2000"]], "info": "state"}',
        '{"position": 1, "action_position": 1, "legal_actions": ["fold", "check", "raise"],'
        ' "raise_range": [100, 17900], "private_card": ["7s", "9c"],'
        ' "public_card": ["8h", "Jc", "4s", "9s"],'
        ' "action_history": [["0:call", "1:check"], ["1:r2000", "0:call"], []], "info": "state"}',
        '{"position": 1, "action_position": 0, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [17900, 17900], "private_card": ["7s", "9c"],'
        ' "public_card": ["8h", "Jc", "4s", "9s"],'
        ' "action_history": [["0:call", "1:check"], ["1:r2000", "0:call"], ["1:r10000"]],'
        ' "info": "state"}',
        '{"position": 1, "action_position": 1, "legal_actions": ["fold", "check", "raise"],'
        ' "raise_range": [100, 7900], "private_card": ["7s", "9c"],'
        ' "public_card": ["8h", "Jc", "4s", "9s", "3h"],'
        ' "action_history": [["0:call", "1:check"], ["1:r2000", "0:call"],'
        ' ["1:r10000", "0:call"], []], "info": "state"}',
        '{"position": 1, "action_position": 0, "legal_actions": ["fold", "check", "raise"],'
        ' "raise_range": [100, 7900], "private_card": ["7s", "9c"],'
        ' "public_card": ["8h", "Jc", "4s", "9s", "3h"],'
        ' "action_history": [["0:call", "1:check"], ["1:r2000", "0:call"],'
        ' ["1:r10000", "0:call"], ["1:check"]], "info": "state"}',
        '{"position": 1, "action_position": -1, "legal_actions": ["fold", "check", "raise"],'
        ' "raise_range": [100, 7900], "private_card": ["7s", "9c"],'
        ' "public_card": ["8h", "Jc", "4s", "9s", "3h"],'
        ' "action_history": [["0:call", "1:check"], ["1:r2000", "0:call"],'
        ' ["1:r10000", "0:call"], ["1:check", "0:check"]], "info": "state"}',
        '{"win_money": [12100, -12100], "player_card": [["Js", "Ts"], ["7s", "9c"]],'
        ' "private_card": [["Js", "Ts"], ["7s", "9c"]],'
        ' "public_card": ["8h", "Jc", "4s", "9s", "3h"], "info": "result"}',
        '{"position": 0, "action_position": 0, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [200, 20000], "private_card": ["Ts", "Qc"], "public_card": [],'
        ' "action_history": [[]], "info": "state"}',
    ),
)

_BEFORE = '"2:call", "3:r1000", "0:call", "1:r5181"'
_FIRST = f'[{_BEFORE}, "2:call", "3:fold", "0:call"]'

FOUR = Example(
    places=(
        Place("Bob", V1),
        Place("RandomAgent1", BOT),
        Place("CallAgent0", BOT),
        Place("Alice", V1),
    ),
    dealt={
        1: {
            0: parse_many("6c9c"),
            1: parse_many("8sTc"),
            2: parse_many("6hQh"),
            BOARD: parse_many("2s6d9h3c5s"),
        },
        2: {3: parse_many("4c8h")},
    },
    actions="call r1000 call r5181 call fold call r2557 r9199 r14819 call call",
    reader=0,
    shown=(0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    frames=(
        '{"info": "name", "name": ["Bob", "RandomAgent1", "CallAgent0", "Alice"], "position": 0}',
        '{"position": 0, "action_position": 2, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [200, 20000], "private_card": ["6c", "9c"], "public_card": [],'
        ' "action_history": [[]], "info": "state"}',
        '{"position": 0, "action_position": 3, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [200, 20000], "private_card": ["6c", "9c"], "public_card": [],'
        ' "action_history": [["2:call"]], "info": "state"}',
        '{"position": 0, "action_position": 0, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [1950, 20000], "private_card": ["6c", "9c"], "public_card": [],'
        ' "action_history": [["2:call", "3:r1000"]], "info": "state"}',
        '{"position": 0, "action_position": 1, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [1900, 20000], "private_card": ["6c", "9c"], "public_card": [],'
        ' "action_history": [["2:call", "3:r1000", "0:call"]], "info": "state"}',
        '{"position": 0, "action_position": 2, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [10262, 20000], "private_card": ["6c", "9c"], "public_card": [],'
        f' "action_history": [[{_BEFORE}]], "info": "state"}}',
        '{"position": 0, "action_position": 3, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [9362, 20000], "private_card": ["6c", "9c"], "public_card": [],'
        f' "action_history": [[{_BEFORE}, "2:call"]], "info": "state"}}',
        '{"position": 0, "action_position": 0, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [9362, 20000], "private_card": ["6c", "9c"], "public_card": [],'
        f' "action_history": [[{_BEFORE}, "2:call", "3:fold"]], "info": "state"}}',
        '{"position": 0, "action_position": 1, "legal_actions": ["fold", "check", "raise"],'
        ' "raise_range": [100, 14819], "private_card": ["6c", "9c"],'
        ' "public_card": ["2s", "6d", "9h"],'
        f' "action_history": [{_FIRST}, []], "info": "state"}}',
        '{"position": 0, "action_position": 2, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [5114, 14819], "private_card": ["6c", "9c"],'
        ' "public_card": ["2s", "6d", "9h"],'
        f' "action_history": [{_FIRST}, ["1:r2557"]], "info": "state"}}',
        '{"position": 0, "action_position": 0, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [14819, 14819], "private_card": ["6c", "9c"],'
        ' "public_card": ["2s", "6d", "9h"],'
        f' "action_history": [{_FIRST}, ["1:r2557", "2:r9199"]], "info": "state"}}',
        '{"position": 0, "action_position": 1, "legal_actions": ["fold", "call"],'
        ' "raise_range": [], "private_card": ["6c", "9c"], "public_card": ["2s", "6d", "9h"],'
        f' "action_history": [{_FIRST}, ["1:r2557", "2:r9199", "0:r14819"]], "info": "state"}}',
        '{"position": 0, "action_position": 2, "legal_actions": ["fold", "call"],'
        ' "raise_range": [], "private_card": ["6c", "9c"], "public_card": ["2s", "6d", "9h"],'
        f' "action_history": [{_FIRST}, ["1:r2557", "2:r9199", "0:r14819", "1:call"]],'
        ' "info": "state"}',
        '{"position": 0, "action_position": -1, "legal_actions": ["fold", "check"],'
        ' "raise_range": [], "private_card": ["6c", "9c"],'
        ' "public_card": ["2s", "6d", "9h", "3c", "5s"],'
        f' "action_history": [{_FIRST}, ["1:r2557", "2:r9199", "0:r14819", "1:call", "2:call"]],'
        ' "info": "state"}',
        '{"win_money": [41000, -20000, -20000, -1000],'
        ' "player_card": [["6c", "9c"], ["8s", "Tc"], ["6h", "Qh"], []],'
        ' "private_card": [["6c", "9c"], ["8s", "Tc"], ["6h", "Qh"], []],'
        ' "public_card": ["2s", "6d", "9h", "3c", "5s"], "info": "result"}',
        '{"position": 3, "action_position": 2, "legal_actions": ["fold", "call", "raise"],'
        ' "raise_range": [200, 20000], "private_card": ["4c", "8h"], "public_card": [],'
        ' "action_history": [[]], "info": "state"}',
    ),
)

RANGES: tuple[tuple[int, ...], ...] = (
    *((200, 20000), (200, 20000), (100, 19900), (4000, 19900), (100, 7900), (100, 7900)),
    *((200, 20000), (200, 20000), (200, 20000), (1950, 20000), (10262, 20000), (9362, 20000)),
    *((9362, 20000), (100, 14819), (5114, 14819), (14819, 14819), (), (), (), (200, 20000)),
)
"""All raise ranges of the document, in its order."""
