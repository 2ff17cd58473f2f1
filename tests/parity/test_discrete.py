"""The integrator discrete: its metric, its smooth acceleration and its steps are the reference's.

Rows, forces and accelerations with constraints are compared by test_rows.py.
"""

import mujoco
import numpy as np
import pytest

import conftest
import pliant.mujoco
import rows
import test_rows

LIMIT = 1e-9
FAST = test_rows.FAST + sorted(conftest.CASES.glob("dynamics_*.xml")) + [conftest.CASES / "fluid_and_dampers.xml"]


def check(path, name, states, options):
    test_rows.check(path, name, states, {"integrator": rows.DISCRETE, **options}, rows.compare_metric, LIMIT)


@pytest.mark.parametrize("path", FAST, ids=lambda path: path.stem)
def test_metric_equals_reference(path):
    """(of all models: test_rows.py)"""
    check(path, path.stem, 8, {})


TENDONS = """
<mujoco><option integrator="discrete" timestep=".01" tolerance="1e-15" iterations="500" cone="{cone}"
  solver="{solver}"/>
<worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .095"><joint name="a" type="slide" damping="3"/><joint name="z" type="slide" axis="0 0 1"/>
    <geom size=".1" mass="2"/><site name="p" pos="0 .1 .1"/>
    <body pos=".3 0 .1"><joint name="c" axis="0 1 0" range="-.2 .2" limited="true"/>
      <geom size=".05" pos=".1 0 0"/></body>
  </body>
  <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/><site name="q" pos="0 0 .1"/></body>
  <body pos="2 0 2"><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/></body>
  <body pos="3 0 1"><joint name="e" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/></body>
</worldbody>
<tendon>
  <fixed name="f" stiffness="300 20 10" damping="4 1 1" springlength="-.01 .02"><joint joint="a" coef="1"/>
    <joint joint="c" coef="-.7"/><joint joint="e" coef=".4"/></fixed>
  <spatial name="s" stiffness="500" damping="2"><site site="p"/><site site="q"/></spatial>
  <fixed name="g" frictionloss=".2"><joint joint="a" coef="1"/><joint joint="c" coef=".5"/></fixed>
</tendon>
<actuator>
  <position joint="c" kp="800" kv="3"/><position tendon="g" kp="400"/><velocity joint="e" kv="6"/>
  <position site="q" refsite="p" kp="50" gear="1 0 1 0 0 0"/><motor joint="a"/>
  <position joint="e" kp="5000" forcerange="-3 3"/>
</actuator>
<equality><joint joint1="e" joint2="c" polycoef="0 1.2"/></equality></mujoco>"""


@pytest.mark.parametrize("noslip", [0, 3])
@pytest.mark.parametrize("islands", [True, False])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_terms_between_trees(solver, cone, islands, noslip):
    """Tendons and servos between trees, in one tree, saturated; free bodies with and without rows; with noslip."""
    if solver == "PGS" and cone == "elliptic":
        pytest.skip("the reference's PGS can rest at the apex of a cone")
    if solver == "PGS" and noslip:
        pytest.skip("noslip starts from what PGS has left undone, and magnifies it")
    xml = TENDONS.format(solver=solver, cone=cone)
    m, n = mujoco.MjModel.from_xml_string(xml), pliant.mujoco.MjModel.from_xml_string(xml)
    d, e = mujoco.MjData(m), pliant.mujoco.MjData(n)
    rng = np.random.default_rng(3)
    for model in (m, n):
        model.opt.noslip_iterations, model.opt.noslip_tolerance = noslip, 0
        if solver == "PGS":
            model.opt.iterations = 5000
        if not islands:
            model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    for _ in range(8):
        mujoco.mj_resetData(m, d)
        d.qpos[:3] += rng.normal(size=3) * 0.02
        d.qvel[:] = rng.normal(size=m.nv) * 0.5
        d.ctrl[:] = rng.normal(size=m.nu) * 0.2
        for name in ("qpos", "qvel", "ctrl", "qacc_warmstart"):
            getattr(e, name)[:] = getattr(d, name)
        mujoco.mj_step(m, d)
        pliant.mujoco.mj_step(n, e)
        size = max(1, np.max(np.abs(d.qacc)))
        assert (e.nefc, e.nisland) == (d.nefc, d.nisland)
        assert np.max(np.abs(e.efc_aref - d.efc_aref)) <= 1e-9 * max(1, np.max(np.abs(d.efc_aref)))
        assert np.max(np.abs(e.efc_R / d.efc_R - 1)) <= 1e-9
        assert np.max(np.abs(e.qacc_smooth - d.qacc_smooth)) <= 1e-9 * size
        limit = 1e-6 if solver == "PGS" else 1e-8
        assert np.max(np.abs(e.qacc - d.qacc)) <= limit * size
        assert np.max(np.abs(e.qvel - d.qvel)) <= limit * size * m.opt.timestep


ODD = {
    "gyroscopic": (
        """<mujoco><option integrator="discrete" timestep=".01" tolerance="1e-15" iterations="500" {}/><worldbody>
        <geom type="plane" size="5 5 1"/>
        <body pos="0 0 .3999"><freejoint/><geom type="box" size=".1 .2 .4" mass="1"/></body>
        <body pos="2 0 2"><freejoint/><geom type="box" size=".1 .2 .4" mass="1"/></body></worldbody></mujoco>""",
        (slice(3, 6), slice(9, 12)),
    ),
    "PGS": (
        """<mujoco><option integrator="discrete" timestep=".01" solver="PGS" tolerance="0" iterations="20" {}/>
        <worldbody><body><joint name="a" axis="0 1 0" range="-10 10"/><geom size=".05" pos=".2 0 0"/></body>
        <body pos="1 0 0"><joint name="b" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/></body></worldbody>
        <tendon><fixed stiffness="50" damping="2"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed>
        </tendon><actuator><position joint="b" kp="40" kv="3"/></actuator></mujoco>""",
        (slice(0, 2), slice(0, 0)),
    ),
}


@pytest.mark.parametrize("rule", ODD)
def test_odd_rules_are_followed(rule):
    """Gyroscopic terms of a free body are lost with its first row; PGS has no terms of tendons and servos.

    discrete_full is otherwise where the rule is odd, and the same where it is not. (Counts: test_doctor.py.)
    """
    xml, (odd, sound) = ODD[rule]
    m, n = mujoco.MjModel.from_xml_string(xml.format("")), pliant.mujoco.MjModel.from_xml_string(xml.format(""))
    full = pliant.mujoco.MjModel.from_xml_string(xml.format('discrete_full="1"'))
    d, e, f = mujoco.MjData(m), pliant.mujoco.MjData(n), pliant.mujoco.MjData(full)
    rng = np.random.default_rng(7)
    for _ in range(5):
        mujoco.mj_resetData(m, d)
        if rule == "PGS":
            d.qpos[:] = rng.normal(size=m.nq) * 0.5
            d.ctrl[:] = rng.normal(size=m.nu)
            d.qvel[:] = rng.normal(size=m.nv) * 2
        else:
            for spin in (slice(3, 6), slice(9, 12)):
                d.qvel[spin] = rng.normal(size=3) * 6
        for mine in (e, f):
            for name in ("qpos", "qvel", "ctrl"):
                getattr(mine, name)[:] = getattr(d, name)
            mine.qacc_warmstart[:] = 0
        mujoco.mj_forward(m, d)
        pliant.mujoco.mj_forward(n, e)
        pliant.mujoco.mj_forward(full, f)
        size = np.max(np.abs(d.qacc))
        assert np.max(np.abs(e.qacc - d.qacc)) <= 1e-9 * size
        assert np.max(np.abs(f.qacc[odd] - d.qacc[odd])) > 1e-3 * size
        assert np.max(np.abs(f.qacc[sound] - d.qacc[sound]), initial=0) <= 1e-9 * size


def test_inverse():
    """qfrc_inverse of the reference, without the flag invdiscrete; and what was applied comes back."""
    xml = TENDONS.format(solver="Newton", cone="elliptic")
    m, n = mujoco.MjModel.from_xml_string(xml), pliant.mujoco.MjModel.from_xml_string(xml)
    d, e = mujoco.MjData(m), pliant.mujoco.MjData(n)
    rng = np.random.default_rng(5)
    for _ in range(5):
        for name, size in (("qvel", m.nv), ("ctrl", m.nu), ("qfrc_applied", m.nv)):
            getattr(d, name)[:] = getattr(e, name)[:] = rng.normal(size=size) * 0.3
        mujoco.mj_forward(m, d)
        pliant.mujoco.mj_forward(n, e)
        e.qacc[:] = d.qacc
        mujoco.mj_inverse(m, d)
        pliant.mujoco.mj_inverse(n, e)
        size = max(1, np.max(np.abs(d.qfrc_inverse)))
        assert np.max(np.abs(e.qfrc_inverse - d.qfrc_inverse)) <= 1e-9 * size
        assert np.max(np.abs(e.qfrc_inverse - e.qfrc_applied - e.qfrc_actuator)) <= 1e-6 * size
