"""Passive forces and actuation beside the reference: all laws, over wide states and all flags."""

import pathlib

import mujoco
import numpy as np
import pytest

import dynamics
import pliant.mujoco
from pliant import _pliant

CASES = sorted((pathlib.Path(__file__).parent / "cases").glob("dynamics_*.xml"))
FLAGS = {
    "none": 0,
    "spring": mujoco.mjtDisableBit.mjDSBL_SPRING,
    "damper": mujoco.mjtDisableBit.mjDSBL_DAMPER,
    "spring and damper": mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER,
    "gravity": mujoco.mjtDisableBit.mjDSBL_GRAVITY,
    "clampctrl": mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL,
    "actuation": mujoco.mjtDisableBit.mjDSBL_ACTUATION,
}
STAGES = ["passive", "actuation"]
needs_advance = pytest.mark.skipif(not hasattr(_pliant, "advance"), reason="needs advance()")
LIMIT = 1e-10


def load(path, flags=0):
    reference_model, model = dynamics.load_pair(path)
    dynamics.fill_constants(reference_model, model)
    for m in (reference_model, model):
        m.opt.disableflags |= int(flags)
    return reference_model, model


def wide_state(model, data, rng):
    """Beyond every knee of the laws: activations and controls far outside their ranges, fast and slow."""
    dynamics.random_state(model, data, rng)
    scale = rng.choice([0.0, 0.01, 0.3, 1.0, 5.0])
    data.qvel[:] = rng.normal(size=model.nv) * scale
    data.act[:] = rng.normal(size=model.na) * rng.choice([0.3, 1.0])
    data.ctrl[:] = rng.normal(size=model.nu) * rng.choice([0.3, 1.0, 10.0])
    if model.nhistory:
        for _ in range(rng.integers(12)):
            data.ctrl[:] = rng.normal(size=model.nu)
            mujoco.mj_step(model, data)


def wide_state_of(narrow):
    def state(model, data, rng):
        dynamics.random_state, kept = narrow, dynamics.random_state
        try:
            wide_state(model, data, rng)
        finally:
            dynamics.random_state = kept

    return state


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_stages(path, flag, monkeypatch):
    monkeypatch.setattr(dynamics, "random_state", wide_state_of(dynamics.random_state))
    reference_model, model = load(path, FLAGS[flag])
    states = 50 if flag == "none" else 8
    found = dynamics.compare_stages(reference_model, model, states, seed=1, stages=STAGES)
    bad = [str(d) for d in found.values() if not d.error <= LIMIT]
    assert not bad, "\n".join(bad)


@needs_advance
@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_activations_after_a_step(path):
    """act after one step from the reference's own act_dot and lengths."""
    reference_model, model = load(path)
    if reference_model.na == 0:
        pytest.skip("no activations")
    reference, rng = mujoco.MjData(reference_model), np.random.default_rng(2)
    state, data = _pliant.State(model), _pliant.Data(model)
    for _ in range(30):
        wide_state(reference_model, reference, rng)
        mujoco.mj_forward(reference_model, reference)
        dynamics.copy_state(reference, state)
        dynamics.copy_data(reference, data)
        mujoco.mj_Euler(reference_model, reference)
        _pliant.advance(model, state, data, 0)
        difference = dynamics.worst("step", "act", reference.act, state.act)
        assert difference.error <= LIMIT, str(difference)


@needs_advance
def test_history():
    """Histories after reset, and after steps with changing controls."""
    reference_model, model = load(pathlib.Path(__file__).parent / "cases" / "dynamics_delay.xml")
    reference, rng = mujoco.MjData(reference_model), np.random.default_rng(3)
    state, data = _pliant.State(model), _pliant.Data(model)
    assert np.array_equal(state.history, reference.history)
    for _ in range(40):
        reference.ctrl[:] = rng.normal(size=reference_model.nu)
        dynamics.copy_state(reference, state)
        mujoco.mj_forward(reference_model, reference)
        dynamics.copy_data(reference, data)
        mujoco.mj_Euler(reference_model, reference)
        _pliant.advance(model, state, data, 0)
        assert np.array_equal(state.history, reference.history)


def test_counts_clamped_controls():
    _, model = load(pathlib.Path(__file__).parent / "cases" / "dynamics_actuator_limits.xml")
    state, data = _pliant.State(model), _pliant.Data(model)
    state.ctrl[0] = 7
    _pliant.run_stage(model, state, data, "actuation")
    _pliant.run_stage(model, state, data, "actuation")
    assert data.ctrl_used[0] == 0.5 and data.ctrl_clamped[0] == 2 and not data.ctrl_clamped[1:].any()


@pytest.mark.parametrize("ctrl", [0.5, 3.0, -3.0, 2.0 * np.pi + 0.2])
def test_filter_of_an_angle(ctrl):
    """The activation goes to its control the short way round, by e^(-t/τ); without the reference."""
    model = pliant.mujoco.MjModel.from_xml_string(
        """<mujoco><option timestep=".01"/><worldbody><body><joint name="ball" type="ball" damping="100"/>
        <geom size=".1"/></body></worldbody><actuator>
        <position joint="ball" kp="1e-6" gear="0 0 1" timeconst=".1"/></actuator></mujoco>"""
    )
    data = pliant.mujoco.MjData(model)
    start = data.act[0] = 0.3
    way = (ctrl - start + np.pi) % (2 * np.pi) - np.pi
    data.ctrl[0] = ctrl
    for k in range(1, 51):
        pliant.mujoco.mj_step(model, data)
        expected = start + way * (1 - np.exp(-0.01 * k / 0.1))
        turns = (data.act[0] - expected) / (2 * np.pi)
        assert abs(turns - round(turns)) < 1e-12
        assert abs(data.act[0]) <= np.pi + 1e-6
