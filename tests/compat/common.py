"""What the smoke runs of other people's packages share: every one is a function that gives numbers by name, to be run
on pliant.mujoco and on the reference (scripts/compat-packages).
"""

import numpy as np


def numbers(value):
    """All numbers of an observation, whatever its form."""
    if isinstance(value, dict):
        return np.concatenate([numbers(value[key]) for key in sorted(value)] or [np.zeros(0)])
    if isinstance(value, (tuple, list)):
        return np.concatenate([numbers(item) for item in value] or [np.zeros(0)])
    return np.asarray(value, float).ravel()


def gymnasium_run(make, steps, seed=0):
    """(observation and reward after the first step, whether `steps` more random steps went well)."""
    np.random.seed(seed)  # some environments draw from NumPy's own generator
    environment = make()
    environment.reset(seed=seed)
    environment.action_space.seed(seed)
    observation, reward, *_ = environment.step(environment.action_space.sample())
    first = np.append(numbers(observation), numbers(reward))
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = environment.step(environment.action_space.sample())
        if not np.isfinite(numbers(observation)).all():
            raise ValueError("an observation is not finite")
        if terminated or truncated:
            environment.reset()
    environment.close()
    return first
