"""pliant convert: one flat file, whole or not at all, losses named."""

import pliant
import pytest
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
