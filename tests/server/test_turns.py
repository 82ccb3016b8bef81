"""What newcomers ask for is done in turns by address, within a share of the time."""

import pytest

from croupier.server.net.turns import SHARE, Turns


class Loop:
    """A loop whose time is counted."""

    def __init__(self) -> None:
        self.now = 0.0
        self._due: list[tuple[float, object]] = []

    def call_soon(self, call: object) -> None:
        self.call_later(0.0, call)

    def call_later(self, seconds: float, call: object) -> None:
        self._due.append((self.now + seconds, call))

    def run(self) -> None:
        while self._due:
            at, call = self._due.pop(0)
            self.now = max(self.now, at)
            call()  # type: ignore[operator]


class Shaking:
    """Handshakes that take a hundredth of a second each."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.handshakes = Turns(self.loop, lambda: self.loop.now)  # type: ignore[arg-type]
        self.done: list[str] = []

    def come(self, address: str) -> None:
        def step() -> None:
            self.loop.now += 0.01
            self.done.append(address)

        self.handshakes.run(address, step)


def test_who_comes_alone_waits_for_nobody_behind_a_crowd_from_elsewhere() -> None:
    shaking = Shaking()
    for address in ["crowd"] * 100 + ["alone"]:
        shaking.come(address)
    shaking.loop.run()
    assert len(shaking.done) == 101
    assert "alone" in shaking.done[:2]


def test_a_crowd_takes_no_more_than_its_share_of_the_time() -> None:
    shaking = Shaking()
    for _ in range(100):
        shaking.come("crowd")
    shaking.loop.run()
    spent = 100 * 0.01
    assert spent / shaking.loop.now < SHARE * 1.02


def test_a_step_that_fails_keeps_nobody_waiting() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    shaking = Shaking()
    shaking.handshakes.run("a", fail)
    shaking.come("b")
    with pytest.raises(ZeroDivisionError):
        shaking.loop.run()
    shaking.loop.run()
    assert shaking.done == ["b"]


def test_a_single_handshake_is_done_at_once() -> None:
    shaking = Shaking()
    shaking.come("alone")
    shaking.loop.run()
    assert shaking.loop.now == 0.01
