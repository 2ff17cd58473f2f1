"""Values of attached keyframes stay where they were put when a part is copied; the check knows where the reference has
them."""

import mujoco
import numpy as np
import pytest

import moved_keys
import pliant.mujoco
import random_check

CHILD = """<mujoco model="child"><worldbody>
  <body name="a"><joint name="ja" type="slide" ref="5"/><geom size=".1"/>
    <body><joint type="ball"/><geom size=".1"/></body></body>
  <body name="b"><joint name="jb" type="slide"/><geom size=".1"/></body></worldbody>
  <keyframe><key name="k" qpos="1 0.5 0.5 0.5 0.5 2" qvel="1 2 3 4 5"/></keyframe></mujoco>"""
PARENT = """<mujoco><asset><model name="child" file="child.xml"/></asset><worldbody>
  <attach model="child" prefix="p-"/><attach body="p-a" prefix="copy-"/></worldbody></mujoco>"""


@pytest.fixture
def models(tmp_path):
    (tmp_path / "child.xml").write_text(CHILD)
    (tmp_path / "main.xml").write_text(PARENT)
    path = str(tmp_path / "main.xml")
    return mujoco.MjModel.from_xml_path(path), pliant.mujoco.MjModel.from_xml_path(path), tmp_path


def test_values_stay_with_the_original(models):
    theirs, ours, _ = models
    assert [ours.joint(j).name for j in range(ours.njnt)] == ["p-ja", "", "p-jb", "copy-p-ja", ""]
    assert ours.key_qpos[0].tolist() == [1, 0.5, 0.5, 0.5, 0.5, 2, 5, 1, 0, 0, 0]
    assert ours.key_qvel[0].tolist() == [1, 2, 3, 4, 5, 0, 0, 0, 0]
    # the reference: the copy has them, the original is where it was compiled
    assert theirs.key_qpos[0].tolist() == [5, 1, 0, 0, 0, 2, 1, 0.5, 0.5, 0.5, 0.5]


def test_the_check_knows_moved_values(models):
    theirs, ours, folder = models
    fields = ["key_qpos", "key_qvel"]
    assert moved_keys.are_moved(theirs, ours, fields, folder.glob("*.xml"))
    assert random_check.check_path(folder / "main.xml").kind == random_check.KNOWN_DIFFERENCE
    assert not moved_keys.are_moved(theirs, ours, [*fields, "qpos0"], folder.glob("*.xml"))
    for place in range(theirs.nq):  # any other number is no move
        given = theirs.key_qpos[0, place]
        theirs.key_qpos[0, place] = 0.125
        assert not moved_keys.are_moved(theirs, ours, fields, folder.glob("*.xml")), place
        theirs.key_qpos[0, place] = given


def test_condition_of_the_mass_matrix_by_trees(models):
    theirs, _, _ = models
    data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, data)
    mass = np.zeros((theirs.nv, theirs.nv))
    mujoco.mj_fullM(theirs, data, mass)
    scale = 1 / np.sqrt(np.diag(mass))
    assert random_check.condition_of_mass(theirs, data) == pytest.approx(np.linalg.cond(mass), rel=1e-9)
    scaled = random_check.condition_of_mass(theirs, data, scale)
    assert scaled == pytest.approx(np.linalg.cond(mass * np.outer(scale, scale)), rel=1e-9)
