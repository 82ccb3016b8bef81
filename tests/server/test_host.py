"""`croupier host` over real sockets: it plays, referees, and survives whatever comes in."""

import hashlib
import signal
import socket
from pathlib import Path

import pytest

from tests.support.hosting import PATIENCE, HostProcess, Player, Seated

BUY_IN = 10_000


def chips(result: dict) -> int:  # type: ignore[type-arg]
    return sum(seat["chips"] for seat in result["seats"])


def seat_of(result: dict, name: str) -> dict:  # type: ignore[type-arg]
    return next(seat for seat in result["seats"] if seat["name"] == name)


def test_a_match_is_played_to_its_end_and_reported_as_one_json_object() -> None:
    # From this seed nobody wins everything before the last hand.
    arguments = ["--seats", "4", "--bot", "RuleAgent", "--hands", "30", "--seed", "7", "--once"]
    with HostProcess(*arguments, "--json") as host:
        with Seated() as seated:
            players = [seated.add(host.port, f"{1001 + i} bot{i} need_notify") for i in range(3)]
        result = host.result()
        assert host.process.returncode == 0
    assert list(result)[:4] == ["match", "rules", "seed_sha256", "seed"]
    assert result["hands"] == 30
    assert chips(result) == 4 * BUY_IN
    assert {seat["dialect"] for seat in result["seats"]} == {"huawei", "house"}
    seed, salt = bytes.fromhex(result["seed"]), bytes.fromhex(result["salt"])
    assert hashlib.sha256(salt + seed).hexdigest() == result["seed_sha256"]
    assert result["seed_sha256"] in "".join(host.lines)
    for index, player in enumerate(players):
        assert player.messages[-1] == b"game-over \n"
        dealt = sum(message.startswith(b"seat/") for message in player.messages)
        assert dealt == seat_of(result, f"bot{index}")["hands_survived"]


def test_the_seed_given_decides_the_cards_and_marks_the_match_as_not_secret() -> None:
    holds = []
    for _ in range(2):
        arguments = ["--seats", "2", "--bot", "CallAgent", "--hands", "3", "--seed", "x"]
        with HostProcess(*arguments, "--once", "--json") as host:
            with Seated() as seated:
                player = seated.add(host.port, "7 one")
            result = host.result()
        assert result["secret"] is False
        assert any("not secret" in line for line in host.lines)
        holds.append([m for m in player.messages if m.startswith(b"hold/")])
    assert holds[0] == holds[1]


def test_a_table_starts_with_two_when_the_registration_window_closes() -> None:
    arguments = ["--seats", "8", "--set", "registration_s=1", "--hands", "2", "--once", "--json"]
    with HostProcess(*arguments) as host:
        with Seated() as seated:
            seated.add(host.port, "1 a")
            seated.add(host.port, "2 b")
        assert len(host.result()["seats"]) == 2


def test_without_once_the_next_match_follows() -> None:
    with HostProcess("--seats", "2", "--bot", "CallAgent", "--hands", "2", "--json") as host:
        for _ in range(2):
            with Seated() as seated:
                seated.add(host.port, "1 a")
            host.wait_for(r'^{"match"')
        host.process.send_signal(signal.SIGTERM)
        assert host.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_match_and_tells_the_players(number: signal.Signals) -> None:
    with HostProcess("--seats", "2", "--bot", "CallAgent", "--once", "--json") as host:
        with Player(host.port, "1 a") as player:
            player.until(b"inquire/")
            host.process.send_signal(number)
            assert player.until(b"game-over")
        result = host.result()
        assert host.process.returncode == 1
    assert chips(result) == 2 * BUY_IN


def test_a_taken_pid_is_refused_and_the_first_plays_on() -> None:
    with HostProcess("--seats", "2", "--hands", "2", "--once", "--json") as host:
        with Seated() as seated:
            first = Player(host.port, "1 a")
            with Player(host.port, "1 a") as second:
                assert second.next() is None
            with Player(host.port, "01 b") as third:
                assert third.next() is None
            seated.add(host.port, "2 b")
            first.play(lambda _: b"call \n")
            first.close()
        assert chips(host.result()) == 2 * BUY_IN
    assert "registered already" in host.log


def test_only_allowed_pids_are_admitted() -> None:
    arguments = ["--seats", "2", "--bot", "CallAgent", "--allow", "5", "--hands", "1", "--once"]
    with HostProcess(*arguments, "--json") as host:
        with Player(host.port, "6 b") as stranger:
            assert stranger.next() is None
        with Seated() as seated:
            seated.add(host.port, "5 a")
        assert seat_of(host.result(), "a")["pid"] == "5"


def test_nobody_joins_a_running_match() -> None:
    with HostProcess("--seats", "2", "--bot", "CallAgent", "--hands", "1", "--once") as host:
        with Player(host.port, "1 a") as player:
            player.until(b"inquire/")
            with Player(host.port, "2 b") as late:
                assert late.next() is None
            player.send(b"fold \n")
            player.until(b"game-over")


@pytest.mark.parametrize(
    "answer",
    [
        b"allin \n",
        b"\xff\xfe\x00\x80garbage\n",
        b"raise -5 \n",
        b"CALL\n",
        b"reg: 1 a \n",
        b"\n",
        b"{}\n",
    ],
)
def test_an_answer_that_is_no_action_is_a_fold_and_a_fault_but_no_timeout(answer: bytes) -> None:
    arguments = ["--seats", "3", "--bot", "CallAgent", "--bot", "CallAgent", "--hands", "3"]
    with HostProcess(*arguments, "--once", "--json") as host:
        with Seated() as seated:
            seated.add(host.port, "1 a", answer)
        result = host.result()
    bad = seat_of(result, "a")
    assert bad["faults"] == 3
    assert bad["timeouts"] == 0
    assert chips(result) == 3 * BUY_IN


def test_a_silent_player_is_folded_and_out_with_the_tenth_timeout() -> None:
    arguments = ["--seats", "3", "--bot", "CallAgent", "--bot", "CallAgent", "--hands", "12"]
    with HostProcess(*arguments, "--set", "decision_ms=30", "--once", "--json") as host:
        with Seated() as seated:
            silent = seated.add(host.port, "1 a", b"")
        result = host.result()
    assert seat_of(result, "a")["timeouts"] == 10
    assert seat_of(result, "a")["chips"] == 0
    assert seat_of(result, "a")["hands_survived"] == 10
    assert silent.messages[-1] != b"game-over \n"
    assert result["hands"] == 12


def test_a_player_who_leaves_is_folded_at_once_at_each_turn() -> None:
    arguments = ["--seats", "3", "--bot", "CallAgent", "--bot", "CallAgent", "--hands", "12"]
    with HostProcess(*arguments, "--set", "decision_ms=60000", "--once", "--json") as host:
        with Player(host.port, "1 a") as player:
            player.until(b"inquire/")
        result = host.result()
    assert seat_of(result, "a")["timeouts"] == 10
    assert result["hands"] == 12


def test_what_came_before_a_question_does_not_answer_it() -> None:
    with HostProcess("--seats", "2", "--hands", "1", "--once", "--json") as host:
        with Player(host.port, "1 a") as eager:
            eager.send(b"all_in \n")  # nobody has asked yet: the table waits for a second player
            with Seated() as seated:
                other = seated.add(host.port, "2 b", b"call \n")
                eager.play(lambda _: b"fold \n")
        result = host.result()
    assert seat_of(result, "a")["faults"] == 0
    assert not any(b"all_in" in message for message in other.messages)


def test_two_answers_at_once_answer_one_question() -> None:
    arguments = ["--seats", "2", "--bot", "CallAgent", "--hands", "1", "--once", "--json"]
    with HostProcess(*arguments, "--set", "decision_ms=500") as host:
        with Player(host.port, "1 a") as player:
            player.until(b"inquire/")
            player.send(b"call \ncall \ncall \ncall \n")
            player.until(b"flop/")
            player.until(b"inquire/")
            player.play(lambda _: b"fold \n")
        assert seat_of(host.result(), "a")["timeouts"] == 1


@pytest.mark.parametrize(
    "flood",
    [b"x" * 1_000_000, b"check" * 2000, b"\0" * 100_000],
    ids=["megabyte without newline", "words", "NULs"],
)
def test_a_flood_cuts_its_sender_off_and_nobody_else(flood: bytes) -> None:
    arguments = ["--seats", "3", "--bot", "CallAgent", "--hands", "12", "--once", "--json"]
    with HostProcess(*arguments) as host:
        with Seated() as seated:
            seated.add(host.port, "2 b")
            with Player(host.port, "1 a") as flooder:
                flooder.until(b"inquire/")
                try:
                    flooder.send(flood)
                    while flooder.next() is not None:
                        pass
                except OSError:
                    pass
        result = host.result()
    assert result["hands"] == 12
    assert seat_of(result, "b")["timeouts"] == 0
    assert host.log.count("cut off") == 1


def test_connections_that_never_register_keep_nobody_out() -> None:
    with HostProcess("--seats", "2", "--hands", "1", "--once", "--json") as host:
        idle = [socket.create_connection(("127.0.0.1", host.port)) for _ in range(255)]
        try:
            with Seated() as seated:
                seated.add(host.port, "1 a")
                seated.add(host.port, "2 b")
            assert host.result()["hands"] == 1
        finally:
            for connection in idle:
                connection.close()


@pytest.mark.parametrize("first", [b"hello\n", b"reg: x y\n", b"check \n", b"\xff\n", b"r" * 9000])
def test_a_first_message_that_is_no_registration_is_refused(first: bytes) -> None:
    with HostProcess("--seats", "2", "--bot", "CallAgent", "--hands", "1", "--once") as host:
        with Player(host.port) as player:
            player.send(first)
            assert player.next() is None
        with Seated() as seated:
            seated.add(host.port, "1 a")
        assert host.process.wait(PATIENCE) == 0


def test_a_registration_without_a_newline_counts_after_a_moment_of_silence() -> None:
    with HostProcess("--seats", "2", "--bot", "CallAgent", "--hands", "1", "--once") as host:
        with Player(host.port) as player:
            player.send(b"reg: 8888 game<8888>")
            player.until(b"inquire/")
            player.send(b"raise 100")
            player.play(lambda _: b"check")


def test_transcripts_hold_bytes_both_ways_and_the_reason_of_corrections(tmp_path: Path) -> None:
    arguments = ["--seats", "2", "--bot", "AllinAgent", "--hands", "2", "--once"]
    with HostProcess(*arguments, "--transcripts", str(tmp_path)) as host:
        with Seated() as seated:
            answers = iter([b"check \n", b"nonsense \n"])
            seated.add(host.port, "1 a", lambda _: next(answers, b"fold \n"))
        assert host.process.wait(PATIENCE) == 0
    (path,) = tmp_path.iterdir()
    text = path.read_text()
    assert "> b'reg: 1 a \\n'" in text
    assert "< b'seat/ \\nbutton:" in text
    assert "# check facing a bet counts as call" in text
    assert "# folded: b'nonsense' is no action" in text


def test_rejoining_before_the_start_takes_the_place_back() -> None:
    with HostProcess("--seats", "2", "--hands", "1", "--once", "--json") as host:
        with Player(host.port, "1 a") as first:
            with Player(host.port, "1 a") as twin:
                assert twin.next() is None  # so the first one is registered by now
            first.close()
        with Seated() as seated:
            back = None
            while back is None:
                candidate = Player(host.port, "1 a")
                candidate.socket.settimeout(0.2)
                try:
                    refused = candidate.next() is None
                except TimeoutError:
                    refused = False
                if refused:
                    candidate.close()
                else:
                    back = candidate
            back.socket.settimeout(PATIENCE)
            seated.add(host.port, "2 b")
            back.play(lambda _: b"check \n")
            back.close()
        result = host.result()
    assert seat_of(result, "a")["timeouts"] == 0


def test_a_registration_in_pieces_counts_when_it_is_whole() -> None:
    with HostProcess("--seats", "2", "--bot", "CallAgent", "--hands", "1", "--once") as host:
        with Player(host.port) as player:
            for piece in (b"reg: 1001 al", b"ice need_noti", b"fy\n"):
                player.send(piece)
            player.play(lambda _: b"check \n")
        assert host.process.wait(PATIENCE) == 0
    assert "player=alice-1001" in host.log


def test_the_late_newline_of_a_registration_is_no_answer() -> None:
    arguments = ["--seats", "2", "--bot", "CallAgent", "--hands", "4", "--once", "--json"]
    with HostProcess(*arguments) as host:
        with Player(host.port) as player:
            player.send(b"reg: 1002 bob")
            player.until(b"inquire/")
            player.send(b" \n")
            player.send(b"call \n")
            player.play(lambda _: b"call \n")
        assert seat_of(host.result(), "bob")["faults"] == 0
