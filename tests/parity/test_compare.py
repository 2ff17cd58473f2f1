"""The comparison itself: whatever is changed in a model must be noticed, and named."""

import pathlib

import numpy as np
import pytest

import compare
import known
import pliant.mujoco
from pliant._checked import CheckedArray

CASES = pathlib.Path(__file__).resolve().parent / "cases"


@pytest.fixture(scope="module")
def reference():
    return compare.load_reference(CASES / "named_objects.xml")[0]


@pytest.fixture
def model():
    return pliant.mujoco.MjModel.from_xml_path(CASES / "named_objects.xml")


def fields_that_differ(reference, model):
    return {difference.field for difference in compare.compare_models(reference, model).differences}


def change(array):
    """Changes the last entry by a little."""
    last = tuple(size - 1 for size in array.shape)
    if array.dtype == bool:
        array[last] = not array[last]
    elif array.dtype.kind == "f":
        scale = max(float(np.abs(array).max()), 1.0)
        array[last] += scale * (1e-8 if array.dtype == np.float64 else 1e-6)
    else:
        array[last] ^= 1


def test_every_changed_field_is_noticed(reference, model):
    before = fields_that_differ(reference, model)
    changed = 0
    for name, value in compare.reference_fields(reference):
        ours = compare.pliant_field(model, name)
        if not isinstance(ours, np.ndarray) or ours.size == 0:
            continue
        if name in known.NOT_COMPARED or name in model.pending:
            continue
        # integers are checked when written: a copy is changed, for which nobody answers
        ours = np.array(ours) if isinstance(ours, CheckedArray) else ours
        keep = ours.copy()
        change(ours)
        difference, _ = compare.compare_field(name, value, ours, False, model)
        assert difference is not None and difference.field == name, name
        assert difference.index == tuple(size - 1 for size in ours.shape), name
        ours[...] = keep
        changed += 1
    assert changed > 250
    assert fields_that_differ(reference, model) == before


def test_a_difference_names_its_object(reference, model):
    model.geom("bar").friction[0] += 0.5
    model.opt.timestep = 0.125
    found = {d.field: str(d) for d in compare.compare_models(reference, model).differences}
    assert "'bar' at " in found["geom_friction"] and "named_objects.xml" in found["geom_friction"]
    assert "reference 1.0, pliant 1.5" in found["geom_friction"]
    assert "pliant 0.125" in found["opt.timestep"]


def test_not_a_number_is_a_difference(reference, model):
    model.body_pos[1, 1] = np.nan
    assert "body_pos" in fields_that_differ(reference, model)


def test_absent_fields_shapes_and_types():
    field = compare.compare_field
    assert "does not exist" in field("x", np.zeros(2), compare.MISSING, False)[0].what
    assert "shape" in field("x", np.zeros(2), np.zeros(3), False)[0].what
    assert "dtype" in field("x", np.zeros(2), np.zeros(2, np.float32), False)[0].what
    assert "type" in field("x", 1, 1.0, False)[0].what
    assert field("x", b"a\0b\0", b"a\0c\0", False)[0].entries == [((1,), b"b", b"c")]
    assert field("x", np.zeros(2), np.full(2, np.nan), True)[0] is None


def test_tolerance_is_relative_to_the_field():
    a = np.array([1e6, 1.0])
    assert compare.compare_field("x", a, a + [0, 1e-4], False)[0] is None
    assert compare.compare_field("x", a, a + [0, 1e-2], False)[0] is not None
    tiny = np.array([1e-14, 0.0])
    assert compare.compare_field("x", tiny, tiny * 0, False)[0] is None
