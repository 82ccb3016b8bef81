"""What differs between the builds for tests."""

import pytest

from croupier.build import compiled

interpreted = pytest.mark.skipif(
    compiled(), reason="replaces parts of a class, which a compiled class does not allow"
)


def attributes_of(kind: type) -> tuple[str, ...]:
    """Return the names of a class's attributes: its slots, or what mypyc made of them."""
    names: tuple[str, ...] = getattr(kind, "__mypyc_attrs__" if compiled() else "__slots__")
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))
