"""dm_control: all tasks of its suite."""

import mujoco
import numpy as np

from common import numbers

PACKAGE = "dm_control"
# Release 1.0.50 was made for MuJoCo 3.17 and asks for arrays of flexes that 4.0 no longer has. Pliant has them, empty;
# for the run on the reference they are added here.
EARLIER = {
    "MjModel": {
        "flex_vertedge": 2, "flex_vertedgeadr": 0, "flex_vertedgenum": 0, "flex_vertmetric": 4,
        "flexvert_J_colind": 2, "flexvert_J_rowadr": 2, "flexvert_J_rownnz": 2,
    },
    "MjData": {"flexvert_J": 2, "flexvert_length": 2},
}  # fmt: skip
for cls, arrays in EARLIER.items():
    for name, width in arrays.items():
        if not hasattr(getattr(mujoco, cls), name):
            setattr(getattr(mujoco, cls), name, np.zeros((0, width) if width else 0))

from dm_control import suite  # noqa: E402
from dm_control.rl.control import PhysicsError  # noqa: E402

# it draws height fields with an OpenGL context of dm_control's own
DRAWING = {("quadruped", "escape")}


def runs(steps):
    for domain, task in suite.ALL_TASKS:
        if (domain, task) not in DRAWING:
            yield f"{domain}/{task}", lambda domain=domain, task=task: run(domain, task, steps)


def run(domain, task, steps):
    environment = suite.load(domain, task, task_kwargs={"random": 0})
    environment.reset()
    random, actions = np.random.RandomState(1), environment.action_spec()
    step = environment.step(random.uniform(actions.minimum, actions.maximum))
    physics = environment.physics.data
    first = np.concatenate([numbers(dict(step.observation)), [step.reward], physics.qpos, physics.qvel])
    for _ in range(steps):
        try:
            step = environment.step(random.uniform(actions.minimum, actions.maximum))
        except PhysicsError:
            if domain != "lqr":
                raise
            break  # its forces and ranges have no limits: random ones drive it away, on the reference, too
        if not np.isfinite(numbers(dict(step.observation))).all():
            raise ValueError("an observation is not finite")
    return first
