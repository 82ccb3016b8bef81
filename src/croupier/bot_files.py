"""Loads bots: house bots by name, and classes from users' files."""

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from croupier.bots import Bot, house_bot
from croupier.deals import Stream
from croupier.rules.rules import nearest


class BotFileError(ValueError):
    """A bot cannot be loaded; the message says why and what to write instead."""


def load_bot(text: str, known: Sequence[str], stream: Stream, folder: Path = Path()) -> Bot:
    """Return the bot that `NAME` or `FILE.py:Class` stands for; files are relative to `folder`.

    `known` are the house bots that may be named; their random numbers come from `stream`.
    """
    if text in known:
        return house_bot(text, stream)
    path, class_name = split_bot(text, known)
    return _from_file(folder / path, class_name)


def split_bot(text: str, known: Sequence[str]) -> tuple[Path, str]:
    """Return the file and the class of a bot that is no house bot."""
    path, colon, class_name = text.rpartition(":")
    if not colon:
        if text.endswith(".py"):
            raise BotFileError(f"which class of {text}? write {text}:ClassName")
        raise BotFileError(
            f"unknown bot {text!r}{nearest(text, known)} (there are"
            f" {', '.join(known)}, or path/to/file.py:ClassName)"
        )
    return Path(path), class_name


def _from_file(path: Path, class_name: str) -> Bot:
    module = _import(path)
    kind = getattr(module, class_name, None)
    if kind is None:
        classes = [name for name, value in vars(module).items() if isinstance(value, type)]
        raise BotFileError(f"{path} has no {class_name!r}{nearest(class_name, classes)}")
    if not callable(getattr(kind, "decide", None)):
        raise BotFileError(f"{class_name} in {path} is no bot: it has no decide(view)")
    try:
        bot: Bot = kind()
    except Exception as error:
        raise BotFileError(f"{class_name}() in {path} failed: {_one_line(error)}") from None
    return bot


def _import(path: Path) -> ModuleType:
    if not path.is_file():
        raise BotFileError(f"there is no bot file {path}")
    spec = importlib.util.spec_from_file_location(f"bot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BotFileError(f"{path} is not a Python file; a bot file ends in .py")
    module = importlib.util.module_from_spec(spec)
    # pickle, dataclasses and modules beside the bot's file work as if the file were run directly.
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BotFileError(f"{path} does not import: {_one_line(error)}") from None
    return module


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
