"""The outcome of a scenario."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Verdict:
    """The outcome of one scenario, for the author of the program."""

    scenario: str
    what: str
    ok: bool
    text: str
    """The first mistake, or a summary of what was played."""
    context: list[str] = field(default_factory=list)
    """The lines of the transcript that lead up to the first mistake."""
    output: list[str] = field(default_factory=list)
    """The last lines of the program's own output."""
