"""Loads bots: house bots by name, and classes from users' files."""

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType

from croupier import ranking
from croupier.bots import Bot, house_bot
from croupier.deals import Stream
from croupier.rules.rules import nearest


class BotFileError(ValueError):
    """A bot cannot be loaded; the message says why and what to write instead."""


def load_bot(text: str, known: Sequence[str], stream: Stream, folder: Path = Path()) -> Bot:
    """Return the bot that `NAME` or `FILE.py:Class` stands for; files are relative to `folder`.

    `known` are the house bots that may be named; their random numbers come from `stream`.
    """
    ranking.prepare()
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
    name = f"bot_{path.stem}"
    if path.suffix != ".py":
        raise BotFileError(f"{path} is not a Python file; a bot file ends in .py")
    file = str(path.absolute())
    loader = _CompilingLoader(name, file)
    spec = importlib.util.spec_from_file_location(name, file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    # pickle, dataclasses and modules beside the bot's file work as if the file were run directly.
    sys.modules[spec.name] = module
    folder = str(path.parent.resolve())
    _forget_namesakes(path.parent.resolve())
    sys.path.insert(0, folder)
    sys.path_importer_cache[folder] = FileFinder(
        folder, (ExtensionFileLoader, EXTENSION_SUFFIXES), (_CompilingLoader, SOURCE_SUFFIXES)
    )
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BotFileError(f"{path} does not import: {_one_line(error)}") from None
    return module


class _CompilingLoader(SourceFileLoader):
    """Compiles a file each time.

    The constant sets of a file from the cache are in another order than those of the same file just
    compiled, and a bot may go by that order.
    """

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _forget_namesakes(folder: Path) -> None:
    """Forget modules of other bots' folders that have the name of one in this folder.

    Bots of two authors may each have a `strategy.py` beside them.
    """
    others = {path for path in _folders if path != folder}
    _folders.add(folder)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is None or not any(Path(file).is_relative_to(other) for other in others):
            continue
        first = name.partition(".")[0]
        if (folder / f"{first}.py").is_file() or (folder / first).is_dir():
            del sys.modules[name]


_folders: set[Path] = set()
"""The folders of the bots that were loaded."""


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
