"""A list of players as CSV: display, table and perhaps a private name in each line."""

import csv
import io

from croupier.store.registry import NewPlayer, RegistryError

MAX_PLAYERS = 2000
"""A security limit."""

HEADER = ["display", "table", "private_name"]


def read_players(text: str) -> list[NewPlayer]:
    """Return the players of a list; of a private name nothing is said, also if it is wrong."""
    lines = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    players: list[NewPlayer] = []
    line = 1
    try:
        for row in lines:
            cells = [cell.strip() for cell in row]
            if any(cells) and [cell.lower() for cell in cells] != HEADER[: len(cells)]:
                players.append(_player(cells, line))
            if len(players) > MAX_PLAYERS:
                raise RegistryError(f"at most {MAX_PLAYERS} players can be added at a time")
            line = lines.line_num + 1
    except csv.Error as error:
        raise RegistryError(f"line {line}: {error}") from None
    if not players:
        raise RegistryError("the list has no players; a line is display,table[,private_name]")
    return players


def _player(cells: list[str], line: int) -> NewPlayer:
    if not 2 <= len(cells) <= 3:
        raise RegistryError(
            f"line {line} has {len(cells)} columns; it should be display,table[,private_name]"
        )
    return NewPlayer(line, cells[0], cells[1], (cells[2] or None) if len(cells) == 3 else None)
