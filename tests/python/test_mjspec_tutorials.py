"""Thirty tutorials' worth of MjSpec: each builds or changes a model as programs do, on both modules, and the compiled
models are equal. Nothing here is in the words of anybody's tutorial: they are the things people do.
"""

import warnings

import mujoco as reference
import numpy as np
import pytest

import pliant.mujoco as ours

ARM = """
<mujoco model="arm">
  <compiler angle="radian" autolimits="true"/>
  <default><default class="link"><geom type="capsule" rgba=".8 .3 .3 1" density="800"/>
    <joint damping=".5" armature=".01" range="-2 2"/></default></default>
  <asset><material name="steel" rgba=".5 .5 .6 1" specular=".8"/>
    <mesh name="cone" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .2 .1 .1 0"/></asset>
  <worldbody>
    <body name="base"><geom name="base" type="cylinder" size=".06 .04" material="steel"/>
      <body name="upper" pos="0 0 .05" childclass="link"><joint name="shoulder" axis="0 1 0"/>
        <geom name="upper" fromto="0 0 0 0 0 .3" size=".02"/>
        <body name="lower" pos="0 0 .3"><joint name="elbow" axis="0 1 0"/>
          <geom name="lower" fromto="0 0 0 0 0 .25" size=".015"/>
          <site name="wrist" pos="0 0 .25" euler="0 .3 0"/></body></body></body>
  </worldbody>
  <actuator><position name="shoulder" joint="shoulder" kp="20" kv="2"/><motor name="elbow" joint="elbow" gear="3"/>
  </actuator>
  <sensor><jointpos name="elbow_pos" joint="elbow"/><framepos name="tip" objtype="site" objname="wrist"/></sensor>
  <contact><exclude body1="base" body2="upper"/></contact>
  <keyframe><key name="bent" qpos=".5 -.5" ctrl=".5 0"/></keyframe>
</mujoco>
"""
GRIPPER = """
<mujoco model="gripper">
  <default><geom type="box" size=".01 .02 .03"/><joint type="slide" axis="1 0 0" range="0 .04"/></default>
  <worldbody>
    <body name="palm"><geom size=".04 .02 .01"/>
      <body name="left" pos=".02 0 .04"><joint name="left"/><geom/></body>
      <body name="right" pos="-.02 0 .04"><joint name="right" axis="-1 0 0"/><geom/></body></body>
  </worldbody>
  <equality><joint name="together" joint1="left" joint2="right"/></equality>
  <tendon><fixed name="grip"><joint joint="left" coef=".5"/><joint joint="right" coef=".5"/></fixed></tendon>
  <actuator><position name="grip" tendon="grip" kp="100"/></actuator>
</mujoco>
"""
TUTORIALS = []


def tutorial(function):
    TUTORIALS.append(function)
    return function


def table(mj, spec=None):
    spec = spec or mj.MjSpec()
    body = spec.worldbody.add_body(name="table", pos=[0, 0, 0.7])
    body.add_geom(name="top", type=mj.mjtGeom.mjGEOM_BOX, size=[0.6, 0.4, 0.02], rgba=[0.6, 0.4, 0.2, 1])
    for i, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        body.add_geom(name=f"leg{i}", type=mj.mjtGeom.mjGEOM_CYLINDER, size=[0.02, 0.34, 0],
                      pos=[0.55 * x, 0.35 * y, -0.36])  # fmt: skip
    return spec


def floor(mj, spec):
    spec.worldbody.add_geom(name="floor", type=mj.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05])
    spec.worldbody.add_light(name="sun", pos=[0, 0, 5], dir=[0, 0, -1], type=mj.mjtLightType.mjLIGHT_DIRECTIONAL)


@tutorial
def a_table_from_nothing(mj):
    spec = table(mj)
    floor(mj, spec)
    return spec


@tutorial
def an_arm_on_a_table(mj):
    spec, arm = table(mj), mj.MjSpec.from_string(ARM)
    site = spec.body("table").add_site(name="mount", pos=[0, 0, 0.02], euler=[0, 0, 90])
    spec.attach(arm, prefix="arm_", site=site)
    return spec


@tutorial
def two_arms_on_a_table(mj):
    spec = table(mj)
    for side, x in (("left", -0.3), ("right", 0.3)):
        frame = spec.body("table").add_frame(pos=[x, 0, 0.02], euler=[0, 0, 30 * x])
        frame.attach_body(mj.MjSpec.from_string(ARM).body("base"), f"{side}_", "")
    return spec


@tutorial
def a_gripper_on_an_arm(mj):
    arm, gripper = mj.MjSpec.from_string(ARM), mj.MjSpec.from_string(GRIPPER)
    arm.attach(gripper, prefix="hand/", site=arm.site("wrist"))
    return arm


@tutorial
def an_arm_with_a_gripper_on_a_table(mj):
    spec = table(mj)
    arm = a_gripper_on_an_arm(mj)
    arm.body("base").pos = [0.1, 0, 0]
    spec.attach(arm, prefix="r_", suffix="_1", frame=spec.body("table").add_frame(pos=[0, 0, 0.02]))
    return spec


@tutorial
def a_free_object_on_a_table(mj):
    spec = table(mj)
    box = spec.worldbody.add_body(name="box", pos=[0.1, 0.1, 0.8])
    box.add_freejoint(name="box")
    box.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=[0.03, 0.03, 0.03], mass=0.2, friction=[1.2, 0.01, 0.001])
    spec.add_key(name="start", qpos=[0.1, 0.1, 0.8, 1, 0, 0, 0])
    return spec


@tutorial
def terrain_of_boxes(mj):
    spec, random = mj.MjSpec(), np.random.default_rng(3)
    for i in range(8):
        for j in range(8):
            height = 0.05 + 0.2 * random.random()
            spec.worldbody.add_geom(name=f"tile_{i}_{j}", type=mj.mjtGeom.mjGEOM_BOX, size=[0.25, 0.25, height],
                                    pos=[0.5 * i, 0.5 * j, height], rgba=[*random.random(3), 1])  # fmt: skip
    return spec


@tutorial
def terrain_as_a_height_field(mj):
    spec, n = mj.MjSpec(), 24
    x, y = np.meshgrid(np.linspace(0, 3, n), np.linspace(0, 3, n))
    spec.add_hfield(name="hills", size=[3, 3, 0.5, 0.1], nrow=n, ncol=n,
                    userdata=((np.sin(2 * x) * np.cos(y) + 1) / 2).ravel())  # fmt: skip
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_HFIELD, hfieldname="hills", name="ground")
    return spec


@tutorial
def stairs(mj):
    spec = mj.MjSpec()
    frame = spec.worldbody.add_frame(pos=[1, 0, 0], euler=[0, 0, 45])
    for i in range(10):
        step = frame.add_body(name=f"step{i}", pos=[0.3 * i, 0, 0.1 * i])
        step.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=[0.15, 0.5, 0.05])
    return spec


@tutorial
def a_mesh_from_arrays(mj):
    spec, random = mj.MjSpec(), np.random.default_rng(4)
    points = random.normal(size=(12, 3))
    spec.add_mesh(name="rock", uservert=(0.2 * points / np.linalg.norm(points, axis=1)[:, None]).ravel())
    for i in range(3):
        body = spec.worldbody.add_body(name=f"rock{i}", pos=[i, 0, 1], euler=[20 * i, 0, 10])
        body.add_freejoint()
        body.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="rock", density=2500)
    return spec


@tutorial
def built_in_meshes(mj):
    spec = mj.MjSpec()
    spec.add_mesh(name="ball").make_sphere(subdivision=2)
    spec.add_mesh(name="wedge", scale=[0.5, 0.5, 0.5]).make_cone(nedge=8, radius=0.4)
    for i, name in enumerate(("ball", "wedge")):
        body = spec.worldbody.add_body(pos=[i, 0, 0])
        body.add_joint(axis=[0, 1, 0])
        body.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname=name)
    return spec


@tutorial
def other_actuators(mj):
    spec = mj.MjSpec.from_string(ARM)
    for actuator in list(spec.actuators):
        spec.delete(actuator)
    for joint in spec.joints:
        actuator = spec.add_actuator(name=f"{joint.name}_velocity", target=joint.name, ctrlrange=[-1, 1],
                                     trntype=mj.mjtTrn.mjTRN_JOINT)  # fmt: skip
        actuator.set_to_velocity(kv=3)
    spec.delete(spec.keys[0])
    return spec


@tutorial
def servos_of_all_kinds(mj):
    spec = mj.MjSpec.from_string(ARM)
    shortcuts = {"position": {"kp": 10, "kv": 1}, "intvelocity": {"kp": 5}, "damper": {"kv": 2}, "motor": {},
                 "adhesion": None, "cylinder": {"timeconst": 0.1, "bias": 1, "area": 2},
                 "muscle": {"tausmooth": 0}}  # fmt: skip
    for name, arguments in shortcuts.items():
        if arguments is None:
            continue
        actuator = spec.add_actuator(name=name, target="elbow", trntype=mj.mjtTrn.mjTRN_JOINT, ctrlrange=[0, 1],
                                     lengthrange=[-1, 1])  # fmt: skip
        if name == "intvelocity":
            actuator.actrange = [-1, 1]
        getattr(actuator, f"set_to_{name}")(**arguments)
    spec.delete(spec.keys[0])
    return spec


@tutorial
def locked_joints(mj):
    spec = mj.MjSpec.from_string(ARM)
    for element in (spec.keys[0], spec.actuator("elbow"), spec.sensor("elbow_pos"), spec.joint("elbow")):
        spec.delete(element)
    return spec


@tutorial
def a_shorter_arm(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.delete(spec.keys[0])
    spec.delete(spec.body("lower"))
    return spec


@tutorial
def a_longer_arm(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.delete(spec.keys[0])
    body = spec.body("lower")
    for i in range(4):
        body = body.add_body(name=f"more{i}", pos=[0, 0, 0.25], childclass="link")
        body.add_joint(spec.find_default("link"), name=f"more{i}", axis=[0, 1, 0])
        body.add_geom(spec.find_default("link"), fromto=[0, 0, 0, 0, 0, 0.25], size=[0.01, 0, 0])
    return spec


@tutorial
def a_chain_of_links(mj):
    spec = mj.MjSpec()
    spec.default.geom.size[:] = 0.02, 0.1, 0
    spec.default.geom.type = mj.mjtGeom.mjGEOM_CAPSULE
    spec.default.joint.damping[0] = 0.05
    body = spec.worldbody
    for i in range(20):
        body = body.add_body(name=f"link{i}", pos=[0, 0, -0.22 if i else 2], euler=[0, 0, 90])
        body.add_joint(name=f"hinge{i}", axis=[0, 1, 0])
        body.add_geom()
    body.add_site(name="end", pos=[0, 0, -0.1])
    return spec


@tutorial
def a_random_robot(mj):
    spec, random = mj.MjSpec(), np.random.default_rng(11)
    bodies = [spec.worldbody]
    for i in range(15):
        parent = bodies[random.integers(len(bodies))]
        body = parent.add_body(name=f"b{i}", pos=random.normal(size=3) * 0.2, quat=random.normal(size=4))
        kind = [mj.mjtJoint.mjJNT_HINGE, mj.mjtJoint.mjJNT_SLIDE, mj.mjtJoint.mjJNT_BALL][random.integers(3)]
        body.add_joint(name=f"j{i}", type=kind, axis=random.normal(size=3), damping=0.1, armature=0.01)
        body.add_geom(type=mj.mjtGeom.mjGEOM_ELLIPSOID, size=0.05 + 0.1 * random.random(3), mass=0.5 + random.random())
        bodies.append(body)
        if kind == mj.mjtJoint.mjJNT_HINGE:
            spec.add_actuator(name=f"a{i}", target=f"j{i}", trntype=mj.mjtTrn.mjTRN_JOINT, gear=[5, 0, 0, 0, 0, 0])
    return spec


@tutorial
def randomised_masses_and_frictions(mj):
    spec, random = mj.MjSpec.from_string(ARM), np.random.default_rng(6)
    for geom in spec.geoms:
        geom.friction[0] *= 0.5 + random.random()
        geom.density = 500 + 1000 * random.random()
    for joint in spec.joints:
        joint.damping[0] *= 0.5 + random.random()
        joint.armature += 0.01 * random.random()
    return spec


@tutorial
def sensors_everywhere(mj):
    spec = mj.MjSpec.from_string(ARM)
    for body in spec.bodies[1:]:
        site = body.add_site(name=f"imu_{body.name}", size=[0.01, 0, 0])
        for kind in (mj.mjtSensor.mjSENS_ACCELEROMETER, mj.mjtSensor.mjSENS_GYRO, mj.mjtSensor.mjSENS_FORCE):
            spec.add_sensor(type=kind, objtype=mj.mjtObj.mjOBJ_SITE, objname=site.name, noise=0.1, cutoff=10)
    return spec


@tutorial
def cameras_that_follow(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.worldbody.add_camera(name="watch", pos=[1, 1, 1], mode=mj.mjtCamLight.mjCAMLIGHT_TARGETBODY,
                              targetbody="lower")  # fmt: skip
    spec.body("lower").add_camera(name="wrist", pos=[0, 0, 0.2], xyaxes=[1, 0, 0, 0, 1, 0], fovy=60,
                                  resolution=[64, 48])  # fmt: skip
    return spec


@tutorial
def materials_and_textures(mj):
    spec = mj.MjSpec()
    spec.add_texture(name="grid", type=mj.mjtTexture.mjTEXTURE_2D, builtin=mj.mjtBuiltin.mjBUILTIN_CHECKER,
                     rgb1=[0.1, 0.2, 0.3], rgb2=[0.9, 0.9, 0.9], width=32, height=32)  # fmt: skip
    material = spec.add_material(name="grid", texrepeat=[4, 4], reflectance=0.2)
    material.textures[mj.mjtTextureRole.mjTEXROLE_RGB] = "grid"
    spec.add_texture(name="sky", type=mj.mjtTexture.mjTEXTURE_SKYBOX, builtin=mj.mjtBuiltin.mjBUILTIN_GRADIENT,
                     rgb1=[0.3, 0.5, 0.7], rgb2=[0, 0, 0], width=16, height=96)  # fmt: skip
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], material="grid")
    return spec


@tutorial
def tendons_around_things(mj):
    spec = mj.MjSpec()
    spec.worldbody.add_site(name="top", pos=[0, 0, 1])
    drum = spec.worldbody.add_body(name="drum", pos=[0, 0, 0.6])
    drum.add_geom(name="drum", type=mj.mjtGeom.mjGEOM_CYLINDER, size=[0.1, 0.1, 0], euler=[90, 0, 0])
    drum.add_site(name="side", pos=[0.2, 0, 0])
    weight = spec.worldbody.add_body(name="weight", pos=[0, 0, 0.2])
    weight.add_joint(type=mj.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1], name="lift")
    weight.add_geom(size=[0.05, 0, 0])
    weight.add_site(name="hook")
    rope = spec.add_tendon(name="rope", limited=True, range=[0, 0.9], width=0.005, stiffness=10)
    rope.wrap_site("top")
    rope.wrap_geom("drum", "side")
    rope.wrap_site("hook")
    spec.add_actuator(name="winch", target="rope", trntype=mj.mjtTrn.mjTRN_TENDON, ctrlrange=[-1, 0])
    return spec


@tutorial
def equalities(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.worldbody.add_body(name="anchor", pos=[0.3, 0, 0.3]).add_geom(size=[0.01, 0, 0], contype=0, conaffinity=0)
    spec.add_equality(name="pin", type=mj.mjtEq.mjEQ_CONNECT, name1="lower", name2="anchor",
                      objtype=mj.mjtObj.mjOBJ_BODY, data=[0, 0, 0.25, *[0] * 9])  # fmt: skip
    couple = spec.add_equality(name="couple", type=mj.mjtEq.mjEQ_JOINT, name1="shoulder", name2="elbow",
                               objtype=mj.mjtObj.mjOBJ_JOINT, active=False)  # fmt: skip
    couple.data[:3] = 0.1, 0.5, 0.2
    return spec


@tutorial
def contacts_by_pairs(mj):
    spec = mj.MjSpec.from_string(ARM)
    floor(mj, spec)
    for geom in spec.geoms:
        geom.contype = geom.conaffinity = 0
    spec.add_pair(name="touch", geomname1="floor", geomname2="lower", friction=[0.5, 0.5, 0.01, 0, 0], condim=4)
    spec.add_exclude(name="apart", bodyname1="upper", bodyname2="lower")
    return spec


@tutorial
def a_mocap_target(mj):
    spec = mj.MjSpec.from_string(ARM)
    target = spec.worldbody.add_body(name="target", mocap=True, pos=[0.3, 0, 0.3])
    target.add_geom(size=[0.02, 0, 0], contype=0, conaffinity=0, rgba=[0, 1, 0, 0.5])
    spec.add_equality(type=mj.mjtEq.mjEQ_WELD, name1="target", name2="lower", objtype=mj.mjtObj.mjOBJ_BODY,
                      solref=[0.05, 1])  # fmt: skip
    return spec


@tutorial
def settings_of_the_model(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.modelname = "settings"
    spec.option.timestep, spec.option.integrator = 0.005, mj.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.gravity = [0, 0, -3.7]
    spec.option.disableflags |= mj.mjtDisableBit.mjDSBL_CONTACT
    spec.visual.global_.fovy = 30
    spec.compiler.boundmass = 0.2
    spec.nuserdata = 5
    spec.worldbody.add_site(userdata=[1, 2, 3])
    return spec


@tutorial
def another_keyframe(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.add_key(name="straight", qpos=[0, 0], qvel=[0.1, 0], time=2)
    spec.keys[0].qpos = [0.2, 0.3]
    return spec


@tutorial
def custom_data(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.add_numeric(name="gains", data=[1, 2, 3.5])
    spec.add_numeric(name="room", size=4, data=[1])
    spec.add_text(name="licence", data="none of your business")
    spec.add_tuple(name="parts", objtype=[mj.mjtObj.mjOBJ_BODY, mj.mjtObj.mjOBJ_GEOM], objname=["upper", "lower"],
                   objprm=[1, 2])  # fmt: skip
    return spec


@tutorial
def classes_of_defaults(mj):
    spec = mj.MjSpec()
    wheel = spec.add_default("wheel", spec.default)
    wheel.geom.type, wheel.geom.size = mj.mjtGeom.mjGEOM_CYLINDER, [0.1, 0.03, 0]
    wheel.geom.friction[0] = 1.5
    fast = spec.add_default("fast", wheel)
    fast.joint.damping[0], fast.joint.axis = 0.01, [0, 1, 0]
    car = spec.worldbody.add_body(name="car", pos=[0, 0, 0.2])
    car.add_freejoint()
    car.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=[0.3, 0.15, 0.05])
    for i, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        body = car.add_body(name=f"wheel{i}", pos=[0.25 * x, 0.2 * y, -0.05])
        body.add_joint(fast, name=f"wheel{i}")
        body.add_geom(fast if i % 2 else wheel, euler=[90, 0, 0])
    return spec


@tutorial
def a_model_edited_twice(mj):
    spec = a_free_object_on_a_table(mj)
    spec.compile()
    spec.delete(spec.keys[0])
    spec.body("box").add_body(name="knob", pos=[0, 0, 0.05]).add_geom(size=[0.01, 0, 0])
    spec.geom("top").rgba = [1, 1, 1, 1]
    spec.body("box").name = "crate"
    return spec


@tutorial
def a_copy_that_goes_its_own_way(mj):
    spec = mj.MjSpec.from_string(ARM)
    other = spec.copy()
    spec.delete(spec.keys[0])
    spec.delete(spec.body("lower"))
    other.geom("lower").size[0] = 0.03
    return other


@tutorial
def a_crowd(mj):
    spec = mj.MjSpec()
    floor(mj, spec)
    for i in range(3):
        for j in range(2):
            child = mj.MjSpec.from_string(ARM)
            frame = spec.worldbody.add_frame(pos=[i, j, 0], axisangle=[0, 0, 1, 15 * (i + j)])
            spec.attach(child, prefix=f"r{i}{j}/", frame=frame)
    return spec


@tutorial
def a_body_made_a_frame(mj):
    spec = mj.MjSpec.from_string(ARM.replace('<contact><exclude body1="base" body2="upper"/></contact>', ""))
    spec.body("base").to_frame()
    return spec


# Fields that are not the model: places of names and of files, and orders of trees that only the engine knows.
LEFT_OUT = {"signature", "narena", "nbuffer", "nnames", "npaths", "nnames_map"}
TOLERANCE = 1e-9


def arrays_of(model):
    found = {}
    for name in dir(model):
        if (
            name.startswith(("_", "name", "bvh", "nbvh", "flg", "text_data"))
            or name in LEFT_OUT
            or name.endswith("adr")
        ):
            continue
        value = getattr(model, name)
        if isinstance(value, (int, np.ndarray)) and not isinstance(value, bool):
            if isinstance(value, np.ndarray) and value.dtype.kind not in "biuf":
                continue
            found[name] = np.asarray(value)
    # (of an equality that holds no poses the reference keeps what a program has said, and uses it for nothing; from
    # files it is 0 there, too)
    found["eq_objtype"] = np.where(found["eq_type"] <= 1, found["eq_objtype"], 0)
    return found


def names_of(mj, model):
    return [mj.mj_id2name(model, kind, i) for kind, number in (
        (mj.mjtObj.mjOBJ_BODY, model.nbody), (mj.mjtObj.mjOBJ_GEOM, model.ngeom), (mj.mjtObj.mjOBJ_JOINT, model.njnt),
        (mj.mjtObj.mjOBJ_ACTUATOR, model.nactuator), (mj.mjtObj.mjOBJ_SENSOR, model.nsensor),
        (mj.mjtObj.mjOBJ_SITE, model.nsite), (mj.mjtObj.mjOBJ_KEY, model.nkey)) for i in range(number)]  # fmt: skip


def test_there_are_thirty():
    assert len(TUTORIALS) >= 30


@pytest.mark.parametrize("build", TUTORIALS, ids=lambda build: build.__name__)
def test_both_modules_compile_it_to_the_same(build):
    models = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for mj in (reference, ours):
            models.append(build(mj).compile())
    assert names_of(reference, models[0]) == names_of(ours, models[1])
    expected, actual = map(arrays_of, models)
    wrong = []
    for name, one in expected.items():
        if name not in actual:
            continue
        other = actual[name]
        if one.shape != other.shape:
            wrong.append(f"{name}: shape {other.shape}, not {one.shape}")
        elif one.dtype.kind == "f":
            scale = 1 + np.abs(np.nan_to_num(one)).max(initial=0)
            same = np.isnan(one) == np.isnan(other)
            apart = np.abs(np.nan_to_num(one) - np.nan_to_num(other)).max(initial=0)
            if not same.all() or apart > (1e-6 if one.dtype == np.float32 else TOLERANCE) * scale:
                wrong.append(f"{name}: {apart:.1e} apart")
        elif not np.array_equal(one, other):
            wrong.append(f"{name}: {other.ravel()[:8]}, not {one.ravel()[:8]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("build", TUTORIALS[::3], ids=lambda build: build.__name__)
def test_they_move_alike(build):
    ends = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for mj in (reference, ours):
            model = build(mj).compile()
            data = mj.MjData(model)
            data.ctrl[:] = 0.1
            for _ in range(5):
                mj.mj_step(model, data)
            ends.append(np.concatenate([data.qpos, data.qvel, data.sensordata]))
    np.testing.assert_allclose(ends[1], ends[0], rtol=1e-6, atol=1e-6)
