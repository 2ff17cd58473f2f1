"""ogbench: locomotion and manipulation environments."""

import gymnasium
import ogbench  # noqa: F401

from common import gymnasium_run

PACKAGE = "ogbench"
# cubes, scenes and puzzles start from numbers that no seed reaches: two runs of the reference differ, too
NAMES = """
    pointmaze-medium-v0 antmaze-medium-v0 humanoidmaze-medium-v0 antsoccer-arena-v0 cube-single-v0 cube-double-v0
    scene-v0 puzzle-3x3-v0
""".split()


def runs(steps):
    for name in NAMES:
        yield name, lambda name=name: gymnasium_run(lambda: gymnasium.make(name), steps)
