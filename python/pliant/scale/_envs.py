"""A Gymnasium vector environment whose worlds are spread over the workers of a cluster.

Every worker has a VecEnv of its part of the worlds. What it is after a call follows from the last snapshot of it and
the calls since then; so a worker that dies is replaced by one that is brought to the same place, bit for bit.
"""

import itertools
import pickle
import time

import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from ._cluster import ClusterError, Report, cluster_of

_SNAPSHOT_EVERY = 32  # calls: so many are made again at most when a worker dies
_MOST_TRIES = 5


def _make(worker, model, num_envs, options):
    from ..envs import VecEnv

    worker.env = VecEnv(worker.get(model), num_envs, threads=worker.threads, **options)
    env = worker.env
    return env.single_action_space, env.single_observation_space, env.metadata


def _replay(worker, model, num_envs, options, snapshot, calls):
    """A worker that takes the place of another."""
    _make(worker, model, num_envs, options)
    if snapshot is not None:
        worker.env.restore(pickle.loads(snapshot))
    for name, arguments in calls:
        result = getattr(worker.env, name)(**arguments)
    return result if calls else None


def _call(worker, name, arguments, snapshot):
    result = getattr(worker.env, name)(**arguments)
    return result, pickle.dumps(worker.env.snapshot(), 5) if snapshot else None


class _Part:
    """Worlds first … end - 1, and who has them."""

    def __init__(self, first, end):
        self.first, self.end = first, end
        self.member = None
        self.snapshot, self.calls = None, []


class ClusterVecEnv(VectorEnv):
    """What VecEnv(…, ray=…) gives: observations, rewards and seeds are those of one machine."""

    def __init__(self, model, num_envs, reward, *, ray, autoreset_mode=None, parameters=None, **options):
        from ..envs import AutoresetMode, _check_wishes, _model_of

        _check_wishes(reward, options.get("frame_skip", 1))
        if options.pop("threads", 0):
            raise ValueError("VecEnv(): with ray=… threads are those of the workers: Cluster(threads=…)")
        self.model = _model_of(model)
        self.num_envs, self.frame_skip = num_envs, int(options.get("frame_skip", 1))
        self.cluster = cluster_of(ray).wait()
        self._ray, self._shared = self.cluster.ray, self.cluster.share_model(self.model)
        self.autoreset_mode = AutoresetMode(autoreset_mode or AutoresetMode.NEXT_STEP)
        options["autoreset_mode"] = self.autoreset_mode
        workers = min(num_envs, len(self.cluster._members))
        edges = [round(i * num_envs / workers) for i in range(workers + 1)]
        self._parts = [_Part(first, end) for first, end in itertools.pairwise(edges)]
        self._options, self._seeded = [], False
        for part, member in zip(self._parts, self.cluster._members):
            part.member = member
            own = {name: np.asarray(values)[part.first : part.end] for name, values in (parameters or {}).items()}
            self._options.append({**options, "reward": reward, "parameters": own or None})
        self.report = Report(workers=workers, threads=self.cluster.threads, worlds=num_envs)
        made = self._all([(_make, self._made_of(i)) for i in range(workers)])
        self.single_action_space, self.single_observation_space, metadata = made[0]
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.metadata = {**metadata, "autoreset_mode": self.autoreset_mode}

    def _made_of(self, i):
        part = self._parts[i]
        return {"model": self._shared, "num_envs": part.end - part.first, "options": self._options[i]}

    @property
    def dt(self):
        """simulated time per step [s]"""
        return self.model.opt.timestep * self.frame_skip

    @property
    def worlds(self):
        """Not here."""
        raise AttributeError("worlds of a VecEnv on a cluster are in its workers; `info` and `observation` show them")

    # ---- calls of all parts ------------------------------------------------------------------

    def _all(self, calls):
        """Results of work for every part, in order; parts whose worker is gone get another."""
        start = time.perf_counter()
        refs = [part.member.actor.work.remote(function, arguments)
                for part, (function, arguments) in zip(self._parts, calls)]  # fmt: skip
        results = []
        for i, ref in enumerate(refs):
            try:
                result, seconds = self._ray.get(ref)
            except self._ray.exceptions.RayTaskError as error:
                raise error.as_instanceof_cause() from None
            except self._ray.exceptions.RayError:
                result, seconds = self._again(i, *calls[i])
            results.append(result)
            self.report.busy += seconds
        self.report.chunks += len(calls)
        spent = time.perf_counter() - start
        self.report.seconds += spent
        self.report.there += spent * len(calls)
        return results

    def _again(self, i, function, arguments):
        """A new worker for a part, brought to where the old one was; then the call that failed."""
        part = self._parts[i]
        for _ in range(_MOST_TRIES):
            self.report.moved += 1
            at = self.cluster._members.index(part.member)
            self._ray.kill(part.member.actor)
            self.cluster._members[at] = part.member = self.cluster._start(self.cluster._places[at])
            try:
                part.member.pid = self._ray.get(part.member.hello, timeout=120)
                part.member.ready_since = time.perf_counter()
                if function is not _make:
                    state = {**self._made_of(i), "snapshot": part.snapshot, "calls": part.calls}
                    self._ray.get(part.member.actor.work.remote(_replay, state))
                return self._ray.get(part.member.actor.work.remote(function, arguments))
            except self._ray.exceptions.RayTaskError as error:
                raise error.as_instanceof_cause() from None
            except self._ray.exceptions.RayError as error:
                last = error
        raise ClusterError(
            f"VecEnv: worlds {part.first} … {part.end - 1} have ended {_MOST_TRIES} workers, the last with: {last}"
        )

    def _call_parts(self, name, arguments):
        """env.name(**arguments[i]) in every part i."""
        work = []
        for part, given in zip(self._parts, arguments):
            snapshot = len(part.calls) + 1 >= _SNAPSHOT_EVERY
            work.append((_call, {"name": name, "arguments": given, "snapshot": snapshot}))
        results = self._all(work)
        for part, given, (_, snapshot) in zip(self._parts, arguments, results):
            part.calls.append((name, given))
            if snapshot is not None:
                part.snapshot, part.calls = snapshot, []
        return [result for result, _ in results]

    # ---- Gymnasium ---------------------------------------------------------------------------

    def reset(self, *, seed=None, options=None):
        """Starts episodes: in all worlds, or where options["reset_mask"] says so."""
        seeds = [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            seeds = [int(seed) + i for i in range(self.num_envs)]
        elif seed is not None:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"reset(): {len(seeds)} seeds for num_envs = {self.num_envs}")
        mask = np.ones(self.num_envs, bool)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
                raise ValueError(
                    f"reset(): reset_mask should be {self.num_envs} bools, at least one of them true; it is "
                    f"{mask.dtype} of shape {mask.shape}"
                )
        return self._reset_parts(seeds, mask)

    def _reset_parts(self, seeds, mask):
        # what chance decides is drawn here: a part that is brought back must get the same again
        drawn = (np.random.SeedSequence().generate_state(self.num_envs, np.uint64) >> np.uint64(1)).tolist()
        self._seeded = True
        given = [
            {"seed": seeds[part.first : part.end], "mask": mask[part.first : part.end],
             "otherwise": drawn[part.first : part.end]}
            for part in self._parts
        ]  # fmt: skip
        return self._joined(self._call_parts("reset_part", given))

    def step(self, actions):
        """One step of every world; (observation, reward, terminated, truncated, info)."""
        actions = np.array(actions, np.float64)
        wanted = (self.num_envs, self.model.nu)
        if actions.shape != wanted:
            raise ValueError(f"step(): actions should be of shape {wanted}, but they are {actions.shape}")
        if not self._seeded:
            self._reset_parts([None] * self.num_envs, np.zeros(self.num_envs, bool))
        given = [{"actions": actions[part.first : part.end]} for part in self._parts]
        return self._joined(self._call_parts("step", given))

    def _joined(self, results):
        *arrays, infos = zip(*results)
        sizes = [part.end - part.first for part in self._parts]
        return (*(np.concatenate(array) for array in arrays), _joined_infos(infos, sizes))

    def close_extras(self, **kwargs):
        """The workers stay with the cluster."""


def _joined_infos(infos, sizes):
    """One dict of arrays; worlds whose part says nothing about a name have zeros, False or None."""
    joined = {}
    for name in dict.fromkeys(name for info in infos for name in info):
        given = [info.get(name) for info in infos]
        example = next(value for value in given if value is not None)
        if isinstance(example, dict):
            joined[name] = _joined_infos([value or {} for value in given], sizes)
            continue
        example = np.asarray(example)
        joined[name] = np.concatenate([
            np.asarray(value) if value is not None else np.zeros((n, *example.shape[1:]), example.dtype)
            if example.dtype != object else np.full(n, None)
            for value, n in zip(given, sizes)
        ])  # fmt: skip
    return joined
