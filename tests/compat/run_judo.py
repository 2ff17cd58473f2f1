"""judo: rollouts of its tasks, as its controllers make them, and their rewards. Most tasks need meshes that it
downloads from its repository when its models have no folder `meshes`: an empty one makes do for those that need none.
"""

import numpy as np
from judo import MODEL_PATH
from judo.tasks import get_registered_tasks
from judo.utils.mj_rollout_backend import MJRolloutBackend

PACKAGE = "judo-rai"


def runs(steps):
    (MODEL_PATH / "meshes").mkdir(exist_ok=True)
    for name in ("cartpole", "cylinder_push"):
        task, _ = get_registered_tasks()[name]
        yield name, lambda task=task: run(task, steps)


def run(task_class, steps):
    """States and sensors of rollouts from the task's start, with controls within their ranges, and the rewards."""
    np.random.seed(0)  # (tasks draw their starts from it)
    task = task_class()
    threads, horizon = 4, 10
    low, high = np.clip(task.actuator_ctrlrange.T, -1, 1)
    random, backend = np.random.RandomState(1), MJRolloutBackend(task.model, threads)
    start = np.concatenate([task.data.qpos, task.data.qvel])
    first = None
    for _ in range(max(1, steps // horizon)):
        controls = random.uniform(low, high, (threads, horizon, len(low)))
        states, sensors, _ = backend.rollout(start, controls)
        if not np.isfinite(states).all():
            raise ValueError("a state is not finite")
        if first is None:
            reward = task.reward(states, sensors, controls)
            first = np.concatenate([states[:, 0].ravel(), sensors[:, 0].ravel(), reward])
        start = states[0, -1]
    return first
