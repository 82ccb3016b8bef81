"""Replay recorded `room` traffic: `python -m tests.wire.replay_room FILE…`.

A file holds the conversations of some connections, a frame per line:

    1.0528 conn1 C->S len=11000000(17) {"info": "start"}
    1.1931 conn1 S->C EOF

Every room is played again through the match and the speaker, with the cards that were seen (the
others are any unused ones), the seats, the programs' own frames and the house bots' actions, and
every frame that the server sent is compared byte by byte, the time of day aside. A difference is
excused only if it is exactly what one of the named choices makes of the frame; only where such a
choice changes the course of a hand, what follows in that room is not compared.
"""

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from croupier.bots import HOUSE_BOTS
from croupier.cards import parse
from croupier.dialects.base import Illegal
from croupier.dialects.room.reader import V1, Connect, first_message
from croupier.dialects.session import WatchBots
from croupier.match.audience import Policy
from croupier.rules.events import AUDIENCE
from croupier.rules.sets import ROOM, ROOM2
from croupier.rules.view import view_of
from tests.support.referee import STAMP
from tests.wire.room_game import BOARD, BOT, Game, Place, ScriptedChance

LINE = re.compile(r" *[\d.]+ (conn\d+) (C->S|S->C) (?:len=([0-9a-f]{8})\((\d+)\) (.*)|(EOF)|!.*)")
TIME_OF_DAY = re.compile(r'"timestamp": "\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}"')

INTEGERS = "money is whole chips"
BOTH_NAMES = "the result says player_card and private_card"
RANDOM_AGENT = "RandomAgent is called by its name"
DROPPED = "after an illegal action the hand is played to its end, and an error frame says why"
SHORT_FORMS = "c and f are understood"
UNKNOWN_AGENT = "a room with an unknown agent is refused"
ROOM_ZERO = "a missing room_id means room 0"

CHOICES = {INTEGERS, BOTH_NAMES, RANDOM_AGENT, DROPPED, SHORT_FORMS, UNKNOWN_AGENT, ROOM_ZERO}

NO_ROOM_ID = '{"info": "Unhandled error", "text": "KeyError(\'room_id\')"}'


@dataclass
class Conversation:
    """One connection."""

    name: str
    first: dict[str, Any]
    wish: Connect | WatchBots
    sent: list[str] = field(default_factory=list)
    """The JSON texts from the server."""
    ended_by: str = ""
    """Who closed it: C or S."""

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.sent]

    @property
    def told(self) -> bool:
        """The last frame said that it is over, so that either side may close first."""
        return bool(self.sent) and self.frames[-1].get("info") in ("success", "error")


@dataclass
class Room:
    """The conversations of a room, and what their programs did, in order."""

    members: list[Conversation] = field(default_factory=list)
    inputs: list[tuple[int, dict[str, Any] | None]] = field(default_factory=list)
    """(index of the member, frame); None in place of a frame: he has closed his connection."""

    @property
    def wish(self) -> Connect | WatchBots:
        """What the first member asked for."""
        return self.members[0].wish

    @property
    def full(self) -> bool:
        wish = self.wish
        return isinstance(wish, WatchBots) or len(self.members) + len(wish.bots) == wish.seats


def read(text: str) -> list[Room]:
    """Read a file."""
    rooms: list[Room] = []
    by_connection: dict[str, tuple[Room, int]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = LINE.fullmatch(line)
        assert match is not None, f"line {number} is no line of a recording: {line}"
        name, direction, header, length, body, end = match.groups()
        if body is not None:
            size = len(body.encode())
            assert int.from_bytes(bytes.fromhex(header), "little") == int(length) == size, line
        if name not in by_connection:
            by_connection[name] = _enter(rooms, name, body)
            continue
        room, index = by_connection[name]
        member = room.members[index]
        if direction == "S->C" and body is not None:
            member.sent.append(body)
        elif direction == "C->S" and (body or end):
            room.inputs.append((index, json.loads(body) if body else None))
        if end and not member.ended_by:
            member.ended_by = direction[0]
    return rooms


def _enter(rooms: list[Room], name: str, body: str) -> tuple[Room, int]:
    first = json.loads(body)
    wish = first_message(first)
    assert isinstance(wish, Connect | WatchBots), f"{name} begins with {body}"
    room = next((r for r in rooms if not r.full and r.wish.room == wish.room), None)
    if room is None:
        room = Room()
        rooms.append(room)
    room.members.append(Conversation(name, first, wish))
    return room, len(room.members) - 1


# What was dealt and done.


@dataclass
class Recorded:
    """One hand, as far as the frames of all members tell."""

    cards: dict[int, list[int]] = field(default_factory=dict)
    actions: list[tuple[int, str]] = field(default_factory=list)


def hands_of(member: Conversation) -> list[list[dict[str, Any]]]:
    """Return the frames of each hand that a member saw."""
    hands: list[list[dict[str, Any]]] = [[]]
    for frame in member.frames:
        if frame.get("info") in ("state", "result"):
            hands[-1].append(frame)
        if frame.get("info") == "result":
            hands.append([])
    return hands if hands[-1] else hands[:-1]


def recorded_hands(room: Room) -> list[Recorded]:
    """Return what is known of each hand."""
    hands: list[Recorded] = []
    for member in room.members:
        for index, frames in enumerate(hands_of(member)):
            if index == len(hands):
                hands.append(Recorded())
            for frame in frames:
                _learn(hands[index], frame)
    for hand in hands:
        _keep_each_card_once(hand)
    return hands


def _keep_each_card_once(hand: Recorded) -> None:
    """Forget cards that a recording shows twice, so that they come out as a difference."""
    used: set[int] = set()
    for place, cards in list(hand.cards.items()):
        if used & set(cards):
            del hand.cards[place]
        used |= set(cards)


def _learn(hand: Recorded, frame: dict[str, Any]) -> None:
    seen = dict(enumerate(frame.get("player_card", [])))
    if "private_card" in frame and frame["info"] == "state":
        seen[frame["position"]] = frame["private_card"]
    seen[BOARD] = frame["public_card"]
    for place, cards in seen.items():
        if len(cards) > len(hand.cards.get(place, [])):
            hand.cards[place] = [parse(card) for card in cards]
    rounds = frame.get("action_history", [])
    actions = [_action(item) for street in rounds for item in street]
    if len(actions) > len(hand.actions):
        hand.actions = actions


def _action(item: Any) -> tuple[int, str]:
    if isinstance(item, dict):
        return item["position"], item["action"]
    place, word = item.split(":")
    return int(place), word


def bot_names(wish: Connect | WatchBots) -> list[str]:
    """Return how the house bots of a room are called."""
    names = []
    for index, bot in enumerate(wish.bots):
        known = bot if bot in HOUSE_BOTS else "CallAgent"
        again = wish.bots[:index].count(bot)
        if wish.hands is None:
            names.append(f"{known}{index}")
        else:
            names.append(f"{known}{again}" if again else known)
    return names


def seat_names(frame: dict[str, Any]) -> list[str]:
    """Return the names by position, from the first frame of a room."""
    if "players" in frame:
        return [player["name"] for player in frame["players"]]
    names: list[str] = frame["name"]
    return [re.sub(r"^RanAgent(?=\d*$)", "RandomAgent", name) for name in names]


def set_up(room: Room, hands: list[Recorded]) -> Game:
    """Return the room's game: the members are the first players, its bots come after them."""
    wish = room.wish
    watching = isinstance(wish, WatchBots)
    first = room.members[0].frames[0]
    names = seat_names(first)
    wishes = [member.wish for member in room.members]
    places = [Place(own.name, own.version) for own in wishes if isinstance(own, Connect)]
    places += [Place(name, BOT) for name in bot_names(wish)]
    order: dict[int, int] = {}
    if not watching:
        for player, member in enumerate(room.members):
            order[player] = member.frames[0]["position"]
    for player, place in enumerate(places):
        if place.version == BOT and place.name in names:
            order[player] = names.index(place.name)
    # Who is not found sits somewhere: what is wrong with the recording then shows in its frames.
    seats = sorted(range(len(places)), key=lambda player: order.get(player, len(places)))
    rules = ROOM if wish.hands is None else ROOM2.with_fields({"hands": wish.hands})
    dealt = {number: hand.cards for number, hand in enumerate(hands, 1)}
    return Game(
        rules, places, ScriptedChance(seats, dealt), Policy(open_cards=True) if watching else None
    )


# The comparison.


@dataclass
class Report:
    """What a comparison found."""

    rooms: int = 0
    hands: int = 0
    frames: int = 0
    """Recorded frames that were compared."""
    alike: int = 0
    """Of these, alike to the last byte."""
    excused: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


@dataclass
class Turning:
    """Where a named choice changed the course of a room."""

    excuse: str = ""
    sent: dict[int, int] = field(default_factory=dict)
    """How many frames each player had got before."""


def play(room: Room, game: Game, hands: list[Recorded]) -> tuple[Turning, list[str]]:
    """Play a room as it was played; return where it had to go another way, and what went wrong."""
    turning = Turning()
    problems: list[str] = []
    game.start()
    _bots(game, hands, problems)
    for index, frame in room.inputs:
        before = len(game.ignored), len(game.answers)
        marks = {player: len(texts) for player, texts in game.texts.items()}
        if isinstance(room.wish, WatchBots):
            continue  # who watches has nothing to say
        if frame is None:
            game.leave(index)
            continue
        game.take(index, frame)
        if len(game.ignored) > before[0] and not turning.excuse:
            problems.append(f"we did not ask for {frame}")
        if len(game.answers) > before[1] and not turning.excuse:
            excuse = _course(game, index, frame)
            if excuse:
                turning = Turning(excuse, marks)
        _bots(game, hands, problems)
    return turning, problems


def _course(game: Game, player: int, frame: dict[str, Any]) -> str:
    """Return the choice that makes the room go another way than the original after an answer."""
    illegal = isinstance(game.answers[-1], Illegal)
    if not illegal and frame.get("action") in ("c", "f"):
        return SHORT_FORMS
    return DROPPED if illegal and game.places[player].version == V1 else ""


def _bots(game: Game, hands: list[Recorded], problems: list[str]) -> None:
    """Let house bots do what they did."""
    match = game.match
    while match.hand is not None and game.places[match.asked].version == BOT:
        done = len(view_of(match.hand, AUDIENCE).history)
        actions = hands[match.number - 1].actions if match.number <= len(hands) else []
        if done >= len(actions):
            return  # the recording ends here
        place, word = actions[done]
        asked = (match.hand.actor - match.hand.small_seat) % match.hand.size
        if place != asked:
            problems.append(f"hand {match.number}: {place} did {word!r}, but we ask {asked}")
            return
        game.act(word)


def whole(text: str) -> str:
    """Return a recorded result with whole numbers where the original mixes in fractions of 0."""
    return re.sub(r"(-?\d+)\.0(?=[],}])", r"\1", text)


def both(text: str) -> str:
    """Return a recorded result of version 1 with the cards under both names."""
    return re.sub(
        r'^(\{"win_money": .*?"player_card": (\[.*?\]), )("public_card")',
        r'\1"private_card": \2, \3',
        text,
    )


def renamed(text: str) -> str:
    """Return a recorded text in which the random agent has the name that it was asked for by."""
    return re.sub(r'"RanAgent(?=\d*")', '"RandomAgent', text)


def timeless(text: str) -> str:
    """Return a text without the time of day."""
    return TIME_OF_DAY.sub(f'"timestamp": "{STAMP}"', text)


def expected(text: str, watching: bool) -> tuple[str, list[str]]:
    """Return what our speaker makes of a recorded frame, and the choices that changed it."""
    kind = json.loads(text).get("info")
    changes = {RANDOM_AGENT: renamed}
    if kind == "result":
        changes[INTEGERS] = whole
        if not watching:
            changes[BOTH_NAMES] = both
    used = []
    for choice, change in changes.items():
        changed = change(text)
        if changed != text:
            used.append(choice)
        text = changed
    return timeless(text), used


def compare_room(room: Room, report: Report) -> None:
    """Replay a room and compare every frame to every member."""
    report.rooms += 1
    wish = room.wish
    if not room.full:
        _compare_waiting(room, report)
        return
    hands = recorded_hands(room)
    report.hands += len(hands)
    game = set_up(room, hands)
    turning, problems = play(room, game, hands)
    report.differences += [f"{room.members[0].name}: {problem}" for problem in problems]
    if any(bot not in HOUSE_BOTS for bot in wish.bots):
        report.excused[UNKNOWN_AGENT] += 1
    for player, member in enumerate(room.members):
        watching = isinstance(wish, WatchBots)
        ours = [text for _, text in game.watched] if watching else game.texts[player]
        mark = turning.sent.get(player)
        _compare_frames(member, member.sent[:mark], ours[:mark], watching, report)
        closed = player in game.closed
        if mark is not None:
            later = member.sent[mark:], ours[mark:]
            _compare_turning(member, *later, closed, turning.excuse, report)
        elif not watching and closed != (member.ended_by == "S") and not (closed and member.told):
            what = "we closed first" if closed else "we did not close"
            report.differences.append(f"{member.name}: {what}")


def _compare_waiting(room: Room, report: Report) -> None:
    """Compare a room that never began with us, which sends nothing."""
    for member in room.members:
        report.frames += len(member.sent)
        if "room_id" not in member.first and member.sent == [NO_ROOM_ID]:
            report.excused[ROOM_ZERO] += 1
        elif member.sent:
            report.differences.append(f"{member.name}: nothing is sent to a room that is not full")


def _compare_frames(
    member: Conversation, theirs: list[str], ours: list[str], watching: bool, report: Report
) -> None:
    for place, (a, b) in enumerate(zip_longest(theirs, ours), 1):
        report.frames += a is not None
        meant, used = expected(a, watching) if a is not None else (None, [])
        if b is not None and meant == timeless(b):
            report.alike += timeless(a or "") == meant
            report.excused.update(used)
            continue
        report.differences.append(f"{member.name}, frame {place}:\n  recorded {a}\n  ours     {b}")
        report.frames += max(0, len(theirs) - place)
        break  # one difference leads to the next


def _compare_turning(
    member: Conversation,
    theirs: list[str],
    ours: list[str],
    closed: bool,
    choice: str,
    report: Report,
) -> None:
    """Compare what came after an answer that the original takes in another way."""
    report.frames += len(theirs)
    kinds = [json.loads(text)["info"] for text in ours]
    if choice == DROPPED:
        as_named = not theirs and closed and kinds[-2:] == ["result", "error"]
    else:
        as_named = not closed and bool(kinds)
    if as_named and member.ended_by == "S":
        report.excused[choice] += 1
    else:
        report.differences.append(
            f"{member.name}: {choice!r} does not explain\n  recorded {theirs}\n  ours     {ours}"
        )


def compare(path: Path) -> Report:
    """Replay all rooms of a file."""
    report = Report()
    for room in read(path.read_text("utf-8")):
        compare_room(room, report)
    return report


def main(files: list[str]) -> int:
    """Compare files and print what was found."""
    if not files:
        print(__doc__)
        return 2
    failed = False
    for file in files:
        report = compare(Path(file))
        failed |= bool(report.differences)
        print(
            f"{file}: {report.rooms} rooms, {report.hands} hands, {report.frames} frames,"
            f" {report.alike} alike to the last byte"
        )
        for reason, count in report.excused.items():
            print(f"  excused {count} times: {reason}")
        for difference in report.differences:
            print(difference)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
