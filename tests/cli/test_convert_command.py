"""pliant convert: one flat file, whole or not at all, losses named."""

import pytest

import pliant
from test_cli import run

PART = '<mujoco><worldbody><body name="b"><joint name="{0}"/><geom size=".1"/></body></worldbody></mujoco>'
MIMIC = (
    '<mujoco><worldbody><body><joint name="a"/><geom size=".1"/><body><joint name="b"/><geom size=".1"/></body></body>'
    '</worldbody><equality><mimic joint1="b" joint2="a" gear="-1"/></equality></mujoco>'
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "part.xml").write_text(PART.format("j"))
    (tmp_path / "main.xml").write_text('<mujoco><include file="part.xml"/></mujoco>')
    (tmp_path / "mimic.xml").write_text(MIMIC)
    return tmp_path


def test_writes_one_file(folder):
    done = run("convert", "main.xml", "flat.xml", folder=folder)
    assert (done.returncode, done.stdout.strip()) == (0, "flat.xml"), done.stderr
    assert "include" not in (folder / "flat.xml").read_text()
    assert pliant.load(folder / "flat.xml").njnt == 1


def test_names_losses(folder):
    done = run("convert", "mimic.xml", "out.xml", "--for-mujoco", folder=folder)
    assert done.returncode == 0
    assert "W650" in done.stderr and "'b'" in done.stderr
    assert "<mimic" not in (folder / "out.xml").read_text()
    assert run("convert", "mimic.xml", "out.xml", "--for-mujoco", "--strict", folder=folder).returncode == 1
    kept = run("convert", "mimic.xml", "kept.xml", folder=folder)
    assert "W650" not in kept.stderr and "<mimic" in (folder / "kept.xml").read_text()


def test_leaves_nothing_behind_when_it_fails(folder):
    (folder / "bad.xml").write_text('<mujoco><option timestep="0"/></mujoco>')
    before = sorted(folder.iterdir())
    assert run("convert", "bad.xml", "out.xml", folder=folder).returncode == 2
    assert run("convert", "main.xml", "no/such/folder/out.xml", folder=folder).returncode == 2
    assert sorted(folder.iterdir()) == before


def test_help_has_an_example():
    assert "Example: pliant convert" in run("convert", "--help").stdout


def test_python_spec_writes_the_same(folder):
    spec = pliant.Spec(folder / "mimic.xml")
    assert "<mimic" in spec.to_xml()
    assert "<mimic" not in spec.to_xml(for_mujoco=True)
    assert [d.code for d in spec.diagnostics].count("W650") == 1
    spec.save(folder / "saved.xml")
    assert pliant.load(folder / "saved.xml").neq == 1
    with pytest.raises(pliant.LoadError, match="cannot write"):
        spec.save(folder / "no" / "saved.xml")


WISHES = """<mujoco><option solver="TGS" tgs_substeps="3"/><compiler inertiatolerance="0.2"/>
<default><geom stiffness="1e4" damping_contact="10"/><default class="hard"><geom solref="0.005 1"/></default></default>
<worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body pos="0 0 1"><freejoint/><geom name="ball" class="hard" size=".1"/></body>
<body pos="1 0 1"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 2.1"/>
  <geom name="rubber" size=".1" condim="1"/></body>
<body pos="2 0 1"><freejoint/><geom name="other" size=".1"/></body>
</worldbody>
<contact><pair geom1="ball" geom2="rubber" restitution="0.5"/></contact></mujoco>"""


def test_contact_attributes_and_solver_options_come_back(folder):
    """Also where a default class says what does not concern a geom, or a solref that an attribute replaces."""
    (folder / "wishes.xml").write_text(WISHES)
    done = run("convert", "wishes.xml", "kept.xml", folder=folder)
    assert done.returncode == 0 and "W650" not in done.stderr, done.stderr
    before, after = pliant.load(folder / "wishes.xml"), pliant.load(folder / "kept.xml")
    for name in "geom_solref geom_solimp geom_solmix pair_solref pair_solimp body_inertia".split():
        assert (getattr(before, name) == getattr(after, name)).all(), name
    assert (after.opt.solver, after.opt.tgs_substeps) == (before.opt.solver, 3)


def test_losses_of_contact_attributes_and_inertias_for_mujoco(folder):
    (folder / "wishes.xml").write_text(WISHES)
    done = run("convert", "wishes.xml", "standard.xml", "--for-mujoco", folder=folder)
    text = (folder / "standard.xml").read_text()
    for word in ("stiffness", "restitution", "damping_contact", "inertiatolerance", "tgs_"):
        assert word not in text
    for word in ("TGS", "'ball'", "'rubber'", "<pair", "2.1"):
        assert any("W650" in line and word in line for line in done.stderr.splitlines()), (word, done.stderr)
    mujoco = pytest.importorskip("mujoco")
    theirs = mujoco.MjModel.from_xml_path(str(folder / "standard.xml"))
    ours = pliant.load_string(WISHES.replace('solver="TGS" tgs_substeps="3"', ""))
    assert (theirs.geom_solref == ours.geom_solref).all() and (theirs.pair_solref == ours.pair_solref).all()
    # what 2.1 exceeds 1 + 1 by is shared among the three
    assert list(theirs.body_inertia[2]) == pytest.approx([1 + 0.1 / 3, 1 + 0.1 / 3, 2.1 - 0.1 / 3], rel=1e-12)
