"""Every stage of a step equals the reference's, from random states of every model; trajectories too.

Constraints are switched off. `make test` takes a few states per model, `make test-full` fifty.
"""

import mujoco
import pytest

import compare
import dynamics

STAGE_LIMIT, SENSOR_LIMIT, TRAJECTORY_LIMIT = 1e-10, 1e-9, 1e-7
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3, "discrete": 4}


def pair(model_path, model_name):
    reference, message = compare.load_reference(model_path)
    if reference is None:
        pytest.skip(f"the reference refuses it: {message}")
    reason = compare.out_of_scope(reference)
    if reason:
        pytest.skip(f"out of scope: {reason}")
    reason = dynamics.out_of_scope(reference)
    if reason:
        pytest.skip(f"out of scope: {reason}")
    reference, model = dynamics.load_pair(model_path)
    dynamics.fill_constants(reference, model)
    return reference, model


def check_stages(model_path, model_name, tally, states):
    reference, model = pair(model_path, model_name)
    found = dynamics.compare_stages(reference, model, states=states)
    tally.stages[model_name] = found
    bad = [
        str(difference)
        for (stage, _), difference in sorted(found.items(), key=lambda item: -item[1].error)
        if not difference.error <= (SENSOR_LIMIT if "sensors" in stage else STAGE_LIMIT)
    ]
    if bad:
        pytest.fail(f"{model_name}: {len(bad)} fields differ\n" + "\n".join(bad[:20]), pytrace=False)


def test_stages_equal_reference(model_path, model_name, tally):
    check_stages(model_path, model_name, tally, states=4)


@pytest.mark.slow
def test_stages_equal_reference_in_many_states(model_path, model_name, tally):
    check_stages(model_path, model_name, tally, states=50)


def check_advance(model_path, model_name, states):
    reference, model = pair(model_path, model_name)
    found = dynamics.compare_advance(reference, model, states=states)
    bad = [str(difference) for difference in found.values() if not difference.error <= STAGE_LIMIT]
    if bad:
        pytest.fail(f"{model_name}: {len(bad)} fields differ\n" + "\n".join(bad[:20]), pytrace=False)


def test_advance_equals_reference(model_path, model_name):
    check_advance(model_path, model_name, states=3)


@pytest.mark.slow
def test_advance_equals_reference_in_many_states(model_path, model_name):
    check_advance(model_path, model_name, states=50)


def check_trajectories(model_path, model_name, tally, steps):
    reference, model = pair(model_path, model_name)
    bad = []
    for name, number in INTEGRATORS.items():
        reference.opt.integrator = number
        model.opt.integrator = number
        if name == "discrete":
            # (the reference solves with the metric by iterations)
            reference.opt.tolerance, reference.opt.iterations = 1e-15, 1000
        error, reached = dynamics.trajectory_error(reference, model, steps=steps)
        tally.trajectories[model_name, name] = (error, reached)
        if not error <= TRAJECTORY_LIMIT:
            bad.append(f"{name}: error {error:.2e} after {reached} steps")
    if bad:
        pytest.fail(f"{model_name}: " + "; ".join(bad), pytrace=False)


def test_trajectories_equal_reference(model_path, model_name, tally):
    check_trajectories(model_path, model_name, tally, steps=30)


@pytest.mark.slow
def test_long_trajectories_equal_reference(model_path, model_name, tally):
    check_trajectories(model_path, model_name, tally, steps=200)


def test_a_changed_number_is_noticed():
    """The comparison itself: a wrong number in any field of a stage is found."""
    xml = "<mujoco><worldbody><body><joint/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>"
    reference = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(reference)
    mujoco.mj_forward(reference, data)
    for name in ("xpos", "M", "qfrc_bias", "cdof"):
        value = getattr(data, name).copy()
        assert dynamics.worst("stage", name, getattr(data, name), value).error == 0
        value.flat[0] += 1e-6
        assert dynamics.worst("stage", name, getattr(data, name), value).error > 1e-10
