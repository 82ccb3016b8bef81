"""How addresses of the site are called among files; `static/js/files.js` has the same rules."""

import re
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from croupier.web.http.words import ENGLISH

HANDS_IN_A_FILE = 50
"""How many replays one file has."""

_LINK = re.compile(r'(?<= )(href|src)="/([^"?#]*)([^"]*)"')
_STATIC = "static/"


def file_name(part: str) -> str:
    """Return a part of an address as the name of a file or folder, which no part can leave."""
    return "".join(
        char if ord(char) > 0x7F or char.isalnum() or char == "-" else f"_{ord(char):02x}"
        for char in part
    )


def place_of(address: str) -> PurePosixPath:
    """Return where the answer to an address is, without what is put at its end."""
    return PurePosixPath(*(file_name(unquote(part)) for part in address.split("/") if part))


def folder_of(language: str) -> str:
    """Return the folder of the pages in a language."""
    return "" if language == ENGLISH else f"{language}/"


def as_file(html: str, address: str, language: str) -> str:
    """Return a page with links that lead to files, wherever the whole site is put."""
    pages = "../" * len(place_of(address).parts)
    root = pages + "../" * bool(folder_of(language))

    def relative(found: re.Match[str]) -> str:
        name, path, rest = found.groups()
        if path.startswith(_STATIC):
            return f'{name}="{root}{path}{rest}"'
        place = "".join(quote(part) + "/" for part in place_of(path).parts)
        return f'{name}="{pages + place or "./"}{rest}"'

    marked = html.replace("<html ", f'<html data-files="{folder_of(language)}" ', 1)
    return _LINK.sub(relative, marked)
