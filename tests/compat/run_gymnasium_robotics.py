"""gymnasium-robotics: one environment of every kind that MuJoCo's package simulates."""

import gymnasium
import gymnasium_robotics

from common import gymnasium_run

PACKAGE = "gymnasium-robotics"
gymnasium.register_envs(gymnasium_robotics)
NAMES = """
    FetchReach-v4 FetchPush-v4 FetchSlide-v4 FetchPickAndPlace-v4 FetchReachDense-v4 HandReach-v3
    HandManipulateBlock-v1 HandManipulateEgg-v1 HandManipulatePen-v1 AdroitHandDoor-v1 AdroitHandHammer-v1
    AdroitHandPen-v1 AdroitHandRelocate-v1 FrankaKitchen-v1 PointMaze_UMaze-v3 PointMaze_Medium-v3 AntMaze_UMaze-v5
    AntMaze_Medium-v5
""".split()


def runs(steps):
    for name in NAMES:
        yield name, lambda name=name: gymnasium_run(lambda: gymnasium.make(name), steps)
