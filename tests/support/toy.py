"""A protocol that nobody has heard of, to see that the house needs to know nothing of one.

A player says `hi NAME`, is sent every event of the table that it may know, a JSON line each, and
answers `fold`, `call` or `raise TOTAL`. `python -m tests.support.toy` is `croupier` with this
dialect added to the registry, and nothing else.
"""

from collections.abc import Callable, Iterator

from croupier.dialects import scenarios
from croupier.dialects.base import Answer, Illegal, Outgoing, Speaker
from croupier.dialects.dialect import Dialect, Join
from croupier.dialects.player_side import (
    Failed,
    HandOver,
    MatchOver,
    PlayerSide,
    Question,
    Reconnect,
    Step,
)
from croupier.dialects.registry import DIALECTS
from croupier.dialects.roster import Listeners, Place
from croupier.dialects.session import (
    Answered,
    Expected,
    Farewell,
    Hello,
    Refusal,
    Said,
    Session,
    Situation,
    Stray,
    Wrong,
)
from croupier.match.events import MatchEnded
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, CALL_KIND, FOLD, FOLD_KIND, Decision, raise_to
from croupier.rules.events import (
    AUDIENCE,
    HAND_EVENTS,
    Asked,
    Event,
    HandEnded,
    HandStarted,
    redact,
)
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN
from croupier.rules.view import View
from croupier.store.codec import decode, encode

NAME = "toy"


class ToySession(Session):
    """The server's side of one connection."""

    def __init__(self) -> None:
        self._unread = b""
        self._greeted = False

    @property
    def partial(self) -> bool:
        return bool(self._unread)

    def receive(self, data: bytes, situation: Situation) -> Iterator[Said]:
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            words = line.decode("ascii", "replace").split()
            if not self._greeted:
                yield self._hello(words)
            elif situation.expected is Expected.ANSWER:
                yield Answered(_decision(words, situation.view))
            else:
                yield Stray("ignored: nobody asked")

    def refuse(self, refusal: Refusal) -> Farewell:
        return Farewell(refusal.reason, f"no: {refusal.reason}\n".encode())

    def _hello(self, words: list[str]) -> Hello | Wrong:
        if len(words) != 2 or words[0] != "hi":
            return Wrong(Farewell("say hi NAME", b"no: say hi NAME\n"))
        self._greeted = True
        return Hello(Place(words[1], NAME), secret=words[1])


def _decision(words: list[str], view: View) -> Answer | Illegal:
    decision = {"fold": FOLD, "call": CALL}.get(words[0]) if words else None
    if decision is None and len(words) == 2 and words[1].isdigit():
        decision = raise_to(int(words[1]))
    assert view.options is not None
    if decision is None or view.options.fault(decision):
        return Illegal("no decision")
    return Answer(decision)


class ToySpeaker(Speaker):
    """Sends every event to everyone, as each may know it."""

    def __init__(self, listeners: Listeners) -> None:
        self._listeners = listeners

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        seats = {player: seat for seat, player in enumerate(view.hand.players)}
        for player in self._listeners:
            yield player, encode([redact(event, seats.get(player, AUDIENCE))]) + b"\n"


class ToyPlayer:
    """The player's side of one match."""

    idle = False

    def __init__(self, name: str, rules: Rules) -> None:
        self._name = name
        self._rules = rules
        self._unread = b""
        self._view = View(rules)
        self._stacks: tuple[int, ...] = ()

    def hello(self) -> bytes:
        return f"hi {self._name}\n".encode()

    def receive(self, data: bytes) -> Iterator[Step]:
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            if line.startswith(b"no: "):
                yield Failed(line.decode())
                return
            (event,) = decode(line)
            yield from self._see(event)

    def _see(self, event: Event) -> Iterator[Step]:
        view = self._view
        if isinstance(event, MatchEnded):
            yield MatchOver()
        if type(event) not in HAND_EVENTS:
            return
        if isinstance(event, HandStarted):
            view = self._view = View(self._rules)
        view.see(event)
        for seat, cards in enumerate(view.cards):
            if cards and cards[0] >= 0 and not view.over and not view.board:
                view.seat = seat
        if isinstance(event, HandStarted):
            self._stacks = event.stacks
        elif isinstance(event, Asked) and event.seat == view.seat:
            yield Question(view)
        elif isinstance(event, HandEnded):
            yield HandOver(event.stacks[view.seat] - self._stacks[view.seat])

    def answer(self, question: Question, decision: Decision) -> bytes:
        if decision.kind == FOLD_KIND:
            return b"fold\n"
        return b"call\n" if decision.kind == CALL_KIND else f"raise {decision.to}\n".encode()

    def goodbye(self) -> bytes:
        return b""

    def lost(self, reason: str, code: int, at_once: bool) -> MatchOver | Failed | Reconnect:
        return Failed("the connection was lost")


def _player(join: Join) -> Callable[[], PlayerSide]:
    return lambda: ToyPlayer(join.name or join.bot_name, join.rules)


TOY = Dialect(
    name=NAME,
    about="one JSON line an event",
    port=4444,
    rule_sets=(PLAIN,),
    first_message="hi",
    session=ToySession,
    speaker=lambda roster, listeners, clock: ToySpeaker(listeners),
    player=_player,
    address_example="toy://HOST:PORT",
    key_help="send it as the name of hi",
    scenarios=(scenarios.HEADS_UP, scenarios.PIECES, scenarios.SERVER_GONE),
)


def register() -> None:
    """Add the toy to the registry."""
    DIALECTS[NAME] = TOY


if __name__ == "__main__":
    register()
    from croupier.cli.main import main

    main()
