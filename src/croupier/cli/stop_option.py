"""The option --stop: what is to be found out before playing ends."""

from croupier.cli.errors import BadArgumentError
from croupier.contest.stopping import Stop


def read_stop(text: str) -> Stop:
    """Return what `better=0.05,same=10` stands for; either part may be missing."""
    values: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = part.strip().partition("=")
        if not equals or key not in ("better", "same") or key in values:
            raise BadArgumentError(
                f"--stop {text}: write better=0.05,same=10, or only one of the two"
            )
        try:
            values[key] = float(value)
        except ValueError:
            raise BadArgumentError(f"--stop {text}: {value!r} is not a number") from None
    try:
        return Stop(values.get("better"), values.get("same"))
    except ValueError as error:
        raise BadArgumentError(f"--stop {text}: {error}") from None
