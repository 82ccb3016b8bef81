"""`croupier import`: take matches that were dealt elsewhere into a store."""

from pathlib import Path

import click

from croupier.cli.errors import BadArgumentError
from croupier.cli.rules_option import load_rules
from croupier.cli.store_option import opened, store_option
from croupier.history.log_reader import read_log
from croupier.history.phh_reader import read_phh
from croupier.history.recorded import ImportFileError
from croupier.rules.rules import RulesError
from croupier.running.importing import import_match

READERS = {".log": read_log, ".phh": read_phh, ".phhs": read_phh}


@click.command("import")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option(
    "--rules",
    "rules_source",
    metavar="NAME|FILE.toml|FILE.game",
    help="The rules of the match; by default those that a log names, and for PHH no-limit hold'em.",
)
@store_option
def command(files: tuple[Path, ...], rules_source: str | None, store: str) -> None:
    """Take matches that were dealt elsewhere into a store.

    A FILE is a log of the Annual Computer Poker Competition (.log), or hands of hold'em in the PHH
    format (.phh, .phhs). Every hand is played again by the rules: what is not legal, or pays
    something else, is refused with its place in the file, and nothing of that file is stored.
    """
    rules = None if rules_source is None else load_rules(rules_source, (), defaults={})
    for path in files:  # before a store is made
        if path.suffix not in READERS:
            raise BadArgumentError(f"{path}: a file ends in {', '.join(READERS)}")
        try:
            path.open("rb").close()
        except OSError as error:
            raise BadArgumentError(f"cannot read {path}: {error.strerror}") from None
    with opened(store, create=True) as engine:
        for path in files:
            try:
                recorded = READERS[path.suffix](path.read_text("utf-8"), rules)
                match_id, hands = import_match(engine, recorded, path.stem)
            except OSError as error:
                raise BadArgumentError(f"cannot read {path}: {error.strerror}") from None
            except (ImportFileError, RulesError, UnicodeDecodeError) as error:
                raise BadArgumentError(f"{path}: {error}") from None
            click.echo(f"{path} is match {match_id}: {hands:,} hands of {recorded.rules.name}")
