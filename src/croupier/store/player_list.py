"""Read lists of players for the registry from CSV: display, table, optionally private name."""

import csv
import io

from croupier.store.registry import NewPlayer, RegistryError

COLUMNS = ("display", "table", "private_name")
_A_LINE = "a line is display,table[,private_name]"


def read_players(data: bytes, most: int | None = None) -> list[NewPlayer]:
    """Return the players of a list, at most `most`.

    Skip a header line and empty lines. A malformed list raises `RegistryError` with the line
    number; the error never repeats a private name.
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
