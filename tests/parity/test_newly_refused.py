"""Files that 3.12 took and 4.0 refuses: so does Pliant, at the place of the mistake."""

import mujoco
import pytest

import pliant

BODY = "<body name='{n}'><joint name='{n}' {joint}/><geom size='.1' pos='1 0 0'/></body>"


def world(content, rest="", compiler=""):
    return f"<mujoco><compiler {compiler}/><worldbody>{content}</worldbody>{rest}</mujoco>"


def body(name="j", joint=""):
    return BODY.format(n=name, joint=joint)


SITES = "<site name='a'/><site name='b' pos='1 0 0'/><site name='c' pos='2 0 0'/><site name='d' pos='3 0 0'/>"


def pulley(divisor):
    return world(SITES, "<tendon><spatial><site site='a'/><site site='b'/>"
                 f"<pulley divisor='{divisor}'/><site site='c'/><site site='d'/></spatial></tendon>")  # fmt: skip


VISUAL = "<geom size='.1' contype='0' conaffinity='0'/>"
BONE = "<bone body='j' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/>"
CASES = {
    "hfield of one row": (
        "<mujoco><asset><hfield name='h' nrow='1' ncol='2' size='1 1 1 1'/></asset></mujoco>", "2 rows"),
    "hfield of one column": (
        "<mujoco><asset><hfield name='h' nrow='2' ncol='1' size='1 1 1 1' elevation='0 "
        "1'/></asset></mujoco>", "2 columns"),
    "fixed tendon of a ball": (
        world(body(joint="type='ball'"), "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>"), "hinge"),
    "fixed tendon of a free joint": (
        world(body(joint="type='free'"), "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>"), "hinge"),
    "fixed tendon of one joint twice": (
        world(body(), "<tendon><fixed><joint joint='j' coef='1'/><joint joint='j' "
        "coef='2'/></fixed></tendon>"), "twice"),
    "negative armature": (
        world(body(), "<tendon><fixed armature='-1'><joint joint='j' coef='1'/></fixed></tendon>"), "armature"),
    "pulley 0": (pulley(0), "divisor"),
    "pulley -1": (pulley(-1), "divisor"),
    "projection without pixels": (
        world("<site name='s'/><camera name='c' resolution='0 0'/>",
              "<sensor><camprojection site='s' camera='c'/></sensor>"), "pixels"),
    "negative pixels": (
        world("<site name='s'/><camera name='c' resolution='-1 5'/>",
              "<sensor><camprojection site='s' camera='c'/></sensor>"), "resolution"),
    "rangefinder without pixels": (
        world("<camera name='c' resolution='0 4'/>", "<sensor><rangefinder camera='c'/></sensor>"), "pixels"),
    "skin face out of range": (
        world(body(), f"<deformable><skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 "
        f"3'>{BONE}</skin></deformable>"), "vertex 3"),
    "skin face negative": (
        world(body(), f"<deformable><skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 "
        f"-1'>{BONE}</skin></deformable>"), "vertex -1"),
    "discarded mass": (
        world(f"<body><geom size='.2'/>{VISUAL}</body>", compiler="discardvisual='true' inertiafromgeom='true'"),
        "inertiafromgeom"),
    "light too soft": (world("<light softness='1.5'/>"), "between 0 and 1"),
    "light of negative softness": (world("<light softness='-.1'/>"), "between 0 and 1"),
    "cone of two edges": ("<mujoco><asset><mesh name='m' builtin='cone' params='2 0'/></asset></mujoco>", "between"),
    "cone too wide": ("<mujoco><asset><mesh name='m' builtin='cone' params='3 2'/></asset></mujoco>", "between"),
    "composite": (
        world("<composite type='cable' count='3 1 1' curve='s' size='1'/>"), "flexcomp"),
    "flexvert": ("<mujoco><equality><flexvert flex='x'/></equality></mujoco>", "removed"),
    "yield of a free joint": (world(body(joint="type='free' springyield='1'")), "yield"),
    "negative yield": (world(body(joint="springyield='-1'")), "negative"),
    "velocity of a net force": (
        world(body(), "<sensor><contact body1='j' data='linvel' reduce='netforce'/></sensor>"), "netforce"),
    "mesh of a box site": (
        "<mujoco><asset><mesh name='m' builtin='sphere' params='0'/></asset><worldbody>"
        "<site type='box' mesh='m' size='1 1 1'/></worldbody></mujoco>", "mesh"),
    "mesh site without mesh": (world("<site type='mesh'/>"), "mesh"),
    "flipped texture by reference": (
        "<mujoco><asset><texture name='t' type='2d' file='a.png' hflip='true' "
        "embed='false'/></asset></mujoco>", "flipped"),
    "four channels": (
        "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='2' height='2' "
        "nchannel='4'/></asset></mujoco>",
        "channels"),
    "too much plastic": (
        world(body(joint="springyield='1'"), "<keyframe><key plastic='1 2'/></keyframe>"), "plastic"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_refused_by_both(case):
    xml, word = CASES[case]
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(pliant.LoadError) as error:
        pliant.load_string(xml)
    errors = [f for f in error.value.diagnostics if f.severity == "error"]
    assert len(errors) == 1 and word in errors[0].message + errors[0].hint, errors
    assert errors[0].line == 1


def test_one_file_under_two_names(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "part.xml").write_text("<mujocoinclude><geom size='.1'/></mujocoinclude>")
    main = tmp_path / "main.xml"
    main.write_text(world('<include file="part.xml"/><include file="sub/../part.xml"/>'))
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_path(str(main))
    with pytest.raises(pliant.LoadError) as error:
        pliant.load(str(main))
    assert [f.code for f in error.value.diagnostics] == ["E110"]


def test_ipc_is_refused_by_name():
    with pytest.raises(pliant.LoadError) as error:
        pliant.load_string("<mujoco><option><flag ipc='enable'/></option></mujoco>")
    assert "ipc" in str(error.value) and "deformable" in str(error.value)
    pliant.load_string("<mujoco><option><flag ipc='disable'/></option></mujoco>")


def test_deprecated_attributes_warn():
    text = (
        "<mujoco><compiler settotalmass='2'/><statistic meaninertia='1'/><worldbody><body><geom "
        "size='.1'/></body></worldbody></mujoco>"
    )
    model = pliant.load_string(text)
    assert [f.code for f in model.diagnostics].count("W616") == 2
    assert abs(model.body_mass.sum() - 2) < 1e-12
