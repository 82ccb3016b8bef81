"""The `croupier` command.

Each command is a separate module that is imported on demand, so that a short command does not load
what the others need.
"""

import sys
from importlib import import_module

import click

from croupier import __version__
from croupier.cli.errors import BadArgumentError

COMMANDS = {
    "play": "play:command",
    "join": "join:command",
    "new-bot": "new_bot:command",
    "host": "host:command",
    "serve": "serve:serve",
    "init": "serve:init",
    "check-config": "serve:check_config",
    "tables": "control:tables",
    "start": "control:start",
    "pause": "control:pause",
    "resume": "control:resume",
    "end": "control:end",
    "withdraw": "control:withdraw",
    "audit": "control:audit",
    "matches": "matches:command",
    "show": "show:command",
    "results": "results:command",
    "export": "export:command",
    "verify": "verify:command",
    "players": "players:command",
    "check": "check:command",
    "demo": "demo:command",
    "web": "web:command",
}
"""Module and attribute of each command, in the order in which `--help` lists them."""

UNSUPPORTED = (
    "Croupier runs on Linux and macOS, not on Windows itself; use the Windows Subsystem for Linux"
    " (WSL)"
)


class Commands(click.Group):
    """Import commands by name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # Before anything is imported for a command, or for the list of them in the help text.
        if sys.platform == "win32":
            raise BadArgumentError(UNSUPPORTED)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"croupier.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message} (croupier --help lists all)", ctx) from None


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="croupier")
def main() -> None:
    """Croupier deals poker to programs."""
