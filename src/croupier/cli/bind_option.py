"""The `--bind` option: the address that a server listens on."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class Address(click.ParamType[str]):
    """An address; an empty one, which would mean all of the machine's, is a mistake."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the address."""
        if not str(value).strip():
            self.fail("an address is missing, such as 127.0.0.1, or 0.0.0.0 for all", param, ctx)
        return value


ADDRESS = Address()


def bind_option() -> Callable[[F], F]:
    """Return the option for the address of a server."""
    return click.option(
        "--bind",
        type=ADDRESS,
        default="127.0.0.1",
        show_default=True,
        metavar="ADDRESS",
        help="The address to listen on; 0.0.0.0 means all addresses.",
    )
