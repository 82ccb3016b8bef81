"""Load the bots named on the command line: house bots, or classes from the user's files."""

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from croupier.bots import Bot, bots_for, house_bot
from croupier.cli.errors import BadArgumentError
from croupier.match.chance import SeededChance
from croupier.play import Player
from croupier.rules.rules import Rules, nearest


def load_players(arguments: Sequence[str], seed: bytes, rules: Rules) -> list[Player]:
    """Return a player for each BOT argument; repeated names are numbered."""
    known = bots_for(rules)
    seen: dict[str, int] = {}
    players = []
    for index, argument in enumerate(arguments):
        name, bot = _load(argument, seed, index, known)
        seen[name] = seen.get(name, 0) + 1
        players.append(Player(name if seen[name] == 1 else f"{name}-{seen[name]}", bot))
    return players


def _load(argument: str, seed: bytes, index: int, known: Sequence[str]) -> tuple[str, Bot]:
    if argument in known:
        return argument, house_bot(argument, SeededChance(seed).bot(index))
    path, colon, class_name = argument.rpartition(":")
    if not colon:
        if argument.endswith(".py"):
            raise BadArgumentError(f"which class of {argument}? write {argument}:ClassName")
        raise BadArgumentError(
            f"unknown bot {argument!r}{nearest(argument, known)} (there are"
            f" {', '.join(known)}, or path/to/file.py:ClassName)"
        )
    return class_name, _from_file(Path(path), class_name)


def _from_file(path: Path, class_name: str) -> Bot:
    module = _import(path)
    kind = getattr(module, class_name, None)
    if kind is None:
        classes = [name for name, value in vars(module).items() if isinstance(value, type)]
        raise BadArgumentError(f"{path} has no {class_name!r}{nearest(class_name, classes)}")
    if not callable(getattr(kind, "decide", None)):
        raise BadArgumentError(f"{class_name} in {path} is no bot: it has no decide(view)")
    try:
        bot: Bot = kind()
    except Exception as error:
        raise BadArgumentError(f"{class_name}() in {path} failed: {_one_line(error)}") from None
    return bot


def _import(path: Path) -> ModuleType:
    if not path.is_file():
        raise BadArgumentError(f"there is no bot file {path}")
    spec = importlib.util.spec_from_file_location(f"bot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadArgumentError(f"{path} is not a Python file; a bot file ends in .py")
    module = importlib.util.module_from_spec(spec)
    # pickle, dataclasses and modules beside the bot's file work as if the file were run directly.
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadArgumentError(f"{path} does not import: {_one_line(error)}") from None
    return module


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
