"""Delays, intervals and histories of sensors, over trajectories."""

import pathlib

import mujoco
import numpy as np
import pytest

import dynamics
from pliant import _pliant

CASES = pathlib.Path(__file__).parent / "cases"
HISTORIES = [CASES / "dynamics_sensors_history.xml"]


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
@pytest.mark.parametrize("disabled", [False, True], ids=["", "sensors disabled"])
def test_step_by_step(path, disabled):
    """Every step starts from the reference's state: readings and histories after it agree."""
    reference_model, model = dynamics.load_pair(path)
    dynamics.fill_constants(reference_model, model)
    if disabled:
        for m in (reference_model, model):
            m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
    rng = np.random.default_rng(1)
    reference = mujoco.MjData(reference_model)
    dynamics.random_state(reference_model, reference, rng)
    state, data = _pliant.State(model), _pliant.Data(model)
    for _ in range(100):
        dynamics.copy_state(reference, state)
        data.sensordata[:] = reference.sensordata
        mujoco.mj_step(reference_model, reference)
        assert not _pliant.step(model, state, data)
        np.testing.assert_allclose(data.sensordata, reference.sensordata, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(state.history, reference.history, rtol=1e-9, atol=1e-9)


def test_disabled_readings_stay():
    """With the flag "sensor" disabled the readings are left as they are, as in the reference."""
    path = CASES / "dynamics_sensors_joints.xml"
    _, model = dynamics.load_pair(path)
    state, data = _pliant.State(model), _pliant.Data(model)
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
    data.sensordata[:] = np.arange(model.nsensordata)
    for stage in dynamics.SENSOR_STAGES:
        _pliant.run_stage(model, state, data, stage)
    np.testing.assert_array_equal(data.sensordata, np.arange(model.nsensordata))
