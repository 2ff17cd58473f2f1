"""Forces on bodies: welds, spatial tendons with all they carry, sensors of force and torque, gravity on what stands.

A body on a free joint gets no force through it, so that whatever acts on it must be in cfrc_ext: cfrc_int is then zero.
"""

import mujoco
import numpy as np
import pytest

import pliant.mujoco as pm

XML = """
<mujoco>
  <option timestep=".002" cone="{cone}" integrator="{integrator}" tolerance="1e-15" iterations="300"/>
  <compiler angle="radian"/>
  <worldbody>
    <site name="sky" pos="0 0 1.5"/>
    <site name="sky2" pos=".4 .2 1.4"/>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <geom name="post" type="cylinder" size=".08 .3" pos=".3 0 .9" euler="1.57 0 0" contype="0" conaffinity="0"/>
    <body name="fixed" pos="1 1 .5"><geom size=".05"/><site name="on fixed" euler=".3 .2 .1"/></body>
    <body name="led" mocap="true" pos="-1 1 .5"><geom size=".05" contype="0" conaffinity="0"/>
      <site name="on led" euler=".1 .2 .3"/></body>
    <body name="a" pos="0 0 .8" quat="1 .3 .2 .1">
      <freejoint/>
      <geom type="box" size=".1 .08 .06" mass="1"/>
      <site name="a1" pos=".1 0 0"/><site name="a2" pos="0 .08 .05"/>
    </body>
    <body name="b" pos=".6 .2 .7" quat="1 -.3 .5 .2">
      <freejoint/>
      <geom name="ball" size=".09" mass="2"/>
      <site name="b1" pos="-.1 0 .02"/><site name="b2" pos="0 .1 0" euler=".1 .2 .3"/>
    </body>
    <body name="c" pos="-.5 0 .6">
      <joint name="turn" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 -.3 0 0" size=".03" mass=".5"/>
      <site name="c0" euler=".5 .2 0"/><site name="c1" pos="-.3 0 .03"/>
      <body name="d" pos="-.3 0 0">
        <joint name="bend" type="ball" damping=".05"/>
        <geom type="capsule" fromto="0 0 0 -.2 0 .1" size=".02" mass=".3"/>
        <site name="d0"/><site name="d1" pos="-.2 0 .12" euler="0 .4 0"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="spring" stiffness="60" damping="3" springlength=".2 .3"><site site="sky"/><site site="a1"/></spatial>
    <spatial name="limited" limited="true" range=".1 .5" stiffness="5"><site site="a2"/><site site="b1"/></spatial>
    <spatial name="short" limited="true" range="1.5 2" margin=".01"><site site="sky2"/><site site="b2"/></spatial>
    <spatial name="dry" frictionloss="2" armature=".5"><site site="sky2"/><site site="c1"/><site site="d1"/></spatial>
    <spatial name="led" stiffness="20" springlength=".1"><site site="d1"/><site site="a2"/></spatial>
    <spatial name="follows"><site site="sky"/><site site="c1"/></spatial>
    <spatial name="leads"><site site="sky"/><site site="d1"/></spatial>
    <spatial name="wrapped" stiffness="30" springlength=".1">
      <site site="sky"/><geom geom="post"/><site site="b1"/><pulley divisor="2"/><site site="a1"/>
      <site site="b2"/><pulley divisor="3"/><site site="d1"/><geom geom="ball"/><site site="a2"/>
    </spatial>
    <fixed name="sum" stiffness="3"><joint joint="turn" coef="2"/></fixed>
  </tendon>
  <equality>
    <weld body1="a" body2="b" relpose=".5 .2 .1 1 .4 .2 .3" torquescale="{torquescale}" solref=".1 1"/>
    <weld site1="d1" site2="on led" torquescale=".5" solref=".2 1"/>
    <weld body1="c" relpose=".1 0 0 1 .1 .1 0" solref=".2 1"/>
    <tendon tendon1="follows" tendon2="leads" polycoef=".1 .5 .2 0 0" solref=".1 1"/>
    <tendon tendon1="led" polycoef=".3 0 0 0 0" solref=".3 1"/>
  </equality>
  <actuator>
    <motor tendon="spring" gear="3" ctrlrange="-1 1" armature=".2"/>
    <position tendon="wrapped" kp="20" gear="-2"/>
    <motor tendon="sum" gear="2"/>
    <motor joint="turn"/>
    <general tendon="led" gainprm="4" damping="1" gear="2"/>
  </actuator>
  <sensor>
    <force site="a1"/><torque site="a1"/><force site="b2"/><torque site="b2"/><force site="c0"/><torque site="c0"/>
    <force site="d0"/><torque site="d0"/><force site="on fixed"/><torque site="on fixed"/>
    <accelerometer site="on fixed"/><accelerometer site="on led"/><accelerometer site="sky"/><accelerometer site="d1"/>
    <framelinacc objtype="site" objname="on led"/><framelinacc objtype="body" objname="fixed"/>
    <frameangacc objtype="xbody" objname="fixed"/><framelinacc objtype="geom" objname="floor"/>
    <framelinacc objtype="site" objname="d1"/>
  </sensor>
</mujoco>
"""
FIELDS = "cacc cfrc_ext cfrc_int sensordata qacc".split()


def states(m, n):
    """Places the reference passes through."""
    d, rng = mujoco.MjData(m), np.random.default_rng(1)
    for k in range(n):
        if k % 10 == 0:
            mujoco.mj_resetData(m, d)
            d.qvel = rng.normal(size=m.nv)
            d.xfrc_applied[:] = rng.normal(size=(m.nbody, 6)) * (k % 20 == 0)
        d.ctrl = rng.uniform(-1, 1, m.nu)
        for _ in range(5):
            mujoco.mj_step(m, d)
        mujoco.mj_forward(m, d)
        mujoco.mj_rnePostConstraint(m, d)
        yield d


@pytest.mark.parametrize("torquescale", [1, 3])
@pytest.mark.parametrize("cone, integrator", [("pyramidal", "Euler"), ("elliptic", "implicitfast")])
def test_against_the_reference(cone, integrator, torquescale):
    xml = XML.format(cone=cone, integrator=integrator, torquescale=torquescale)
    m, model = mujoco.MjModel.from_xml_string(xml), pm.MjModel.from_xml_string(xml)
    d, free = pm.MjData(model), [model.body("a").id, model.body("b").id]
    kinds, worst = set(), 0.0
    for expected in states(m, 60):
        for name in ("qpos", "qvel", "ctrl", "xfrc_applied", "qacc_warmstart", "mocap_pos", "mocap_quat"):
            setattr(d, name, getattr(expected, name))
        pm.mj_forward(model, d)
        pm.mj_rnePostConstraint(model, d)
        kinds |= set(expected.efc_type.tolist())
        for name in FIELDS:
            a, b = getattr(expected, name), getattr(d, name)
            scale = 1 + np.abs(a).max()
            assert np.abs(a - b).max() < 1e-8 * scale, (name, np.abs(a - b).max() / scale)
        # nothing comes through a free joint
        scale = np.abs(d.cfrc_ext).max()
        worst = max(worst, np.abs(d.cfrc_int[free]).max() / scale)
    assert worst < 1e-9
    assert {0, 2, 4} <= kinds  # equalities, friction and limits of tendons have all been at work


def test_what_stands_feels_gravity():
    xml = XML.format(cone="pyramidal", integrator="Euler", torquescale=1)
    model = pm.MjModel.from_xml_string(xml)
    model.opt.gravity = 1, 2, -9
    d = pm.MjData(model)
    pm.mj_forward(model, d)
    for sensor, site in ((10, "on fixed"), (11, "on led"), (12, "sky")):
        reading = d.site(site).xmat.reshape(3, 3) @ d.sensor(sensor).data
        assert np.allclose(reading, [-1, -2, 9], atol=1e-14)
    acceleration = np.zeros(6)
    pm.mj_objectAcceleration(model, d, pm.mjtObj.mjOBJ_BODY, model.body("fixed").id, acceleration, 0)
    assert np.allclose(acceleration, [0, 0, 0, -1, -2, 9], atol=1e-14)
