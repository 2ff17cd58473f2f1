"""MjSpec: what is built or changed with it compiles to the model that the reference makes of the same calls.

Beside that, checks that need no reference: an edited model equals the same model written as MJCF, and what is written
reads back the same.
"""

import copy
import gc

import mujoco as reference
import numpy as np
import pytest

import pliant.mujoco as ours

MODULES = [reference, ours]
# arrays of looks and of the reference's own bookkeeping
SKIPPED = ("bvh_", "mesh_", "tex_", "oct_", "flex", "plugin", "names_map", "paths", "name_", "body_tree", "tree_")

ARM = """
<mujoco model="arm">
  <compiler angle="radian"/>
  <default>
    <geom rgba="1 0 0 1"/>
    <joint damping="0.3"/>
    <default class="finger"><geom size=".02 .1" type="capsule"/><joint damping="0.1" range="-1 1"/></default>
  </default>
  <asset><material name="skin" rgba=".1 .2 .3 1"/></asset>
  <worldbody>
    <body name="base">
      <geom name="base" size=".1" material="skin"/>
      <body name="link" pos="0 0 .3" childclass="finger">
        <joint name="hinge" axis="0 1 0"/>
        <geom name="link"/>
        <site name="tip" pos="0 0 .2"/>
        <frame name="grip" pos=".1 0 0" euler="0 0.4 0"><body name="hand"><joint name="turn"/><geom/></body></frame>
      </body>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="hinge" kp="3"/><motor name="twist" joint="turn"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><framepos objtype="site" objname="tip"/></sensor>
  <equality><joint joint1="hinge" joint2="turn" polycoef="0 2 0 0 0"/></equality>
  <keyframe><key name="bent" qpos="0.5 0.2"/></keyframe>
</mujoco>
"""


def same_models(expected, actual):
    for name in dir(expected):
        if name.startswith(("_", *SKIPPED)) or not isinstance(getattr(expected, name), (np.ndarray, int)):
            continue
        if name in ("nbuffer", "narena", "signature", "npaths", "nnames_map", "ntree", "flg_energypos"):
            continue
        one, other = getattr(expected, name), getattr(actual, name, None)
        if isinstance(one, np.ndarray) and one.dtype.kind == "f":
            assert np.shape(one) == np.shape(other), name
            np.testing.assert_allclose(other, one, atol=1e-9, err_msg=name)
        else:
            np.testing.assert_array_equal(other, one, err_msg=name)


def pendulum(mj):
    spec = mj.MjSpec()
    spec.modelname = "pendulum"
    spec.option.timestep = 0.001
    body = spec.worldbody.add_body(name="rod", pos=[0, 0, 1])
    body.add_joint(name="pin", type=mj.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0], damping=0.1, range=[-1, 1])
    body.add_geom(type=mj.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0, 0, -0.5], size=[0.02])
    body.add_site(name="end", pos=[0, 0, -0.5])
    motor = spec.add_actuator(name="m", target="pin", trntype=mj.mjtTrn.mjTRN_JOINT, gear=[2, 0, 0, 0, 0, 0])
    motor.set_to_position(kp=5, kv=0.5)
    spec.add_sensor(type=mj.mjtSensor.mjSENS_FRAMEPOS, objtype=mj.mjtObj.mjOBJ_SITE, objname="end")
    return spec


def terrain(mj):
    spec = mj.MjSpec()
    heights = np.abs(np.sin(np.arange(30.0))).reshape(5, 6)
    spec.add_hfield(name="hills", size=[1, 1, 0.2, 0.1], nrow=5, ncol=6, userdata=heights.flatten())
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_HFIELD, hfieldname="hills")
    mesh = spec.add_mesh(name="wedge", uservert=np.array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.0]))
    mesh.userface = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]
    body = spec.worldbody.add_body(pos=[0, 0, 2])
    body.add_freejoint(name="free")
    body.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="wedge")
    return spec


def random_boxes(mj):
    spec, random = mj.MjSpec(), np.random.default_rng(3)
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], friction=[0.8, 0.01, 0.001])
    for i in range(5):
        body = spec.worldbody.add_body(name=f"box{i}", pos=random.normal(size=3), quat=random.normal(size=4))
        body.add_freejoint()
        body.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=random.uniform(0.05, 0.1, 3), mass=0.1 + i)
    spec.add_exclude(bodyname1="box0", bodyname2="box1")
    spec.add_key(name="zero", qpos=np.tile([0, 0, 1, 1, 0, 0, 0.0], 5))
    return spec


def classes(mj):
    spec = mj.MjSpec()
    spec.default.geom.rgba = [0, 1, 0, 1]
    heavy = spec.add_default("heavy", spec.default)
    heavy.geom.density = 7000
    heavy.joint.armature = 0.2
    body = spec.worldbody.add_body()
    body.add_geom(heavy, size=[0.1, 0, 0])
    body.add_joint(heavy)
    spec.worldbody.add_body().add_geom(size=[0.1, 0, 0])
    return spec


def tendons(mj):
    spec = mj.MjSpec()
    for i in range(2):
        body = spec.worldbody.add_body(name=f"b{i}", pos=[i, 0, 0])
        body.add_joint(name=f"j{i}")
        body.add_geom(name=f"g{i}", size=[0.1, 0, 0])
        body.add_site(name=f"s{i}", pos=[0, 0, 0.3])
    spatial = spec.add_tendon(name="cord", stiffness=2, range=[0, 3], limited=1)
    spatial.wrap_site("s0")
    spatial.wrap_geom("g1", "")
    spatial.wrap_site("s1")
    fixed = spec.add_tendon(name="sum")
    fixed.wrap_joint("j0", 1.0)
    fixed.wrap_joint("j1", -2.0)
    spec.add_actuator(name="pull", target="cord", trntype=mj.mjtTrn.mjTRN_TENDON)
    tie = spec.add_equality(type=mj.mjtEq.mjEQ_CONNECT, objtype=mj.mjtObj.mjOBJ_BODY, name1="b0", name2="b1")
    tie.data[:3] = [0.5, 0, 0]
    return spec


def two_arms(mj):
    parent = mj.MjSpec()
    parent.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=[1, 1, 0.1])
    for side, name in ((1, "left"), (-1, "right")):
        frame = parent.worldbody.add_frame(name=name, pos=[0, side, 0.1], euler=[0, 0, 90 * side])
        parent.attach(mj.MjSpec.from_string(ARM), frame=frame, prefix=f"{name}_")
    return parent


def arm_on_site(mj):
    parent = mj.MjSpec()
    body = parent.worldbody.add_body(name="cart")
    body.add_joint(type=mj.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0])
    body.add_geom(size=[0.2, 0, 0])
    site = body.add_site(name="mount", pos=[0, 0, 0.2], quat=[1, 0, 1, 0])
    child = mj.MjSpec.from_string(ARM)
    attached = site.attach_body(child.body("link"), "a_", "")
    attached.pos = [0, 0.1, 0]
    return parent


def without_hand(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.delete(spec.key("bent"))
    spec.delete(spec.body("hand"))
    spec.joint("hinge").axis = [1, 0, 0]
    spec.geom("base").size[0] = 0.3
    return spec


BUILDERS = [pendulum, terrain, random_boxes, classes, tendons, two_arms, arm_on_site, without_hand]


@pytest.mark.parametrize("build", BUILDERS, ids=lambda build: build.__name__)
@pytest.mark.filterwarnings("ignore")
def test_compiles_to_the_reference_model(build):
    expected, actual = (build(mj).compile() for mj in MODULES)
    same_models(expected, actual)


@pytest.mark.parametrize("build", BUILDERS, ids=lambda build: build.__name__)
@pytest.mark.filterwarnings("ignore")
def test_written_model_reads_back_the_same(build):
    spec = build(ours)
    again = ours.MjSpec.from_string(spec.to_xml())
    same_models(spec.compile(), again.compile())
    same_models(spec.compile(), spec.copy().compile())


def defaults_of(mj, cls):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body()
    kind = cls[3:].lower()
    element = getattr(body if hasattr(body, f"add_{kind}") else spec, f"add_{kind}")()
    return element


@pytest.mark.parametrize("cls", sorted(ours._spec.CLASSES))
def test_attributes_and_their_defaults(cls):
    expected, actual = (defaults_of(mj, cls) for mj in MODULES)
    for name in dir(type(expected)):
        if name.startswith("_") or callable(getattr(type(expected), name)) or name in ("signature", "id"):
            continue
        assert hasattr(actual, name), name
        one, other = getattr(expected, name), getattr(actual, name)
        if isinstance(one, (str, int, float)) and not isinstance(one, bool):
            np.testing.assert_equal(other, one, err_msg=name)
        elif isinstance(one, np.ndarray):
            assert other.dtype == one.dtype, name
            np.testing.assert_array_equal(other, one, err_msg=name)


def test_elements_stay_the_same_objects():
    spec = ours.MjSpec.from_string(ARM)
    link, geom = spec.body("link"), spec.geom("link")
    assert geom.parent is link and spec.geoms[1] is geom and link.first_geom() is geom
    for i in range(200):
        spec.worldbody.add_body(name=f"more{i}")
    geom.size[0] = 0.5
    assert spec.geom("link").size[0] == 0.5 and spec.geom("link") is geom
    size = geom.size
    del spec, geom, link
    gc.collect()
    assert size[0] == 0.5  # the view keeps the model


def test_removed_elements_are_harmless():
    spec = ours.MjSpec.from_string(ARM)
    hand, joint = spec.body("hand"), spec.joint("turn")
    spec.delete(hand)
    assert joint.name == "turn" and joint.parent is None and joint.id == -1
    assert [actuator.name for actuator in spec.actuators] == ["servo"]  # who refers to what is inside goes, too
    with pytest.raises(ValueError, match="body is not in this model"):
        spec.delete(hand)
    with pytest.raises(ValueError, match="removed"):
        hand.add_geom()


def test_errors_name_the_element_and_the_line():
    spec = ours.MjSpec()
    spec.worldbody.add_geom(name="thin", size=[0, 0, 0], info="of the test")
    with pytest.raises(ValueError) as error:
        spec.compile()
    assert "test_mjspec.py" in str(error.value) and "Element name 'thin', id 0, of the test" in str(error.value)


@pytest.mark.parametrize("values, kind", [
    ({"pos": [1, 2]}, ValueError), ({"pos": "here"}, TypeError), ({"colour": 1}, TypeError), ({"type": 99}, ValueError),
    ({"name": 3}, TypeError), ({"size": [1, 2, 3, 4]}, ValueError),
    ({"euler": [1, 0, 0], "zaxis": [0, 0, 1]}, ValueError),
])  # fmt: skip
def test_wrong_attributes_leave_nothing_behind(values, kind):
    spec = ours.MjSpec()
    with pytest.raises(kind):
        spec.worldbody.add_geom(**values)
    assert spec.geoms == []


def test_recompile_keeps_the_state():
    spec = ours.MjSpec.from_string(ARM)
    model = spec.compile()
    data = ours.MjData(model)
    data.qpos[:], data.qvel[:], data.ctrl[:] = [0.3, -0.2], [1, 2], [0.5, 0.6]
    first = spec.worldbody.add_body(name="new", pos=[1, 0, 0])
    first.add_freejoint()
    first.add_geom(size=[0.1, 0, 0])
    spec.delete(spec.key("bent"))
    model, data = spec.recompile(model, data)
    assert model.nq == 9
    np.testing.assert_array_equal(data.joint("hinge").qpos, 0.3)
    np.testing.assert_array_equal(data.joint("turn").qvel, 2)
    np.testing.assert_array_equal(data.ctrl, [0.5, 0.6])


def test_attached_keyframes_follow_their_joints():
    models = [two_arms(mj).compile() for mj in MODULES]
    np.testing.assert_allclose(models[1].key_qpos, models[0].key_qpos)


@pytest.mark.parametrize("names", [{}, {"prefix": None}, {"prefix": ""}, {"suffix": ""}, {"suffix": "_s"},
                                   {"prefix": "p"}, {"prefix": "", "suffix": ""},
                                   {"prefix": "p", "suffix": "s"}])  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_names_of_what_is_attached(names):
    """Without a prefix it is "/"; keyframes keep their names where the prefix is empty."""
    found = []
    for mj in MODULES:
        child = mj.MjSpec()
        child.modelname = "child"
        body = child.worldbody.add_body(name="c")
        body.add_geom(size=[0.1, 0, 0], name="g")
        body.add_joint(name="j")
        child.add_key(name="k", qpos=[0.5])
        child.add_actuator(name="a", target="j", trntype=mj.mjtTrn.mjTRN_JOINT)
        parent = mj.MjSpec()
        parent.attach(child, frame=parent.worldbody.add_frame(), **names)
        model = parent.compile()
        found.append([model.names, model.key_qpos.tolist(), [key.name for key in parent.keys]])
    assert found[0] == found[1]


def test_attached_parts_stay_live_and_belong_to_the_parent():
    parent, child = ours.MjSpec(), ours.MjSpec.from_string(ARM)
    link = child.body("link")
    frame = parent.worldbody.add_frame()
    parent.attach(child, frame=frame, prefix="x_")
    assert child.parent == parent and link.name == "x_link" and parent.body("x_link") is link
    link.pos = [7, 8, 9]
    np.testing.assert_array_equal(parent.compile().body("x_link").pos, [7, 8, 9])
    with pytest.raises(ValueError, match="attached"):
        child.delete(link)
    del parent, child, frame
    gc.collect()
    assert link.parent.name == "x_base"


def test_names_are_unique():
    spec = ours.MjSpec()
    spec.add_material(name="red")
    with pytest.raises(ValueError, match="repeated name 'red' in material"):
        spec.add_material(name="red")
    assert len(spec.materials) == 1


def test_bind():
    spec = ours.MjSpec.from_string(ARM)
    joints = [spec.joint("hinge"), spec.joint("turn")]
    model = spec.compile()
    data = ours.MjData(model)
    data.bind(joints).qpos = [0.1, 0.2]
    np.testing.assert_array_equal(data.qpos, [0.1, 0.2])
    assert model.bind(joints).name == ["hinge", "turn"] and model.bind(spec.geom("base")).size[0] == 0.1
    spec.worldbody.add_site()
    with pytest.raises(ValueError, match="recompile"):
        model.bind(joints)


def test_mimics_can_be_built():
    spec = ours.MjSpec.from_string(ARM)
    spec.delete(spec.equalities[0])
    mimic = spec.add_equality(type=spec_mimic_type(), name1="turn", gear=[-2.0])
    mimic.leaders = ["hinge"]
    model = spec.compile()
    assert model.neq == 1


def spec_mimic_type():
    """The number that Pliant has given to mimics."""
    xml = "<mujoco><worldbody><body><joint name='a'/><joint name='b' axis='0 1 0'/><geom size='1'/></body></worldbody>"
    xml += "<equality><mimic joint1='a' joint2='b'/></equality></mujoco>"
    return ours.MjSpec.from_string(xml).equalities[0].type


def test_copies_are_independent():
    spec = ours.MjSpec.from_string(ARM)
    other = copy.deepcopy(spec)
    other.geom("base").size[0] = 9
    assert spec.geom("base").size[0] == 0.1 and other != spec


@pytest.mark.filterwarnings("ignore")
def test_random_edits_never_crash():
    random = np.random.default_rng(11)
    for _ in range(10):
        spec = ours.MjSpec.from_string(ARM)
        for _ in range(40):
            bodies, geoms = spec.bodies, spec.geoms
            body = bodies[random.integers(len(bodies))]
            action = random.integers(8)
            try:
                if action == 0:
                    body.add_geom(type=int(random.integers(8)), size=random.normal(size=3))
                elif action == 1:
                    body.add_body(pos=random.normal(size=3)).add_joint(type=int(random.integers(4)))
                elif action == 2 and geoms:
                    spec.delete(geoms[random.integers(len(geoms))])
                elif action == 3:
                    spec.delete(body)
                elif action == 4:
                    body.add_frame(euler=random.normal(size=3)).attach_body(
                        bodies[random.integers(len(bodies))], f"p{random.integers(1000)}_", ""
                    )
                elif action == 5:
                    body.to_frame()
                elif action == 6:
                    spec.add_sensor(type=int(random.integers(48)), objtype=int(random.integers(20)), objname="link",
                                    intprm=random.integers(-2, 9, 3))  # fmt: skip
                else:
                    spec.add_actuator(target="hinge", trntype=int(random.integers(6)), dyntype=int(random.integers(5)))
            except ValueError:
                pass
        try:
            model = spec.compile()
            ours.mj_step(model, ours.MjData(model))
            spec.to_xml()
        except (ValueError, ours.FatalError):
            pass
