"""pliant.Batch: views of all worlds, controls, parameters per world, messages. The GPU part runs where there is one."""

import pathlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

import pliant

CAR = """
<mujoco>
  <worldbody>
    <body name="cart"><joint name="x" type="slide" axis="1 0 0" damping=".1"/><geom size=".1" mass="1"/>
      <body name="pole"><joint name="swing" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -1" size=".02" mass=".1"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="x" gear="2" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <sensor><jointpos joint="swing"/></sensor>
</mujoco>
"""


@pytest.fixture
def model():
    model = pliant.load_string(CAR)
    model.opt.disableflags |= 1  # constraints: a GPU does not compute them yet
    return model


def alone(model, ctrl, nstep):
    state, data = pliant.State(model), pliant.Data(model)
    state.ctrl[:] = ctrl
    for _ in range(nstep):
        pliant.step(model, state, data)
    return state, data


def test_worlds_move_as_they_would_alone(model):
    batch = pliant.Batch(model, 50, threads=2)
    ctrl = np.linspace(-1, 1, 50)[:, None]
    batch.step(ctrl, nstep=20)
    for world in (0, 17, 49):
        state, data = alone(model, ctrl[world], 20)
        assert np.array_equal(batch.qpos[world], state.qpos)
        assert np.array_equal(batch.qvel[world], state.qvel)
        assert np.array_equal(batch.sensordata[world], data.sensordata)
    assert batch.status.shape == (50,) and not batch.status.any()


def test_arrays_are_views(model):
    batch = pliant.Batch(model, 3)
    qvel = batch.qvel
    assert qvel.shape == (3, model.nv) and qvel.dtype == np.float64
    qvel[1] = [1, 2]
    del batch
    assert qvel[1, 1] == 2  # the array keeps the batch
    batch = pliant.Batch(model, 3)
    batch.qvel[2, 0] = 5
    batch.step()
    assert batch.qpos[2, 0] > 0 and abs(batch.qpos[0, 0]) < 1e-9
    assert np.array_equal(np.from_dlpack(batch.qpos), batch.qpos)


def test_one_row_of_controls_is_for_all(model):
    batch = pliant.Batch(model, 4)
    batch.step([0.5])
    assert np.array_equal(batch.ctrl, np.full((4, 1), 0.5))
    with pytest.raises(TypeError, match=r"shape \(4, 1\) or \(1,\)"):
        batch.step(np.zeros((3, 1)))


def test_parameters_per_world(model):
    batch = pliant.Batch(model, 3)
    batch.parameter("dof_damping")[:, 0] = [0, 1, 10]
    batch.step([1.0], nstep=100)
    speed = batch.qvel[:, 0]
    assert speed[0] > speed[1] > speed[2] > 0
    with pytest.raises(ValueError, match="cannot differ from world to world"):
        batch.parameter("jnt_type")


def test_reset_of_some_worlds(model):
    batch = pliant.Batch(model, 3)
    batch.step([1.0], nstep=5)
    batch.reset(np.array([True, False, True]))
    assert list(batch.time[:, 0] > 0) == [False, True, False]
    batch.reset()
    assert not batch.time.any()


def test_a_fault_stays_in_its_world(model):
    batch = pliant.Batch(model, 3)
    batch.qvel[1, 0] = np.nan
    batch.step()
    assert list(batch.status != 0) == [False, True, False]
    assert list(batch.time[:, 0] > 0) == [True, False, True]


def test_messages(model):
    with pytest.raises(ValueError, match="at least 1"):
        pliant.Batch(model, 0)
    with pytest.raises(ValueError, match="'cpu' or 'cuda'"):
        pliant.Batch(model, 1, device="tpu")
    with pytest.raises(ValueError, match="'float32' or 'float64'"):
        pliant.Batch(model, 1, precision="half")
    with pytest.raises(ValueError, match="single precision is for GPUs"):
        pliant.Batch(model, 1, precision="float32")
    with pytest.raises(AttributeError, match="State has time, qpos"):
        _ = pliant.Batch(model, 1).qops
    with pytest.raises(AttributeError, match="outputs"):
        _ = pliant.Batch(model, 1).xpos
    assert pliant.Batch(model, 2, outputs=["xpos"]).xpos.shape == (2, 3 * model.nbody)


def test_no_gpu_is_said_clearly(model):
    if not pliant.cuda_unavailable():
        pytest.skip("there is a GPU")
    with pytest.raises(RuntimeError, match='device "cuda": .*device "cpu" works everywhere'):
        pliant.Batch(model, 4, device="cuda")


def test_gpu(model):
    if why := pliant.cuda_unavailable():
        pytest.skip(why)
    torch = pytest.importorskip("torch")
    for precision, tolerance in (("float64", 1e-12), ("float32", 1e-5)):
        batch = pliant.Batch(model, 100, device="cuda", precision=precision)
        ctrl = torch.from_dlpack(batch.ctrl)
        qpos = torch.from_dlpack(batch.qpos)
        ctrl[:, 0] = torch.linspace(-1, 1, 100)
        torch.cuda.synchronize()
        batch.step(nstep=20)
        batch.wait()
        state, _ = alone(model, [1.0], 20)
        assert np.allclose(qpos[99].cpu().numpy(), state.qpos, rtol=0, atol=tolerance)
    model.opt.disableflags = 0
    model.opt.solver = 0  # PGS
    with pytest.raises(ValueError, match="set opt.solver to Newton or CG"):
        pliant.Batch(model, 4, device="cuda")


INTERRUPTED = """
import os, signal, threading, sys
import numpy as np
import pliant

signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have had ignored
batch = pliant.Batch(pliant.load(sys.argv[1]), 3, threads=2)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    if sys.argv[2] == "step":
        batch.step(None, 2_000_000_000)
    else:  # without outputs, whose memory would be the limit
        pliant._pliant.batch_rollout(batch, 2_000_000_000, None, None, None)
except KeyboardInterrupt:
    time = batch.time[:, 0].copy()
    assert np.all(time == time[0]) and time[0] > 0, time
    batch.step(None, 2)
    assert np.all(batch.time[:, 0] > time)
    print("interrupted")
"""


@pytest.mark.parametrize("what", ["step", "rollout"])
def test_ctrl_c_ends_a_long_call_with_all_worlds_together(what):
    path = pathlib.Path(__file__).parents[2] / "models/beads.xml"
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(path), what], capture_output=True, text=True, timeout=120, check=False
    )
    assert result.stdout.strip() == "interrupted", result.stdout + result.stderr


def test_a_world_that_stops_is_warned_about_once():
    model = pliant.load(pathlib.Path(__file__).parents[2] / "models/gripper.xml")
    batch = pliant.Batch(model, 4)
    batch.step()
    batch.qvel[2, 1] = np.nan
    with pytest.warns(RuntimeWarning, match=r"1 of 4 worlds stopped; first: world 2, step 0: qvel\[1\].* is nan"):
        batch.step(None, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch.step(None, 5)
    assert batch.status[2] != 0
    batch.qvel[2, 1] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch.step(None, 5)
    assert not batch.status.any()
