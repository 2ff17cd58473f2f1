"""Sensors of contacts, limits, rays and distances against the reference, with the reference's own contacts and forces.

Its contacts and constraint rows are written into Pliant's Data, so that a difference is the sensor's.
"""

import os
import pathlib

import mujoco
import numpy as np
import pytest

import pliant.mujoco as pm
from dynamics import compare_sensors, copy_data, copy_state
from pliant import _pliant

MODELS = os.environ.get("PLIANT_MODELS")
CASES = pathlib.Path(__file__).parent / "cases"
LIMIT = 1e-9
ROW_FIELDS = ["type", "id", "pos", "margin", "vel", "force"]
# Models of the archive with sensors of contacts, limits, rays or distances.
ARCHIVE = [
    "dm_control_suite/finger.xml", "dm_control_suite/humanoid.xml", "dm_control_suite/hopper.xml",
    "dm_control_suite/manipulator.xml",
]  # fmt: skip


S = mujoco.mjtSensor
KINDS = {
    S.mjSENS_TOUCH, S.mjSENS_CONTACT, S.mjSENS_RANGEFINDER, S.mjSENS_GEOMDIST, S.mjSENS_GEOMNORMAL, S.mjSENS_GEOMFROMTO,
    S.mjSENS_JOINTLIMITPOS, S.mjSENS_JOINTLIMITVEL, S.mjSENS_JOINTLIMITFRC, S.mjSENS_TENDONLIMITPOS,
    S.mjSENS_TENDONLIMITVEL, S.mjSENS_TENDONLIMITFRC, S.mjSENS_INSIDESITE,
}  # fmt: skip


def copy_contacts(reference, data):
    _pliant.set_contacts(data, reference.contact)
    rows = {name: np.array(getattr(reference, "efc_" + name), float) for name in ROW_FIELDS}
    _pliant.write_rows(data, reference.nefc, reference.ne, reference.nf, reference.nl, rows)


def compare(m, reference, model, found, counts):
    state, data = _pliant.State(model), _pliant.Data(model)
    copy_state(reference, state)
    for stage in ("position sensors", "velocity sensors", "acceleration sensors"):
        copy_data(reference, data)
        copy_contacts(reference, data)
        data.sensordata[:] = 77
        _pliant.run_stage(model, state, data, stage)
        for name, difference in compare_sensors(m, stage, reference.sensordata, data.sensordata):
            if S(m.sensor_type[difference.index[0]]) not in KINDS:
                continue  # forces on bodies are the business of another test
            if name not in found or difference.error > found[name].error:
                found[name] = difference
    for i in range(m.nsensor):
        readings = reference.sensordata[m.sensor_adr[i] : m.sensor_adr[i] + m.sensor_dim[i]]
        counts[i] += np.any(readings != 0)
    forces = np.zeros((2, 6))
    world = pm.MjData(model) if isinstance(model, pm.MjModel) else None
    for contact in range(reference.ncon if world else 0):
        copy_contacts(reference, world.data)
        mujoco.mj_contactForce(m, reference, contact, forces[0])
        pm.mj_contactForce(model, world, contact, forces[1])
        assert np.allclose(*forces, atol=1e-12)


def run(path, steps, every, options=()):
    m, model = mujoco.MjModel.from_xml_path(str(path)), pm.MjModel.from_xml_path(str(path))
    for name, value in options:
        setattr(m.opt, name, value)
        setattr(model.opt, name, value)
    reference = mujoco.MjData(m)
    rng = np.random.default_rng(1)
    found, counts, contacts = {}, np.zeros(m.nsensor, int), 0
    reference.qvel[:] = rng.normal(size=m.nv) * 0.5
    for step in range(steps):
        mujoco.mj_step(m, reference)
        reference.ctrl[:] = rng.uniform(-1, 1, m.nu)
        if step % every == 0:
            mujoco.mj_forward(m, reference)
            contacts += reference.ncon
            compare(m, reference, model, found, counts)
    worst = max(found.values(), key=lambda d: d.error)
    assert worst.error < LIMIT, str(worst)
    return counts, contacts


@pytest.mark.parametrize("cone", [mujoco.mjtCone.mjCONE_PYRAMIDAL, mujoco.mjtCone.mjCONE_ELLIPTIC])
def test_own_case(cone):
    counts, contacts = run(CASES / "sensors_of_contacts.xml", 300, 10, [("cone", int(cone))])
    assert contacts > 100
    assert np.all(counts > 0), f"sensors that never read anything: {np.flatnonzero(counts == 0)}"


@pytest.mark.parametrize("name", ARCHIVE)
@pytest.mark.skipif(not MODELS, reason="needs the archive of models")
def test_archive(name):
    run(pathlib.Path(MODELS) / name, 200, 20)
