"""gym-quadruped: all its robots on flat ground."""

from gym_quadruped.quadruped_env import QuadrupedEnv

from common import gymnasium_run

PACKAGE = "gym_quadruped"
ROBOTS = "a2 aliengo b2 go1 go2 hyqreal1 hyqreal2 mini_cheetah spot".split()


def runs(steps):
    for robot in ROBOTS:
        yield robot, lambda robot=robot: gymnasium_run(lambda: make(robot), steps)


def make(robot):
    environment = QuadrupedEnv(robot, scene="flat")
    environment.action_space.low[:], environment.action_space.high[:] = -20, 20  # (some have no limits)
    return environment
