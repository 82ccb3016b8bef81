"""The words of the pages in each language.

English stands in the code. Every other language has a catalogue in `static/words`: a JSON object
from the English text to its own, with the same names in braces. `words.js` reads the same files.
A test compares the catalogues with the code: no entry is missing, and none is unused.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

WORDS = Path(__file__).parents[1] / "static" / "words"

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "zh": "中文"}
"""By code, what a language calls itself."""

COOKIE = "croupier_language"


class Words:
    """One language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = catalogue(language)

    def has(self, text: str) -> bool:
        """Tell whether a text can be said in this language."""
        return self.language == ENGLISH or text in self._texts

    def __call__(self, text: str, **values: str) -> str:
        """Return a text in this language, with values in place of the names in braces."""
        found = self._texts.get(text, text)
        for name, value in values.items():
            found = found.replace(f"{{{name}}}", value)
        return found


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return the catalogue of a language; English has none."""
    if language == ENGLISH:
        return {}
    return msgspec.json.decode((WORDS / f"{language}.json").read_bytes(), type=dict[str, str])


def language_for(cookie: str, accepted: str) -> str:
    """Return the language that a reader has chosen or, if none, the first that it accepts."""
    if cookie in LANGUAGES:
        return cookie
    wanted = []
    for place, part in enumerate(accepted[:500].split(",")):
        name, _, parameters = part.partition(";")
        language = name.strip().lower().partition("-")[0]
        if language in LANGUAGES:
            wanted.append((-_quality(parameters), place, language))
    return min(wanted)[2] if wanted else ENGLISH


def _quality(parameters: str) -> float:
    name, _, value = parameters.partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
