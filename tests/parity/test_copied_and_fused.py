"""Differences of random documents that are known: what explains them, and what does not."""

import mujoco
import numpy as np

import copied_tuples
import pliant.mujoco
import random_check

TUPLE = """<mujoco><worldbody><geom name="ground" size=".1"/><replicate count="4">
  <body name="a"/><body name="b"/></replicate></worldbody>
  <contact><exclude body1="a" body2="b" name="ex"/></contact>
  <custom><tuple name="pairs"><element objtype="geom" objname="ground"/>
    <element objtype="exclude" objname="ex" prm="2"/></tuple></custom></mujoco>"""

CHILD = """<mujoco><compiler {settings}/><worldbody>
  <body {pose}><geom size=".1" pos="1 2 3"/></body></worldbody></mujoco>"""
PARENT = """<mujoco><compiler fusestatic="{fuses}"/><asset><model file="child.xml" name="child"/></asset><worldbody>
  <attach model="child" prefix="c_"/></worldbody></mujoco>"""


def write(folder, parent, child=None):
    (folder / "main.xml").write_text(parent)
    if child:
        (folder / "child.xml").write_text(child)
    return folder / "main.xml"


def test_tuples_of_copied_contacts(tmp_path):
    path = write(tmp_path, TUPLE)
    verdict = random_check.check_path(path)
    assert (verdict.kind, verdict.key.split()[0]) == (random_check.KNOWN_DIFFERENCE, "tuples")
    theirs, ours = mujoco.MjModel.from_xml_path(str(path)), pliant.mujoco.MjModel.from_xml_path(str(path))
    assert (theirs.ntuple, ours.ntuple) == (0, 4)
    held = copied_tuples.tuples(ours)
    assert [row[1] for row in held["pairs2"]] == ["ground", "ex2"] and held["pairs2"][1][2] == 2
    fields = ["names", "ntuple", "tuple_adr"]
    assert copied_tuples.are_left_out(theirs, ours, fields, [path])
    # nothing else is explained by them
    assert not copied_tuples.are_left_out(theirs, ours, [*fields, "geom_size"], [path])
    assert not copied_tuples.are_left_out(theirs, theirs, fields, [path])
    whole = write(tmp_path, TUPLE.replace("ground", "floor"))
    assert not copied_tuples.are_left_out(mujoco.MjModel.from_xml_path(str(whole)), ours, fields, [path])


def test_fused_bodies_keep_their_angles(tmp_path):
    """A body of an attached model with settings of its own stands where it did before it was fused."""

    def place(engine, fuses, settings, pose='euler="20 30 40"'):
        path = write(tmp_path, PARENT.format(fuses=fuses), CHILD.format(settings=settings, pose=pose))
        model = engine.MjModel.from_xml_path(str(path))
        data = engine.MjData(model)
        engine.mj_kinematics(model, data)
        return np.array(data.geom_xpos[0])

    for settings in ('eulerseq="zyx"', 'angle="radian"'):
        ours, theirs = ([place(e, f, settings) for f in ("false", "true")] for e in (pliant.mujoco, mujoco))
        np.testing.assert_allclose(ours[1], ours[0], atol=1e-14)
        np.testing.assert_allclose(ours[0], theirs[0], atol=1e-14)
        assert not np.allclose(theirs[1], theirs[0], atol=0.1)  # the reference moves it
        verdict = random_check.check_path(tmp_path / "main.xml")
        assert (verdict.kind, verdict.key.split()[0]) == (random_check.KNOWN_DIFFERENCE, "Euler")
    place(pliant.mujoco, "true", 'eulerseq="zyx"', 'axisangle="1 2 3 1"')
    assert random_check.check_path(tmp_path / "main.xml").kind == random_check.EQUAL
