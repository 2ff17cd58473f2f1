"""Textures whose pixels stay in their files (embed, passthrough): the same arrays as the reference's."""

import pathlib
import sys

import mujoco
import pytest

import compare
import pliant.mujoco

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "errors"))
from schema_documents import png

CASES = {
    "plain": ("", '<texture name="t" type="2d" file="a.png"/>'),
    "asked for": ("", '<texture name="t" type="2d" file="a.png" embed="false" content_type="image/png"/>'),
    "by policy": ('passthrough="textures"', '<texture name="t" type="2d" file="a.png" colorspace="sRGB"/>'),
    "kept": ('passthrough="textures"', '<texture name="t" type="2d" file="a.png" embed="true"/>'),
    "flipped": ('passthrough="textures"', '<texture name="t" type="2d" file="a.png" hflip="true"/>'),
    "built in": ('passthrough="textures"', '<texture name="t" type="2d" builtin="flat" width="2" height="2"/>'),
    "cube": ("", '<texture name="t" type="cube" file="a.png" embed="false"/>'),
    "grid": ('passthrough="textures"', '<texture name="t" type="cube" file="a.png" gridsize="2 2" gridlayout=".R.L"/>'),
    "one side": ('passthrough="textures"', '<texture name="t" type="cube" fileright="a.png"/>'),
    "not there": ("", '<texture name="t" type="2d" file="nowhere.png" embed="false"/>'),
    "by class": ("", '<default><default class="c"><texture embed="false"/></default></default><asset>'
                     '<texture name="t" class="c" type="2d" file="a.png"/></asset>'),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_as_the_reference(tmp_path, monkeypatch, case):
    compiler, texture = CASES[case]
    asset = texture if "<default>" in texture else f"<asset>{texture}</asset>"
    (tmp_path / "a.png").write_bytes(png(10))
    (tmp_path / "m.xml").write_text(
        f'<mujoco><compiler {compiler}/>{asset}<asset><texture name="other" type="2d" builtin="flat" width="2" '
        f'height="2"/>'
        '<material name="m" texture="t"/></asset><worldbody><geom size="1" material="m"/></worldbody></mujoco>'
    )
    monkeypatch.chdir(tmp_path)
    ours = pliant.mujoco.MjModel.from_xml_path("m.xml")
    theirs = mujoco.MjModel.from_xml_path("m.xml")
    assert compare.compare_models(theirs, ours).differences == []
    by_reference = case in ("asked for", "by policy", "cube", "not there", "by class")
    assert (ours.tex_adr[0] == -1) == by_reference
