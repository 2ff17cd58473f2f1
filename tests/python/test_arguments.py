"""Arguments of `import pliant` that mean nothing are refused, in words, where they are given."""

import subprocess
import sys

import numpy as np
import pytest

import pliant


def test_texts_and_paths_of_other_kinds():
    assert pliant.load_string(b"<mujoco/>").nbody == 1
    for call in (lambda: pliant.load(None), lambda: pliant.load_string(None), lambda: pliant.load_string(5)):
        with pytest.raises(TypeError, match="is wanted, not"):
            call()


def test_a_rollout_refuses_numbers_of_threads_and_steps_below_zero():
    model = pliant.load_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    start = [[0.0, 0.0, 0.0]]
    assert pliant.rollout(model, start, nstep=0)[0].shape == (1, 0, 3)
    for wrong in ({"nthread": -1}, {"nstep": -1}):
        with pytest.raises(ValueError, match="should be at least 0, not -1"):
            pliant.rollout(model, start, **wrong)


def test_pictures_are_bytes(tmp_path):
    """Shares from 0 to 1 became a black picture."""
    pliant.save_png(tmp_path / "grey.png", np.full((2, 3), 200))
    for wrong in (np.full((2, 3), 0.7), np.full((2, 3, 3), 256), np.full((2, 3), -1)):
        with pytest.raises(ValueError, match="from 0 to 255"):
            pliant.save_png(tmp_path / "wrong.png", wrong)
    assert not (tmp_path / "wrong.png").exists()


def test_errors_of_recordings_are_called_as_programs_call_them():
    assert f"{pliant.RecordingError.__module__}.{pliant.RecordingError.__name__}" == "pliant.RecordingError"


def test_steps_below_zero_are_refused():
    model = pliant.load_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    with pytest.raises(ValueError, match="nstep must not be negative"):
        pliant.step(model, pliant.State(model), pliant.Data(model), -1)


def test_many_steps_end_at_ctrl_c():
    program = (
        "import pliant, signal, threading, os\n"
        "model = pliant.load_string('<mujoco/>')\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "pliant.step(model, pliant.State(model), pliant.Data(model), 2**31 - 1)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert "KeyboardInterrupt" in done.stderr
