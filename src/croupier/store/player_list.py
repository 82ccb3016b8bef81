"""A list of players as CSV, for the registry: display, table and perhaps a private name a line."""

import csv
import io

from croupier.store.registry import NewPlayer, RegistryError

COLUMNS = ("display", "table", "private_name")
_A_LINE = "a line is display,table[,private_name]"


def read_players(data: bytes, most: int | None = None) -> list[NewPlayer]:
    """Return the players of a list, of whom there may be a limit.

    A first line that names the columns is skipped, and so are empty ones. What is wrong raises
    `RegistryError` with the number of the line, and never repeats a private name.
    """
    reader = csv.reader(io.StringIO(_text(data), newline=""), strict=True, skipinitialspace=True)
    players: list[NewPlayer] = []
    line = 1
    first = True
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                if not (first and _names_the_columns(cells)):
                    players.append(_player(cells, line))
                first = False
            if most is not None and len(players) > most:
                raise RegistryError(f"at most {most} players can be added at a time")
            # A cell in quotes may span several lines.
            line = reader.line_num + 1
    except csv.Error as error:
        raise RegistryError(f"line {line}: {error}") from None
    if not players:
        raise RegistryError(f"the list has no players; {_A_LINE}")
    return players


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RegistryError(f"line {line}: this is not UTF-8 text") from None


def _names_the_columns(cells: list[str]) -> bool:
    return len(cells) > 1 and [cell.lower() for cell in cells] == list(COLUMNS[: len(cells)])


def _player(cells: list[str], line: int) -> NewPlayer:
    if not 2 <= len(cells) <= len(COLUMNS):
        raise RegistryError(
            f"line {line}: it has {len(cells)} columns; {_A_LINE}, with commas between"
        )
    return NewPlayer(line, cells[0], cells[1], (cells[2] or None) if len(cells) == 3 else None)
