"""robosuite: fifteen environments, without pictures."""

import mujoco
import numpy as np

PACKAGE = "robosuite"
# Release 1.5.2 was made for MuJoCo 3.3 and does not start on 4.0, where integers of NumPy are not equal to enumerations
# on the left of ==, MjData has no `qM` and mj_fullM other arguments. Pliant has them as before; for the run on the
# reference they are put in its place here.
if not hasattr(mujoco.MjData, "qM"):
    full_matrix = mujoco.mj_fullM
    mujoco.mjtJoint.__eq__ = lambda one, other: int(one) == int(other)
    mujoco.mjtJoint.__hash__ = lambda one: int(one)
    mujoco.MjData.qM = property(lambda data: data)
    mujoco.mj_fullM = lambda model, matrix, data: full_matrix(model, data, matrix)

import robosuite  # noqa: E402

ONE_ARM = "Door Lift NutAssembly NutAssemblyRound NutAssemblySingle NutAssemblySquare PickPlace PickPlaceBread " \
    "PickPlaceCan PickPlaceCereal PickPlaceMilk PickPlaceSingle Stack ToolHang Wipe".split()  # fmt: skip


def runs(steps):
    for name in ONE_ARM:
        yield name, lambda name=name: run(name, steps)


def run(name, steps):
    environment = robosuite.make(
        name, robots="Panda", has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False, seed=3,
        ignore_done=True,
    )  # fmt: skip
    environment.reset()
    random, (low, high) = np.random.RandomState(1), environment.action_spec
    observation, reward, *_ = environment.step(random.uniform(low, high))
    first = np.append(np.concatenate([np.ravel(observation[key]) for key in sorted(observation)]), reward)
    for _ in range(min(steps, 50)):
        observation, *_ = environment.step(random.uniform(low, high))
        if not np.isfinite(np.concatenate([np.ravel(value) for value in observation.values()])).all():
            raise ValueError("an observation is not finite")
    return first
