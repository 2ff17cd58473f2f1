"""mink: inverse kinematics of an arm, tasks and limits."""

import mink
import mujoco
import numpy as np

PACKAGE = "mink"
ARM = """
<mujoco>
  <worldbody><body name="a"><joint name="j1" axis="0 0 1" range="-120 120"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
    <body name="b" pos=".3 0 0"><joint name="j2" axis="0 1 0" range="-120 120"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body name="c" pos=".3 0 0"><joint name="j3" axis="0 1 0" range="-120 120"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="tip" pos=".2 0 0"/></body></body></body>
  </worldbody>
</mujoco>
"""


def runs(steps):
    yield "arm", lambda: arm(max(10, steps))


def arm(steps):
    model = mujoco.MjModel.from_xml_string(ARM)
    configuration = mink.Configuration(model)
    configuration.update(np.array([0.1, 0.2, 0.3]))
    task = mink.FrameTask("tip", "site", position_cost=1.0, orientation_cost=0.1, lm_damping=1e-6)
    goal = mink.SE3.from_rotation_and_translation(mink.SO3.identity(), np.array([0.4, 0.3, 0.2]))
    task.set_target(goal)
    posture = mink.PostureTask(model, cost=1e-3)
    posture.set_target(np.zeros(3))
    limits = [mink.ConfigurationLimit(model), mink.VelocityLimit(model, {"j1": 2.0, "j2": 2.0, "j3": 2.0})]
    first = None
    for _ in range(steps):
        velocity = mink.solve_ik(configuration, [task, posture], 0.01, "quadprog", limits=limits)
        first = velocity if first is None else first
        configuration.integrate_inplace(velocity, 0.01)
    return np.concatenate([first, task.compute_error(configuration)])
