"""The contest's file: what it means, and every mistake named with its line and key."""

from pathlib import Path

import pytest

from croupier.running.contest_example import EXAMPLE
from croupier.running.contest_file import ContestFile
from croupier.running.contest_reader import CONTEST_KEYS, ContestFileError, read_contest
from croupier.running.stage_reader import STAGE_KEYS
from croupier.running.team_reader import TEAM_KEYS

BASE = """\
title = "Cup"
store = "cup.db"
rules = "plain"
set = { stack = 5000 }
seed = "7"
record = "hands"
forfeit_stacks = 1.5
disqualified = "annul"
arrive_s = 60
beacon = "lottery"

[[team]]
name = "Ada"
bot = "RuleAgent"

[[team]]
name = "Bob"
bot = "bob.py:Bob"
nonce = "any"

[[team]]
name = "Cid"
run = "python3 cid.py {host} {port} {key}"
dialect = "huawei"

[[team]]
name = "Dan"
dialect = "trend"

[[stage]]
name = "groups"
format = "groups"
groups = 2
hands = 20
advance = 1

[[stage]]
name = "final"
format = "knockout"
rules = "huawei"
third_place = true
start = 2027-03-01T18:00:00
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bob.py").write_text("class Bob: ...")
    (tmp_path / "empty").mkdir()
    (tmp_path / "programs").mkdir()
    program = tmp_path / "programs" / "gus.py"
    program.write_text("#!/usr/bin/env python3\n")
    program.chmod(0o755)
    (tmp_path / "programs" / "notes.txt").write_text("no program")
    (tmp_path / "good.csv").write_text("name, bot\nEve, CallAgent\n\nFay, RandomAgent\n")
    (tmp_path / "columns.csv").write_text("name,bott\nEve,CallAgent\n")
    (tmp_path / "nameless.csv").write_text("bot\nCallAgent\n")
    (tmp_path / "wide.csv").write_text("name,bot\nEve,CallAgent,more\n")
    (tmp_path / "quotes.csv").write_text('name,bot\n"Eve,CallAgent\n')
    (tmp_path / "twice.csv").write_text("name,bot\nAda,CallAgent\n")
    (tmp_path / "latin.csv").write_bytes("name,bot\nÉva,CallAgent\n".encode("latin-1"))
    (tmp_path / "void.csv").write_text("")
    return tmp_path


def read(folder: Path, old: str = "", new: str = "", text: str = BASE) -> ContestFile:
    assert old in text
    return read_contest(text.replace(old, new, 1) if old else text, folder)


def mistakes(folder: Path, old: str, new: str, text: str = BASE) -> list[str]:
    with pytest.raises(ContestFileError) as caught:
        read(folder, old, new, text)
    return [str(mistake) for mistake in caught.value.mistakes]


def test_a_file_without_mistakes_is_read_as_it_is_written(folder: Path) -> None:
    contest = read(folder)
    ada, bob, cid, dan = contest.plan.teams
    assert (ada.bot, ada.house, ada.connects) == ("RuleAgent", True, False)
    assert (bob.bot, bob.house, bob.nonce) == ("bob.py:Bob", False, "any")
    assert (cid.command, cid.dialect, cid.connects) == (
        "python3 cid.py {host} {port} {key}", "huawei", False,
    )  # fmt: skip
    assert (dan.dialect, dan.connects) == ("trend", True)
    groups, final = contest.plan.stages
    assert (groups.hands, groups.rules.stack, groups.groups) == (20, 5000, 2)
    assert groups.deals == "single", "a team that connects could recognise a deal"
    assert (final.rules.name, final.score, final.third_place) == ("huawei", "points", True)
    assert contest.store == str(folder / "cup.db")


def test_the_example_is_a_contest_and_explains_every_key(folder: Path) -> None:
    assert len(read_contest(EXAMPLE, folder).plan.teams) == 4
    for key in (*CONTEST_KEYS, *TEAM_KEYS, *STAGE_KEYS):
        assert f"{key} =" in EXAMPLE or f"[[{key}]]" in EXAMPLE, key


@pytest.mark.parametrize("rules", ["plain", "room"])
def test_a_match_in_which_nobody_goes_broke_has_an_end(folder: Path, rules: str) -> None:
    text = BASE.split('[[team]]\nname = "Cid"')[0].replace('"plain"', f'"{rules}"')
    contest = read(folder, text=text + '[[stage]]\nformat = "round-robin"\n')
    assert contest.plan.stages[0].hands == 1000


def test_more_teams_come_from_a_list_or_a_folder_of_programs(folder: Path) -> None:
    listed = read(folder, 'store = "cup.db"', 'teams = "good.csv"')
    assert [team.name for team in listed.plan.teams][4:] == ["Eve", "Fay"]
    new = 'teams = { folder = "programs", dialect = "huawei" }'
    *_, gus = read(folder, 'store = "cup.db"', new).plan.teams
    assert gus.name == "gus"
    assert gus.command == "programs/gus.py {host} {port} {pid} {name} {key}"
    assert gus.dialect == "huawei"


def test_a_mistake_of_a_team_is_told_at_its_place_after_teams_that_do_not_count(
    folder: Path,
) -> None:
    text = BASE.replace("{port} {key}", "{prot}")
    found = mistakes(folder, 'name = "Ada"', 'name = "A/B"', text)
    assert [one.split(": ")[1] for one in found][:2] == ["team[0].name", "team[2].run"]


MISTAKES = [
    # What the file as a whole says.
    ('title = "Cup"', 'titel = "Cup"', "line 1: titel", "title"),
    ('title = "Cup"', 'title = ""', "line 1: title", ""),
    ('title = "Cup"', "title = 7", "line 1: title", ""),
    ('title = "Cup"', "title = ", "line 1", "Invalid value"),
    ('store = "cup.db"', "store = 7", "line 2: store", "a file such as"),
    ('rules = "plain"', 'rules = "plane"', "line 3: rules", "plain"),
    ('rules = "plain"', 'rules = "none.toml"', "line 3: rules", "none.toml"),
    ("set = { stack = 5000 }", "set = { stak = 5000 }", "line 4: set.stak", "stack"),
    ("set = { stack = 5000 }", "set = { stack = 'x' }", "line 4: set.stack", ""),
    ('seed = "7"', "seed = []", "line 5: seed", "a text"),
    ('record = "hands"', 'record = "hand"', "line 6: record", "hands"),
    ("forfeit_stacks = 1.5", "forfeit_stacks = -1", "line 7: forfeit_stacks", "a number"),
    ('disqualified = "annul"', "disqualified = true", "line 8: disqualified", "keep"),
    ("arrive_s = 60", 'arrive_s = "1 min"', "line 9: arrive_s", "seconds"),
    ('store = "cup.db"', 'uploads = "bob.py"', "line 2: uploads", "bob.py is a file"),
    ('store = "cup.db"', 'output = "bob.py"', "line 2: output", "bob.py is a file"),
    ('beacon = "lottery"', "admit = true", "line 10: admit", "check"),
    ('beacon = "lottery"', "[[listen]]\ndialect = 'huawi'", "line 11: listen[0].dialect", "huawei"),
    # Teams.
    ('bot = "RuleAgent"', 'bott = "RuleAgent"', "line 14: team[0].bott", "bot"),
    ('bot = "RuleAgent"', 'bot = "RuelAgent"', "line 14: team[0].bot", "RuleAgent"),
    ('bot = "RuleAgent"', 'bot = "Nash"', "line 14: team[0].bot", "plays plain"),
    ('bot = "RuleAgent"', 'bot = "bob.py"', "line 14: team[0].bot", "ob.py:"),
    ('bot = "RuleAgent"', "bot = 7", "line 14: team[0].bot", "FILE.py:Class"),
    ('bot = "RuleAgent"', "", "line 12: team[0]", "needs bot"),
    ('name = "Ada"', "", "team[0].name", "is missing"),
    ('name = "Ada"', 'name = "Bob"', "team[1].name", "two teams"),
    ('name = "Ada"', 'name = "BOB"', "team[1].name", "two teams"),
    ('name = "Ada"', 'name = " Ada"', "line 13: team[0].name", ""),
    ('name = "Ada"', 'name = "A/B"', "line 13: team[0].name", "slash"),
    ('name = "Ada"', 'name = "A\\tB"', "line 13: team[0].name", ""),
    ("bob.py:Bob", "bobby.py:Bob", "line 18: team[1].bot", "there is no file bobby.py"),
    ('nonce = "any"', "nonce = 1", "line 19: team[1].nonce", "a text"),
    ('nonce = "any"', 'dialect = "room"', "team[1]", "neither run nor dialect"),
    ('dialect = "huawei"', "", "team[2].dialect", "is missing"),
    ('dialect = "huawei"', 'dialect = "huwei"', "line 24: team[2].dialect", "huawei"),
    ('dialect = "huawei"', 'dialect = "kuhn"', "line 24: team[2].dialect", "cannot speak of plain"),
    ("{host} {port} {key}", "{host} {prot}", "line 23: team[2].run", "prot"),
    ("python3 cid.py", "'unclosed", "line 23: team[2].run", ""),
    # Lists of teams.
    ('store = "cup.db"', 'teams = "none.csv"', "line 2: teams", "No such file"),
    ('store = "cup.db"', "teams = 3", "line 2: teams", "teams.csv"),
    ('store = "cup.db"', 'teams = "columns.csv"', "line 2: teams", "not 'bott'"),
    ('store = "cup.db"', 'teams = "nameless.csv"', "line 2: teams", "name"),
    ('store = "cup.db"', 'teams = "void.csv"', "line 2: teams", "name"),
    ('store = "cup.db"', 'teams = "wide.csv"', "line 2: teams", "line 2: too many columns"),
    ('store = "cup.db"', 'teams = "quotes.csv"', "line 2: teams", "line 2"),
    ('store = "cup.db"', 'teams = "latin.csv"', "line 2: teams", "UTF-8"),
    ('store = "cup.db"', 'teams = "twice.csv"', "line 2: teams", "two teams"),
    (
        'store = "cup.db"', "teams = { folder = 'empty', dialect = 'huawei' }",
        "line 2: teams", "no programs",
    ),
    (
        'store = "cup.db"', "teams = { folder = 'nowhere', dialect = 'huawei' }",
        "line 2: teams", "No such file",
    ),
    (
        'store = "cup.db"', "teams = { folder = 'programs', dialect = 'dutch' }",
        "line 2: teams", "huawei",
    ),
    (
        'store = "cup.db"',
        'output = "programs"\nteams = { folder = "programs", dialect = "huawei" }',
        "line 2: output", "gus.py of gus is in it",
    ),
    # Stages.
    ('name = "groups"', 'name = "a/b"', "line 31: stage[0].name", "letters"),
    ('name = "final"', 'name = "groups"', "stage[1].name", "two stages"),
    ('format = "groups"', 'format = "grups"', "line 32: stage[0].format", "groups"),
    ('format = "groups"', "", "stage[0].format", "is missing"),
    ("groups = 2", "groups = 0", "line 33: stage[0].groups", ""),
    ("groups = 2", "groups = 5", "line 33: stage[0].groups", ""),
    ("groups = 2", "group = 2", "line 33: stage[0].group", "groups"),
    ("hands = 20", "hands = 0", "line 34: stage[0].hands", "above 0"),
    ("hands = 20", 'hands = "20"', "line 34: stage[0].hands", "above 0"),
    ("hands = 20", "hands = true", "line 34: stage[0].hands", "above 0"),
    ("hands = 20", "sets = 0", "line 34: stage[0].sets", ""),
    ("hands = 20", "stop = 5", "line 34: stage[0].stop", "{ better = 0.05, same = 10 }"),
    ("hands = 20", "stop = {}", "line 34: stage[0].stop", "give better, same, or both"),
    ("hands = 20", "stop = { better = 0.5 }", "line 34: stage[0].stop", "at most 0.2"),
    ("hands = 20", "stop = { better = true }", "line 34: stage[0].stop.better", "a number"),
    ("hands = 20", "stop = { bettr = 0.05 }", "line 34: stage[0].stop.bettr", "'better'"),
    ("hands = 20", "stop = { same = 9 }", "line 34: stage[0].stop", "needs more sets"),
    ("third_place = true", "stop = { same = 9 }", "line 41: stage[1].stop", "carry over"),
    ("hands = 20", 'score = "chips"', "line 34: stage[0].score", "bankroll"),
    ("hands = 20", "seats = 99", "line 34: stage[0].seats", "from 2 to"),
    ("hands = 20", "seats = 9", "team[2].dialect", "8 seats"),
    ("hands = 20", 'seeding = "luck"', "line 34: stage[0].seeding", "draw"),
    ("advance = 1", "advance = 9", "line 35: stage[0].advance", ""),
    ("third_place = true", "third_place = 1", "line 41: stage[1].third_place", "true or false"),
    ("third_place = true", 'deals = "duplicate"', "line 41: stage[1].deals", "carry over"),
    ("third_place = true", 'deals = "twice"', "line 41: stage[1].deals", "duplicate"),
    ("third_place = true", "rounds = 3", "line 41: stage[1].rounds", ""),
    ("third_place = true", "seats = 3", "line 41: stage[1].seats", "must be 2"),
    ("third_place = true", "set = { hands = -1 }", "line 41: stage[1].set.hands", ""),
    ("start = 2027-03-01T18:00:00", 'start = "soon"', "line 42: stage[1].start", "a time"),
    ("start = 2027-03-01T18:00:00", "start = 2027-03-01", "line 42: stage[1].start", "a time"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "where", "what"), MISTAKES, ids=[f"{m[2]} {m[1]}"[:60] for m in MISTAKES]
)
def test_a_mistake_is_named_with_its_line_and_key(
    folder: Path, old: str, new: str, where: str, what: str
) -> None:
    found = mistakes(folder, old, new)
    assert any(where in text and what in text for text in found), found


def test_all_mistakes_are_reported_at_once_in_the_order_of_the_file(folder: Path) -> None:
    text = BASE.replace('record = "hands"', "record = 1").replace("groups = 2", "groups = 0")
    text = text.replace('bot = "RuleAgent"', 'bot = "Nobody"').replace(
        "arrive_s = 60", "arrive_s = -1"
    )
    with pytest.raises(ContestFileError) as caught:
        read_contest(text, folder)
    lines = [mistake.line for mistake in caught.value.mistakes]
    assert lines == sorted(lines)
    assert {6, 9, 14, 33} <= set(lines)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "title"),
        ('title = "Cup"\n', "at least two teams"),
        ('title = "Cup"\n[[team]]\nname = "A"\nbot = "CallAgent"\n', "at least two teams"),
        ('title = "Cup"\nteam = 3\n', "team"),
        ('title = "Cup"\nteam = [3]\n', "team"),
        ('title = "Cup"\nstage = [3]\n', "stage"),
        (BASE.split("[[stage]]")[0], "at least one [[stage]]"),
    ],
)
def test_what_is_missing_is_named(folder: Path, text: str, what: str) -> None:
    with pytest.raises(ContestFileError, match="(?s)" + what.replace("[", r"\[")):
        read_contest(text, folder)


def test_nothing_follows_a_ladder_without_an_end(folder: Path) -> None:
    found = mistakes(folder, 'format = "groups"\ngroups = 2', 'format = "ladder"')
    assert any("stage[1]" in text and "ladder" in text for text in found), found
