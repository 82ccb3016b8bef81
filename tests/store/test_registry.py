"""The registry of players: what it takes, what it refuses, and that it keeps no private name."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from croupier.dialects.tokens import token_of
from croupier.store import registry
from croupier.store.registry import NewPlayer, RegistryError
from croupier.store.schema import open_store

SECRET = "a private name that nobody may read"

ADD_MANY = """
import sys
from croupier.store import registry
from croupier.store.schema import open_store

print("ready", flush=True)
for path in sys.stdin:
    engine = open_store(path.strip())
    for number in range(30):
        try:
            registry.add(engine, f"Player {number}", "1", f"secret-{number % 25}")
        except registry.RegistryError:
            continue
        print(number, flush=True)
    engine.dispose()
"""


@pytest.fixture
def engine(store: str) -> Iterator[Engine]:
    engine = open_store(store)
    yield engine
    engine.dispose()


def displays(engine: Engine) -> list[str]:
    return [player.display for player in registry.all_players(engine)]


# Adding and finding.


def test_a_player_is_found_by_the_token_of_his_private_name(engine: Engine) -> None:
    name = registry.add(engine, "Ada", "2", SECRET)
    assert name == SECRET
    found = registry.find(engine, token_of(SECRET))
    assert found is not None
    assert (found.display, found.table, found.token) == ("Ada", "2", token_of(SECRET))
    assert registry.find(engine, token_of("another")) is None
    for nonsense in ("", SECRET, "%", "\udcff", token_of(SECRET)[:8]):
        assert registry.find(engine, nonsense) is None


def test_a_private_name_that_is_drawn_has_16_digits_or_capitals_and_is_never_the_same(
    engine: Engine,
) -> None:
    names = [registry.add(engine, f"Player {number}", "1") for number in range(50)]
    assert all(re.fullmatch("[0-9A-Z]{16}", name) for name in names)
    assert len(set(names)) == 50
    assert {player.token for player in registry.all_players(engine)} == set(map(token_of, names))


def test_players_are_listed_by_table_and_name(engine: Engine) -> None:
    for display, table in (("b", "10"), ("Ünal", "2"), ("C", "2"), ("a", "2"), ("z", "1")):
        registry.add(engine, display, table)
    assert displays(engine) == ["z", "a", "C", "Ünal", "b"]
    assert [player.display for player in registry.all_players(engine, "2")] == ["a", "C", "Ünal"]
    assert registry.all_players(engine, "7") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ada", "ADA"), ("Ada", " ada\t"), ("Straße", "STRASSE"), ("É", "e\u0301"), ("漢", "漢")],
)
def test_two_display_names_differ_in_more_than_case_and_composition(
    engine: Engine, one: str, other: str
) -> None:
    registry.add(engine, one, "1")
    with pytest.raises(RegistryError, match=f"there is a player '{one}' already"):
        registry.add(engine, other, "2")
    assert displays(engine) == [one]


def test_a_private_name_has_one_owner(engine: Engine) -> None:
    registry.add(engine, "Ada", "1", SECRET)
    with pytest.raises(RegistryError, match="of 'Bob' is taken by 'Ada'") as caught:
        registry.add(engine, "Bob", "1", SECRET)
    assert SECRET not in str(caught.value)
    assert displays(engine) == ["Ada"]


@pytest.mark.parametrize(
    ("display", "table", "private_name", "problem"),
    [
        ("", "1", None, "a display name has 1 to 64 characters, not 0"),
        (" \n ", "1", None, "not 0"),
        ("x" * 65, "1", None, "not 65"),
        ("a\x1b[2Jb", "1", None, r"U\+001B, which cannot be printed"),
        ("a\nb", "1", None, r"U\+000A"),
        ("a\u202eb", "1", None, r"U\+202E"),
        ("a\udcff", "1", None, r"U\+DCFF"),
        ("Ada", "", None, "a table is a whole number such as 1, not ''"),
        ("Ada", "one", None, "not 'one'"),
        ("Ada", "-1", None, "not '-1'"),
        ("Ada", "01", None, "not '01'"),
        ("Ada", "1.0", None, "not '1.0'"),
        ("Ada", "١", None, "not '١'"),
        ("Ada", "1" * 10, None, "a table is"),
        ("Ada", "1", "", "a private name has 1 to 256 characters, not 0"),
        ("Ada", "1", "x" * 257, "not 257"),
        ("Ada", "1", " hush", "no blank at its beginning or end"),
        ("Ada", "1", "hush\n", "no blank"),
        ("Ada", "1", "hu\x00sh", "printable characters only"),
        ("Ada", "1", "hu\udcffsh", "printable characters only"),
        ("Ada", "1", "ada", "of 'Ada' is the display name, which everyone can see"),
    ],
)
def test_what_is_no_player_is_refused_and_nothing_added(
    engine: Engine, display: str, table: str, private_name: str | None, problem: str
) -> None:
    with pytest.raises(RegistryError, match=problem) as caught:
        registry.add(engine, display, table, private_name)
    assert len(str(caught.value).splitlines()) == 1
    assert "hu" not in str(caught.value)
    assert displays(engine) == []


@given(display=st.text(max_size=70) | st.text(st.characters(categories=["L", "M", "N", "Zs"])))
def test_a_display_name_is_kept_as_it_is_or_refused(display: str) -> None:
    stripped = display.strip()
    engine = open_store(":memory:")
    try:
        if 1 <= len(stripped) <= 64 and stripped.isprintable():
            registry.add(engine, display, "1")
            assert displays(engine) == [stripped]
            for same in {stripped, stripped.casefold()}:
                if len(same) <= 64:
                    with pytest.raises(RegistryError, match="already"):
                        registry.add(engine, same, "1")
            assert registry.remove(engine, display).display == stripped
        else:
            with pytest.raises(RegistryError):
                registry.add(engine, display, "1")
        assert displays(engine) == []
    finally:
        engine.dispose()


@given(name=st.text(max_size=300))
def test_a_private_name_finds_its_player_or_is_refused(name: str) -> None:
    engine = open_store(":memory:")
    try:
        try:
            registry.add(engine, "Some Player", "1", name)
        except RegistryError as error:
            assert len(name) < 8 or name not in str(error)
            allowed = 1 <= len(name) <= 256 and name == name.strip() and name.isprintable()
            assert not allowed or name.casefold() == "some player"
            assert registry.find(engine, token_of(name)) is None
        else:
            found = registry.find(engine, token_of(name))
            assert found is not None
            assert found.display == "Some Player"
    finally:
        engine.dispose()


# Removing and resetting.


@pytest.mark.parametrize("change", [registry.remove, registry.reset_private_name])
@pytest.mark.parametrize(
    "name", ["Ada", " aDA ", token_of(SECRET), token_of(SECRET)[:6], token_of(SECRET).upper()]
)
def test_a_player_is_meant_by_display_name_or_the_beginning_of_his_token(
    engine: Engine, change: Callable[[Engine, str], object], name: str
) -> None:
    registry.add(engine, "Ada", "1", SECRET)
    other = registry.add(engine, "Bob", "1")
    change(engine, name)
    assert registry.find(engine, token_of(SECRET)) is None
    assert registry.find(engine, token_of(other)) is not None


@pytest.mark.parametrize("change", [registry.remove, registry.reset_private_name])
@pytest.mark.parametrize("name", ["Adda", "", "%", token_of(SECRET)[:5], "' OR 1=1 --", "\udcff"])
def test_an_unknown_player_is_refused_and_nobody_changed(
    engine: Engine, change: Callable[[Engine, str], object], name: str
) -> None:
    registry.add(engine, "Ada", "1", SECRET)
    before = registry.all_players(engine)
    with pytest.raises(RegistryError, match="there is no player") as caught:
        change(engine, name)
    assert ("did you mean 'Ada'?" in str(caught.value)) == (name == "Adda")
    assert registry.all_players(engine) == before


def test_the_beginning_of_two_tokens_means_nobody(engine: Engine) -> None:
    # Two numbers whose tokens begin alike, as there must be among so many.
    seen: dict[str, str] = {}
    for number in range(100_000):
        name = f"secret {number}"
        if (prefix := token_of(name)[:6]) in seen:
            break
        seen[prefix] = name
    registry.add(engine, "Ada", "1", name)
    registry.add(engine, "Bob", "1", seen[prefix])
    with pytest.raises(RegistryError, match="more than one token begins with"):
        registry.remove(engine, prefix)
    assert registry.remove(engine, token_of(name)).display == "Ada"


def test_a_display_name_counts_before_the_beginning_of_a_token(engine: Engine) -> None:
    registry.add(engine, "Ada", "1", SECRET)
    registry.add(engine, token_of(SECRET)[:8], "1")
    registry.remove(engine, token_of(SECRET)[:8])
    assert displays(engine) == ["Ada"]


def test_a_reset_player_keeps_all_but_his_private_name(engine: Engine) -> None:
    registry.add(engine, "Ada", "3", SECRET)
    before = registry.all_players(engine)[0]
    new = registry.reset_private_name(engine, "Ada")
    after = registry.all_players(engine)[0]
    assert after.token == token_of(new) != before.token
    assert (after.display, after.table, after.added) == ("Ada", "3", before.added)


def test_a_removed_player_can_be_added_again(engine: Engine) -> None:
    registry.add(engine, "Ada", "1", SECRET)
    registry.remove(engine, "Ada")
    registry.add(engine, "ada", "1", SECRET)
    assert displays(engine) == ["ada"]


# Lists.


def test_a_list_is_added_in_order_with_given_and_drawn_private_names(engine: Engine) -> None:
    rows = [NewPlayer(2, "Bob", "1", SECRET), NewPlayer(3, "Ada", "2")]
    names = registry.import_rows(engine, rows)
    assert names[0] == SECRET
    found = [registry.find(engine, token_of(name)) for name in names]
    assert [(p.display, p.table) for p in found if p] == [("Bob", "1"), ("Ada", "2")]
    assert registry.import_rows(engine, []) == []


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (NewPlayer(9, "", "1"), "line 9: a display name"),
        (NewPlayer(9, "Dan", "x"), "line 9: a table"),
        (NewPlayer(9, "Dan", "1", ""), "line 9: a private name"),
        (NewPlayer(9, "ada", "1"), "line 9: there is a player 'Ada' already"),
        (NewPlayer(9, "BOB", "1"), r"line 9: there is a player 'Bob' \(line 4\) already"),
        (NewPlayer(9, "Dan", "1", SECRET), "line 9: the private name of 'Dan' is taken by 'Ada'"),
        (NewPlayer(9, "Dan", "1", "hush hush"), r"is taken by 'Bob' \(line 4\)"),
    ],
)
def test_one_bad_line_refuses_the_whole_list_and_is_named(
    engine: Engine, bad: NewPlayer, problem: str
) -> None:
    registry.add(engine, "Ada", "1", SECRET)
    rows = [NewPlayer(4, "Bob", "1", "hush hush"), bad, NewPlayer(10, "Eve", "1")]
    with pytest.raises(RegistryError, match=problem):
        registry.import_rows(engine, rows)
    assert displays(engine) == ["Ada"]


# Secrecy.


def test_no_private_name_is_in_the_files_of_the_store(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "croupier.db"))
    names = [registry.add(engine, f"Player {number}", "1") for number in range(100)]
    names.append(registry.add(engine, "Ada", "1", SECRET))
    rows = [NewPlayer(1, "Bob", "1", "hush hush hush"), NewPlayer(2, "Eve", "2")]
    names += registry.import_rows(engine, rows)
    names += [
        registry.reset_private_name(engine, "Ada"),
        registry.reset_private_name(engine, "Eve"),
    ]
    registry.remove(engine, "Bob")
    with pytest.raises(RegistryError):
        registry.add(engine, "Ada", "1", "refused, refused")
    names.append("refused, refused")

    def files() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    open_files = files()
    assert "croupier.db-wal" in open_files
    engine.dispose()
    for found in (open_files, files()):
        everything = b"".join(found.values())
        assert b"Player 7" in everything
        assert token_of(names[7]).encode() in everything
        for name in names:
            assert name.encode() not in everything
            assert name.encode("utf-16-le") not in everything


def test_a_line_of_a_list_does_not_show_its_private_name() -> None:
    assert SECRET not in repr(NewPlayer(1, "Ada", "1", SECRET))


# Two programs at once.


def test_two_programs_that_add_at_once_keep_names_unique(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", ADD_MANY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write(f"{path}\n")
        program.stdin.flush()
    added: list[str] = []
    for program in programs:
        out, err = program.communicate()
        assert err == ""
        added += out.split()
    engine = open_store(str(path))
    try:
        players = registry.all_players(engine)
    finally:
        engine.dispose()
    assert len({player.token for player in players}) == len(players) == 25
    assert len({player.display for player in players}) == 25
    assert Counter(f"Player {number}" for number in added) == Counter(p.display for p in players)
