"""The pages: shells that escape everything, documents whose links lead somewhere."""

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import pytest
from sqlalchemy import Engine

from croupier.rules.sets import PLAIN
from croupier.store.schema import open_store
from croupier.web.http.documents import ABOUT, Documents
from croupier.web.http.headers import POLICY
from tests.web.siting import LiveGame, SiteProcess, wait_for

UGLY = '<script>alert("x")</script>'
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages") / "pages.db"


@pytest.fixture(scope="module")
def site(store: Path) -> Iterator[SiteProcess]:
    engine: Engine = open_store(str(store))
    with SiteProcess(store, feed=True) as site:
        game = LiveGame(
            site,
            engine,
            replace(PLAIN, hands=2),
            ["CallAgent", "RuleAgent"],
            "ugly",
            table=UGLY,
            names=[UGLY, "b"],
            match_id="<i>m",
        )
        game.begin()
        while game.step():
            pass
        game.end()
        yield site
    engine.dispose()


class Links(HTMLParser):
    """Collects what a page links to, its ids, and whatever the policy would refuse."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.refused: list[str] = []
        self.scripts = 0
        self.headings = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        if tag in ("a", "link") and "href" in values:
            self.links.append(values["href"])
        if "id" in values:
            self.ids.add(values["id"])
        self.refused += [key for key in values if key == "style" or key.startswith("on")]
        if tag == "script":
            self.scripts += 1
            if not values.get("src", "").startswith("/static/"):
                self.refused.append("inline script")
        if tag == "style":
            self.refused.append("style")
        self.headings += tag == "h1"


LIVE = f"/live/{quote(UGLY)}"
PAGES = ("/", "/live", LIVE, f"{LIVE}?screen=1", "/games", "/players", "/docs", "/tools")


@pytest.mark.parametrize("page", [*PAGES, f"/games/{quote('<i>m')}"])
def test_a_page_is_a_shell_that_the_policy_allows(site: SiteProcess, page: str) -> None:
    answer = site.client.get(page)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == POLICY
    found = Links(answer.text)
    assert found.refused == []
    assert found.scripts == 1
    assert found.headings == 1
    assert "main" in found.ids
    assert UGLY not in answer.text
    assert "<i>" not in answer.text


@pytest.mark.parametrize(
    "page",
    [
        "/nothing",
        f"/games/{quote(UGLY)}",
        f"/docs/{quote(UGLY)}",
        "/docs/../x",
        "/live/nope",
        f"/live/{quote(UGLY)}x?screen=1",
    ],
)
def test_what_is_not_there_is_a_friendly_page(site: SiteProcess, page: str) -> None:
    answer = site.client.get(page)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    found = Links(answer.text)
    assert found.refused == []
    assert "/" in found.links
    assert UGLY not in answer.text


def test_names_are_data_in_the_api(site: SiteProcess) -> None:
    answer = site.client.get(f"/api/v1/tables/{quote(UGLY, safe='')}")
    assert answer.headers["content-type"] == "application/json"
    names = [seat["name"] for seat in answer.json()["scene"]["seats"]]
    assert sorted(names) == sorted([UGLY, "b"])
    wait_for(site, "/players", lambda found: UGLY in [one["name"] for one in found["items"]])


def test_a_name_that_a_spreadsheet_would_run_is_text(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "x.db"))
    with SiteProcess(tmp_path / "x.db", feed=True) as site:
        rules = replace(PLAIN, hands=1)
        bots = ["CallAgent", "CallAgent"]
        names = ["=cmd()", "b"]
        game = LiveGame(site, engine, rules, bots, "s", names=names, match_id="m")
        game.begin()
        while game.step():
            pass
        game.end()
        text = site.client.get("/api/v1/matches/m/results.csv").text
        assert ",'=cmd()," in text
    engine.dispose()


def test_every_document_is_a_page_and_every_link_in_it_leads_somewhere(site: SiteProcess) -> None:
    documents = Documents(ROOT / "docs")
    on_disk = {str(file.relative_to(ROOT / "docs"))[:-3] for file in (ROOT / "docs").rglob("*.md")}
    assert set(documents.slugs()) == on_disk | {"CHANGELOG"}
    pages: dict[str, Links] = {}

    def page(path: str) -> Links:
        if path not in pages:
            answer = site.client.get(path)
            assert answer.status_code == 200, path
            pages[path] = Links(answer.text)
        return pages[path]

    for slug in documents.slugs():
        path = f"/docs/{quote(slug)}"
        found = page(path)
        assert found.refused == []
        assert found.headings == 1
        for link in found.links:
            parts = urlsplit(urljoin(path, link))
            if parts.scheme or parts.path.startswith("/static/"):
                continue
            target = page(parts.path)
            assert not parts.fragment or parts.fragment in target.ids, (path, link)


def test_documents_come_in_the_order_in_which_one_reads_them(tmp_path: Path) -> None:
    (tmp_path / "protocols").mkdir()
    wanted = [
        "faq",
        "rules",
        "deals",
        "first-bot",
        "protocols/huawei",
        "protocols/room",
        "arena",
        "results",
        "commands",
        "a-new-one",
        "CHANGELOG",
    ]
    for slug in sorted(wanted):
        (tmp_path / f"{slug}.md").write_text(f"# {slug}\n")
    assert Documents(tmp_path).slugs() == wanted


def test_the_list_of_documents_says_what_is_in_each_and_has_translations_beside_their_original(
    site: SiteProcess,
) -> None:
    contents = Documents(ROOT / "docs").contents()
    assert {one.original for one in contents} == set(ABOUT)
    english = site.client.get("/docs").text
    assert ABOUT["first-bot"] in english
    assert '/docs/protocols/huawei.zh-CN" class="translation" lang="zh-CN">中文</a>' in english
    chinese = site.client.get("/docs", headers={"Accept-Language": "zh"}).text
    assert '/docs/protocols/huawei" class="translation" lang="en">English</a>' in chinese
    assert ABOUT["first-bot"] not in chinese


def test_beside_a_document_the_list_of_all_is_folded_up_where_it_stands_above(
    site: SiteProcess,
) -> None:
    text = site.client.get("/docs/web").text
    assert '<details class="docs above-text"><summary>' in text
    assert "<details" not in site.client.get("/docs").text
    assert text.count('<li><a href="#the-broadcast">The broadcast</a></li>') == 2


def test_html_in_a_document_is_text_and_unknown_links_are_no_links(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "# A `b`\n\n<script>x</script> [there](b.md#part) [out](../src/x.py) [js](javascript:x)"
        " [web](https://example.org)\n\n| a |\n|--:|\n| 1 |\n"
    )
    (tmp_path / "b.md").write_text("# B\n\n## Part\n\n## Part\n")
    documents = Documents(tmp_path)
    page = documents.page("a")
    assert page is not None
    assert page.title == "A b"
    assert "<script>" not in page.html
    found = Links(page.html)
    assert found.links == ["/docs/b#part", "https://example.org"]
    assert found.refused == []
    assert 'class="align-right"' in page.html
    other = documents.page("b")
    assert other is not None
    assert {"part", "part-1"} <= Links(other.html).ids
    assert documents.page("../a") is None


def test_pages_of_the_organiser_come_first_with_date_and_version(tmp_path: Path) -> None:
    docs, mine = tmp_path / "docs", tmp_path / "mine"
    docs.mkdir()
    mine.mkdir()
    (docs / "rules.md").write_text("# Rules\n")
    news = mine / "news 1.md"
    news.write_bytes(
        b"# N\xc3\xbcws\n\n[our rules](../rules.md) [q](q.md) ![plan](x.png) \xff<b>\n"
    )
    (mine / "q.md").write_text("without a heading")
    os.utime(news, (0, 86400))
    documents = Documents(docs, mine)
    assert documents.slugs() == ["pages/news 1", "pages/q", "rules"]
    assert [one.title for one in documents.contents()] == ["Nüws", "q", "Rules"]
    page = documents.page("pages/news 1")
    assert page is not None
    assert page.changed == 86400
    assert page.version == hashlib.sha256(news.read_bytes()).hexdigest()[:8]
    assert Links(page.html).links == ["/docs/rules", "/docs/pages/q"]
    assert "plan \ufffd&lt;b&gt;" in page.html
    (mine / "q.md").write_text("# Questions")
    assert documents.contents()[1].title == "Questions"


def test_a_page_of_the_organiser_says_which_version_it_is(tmp_path: Path) -> None:
    (tmp_path / "news.md").write_text("# News\n")
    version = hashlib.sha256(b"# News\n").hexdigest()[:8]
    with SiteProcess(pages=str(tmp_path)) as site:
        assert '<a href="/docs/pages/news">News</a>' in site.client.get("/docs").text
        assert f"version {version}" in site.client.get("/docs/pages/news").text


def test_addresses_of_files_lead_to_pages(site: SiteProcess) -> None:
    answer = site.client.get("/docs/protocols/huawei.md")
    assert answer.status_code == 308
    assert answer.headers["location"] == "/docs/protocols/huawei"


def test_static_files_may_be_kept(site: SiteProcess) -> None:
    answer = site.client.get("/static/css/site.css")
    assert answer.status_code == 200
    assert "max-age" in answer.headers["cache-control"]
    assert site.client.get("/static/../pages.py").status_code == 404
    assert site.client.get("/static/%2e%2e/pages.py").status_code == 404
    assert re.match(r"text/css", answer.headers["content-type"])
