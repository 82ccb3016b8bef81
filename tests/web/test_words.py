"""Every language is complete: catalogues have what the code says, and nothing else."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.contest.formats.knockout import round_label
from croupier.contest.formats.registry import FORMATS
from croupier.contest.formats.round_robin import all_meet
from croupier.contest.plan import RATE
from croupier.contest.standings import COUNTED, TIE_BREAKS
from croupier.dialects.registry import DIALECTS
from croupier.history.sentences import Sentence
from croupier.match.events import BROKE, TIMEOUTS, WITHDRAWN, PlayerOut
from croupier.rules.sets import ACPC_LEDUC, HUAWEI, KUHN, PLAIN, TREND
from croupier.web.http import pages
from croupier.web.http.documents import ABOUT, GROUPS
from croupier.web.http.words import ENGLISH, LANGUAGES, WORDS, catalogue, language_for
from croupier.web.live.schemas import TablePlayer
from croupier.web.live.table import LiveTable
from tests.store.recorded import Trouble, record_match
from tests.support.stages import planned
from tests.web.siting import SiteProcess

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
SCRIPTS = Path(pages.STATIC) / "js"
TEXT = r'"((?:[^"\\]|\\.)*)"'
T = re.compile(rf"(?<![\w.])t\(\s*{TEXT}")
TN = re.compile(rf"(?<![\w.])tn\([^\"]*?{TEXT},\s*{TEXT}")
CALLS = re.compile(r"(?<![\w.])tn?\(")
NAMES = re.compile(r"\{(\w+)\}")


def scripts() -> Iterator[tuple[Path, str]]:
    for file in sorted(SCRIPTS.glob("*.js")):
        yield file, file.read_text("utf-8")


def said_by_scripts() -> set[str]:
    found = set()
    for _, text in scripts():
        found |= {json.loads(f'"{one}"') for one in T.findall(text)}
        found |= {json.loads(f'"{many}"') for _, many in TN.findall(text)}
    return found


def said_by_pages() -> set[str]:
    """Return the texts of shells, of the bar and of error pages."""
    found = {label for _, _, label in pages.NAVIGATION}
    found |= {title for title, _ in GROUPS} | set(ABOUT.values())
    found |= {pages.IN_THE_API, pages.LIVE_IN_THE_API, pages.REPLAY_IN_THE_API, pages.NO_TABLE}
    for node in ast.walk(ast.parse(Path(pages.__file__).read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id == "Shell":
            found |= set(_constants(node.args[1:3]))
        elif node.func.id == "words":
            found |= set(_constants(node.args[:1]))
    return found | set(pages.ERROR_TITLES.values()) | set(pages.SENTENCES)


def _constants(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("language", OTHERS)
def test_no_entry_is_missing_and_none_is_unused(language: str) -> None:
    assert set(catalogue(language)) == said_by_scripts() | said_by_pages()


@pytest.mark.parametrize("kind", ["json", "sentences.json"])
@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_uses_the_names_of_the_original(language: str, kind: str) -> None:
    texts = json.loads((WORDS / f"{language}.{kind}").read_text("utf-8"))
    for text, translation in texts.items():
        assert set(NAMES.findall(translation)) == set(NAMES.findall(text)), text
        assert translation


def test_every_text_of_a_script_is_a_literal() -> None:
    for file, text in scripts():
        if file.name == "words.js":  # which has the functions themselves
            continue
        found = len(T.findall(text)) + len(TN.findall(text))
        assert len(CALLS.findall(text)) == found, file.name


CHINESE = r"[\u3400-\u9fff]"
ASCII_MARK = re.compile(rf"{CHINESE}\s*[,.;:!?](?![\w])|, |\. |\.$")


@pytest.mark.parametrize("kind", ["json", "sentences.json"])
def test_chinese_sentences_have_chinese_commas_and_full_stops(kind: str) -> None:
    texts = json.loads((WORDS / f"zh.{kind}").read_text("utf-8"))
    assert [text for text in texts.values() if ASCII_MARK.search(text)] == []


JOINED = re.compile(
    r'join\("[,.;:] "\)|`[,.;:] \$\{|\}[,.;:] \$\{|[?:] "[,.;:] "|(?<!\()"[,.;:] ?"(?=[,\]])'
)


def test_scripts_take_the_marks_between_phrases_from_the_catalogue() -> None:
    assert {
        file.name: JOINED.findall(text) for file, text in scripts() if JOINED.search(text)
    } == {}


PARTS = {"n": r"[\d,]+", "m": r"[\d,]+", "cards": "[2-9TJQKAcdhs ]+"}


def forms(language: str) -> list[re.Pattern[str]]:
    """Return the forms of sentences, as words.js reads them."""
    texts = json.loads((WORDS / f"{language}.sentences.json").read_text("utf-8"))
    return [
        re.compile(
            NAMES.sub(
                lambda name: f"({PARTS.get(name[1], '.+')})",
                re.sub(r"[.*+?^$()|\[\]\\]", r"\\\g<0>", form),
            ),
            re.DOTALL,
        )
        for form in texts
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_what_home_says_about_a_protocol_has_a_form(language: str) -> None:
    texts = json.loads((WORDS / f"{language}.sentences.json").read_text("utf-8"))
    assert {dialect.about for dialect in DIALECTS.values()} <= set(texts)


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_standing_goes_by_has_a_form(language: str) -> None:
    texts = json.loads((WORDS / f"{language}.sentences.json").read_text("utf-8"))
    said = set(TIE_BREAKS.values()) | set(COUNTED.values())
    for name, format in FORMATS.items():
        said |= {format.ordered_by(planned(name)), format.score_counts(planned(name))}
    assert said - set(texts) == {COUNTED[RATE]}  # the same in all languages


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("fixtures", [1, 2, 4, 8, 16])
def test_every_round_of_a_knockout_has_a_form(language: str, fixtures: int) -> None:
    said = round_label(fixtures, 1)
    assert any(form.fullmatch(said) for form in forms(language)[:-1]), said


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("teams", "seats"), [(4, 2), (7, 3), (7, 4), (9, 4), (10, 6)])
def test_how_often_teams_meet_has_a_form(language: str, teams: int, seats: int) -> None:
    for times in (1, 2, 3):
        stage = replace(planned("round-robin"), seats=seats, times=times)
        _, said = all_meet([f"T{n}" for n in range(teams)], stage)
        assert any(form.fullmatch(said) for form in forms(language)), said


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_about_a_hand_has_a_form(language: str, tmp_path: Path) -> None:
    store = tmp_path / "words.db"
    trouble = Trouble(late=20, nonsense=20, gone=10)
    bots = ["RuleAgent", "RandomAgent", "CallAgent", "AllinAgent"]
    for rules in (PLAIN, HUAWEI, TREND):
        record_match(
            store, rules.with_fields({"hands": 15}), bots, "words", trouble, match_id=rules.name
        )
    for rules in (KUHN, ACPC_LEDUC):
        record_match(
            store, rules.with_fields({"hands": 15}), bots[:2], "words", match_id=rules.name
        )
    known = forms(language)
    with SiteProcess(store) as site:
        for match in (PLAIN.name, HUAWEI.name, TREND.name, KUHN.name, ACPC_LEDUC.name):
            for hand in range(1, site.get(f"/matches/{match}")["match"]["hands"] + 1):
                for frame in site.get(f"/matches/{match}/hands/{hand}")["frames"]:
                    said = Sentence("hand", frame["text"]).text
                    assert any(form.fullmatch(said) for form in known[:-1]), said


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_live_table_says_of_itself_has_a_form(language: str) -> None:
    table = LiveTable("main")
    players = [TablePlayer("Ada", "house"), TablePlayer("Bo", "house")]
    table.open("first", PLAIN, 2, players)
    table.resume("second", PLAIN, players, None, [True, True], returning=False)
    table.see(PlayerOut(1, BROKE, 0), 0.0)
    table.see(PlayerOut(0, WITHDRAWN, 1), 0.0)
    table.skipped()
    known = forms(language)
    assert len(table.newest_lines) == 7
    for line in table.newest_lines:
        assert any(form.fullmatch(line.text) for form in known), line.text
    texts = json.loads((WORDS / f"{language}.sentences.json").read_text("utf-8"))
    assert {BROKE, TIMEOUTS, WITHDRAWN} <= set(texts)


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("", "en-GB,en;q=0.9,zh;q=0.8", "en"),
        ("", "de,zh-TW;q=0.5,en;q=0.4", "zh"),
        ("", "fr;q=x,;;,zh;q=oops", "zh"),
        ("en", "zh-CN", "en"),
        ("zh", "en", "zh"),
        ("<script>", "en", "en"),
    ],
)
def test_a_reader_gets_what_it_chose_or_accepts_first(
    cookie: str, accepted: str, language: str
) -> None:
    assert language_for(cookie, accepted) == language


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_wrong_token_is_answered_with_has_a_form(language: str) -> None:
    known = forms(language)
    with SiteProcess(admin_token="the token of a test") as site:
        for status in (403, 429):
            answer = site.client.post(
                "/api/v1/admin/login", json={"token": "wrong"}, headers={"X-Croupier": "1"}
            )
            assert answer.status_code == status
            said = answer.json()["error"]
            assert any(form.fullmatch(said) for form in known), said


def test_a_page_is_in_the_language_that_the_browser_asks_for(tmp_path: Path) -> None:
    with SiteProcess() as site:
        page = site.client.get("/players", headers={"accept-language": "zh-CN"}).text
        assert '<html lang="zh">' in page
        assert ">选手</a>" in page
        missing = site.client.get("/nothing", headers={"accept-language": "zh"})
        assert "此地址没有内容" in missing.text
        named = site.client.get("/play/nowhere", headers={"accept-language": "zh"})
        assert "此地址没有内容" in named.text
        assert "nowhere" in site.client.get("/play/nowhere").text
        dark = site.client.get("/players", headers={"cookie": "croupier_theme=dark"}).text
        assert '<html lang="en" data-theme="dark">' in dark
        odd = site.client.get("/players", headers={"cookie": 'croupier_theme="><b>'}).text
        assert '<html lang="en">' in odd
