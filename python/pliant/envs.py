"""Gymnasium environments on Pliant.

VecEnv makes a vector environment of any MJCF model and a reward function; all worlds are moved together, on all cores,
or on a GPU with tensors of torch.
Gymnasium's own MuJoCo environments run on Pliant unchanged after one line, before gymnasium is imported:

    import sys, pliant.mujoco; sys.modules["mujoco"] = pliant.mujoco
"""

import copy
import types

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import Batch, Model, State, _pliant, load, load_string, model_fields
from ._tensor_envs import TensorVecEnv

__all__ = ["AutoresetMode", "TensorVecEnv", "VecEnv"]


def _positions_and_velocities(worlds):
    return np.concatenate((worlds.qpos, worlds.qvel), axis=1)


def _never(worlds):
    return np.zeros(worlds.nworld, bool)


def _model_of(model):
    if isinstance(model, Model):
        return model
    is_text = isinstance(model, str) and model.lstrip().startswith("<")
    return load_string(model) if is_text else load(model)


def _set_parameters(worlds, model, parameters):
    """Gives every world its own numbers, and those that follow from them (mj_setConst)."""
    given = {
        name: np.reshape(values, (worlds.nworld, *getattr(model, name).shape)) for name, values in parameters.items()
    }
    fields = [row["name"] for row in model_fields() if row["dtype"] == "float64" and row["class"] != "structure"]
    rows = {}  # of the parameters that differ, all worlds
    for world in range(worlds.nworld):
        own = Model(model)
        for name, values in given.items():
            getattr(own, name)[...] = values[world]
        _pliant.mj_setConst(own, _pliant.World(own))
        for name in fields:
            values = np.asarray(getattr(own, name))
            if name in given or not np.array_equal(values, getattr(model, name)):
                if name not in rows:
                    rows[name] = np.tile(np.ravel(getattr(model, name)), (worlds.nworld, 1))
                rows[name][world] = values.ravel()
    for name, values in rows.items():
        worlds.write(name, values)


def spaces_of(env, model, action_space, observation_space, shape, dtype):
    """Sets the spaces of a vector environment: those given, or what actuators and observations suggest."""
    if action_space is None:
        limited, bounds = model.actuator_ctrllimited, model.actuator_ctrlrange
        low = np.where(limited, bounds[:, 0], -np.inf).astype(np.float32)
        high = np.where(limited, bounds[:, 1], np.inf).astype(np.float32)
        action_space = gym.spaces.Box(low, high, dtype=np.float32)
    if observation_space is None:
        observation_space = gym.spaces.Box(-np.inf, np.inf, shape, dtype)
    env.single_action_space, env.single_observation_space = action_space, observation_space
    env.action_space = batch_space(action_space, env.num_envs)
    env.observation_space = batch_space(observation_space, env.num_envs)


def _check_wishes(reward, frame_skip):
    """What would show in the first step only, or never: an environment whose time stands still learns nothing."""
    if not callable(reward):
        raise TypeError(f"VecEnv(): reward should be a function, not {type(reward).__name__}")
    if int(frame_skip) != frame_skip or frame_skip < 1:
        raise ValueError(f"VecEnv(): frame_skip should be a whole number of at least 1, not {frame_skip!r}")


class VecEnv(VectorEnv):
    """Many worlds of one model as a Gymnasium vector environment.

        def reward(worlds, action, before):
            return (worlds.qpos[:, 0] - before.qpos[:, 0]) - 0.1 * np.square(action).sum(1)

        envs = VecEnv("cheetah.xml", 64, reward, frame_skip=5, max_episode_steps=1000)
        observation, info = envs.reset(seed=0)
        observation, reward, terminated, truncated, info = envs.step(envs.action_space.sample())

    Functions get `worlds`, a pliant.Batch: arrays of State (qpos, qvel, ctrl, time …) of shape (num_envs, n), and of
    Data as far as `outputs` names them (sensordata, xpos …); those are what the last step computed on its way, as in
    MjData after mj_step.

    model              path, MJCF text or pliant.Model
    reward             reward(worlds, action, before) → (num_envs,); before.qpos and before.qvel are copies from before
                       the step
    observation        observation(worlds) → (num_envs, n); by default qpos and qvel
    terminated         terminated(worlds) → (num_envs,) of bool; by default never
    initial            initial(rng, qpos, qvel) → (qpos, qvel) of one world; by default they stay as the model starts
    info               info(worlds, before) → dict of arrays (num_envs, …); by default nothing
    frame_skip         timesteps per step
    max_episode_steps  after how many steps an episode is truncated; None: never
    autoreset_mode     AutoresetMode.NEXT_STEP, SAME_STEP or DISABLED
    keyframe           number of a keyframe to start from, instead of qpos0
    parameters         {"body_mass": (num_envs, nbody), …}: numbers of the model that differ from world to world; what
                       follows from them is recomputed
    threads            0: one per core; results do not depend on it
    ray                True, or a pliant.scale.Cluster: every worker has a part of the worlds. Observations, rewards and
                       seeds are the same as without, as long as your functions treat worlds row by row; they are sent
                       to the workers, and cannot use this environment
    device, precision  "cuda": the worlds are on a GPU, in float32 or float64, and everything is a tensor of torch
                       there: see TensorVecEnv. Observations, rewards and resets never leave the GPU
    arrays             "torch": tensors for worlds on the CPU, too

    Each world has a random generator of its own: with seed s world i is seeded with s + i, whatever happens in other
    worlds. A world whose step is refused (NaN, numbers beyond 1e10) is terminated; info["fault"] has the bits.
    """

    metadata = {"render_modes": []}

    def __new__(cls, *args, ray=None, device="cpu", arrays=None, **kwargs):
        if device not in ("cpu", "cuda") or arrays not in (None, "numpy", "torch"):
            raise ValueError(
                f"VecEnv(): device is {device!r}, it must be 'cpu' or 'cuda'; arrays is {arrays!r}, it must be 'numpy' "
                "or 'torch'"
            )
        tensors = device == "cuda" or arrays == "torch"
        if tensors and arrays == "numpy":
            raise ValueError("VecEnv(): worlds on a GPU have tensors; use arrays='torch', or device='cpu'")
        if tensors and ray:
            raise ValueError("VecEnv(): ray=… moves worlds on CPUs; leave out device and arrays")
        if tensors:
            return TensorVecEnv(*args, device=device, **kwargs)
        if ray is None or ray is False:
            return super().__new__(cls)
        from .scale._envs import ClusterVecEnv

        return ClusterVecEnv(*args, ray=ray, **kwargs)

    def __init__(
        self, model, num_envs, reward, *, observation=None, terminated=None, initial=None, info=None, frame_skip=1,
        max_episode_steps=None, autoreset_mode=AutoresetMode.NEXT_STEP, keyframe=None, outputs=("sensordata",),
        action_space=None, observation_space=None, parameters=None, threads=0, ray=None, device="cpu", precision=None,
        arrays=None,
    ):  # fmt: skip
        _check_wishes(reward, frame_skip)
        self.model = _model_of(model)
        self.num_envs = num_envs
        self.worlds = Batch(self.model, num_envs, threads=threads, outputs=list(outputs))
        if parameters:
            _set_parameters(self.worlds, self.model, parameters)
        self.frame_skip, self.max_episode_steps = int(frame_skip), max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._reward, self._terminated = reward, terminated or _never
        self._observation, self._initial, self._info = observation or _positions_and_velocities, initial, info
        self._outputs = bool(outputs)
        start = self._start(keyframe)
        self._start_qpos, self._start_qvel = start["qpos"], start["qvel"]
        self._start_state = start

        self._generators, self._seeds = [None] * num_envs, [None] * num_envs
        self._elapsed = np.zeros(num_envs, np.int64)
        self._waiting = np.zeros(num_envs, bool)  # to be reset in the next step
        self._set_spaces(action_space, observation_space)

    @property
    def dt(self):
        """simulated time per step [s]"""
        return self.model.opt.timestep * self.frame_skip

    def _start(self, keyframe):
        state = State(self.model)
        if keyframe is not None:
            state.reset(self.model, int(keyframe))
        names = ("time", "qpos", "qvel", "act", "plastic", "ctrl", "mocap_pos", "mocap_quat")
        return {name: np.array(getattr(state, name)).ravel() for name in names}

    def _set_spaces(self, action_space, observation_space):
        shape = None
        if observation_space is None:
            self._reset_worlds(np.ones(self.num_envs, bool), draw=False)
            shape = np.shape(self._observe())[1:]
        spaces_of(self, self.model, action_space, observation_space, shape, np.float64)

    # ---- random numbers ----------------------------------------------------------------------

    def _seed(self, seed, mask):
        if seed is None:
            seeds = [None] * self.num_envs
        elif isinstance(seed, (int, np.integer)):
            seeds = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"reset(): {len(seeds)} seeds for num_envs = {self.num_envs}")
        for i in np.flatnonzero(mask):
            if seeds[i] is not None or self._generators[i] is None:
                self._generators[i], self._seeds[i] = gym.utils.seeding.np_random(seeds[i])

    @property
    def np_random(self):
        """one generator per world"""
        self._seed(None, np.ones(self.num_envs, bool))
        return tuple(self._generators)

    @property
    def np_random_seed(self):
        """the seeds of the generators"""
        self._seed(None, np.ones(self.num_envs, bool))
        return tuple(self._seeds)

    # ---- worlds ------------------------------------------------------------------------------

    def _reset_worlds(self, mask, draw=True):
        if not mask.any():
            return
        worlds = self.worlds
        worlds.reset(np.ascontiguousarray(mask))
        for name, value in self._start_state.items():
            if value.size:
                getattr(worlds, name)[mask] = value
        if self._initial is not None and draw:
            qpos, qvel = worlds.qpos, worlds.qvel
            for i in np.flatnonzero(mask):
                qpos[i], qvel[i] = self._initial(self._generators[i], self._start_qpos.copy(), self._start_qvel.copy())
        if self._outputs:
            worlds.forward(np.ascontiguousarray(mask))
        self._elapsed[mask] = 0
        self._waiting[mask] = False

    def _observe(self):
        observation = self._observation(self.worlds)
        if np.shape(observation)[:1] != (self.num_envs,):
            raise ValueError(f"observation() gave an array of shape {np.shape(observation)} for {self.num_envs} worlds")
        return np.array(observation, np.float64)

    def _per_world(self, name, values, dtype):
        values = np.asarray(values, dtype)
        if values.shape != (self.num_envs,):
            raise ValueError(f"{name}() gave an array of shape {values.shape}, it should be ({self.num_envs},)")
        return np.array(values)

    # ---- Gymnasium ---------------------------------------------------------------------------

    def reset(self, *, seed=None, options=None):
        """Starts episodes: in all worlds, or where options["reset_mask"] says so."""
        mask = np.ones(self.num_envs, bool)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
                raise ValueError(
                    f"reset(): reset_mask should be {self.num_envs} bools, at least one of them true; it is "
                    f"{mask.dtype} of"
                    f" shape {mask.shape}"
                )
        return self.reset_part(seed, mask)

    def reset_part(self, seed, mask, otherwise=None):
        """Starts episodes where the mask says so, which may be nowhere. Worlds without a generator get one with a seed
        of `otherwise`."""
        for i, generator in enumerate(self._generators):
            if generator is None and otherwise is not None:
                self._generators[i], self._seeds[i] = gym.utils.seeding.np_random(otherwise[i])
        self._seed(seed, mask)
        self._reset_worlds(mask)
        return self._observe(), {}

    def snapshot(self):
        """All that the next steps depend on, to be kept, sent or pickled: worlds, generators, counters."""
        return copy.deepcopy((self.worlds.save(), self._generators, self._seeds, self._elapsed, self._waiting))

    def restore(self, snapshot):
        """Back to a snapshot of this environment, or of one that was made with the same arguments."""
        worlds, self._generators, self._seeds, self._elapsed, self._waiting = copy.deepcopy(snapshot)
        self.worlds.restore(worlds)

    def step(self, actions):
        """One step of every world; (observation, reward, terminated, truncated, info)."""
        actions = np.asarray(actions, np.float64)
        wanted = (self.num_envs, self.model.nu)
        if actions.shape != wanted:
            raise ValueError(f"step(): actions should be of shape {wanted}, but they are {actions.shape}")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._waiting.any():
            ended = np.flatnonzero(self._waiting).tolist()
            raise RuntimeError(f"step(): episodes of worlds {ended} have ended; reset them (autoreset is disabled)")
        self._seed(None, np.ones(self.num_envs, bool))
        resetting = self._waiting.copy()
        before = types.SimpleNamespace(qpos=self.worlds.qpos.copy(), qvel=self.worlds.qvel.copy())
        self.worlds.step(actions, self.frame_skip, warn=False)  # `info` tells of faults
        fault = np.where(resetting, 0, self.worlds.status)
        self._elapsed += 1
        self._reset_worlds(resetting)

        reward = self._per_world("reward", self._reward(self.worlds, actions, before), np.float64)
        terminated = self._per_world("terminated", self._terminated(self.worlds), bool) | (fault != 0)
        truncated = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            truncated = self._elapsed >= self.max_episode_steps
        reward[resetting], terminated[resetting], truncated[resetting] = 0, False, False
        observation = self._observe()
        info = {} if self._info is None else dict(self._info(self.worlds, before))
        if fault.any():
            info["fault"], info["_fault"] = fault, fault != 0

        ended = terminated | truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            if ended.any():
                observation, info = self._restart(ended, observation, info)
        else:
            self._waiting = ended
        return observation, reward, terminated, truncated, info

    def _restart(self, ended, observation, info):
        """Episodes that have ended start again at once; their last observation goes to info["final_obs"]."""
        final = copy.copy(observation)
        per_world = {key: np.asarray(value) for key, value in info.items() if not key.startswith("_")}
        for i in np.flatnonzero(ended):
            of_world = {key: value[i] for key, value in per_world.items()}
            info = self._add_info(info, {"final_obs": final[i], "final_info": of_world}, i)
        self._reset_worlds(ended)
        return self._observe(), info

    def close_extras(self, **kwargs):
        """Nothing to close."""
