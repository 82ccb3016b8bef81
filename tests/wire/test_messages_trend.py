"""Every message of whole games is exactly as the protocol has it, and adds up."""

import json
import random
from collections import Counter

import msgspec
import pytest

from croupier.match.chance import SeededChance
from croupier.match.match import RELOAD
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN, ROOM, ROOM2, TREND
from tests.wire.trend_game import RELOAD_MESSAGE, Game, Reply, message
from tests.wire.trend_messages import DATA, Ear, GameOver, checked

ACTIONS = ("call", "call", "check", "raise", "bet", "fold", "allin", "nonsense")


class Table:
    """A game with random players, and an ear for each."""

    def __init__(self, players: int, seed: int, **fields: object) -> None:
        self.random = random.Random(seed)
        rules = TREND.with_fields(dict(fields))
        names = [f"private-{index}" for index in range(players)]
        self.game = Game(rules, names, SeededChance(bytes([seed % 256]) * 32))
        tokens = list(self.game.tokens.values())
        self.ears = [Ear(token, tokens) for token in tokens]
        self.kinds: Counter[str] = Counter()
        self.game.on_message = self.hear

    def hear(self, player: int, text: bytes) -> None:
        self.kinds[self.ears[player].hear(text)] += 1

    def answer(self, game: Game, player: int) -> Reply:
        action = self.random.choice(ACTIONS)
        if action == "bet":
            return message("bet", amount=self.random.choice([5, 20, 33.5, 60, 150, 5000, "40"]))
        if action == "nonsense":
            return None if self.random.random() < 0.3 else b"nonsense"
        if action == "allin" and self.random.random() < 0.7:
            action = "call"
        return message(action)

    def reload(self, game: Game) -> None:
        for player in range(len(game.names)):
            if game.match.phase == RELOAD and self.random.random() < 0.2:
                game.receive(player, RELOAD_MESSAGE)

    def play(self) -> None:
        self.game.start()
        self.game.run(self.answer, self.reload)


class LeavingTable(Table):
    """A table where everyone but the first player comes and goes; he hears all of it."""

    def hear(self, player: int, text: bytes) -> None:
        if player == 0:
            super().hear(player, text)
        else:
            name, data = checked(text)
            self.kinds[name] += 1
            if name == "_join":
                token = self.game.tokens[player]
                assert all(p.cards == [] or p.playerName == token for p in data.players)

    def answer(self, game: Game, player: int) -> Reply:
        other = self.random.randrange(1, len(game.names))
        if self.random.random() < 0.3:
            if other in game.connections:
                game.leave(other)
            else:
                game.rejoin(other)
        if player != game.match.asked or player not in game.connections:
            return None
        return super().answer(game, player)

    def reload(self, game: Game) -> None:
        other = self.random.randrange(1, len(game.names))
        if other not in game.connections:
            game.rejoin(other)
        super().reload(game)


@pytest.mark.parametrize("players", [3, 6])
def test_games_add_up_while_others_come_and_go(players: int) -> None:
    for seed in range(3):
        table = LeavingTable(players, seed, hands=40)
        table.play()
        assert table.ears[0].over is not None
        assert {"_join", "__left", "__left_2"} <= set(table.kinds)


def games() -> list[Table]:
    tables = [
        Table(players, seed, **fields)
        for players in (2, 3, 6, 10)
        for seed, fields in enumerate(({}, {"hands": 12}, {"reloads": 0}))
    ]
    for table in tables:
        table.play()
    return tables


@pytest.fixture(scope="module")
def played() -> list[Table]:
    return games()


def test_every_message_of_whole_games_is_exactly_as_the_protocol_has_it(
    played: list[Table],
) -> None:
    kinds = sum((table.kinds for table in played), Counter())
    in_a_quiet_game = set(DATA) - {"__left", "__left_2", "_join", "__game_stop"}
    assert set(kinds) == in_a_quiet_game
    for table in played:
        for ear in table.ears:
            assert ear.over is not None
            assert ear.events[-1] == "__game_over"


def test_games_see_reloads_eliminations_and_both_ends(played: list[Table]) -> None:
    over: list[GameOver] = [table.ears[0].over for table in played if table.ears[0].over]
    assert any(player.reloadCount for data in over for player in data.players)
    assert any(not player.isSurvive for data in over for player in data.players)
    assert any(data.table.roundCount == 12 for data in over)
    assert any(data.table.roundCount > 12 for data in over)
    corrections = {text for table in played for text in table.game.corrections}
    assert len(corrections) >= 8


def test_everyone_hears_the_same_broadcasts_also_who_is_out(played: list[Table]) -> None:
    for table in played:
        broadcasts = [
            [event for event in ear.events if event not in ("__action", "__bet")]
            for ear in table.ears
        ]
        joins = [events.index("__game_prepare") for events in broadcasts]
        assert len({tuple(e[j:]) for e, j in zip(broadcasts, joins, strict=True)}) == 1


def test_a_round_end_comes_after_every_round_the_last_one_too(played: list[Table]) -> None:
    for table in played:
        events = table.ears[0].events
        assert events.count("__round_end") == events.count("__new_round")
        assert events[-2:] == ["__round_end", "__game_over"]


def test_a_reload_window_comes_before_every_round_but_the_first(played: list[Table]) -> None:
    for table in played:
        if table.game.match.rules.reloads:
            events = table.ears[0].events
            between = [e for e in events if e in ("__round_end", "__start_reload", "__new_round")]
            first, *rest = between[:-1]
            assert first == "__new_round"
            assert rest == ["__round_end", "__start_reload", "__new_round"] * (len(rest) // 3)


def test_messages_are_one_ascii_line_without_blanks_between_tokens(played: list[Table]) -> None:
    for table in played:
        for text in table.game.sent[0]:
            assert text.isascii()
            compact = json.dumps(json.loads(text), separators=(",", ":")).encode()
            assert compact == text


def test_no_private_name_is_in_any_message(played: list[Table]) -> None:
    for table in played:
        for rows in table.game.sent.values():
            assert all(b"private-" not in text for text in rows)


def test_the_words_of_start_and_stop() -> None:
    table = Table(2, 1)
    table.game.start()
    table.game.stop()
    texts = table.game.sent[0]
    start = '{"msg":"table 1 started successfully","tableNumber":"1","error_code":1}'
    stop = '{"msg":"table 1 stopped successfully","tableNumber":"1"}'
    assert f'{{"eventName":"__game_start","data":{start}}}'.encode() in texts
    assert f'{{"eventName":"__game_stop","data":{stop}}}'.encode() in texts


def test_the_countdown_is_three_two_one() -> None:
    table = Table(3, 1)
    table.game.start()
    found = [text for text in table.game.sent[0] if b"__game_prepare" in text]
    assert found == [
        b'{"eventName":"__game_prepare","data":{"tableNumber":"1","countDown":%d}}' % left
        for left in (3, 2, 1)
    ]


def test_under_rules_that_hide_folded_cards_they_stay_hidden() -> None:
    names = ["a", "b", "c"]
    game = Game(PLAIN.with_fields({"hands": 30}), names, SeededChance(bytes(32)))
    dice = random.Random(5)
    game.start()
    game.run(lambda _, __: message(dice.choice(["call", "check", "fold", "bet"]), amount=200))
    ends = [checked(t)[1] for t in game.sent[0] if b'"__round_end"' in t]
    assert len(ends) == 30
    shown = 0
    for data in ends:
        for player in data.players:
            if player.folded:
                assert player.cards == []
                assert player.hand.cards == []
                assert (player.hand.rank, player.hand.message) == (0, "")
            shown += len(player.cards)
    assert shown
    assert not any(b"__start_reload" in text for text in game.sent[0])


@pytest.mark.parametrize("rules", [PLAIN, HUAWEI, ROOM, ROOM2], ids=lambda rules: str(rules.name))
@pytest.mark.parametrize("players", [2, 3, 6])
def test_under_other_rules_every_message_has_its_form_and_no_chip_is_lost(
    rules: Rules, players: int
) -> None:
    dice = random.Random(players)
    names = [f"n{index}" for index in range(players)]
    game = Game(rules.with_fields({"hands": 60}), names, SeededChance(bytes([players]) * 32))
    game.start()
    words = ("call", "check", "bet", "raise", "fold", "allin")
    game.run(lambda _, __: message(dice.choice(words), amount=dice.randrange(3 * rules.big_blind)))
    assert any(b"__round_end" in text for text in game.sent[0])
    over: GameOver | None = None
    for rows in game.sent.values():
        for text in rows:
            name, data = checked(text)
            if name == "__game_over":
                over = data
            elif name == "__round_end":
                assert data.table.totalBet == 0
            elif name in ("__new_round", "__deal", "__show_action"):
                assert data.table.totalBet == sum(p.roundBet + p.bet for p in data.players)
    assert over is not None
    final = {player: chips for _, player, chips, _ in game.view.standings}
    if rules.reserve:  # which the dialect cannot speak of
        final = {player: entrant.stack for player, entrant in enumerate(game.match.players)}
    tokens = {game.tokens[player]: chips for player, chips in final.items()}
    assert {player.playerName: player.chips for player in over.players} == tokens
    if rules is not HUAWEI:  # where pots may be discarded
        assert sum(tokens.values()) == players * rules.stack


def test_under_huawei_rules_two_players_have_a_big_blind_in_name_only() -> None:
    game = Game(HUAWEI, ["a", "b"], SeededChance(bytes(32)))
    game.start()
    state = next(checked(text)[1] for text in game.sent[0] if b"__new_round" in text)
    assert state.table.bigBlind.amount == 2 * state.table.smallBlind.amount
    bets = {player.playerName: player.bet for player in state.players}
    assert bets[state.table.bigBlind.playerName] == 0
    assert bets[state.table.smallBlind.playerName] == state.table.smallBlind.amount
    assert state.table.maxReloadCount == 0


@pytest.mark.parametrize(
    "wrong",
    [
        b'{"eventName":"__game_stop","data":{"tableNumber":"1","msg":"x"}}',
        b'{"eventName":"__game_stop","data":{"msg":"x","tableNumber":1}}',
        b'{"eventName":"__game_stop","data":{"msg":"x"}}',
        b'{"eventName":"__game_stop","data":{"msg":"x","tableNumber":"1","plainName":"a"}}',
        b'{"data":{"msg":"x","tableNumber":"1"},"eventName":"__game_stop"}',
        b'{"eventName":"__other","data":{}}',
        b'{"eventName":"__new_peer","data":["alice"]}',
    ],
)
def test_the_checker_refuses_what_is_wrong(wrong: bytes) -> None:
    with pytest.raises((AssertionError, msgspec.ValidationError)):
        checked(wrong)
