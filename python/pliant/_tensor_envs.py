"""VecEnv with tensors of torch in place of NumPy's arrays: observations, rewards and resets stay where the worlds are.

The same code runs with worlds on a GPU and on the CPU. Nothing here waits for a number of the GPU but `step` of the
worlds themselves, which looks whether a world lacks memory.
"""

import types

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv

from . import Batch


def torch_or_say():
    try:
        import torch
    except ImportError as error:
        raise ImportError("VecEnv(device='cuda') and arrays='torch' need torch: pip install torch") from error
    return torch


class TensorWorlds:
    """The worlds as functions of the user see them: arrays of State, and of Data as far as it is kept, are tensors
    (num_envs, n), views without copying. `batch` is the pliant.Batch."""

    def __init__(self, batch, torch):
        self.batch, self.nworld = batch, batch.nworld
        self._torch, self._views = torch, {}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        view = self._views.get(name)
        if view is None:
            view = self._views[name] = self._torch.from_dlpack(getattr(self.batch, name))
        return view

    def parameter(self, name):
        """Numbers of a parameter of every world, to be written."""
        return self._torch.from_dlpack(self.batch.parameter(name))


class TensorVecEnv(VectorEnv):
    """What pliant.envs.VecEnv(..., device="cuda") or arrays="torch" gives; see there for the arguments.

    What differs from VecEnv:

    - everything is a tensor of torch on the device of the worlds: actions, observations, rewards, flags, info
    - initial(generator, qpos, qvel) → (qpos, qvel) is about all worlds at once, (num_envs, nq) and (num_envs, nv), with
      one torch.Generator for all; what it gives is used where an episode starts
    - with AutoresetMode.SAME_STEP info["final_obs"] has the last observations of all worlds, and info["_final_obs"]
      says whose episodes have ended; info["fault"] has the faults of all worlds in every step
    - `elapsed` has the steps that the episode of every world has lasted, and may be written
    - observations have the precision of the worlds (float32 on a GPU unless precision="float64")
    """

    metadata = {"render_modes": []}

    def __init__(
        self, model, num_envs, reward, *, observation=None, terminated=None, initial=None, info=None, frame_skip=1,
        max_episode_steps=None, autoreset_mode=AutoresetMode.NEXT_STEP, keyframe=None, outputs=("sensordata",),
        action_space=None, observation_space=None, parameters=None, threads=0, device="cpu", precision=None,
        arrays="torch",
    ):  # fmt: skip
        from .envs import _check_wishes, _model_of, _set_parameters, spaces_of

        _check_wishes(reward, frame_skip)
        torch = self._torch = torch_or_say()
        self.model = _model_of(model)
        self.num_envs = num_envs
        self.batch = Batch(self.model, num_envs, device=device, precision=precision, threads=threads,
                           outputs=list(outputs))  # fmt: skip
        if parameters:
            _set_parameters(self.batch, self.model, parameters)
        self.device = torch.device(device)
        self.worlds = TensorWorlds(self.batch, torch)
        self.frame_skip, self.max_episode_steps = int(frame_skip), max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._reward, self._terminated, self._initial, self._info = reward, terminated, initial, info
        self._observation = observation or (lambda worlds: torch.cat((worlds.qpos, worlds.qvel), 1))
        self._keyframe = -1 if keyframe is None else int(keyframe)
        self._outputs = bool(outputs)
        self.dtype = self.worlds.qpos.dtype
        self.generator = torch.Generator(self.device)
        self.elapsed = torch.zeros(num_envs, dtype=torch.int32, device=self.device)
        self._waiting = self._none()  # to be reset in the next step
        self._follow_stream()
        self.batch.reset(None, self._keyframe)
        self._start = self.worlds.qpos.clone(), self.worlds.qvel.clone()
        if self._outputs:
            self.batch.forward()
        shape = tuple(self._observe().shape[1:])
        spaces_of(self, self.model, action_space, observation_space, shape,
                  np.float32 if self.dtype == torch.float32 else np.float64)  # fmt: skip

    @property
    def dt(self):
        """simulated time per step [s]"""
        return self.model.opt.timestep * self.frame_skip

    def _none(self):
        return self._torch.zeros(self.num_envs, dtype=self._torch.bool, device=self.device)

    def _follow_stream(self):
        """The worlds move in the stream that torch works in."""
        if self.device.type == "cuda":
            self.batch.stream = self._torch.cuda.current_stream()

    def _mask(self, mask):
        """For the batch: NumPy's where the worlds are on the CPU."""
        return mask if self.device.type == "cuda" else mask.numpy()

    def _reset_worlds(self, mask):
        """Episodes start where the mask says so. Which these are is not looked at."""
        torch, worlds = self._torch, self.worlds
        self.batch.reset(self._mask(mask), self._keyframe)
        if self._initial is not None:
            drawn = self._initial(self.generator, self._start[0].clone(), self._start[1].clone())
            for target, values in zip((worlds.qpos, worlds.qvel), drawn, strict=True):
                target.copy_(torch.where(mask[:, None], values.to(target.dtype), target))
        if self._outputs:
            self.batch.forward(self._mask(mask))
        self.elapsed.masked_fill_(mask, 0)
        self._waiting = self._waiting & ~mask

    def _observe(self):
        observation = self._observation(self.worlds)
        if observation.ndim == 0 or observation.shape[0] != self.num_envs:
            raise ValueError(
                f"observation() gave a tensor of shape {tuple(observation.shape)} for {self.num_envs} worlds"
            )
        return observation.to(self.dtype, copy=True).contiguous()

    def _per_world(self, name, values, dtype):
        if tuple(values.shape) != (self.num_envs,):
            raise ValueError(f"{name}() gave a tensor of shape {tuple(values.shape)}, it should be ({self.num_envs},)")
        return values.to(dtype, copy=True)

    def reset(self, *, seed=None, options=None):
        """Starts episodes: in all worlds, or where options["reset_mask"], a tensor of bools, says so."""
        self._follow_stream()
        if seed is not None:
            self.generator.manual_seed(int(seed))
        mask = ~self._none()
        if options and "reset_mask" in options:
            mask = self._torch.as_tensor(options["reset_mask"], device=self.device)
            if tuple(mask.shape) != (self.num_envs,) or mask.dtype != self._torch.bool:
                raise ValueError(
                    f"reset(): reset_mask should be {self.num_envs} bools, it is {mask.dtype} of shape "
                    f"{tuple(mask.shape)}"
                )
        self._reset_worlds(mask)
        return self._observe(), {}

    def step(self, actions):
        """One step of every world; (observation, reward, terminated, truncated, info), all of them tensors."""
        torch, worlds = self._torch, self.worlds
        self._follow_stream()
        actions = torch.as_tensor(actions, dtype=self.dtype, device=self.device)
        if tuple(actions.shape) != (self.num_envs, self.model.nu):
            raise ValueError(
                f"step(): actions should be of shape {(self.num_envs, self.model.nu)}, but they are "
                f"{tuple(actions.shape)}"
            )
        if self.autoreset_mode is AutoresetMode.DISABLED and self._waiting.any():
            ended = self._waiting.nonzero()[:, 0].tolist()
            raise RuntimeError(f"step(): episodes of worlds {ended} have ended; reset them (autoreset is disabled)")
        resetting = self._waiting
        before = types.SimpleNamespace(qpos=worlds.qpos.clone(), qvel=worlds.qvel.clone())
        worlds.ctrl.copy_(actions)
        self.batch.step(nstep=self.frame_skip, warn=False)  # `info` tells of faults
        fault = worlds.faults[:, 0].masked_fill(resetting, 0)
        self.elapsed += 1
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            self._reset_worlds(resetting)

        reward = self._per_world("reward", self._reward(worlds, actions, before), self.dtype)
        terminated = fault != 0
        if self._terminated is not None:
            terminated |= self._per_world("terminated", self._terminated(worlds), torch.bool)
        truncated = self._none()
        if self.max_episode_steps is not None:
            truncated = self.elapsed >= self.max_episode_steps
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            reward = reward.masked_fill(resetting, 0)
            terminated, truncated = terminated & ~resetting, truncated & ~resetting
        observation = self._observe()
        info = {} if self._info is None else dict(self._info(worlds, before))
        info["fault"] = fault

        ended = terminated | truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            info["final_obs"], info["_final_obs"] = observation, ended
            self._reset_worlds(ended)
            observation = self._observe()
        else:
            self._waiting = ended
        return observation, reward, terminated, truncated, info

    def close_extras(self, **kwargs):
        """Nothing to close."""
