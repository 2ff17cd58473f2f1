"""The integrator discrete: its metric, its smooth acceleration and its steps are the reference's.

Rows, forces and accelerations with constraints are compared by test_rows.py.
"""

import mujoco
import numpy as np
import pytest

import conftest
import dynamics
import pliant.mujoco
import rows
import test_rows
from pliant import _pliant

LIMIT = 1e-9
FIELDS = "efm_ck efm_diag efm_sdiag efm_c efm_ca".split()
FAST = test_rows.FAST + sorted(conftest.CASES.glob("dynamics_*.xml")) + [conftest.CASES / "fluid_and_dampers.xml"]


def compare_metric(model, reference, pliant_model, state, data):
    """Worst Difference of what the metric is made of, and of the smooth acceleration."""
    dynamics.copy_state(reference, state)
    dynamics.copy_data(reference, data)
    _pliant.set_contacts(data, reference.contact)
    for stage in ("constraint", "passive", "bias", "reference", "metric", "acceleration"):
        _pliant.run_stage(pliant_model, state, data, stage)
    found = {}
    for name in FIELDS:
        theirs = getattr(reference, name)
        theirs = np.zeros(model.nv) if theirs is None or np.size(theirs) == 0 else np.asarray(theirs)
        scale = np.max(np.abs(reference.qfrc_smooth), initial=0) if name in ("efm_c", "efm_ca") else 0
        found[name] = dynamics.worst("metric", name, theirs, getattr(data, name), scale)
    found["qacc_smooth"] = dynamics.worst(
        "metric", "qacc_smooth", reference.qacc_smooth, data.qacc_smooth, rows.SMALL_ACCELERATION
    )
    return {name: difference for name, difference in found.items() if difference}


def check(path, name, states, options):
    test_rows.check(path, name, states, {"integrator": rows.DISCRETE, **options}, compare_metric, LIMIT)


@pytest.mark.parametrize("path", FAST, ids=lambda path: path.stem)
def test_metric_equals_reference(path):
    check(path, path.stem, 8, {})


@pytest.mark.slow
def test_metric_equals_reference_in_many_states(model_path, model_name):
    check(model_path, model_name, 20, {})


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
