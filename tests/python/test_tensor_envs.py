"""pliant.envs.VecEnv with tensors of torch: the same episodes as with NumPy's arrays, on the CPU and, where there is
one, on a GPU; and the example that teaches a quadruped to walk runs."""

import importlib.util
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import pliant

pytest.importorskip("gymnasium")
from pliant.envs import AutoresetMode, TensorVecEnv, VecEnv

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUADRUPED = ROOT / "models" / "quadruped.xml"


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


@pytest.fixture(params=["cpu", "cuda"])
def device(request, torch):
    if request.param == "cuda" and (why := pliant.cuda_unavailable()):
        pytest.skip(why)
    return request.param


def forward_reward(worlds, action, before):
    return worlds.qpos[:, 0] - before.qpos[:, 0] - 1e-3 * (action**2).sum(1)


def fallen(worlds):
    return worlds.qpos[:, 2] < 0.25


def make(device, mode, num_envs=24, **options):
    options = {"terminated": fallen, "frame_skip": 5, "keyframe": 0, "max_episode_steps": 17, **options}
    if device != "numpy":
        options |= {"device": device, "arrays": "torch"}
        if device == "cuda":
            options["precision"] = "float64"
    return VecEnv(QUADRUPED, num_envs, forward_reward, autoreset_mode=mode, **options)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_the_same_episodes_as_with_numpy(device, mode, torch):
    ours, theirs = make(device, mode), make("numpy", mode)
    assert isinstance(ours, TensorVecEnv)
    assert ours.single_action_space == theirs.single_action_space
    assert ours.observation_space.shape == theirs.observation_space.shape
    tolerance = 1e-12 if device == "cpu" else 1e-6  # (sums of rewards have another order)
    observation, _ = ours.reset(seed=0)
    assert observation.device.type == device and np.array_equal(observation.cpu().numpy(), theirs.reset(seed=0)[0])
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(45):
        action = rng.uniform(-12, 12, (24, ours.model.nu))
        a = ours.step(torch.tensor(action, device=device))
        b = theirs.step(action)
        for x, y in zip(a[:4], b[:4], strict=True):
            assert x.device.type == device
            assert np.allclose(x.cpu().numpy(), y, rtol=0, atol=tolerance)
        if mode is AutoresetMode.SAME_STEP and (b[2] | b[3]).any():
            done = b[2] | b[3]
            assert np.array_equal(a[4]["_final_obs"].cpu().numpy(), done)
            last = np.stack([x for x in b[4]["final_obs"] if x is not None])
            assert np.allclose(a[4]["final_obs"].cpu().numpy()[done], last, rtol=0, atol=tolerance)
        ended += int((b[2] | b[3]).sum())
    assert ended > 24  # some fell, and all were cut off


def test_resets_by_hand(device, torch):
    envs = make(device, AutoresetMode.DISABLED, max_episode_steps=3)
    envs.reset(seed=1)
    action = torch.zeros(24, envs.model.nu)
    for _ in range(3):
        *_, truncated, _ = envs.step(action)
    assert bool(truncated.all())
    with pytest.raises(RuntimeError, match="have ended; reset them"):
        envs.step(action)
    mask = torch.arange(24, device=device) % 2 == 0
    envs.reset(options={"reset_mask": mask})
    assert torch.equal(envs.worlds.time[:, 0] == 0, mask)
    with pytest.raises(ValueError, match="24 bools"):
        envs.reset(options={"reset_mask": torch.ones(3, dtype=torch.bool)})
    with pytest.raises(ValueError, match=r"of shape \(24, 12\)"):
        envs.step(action[:, :4])


def test_starts_are_drawn_from_the_seed(device, torch):
    def initial(generator, qpos, qvel):
        return qpos, qvel + torch.randn(qvel.shape, generator=generator, dtype=qvel.dtype, device=qvel.device)

    envs = make(device, AutoresetMode.SAME_STEP, initial=initial, max_episode_steps=4)
    first = [envs.reset(seed=5)[0]]
    action = torch.zeros(24, envs.model.nu)
    first += [envs.step(action)[0] for _ in range(6)]
    again = [envs.reset(seed=5)[0]] + [envs.step(action)[0] for _ in range(6)]
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert not torch.equal(envs.reset(seed=6)[0], first[0])
    assert len(torch.unique(first[0][:, -1])) == 24


def test_a_fault_ends_the_episode_of_its_world_alone(device, torch):
    envs = make(device, AutoresetMode.SAME_STEP, max_episode_steps=None, terminated=None)
    envs.reset()
    action = torch.zeros(24, envs.model.nu)
    action[7, 2] = float("nan")
    observation, reward, terminated, _, info = envs.step(action)
    assert terminated.nonzero()[:, 0].tolist() == [7] and bool(info["fault"][7] != 0)
    assert bool(torch.isfinite(observation).all()) and bool(torch.isfinite(reward[:7]).all())
    *_, terminated, _, info = envs.step(torch.zeros(24, envs.model.nu))
    assert not terminated.any() and not info["fault"].any()


def test_worlds_have_parameters_of_their_own(device, torch):
    model = pliant.load(QUADRUPED)
    mass = np.tile(model.body_mass, (4, 1)) * np.array([[1], [1], [2], [3]])
    envs = make(device, AutoresetMode.NEXT_STEP, num_envs=4, parameters={"body_mass": mass})
    theirs = make("numpy", AutoresetMode.NEXT_STEP, num_envs=4, parameters={"body_mass": mass})
    envs.reset(), theirs.reset()
    action = np.full((4, model.nu), 2.0)
    for _ in range(5):
        ours = envs.step(torch.tensor(action))[0].cpu().numpy()
        assert np.allclose(ours, theirs.step(action)[0], rtol=0, atol=1e-6)
    assert np.array_equal(ours[0], ours[1]) and not np.array_equal(ours[0], ours[2])


def test_arguments_that_contradict_each_other():
    for options, words in (
        ({"device": "tpu"}, "'cpu' or 'cuda'"),
        ({"device": "cuda", "arrays": "numpy"}, "have tensors"),
        ({"arrays": "torch", "ray": True}, "moves worlds on CPUs"),
    ):
        with pytest.raises(ValueError, match=words):
            VecEnv(QUADRUPED, 4, forward_reward, **options)


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_without_torch_it_is_said():
    with pytest.raises(ImportError, match="need torch: pip install torch"):
        VecEnv(QUADRUPED, 4, forward_reward, arrays="torch")


def test_the_example_runs(torch):
    script = ROOT / "examples" / "train_quadruped.py"
    assert len(script.read_text().splitlines()) <= 400
    command = [sys.executable, str(script), "--device", "cpu", "--worlds", "12", "--iterations", "3", "--horizon", "5",
               "--episode", "0.2", "--every", "1"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [line[0] for line in lines] == ["1", "2", "3"]
    assert all(np.isfinite([float(number) for number in line]).all() for line in lines)
