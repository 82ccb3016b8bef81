"""The project's documents as HTML: Markdown in which HTML is switched off.

Links between documents lead to their pages; a link to a file that is no page becomes plain text.
Nothing carries a style attribute, which the site's own policy would refuse.
"""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

CHANGES = "CHANGELOG"

ORDER = (
    "first-bot",
    "rules",
    "faq",
    "protocols/",
    "mixed",
    "check",
    "arena",
    "players",
    "web",
    "results",
    "deals",
    "records",
    "commands",
    "api",
    "acknowledgements",
)
"""As one reads them: how to begin, what is played, how to talk, to organise, to look things up."""

_OUTSIDE = ("http", "https", "mailto")


@dataclass(frozen=True)
class Document:
    """A page: its place in the address, its title, its text as HTML."""

    slug: str
    title: str
    html: str


class Documents:
    """All documents; each is read when it is asked for, so that a change shows at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._markdown = MarkdownIt("commonmark", {"html": False}).enable(["table"])

    def slugs(self) -> list[str]:
        """Return the places of all documents, in the order in which one reads them."""
        return sorted(self._files(), key=_rank)

    def contents(self) -> list[Document]:
        """Return all documents in order, with their titles alone."""
        files = self._files()
        return [
            Document(slug, _title(files[slug].read_text("utf-8"), slug), "")
            for slug in self.slugs()
        ]

    def page(self, slug: str) -> Document | None:
        """Return one document."""
        file = self._files().get(slug)
        if file is None:
            return None
        text = file.read_text("utf-8")
        tokens = self._markdown.parse(text)
        self._prepare(tokens, slug)
        html = self._markdown.renderer.render(tokens, self._markdown.options, {})
        return Document(slug, _title(text, slug), html)

    def _files(self) -> dict[str, Path]:
        # Only what is listed is served: no part of an address becomes part of a path.
        files = {file.stem: file for file in self._folder.glob("*.md")}
        files |= {f"protocols/{file.stem}": file for file in self._folder.glob("protocols/*.md")}
        for changes in (self._folder / "CHANGELOG.md", self._folder.parent / "CHANGELOG.md"):
            if changes.is_file():
                files[CHANGES] = changes
                break
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
                _lead_links(token.children, slug, known)


def _rank(slug: str) -> tuple[bool, int, str]:
    """Return what sorts documents; those that ORDER does not know come before the changes."""
    folder, slash, _ = slug.rpartition("/")
    key = folder + slash or slug
    return slug == CHANGES, ORDER.index(key) if key in ORDER else len(ORDER), slug


def _title(text: str, slug: str) -> str:
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1].strip().replace("`", "") if found else slug


def _heading_id(text: str, ids: dict[str, int]) -> str:
    """Return the id of a heading, made as other readers of Markdown make it."""
    plain = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    ids[plain] = ids.get(plain, -1) + 1
    return f"{plain}-{ids[plain]}" if ids[plain] else plain


def _lead_links(children: list[Token], slug: str, known: set[str]) -> None:
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
        elif child.type == "link_close" and closing and closing.pop() is None:
            child.tag = "span"


def _target(href: str, slug: str, known: set[str]) -> str | None:
    """Return where a link of a document leads on the site."""
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
