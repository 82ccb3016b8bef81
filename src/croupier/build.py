"""Which build of the package this is."""

from importlib.util import find_spec


def compiled() -> bool:
    """Tell whether the modules that every hand goes through are compiled."""
    spec = find_spec("croupier.rules.hand")
    return spec is not None and not str(spec.origin).endswith(".py")
