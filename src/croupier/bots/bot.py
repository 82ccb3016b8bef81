"""What a bot is: anything with `decide(view) -> decision`."""

from croupier.rules.decisions import Decision
from croupier.rules.view import View


class Bot:
    """The base of a bot; all it must do is decide."""

    def decide(self, view: View) -> Decision:
        """Return what to do, given what the own seat may know."""
        raise NotImplementedError(f"{type(self).__name__} has no decide(view)")
