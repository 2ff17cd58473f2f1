"""Energy books: work equals the change of energy, and energy drifts as much as the reference's does."""

import mujoco
import numpy as np
import pytest

import pliant.mujoco

INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}

TUMBLING_BOX = """<mujoco><option timestep="0.005" gravity="0 0 0"><flag energy="enable"/></option><worldbody>
  <body><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"""

TRIPLE_PENDULUM = """<mujoco><option timestep="0.002"><flag energy="enable" constraint="disable"/></option>
  <default><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.4"/><joint axis="0 1 0"/></default><worldbody>
  <body pos="0 0 2"><joint/><geom/><body pos="0 0 -.4"><joint/><geom/><body pos="0 0 -.4"><joint/><geom/></body>
  </body></body></worldbody></mujoco>"""

MACHINE = """<mujoco><option timestep="0.0005" integrator="RK4"><flag energy="enable" constraint="disable"/></option>
  <worldbody><body pos="0 0 1"><joint name="a" axis="0 1 0" stiffness="3" damping=".2" springref="20"/>
    <geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/><site name="p" pos=".2 0 0"/>
    <body pos=".4 0 0"><joint name="b" type="slide" axis="1 0 0" stiffness="40" damping="1"/>
      <geom size=".05"/><site name="q"/></body></body><site name="o" pos="0 .3 1.4"/></worldbody>
  <tendon><spatial name="t" stiffness="30" damping=".5" springlength=".2 .3"><site site="o"/><site site="p"/>
    <site site="q"/></spatial></tendon>
  <actuator><motor joint="a" gear="2"/><position joint="b" kp="15" kv=".3"/></actuator></mujoco>"""


def drift(module, xml, integrator, seconds, start):
    model = module.MjModel.from_xml_string(xml)
    model.opt.integrator = integrator
    data = module.MjData(model)
    start(data)
    module.mj_forward(model, data)
    before = data.energy.sum()
    for _ in range(round(seconds / model.opt.timestep)):
        module.mj_step(model, data)
    module.mj_forward(model, data)
    return (data.energy.sum() - before) / max(abs(before), 1e-9)


def spin(data):
    data.qvel[3:] = (0.3, 5, 0.2)  # about the middle axis: it tumbles


def lift(data):
    data.qpos[:] = (1.5, 0.8, -0.4)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize(("name", "xml", "start", "seconds"), [
    ("tumbling box", TUMBLING_BOX, spin, 10), ("triple pendulum", TRIPLE_PENDULUM, lift, 2)])  # fmt: skip
def test_energy_drifts_as_the_reference(name, xml, start, seconds, integrator):
    number = INTEGRATORS[integrator]
    theirs = drift(mujoco, xml, number, seconds, start)
    ours = drift(pliant.mujoco, xml, number, seconds, start)
    print(f"{name}, {integrator}: energy changes by {ours:.3e} in {seconds} s, the reference's by {theirs:.3e}")
    assert ours == pytest.approx(theirs, rel=1e-4, abs=1e-9)


def test_work_is_the_change_of_energy():
    model = pliant.mujoco.MjModel.from_xml_string(MACHINE)
    data = pliant.mujoco.MjData(model)
    data.qpos[:] = (0.4, 0.05)
    data.qfrc_applied[:] = (0.3, -0.2)
    work, energies, last = 0.0, [], None
    for step in range(4000):
        data.ctrl[:] = (np.sin(0.002 * step), 0.1 * np.cos(0.003 * step))
        pliant.mujoco.mj_forward(model, data)
        power = np.dot(data.qfrc_damper + data.qfrc_actuator + data.qfrc_applied, data.qvel)
        if last is not None:
            work += 0.5 * (power + last) * model.opt.timestep
        last = power
        energies.append(data.energy.sum())
        # controls change once per step: the power before and after the change both count for half a step
        pliant.mujoco.mj_step(model, data)
    change = energies[-1] - energies[0]
    assert abs(change) > 0.05  # there is something to account for
    assert work == pytest.approx(change, abs=2e-3 * max(abs(e) for e in energies))


def test_momentum_of_a_free_system_stays():
    xml = """<mujoco><option gravity="0 0 0" integrator="RK4" timestep="0.00025"/><worldbody><body><freejoint/>
      <geom type="box" size=".2 .1 .1"/><body pos=".3 0 0"><joint axis="0 1 1" stiffness="2" damping=".1"/>
      <geom type="capsule" size=".05 .2" pos=".2 0 0"/></body></body></worldbody></mujoco>"""
    model = pliant.mujoco.MjModel.from_xml_string(xml)
    data = pliant.mujoco.MjData(model)
    data.qvel[:] = (0.3, -0.2, 0.1, 1, 2, -1, 4)

    def momentum():
        pliant.mujoco.mj_forward(model, data)
        pliant.mujoco.mj_subtreeVel(model, data)
        return np.concatenate([data.subtree_linvel[0] * np.sum(model.body_mass), data.subtree_angmom[0]])

    before = momentum()
    for _ in range(2000):
        pliant.mujoco.mj_step(model, data)
    assert momentum() == pytest.approx(before, abs=1e-7)
