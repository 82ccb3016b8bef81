"""Control groups for boxes, in a folder that stands for the hierarchy.

What the kernel makes of the files is not tested here: few machines delegate a group to tests.
"""

import subprocess
from pathlib import Path

import pytest

from croupier.server.arena.cgroups import KEEPER_MB, KEEPER_PROCESSES, Group, Groups, find
from croupier.server.arena.plan import Program

UNIT = "croupier.service"
OWN = f"0::/{UNIT}\n"


def make_group(path: Path, controllers: str = "cpuset cpu io memory pids") -> Path:
    path.mkdir(exist_ok=True)
    (path / "cgroup.controllers").write_text(controllers)
    (path / "cgroup.events").write_text("populated 1")
    (path / "cgroup.procs").write_text("4711\n")
    (path / "cgroup.subtree_control").write_text("")
    return path


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The group of a unit, in a hierarchy."""
    make_group(tmp_path)
    (tmp_path / "cgroup.events").unlink()  # as in the root of all
    return make_group(tmp_path / UNIT)


def found(unit: Path, own: str = OWN) -> Groups | None:
    """Look for the groups of a process; the unit's is the one that systemd has delegated."""
    return find(unit.parent, own, lambda group: group == unit)


def groups_of(unit: Path) -> Groups:
    groups = found(unit)
    assert groups is not None
    return groups


def test_the_server_moves_aside_and_comes_before_the_boxes(unit: Path) -> None:
    assert found(unit) is not None
    assert (unit / "server" / "cgroup.procs").read_text() == "4711"
    assert (unit / "server" / "cpu.weight").read_text() == "1000"
    assert (unit / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"


def test_a_process_that_the_server_has_started_finds_the_same_groups(unit: Path) -> None:
    assert found(unit, f"0::/{UNIT}/server\n") is not None
    assert not (unit / "server" / "server").exists()


def test_the_processor_need_not_be_among_what_is_delegated(unit: Path) -> None:
    make_group(unit, "memory pids")
    assert found(unit) is not None
    assert (unit / "cgroup.subtree_control").read_text() == "+memory +pids"


@pytest.mark.parametrize(
    ("own", "controllers"),
    [
        ("0::/another.service\n", "cpu memory pids"),  # delegated to somebody else
        ("0::/\n", "cpu memory pids"),  # the root of all groups
        ("4:memory:/croupier.service\n", "cpu memory pids"),  # the first version of control groups
        (OWN, "cpu io memory"),
        (OWN, ""),
    ],
)
def test_what_is_not_delegated_is_left_alone(unit: Path, own: str, controllers: str) -> None:
    make_group(unit, controllers)
    make_group(unit.parent / "another.service")
    assert found(unit, own) is None
    assert not list(unit.parent.rglob("server"))


def test_without_a_hierarchy_there_are_no_groups(tmp_path: Path) -> None:
    assert found(tmp_path / UNIT) is None


def test_a_container_has_its_own_groups(tmp_path: Path) -> None:
    make_group(tmp_path)
    assert find(tmp_path, "0::/\n", lambda group: False) is not None


def path_of(group: Group) -> Path:
    """Return the folder of a group, which its command names."""
    return Path(group.entered_by([])[3]).parent


def test_a_program_starts_within_its_limits(unit: Path) -> None:
    group = groups_of(unit).new(Program("", "", memory_mb=100, processes=7))
    path = path_of(group)
    assert (path / "memory.max").read_text() == str((100 + KEEPER_MB) << 20)
    assert (path / "memory.swap.max").read_text() == "0"
    assert (path / "pids.max").read_text() == str(7 + KEEPER_PROCESSES)
    command = group.entered_by(["sh", "-c", 'echo $$ "$@"', "sh", "a b", "$c"])
    process = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[0]
    assert (path / "cgroup.procs").read_text().strip() == process


def test_a_program_that_cannot_enter_does_not_start(unit: Path, tmp_path: Path) -> None:
    group = groups_of(unit).new(Program("", ""))
    (path_of(group) / "cgroup.procs").mkdir()
    command = group.entered_by(["touch", str(tmp_path / "started")])
    assert subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode
    assert not (tmp_path / "started").exists()


def test_a_program_that_was_ended_for_its_memory_is_named(unit: Path) -> None:
    group = groups_of(unit).new(Program("", ""))
    assert not group.ran_out_of_memory
    events = path_of(group) / "memory.events"
    events.write_text("oom 0\noom_kill 0\noom_group_kill 0\n")
    assert not group.ran_out_of_memory
    events.write_text("oom 1\noom_kill 3\noom_group_kill 1\n")
    assert group.ran_out_of_memory


def test_a_group_whose_processes_are_ending_is_removed_with_the_next(unit: Path) -> None:
    groups = groups_of(unit)
    first = groups.new(Program("", ""))
    path = path_of(first)
    first.remove()  # there are files in it, as there may be processes
    assert (path / "cgroup.kill").read_text() == "1"
    for file in path.iterdir():
        file.unlink()
    groups.new(Program("", ""))
    assert not path.exists()
