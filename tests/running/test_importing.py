"""Matches that were dealt elsewhere come into a store, or are refused with their place."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

from croupier.cli.main import main

LOG = """\
# name/game/hands/seed demo holdem.nolimit.2p.reverse_blinds.game 3 7
STATE:0:r200c/r20000c//:8dJd|Td4d/As9d6s/3d/6c:20000|-20000:Ann|Bob
STATE:1:cc/cc/cc/cc:Jc6c|7h5d/As5cAh/Qh/Tc:-100|100:Bob|Ann
STATE:2:f:8d9h|9s6d:50|-50:Ann|Bob
SCORE:20150|-20150:Ann|Bob
"""
LEDUC = """\
# name/game/hands/seed demo leduc.limit.2p.game 2 7
STATE:0:rc/rc:Qh|As/Qs:7|-7:Ann|Bob
STATE:1:crf:Kh|As:-1|1:Bob|Ann
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def croupier(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.output


@pytest.mark.parametrize(("text", "hands"), [(LOG, 3), (LEDUC, 2)], ids=["no-limit", "leduc"])
def test_a_log_comes_back_as_it_was_and_verify_says_what_it_cannot_check(
    folder: Path, text: str, hands: int
) -> None:
    (folder / "demo.log").write_text(text)
    code, output = croupier("import", "demo.log")
    assert code == 0, output
    assert f"{hands} hands of acpc-" in output
    code, output = croupier("verify", "last")
    assert code == 0
    assert "deals      not checked: the match was dealt elsewhere" in output
    assert "play       ok" in output
    lines = croupier("export", "last", "--format", "acpc")[1].splitlines()
    states = [line for line in text.splitlines() if line.startswith("STATE")]
    assert [line for line in lines if line.startswith("STATE")] == states


def test_pokerkit_reads_the_log_that_is_exported(folder: Path) -> None:
    (folder / "demo.log").write_text(LOG)
    croupier("import", "demo.log")
    log = croupier("export", "last", "--format", "acpc")[1]
    game = NoLimitTexasHoldem(tuple(Automation), True, 0, (50, 100), 100)
    histories = list(HandHistory.from_acpc_protocol(game, 20_000, log, error_status=True))
    payoffs = [[int(payoff) for payoff in list(history)[-1].payoffs] for history in histories]
    assert payoffs == [[20_000, -20_000], [-100, 100], [50, -50]]


def test_hands_of_phh_come_back_with_the_same_stacks(folder: Path) -> None:
    (folder / "demo.log").write_text(LOG)
    croupier("import", "demo.log")
    croupier("export", "last", "--format", "phh", "--output", "demo.phhs")
    code, output = croupier("import", "demo.phhs")
    assert code == 0, output
    again = croupier("export", "last", "--format", "phh")[1]
    assert "finishing_stacks = [40000, 0]" in again


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("holdem.nolimit", "omaha", "the game 'omaha.2p.reverse_blinds.game' is not known"),
        ("STATE:1", "STATE:7", "line 3 is hand 7, and hand 1 is missing"),
        ("r20000c", "r30000c", "line 2: r30000 is not legal"),
        ("cc/cc/cc/cc:", "cc/cc/cc/c:", "line 3: the hand is not over"),
        ("cc/cc/cc/cc:", "cc/cc/cc/ccc:", "line 3: an action follows the end"),
        ("-100|100", "100|-100", "line 3: Bob won 100, by the rules -100"),
        ("Jc6c", "Jc7h", "line 3: a card is there twice"),
        ("Bob|Ann", "Ann|Bob", "only matches whose button moves by one"),
        ("8dJd", "8dJx", "line 2: 'Jx' is not a card"),
        ("STATE:0:", "STATE:0", "line 2 is not a STATE line"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place_and_nothing_is_stored(
    folder: Path, old: str, new: str, problem: str
) -> None:
    assert old in LOG
    (folder / "demo.log").write_text(LOG.replace(old, new, 1))
    code, output = croupier("import", "demo.log")
    assert code == 2
    assert problem in output
    assert "no match in the store yet" in croupier("verify", "last")[1]


def test_files_of_other_kinds_are_refused(folder: Path) -> None:
    (folder / "demo.txt").write_text("")
    assert "a file ends in .log, .phh, .phhs" in croupier("import", "demo.txt")[1]
    assert "cannot read nothing.log" in croupier("import", "nothing.log")[1]
    assert not (folder / "croupier.db").exists(), "a store was made for nothing"
    (folder / "demo.phh").write_text("variant = 'PO'")
    assert "hand 1" in croupier("import", "demo.phh")[1]


PHH = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = ["d dh p1 AcAd", "d dh p2 KcKd", "p2 f"]
players = ["a", "b"]
finishing_stacks = [10050, 9950]
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("", "", "1 hands of phh"),
        ("p2 f", "p9 cc", "hand 1: 'p9' is none of the players, p1 to p2"),
        ("dh p2", "dh p0", "hand 1: 'p0' is none of the players"),
        ("[10000, 10000]", "[]", "hand 1: blinds_or_straddles is a list"),
        ("antes = [0, 0]", "antes = 'x'", "hand 1: antes is a list"),
        ("10000, 10000", "9" * 5000, "it is not TOML"),
        ("antes = ", "x = " + "[" * 9999 + "\nantes = ", "it is not TOML"),
        ('["a", "b"]', "[1, 2]", "hand 1: a name is a text"),
        ('"a"', '"\\u001b[31m"', "hand 1: a name is a text"),
        ('"a"', f'"{"a" * 101}"', "hand 1: a name is a text"),
        ("10050", "nan", "a won nan, by the rules 50"),
    ],
)
def test_a_hostile_file_of_phh_is_refused(folder: Path, old: str, new: str, problem: str) -> None:
    assert old in PHH
    (folder / "demo.phh").write_text(PHH.replace(old, new, 1))
    code, output = croupier("import", "demo.phh")
    assert (code, problem in output) == (2 if old else 0, True), output
    assert "\x1b" not in output


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("STATE:0", "STATE:" + "0" * 5000, "line 2 is not a STATE line"),
        ("8dJd|Td4d", "8dJd", "line 2: there are 2 seats"),
        ("8dJd|Td4d", "|" * 100, "line 2: there are 2 seats"),
        ("20000|-20000", "20000", "line 2: there are 2 seats"),
        ("/As9d6s/3d/6c", "/As9d6s/3d/6c7c", "line 2: the board has more cards"),
        ("Ann|Bob", "Ann|\x1b[2J", "line 2: a name is a text"),
    ],
)
def test_a_hostile_log_is_refused(folder: Path, old: str, new: str, problem: str) -> None:
    assert old in LOG
    (folder / "demo.log").write_text(LOG.replace(old, new, 1))
    code, output = croupier("import", "demo.log")
    assert (code, problem in output) == (2, True), output
    assert "\x1b" not in output
