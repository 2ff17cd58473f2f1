"""Runs Gymnasium's MuJoCo environments on one of the two modules and prints what they return, as JSON.

    gym_run.py mujoco|pliant first|first-exact|rewards NAMES SEEDS [STEPS]

`first`: observation, reward and info of the first step from each seed; `first-exact`: with Newton and tolerance 1e-14;
`rewards`: reward per step, averaged over an episode of random actions, of each seed.
"""

import json
import sys

if sys.argv[1] == "pliant":
    import pliant.mujoco

    sys.modules["mujoco"] = pliant.mujoco

import gymnasium
import mujoco
import numpy as np


def plain(value):
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in sorted(value.items())}
    return np.asarray(value, float).ravel().tolist()


def first_step(env, seed):
    env.action_space.seed(seed)
    observation, info = env.reset(seed=seed)
    observation_1, reward, terminated, truncated, info_1 = env.step(env.action_space.sample())
    return {
        "reset": plain(observation), "reset_info": plain(info), "observation": plain(observation_1),
        "reward": plain(reward), "info": plain(info_1), "ended": [bool(terminated), bool(truncated)],
    }  # fmt: skip


def mean_reward(env, seed, steps):
    env.action_space.seed(seed)
    env.reset(seed=seed)
    total, n = 0.0, 0
    for _ in range(steps):
        _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        total, n = total + float(reward), n + 1
        if terminated or truncated:
            break
    return total / n


def run_all(name, mode, seeds, rest):
    env = gymnasium.make(f"{name}-v5").unwrapped
    solver = int(env.model.opt.solver)
    if mode == "first-exact":
        options = env.model.opt
        options.solver = mujoco.mjtSolver.mjSOL_NEWTON
        options.tolerance = options.ls_tolerance = 1e-14
        options.iterations = options.ls_iterations = 200
    run = mean_reward if mode == "rewards" else first_step
    results = [run(env, seed, *[int(value) for value in rest]) for seed in range(int(seeds))]
    return {"module": type(env.model).__module__, "solver": solver, "results": results}


def main():
    _, _, mode, names, seeds, *rest = sys.argv
    json.dump({name: run_all(name, mode, seeds, rest) for name in names.split(",")}, sys.stdout)


if __name__ == "__main__":
    main()
