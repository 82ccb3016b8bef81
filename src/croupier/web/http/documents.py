"""Render documents, ours and the organiser's, as HTML, from Markdown with inline HTML disabled.

Links between documents point to their pages; a link to a file that is not a page becomes plain
text. No element has a style attribute, which the site's content security policy would reject.
"""

import posixpath
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from croupier.dialects.registry import DIALECTS, PEOPLE

CHANGES = "CHANGELOG"
VERSION_DIGITS = 8

PAGES = "pages/"
"""What the slugs of the organiser's pages begin with."""

GROUPS = (
    ("From the organiser", (PAGES,)),
    ("Play and follow", ("faq", "rules", "deals")),
    ("Connect a bot", ("first-bot", "protocols/", "mixed", "check")),
    ("Run a contest", ("contests", "arena", "deploy", "scale", "players", "web")),
    ("Reference", ("results", "records", "speed", "commands", "api", "acknowledgements")),
)
"""The documents by what a reader wants to do, in reading order."""

ABOUT = {
    "faq": "Short answers for bot authors, organisers and spectators.",
    "rules": "What is played: the games by name, and every setting in which they differ.",
    "deals": "Where the cards come from, and how anyone can check it.",
    "first-bot": "From ten lines of Python to a match.",
    "mixed": "What changes for a bot when the others at its table speak something else.",
    "check": "A program that finds the first mistake of yours.",
    "contests": "Teams, stages, formats, forfeits, and how to direct it all.",
    "arena": "Tables that are always open, listeners, programs and boxes.",
    "deploy": "A server of your own, step by step.",
    "scale": "Several machines, PostgreSQL, several arenas.",
    "players": "Private names, display names and who sits where.",
    "web": "Every page, the broadcast, a seat for you, and the API.",
    "results": "Rates, intervals, and the luck of the cards.",
    "records": "List, replay and export matches, and verify them.",
    "speed": "Measured side by side with others.",
    "commands": "Every command with every option.",
    "api": "The interfaces that stay as they are.",
    "acknowledgements": "Whose protocols, formats and libraries these are.",
    "CHANGELOG": "What is new in each version.",
    **{
        f"protocols/{one.name}": one.document
        for one in (*DIALECTS.values(), PEOPLE)
        if one.document
    },
}
"""What a reader finds in a document, in one sentence; that of a translation is its original's."""

LANGUAGES = {"": "English", "zh-CN": "中文", "es": "Español"}
"""The languages of documents, each in its own words, by the ending of the file's name."""

ORDER = tuple(key for _, keys in GROUPS for key in keys)


def group_of(slug: str) -> str:
    """Return the group of a document; those without one are for reference."""
    key = _key(slug)
    return next((title for title, keys in GROUPS if key in keys), GROUPS[-1][0])


_OUTSIDE = ("http", "https", "mailto")


@dataclass(frozen=True)
class Document:
    """A page: its slug in the URL, its title and its text as HTML."""

    slug: str
    title: str
    html: str
    changed: float | None = None
    """When an organiser's page was changed, in seconds since 1970."""
    version: str = ""
    """Of an organiser's page: the beginning of the SHA-256 of its file."""
    parts: tuple[tuple[str, str], ...] = ()
    """The ids and titles of its parts, if its text was asked for."""

    @property
    def language(self) -> str:
        """The ending of a translation's name, empty for an original."""
        ending = self.slug.rpartition(".")[2]
        return ending if ending in LANGUAGES and not self.slug.startswith(PAGES) else ""

    @property
    def original(self) -> str:
        """The slug of what it is a translation of, or its own."""
        return self.slug.removesuffix(f".{self.language}") if self.language else self.slug


class Documents:
    """All documents; each is read when requested, so that a change shows immediately."""

    def __init__(self, folder: Path, pages: Path | None = None) -> None:
        """`pages` is the folder of the organiser's own pages, if there are any."""
        self._folder = folder
        self._pages = pages
        self._markdown = MarkdownIt("commonmark", {"html": False}).enable(["table"])

    def slugs(self) -> list[str]:
        """Return the slugs of all documents in reading order."""
        return sorted(self._files(), key=_sort_key)

    def contents(self) -> list[Document]:
        """Return all documents in reading order, with titles but no text."""
        files = self._files()
        return [
            Document(slug, _title(_text(files[slug].read_bytes()), slug), "")
            for slug in self.slugs()
        ]

    def page(self, slug: str) -> Document | None:
        """Return one document, or None if there is none with this slug."""
        file = self._files().get(slug)
        if file is None:
            return None
        data = file.read_bytes()
        text = _text(data)
        tokens = self._markdown.parse(text)
        self._prepare(tokens, slug)
        html = self._markdown.renderer.render(tokens, self._markdown.options, {})
        found = Document(slug, _title(text, slug), html, parts=tuple(_parts(tokens)))
        if not slug.startswith(PAGES):
            return found
        version = sha256(data).hexdigest()[:VERSION_DIGITS]
        return replace(found, changed=file.stat().st_mtime, version=version)

    def _files(self) -> dict[str, Path]:
        # Serve only listed files: no part of a URL becomes part of a path.
        files = {file.stem: file for file in self._folder.glob("*.md")}
        files |= {f"protocols/{file.stem}": file for file in self._folder.glob("protocols/*.md")}
        for changes in (self._folder / "CHANGELOG.md", self._folder.parent / "CHANGELOG.md"):
            if changes.is_file():
                files[CHANGES] = changes
                break
        if self._pages is not None:
            files |= {f"{PAGES}{file.stem}": file for file in self._pages.glob("*.md")}
        return files

    def _prepare(self, tokens: Sequence[Token], slug: str) -> None:
        known = set(self._files())
        ids: dict[str, int] = {}
        for place, token in enumerate(tokens):
            style = token.attrs.pop("style", None)
            if style is not None:
                token.attrs["class"] = str(style).replace("text-align:", "align-")
            if token.type == "heading_open":
                token.attrs["id"] = _heading_id(tokens[place + 1].content, ids)
            elif token.type == "inline" and token.children:
                _rewrite_links(token.children, slug, known)


def _key(slug: str) -> str:
    folder, slash, _ = slug.rpartition("/")
    return folder + slash or slug


def _sort_key(slug: str) -> tuple[bool, int, str]:
    """Return a document's sort key; those not in ORDER come last, before the changelog."""
    key = _key(slug)
    return slug == CHANGES, ORDER.index(key) if key in ORDER else len(ORDER), slug


def _text(data: bytes) -> str:
    # A wrong byte in a page of the organiser's costs that character alone.
    return data.removeprefix(BOM_UTF8).decode("utf-8", "replace")


def _title(text: str, slug: str) -> str:
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1].strip().replace("`", "") if found else slug.removeprefix(PAGES)


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Return the headings below the title."""
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            yield str(token.attrs["id"]), tokens[place + 1].content.replace("`", "")


def _heading_id(text: str, ids: dict[str, int]) -> str:
    """Return the id of a heading, generated as other Markdown renderers do."""
    plain = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    ids[plain] = ids.get(plain, -1) + 1
    return f"{plain}-{ids[plain]}" if ids[plain] else plain


def _rewrite_links(children: list[Token], slug: str, known: set[str]) -> None:
    closing = []
    for child in children:
        if child.type == "link_open":
            href = _target(str(child.attrs.get("href", "")), slug, known)
            closing.append(href)
            if href is None:
                child.tag, child.attrs = "span", {}
            else:
                child.attrs["href"] = href
                if urlsplit(href).scheme:
                    child.attrs["rel"] = "noopener noreferrer"
        elif child.type == "image":  # no page has files of its own: its description is left
            child.type, child.tag, child.attrs = "text", "", {}
        elif child.type == "link_close" and closing and closing.pop() is None:
            child.tag = "span"


def _target(href: str, slug: str, known: set[str]) -> str | None:
    """Return the site's URL for a link in a document, or None if it leads to no page."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc:
        return href if parts.scheme in _OUTSIDE else None
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    if not parts.path:
        return fragment or None
    here = "" if slug == CHANGES else f"docs/{slug}"
    path = posixpath.normpath(posixpath.join(posixpath.dirname(here), unquote(parts.path)))
    page = path.removeprefix("docs/").removesuffix(".md")
    return f"/docs/{quote(page)}{fragment}" if page in known and path.endswith(".md") else None
