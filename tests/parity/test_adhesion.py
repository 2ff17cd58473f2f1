"""Adhesion actuators beside the reference: contacts that touch, within the gap, and both; moments and accelerations."""

import mujoco
import numpy as np
import pytest

import pliant.mujoco as own

SCENE = """
<mujoco><option cone="{cone}" jacobian="{jacobian}"/><worldbody><geom type="plane" size="1 1 .1"/>
  <body name="gripper" pos="0 0 {height}" euler="{tilt} 0 0">{joint}
    <geom type="box" size=".1 .1 .1" mass="1" gap="{gap}" margin="{margin}"/>
    <body pos="0 0 .2"><joint type="hinge" axis="0 1 0"/>
      <geom size=".05" pos=".1 0 0" mass=".2" contype="0" conaffinity="0"/></body></body>
  <body name="ball" pos=".13 0 {height}"><freejoint/><geom size=".035" mass=".1" gap="{gap}"/></body></worldbody>
  <actuator><adhesion body="gripper" ctrlrange="0 1" gain="2"/>
    <adhesion body="ball" ctrlrange="0 1" gain="3"/></actuator></mujoco>
"""


def dense_moment(m, d):
    moment = np.zeros((m.nu, m.nv))
    mujoco_like = d.actuator_moment.ravel()
    for i in range(m.nu):
        at = slice(d.moment_rowadr[i], d.moment_rowadr[i] + d.moment_rownnz[i])
        moment[i, d.moment_colind[at]] = mujoco_like[at]
    return moment


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("joint", ["<freejoint/>", '<joint type="slide" axis="0 0 1"/>'])
@pytest.mark.parametrize(
    "height, tilt, gap, margin",
    [(0.0995, 0, 0, 0), (0.105, 0, 0.01, 0), (0.105, 0, 0.01, 0.003), (0.103, 2, 0.01, 0.001), (0.3, 0, 0.01, 0)],
)
def test_moment_of_adhesion(height, tilt, gap, margin, joint, cone, jacobian):
    text = SCENE.format(height=height, tilt=tilt, gap=gap, margin=margin, joint=joint, cone=cone, jacobian=jacobian)
    results = []
    for module in (mujoco, own):
        m = module.MjModel.from_xml_string(text)
        d = module.MjData(m)
        d.ctrl[:] = 1, 0.5
        module.mj_forward(m, d)
        results.append((dense_moment(m, d), d.qfrc_actuator.copy(), d.qacc_smooth.copy(), d.ncon, d.nefc,
                        [int(c.exclude) for c in d.contact]))  # fmt: skip
    reference, ours = results
    assert ours[3:] == reference[3:]
    if height == 0.105:
        assert 1 in reference[5] and np.abs(reference[1]).max() > 0.1  # within the gap, and it pulls
    for want, got in zip(reference[:3], ours[:3]):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


STATIC = """
<mujoco><option jacobian="{jacobian}"><flag island="{island}"/></option><worldbody>
  <geom name="floor" type="plane" size="1 1 .1"/>
  <body pos="0 0 .099"><geom name="box" type="box" size=".1 .1 .1"/></body>{more}</worldbody>
  <contact><pair geom1="floor" geom2="box"/></contact></mujoco>
"""
MORE = '<body pos="2 0 .049"><freejoint/><geom size=".05"/></body>'


@pytest.mark.parametrize(
    "jacobian, island, more",
    [("dense", "enable", ""), ("dense", "disable", ""), ("sparse", "enable", ""), ("sparse", "disable", ""),
     ("sparse", "enable", MORE), ("sparse", "disable", MORE), ("dense", "disable", MORE)],
)  # fmt: skip
def test_contacts_of_bodies_that_cannot_move(jacobian, island, more):
    text = STATIC.format(jacobian=jacobian, island=island, more=more)
    results = []
    for module in (mujoco, own):
        m = module.MjModel.from_xml_string(text)
        d = module.MjData(m)
        module.mj_forward(m, d)
        results.append((d.ncon, d.nefc, [(int(c.exclude), int(c.efc_address)) for c in d.contact]))
    assert results[1] == results[0]


def test_islands_and_a_dense_jacobian():
    """Where the reference gives up ("contact is between two static bodies"), such contacts have no rows."""
    m = own.MjModel.from_xml_string(STATIC.format(jacobian="dense", island="enable", more=MORE))
    d = own.MjData(m)
    own.mj_forward(m, d)
    assert (d.ncon, d.nefc) == (5, 4)
    assert [int(c.efc_address) for c in d.contact] == [-1, -1, -1, -1, 0]
