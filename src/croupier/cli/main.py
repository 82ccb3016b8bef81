"""The `croupier` command."""

import click

from croupier import __version__
from croupier.cli import control, export, host, matches, play, players, results, serve, show, verify


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
main.add_command(results.command)
main.add_command(serve.serve)
main.add_command(serve.init)
main.add_command(serve.check_config)
for directive in (
    control.tables,
    control.start,
    control.pause,
    control.resume,
    control.end,
    control.withdraw,
    control.audit,
):
    main.add_command(directive)
