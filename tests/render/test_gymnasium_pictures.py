"""Gymnasium's environments with render_mode, unchanged, without a display."""

import json
import os
import pathlib
import subprocess
import sys

import pytest


def test_all_environments_draw():
    pytest.importorskip("imageio", reason="gymnasium's environments import imageio")
    pytest.importorskip("gymnasium")
    program = pathlib.Path(__file__).parent / "gym_pictures.py"
    quiet = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "MUJOCO_GL")}
    done = subprocess.run(
        [sys.executable, program, "rgb_array", "depth_array", "rgbd_tuple"], capture_output=True, text=True, env=quiet
    )
    assert done.returncode == 0, done.stderr[-2000:]
    results = json.loads(done.stdout.splitlines()[-1])
    assert len(results) >= 11
    for name, shapes in results.items():
        assert [shape for _, shape, _ in shapes] == [[64, 96, 3], [64, 96], [64, 96, 3], [64, 96]], name
        assert all(spread > 0 for _, _, spread in shapes), name
