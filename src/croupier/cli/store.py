"""`croupier store`: look after a store."""

from pathlib import Path

import click

from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import opened, store_option
from croupier.store.copying import copy_store
from croupier.store.databases import kind_of, shown
from croupier.store.kinds import StoreError
from croupier.store.soundness import find_damage


@click.group("store")
def command() -> None:
    """Look after a store: check it for damage, back it up, copy it."""


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
    click.echo(f"{shown(store)} is sound")


@command.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@store_option
def backup(file: Path, store: str) -> None:
    """Copy a store to FILE, even while a server writes to it; only you can read the copy.

    The copy is what the store was at one moment. It holds the seeds of matches that were running
    then, so keep it as secret as the store.
    """
    with opened(store) as engine:
        try:
            kind_of(engine).back_up(engine, file)
        except StoreError as error:
            raise BadArgumentError(str(error)) from None
    click.echo(f"{shown(store)} is copied to {file}")


@command.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy(source: str, target: str) -> None:
    """Copy the whole store FROM to the new store TO, such as from a file to PostgreSQL.

    Both are named like any store: by a file's path, or by postgresql+psycopg://user@host/database.
    All rows are compared afterwards. No server may be running on either of them; TO must be empty.
    """
    with opened(source) as one, opened(target, create=True) as other:
        try:
            counts = copy_store(one, other)
        except StoreError as error:
            raise BadArgumentError(str(error)) from None
    click.echo(
        f"{shown(source)} is copied to {shown(target)} and compared:"
        f" {counts['matches']:,} matches, {counts['hands']:,} hands"
    )
