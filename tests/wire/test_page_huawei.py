"""The page for bot authors is true: its examples come from games, its bot plays."""

import re
import socket
import threading
from pathlib import Path

import pytest

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.dialect import MAX_GAP_MS
from croupier.dialects.huawei.reader import (
    MAX_NAME,
    MAX_PID_DIGITS,
    MAX_UNREAD,
    SILENCE,
    decide,
    parse_registration,
)
from croupier.dialects.huawei.session import MAX_STRAY
from croupier.dialects.registry import DIALECTS
from croupier.rules.decisions import Options
from croupier.rules.sets import HUAWEI
from croupier.server.net.door import TIME_TO_SPEAK
from croupier.server.net.tcp import MAX_UNSENT
from tests.wire.huawei_game import FOLDER, Game, replayed

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocols" / "huawei.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```([a-z-]+)\n(.*?)^```$", PAGE, re.M | re.S)
MESSAGES = [(kind, text) for kind, text in EXAMPLES if kind != "python"]
FILES: dict[str, str] = dict(re.findall(r"\*(\w+)\* is `([\w/.]+)`", PAGE))
STATEMENTS = re.findall(r"^\| D(\d+) \| (.*?) \| (\w+): `(\w+)` \|$", PAGE, re.M)
FACING = Options(50, 50, 200, 2000, "raise", True, True, True, 0)
FREE = Options(0, 0, 200, 2000, "raise", True, True, True, 0)


def games() -> list[Game]:
    return [replayed(path.read_text("ascii"))[1] for path in sorted(FOLDER.glob("*.txt"))]


@pytest.fixture(scope="module")
def sent() -> set[bytes]:
    """Everything that the games of the tests send."""
    return {message for game in games() for row in game.sent.values() for message in row}


@pytest.mark.parametrize(("kind", "text"), MESSAGES)
def test_each_example_is_a_message_of_a_game(kind: str, text: str, sent: set[bytes]) -> None:
    message = "".join(f"{line} \n" for line in text.splitlines()).encode("ascii")
    assert message in sent
    assert text.startswith(kind)


def test_every_kind_of_message_has_an_example(sent: set[bytes]) -> None:
    kinds = {re.split(rb"[/ ]", message)[0].decode("ascii") for message in sent}
    assert {kind for kind, _ in MESSAGES} == kinds


def indented(title: str) -> list[str]:
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"^    (.*)$", section, re.M)


def test_the_registrations_and_answers_shown_are_understood() -> None:
    for line in indented("Registration"):
        assert not isinstance(parse_registration(line.encode("ascii")), Illegal)
    answers = indented("Your answer")
    assert len(answers) == 5
    for line in answers:
        made = decide(line.encode("ascii"), FREE if line == "check" else FACING, 100)
        assert isinstance(made, Answer)
        assert made.correction == ""


def test_a_raise_costs_what_the_page_says() -> None:
    assert "if the bet is 100 and you have put in 50, it costs\nyou 250" in PAGE
    made = decide(b"raise 200", FACING, 100)
    assert isinstance(made, Answer)
    assert made.decision.to - 50 == 250


def test_the_numbers_on_the_page_are_those_of_the_program() -> None:
    for number in (
        f"{HUAWEI.decision_ms} ms for each answer",
        f"jetton ({HUAWEI.stack})",
        f"money ({HUAWEI.reserve})",
        f"last hand ({HUAWEI.hands})",
        f"after {HUAWEI.registration_s} s",
        f"after {HUAWEI.closing_s} s",
        f"{1000 * SILENCE:.0f} ms of silence",
        f"{MAX_UNREAD // 1024} KiB without the end",
        f"{MAX_STRAY // 1024} KiB of unsolicited input",
        f"up to {MAX_NAME} printable",
        f"up to {MAX_PID_DIGITS} digits",
        f"at least {DIALECTS['huawei'].gap_ms} ms apart",
        f"from 0 to {MAX_GAP_MS} ms",
        f"within {TIME_TO_SPEAK:g} s",
        f"more than {MAX_UNSENT // 1024} KiB unread",
    ):
        assert number in PAGE, number
    assert HUAWEI.max_timeouts == 10


def test_the_statements_are_numbered_without_a_gap() -> None:
    assert [int(number) for number, *_ in STATEMENTS] == list(range(1, len(STATEMENTS) + 1))
    assert len(STATEMENTS) == PAGE.count("\n| D")


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda row: f"D{row[0]}")
def test_every_statement_names_a_test_that_exists(statement: tuple[str, str, str, str]) -> None:
    _, _, short, name = statement
    source = (ROOT / FILES[short]).read_text("utf-8")
    assert re.search(rf"^def {name}\(", source, re.M)


def test_the_bot_of_the_page_answers_each_inquire_and_ends_with_game_over() -> None:
    program = next(text for kind, text in EXAMPLES if kind == "python")
    messages = replayed((FOLDER / "two_players.txt").read_text("ascii"))[1].messages_to("1001")
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, connection.makefile("rb") as lines:
                heard.append(lines.readline())
                for message in messages:
                    connection.sendall(message)
                    if message.startswith(b"inquire/"):
                        heard.append(lines.readline())
                heard.append(lines.read())

        server = threading.Thread(target=serve)
        server.start()
        exec(program.replace("6000", str(port)), {})
        server.join(30)
    inquiries = sum(message.startswith(b"inquire/") for message in messages)
    assert heard == [b"reg: 1001 mybot \n", *[b"check \n"] * inquiries, b""]
