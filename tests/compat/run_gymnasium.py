"""gymnasium: its eleven MuJoCo environments."""

import gymnasium

from common import gymnasium_run

PACKAGE = "gymnasium"
NAMES = """
    Ant-v5 HalfCheetah-v5 Hopper-v5 Humanoid-v5 HumanoidStandup-v5 InvertedDoublePendulum-v5 InvertedPendulum-v5
    Pusher-v5 Reacher-v5 Swimmer-v5 Walker2d-v5
""".split()


def runs(steps):
    for name in NAMES:
        yield name, lambda name=name: gymnasium_run(lambda: gymnasium.make(name), steps)
