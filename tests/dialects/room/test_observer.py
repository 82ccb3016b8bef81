"""What those see who watch a room: no card that the policy hides, and nothing too early."""

import json
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import HIDDEN, parse_many
from croupier.dialects.room.observer import ObserverSpeaker
from croupier.dialects.room.reader import V1, V2
from croupier.match.audience import Audience, Policy
from croupier.match.view import MatchView
from croupier.rules.events import Asked, HoleDealt
from croupier.rules.sets import ROOM, ROOM2
from tests.dialects.room.model import (
    STACK,
    Betting,
    games,
    hole_cards,
    programs,
    random_game,
    small_blind_first,
    words,
)
from tests.support.builds import interpreted
from tests.support.referee import STAMP
from tests.wire.room_game import (
    BOARD,
    BOT,
    WATCHER,
    Game,
    Place,
    ScriptedChance,
    body,
)

SHOWDOWN = Policy()
OPEN = Policy(open_cards=True)

STATE = {
    V1: "player_card money round_raise public_card desktop_money current_action action_player"
    " action_history action_position info name",
    V2: "player_card money round_raise public_card desktop_money current_action action_player"
    " players action_history action_position info name",
}
RESULT = {
    V1: "win_money player_card public_card info total_money times name",
    V2: "win_money player_card public_card action_history players info total_money times name",
}

Played = tuple[Game, int]
watched_games = games(st.sampled_from([SHOWDOWN, OPEN]))


def seen(game: Game) -> list[list[dict[str, Any]]]:
    """Return the frames of each hand, and those after the last."""
    hands: list[list[dict[str, Any]]] = [[]]
    for _, text in game.watched:
        frame = json.loads(text)
        hands[-1].append(frame)
        if frame["info"] == "result":
            hands.append([])
    return hands


def observer_of(game: Game) -> ObserverSpeaker:
    """Return a speaker for someone who watches a game in its version."""
    names = {player: place.name for player, place in enumerate(game.places)}
    return ObserverSpeaker(names, [WATCHER], version=lambda: game.watched_in, stamp=lambda: STAMP)


# Of every match.


@given(watched_games)
def test_every_frame_has_exactly_its_keys_in_their_order(played: Played) -> None:
    game, version = played
    for _, text in game.watched:
        frame = json.loads(text)
        assert json.dumps(frame) == text
        if frame["info"] != "success":
            keys = STATE if frame["info"] == "state" else RESULT
            assert " ".join(frame) == keys[version]


@given(watched_games)
def test_who_watches_a_room_of_version_2_is_told_of_money_and_history_as_its_players_are(
    played: Played,
) -> None:
    game, version = played
    for player in (p for p in programs(game) if game.places[p].version == version == V2):
        theirs = [frame for frame in game.frames(player) if frame["info"] != "success"]
        watched = [frame for hand in seen(game) for frame in hand if frame["info"] != "success"]
        for told, shown in zip(theirs, watched, strict=True):
            for key in ("players", "action_history", "public_card", "info"):
                assert told[key] == shown[key]


@given(watched_games)
def test_histories_are_texts_for_who_watches_version_1_and_objects_in_version_2(
    played: Played,
) -> None:
    game, version = played
    for frame in (frame for hand in seen(game) for frame in hand):
        for street in frame.get("action_history", []):
            assert all(isinstance(item, str if version == V1 else dict) for item in street)


@given(watched_games)
def test_whoever_watches_hears_of_every_action_and_of_the_end(played: Played) -> None:
    game, _ = played
    *hands, after = seen(game)
    assert len(hands) == game.match.played
    for hand in hands:
        *states, last, _ = hand
        assert last["action_position"] == -1
        assert all(state["action_position"] != -1 for state in states)
        lengths = [sum(map(len, state["action_history"])) for state in (*states, last)]
        assert lengths == list(range(len(states) + 1))
    assert after == [{"info": "success", "text": "Complete playing"}]
    assert game.watcher_closed


@given(games(st.just(SHOWDOWN)))
def test_by_default_no_card_is_seen_that_the_players_do_not_show(played: Played) -> None:
    game, _ = played
    *hands, _ = seen(game)
    for number, frames in enumerate(hands):
        hole = hole_cards(game, number)
        last = frames[-2]
        live = Betting(len(hole), words(last)).live
        for frame in frames[:-2]:
            assert frame["player_card"] == [[] for _ in hole]
        shown = [cards if len(live) > 1 and p in live else [] for p, cards in enumerate(hole)]
        assert last["player_card"] == frames[-1]["player_card"] == shown
        hidden = [card for cards in hole if cards not in shown for card in cards]
        for frame in frames:
            text = json.dumps(frame)
            assert not [card for card in hidden if f'"{card}"' in text]


@given(games())
def test_a_card_that_the_policy_hides_is_not_even_in_the_events_of_the_audience(
    played: Played,
) -> None:
    """So that nobody who works on them, now or later, can show it by mistake."""
    game, _ = played
    audience = Audience(SHOWDOWN)
    told = [seen for event in game.events for seen in audience.release(event)]
    assert len(told) == len(game.events)
    hidden = [event.cards for event in told if isinstance(event, HoleDealt)]
    assert hidden
    assert set(hidden) == {(HIDDEN, HIDDEN)}


@given(games(st.just(OPEN)))
def test_with_open_cards_all_are_seen_in_every_frame(played: Played) -> None:
    game, _ = played
    *hands, _ = seen(game)
    for number, frames in enumerate(hands):
        assert all(frame["player_card"] == hole_cards(game, number) for frame in frames)


@given(games(st.integers(1, 3).map(lambda hands: Policy(open_cards=True, delay=hands))))
def test_a_delay_of_n_hands_shows_a_hand_when_the_nth_after_it_has_ended(played: Played) -> None:
    game, _ = played
    delay = game.watching.delay if game.watching else 0
    assert delay
    number = 1
    for ended, text in game.watched:
        # What is kept back is shown when the match is over.
        assert ended == min(number + delay, game.match.played)
        number += json.loads(text)["info"] == "result"
    *hands, after = seen(game)
    assert len(hands) == game.match.played
    assert [frame["info"] for frame in after] == ["success"]


def test_a_delay_shows_nothing_of_a_hand_before_its_time() -> None:
    """Hand by hand, with one that is still being played."""
    policy = Policy(open_cards=True, delay=2)
    game = Game(ROOM, [Place("a"), Place("b")], ScriptedChance([0, 1]), policy)
    game.start()
    results = []
    for _ in range(5):
        game.start_all()
        before = len(game.watched)
        game.say("call")
        assert len(game.watched) == before
        game.say("fold")
        results.append(sum('"result"' in text for _, text in game.watched))
    assert results == [0, 0, 1, 2, 3]


def test_a_delay_shows_the_same_frames_as_no_delay() -> None:
    for seed in range(10):
        texts = []
        for policy in (OPEN, Policy(open_cards=True, delay=2)):
            game = random_game(3, V1, [V1] * 3, seed, 4, policy)
            texts.append([text for _, text in game.watched])
        assert texts[0] == texts[1]


@given(watched_games)
def test_chips_left_bets_and_pot_are_those_of_the_history(played: Played) -> None:
    game, _ = played
    *hands, _ = seen(game)
    size = len(game.places)
    for frames in hands:
        for frame in frames[:-1]:
            betting = Betting(size, words(frame))
            assert frame["money"] == betting.rest
            assert frame["round_raise"] == betting.have
            assert frame["desktop_money"] == sum(betting.put) == size * STACK - sum(frame["money"])
            actions = [item for street in words(frame) for item in street]
            place, word = actions[-1] if actions else ("", "")
            assert (frame["action_player"], frame["current_action"]) == (place, word)


@given(watched_games)
def test_results_add_up_by_player_wherever_he_sits(played: Played) -> None:
    game, _ = played
    *hands, _ = seen(game)
    totals: dict[str, int] = {place.name: 0 for place in game.places}
    for number, frames in enumerate(hands):
        result = frames[-1]
        names = [game.places[player].name for player in small_blind_first(game, number)]
        assert all(frame["name"] == names for frame in frames)
        for name, amount in zip(names, result["win_money"], strict=True):
            totals[name] += amount
        assert result["total_money"] == [totals[name] for name in names]
        assert result["times"] == [number + 1] * len(names)
        assert sum(result["total_money"]) == 0


@given(games())
@interpreted
def test_who_comes_in_the_middle_of_a_hand_sees_what_the_others_see(played: Played) -> None:
    """At every question of a match, a newcomer is shown what has just been sent to all."""
    game, _ = played
    speaker = observer_of(game)
    view = MatchView(game.match.rules)
    audience = Audience(SHOWDOWN)
    for event in game.events:
        (told,) = audience.release(event)
        view.see(told)
        messages = list(speaker.tell(told, view))
        if not isinstance(event, Asked):
            continue
        newcomer = observer_of(game)
        own = deepcopy(view)
        newcomer.resumed(own)
        assert newcomer.present(own) == messages[-1][1]


@given(games(st.just(OPEN)), st.integers(0, 2**16))
def test_who_comes_in_the_middle_goes_on_with_the_others(played: Played, after: int) -> None:
    game, _ = played
    asked = [number for number, event in enumerate(game.events) if isinstance(event, Asked)]
    came = asked[after % len(asked)]
    view = MatchView(game.match.rules, open_cards=True)
    for event in game.events[: came + 1]:
        view.see(event)
    newcomer = observer_of(game)
    newcomer.resumed(view)
    heard = []
    for event in game.events[came + 1 :]:
        view.see(event)
        heard += [body(message) for _, message in newcomer.tell(event, view) if message]
    theirs = [text for _, text in game.watched][-len(heard) :]
    for own, text in zip(heard, theirs, strict=True):
        mine, all_along = json.loads(own), json.loads(text)
        # Only what he has not seen is not counted.
        for key in ("total_money", "times"):
            mine.pop(key, None)
            all_along.pop(key, None)
        assert mine == all_along


# Single tables.


def room(policy: Policy = SHOWDOWN, **fields: Any) -> Game:
    """Return a room of two in its first hand, that somebody watches."""
    chance = ScriptedChance(
        [0, 1],
        {1: {0: parse_many("JsTs"), 1: parse_many("7s9c"), BOARD: parse_many("8hJc4s9s3h")}},
    )
    game = Game(ROOM.with_fields(fields), [Place("a"), Place("b", BOT)], chance, policy)
    game.start()
    game.start_all()
    return game


def test_the_first_state_and_the_result_byte_for_byte() -> None:
    game = room(OPEN)
    for word in ["call", "check", "check", "check", "check", "check", "check", "check"]:
        game.act(word)
    texts = [text for _, text in game.watched]
    assert texts[0] == (
        '{"player_card": [["Js", "Ts"], ["7s", "9c"]], "money": [19950, 19900],'
        ' "round_raise": [50, 100], "public_card": [], "desktop_money": 150,'
        ' "current_action": "", "action_player": "", "action_history": [[]],'
        ' "action_position": 0, "info": "state", "name": ["a", "b"]}'
    )
    assert texts[3] == (
        '{"player_card": [["Js", "Ts"], ["7s", "9c"]], "money": [19900, 19900],'
        ' "round_raise": [0, 0], "public_card": ["8h", "Jc", "4s"], "desktop_money": 200,'
        ' "current_action": "check", "action_player": 1,'
        ' "action_history": [["0:call", "1:check"], ["1:check"]],'
        ' "action_position": 0, "info": "state", "name": ["a", "b"]}'
    )
    assert texts[-1] == (
        '{"win_money": [100, -100], "player_card": [["Js", "Ts"], ["7s", "9c"]],'
        ' "public_card": ["8h", "Jc", "4s", "9s", "3h"], "info": "result",'
        ' "total_money": [100, -100], "times": [1, 1], "name": ["a", "b"]}'
    )


def test_by_default_cards_come_with_the_showdown() -> None:
    game = room()
    for word in ["r20000", "call"]:
        game.act(word)
    cards = [json.loads(text)["player_card"] for _, text in game.watched]
    open_cards = [["Js", "Ts"], ["7s", "9c"]]
    assert cards == [[[], []], [[], []], open_cards, open_cards]


def test_between_hands_there_is_no_state_to_show() -> None:
    game = room()
    game.act("fold")
    newcomer = ObserverSpeaker({0: "a", 1: "b"}, [WATCHER])
    newcomer.resumed(game.view)
    assert newcomer.present(game.view) is None


def test_before_the_first_hand_there_is_no_state_to_show() -> None:
    view = MatchView(ROOM)
    newcomer = ObserverSpeaker({}, [WATCHER])
    newcomer.resumed(view)
    assert newcomer.present(view) is None


def last_words(game: Game) -> dict[str, Any]:
    assert game.watcher_closed
    frame: dict[str, Any] = json.loads(game.watched[-1][1])
    return frame


def test_whoever_watches_is_told_of_a_fault() -> None:
    game = room()
    game.say("nonsense")
    assert last_words(game) == {
        "info": "error",
        "text": "Player a makes an illegal action: nonsense",
    }


def test_whoever_watches_is_told_of_the_organisers_stop() -> None:
    game = room()
    game.stop()
    assert last_words(game) == {"info": "error", "text": "The match was stopped by the organiser"}


def test_a_stop_with_a_delay_still_shows_the_hands_that_were_played() -> None:
    game = room(Policy(open_cards=True, delay=5))
    game.act("fold")
    assert game.watched == []
    game.stop()
    kinds = [json.loads(text)["info"] for _, text in game.watched]
    assert kinds == ["state", "state", "result", "error"]


def test_a_state_and_a_result_of_version_2_byte_for_byte() -> None:
    chance = ScriptedChance([0, 1])
    game = Game(ROOM2, [Place("a", V2), Place("b", BOT)], chance, SHOWDOWN)
    game.start()
    game.act("r300")
    game.act("fold")
    texts = [text for _, text in game.watched]
    done = '{"position": 0, "action": "r300", "timestamp": "2000-01-01 00:00:00.000"}'
    assert texts[1] == (
        '{"player_card": [[], []], "money": [19700, 19900], "round_raise": [300, 100],'
        ' "public_card": [], "desktop_money": 400, "current_action": "r300", "action_player": 0,'
        ' "players": [{"position": 0, "money_left": 19700, "total_money": 20000, "name": "a"},'
        ' {"position": 1, "money_left": 19900, "total_money": 20000, "name": "b"}],'
        f' "action_history": [[{done}]], "action_position": 1, "info": "state",'
        ' "name": ["a", "b"]}'
    )
    fold = done.replace("r300", "fold").replace('"position": 0', '"position": 1')
    assert texts[-1] == (
        '{"win_money": [100, -100], "player_card": [[], []], "public_card": [],'
        f' "action_history": [[{done}, {fold}]], "players": ['
        '{"position": 0, "win_money": 100, "moneyLeft": 19700, "totalMoney": 20000, "name": "a"},'
        ' {"position": 1, "win_money": -100, "moneyLeft": 19900, "totalMoney": 20000,'
        ' "name": "b"}], "info": "result", "total_money": [100, -100], "times": [1, 1],'
        ' "name": ["a", "b"]}'
    )


def test_the_version_may_be_decided_as_late_as_the_first_hand() -> None:
    """Whoever comes before the players cannot know what they will speak."""
    version = V1
    game = random_game(2, V2, [V2] * 2, 5, 1, SHOWDOWN)
    speaker = ObserverSpeaker(
        {0: "a", 1: "b"}, [WATCHER], version=lambda: version, stamp=lambda: "now"
    )
    view = MatchView(ROOM2)
    speaker.resumed(view)
    version = V2
    heard = []
    for event in game.events:
        view.see(event)
        heard += [json.loads(body(m)) for _, m in speaker.tell(event, view) if m]
    assert all("players" in frame for frame in heard if frame["info"] != "success")
