"""The viewer from a script and from the command line: it says where it is, serves, and closes when asked."""

import json
import os
import signal
import subprocess
import sys

import pytest

pytest.importorskip("viser", reason="no viser: pip install -r requirements-viewer.txt")

from fake_browser import FakeBrowser
from test_pages import PROGRAM, ROOT
from test_viewer_server import wait_for

DROP = str(ROOT / "models" / "drop.xml")
SCRIPT = f"""
import pliant.mujoco as mujoco, pliant.viewer
model = mujoco.MjModel.from_xml_path({DROP!r})
data = mujoco.MjData(model)
pliant.viewer.launch(model, data, open_browser=False, port=0)
print("closed at", data.time)
"""


class Program:
    """A program with a viewer, in a group of its own so that Ctrl-C reaches all of it."""

    def __init__(self, *words):
        quiet = {
            key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
        }
        # what a shell starts in the background ignores Ctrl-C, and so would this
        heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=quiet,
                                        start_new_session=True, preexec_fn=heed)  # fmt: skip

    def watch(self, address):
        client = FakeBrowser(address)
        assert wait_for(lambda: client.messages > 3)
        return client

    def stop(self):
        """Ctrl-C; gives what else was printed."""
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            out, err = self.process.communicate(timeout=90)
        finally:
            self.process.kill()
        assert "Traceback" not in err, err
        return out


def test_from_a_script():
    program = Program(sys.executable, "-u", "-c", SCRIPT)
    line = program.process.stdout.readline()
    client = program.watch(line.removeprefix("viewer: ").strip())
    out = program.stop()
    assert out.startswith("closed at ") and float(out.split()[-1]) > 0  # the script goes on behind launch
    assert program.process.returncode == 0
    assert wait_for(lambda: not client.thread.is_alive())  # and the browser was told


@pytest.mark.parametrize("words", [["--json"], []], ids=["json", "text"])
def test_from_the_command_line(words):
    program = Program(PROGRAM, "view", DROP, "--no-browser", "--port", "0", *words)
    if words:
        line = program.process.stdout.readline()
        address = json.loads(line)["address"]
    else:
        address = program.process.stdout.readline().removeprefix("viewer: ").strip()
    client = program.watch(address)
    program.stop()
    assert program.process.returncode in (0, 130)
    assert wait_for(lambda: not client.thread.is_alive())
