"""The value of `--bind`: the address that a server listens on."""

from typing import Any

import click


class Address(click.ParamType[str]):
    """An address; an empty one, which would mean all of the machine's, is a mistake."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the address."""
        if not str(value).strip():
            self.fail("an address is missing, such as 127.0.0.1, or 0.0.0.0 for all", param, ctx)
        return value


ADDRESS = Address()
