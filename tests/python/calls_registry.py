"""The model that example calls work on, and the list that they enter themselves into (calls.py)."""

import numpy as np

XML = """
<mujoco model="compatibility">
  <option timestep=".004" cone="elliptic"/>
  <size nuserdata="2"/>
  <custom><numeric name="n" data="1 2"/><text name="t" data="abc"/><tuple name="tp">
    <element objtype="body" objname="trunk"/></tuple></custom>
  <asset><mesh name="tetra" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 1 0 1 0 1 0 1 0"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <geom name="hills" type="hfield" hfield="hills" pos="3 0 0"/>
    <camera name="eye" pos="0 -2 1"/><light name="lamp" pos="0 0 3"/>
    <body name="trunk" pos="0 0 .3"><freejoint name="root"/><geom name="box" type="box" size=".1 .08 .05" mass="2"/>
      <site name="tip" pos=".1 0 0"/>
      <body name="arm" pos=".1 0 0"><joint name="shoulder" axis="0 1 0" range="-1 1" limited="true" damping=".1"/>
        <geom name="upper" type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
        <body name="hand" pos=".2 0 0"><joint name="wrist" type="ball"/>
          <geom name="palm" type="mesh" mesh="tetra"/></body></body></body>
    <body name="ball" pos=".5 0 .1"><freejoint/><geom name="sphere" size=".1"/></body>
    <body name="target" mocap="true" pos="1 1 1"><geom name="mark" size=".05" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><exclude name="ex" body1="trunk" body2="hand"/><pair name="pr" geom1="sphere" geom2="upper"/></contact>
  <equality><connect name="rope" body1="ball" body2="trunk" anchor="0 0 0" active="false"/></equality>
  <tendon><fixed name="cable"><joint joint="shoulder" coef="1"/></fixed></tendon>
  <actuator><motor name="motor" joint="shoulder" ctrlrange="-1 1" ctrllimited="true"/>
    <general name="slow" joint="shoulder" dyntype="filter" dynprm=".1"/></actuator>
  <sensor><jointpos name="angle" joint="shoulder"/><framepos name="place" objtype="site" objname="tip"/>
    <subtreelinvel name="momentum" body="trunk"/></sensor>
  <keyframe><key name="start" qpos="0 0 .3 1 0 0 0 .2 1 0 0 0 .5 0 .1 1 0 0 0" ctrl=".3 .1"/></keyframe>
</mujoco>
"""


def make(module):
    """A model and data after some steps: contacts, a bent arm, something in every array."""
    model = module.MjModel.from_xml_string(XML)
    data = module.MjData(model)
    module.mj_resetDataKeyframe(model, data, 0)
    for _ in range(60):
        module.mj_step(model, data)
    data.qfrc_applied[:] = 0.1
    module.mj_forward(model, data)
    return model, data


CALLS = {}


def example(*names):
    """The decorated function calls these; it gets the module's function in place of its name."""

    def keep(function):
        for name in names:
            CALLS[name] = lambda module, model, data, rng, name=name: function(
                getattr(module, name), module, model, data, rng
            )
        return function

    return keep


FIELDS = (
    "qpos qvel act ctrl qacc xpos xquat cvel qfrc_bias qfrc_passive qfrc_constraint qfrc_inverse M energy sensordata"
).split()


def fields(data, names=FIELDS):
    return [np.array(getattr(data, name)) for name in names] + [data.time, data.ncon, data.nefc]
