"""Derivatives of a step: against the reference, against closed forms, and the same bits for any number of threads."""

import pathlib

import mujoco
import numpy as np
import pytest

import pliant
import pliant.mujoco as ours

CASES = pathlib.Path(__file__).resolve().parents[1] / "parity" / "cases"
MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
FILES = [MODELS / "quadruped.xml", MODELS / "tendon_finger.xml", MODELS / "gripper.xml"]


def prepare(module, path, integrator):
    model = module.MjModel.from_xml_path(str(path))
    model.opt.integrator = integrator
    model.opt.tolerance = 1e-14
    data = module.MjData(model)
    rng = np.random.default_rng(0)
    data.qvel[:] = 0.1 * rng.normal(size=model.nv)
    data.ctrl[:] = 0.1 * rng.normal(size=model.nu)
    for _ in range(3):
        module.mj_step(model, data)
    return model, data


def matrices(model):
    nx, nu, ns = 2 * model.nv + model.na, model.nu, model.nsensordata
    return np.zeros((nx, nx)), np.zeros((nx, nu)), np.zeros((ns, nx)), np.zeros((ns, nu))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("integrator", [0, 2, 3])
@pytest.mark.parametrize("centered", [False, True])
def test_transition_against_the_reference(path, integrator, centered):
    (m, d), (n, e) = (prepare(module, path, integrator) for module in (mujoco, ours))
    # from the same numbers, so that only the derivatives are compared
    e.qpos[:], e.qvel[:], e.act[:], e.ctrl[:], e.qacc_warmstart[:] = d.qpos, d.qvel, d.act, d.ctrl, d.qacc_warmstart
    expected, actual = matrices(m), matrices(n)
    mujoco.mjd_transitionFD(m, d, 1e-6, centered, *expected)
    before = e.qpos.tobytes(), e.xpos.tobytes()
    ours.mjd_transitionFD(n, e, 1e-6, centered, *actual)
    assert (e.qpos.tobytes(), e.xpos.tobytes()) == before
    for a, b, letter in zip(expected, actual, "ABCD"):
        limit = 2e-3 if centered else 1e-2  # noise of the nudge: eps of the solver's answer over eps of the nudge
        assert np.abs(a - b).max(initial=0) <= limit * max(1, np.abs(a).max(initial=0)), letter


def test_threads_do_not_change_bits():
    model, data = prepare(ours, FILES[0], 3)
    results = []
    for nthread in (1, 2, 5):
        results.append(matrices(model))
        ours.mjd_transitionFD(model, data, 1e-6, True, *results[-1], nthread=nthread)
    for other in results[1:]:
        assert all(a.tobytes() == b.tobytes() for a, b in zip(results[0], other))


def test_closed_form():
    """A mass on a spring, semi-implicit Euler: v' = v + h (u - k x - c v)/(m + h c) …, x' = x + h v'."""
    h, mass, k = 0.01, 2.0, 30.0
    model = ours.MjModel.from_xml_string(f"""
        <mujoco><option timestep="{h}" gravity="0 0 0"/>
          <worldbody><body><joint name="x" type="slide" stiffness="{k}"/>
            <geom size=".1" mass="{mass}"/></body></worldbody>
          <actuator><motor joint="x" ctrlrange="-1 1" ctrllimited="true"/></actuator>
          <sensor><jointpos joint="x"/><jointvel joint="x"/></sensor></mujoco>""")
    data = ours.MjData(model)
    data.qpos[0], data.qvel[0] = 0.3, -0.2
    A, B, C, D = matrices(model)
    for ctrl in (0.0, 1.0, -1.0):  # at a limit of the range the nudge goes inside
        data.ctrl[0] = ctrl
        ours.mjd_transitionFD(model, data, 1e-6, True, A, B, C, D)
        assert np.allclose(A, [[1 - h * h * k / mass, h], [-h * k / mass, 1]], atol=1e-8)
        assert np.allclose(B, [[h * h / mass], [h / mass]], atol=1e-8)
        assert np.allclose(C, np.eye(2), atol=1e-8) and np.allclose(D, 0, atol=1e-8)


def test_quaternions_have_three_columns():
    """A free body without gravity turns by its velocity: the derivative of the next orientation by the present one is a
    rotation."""
    model = ours.MjModel.from_xml_string("""
        <mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>""")
    data = ours.MjData(model)
    data.qvel[3:] = 1, 2, 3
    A = np.zeros((12, 12))
    ours.mjd_transitionFD(model, data, 1e-6, True, A, None, None, None)
    turn = A[3:6, 3:6]
    assert np.allclose(turn @ turn.T, np.eye(3), atol=1e-7)
    assert np.allclose(A[:3, :3], np.eye(3), atol=1e-9) and np.allclose(A[:3, 6:9], 0.002 * np.eye(3), atol=1e-9)


@pytest.mark.parametrize("path", FILES[:2], ids=lambda path: path.stem)
@pytest.mark.parametrize("actuation", [False, True])
def test_inverse_against_the_reference(path, actuation):
    (m, d), (n, e) = (prepare(module, path, 0) for module in (mujoco, ours))
    e.qpos[:], e.qvel[:], e.act[:], e.ctrl[:], e.qacc_warmstart[:] = d.qpos, d.qvel, d.act, d.ctrl, d.qacc_warmstart
    results = []
    for module, model, data in ((mujoco, m, d), (ours, n, e)):
        module.mj_forward(model, data)
        data.qacc[:] = 0.5
        nv, ns = model.nv, model.nsensordata
        out = (
            [np.zeros((nv, nv)) for _ in range(3)] + [np.zeros((nv, ns)) for _ in range(3)] + [np.zeros((nv, model.nC))]
        )
        module.mjd_inverseFD(model, data, 1e-6, actuation, *out)
        results.append(out)
    for a, b in zip(*results):
        assert np.abs(a - b).max(initial=0) <= 1e-4 * max(1, np.abs(a).max(initial=0))


def test_refusals():
    model, data = prepare(ours, FILES[0], 0)
    nx = 2 * model.nv
    with pytest.raises(TypeError, match=rf"A should be of shape \({nx}, {nx}\), but it is \(2, 2\)"):
        ours.mjd_transitionFD(model, data, 1e-6, False, np.zeros((2, 2)), None, None, None)
    with pytest.raises(ValueError, match="eps"):
        ours.mjd_transitionFD(model, data, 0, False, np.zeros((nx, nx)), None, None, None)
    data.qvel[0] = np.nan
    with pytest.raises(pliant.FatalError):
        ours.mjd_transitionFD(model, data, 1e-6, False, np.zeros((nx, nx)), None, None, None)
