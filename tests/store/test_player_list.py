"""Lists of players as CSV, from a file or over the API."""

import pytest

from croupier.store.player_list import read_players
from croupier.store.registry import NewPlayer, RegistryError


def test_a_line_is_a_player_with_or_without_a_private_name() -> None:
    text = '\ufeffDisplay, table ,PRIVATE_NAME\n\n "Ada, the first", 1\nBob,2, hush \nCid,3,\n'
    assert read_players(text.encode()) == [
        NewPlayer(3, "Ada, the first", "1"),
        NewPlayer(4, "Bob", "2", "hush"),
        NewPlayer(5, "Cid", "3"),
    ]


def test_only_the_first_line_can_name_the_columns() -> None:
    players = read_players(b"Ada,1\ndisplay,table\n")
    assert [player.display for player in players] == ["Ada", "display"]


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"", "the list has no players"),
        (b"display\n", "line 1: it has 1 columns"),
        (b"Ada,1\nBob,1,hush hush,2\n", "line 2: it has 4 columns"),
        (b'Ada,1,"hush hush\n', "line 1: "),
        (b"Ada,1\nB\xf6b,2,hush hush\n", "line 2: this is not UTF-8 text"),
        (b"Ada,1\nBob,2\nCid,3,hush hush\n", "at most 2 players"),
    ],
)
def test_what_is_wrong_is_said_without_private_names(data: bytes, wanted: str) -> None:
    with pytest.raises(RegistryError) as refused:
        read_players(data, most=2)
    assert wanted in str(refused.value)
    assert "hush" not in str(refused.value)
