"""Compares the stages of a step with the reference, one by one.

Every stage starts from the reference's own numbers (state and the results of earlier stages are copied from
its MjData), so that a difference names its stage. Used by the tests and from the command line:

    dynamics.py FILE [--states N] [--stage NAME] [--integrator NAME]
"""

import argparse
import collections
import dataclasses
import sys

import mujoco
import numpy as np

from pliant import _pliant

STATE_FIELDS = [row["name"] for row in _pliant.state_fields()]
DATA_FIELDS = [row["name"] for row in _pliant.data_fields()]
# Arrays of Data that the reference does not have.
OWN_FIELDS = {"hinge_cos", "hinge_sin", "bias_acc", "bias_force", "ctrl_used", "ctrl_clamped", "qacc_advance",
              "qfrc_advance", "qvel_advance",
              "fluid_slope", "rate", "yield_length", "yield_J", "next_qpos", "next_qvel", "next_act",
              "next_plastic", "next_reading", "dof_scratch",
              "body_scratch", "act_scratch", "qfrc_metric", "metric_M"}  # fmt: skip
# Arrays that the reference has under the integrator discrete only: test_discrete.py compares them.
OWN_FIELDS |= {row["name"] for row in _pliant.data_fields() if row["name"].startswith(("efm_", "next_", "yield_"))}
OWNED = collections.defaultdict(list)
for _row in _pliant.data_fields():
    if _row["name"] not in OWN_FIELDS:
        OWNED[_row["owner"]].append(_row["name"])

# What each stage of the pipeline writes, beside the fields whose owner has its name.
STAGES = {
    "poses": OWNED["poses"],
    "com": OWNED["com"],
    "tendons": OWNED["tendons"],
    "inertia": OWNED["inertia"],
    "transmission": OWNED["transmission"],
    "position sensors": ["sensordata"],
    "velocity": OWNED["velocity"],
    "passive": OWNED["passive"],
    "bias": OWNED["bias"],
    "velocity sensors": ["sensordata"],
    "actuation": OWNED["actuation"],
    "acceleration": OWNED["acceleration"],
    "acceleration sensors": ["sensordata"],
}

# The stages that read sensors, and what such a sensor needs.
SENSOR_STAGES = {
    "position sensors": mujoco.mjtStage.mjSTAGE_POS,
    "velocity sensors": mujoco.mjtStage.mjSTAGE_VEL,
    "acceleration sensors": mujoco.mjtStage.mjSTAGE_ACC,
}
# Types of sensors that are not compared, with the reason.
SENSORS_LATER = {}

# Magnitudes below which a field counts as zero: an error is measured against the largest value of the field
# or this floor, whichever is larger. One table, with reasons.
WEIGHT_SHARE = 1e-3  # of the model's weight: floor of generalised forces
FLOORS = {
    # forces of models at rest are differences of large numbers
    "default": 1e-3,
    # accelerations that cancel leave rounding errors of gravity: a hundredth of it [m/s²]
    "qacc_smooth": 0.1,
    "qacc_warmstart": 0.1,
}
# What is divided by pivots of the mass matrix cannot be better than rounding errors times its condition.
DIVIDED_BY_PIVOTS = {"qLD", "qLDiagInv", "qacc_smooth", "qacc_warmstart"}
ROUNDING = 16 * np.finfo(float).eps  # of a pivot: a chain of a dozen operations


def condition(model, data):
    """How much of a diagonal entry of the mass matrix elimination takes away, at most."""
    if model.nv == 0:
        return 1.0
    return float(np.max(data.M[model.M_rowadr + model.M_rownnz - 1] * data.qLDiagInv))


def rounding_floor(model, data, field, values):
    """A floor that allows for the condition of the mass matrix where that alone exceeds the limit of 1e-10."""
    if field not in DIVIDED_BY_PIVOTS:
        return 0
    return np.max(np.abs(values), initial=0) * max(1.0, ROUNDING * condition(model, data) / 1e-10)


def out_of_scope(reference_model):
    """Why the dynamics of a model are not compared; "" if they are."""
    return ""


@dataclasses.dataclass
class Difference:
    stage: str
    field: str
    error: float
    index: tuple
    reference: float
    pliant: float

    def __str__(self):
        return (f"{self.stage}: {self.field}{list(self.index)} error {self.error:.2e}: "
                f"reference {self.reference!r}, pliant {self.pliant!r}")  # fmt: skip


def worst(stage, field, reference, mine, floor=0, rounding=0):
    """The worst Difference of two arrays, relative to the largest number and no less than `floor`; `rounding` of each
    number is no error."""
    reference = np.atleast_1d(np.asarray(reference, float))
    mine = np.asarray(mine, float).reshape(reference.shape)
    if reference.size == 0:
        return None
    scale = max(np.max(np.abs(reference), initial=0), FLOORS.get(field, FLOORS["default"]), floor)
    error = np.maximum(np.abs(mine - reference) - rounding, 0) / scale
    error[np.isnan(mine) != np.isnan(reference)] = np.inf
    error[np.isnan(mine) & np.isnan(reference)] = 0
    at = np.unravel_index(np.argmax(error), error.shape)
    return Difference(stage, field, float(error[at]), at, float(reference[at]), float(mine[at]))


def comparable(reference_model, data, name):
    """An array of either engine in the form in which it is compared; None if another array stands for it."""
    value = np.asarray(getattr(data, name))
    if name.startswith("moment_"):
        return None  # part of actuator_moment
    if name == "actuator_moment":
        # As a full matrix: the reference leaves out entries that are zero, but keeps what rounding leaves of
        # columns that cancel.
        full = np.zeros((reference_model.nout, reference_model.nv))
        for row, (adr, count) in enumerate(zip(data.moment_rowadr.ravel(), data.moment_rownnz.ravel())):
            full[row, data.moment_colind.ravel()[adr : adr + count]] = value.ravel()[adr : adr + count]
        return full
    if name in ("wrap_obj", "wrap_xpos"):
        # Behind the points in use the reference keeps what earlier paths left there.
        points = int(data.ten_wrapadr.ravel()[-1] + data.ten_wrapnum.ravel()[-1]) if reference_model.ntendon else 0
        return value.reshape(-1, 3 if name == "wrap_xpos" else 1)[:points]
    return value


def copy_state(reference, state):
    for name in STATE_FIELDS:
        getattr(state, name)[...] = getattr(reference, name)


def copy_data(reference, data):
    for name in DATA_FIELDS:
        if name not in OWN_FIELDS:
            mine = getattr(data, name)
            mine[...] = np.asarray(getattr(reference, name)).reshape(mine.shape)


def random_state(model, data, rng):
    """Random configuration, velocities, controls, activations and applied forces."""
    mujoco.mj_resetData(model, data)
    velocity = rng.normal(size=model.nv) * rng.choice([0.1, 1.0])
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv) * 0.5, 1)
    data.qvel[:] = velocity
    data.ctrl[:] = rng.normal(size=model.nu)
    for i in range(model.nu):
        low, high = model.actuator_ctrlrange[i]
        if high > low and np.isfinite(high - low) and rng.random() < 0.7:
            data.ctrl[i] = rng.uniform(low, high)
    data.act[:] = rng.uniform(0, 1, size=model.na)
    if rng.random() < 0.7:
        data.qfrc_applied[:] = rng.normal(size=model.nv)
        data.xfrc_applied[1:] = rng.normal(size=(model.nbody - 1, 6))
    if model.nmocap:
        data.mocap_pos[:] += rng.normal(size=data.mocap_pos.shape) * 0.1
        data.mocap_quat[:] += rng.normal(size=data.mocap_quat.shape) * 0.2
    data.time = rng.uniform(0, 2)
    if model.nhistory:
        # delays and intervals need a past
        data.time = 0
        for _ in range(rng.integers(0, 20)):
            data.ctrl[:] = rng.normal(size=model.nu)
            mujoco.mj_step(model, data)


def sensors_of_stage(model, stage):
    """The sensors that a stage reads and that are compared."""
    return [
        i
        for i in range(model.nsensor)
        if model.sensor_needstage[i] == SENSOR_STAGES[stage]
        and mujoco.mjtSensor(model.sensor_type[i]) not in SENSORS_LATER
    ]


def compare_fields(model, stage, fields, reference, data):
    """The Difference of each field, as (field, Difference)."""
    # Forces that cancel leave the rounding errors of the weights they are made of.
    weight = np.sum(model.body_mass) * np.linalg.norm(model.opt.gravity)
    for name in fields:
        expected = comparable(model, reference, name)
        if expected is None:
            continue
        mine = comparable(model, data, name)
        if mine.size != expected.size:
            mine = np.full(expected.shape, np.nan)
        floor = WEIGHT_SHARE * weight if name.startswith("qfrc_") else 0
        floor = max(floor, rounding_floor(model, reference, name, expected))
        yield name, worst(stage, name, expected, mine, floor)


def compare_sensors(model, stage, reference, mine):
    """The worst Difference of each type of sensor, as (field, Difference)."""
    for i in sensors_of_stage(model, stage):
        readings = slice(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i])
        name = mujoco.mjtSensor(model.sensor_type[i]).name.removeprefix("mjSENS_").lower()
        difference = worst(stage, f"sensordata {name}", reference[readings], mine[readings])
        if difference:
            difference.index = (i, *difference.index)
            yield difference.field, difference


def compare_stages(reference_model, model, states=5, seed=0, stages=None, each_model=None):
    """The worst Difference of each (stage, field)."""
    rng = np.random.default_rng(seed)
    reference = mujoco.MjData(reference_model)
    state, data = _pliant.State(model), _pliant.Data(model)
    found = {}
    for _ in range(states):
        random_state(reference_model, reference, rng)
        mujoco.mj_forward(reference_model, reference)
        copy_state(reference, state)
        for stage, fields in STAGES.items():
            if stages and stage not in stages:
                continue
            copy_data(reference, data)
            for name in fields:
                getattr(data, name)[...] = 0
            if stage == "acceleration":
                _pliant.run_stage(model, state, data, "metric")  # what it divides by, under discrete
            _pliant.run_stage(model, state, data, stage)
            if stage in SENSOR_STAGES:
                differences = compare_sensors(reference_model, stage, reference.sensordata, data.sensordata)
            else:
                differences = compare_fields(reference_model, stage, fields, reference, data)
            for name, difference in differences:
                key = (stage, name)
                if difference and (key not in found or difference.error > found[key].error):
                    found[key] = difference
    return found


INTEGRATORS = ["Euler", "RK4", "implicit", "implicitfast", "discrete"]


def compare_advance(reference_model, model, states=5, seed=0, integrators=(0, 1, 2, 3)):
    """The state after one step, and the matrices of the integrator, from the reference's own accelerations: the worst
    Difference of each (integrator, field). Runge-Kutta runs the other stages, too."""
    rng = np.random.default_rng(seed)
    before, reference = mujoco.MjData(reference_model), mujoco.MjData(reference_model)
    state, data = _pliant.State(model), _pliant.Data(model)
    found, own_integrator = {}, reference_model.opt.integrator
    for _ in range(states):
        random_state(reference_model, before, rng)
        for integrator in integrators:
            reference_model.opt.integrator = model.opt.integrator = integrator
            mujoco.mj_copyData(reference, reference_model, before)
            mujoco.mj_forward(reference_model, reference)
            copy_state(reference, state)
            copy_data(reference, data)
            # (motions of subtrees that sensors have asked for are not computed again in the stages of Runge-Kutta)
            _pliant.run_stage(model, state, data, "velocity sensors")
            mujoco.mj_step(reference_model, reference)
            if reference.time <= before.time or any(
                not np.max(np.abs(getattr(reference, name)), initial=0) <= 1e10 for name in ("qpos", "qvel", "act")
            ):
                continue  # blown up: the reference resets or goes on, Pliant keeps the last good state
            _pliant.advance(model, state, data, integrator)
            stage = "advance " + INTEGRATORS[integrator]
            fields = [(name, state) for name in STATE_FIELDS if name != "userdata"]
            fields += [(name, data) for name in ("qDeriv", "qH", "qHDiagInv", "qLU")]
            for name, mine in fields:
                # derivatives of the bias force cancel: of a cube of tons only rounding of its inertia remains
                floor = 1e-3 * np.max(np.abs(reference.M), initial=0) if name == "qDeriv" else 0
                floor = max(floor, rounding_floor(reference_model, reference, name, getattr(reference, name)))
                difference = worst(stage, name, getattr(reference, name), getattr(mine, name), floor)
                key = (stage, name)
                if difference and (key not in found or not difference.error <= found[key].error):
                    found[key] = difference
    reference_model.opt.integrator = model.opt.integrator = own_integrator
    return found


# A trajectory is compared as long as the reference's own result survives these changes of all velocities. There are
# several since some branches depend on the last bit: a torque clamped to a size either reaches it again or not.
NUDGES = (1e-12, -1e-12, 3e-13, -4e-13)


def scaled_difference(a, b, name):
    value = getattr(b, name)
    scale = max(np.max(np.abs(value), initial=0), 1)
    return np.max(np.abs(getattr(a, name) - value), initial=0) / scale


def trajectory_error(reference_model, model, steps=200, seed=0):
    """Largest difference of qpos, qvel and act over a trajectory, and the number of steps compared: until rounding has
    grown so much that the reference, nudged a little, would not pass for itself."""
    rng = np.random.default_rng(seed)
    reference = mujoco.MjData(reference_model)
    random_state(reference_model, reference, rng)
    reference.qfrc_applied[:] = 0
    reference.xfrc_applied[:] = 0
    nudged = [mujoco.MjData(reference_model) for _ in NUDGES]
    for other, nudge in zip(nudged, NUDGES):
        mujoco.mj_copyData(other, reference_model, reference)
        other.qvel[:] += nudge
    state, data = _pliant.State(model), _pliant.Data(model)
    copy_state(reference, state)
    largest = 0.0
    for step in range(steps):
        mujoco.mj_step(reference_model, reference)
        status = _pliant.step(model, state, data)
        for other in nudged:
            mujoco.mj_step(reference_model, other)
            if not np.max(np.abs(other.qpos - reference.qpos), initial=0) <= 1e-8:
                return largest, step
            if not max(scaled_difference(other, reference, name) for name in ("qvel", "act")) <= 1e-7:
                return largest, step
        if status:
            return largest, step
        largest = max(largest, *(scaled_difference(state, reference, name) for name in ("qpos", "qvel", "act")))
    return largest, steps


def load_pair(path, constraints=False, memory=None):
    """Both models of a file; `memory`: bytes of the reference's arena, which ends its steps where it is full."""
    model = _pliant.Model(str(path))
    if memory:
        spec = mujoco.MjSpec.from_file(str(path))
        spec.memory = memory
        reference_model = spec.compile()
    else:
        reference_model = mujoco.MjModel.from_xml_path(str(path))
    # nothing sleeps in Pliant; where the reference may sleep, lights and cameras that follow the world stand still
    reference_model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    for m in (reference_model, model):
        if not constraints:
            m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    return reference_model, model


def fill_constants(reference_model, model):
    """Length ranges that are found by simulation with constraints wait for these; the reference has them."""
    if "actuator_lengthrange" in model.pending:
        model.actuator_lengthrange[...] = reference_model.actuator_lengthrange


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--states", type=int, default=5)
    parser.add_argument("--stage", action="append")
    parser.add_argument("--limit", type=float, default=1e-10)
    parser.add_argument("--trajectory", action="store_true")
    parser.add_argument("--integrator", type=int)
    arguments = parser.parse_args()
    bad = 0
    for path in arguments.files:
        try:
            reference_model, model = load_pair(path)
        except (ValueError, _pliant.LoadError):
            continue
        fill_constants(reference_model, model)
        if arguments.integrator is not None:
            reference_model.opt.integrator = arguments.integrator
            model.opt.integrator = arguments.integrator
        stages = [name for name in arguments.stage or STAGES if name != "advance"]
        found = compare_stages(reference_model, model, arguments.states, stages=stages) if stages else {}
        if not arguments.stage or "advance" in arguments.stage:
            chosen = range(4) if arguments.integrator is None else [arguments.integrator]
            found.update(compare_advance(reference_model, model, arguments.states, integrators=chosen))
        rows = sorted((d for d in found.values() if not d.error <= arguments.limit), key=lambda d: -d.error)
        line = ""
        if arguments.trajectory:
            error, steps = trajectory_error(reference_model, model)
            line = f"  trajectory {error:.1e} over {steps} steps"
        print(f"{path}: {'equal' if not rows else ''}{line}")
        for row in rows[:12]:
            print("    ", row)
        bad += bool(rows)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
