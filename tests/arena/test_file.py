"""The arena's file: what it means, and every mistake named with its line and key."""

from pathlib import Path
from typing import Any

import pytest

from croupier.server.arena.example import EXAMPLE
from croupier.server.arena.file import ARENA_KEYS, LIMITS, ArenaFileError, read_arena
from croupier.server.arena.plan import ArenaPlan
from croupier.server.arena.table_reader import TABLE_KEYS
from croupier.server.arena.toml_reader import Mistake
from croupier.server.table.limits import Limits

BASE = """\
# A file in which every key is set.
bind = "127.0.0.1"
store = "arena.db"
durability = "power"
transcripts = "transcripts"
output = "out"
audience = 5
control = "arena.sock"
metrics = 0
admin_token = "twelve chars"

[[listen]]
dialect = "huawei"
port = 6000
gap_ms = 5

[[listen]]
dialect = "trend"
port = 0

[[listen]]
dialect = "room"
port = 0

[[listen]]
dialect = "kuhn"
port = 1212
spelling = "binary"
error_text = true

[[table]]
name = "main"
number = 3
rules = "plain"
set = { hands = 10 }
dialects = ["huawei", "trend", "room"]
seats = 4
bots = ["RuleAgent"]
minimum = 1
wait_s = 0.5
fill = ["CallAgent", "RandomAgent"]
start = "auto"
repeat = true
closed = false
pids = [1001, "1002"]
run = ["python3 bot.py {host} {port} {pid}"]

[rooms]
set = { decision_ms = 4000 }

[kuhn]
bot = "nash"
set = { stack = 5 }

[limits]
rooms = 20
rooms_per_address = 2
unfilled_s = 30
watchers = 40
watchers_per_address = 4
bot_matches = 50
bot_matches_per_address = 6
bot_share = 10

[[player]]
display = "Ada"
table = "main"
private_name = "a secret of hers"

[[player]]
display = "Bob"
table = "main"
token = "00000000000000000000000000000000"

[[player]]
display = "Cyd"
table = "main"
pid = 1001
"""

SECTIONS = {
    "": ARENA_KEYS,
    "listen[0]": ("dialect", "port", "gap_ms"),
    "listen[3]": ("dialect", "port", "spelling", "error_text"),
    "table[0]": TABLE_KEYS,
    "rooms": ("set",),
    "kuhn": ("set", "bot"),
    "limits": LIMITS,
    "player[0]": ("display", "table", "private_name"),
    "player[1]": ("display", "table", "token"),
    "player[2]": ("display", "table", "pid"),
}


def mistakes(text: str, folder: Path = Path()) -> list[Mistake]:
    with pytest.raises(ArenaFileError) as caught:
        read_arena(text, folder)
    assert str(caught.value).splitlines() == [
        line for mistake in caught.value.mistakes for line in str(mistake).splitlines()
    ]
    return caught.value.mistakes


def section_lines(section: str) -> list[int]:
    """Return the numbers of the lines of a section of the file above, its header first."""
    name, _, index = section.partition("[")
    lines = BASE.splitlines()
    headers = [number for number, line in enumerate(lines, 1) if line.startswith("[")]
    if not section:
        return list(range(1, headers[0]))
    header = f"[[{name}]]" if index else f"[{name}]"
    found = [number for number in headers if lines[number - 1] == header]
    first = found[int(index.rstrip("]"))] if index else found[0]
    later = [number for number in headers if number > first]
    return list(range(first, later[0] if later else len(lines) + 1))


def with_line(section: str, key: str, value: str) -> tuple[str, int]:
    """Return the file with one key set otherwise, or added, and the number of its line."""
    lines = BASE.splitlines()
    numbers = section_lines(section)
    for number in numbers:
        if lines[number - 1].startswith(f"{key} ="):
            lines[number - 1] = f"{key} = {value}"
            return "\n".join(lines), number
    lines.insert(numbers[0], f"{key} = {value}")
    return "\n".join(lines), numbers[0] + 1


def path_of(section: str, key: str) -> str:
    return f"{section}.{key}" if section else key


# A file that is right.


def test_every_key_is_read_and_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    plan = read_arena(BASE, tmp_path)
    assert plan.bind == "127.0.0.1"
    assert plan.store == str(tmp_path / "arena.db")
    assert plan.durability == "power"
    assert plan.transcripts == tmp_path / "transcripts"
    assert plan.output == tmp_path / "out"
    assert (plan.policy.open_cards, plan.policy.delay) == (True, 5)
    assert plan.control == tmp_path / "arena.sock"
    assert plan.metrics == 0
    assert plan.admin_token == "twelve chars"
    listeners = [(one.dialect, one.port) for one in plan.listen]
    assert listeners == [("huawei", 6000), ("trend", 0), ("room", 0), ("kuhn", 1212)]
    assert [one.options for one in plan.listen] == [
        {"gap_ms": 5},
        {},
        {},
        {"spelling": "binary", "error_text": True},
    ]
    (table,) = plan.tables
    main = table.plan
    assert (main.name, main.number, main.seats, main.rules.hands) == ("main", "3", 4, 10)
    assert main.dialects == {"huawei", "trend", "room"}
    assert (main.bots, main.fill) == (["RuleAgent"], ["CallAgent", "RandomAgent"])
    assert (main.minimum, main.wait_s) == (1, 0.5)
    assert (main.on_command, main.repeat, main.closed) == (False, True, False)
    assert main.allowed_pids == {"1001", "1002"}
    (program,) = table.programs
    assert program.command == "python3 bot.py {host} {port} {pid}"
    assert (program.dialect, program.memory_mb, program.open_files) == ("huawei", 1024, 256)
    assert [rules.decision_ms for rules in plan.on_demand["room"].rules] == [4000, 4000]
    against_house = plan.on_demand["kuhn"]
    assert (against_house.rules[0].stack, against_house.bot) == (5, "nash")
    assert plan.limits == Limits(20, 2, 30, 40, 4, 50, 6, 10)
    assert [(p.display, p.table, bool(p.token), p.pid) for p in plan.players] == [
        ("Ada", "main", True, ""),
        ("Bob", "main", True, ""),
        ("Cyd", "main", False, "1001"),
    ]


def test_defaults_are_those_of_the_documentation() -> None:
    plan = read_arena("[[listen]]\ndialect = 'trend'\n[[table]]\nseats = 3\n")
    untouched = ArenaPlan()
    for name in ("bind", "durability", "transcripts", "policy", "metrics", "admin_token"):
        assert getattr(plan, name) == getattr(untouched, name)
    assert plan.listen[0].port == 3000
    table = plan.tables[0].plan
    assert (table.name, table.number, table.rules.name) == ("table1", "1", "plain")
    assert (table.minimum, table.wait_s, table.fill) == (2, 10, [])
    assert (table.on_command, table.repeat, table.closed) == (False, True, False)
    assert plan.on_demand == {}


def test_a_store_may_be_a_url() -> None:
    text = BASE.replace('store = "arena.db"', 'store = "sqlite:///elsewhere.db"')
    assert read_arena(text, Path("folder")).store == "sqlite:///elsewhere.db"


def test_rules_may_be_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "turbo.toml").write_text('base = "huawei"\ndecision_ms = 100\n')
    text = BASE.replace('rules = "plain"', 'rules = "turbo.toml"')
    rules = read_arena(text, tmp_path).tables[0].plan.rules
    assert (rules.name, rules.decision_ms, rules.hands, rules.stack) == ("turbo", 100, 10, 2000)


def test_a_program_may_be_a_table_with_limits() -> None:
    run = '[{ command = "./bot {port}", dialect = "room", memory_mb = 64, open_files = 9 }]'
    text, _ = with_line("table[0]", "run", run)
    (program,) = read_arena(text).tables[0].programs
    assert (program.command, program.dialect) == ("./bot {port}", "room")
    assert (program.memory_mb, program.open_files) == (64, 9)


def test_a_program_speaks_the_first_dialect_that_is_listened_to_and_that_the_table_admits() -> None:
    listen = "".join(f"[[listen]]\ndialect = '{name}'\n" for name in ("kuhn", "room", "trend"))
    table = "[[table]]\nseats = 2\nrun = ['./bot {port}']\n"
    other = "dialects = ['huawei', 'trend']\n"
    tables = read_arena(listen + "[kuhn]\n" + table + table + other).tables
    assert [program.dialect for table in tables for program in table.programs] == ["room", "trend"]


def test_the_example_is_valid_and_every_comment_that_is_a_setting_is_one_too() -> None:
    plan = read_arena(EXAMPLE)
    assert [one.dialect for one in plan.listen] == ["huawei", "trend", "room", "kuhn", "acpc"]
    assert [table.plan.name for table in plan.tables] == ["huawei", "trend", "acpc"]
    assert all((t.plan.minimum, t.plan.wait_s) == (1, 10) for t in plan.tables)
    lines = []
    for line in EXAMPLE.splitlines():
        plain = line.removeprefix("# ")
        is_setting = plain.startswith("[[") or " = " in plain.split("#")[0]
        lines.append(plain if line.startswith("# ") and is_setting else line)
    text = "\n".join(lines).replace('"…"', '"a token of an organiser"')
    assert text.count("\n[[table]]") == 4
    # Uncommented as it stands, the settings of the first table are those of all tables at once.
    full = read_arena(text)
    assert [table.plan.name for table in full.tables] == ["huawei", "trend", "acpc", "mixed"]
    assert full.tables[0].plan.on_command
    assert not full.tables[0].plan.repeat
    assert full.tables[1].plan.closed
    assert [player.display for player in full.players] == ["Ada", "Bob"]


# Mistakes.

WRONG = [
    ("", "bind", ["5", '""', "true"]),
    ("", "store", ["5", '""', "[]"]),
    ("", "durability", ['"always"', "1", "true"]),
    ("", "transcripts", ["5", '""', "true"]),
    ("", "output", ["5", '""', "{}"]),
    ("", "audience", ['"nobody"', "0", "101", "true", "[5]", "-1", "1.5"]),
    ("", "control", ["5", '""']),
    ("", "metrics", ["-1", "65536", '"9109"', "true", "1.5"]),
    ("", "admin_token", ['"too short"', "123456789012", "true"]),
    ("listen[0]", "dialect", ['"hauwei"', "5", '""', "true"]),
    ("listen[0]", "port", ["-1", "65536", '"6000"', "true", "6000.0"]),
    ("listen[0]", "gap_ms", ["-1", "1001", '"1"', "true", "0.2", "nan"]),
    ("listen[1]", "gap_ms", ["0"]),
    ("listen[3]", "gap_ms", ["-1"]),
    ("listen[3]", "spelling", ['"ascii"', "1", "true"]),
    ("listen[3]", "error_text", ['"yes"', "1"]),
    ("listen[0]", "spelling", ['"text"']),
    ("listen[0]", "error_text", ["true"]),
    ("table[0]", "number", ['"1"', "1.5", "true"]),
    ("table[0]", "bots", ['"RuleAgent"', '["RuleAgnt"]', "[5]", '["nash"]', "{}"]),
    ("table[0]", "minimum", ["0", "5", '"2"', "true", "1.5"]),
    ("table[0]", "wait_s", ["-1", '"10"', "true", "inf", "nan", "1000001"]),
    ("table[0]", "fill", ['"CallAgent"', '["Callagent"]', "[[]]"]),
    ("table[0]", "start", ['"now"', "true", "1"]),
    ("table[0]", "repeat", ['"no"', "0"]),
    ("table[0]", "closed", ['"no"', "0"]),
    ("table[0]", "pids", ["1001", '["abc"]', "[-1]", "[true]", "[1.5]", '["1234567890"]']),
    ("table[0]", "run", ['"./bot"', "5", "[{}]", '[""]', "[{ command = 5 }]"]),
    ("kuhn", "bot", ['"Nash"', "5", '"RuleAgnt"']),
    ("kuhn", "set", ["5"]),
    *(("limits", key, ["0", "-1", '"5"', "true", "1.5", "1000001"]) for key in LIMITS),
    ("limits", "bot_share", ["101"]),
    ("player[0]", "display", ['""', "5", "true"]),
    ("player[0]", "table", ['"mian"', "3", '""']),
]

FOLLOWED = [
    ("table[0]", "run", ["[5]", '["./bot", true]']),
    ("rooms", "set", ["5"]),
    ("player[0]", "private_name", ["5", '""', "[]"]),
    ("player[1]", "token", ["5", '"abc"', f'"{"A" * 32}"', '""']),
    ("player[2]", "pid", ['"abc"', "-1", "true", "1.5", '""', "1234567890"]),
    ("table[0]", "name", ["5", '""', '"a b"', '"-a"', f'"{"a" * 33}"', "true"]),
    ("table[0]", "rules", ["5", '"plan"', '"nowhere.toml"', '"kuhn"', '""']),
    ("table[0]", "set", ["5"]),
    ("table[0]", "dialects", ['"huawei"', '["hauwei"]', "[5]", '["kuhn"]']),
    ("table[0]", "seats", ["1", "11", '"4"', "true", "4.0"]),
]
"""Mistakes after which others may be named that only follow from them."""


SETTINGS = [
    ("table[0]", "hands", ["-1", '"5"', "true"]),
    ("table[0]", "handz", ["5"]),
    ("table[0]", "ante", ["5"]),
    ("table[0]", "game", ['"kuhn"', '"chess"']),
    ("table[0]", "small_blind", ["20000"]),
    ("table[0]", "stack", ["50"]),
    ("rooms", "hands", ["-1", '"5"']),
    ("rooms", "handz", ["5"]),
    ("rooms", "ante", ["5"]),
    ("kuhn", "stack", ["-1", '"5"']),
    ("kuhn", "stak", ["5"]),
    ("kuhn", "game", ['"holdem"']),
]


def flat(rows: list[tuple[str, str, list[str]]]) -> list[Any]:
    return [(section, key, value) for section, key, values in rows for value in values]


@pytest.mark.parametrize(("section", "key", "value"), flat(WRONG))
def test_a_wrong_value_is_named_with_its_line_and_key_and_nothing_else_is(
    section: str, key: str, value: str
) -> None:
    text, line = with_line(section, key, value)
    found = mistakes(text)
    assert [(mistake.line, mistake.key) for mistake in found] == [(line, path_of(section, key))]
    assert found[0].text
    assert str(found[0]).startswith(f"line {line}: {path_of(section, key)}: ")


@pytest.mark.parametrize(("section", "key", "value"), flat(FOLLOWED))
def test_a_wrong_value_that_others_follow_from_is_named_with_its_line_and_key(
    section: str, key: str, value: str
) -> None:
    text, line = with_line(section, key, value)
    if key == "dialects":  # with programs see below
        text = text.replace("run = [", "# run = [")
    found = [(mistake.line, mistake.key) for mistake in mistakes(text)]
    assert (line, path_of(section, key)) in found


@pytest.mark.parametrize(("section", "key", "value"), flat(SETTINGS))
def test_a_wrong_setting_is_named_by_its_own_key_and_nothing_else_is(
    section: str, key: str, value: str
) -> None:
    text, line = with_line(section, "set", f"{{ {key} = {value} }}")
    assert [(m.line, m.key) for m in mistakes(text)] == [(line, f"{section}.set.{key}")]


@pytest.mark.parametrize("section", SECTIONS)
def test_an_unknown_key_is_named_with_its_line_and_a_hint(section: str) -> None:
    for key in SECTIONS[section]:
        if key in ("listen", "table", "rooms", "kuhn", "player"):
            continue
        typo = key[:-1] + ("y" if key.endswith("x") else "x") if len(key) > 3 else key + "x"
        text, line = with_line(section, typo, "1")
        (found,) = mistakes(text)
        assert (found.line, found.key) == (line, path_of(section, typo))
        assert found.text.startswith("unknown key")
        assert f"did you mean {key!r}?" in found.text


@pytest.mark.parametrize(
    ("line", "key", "text"),
    [
        ('start = "auto"', "table[0].start", "starts on command"),
        ("repeat = true", "table[0].repeat", "good for one match"),
    ],
)
def test_a_table_with_a_beacon_starts_on_command_and_once(line: str, key: str, text: str) -> None:
    table = '[[table]]\nseats = 2\nbeacon = "lottery"\n'
    listen = '[[listen]]\ndialect = "trend"\nport = 0\n'
    (made,) = read_arena(table + listen, Path()).tables
    assert (made.plan.on_command, made.plan.repeat) == (True, False)
    (found,) = mistakes(f"{table}{line}\n{listen}")
    assert (found.key, text in found.text) == (key, True)


def test_an_unknown_section_is_named_with_a_hint() -> None:
    (found,) = mistakes(BASE + "\n[[tabel]]\nseats = 3\n")
    assert (found.key, found.text) == ("tabel", "unknown key; did you mean 'table'?")


def test_a_word_that_is_unknown_has_a_hint() -> None:
    for section, key, value, hint in (
        ("table[0]", "bots", '["RuleAgnt"]', "'RuleAgent'"),
        ("table[0]", "fill", '["CalAgent"]', "'CallAgent'"),
        ("table[0]", "rules", '"plian"', "'plain'"),
        ("table[0]", "set", "{ hand = 5 }", "'hands'"),
        ("table[0]", "dialects", '["hauwei"]', "'huawei'"),
    ):
        text = with_line(section, key, value)[0].replace("run = [", "# run = [")
        found = [mistake for mistake in mistakes(text) if f".{key}" in mistake.key]
        assert f"did you mean {hint}?" in found[0].text


@pytest.mark.parametrize("section", ["listen", "table", "player"])
def test_one_bracket_where_two_belong_is_explained(section: str) -> None:
    text = f"[{section}]\nseats = 4\n"
    found = next(mistake for mistake in mistakes(text) if mistake.key == section)
    assert found.line == 1
    assert f"[[{section}]]" in found.text


@pytest.mark.parametrize("section", ["rooms", "kuhn"])
def test_two_brackets_where_one_belongs_are_a_mistake(section: str) -> None:
    keys = [mistake.key for mistake in mistakes(BASE.replace(f"[{section}]", f"[[{section}]]"))]
    assert section in keys


def test_all_mistakes_come_at_once_in_the_order_of_their_lines() -> None:
    text = BASE
    for old, new in (
        ('bind = "127.0.0.1"', "bind = 5"),
        ("port = 6000", "port = 66000"),
        ("seats = 4", "seats = 4\nseat = 5"),
        ("minimum = 1", "minimum = 9"),
        ('bot = "nash"', 'bot = "nush"'),
    ):
        assert old in text
        text = text.replace(old, new)
    found = mistakes(text)
    lines = text.splitlines()
    assert [mistake.key for mistake in found] == [
        "bind",
        "listen[0].port",
        "table[0].seat",
        "table[0].minimum",
        "kuhn.bot",
    ]
    for mistake in found:
        assert lines[mistake.line - 1].startswith(mistake.key.rpartition(".")[2])


def test_text_that_is_no_toml_is_named_with_its_line() -> None:
    for text, line in (("bind = ", 1), ("bind = 'a'\n\n[[table\n", 3), ("a = 1\na = 2\n", 2)):
        (found,) = mistakes(text)
        assert found.text.startswith("not TOML: ")
        assert found.line == line


# What belongs together.


def test_two_tables_need_two_names_and_two_numbers() -> None:
    table = '[[table]]\nname = "{}"\nnumber = {}\nseats = 3\n'
    (found,) = mistakes(BASE + table.format("main", 4))
    assert (found.line, found.key) == (BASE.count("\n") + 2, "table[1].name")
    (found,) = mistakes(BASE + table.format("other", 3))
    assert (found.line, found.key) == (BASE.count("\n") + 3, "table[1].number")


def test_two_listeners_need_two_ports_unless_they_are_picked() -> None:
    (found,) = mistakes(BASE + "[[listen]]\ndialect = 'trend'\nport = 6000\n")
    assert (found.line, found.key) == (BASE.count("\n") + 3, "listen[4].port")
    assert "listen[0]" in found.text
    assert read_arena(BASE + "[[listen]]\ndialect = 'trend'\nport = 0\n")


def test_a_listener_without_a_table_is_a_mistake() -> None:
    text = '[[listen]]\ndialect = "{}"\n[[listen]]\ndialect = "trend"\n[[table]]\nseats = 3\n'
    text += 'dialects = ["trend"]\n'
    for dialect in ("huawei", "room", "kuhn"):
        (found,) = mistakes(text.format(dialect))
        assert (found.line, found.key) == (1, "listen[0]")
        assert dialect in found.text


def test_a_table_or_section_that_nobody_can_come_to_is_a_mistake() -> None:
    listen = '[[listen]]\ndialect = "trend"\n[[table]]\nseats = 3\n'
    (found,) = mistakes(listen + '[[table]]\nseats = 2\ndialects = ["huawei"]\n')
    assert (found.line, found.key) == (5, "table[1]")
    for section in ("rooms", "kuhn"):
        (found,) = mistakes(listen + f"[{section}]\n")
        assert (found.line, found.key) == (5, section)
    full = '[[table]]\nseats = 2\ndialects = ["huawei"]\nbots = ["CallAgent", "CallAgent"]\n'
    assert read_arena(listen + full), "house bots need no listener"


def test_more_bots_than_seats_are_a_mistake() -> None:
    text, line = with_line(
        "table[0]", "bots", '["CallAgent", "CallAgent", "CallAgent", "CallAgent"]'
    )
    assert read_arena(text)
    text, line = with_line("table[0]", "bots", str(["CallAgent"] * 5))
    (found,) = mistakes(text)
    assert (found.line, found.key) == (line, "table[0].bots")


def test_more_than_eight_seats_are_a_mistake_where_huawei_is_asked_for_and_only_there() -> None:
    text = BASE.replace("seats = 4", "seats = 9")
    found = next(mistake for mistake in mistakes(text) if mistake.key == "table[0].dialects")
    assert "8 seats" in found.text
    without = text.replace('dialects = ["huawei", "trend", "room"]\n', "")
    without = without.replace('[[listen]]\ndialect = "huawei"\nport = 6000\ngap_ms = 5\n', "")
    without = without.replace('[[player]]\ndisplay = "Cyd"\ntable = "main"\npid = 1001\n', "")
    assert read_arena(without).tables[0].plan.dialects == {"trend", "room"}


def test_antes_and_kuhn_are_no_games_of_a_table() -> None:
    text, line = with_line("table[0]", "set", "{ ante = 5 }")
    assert (line, "table[0].set.ante") in [(m.line, m.key) for m in mistakes(text)]
    text, line = with_line("table[0]", "rules", '"kuhn"')
    found = next(mistake for mistake in mistakes(text) if mistake.key == "table[0].rules")
    assert "[kuhn]" in found.text


def test_a_player_has_a_token_or_a_private_name_or_a_pid() -> None:
    assert read_arena(BASE + '[[player]]\ndisplay = "Dan"\npid = 5\nprivate_name = "x"\n')
    for more in ("", f'private_name = "x"\ntoken = "{"1" * 32}"\n'):
        (found,) = mistakes(BASE + '[[player]]\ndisplay = "Dan"\n' + more)
        assert found.line == BASE.count("\n") + 1
        assert found.key == "player[3]"


@pytest.mark.parametrize("settings", ["[table.set]\nhandz = 3\n", "set.hands = 3\nset.handz = 3\n"])
def test_a_setting_on_a_line_of_its_own_has_that_line(settings: str) -> None:
    text = '[[listen]]\ndialect = "trend"\n[[table]]\nseats = 3\n' + settings
    (found,) = mistakes(text)
    assert (found.line, found.key) == (6, "table[0].set.handz")
    assert "'handz'; did you mean 'hands'?" in found.text


# Secrets are not repeated.


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("", "admin_token", '"hush"'),
        ("player[0]", "private_name", '["hush"]'),
        ("player[0]", "privat_name", '"hush"'),
        ("", "admin_tokn", '"hush-hush-hush"'),
        ("player[1]", "token", '"hush"'),
    ],
)
def test_what_was_meant_to_be_a_secret_is_in_no_message(section: str, key: str, value: str) -> None:
    text, _ = with_line(section, key, value)
    for mistake in mistakes(text):
        assert "hush" not in str(mistake)


# What no arena could run with.


UNUSABLE = [
    pytest.param("table[0]", "number", "-1", id="number-negative"),
    pytest.param("table[0]", "number", "1234567890", id="number-too-long-for-the-registry"),
    pytest.param("table[0]", "number", "0", id="number-of-any-table"),
    pytest.param("table[0]", "run", '["./bot {prot}"]', id="run-unknown-field"),
    pytest.param("table[0]", "run", "['./bot \"']", id="run-unclosed-quote"),
    pytest.param("table[0]", "run", '["   "]', id="run-blank"),
    pytest.param("player[1]", "display", '"Ada"', id="display-twice"),
    pytest.param("player[1]", "display", f'"{"x" * 65}"', id="display-too-long"),
    pytest.param("player[0]", "private_name", '" blank"', id="private-name-unusable"),
]


@pytest.mark.parametrize(("section", "key", "value"), UNUSABLE)
def test_what_no_arena_can_run_with_is_named_with_its_line(
    section: str, key: str, value: str
) -> None:
    text, line = with_line(section, key, value)
    assert (line, path_of(section, key)) in [(m.line, m.key) for m in mistakes(text)]


def test_a_program_needs_a_listener_of_its_dialect() -> None:
    text = '[[listen]]\ndialect = "trend"\n[[table]]\nseats = 3\n'
    text += 'run = [{ command = "./bot {port}", dialect = "huawei" }]\n'
    assert [mistake.line for mistake in mistakes(text)] == [5]


def test_two_players_need_two_pids() -> None:
    mistakes(BASE + '[[player]]\ndisplay = "Dan"\npid = 1001\n')


def test_a_player_s_table_has_to_admit_his_dialect() -> None:
    text = BASE + '[[table]]\nname = "t"\nseats = 9\ndialects = ["trend"]\n'
    mistakes(text + '[[player]]\ndisplay = "Dan"\npid = 7\ntable = "t"\n')


def test_a_dialect_that_is_a_list_is_a_mistake_like_any_other() -> None:
    text, line = with_line("listen[0]", "dialect", '["huawei"]')
    assert (line, "listen[0].dialect") in [(m.line, m.key) for m in mistakes(text)]


def test_a_mistyped_dialect_is_a_mistake_also_where_programs_run() -> None:
    text, line = with_line("table[0]", "dialects", '["hauwei"]')
    assert (line, "table[0].dialects") in [(m.line, m.key) for m in mistakes(text)]


def test_a_mistake_in_a_program_s_own_section_has_its_own_line() -> None:
    text = '[[listen]]\ndialect = "trend"\n[[table]]\nseats = 3\n'
    text += '[[table.run]]\ncommand = "./bot"\ndialect = "tend"\n'
    assert [mistake.line for mistake in mistakes(text)] == [7]


@pytest.mark.parametrize("section", ["tabel", "rooms"])
def test_an_unknown_or_misplaced_array_of_tables_has_its_line(section: str) -> None:
    text = BASE.replace("[rooms]\nset = { decision_ms = 4000 }\n", "") + f"[[{section}]]\n"
    found = next(mistake for mistake in mistakes(text) if mistake.key == section)
    assert found.line == text.count("\n")


def test_a_key_in_quotes_has_its_line() -> None:
    text = BASE.replace("metrics = 0", '"metrics" = -1')
    assert [mistake.line for mistake in mistakes(text)] == [9]


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("table[0]", "seats", "11"),
        ("table[0]", "rules", '"plan"'),
        ("player[0]", "private_name", "5"),
        ("player[1]", "token", '"abc"'),
        ("player[2]", "pid", "true"),
    ],
)
def test_one_mistake_makes_no_others_up(section: str, key: str, value: str) -> None:
    text, line = with_line(section, key, value)
    assert [(m.line, m.key) for m in mistakes(text)] == [(line, path_of(section, key))]


def test_a_closed_table_is_for_players_with_a_key() -> None:
    text, line = with_line("table[0]", "closed", "true")
    assert (line, "table[0].closed") in [(m.line, m.key) for m in mistakes(text)]
    found = next(mistake for mistake in mistakes(text) if mistake.key == "player[2]")
    assert "a pid is no key" in found.text


@pytest.mark.parametrize(
    ("dialect", "remedy"),
    [("kuhn", "[kuhn]"), ("room", "[rooms] or a [[table]]"), ("huawei", "a [[table]]")],
)
def test_a_listener_without_a_table_is_told_what_to_add(dialect: str, remedy: str) -> None:
    (found,) = mistakes(f'[[listen]]\ndialect = "{dialect}"\n')
    assert found.key == "listen[0]"
    assert found.text.endswith(f"add {remedy}")
