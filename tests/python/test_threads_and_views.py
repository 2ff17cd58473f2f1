"""MjData in Python: threads, views that outlive their owner, copies and pickles, messages, the command `python -m
pliant`."""

import copy
import gc
import pathlib
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import calls
import pliant
import pliant.mujoco as mujoco

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"


def test_eight_threads_on_one_model():
    model = mujoco.MjModel.from_xml_path(MODELS / "quadruped.xml")

    def simulate():
        data = mujoco.MjData(model)
        for i in range(100):
            data.ctrl[:] = 0.1 * np.sin(i)
            mujoco.mj_step(model, data)
        return data.qpos.tobytes()

    expected, results = simulate(), [None] * 8

    def run(i):
        results[i] = simulate()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


def test_views_outlive_their_owners():
    model, data = calls.make(mujoco)
    qpos, xpos, contact, geom = data.qpos, data.body("arm").xpos, data.contact[0], model.geom("box").size
    kept = qpos.copy(), xpos.copy(), contact.dist, geom.copy()
    batch = pliant.Batch(model, 4)
    worlds = batch.qpos
    row = worlds[2].copy()
    del model, data, batch
    gc.collect()
    junk = [np.ones(100_000) for _ in range(20)]  # memory that was freed would be used again
    assert np.array_equal(qpos, kept[0]) and np.array_equal(xpos, kept[1]) and contact.dist == kept[2]
    assert np.array_equal(geom, kept[3]) and np.array_equal(worlds[2], row) and len(junk) == 20


@pytest.mark.parametrize("make_copy", [copy.copy, copy.deepcopy, lambda data: pickle.loads(pickle.dumps(data))],
                         ids=["copy", "deepcopy", "pickle"])  # fmt: skip
def test_copies_are_complete(make_copy):
    _, data = calls.make(mujoco)
    other = make_copy(data)
    assert other.ncon == data.ncon > 0 and other.nefc == data.nefc > 0
    for name in ("qpos", "qvel", "act", "xpos", "qacc", "efc_J", "efc_force", "efc_id", "dof_island", "sensordata"):
        assert np.array_equal(getattr(other, name), getattr(data, name)), name
    assert [c.dist for c in other.contact] == [c.dist for c in data.contact]
    force = [np.zeros(6), np.zeros(6)]
    for one, out in zip((data, other), force):
        mujoco.mj_contactForce(one.model, one, 0, out)
        mujoco.mj_step(one.model, one, 20)
    assert np.array_equal(*force) and data.qpos.tobytes() == other.qpos.tobytes()
    assert not np.shares_memory(data.qpos, other.qpos)


@pytest.mark.parametrize("make_copy", [copy.copy, copy.deepcopy, lambda data: pickle.loads(pickle.dumps(data))],
                         ids=["copy", "deepcopy", "pickle"])  # fmt: skip
def test_copies_remember_the_forces_that_tgs_starts_with(make_copy):
    xml = """<mujoco><option solver="TGS"/><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos="0 0 .29"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    data = mujoco.MjData(mujoco.MjModel.from_xml_string(xml))
    mujoco.mj_step(data.model, data, 20)
    other, forgetful = make_copy(data), mujoco.MjData(data.model)
    state = np.zeros(mujoco.mj_stateSize(data.model, mujoco.mjtState.mjSTATE_INTEGRATION))
    mujoco.mj_getState(data.model, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
    mujoco.mj_setState(data.model, forgetful, state, mujoco.mjtState.mjSTATE_INTEGRATION)
    for one in (data, other, forgetful):
        mujoco.mj_step(one.model, one, 5)
    assert other.qpos.tobytes() == data.qpos.tobytes()
    assert forgetful.qpos.tobytes() != data.qpos.tobytes()  # without them it goes on differently


def test_damaged_pickles_are_refused():
    model, data = calls.make(mujoco)
    packed = pliant._pliant.pack_step(model, data.state, data.data)
    for n in (0, 10, len(packed) // 2, len(packed) - 1):
        with pytest.raises(ValueError, match="end too early"):
            pliant._pliant.unpack_step(model, data.state, data.data, packed[:n])
        assert data.ncon == 0 and data.nefc == 0


def test_wrong_shapes_and_types_are_named():
    model, data = calls.make(mujoco)
    nv = model.nv
    with pytest.raises(ValueError, match=rf"qvel has shape \({nv},\) and cannot take an array of shape \(3,\)"):
        data.qvel = np.zeros(3)
    with pytest.raises(TypeError, match=rf"jacp should be of shape \(3, {nv}\), but it is \(3, 2\)"):
        mujoco.mj_jacBody(model, data, np.zeros((3, 2)), None, 1)
    with pytest.raises(TypeError, match="float64"):
        mujoco.mj_jacBody(model, data, np.zeros((3, nv), np.float32), None, 1)
    with pytest.raises(TypeError, match=r"res should be of shape \(4,\), but it is \(3,\)"):
        mujoco.mju_mulQuat(np.zeros(3), np.zeros(4), np.zeros(4))
    with pytest.raises(TypeError, match=r"vec2 should be of shape \(4,\), but it is \(5,\)"):
        mujoco.mju_add(np.zeros(4), np.zeros(4), np.zeros(5))
    with pytest.raises(TypeError, match="writeable array of float64, not int64"):
        mujoco.mju_copy3(np.zeros(3, np.int64), np.zeros(3))
    with pytest.raises(TypeError, match="arguments are"):
        mujoco.mju_add(np.zeros(4))


def test_nan_control_is_named():
    model, data = calls.make(mujoco)
    before = data.qpos.copy()
    data.ctrl[0] = np.nan
    with pytest.raises(pliant.StepError, match=r"ctrl\[0\] \(actuator 'motor'.*\) is nan"):
        mujoco.mj_step(model, data)
    assert np.array_equal(data.qpos, before)


def test_arguments_by_name():
    res = np.zeros(4)
    mujoco.mju_axisAngle2Quat(res=res, axis=[0, 0, 1], angle=np.pi / 2)
    assert np.allclose(res, [np.sqrt(0.5), 0, 0, np.sqrt(0.5)])


def test_command_line():
    done = subprocess.run([sys.executable, "-m", "pliant"], capture_output=True, text=True)
    assert done.returncode == 0
    for word in ("pliant", pliant.__version__, "compiler", "gpu", "cores"):
        assert word in done.stdout
