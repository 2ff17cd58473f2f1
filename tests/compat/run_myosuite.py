"""myosuite: the environments of MyoBase, one of each kind."""

import gymnasium
import myosuite

from common import gymnasium_run

PACKAGE = "myosuite"


def runs(steps):
    for name in myosuite.myosuite_myobase_suite:
        yield name, lambda name=name: gymnasium_run(lambda: gymnasium.make(name), steps)
