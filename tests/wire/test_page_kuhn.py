"""The page for bot authors is true: its conversations are played, its bots play."""

import re
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.bots import KUHN_BOTS
from croupier.bots.kuhn import (
    BET_AFTER_CHECK,
    BET_INTO,
    CHECKED_TO,
    DEFAULT_ALPHA,
    OPENING,
    bet_probability,
)
from croupier.cards import parse
from croupier.cli.listen_option import parse_listen
from croupier.cli.main import main
from croupier.dialects.kuhn import words
from croupier.dialects.kuhn.messages import Start
from croupier.dialects.kuhn.reader import MAX_UNREAD, SILENCE, KuhnReader
from croupier.dialects.kuhn.session import MAX_QUEUED
from croupier.dialects.kuhn.start import MAX_DIGITS
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.rules.sets import KUHN
from croupier.server.net.tcp import MAX_UNSENT
from tests.server.test_kuhn import TABLE
from tests.support.hosting import PATIENCE
from tests.support.kuhning import Caller, KuhnHost, coins, hang_up, seat_of_client

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocols" / "kuhn.md").read_text("utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)
FILES: dict[str, str] = dict(re.findall(r"\*(\w+)\* is `([\w/.]+)`", PAGE))
STATEMENTS = re.findall(r"^\| D(\d+) \| (.*?) \| (\w+): `(\w+)` \|$", PAGE, re.M)


@pytest.fixture(autouse=True)
def _nobody_stays() -> Iterator[None]:
    yield
    hang_up()


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def rows(text: str, columns: int) -> list[list[str]]:
    """Return the rows of the tables with so many columns, without their headings."""
    found: list[list[str]] = []
    for table in re.findall(r"(?:^\|.*\|\n?)+", text, re.M):
        lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
        if len(lines[0]) == columns:
            found += lines[2:]
    return found


def meant(line: str) -> bytes:
    r"""Return the bytes that the page means: `\n` is a newline, `<00000014>` four bytes."""
    data = line.encode("ascii").replace(b"\\n", b"\n")
    return re.sub(rb"<([0-9a-f]{8})>", lambda match: bytes.fromhex(match[1].decode()), data)


# The spellings.


def test_the_messages_of_the_table_are_those_of_the_speaker() -> None:
    jack, queen = parse("Jc"), parse("Qc")
    spoken = {
        "stakes": {spelling: words.stakes(spelling, 20, 20) for spelling in (TEXT, BINARY)},
        "dealer": {spelling: words.dealer(spelling, False) for spelling in (TEXT, BINARY)},
        "card": {spelling: words.card(spelling, jack) for spelling in (TEXT, BINARY)},
        "showdown": {spelling: words.show(spelling, queen) for spelling in (TEXT, BINARY)},
        "error": {spelling: words.error(spelling, "W_S") for spelling in (TEXT, BINARY)},
        "all others": {spelling: words.action(spelling, "CHCK") for spelling in (TEXT, BINARY)},
    }
    seen = {}
    for what, text, binary, size in rows(section("Two spellings"), 4):
        as_text, as_binary = meant(text.strip("`")), meant(binary.strip("`"))
        assert int(size) == len(as_binary)
        if what == "you":
            for data, spelling in ((as_text, TEXT), (as_binary, BINARY)):
                reader = KuhnReader()
                assert reader.receive(data) == [Start(77432)]
                assert reader.spelling == spelling
        else:
            seen[what] = {TEXT: as_text, BINARY: as_binary}
    assert seen == spoken


def test_the_pinned_listeners_of_the_page_are_understood() -> None:
    found = re.findall(r"--listen (\S+)", PAGE.replace("`", " "))
    settings = [parse_listen(text).options for text in found]
    assert {options.get("spelling") for options in settings} == {None, TEXT, BINARY}
    assert any(options.get("error_text") for options in settings)


def test_a_binary_id_looks_like_text_only_above_500_million() -> None:
    assert "only above 500 million" in " ".join(PAGE.split())
    for number in (1, 77432, 499_999_999):
        reader = KuhnReader()
        assert reader.receive(b"STRT " + struct.pack(">i", number)) == [Start(number)]


def test_numbers_the_wrong_way_round_are_what_the_page_says() -> None:
    assert "`STRT <05000000>` is the id 83886080, and 20 coins read so are 335544320" in PAGE
    assert KuhnReader().receive(meant("STRT <05000000>")) == [Start(83886080)]
    assert int.from_bytes(words.stakes(BINARY, 20, 20)[5:9], "little") == 335544320


# What is said.


@pytest.mark.parametrize("spelling", [TEXT, BINARY])
def test_the_conversation_of_the_page_is_played_to_the_letter(spelling: str) -> None:
    (lines,) = (text.splitlines() for kind, text in BLOCKS if kind == spelling)
    assert "what you see with `--seed 701`" in PAGE
    end = "\\n" if spelling == TEXT else ""
    with KuhnHost("--seed", "701") as host, Caller(host.port, spelling) as caller:
        expected = b""
        for line in lines:
            if line.startswith("S: "):
                expected += meant(line[3:] + end)
                continue
            while len(caller.heard) < len(expected):
                assert caller.next()
            assert caller.heard == expected
            caller.send(meant(line[3:] + end))
        caller.rest()
        assert caller.heard == expected
        assert host.result_of(77432)["hands"] == 3


def test_both_conversations_of_the_page_say_the_same() -> None:
    text, binary = (
        re.sub(r"<(\w{8})>", lambda match: str(int(match[1], 16)), block).replace("'", "")
        for kind, block in BLOCKS
        if kind in (TEXT, BINARY)
    )
    assert text == binary


def test_what_may_be_said_when_is_what_the_server_tests_have_seen() -> None:
    told = rows(section("The conversation"), 6)
    assert len(told) == 10
    for row, *answers in zip(told, *(state.items() for state in TABLE.values()), strict=True):
        for cell, (command, expected) in zip(row[1:], answers, strict=True):
            said = row[0].replace("STRT`, your id", "STRT` same").replace("`, another", "` other")
            assert command[:4] in said.replace("anything else", "XXXX")
            if isinstance(expected, tuple):
                assert cell in ("`STKS`", "a hand", "check", "bet", "call", "fold")
                assert (cell == "`STKS`") == (command[:4] == "STRT")
            elif expected:
                assert cell == f"`{expected}`"
            else:
                assert cell in ("closed", "fold, closed")


# Errors and common mistakes.


def test_the_codes_of_the_page_are_those_of_the_program() -> None:
    codes = [row[0].strip("`") for row in rows(section("Errors"), 2)]
    assert codes == [words.WRONG_ACTION, words.NO_COINS, words.WRONG_SYNTAX, words.WRONG_ID]
    (example,) = re.findall(r"^    (ERRO .*)$", section("Errors"), re.M)
    shown = words.error(TEXT, "W_S", "unknown command 'XXXX'", with_text=True)
    assert example.encode("ascii") + b"\n" == shown


class KeepingHost(KuhnHost):
    """A host that keeps transcripts, and has a second listener that explains its errors."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        super().__init__(
            *arguments, "--transcripts", str(folder), "--listen", "kuhn:0,error_text=true"
        )
        self.folder = folder
        self.explaining = self.next_port()

    def __enter__(self) -> "KeepingHost":
        return self


WHEN: dict[str, tuple[str, ...]] = {
    "between hands": ("--bot", "call"),
    "no bet yet": ("--bot", "call"),
    "facing a bet": ("--bot", "AllinAgent"),
    "no coin left": ("--bot", "call", "--set", "chips=1"),
    "the ante was the last": ("--bot", "call", "--set", "chips=1"),
    "before `STRT`": ("--bot", "call"),
    "5 is in a hand": ("--bot", "call"),
    "too long": ("--bot", "call", "--set", "decision_ms=200"),
}
UNHEARD = ("before `STRT`", "5 is in a hand")
"""When there is no match yet, and no transcript of it."""

MISTAKES = rows(section("Common mistakes"), 4)


@pytest.fixture(scope="module")
def hosts(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Mapping[tuple[str, ...], KeepingHost]]:
    """A host for each way to play that the mistakes need."""
    with ExitStack() as stack:
        opened = {}
        for arguments in sorted(set(WHEN.values())):
            folder = tmp_path_factory.mktemp("transcripts")
            opened[arguments] = stack.enter_context(KeepingHost(folder, *arguments))
        yield opened


def reach(caller: Caller, when: str) -> None:
    """Bring a client to where a mistake can be made."""
    caller.say("STRT 5")
    caller.next()
    if when == "between hands":
        return
    caller.say("ANOK")
    dealer = caller.next() == "DEAL 1"
    caller.next()
    if dealer:
        caller.hears("BET_" if when == "facing a bet" else "CHCK")
    if when == "no coin left" or (when == "facing a bet" and not dealer):
        caller.say("CHCK")
        while (caller.next() or "")[:4] not in ("BET_", "STKS"):
            pass


def test_every_mistake_of_the_page_can_be_made() -> None:
    assert {when for _, when, _, _ in MISTAKES} == set(WHEN)
    assert len(MISTAKES) == section("Common mistakes").count("`# ")


@pytest.mark.parametrize(
    ("said", "when", "answer", "line"), MISTAKES, ids=lambda cell: cell.strip("`")
)
def test_a_mistake_is_answered_and_noted_as_the_page_says(
    said: str,
    when: str,
    answer: str,
    line: str,
    hosts: Mapping[tuple[str, ...], KeepingHost],
) -> None:
    host = hosts[WHEN[when]]
    said, answer, line = said.strip("`"), answer.strip("`"), line.strip("`")
    if when in UNHEARD:
        with Caller(host.port) as first, Caller(host.explaining) as caller:
            if when == "5 is in a hand":
                first.say("STRT 5", "ANOK")
                first.hears("STKS 20 20")
                assert (first.next() or "")[:4] == "DEAL"
            caller.send(meant(said))
            code, _, explanation = line.removeprefix("# error ").partition(": ")
            text = f"{code} {explanation}"
            assert caller.rest() == f"ERRO {len(text):02}{text}\n".encode("ascii")
            assert f" {line}\n" in (host.folder / "refused-kuhn.log").read_text("utf-8")
            first.drop()
            if when == "5 is in a hand":
                host.result_of(5)
        return
    before = set(host.folder.iterdir())
    with Caller(host.port) as caller:
        reach(caller, when)
        if said != "nothing":
            caller.send(meant(said))
        heard = caller.rest()
        assert heard.endswith(b"" if said == "nothing" else f"ERRO {answer}\n".encode("ascii"))
    host.result_of(5)
    (transcript,) = set(host.folder.iterdir()) - before
    notes = re.findall(r"^[\d.]+ (# .*)$", transcript.read_text("utf-8"), re.M)
    assert line in notes


def test_the_log_of_the_server_has_the_words_of_the_transcript() -> None:
    with KuhnHost() as host:
        with Caller(host.port) as caller:
            caller.send(b"XXXX")
            assert caller.rest() == b"ERRO W_S\n"
        host.end()  # killed, it would not have written everything
        host.close()
        assert """reason="error W_S: unknown command 'XXXX'\"""" in host.log


def test_an_id_that_is_no_number_is_taken_for_binary() -> None:
    assert "`STRT five\\n` is taken for four bytes of binary" in PAGE
    reader = KuhnReader()
    assert reader.receive(b"STRT five\n") == [Start(int.from_bytes(b"five", "big"))]
    assert reader.spelling == BINARY


# The numbers.


def test_the_numbers_on_the_page_are_those_of_the_program() -> None:
    text = " ".join(PAGE.split())
    for number in (
        f"listens on 127.0.0.1:{parse_listen('kuhn').port}",
        f"{KUHN.ready_ms // 1000} s to send `STRT`, {KUHN.ready_ms // 1000} s for `ANOK`",
        f"{KUHN.decision_ms // 1000} s for each action",
        f"Both start with {KUHN.stack}",
        f"{1000 * SILENCE:.0f} ms of silence",
        f"more than {MAX_UNREAD} bytes without a command",
        f"up to {MAX_DIGITS} digits",
        f"more than {MAX_UNSENT // 1024} KiB unread",
        f"More than {MAX_QUEUED} commands that wait",
        f"at most {words.MAX_ERROR}:",
    ):
        assert number in text, number
    assert (KUHN.ante, KUHN.fixed_bet) == (1, 1)
    assert int.from_bytes(words.stakes(BINARY, 2**40, 0)[5:9], "big") == 2147483647
    assert "sent as 2147483647" in text


def test_the_commands_of_the_page_are_understood() -> None:
    commands = re.findall(r"^    croupier (play .*?)(?: +#.*)?$", PAGE, re.M)
    assert commands
    for command in commands:
        arguments = command.replace("10000", "100").split()
        assert CliRunner().invoke(main, arguments).exit_code == 0


# What the house is worth, by a walk through Kuhn's game that knows nothing of the program.

Strategy = Mapping[str, tuple[Fraction, ...]]
"""The chance of putting in a coin with J, Q and K, at each of the four turns."""

TURNS = {
    "it acts first": OPENING,
    "you have checked": CHECKED_TO,
    "you have bet": BET_INTO,
    "you have bet after its check": BET_AFTER_CHECK,
}
FIRST, CHECKED, BET, AFTER = TURNS
NEVER, ALWAYS, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
NASH: Strategy = {
    turn: tuple(map(Fraction, chances)) for turn, *chances in rows(section("The house"), 4)
}
HOUSES: dict[str, Strategy] = {
    "nash": NASH,
    "random": dict.fromkeys(TURNS, (HALF, HALF, HALF)),
    "call": {turn: (ALWAYS if turn in (BET, AFTER) else NEVER,) * 3 for turn in TURNS},
}
BOT_OF_THE_PAGE: Strategy = dict.fromkeys(TURNS, (NEVER, NEVER, ALWAYS))
DEALS = list(permutations(range(3), 2))


def won_by_first(deal: tuple[int, int], first: Strategy, second: Strategy) -> dict[int, Fraction]:
    """Return what the first player wins with a deal, and how likely."""
    one, two = deal
    higher = 1 if one > two else -1
    bets, called = first[FIRST][one], second[BET][two]
    bet_at, calls = second[CHECKED][two], first[AFTER][one]
    chances = dict.fromkeys((-2, -1, 1, 2), NEVER)
    chances[2 * higher] += bets * called + (1 - bets) * bet_at * calls
    chances[1] += bets * (1 - called)
    chances[higher] += (1 - bets) * (1 - bet_at)
    chances[-1] += (1 - bets) * bet_at * (1 - calls)
    assert sum(chances.values()) == 1
    return chances


def worth(first: Strategy, second: Strategy, power: int = 1) -> Fraction:
    """Return what the first player wins on average."""
    total = Fraction(0)
    for deal in DEALS:
        chances = won_by_first(deal, first, second)
        total += sum((coins**power * chance for coins, chance in chances.items()), Fraction(0))
    return total / len(DEALS)


def pure_strategies() -> Iterator[Strategy]:
    """Every way to play without chance, as either player."""
    for bets, calls in product(product((NEVER, ALWAYS), repeat=3), repeat=2):
        yield {FIRST: bets, CHECKED: bets, BET: calls, AFTER: calls}


def test_the_strategy_of_nash_is_that_of_the_program() -> None:
    for turn, history in TURNS.items():
        chances = [bet_probability(card, history, DEFAULT_ALPHA) for card in "JQK"]
        assert list(NASH[turn]) == chances
    assert list(HOUSES) == list(KUHN_BOTS)
    assert all(f"- `{name}`" in PAGE for name in KUHN_BOTS)


def test_the_houses_are_worth_what_the_page_says() -> None:
    told = {
        name.strip("`"): tuple(map(Fraction, values))
        for name, *values in rows(section("The house"), 5)
    }
    assert list(told) == list(HOUSES)
    own = BOT_OF_THE_PAGE
    for name, house in HOUSES.items():
        first = max(worth(strategy, house) for strategy in pure_strategies())
        dealer = max(-worth(house, strategy) for strategy in pure_strategies())
        average = (worth(own, house) - worth(house, own)) / 2
        assert told[name] == (first, dealer, (first + dealer) / 2, average), name
    assert worth(NASH, NASH) == Fraction(-1, 18)
    assert "worth 1/18 of a coin per hand to the dealer" in PAGE


def test_what_a_bet_with_each_card_costs_against_nash_is_what_the_page_says() -> None:
    assert "betting with the queen costs you something against it, betting with the jack" in PAGE

    def betting_with(card: int) -> Strategy:
        chances = tuple(ALWAYS if other in (card, 2) else NEVER for other in range(3))
        return {**BOT_OF_THE_PAGE, FIRST: chances, CHECKED: chances}

    honest = (worth(BOT_OF_THE_PAGE, NASH), -worth(NASH, BOT_OF_THE_PAGE))
    jack, queen = betting_with(0), betting_with(1)
    assert (worth(jack, NASH), -worth(NASH, jack)) == honest
    assert worth(queen, NASH) < honest[0]
    assert -worth(NASH, queen) < honest[1]


def test_the_error_of_an_average_is_what_the_page_says() -> None:
    assert "after 10,000 hands an average is known to ±0.02 or 0.03" in PAGE
    for house in (NASH, HOUSES["random"], BOT_OF_THE_PAGE):
        spread = float(worth(NASH, house, 2) - worth(NASH, house) ** 2) ** 0.5
        assert spread > 1
        assert 0.02 <= round(1.96 * spread / 100, 2) <= 0.03


# The bots.


@pytest.mark.parametrize(
    "program", [text for kind, text in BLOCKS if kind == "python"], ids=[TEXT, BINARY]
)
def test_the_bots_of_the_page_play_to_the_end(program: str) -> None:
    with KuhnHost("--once", "--seed", "1") as host:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program.replace("1212", str(host.port))],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        result = host.result()
    seat = seat_of_client(result)
    assert (seat["name"], seat["timeouts"], seat["faults"]) == ("77432", 0, 0)
    assert result["hands"] == 100 or 0 in coins(result)
    assert result["hands"] > 20


# The document.


def test_the_statements_are_numbered_without_a_gap() -> None:
    assert [int(number) for number, *_ in STATEMENTS] == list(range(1, len(STATEMENTS) + 1))
    assert len(STATEMENTS) == PAGE.count("\n| D")


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda row: f"D{row[0]}")
def test_every_statement_names_a_test_that_exists(statement: tuple[str, str, str, str]) -> None:
    _, _, short, name = statement
    source = (ROOT / FILES[short]).read_text("utf-8")
    assert re.search(rf"^def {name}\(", source, re.M)
