"""The scenes: what each is predicted to do, what it does, and whether that is what its story says."""

import dataclasses
import math
import pathlib

import numpy

import pliant

from . import film

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
FRAMES = 8


@dataclasses.dataclass
class Line:
    """A line of the table: a quantity predicted and simulated, or (`predicted` None) a claim about simulated ones."""

    quantity: str
    predicted: float | None
    simulated: float
    unit: str
    holds: bool


@dataclasses.dataclass
class Scene:
    name: str
    story: str
    lines: list
    plot: str
    strip: str
    run: "Run"


class Run:
    """A simulation with its positions, velocities and a few frames of film."""

    def __init__(self, name, seconds, key=None, ctrl=None, film_seconds=None, along_x=False):
        self.along_x = along_x  # the side from which the film is taken
        self.model = model = pliant.load(str(MODELS / f"{name}.xml"))
        state, data = pliant.State(model), pliant.Data(model)
        if key is not None:
            state.reset(model, key)
        self.h = model.opt.timestep
        steps = round(seconds / self.h)
        self.time = self.h * numpy.arange(steps + 1)
        self.qpos, self.qvel = numpy.zeros((steps + 1, model.nq)), numpy.zeros((steps + 1, model.nv))
        self.ctrl = numpy.zeros((steps + 1, model.nu))
        self.qpos[0], self.qvel[0] = state.qpos, state.qvel
        self.frames = []
        filmed = steps if film_seconds is None else round(film_seconds / self.h)
        shown = {round(i * filmed / (FRAMES - 1)) for i in range(FRAMES)}
        for i in range(steps + 1):
            if i in shown:
                pliant.forward(model, state, data)
                self.frames.append((i * self.h, self.geoms(data)))
            if i == steps:
                break
            if ctrl is not None:
                self.ctrl[i:] = state.ctrl[:] = ctrl(i * self.h)
            if pliant.step(model, state, data):
                raise RuntimeError(f"{name}: {pliant.describe_faults(model, data)}")
            self.qpos[i + 1], self.qvel[i + 1] = state.qpos, state.qvel

    def geoms(self, data):
        m = self.model
        turn = numpy.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]) if self.along_x else numpy.eye(3)
        return [(int(m.geom_type[g]), list(m.geom_size[g]), list(turn @ data.geom_xpos[g]),
                 list((turn @ data.geom_xmat[g].reshape(3, 3)).ravel()),
                 list(m.geom_rgba[g])) for g in range(m.ngeom)]  # fmt: skip

    def recording(self):
        """As pliant.viewer.save_html takes it."""
        return {"time": self.time, "qpos": self.qpos, "qvel": self.qvel, "ctrl": self.ctrl}

    def strip(self, box):
        return film.strip(self.frames, box)

    def joint(self, name):
        return int(self.model.jnt_qposadr[self.model.id("joint", name)])


def near(predicted, simulated, share, least=0.0):
    return abs(predicted - simulated) <= max(share * abs(predicted), least)


def first_bounce(timestep, heights, speeds):
    """(restitution, time in contact, deepest) of the first time a height is below zero."""
    start = next(i for i, r in enumerate(heights) if r < 0)
    end = next((i for i in range(start, len(heights)) if heights[i] >= 0), None)
    depth = -min(heights[start:end])
    if end is None:
        return 0.0, math.inf, depth
    return -speeds[end] / speeds[start], (end - start) * timestep, depth


def drop_lines(name, run, column, surface, height):
    """A ball that falls on a surface: bounce, contact and rest, as `pliant.explain` predicts them and as they come."""
    above = height + run.qpos[:, column]
    impact = math.sqrt(2 * 9.81 * height)
    want, got = pliant.explain(run.model, name, surface, impact=impact), first_bounce(run.h, above, run.qvel[:, column])
    low, high = want.restitution_range
    lines = [
        Line(f"{name}: speed kept in a bounce", want.restitution, got[0], "", low - 0.02 <= got[0] <= high + 0.02),
        Line(
            f"{name}: deepest",
            1e3 * want.max_depth,
            1e3 * got[2],
            "mm",
            near(want.max_depth, got[2], 0.02, impact * run.h),
        ),
        Line(
            f"{name}: depth at rest",
            1e3 * want.rest_depth,
            -1e3 * above[-1],
            "mm",
            near(want.rest_depth, -above[-1], 0.02),
        ),
    ]
    if math.isfinite(want.contact_steps):
        time = want.contact_steps * run.h
        lines.insert(
            1, Line(f"{name}: time in contact", 1e3 * time, 1e3 * got[1], "ms", near(time, got[1], 0.02, run.h))
        )
    # dashed: how high it is predicted to rise after the first bounce, and where it comes to rest
    end = run.time[-1]
    levels = [want.restitution**2 * height, -want.rest_depth]
    curves = [
        (name, list(run.time), list(1e3 * above), False),
        *((name, [0, end], [1e3 * r, 1e3 * r], True) for r in levels),
    ]
    return lines, curves, got, -above[-1]


def rubber_balls():
    run = Run("rubber_balls", 4.0, film_seconds=0.9)
    lines, curves, bounce, rest = [], [], {}, {}
    for name in ("hard", "soft", "wide"):
        more, drawn, bounce[name], rest[name] = drop_lines(name, run, run.joint(name), "floor", 0.5)
        lines += more
        curves += drawn
    lines += [
        Line("hard leaves sooner than soft: ratio of contact times", None, bounce["hard"][1] / bounce["soft"][1], "",
             bounce["hard"][1] < bounce["soft"][1]),
        Line("wider deforms more: ratio of depths", None, bounce["wide"][2] / bounce["soft"][2], "",
             bounce["wide"][2] > bounce["soft"][2]),
    ]  # fmt: skip
    story = "Hard and soft rubber, and soft rubber with a wider transition: harder leaves sooner, wider deforms more."
    return Scene(
        "rubber_balls",
        story,
        lines,
        film.plot(curves, "time [s]", "height [mm]"),
        run.strip((-0.75, -0.05, 0.75, 0.8)),
        run,
    ), rest


def cushion(soft_rest):
    run = Run("cushion", 2.0, film_seconds=0.7)
    lines, curves, bounce, rest = drop_lines("ball", run, run.joint("ball"), "pad", 0.5)
    lines += [
        Line("gives back less than 5 % of the speed", None, 100 * bounce[0], "%", bounce[0] < 0.05),
        Line("sinks less at rest than soft rubber: ratio of depths", None, rest / soft_rest, "", rest < soft_rest),
    ]
    story = "A cushion takes the blow and gives nothing back, yet carries the ball higher than soft rubber does."
    return Scene(
        "cushion", story, lines, film.plot(curves, "time [s]", "height [mm]"), run.strip((-0.5, -0.05, 0.5, 0.95)), run
    )


def newtons_cradle():
    run = Run("newtons_cradle", 0.55, key=0)
    m = run.model
    # ball on a string of length L: energy m g L (1 - cos) becomes ½ I ω², I = m (L² + 2/5 r²)
    length, radius, angle = 0.3, float(m.geom_size[m.id("geom", "ball0")][0]), float(run.qpos[0, 0])
    rate = math.sqrt(2 * 9.81 * length * (1 - math.cos(angle)) / (length**2 + 0.4 * radius**2))
    before, after = numpy.abs(run.qvel[:, 0]).max(), numpy.abs(run.qvel[:, -1]).max()
    hit = int(numpy.argmax(numpy.abs(run.qvel[:, -1])))
    left = length * numpy.abs(run.qvel[hit, :-1]).max()
    lines = [
        Line("first ball arrives at", length * rate, length * before, "m/s", near(rate, before, 0.01)),
        Line("far ball leaves at", length * rate, length * after, "m/s", near(rate, after, 0.1)),
        Line("far ball leaves with at least 90 % of the speed", None, 100 * after / before, "%", after >= 0.9 * before),
        Line(
            "the others stay behind below 10 % of it",
            None,
            100 * left / (length * before),
            "%",
            left < 0.1 * length * before,
        ),
    ]
    curves = [(f"ball {i}", list(run.time), list(length * run.qvel[:, i]), False) for i in (0, 2, 4)]
    story = (
        "Five steel balls with small gaps: the blow runs through, and the far ball leaves with nearly all of the speed."
    )
    return Scene(
        "newtons_cradle",
        story,
        lines,
        film.plot(curves, "time [s]", "speed [m/s]"),
        run.strip((-0.32, 0.15, 0.32, 0.53)),
        run,
    )


def mimic_gripper():
    # down with open jaws, so that the pads reach the middle of the block; close; up
    grip, up = 0.5, 1.2
    run = Run("mimic_gripper", 2.4, key=0, along_x=True,
              ctrl=lambda t: (0.1 if t > up else -0.025, -0.005 if t > grip else 0.04))  # fmt: skip
    left, right, wheel, cover = (run.qpos[:, run.joint(name)] for name in ("left", "right", "wheel", "cover"))
    block = run.joint("block")
    mirrored = numpy.abs(right - left).max()
    # the pads stand 9 mm from the middle at 0; the block is 15 mm to each side, and gives way a little
    gap = 0.015 - 0.009
    # a soft mimic is a spring that the cover's weight stretches
    m = run.model
    sag = 9.81 * float(m.body_mass[m.id("body", "cover")]) / pliant.explain(m, mimic="shutter").stiffness
    hangs = 0.25 * (left[-1] + right[-1]) - sag
    closed = round(up / run.h)
    rise = run.qpos[-1, block + 2] - run.qpos[closed, block + 2]
    lift = run.qpos[-1, run.joint("lift")] - run.qpos[closed, run.joint("lift")]
    lines = [
        Line("jaws close to", 1e3 * gap, 1e3 * left[closed], "mm", near(gap, left[closed], 0, 2e-3)),
        Line("right jaw off the left one, at most", 0.0, 1e3 * mirrored, "mm", mirrored < 1e-9),
        Line("wheel at 50 times the left jaw", 50 * left[-1], wheel[-1], "rad",
             near(50 * left[-1], wheel[-1], 0.01, 1e-3)),
        Line("cover at a quarter of both jaws, less its sag", 1e3 * hangs, 1e3 * cover[-1], "mm",
             near(hangs, cover[-1], 0, 5e-4)),
        Line("block rises with the hand", 1e3 * lift, 1e3 * rise, "mm", near(lift, rise, 0.05)),
        Line("block, 12 mm off the middle, is brought there: off by", None, 1e3 * abs(run.qpos[closed, block + 1]),
             "mm",
             abs(run.qpos[closed, block + 1]) < 1e-3),
    ]  # fmt: skip
    curves = [
        (name, list(run.time), list(1e3 * q), False)
        for name, q in (("left jaw", left), ("right jaw", right), ("cover", cover))
    ]
    story = (
        "Jaws tied by an exact mimic close on a block that lies off the middle; a wheel and a cover follow by "
        "hard and soft ones."
    )
    return Scene(
        "mimic_gripper",
        story,
        lines,
        film.plot(curves, "time [s]", "position [mm]"),
        run.strip((-0.12, -0.02, 0.12, 0.32)),
        run,
    )


def gear_chain():
    torque = 0.3
    run = Run("gear_chain", 1.0, ctrl=lambda t: torque)
    m, first = run.model, run.qpos[:, run.joint("j1")]
    joints = [run.qpos[:, run.joint(f"j{k}")] for k in range(1, 8)]
    apart = max(numpy.abs(q - (-1) ** k * first).max() for k, q in enumerate(joints))
    # links 1, 3, 5, 7 swing by the angle, 2, 4, 6 hang: what the motor feels is m x'^2 + I of each, and all rotors
    length, inertia = 0.12, float(m.dof_armature.sum())
    for k in range(1, 8):
        body = m.id("body", f"link{k}")
        swings = k % 2
        arm = (k // 2) * length + 0.5 * length * swings
        inertia += float(m.body_mass[body]) * arm**2 + swings * float(max(m.body_inertia[body]))
    # dampers are taken implicitly: they add h c
    felt = inertia + run.h * float(m.dof_damping.sum())
    start = run.qvel[1, run.joint("j1")] / run.h
    lines = [
        Line("angle of link 7 is that of link 1", float(first[-1]), float(joints[6][-1]), "rad",
             near(first[-1], joints[6][-1], 0, 1e-9)),
        Line("couplings off by at most", 0.0, apart, "rad", apart < 1e-9),
        Line("first acceleration: torque / inertia felt through the belts", torque / felt, start, "rad/s^2",
             near(torque / felt, start, 0.01)),
    ]  # fmt: skip
    curves = [(f"link {k + 1}", list(run.time), list(joints[k]), False) for k in (0, 1, 6)]
    story = "Seven links tied neighbour to neighbour: one motor turns them all, and feels the inertia of all."
    return Scene(
        "gear_chain",
        story,
        lines,
        film.plot(curves, "time [s]", "angle [rad]"),
        run.strip((-0.5, -0.95, 0.5, 0.1)),
        run,
    )


def all_scenes():
    balls, rest = rubber_balls()
    yield balls
    yield newtons_cradle()
    yield cushion(rest["soft"])
    for scene in (mimic_gripper, gear_chain):
        if (MODELS / f"{scene.__name__}.xml").exists():
            yield scene()
