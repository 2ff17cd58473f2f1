"""Every function and attribute with other forms of its arguments: both modules take a form, or both refuse it, or the
difference is in the table below. Forms are in argument_forms.py.

A part of them, drawn anew every day, is tried in `make test`; all of them in the slow tier.
"""

import datetime
import random
import re
import warnings

import mujoco as reference
import numpy as np
import pytest

import argument_forms
import calls
import pliant.mujoco as ours

# (function, form): the reference ends the process
CRASHES = {
    ("mj_jacSubtreeCom", "2: None"), ("mj_name2id", "2: None"), ("mju_euler2Quat", "2: None"),
    ("mju_str2Type", "0: None"),
}  # fmt: skip

# Who takes it alone, where ("f" function, "a" attribute), name, form, why. Names and forms are whole regular
# expressions; forms of functions without the number of the argument.
DIFFERENCES = [
    # the reference alone
    ("reference", "a", r".*", r"None", "None is not a number: the reference stores NaN"),
    ("reference", "a", r".*", r"object|complex|text array", "numbers only: imaginary parts and texts are not dropped"),
    ("reference", "a", r"MjData\.(bvh_active|eq_active|flex_hessian_valid)|MjModel\.flex.*",
     r"str|bytes|dict|object of nothing", "a text or an object is not a flag"),
    ("reference", "fa", r".*", r"np\.float32|float32", "a number with a fraction is no integer (the reference takes "
     "np.float32, and neither float nor np.float64)"),
    ("reference", "a", r"(MjModel|.* of a model)\..*", r"bool|reversed|one number for all|transposed",
     "integers that say what is what are checked: other numbers would name other things"),
    ("reference", "a", r"MjData\.(n\w+|maxuse_\w+|efm_active|p(arena|base|stack)|threadpool|flg_\w+|signature)|"
     r"MjModel\.flg_adhesion", r".*", "counts, sizes and flags follow from the step: they cannot be written"),
    ("reference", "a", r"MjData\.solver_niter", r".*", "made from the solver's report"),
    ("reference", "a", r"MjOption\.timestep", r"int.*|__index__", "a timestep of 0 is refused (the form rounds it)"),
    ("reference", "a", r"MjVisualRgba\.bv(active)?", r".*", "a colour has four numbers, not five"),
    ("reference", "a", r"MjModel\.flg_(gravcomp|surfacevel)|MjLROpt\.use\w+", r"array of none", "an array is no flag"),
    ("reference", "f", r"mj_(multiR|r)ay|mjd_(inverse|transition)FD", r"None|array of none", "None is no flag"),
    ("reference", "f", r"mjd_(inverse|transition)FD|mju_quat2Vel", r"int.*|__index__",
     "a step of 0 is refused (the form rounds it)"),
    ("reference", "f", r".*", r"np\.bool_|bool|__index__|__float__", "numbers are int, float or NumPy's"),
    ("reference", "f", r"mju_(raySkin|sparse2dense|sym2dense|dense2sparse)",
     r"float64|object|complex|text array|list|tuple|memoryview|column", "places are integers, results arrays"),
    ("reference", "f", r"mj_addM|mju_boxQP", r"column", "vectors have one axis here"),
    ("reference", "f", r"mju_band(2Dense|MulMatVec)", r"array of one|complex|None|flat", "flags are flags"),
    ("reference", "f", r"mju_cholSolve(Band)?", r"reversed", "a matrix without positive diagonal is refused"),
    ("reference", "f", r"mju_euler2Quat", r"bytearray", "a text is str or bytes"),
    # Pliant alone
    ("ours", "f", r".*", r"one axis more|row|column|flat|transposed|memoryview",
     "an array of the right number of numbers is taken in other shapes, too"),
    ("ours", "a", r"MjData\.efm_\w+", r".*", "the reference has no memory for these between steps"),
    ("ours", "a", r"MjContact\..*|MjWarningStat\..*|MjLROpt\..*", r"float|np\.float64|None|array of one|list|complex|"
     r"__float__", "stored as NumPy stores it"),
    ("ours", "f", r"mj_check(Acc|Pos|Vel)|mj_island|mjv_defaultPerturb|mjv_select|mju_standardNormal|mj_setLengthRange|"
     r"mj_resetDataDebug|mjv_initGeom|mjv_updateScene|mjv_connector|mj_initSensorHistory|mju_zero\w*", r".*",
     "what a function does not look at may be anything"),
    ("ours", "f", r"mju_\w+|mjd_(quatIntegrate|subQuat)|mj_(addM|mulJac\w+|local2Global|readCtrl|setKeyframe|id2name|"
     r"name2id|rayMesh|rayHfield)", r".*", "written with NumPy: what it makes numbers of is taken"),
]  # fmt: skip
_RULES = [(who, where, re.compile(name), re.compile(form), why) for who, where, name, form, why in DIFFERENCES]
_USED = set()


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    """A text in the place of another argument may be taken for the name of a file."""
    monkeypatch.chdir(tmp_path)


def explained(who, where, name, label):
    form = label.partition(": ")[2] if where == "f" and ": " in label else label
    for i, (taker, places, names, forms, _) in enumerate(_RULES):
        if taker == who and where in places and names.fullmatch(name) and forms.fullmatch(form):
            _USED.add(i)
            return True
    return False


def compare(where, name, cases, expected_cases, chosen):
    differences = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for (label, call), (other, expected_call) in zip(cases, expected_cases, strict=True):
            assert label == other
            if not chosen(label) or (name, label) in CRASHES:
                continue
            expected, actual = argument_forms.accepts(expected_call), argument_forms.accepts(call)
            if expected != actual and not explained("reference" if expected else "ours", where, name, label):
                differences.append(f"{name}: {label}: the reference {'takes' if expected else 'refuses'} it")
    return differences


FUNCTIONS = [
    name
    for name in sorted(calls.CALLS)
    if hasattr(reference, name) and name.startswith("mj") and not argument_forms.NOT_CALLED.search(name)
]
STRUCTS = sorted(argument_forms.structs(reference))


def try_function(name, chosen):
    like = argument_forms.like_of(reference, name)
    found = compare("f", name, argument_forms.function_cases(ours, name, like),
                    argument_forms.function_cases(reference, name, like), chosen)  # fmt: skip
    assert not found, "\n".join(found)


def try_struct(name, chosen, attributes=lambda names: names):
    expected_owner, owner = argument_forms.structs(reference)[name], argument_forms.structs(ours)[name]
    found = []
    for attribute in attributes(argument_forms.attributes(expected_owner)):
        value = getattr(expected_owner, attribute)
        found += compare("a", f"{name}.{attribute}", argument_forms.attribute_cases(owner, attribute, value),
                         argument_forms.attribute_cases(expected_owner, attribute, value), chosen)  # fmt: skip
    assert not found, "\n".join(found)


@pytest.mark.parametrize("part", range(8))
def test_some_forms(part):
    """A tenth of all forms, other ones every day."""
    day = datetime.date.today().toordinal()
    draw = random.Random(1000 * day + part)
    for name in FUNCTIONS[part::8]:
        try_function(name, lambda label: label in ("as it is", "by keyword") or draw.random() < 0.1)
    for name in STRUCTS[part::8]:
        try_struct(name, lambda label: label == "read" or draw.random() < 0.5,
                   lambda names: draw.sample(names, (len(names) + 4) // 5))  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_forms_of_functions(name):
    try_function(name, lambda label: True)


@pytest.mark.slow
@pytest.mark.parametrize("name", STRUCTS)
def test_all_forms_of_attributes(name):
    try_struct(name, lambda label: True)


@pytest.mark.slow
def test_no_difference_in_the_table_is_gone():
    """(after the tests above)"""
    if len(_USED) > len(DIFFERENCES) // 2:
        assert [DIFFERENCES[i] for i in range(len(DIFFERENCES)) if i not in _USED] == []


def test_none_for_a_struct_is_refused():
    """Where the reference ends the process."""
    model, data = calls.make(ours)
    for call in (
        lambda: ours.mj_step(None, data),
        lambda: ours.mj_forward(model, None),
        lambda: ours.mj_defaultLROpt(None),
        lambda: ours.mj_name2id(model, 1, None),
        lambda: ours.mju_str2Type(None),
        lambda: ours.mju_euler2Quat(np.zeros(4), np.zeros(3), None),
    ):
        with pytest.raises((TypeError, AttributeError)):
            call()
