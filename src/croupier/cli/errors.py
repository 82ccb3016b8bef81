"""The error of a command that cannot do what was asked."""

import click


class BadArgumentError(click.ClickException):
    """One line that names the problem and the remedy; exit code 2."""

    exit_code = 2
