"""Random documents over the whole schema: both engines must agree on them.

Documents come from random_models by seed; a failure names the seed, and
`random_check.py SEED 1 --shrink` makes the document small.
"""

import mujoco
import pytest

import pliant
import pliant.mujoco
import random_check
import random_models
from random_models import coverage

FAST, SLOW = 150, 3000

# Disagreements that stay, by the fields that differ.
KNOWN = {
    "key_ctrl": "controls of keyframes of attached models beside actuators with several inputs: the reference"
    " takes the number of the actuator for the number of its first control",
    "key_act key_ctrl": "likewise, with activations",
}


def check(first, count):
    problems, equal, compared = [], 0, 0
    for seed, verdict in random_check.verdicts(first, count):
        compared += verdict.kind in (random_check.EQUAL, random_check.DIFFERENT)
        equal += verdict.kind == random_check.EQUAL
        # what only one side refuses needs a reason
        fine = (
            random_check.EQUAL,
            random_check.BOTH_REFUSE,
            random_check.KNOWN_REFUSAL,
            random_check.KNOWN_DIFFERENCE,
            random_check.REFERENCE_CRASHES,
        )
        if verdict.kind in fine or verdict.key in KNOWN:
            continue
        text = next(iter(random_models.document(seed).files.values()))
        problems.append(f"seed {seed}: {verdict.kind}\n{verdict.detail}\n{text}")
    print(f"{compared} documents compared, {equal} equal")
    assert compared > count // 2
    assert not problems, "\n\n".join(problems[:3])


def test_random_documents_agree():
    check(0, FAST)


HILLS = """<mujoco>{0}<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/>
  <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><geom {1}/></worldbody></mujoco>"""


@pytest.mark.parametrize(
    "default,geom",
    [
        ("", 'type="sphere" size=".1" hfield="h"'),
        ("", 'type="mesh" mesh="m" hfield="h"'),
        ("", 'type="box" mesh="m" hfield="h"'),
        ('<default><geom type="hfield" hfield="h"/></default>', 'type="plane" size="1 1 1"'),
    ],
)
def test_other_shapes_have_no_height_field(default, geom):
    text = HILLS.format(default, geom)
    with pytest.raises(ValueError, match="hfield"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(pliant.LoadError, match="height field"):
        pliant.mujoco.MjModel.from_xml_string(text)


@pytest.mark.slow
def test_every_attribute_is_in_some_document():
    """Of what both engines read, by Pliant's schema table; exceptions are named."""
    missing = coverage.never(range(2000))
    assert not missing, missing


def test_exceptions_are_attributes():
    elements = coverage.schema()
    for element, attribute in coverage.EXCEPTIONS:
        assert attribute in [row["name"] for row in elements[element]["attributes"]], (element, attribute)


@pytest.mark.slow
def test_many_random_documents_agree():
    check(10_000, SLOW)
