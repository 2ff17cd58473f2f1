"""mj_setConst: what follows from other numbers of a model is renewed, what the compiler found for a file is not."""

import copy
import pathlib

import mujoco
import numpy as np
import pytest

import pliant
import pliant.mujoco
from pliant import _pliant

ARM = """<mujoco><worldbody>
  <body name="a" pos="0 0 1" euler="10 0 0"><joint name="a" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
    <site name="p" pos=".2 0 .1"/>
    <body name="b" pos=".4 0 0"><joint name="b" axis="0 1 0" springref="20"/><geom type="box" size=".1 .05 .02"/>
      <site name="q" pos=".1 0 0"/></body></body>
  <body name="c" pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody>
  <tendon><spatial name="t" stiffness="3"><site site="p"/><site site="q"/></spatial></tendon>
  <equality><weld body1="b" body2="c"/><weld body1="a" body2="c" relpose="0 0 .1 1 0 0 0"/></equality>
  <actuator><position joint="a" kp="20" dampratio="1"/><position joint="b" kp="4" dampratio=".5"/></actuator>
</mujoco>"""

FIELDS = """actuator_biasprm actuator_acc0 actuator_length0 tendon_lengthspring tendon_length0 tendon_invweight0 eq_data
dof_M0 dof_invweight0 body_invweight0 body_subtreemass dof_length"""


def changed(module):
    model = module.MjModel.from_xml_string(ARM)
    data = module.MjData(model)
    before = {name: np.array(getattr(model, name)) for name in FIELDS.split()} | {"extent": model.stat.extent}
    model.body_mass[2] *= 3
    model.body_pos[2] = [0.6, 0.1, 0]
    model.body_pos[3] = [1.2, 0.3, 0.8]
    module.mj_setConst(model, data)
    return model, before


def test_equal_reference_after_a_change():
    (theirs, before), (ours, own_before) = changed(mujoco), changed(pliant.mujoco)
    for name in FIELDS.split():
        np.testing.assert_allclose(own_before[name], before[name], rtol=0, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=0, atol=1e-12, err_msg=name)
    assert abs(ours.stat.extent - theirs.stat.extent) <= 1e-12


def test_what_the_compiler_found_stays():
    model, before = changed(pliant.mujoco)
    np.testing.assert_array_equal(model.actuator_biasprm, before["actuator_biasprm"])
    np.testing.assert_array_equal(model.tendon_lengthspring, before["tendon_lengthspring"])
    assert model.stat.extent == before["extent"]
    # the weld without relpose follows the bodies, the other one does not
    assert np.abs(model.eq_data[0, 3:10] - before["eq_data"][0, 3:10]).max() > 0.1
    np.testing.assert_array_equal(model.eq_data[1], before["eq_data"][1])


def test_damping_ratio_is_that_of_the_mass_felt():
    """kv = 2 ζ √(kp m) with m = 1 / (J M⁻¹ J'): the servo alone, about qpos0, is an oscillator with damping ratio ζ."""
    model = pliant.mujoco.MjModel.from_xml_string(ARM)
    data = pliant.mujoco.MjData(model)
    pliant.mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    pliant.mujoco.mj_fullM(model, data, mass)
    inverse = np.linalg.inv(mass)
    for i, (kp, ratio) in enumerate(((20, 1), (4, 0.5))):
        felt = 1 / inverse[i, i]
        np.testing.assert_allclose(-model.actuator_biasprm[i, 2], 2 * ratio * np.sqrt(kp * felt), rtol=1e-12)


# Every array that can be written, one after the other, in a few ways; then every array is compared.
EVERYTHING = """<mujoco>
<option density="1.2" viscosity=".01"/>
<asset>
  <hfield name="h" nrow="3" ncol="4" size="1 2 .5 .1" elevation="0 1 0 .5  .2 .3 .4 .5  0 0 1 1"/>
  <mesh name="m" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3  .1 .1 .3"/>
</asset>
<worldbody>
  <light pos="0 0 3" dir="0 1 -1"/>
  <geom type="plane" size="0 0 1"/>
  <geom type="hfield" hfield="h" pos="3 0 0"/>
  <camera pos="1 2 3" mode="targetbody" target="b"/>
  <body name="a" pos="0 0 1" euler="10 0 0"><joint name="a" axis="0 1 0" damping=".1"/>
    <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" margin=".01" gap=".002" fluidshape="ellipsoid"/>
    <geom type="box" size=".1 .2 .05" pos="0 .1 .3" euler="10 20 30" surfacevel="1 0 0 0 0 0"/>
    <site name="p" pos=".2 0 .1"/>
    <camera pos=".1 0 0" euler="30 0 0" mode="trackcom"/>
    <light mode="targetbodycom" target="b" pos=".1 0 1"/>
    <body name="b" pos=".4 0 0" gravcomp=".5"><joint name="b" axis="0 1 0" springref="20"/>
      <geom type="ellipsoid" size=".1 .05 .02" fluidshape="ellipsoid" contype="2"/>
      <geom type="mesh" mesh="m" pos=".3 .1 0" euler="0 20 30" fluidshape="ellipsoid"/>
      <geom type="cylinder" size=".1 .3" contype="0" conaffinity="0"/>
      <site name="q" pos=".1 0 0" euler="0 0 5"/>
    </body>
  </body>
  <body name="c" pos="1 0 1"><freejoint/><geom size=".1" fluidshape="ellipsoid"/></body>
  <body name="d" pos="2 0 1" simple="false"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
  <body name="e" pos="3 0 1"><joint type="slide" name="e"/><geom type="box" size=".1 .2 .3"/></body>
  <body name="f" pos="3 3 1"><joint type="ball" name="f"/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/></body>
  <body name="g" pos="5 3 1" sleep="never"><joint type="slide"/><geom size=".1"/><site name="g"/></body>
</worldbody>
<tendon>
  <spatial name="t" stiffness="3"><site site="p"/><site site="q"/></spatial>
  <spatial name="s"><site site="p"/><site site="g"/></spatial>
  <fixed name="u"><joint joint="a" coef="1"/><joint joint="e" coef="2"/></fixed>
</tendon>
<equality>
  <weld body1="b" body2="c"/><weld body1="a" body2="c" relpose="0 0 .1 1 0 0 0"/>
  <connect body1="a" body2="d" anchor=".1 0 0"/><weld site1="p" site2="q"/>
</equality>
<actuator>
  <position joint="a" kp="20" dampratio="1"/><position joint="b" kp="4" dampratio=".5" armature=".1"/>
  <motor tendon="u" damping="1"/><motor joint="e" armature=".2"/><general site="q" refsite="p" gear="1 2 0 0 0 1"/>
</actuator>
</mujoco>"""

# What a model's numbers are, apart from these: sizes of memory, which is not the reference's.
OWN = ("narena", "nbuffer", "signature")
# A plane without bounds is no ellipsoid: the reference writes NaN for its added mass, Pliant 0.
NO_ELLIPSOID = slice(6, 12)
CHANGES = {
    "added": lambda rng, x: x + rng.uniform(0.01, 0.05, x.shape),
    "scaled": lambda rng, x: x * rng.uniform(0.5, 2, x.shape),
    "nothing": lambda rng, x: np.zeros_like(x),
    "shuffled": lambda rng, x: x[rng.permutation(len(x))],
    "repeated": lambda rng, x: x[rng.integers(len(x), size=len(x))],
}


def numbers(model):
    found = {}
    for name in dir(model):
        value = None if name.startswith("_") or name in OWN else getattr(model, name)
        if isinstance(value, (int, float, np.ndarray)):
            found[name] = np.array(value)
    return found


def writable():
    fields = [f["name"] for f in pliant.model_fields() if f["dtype"] != "bytes" and not f["name"].startswith("names")]
    return [name for name in fields if hasattr(mujoco.MjModel, name)]


def unit(name, value):
    """Quaternions have length 1; light_dir, jnt_axis and others need not."""
    return value / np.linalg.norm(value, axis=-1, keepdims=True) if name.endswith("quat") else value


def set_constants(module, model):
    """What mj_setConst makes of a model, and whether it has found no inertia somewhere; None if it refuses."""
    data = module.MjData(model)
    try:
        module.mj_setConst(model, data)
    except module.FatalError:
        return None, False
    return numbers(model), module is mujoco and data.warning[mujoco.mjtWarning.mjWARN_INERTIA].number > 0


# Numbers that contain the inverse of the mass matrix: of one that has none, rounding decides.
OF_INVERSE = ("body_invweight0", "dof_invweight0", "tendon_invweight0", "actuator_acc0")


def differences(theirs, ours, singular):
    for name in theirs.keys() & ours.keys():
        if singular and name in OF_INVERSE:
            continue
        a, b = theirs[name].astype(float), ours[name].astype(float)
        if name == "geom_fluid":
            plane = theirs["geom_type"] == int(mujoco.mjtGeom.mjGEOM_PLANE)
            bad = plane & np.isnan(a[:, NO_ELLIPSOID]).all(axis=1)
            assert not np.any(b[bad, NO_ELLIPSOID])
            a[bad, NO_ELLIPSOID] = 0
        if a.shape != b.shape:
            yield f"{name}: {b.shape} in place of {a.shape}"
            continue
        with np.errstate(invalid="ignore"):
            wrong = ~((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= 1e-9 * np.maximum(1, np.abs(a))))
        if np.any(wrong):
            place = tuple(np.argwhere(wrong)[0])
            yield f"{name}{list(place)}: {b[place]!r} in place of {a[place]!r}"


CASES = pathlib.Path(__file__).parent / "cases"
MODELS = {"everything": EVERYTHING} | {
    name: (CASES / f"{name}.xml").read_text()
    for name in ("dynamics_tendon_wraps", "dynamics_transmission", "dynamics_fluid", "rows_kinds", "cameras_and_lights")
}


def change_all(xml, change, seed):
    """(name, the reference's numbers, ours, singular) of every array that could be changed; None: it was refused."""
    theirs = mujoco.MjModel.from_xml_string(xml)
    ours = pliant.mujoco.MjModel.from_xml_string(xml)
    for name in writable():
        value = np.array(getattr(ours, name))
        if value.size == 0 or (value.dtype.kind != "f" and change not in ("shuffled", "repeated")):
            continue
        if change == "nothing" and name.endswith("quat"):
            continue  # no rotation
        rng = np.random.default_rng(seed)
        new = unit(name, CHANGES[change](rng, value).astype(value.dtype))
        if np.array_equal(new, value):
            continue
        mine, other = copy.copy(ours), copy.copy(theirs)
        try:
            setattr(mine, name, new)
        except ValueError:  # integers that no model has: the reference would not survive some of them
            continue
        getattr(other, name)[...] = new
        expected, singular = set_constants(mujoco, other)
        yield name, expected, set_constants(pliant.mujoco, mine)[0], singular


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("model", MODELS)
def test_every_array_after_a_change_of_any(model, change):
    wrong, changed = [], 0
    for name, theirs, ours, singular in change_all(MODELS[model], change, 1):
        changed += 1
        if (theirs is None) != (ours is None):
            wrong.append(f"{name}: refused by {'us' if ours is None else 'the reference'} only")
        elif theirs is not None:
            wrong += [f"{name} {change}: {text}" for text in differences(theirs, ours, singular)]
    assert changed > 10
    assert not wrong, "\n".join(wrong[:40])


def test_it_writes_what_the_reference_writes():
    ours = {f["name"] for f in pliant.model_fields()}
    assert set(_pliant.set_const_fields()) == set(mujoco.MjModel._setconst_outputs) & ours


def test_without_a_change_nothing_changes():
    """To the bit: what the compiler found and what is found again are the same arithmetic."""
    for xml in MODELS.values():
        model = pliant.mujoco.MjModel.from_xml_string(xml)
        before = numbers(model)
        pliant.mujoco.mj_setConst(model, pliant.mujoco.MjData(model))
        for name, value in numbers(model).items():
            np.testing.assert_array_equal(value, before[name], err_msg=name)


@pytest.mark.parametrize("name", ["body_ipos", "body_mass", "geom_contype"])
def test_a_refused_change_leaves_the_model(name):
    model = pliant.mujoco.MjModel.from_xml_string(EVERYTHING)
    value = np.array(getattr(model, name))
    value[...] = {"body_ipos": value + 0.1, "body_mass": 0 * value, "geom_contype": 1}[name]
    setattr(model, name, value)
    before = numbers(model)
    with pytest.raises(pliant.mujoco.FatalError, match="'|simple|collide"):
        pliant.mujoco.mj_setConst(model, pliant.mujoco.MjData(model))
    for field, old in before.items():
        np.testing.assert_array_equal(getattr(model, field), old, err_msg=field)


def test_a_geom_that_has_grown_is_hit():
    """Bounds follow sizes and places: a contact at the far end of a box is not missed."""
    model = pliant.mujoco.MjModel.from_xml_string("""<mujoco><worldbody>
      <body><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos="3 0 .2"><freejoint/><geom size=".15"/></body></worldbody></mujoco>""")
    data = pliant.mujoco.MjData(model)
    pliant.mujoco.mj_forward(model, data)
    assert data.ncon == 0
    model.geom_size[0] = [3.1, 0.1, 0.1]
    pliant.mujoco.mj_setConst(model, data)
    pliant.mujoco.mj_forward(model, data)
    assert data.ncon == 1
    np.testing.assert_allclose(data.contact.dist, 0.2 - 0.15 - 0.1, atol=1e-12)
