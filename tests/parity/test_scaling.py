"""Frames that scale: what they mean, without the reference, and what both refuse.

(cases/scaling is compared field by field.)
"""

import mujoco
import numpy as np
import pytest

import compare
import pliant
import pliant.mujoco

ARM = """<mujoco>
  <option gravity="0 0 {gravity}" timestep="0.002" tolerance="0" iterations="30" cone="elliptic"/>
  <asset><mesh name="wedge" vertex="0 0 0 .2 0 0 0 .3 0 0 0 .4 .1 .1 .2"/></asset>
  <worldbody>
    <frame {scale}>
      <geom name="floor" type="plane" size="2 2 .1" friction="1 .01 .001"/>
      <body name="upper" pos="0 0 1">
        <joint name="shoulder" axis="0 1 0" damping=".1 .02" armature=".01" stiffness="1 .2" range="-60 80"
          frictionloss=".05"/>
        <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
        <site name="a" pos=".1 0 .1"/>
        <body name="lower" pos=".5 0 0">
          <joint name="elbow" type="slide" axis="1 0 0" damping="5" stiffness="200" range="-.1 .2" springref=".05"/>
          <geom type="box" size=".1 .05 .05" pos=".1 0 0" margin=".01"/>
          <site name="b" pos=".1 0 .1"/>
          <body pos=".2 0 0">
            <joint type="ball" damping=".01" stiffness=".3"/>
            <geom type="mesh" mesh="wedge"/>
          </body>
        </body>
      </body>
      <body name="ball" pos=".3 .2 .35">
        <freejoint/>
        <geom size=".1" condim="6" friction=".8 .02 .002"/>
      </body>
    </frame>
  </worldbody>
  <tendon>
    <spatial name="cord" stiffness="50" damping="1" springlength=".3"><site site="a"/><site site="b"/></spatial>
    <fixed name="sum" range="-.05 .5"><joint joint="shoulder" coef=".2"/><joint joint="elbow" coef="1"/></fixed>
  </tendon>
  <actuator>
    <position joint="shoulder" kp="30" kv="2" forcerange="-20 20"/>
    <position joint="elbow" kp="300" dampratio="1" ctrlrange="-.1 .1"/>
    <motor joint="elbow" gear="5"/>
    <velocity tendon="cord" kv="3"/>
    <intvelocity joint="shoulder" kp="3"/>
  </actuator>
  <sensor>
    <framepos objtype="site" objname="b"/>
    <force site="b"/>
    <touch site="a"/>
  </sensor>
</mujoco>"""


def run(model, controls, steps=300):
    data = pliant.mujoco.MjData(model)
    for _ in range(steps):
        data.ctrl[:] = controls
        pliant.mujoco.mj_step(model, data)
    return data


@pytest.mark.parametrize("s, mass", [(2, None), (0.5, None), (1.7, 3)])
def test_similar_scaling_is_a_change_of_units(s, mass):
    """In gravity g the scaled model moves as the original does in g/s: lengths times s, angles and times the same."""
    massscale = f'massscale="{mass}"' if mass else ""
    m = mass or s**3
    original = pliant.mujoco.MjModel.from_xml_string(ARM.format(gravity=-9.81 / s, scale=""))
    scaled = pliant.mujoco.MjModel.from_xml_string(ARM.format(gravity=-9.81, scale=f'scale="{s}" {massscale}'))
    controls = np.array([0.5, 0.05, 0.3, 0.2, 0.1])
    units = np.array([1, s, 1, s, 1])  # setpoints of slides and tendons are lengths, commands and angles are not
    before, after = run(original, controls), run(scaled, controls * units)
    assert before.ncon > 0
    lengths = np.ones(original.nq)
    lengths[[1, 6, 7, 8]] = s  # the slide, and the position of the free body
    assert np.allclose(after.qpos, before.qpos * lengths, rtol=0, atol=1e-6 * max(s, 1))
    assert np.allclose(after.sensordata[:3], s * before.sensordata[:3], atol=1e-6 * s)
    force = m * s
    assert np.allclose(after.sensordata[3:6], force * before.sensordata[3:6], atol=1e-4 * force)


def test_geometry_keeps_forces():
    original = pliant.mujoco.MjModel.from_xml_string(ARM.format(gravity=0, scale=""))
    scaled = pliant.mujoco.MjModel.from_xml_string(ARM.format(gravity=0, scale='scale="2" scaling="geometry"'))
    for field in (
        "jnt_stiffness",
        "dof_damping",
        "dof_armature",
        "dof_frictionloss",
        "actuator_gainprm",
        "actuator_forcerange",
    ):
        assert np.array_equal(getattr(original, field), getattr(scaled, field)), field
    assert np.allclose(scaled.body_mass, 8 * original.body_mass)
    assert np.allclose(scaled.body_inertia, 32 * original.body_inertia)
    assert np.allclose(scaled.geom_rbound, 2 * original.geom_rbound)


def test_scale_of_one_changes_nothing():
    plain = pliant.mujoco.MjModel.from_xml_string(ARM.format(gravity=-9, scale=""))
    scaled = pliant.mujoco.MjModel.from_xml_string(ARM.format(gravity=-9, scale='scale="1" massscale="1"'))
    for field in pliant.model_fields():
        before, after = (np.asarray(getattr(m, field["name"])) for m in (plain, scaled))
        assert before.tobytes() == after.tobytes(), field["name"]


def test_a_stretched_box_is_the_box_of_that_size():
    def body(frame, size, pos):
        geom = f'<geom type="box" size="{size}" pos="{pos}"/>'
        return pliant.load_string(f"<mujoco><worldbody><body><frame {frame}>{geom}</frame></body></worldbody></mujoco>")

    stretched = body('scale="1 2 3" scaling="geometry"', ".1 .1 .1", "1 1 1")
    written = body("", ".1 .2 .3", "1 2 3")
    for field in ("geom_size", "geom_pos", "body_mass", "body_inertia", "body_ipos"):
        assert np.allclose(getattr(stretched, field), getattr(written, field), rtol=1e-14), field


def inside(frame, content, rest=""):
    return (
        f"<mujoco><worldbody><body><geom size='.1'/><frame {frame}>{content}</frame></body></worldbody>{rest}</mujoco>"
    )


STRETCH = 'scale="1 2 3" scaling="geometry"'
REFUSED = {
    "zero": inside('scale="0"', "<geom size='.1'/>"),
    "negative": inside('scale="-1"', "<geom size='.1'/>"),
    "two numbers": inside('scale="1 2"', "<geom size='.1'/>"),
    "four numbers": inside('scale="1 2 3 4"', "<geom size='.1'/>"),
    "negative mass": inside('massscale="-1"', "<geom size='.1'/>"),
    "unequal similar": inside('scale="1 2 3"', "<geom type='box' size='.1 .1 .1'/>"),
    "unknown policy": inside('scaling="material"', "<geom size='.1'/>"),
    "sphere": inside(STRETCH, "<geom size='.1'/>"),
    "capsule across": inside(STRETCH, "<geom type='capsule' size='.1 .1'/>"),
    "box askew": inside(STRETCH, "<geom type='box' size='.1 .1 .1' euler='0 0 2.01'/>"),
    "hinge askew": inside(STRETCH, "<body><joint axis='1 1 0'/><geom type='box' size='.1 .1 .1'/></body>"),
    "slide askew": inside(STRETCH, "<body><joint type='slide' axis='1 1 0'/><geom type='box' size='.1 .1 .1'/></body>"),
    "dcmotor": inside('scale="2"', "<body><joint name='j'/><geom size='.1' pos='1 0 0'/></body>",
                      "<actuator><dcmotor joint='j' motorconst='1 1' resistance='2'/></actuator>"),
    "user gain": inside('scale="2"', "<body><joint name='j'/><geom size='.1' pos='1 0 0'/></body>",
                        "<actuator><general joint='j' gaintype='user'/></actuator>"),
    "skin": inside('scale="2"', "<body name='b'/>",
                   "<deformable><skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='b' bindpos='0 0 0'"
                   " bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/><bone body='world' bindpos='0 0 0'"
                   " bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></deformable>"),
    "tactile": inside('scale="2"', "<geom name='g' type='mesh' mesh='m'/>",
                      "<asset><mesh name='m' builtin='sphere' params='0'/></asset><sensor><tactile geom='g' "
                      "mesh='m'/></sensor>"),
    "name taken": "<mujoco><asset><mesh name='a' builtin='sphere' params='0'/><mesh name='a@1' "
                  "builtin='sphere' params='0'/></asset>"
                  "<worldbody><geom type='mesh' mesh='a'/><frame scale='2'><geom type='mesh' "
                  "mesh='a'/></frame></worldbody></mujoco>",
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_both_refuse(case):
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(REFUSED[case])
    with pytest.raises(pliant.LoadError) as error:
        pliant.load_string(REFUSED[case])
    assert len([f for f in error.value.diagnostics if f.severity == "error"]) == 1


@pytest.mark.parametrize("degrees, scale", [(2, "1 2 3"), (1, "1 3 3"), (3, "2 1 2"), (0.2, "1 10 3")])
def test_almost_aligned_shapes_as_the_reference(degrees, scale):
    shape = "box" if scale != "2 1 2" else "ellipsoid"
    xml = inside(
        f'scale="{scale}" scaling="geometry"',
        f"<geom type='{shape}' size='.1 .1 .1' euler='{degrees / 4} 0 {degrees / 2}'/>",
    )
    ours, theirs = pliant.mujoco.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    assert compare.compare_models(theirs, ours).differences == []


@pytest.mark.parametrize("inputs", ["voltage", "pos", "vel", "pos vel", "vel ff", "pos vel ff"])
def test_controls_of_a_motor(inputs):
    """The range of its controls is one of positions where it has such an input, and of voltages where not."""
    xml = f"""<mujoco><worldbody><body><frame scaling="geometry" scale="2"><joint name="j" type="slide"/>
      <geom size=".1"/></frame></body></worldbody><actuator>
      <dcmotor joint="j" ctrlrange=".5 1" input="{inputs}" motorconst=".1" resistance="1"/></actuator></mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(xml), pliant.mujoco.MjModel.from_xml_string(xml)
    np.testing.assert_array_equal(ours.actuator_ctrlrange, theirs.actuator_ctrlrange)
    assert ours.actuator_ctrlrange[0].tolist() == ([1, 2] if "pos" in inputs else [0.5, 1])
