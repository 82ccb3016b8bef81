"""Export a match as the logs of a protocol's original server have it."""

from collections.abc import Iterable, Iterator

from croupier.dialects.dialect import Dialect
from croupier.history.phh import NoSuchVariantError
from croupier.rules.events import HAND_EVENTS
from croupier.store.queries import HandRow, MatchRow


class ProtocolLog:
    """Writes matches in the log of a dialect that has one."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def check(self, match: MatchRow) -> None:
        """Raise NoSuchVariantError if the hands of a match cannot be written."""
        problem = self._dialect.problem(match.rules)
        if problem:
            name = self._dialect.name
            raise NoSuchVariantError(
                f"a log of {name} cannot say {match.rules_name}: {problem}; export it as jsonl"
            )

    def lines(self, match: MatchRow, hands: Iterable[HandRow]) -> Iterator[str]:
        """Yield one line for each hand, between a comment and the result."""
        self.check(match)
        assert self._dialect.log is not None
        seed = match.seed.hex() if match.seed else "-"
        title = f"{match.id} {match.rules_name} {match.hands} {seed}"
        events = (
            [event for event in row.events if type(event) in HAND_EVENTS] if row.played else []
            for row in hands
        )
        ended = match.ended is not None
        return self._dialect.log(title, match.rules, match.names, events, ended)
