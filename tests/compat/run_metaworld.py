"""metaworld: all 50 tasks of ML1."""

import metaworld
import numpy as np

PACKAGE = "metaworld"


def runs(steps):
    for name in sorted(metaworld.ML1.ENV_NAMES):
        yield name, lambda name=name: run(name, steps)


def run(name, steps):
    benchmark = metaworld.ML1(name, seed=3)
    environment = benchmark.train_classes[name]()
    environment.set_task(benchmark.train_tasks[0])
    environment.reset(seed=0)
    random = np.random.RandomState(1)
    observation, reward, *_ = environment.step(random.uniform(-1, 1, 4))
    first = np.append(observation, reward)
    for _ in range(steps):
        observation, _, terminated, truncated, _ = environment.step(random.uniform(-1, 1, 4))
        if terminated or truncated:
            environment.reset()
        if not np.isfinite(observation).all():
            raise ValueError("an observation is not finite")
    return first
