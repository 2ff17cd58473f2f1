"""pliant.mujoco against the package whose names it offers: fields, named access, enumerations, errors."""

import copy
import gc
import pathlib

import mujoco as reference_module
import numpy as np
import pytest

import compare
import conftest
import pliant
import pliant.mujoco
from pliant._checked import CheckedArray

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = pathlib.Path(__file__).resolve().parent / "cases"
MODELS = [CASES / "named_objects.xml", *conftest.own_models()]

ACCESSORS = (
    "actuator body cam camera eq equality exclude geom hfield jnt joint key keyframe light mat material mesh"
    " numeric pair sensor site skin tendon tex texture tuple"
).split()  # fmt: skip

# Attributes of named access in which the reference is not followed.
NOT_FOLLOWED = {
    ("tendon", "J_colind"): "the reference shows nv entries whatever the tendon has, beyond the array's end",
    ("texture", "adr"): "the reference narrows it to int32",
    ("tex", "adr"): "the reference narrows it to int32",
}
# Where an actuator has several inputs or outputs, the reference takes these rows by the actuator's id,
# which are another actuator's; pliant takes the actuator's own.
BY_ADDRESS = ("ctrllimited", "ctrlrange", "gear", "acc0", "length0", "lengthrange")


@pytest.fixture(scope="module", params=MODELS, ids=lambda path: path.stem)
def pair(request):
    """The same file in the reference and in pliant."""
    path = str(request.param)
    expected = reference_module.MjModel.from_xml_path(path)
    return expected, pliant.mujoco.MjModel.from_xml_path(path)


@pytest.fixture
def model():
    return pliant.mujoco.MjModel.from_xml_path(CASES / "named_objects.xml")


def same(expected, actual):
    if expected.dtype.kind != "f":
        return np.array_equal(expected, actual)
    scale = max(np.abs(expected).max(initial=0.0), 1e-12)
    return bool(np.all(np.abs(expected - actual) <= 1e-9 * scale))


def test_fields_look_alike(pair):
    expected, actual = pair
    for name, value in compare.reference_fields(expected):
        if name in compare.known.NOT_COMPARED:
            continue
        ours = compare.pliant_field(actual, name)
        assert ours is not compare.MISSING, name
        assert isinstance(ours, type(value)), name
        if isinstance(value, np.ndarray):
            assert (ours.shape, ours.dtype) == (value.shape, value.dtype), name
            # (assignments to integers are checked, so NumPy may not write them on its own)
            assert (ours.flags.writeable or isinstance(ours, CheckedArray)) == value.flags.writeable, name
            assert ours.flags.c_contiguous, name


def test_named_access(pair):
    expected, actual = pair
    seen = 0
    for accessor in ACCESSORS:
        theirs, ours = getattr(expected, accessor), getattr(actual, accessor)
        for index in range(1000):
            try:
                a = theirs(index)
            except IndexError:
                with pytest.raises(IndexError):
                    ours(index)
                break
            b = ours(a.name) if a.name else ours(index)
            assert (b.id, b.name) == (a.id, a.name)
            seen += 1
            for attribute in dir(a):
                if attribute.startswith("_") or attribute in ("id", "name"):
                    continue
                if (accessor, attribute) in NOT_FOLLOWED:
                    continue
                if accessor == "actuator" and attribute in BY_ADDRESS and expected.nu != expected.nactuator:
                    continue
                x, y = getattr(a, attribute), getattr(b, attribute)
                label = f"{accessor}({b.name or b.id!r}).{attribute}"
                assert (y.shape, y.dtype) == (x.shape, x.dtype), label
                assert y.flags.writeable or isinstance(y, CheckedArray), label
                if not any(name.endswith(f"_{attribute}") for name in actual.pending):
                    assert same(x, y), f"{label}: reference {x}, pliant {y}"
    assert seen > 5


def test_names_and_ids(pair):
    expected, actual = pair
    for kind in reference_module.mjtObj.__members__.values():
        for index in range(-1, 60):
            name = reference_module.mj_id2name(expected, kind, index)
            assert pliant.mujoco.mj_id2name(actual, int(kind), index) == name, (kind, index)
            if name:
                assert pliant.mujoco.mj_name2id(actual, int(kind), name) == index
        assert pliant.mujoco.mj_name2id(actual, int(kind), "no such name") == -1
        assert pliant.mujoco.mj_name2id(actual, int(kind), "") == -1


def test_enumerations():
    ours = {name for name in dir(pliant.mujoco) if name.startswith("mjt")}
    theirs = {name for name in dir(reference_module) if name.startswith("mjt")}
    assert ours == theirs
    for name in theirs:
        expected = {k: int(v) for k, v in getattr(reference_module, name).__members__.items()}
        actual = {k: int(v) for k, v in getattr(pliant.mujoco, name).__members__.items()}
        assert actual == expected, name
    body = pliant.mujoco.mjtObj.mjOBJ_BODY
    assert body == 1 and int(body) == 1 and body.value == 1 and body.name == "mjOBJ_BODY"
    assert str(body) == str(reference_module.mjtObj.mjOBJ_BODY)
    assert pliant.mujoco.mjtObj(1) is body


def test_constants():
    for name in dir(reference_module):
        value = getattr(reference_module, name)
        if name.startswith("mj") and isinstance(value, (int, float, str, tuple)):
            assert getattr(pliant.mujoco, name) == value, name
    assert pliant.mujoco.mj_version() == reference_module.mj_version()
    assert pliant.mujoco.mj_versionString() == reference_module.mj_versionString()
    assert pliant.mujoco.__version__ == reference_module.__version__


def test_writing_changes_the_model(model):
    model.body_mass[1] = 5
    assert model.body("base").mass[0] == 5
    model.body("base").mass = 6
    assert model.body_mass[1] == 6
    model.geom("bar").size[:2] = 0.3, 0.4
    bar = model.geom("bar").id
    assert model.geom_size[bar, :2].tolist() == [0.3, 0.4]
    model.joint("rail").limited = 0
    assert not model.jnt_limited[model.joint("rail").id]
    model.dof_damping = 0.25
    assert set(model.dof_damping) == {0.25}
    model.opt.gravity = [0, 0, -1]
    model.opt.gravity[0] = 2
    model.opt.timestep = 0.01
    assert model.opt.gravity.tolist() == [2, 0, -1] and model.opt.timestep == 0.01
    model.opt.integrator = pliant.mujoco.mjtIntegrator.mjINT_RK4
    assert model.opt.integrator == 1
    model.vis.global_.fovy = 50
    model.vis.rgba.fog[0] = 0.5
    assert model.vis.global_.fovy == 50 and model.vis.rgba.fog[0] == 0.5
    model.stat.extent = 3
    assert model.stat.extent == 3


def test_bad_writes(model):
    with pytest.raises(ValueError):
        model.body_mass = [1, 2]
    with pytest.raises(AttributeError):
        model.nbody = 3
    with pytest.raises(AttributeError, match="no attribute 'body_mas'.*body_mass"):
        model.body_mas = 1
    with pytest.raises(AttributeError, match="timestep"):
        model.opt.timestp = 1
    with pytest.raises(AttributeError, match="mass"):
        model.body("base").mas = 1


def test_wrong_names(model):
    with pytest.raises(KeyError, match=r"Invalid name 'bsae'. Valid names: \['base', 'door'.*Did you mean 'base'"):
        model.body("bsae")
    with pytest.raises(KeyError, match="Invalid name ''"):
        model.geom("")
    with pytest.raises(IndexError, match="Invalid index 99. Valid indices from 0 to 4"):
        model.body(99)
    with pytest.raises(IndexError):
        model.body(-1)
    with pytest.raises(TypeError):
        model.body(1.5)
    with pytest.raises(AttributeError, match="Did you mean 'body_mass'"):
        _ = model.body_mas
    with pytest.raises(AttributeError, match="Did you mean 'mass'.*It has: "):
        _ = model.body("base").mas
    with pytest.raises(AttributeError, match="Did you mean 'timestep'"):
        _ = model.opt.timestp
    # what Pliant does not have may be mentioned, not used
    with pytest.raises(NotImplementedError, match="mj_loadPluginLibrary.*has no plugins"):
        pliant.mujoco.mj_loadPluginLibrary("x.so")
    with pytest.raises(AttributeError, match="Did you mean 'MjModel'"):
        _ = pliant.mujoco.MJModel
    with pytest.raises(ValueError, match="no kind of object is called 'gem'"):
        model.origin("gem", 0)
    with pytest.raises(TypeError):
        pliant.mujoco.MjModel()


def test_views_keep_the_model_alive():
    path = CASES / "named_objects.xml"
    mass = pliant.load(path).body_mass
    gravity = pliant.load(path).opt.gravity
    size = pliant.mujoco.MjModel.from_xml_path(path).geom("bar").size
    before = mass.copy(), gravity.copy(), size.copy()
    gc.collect()
    for _ in range(5):  # would overwrite freed memory
        pliant.load(path)
    assert np.array_equal(mass, before[0])
    assert np.array_equal(gravity, before[1])
    assert np.array_equal(size, before[2])


def test_copies_are_independent(model):
    for other in (copy.copy(model), copy.deepcopy(model), pliant.Model(model)):
        assert other.names == model.names and other.origin("geom", 0) == model.origin("geom", 0)
        other.body_mass[1] = 77
        other.opt.timestep = 0.5
        assert model.body_mass[1] != 77 and model.opt.timestep != 0.5


def test_assets_in_memory():
    xml = '<mujoco><include file="part.xml"/><worldbody><geom size="1"/></worldbody></mujoco>'
    part = b'<mujoco><worldbody><body name="b"><geom name="g" size="2"/></body></worldbody></mujoco>'
    assets = {"part.xml": part}
    model = pliant.mujoco.MjModel.from_xml_string(xml, assets)
    expected = reference_module.MjModel.from_xml_string(xml, assets)
    assert model.names == expected.names
    assert np.array_equal(model.geom_size, expected.geom_size)
    assert pliant.load_string(xml, assets).nbody == 2
    with pytest.raises(pliant.LoadError):
        pliant.mujoco.MjModel.from_xml_string(xml)


def test_load_error():
    xml = '<mujoco>\n  <worldbody>\n    <geom frcition="1" size="1"/>\n    <boddy/>\n  </worldbody>\n</mujoco>'
    with pytest.raises(ValueError) as caught:
        pliant.load_string(xml)
    error = caught.value
    assert isinstance(error, pliant.LoadError)
    errors = [finding for finding in error.diagnostics if finding.severity == "error"]
    assert len(errors) == 2
    first = errors[0]
    assert (first.line, first.element) == (3, "geom") and first.code.startswith("E2")
    assert "frcition" in first.message and "friction" in first.hint
    assert first.text in str(error) and f"[{first.code}]" in first.text
    with pytest.raises(pliant.LoadError, match="no-such-file.xml"):
        pliant.load("no-such-file.xml")


def test_origins(model):
    path = str(CASES / "named_objects.xml")
    lines = pathlib.Path(path).read_text().splitlines()
    for kind, name in (("body", "door"), ("geom", "bar"), ("joint", "hinge"), ("sensor", "imu")):
        view = getattr(model, kind)(name)
        assert view.origin == model.origin(kind, view.id)
        file, line, _ = view.origin.rsplit(":", 2)
        assert file.endswith("named_objects.xml") and f'name="{name}"' in lines[int(line) - 1]
    assert model.origin("body", 99) == ""


def test_ledger(model):
    fates = {(entry.element, entry.attribute): entry.fate for entry in model.ledger}
    assert fates["body", "pos"] == "kept"
    assert set(fates.values()) <= {"kept", "approximated", "ignored", "unsupported"}


def test_pliant_model_has_the_fields_too():
    model = pliant.load(CASES / "named_objects.xml")
    assert model.nbody == 5 and model.body_pos.shape == (5, 3)
    assert model.model_name == "named objects"
    assert model.name("body", 1) == "base" and model.id("geom", "bar") >= 0
    assert model.count("geom") == model.ngeom
    assert model.bytes > 0 and model.diagnostics == []
    with pytest.raises(AttributeError, match="Did you mean 'body_mass'"):
        _ = model.body_mas


def test_text_that_is_not_utf8(tmp_path):
    path = tmp_path / "latin.xml"
    path.write_bytes(b'<mujoco>\n<worldbody><geom name="\xe9" sise="1"/></worldbody></mujoco>')
    with pytest.raises(pliant.LoadError) as caught:
        pliant.load(path)
    assert all(finding.text and finding.message for finding in caught.value.diagnostics)
