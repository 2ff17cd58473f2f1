"""Numbers that are none, with set_on_fault("reset"): what the reference does, state and warnings alike."""

import os
import subprocess
import sys
import warnings

import mujoco as reference
import numpy as np
import pytest

import pliant.mujoco as ours

XML = """
<mujoco>
  <option integrator="{}"/>
  <worldbody>
    <body><freejoint/><geom size=".1"/></body>
    <body pos="1 0 0"><joint name="j"/><geom size=".1"/>
      <body pos="0 0 1"><joint name="k" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></body>
  </worldbody>
  <actuator><motor joint="j"/><position joint="j" kp="3"/><intvelocity joint="j" actrange="-1 1"/></actuator>
</mujoco>
"""
NAN, HUGE = float("nan"), 1e12


@pytest.fixture(autouse=True)
def as_in_the_reference():
    ours.set_on_fault("reset")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    ours.set_on_fault("raise")
    for module in (ours, reference):
        module.mj_resetCallbacks()


def spoil(data, what):
    if what == "ctrl":
        data.ctrl[0] = NAN
    elif what == "huge ctrl":
        data.ctrl[1] = HUGE
    elif what == "qpos of a hinge":
        data.qpos[8] = NAN
    elif what == "xfrc_applied":
        data.xfrc_applied[2, 0] = NAN
    else:
        getattr(data, what)[0] = NAN


def halves(module):
    def run(model, data):
        module.mj_step1(model, data)
        module.mj_step2(model, data)

    return run


PARTS = {
    "step": lambda module: module.mj_step,
    "three steps": lambda module: lambda model, data: module.mj_step(model, data, 3),
    "halves": halves,
    "forward": lambda module: module.mj_forward,
    "inverse": lambda module: module.mj_inverse,
    "checkPos": lambda module: module.mj_checkPos,
    "checkVel": lambda module: module.mj_checkVel,
}


def after(module, integrator, what, part, callback=None):
    model = module.MjModel.from_xml_string(XML.format(integrator))
    data = module.MjData(model)
    data.time, data.ctrl[:], data.qvel[:] = 1, 0.5, 0.1
    if callback is not None:
        module.set_mjcb_control(callback)
    else:
        spoil(data, what)
    PARTS[part](module)(model, data)
    module.set_mjcb_control(None)
    if part == "inverse":  # a mass matrix of no numbers is counted here, as in no other part
        data.warning[module.mjtWarning.mjWARN_INERTIA].number = 0
    return [data.time, *data.ctrl, *data.act, *data.qpos, *data.qvel, *data.xfrc_applied[2], *data.actuator_force,
            *data.warning.number]  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("what", ["ctrl", "huge ctrl", "act", "qpos", "qpos of a hinge", "qvel", "qfrc_applied",
                                  "xfrc_applied"])  # fmt: skip
@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
def test_bad_numbers(integrator, what, part):
    a, b = after(ours, integrator, what, part), after(reference, integrator, what, part)
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


def bad(m, d):
    d.ctrl[0] = NAN


def at_times(m, d):
    d.ctrl[0] = NAN if d.time < 1.001 else 0.25


@pytest.mark.parametrize("callback", [bad, at_times])
@pytest.mark.parametrize("part", ["step", "three steps", "halves", "forward"])
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_bad_controls_of_a_callback(integrator, part, callback):
    a, b = after(ours, integrator, "", part, callback), after(reference, integrator, "", part, callback)
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


def test_bad_controls_are_as_if_all_were_zero():
    model = ours.MjModel.from_xml_string(XML.format("Euler"))
    data, still = ours.MjData(model), ours.MjData(model)
    data.ctrl[:] = 0.5, NAN, 0.2
    ours.mj_step(model, data)
    ours.mj_step(model, still)
    np.testing.assert_array_equal(data.qpos, still.qpos)
    np.testing.assert_array_equal(data.ctrl, [0.5, NAN, 0.2])  # they are the program's


def test_a_reset_is_followed_by_the_step():
    """As for the reference the step is made, from the initial state."""
    model = ours.MjModel.from_xml_string(XML.format("Euler"))
    data, fresh = ours.MjData(model), ours.MjData(model)
    data.time, data.qvel[2] = 3, NAN
    with pytest.warns(RuntimeWarning, match=r"qvel\[2\]"):
        ours.mj_step(model, data)
    ours.mj_step(model, fresh)
    np.testing.assert_array_equal(data.qpos, fresh.qpos)
    assert data.time == fresh.time == model.opt.timestep and data.warning.number.sum() == 1


def test_the_environment_says_it_too(tmp_path):
    (tmp_path / "model.xml").write_text(XML.format("Euler"))
    code = "import pliant.mujoco as m; print(m.get_on_fault()); d = m.MjData(m.MjModel.from_xml_path('model.xml'))\n"
    code += "d.qpos[0] = float('nan'); m.mj_step(d.model, d); print(d.warning.number.sum())"
    places = [os.path.dirname(os.path.dirname(ours.__path__[0])), os.environ.get("PYTHONPATH")]
    environment = {**os.environ, "PLIANT_ON_FAULT": "reset", "PYTHONPATH": os.pathsep.join(filter(None, places))}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, capture_output=True, text=True,
                          cwd=tmp_path)  # fmt: skip
    assert done.stdout.split() == ["reset", "1"], done.stderr
