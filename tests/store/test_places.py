"""What a place is called."""

import pytest

from croupier.store.places import kind_of, table_name

NAMES = {
    "table main": "main",
    "host huawei": "huawei",
    "room 299": "room-299",
    "room tea time": "room-tea time",
    "kuhn 77432": "kuhn-77432",
}


@pytest.mark.parametrize("place", NAMES)
def test_a_room_is_called_as_its_players_call_it_blanks_included(place: str) -> None:
    assert table_name(place) == NAMES[place]
    assert kind_of(place) == place.split()[0]
