"""Nonsense in every field that a user can write: never a crash, and never a silent NaN.

For every array of a model, every option and every array of the data, one after the other: numbers that are out of
range, not finite, enormous or negative are written, then the model is stepped. Either the assignment raises an error
that names the field, or the step raises one that names something, or a fault is on record, or all results are finite.
Runs in programs of its own, so that a crash is seen; a program says what it is about to do.
"""

import os
import pathlib
import random
import subprocess
import sys
import warnings

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]
MODELS = ["models/gripper.xml", "models/mimic_hand.xml", "models/tendon_finger.xml",
          "tests/parity/cases/rows_kinds.xml",
          "tests/parity/cases/sensors_of_contacts.xml",
          "tests/parity/cases/dynamics_transmission.xml", "tests/parity/cases/actuators.xml"]  # fmt: skip
REALS = [np.nan, np.inf, -np.inf, 1e300, -1e300, 1e10, 0.0, -1.0, 1e-300]
INTEGERS = [-1, -2, 0, 1, 2, 7, 100, 10**6, 2**31 - 1, -(2**31)]
TIMEOUT = 300


def case_model(text):
    import pliant.mujoco as mujoco

    return mujoco.MjModel.from_xml_path(str(ROOT / text))


# ---- the program -------------------------------------------------------------------------------


class Trial:
    """One model; every field is tried on it and put back."""

    def __init__(self, model, seed):
        self.model, self.random = model, random.Random(seed)
        self.problems = []

    def values(self, dtype, few=3):
        if dtype == np.bool_:
            return [True, False]
        if np.issubdtype(dtype, np.floating):
            return self.random.sample(REALS, few)
        limits = np.iinfo(dtype)
        return [v for v in self.random.sample(INTEGERS, few) if limits.min <= v <= limits.max]

    def run(self, name, write, restore, data=None):
        """`write` something, step, look at the results, `restore`."""
        import pliant
        import pliant.mujoco as mujoco

        print(name, flush=True)
        data = data or mujoco.MjData(self.model)
        field = name.split(" ")[0].split("[")[0].split(".")[-1]
        try:
            try:
                write()
            except (ValueError, TypeError) as error:
                if field not in str(error):
                    self.problems.append(f"{name}: the error does not name the field: {error}")
                return
            for step in (mujoco.mj_forward, mujoco.mj_step, mujoco.mj_step):
                before = data.state.hash()
                try:
                    step(self.model, data)
                except pliant.StepError as error:
                    if len(str(error)) < 10:
                        self.problems.append(f"{name}: {error}")
                    if data.state.hash() != before:
                        self.problems.append(f"{name}: refused, but the state has changed")
                    return
            self.look(name, data)
        finally:
            restore()

    def look(self, name, data):
        if data.describe_faults():
            return
        sensors = data.sensordata
        arrays = {"qpos": data.qpos, "qvel": data.qvel, "act": data.act, "qacc": data.qacc, "sensordata": sensors}
        for array, numbers in arrays.items():
            if not np.all(np.isfinite(numbers)):
                self.problems.append(f"{name}: {array} is not finite, and nobody says so")

    def array(self, name, owner, field, data=None):
        """A random item, and all of them."""
        array = getattr(owner, field)
        if array.size == 0:
            return
        before = np.array(array)

        def restore():
            getattr(owner, field)[...] = before

        for value in self.values(array.dtype):
            place = self.random.randrange(array.size)
            index = tuple(int(i) for i in np.unravel_index(place, array.shape))

            def one():
                getattr(owner, field)[index] = value

            def whole():
                setattr(owner, field, value)

            self.run(f"{name}[{place}] = {value}", one, restore, data)
            self.run(f"{name}[:] = {value}", whole, restore, data)

    def number(self, name, owner, field):
        before = getattr(owner, field)
        integer = isinstance(before, int)
        for value in INTEGERS if integer else REALS:
            self.run(f"{name} = {value}", lambda: setattr(owner, field, value), lambda: setattr(owner, field, before))

    def attributes(self, name, owner):
        for field in dir(owner):
            if field.startswith("_"):
                continue
            if isinstance(getattr(owner, field), np.ndarray):
                self.array(f"{name}.{field}", owner, field)
            else:
                self.number(f"{name}.{field}", owner, field)

    def everything(self):
        import pliant
        import pliant.mujoco as mujoco

        for row in pliant.model_fields():
            if row["dtype"] != "bytes":
                self.array(row["name"], self.model, row["name"])
        self.attributes("opt", self.model.opt)
        self.attributes("stat", self.model.stat)
        data = mujoco.MjData(self.model)
        self.number("time", data, "time")
        mujoco.mj_step(self.model, data)
        for part, rows in (("state", pliant._pliant.state_fields()), ("data", pliant._pliant.data_fields())):
            for row in rows:
                self.array(row["name"], getattr(data, part), row["name"], data)


def program(path, seed):
    warnings.simplefilter("ignore")
    trial = Trial(case_model(path), int(seed))
    trial.everything()
    print("PROBLEMS", flush=True)
    print("\n".join(trial.problems), flush=True)


# ---- the tests ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODELS)
def test_nonsense_never_crashes(path):
    seed = os.environ.get("PLIANT_SEED", "1")
    result = subprocess.run(
        [sys.executable, __file__, path, seed], capture_output=True, text=True, timeout=TIMEOUT, cwd=ROOT
    )
    lines = result.stdout.splitlines()
    assert result.returncode == 0, f"ended with {result.returncode} at {lines[-1:]}: {result.stderr[-2000:]}"
    assert "PROBLEMS" in lines
    problems = [line for line in lines[lines.index("PROBLEMS") + 1 :] if line]
    assert not problems, "\n".join(problems[:40])
    assert len(lines) > 1000  # it did try


OUTSIDE = [("solver", -1), ("solver", 10), ("solver", 2**31 - 1), ("integrator", -1), ("integrator", 10), ("cone", 2),
           ("jacobian", 3), ("iterations", -1), ("timestep", 0.0), ("timestep", -0.1), ("timestep", np.nan),
           ("timestep", np.inf), ("tolerance", np.nan), ("impratio", 0.0), ("tgs_substeps", 0),
           ("disableflags", 1 << 25), ("gravity", [0, 0, np.nan]), ("solver", 10**30),
           ("integrator", "Euler")]  # fmt: skip


@pytest.mark.parametrize("field, value", OUTSIDE)
def test_options_outside_their_range(field, value):
    import pliant.mujoco as mujoco

    model = case_model("models/gripper.xml")
    data = mujoco.MjData(model)
    before = np.copy(getattr(model.opt, field))
    with pytest.raises(ValueError, match=rf"opt\.{field}.*it must be"):
        setattr(model.opt, field, value)
    assert np.array_equal(getattr(model.opt, field), before)
    mujoco.mj_step(model, data)
    assert data.time > 0


def test_options_written_through_a_view_are_refused_by_the_step():
    import pliant
    import pliant.mujoco as mujoco

    model = case_model("models/gripper.xml")
    data = mujoco.MjData(model)
    model.opt.gravity[1] = np.nan
    before = data.state.hash()
    with pytest.raises(pliant.StepError, match=r"opt\.gravity\[1\] is nan.*it must be finite"):
        mujoco.mj_step(model, data)
    assert data.state.hash() == before


def test_what_users_write_every_day_still_works():
    import pliant.mujoco as mujoco

    model = case_model("models/gripper.xml")
    model.opt.timestep = 0.001
    model.opt.solver = mujoco.mjtSolver.mjSOL_CG
    model.opt.solver = np.int64(2)
    model.opt.iterations = 50
    model.opt.gravity[:] = [0, 0, -1]
    model.opt.gravity = (0, 0, -9.81)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_GRAVITY
    model.body_mass *= 1.1
    model.geom_friction[:, 0] = 0.9
    model.geom_contype[0] = 3
    model.geom_condim[0] = 4
    model.geom_condim[:] = 3
    model.geom_condim += 1
    model.geom_condim[1:3] = 6
    model.jnt_limited[:] = False
    model.geom_rgba[0] = 1, 0, 0, 1
    model.actuator_biastype[0] = 1
    assert model.actuator_biastype[0] == 1 and model.geom_condim[1] == 6 and model.geom_condim[0] == 4
    assert type(model.geom_condim + 1) is np.ndarray
    copy = model.geom_condim.copy()
    copy[0] = 99  # a copy is the user's
    data = mujoco.MjData(model)
    for _ in range(10):
        mujoco.mj_step(model, data)


@pytest.mark.parametrize("field, value", [("geom_type", 99), ("geom_bodyid", 10**6), ("jnt_type", -1),
                                          ("geom_condim", 5), ("actuator_trntype", 50), ("dof_parentid", 10**6),
                                          ("sensor_type", -3)])  # fmt: skip
def test_integers_that_hold_a_model_together(field, value):
    model = case_model("models/gripper.xml")
    before = np.array(getattr(model, field))
    assert before.size
    with pytest.raises(ValueError, match=field):
        getattr(model, field)[0] = value
    with pytest.raises(ValueError, match=field):
        setattr(model, field, value)
    with pytest.raises(ValueError, match=field):
        getattr(model, field)[-1:] = value
    assert np.array_equal(getattr(model, field), before)


@pytest.mark.parametrize("kind", [0, 1, 7])
def test_a_site_has_a_shape_that_sensors_can_use(kind):
    """A plane, a height field, and a mesh where the site names none."""
    model = case_model("tests/parity/cases/sensors_of_contacts.xml")
    before = np.array(model.site_type)
    with pytest.raises(ValueError, match="site_type.*nothing was changed"):
        model.site_type[:] = kind
    assert np.array_equal(model.site_type, before)
    import pliant.mujoco as mujoco

    mujoco.mj_step(model, mujoco.MjData(model))


if __name__ == "__main__":
    program(*sys.argv[1:])
