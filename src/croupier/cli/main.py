"""The `croupier` command.

Each command is a separate module that is imported on demand, so that a short command does not load
what the others need, and the list of commands loads none of them.
"""

import errno
import os
import sys
from importlib import import_module
from typing import Any

import click

from croupier import __version__
from croupier.build import compiled
from croupier.cli.errors import BadArgumentError

COMMANDS = {
    "play": ("play:command", "Play bots against each other and print who won how much."),
    "join": ("join:command", "Play a bot at a server."),
    "new-bot": ("new_bot:command", "Write a bot to start from into DIRECTORY."),
    "host": ("host:command", "Host a table, or rooms on demand."),
    "serve": ("serve:serve", "Run an arena: many tables and listeners, from one file."),
    "init": ("serve:init", "Write an example of an arena file."),
    "check-config": ("serve:check_config", "Check an arena file."),
    "contest": (
        "contest:command",
        "Run a contest from one file: teams, stages, matches, standings.",
    ),
    "cluster": (
        "cluster:command",
        "Let several machines play a contest: a scheduler, workers.",
    ),
    "tables": ("control:tables", "List the tables of a running arena and their state."),
    "openings": ("control:openings", "List the openings of prepared tables."),
    "start": ("control:start", "Start the match at TABLE now."),
    "pause": ("control:pause", "Pause TABLE after the current hand."),
    "resume": ("control:resume", "Resume TABLE after a pause."),
    "end": ("control:end", "End the match at TABLE; a hand in progress is void."),
    "withdraw": ("control:withdraw", "Take PLAYER out of the match at TABLE."),
    "audit": ("control:audit", "List the actions of organisers, the newest first."),
    "matches": ("matches:command", "List the matches on record, the newest first."),
    "show": ("show:command", "Show a match: its players, the standings and its hands."),
    "results": ("results:command", "Print the ranking of MATCH."),
    "export": ("export:command", "Write all hands of a match for other programs."),
    "import": ("import_:command", "Take matches that were dealt elsewhere into a store."),
    "rules": ("rules:command", "Print the rules of a game."),
    "verify": ("verify:command", "Check a match on record: the seed, every card, every decision."),
    "players": ("players:command", "Manage the registry: the players with a private name."),
    "store": ("store:command", "Look after a store: check it for damage, back it up."),
    "check": ("check:command", "Check a bot: start COMMAND against scripted tables."),
    "demo": ("demo:command", "Run an arena with bots of every protocol, until Ctrl-C."),
    "web": ("web:command", "Show the matches of a store as a website."),
    "site": ("site:command", "Write the site of finished contests as files."),
}
"""By name: module and attribute, and how the command's own help text begins; in the order in which
`--help` lists them."""

UNSUPPORTED = (
    "Croupier runs on Linux and macOS, not on Windows itself; use the Windows Subsystem for Linux"
    " (WSL)"
)

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Commands(click.Group):
    """Import commands by name."""

    def main(self, *arguments: Any, **others: Any) -> Any:
        """Run a command; a disk that is full when it prints is an error of one line."""
        try:
            try:
                return super().main(*arguments, **others)
            finally:
                sys.stdout.flush()
        except OSError as error:
            if error.errno not in (*_NO_ROOM, errno.EPIPE):
                raise
            # What could not be written would be tried once more at the end of the process.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if error.errno != errno.EPIPE:  # whoever reads may stop when it has enough
                print(f"Error: cannot write the output: {error.strerror}", file=sys.stderr)
            sys.exit(1)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # Before anything is imported for a command.
        if sys.platform == "win32":
            raise BadArgumentError(UNSUPPORTED)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"croupier.cli.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message} (croupier --help lists all)", ctx) from None


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    __version__,
    prog_name="croupier",
    message=f"%(prog)s, version %(version)s ({'compiled' if compiled() else 'pure Python'})",
)
def main() -> None:
    """Croupier deals poker to programs."""
