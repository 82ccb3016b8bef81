"""`croupier check-config` names the line and key of every mistake, all at once."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.main import main

GOOD = """\
[[listen]]
dialect = "huawei"

[[listen]]
dialect = "trend"

[[table]]
name = "main"
seats = 4
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def complaints(text: str | bytes) -> list[str]:
    """Return what is said of a file, without the line that says of which file."""
    file = Path("arena.toml")
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    result = CliRunner().invoke(main, ["check-config", "arena.toml"])
    assert result.exit_code == 2, result.output
    first, *rest = result.stderr.splitlines()
    assert first == "Error: arena.toml cannot be used:"
    return rest


def places(text: str) -> list[tuple[int, str]]:
    """Return the lines and keys that are named."""
    found = []
    for line in complaints(text):
        where, key, _ = line.split(": ", 2)
        found.append((int(where.removeprefix("line ")), key))
    return found


def is_fine(text: str) -> bool:
    Path("arena.toml").write_text(text)
    return CliRunner().invoke(main, ["check-config", "arena.toml"]).exit_code == 0


# One mistake hides no other.


def test_bad_rules_hide_no_other_mistake_of_their_table() -> None:
    text = GOOD + 'rules = "plian"\nminimum = 9\nwait_s = -1\nrepaet = true\nrun = [5]\n'
    assert [key for _, key in places(text)] == [
        *("table[0].rules", "table[0].minimum", "table[0].wait_s", "table[0].repaet"),
        *("table[0].run", "table[0].run"),
    ]


def test_bad_settings_hide_no_other_mistake_of_their_table() -> None:
    text = GOOD + "set = { handz = 5 }\nminimum = 9\nfill = ['RuleAgnt']\n"
    assert places(text) == [
        (10, "table[0].set.handz"),
        (11, "table[0].minimum"),
        (12, "table[0].fill"),
    ]


def test_a_table_without_seats_is_read_to_its_end() -> None:
    text = GOOD.replace("seats = 4\n", "wait_s = -1\nminimum = 99\n")
    assert sorted(places(text)) == [
        (7, "table[0].seats"),
        (9, "table[0].wait_s"),
        (10, "table[0].minimum"),
    ]


def test_every_wrong_setting_is_named() -> None:
    text = GOOD + "[table.set]\nhands = -1\nstack = '5'\nhandz = 5\nreveal = 'none'\nante = 1\n"
    assert sorted(places(text)) == [
        (11, "table[0].set.hands"),
        (12, "table[0].set.stack"),
        (13, "table[0].set.handz"),
        (14, "table[0].set.reveal"),
        (15, "table[0].set.ante"),
    ]


def test_settings_that_contradict_each_other_are_one_mistake() -> None:
    (line,) = complaints(GOOD + "set = { small_blind = 500, big_blind = 100 }\n")
    assert line == "line 10: table[0].set.small_blind: 500 is above big_blind 100"


def test_settings_are_judged_together() -> None:
    assert is_fine(GOOD + "set = { stack = 40, small_blind = 5, big_blind = 10 }\n")


def test_every_mistake_of_a_rules_file_is_named() -> None:
    Path("own.toml").write_text("base = 'huawei'\nhandz = 5\nhands = -1\nstack = true\n")
    lines = complaints(GOOD + "rules = 'own.toml'\n")
    assert len(lines) == 3
    for line, word in zip(lines, ("'handz'", "stack is", "hands is"), strict=True):
        assert line.startswith("line 10: table[0].rules: own.toml: ")
        assert word in line


def test_a_bad_dialect_hides_no_bad_port() -> None:
    text = GOOD.replace('dialect = "huawei"', 'dialect = "hauwei"\nport = 66000\nerror_text = 5')
    assert places(text) == [
        (2, "listen[0].dialect"),
        (3, "listen[0].port"),
        (4, "listen[0].error_text"),
    ]


def test_two_listeners_on_one_port_are_named_beside_other_mistakes() -> None:
    text = GOOD.replace('dialect = "trend"', 'dialect = "trend"\nport = 6000') + "minimum = 9\n"
    assert places(text) == [(6, "listen[1].port"), (11, "table[0].minimum")]


def test_a_listener_without_a_table_is_named_beside_other_mistakes() -> None:
    text = "bind = 5\n" + GOOD + "minimum = 9\ndialects = ['huawei']\n"
    assert places(text) == [(1, "bind"), (5, "listen[1]"), (11, "table[0].minimum")]


def test_a_table_of_the_same_name_and_number_is_two_mistakes() -> None:
    text = GOOD + "[[table]]\nname = 'main'\nnumber = 1\nseats = 2\n"
    assert places(text) == [(11, "table[1].name"), (12, "table[1].number")]


# What no arena can run with.


@pytest.mark.parametrize(
    "address", ["999.1.1.1", "1.2.3", "127.0.0.1:6000", "here there", "::g", "7", "-a", "http://x"]
)
def test_what_is_no_address_is_named(address: str) -> None:
    (line,) = complaints(f'bind = "{address}"\n{GOOD}')
    assert line == (f"line 1: bind: is an address such as '127.0.0.1' or a name, not {address!r}")


@pytest.mark.parametrize("address", ["0.0.0.0", "::1", "::", "localhost", "arena.example.org"])
def test_addresses_and_names_are_fine(address: str) -> None:
    assert is_fine(f'bind = "{address}"\n{GOOD}')


def test_the_port_of_metrics_is_none_of_a_listener() -> None:
    (line,) = complaints(f"metrics = 3000\n{GOOD}")
    assert line == "line 1: metrics: 3000 is taken by listen[1]"
    assert is_fine(f"metrics = 0\n{GOOD}")


@pytest.mark.parametrize("store", ["x", "./x", "sqlite:///x", "y/../x"])
def test_control_and_store_are_two_files(store: str) -> None:
    (line,) = complaints(f'store = "{store}"\ncontrol = "x"\n{GOOD}')
    assert line.startswith("line 2: control: is the file of the store, too")


def test_a_socket_s_path_has_at_most_107_bytes() -> None:
    assert is_fine(f'control = "{"s" * 107}"\n{GOOD}')
    (line,) = complaints(f'control = "{"s" * 108}"\n{GOOD}')
    assert line.startswith("line 1: control: is too long for a socket")
    (line,) = complaints(f'control = "{"é" * 54}"\n{GOOD}')
    assert "108 bytes" in line


def test_a_pid_may_be_a_text() -> None:
    player = "[[player]]\ndisplay = 'Ada'\npid = '007'\ntable = 'main'\n"
    assert is_fine(GOOD + "pids = ['007', 8]\n" + player)


def test_a_player_s_pid_is_one_that_his_table_admits() -> None:
    player = "[[player]]\ndisplay = 'Ada'\npid = 7\ntable = 'main'\n"
    (line,) = complaints(GOOD + "pids = [8, 9]\n" + player)
    assert line == "line 13: player[0].pid: 7 is not among the pids that main admits"
    assert is_fine(GOOD + "pids = [7, 9]\n" + player)
    assert is_fine(GOOD + player), "without a list everyone is admitted"


# Words.


def test_a_missing_dialect_is_said_to_be_missing() -> None:
    lines = complaints(GOOD + "[[listen]]\nport = 5\n")
    assert lines == [
        "line 10: listen[2].dialect: is missing;"
        " it is 'huawei' or 'trend' or 'room' or 'kuhn' or 'acpc'"
    ]


def test_a_player_with_two_credentials_hears_that_one_is_enough() -> None:
    player = f"[[player]]\ndisplay = 'Ada'\ntoken = '{'1' * 32}'\nprivate_name = 'hush'\n"
    lines = complaints(GOOD + player)
    assert lines == [
        "line 10: player[0]: has token and private_name, but only one of them may be given"
    ]
    lines = complaints(GOOD + "[[player]]\ndisplay = 'Ada'\n")
    assert lines == ["line 10: player[0]: needs one of token, private_name and pid"]


@pytest.mark.parametrize(
    ("more", "line", "key"),
    [
        ("minimum = \n", 10, "table[0].minimum"),
        ("seats = 5\n", 10, "table[0].seats"),
        ("minimum 2\n", 10, "table[0].minimum"),
        ("minimum = 2 3\n", 10, "table[0].minimum"),
        ("run = [\n  './a'\n  './b',\n]\n", 12, "table[0].run"),
        ("run = [\n  './a',\n", 11, "table[0].run"),
        ("set = { hands = 5, hands = 6 }\n", 10, "table[0].set"),
        ("[kuhn]\n[kuhn]\n", 11, "kuhn"),
        ("[[player]\n", 10, "player[0]"),
        ("[[player\n", 10, "player"),
        ("name = 'other", 10, "table[0].name"),
    ],
)
def test_where_a_file_is_no_toml_the_line_and_its_key_are_named(
    more: str, line: int, key: str
) -> None:
    (text,) = complaints(GOOD + more)
    assert text.startswith(f"line {line}: {key}: not TOML: ")


def test_a_line_without_a_key_is_named_all_the_same() -> None:
    (text,) = complaints(GOOD + "= 5\n")
    assert text.startswith("line 10: not TOML: ")


def test_bytes_that_are_no_utf_8_are_named_with_their_line_and_key() -> None:
    file = Path("arena.toml")
    file.write_bytes(GOOD.encode() + "# fine: é\nrun = ['./caf".encode() + b"\xe9']\n")
    result = CliRunner().invoke(main, ["check-config", "arena.toml"])
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: arena.toml is not UTF-8 text: line 11: table[0].run: the byte 0xe9 is not UTF-8;"
        " save the file as UTF-8\n"
    )


def test_a_byte_order_mark_is_skipped() -> None:
    Path("arena.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert CliRunner().invoke(main, ["check-config", "arena.toml"]).exit_code == 0


def test_the_file_of_a_contest_and_that_of_an_arena_are_told_apart() -> None:
    runner = CliRunner()
    for command in ("init", "contest init"):
        assert runner.invoke(main, command.split()).exit_code == 0
    arena = runner.invoke(main, ["serve", "contest.toml"])
    contest = runner.invoke(main, ["contest", "run", "arena.toml"])
    assert (arena.exit_code, contest.exit_code) == (2, 2)
    assert arena.stderr.endswith("`croupier contest run contest.toml`\n")
    assert contest.stderr.endswith("`croupier serve arena.toml`\n")
