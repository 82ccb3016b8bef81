"""What players of the three hold'em dialects may hear at a table of any rules, checked as it comes.

An ear knows the rules of the table and nothing of the program. It fails at the first message that
is misspelt, out of its place, does not add up with what was said before, or shows a card that is
none of its owner's business.
"""

import json
import re
import struct
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from croupier.dialects.room.reader import V1, V2
from croupier.rules import rules as r
from croupier.rules.rules import Rules
from tests.wire.trend_hands import number_of
from tests.wire.trend_messages import (
    BOARD_CARDS,
    NO_HAND,
    GameOver,
    GameStart,
    Peers2,
    Player,
    Prepare,
    Request,
    RoundEnd,
    Self,
    ShowAction,
    StartReload,
    State,
    Table,
    checked,
)

Frame = dict[str, Any]

# huawei: lines of text.

PID_LINE = re.compile(r"(\d+) (\d+) (\d+)")
TITLES = ("button: ", "small blind: ", "big blind: ")
CARD_LINE = re.compile(r"(SPADES|HEARTS|CLUBS|DIAMONDS) ([2-9]|10|[JQKA])")
POST_LINE = re.compile(r"(\d+): (\d+)")
FIGURES = re.compile(r"(\d+) (\d+) (\d+) (\d+) (blind|check|call|raise|all_in|fold)")
SHOW_LINE = re.compile(r"(\d+): (\d+) (\w+ \w+) (\w+ \w+) ([A-Z_]+)")
HAND_NAMES = {
    "High Card": "HIGH_CARD",
    "Pair": "ONE_PAIR",
    "Two Pair": "TWO_PAIR",
    "Three of a Kind": "THREE_OF_A_KIND",
    "Straight": "STRAIGHT",
    "Flush": "FLUSH",
    "Full House": "FULL_HOUSE",
    "Four of a kind": "FOUR_OF_A_KIND",
    "Straight Flush": "STRAIGHT_FLUSH",
    "Royal Flush": "STRAIGHT_FLUSH",
}
STREETS = {"flop": 3, "turn": 1, "river": 1}


def two_letters(line: str) -> str:
    """Return a card in the spelling of `trend`."""
    suit, point = line.split(" ")
    return ("T" if point == "10" else point) + suit[0]


class HuaweiEar:
    """A player who asked for `need_notify` and `need_bet`, so that he can keep the books."""

    def __init__(self, pid: str, rules: Rules) -> None:
        self.pid = pid
        self.rules = rules
        self.awaited = {"seat", "game-over"}
        self.hands = 0
        self.seats: list[str] = []
        """The pids of this hand, the button first."""
        self.jetton: dict[str, int] = {}
        self.money: dict[str, int] = {}
        self.bets: dict[str, int] = {}
        self.last: dict[str, str] = {}
        """What each player did last in this hand."""
        self.worth: dict[str, int] = {}
        """Jetton and money of each player after the last hand."""
        self.own: list[str] = []
        self.board: list[str] = []
        self.showed: dict[str, int] = {}
        """The rank of each hand at the showdown."""
        self.discarded = 0
        self.asked = False
        self.over = False

    def hear(self, message: bytes) -> str:
        """Take the next message; return its name."""
        text = message.decode("ascii")
        lines = text.split(" \n")
        assert lines.pop() == "", text
        assert all(line == line.strip() and "  " not in line for line in lines), text
        name = lines[0].rstrip("/")
        assert name in self.awaited, f"{name} instead of {self.awaited}"
        self.asked = False
        if name == "game-over":
            assert text == "game-over \n"
            self.awaited = set()
            self.over = True
            return name
        assert (lines[0], lines[-1]) == (f"{name}/", f"/{name}"), text
        handler: Callable[[list[str]], None] = getattr(self, "_" + name.replace("-", "_"))
        handler(lines[1:-1])
        return name

    def _seat(self, lines: list[str]) -> None:
        assert 2 <= len(lines) <= 8
        before, rows = self.seats, []
        for place, line in enumerate(lines):
            title = TITLES[place] if place < len(TITLES) else ""
            assert line.startswith(title), line
            match = PID_LINE.fullmatch(line[len(title) :])
            assert match is not None, line
            rows.append((match[1], int(match[2]), int(match[3])))
        self.seats = [pid for pid, _, _ in rows]
        assert self.pid in self.seats
        assert len(set(self.seats)) == len(self.seats)
        self.jetton = {pid: jetton for pid, jetton, _ in rows}
        self.money = {pid: money for pid, _, money in rows}
        self._check_stacks()
        if before and self.rules.rotation == r.BUTTON:
            button = next(pid for pid in before[1:] + before[:1] if pid in self.seats)
            assert button == self.seats[0]
        self.hands += 1
        self.bets = dict.fromkeys(self.seats, 0)
        self.last = {}
        self.own, self.board = [], []
        self.showed = {}
        self.awaited = {"blind"}

    def _check_stacks(self) -> None:
        rules = self.rules
        for pid in self.seats:
            assert self.jetton[pid] > 0
            if rules.stacks == r.RESET:
                assert (self.jetton[pid], self.money[pid]) == (rules.stack, 0)
            elif not self.worth:
                assert self.jetton[pid] == rules.stack
                assert self.money[pid] == rules.reserve + rules.reloads * rules.stack
            else:
                # What is bought or topped up comes from the money, so that the sum is kept.
                assert self.jetton[pid] + self.money[pid] == self.worth[pid]

    def _blind(self, lines: list[str]) -> None:
        posted = []
        for line in lines:
            match = POST_LINE.fullmatch(line)
            assert match is not None, line
            pid, amount = match[1], int(match[2])
            posted.append(pid)
            self.bets[pid] = amount
            self.jetton[pid] -= amount
            self.last[pid] = "blind"
            assert amount > 0
            assert self.jetton[pid] >= 0
        button, small, *rest = self.seats
        if rest:
            assert posted == [small, rest[0]]
        elif self.rules.heads_up == r.NO_BIG:
            assert posted == [small]
        else:
            assert posted == [button, small]
        self.awaited = {"hold"}

    def _hold(self, lines: list[str]) -> None:
        self.own = self._cards(lines)
        assert len(self.own) == 2
        self.awaited = {"inquire", "notify", "bet", *STREETS, "showdown", "pot-win"}

    def _cards(self, lines: Sequence[str]) -> list[str]:
        assert all(CARD_LINE.fullmatch(line) for line in lines), lines
        cards = [two_letters(line) for line in lines]
        known = self.own + self.board + cards
        assert len(known) == len(set(known))
        return cards

    def _inquire(self, lines: list[str]) -> None:
        self._figures(lines)
        self.asked = True
        self.awaited = {"bet"}

    def _notify(self, lines: list[str]) -> None:
        self._figures(lines)

    def _figures(self, lines: list[str]) -> None:
        """Everyone who has acted, backwards from the seat before the own one."""
        *rows, total = lines
        assert total == f"total pot: {sum(self.bets.values())}"
        own = self.seats.index(self.pid)
        backwards = [self.seats[own - step] for step in range(1, len(self.seats) + 1)]
        assert rows == [
            f"{pid} {self.jetton[pid]} {self.money[pid]} {self.bets[pid]} {self.last[pid]}"
            for pid in backwards
            if pid in self.last
        ]

    def _bet(self, lines: list[str]) -> None:
        (line,) = lines
        match = FIGURES.fullmatch(line)
        assert match is not None, line
        pid, action = match[1], match[5]
        jetton, money, bet = (int(match[field]) for field in (2, 3, 4))
        assert self.last.get(pid) not in ("fold", "all_in")
        assert self.jetton[pid] > 0, "a player without chips is not asked"
        assert money == self.money[pid]
        added = bet - self.bets[pid]
        assert jetton == self.jetton[pid] - added
        assert (added == 0) == (action in ("check", "fold"))
        assert (jetton == 0) == (action == "all_in")
        if action == "raise":
            assert bet > max(self.bets.values())
        self.jetton[pid], self.bets[pid], self.last[pid] = jetton, bet, action
        self.awaited = {"inquire", "notify", "bet", *STREETS, "showdown", "pot-win"}

    def _flop(self, lines: list[str]) -> None:
        self._street("flop", lines, 0)

    def _turn(self, lines: list[str]) -> None:
        self._street("turn", lines, 3)

    def _river(self, lines: list[str]) -> None:
        self._street("river", lines, 4)

    def _street(self, name: str, lines: list[str], before: int) -> None:
        assert len(self.board) == before
        assert len(self._living()) > 1
        cards = self._cards(lines)
        assert len(cards) == STREETS[name]
        self.board += cards
        self.awaited = {"inquire", "notify", "bet", *STREETS, "showdown", "pot-win"}

    def _living(self) -> list[str]:
        return [pid for pid in self.seats if self.last.get(pid) != "fold"]

    def _showdown(self, lines: list[str]) -> None:
        assert (lines[0], lines[6]) == ("common/", "/common")
        assert [two_letters(line) for line in lines[1:6]] == self.board
        order, numbers = [], []
        for line in lines[7:]:
            match = SHOW_LINE.fullmatch(line)
            assert match is not None, line
            pid = match[2]
            order.append(pid)
            self.showed[pid] = int(match[1])
            cards = [two_letters(match[3]), two_letters(match[4])]
            if pid == self.pid:
                assert cards == self.own
            else:
                assert not {*cards} & {*self.own, *self.board}
            number, message = number_of(cards + self.board)
            numbers.append(number)
            assert HAND_NAMES[message] == match[5]
        assert len(order) > 1
        assert order == [pid for pid in self.seats[1:] + self.seats[:1] if pid in self._living()]
        ranks = list(self.showed.values())
        assert set(ranks) == set(range(1, len(set(ranks)) + 1)), "ranks are dense"
        for better, rank in zip(numbers, ranks, strict=True):
            for worse, other in zip(numbers, ranks, strict=True):
                assert not (rank < other and better < worse)
        self.awaited = {"pot-win"}

    def _pot_win(self, lines: list[str]) -> None:
        living = self._living()
        assert bool(self.showed) == (len(living) > 1)
        winners = []
        for line in lines:
            match = POST_LINE.fullmatch(line)
            assert match is not None, line
            pid, amount = match[1], int(match[2])
            winners.append(pid)
            assert pid in living
            assert amount > 0
            self.jetton[pid] += amount
            self.bets[pid] -= amount
        pot = sum(self.bets.values())
        if living:
            assert pot == 0, "what was won is what was put in"
        else:
            assert self.rules.ask_last
            assert not winners
            self.discarded += pot
        assert [self.showed.get(pid, 1) for pid in winners] == sorted(
            self.showed.get(pid, 1) for pid in winners
        )
        for pid in self.seats:
            self.worth[pid] = self.jetton[pid] + self.money[pid]
        self.awaited = {"seat", "game-over"}


# room: frames of JSON.

V1_STATE = (
    *("position", "action_position", "legal_actions", "raise_range", "private_card"),
    *("public_card", "action_history", "info"),
)
KEYS = {
    (V1, "name"): ("info", "name", "position"),
    (V1, "state"): V1_STATE,
    (V1, "result"): ("win_money", "player_card", "private_card", "public_card", "info"),
    (V2, "state"): (*V1_STATE[:6], "players", *V1_STATE[6:]),
    (V2, "result"): ("player_card", "public_card", "action_history", "players", "info"),
    (V2, "success"): ("info", "text"),
    (V1, "error"): ("info", "text"),
    (V2, "error"): ("info", "text"),
}
CARD = re.compile(r"[2-9TJQKA][cdsh]")
V1_ACTION = re.compile(r"(\d):(fold|check|call|r\d+)")
ACTION = re.compile(r"fold|check|call|r\d+")
STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}")
Deeds = list[list[tuple[int, str]]]


class RoomEar:
    """A player of `room` in either version."""

    def __init__(self, version: int, rules: Rules) -> None:
        self.version = version
        self.rules = rules
        self.awaited = {"name"} if version == V1 else {"state", "success", "error"}
        self.names: list[str] = []
        self.hands = 0
        self.position = -1
        self.own: list[str] = []
        self.board: list[str] = []
        self.deeds: Deeds = []
        self.size = 0
        """How many play this hand, once that is known."""
        self.posted: list[int] = []
        self.stacks: list[int] = []
        self.won = 0
        self.asked = False
        self.legal: list[str] = []
        self.range: list[int] = []
        self.over = False

    def hear(self, message: bytes) -> str:
        """Take the next frame with its length; return its kind."""
        (length,) = struct.unpack("<i", message[:4])
        assert length == len(message) - 4
        frame = json.loads(message[4:].decode("ascii"))
        assert message[4:].decode("ascii") == json.dumps(frame)
        info: str = frame["info"]
        assert info in self.awaited, f"{info} instead of {self.awaited}"
        assert tuple(frame) == KEYS[self.version, info], frame
        self.asked = False
        if info in ("state", "result"):
            self._look_at_cards(frame)
        handler: Callable[[Frame], None] = getattr(self, "_" + info)
        handler(frame)
        return info

    def _name(self, frame: Frame) -> None:
        self.names = frame["name"]
        assert 0 <= frame["position"] < len(self.names)
        self.position = frame["position"]
        self.awaited = {"state", "error"}

    def _success(self, frame: Frame) -> None:
        assert frame["text"] == "Complete playing"
        self.awaited = set()
        self.over = True

    def _error(self, frame: Frame) -> None:
        self.awaited = set()
        self.over = True

    def closed(self) -> None:
        """Take note that the connection was closed: that is how version 1 hears of the end."""
        assert self.version == V1 or self.over
        assert not self.own, "closed within a hand"
        self.awaited = set()
        self.over = True

    def _look_at_cards(self, frame: Frame) -> None:
        board = frame["public_card"]
        assert len(board) in (0, 3, 4, 5)
        assert board[: len(self.board)] == self.board
        self.board = board
        known = self.own + board
        assert len(known) == len(set(known))
        assert all(CARD.fullmatch(card) for card in known)

    def _state(self, frame: Frame) -> None:
        if "state" in self.awaited and not self.own:
            self._new_hand(frame)
        assert frame["position"] == self.position
        assert frame["private_card"] == self.own
        turn = frame["action_position"]
        assert -1 <= turn < (self.size or 10)
        self._look_at_options(frame["legal_actions"], frame["raise_range"])
        self._look_at_deeds(frame["action_history"], turn)
        if self.version == V2:
            self._look_at_players(frame["players"])
        self.asked = turn == self.position
        self.awaited = {"state"} if turn >= 0 else {"result"}

    def _new_hand(self, frame: Frame) -> None:
        self.hands += 1
        if not self.names or self.hands > 1:
            self.position = frame["position"]
        self.own = frame["private_card"]
        assert len(self.own) == 2
        self.board = frame["public_card"]
        blinds_only = frame["action_position"] < 0
        assert len(self.board) == (5 if blinds_only else 0)
        self.deeds = [[]]
        assert frame["action_history"] == [[]]
        self.size = len(frame["players"]) if self.version == V2 else 0
        self.posted = [row["total_money"] - row["money_left"] for row in frame.get("players", [])]
        self.stacks = [row["total_money"] for row in frame.get("players", [])]

    def _look_at_options(self, legal: list[str], limits: list[int]) -> None:
        assert legal[:2] in (["fold", "check"], ["fold", "call"])
        assert legal[2:] == (["raise"] if limits else [])
        if limits:
            low, high = limits
            assert 0 < low <= high
            if self.rules.stacks == r.RESET:
                assert high <= self.rules.stack
        self.legal, self.range = legal, limits

    def _look_at_deeds(self, history: list[list[Any]], turn: int) -> None:
        deeds = [[self._deed(item) for item in street] for street in history]
        before = [deed for street in self.deeds for deed in street]
        now = [deed for street in deeds for deed in street]
        first = not before and not now
        assert first or now[:-1] == before, "a state comes before each action, and after the last"
        assert deeds[: len(self.deeds) - 1] == self.deeds[:-1]
        if turn >= 0:
            assert len(deeds) == {0: 1, 3: 2, 4: 3, 5: 4}[len(self.board)]
        folded = {place for place, what in now if what == "fold"}
        assert turn not in folded
        self.deeds = deeds

    def _deed(self, item: Any) -> tuple[int, str]:
        if self.version == V1:
            match = V1_ACTION.fullmatch(item)
            assert match is not None, item
            return int(match[1]), match[2]
        assert tuple(item) == ("position", "action", "timestamp")
        assert STAMP.fullmatch(item["timestamp"])
        assert ACTION.fullmatch(item["action"])
        return item["position"], item["action"]

    def _put_in(self) -> list[int]:
        """Return what each position has put in, by the history."""
        put = list(self.posted)
        street_put = list(self.posted)
        for number, street in enumerate(self.deeds):
            if number:
                street_put = [0] * self.size
            high = max(street_put)
            if not number:
                high = max(high, self._nominal())
            for place, what in street:
                to = street_put[place]
                if what == "call":
                    to = min(high, to + self.stacks[place] - put[place])
                elif what.startswith("r"):
                    to = high = int(what[1:])
                put[place] += to - street_put[place]
                street_put[place] = to
        return put

    def _nominal(self) -> int:
        """Return the least bet to match before the flop, also where the blind was posted short."""
        if self.rules.short_blind == r.POSTED:
            return 0
        if self.rules.blinds_double != r.NEVER:
            return max(*self.posted, 2 * self.posted[0])
        no_big = self.size == 2 and self.rules.heads_up == r.NO_BIG
        return self.rules.small_blind if no_big else self.rules.big_blind

    def _look_at_players(self, rows: list[Frame]) -> None:
        assert len(rows) == self.size
        for place, row in enumerate(rows):
            assert tuple(row) == ("position", "money_left", "total_money", "name")
            assert row["position"] == place
            assert row["total_money"] == self.stacks[place]
            if self.rules.stacks == r.RESET:
                assert row["total_money"] == self.rules.stack
            assert row["money_left"] >= 0
        if self.rules.blinds_double != r.NEVER and self.posted[0] == self.stacks[0]:
            return  # how high the blinds are cannot be seen
        left = [self.stacks[place] - put for place, put in enumerate(self._put_in())]
        assert [row["money_left"] for row in rows] == left

    def _result(self, frame: Frame) -> None:
        if self.version == V2:
            rows = frame["players"]
            for place, row in enumerate(rows):
                keys = ("position", "win_money", "moneyLeft", "totalMoney", "name")
                assert tuple(row) == keys
                assert row["position"] == place
            won = [row["win_money"] for row in rows]
            put = self._put_in()
        else:
            won = frame["win_money"]
            assert frame["private_card"] == frame["player_card"]
            put = []
        assert all(type(amount) is int for amount in won)
        assert self.size in (0, len(won))
        folded = {place for street in self.deeds for place, what in street if what == "fold"}
        if len(folded) == len(won):
            assert self.rules.ask_last, "the last player wins"
            assert sum(won) < 0
        else:
            assert sum(won) == 0
        unsure = self.rules.blinds_double != r.NEVER and put and self.posted[0] == self.stacks[0]
        for place in folded & set(range(len(put))):
            assert unsure or won[place] == -put[place]
        self._look_at_shown(frame["player_card"], folded, len(won))
        self.won += won[self.position]
        self.own, self.board, self.deeds = [], [], []
        self.awaited = {"state", "success", "error"}

    def _look_at_shown(self, shown: list[list[str]], folded: set[int], size: int) -> None:
        assert len(shown) == size
        by_folds = size - len(folded) < 2
        for place, cards in enumerate(shown):
            own = place == self.position
            if self.rules.reveal == r.ALL or (not by_folds and place not in folded):
                assert len(cards) == 2
            elif by_folds and own and self.version == V2:
                assert cards == self.own
            else:
                assert cards == []
            if own and cards:
                assert cards == self.own
        known = [card for cards in shown for card in cards] + self.board
        assert len(known) == len(set(known))


# trend: objects of JSON.


class TrendEar:
    """A player of `trend`; keys, their order and types are those of `trend_messages`."""

    def __init__(self, token: str, tokens: Sequence[str], rules: Rules) -> None:
        """Without `tokens` everyone who is there in the first round belongs to the match."""
        self.token = token
        self.tokens = sorted(tokens)
        self.rules = rules
        self.awaited = {"__game_prepare", "__game_start"}
        self.hands = 0
        self.order: list[str] = []
        self.own: list[str] = []
        self.board: list[str] = []
        self.last: dict[str, tuple[int, int, int]] = {}
        """(chips, roundBet, bet) of each player after the last message."""
        self.folded: set[str] = set()
        self.raise_count = self.bet_count = self.total = 0
        self.present: list[str] = []
        self.reloads: dict[str, int] = {}
        self.alive: set[str] = set(tokens)
        self.stopped = False
        self.discarded = 0
        self.ended: RoundEnd | None = None
        self.over: GameOver | None = None
        self.asked = ""
        self.request: Request | None = None

    def hear(self, message: bytes) -> str:
        """Take the next message; return its event."""
        name, data = checked(message)
        self.asked = ""
        if name in ("__new_peer", "__left"):
            assert not self.tokens or set(data) <= set(self.tokens)
            self.present = data
        elif name in ("__new_peer_2", "__left_2"):
            self._peers(data)
        elif name == "_join":
            self._only_own_cards(data.players)
        elif name == "__game_stop":
            self.stopped = True
        else:
            assert name in self.awaited or (self.stopped and name == "__game_over"), name
            handler: Callable[[Any], None] = getattr(self, name.strip("_"))
            handler(data)
        return name

    def _peers(self, data: Peers2) -> None:
        assert [peer.playerName for peer in data.players if peer.isOnline] == self.present
        if data.basicData is not UNSET:
            self._only_own_cards(data.basicData.players)

    def game_prepare(self, data: Prepare) -> None:
        assert data.countDown > 0

    def game_start(self, data: GameStart) -> None:
        assert data.error_code == 1
        self.awaited = {"__new_round"}

    def new_round(self, data: State) -> None:
        self.hands += 1
        table = data.table
        assert (table.roundName, table.board) == ("Deal", [])
        assert (table.initChips, table.maxReloadCount) == (self.rules.stack, self.rules.reloads)
        self.raise_count = self.bet_count = 0
        self.board, self.own, self.folded = [], [], set()
        before, self.last = self.last, {}
        self._state(data.players, table)
        mine = self._mine(data.players)
        self.own = mine.cards
        assert len(mine.cards) == (2 if mine.isSurvive else 0)
        self.alive = {player.playerName for player in data.players if player.isSurvive}
        blinds = {
            table.smallBlind.playerName: table.smallBlind.amount,
            table.bigBlind.playerName: table.bigBlind.amount,
        }
        assert len(blinds) == 2
        assert set(blinds) <= self.alive
        if self.no_big:
            assert blinds.pop(table.bigBlind.playerName) == 2 * table.smallBlind.amount
        for player in data.players:
            had = player.chips + player.bet
            assert not player.folded
            assert player.roundBet == 0
            assert player.bet == min(blinds.get(player.playerName, 0), had)
            self._check_chips(player, had, before)
            self.reloads[player.playerName] = player.reloadCount
        self.awaited = {"__action", "__bet", "__show_action", "__deal", "__round_end"}

    def _check_chips(
        self, player: Player, had: int, before: dict[str, tuple[int, int, int]]
    ) -> None:
        rules = self.rules
        if rules.stacks == r.RESET or not before:
            assert had == rules.stack
            return
        bought = player.reloadCount - self.reloads[player.playerName]
        assert 0 <= player.reloadCount <= rules.reloads
        gain = had - before[player.playerName][0] - bought * rules.stack
        if rules.reserve:
            assert gain == 0 or (gain > 0 and had <= rules.stack), "topped up from the money"
        else:
            assert gain == 0

    @property
    def no_big(self) -> bool:
        return len(self.alive) == 2 and self.rules.heads_up == r.NO_BIG

    def action(self, data: Request) -> None:
        self._request(data)
        high = max(player.bet for player in data.game.players)
        if data.game.roundName == "Deal" and self.rules.short_blind == r.NOMINAL:
            blind = data.game.smallBlind if self.no_big else data.game.bigBlind
            high = max(high, blind.amount)
        assert high > 0, "until someone bets on a later street, __bet is asked"
        assert data.self.minBet == high - data.self.bet
        self.asked = "__action"

    def bet(self, data: Request) -> None:
        self._request(data)
        assert data.game.roundName != "Deal"
        assert all(player.bet == 0 for player in data.game.players)
        assert data.self.minBet == data.game.bigBlind.amount
        self.asked = "__bet"

    def _request(self, data: Request) -> None:
        game = data.game
        self.request = data
        assert data.self.playerName == self.token
        assert data.self.cards == self.own
        assert (data.self.folded, data.self.allIn) == (False, False)
        assert [player.playerName for player in game.players] == self.order
        assert (game.board, game.roundCount) == (self.board, self.hands)
        assert (game.raiseCount, game.betCount) == (self.raise_count, self.bet_count)
        for player in game.players:
            own = player.playerName == self.token
            assert (player.cards is not UNSET) == own
            assert (player.minBet is not UNSET) == own
            assert self.last[player.playerName] == (player.chips, player.roundBet, player.bet)
            if own:
                for key in Self.__struct_fields__:
                    assert getattr(player, key) == getattr(data.self, key)
        self.awaited = {"__show_action"}

    def show_action(self, data: ShowAction) -> None:
        action, table, before = data.action, data.table, self.last
        verb = action.action
        if verb == "allin":  # a bet, a raise, a call, or no more than going all in
            counted = table.betCount + table.raiseCount - self.bet_count - self.raise_count
            assert counted in (0, 1)
            self.bet_count, self.raise_count = table.betCount, table.raiseCount
        self.bet_count += verb == "bet"
        self.raise_count += verb == "raise"
        if self.rules.verb_cap >= 0:
            assert max(self.bet_count, self.raise_count) <= self.rules.verb_cap
        self._state(data.players, table)
        assert action.playerName not in self.folded
        if verb == "fold":
            self.folded.add(action.playerName)
        high = max(bet for _, _, bet in before.values())
        added = 0 if action.amount is UNSET else action.amount
        assert (action.amount is UNSET) == (verb in ("check", "fold"))
        for player in data.players:
            chips, round_bet, bet = before[player.playerName]
            if player.playerName != action.playerName:
                assert (player.chips, player.roundBet, player.bet) == (chips, round_bet, bet)
                continue
            assert (player.chips, player.bet) == (chips - added, bet + added)
            assert player.chips == action.chips
            assert player.folded == (verb == "fold")
            assert player.allIn == (verb == "allin") == (player.chips == 0 and verb != "fold")
            assert verb != "call" or added > 0
            assert verb not in ("bet", "raise") or player.bet > high
        self.awaited = {"__action", "__bet", "__show_action", "__deal", "__round_end"}

    def deal(self, data: State) -> None:
        before, seen = self.last, len(self.board)
        assert BOARD_CARDS[data.table.roundName] == max(3, seen + 1)
        self.raise_count = self.bet_count = 0
        self._state(data.players, data.table)
        assert len(self.alive - self.folded) >= 2
        for player in data.players:
            chips, round_bet, bet = before[player.playerName]
            assert (player.chips, player.roundBet, player.bet) == (chips, round_bet + bet, 0)

    def round_end(self, data: RoundEnd) -> None:
        table, before = data.table, self.last
        assert (table.status, table.roundCount) == (2, self.hands)
        assert (table.roundName, table.totalBet) == ("Showdown", 0)
        assert [player.playerName for player in data.players] == self.order
        everything = self.rules.reveal == r.ALL
        by_folds = len(self.alive - self.folded) < 2
        assert table.board[: len(self.board)] == self.board
        assert len(table.board) == (5 if everything or not by_folds else len(self.board))
        self.board = table.board
        won = []
        for player in data.players:
            name = player.playerName
            assert (player.roundBet, player.bet) == (0, 0)
            if name not in self.alive:
                assert (player.hand, player.winMoney) == (NO_HAND, 0)
                assert (player.cards, player.isSurvive) == ([], False)
                continue
            won.append(player.winMoney)
            assert player.winMoney == 0 or name not in self.folded
            assert player.chips == before[name][0] + player.winMoney
            if everything or (not by_folds and name not in self.folded):
                assert len(player.cards) == 2
                assert player.hand.cards == player.cards + table.board
                number, message = number_of(player.hand.cards)
                assert (player.hand.rank, player.hand.message) == (number, message)
            else:
                assert player.cards == []
                assert player.hand == NO_HAND
            if name == self.token and player.cards:
                assert player.cards == self.own
        cards = [card for player in data.players for card in player.cards] + table.board
        assert len(cards) == len(set(cards))
        if sum(won) != self.total:
            assert self.rules.ask_last
            assert self.folded == self.alive
            assert sum(won) == 0
            self.discarded += self.total
        self.last = {p.playerName: (p.chips, 0, 0) for p in data.players}
        self.ended = data
        self.awaited = {"__game_over"}
        self.awaited |= {"__start_reload"} if self.rules.reloads else {"__new_round"}

    def start_reload(self, data: StartReload) -> None:
        assert self.rules.reloads
        assert [player.playerName for player in data.players] == self.order
        for player in data.players:
            assert player.chips == self.last[player.playerName][0]
            assert player.reloadCount == self.reloads[player.playerName]
            assert (player.folded, player.allIn) == (False, False)
            out = player.chips == 0 and player.reloadCount == self.rules.reloads
            assert player.isSurvive != out
        self.awaited = {"__new_round"}

    def game_over(self, data: GameOver) -> None:
        assert (data.table.status, data.table.roundName) == (3, "Showdown")
        final = {player.playerName: player.chips for player in data.players}
        if self.ended is not None and not self.stopped:
            ended = {player.playerName: player for player in self.ended.players}
            assert data.table.board == self.ended.table.board
            for player in data.players:
                assert player.cards == ended[player.playerName].cards
                if self.rules.stacks == r.CARRY:
                    unused = data.table.maxReloadCount - player.reloadCount
                    least = self.last[player.playerName][0] + unused * data.table.initChips
                    assert least <= player.chips <= least + self.rules.reserve
        rows = [(winner.playerName, winner.chips) for winner in data.winners]
        assert dict(rows) == {name: chips for name, chips in final.items() if chips > 0}
        assert [chips for _, chips in rows] == sorted((c for _, c in rows), reverse=True)
        self.over = data
        self.awaited = set()

    def _mine(self, players: list[Player]) -> Player:
        return next(player for player in players if player.playerName == self.token)

    def _only_own_cards(self, players: list[Player]) -> None:
        for player in players:
            assert player.cards == [] or player.playerName == self.token

    def _state(self, players: list[Player], table: Table) -> None:
        assert (table.status, table.roundCount) == (2, self.hands)
        assert (table.raiseCount, table.betCount) == (self.raise_count, self.bet_count)
        assert len(table.board) == BOARD_CARDS[table.roundName]
        assert table.board[: len(self.board)] == self.board
        self.board = table.board
        names = [player.playerName for player in players]
        self.tokens = self.tokens or sorted(names)
        assert sorted(names) == self.tokens
        self.order = self.order or names
        assert names == self.order
        self._only_own_cards(players)
        if self.own:
            assert self._mine(players).cards == self.own
        assert table.totalBet == sum(p.roundBet + p.bet for p in players)
        self.total = table.totalBet
        self.last = {p.playerName: (p.chips, p.roundBet, p.bet) for p in players}
