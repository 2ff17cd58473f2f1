"""Bad URDFs: every finding about the files in urdf/cases is compared, word for word, with urdf/golden.
golden_files.py says how to rewrite them.
"""

import pathlib

import pytest

import golden_files
import pliant
import pliant.mujoco

HERE = pathlib.Path(__file__).resolve().parent / "urdf"
CASES = HERE / "cases"
GOLDEN = HERE / "golden"

LINK = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
FIXED = '<joint name="{0}" type="fixed"><parent link="{1}"/><child link="{2}"/></joint>'


@pytest.fixture(autouse=True)
def in_cases(monkeypatch):
    monkeypatch.chdir(CASES)  # paths in the findings are then relative
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.glob("*.urdf")))
def test_golden(case):
    # folders above the case are looked through for packages
    assert golden_files.compare(case, GOLDEN, hide=str(CASES.parents[3])), "a bad file without a word about it"


def test_golden_files_and_cases_belong_together():
    cases = {path.stem for path in CASES.glob("*.urdf")}
    assert {path.stem for path in GOLDEN.iterdir()} == cases
    assert len(cases) >= 30


def refusal(xml):
    with pytest.raises(pliant.LoadError) as error:
        pliant.load_string(xml)
    return {finding.code for finding in error.value.diagnostics}


def test_huge_file(tmp_path):
    huge = tmp_path / "huge.urdf"
    with huge.open("wb") as out:
        out.truncate((1 << 31) + 1)  # takes no room on the disk
    text, _ = golden_files.outcome(huge)
    assert "E108" in text and text.endswith("refused\n")


def test_long_chain_is_refused():
    def chain(n):
        return (
            "<robot>"
            + "".join(LINK.format(f"l{i}") for i in range(n))
            + "".join(FIXED.format(f"j{i}", f"l{i}", f"l{i + 1}") for i in range(n - 1))
            + "</robot>"
        )

    assert pliant.load_string(chain(300)).nbody == 301
    assert "E107" in refusal(chain(3000))


def test_deep_nesting():
    assert "E107" in refusal("<robot>" + "<link>" * 5000 + "</link>" * 5000 + "</robot>")


def test_content_decides_not_the_suffix(tmp_path):
    document = "<robot>" + LINK.format("a") + "</robot>"
    for name in ("robot.xml", "robot.urdf", "robot"):
        (tmp_path / name).write_text(document)
        assert pliant.load(tmp_path / name).nbody == 2
        assert pliant.mujoco.MjModel.from_xml_path(tmp_path / name).nbody == 2
    assert pliant.mujoco.MjModel.from_xml_string(document).nbody == 2


def test_all_problems_at_once():
    """Problems of links, joints and of the tree do not hide each other."""
    codes = refusal(
        "<robot>"
        + LINK.format("a")
        + LINK.format("b").replace('"1"/>', '"x"/>', 1)
        + '<joint name="j" type="hinge"><parent link="a"/><child link="c"/></joint></robot>'
    )
    assert {"E208", "E211", "E302", "E431"} <= codes


BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
HINGE = (
    '<joint name="{0}" type="continuous"><origin xyz="0.2 0 0"/><parent link="{1}"/><child link="{2}"/>'
    '<axis xyz="0 0 1"/></joint>'
)


def test_overlapping_links_are_named():
    """Neighbours may overlap; others are named, unless they do not collide."""
    links = "".join(LINK.format(name).replace("</link>", BOX + "</link>") for name in "abc")
    document = f"<robot>{links}{HINGE.format('j', 'a', 'b')}{HINGE.format('k', 'b', 'c')}</robot>"
    overlaps = [f.message for f in pliant.load_string(document).diagnostics if f.code == "W635"]
    assert len(overlaps) == 1 and "'a' and 'c'" in overlaps[0]
    apart = pliant.load_string(document, urdf={"self_collision": False})
    assert not [f for f in apart.diagnostics if f.code == "W635"]


def test_meshes_with_far_more_triangles_than_their_hull_are_named():
    """A cube whose faces are cut into 60 × 60 squares."""
    n = 60
    vertices, faces = [], []
    for axis in range(3):
        for side in (0, 1):
            first = len(vertices) + 1
            for i in range(n + 1):
                for j in range(n + 1):
                    corner = [i / n, j / n]
                    corner.insert(axis, side)
                    vertices.append("v {} {} {}".format(*corner))
            for i in range(n):
                for j in range(n):
                    a = first + i * (n + 1) + j
                    square = [a, a + 1, a + n + 2, a + n + 1]
                    square = square[::-1] if side == (axis == 1) else square
                    faces += ["f {} {} {}".format(*square[:3]), "f {} {} {}".format(square[0], *square[2:])]
    mesh = '<collision><geometry><mesh filename="cube.obj"/></geometry></collision>'
    document = "<robot>" + LINK.format("a").replace("</link>", mesh + "</link>") + "</robot>"
    model = pliant.load_string(document, assets={"cube.obj": "\n".join(vertices + faces).encode()})
    messages = [finding.message for finding in model.diagnostics if finding.code == "W634"]
    assert len(messages) == 1 and f"has {12 * n * n} triangles, its hull, which is what collides, 12" in messages[0]


def test_a_world_that_should_float_is_named():
    document = "<robot>" + LINK.format("world") + LINK.format("b") + HINGE.format("j", "world", "b") + "</robot>"
    findings = pliant.load_string(document, urdf={"floating_base": True}).diagnostics
    assert any("it cannot float" in finding.message for finding in findings)


def test_a_base_of_very_many_links_is_named():
    """Only so many pairs of links that no contact is for; beyond, it is said which joint's."""
    shaped = "".join(LINK.format(f"l{i}").replace("</link>", BOX + "</link>") for i in range(205))
    fixed = "".join(FIXED.format(f"f{i}", "l0" if i < 102 else "l102", f"l{i}") for i in range(1, 205) if i != 102)
    findings = pliant.load_string("<robot>" + shaped + fixed + HINGE.format("j", "l0", "l102") + "</robot>").diagnostics
    assert [f.message for f in findings if "too many links" in f.message and "'j'" in f.message]


def test_options():
    document = (
        "<robot>"
        + "".join(LINK.format(name) for name in "abc")
        + FIXED.format("f", "a", "b")
        + HINGE.format("j", "b", "c")
        + "</robot>"
    )
    assert pliant.load_string(document).nbody == 4
    assert pliant.load_string(document, urdf={"fuse_fixed": True}).nbody < 4
    assert pliant.load_string(document, urdf={"floating_base": True}).nv == 7
    assert pliant.load_string(document).nu == 0
    for kind in ("effort", "position"):
        assert pliant.load_string(document, urdf={"actuators": kind}).nu == 1
    with pytest.raises(ValueError, match="flaoting"):
        pliant.load_string(document, urdf={"flaoting": True})
