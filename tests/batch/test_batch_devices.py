"""pliant.Batch does the same on the CPU and on a GPU (batch_checks.py); the GPU where there is one."""

import numpy as np
import pytest

import batch_checks
import pliant


@pytest.fixture(params=["cpu", "cuda"])
def device(request):
    if request.param == "cuda" and (why := pliant.cuda_unavailable()):
        pytest.skip(why)
    return request.param


@pytest.mark.parametrize("check", batch_checks.CHECKS, ids=lambda check: check.__name__)
def test_batch(check, device):
    check(device)


def test_what_belongs_to_a_gpu_is_refused_on_the_cpu():
    model = batch_checks.quadruped()
    batch = pliant.Batch(model, 2)
    assert (batch.device, batch.precision, batch.stream) == ("cpu", "float64", 0)
    with pytest.raises(ValueError, match="work on no CUDA stream"):
        batch.stream = 1
    with pytest.raises(ValueError, match="on a GPU only"):
        batch.time_stages()
    with pytest.raises(ValueError, match="of the options only opt.gravity"):
        batch.parameter("opt.timestep")
    with pytest.raises(TypeError, match="contiguous array of bools"):
        batch.reset(np.zeros(2))
    with pytest.raises(ValueError, match="3 entries for 2 worlds"):
        batch.reset(np.zeros(3, bool))
    with pytest.raises(ValueError, match="3 keyframes for 2 worlds"):
        batch.reset(keyframe=[0, 0, 0])


def test_gravity_of_worlds_is_saved():
    model = batch_checks.quadruped()
    batch = pliant.Batch(model, 3)
    batch.parameter("opt.gravity")[:, 2] = [0, -1, -10]
    batch.step(nstep=10)
    speed = batch.qvel[:, 2].copy()
    assert speed[0] == 0 and 0 > speed[1] > speed[2]
    saved = batch.save()
    batch.step(nstep=10)
    qpos = batch.qpos.copy()
    other = pliant.Batch(model, 3)
    other.restore(saved)
    other.step(nstep=10)
    assert np.array_equal(other.qpos, qpos)
