"""How a command says that it cannot do what was asked."""

import click


class BadArgumentError(click.ClickException):
    """One line that names the problem and what would be right; exit code 2."""

    exit_code = 2
