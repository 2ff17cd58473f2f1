"""One robot with every type of joint, loaded by Pliant and by the reference, where the two agree on what URDF means:
links on fixed joints kept, visuals kept, masses from <inertial> alone. Other differences are listed in docs/urdf.md."""

import mujoco
import numpy as np
import pytest

import pliant
import pliant.mujoco

# not turned: the reference leaves the rotation of an inertial frame out of its tensor
# (test_inertia_turns_with_its_frame)
INERTIAL = """<inertial><origin xyz="0.1 0.02 -0.03"/><mass value="{}"/>
<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="-0.002" iyz="0.003"/></inertial>"""
TYPES = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")


def link(name, mass):
    shapes = '<visual><origin xyz="0 0 0.1" rpy="0.1 0 0"/><geometry><sphere radius="0.05"/></geometry></visual>'
    shapes += (
        '<collision><origin xyz="0 0.1 0"/><geometry><cylinder radius="0.02" length="0.1"/></geometry></collision>'
    )
    return f'<link name="{name}">{INERTIAL.format(mass)}{shapes}</link>'


def joint(name, kind, parent, child, axis):
    limit = '<limit lower="-0.7" upper="1.1" effort="12" velocity="3"/>' if kind in ("revolute", "prismatic") else ""
    dynamics = '<dynamics damping="0.3" friction="0.1"/>' if kind not in ("fixed", "floating") else ""
    return f"""<joint name="{name}" type="{kind}"><origin xyz="0.3 0.1 0.2" rpy="0.4 0.1 -0.3"/>
      <parent link="{parent}"/>
<child link="{child}"/><axis xyz="{axis}"/>{limit}{dynamics}</joint>"""


def robot():
    parts = [
        '<mujoco><compiler fusestatic="false" discardvisual="false" inertiafromgeom="false"/></mujoco>',
        '<link name="world"/>',
    ]
    parts += [link("free", 2), joint("float", "floating", "world", "free", "0 0 1")]
    above = "free"
    for i, kind in enumerate(TYPES[:-1]):
        parts += [
            link(kind, 1 + i),
            joint(f"to_{kind}", kind, above, kind, ("0 0 1", "0 2 0", "1 1 0", "0 0 1", "0.6 0 0.8")[i]),
        ]
        above = kind
    return f"<robot name='all'>{''.join(parts)}</robot>"


@pytest.fixture(scope="module")
def pair():
    return pliant.mujoco.MjModel.from_xml_string(robot()), mujoco.MjModel.from_xml_string(robot())


FIELDS = """body_parentid body_mass body_pos body_quat body_ipos jnt_type jnt_range jnt_axis jnt_limited jnt_actfrcrange
dof_damping dof_frictionloss geom_type geom_size geom_pos geom_quat geom_contype geom_conaffinity geom_group geom_rgba
qpos0"""


@pytest.mark.parametrize("field", FIELDS.split())
def test_field(pair, field):
    ours, theirs = (np.asarray(getattr(model, field), float) for model in pair)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def test_names(pair):
    for kind, count in ((mujoco.mjtObj.mjOBJ_BODY, "nbody"), (mujoco.mjtObj.mjOBJ_JOINT, "njnt")):
        assert getattr(pair[0], count) == getattr(pair[1], count)
        for i in range(getattr(pair[1], count)):
            assert pliant.mujoco.mj_id2name(pair[0], int(kind), i) == mujoco.mj_id2name(pair[1], kind, i)


def test_kinematics_and_mass_matrix(pair):
    rng = np.random.default_rng(2)
    results = []
    qpos = None
    for library, model in ((pliant.mujoco, pair[0]), (mujoco, pair[1])):
        data = library.MjData(model)
        if qpos is None:
            qpos = np.array(data.qpos) + rng.uniform(-0.5, 0.5, model.nq)
            qvel = rng.uniform(-1, 1, model.nv)
        data.qpos[:], data.qvel[:] = qpos, qvel
        library.mj_forward(model, data)
        full = np.zeros((model.nv, model.nv))
        library.mj_fullM(model, data, full)
        results.append((np.array(data.xpos), np.array(data.xquat), full, np.array(data.qfrc_bias)))
    for ours, theirs in zip(*results):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def test_inertia_turns_with_its_frame():
    """URDF writes the tensor in the frame of <origin>, so the body's is R I R'. The reference has I."""
    text = """<robot name="a"><link name="world"/><link name="b"><inertial><origin rpy="0.3 -0.2 0.5"/><mass value="2"/>
<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="-0.002" iyz="0.003"/></inertial></link>
<joint name="j" type="floating"><parent link="world"/><child link="b"/></joint></robot>"""
    tensor = np.array([[0.02, 0.001, -0.002], [0.001, 0.03, 0.003], [-0.002, 0.003, 0.04]])
    turn = np.eye(3)
    for axis, angle in ((0, 0.3), (1, -0.2), (2, 0.5)):  # about fixed axes, x first
        quat, matrix = np.zeros(4), np.zeros(9)
        mujoco.mju_axisAngle2Quat(quat, np.eye(3)[axis], angle)
        mujoco.mju_quat2Mat(matrix, quat)
        turn = matrix.reshape(3, 3) @ turn
    model = pliant.mujoco.MjModel.from_xml_string(text)
    body = model.nbody - 1
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.array(model.body_iquat[body]))
    axes = matrix.reshape(3, 3)
    np.testing.assert_allclose(
        axes @ np.diag(model.body_inertia[body]) @ axes.T, turn @ tensor @ turn.T, rtol=0, atol=1e-15
    )


def test_a_mimic_is_exact_here_and_soft_there():
    """The reference makes a joint equality of a mimic, which a force pulls apart; ours holds to the last bits."""
    limit = '<limit lower="-3" upper="3" effort="9" velocity="3"/>'
    text = f"""<robot name="m"><mujoco><compiler fusestatic="false"/></mujoco><link name="world"/>
{link("a", 1)}{link("b", 2)}
<joint name="leader" type="revolute"><parent link="world"/><child link="a"/><axis xyz="0 1 0"/>{limit}</joint>
<joint name="follower" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>{limit}
<mimic joint="leader" multiplier="-1.5" offset="0.2"/></joint></robot>"""
    theirs = mujoco.MjModel.from_xml_string(text)
    assert theirs.neq == 1 and theirs.eq_type[0] == mujoco.mjtEq.mjEQ_JOINT
    assert mujoco.mj_id2name(theirs, mujoco.mjtObj.mjOBJ_JOINT, theirs.eq_obj1id[0]) == "follower"
    np.testing.assert_array_equal(theirs.eq_data[0, :5], [0.2, -1.5, 0, 0, 0])

    ours = pliant.mujoco.MjModel.from_xml_string(text)
    assert ours.neq == 1 and ours.nfollower == 1
    errors = []
    for library, model in ((pliant.mujoco, ours), (mujoco, theirs)):
        data = library.MjData(model)
        data.qpos[:] = [0.1, 0.05]  # where the file wants them
        for _ in range(300):
            library.mj_step(model, data)
        errors.append(abs(data.qpos[1] - (0.2 - 1.5 * data.qpos[0])))
    assert errors[0] <= 1e-15 < 1e-6 < errors[1]
