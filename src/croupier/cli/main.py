"""The `croupier` command."""

import click

from croupier import __version__
from croupier.cli import export, host, matches, play, players, show, verify


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="croupier")
def main() -> None:
    """Croupier deals poker to programs."""


main.add_command(host.command)
main.add_command(play.command)
main.add_command(matches.command)
main.add_command(show.command)
main.add_command(export.command)
main.add_command(verify.command)
main.add_command(players.command)
