"""The demonstration is what a newcomer sees first: bots of every protocol really play in it."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from threading import Timer

from croupier.dialects.registry import DIALECTS

PATIENCE = 60


def test_bots_of_every_protocol_play_and_none_has_to_be_started_again(tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-m", "croupier", "demo", "--web", "-1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
    )
    deadline = Timer(PATIENCE, os.killpg, (demo.pid, signal.SIGKILL))
    deadline.start()
    seen: list[str] = []
    waiting = set(DIALECTS)
    assert demo.stdout is not None
    try:
        for line in demo.stdout:
            seen.append(line)
            joined = re.search(r"event=joined .*dialect=(\w+)", line)
            if joined:
                waiting.discard(joined[1])
            if not waiting:
                break
        assert not waiting, "".join(seen)
        demo.send_signal(signal.SIGINT)
        seen += demo.stdout
        assert demo.wait(PATIENCE) == 0
    finally:
        deadline.cancel()
        demo.kill()
        demo.wait()
        demo.stdout.close()
    started = re.findall(r'event="program started" .* name=(\S+)', "".join(seen))
    assert len(started) == len(set(started)), "".join(seen)
