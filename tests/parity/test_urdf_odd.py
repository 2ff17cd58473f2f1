"""Odd but valid URDFs, as they are about: each loads, says what there is to say and nothing else, and has a fate for
everything in it."""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import pliant
import urdf_ledger

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import seeds

INERTIAL = '<inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'


def link(name, more="", inertial=INERTIAL):
    return f'<link name="{name}">{inertial}{more}</link>'


def joint(name, kind, parent, child, more='<limit lower="-1" upper="1" effort="1" velocity="0"/>'):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>'


def robot(*parts, attributes='name="r"'):
    return f"<robot {attributes}>" + "".join(parts) + "</robot>"


def mesh(file, more="", kind="collision"):
    return f'<{kind}><geometry><mesh filename="{file}"{more}/></geometry></{kind}>'


TWO = link("a") + link("b")
HINGE = joint("j", "revolute", "a", "b")


def qpos(model, values):
    """Poses of bodies by name, at joint positions by name."""
    state, data = pliant.State(model), pliant.Data(model)
    for name, value in values.items():
        state.qpos[model.jnt_qposadr[model.id("joint", name)]] = value
    pliant.forward(model, state, data)
    return {model.name("body", i): np.array(data.xpos[i]) for i in range(model.nbody)}


def distances(points):
    """Between all of them; meshes are kept in a frame of their own."""
    return np.linalg.norm(points[:, None] - points[None], axis=-1)


# ---- texts: what they are called, codes of all findings, and what must hold ------------------------------------------

ODD = {}


def odd(*codes, **options):
    """A function that gives a document; it may go on to look at the model: `yield text`, then `yield` gives the model
    back."""

    def add(function):
        ODD[function.__name__] = (function, set(codes), options)
        return function

    return add


@odd()
def byte_order_mark():
    model = yield b"\xef\xbb\xbf" + robot(TWO, HINGE).encode()
    assert model.njnt == 1


@odd()
def windows_line_ends_and_tabs():
    model = yield ('<?xml version="1.0"?>\r\n' + robot(TWO, HINGE)).replace("><", ">\r\n\t<")
    assert model.njnt == 1


@odd()
def comments_everywhere():
    model = yield "<!-- head -->" + robot(TWO, HINGE).replace("><", "><!-- a - b --><") + "<!-- foot -->"
    assert model.njnt == 1


@odd()
def processing_instructions_and_xmlns():
    text = robot(
        TWO, HINGE, attributes='name="r" xmlns:xacro="http://www.ros.org/wiki/xacro" xmlns="http://drake.mit.edu"'
    )
    model = yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><?xml-model href="urdf.xsd"?>' + text
    assert model.njnt == 1


@odd()
def names_with_spaces_and_letters_of_all_kinds():
    model = yield robot(
        link("left arm"), link("Gelenk №1/ä"), joint("a joint", "continuous", "left arm", "Gelenk №1/ä", "")
    )
    assert model.id("body", "Gelenk №1/ä") > 0 and model.id("joint", "a joint") == 0


@odd()
def names_with_entities():
    model = yield robot(link("a&amp;b"), link("c&#x41;"), joint("&lt;j&gt;", "continuous", "a&amp;b", "cA", ""))
    assert model.id("joint", "<j>") == 0


@odd()
def joints_before_links_children_first():
    parts = [joint("k", "continuous", "b", "c", ""), HINGE, link("c"), link("b"), link("a")]
    model = yield robot(*parts)
    assert [model.name("body", i) for i in (1, 2, 3)] == ["a", "b", "c"]


@odd("W631")
def xacro_leftovers():
    model = yield robot(
        '<xacro:property name="w" value="1"/><xacro:include filename="x.xacro"/>', TWO, HINGE,
        attributes='name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"',
    )  # fmt: skip
    assert model.njnt == 1


@odd("W631")
def gazebo_elements_everywhere():
    plugin = '<gazebo><plugin name="p" filename="lib.so"><topic>x</topic><a b="1">2</a></plugin></gazebo>'
    more = '<gazebo reference="a"><material>Gazebo/Red</material><mu1>0.2</mu1></gazebo><gazebo reference="j"/>'
    model = yield robot(TWO, HINGE, plugin, more)
    assert sum(entry.element == "a" for entry in model.ledger) == 2


@odd("W631")
def ros2_control():
    block = (
        '<ros2_control name="s" type="system"><hardware><plugin>x/Y</plugin><param name="p">1.0</param></hardware>'
        '<joint name="j"><command_interface name="position"><param name="min">-1</param></command_interface>'
        '<state_interface name="velocity"/></joint></ros2_control>'
    )
    model = yield robot(TWO, HINGE, block)
    assert model.njnt == 1


@odd(actuators="effort")
def transmission_with_several_joints():
    more = joint("k", "continuous", "b", "c", '<limit effort="3" velocity="0"/>') + joint(
        "l", "continuous", "c", "d", ""
    )
    transmission = (
        '<transmission name="t"><type>transmission_interface/DifferentialTransmission</type>'
        '<joint name="j"><hardwareInterface>E</hardwareInterface><mechanicalReduction>2</mechanicalReduction></joint>'
        '<joint name="k"/><actuator name="m1"><mechanicalReduction>50</mechanicalReduction></actuator>'
        '<actuator name="m2"/></transmission>'
    )
    model = yield robot(TWO, link("c"), link("d"), HINGE, more, transmission)
    assert [model.name("actuator", i) for i in range(model.nu)] == ["j", "k"]
    assert model.actuator_forcerange[1].tolist() == [-3, 3]


@odd("W631")
def transmission_of_pr2():
    model = yield robot(
        TWO, HINGE, '<transmission name="t" type="pr2/Simple"><actuator name="m"/><joint name="j"/>'
        '<simulated_actuated_joint name="x" simulated_reduction="3"/><mechanicalReduction>3</mechanicalReduction>'
        '</transmission>',
    )  # fmt: skip
    assert model.nu == 0


@odd()
def root_without_inertial():
    model = yield robot(link("a", inertial=""), link("b"), HINGE)
    assert model.body_mass[1] == 0 and model.body_mass[2] == 2


@odd("W632", floating_base=True)
def floating_root_without_inertial():
    model = yield robot(link("a", inertial=""), link("b"), HINGE)
    assert 0 < model.body_mass[1] < 1e-6


@odd()
def root_called_world_with_shapes():
    ground = '<collision><geometry><box size="9 9 1"/></geometry></collision>'
    model = yield robot(link("world", ground, ""), link("b"), joint("f", "floating", "world", "b", ""))
    assert model.geom_bodyid.tolist() == [0] and (model.nbody, model.nv) == (2, 6)


@odd()
def floating_on_what_moves():
    model = yield robot(TWO, link("c"), HINGE, joint("f", "floating", "b", "c", ""))
    assert model.nv == 7 and model.id("joint", "f_R") >= 0


@odd()
def planar_about_a_tilted_axis():
    model = yield robot(TWO, joint("p", "planar", "a", "b", '<axis xyz="0.6 0 0.8"/>'))
    moved = qpos(model, {"p_TX": 0.3, "p_TY": 0.4})["b"]
    assert np.linalg.norm(moved) == pytest.approx(0.5) and moved @ [0.6, 0, 0.8] == pytest.approx(0, abs=1e-15)


@odd("W604")
def continuous_with_limits():
    model = yield robot(
        TWO, joint("j", "continuous", "a", "b", '<limit lower="-1" upper="1" effort="4" velocity="2"/>')
    )
    assert not model.jnt_limited[0] and model.jnt_actfrcrange[0].tolist() == [-4, 4]


@odd()
def axis_of_any_length():
    model = yield robot(TWO, joint("j", "continuous", "a", "b", '<axis xyz="0 0 -1000"/>'))
    assert model.jnt_axis[0].tolist() == [0, 0, -1]


@odd("W630")  # at zero the second joint is not where the mimic wants it
def mimic_chain_across_types():
    parts = [TWO, link("c"), link("d"), HINGE]
    parts.append(
        joint(
            "k",
            "prismatic",
            "b",
            "c",
            '<limit lower="-9" upper="9" effort="1" velocity="0"/><mimic joint="j" multiplier="0.5" offset="0.1"/>',
        )
    )
    parts.append(joint("l", "continuous", "c", "d", '<mimic joint="k" multiplier="-2" offset="0.2"/>'))
    model = yield robot(*parts)
    state, data = pliant.State(model), pliant.Data(model)
    state.qpos[0] = 0.4
    for _ in range(200):
        pliant.step(model, state, data)
    j, k, last = state.qpos
    assert k == pytest.approx(0.5 * j + 0.1, abs=1e-12) and last == pytest.approx(-2 * k + 0.2, abs=1e-12)


@odd()
def mimic_before_its_leader():
    parts = [joint("k", "continuous", "b", "c", '<mimic joint="j"/>'), TWO, link("c"), HINGE]
    model = yield robot(*parts)
    assert model.neq == 1


@odd()
def numbers_as_people_write_them():
    text = (
        robot(TWO, HINGE)
        .replace('value="2"', 'value=" +2.0e0 "')
        .replace('ixx="0.1"', 'ixx="1E-1"')
        .replace('iyy="0.1"', 'iyy=".1"')
    )
    model = yield text
    assert model.body_mass[2] == 2 and np.allclose(model.body_inertia[2], 0.1)


@odd()
def origins_over_several_lines():
    model = yield robot(
        TWO, joint("j", "continuous", "a", "b", '<origin xyz="1\n 2\t3" rpy="0 0  1.5707963267948966"/>')
    )
    assert np.allclose(qpos(model, {})["b"], [1, 2, 3])


@odd()
def empty_and_repeated_materials():
    colour = '<visual><geometry><sphere radius="0.1"/></geometry><material name="{}">{}</material></visual>'
    red = '<color rgba="1 0 0 1"/>'
    shapes = colour.format("later", "") + colour.format("", red) + colour.format("later", "")
    model = yield robot(link("a", shapes), '<material name="later"><color rgba="0 0 1 1"/></material>')
    assert model.geom_rgba[:, :3].tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 1]]


@odd()
def shapes_with_the_same_name():
    shape = '<collision name="c"><geometry><sphere radius="0.1"/></geometry></collision>'
    model = yield robot(link("a", shape + shape.replace("0.1", "0.2")))
    assert model.ngeom == 2


@odd()
def fixed_with_everything_a_joint_can_have():
    more = (
        '<axis xyz="0 0 0"/><limit lower="0" upper="0" effort="0" velocity="0"/><dynamics damping="0.1"/>'
        '<calibration rising="0"/>'
    )
    model = yield robot(TWO, joint("f", "fixed", "a", "b", more))
    assert model.njnt == 0 and model.nbody == 3


@odd()
def soft_limits_and_calibration():
    more = (
        '<limit lower="-1" upper="1" effort="1" velocity="0"/>'
        '<safety_controller k_velocity="10" k_position="15" soft_lower_limit="-0.9" soft_upper_limit="0.9"/>'
        '<calibration reference_position="0"/>'
    )
    model = yield robot(TWO, joint("j", "revolute", "a", "b", more))
    assert model.jnt_range[0].tolist() == [-1, 1]


@odd("W604")
def attributes_of_others():
    model = (
        yield robot(TWO, HINGE)
        .replace('<link name="a">', '<link name="a" concave="no">')
        .replace("<robot ", '<robot xyz="1" ')
    )
    assert model.njnt == 1


@odd("W113")
def text_between_elements():
    model = yield robot(TWO, "a note", HINGE)
    assert model.njnt == 1


@odd()
def one_link_and_nothing_else():
    model = yield '<robot><link name="a"/></robot>'
    assert (model.nbody, model.nv) == (2, 0)


@odd()
def mesh_mirrored_by_its_scale():
    model = yield robot(link("a", mesh("m.obj") + mesh("m.obj", ' scale="-1 1 1"')))
    assert model.nmesh == 2 and np.allclose(distances(model.mesh_vert[:5]), distances(model.mesh_vert[5:]), atol=1e-6)


@odd()
def mesh_with_one_number_as_scale():
    model = yield robot(link("a", mesh("m.obj", ' scale="0.001"', "visual")))
    assert np.ptp(model.mesh_vert) <= 2e-3


@odd()
def mesh_twice_in_two_scales():
    model = yield robot(
        link("a", mesh("m.obj", "", "visual") + mesh("m.obj", ' scale="2 2 2"', "visual") + mesh("m.obj", "", "visual"))
    )
    assert (model.nmesh, model.ngeom) == (2, 3)


@odd()
def mesh_suffix_in_capitals():
    model = yield robot(link("a", mesh("M.OBJ") + mesh("M.DAE")))
    assert model.nmesh == 2


@odd("W605")
def visual_without_its_file():
    model = yield robot(link("a", mesh("package://nowhere/x.dae", "", "visual")), link("b"), HINGE)
    assert model.ngeom == 0


@odd()
def settings_of_mujoco():
    model = yield robot(
        '<mujoco><compiler discardvisual="false" fusestatic="true"/><option timestep="0.01"/></mujoco>',
        TWO,
        joint("f", "fixed", "a", "b", ""),
    )
    assert model.opt.timestep == 0.01 and model.nbody < 3


@pytest.mark.parametrize("name", ODD)
def test_odd(name):
    function, codes, options = ODD[name]
    steps = function()
    text = next(steps)
    data = text if isinstance(text, bytes) else text.encode()
    assets = {"m.obj": seeds.obj(), "M.OBJ": seeds.obj(), "M.DAE": seeds.dae().encode()}
    model = pliant.load_string(data.decode(), assets=assets, urdf=options)
    findings = [finding for finding in model.diagnostics if finding.code != "W634"]
    assert {finding.code for finding in findings} == codes, [finding.text for finding in findings]
    assert all(finding.line > 0 for finding in findings)
    urdf_ledger.assert_complete(ElementTree.fromstring(data), model.ledger)
    with pytest.raises(StopIteration):
        steps.send(model)


def test_there_are_many():
    assert len(ODD) >= 30


def test_packages_in_several_folders(tmp_path, monkeypatch):
    """The first folder of the list that has the file wins; then the environment's; then those above the model."""
    text = robot(link("a", mesh("package://p/m.obj")))
    (tmp_path / "above" / "p" / "urdf").mkdir(parents=True)
    path = tmp_path / "above" / "p" / "urdf" / "r.urdf"
    path.write_text(text)

    def put(folder, size):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        scaled = "\n".join(
            "v " + " ".join(str(float(x) * size) for x in line.split()[1:]) if line.startswith("v ") else line
            for line in seeds.obj().decode().splitlines()
        )
        (tmp_path / folder / "m.obj").write_text(scaled)

    def size(**options):
        return round(distances(pliant.load(path, urdf=options).mesh_vert).max() / 3**0.5)  # that of a cube's corners

    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    put("above/p", 2)
    assert size() == 2
    put("env/share/p", 3)
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{tmp_path / 'env'}")
    assert size() == 3
    put("one/p", 4), put("two/p", 5)
    assert size(package_paths=[str(tmp_path / "empty"), str(tmp_path / "one"), str(tmp_path / "two")]) == 4
    assert size(package_paths=[str(tmp_path / "two"), str(tmp_path / "one")]) == 5
    assert size(package_paths=[str(tmp_path / "one" / "p")]) == 4  # the package itself
