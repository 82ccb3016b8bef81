"""`croupier host` says what it cannot have, or do, before it deals."""

import shutil
import signal
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from tests.support.hosting import PATIENCE, HostProcess, Player
from tests.support.processes import croupier

BOTS = ("--seats", "2", "--bot", "CallAgent", "--bot", "CallAgent", "--hands", "1", "--once")


def refusal(folder: Path, *arguments: str) -> str:
    """Return the line with which a host is refused that has said nothing."""
    result = croupier("host", *arguments, cwd=folder)
    assert result.returncode == 2, result
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def test_a_port_that_is_taken_is_named_and_no_store_is_made(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        line = refusal(tmp_path, *BOTS, "--listen", f"room:{port}", "--store", "croupier.db")
    assert line == (
        f"Error: cannot listen on 127.0.0.1:{port} for room: Address already in use; choose another"
        " port with --listen or stop the program that uses it"
    )
    assert list(tmp_path.iterdir()) == []


def test_the_website_s_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        line = refusal(tmp_path, *BOTS, "--listen", "room:0", "--web", str(port))
    assert f"cannot listen on 127.0.0.1:{port} for the website: " in line


def test_two_listeners_need_two_ports(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    line = refusal(tmp_path, *BOTS, "--listen", f"room:{port}", "--listen", f"huawei:{port}")
    assert f"127.0.0.1:{port} for huawei: it is the port of room" in line


def test_a_pid_that_no_player_can_have_is_refused(tmp_path: Path) -> None:
    line = refusal(tmp_path, "--seats", "2", "--listen", "huawei:0", "--allow", "Bob")
    assert "a number such as 8888, not 'Bob'" in line


@pytest.mark.parametrize("folder", ["/proc/x", "file/x"])
def test_a_folder_of_transcripts_that_cannot_be_written_is_named(
    tmp_path: Path, folder: str
) -> None:
    (tmp_path / "file").write_text("")
    line = refusal(tmp_path, *BOTS, "--listen", "room:0", "--transcripts", folder)
    assert line.startswith(f"Error: cannot write to {folder}, the folder of transcripts: ")
    assert line.endswith("; name another one with --transcripts")


def test_a_folder_of_output_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "programs").write_text("a file")
    line = refusal(tmp_path, *BOTS, "--listen", "room:0", "--run", "true")
    assert line.startswith("Error: cannot write to programs, the folder of the programs' output: ")


def test_a_transcript_that_cannot_be_written_later_costs_nobody_his_seat(tmp_path: Path) -> None:
    folder = tmp_path / "transcripts"
    arguments = ("--seats", "2", "--bot", "CallAgent", "--hands", "2", "--once", "--json")
    with HostProcess(*arguments, "--transcripts", str(folder)) as host:
        shutil.rmtree(folder)
        folder.write_text("a file where the folder was")
        with Player(host.port, "1001 ann") as player:
            while (message := player.next()) is not None and message != b"game-over \n":
                if message.startswith(b"inquire/"):
                    player.send(b"check \n")
        result = host.result()
    assert result["hands"] == 2
    assert [seat["timeouts"] for seat in result["seats"]] == [0, 0]
    assert host.log.count("a transcript cannot be written") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("host", "--bind"),
        ("host", "--web-bind"),
        ("web", "--bind"),
        ("cluster", "scheduler", "--bind"),
    ],
)
def test_an_empty_address_does_not_open_a_server_to_everybody(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [*arguments, ""])
    assert result.exit_code == 2
    assert "an address is missing" in result.stderr


# Programs.


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["host", *BOTS, *arguments])
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.strip().splitlines()
    return line


def test_with_several_listeners_a_program_begins_with_its_dialect() -> None:
    listen = ("--listen", "huawei:0", "--listen", "trend:0", "--listen", "huawei:0")
    for command in ("python3 x", "C:/python x", "./bot --at={host}:{port}"):
        assert run(*listen, "--run", command) == (
            f"Error: --run {command!r}: which of the listeners is it for? it begins with huawei: or"
            " trend:"
        )


def test_a_program_s_dialect_needs_a_listener() -> None:
    line = run("--listen", "huawei:0", "--run", "room:./bot")
    assert line == "Error: --run 'room:./bot': there is no --listen for room"


def test_with_one_dialect_a_program_needs_not_name_it(tmp_path: Path) -> None:
    arguments = ("--listen", "huawei:0", *BOTS, "--transcripts", str(tmp_path / "out"))
    with HostProcess(*arguments, "--run", "true") as host:
        host.process.wait(PATIENCE)
    assert (tmp_path / "out" / "host-1.log").exists()


# The end.


def test_a_match_that_never_began_is_said_to_have_ended_before_its_start() -> None:
    with HostProcess("--seats", "3", "--bot", "CallAgent", "--set", "closing_s=0") as host:
        host.wait_for("seed commitment")
        host.process.send_signal(signal.SIGINT)
        host.wait_for(r"^match \S+ ended before its start$")
        assert host.process.wait(PATIENCE) == 0
    assert "None" not in "".join(host.lines)


def test_a_secret_match_is_not_dealt_in_a_store_that_others_can_read(tmp_path: Path) -> None:
    (tmp_path / "open.db").touch(0o644)
    (tmp_path / "open.db").chmod(0o644)
    line = refusal(tmp_path, *BOTS, "--listen", "room:0", "--store", "open.db")
    assert line.startswith("Error: others can read the store open.db")
    assert line.endswith("with: chmod go= open.db")
    known = croupier(
        "host", *BOTS, "--listen", "room:0", "--store", "open.db", "--seed", "1", cwd=tmp_path
    )
    assert known.returncode == 0, known
