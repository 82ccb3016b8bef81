"""`croupier store`: look after a store."""

import click

from croupier.cli.store_option import opened, store_option
from croupier.store.soundness import find_damage


@click.group("store")
def command() -> None:
    """Look after a store: check it for damage."""


@command.command("check")
@store_option
def check(store: str) -> None:
    """Check every page of a store for damage; exit code 1 if there is any.

    A server checks the tables of its store before it starts, and all pages of a small one. This
    reads everything, which takes a while if the store is large. What the records say is not checked
    here but by `croupier verify`.
    """
    with opened(store) as engine:
        damage = find_damage(engine)
    for line in damage:
        click.echo(line)
    if damage:
        raise SystemExit(1)
    click.echo(f"{store} is sound")
