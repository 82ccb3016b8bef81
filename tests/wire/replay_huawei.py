"""Replay recorded `huawei` traffic: `python tests/wire/replay_huawei.py DIR…`.

A folder holds one recorded game: `p<pid>.events` per player (`seconds < b'…'` from the server,
`seconds > b'…'` from the player) and `replay.txt`, the original server's log, which has every hole
card and every action. Each hand is played again on its own from its `seat/` message, with its
seats, its cards and its decisions, and every message that the server sent to every player is
compared byte by byte. A difference is excused only if it is exactly what one of the named choices
in docs/protocols/huawei.md makes of the message; only where such a choice changes the course of a
hand, what follows in that hand is not compared. From hand to hand, the seats and chips of the next
one have to be what our books and our rotation make of the chips that the log notes at the end.

Server versions differ in whom they notify at the end of a betting round. What only some of them
send may be there or not; whichever of the two is not ours is excused by name.
"""

import re
import sys
from ast import literal_eval
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from croupier.cards import parse
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.dialects.huawei.words import block
from croupier.match.entrant import Entrant
from croupier.match.events import Joined
from croupier.match.rotation import rotate
from croupier.match.settlement import top_up
from croupier.match.view import MatchView
from croupier.ranking import rank
from croupier.rules.decisions import ALL_IN, CALL, FOLD, RAISE, Decision, raise_to
from croupier.rules.events import BetReturned, RoundEnded
from croupier.rules.hand import Hand
from croupier.rules.pots import share_out, split_pots
from croupier.rules.sets import HUAWEI
from croupier.rules.view import View

MESSAGE = re.compile(rb"(\w[\w-]*)/ \n.*?/\1 \n|game-over \n", re.S)


@dataclass
class Recorded:
    """One hand: what the log says and what each player was sent."""

    seats: list[tuple[str, int, int]]
    """(pid, jetton, money), the button last."""
    hole: dict[str, list[int]] = field(default_factory=dict)
    board: list[int] = field(default_factory=list)
    actions: list[tuple[str, str, int]] = field(default_factory=list)
    """(pid, action, total bet in the hand after it), blinds included; -1 where none is said."""
    scores: dict[str, tuple[int, int]] = field(default_factory=dict)
    """(jetton, money) at the end of the hand."""
    stripped: bool = False
    """Someone put in his last chip with a raise that fitted exactly, which we call all_in."""
    folded_to_main: bytes = b""
    """The pot-win message if all folded money belonged to the main pot, as in the original."""
    sent: dict[str, list[bytes]] = field(default_factory=dict)


def messages(data: bytes) -> list[bytes]:
    """Cut a stream of bytes into messages."""
    found = [match.group() for match in MESSAGE.finditer(data)]
    assert b"".join(found) == data, data
    return found


@dataclass
class Player:
    """One player's recording."""

    listener: Listener
    hands: list[list[bytes]]
    """The messages of each hand he was seated in."""
    complete: bool
    """He was there until game-over; otherwise his last hand is cut off somewhere."""


def read_player(path: Path) -> Player:
    """Read one `p<pid>.events`."""
    sent = b""
    registered = b""
    for line in path.read_text("ascii").splitlines():
        match = re.match(r"[\d.]+ ([<>]) (b['\"].*)$", line)
        if match is None:
            continue
        data: bytes = literal_eval(match.group(2))
        if match.group(1) == "<":
            sent += data
        elif not registered:
            registered = data
    hands: list[list[bytes]] = []
    complete = False
    for message in messages(sent):
        if message.startswith(b"seat/"):
            hands.append([])
        if message == b"game-over \n":
            complete = True
        else:
            hands[-1].append(message)
    return Player(
        Listener(b"need_notify" in registered, b"need_bet" in registered), hands, complete
    )


def hands_of_log(text: str) -> Iterator[Recorded]:
    """Read the original server's log."""
    for part in re.split(r"new hand \d+ start", text)[1:]:
        seat = re.search(r"seat/ \n(.*?)/seat", part, re.S)
        assert seat is not None
        rows = [
            (pid, int(jetton), int(money))
            for pid, jetton, money in re.findall(r"(\d+) (\d+) (\d+) \n", seat.group(1))
        ]
        hand = Recorded(rows[1:] + rows[:1])
        for pid, cards in re.findall(r"player (\d+):hold/ \n(.*?)/hold", part, re.S):
            hand.hole[pid] = [parse(line.strip()) for line in cards.strip().splitlines()]
        for cards in re.findall(r"(?:flop|turn|river)/ \n(.*?)/(?:flop|turn|river)", part, re.S):
            hand.board += [parse(line.strip()) for line in cards.strip().splitlines()]
        for pid, action, bet, rest in re.findall(
            r"player (\d+) action (\w+)\n(?:-\d+>\nplayer \1 bet (\d+) rest (\d+))?", part
        ):
            hand.actions.append((pid, action, int(bet or -1)))
            hand.stripped |= action == "raise" and rest == "0"
        for pid, money, jetton in re.findall(r"score of (\d+): \d+ (\d+) (\d+) ", part):
            hand.scores[pid] = int(jetton), int(money)
        yield hand


def decision(hand: Hand, action: str, bet: int) -> Decision:
    """Return the decision that leads to a recorded action."""
    assert hand.options is not None
    options = hand.options
    if action == "fold":
        return FOLD
    to = bet - hand.put[hand.actor] + hand.bets[hand.actor]
    if action in ("check", "call") or to <= hand.high:
        return CALL
    if to >= options.max_to:
        return raise_to(options.max_to, ALL_IN)
    return raise_to(to, RAISE)


@dataclass(frozen=True)
class Expected:
    """A message that may be in a recording, and the choice that decides whether it is in ours."""

    message: bytes
    choice: str = ""
    ours: bool = True


def play(
    recorded: Recorded, listeners: dict[str, Listener]
) -> tuple[dict[str, list[Expected]], str]:
    """Return what our speaker sends to each player, and why it may differ, if there is a reason."""
    pids = [pid for pid, _, _ in recorded.seats]
    used = {card for hole in recorded.hole.values() for card in hole} | set(recorded.board)
    spare = [card for card in range(52) if card not in used]
    cards = [card for pid in pids for card in recorded.hole[pid]] + recorded.board
    cards += spare[: 5 - len(recorded.board)]
    small = next(bet for _, action, bet in recorded.actions if action == "blind")
    hand = Hand(
        HUAWEI.with_fields({"small_blind": small}),
        [jetton for _, jetton, _ in recorded.seats],
        cards,
        reserves=[money for _, _, money in recorded.seats],
    )
    excuse = ""
    for pid, action, bet in recorded.actions:
        if action == "blind":
            continue
        if hand.over or pids[hand.actor] != pid:
            # The original asks who raised all his chips away again; from here on it differs.
            excuse = excuse or (EXACT_ALL_IN if recorded.stripped else "")
            break
        if action == "raise" and bet <= hand.put[hand.actor] + hand.high - hand.bets[hand.actor]:
            excuse = OVERFLOWN_RAISE
        put = hand.put
        hand.act(decision(hand, action, bet))
    while not hand.over:
        put = hand.put
        hand.act(FOLD)
    recorded.folded_to_main = folded_to_main(hand, put, pids)
    view = MatchView(hand.rules)
    for seat, pid in enumerate(pids):
        view.see(Joined(seat, pid))
    listening = {seat: listeners[pid] for seat, pid in enumerate(pids) if pid in listeners}
    speaker = HuaweiSpeaker(dict(enumerate(pids)), listening)
    without_bets = {seat: Listener(one.notify) for seat, one in listening.items()}
    notifier = HuaweiSpeaker(dict(enumerate(pids)), without_bets)
    sent: dict[str, list[Expected]] = {pid: [] for pid in pids}
    for event in hand.events:
        view.see(event)
        rows = list(speaker.tell(event, view))
        notified = list(notifier.tell(event, view))
        if isinstance(event, RoundEnded):
            for seat, message in notified:
                ours = (seat, message) in rows
                choice = NO_NOTIFY_WITH_BETS
                if ours:
                    choice = RIVER_NOTIFY if only_later_versions(event, view.hand, seat) else ""
                sent[pids[seat]].append(Expected(message, choice, ours))
        else:
            for seat, message in rows:
                sent[pids[seat]].append(Expected(message))
    return sent, excuse


def only_later_versions(event: RoundEnded, hand: View, seat: int) -> bool:
    """Tell whether version 1.26 leaves out a notify at the end of a round: see RIVER_NOTIFY."""
    able = sum(not out and stack > 0 for out, stack in zip(hand.folded, hand.stacks, strict=True))
    _, last = hand.history[-1]
    return event.street == len(hand.rules.streets) - 1 and able > 1 and seat < last.seat


EXACT_ALL_IN = "a raise of exactly all chips is all_in"
OVERFLOWN_RAISE = "a raise beyond 32 bits is all_in"
SIDE_POTS = "folded money belongs to every pot it reached"
RIVER_NOTIFY = "the end of the river is notified to everyone but the last actor"
NO_NOTIFY_WITH_BETS = "who asked for need_bet is not notified at the end of an earlier street"


def folded_to_main(hand: Hand, put: list[int], pids: list[str]) -> bytes:
    """Return the pot-win message of a server that puts all folded money into the main pot."""
    live = [seat for seat in range(hand.size) if not hand.folded[seat]]
    if len(live) < 2:
        return b""
    ranks = {seat: rank((*hand.hole[seat], *hand.board)) for seat in live}
    folded = sum(chips for seat, chips in enumerate(put) if seat not in live)
    won = Counter({e.seat: e.amount for e in hand.events if isinstance(e, BetReturned)})
    pots = split_pots([chips if seat in live else 0 for seat, chips in enumerate(put)], live)
    for index, (amount, contenders) in enumerate(pots):
        best = max(ranks[seat] for seat in contenders)
        winners = [seat for seat in contenders if ranks[seat] == best]
        won.update(dict(share_out(amount + (0 if index else folded), winners)))
    lines = sorted(won, key=lambda seat: (-ranks[seat], seat))
    return block("pot-win", [f"{pids[seat]}: {won[seat]}" for seat in lines])


def excuse_for(theirs: bytes | None, ours: bytes | None, recorded: Recorded) -> str:
    """Return the named choice that explains a difference, or an empty text."""
    if theirs is None or ours is None:
        return ""
    if recorded.stripped and re.sub(rb"( 0 \d+ \d+) raise ", rb"\1 all_in ", theirs) == ours:
        return EXACT_ALL_IN
    if theirs == recorded.folded_to_main:
        return SIDE_POTS
    return ""


def next_seats(recorded: Recorded, buy_in: int, gone: set[str]) -> list[tuple[str, int, int]]:
    """Return the seats of the next hand: (pid, jetton, money), the button last."""
    pids = [pid for pid, _, _ in recorded.seats]
    small = next(bet for _, action, bet in recorded.actions if action == "blind")
    rules = HUAWEI.with_fields({"small_blind": small, "big_blind": 2 * small, "stack": buy_in})
    books = [Entrant(pid, *recorded.scores[pid]) for pid in pids]
    top_up(rules, 2 * small, books, range(len(books)))
    out = [seat for seat, book in enumerate(books) if book.out or book.name in gone]
    order = rotate(rules, list(range(len(books))), out)
    return [(pids[seat], books[seat].stack, books[seat].reserve) for seat in order]


def compare_seats(hands: list[Recorded], left: set[str]) -> Iterator[str]:
    """Return where the seats differ; who has `left` may be gone, after its tenth timeout."""
    buy_in = hands[0].seats[0][1]
    for number, (hand, following) in enumerate(pairwise(hands), 2):
        still = {pid for pid, _, _ in following.seats}
        ours = next_seats(hand, buy_in, left - still)
        if ours != following.seats:
            yield f"hand {number}: recorded {following.seats}, ours {ours}"


@dataclass
class Report:
    """What a comparison found."""

    hands: int = 0
    messages: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def compare(folder: Path) -> Report:
    """Replay all hands of a folder and compare every message to every player."""
    report = Report()
    players = {path.stem[1:]: read_player(path) for path in sorted(folder.glob("p*.events"))}
    listeners = {pid: player.listener for pid, player in players.items()}
    hands = list(hands_of_log((folder / "replay.txt").read_text("ascii")))
    left = {pid for pid, player in players.items() if not player.complete}
    report.differences += [f"{folder.name}, {row}" for row in compare_seats(hands, left)]
    for number, recorded in enumerate(hands, 1):
        report.hands += 1
        sent, excuse = play(recorded, listeners)
        for pid, expected in sent.items():
            player = players[pid]
            if not player.hands:
                continue  # he had left or was cut off
            theirs = player.hands.pop(0)
            cut_off = not player.hands and not player.complete
            difference = compare_hand(theirs, expected, recorded, report, cut_off)
            if difference and excuse:
                report.excused[excuse] += 1
            elif difference:
                report.differences.append(
                    f"{folder.name}, hand {number}, message {difference[0]} to {pid}:\n"
                    f"  recorded {difference[1]!r}\n  ours     {difference[2]!r}"
                )
    return report


def compare_hand(
    theirs: list[bytes],
    expected: list[Expected],
    recorded: Recorded,
    report: Report,
    cut_off: bool,
) -> tuple[int, bytes | None, bytes | None] | None:
    """Return the first difference that nothing excuses: its place, their message and ours.

    One difference leads to the next, so there is no second one.
    """
    place = 0
    for one in expected:
        if cut_off and place == len(theirs):
            return None
        message = theirs[place] if place < len(theirs) else None
        place += 1
        if message == one.message:
            if one.ours:
                report.messages += 1
            else:
                report.excused[one.choice] += 1
            continue
        reason = excuse_for(message, one.message, recorded)
        if reason:
            report.excused[reason] += 1
        elif one.choice:
            place -= 1
            if one.ours:
                report.excused[one.choice] += 1
        else:
            return place, message, one.message
    return (place + 1, theirs[place], None) if place < len(theirs) else None


def main(folders: list[str]) -> int:
    """Compare folders and print what was found."""
    if not folders:
        print(__doc__)
        return 2
    failed = False
    for folder in folders:
        report = compare(Path(folder))
        failed |= bool(report.differences)
        print(f"{folder}: {report.hands} hands, {report.messages} messages alike")
        for reason, count in report.excused.items():
            print(f"  excused {count} times: {reason}")
        for difference in report.differences:
            print(difference)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
