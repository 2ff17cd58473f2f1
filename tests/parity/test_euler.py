"""Euler angles give the reference's quaternions to the last bit: sides of boxes that tie but for it decide how trees of
bounding volumes are split."""

import mujoco
import numpy as np
import pytest

import pliant

SEQUENCES = ("xyz", "XYZ", "zyx", "zXz", "YxY")


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_every_bit_as_the_reference(sequence):
    angles = np.random.default_rng(0).uniform(-180, 180, (100, 3)).round(3)
    angles[:20] = np.round(angles[:20] / 90) * 90
    bodies = "".join('<body euler="{} {} {}"/>'.format(*row) for row in angles)
    xml = f'<mujoco><compiler eulerseq="{sequence}"/><worldbody>{bodies}</worldbody></mujoco>'
    ours, theirs = pliant.load_string(xml), mujoco.MjModel.from_xml_string(xml)
    np.testing.assert_array_equal(ours.body_quat, theirs.body_quat)
