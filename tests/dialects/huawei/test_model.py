"""Any hand, told by the speaker and by the protocol's page computed a second time."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, parse_many
from croupier.dialects.base import Illegal
from croupier.dialects.huawei.reader import decide
from croupier.dialects.huawei.speaker import Listener
from croupier.rules.decisions import FOLD
from croupier.rules.hand import Hand
from croupier.rules.sets import HUAWEI
from tests.dialects.huawei.model import BIG, Model
from tests.dialects.huawei.test_speaker import Told

STYLES = (
    ("check", "call", "call", "call", "raise 100", "fold"),
    ("check", "call", "raise", "raise 100", "raise 250", "raise 9999", "all_in", "fold", "CALL"),
    ("fold", "fold", "check", "call", "all_in"),
)
STACKS = st.one_of(st.sampled_from((BIG, 150, 200, 2000)), st.integers(BIG, 3000))
LISTENERS = st.builds(Listener, st.booleans(), st.booleans())


PLAYS_ITSELF = parse_many("As Ks Qs Js Ts")
HANDS = 20
"""How many hands are played with the same players, since some situations are rare."""


@given(
    players=st.lists(st.tuples(STACKS, LISTENERS), min_size=2, max_size=8),
    style=st.sampled_from(STYLES),
    seed=st.integers(0, 2**32),
)
def test_everyone_is_told_of_any_hand_what_the_page_says(
    players: list[tuple[int, Listener]], style: tuple[str, ...], seed: int
) -> None:
    chance = Random(seed)
    stacks = [stack for stack, _ in players]
    listeners = [listener for _, listener in players]
    said: list[str] = []

    def say() -> str:
        said.append(chance.choice(style))
        return said[-1]

    for _ in range(HANDS):
        said.clear()
        cards = dealt(len(players), chance)
        model = Model(stacks, cards, listeners, say)
        told = Told(played(stacks, cards, said), dict(enumerate(listeners)))
        for seat in range(len(players)):
            assert [message for to, _, message in told.rows if to == seat] == model.told[seat]


def dealt(players: int, chance: Random) -> list[int]:
    """Return the cards of a hand; on some boards everyone has the same."""
    board = PLAYS_ITSELF if chance.random() < 0.3 else []
    rest = chance.sample(DECK, len(DECK))
    cards = [card for card in rest if card not in board]
    return cards[: 2 * players] + board + cards[2 * players :]


def played(stacks: list[int], cards: list[int], said: list[str]) -> Hand:
    """Return a hand in which the players that were asked gave these answers."""
    hand = Hand(HUAWEI, stacks, cards)
    for word in said:
        assert hand.options is not None
        answer = decide(word.encode("ascii"), hand.options, hand.high)
        hand.act(FOLD if isinstance(answer, Illegal) else answer.decision)
    assert hand.over
    return hand
