"""The showcases do what their stories say, and what `pliant.explain` predicts."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from showcase.scenes import all_scenes


@pytest.fixture(scope="module")
def scenes():
    return {scene.name: scene for scene in all_scenes()}


def test_there_are_the_three_of_soft_contact(scenes):
    assert {"rubber_balls", "newtons_cradle", "cushion"} <= set(scenes)


def test_every_line_holds(scenes):
    broken = [(name, line) for name, scene in scenes.items() for line in scene.lines if not line.holds]
    assert not broken


def test_films_have_frames(scenes):
    for scene in scenes.values():
        assert scene.strip.count("<svg") >= 7 and "polygon" in scene.strip and "nan" not in scene.strip + scene.plot
