"""What the players hear: who gets what, and when."""

import json
from collections.abc import Sequence
from typing import Any

from croupier.cards import parse
from croupier.dialects.tokens import token_of
from croupier.dialects.trend.speaker import TrendSpeaker
from croupier.match.chance import SeededChance
from croupier.match.events import Joined, Left
from croupier.match.match import OVER, RELOAD, REPEAT_S, Match
from croupier.match.view import MatchView
from croupier.rules.rules import Rules
from croupier.rules.sets import TREND
from tests.wire.trend_game import RELOAD_MESSAGE, Game, message
from tests.wire.trend_messages import BOARD_CARDS, NO_HAND, checked

CALL, FOLD, CHECK, ALLIN = (message(word) for word in ("call", "fold", "check", "allin"))


class Cards:
    """Players sit as they joined and get the cards that are given, or the lowest unused ones."""

    def __init__(self, *hole: str, board: str = "") -> None:
        self.given = [parse(card) for pair in hole for card in pair.split()]
        self.board = [parse(card) for card in board.split()]

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        rest = [card for card in deck if card not in self.given and card not in self.board]
        holes = count - 5
        row = self.given[:holes] + rest[: holes - len(self.given)]
        return (row + self.board + rest[holes:])[:count]

    def seats(self, players: int) -> list[int]:
        return list(range(players))


def game_of(players: int = 3, cards: Cards | None = None, **fields: Any) -> Game:
    rules = TREND.with_fields(fields)
    game = Game(rules, [f"n{index}" for index in range(players)], cards or Cards())
    game.start()
    return game


def heard(game: Game, player: int, event: str) -> list[Any]:
    """Return the data of each message of this event to a player."""
    rows = [checked(text) for text in game.sent[player]]
    return [data for name, data in rows if name == event]


def names(game: Game, player: int) -> list[str]:
    return [checked(text)[0] for text in game.sent[player]]


def say(game: Game, *texts: bytes) -> None:
    """Let whoever is asked answer, one after the other."""
    for text in texts:
        game.receive(game.match.asked, text)


def to_reload(game: Game) -> None:
    """Play the round to its end by folding."""
    while game.match.phase != RELOAD:
        say(game, FOLD)


# Joining.


def test_after_each_join_everyone_hears_the_tokens_of_all_present() -> None:
    game = Game(TREND, ["a", "b", "c"], Cards())
    for player, name in enumerate(game.names):
        game.join(player, name)
    tokens = [token_of(name) for name in "abc"]
    assert heard(game, 0, "__new_peer") == [tokens[:1], tokens[:2], tokens]
    assert heard(game, 2, "__new_peer") == [tokens]
    second = heard(game, 1, "__new_peer_2")[-1]
    assert [peer.playerName for peer in second.players] == tokens
    assert (second.tableNumber, second.tableStatus) == ("1", 0)


def test_who_leaves_before_the_start_is_no_longer_listed() -> None:
    game = Game(TREND, ["a", "b", "c"], Cards())
    game.join(0, "a")
    game.join(1, "b")
    game.leave(0)
    assert heard(game, 1, "__left") == [[token_of("b")]]
    assert heard(game, 1, "__left_2")[0].tableStatus == 0


def test_who_drops_during_a_game_is_told_to_the_others() -> None:
    game = game_of()
    game.leave(1)
    assert heard(game, 0, "__left") == [[token_of("n0"), token_of("n2")]]
    assert heard(game, 0, "__left_2")[0].tableStatus == 2
    say(game, CALL)
    state = heard(game, 0, "__show_action")[-1]
    assert [player.isOnline for player in state.players] == [True, False, True]


def test_left_2_during_a_game_lists_everyone_with_is_online() -> None:
    game = game_of()
    game.leave(1)
    peers = heard(game, 0, "__left_2")[0].players
    assert [peer.isOnline for peer in peers] == [True, False, True]


# A round.


def test_a_new_round_has_the_blinds_posted_and_shows_the_own_cards_only() -> None:
    game = game_of(3, Cards("AS AH", "KS KH", "QS QH"))
    for player, cards in enumerate((["AS", "AH"], ["KS", "KH"], ["QS", "QH"])):
        (state,) = heard(game, player, "__new_round")
        assert [p.cards for p in state.players] == [
            cards if index == player else [] for index in range(3)
        ]
        assert [p.bet for p in state.players] == [10, 20, 0]
        assert [p.chips for p in state.players] == [990, 980, 1000]
        assert state.table.totalBet == 30
        assert state.table.smallBlind.playerName == token_of("n0")
        assert state.table.bigBlind.playerName == token_of("n1")


def test_before_the_flop_the_player_after_the_big_blind_starts_and_is_asked_for_an_action() -> None:
    game = game_of()
    assert names(game, 2)[-1] == "__action"
    (request,) = heard(game, 2, "__action")
    assert request.self.minBet == 20
    assert "__action" not in names(game, 0) + names(game, 1)


def test_the_big_blind_has_the_last_word_before_the_flop() -> None:
    game = game_of()
    say(game, CALL, CALL)
    assert names(game, 1)[-1] == "__action"
    assert heard(game, 1, "__action")[0].self.minBet == 0
    say(game, CHECK)
    assert heard(game, 0, "__show_action")[-1].action.action == "check"


def test_on_later_streets_the_small_blind_starts_and_is_asked_for_a_bet() -> None:
    game = game_of()
    say(game, CALL, CALL, CHECK)
    assert names(game, 0)[-2:] == ["__deal", "__bet"]
    assert heard(game, 0, "__bet")[0].self.minBet == 20


def test_once_someone_has_bet_the_request_is_an_action() -> None:
    game = game_of()
    say(game, CALL, CALL, CHECK, message("bet", amount=50))
    assert names(game, 1)[-1] == "__action"
    assert heard(game, 1, "__action")[-1].self.minBet == 50


def test_after_a_check_the_next_is_asked_for_a_bet_too() -> None:
    game = game_of()
    say(game, CALL, CALL, CHECK, CHECK)
    assert names(game, 1)[-1] == "__bet"


def test_with_two_players_the_button_posts_the_small_blind() -> None:
    game = game_of(2)
    (state,) = heard(game, 0, "__new_round")
    assert state.table.smallBlind.playerName == token_of("n1")
    assert [p.bet for p in state.players] == [20, 10]
    assert names(game, 1)[-1] == "__action"


def test_a_raise_is_counted_in_the_message_that_shows_it() -> None:
    game = game_of()
    say(game, message("raise"))
    state = heard(game, 0, "__show_action")[-1]
    assert (state.action.action, state.action.amount, state.action.chips) == ("raise", 40, 960)
    assert (state.table.raiseCount, state.table.betCount) == (1, 0)
    say(game, message("bet", amount=100))
    state = heard(game, 0, "__show_action")[-1]
    assert (state.table.raiseCount, state.table.betCount) == (1, 1)


def test_the_action_shown_is_the_one_that_took_effect() -> None:
    game = game_of()
    say(game, CHECK)
    action = heard(game, 0, "__show_action")[-1].action
    assert (action.action, action.amount) == ("call", 20)


def test_round_bet_is_what_earlier_streets_added_up_to() -> None:
    game = game_of()
    say(game, CALL, CALL, CHECK, message("bet", amount=50), CALL, CALL)
    state = heard(game, 0, "__deal")[-1]
    assert [(p.roundBet, p.bet) for p in state.players] == [(70, 0)] * 3


def test_when_nobody_can_act_the_remaining_streets_are_dealt_without_requests() -> None:
    game = game_of()
    say(game, ALLIN, ALLIN, ALLIN)
    tail = names(game, 0)[-5:]
    assert tail[:4] == ["__deal", "__deal", "__deal", "__round_end"]
    assert [len(state.table.board) for state in heard(game, 0, "__deal")] == [3, 4, 5]


def test_after_everyone_else_folded_nothing_is_dealt_but_the_board_is_shown() -> None:
    game = game_of()
    say(game, FOLD, FOLD)
    assert "__deal" not in names(game, 0)
    (end,) = heard(game, 0, "__round_end")
    assert len(end.table.board) == 5
    assert [p.winMoney for p in end.players] == [0, 30, 0]
    assert all(len(p.cards) == 2 and len(p.hand.cards) == 7 for p in end.players)


def test_the_last_player_left_is_shown_to_check_if_his_turn_on_the_street_did_not_come() -> None:
    game = game_of()
    say(game, FOLD, FOLD)
    assert names(game, 0)[-4:-1] == ["__show_action", "__show_action", "__round_end"]
    fold, check = heard(game, 2, "__show_action")[-2:]
    assert (fold.action.playerName, fold.action.action) == (token_of("n0"), "fold")
    assert (check.action.playerName, check.action.action) == (token_of("n1"), "check")
    assert (check.action.chips, check.players[1].bet, check.table.totalBet) == (980, 20, 30)
    assert "__action" not in names(game, 1)


def test_nothing_more_is_shown_of_the_last_player_left_who_has_acted_on_the_street() -> None:
    game = game_of()
    say(game, CALL, CALL, CHECK, message("bet", amount=50), FOLD, FOLD)
    last = heard(game, 0, "__show_action")[-1].action
    assert (last.playerName, last.action) == (token_of("n2"), "fold")
    assert names(game, 0)[-3:-1] == ["__show_action", "__round_end"]


def test_who_is_alone_with_an_all_in_player_is_shown_to_check_if_his_turn_did_not_come() -> None:
    game = second_round(1000, 1000, 13)  # the big blind is all in for less
    say(game, CALL, CALL, FOLD)
    check = heard(game, 2, "__show_action")[-1].action
    assert (check.playerName, check.action) == (token_of("n0"), "check")
    assert names(game, 0)[-5:-1] == ["__show_action", "__deal", "__deal", "__round_end"]


def test_who_is_out_still_hears_everything() -> None:
    game = game_of(3, Cards("2S 7H", "AS AH", "KS KH", board="AD KD 3C 4S 9D"), reloads=0)
    say(game, ALLIN, ALLIN, FOLD)
    state = heard(game, 0, "__new_round")[-1]
    assert [p.isSurvive for p in state.players] == [False, True, True]
    assert state.players[0].cards == []
    rounds = len(heard(game, 0, "__round_end"))
    say(game, FOLD)
    assert len(heard(game, 0, "__round_end")) == rounds + 1


def test_who_is_all_in_by_his_blind_is_all_in_at_the_end_of_the_round_too() -> None:
    game = game_of(3, stack=20)
    (state,) = heard(game, 0, "__new_round")
    assert [p.allIn for p in state.players] == [False, True, False]
    say(game, CALL, FOLD)
    (end,) = heard(game, 0, "__round_end")
    assert [p.allIn for p in end.players] == [False, True, True]


def second_round(*stacks: int) -> Game:
    """Return a game in its second round: player 1 has the small blind, 2 the big one, 0 begins."""
    game = game_of()
    to_reload(game)
    for player, stack in zip(game.match.players, stacks, strict=True):
        player.stack = stack
    game.tick()
    return game


def test_min_bet_is_what_is_owed_whether_the_chips_suffice_or_not() -> None:
    game = second_round(1000, 15, 1000)
    say(game, message("bet", amount=100))
    request = heard(game, 1, "__action")[-1]
    assert (request.self.chips, request.self.bet, request.self.minBet) == (5, 10, 90)


def test_a_big_blind_that_is_all_in_for_less_sets_the_price_and_a_raise_doubles_it() -> None:
    game = second_round(1000, 1000, 13)
    request = heard(game, 0, "__action")[-1]
    assert (request.self.minBet, request.game.bigBlind.amount) == (13, 20)
    say(game, message("raise"))
    action = heard(game, 0, "__show_action")[-1].action
    assert (action.action, action.amount) == ("raise", 26)


def test_a_call_costs_the_small_blind_where_the_big_blind_has_less_and_he_owes_nothing() -> None:
    game = second_round(1000, 1000, 4)
    say(game, CALL)
    assert heard(game, 0, "__show_action")[-1].action.amount == 10
    assert heard(game, 1, "__action")[-1].self.minBet == 0


def test_a_round_end_has_hand_and_win_money_of_who_is_out_too() -> None:
    game = game_of(3, Cards("2S 7H", "AS AH", "KS KH", board="AD KD 3C 4S 9D"), reloads=0)
    say(game, ALLIN, ALLIN, FOLD)
    assert game.match.players[0].out
    say(game, FOLD)
    end = heard(game, 0, "__round_end")[-1]
    assert (end.players[0].hand, end.players[0].winMoney) == (NO_HAND, 0)
    assert sorted(p.winMoney for p in end.players) == [0, 0, 30]


# Between the rounds.


def test_the_reload_window_shows_chips_and_counts() -> None:
    game = game_of()
    to_reload(game)
    (data,) = heard(game, 0, "__start_reload")
    assert [(p.chips, p.reloadCount) for p in data.players] == [(990, 0), (1010, 0), (1000, 0)]


def test_several_reloads_in_one_window_count_up_to_the_limit() -> None:
    game = game_of()
    to_reload(game)
    game.receive(0, RELOAD_MESSAGE)
    assert game.match.phase == RELOAD
    for _ in range(3):
        game.receive(0, RELOAD_MESSAGE)
    assert game.match.phase == RELOAD
    game.tick()
    state = heard(game, 0, "__new_round")[-1]
    assert state.players[0].reloadCount == 2
    assert state.players[0].chips + state.players[0].bet == 990 + 2000


def test_the_window_closes_early_once_everyone_has_answered() -> None:
    game = game_of()
    to_reload(game)
    for player in range(3):
        game.receive(player, RELOAD_MESSAGE)
    assert game.match.phase == RELOAD, "the last one may say it twice"
    before = game.now
    game.tick()
    assert game.match.phase != RELOAD
    assert game.now == before + REPEAT_S


def test_a_player_without_chips_is_reloaded_by_the_server() -> None:
    game = game_of(3, Cards("2S 7H", "AS AH", "KS KH", board="AD KD 3C 4S 9D"))
    say(game, ALLIN, ALLIN, FOLD)
    assert game.match.phase == RELOAD
    assert heard(game, 0, "__start_reload")[0].players[0].isSurvive
    game.tick()
    state = heard(game, 0, "__new_round")[-1]
    assert (state.players[0].reloadCount, state.players[0].isSurvive) == (1, True)


# The end.


def test_the_winners_are_everyone_with_chips_the_most_first() -> None:
    game = game_of(3, hands=1)
    say(game, FOLD, FOLD)
    (over,) = heard(game, 0, "__game_over")
    rows = [(w.playerName, w.chips) for w in over.winners]
    assert rows == [
        (token_of("n1"), 3010),
        (token_of("n2"), 3000),
        (token_of("n0"), 2990),
    ]


def test_equal_chips_go_by_the_better_hand() -> None:
    cards = Cards("KS QH", "3S 4H", "AS AH", "5S 6H", board="AD KD 9C 8S 2D")
    game = game_of(4, cards, hands=1, reloads=0)
    say(game, FOLD, FOLD, FOLD)
    (over,) = heard(game, 0, "__game_over")
    assert [w.chips for w in over.winners] == [1010, 1000, 1000, 990]
    assert [w.playerName for w in over.winners[1:3]] == [token_of("n2"), token_of("n3")]


def test_the_final_chips_include_unused_reloads() -> None:
    game = game_of(3, hands=2)
    to_reload(game)
    game.receive(2, RELOAD_MESSAGE)
    game.tick()
    while game.match.phase != OVER:
        say(game, FOLD)
    (over,) = heard(game, 0, "__game_over")
    assert sum(player.chips for player in over.players) == 9000
    assert [player.reloadCount for player in over.players] == [0, 0, 1]


def test_who_lost_everything_in_the_last_round_does_not_survive() -> None:
    cards = Cards("2S 7H", "AS AH", "KS KH", board="AD KD 3C 4S 9D")
    game = game_of(3, cards, hands=1, reloads=0)
    say(game, ALLIN, ALLIN, FOLD)
    (over,) = heard(game, 0, "__game_over")
    assert over.players[0].chips == 0
    assert not over.players[0].isSurvive


def test_a_stop_tells_everyone_and_ends_the_game() -> None:
    game = game_of()
    game.stop()
    assert names(game, 0)[-2:] == ["__game_stop", "__game_over"]


def test_after_a_stop_in_a_round_every_chip_is_there_once() -> None:
    game = game_of()
    say(game, message("raise"))
    game.stop()
    (over,) = heard(game, 0, "__game_over")
    chips = sum(player.chips for player in over.players)
    bets = sum(player.bet + player.roundBet for player in over.players)
    assert (chips, bets, over.table.totalBet) == (3 * 3000, 0, 0)


def test_a_stop_before_the_start_is_told() -> None:
    game = Game(TREND, ["a", "b", "c"], Cards())
    game.join(0, "a")
    game.stop()
    assert "__game_stop" in names(game, 0)


# Coming back.


def test_who_rejoins_in_his_turn_gets_the_state_and_the_request_again() -> None:
    game = game_of(3, Cards("AS AH", "KS KH", "QS QH"))
    before = game.match.deadline
    game.leave(2)
    game.sent[2].clear()
    game.rejoin(2)
    assert names(game, 2) == ["__new_peer", "__new_peer_2", "_join", "__action"]
    (state,) = heard(game, 2, "_join")
    assert [p.cards for p in state.players] == [[], [], ["QS", "QH"]]
    assert game.match.deadline == before  # his time runs on
    say(game, CALL)
    assert heard(game, 0, "__show_action")[-1].action.action == "call"


def test_who_rejoins_in_anothers_turn_gets_the_state() -> None:
    game = game_of(3, Cards("AS AH", "KS KH", "QS QH"))
    game.leave(0)
    game.sent[0].clear()
    game.rejoin(0)
    assert names(game, 0) == ["__new_peer", "__new_peer_2", "_join"]
    (state,) = heard(game, 0, "_join")
    assert state.players[0].cards == ["AS", "AH"]
    assert [p.bet for p in state.players] == [10, 20, 0]
    assert heard(game, 0, "__new_peer_2")[0].basicData == state


def test_the_state_in_new_peer_2_shows_each_receiver_his_own_cards_only() -> None:
    game = game_of(3, Cards("AS AH", "KS KH", "QS QH"))
    game.leave(0)
    game.rejoin(0)
    data = heard(game, 1, "__new_peer_2")[-1].basicData
    assert [p.cards for p in data.players] == [[], ["KS", "KH"], []]


def test_who_is_away_when_his_turn_comes_has_ten_seconds_and_then_his_time() -> None:
    game = game_of()
    game.leave(0)
    say(game, CALL)
    assert game.match.asked == 0
    assert game.match.deadline == game.now + 10
    game.now += 9
    game.sent[0].clear()
    game.rejoin(0)
    assert names(game, 0)[-1] == "__action"
    assert game.match.deadline == game.now + 5


def test_who_does_not_come_back_in_ten_seconds_is_folded() -> None:
    game = game_of()
    game.leave(0)
    say(game, CALL)
    game.tick()
    assert heard(game, 1, "__show_action")[-1].action.action == "fold"


def test_late_is_a_fold_after_five_seconds() -> None:
    game = game_of()
    assert game.match.deadline == game.now + 5
    game.tick()
    action = heard(game, 0, "__show_action")[-1].action
    assert (action.action, action.playerName) == ("fold", token_of("n2"))


def test_who_rejoins_in_the_reload_window_may_reload() -> None:
    game = game_of()
    to_reload(game)
    game.leave(0)
    game.rejoin(0)
    assert names(game, 0)[-1] == "_join"
    game.receive(0, RELOAD_MESSAGE)
    game.tick()
    assert heard(game, 0, "__new_round")[-1].players[0].reloadCount == 1


def test_the_state_in_the_reload_window_is_that_of_the_end_of_the_round() -> None:
    game = game_of()
    to_reload(game)
    game.leave(0)
    game.rejoin(0)
    table = heard(game, 0, "_join")[-1].table
    assert len(table.board) == BOARD_CARDS[table.roundName]
    assert table.roundName == "Showdown"


def test_who_rejoins_before_the_start_hears_who_is_there() -> None:
    game = Game(TREND, ["a", "b", "c"], Cards())
    game.join(0, "a")
    game.join(1, "b")
    game.leave(0)
    game.sent[0].clear()
    game.rejoin(0)
    assert names(game, 0) == ["__new_peer", "__new_peer_2"]


def test_who_is_out_and_rejoins_gets_the_state_and_is_online() -> None:
    game = game_of(3, Cards("2S 7H", "AS AH", "KS KH", board="AD KD 3C 4S 9D"), reloads=0)
    say(game, ALLIN, ALLIN, FOLD)
    game.leave(0)
    game.sent[0].clear()
    game.rejoin(0)
    assert names(game, 0)[-1] == "_join"
    assert heard(game, 0, "_join")[0].players[0].isOnline


def restored(rules: Rules) -> tuple[Match, MatchView, TrendSpeaker]:
    """A match after a restart of the server, as the table sees it."""
    names = [f"n{index}" for index in range(3)]
    game = Game(rules, names, SeededChance(bytes(32)))
    game.start()
    to_reload(game)
    match, _ = Match.restore(rules, game.match.state(), SeededChance(bytes(32)), 0.0)
    view = MatchView(rules)
    for player, entrant in enumerate(match.players):
        view.see(Joined(player, entrant.name))
        view.see(Left(player))
        view.stacks[player] = entrant.stack
    view.circle = tuple(match.blinds.circle)
    speaker = TrendSpeaker("1", game.tokens, dict.fromkeys(range(3)))
    speaker.resumed(view)
    return match, view, speaker


def test_who_rejoins_after_a_restart_hears_who_is_there_and_the_chips() -> None:
    match, view, speaker = restored(TREND)
    for event in match.connected(0, 0.0):
        view.see(event)
        rows = [checked(text) for player, text in speaker.tell(event, view) if player == 0]
        assert rows[0][0] == "__new_peer"


def test_a_game_that_ends_right_after_a_restart_is_told_as_over() -> None:
    match, view, speaker = restored(TREND)
    for event in match.stop():
        view.see(event)
        for _, text in speaker.tell(event, view):
            checked(text)


def test_the_messages_are_json() -> None:
    game = game_of()
    for text in game.sent[0]:
        assert list(json.loads(text)) == ["eventName", "data"]


def test_the_blinds_double_when_the_small_blind_has_been_round_the_table() -> None:
    game = game_of(3)
    for _ in range(7):
        to_reload(game)
        game.tick()
    rounds = heard(game, 0, "__new_round")
    assert [state.table.smallBlind.amount for state in rounds] == [10, 10, 10, 20, 20, 20, 40, 40]
    assert [state.table.bigBlind.amount for state in rounds[:4]] == [20, 20, 20, 40]


def test_a_request_names_pot_counts_and_blinds_as_the_table_does() -> None:
    game = game_of()
    say(game, message("raise"))
    (request,) = heard(game, 0, "__action")
    assert (request.game.raiseCount, request.game.betCount) == (1, 0)
    assert (request.game.roundName, request.game.board) == ("Deal", [])
    assert request.game.smallBlind.amount == 10
    assert request.self.minBet == 30
