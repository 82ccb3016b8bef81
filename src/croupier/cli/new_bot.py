"""`croupier new-bot`: write a bot to start from, with a test and a README."""

from pathlib import Path

import click

from croupier.cli.errors import BadArgumentError

BOT = '''"""A bot for any table: all it has to do is decide."""

import croupier


class MyBot(croupier.Bot):
    def decide(self, view: croupier.View) -> croupier.Decision:
        if view.strength > 0.8:
            return view.raise_to(view.high + view.pot)
        return view.call if view.pot_odds < view.strength else view.fold
'''

TEST = '''"""Run with `pytest`, or with `python test_bot.py`."""

from bot import MyBot

from croupier.bots import CallAgent
from croupier.deals import seed_from_text
from croupier.play import Player, play
from croupier.rules.sets import SETS


def test_it_plays_every_game_without_a_fault() -> None:
    for rules in SETS.values():
        bot = Player("MyBot", MyBot())
        play(rules, [bot, Player("CallAgent", CallAgent())], 200, seed_from_text("test"))
        assert bot.faults == 0, f"{rules.name}: {bot.first_fault}"


if __name__ == "__main__":
    test_it_plays_every_game_without_a_fault()
    print("no faults")
'''

README = """# My bot

`bot.py` is a bot: a class with `decide(view)`. The view is what its seat may know of the hand,
the same in every protocol.

    python test_bot.py                                         # it makes no illegal decision
    croupier play bot.py:MyBot RuleAgent --hands 10000         # is it any good?
    croupier join trend://127.0.0.1:3000 --bot bot.py:MyBot    # play at a server

A server to practise with, in a second terminal:

    croupier host --rules trend --seats 3 --bot RuleAgent --bot CallAgent

From a program of your own:

    import croupier
    from bot import MyBot

    print(croupier.run(MyBot(), "trend://127.0.0.1:3000", name="my private name"))

Other addresses: `huawei://HOST:6000?pid=8888`, `kuhn://HOST:1212`,
`room://HOST:18888/7?seats=3&bots=CallAgent,RuleAgent`.
"""

FILES = {"bot.py": BOT, "test_bot.py": TEST, "README.md": README}


def _folder(context: click.Context, parameter: click.Parameter, value: str) -> Path:
    if not value:  # a variable of a shell that is not set; the present folder is "."
        raise BadArgumentError("name the folder that the bot is written to")
    return Path(value)


@click.command("new-bot")
@click.argument("directory", callback=_folder)
def command(directory: Path) -> None:
    """Write a bot to start from into DIRECTORY: bot.py, test_bot.py and README.md.

    Existing files are never overwritten.
    """
    present = [name for name in FILES if (directory / name).exists()]
    if present:
        raise BadArgumentError(f"{directory} has a {' and a '.join(present)} already")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in FILES.items():
            # Mode x: a file created since the check above must not be overwritten.
            with (directory / name).open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise BadArgumentError(f"cannot write {directory}: {error.strerror}") from None
    for name in FILES:
        click.echo(f"wrote {directory / name}")
    click.echo(f"next: croupier play {directory / 'bot.py'}:MyBot RuleAgent")
