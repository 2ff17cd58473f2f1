"""Contact forces: three balls of different weight at rest on a floor. What the floor carries is what they weigh.

contact_forces.py [mujoco|pliant]
"""

import importlib
import sys

import numpy as np

XML = """
<mujoco>
  <option timestep=".002" cone="elliptic"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="light" pos="-.5 0 .1"><freejoint/><geom name="light" size=".1" mass=".5"/></body>
    <body name="middle" pos="0 0 .1"><freejoint/><geom name="middle" size=".1" mass="1"/></body>
    <body name="heavy" pos=".5 0 .1"><freejoint/><geom name="heavy" type="box" size=".1 .1 .1" mass="4"/></body>
  </worldbody>
</mujoco>
"""


def run(mujoco):
    """Normal force of the floor on each body [N], and the sum of vertical constraint forces."""
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    while data.time < 2:
        mujoco.mj_step(model, data)
    forces = np.zeros(model.nbody)
    for i in range(data.ncon):
        contact = data.contact[i]
        force = np.zeros(6)  # along the normal and the tangents of the contact's frame, then torques
        mujoco.mj_contactForce(model, data, i, force)
        normal = contact.frame.reshape(3, 3)[0]
        body = model.geom_bodyid[contact.geom2]
        forces[body] += force[0] * normal[2]
    weights = -model.body_mass * model.opt.gravity[2]
    return {
        "forces": forces[1:],
        "weights": weights[1:],
        "by_constraints": data.qfrc_constraint.reshape(3, 6)[:, 2].copy(),
    }


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "pliant"
    result = run(importlib.import_module("pliant.mujoco" if name == "pliant" else name))
    for body, force, weight in zip(("light", "middle", "heavy"), result["forces"], result["weights"]):
        print(f"{body:8} is carried with {force:7.4f} N and weighs {weight:7.4f} N")
    assert np.allclose(result["forces"], result["weights"], rtol=1e-3)
