"""Read the logs of the Annual Computer Poker Competition: `STATE` and `SCORE` lines."""

import re

from croupier.cards import parse_many
from croupier.history.recorded import ImportFileError, RecordedHand, RecordedMatch
from croupier.rules.rules import Rules
from croupier.rules.sets import (
    ACPC_KUHN2,
    ACPC_KUHN3,
    ACPC_LEDUC,
    ACPC_LEDUC_NOLIMIT,
    ACPC_LIMIT,
    ACPC_NOLIMIT,
    SETS,
)

_HEAD = re.compile(r"# name/game/hands/seed \S+ (\S+) ")
_STATE = re.compile(r"STATE:([0-9]{1,12}):((?:[cf/]|r[0-9]*)*):([^:]*):([-0-9.|]+):(.+)")
_ACTION = re.compile(r"([cfr])([0-9]{0,12})")
_GAMES = {
    "holdem.limit": ACPC_LIMIT,
    "holdem.nolimit": ACPC_NOLIMIT,
    "kuhn.limit.2p": ACPC_KUHN2,
    "kuhn.limit.3p": ACPC_KUHN3,
    "leduc.limit": ACPC_LEDUC,
    "leduc": ACPC_LEDUC_NOLIMIT,
}
"""The games by the beginnings of the names that their definitions usually have."""


def read_log(text: str, rules: Rules | None) -> RecordedMatch:
    """Return the hands of a log; without rules, those that its first line names."""
    rules = rules or _named_rules(text)
    hands: list[RecordedHand] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("STATE:"):
            continue
        where = f"line {number}"
        match = _STATE.fullmatch(line)
        if match is None:
            raise ImportFileError(f"{where} is not a STATE line")
        if int(match[1]) != len(hands):
            raise ImportFileError(f"{where} is hand {match[1]}, and hand {len(hands)} is missing")
        holes, _, board = match[3].partition("/")
        try:
            hole = tuple(tuple(parse_many(field)) for field in holes.split("|"))
            cards = tuple(parse_many(board.replace("/", "")))
            net = tuple(map(float, match[4].split("|")))
        except ValueError as error:
            raise ImportFileError(f"{where}: {error}") from None
        actions = tuple((letter, int(to or 0)) for letter, to in _ACTION.findall(match[2]))
        names = tuple(match[5].split("|"))
        hands.append(RecordedHand(where, names, hole, cards, actions, net))
    return RecordedMatch(rules, hands)


def _named_rules(text: str) -> Rules:
    head = _HEAD.search(text)
    game = head[1] if head is not None else ""
    if game in SETS:
        return SETS[game]
    for beginning, rules in _GAMES.items():
        if game.startswith(beginning):
            return rules
    what = f"the game {game!r} is not known" if game else "the log names no game"
    raise ImportFileError(f"{what}: give its rules with --rules")
