"""Gymnasium's render_mode="human", unchanged, on a machine without a display: the viewer in the browser."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("viser", reason="no viser: pip install -r requirements-viewer.txt")
pytest.importorskip("imageio", reason="gymnasium's environments import imageio")
gymnasium = pytest.importorskip("gymnasium")

FOLDER = pathlib.Path(__file__).parent
ALL = [name for name, spec in gymnasium.registry.items() if "mujoco" in str(spec.entry_point) and name.endswith("-v5")]


def watched(*names):
    quiet = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
    program = [sys.executable, FOLDER / "gym_windows.py", *names]
    done = subprocess.run(program, capture_output=True, text=True, env=quiet, cwd=FOLDER)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("viewer: http://127.0.0.1:") == len(names)  # where it is to be seen
    results = json.loads(done.stdout.splitlines()[-1])
    for name, found in results.items():
        assert found["messages"] >= 5 and not found["open"], name
        assert found["texts"] == [["reward", "1.5"]], name
        if found["wanted"] and "distance" in found["wanted"]:
            assert found["camera"][0] == found["wanted"]["distance"], name
    return results


def test_a_window_in_the_browser():
    assert watched("Hopper-v5")


@pytest.mark.slow
def test_all_environments():
    assert len(ALL) >= 11 and len(watched(*ALL)) == len(ALL)
