"""Bots from users' files: what is beside them, and that the same file is the same bot each time."""

import subprocess
import sys
from pathlib import Path

from croupier.bot_files import load_bot
from croupier.deals import Stream

STREAM = Stream(bytes(32), "bot 0")

HELPED = """\
import strategy
from croupier.bots import Bot

class Helped(Bot):
    author = strategy.AUTHOR

    def decide(self, view):
        raise NotImplementedError
"""


def test_two_bots_may_each_have_a_module_of_the_same_name_beside_them(tmp_path: Path) -> None:
    for author in ("ada", "bob"):
        (tmp_path / author).mkdir()
        (tmp_path / author / "bot.py").write_text(HELPED)
        (tmp_path / author / "strategy.py").write_text(f"AUTHOR = {author!r}")
    loaded = [load_bot(f"{a}/bot.py:Helped", (), STREAM, tmp_path) for a in ("ada", "bob", "ada")]
    assert [getattr(bot, "author", None) for bot in loaded] == ["ada", "bob", "ada"]


def test_a_constant_set_is_in_the_same_order_in_the_first_process_and_in_the_next(
    tmp_path: Path,
) -> None:
    words = "{" + ", ".join(f"'{word}{n}'" for word in ("ace", "king", "ten") for n in range(20))
    words += "}"
    (tmp_path / "words.py").write_text(f"WORDS = {words}\n")
    (tmp_path / "bot.py").write_text(
        f"from words import WORDS\nOWN = {words}\n"
        "class Wordy:\n    def decide(self, view):\n        return list(WORDS), list(OWN)\n"
    )
    program = (
        "from croupier.bot_files import load_bot; from croupier.deals import Stream;"
        "print(load_bot('bot.py:Wordy', (), Stream(bytes(32), 'x')).decide(None))"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={"PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert printed[0] == printed[1] != ""
