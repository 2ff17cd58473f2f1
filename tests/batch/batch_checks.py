"""What a pliant.Batch promises on every device: functions that fail with an AssertionError. The tests call them for the
CPU, and for a GPU where there is one; scripts/gpu-check calls them on a machine that may have no pytest."""

import pathlib

import numpy as np

import pliant

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOLERANCE = {"cpu": 0.0, "cuda": 1e-9}  # between a world of a batch and the same world alone on the CPU, in float64


def quadruped():
    return pliant.load(ROOT / "models" / "quadruped.xml")


def make(device, model, nworld, **options):
    if device == "cuda":
        options["precision"] = "float64"
        options.pop("outputs", None)  # a GPU keeps all it computes
    return pliant.Batch(model, nworld, device=device, **options)


def alone(model, ctrl, nstep, key=-1, **start):
    """A world by itself, on the CPU."""
    state, data = pliant.State(model), pliant.Data(model)
    if key >= 0:
        state.reset(model, key)
    for name, values in start.items():
        getattr(state, name)[...] = values
    for row in np.broadcast_to(ctrl, (nstep, model.nu)):
        state.ctrl[:] = row
        pliant.step(model, state, data)
    return state, data


def close(device, a, b):
    a, b = np.asarray(a).ravel(), np.asarray(b).ravel()
    scale = max(1.0, np.abs(b).max(initial=0))
    assert np.abs(a - b).max(initial=0) <= TOLERANCE[device] * scale, np.abs(a - b).max()


def masked(device, mask):
    """A mask where the worlds are, if torch is there."""
    if device == "cuda":
        try:
            import torch
        except ImportError:
            return mask
        return torch.tensor(mask, device="cuda")
    return mask


def resets_of_some_worlds(device):
    model = quadruped()
    batch = make(device, model, 37)
    batch.step(np.full(model.nu, 3.0), nstep=5)
    mask = np.arange(37) % 3 == 0
    moved = batch.read("qpos")
    batch.reset(masked(device, mask))
    fresh = pliant.State(model)
    qpos, time = batch.read("qpos"), batch.read("time")[:, 0]
    assert np.array_equal(qpos[~mask], moved[~mask]) and np.all(time[~mask] > 0)
    close(device, qpos[mask], np.tile(fresh.qpos, (mask.sum(), 1)))
    assert not time[mask].any() and not batch.read("qvel")[mask].any() and not batch.read("ctrl")[mask].any()
    # a world that has started again moves as a new one does
    batch.step(np.full(model.nu, -2.0), nstep=4)
    state, _ = alone(model, -2.0, 4)
    for world in np.flatnonzero(mask):
        close(device, batch.read("qpos")[world], state.qpos)


def keyframes(device):
    model = quadruped()
    batch = make(device, model, 10)
    batch.reset(keyframe=0)
    close(device, batch.read("qpos"), np.tile(model.key_qpos[0], (10, 1)))
    keys = np.array([0, -1] * 5)
    batch.reset(keyframe=keys)
    start = pliant.State(model).qpos
    for world, key in enumerate(keys):
        close(device, batch.read("qpos")[world], model.key_qpos[0] if key == 0 else start)
    mask = np.arange(10) < 4
    batch.step(nstep=2)
    batch.reset(masked(device, mask), 0)
    assert np.array_equal(batch.read("time")[:, 0] == 0, mask)
    for wrong in (1, -2, np.full(10, 7)):
        try:
            batch.reset(keyframe=wrong)
        except ValueError as error:
            assert "there is no keyframe" in str(error)
        else:
            raise AssertionError(f"keyframe {wrong} was taken")


def forward_of_some_worlds(device):
    model = quadruped()
    batch = make(device, model, 40, outputs=["sensordata", "xpos"])
    batch.reset(keyframe=0)
    batch.step(nstep=3)
    readings, places = batch.read("sensordata"), batch.read("xpos")
    qpos = batch.read("qpos")
    qpos[:, 2] += 0.25
    batch.write("qpos", qpos)
    mask = np.arange(40) % 4 == 1
    batch.forward(masked(device, mask))
    after = batch.read("xpos")
    assert np.array_equal(after[~mask], places[~mask]) and np.all(np.abs(after[mask] - places[mask]).max(1) > 0.2)
    assert np.array_equal(batch.read("sensordata")[~mask], readings[~mask])
    assert np.array_equal(batch.read("qpos"), qpos) and np.ptp(batch.read("time")) == 0
    state, data = pliant.State(model), pliant.Data(model)
    for world in np.flatnonzero(mask):
        for name in ("qpos", "qvel", "ctrl", "qacc_warmstart"):
            getattr(state, name)[:] = batch.read(name)[world]
        pliant.forward(model, state, data)
        close(device, after[world], data.xpos)
        close(device, batch.read("sensordata")[world], data.sensordata)
    # of all worlds; a step afterwards goes where it would have gone
    batch.forward()
    batch.step(nstep=2)
    again = make(device, model, 40, outputs=["sensordata", "xpos"])
    for name in ("qpos", "qvel", "qacc_warmstart"):
        again.write(name, qpos if name == "qpos" else _before(device, model, name))
    again.step(nstep=2)
    assert np.array_equal(batch.read("qpos"), again.read("qpos"))


def _before(device, model, name):
    batch = make(device, model, 40)
    batch.reset(keyframe=0)
    batch.step(nstep=3)
    return batch.read(name)


def rollouts(device):
    model = quadruped()
    rng = np.random.default_rng(1)
    ctrl = rng.uniform(-8, 8, (33, 24, model.nu))
    batch = make(device, model, 33)
    batch.reset(keyframe=0)
    state, sensordata = batch.rollout(ctrl)
    # steps with these controls
    other = make(device, model, 33)
    other.reset(keyframe=0)
    for step in range(24):
        other.step(ctrl[:, step])
        assert np.array_equal(other.read("sensordata"), sensordata[:, step]), step
        assert np.array_equal(other.read("qpos"), state[:, step, 1 : 1 + model.nq]), step
    assert np.array_equal(batch.read("qpos"), other.read("qpos"))
    # in pieces
    pieces = make(device, model, 33)
    pieces.reset(keyframe=0)
    parts = [pieces.rollout(ctrl[:, first : first + 7]) for first in range(0, 24, 7)]
    assert np.array_equal(np.concatenate([part[0] for part in parts], 1), state)
    # a world that is refused stays where it was and repeats its rows; its neighbours do not notice
    bad = ctrl.copy()
    bad[5, 10, 2] = np.nan
    broken = make(device, model, 33)
    broken.reset(keyframe=0)
    rows, readings = broken.rollout(bad)
    others = np.arange(33) != 5
    assert np.array_equal(rows[others], state[others]) and np.array_equal(readings[others], sensordata[others])
    assert np.array_equal(rows[5, :10], state[5, :10]) and np.ptp(rows[5, 9:], 0).max() == 0
    assert np.array_equal(readings[5, 10:], np.tile(readings[5, 9], (14, 1)))
    assert np.array_equal(broken.status != 0, ~others)


def parameters_are_those_of_separate_models(device):
    """Mass, friction, gains, gravity and softness of contacts, world by world."""
    model = quadruped()
    rng = np.random.default_rng(2)
    n = 12
    batch = make(device, model, n)
    names = ("body_mass", "geom_friction", "actuator_gainprm", "geom_solref", "dof_damping", "opt.gravity")
    numbers = {}
    for name in names:
        values = np.array(model.opt.gravity if name == "opt.gravity" else getattr(model, name), dtype=float).ravel()
        numbers[name] = values * rng.uniform(0.8, 1.2, (n, values.size))
        batch.write(name, numbers[name])
        assert np.allclose(batch.read(name), numbers[name], rtol=1e-15)
    ctrl = rng.uniform(-5, 5, (n, model.nu))
    batch.reset(keyframe=0)
    batch.step(ctrl, nstep=25)
    for world in range(n):
        own = pliant.Model(model)
        for name in names:
            target = own.opt.gravity if name == "opt.gravity" else getattr(own, name)
            target[...] = numbers[name][world].reshape(np.shape(target))
        state, _ = alone(own, ctrl[world], 25, key=0)
        scale = 1e4 if device == "cuda" else 1  # 25 steps with contacts: roundings grow
        difference = np.abs(batch.read("qpos")[world] - state.qpos).max()
        assert difference <= scale * TOLERANCE[device], (world, difference)
    # and they do differ
    assert np.ptp(batch.read("qpos"), 0).max() > 1e-4


def numbers_are_written_and_read(device):
    model = quadruped()
    batch = make(device, model, 9)
    wanted = np.random.default_rng(3).normal(size=(9, model.nv))
    for values in (wanted, wanted.astype(np.float32), np.asfortranarray(wanted), wanted[::-1], wanted.tolist()):
        batch.write("qvel", values)
        assert np.array_equal(batch.read("qvel"), np.asarray(values, float))
    batch.write("qvel", wanted[4])
    assert np.array_equal(batch.read("qvel"), np.tile(wanted[4], (9, 1)))
    batch.write("time", np.arange(9))
    assert np.array_equal(batch.read("time")[:, 0], np.arange(9))
    columns = batch.worlds_last("qvel")
    if device == "cpu":
        assert columns.shape == (model.nv, 9) and np.array_equal(columns, batch.read("qvel").T)
    for wrong in (np.zeros((9, 3)), np.zeros((8, model.nv)), np.zeros((2, 3, 4))):
        try:
            batch.write("qvel", wrong)
        except TypeError as error:
            assert f"must have the shape (9, {model.nv})" in str(error)
        else:
            raise AssertionError("numbers of another shape were taken")


def statistics_tell_of_contacts(device):
    model = quadruped()
    batch = make(device, model, 6)
    qpos = np.tile(model.key_qpos[0], (6, 1))
    qpos[:3, 2] -= 0.03  # feet in the floor
    qpos[3:, 2] += 1  # in the air
    batch.reset(keyframe=0)
    batch.write("qpos", qpos)
    batch.step()
    told = batch.statistics()
    assert np.all(told["contacts"][:3] >= 4) and not told["contacts"][3:].any()
    assert np.all(told["rows"][:3] > told["rows"][3:]) and np.all(told["converged"])
    assert np.all(told["iterations"][:3] >= 1) and np.all(told["gap"] <= model.opt.tolerance)
    batch.reset(np.arange(6) < 1)
    assert batch.statistics()["contacts"][0] == 0


def faults_stay_in_their_world(device):
    model = quadruped()
    batch, sound = make(device, model, 64), make(device, model, 64)
    ctrl = np.random.default_rng(4).uniform(-5, 5, (64, model.nu))
    bad = ctrl.copy()
    bad[17, 3] = np.nan
    before = batch.read("qpos")
    for _ in range(10):
        sound.step(ctrl)
        batch.step(bad, warn=False)
    others = np.arange(64) != 17
    for name in ("qpos", "qvel"):
        assert np.array_equal(batch.read(name)[others], sound.read(name)[others])
    assert np.array_equal(batch.read("qpos")[17], before[17]) and np.isfinite(batch.read("qvel")).all()
    faults = batch.read("faults")
    assert faults.shape == (64, 1) and np.array_equal(faults[:, 0] != 0, ~others)
    assert np.array_equal(faults[:, 0], batch.status)
    batch.reset(~others)
    assert not batch.read("faults").any()


CHECKS = (
    resets_of_some_worlds, keyframes, forward_of_some_worlds, rollouts, parameters_are_those_of_separate_models,
    numbers_are_written_and_read, statistics_tell_of_contacts, faults_stay_in_their_world,
)  # fmt: skip
