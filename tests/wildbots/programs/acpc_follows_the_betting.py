"""Plays no-limit hold'em by `acpc` as programs of the field do: it follows the betting by itself.

    python acpc_follows_the_betting.py HOST PORT [KEY]

Nothing tells it when to act or what it may do: it works both out from the betting and the rules
that it was written for. The exit code is 1 if a state breaks them, or if the server goes away
within a hand.
"""

import re
import socket
import sys

STACK, SMALL, BIG = 20000, 50, 100
RANKS = "23456789TJQKA"


class Betting:
    """What follows from the betting of a hand."""

    def __init__(self, players, text):
        heads_up = players == 2
        self.spent = [BIG, SMALL] if heads_up else [SMALL, BIG] + [0] * (players - 2)
        self.folded = set()
        rounds = text.split("/")
        for number, actions in enumerate(rounds):
            self.step = BIG
            self.raises = 0
            first = (1 if heads_up else 2) if number == 0 else 0
            self.waiting = self.able(first)
            if len(self.waiting) < 2:
                self.waiting = []
            for word in re.findall(r"[cf]|r\d+|.", actions):
                self.act(word)
            if number < len(rounds) - 1 and self.waiting:
                sys.exit(f"a round ends too early: {text}")
        self.over = not self.waiting and (len(rounds) == 4 or self.alone)

    @property
    def alone(self):
        return len(self.spent) - len(self.folded) == 1

    @property
    def owed(self):
        return max(self.spent) - self.spent[self.waiting[0]]

    @property
    def least(self):
        """The least that one may raise to."""
        return min(max(self.spent) + self.step, STACK)

    @property
    def may_raise(self):
        return max(self.spent) < STACK and len(self.able(0)) > 1

    def able(self, first):
        """Return who can still act, from a position on."""
        count = len(self.spent)
        around = [(first + one) % count for one in range(count)]
        return [one for one in around if one not in self.folded and self.spent[one] < STACK]

    def act(self, word):
        if not self.waiting:
            sys.exit(f"nobody is to act: {word}")
        actor = self.waiting[0]
        if word == "c":
            self.spent[actor] = max(self.spent)
        elif word == "f" and self.owed:
            self.folded.add(actor)
        elif word[0] == "r" and self.may_raise and self.least <= int(word[1:]) <= STACK:
            self.step = max(self.step, int(word[1:]) - max(self.spent))
            self.spent[actor] = int(word[1:])
            self.raises += 1
            self.waiting = [actor] + [one for one in self.able(actor) if one != actor]
        else:
            sys.exit(f"{word} is not legal")
        self.waiting = [] if self.alone else self.waiting[1:]


def choose(cards, betting):
    high, low = sorted((RANKS.index(card) for card in cards[::2]), reverse=True)
    if betting.may_raise and high == low and low > 5:
        return f"r{STACK}"
    if betting.may_raise and high > 9 and betting.raises < 3:
        return f"r{betting.least}"
    return "f" if betting.owed > BIG and high < 10 else "c"


def lines_of(server):
    """Yield the lines, one at a time, however they arrive."""
    unread = b""
    while data := server.recv(1024):
        unread += data
        while b"\n" in unread:
            line, unread = unread.split(b"\n", 1)
            yield line.decode("ascii").rstrip("\r")


host, port, *key = sys.argv[1:]
hands, over = set(), True
with socket.create_connection((host, int(port)), timeout=60) as server:
    server.sendall(" ".join(["VERSION:2.0.0", *key]).encode() + b"\n")
    for line in lines_of(server):
        header, position, hand, text, cards = line.split(":")
        holes = cards.split("/")[0].split("|")
        betting = Betting(len(holes), text)
        over = betting.over
        hands.add(hand)
        if not over and betting.waiting[0] == int(position):
            action = choose(holes[int(position)], betting)
            server.sendall(f"{line}:{action}\r\n".encode())
if not over:
    sys.exit("the server went away within a hand")
print(f"{len(hands)} hands")
