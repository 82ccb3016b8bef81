"""Every message of the `trend` server, strictly: keys, their order, types, and what they mean.

`checked` takes one message: unknown, missing or misplaced keys fail. `Ear` takes everything that
one player hears, in order, and fails where it does not add up: chips that come from nowhere, a card
that is nobody's business, a count that is off, an event out of its place.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tests.wire.trend_hands import number_of

Token = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]
Card = Annotated[str, Meta(pattern=r"^[2-9TJQKA][HSCD]$")]
Chips = Annotated[int, Meta(ge=0)]
TableNumber = Annotated[str, Meta(pattern=r"^\d+$")]
Status = Literal[0, 1, 2, 3, 4]
Action = Literal["bet", "call", "check", "raise", "fold", "allin"]


class Strict(Struct, forbid_unknown_fields=True):
    """An object with exactly these keys, in this order."""


class Blind(Strict):
    playerName: Token
    amount: Chips


class HandNumber(Strict):
    cards: list[Card]
    rank: int | float
    message: str


NO_HAND = HandNumber(cards=[], rank=0, message="")
"""The hand of who is out, or does not show it."""


class Player(Strict):
    playerName: Token
    chips: Chips
    folded: bool
    allIn: bool
    cards: list[Card]
    isSurvive: bool
    reloadCount: Chips
    roundBet: Chips
    bet: Chips
    isOnline: bool
    isHuman: bool


class PlayerAtEnd(Strict):
    """A player in `__round_end`; who is out has an empty hand and wins nothing."""

    playerName: Token
    chips: Chips
    folded: bool
    allIn: bool
    cards: list[Card]
    isSurvive: bool
    reloadCount: Chips
    roundBet: Chips
    bet: Chips
    hand: HandNumber
    winMoney: Chips
    isOnline: bool
    isHuman: bool


class PlayerInRequest(Strict, kw_only=True):
    """A player in a request; `cards` and `minBet` only for the receiver himself."""

    playerName: Token
    chips: Chips
    folded: bool
    allIn: bool
    cards: list[Card] | UnsetType = UNSET
    isSurvive: bool
    reloadCount: Chips
    roundBet: Chips
    bet: Chips
    minBet: Chips | UnsetType = UNSET
    isOnline: bool
    isHuman: bool


class Self(Strict):
    playerName: Token
    chips: Chips
    folded: bool
    allIn: bool
    cards: list[Card]
    isSurvive: bool
    reloadCount: Chips
    roundBet: Chips
    bet: Chips
    minBet: Chips


class PlayerInReload(Strict):
    playerName: Token
    chips: Chips
    folded: bool
    allIn: bool
    isSurvive: bool
    reloadCount: Chips


class Table(Strict):
    tableNumber: TableNumber
    status: Status
    roundName: Literal["Deal", "Flop", "Turn", "River", "Showdown"]
    board: list[Card]
    roundCount: Chips
    raiseCount: Chips
    betCount: Chips
    totalBet: Chips
    initChips: Chips
    maxReloadCount: Chips
    smallBlind: Blind
    bigBlind: Blind


class Game(Strict):
    board: list[Card]
    roundName: Literal["Deal", "Flop", "Turn", "River"]
    roundCount: Chips
    raiseCount: Chips
    betCount: Chips
    smallBlind: Blind
    bigBlind: Blind
    players: list[PlayerInRequest]


class State(Strict):
    """The data of `__new_round`, `__deal` and `_join`."""

    players: list[Player]
    table: Table


class Request(Strict):
    """The data of `__action` and `__bet`."""

    tableNumber: TableNumber
    self: Self
    game: Game


class ShownAction(Strict, kw_only=True):
    action: Action
    playerName: Token
    amount: Chips | UnsetType = UNSET
    chips: Chips


class ShowAction(Strict):
    action: ShownAction
    players: list[Player]
    table: Table


class RoundEnd(Strict):
    players: list[PlayerAtEnd]
    table: Table


class StartReload(Strict):
    players: list[PlayerInReload]
    tableNumber: TableNumber


class Winner(Strict):
    playerName: Token
    hand: HandNumber
    chips: Chips


class FinalPlayer(Strict):
    """A player in `__game_over`: where stacks are reset, he may have lost more than one."""

    playerName: Token
    chips: int
    folded: bool
    allIn: bool
    cards: list[Card]
    isSurvive: bool
    reloadCount: Chips
    roundBet: Chips
    bet: Chips
    isOnline: bool
    isHuman: bool


class GameOver(Strict):
    players: list[FinalPlayer]
    table: Table
    winners: list[Winner]


class Peer(Strict):
    playerName: Token
    isOnline: bool


class Peers2(Strict, kw_only=True):
    tableNumber: TableNumber
    players: list[Peer]
    basicData: State | UnsetType = UNSET
    tableStatus: Status


class Prepare(Strict):
    tableNumber: TableNumber
    countDown: Chips


class GameStart(Strict):
    msg: str
    tableNumber: TableNumber
    error_code: Literal[0, 1]


class GameStop(Strict):
    msg: str
    tableNumber: TableNumber


class Envelope(Strict):
    eventName: str
    data: msgspec.Raw


DATA: dict[str, Any] = {
    "__new_peer": list[Token],
    "__new_peer_2": Peers2,
    "__left": list[Token],
    "__left_2": Peers2,
    "__game_prepare": Prepare,
    "__game_start": GameStart,
    "__new_round": State,
    "__action": Request,
    "__bet": Request,
    "__show_action": ShowAction,
    "__deal": State,
    "__round_end": RoundEnd,
    "__start_reload": StartReload,
    "_join": State,
    "__game_stop": GameStop,
    "__game_over": GameOver,
}
"""The type of each event's data."""

DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in DATA.items()}
ENVELOPE = msgspec.json.Decoder(Envelope)
BOARD_CARDS = {"Deal": 0, "Flop": 3, "Turn": 4, "River": 5, "Showdown": 5}


def checked(message: bytes) -> tuple[str, Any]:
    """Return event and data of a message that is exactly as it should be written."""
    envelope = ENVELOPE.decode(message)
    name = envelope.eventName
    assert name in DATA, f"an unknown event {name}"
    data = DECODERS[name].decode(envelope.data)
    again = b'{"eventName":"%s","data":%s}' % (name.encode(), msgspec.json.encode(data))
    assert again == message, f"the keys of {name} are in another order, or a number is odd"
    return name, data


class Ear:
    """What one player hears of a game under `trend` rules, checked as it comes."""

    def __init__(self, token: str, tokens: list[str]) -> None:
        self.token = token
        self.tokens = sorted(tokens)
        self.events: list[str] = []
        self.order: list[str] = []
        """The players as every message of the game lists them."""
        self.own_cards: list[str] = []
        self.dealt: set[str] = set()
        """Who is in this round."""
        self.last: dict[str, tuple[int, int, int]] = {}
        """(chips, roundBet, bet) of each player after the last message."""
        self.board: list[str] = []
        self.round = 0
        self.raise_count = self.bet_count = 0
        self.total = 0
        """What the pot held before the payout."""
        self.present: list[str] = []
        self.awaited: set[str] = {"__game_prepare", "__game_start"}
        self.stopped = False
        self.reloads: dict[str, int] = {}
        self.over: GameOver | None = None

    def hear(self, message: bytes) -> str:
        """Take the next message; return its event."""
        name, data = checked(message)
        self.events.append(name)
        if name in ("__new_peer", "__left"):
            assert set(data) <= set(self.tokens)
            self.present = data
        elif name in ("__new_peer_2", "__left_2"):
            self._peers(data)
        elif name == "_join":
            self._only_own_cards(data.players)
        elif name == "__game_stop":
            self.stopped = True
        elif self.stopped:
            assert name == "__game_over"
        else:
            assert name in self.awaited, f"{name} after {self.events[-8:]}"
            getattr(self, name.strip("_"))(data)
        return name

    def _peers(self, data: Peers2) -> None:
        assert [peer.playerName for peer in data.players if peer.isOnline] == self.present
        if data.basicData is not UNSET:
            assert data.tableStatus == 2
            self._only_own_cards(data.basicData.players)

    # Before the first round.

    def game_prepare(self, data: Prepare) -> None:
        assert data.countDown > 0
        self.awaited = {"__game_prepare", "__game_start"}

    def game_start(self, data: GameStart) -> None:
        assert data.error_code == 1
        self.awaited = {"__new_round"}

    # A round.

    def new_round(self, data: State) -> None:
        self.round += 1
        table = data.table
        assert (table.roundName, table.board) == ("Deal", [])
        self.raise_count = self.bet_count = 0
        before, self.last = self.last, {}
        self._state(data.players, table)
        mine = self._mine(data.players)
        self.own_cards = mine.cards
        self.dealt = {player.playerName for player in data.players if player.isSurvive}
        assert len(mine.cards) == (2 if mine.isSurvive else 0)
        blinds = {
            table.smallBlind.playerName: table.smallBlind.amount,
            table.bigBlind.playerName: table.bigBlind.amount,
        }
        assert len(blinds) == 2
        assert table.bigBlind.amount == 2 * table.smallBlind.amount
        for player in data.players:
            assert not player.folded
            had = player.chips + player.bet
            assert player.bet == min(blinds.get(player.playerName, 0), had)
            assert player.roundBet == 0
            if before:
                bought = player.reloadCount - self.reloads.get(player.playerName, 0)
                assert had == before[player.playerName][0] + bought * table.initChips
            else:
                assert had == table.initChips
            self.reloads[player.playerName] = player.reloadCount
        self.awaited = {"__action", "__bet", "__show_action", "__deal", "__round_end"}

    def action(self, data: Request) -> None:
        self._request(data)
        high = max(player.bet for player in data.game.players)
        assert high > 0, "until someone bets on a later street, __bet is asked"
        assert data.self.minBet == high - data.self.bet

    def bet(self, data: Request) -> None:
        self._request(data)
        assert data.game.roundName != "Deal"
        assert all(player.bet == 0 for player in data.game.players)
        assert data.self.minBet == data.game.bigBlind.amount

    def _request(self, data: Request) -> None:
        game = data.game
        assert data.self.playerName == self.token
        assert data.self.cards == self.own_cards
        assert (data.self.folded, data.self.allIn) == (False, False)
        assert [player.playerName for player in game.players] == self.order
        assert (game.board, game.roundCount) == (self.board, self.round)
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
        action, table = data.action, data.table
        before = self.last
        verb = action.action
        bets, raises = self.bet_count, self.raise_count
        if verb == "bet":
            bets += 1
        elif verb == "raise":
            raises += 1
        elif verb == "allin":  # a bet, a raise, a call, or no more than going all in
            bets, raises = table.betCount, table.raiseCount
            assert (bets - self.bet_count) + (raises - self.raise_count) in (0, 1)
        self.bet_count, self.raise_count = bets, raises
        self._state(data.players, table)
        for player in data.players:
            chips, round_bet, bet = before[player.playerName]
            if player.playerName != action.playerName:
                assert (player.chips, player.roundBet, player.bet) == (chips, round_bet, bet)
                continue
            added = 0 if action.amount is UNSET else action.amount
            assert (action.amount is UNSET) == (verb in ("check", "fold"))
            assert (player.chips, player.bet) == (chips - added, bet + added)
            assert player.chips == action.chips
            assert player.folded == (verb == "fold")
            assert player.allIn == (verb == "allin") == (player.chips == 0 and verb != "fold")
            high = max(b for _, _, b in before.values())
            if verb == "call":
                assert added > 0
            elif verb in ("bet", "raise"):
                assert player.bet > high
        self.awaited = {"__action", "__bet", "__show_action", "__deal", "__round_end"}

    def deal(self, data: State) -> None:
        before, seen = self.last, len(self.board)
        assert BOARD_CARDS[data.table.roundName] == max(3, seen + 1)
        self.raise_count = self.bet_count = 0
        self._state(data.players, data.table)
        assert sum(not p.folded and p.isSurvive for p in data.players) >= 2
        for player in data.players:
            chips, round_bet, bet = before[player.playerName]
            assert (player.chips, player.roundBet, player.bet) == (chips, round_bet + bet, 0)

    def round_end(self, data: RoundEnd) -> None:
        before, pot = self.last, self.total
        self._table(data.table)
        assert data.table.roundName == "Showdown"
        assert data.table.totalBet == 0
        assert [player.playerName for player in data.players] == self.order
        for player in data.players:
            assert (player.roundBet, player.bet) == (0, 0)
            chips = before[player.playerName][0]
            if player.playerName not in self.dealt:
                assert (player.hand, player.winMoney) == (NO_HAND, 0)
                assert (player.cards, player.isSurvive, player.chips) == ([], False, 0)
                continue
            assert len(player.cards) == 2
            assert player.hand.cards == player.cards + data.table.board
            number, message = number_of(player.hand.cards)
            assert (player.hand.rank, player.hand.message) == (number, message)
            assert type(player.hand.rank) is (int if number == int(number) else float)
            assert player.chips == chips + player.winMoney
            if player.playerName == self.token:
                assert player.cards == self.own_cards
        cards = [card for player in data.players for card in player.cards] + data.table.board
        assert len(cards) == len(set(cards)) == 2 * len(self.dealt) + 5
        assert sum(player.winMoney for player in data.players) == pot
        self._conserved(data.players, data.table)
        self.last = {p.playerName: (p.chips, 0, 0) for p in data.players}
        self.ended = data
        self.awaited = {"__start_reload", "__game_over"}
        if not data.table.maxReloadCount:
            self.awaited.add("__new_round")
        self.board = []

    # Between two rounds and at the end.

    def start_reload(self, data: StartReload) -> None:
        assert [player.playerName for player in data.players] == self.order
        for player in data.players:
            assert player.chips == self.last[player.playerName][0]
            assert player.reloadCount == self.reloads[player.playerName]
            assert (player.folded, player.allIn) == (False, False)
            out = player.chips == 0 and player.reloadCount == self.ended.table.maxReloadCount
            assert player.isSurvive != out
        self.awaited = {"__new_round"}

    def game_over(self, data: GameOver) -> None:
        table = data.table
        assert (table.status, table.roundName) == (3, "Showdown")
        final = {}
        ended = {player.playerName: player for player in self.ended.players}
        assert table.board == self.ended.table.board
        for player in data.players:
            chips = self.last[player.playerName][0]
            unused = table.maxReloadCount - player.reloadCount
            final[player.playerName] = chips + unused * table.initChips
            assert player.chips == final[player.playerName]
            assert player.cards == ended[player.playerName].cards
        rows = [(winner.playerName, winner.chips) for winner in data.winners]
        assert dict(rows) == {name: chips for name, chips in final.items() if chips}
        assert [chips for _, chips in rows] == sorted((c for _, c in rows), reverse=True)
        for winner in data.winners:
            assert winner.hand == ended[winner.playerName].hand
        self.over = data
        self.awaited = set()

    # What holds in several messages.

    def _mine(self, players: list[Player]) -> Player:
        return next(player for player in players if player.playerName == self.token)

    def _only_own_cards(self, players: list[Player]) -> None:
        for player in players:
            assert player.cards == [] or player.playerName == self.token

    def _state(self, players: list[Player], table: Table) -> None:
        self._table(table)
        names = [player.playerName for player in players]
        assert sorted(names) == self.tokens
        self.order = self.order or names
        assert names == self.order
        self._only_own_cards(players)
        if self.own_cards and table.roundName != "Deal":
            assert self._mine(players).cards == self.own_cards
        assert table.totalBet == sum(p.roundBet + p.bet for p in players)
        self.total = table.totalBet
        self._conserved(players, table)
        self.last = {p.playerName: (p.chips, p.roundBet, p.bet) for p in players}
        for player in players:
            if not player.isSurvive:
                assert (player.chips, player.reloadCount) == (0, table.maxReloadCount)

    def _table(self, table: Table) -> None:
        assert table.status == 2
        assert table.roundCount == self.round
        assert (table.raiseCount, table.betCount) == (self.raise_count, self.bet_count)
        assert len(table.board) == BOARD_CARDS[table.roundName]
        assert table.board[: len(self.board)] == self.board
        self.board = table.board

    def _conserved(self, players: list[Player] | list[PlayerAtEnd], table: Table) -> None:
        bought = sum(player.reloadCount for player in players)
        chips = sum(player.chips for player in players) + table.totalBet
        assert chips == table.initChips * (len(players) + bought)
