"""pliant.envs.VecEnv: the three ways of resetting, seeds, faults, messages; and the same numbers as Gymnasium's
HalfCheetah."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from pliant.envs import AutoresetMode, VecEnv  # noqa: E402

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
CART = """
<mujoco><option timestep=".01"/>
  <worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
  <actuator><motor joint="x" ctrlrange="-1 1" ctrllimited="true"/></actuator></mujoco>
"""


def moved(worlds, action, before):
    return worlds.qpos[:, 0] - before.qpos[:, 0]


def noise(rng, qpos, qvel):
    return qpos + rng.uniform(-0.1, 0.1, qpos.shape), qvel


def cart(n=3, **options):
    options = {"initial": noise, "frame_skip": 2, "max_episode_steps": 4} | options
    return VecEnv(CART, n, moved, **options)


def test_spaces_and_shapes():
    envs = cart()
    assert envs.single_action_space.shape == (1,) and envs.action_space.shape == (3, 1)
    assert envs.observation_space.shape == (3, 2) and envs.dt == 0.02
    observation, info = envs.reset(seed=0)
    assert observation.shape == (3, 2) and info == {} and envs.observation_space.contains(observation)
    observation, reward, terminated, truncated, info = envs.step(envs.action_space.sample())
    assert reward.shape == terminated.shape == truncated.shape == (3,)
    assert np.allclose(reward, 0, atol=1e-2) and not terminated.any()
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_seeds_belong_to_worlds():
    a, _ = cart(4).reset(seed=7)
    b, _ = cart(2).reset(seed=7)
    c, _ = cart(2).reset(seed=[9, 10])
    assert np.array_equal(a[:2], b) and np.array_equal(a[2:], c)
    assert cart(2).reset(seed=7)[0].tobytes() == b.tobytes()
    assert len(np.unique(a[:, 0])) == 4
    envs = cart(2)
    envs.reset(seed=3)
    assert len(envs.np_random) == 2 and envs.np_random_seed == (3, 4)
    # the second episode of a world does not depend on the others
    alone, together = cart(1), cart(3)
    alone.reset(seed=5), together.reset(seed=5)
    for _ in range(5):
        x, y = alone.step(np.zeros((1, 1)))[0], together.step(np.zeros((3, 1)))[0]
    assert np.array_equal(x[0], y[0])


def test_next_step_reset():
    envs = cart()
    envs.reset(seed=0)
    for i in range(4):
        observation, _, _, truncated, _ = envs.step(np.ones((3, 1)))
        assert truncated.all() == (i == 3)
    last = observation
    observation, reward, terminated, truncated, _ = envs.step(np.ones((3, 1)))
    assert not reward.any() and not truncated.any() and not terminated.any()
    assert (
        np.abs(observation[:, 0]).max() <= 0.1 and not np.array_equal(observation, last) and not observation[:, 1].any()
    )
    assert not envs.step(np.ones((3, 1)))[3].any()


def test_same_step_reset():
    envs = cart(autoreset_mode=AutoresetMode.SAME_STEP, terminated=lambda worlds: worlds.qpos[:, 0] > 0.099)
    envs.reset(seed=0)
    envs.worlds.qpos[1, 0] = 0.5
    observation, _, terminated, _, info = envs.step(np.zeros((3, 1)))
    assert list(terminated) == [False, True, False]
    assert (
        abs(observation[1, 0]) <= 0.1
        and info["final_obs"][1][0] == 0.5
        and list(info["_final_obs"]) == [False, True, False]
    )


def test_no_reset():
    envs = cart(autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=0)
    for _ in range(4):
        truncated = envs.step(np.zeros((3, 1)))[3]
    assert truncated.all()
    with pytest.raises(RuntimeError, match=r"worlds \[0, 1, 2\] have ended"):
        envs.step(np.zeros((3, 1)))
    envs.reset(options={"reset_mask": np.array([True, True, True])})
    envs.step(np.zeros((3, 1)))
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": np.array([True])})


def test_a_fault_ends_an_episode_and_is_reported():
    envs = cart()
    envs.reset(seed=0)
    actions = np.zeros((3, 1))
    actions[1] = np.nan
    observation, _, terminated, _, info = envs.step(actions)
    assert list(terminated) == [False, True, False] and info["fault"][1] != 0
    observation, *_ = envs.step(np.zeros((3, 1)))
    assert np.isfinite(observation).all()


def test_environments_that_cannot_learn_are_refused():
    with pytest.raises(TypeError, match="reward should be a function, not NoneType"):
        VecEnv(CART, 3, None)
    for steps in (0, -1, 1.5):
        with pytest.raises(ValueError, match="frame_skip should be a whole number of at least 1"):
            VecEnv(CART, 3, lambda worlds, action, before: np.zeros(3), frame_skip=steps)


def test_messages():
    envs = cart()
    envs.reset(seed=0)
    with pytest.raises(ValueError, match=r"\(3, 1\), but they are \(3, 2\)"):
        envs.step(np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"reward\(\) gave an array of shape \(\)"):
        bad = VecEnv(CART, 3, lambda worlds, action, before: 1.0)
        bad.reset(seed=0)
        bad.step(np.zeros((3, 1)))


def test_threads_do_not_change_bits():
    results = []
    for threads in (1, 2):
        envs = VecEnv(MODELS / "quadruped.xml", 5, moved, threads=threads, outputs=["sensordata", "xpos"], frame_skip=4)
        observation, _ = envs.reset(seed=0)
        rng = np.random.default_rng(0)
        for _ in range(10):
            observation, *_ = envs.step(rng.uniform(-0.1, 0.1, envs.action_space.shape))
        results.append(observation.tobytes() + envs.worlds.xpos.tobytes())
    assert results[0] == results[1]


def test_parameters_per_world():
    envs = cart(parameters={"body_mass": [[0, 1], [0, 2], [0, 4]]}, initial=None)
    envs.reset()
    observation, *_ = envs.step(np.ones((3, 1)))
    assert observation[0, 1] > observation[1, 1] > observation[2, 1] > 0


HALF_CHEETAH = """
import sys, pliant.mujoco
sys.modules["mujoco"] = pliant.mujoco
import gymnasium, numpy as np
from pliant.envs import VecEnv

single = [gymnasium.make("HalfCheetah-v5").unwrapped for _ in range(3)]

def initial(rng, qpos, qvel):
    return (qpos + rng.uniform(low=-0.1, high=0.1, size=qpos.size), qvel + 0.1 * rng.standard_normal(qvel.size))

def reward(worlds, action, before):
    return (worlds.qpos[:, 0] - before.qpos[:, 0]) / envs.dt - 0.1 * np.square(action).sum(1)

envs = VecEnv(single[0].fullpath, 3, reward, observation=lambda w: np.concatenate((w.qpos[:, 1:], w.qvel), 1),
              initial=initial, frame_skip=5)
start, _ = envs.reset(seed=11)
for i, env in enumerate(single):
    assert np.array_equal(env.reset(seed=11 + i)[0], start[i])
rng = np.random.default_rng(0)
for _ in range(20):
    actions = rng.uniform(-1, 1, (3, 6)).astype(np.float32)
    observation, rewards, *_ = envs.step(actions)
    for i, env in enumerate(single):
        expected, r, *_ = env.step(actions[i])
        assert np.array_equal(expected, observation[i]), np.abs(expected - observation[i]).max()
        assert abs(r - rewards[i]) < 1e-6
print("equal")
"""


def test_same_bits_as_gymnasiums_half_cheetah():
    pytest.importorskip("imageio")
    done = subprocess.run([sys.executable, "-c", HALF_CHEETAH], capture_output=True, text=True)
    assert done.stdout.strip() == "equal", done.stderr[-2000:]
