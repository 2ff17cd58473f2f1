"""robosuite: fifteen environments, without pictures."""

import numpy as np
import robosuite

PACKAGE = "robosuite"
# On 4.0.1 none starts (AssertionError): `HINGE == number` is False there for integers of NumPy, `number == HINGE` is not.
REFERENCE = "3.3.7"
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
