"""Mimic joints from Python: queries by name, projection at reset, PhysX attributes, joint equalities; info and
solvers."""

import json
import pathlib
import subprocess

import numpy as np
import pytest

import pliant

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCENE = """
<mujoco><compiler angle="radian"/><option gravity="0 0 -5" timestep=".002"/><worldbody>
  <body><joint name="hinge" axis="0 1 0" ref=".2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/></body>
  <body pos="0 1 0"><joint name="slide" type="slide" axis="0 0 1" ref="-.1"/><geom size=".05"/></body>
  <body pos="0 2 0"><joint name="other" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/></body>
</worldbody><equality>{}</equality></mujoco>
"""


def scene(equality):
    model = pliant.load_string(SCENE.format(equality))
    return model, pliant.State(model), pliant.Data(model)


def settled(equality, steps=4000):
    """Joint positions at rest, the leader held at 0.5 by hand."""
    drive = '<actuator><position joint="hinge" kp="500" kv="50"/></actuator></mujoco>'
    still = 'gravity="0 0 0" integrator="implicitfast"'
    model = pliant.load_string(SCENE.format(equality).replace("</mujoco>", drive).replace('gravity="0 0 -5"', still))
    state, data = pliant.State(model), pliant.Data(model)
    state.reset(model, project=True)
    state.ctrl[0] = 0.5
    pliant.step(model, state, data, steps)
    return np.array(state.qpos)


@pytest.mark.parametrize("mode", ["exact", 'hard" erp=".3', 'soft" naturalfreq="40" dampratio=".5'])
def test_queries_by_name(mode):
    model, state, data = scene(
        f'<mimic name="m" joint1="slide" joint2="hinge other" gear=".5 -2" offset=".3" mode="{mode}"/>'
    )
    state.qvel[:] = 0.1, 0.2, -0.3
    for _ in range(5):
        pliant.step(model, state, data)
        pliant.forward(model, state, data)
        report = pliant.mimic_report(model, state, data, "m")
        q, v = state.qpos, state.qvel
        assert report["residual"] == pytest.approx(q[1] + 0.5 * q[0] - 2 * q[2] + 0.3, abs=1e-15)
        assert report["rate"] == pytest.approx(v[1] + 0.5 * v[0] - 2 * v[2], abs=1e-15)
        assert report["power"] == pytest.approx(report["force"] * report["rate"])
        assert report["mode"] == mode.split('"')[0] and report["active"]
        # λ is what the follower, a mass on a slide, accelerates with beyond gravity
        mass = float(model.body_mass[2])
        assert report["force"] == pytest.approx(mass * (data.qacc[1] + 5), abs=1e-9)
        assert pliant.mimic_report(model, state, data, "slide") == report == pliant.mimic_reports(model, state, data)[0]
    assert report["sentence"] == "slide = −0.500·hinge + 2.000·other − 0.3 m"
    with pytest.raises(ValueError, match='no mimic "nobody"; there are m'):
        pliant.mimic_report(model, state, data, "nobody")


@pytest.mark.parametrize("mode", ["exact", "hard", 'soft" naturalfreq="9'])
def test_reset_projects(mode):
    model, state, _ = scene(f'<mimic joint1="slide" joint2="hinge" gear="3" offset=".4" mode="{mode}"/>'
                               '<joint joint1="other" joint2="slide" polycoef=".1 2 0 0 0"/>')  # fmt: skip
    state.reset(model)
    before = state.qpos[1] + 3 * state.qpos[0] + 0.4
    assert abs(before) < 1e-12 if mode == "exact" else abs(before) > 0.5
    state.reset(model, project=True)
    assert state.qpos[1] + 3 * state.qpos[0] + 0.4 == pytest.approx(0, abs=1e-9)
    assert state.qpos[2] == pytest.approx(0.1 + 2 * (state.qpos[1] + 0.1), abs=1e-9)
    state.qpos[0] += 0.2
    result = pliant.project_state(model, state)
    assert result["before"] == pytest.approx(0.6, abs=1e-9) and result["after"] < 1e-9


def test_physx_attributes_mean_the_same_relation():
    """q + gearing q_reference + offset = 0, in degrees where USD says so; the follower goes where they put it."""
    given = {"gearing": -2.0, "offset": 11.0, "naturalFrequency": 200.0, "dampingRatio": 1.0}
    mimic = pliant.mimic_from_physx(**given, degrees=True)
    assert mimic["mode"] == "soft" and mimic["offset"] == pytest.approx(np.radians(11))
    text = " ".join(f'{k}="{v}"' for k, v in mimic.items())
    q = settled(f'<mimic joint1="other" joint2="hinge" {text}/>')
    assert np.degrees(q[2]) == pytest.approx(2 * np.degrees(q[0]) - 11, abs=1e-4)
    # a slide that a hinge leads: metres per degree
    slide = pliant.mimic_from_physx(gearing=0.01, offset=0.05, degrees=True, follower_turns=False)
    assert slide["mode"] == "hard"
    q = settled('<mimic joint1="slide" joint2="hinge" mode="hard" gear="{gear}" offset="{offset}"/>'.format(**slide))
    assert q[1] == pytest.approx(-0.01 * np.degrees(q[0]) - 0.05, abs=1e-6)
    # and back
    again = pliant.physx_from_mimic(**mimic, degrees=True)
    assert again == pytest.approx(given)
    assert pliant.physx_from_mimic([1, 2]) is None
    assert pliant.physx_from_mimic(1, mode="exact") is None
    assert pliant.physx_from_mimic(1, mode="soft", naturalfreq=3) is None
    with pytest.raises(ValueError, match="not 'loose'"):
        pliant.physx_from_mimic(1, mode="loose")


def test_joint_equalities_come_and_go():
    polycoef = [0.3, -1.5, 0, 0, 0]
    mimic = pliant.mimic_from_polycoef(polycoef, qpos0_joint1=-0.1, qpos0_joint2=0.2)
    assert pliant.polycoef_from_mimic(**mimic, qpos0_joint1=-0.1, qpos0_joint2=0.2) == pytest.approx(polycoef)
    # the same place in both forms
    q = settled('<mimic joint1="slide" joint2="hinge" gear="{gear}" offset="{offset}"/>'.format(**mimic))
    p = settled('<joint joint1="slide" joint2="hinge" polycoef=".3 -1.5 0 0 0" solref=".01 1"/>')
    assert q == pytest.approx(p, abs=1e-6)
    assert q[1] + 0.1 == pytest.approx(0.3 - 1.5 * (q[0] - 0.2), abs=1e-12)
    assert pliant.mimic_from_polycoef([0, 1, 2]) is None and pliant.mimic_from_polycoef([0.1]) is None
    assert pliant.polycoef_from_mimic([1, 2]) is None
    with pytest.raises(ValueError, match="at most 5"):
        pliant.mimic_from_polycoef([0] * 6)


URDF = """
<robot name="r"><link name="base"/>
  <link name="x"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="y"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="lead" type="revolute"><parent link="base"/><child link="x"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <joint name="follow" type="prismatic"><parent link="base"/><child link="y"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="9" velocity="9"/>
    <mimic joint="lead" multiplier="-1" offset="0.02"/></joint>
</robot>
"""


def test_urdf_follower_goes_where_its_multiplier_and_offset_put_it():
    model = pliant.load_string(URDF)
    state, data = pliant.State(model), pliant.Data(model)
    state.reset(model, project=True)
    assert state.qpos[1] == pytest.approx(-state.qpos[0] + 0.02, abs=1e-15)
    state.qvel[0] = 1
    pliant.step(model, state, data, 100)
    assert state.qpos[0] > 0.05
    assert state.qpos[1] == pytest.approx(-state.qpos[0] + 0.02, abs=1e-12)


def command(*arguments):
    done = subprocess.run([ROOT / "build" / "pliant", *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_info_names_the_mimics():
    text = command("info", "models/mimic_hand.xml")
    assert "joints that follow others" in text and "thumb_tip = 1.000·thumb_middle" in text
    mimics = json.loads(command("info", "models/mimic_hand.xml", "--json"))["mimics"]
    assert [m["name"] for m in mimics] == ["index", "middle", "ring", "little", "thumb", "fan"]
    assert all(m["mode"] == "exact" and m["residual"] == 0 and m["active"] for m in mimics)
    assert mimics[5]["sentence"] == "ring_spread = −1.000·index_spread"


def test_solvers_names_the_mimics(tmp_path):
    page = tmp_path / "page.html"
    text = command("solvers", "models/mimic_gripper.xml", "--after", ".1", "--curve", "3", "--html", page)
    assert "joints that follow others" in text and "residual" in text and "power" in text
    assert "Joints that follow others" in page.read_text()
    result = json.loads(command("solvers", "models/mimic_gripper.xml", "--after", ".1", "--curve", "3", "--json"))
    assert [m["mode"] for m in result["mimics"]] == ["exact", "hard", "soft"] and abs(
        result["mimics"][0]["residual"]
    ) < 1e-12
