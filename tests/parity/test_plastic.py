"""Springs that yield: the return map against its closed form and the reference, and all that keeps the new state."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

import pliant
import pliant.mujoco as pm

# (tolerance: under discrete the reference solves with stiff tendons by iterations, and stops there)
XML = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep=".01" integrator="{integrator}" gravity="0 0 -3" tolerance="1e-15">
    <flag energy="enable"/>
  </option>
  <worldbody>
    <site name="o" pos="0 0 1"/>
    <body name="a" pos=".3 0 0">
      <joint name="ball" type="ball" stiffness="1" springyield=".2" damping=".1"/>
      <geom type="box" size=".1 .2 .3" pos=".2 0 0" mass="1"/>
      <site name="s" pos=".4 .1 0"/>
      <body pos=".4 0 0">
        <joint name="hinge" axis="0 1 0" stiffness="2" springref=".3" springyield=".05" damping=".05"/>
        <geom size=".1" pos=".2 0 0"/>
        <site name="t" pos=".3 0 .1"/>
        <body pos=".3 0 0">
          <joint name="slide" type="slide" axis="0 1 1" stiffness="40" springyield=".02"/>
          <joint name="elastic" axis="0 0 1" stiffness="1"/>
          <geom size=".05" pos=".1 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="rod" stiffness="30" springyield=".03" springlength=".6 .7"><site site="o"/><site site="s"/>
      <site site="t"/></spatial>
    <spatial name="rope" stiffness="30" springyield=".03" springlength="0 .6"><site site="o"/><site site="t"/></spatial>
    <spatial name="elastic rope" stiffness="5"><site site="o"/><site site="s"/></spatial>
    <fixed name="sum" stiffness="3" springyield=".04"><joint joint="hinge" coef="1"/><joint joint="slide" coef="-2"/>
    </fixed>
  </tendon>
  <keyframe><key name="bent" plastic="{key}"/><key name="new" qvel="1 0 0 0 0 0"/></keyframe>
</mujoco>
"""
KEY = "2 0 0 1  .1  -.05  .5 .6  0 .7  .3 .4"
INTEGRATORS = ["Euler", "RK4", "implicit", "implicitfast", "discrete"]
NAMES = "qpos qvel plastic qfrc_spring energy ten_length".split()


def both(integrator, key=KEY):
    xml = XML.format(integrator=integrator, key=key)
    return mujoco.MjModel.from_xml_string(xml), pm.MjModel.from_xml_string(xml)


def closed_form(m, d, plastic, qpos, length, jacobian, moved):
    """Where the rest of every spring goes: the state before, the configuration after, and what moved it."""
    new = plastic.copy()
    for j in range(m.njnt):
        at, q, y = m.jnt_plasticadr[j], m.jnt_qposadr[j], m.jnt_springyield[j]
        if at < 0:
            continue
        if m.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL:
            p = plastic[at : at + 4] / np.linalg.norm(plastic[at : at + 4])
            e = np.zeros(3)
            mujoco.mju_subQuat(e, qpos[q : q + 4], p)
            angle = np.linalg.norm(e)
            if angle > y:
                mujoco.mju_quatIntegrate(p, e / angle, angle - y)
                new[at : at + 4] = p
        else:
            e = qpos[q] - plastic[at]
            new[at] = qpos[q] - np.sign(e) * y if abs(e) > y else plastic[at]
    for t in range(m.ntendon):
        at, y = m.tendon_plasticadr[t], m.tendon_springyield[t]
        if at < 0:
            continue
        low, high = plastic[at : at + 2]
        now = length[t] + jacobian[t] @ moved
        if now > high + y:
            new[at + 1] = now - y
            if not (low == 0 and high > 0):
                new[at] = low + now - y - high
        elif now < low - y:
            new[at : at + 2] = now + y, high + now + y - low
    return new


def dense_jacobian(module, m, d):
    J = np.zeros((m.ntendon, m.nv))
    for t in range(m.ntendon):
        at = slice(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t])
        J[t, m.ten_J_colind[at]] = d.ten_J[at]
    return J


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_return_map(integrator):
    """The closed form to 1e-12, in 400 steps with kicks; every spring yields both ways, or stays."""
    _, m = both(integrator)
    d, start = pm.MjData(m), pm.MjData(m)
    rng = np.random.default_rng(1)
    yielded = np.zeros(m.nplastic, int)
    for k in range(400):
        if k % 40 == 0:
            d.qvel += rng.normal(size=m.nv) * 2
        start.assign(d)
        pm.mj_forward(m, start)
        plastic, qpos = d.plastic.copy(), d.qpos.copy()
        J, length = dense_jacobian(pm, m, start), start.ten_length.copy()
        pm.mj_step(m, d)
        moved = np.zeros(m.nv)
        pm.mj_differentiatePos(m, moved, 1.0, qpos, d.qpos)
        expected = closed_form(m, start, plastic, d.qpos, length, J, moved)
        assert np.abs(d.plastic - expected).max() < 1e-12
        yielded += d.plastic != plastic
    assert (yielded > 0).sum() >= m.nplastic - 1  # the lower length of the rope stays 0
    assert yielded[m.tendon_plasticadr[1]] == 0 and d.plastic[m.tendon_plasticadr[1]] == 0


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_against_the_reference(integrator):
    expected_model, model = both(integrator)
    assert np.array_equal(model.jnt_plasticadr, expected_model.jnt_plasticadr)
    assert np.array_equal(model.tendon_plasticadr, expected_model.tendon_plasticadr)
    assert np.allclose(model.key_plastic, expected_model.key_plastic, atol=1e-15)
    expected, actual = mujoco.MjData(expected_model), pm.MjData(model)
    assert np.allclose(actual.plastic, expected.plastic, atol=1e-15)
    rng = np.random.default_rng(2)
    for k in range(150):
        if k % 30 == 0:
            key = k // 30 % 3 - 1
            for module, m, d in ((mujoco, expected_model, expected), (pm, model, actual)):
                module.mj_resetData(m, d) if key < 0 else module.mj_resetDataKeyframe(m, d, key)
            expected.qvel = actual.qvel = rng.normal(size=model.nv) * 2
        # from the same state every step: differences do not add up
        for name in ("qpos", "qvel", "plastic", "qacc_warmstart"):
            setattr(actual, name, getattr(expected, name))
        mujoco.mj_step(expected_model, expected)
        pm.mj_step(model, actual)
        for name in NAMES:
            a, b = getattr(expected, name), getattr(actual, name)
            assert np.abs(a - b).max() <= 1e-11 * (1 + np.abs(a).max()), (k, name)


def test_fast_turns():
    """What moved a tendon is the velocity, however often it turned; the quaternion keeps to its side."""
    expected_model, model = both("Euler")
    expected, actual = mujoco.MjData(expected_model), pm.MjData(model)
    rng = np.random.default_rng(3)
    for k in range(300):
        expected_model.jnt_springyield[0] = model.jnt_springyield[0] = rng.uniform(0, 2)
        expected.qvel = actual.qvel = 10 ** rng.uniform(0, 2.8) * rng.normal(size=model.nv)
        for name in ("qpos", "plastic"):
            value = rng.normal(size=getattr(expected, name).shape)
            if name == "plastic":  # the lower length first
                value[-6:] = np.sort(value[-6:].reshape(3, 2)).ravel()
            setattr(expected, name, value), setattr(actual, name, value)
        mujoco.mj_step(expected_model, expected)
        pm.mj_step(model, actual)
        assert np.abs(expected.plastic - actual.plastic).max() < 1e-11 * (1 + np.abs(expected.plastic).max()), k


def test_yields_at_run_time():
    """Zero, negative, and none: the flag "spring"."""
    for change in ("zero", "negative", "spring off", "no stiffness"):
        models = both("Euler")
        plastic = []
        for module, m in zip((mujoco, pm), models):
            if change in ("zero", "negative"):
                m.jnt_springyield[:] = m.tendon_springyield[:] = 0 if change == "zero" else -1
            if change == "spring off":
                m.opt.disableflags = int(mujoco.mjtDisableBit.mjDSBL_SPRING)
            if change == "no stiffness":
                m.jnt_stiffness[:] = 0
            d = module.MjData(m)
            d.qvel = 3
            module.mj_step(m, d, 5)
            plastic.append(d.plastic.copy())
        assert np.abs(plastic[0] - plastic[1]).max() < 1e-12, change
        assert np.array_equal(plastic[1], pm.MjData(models[1]).plastic) == (change == "spring off")


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_forward_and_refused_steps_change_nothing(integrator):
    _, m = both(integrator)
    d = pm.MjData(m)
    d.qpos[4:] = 1
    before = d.plastic.copy()
    pm.mj_forward(m, d)
    assert np.array_equal(d.plastic, before)
    assert np.isclose(d.qfrc_spring[5], -m.jnt_stiffness[3] * 1)  # the elastic one, as ever
    d.qvel[0] = 9e9
    with pytest.raises(pliant.StepError):
        pm.mj_step(m, d)
    assert np.array_equal(d.plastic, before)
    d.qvel[0], d.plastic[2] = 0, np.nan
    with pytest.raises(pliant.StepError, match=r"plastic\[2\].*nan"):
        pm.mj_step(m, d)


def test_energy_is_only_lost():
    """Without damping a spring that yields loses what it yields, and nothing comes back. No other engine needed."""
    xml = """<mujoco><option timestep=".0005" gravity="0 0 0" integrator="RK4"><flag energy="enable"/></option>
      <worldbody><body><joint type="slide" stiffness="100" springyield=".1"/><geom size=".1" mass="1"/></body>
      </worldbody></mujoco>"""
    m = pm.MjModel.from_xml_string(xml)
    d = pm.MjData(m)
    d.qvel[0] = 2  # 2 J: an elastic spring would give way by 0.2
    energy = []
    for _ in range(4000):
        pm.mj_step(m, d)
        energy.append(d.energy.sum())
    assert np.all(np.diff(energy) < 1e-9)
    # elastic until 0.1 (0.5 J); the rest, 1.5 J, is work of the constant force 10 N over 0.15
    assert abs(d.plastic[0] - 0.15) < 1e-3 and abs(energy[-1] - 0.5) < 2e-3


def test_snapshots_and_replay():
    _, m = both("implicitfast")
    d = pm.MjData(m)
    d.qvel = 2
    pm.mj_step(m, d, 30)
    full, everything = int(pm.mjtState.mjSTATE_FULLPHYSICS), int(pm.mjtState.mjSTATE_INTEGRATION)
    assert pm.mj_stateSize(m, int(pm.mjtState.mjSTATE_PLASTIC)) == m.nplastic == 12
    vector = np.zeros(pm.mj_stateSize(m, everything))
    pm.mj_getState(m, d, vector, everything)
    assert np.array_equal(vector[-m.nplastic :], d.plastic)
    snapshot, pickled, copied = pliant.State(m), pickle.loads(pickle.dumps(d)), copy.copy(d)
    snapshot = copy.copy(d.state)
    hash_before = d.state.hash()
    other = pm.MjData(m)
    pm.mj_setState(m, other, vector, everything)
    physics = np.zeros(pm.mj_stateSize(m, full))
    pm.mj_getState(m, d, physics, full)
    steps = 40
    pm.mj_step(m, d, steps)
    for replay in (other, pickled, copied):
        assert not np.array_equal(replay.plastic, d.plastic)
        pm.mj_step(m, replay, steps)
        assert np.array_equal(replay.plastic, d.plastic) and np.array_equal(replay.qpos, d.qpos)
    assert snapshot.hash() == hash_before
    snapshot.plastic[0] += 1
    assert snapshot.hash() != hash_before
    rolled = pliant.rollout(m, physics, nstep=steps, initial_warmstart=copied.qacc_warmstart * 0)
    batch = pliant.Batch(m, 3)
    for name in ("time", "qpos", "qvel", "act", "plastic", "qacc_warmstart"):
        getattr(batch, name)[:] = np.ravel(getattr(pickle.loads(pickle.dumps(pickled)), name))
    assert batch.plastic.shape == (3, m.nplastic)
    again = pm.MjData(m)
    pm.mj_setState(m, again, physics, full)
    pm.mj_step(m, again, steps)
    last = np.zeros_like(physics)
    pm.mj_getState(m, again, last, full)
    assert np.array_equal(rolled.state[0, -1], last)
    # keyframes
    pm.mj_setKeyframe(m, d, 1)
    pm.mj_resetDataKeyframe(m, again, 1)
    assert np.array_equal(again.plastic, d.plastic)
    pm.mj_resetData(m, again)
    assert np.array_equal(again.plastic, pm.MjData(m).plastic)


def test_worlds_of_a_batch():
    _, m = both("Euler")
    batch, loop = pliant.Batch(m, 4, threads=2), [pm.MjData(m) for _ in range(4)]
    rng = np.random.default_rng(5)
    batch.qvel[:] = rng.normal(size=(4, m.nv)) * 3
    for i, d in enumerate(loop):
        d.qvel = batch.qvel[i]
    batch.step(nstep=50)
    for i, d in enumerate(loop):
        pm.mj_step(m, d, 50)
        assert np.array_equal(batch.plastic[i], d.plastic)
    batch.reset()
    assert np.array_equal(batch.plastic[0], pm.MjData(m).plastic)


def test_binary_models(tmp_path):
    _, m = both("Euler")
    other = pickle.loads(pickle.dumps(m))
    assert np.array_equal(other.key_plastic, m.key_plastic) and other.nplastic == m.nplastic
    d, e = pm.MjData(m), pm.MjData(other)
    for model, data in ((m, d), (other, e)):
        data.qvel = 2
        pm.mj_step(model, data, 20)
    assert np.array_equal(d.plastic, e.plastic)
