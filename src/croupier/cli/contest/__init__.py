"""`croupier contest`: everything about contests, one module per group of commands."""

from importlib import import_module

import click

COMMANDS = {
    "init": ("preparing:init", "Write an example of a contest file."),
    "check": ("preparing:check", "Check a contest file."),
    "plan": ("preparing:plan", "Show the fixtures, and how long they will take."),
    "commit": ("preparing:commit", "Commit to the seed, before teams give their nonces."),
    "keys": ("keys:keys", "Draw the keys with which teams join and log in."),
    "run": ("run:run", "Play a contest until it is complete."),
    "status": ("listing:status", "Show how far a contest has come."),
    "standings": ("listing:standings", "Print the standings."),
    "teams": ("listing:teams", "List the teams, their faults and decision times."),
    "crosstable": ("listing:crosstable", "Print who did how well against whom."),
    "fixtures": ("listing:fixtures", "List the fixtures and their results."),
    "pause": ("directing:pause", "Start no further match."),
    "resume": ("directing:resume", "Go on after a pause."),
    "withdraw": ("directing:withdraw", "Take TEAM out; what it has played stays."),
    "disqualify": ("directing:disqualify", "Take TEAM out, and annul its results."),
    "replace": ("directing:replace", "Let TEAM play with a new version from now on."),
    "forfeit": ("directing:forfeit", "Let TEAM forfeit what is left of FIXTURE."),
    "give-up": ("directing:give_up", "Complete a stage without a match that broke."),
    "export": ("exporting:export", "Write everything into a folder or an archive."),
    "verify": ("exporting:verify", "Verify a contest from its record alone."),
}
"""By name: module and attribute, and how the command's own help text begins."""


class ContestCommands(click.Group):
    """Import the commands by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        found: click.Command = getattr(import_module(f"croupier.cli.contest.{module}"), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.command("contest", cls=ContestCommands)
def command() -> None:
    """Run a contest from one file: teams, stages, matches, standings."""
