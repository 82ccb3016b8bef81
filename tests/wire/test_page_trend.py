"""The page for bot authors is true: its examples come from games, its bot plays."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import parse
from croupier.dialects.base import Answer
from croupier.dialects.tokens import MAX_PRIVATE_NAME, token_of
from croupier.dialects.trend.ranker import MESSAGES, ROYAL_FLUSH, hand_number
from croupier.dialects.trend.reader import MAX_MESSAGE, Action, Join, Reload, decide
from croupier.dialects.trend.reader import parse as parse_message
from croupier.dialects.trend.session import CLOSE_CODES
from croupier.rules.decisions import Options
from croupier.rules.sets import TREND
from croupier.server.net.client import MAX_STRAY
from croupier.server.net.door import TIME_TO_SPEAK
from croupier.server.net.websocket import PING_AFTER
from tests.support.hosting import HostProcess
from tests.wire.compare_trend import KEYS, KINDS
from tests.wire.trend_hands import KICK, number_of
from tests.wire.trend_messages import DATA, checked
from tests.wire.trend_page import page_messages

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocols" / "trend.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
FILES: dict[str, str] = dict(re.findall(r"\*(\w+)\* is `([\w/.]+)`", PAGE))
STATEMENTS = re.findall(r"^\| D(\d+) \| (.*?) \| (\w+): `(\w+)` \|$", PAGE, re.M)
FACING = Options(50, 50, 101, 2000, "raise", True, True, True, 0)
FREE = Options(0, 0, 20, 2000, "bet", True, True, True, 0)


@pytest.fixture(scope="module")
def sent() -> list[bytes]:
    """Everything that alice hears in the games of the page."""
    return page_messages()


def compact(text: str) -> bytes:
    return json.dumps(json.loads(text), separators=(",", ":")).encode()


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: json.loads(text)["eventName"])
def test_each_example_is_a_message_of_a_game(text: str, sent: list[bytes]) -> None:
    assert compact(text) in sent
    checked(compact(text))


def test_every_event_has_an_example() -> None:
    assert {json.loads(text)["eventName"] for text in EXAMPLES} == set(DATA)


def indented(title: str) -> list[str]:
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    section = re.sub(r"^```.*?^```$", "", section, flags=re.M | re.S)
    return re.findall(r"^ {4,6}(\{.*\})$", section, re.M)


def test_the_messages_to_send_are_understood() -> None:
    (join,) = indented("Joining")
    assert parse_message(join.encode()) == Join("alice")
    (reload,) = indented("Chips")
    assert parse_message(reload.encode()) == Reload()
    answers = indented("Your answer")
    assert len(answers) == 6
    for line in answers:
        action = parse_message(line.encode())
        assert isinstance(action, Action)
        word = action.data["action"]
        free = word in ("bet", "check")
        made = decide(action, FREE if free else FACING, 0 if free else 100, 0, 20)
        assert isinstance(made, Answer)
        assert made.correction == ""


def test_the_tokens_of_the_page_are_those_of_the_names() -> None:
    for name in ("alice", "bob", "carol"):
        assert token_of(name) in PAGE
    exec(next(program for program in PROGRAMS if "hashlib" in program), {})


def test_the_numbers_on_the_page_are_those_of_the_program() -> None:
    for number in (
        f"{TREND.decision_ms // 1000} s for each answer",
        f"has {TREND.absence_ms // 1000} s to rejoin",
        f"window, {TREND.reload_ms // 1000} s before",
        f"start with {TREND.stack} chips; blinds are {TREND.small_blind} and {TREND.big_blind}",
        f"buy {TREND.stack} chips at a time",
        f"after {TREND.hands} rounds",
        f"or {TREND.registration_s} s after the table was opened",
        f"does so after {TREND.closing_s} s",
        f"none arrived within {TIME_TO_SPEAK:g} s",
        f"pings after {PING_AFTER:g} s",
        f"more than {MAX_MESSAGE // 1024} KiB",
        f"or {MAX_STRAY} unsolicited messages",
        f"up to {MAX_PRIVATE_NAME} characters",
        f"2 to {TREND.max_seats} players",
    ):
        assert number in PAGE, number
    assert (TREND.reloads, TREND.verb_cap, TREND.countdown_s) == (2, 4, 3)
    codes = re.findall(r"^\| (\d{4}) \|", PAGE, re.M)
    assert [int(code) for code in codes] == sorted(CLOSE_CODES.values())


def test_the_table_of_hand_numbers_has_every_message_and_kicker() -> None:
    section = PAGE.split("## Hand numbers\n")[1].split("\n## ")[0]
    assert re.findall(r"^\| `([\w ]+)`", section, re.M) == [*MESSAGES, ROYAL_FLUSH]
    for rank, value in KICK.items():
        assert re.search(rf"\b{rank} {f'{value:.4f}'.lstrip('0').rstrip('0').rstrip('.') or 0}\b",
                         section), rank  # fmt: skip
    cards = ["AS", "2H", "3D", "4C", "5S", "9H", "9D"]
    assert hand_number([parse(card) for card in cards]) == number_of(cards) == (113, "Straight")


def test_the_differences_of_the_page_are_those_of_the_comparison() -> None:
    section = PAGE.split("for these deliberate choices:\n")[1].split("\nIt also")[0]
    assert re.findall(r"^- (.*)$", section, re.M) == [*KEYS, *KINDS]


def test_the_statements_are_numbered_without_a_gap() -> None:
    assert [int(number) for number, *_ in STATEMENTS] == list(range(1, len(STATEMENTS) + 1))
    assert len(STATEMENTS) == PAGE.count("\n| D")


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda row: f"D{row[0]}")
def test_every_statement_names_a_test_that_exists(statement: tuple[str, str, str, str]) -> None:
    _, _, short, name = statement
    source = (ROOT / FILES[short]).read_text("utf-8")
    assert re.search(rf"^def {name}\(", source, re.M)


def test_the_bot_of_the_page_plays_to_the_end() -> None:
    program = next(program for program in PROGRAMS if "connect(" in program)
    arguments = ["--rules", "trend", "--listen", "trend:0", "--seats", "2", "--bot", "CallAgent"]
    arguments += ["--hands", "2", "--once", "--json", "--set", "countdown_s=0"]
    with HostProcess(*arguments, "--set", "reload_ms=0") as host:
        port = host.wait_for(r"listening: trend [\d.]+:(\d+)").group(1)
        exec(program.replace("3000", port), {})
        result: dict[str, Any] = host.result()
    seat = next(seat for seat in result["seats"] if seat["dialect"] == "trend")
    assert (seat["timeouts"], seat["faults"], result["hands"]) == (0, 0, 2)
