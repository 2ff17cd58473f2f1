"""Scenes against the reference's: every geom, mark and label that flags, labels and frames of MjvOption ask for."""

import mujoco as reference
import numpy as np
import pytest

import pliant.mujoco as mujoco
from scenes import ROOT

MIXED = """<mujoco><asset><material name="red" rgba="1 0 0 1"/></asset><worldbody>
  <light name="lamp" pos="0 0 3"/><camera name="eye" pos="0 -2 1"/><camera pos="0 -2 2"/>
  <geom name="floor" type="plane" size="3 3 .1"/><site name="s0" pos="-1 0 1"/>
  <body name="A" pos="0 0 1"><joint name="bends" axis="0 1 0" range="-10 10"/>
    <geom name="ga" type="capsule" size=".05 .2"/><site name="s1" pos="0 0 .3"/><site name="s2" rgba="0 0 0 0"/>
    <body name="B" pos="0 0 .5"><joint type="slide"/><geom size=".1"/></body></body>
  <body name="F" pos="1 0 .08"><freejoint/><geom size=".1"/><geom size=".1" pos=".05 0 0"/></body>
  <body pos="1 1 .09"><joint type="ball"/><geom name="q" size=".1" material="red"/></body>
  <body pos="2 1 2"><freejoint/><geom type="box" size=".1 .2 .05"/></body></worldbody>
  <equality><connect name="held" body1="A" body2="B" anchor="0 0 .2"/><weld body1="F"/></equality>
  <tendon><spatial name="rope"><site site="s0"/><site site="s1"/></spatial>
    <spatial><site site="s1"/><site site="s0"/></spatial></tendon>
  <actuator><motor joint="bends"/><motor name="pulls" tendon="rope" ctrlrange="-1 1"/></actuator></mujoco>"""
BOXES = mujoco.mjtVisFlag.mjVIS_BODYBVH, mujoco.mjtVisFlag.mjVIS_MESHBVH  # not drawn
FLAGS = [flag for flag in mujoco.mjtVisFlag if flag.name != "mjNVISFLAG" and flag not in BOXES]
LABELS = [label for label in mujoco.mjtLabel if label.name != "mjNLABEL"]
FRAMES = [frame for frame in mujoco.mjtFrame if frame.name != "mjNFRAME"]
# what labels and frames are drawn with
SHOWN = [mujoco.mjtVisFlag[f"mjVIS_{name}"] for name in (
    "JOINT", "ACTUATOR", "CAMERA", "LIGHT", "CONSTRAINT", "CONTACTPOINT", "CONTACTFORCE")]  # fmt: skip


def quadruped():
    return (ROOT / "models/quadruped.xml").read_text()


@pytest.fixture(scope="module", params=["mixed", "quadruped"])
def worlds(request):
    """The same state in both modules."""
    text = MIXED if request.param == "mixed" else quadruped()
    found, start = [], None
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        if start is None:
            data.qpos[0] += 0.3  # beyond its limit, or away
            for _ in range(20 if request.param == "mixed" else 200):
                module.mj_step(model, data)
            start = data.qpos.copy(), data.qvel.copy()
        data.qpos[:], data.qvel[:] = start
        data.ctrl[:] = 0.3
        data.xfrc_applied[1, 2] = 5.0
        module.mj_forward(model, data)
        found.append((module, model, data))
    return found


def scene_of(world, change):
    module, model, data = world
    scene, camera, option = module.MjvScene(model, 5000), module.MjvCamera(), module.MjvOption()
    module.mjv_defaultFreeCamera(model, camera)
    change(option)
    module.mjv_updateScene(model, data, option, module.MjvPerturb(), camera, module.mjtCatBit.mjCAT_ALL, scene)
    kinds, numbers = [], []
    for geom in list(scene.geoms)[: scene.ngeom]:
        kinds.append((int(geom.type), int(geom.category), int(geom.objtype), int(geom.objid), geom.label, geom.segid))
        numbers.append(np.concatenate([np.ravel(x) for x in (geom.size, geom.pos, geom.mat, geom.rgba)]).astype(float))
    return kinds, np.array(numbers)


def check(worlds, change):
    (kinds, numbers), (want, want_numbers) = (scene_of(world, change) for world in worlds)
    assert kinds == want
    # forces of two solvers, single precision there
    same = np.isclose(numbers, want_numbers, rtol=1e-4, atol=1e-4).all(axis=1)
    assert same.all(), [(kinds[i], numbers[i].tolist(), want_numbers[i].tolist()) for i in np.flatnonzero(~same)[:2]]
    return kinds


@pytest.mark.parametrize("flag", FLAGS, ids=lambda flag: flag.name)
def test_flags(worlds, flag):
    check(worlds, lambda option: option.flags.__setitem__(int(flag), 1 - option.flags[int(flag)]))


@pytest.mark.parametrize("shown", [False, True], ids=["plain", "with all marks"])
@pytest.mark.parametrize("label", LABELS, ids=lambda label: label.name)
def test_labels(worlds, label, shown):
    def change(option):
        option.label = int(label)
        option.flags[[int(flag) for flag in SHOWN]] = shown

    kinds = check(worlds, change)
    drawn = {"BODY", "GEOM", "SITE", "TENDON", "ISLAND"} | (
        {"JOINT", "CAMERA", "LIGHT", "ACTUATOR", "CONSTRAINT", "CONTACTPOINT", "CONTACTFORCE"} if shown else set()
    )
    there = worlds[0][1].ntendon, worlds[0][1].neq
    expected = label.name.removeprefix("mjLABEL_") in drawn
    if (label.name.endswith("TENDON") and not there[0]) or (label.name.endswith("CONSTRAINT") and not there[1]):
        expected = False
    assert any(kind[4] for kind in kinds) == expected


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.name)
def test_frames(worlds, frame):
    def change(option):
        option.frame = int(frame)
        option.flags[[int(flag) for flag in SHOWN]] = 1

    check(worlds, change)


@pytest.mark.parametrize("flag", BOXES, ids=lambda flag: flag.name)
def test_what_is_not_drawn_is_said(worlds, flag):
    with pytest.warns(RuntimeWarning, match="bounding volumes"):
        scene_of(worlds[0], lambda option: option.flags.__setitem__(int(flag), 1))


def test_forces_in_two_parts(worlds):
    def change(option):
        for name in ("CONTACTFORCE", "CONTACTSPLIT"):
            option.flags[int(mujoco.mjtVisFlag[f"mjVIS_{name}"])] = 1
        option.label = int(mujoco.mjtLabel.mjLABEL_CONTACTFORCE)

    assert any(kind[4] for kind in check(worlds, change))


def test_inertias_of_water_and_their_names(worlds):
    def change(option):
        option.flags[int(mujoco.mjtVisFlag.mjVIS_INERTIA)] = option.flags[int(mujoco.mjtVisFlag.mjVIS_SCLINERTIA)] = 1
        option.label = int(mujoco.mjtLabel.mjLABEL_BODY)

    assert any(kind[4] for kind in check(worlds, change))
