"""MjSpec: XML in the form of the reference, settings that files have given, changes of a model copied back, and what
can be edited but not simulated.
"""

import pathlib
import warnings

import mujoco as reference
import numpy as np
import pytest

import pliant.mujoco as ours
from pliant import _pliant

MODULES = (reference, ours)
ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = sorted((ROOT / "models").glob("*.xml"))

TURNED = """
<mujoco model="turned">
  <compiler eulerseq="zyx" autolimits="true"/>
  <default><joint range="-40 50" damping=".1"/><geom euler="10 0 0" size=".1 .2 .3"/>
    <default class="slider"><joint type="slide" range="-1 2"/></default>
    <default class="tilted"><site euler="0 20 0"/></default></default>
  <worldbody>
    <frame euler="0 0 30" pos="1 0 0">
      <body name="a" euler="10 20 30"><joint name="turn" ref="12" springref="5"/><geom type="box"/>
        <site class="tilted"/><camera axisangle="0 0 1 40"/>
        <body name="b" xyaxes="0 1 0 -1 0 0"><joint class="slider" name="slide"/><geom/><site zaxis="1 1 0"/>
          <body name="c" quat="1 1 0 0"><joint type="ball" range="0 60"/><geom type="box" euler="5 6 7"/></body></body>
      </body>
    </frame>
    <body name="u" pos="0 0 3"><freejoint/><geom type="box" user="1 2"/></body>
  </worldbody>
  <actuator><position joint="turn" kp="3"/></actuator>
</mujoco>
"""


def assert_same_arrays(a, b):
    for row in _pliant.model_fields():
        name = row["name"]
        if name in ("names", "paths", "names_map") or name.startswith("name_"):
            continue
        one, other = getattr(a, name), getattr(b, name)
        assert np.array_equal(one, other) or (
            np.asarray(one).dtype.kind == "f" and np.array_equal(one, other, equal_nan=True)
        ), name


# ---- XML -----------------------------------------------------------------------------------------


def test_reference_form_is_the_same_model_bit_for_bit():
    spec = ours.MjSpec.from_string(TURNED)
    text = spec.to_xml()
    assert 'angle="radian"' in text and "degree" not in text and "\n\n  <worldbody>" in text
    assert 'eulerseq="zyx"' in text  # Euler angles are there
    assert_same_arrays(spec.compile(), ours.MjSpec.from_string(text).compile())
    assert ours.MjSpec.from_string(text).to_xml() == text


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_own_scenes_in_reference_form(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec = ours.MjSpec.from_file(str(path))
        again = ours.MjSpec.from_string(spec.to_xml())
        again.modelfiledir = spec.modelfiledir
        assert_same_arrays(spec.compile(), again.compile())


def test_the_reference_reads_it():
    text = ours.MjSpec.from_string(TURNED).to_xml()
    a, b = reference.MjModel.from_xml_string(text), reference.MjModel.from_xml_string(TURNED)
    for name in ("body_pos", "body_quat", "geom_quat", "site_quat", "cam_quat", "jnt_range", "qpos0", "qpos_spring"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-12, err_msg=name)


def test_sizes_of_user_data_are_written():
    spec = ours.MjSpec()
    spec.worldbody.add_geom(size=[1, 0, 0], userdata=[1, 2, 3])
    assert '<size nuser_geom="3"/>' in spec.to_xml() and spec.nuser_geom == -1


# ---- settings ------------------------------------------------------------------------------------

SETTINGS = [
    '<option timestep=".01" gravity="0 0 -1"/>', '<option solver="CG" wind="1 0 0" o_margin="1"/>',
    '<option><flag contact="disable" energy="enable" gravity="enable"/></option>',
    '<option actuatorgroupdisable="1 3"/>', '<visual><global fovy="3" azimuth="2"/><map znear=".1" haze="1"/></visual>',
    '<visual><rgba fog="1 1 1 1" bv="1 1 1 1"/><scale com="1" frustum="2"/><quality numquads="3"/></visual>',
    '<visual><headlight active="1" ambient="1 1 1"/></visual>',
    '<compiler angle="radian" boundmass="1" meshdir="x" alignfree="true"/>', '<compiler autolimits="true"/>', "",
]  # fmt: skip


@pytest.mark.parametrize("text", SETTINGS)
def test_authored_settings_are_the_bits_of_the_reference(text):
    found = []
    for mj in MODULES:
        spec = mj.MjSpec.from_string(f"<mujoco>{text}</mujoco>")
        names = [name for name in dir(reference.MjSpec().authored) if not name.startswith("_")]
        found.append({name: getattr(spec.authored, name) for name in names} | {"compiler": spec.compiler.authored})
        assert mj.MjSpec().authored.option == 0
    assert found[0] == found[1]
    copied = ours.MjSpec.from_string(f"<mujoco>{text}</mujoco>").copy()
    assert copied.authored.option == found[0]["option"] and copied.compiler.authored == found[0]["compiler"]


# ---- copy_back -----------------------------------------------------------------------------------


def change(model):
    """Of everything something."""
    model.body("b").pos[:] += 0.3, -0.2, 0.1
    model.body("u").pos[2] = 4
    model.body("a").quat[:] = np.array([0.5, 0.5, -0.5, 0.5])
    model.joint("turn").range[1] *= 0.5
    model.joint("slide").range[:] = -0.5, 0.75
    model.joint("turn").damping[:] = 0.7
    model.geom(1).size[:] = 0.3, 0.1, 0.2
    model.geom(3).friction[0] = 0.25
    model.geom(3).rgba[:] = 0.1, 0.2, 0.3, 1
    model.site(1).pos[:] = 1, 2, 3
    model.actuator(0).gainprm[0] = 7
    model.opt.timestep = 0.0025


def test_copy_back_compiles_to_what_was_changed():
    spec = ours.MjSpec.from_string(TURNED)
    model = spec.compile()
    change(model)
    spec.copy_back(model)
    again = spec.compile()
    for name in ("body_pos", "body_quat", "jnt_range", "dof_damping", "geom_size", "geom_friction", "geom_rgba",
                 "site_pos", "site_quat", "cam_quat", "actuator_gainprm"):  # fmt: skip
        np.testing.assert_allclose(getattr(again, name), getattr(model, name), atol=1e-12, err_msg=name)
    assert again.opt.timestep == 0.0025
    assert spec.joint("turn").range[0] == -40  # a number that was not changed is as it was written


def test_copy_back_writes_what_the_reference_writes():
    attributes = []
    for mj in MODULES:
        spec = mj.MjSpec.from_string(TURNED)
        model = spec.compile()
        model.body("b").pos[:] += 0.3, -0.2, 0.1
        model.joint("turn").range[1] *= 0.5
        model.geom(1).size[:] = 0.3, 0.1, 0.2
        spec.copy_back(model)
        attributes.append([*spec.body("b").pos, *spec.joint("turn").range, *spec.geoms[1].size])
    np.testing.assert_allclose(*attributes, atol=1e-12)


ENDS = """
<mujoco>
  <worldbody>
    <body name="a">
      <joint/>
      <geom name="rod" type="capsule" fromto="0 0 0 1 0 0" size=".1"/>
      <geom name="still" type="capsule" fromto="0 0 0 0 1 0" size=".1"/>
      <frame pos="0 0 1" euler="90 0 0">
        <geom name="beam" type="box" fromto="0 0 0 1 0 0" size=".1"/>
        <site name="s" type="capsule" fromto="0 0 0 0 0 2" size=".02"/>
      </frame>
    </body>
  </worldbody>
</mujoco>
"""


def test_copy_back_of_what_is_given_by_two_ends():
    """They get a position, an orientation and a size instead; those that were not moved keep their ends."""
    found = []
    for mj in MODULES:
        spec = mj.MjSpec.from_string(ENDS)
        model = spec.compile()
        model.geom("rod").pos[:] = 1, 2, 4
        model.geom("beam").pos[:], model.geom("beam").size[2] = (1, 2, 5), 0.75
        turned = np.array([0.1, 0.7, -0.3, 0.4])
        model.site("s").quat[:] = turned / np.linalg.norm(turned)
        spec.copy_back(model)
        again = spec.compile()
        for name in ("geom_pos", "geom_quat", "geom_size", "site_pos", "site_quat", "site_size"):
            np.testing.assert_allclose(getattr(again, name), getattr(model, name), atol=1e-9, err_msg=name)
        assert np.isnan(spec.geom("rod").fromto[0]) and spec.geom("rod").pos.tolist() == [1, 2, 4]
        found.append([*again.body_ipos.ravel(), *again.body_inertia.ravel(), *spec.geom("beam").pos])
    np.testing.assert_allclose(*found, atol=1e-9)
    assert 'fromto="0 0 0 0 1 0"' in ours.MjSpec.from_string(ENDS).to_xml()
    spec = ours.MjSpec.from_string(ENDS)
    model = spec.compile()
    model.geom("rod").pos[:] = 1, 2, 4
    model.qpos_spring[0] = 2
    before = spec.to_xml()
    with pytest.raises(ValueError, match="qpos_spring"):
        spec.copy_back(model)
    assert spec.to_xml() == before


def test_copy_back_of_inertias():
    spec = ours.MjSpec.from_string(TURNED)
    model = spec.compile()
    model.body("u").mass[0] *= 3
    model.body("u").inertia[:] *= 3
    spec.copy_back(model)
    assert spec.body("u").explicitinertial and spec.body("u").mass == model.body("u").mass[0]
    np.testing.assert_allclose(spec.compile().body("u").inertia, model.body("u").inertia)
    spec.compiler.inertiafromgeom = ours.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    model = spec.compile()
    model.body("u").mass[0] = 5
    model.geom(3).size[0] = 0.5
    size = spec.geoms[3].size[0]
    with pytest.raises(ValueError, match="body_mass of body 'u' was changed in the model, but the MjSpec compiles to"):
        spec.copy_back(model)
    assert spec.geoms[3].size[0] == size


def test_copy_back_refuses_other_models_and_what_nothing_says():
    spec = ours.MjSpec.from_string(TURNED)
    with pytest.raises(ValueError, match="was not compiled from this MjSpec"):
        spec.copy_back(ours.MjModel.from_xml_string("<mujoco/>"))
    model = spec.compile()
    model.qpos_spring[0] = 2
    with pytest.raises(ValueError, match="qpos_spring was changed in the model, but no attribute"):
        spec.copy_back(model)


# ---- what Pliant cannot simulate -----------------------------------------------------------------


def test_flexes_and_plugins_can_be_edited_and_are_refused():
    spec = ours.MjSpec()
    body = spec.worldbody.add_body(name="holder")
    flex = spec.add_flex(name="cloth", friction=[1, 2, 3], vert=[0.0, 1.0, 2.0])
    assert flex.friction.tolist() == [1, 2, 3] and flex.vert == [0, 1, 2] and spec.flex("cloth") is flex
    with pytest.raises(TypeError, match="Did you mean 'friction'"):
        spec.add_flex(frction=[1, 2, 3])
    with pytest.raises(ValueError, match="size 3"):
        flex.friction = [1]
    plugin = spec.add_plugin(name="one", plugin_name="some.plugin", active=True, config={"a": "b"})
    body.plugin = plugin
    assert body.plugin.name == "one" and body.plugin is not plugin
    mesh = spec.add_mesh(name="volume", uservert=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], usernode=[0.0, 1.0, 2.0])
    for what in (spec.compile, spec.to_xml, spec.copy().compile):
        with pytest.raises(ours.LoadError) as error:
            what()
        for text in ("<flex name='cloth'>", "<plugin name='one'>", "<body name='holder'> uses a plugin",
                     "<mesh name='volume'> has usernode", "test_mjspec_forms.py:", "4 errors"):  # fmt: skip
            assert text in str(error.value), text
    parent = ours.MjSpec()
    parent.attach(spec, prefix="x_", frame=parent.worldbody.add_frame())
    with pytest.raises(ours.LoadError, match="4 errors"):
        parent.compile()
    parent.delete(flex)
    parent.delete(plugin)
    body.plugin.active = False
    mesh.usernode = []
    assert parent.compile().nbody == 2


def test_plugins_that_a_file_declares():
    xml = """<mujoco><extension><plugin plugin="mujoco.pid"><instance name="pid1"><config key="kp" value="4.0"/>
      </instance></plugin></extension><worldbody><body><geom size="1"/></body></worldbody></mujoco>"""
    spec = ours.MjSpec.from_string(xml)
    assert spec.plugin("pid1").plugin_name == "mujoco.pid" and spec.plugins[0].config == {"kp": "4.0"}
    with pytest.raises(ours.LoadError, match="<plugin name='pid1'> is not supported"):
        spec.compile()
    spec.delete(spec.plugins[0])
    assert spec.compile().ngeom == 1
    used = xml.replace("<geom", '<plugin instance="pid1"/><geom')
    with pytest.raises(ours.LoadError, match="plugin"):  # an element that uses one is lost: refused at once
        ours.MjSpec.from_string(used)


def test_errors_have_the_words_of_the_reference():
    texts = []
    for mj in MODULES:
        found = []
        for attributes in ({"size": [0, 0, 0]}, {"type": mj.mjtGeom.mjGEOM_BOX, "size": [1, 1, 0]}):
            spec = mj.MjSpec()
            spec.worldbody.add_geom(name="thin", info="of this test", **attributes)
            with pytest.raises(ValueError) as error:
                spec.compile()
            lines = str(error.value).splitlines()
            at = next(i for i, line in enumerate(lines) if line.startswith("Error: "))
            found += lines[at : at + 2]
        texts.append(found)
    assert texts[0] == texts[1]
