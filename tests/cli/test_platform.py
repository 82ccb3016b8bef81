"""Where Croupier cannot run, it says so in one sentence."""

import sys

import pytest
from click.testing import CliRunner

from croupier.cli.main import UNSUPPORTED, main


@pytest.mark.parametrize("arguments", [(), ("--help",), ("--version",), ("host", "--help")])
def test_on_windows_every_command_says_which_systems_are_supported(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.output) == (2, f"Error: {UNSUPPORTED}\n")


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_supported_systems_are_not_refused(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert CliRunner().invoke(main, ["--version"]).exit_code == 0
