"""The output of a server never makes it wait."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress

import click
import pytest

from croupier.cli import patient_output as module
from croupier.cli.patient_output import PatientOutput, patient_output

MORE_THAN_A_PIPE_HOLDS = "x" * 200_000 + "\n"


@pytest.fixture
def pipe() -> Iterator[tuple[int, PatientOutput]]:
    """Return the end of a pipe that is read, and an output that writes to the other."""
    reading, writing = os.pipe()
    stream = os.fdopen(writing, "w", encoding="utf-8")
    yield reading, PatientOutput(stream)
    with suppress(OSError):
        os.close(reading)  # which also ends a thread that still waits
    stream.close()


def drained(reading: int, size: int) -> str:
    data = b""
    while len(data) < size:
        data += os.read(reading, 1 << 16)
    return data.decode()


def test_a_pipe_that_nobody_reads_makes_nobody_wait_and_loses_nothing(
    pipe: tuple[int, PatientOutput],
) -> None:
    reading, output = pipe
    texts = [MORE_THAN_A_PIPE_HOLDS, "second\n", "third: ü\n"]
    for text in texts:
        output.write(text)
    whole = "".join(texts)
    assert drained(reading, len(whole.encode())) == whole
    output.finish()


def test_of_what_waits_only_so_much_is_kept_and_the_gap_is_marked(
    pipe: tuple[int, PatientOutput], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 3)
    reading, output = pipe
    for number in range(100):
        output.write(MORE_THAN_A_PIPE_HOLDS.replace("\n", f"{number}\n"))
    found = b""
    while not found.endswith(b" texts are lost here: nobody read the output\n"):
        found += os.read(reading, 1 << 16)
    output.finish()


def test_the_end_waits_for_nobody_who_does_not_read(
    pipe: tuple[int, PatientOutput], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LAST_WAIT", 0.01)
    _, output = pipe
    output.write(MORE_THAN_A_PIPE_HOLDS)
    output.finish()


def test_a_reader_that_has_gone_ends_nothing(pipe: tuple[int, PatientOutput]) -> None:
    reading, output = pipe
    os.close(reading)
    output.write("to nobody\n")
    output.finish()


def test_all_that_is_printed_arrives_before_the_streams_are_given_back(
    capfd: pytest.CaptureFixture[str],
) -> None:
    before = sys.stdout, sys.stderr
    with patient_output():
        click.echo("one")
        click.echo("two", err=True)
        print("three")
    assert (sys.stdout, sys.stderr) == before
    assert capfd.readouterr() == ("one\nthree\n", "two\n")
