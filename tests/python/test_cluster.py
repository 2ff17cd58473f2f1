"""Rollouts, environments and sweeps on a Ray cluster of several processes of this machine: bits, deaths, overhead."""

import os
import random
import signal
import threading
import time

import numpy as np
import pytest

import pliant
from pliant import scale

ray = pytest.importorskip("ray", reason="Ray is not installed (scripts/install-deps --ray)")
# each starts processes of its own and waits for them
pytestmark = [pytest.mark.slow, pytest.mark.alone]

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
QUADRUPED = os.path.join(ROOT, "models", "quadruped.xml")


@pytest.fixture(scope="module", autouse=True)
def machine():
    """A cluster on this machine with places for the workers of all tests."""
    scale._cluster.import_ray().init(num_cpus=8, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def cluster():
    with scale.Cluster(workers=2, chunk_seconds=0.2) as made:
        yield made.wait()


def problem(worlds, nstep, seed=0):
    model = pliant.load(QUADRUPED)
    rng = np.random.default_rng(seed)
    start = np.zeros((worlds, 1 + model.nq + model.nv + model.na))
    start[:, 1 : 1 + model.nq] = pliant.State(model).qpos
    start[:, 1 + model.nq : 1 + model.nq + model.nv] = 0.1 * rng.standard_normal((worlds, model.nv))
    return model, start, rng.uniform(-1, 1, (worlds, nstep, model.nu))


def same(one, other):
    for name in ("state", "sensordata", "warmstart", "status", "steps"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    assert one.faults == other.faults


def test_64_rollouts_have_the_bits_of_one_process(cluster):
    model, start, control = problem(64, 200)
    here = pliant.rollout(model, start, control)
    seen = []
    there = pliant.rollout(model, start, control, ray=cluster, progress=seen.append)
    same(here, there)
    report = there.cluster
    assert report.workers == 2 and report.worlds == 64 and report.chunks > 2 and report.moved == 0
    assert seen[-1].done == seen[-1].total == 64 and "64 of 64 worlds" in str(seen[-1])
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)


def test_models_are_sent_once(cluster):
    model, start, control = problem(4, 5, seed=1)
    model.body_mass[:] *= 1.01  # a model that the workers have not seen
    first = pliant.rollout(model, start, control, ray=cluster).cluster
    second = pliant.rollout(pliant.Model(model), start, control, ray=cluster).cluster
    assert (first.models, second.models) == (1, 0) and first.model_bytes > 1000


def test_parameters_and_faults_keep_their_worlds(cluster):
    model, start, control = problem(24, 50, seed=2)
    masses = np.linspace(0.5, 2, 24)[:, None] * model.body_mass
    control[17, 30] = np.nan
    control[5, 10] = np.inf
    arguments = {"parameters": {"body_mass": masses}, "set_const": True, "on_fault": "ignore"}
    here = pliant.rollout(model, start, control, **arguments)
    there = pliant.rollout(model, start, control, ray=cluster, **arguments)
    same(here, there)
    assert [fault[:2] for fault in there.faults] == [(5, 10), (17, 30)]


def test_a_model_per_world_and_a_recording(cluster, tmp_path):
    model, start, control = problem(6, 40, seed=3)
    models = [pliant.Model(model) for _ in range(6)]
    for i, one in enumerate(models):
        one.opt.gravity[2] = -9.81 + i % 3
    here = pliant.rollout(models, start, control, record=tmp_path / "here.plr")
    there = pliant.rollout(models, start, control, ray=cluster, record=tmp_path / "there.plr")
    same(here, there)
    assert (tmp_path / "here.plr").read_bytes() == (tmp_path / "there.plr").read_bytes()


def killer(cluster, deaths, stop, seed):
    rng = random.Random(seed)
    while len(deaths) < 3 and not stop.wait(rng.uniform(0.2, 1.0)):
        pids = cluster.worker_pids
        if pids:
            pid = rng.choice(pids)
            try:
                os.kill(pid, signal.SIGKILL)
                deaths.append(pid)
            except ProcessLookupError:
                pass


@pytest.mark.parametrize("seed", [0, 1])
def test_workers_killed_at_random_moments_change_nothing(cluster, seed):
    model, start, control = problem(64, 600, seed=seed)
    here = pliant.rollout(model, start, control)
    deaths, stop = [], threading.Event()
    thread = threading.Thread(target=killer, args=(cluster, deaths, stop, seed))
    thread.start()
    moved = 0
    for _ in range(30):  # one takes less than a second, and the first worker may be killed after it
        there = pliant.rollout(model, start, control, ray=cluster)
        same(here, there)
        moved += there.cluster.moved
        if moved:
            break
    stop.set()
    thread.join()
    assert deaths and moved > 0


def test_a_chunk_that_ends_its_workers_is_named(cluster):
    model, _, _ = problem(1, 1)

    def suicide(model, state, sensordata):
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(scale.ClusterError, match="worlds 0 … 0 have ended 5 workers"):
        scale.sweep(model, {"opt.timestep": [0.002]}, nstep=2, measure=suicide, ray=cluster)


def test_an_error_of_the_user_comes_back_as_it_is(cluster):
    model, start, control = problem(4, 5)

    def wrong(model, state, sensordata):
        raise KeyError("no such reading")

    with pytest.raises(KeyError, match="no such reading"):
        scale.sweep(model, {"opt.timestep": [0.001, 0.002]}, nstep=2, measure=wrong, ray=cluster)
    same(pliant.rollout(model, start, control), pliant.rollout(model, start, control, ray=cluster))


def test_sweep_and_identify_have_the_bits_of_one_process(cluster):
    model, _, _ = problem(1, 1)
    grid = {"opt.timestep": [0.001, 0.002], "dof_damping[6]": [0.1, 0.2, 0.4]}
    swept = [scale.sweep(model, grid, nstep=100, ray=ray) for ray in (None, cluster)]
    for name, values in swept[0].values.items():
        assert values.tobytes() == swept[1].values[name].tobytes(), name
    assert swept[1].report.worlds == 6

    cart = pliant.load_string("""
    <mujoco>
      <worldbody>
        <body name="cart"><joint name="j" type="slide" axis="1 0 0"/><geom size="0.1" mass="2"/></body>
      </worldbody>
      <actuator><motor joint="j"/></actuator>
      <sensor><jointpos joint="j"/></sensor>
    </mujoco>""")
    control = np.ones((100, 1))
    measured = pliant.rollout(cart, np.zeros(3), control).sensordata[0]
    found = [
        scale.identify(cart, measured, {"body_mass[cart]": (0.5, 9)}, control=control, starts=4, ray=ray)
        for ray in (None, cluster)
    ]
    assert found[0].parameters == found[1].parameters
    assert found[0].parameters["body_mass[cart]"] == pytest.approx(2, rel=1e-6)


def env(ray, **more):
    from pliant.envs import VecEnv

    def reward(worlds, action, before):
        return (worlds.qpos[:, 0] - before.qpos[:, 0]) - 0.1 * np.square(action).sum(1)

    def terminated(worlds):
        return worlds.qpos[:, 2] < 0.15

    def initial(rng, qpos, qvel):
        return qpos, qvel + 0.2 * rng.standard_normal(qvel.size)

    return VecEnv(QUADRUPED, 10, reward, terminated=terminated, initial=initial, frame_skip=4, max_episode_steps=25,
                  ray=ray, **more)  # fmt: skip


def equal_infos(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        if isinstance(value, dict):
            equal_infos(value, other[name])
        elif np.asarray(value).dtype == object:
            assert all(np.array_equal(a, b) for a, b in zip(value, other[name]))
        else:
            assert np.array_equal(value, other[name]), name


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
@pytest.mark.parametrize("kill", [False, True])
def test_environments_have_the_bits_of_one_process(cluster, mode, kill):
    pytest.importorskip("gymnasium")
    from pliant.envs import AutoresetMode

    rng = np.random.default_rng(5)
    here, there = (env(ray, autoreset_mode=AutoresetMode[mode]) for ray in (None, cluster))
    assert here.observation_space == there.observation_space and here.dt == there.dt
    assert here.reset(seed=7)[0].tobytes() == there.reset(seed=7)[0].tobytes()
    for i in range(70):
        if kill and i in (20, 61, 62):
            os.kill(cluster.worker_pids[i % 2], signal.SIGKILL)
        actions = rng.uniform(-1, 1, here.action_space.shape)
        if i == 50:
            actions[3] = np.nan  # a world whose step is refused
        one, other = here.step(actions), there.step(actions)
        for a, b in zip(one[:4], other[:4]):
            assert a.tobytes() == b.tobytes(), i
        equal_infos(one[4], other[4])
    assert (there.report.moved > 0) == kill


def test_overhead_is_small_at_chunks_of_a_second():
    """Where chunks take about a second, at most a tenth of the workers' time is spent on anything else."""
    model, start, control = problem(128, 600)
    with scale.Cluster(workers=2) as cluster:
        pliant.rollout(model, start[:8], control[:8, :50], ray=cluster.wait())  # imports, the model, threads
        before = time.perf_counter()
        report = pliant.rollout(model, start, control, ray=cluster).cluster
        seconds = time.perf_counter() - before
    # the first chunks are short: they tell how long a world takes
    long = sorted(report.chunk_seconds)[2:]
    print(f"{report.chunks} chunks of {np.median(long):.2f} s, {seconds:.1f} s, overhead {100 * report.overhead:.1f} %")
    assert report.chunks >= 6
    assert report.overhead <= 0.10


def test_more_workers_than_the_cluster_has_room_for(cluster):
    with pytest.raises(scale.ClusterError, match="1000 workers of 1 threads do not fit"):
        scale.Cluster(workers=1000)


def test_the_default_cluster_makes_room(cluster):
    """ray=True takes the whole machine; a Cluster that is made later gets its place."""
    model, start, control = problem(4, 20)
    here = pliant.rollout(model, start, control)
    default = scale.Cluster.__new__(scale.Cluster)  # one that stands for ray=True, without waiting for places
    default._closed, default._members, default._shared, default._owns_ray, default.ray = False, [], {}, False, ray
    scale._cluster._default = default
    with scale.Cluster(workers=1) as other:
        assert not default.is_open and scale._cluster._default is None
        same(here, pliant.rollout(model, start, control, ray=other))


def test_a_closed_cluster_says_so():
    model, start, control = problem(2, 3)
    with scale.Cluster(workers=1) as one:
        pass
    with pytest.raises(scale.ClusterError, match="closed"):
        pliant.rollout(model, start, control, ray=one)
