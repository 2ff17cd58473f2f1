"""mo-gymnasium: its MuJoCo environments."""

import gymnasium
import mo_gymnasium

from common import gymnasium_run

PACKAGE = "mo-gymnasium"
NAMES = """
    mo-halfcheetah-v5 mo-hopper-v5 mo-walker2d-v5 mo-ant-v5 mo-humanoid-v5 mo-swimmer-v5 mo-reacher-v5
""".split()


def runs(steps):
    known = [name for name in NAMES if name in gymnasium.registry]
    for name in known:
        yield name, lambda name=name: gymnasium_run(lambda: mo_gymnasium.make(name), steps)
