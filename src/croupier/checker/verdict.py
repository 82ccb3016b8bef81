"""What came of a scenario."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Verdict:
    """One scenario's outcome, for the author to read."""

    scenario: str
    what: str
    ok: bool
    text: str
    """What went wrong first, or what was seen."""
    context: list[str] = field(default_factory=list)
    """The lines of the transcript around the first mistake."""
    output: list[str] = field(default_factory=list)
    """The last lines that the program itself wrote."""
