"""mj_setConst: what follows from other numbers of a model is renewed, what the compiler found for a file is not."""

import mujoco
import numpy as np

import pliant.mujoco

ARM = """<mujoco><worldbody>
  <body name="a" pos="0 0 1" euler="10 0 0"><joint name="a" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
    <site name="p" pos=".2 0 .1"/>
    <body name="b" pos=".4 0 0"><joint name="b" axis="0 1 0" springref="20"/><geom type="box" size=".1 .05 .02"/>
      <site name="q" pos=".1 0 0"/></body></body>
  <body name="c" pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody>
  <tendon><spatial name="t" stiffness="3"><site site="p"/><site site="q"/></spatial></tendon>
  <equality><weld body1="b" body2="c"/><weld body1="a" body2="c" relpose="0 0 .1 1 0 0 0"/></equality>
  <actuator><position joint="a" kp="20" dampratio="1"/><position joint="b" kp="4" dampratio=".5"/></actuator>
</mujoco>"""

FIELDS = """actuator_biasprm actuator_acc0 actuator_length0 tendon_lengthspring tendon_length0 tendon_invweight0 eq_data
dof_M0 dof_invweight0 body_invweight0 body_subtreemass dof_length"""


def changed(module):
    model = module.MjModel.from_xml_string(ARM)
    data = module.MjData(model)
    before = {name: np.array(getattr(model, name)) for name in FIELDS.split()} | {"extent": model.stat.extent}
    model.body_mass[2] *= 3
    model.body_pos[2] = [0.6, 0.1, 0]
    model.body_pos[3] = [1.2, 0.3, 0.8]
    module.mj_setConst(model, data)
    return model, before


def test_equal_reference_after_a_change():
    (theirs, before), (ours, own_before) = changed(mujoco), changed(pliant.mujoco)
    for name in FIELDS.split():
        np.testing.assert_allclose(own_before[name], before[name], rtol=0, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=0, atol=1e-12, err_msg=name)
    assert abs(ours.stat.extent - theirs.stat.extent) <= 1e-12


def test_what_the_compiler_found_stays():
    model, before = changed(pliant.mujoco)
    np.testing.assert_array_equal(model.actuator_biasprm, before["actuator_biasprm"])
    np.testing.assert_array_equal(model.tendon_lengthspring, before["tendon_lengthspring"])
    assert model.stat.extent == before["extent"]
    # the weld without relpose follows the bodies, the other one does not
    assert np.abs(model.eq_data[0, 3:10] - before["eq_data"][0, 3:10]).max() > 0.1
    np.testing.assert_array_equal(model.eq_data[1], before["eq_data"][1])


def test_damping_ratio_is_that_of_the_mass_felt():
    """kv = 2 ζ √(kp m) with m = 1 / (J M⁻¹ J'): the servo alone, about qpos0, is an oscillator with damping ratio ζ."""
    model = pliant.mujoco.MjModel.from_xml_string(ARM)
    data = pliant.mujoco.MjData(model)
    pliant.mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    pliant.mujoco.mj_fullM(model, data, mass)
    inverse = np.linalg.inv(mass)
    for i, (kp, ratio) in enumerate(((20, 1), (4, 0.5))):
        felt = 1 / inverse[i, i]
        np.testing.assert_allclose(-model.actuator_biasprm[i, 2], 2 * ratio * np.sqrt(kp * felt), rtol=1e-12)
