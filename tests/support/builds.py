"""Tests that only one build can pass."""

import pytest

from croupier.build import compiled

interpreted = pytest.mark.skipif(
    compiled(), reason="replaces or lists parts of a class, which a compiled class does not allow"
)
