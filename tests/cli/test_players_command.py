"""`croupier players` as a user runs it."""

import csv
import io
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import main
from croupier.dialects.tokens import token_of
from croupier.store.schema import open_store

SECRET = "a private name that nobody may read"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "croupier.db"


def run(store: Path, *arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["players", *arguments, "--store", str(store)], input=given)


def done(store: Path, *arguments: str, given: str | bytes | None = None) -> Result:
    result = run(store, *arguments, given=given)
    assert result.exit_code == 0, result.output
    return result


def refused(store: Path, *arguments: str, given: str | bytes | None = None) -> str:
    """Run and return the one line with which the command refuses."""
    result = run(store, *arguments, given=given)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


def listed(store: Path, *arguments: str) -> list[tuple[str, str, str]]:
    """Return (display, table, token) of all players."""
    players = json.loads(done(store, "list", "--json", *arguments).stdout)
    assert all(set(player) == {"display", "table", "token", "added"} for player in players)
    return [(player["display"], player["table"], player["token"]) for player in players]


def write(tmp_path: Path, text: str | bytes) -> str:
    path = tmp_path / "players.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


# One player.


def test_add_prints_the_private_name_alone_and_warns_beside_it(store: Path) -> None:
    result = done(store, "add", " Ünal ")
    assert re.fullmatch("[0-9A-Z]{16}\n", result.stdout)
    assert "'Ünal' is added to table 1" in result.stderr
    assert "shown only this once" in result.stderr
    assert listed(store) == [("Ünal", "1", token_of(result.stdout.strip()))]


def test_a_given_private_name_is_not_repeated(store: Path) -> None:
    result = done(store, "add", "Ada", "--table", "7", "--private-name", SECRET)
    assert result.stdout == ""
    assert SECRET not in result.stderr
    assert listed(store) == [("Ada", "7", token_of(SECRET))]


@pytest.mark.parametrize("given", [SECRET, SECRET + "\n", SECRET + "\r\n", SECRET + "\nmore\n"])
def test_a_private_name_may_come_from_standard_input(store: Path, given: str) -> None:
    result = done(store, "add", "Ada", "--private-name", "-", given=given)
    assert SECRET not in result.output
    assert listed(store) == [("Ada", "1", token_of(SECRET))]


def test_the_longest_private_name_may_come_from_standard_input(store: Path) -> None:
    name = "\N{PERSONAL COMPUTER}" * 256
    done(store, "add", "Ada", "--private-name", "-", given=name + "\r\n")
    assert listed(store) == [("Ada", "1", token_of(name))]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("", "a private name has 1 to 256 characters, not 0"),
        ("x" * 5000, "a private name has 1 to 256 characters"),
        (b"hush\xff\n", "not UTF-8 text"),
        ("hush\x1b[2J\n", "printable characters only"),
    ],
)
def test_a_bad_private_name_on_standard_input_is_refused(
    store: Path, given: str | bytes, problem: str
) -> None:
    answer = refused(store, "add", "Ada", "--private-name", "-", given=given)
    assert problem in answer
    assert "hush" not in answer


def test_help_says_how_to_keep_a_private_name_out_of_the_history() -> None:
    text = " ".join(CliRunner().invoke(main, ["players", "add", "--help"]).stdout.split())
    assert "history" in text
    assert "with - it is read from the first line of standard input" in text


def test_reset_prints_a_new_private_name_and_the_old_one_is_void(store: Path) -> None:
    done(store, "add", "Ada", "--table", "7", "--private-name", SECRET)
    result = done(store, "reset", "ada")
    assert re.fullmatch("[0-9A-Z]{16}\n", result.stdout)
    assert "shown only this once" in result.stderr
    assert listed(store) == [("Ada", "7", token_of(result.stdout.strip()))]


def test_remove_takes_a_display_name_or_the_beginning_of_a_token(store: Path) -> None:
    done(store, "add", "Ada", "--private-name", SECRET)
    done(store, "add", "Bob")
    assert "'Ada' is removed from table 1" in done(store, "remove", token_of(SECRET)[:6]).stderr
    assert "'Bob' is removed from table 1" in done(store, "remove", "BOB").stderr
    assert listed(store) == []


@pytest.mark.parametrize("command", ["remove", "reset"])
def test_an_unknown_name_is_answered_with_the_nearest(store: Path, command: str) -> None:
    done(store, "add", "Ada Lovelace")
    answer = refused(store, command, "Ada Lovlace")
    assert "there is no player 'Ada Lovlace'; did you mean 'Ada Lovelace'?" in answer
    assert "\x1b" not in refused(store, command, "\x1b[2J")
    assert len(listed(store)) == 1


# Lists.


def test_list_shows_all_but_the_private_names(store: Path) -> None:
    names = ["[red]x[/]", "漢字", "x" * 64]
    secrets = [done(store, "add", name, "--table", "3").stdout.strip() for name in names]
    text = done(store, "list").stdout
    for name, secret in zip(names, secrets, strict=True):
        assert re.search(rf"{re.escape(name)} +{token_of(secret)} +3 +\d{{4}}-\d\d-\d\d", text)
        assert secret not in text
    assert text.split()[:4] == ["display", "token", "table", "added"]


def test_list_may_be_of_one_table(store: Path) -> None:
    done(store, "add", "Ada", "--table", "1")
    done(store, "add", "Bob", "--table", "2")
    assert [player[0] for player in listed(store, "--table", "2")] == ["Bob"]
    assert "Ada" not in done(store, "list", "--table", "2").stdout
    assert "no players at table 3 yet" in done(store, "list", "--table", "3").stdout
    assert "not 'x'" in refused(store, "list", "--table", "x")


def test_an_empty_registry_is_no_error(store: Path) -> None:
    open_store(str(store)).dispose()
    assert "no players yet" in done(store, "list").stdout
    assert listed(store) == []
    assert "there is no player 'Ada'" in refused(store, "remove", "Ada")


def test_a_name_in_a_foreign_store_steers_no_terminal(store: Path) -> None:
    done(store, "add", "Ada", "--private-name", SECRET)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute('UPDATE registry SET display = ?, "table" = ?', ("\x1b[2J", "\x07"))
    for result in (done(store, "list"), done(store, "list", "--json")):
        assert "\x1b" not in result.output
        assert "\x07" not in result.output
    assert "\x1b" not in refused(store, "remove", "somebody")
    assert "\x1b" not in done(store, "remove", token_of(SECRET)).output


@pytest.mark.parametrize(
    "text",
    [
        "display,table,private_name\nAda,1,\nBob,2,{secret}\n",
        "display,table\nAda,1\nBob,2,{secret}\n",
        "\ufeffDisplay,Table,Private_Name\r\nAda,1\r\n\r\nBob,2,{secret}\r\n",
        'Ada,1\n"Bob", 2 , {secret} \n\n',
        "Ada,1,\n,,\nBob,2,{secret}",
    ],
)
def test_import_prints_the_private_names_that_were_drawn(
    store: Path, tmp_path: Path, text: str
) -> None:
    result = done(store, "import", write(tmp_path, text.format(secret=SECRET)))
    header, *rows = csv.reader(io.StringIO(result.stdout))
    assert header == ["display", "table", "private_name"]
    assert [row[:2] for row in rows] == [["Ada", "1"]]
    assert SECRET not in result.output
    assert "players added: 2" in result.stderr
    assert "shown only this once" in result.stderr
    assert listed(store) == [("Ada", "1", token_of(rows[0][2])), ("Bob", "2", token_of(SECRET))]


def test_what_import_prints_can_be_imported(store: Path, tmp_path: Path) -> None:
    file = write(tmp_path, '"Comma, Ada",1\n"The ""Q""",2\n')
    printed = done(store, "import", file).stdout
    other = tmp_path / "other.db"
    again = done(other, "import", write(tmp_path, printed))
    assert again.stdout == "display,table,private_name\n"
    assert "shown only" not in again.stderr
    assert listed(other) == listed(store)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no players; a line is display,table[,private_name]"),
        ("display,table\n", "has no players"),
        ("Ada,1\nBob\n", "line 2: it has 1 columns; a line is display,table[,private_name]"),
        ("Ada;1\n", "line 1: it has 1 columns"),
        ("Ada,1,hush hush,2\n", "line 1: it has 4 columns"),
        ("name,table\nAda,1\n", "line 1: a table is a whole number such as 1, not 'table'"),
        ("Ada,1\n\nBob,x,hush hush\n", "line 3: a table"),
        ("Ada,1\ndisplay,table\n", "line 2: a table"),
        ("Ada,1\n,1\n", "line 2: a display name has 1 to 64 characters, not 0"),
        ("Ada,1\nada,2\n", "line 2: there is a player 'Ada' (line 1) already"),
        ('"A\nda",1\n', "line 1: the display name 'A\\nda' has the character U+000A"),
        ('Ada,1,"hush\n\nhush"\n', "line 1: a private name has printable characters only"),
        ('Ada,1\nBob,1,"hush hush\n', "line 2: "),
        ("Ada,1,hush hush\nBob,1,hush hush\n", "private name of 'Bob' is taken by 'Ada' (line 1)"),
        (b"Ada,1\nB\xf6b,2,hush hush\n", "line 2: this is not UTF-8 text"),
        ("Ada,1\nOld,1\n", "line 2: there is a player 'Old' already"),
    ],
)
def test_one_bad_line_refuses_the_whole_file_and_is_named(
    store: Path, tmp_path: Path, text: str | bytes, problem: str
) -> None:
    done(store, "add", "Old")
    answer = refused(store, "import", write(tmp_path, text))
    assert problem in answer
    assert "players.csv" in answer
    assert "hush" not in answer
    assert [player[0] for player in listed(store)] == ["Old"]


@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.mkdir()])
def test_a_file_that_cannot_be_read_is_refused(
    store: Path, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    path = tmp_path / "missing.csv"
    make(path)
    assert "cannot read" in refused(store, "import", str(path))
    assert not store.exists()


# The store.


def test_no_command_leaves_a_private_name_in_the_store(store: Path, tmp_path: Path) -> None:
    given = [SECRET, "hush hush hush", "from the file"]
    drawn = [done(store, "add", "Ada").stdout.strip()]
    done(store, "add", "Bob", "--private-name", given[0])
    done(store, "add", "Cyd", "--private-name", "-", given=given[1])
    file = write(tmp_path, f"Dan,1,{given[2]}\nEve,1\n")
    drawn += [
        row[2] for row in list(csv.reader(io.StringIO(done(store, "import", file).stdout)))[1:]
    ]
    drawn.append(done(store, "reset", "Bob").stdout.strip())
    shown = done(store, "list").output + done(store, "list", "--json").output
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("croupier.db*"))
    assert b"Eve" in kept
    assert len(drawn) == 3
    for name in given + drawn:
        assert name.encode() not in kept
        assert name not in shown


@pytest.mark.parametrize("arguments", [("list",), ("remove", "Ada"), ("reset", "Ada")])
def test_only_add_and_import_make_a_store(store: Path, arguments: tuple[str, ...]) -> None:
    answer = refused(store, *arguments)
    assert "there is no store" in answer
    assert "`croupier players add` makes one" in answer
    assert not store.exists()


@pytest.mark.parametrize("arguments", [("add", "Ada"), ("list",), ("import", "{file}")])
def test_a_store_that_cannot_be_used_is_refused_in_one_line(
    store: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    store.write_text("not a database " * 100)
    file = write(tmp_path, "Ada,1\n")
    assert "file is not a database" in refused(store, *(a.format(file=file) for a in arguments))


@pytest.mark.parametrize(
    ("store", "answer"),
    [("", "a store needs a name"), (" ", "a store needs a name"), (".", "folder")],
)
def test_no_player_is_added_to_a_store_that_would_not_last(store: str, answer: str) -> None:
    result = CliRunner().invoke(main, ["players", "add", "Ada", "--store", store])
    assert (result.exit_code, result.stdout) == (2, "")
    assert answer in result.stderr


def test_the_store_may_come_from_the_environment(store: Path) -> None:
    environment = {"CROUPIER_STORE": str(store)}
    assert CliRunner().invoke(main, ["players", "add", "Ada"], env=environment).exit_code == 0
    assert [player[0] for player in listed(store)] == ["Ada"]
