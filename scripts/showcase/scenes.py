"""The scenes: what each is predicted to do, what it does, and whether that is what its story says."""

import dataclasses
import math
import pathlib

import numpy

import pliant

from . import film, law

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


class Run:
    """A simulation with its positions, velocities and a few frames of film."""

    def __init__(self, name, seconds, key=None, ctrl=None):
        self.model = model = pliant.load(str(MODELS / f"{name}.xml"))
        state, data = pliant.State(model), pliant.Data(model)
        if key is not None:
            state.reset(model, key)
        self.h = model.opt.timestep
        steps = round(seconds / self.h)
        self.time = self.h * numpy.arange(steps + 1)
        self.qpos, self.qvel = numpy.zeros((steps + 1, model.nq)), numpy.zeros((steps + 1, model.nv))
        self.qpos[0], self.qvel[0] = state.qpos, state.qvel
        self.frames, self.residual = [], 0.0
        shown = {round(i * steps / (FRAMES - 1)) for i in range(FRAMES)}
        for i in range(steps + 1):
            if i in shown:
                pliant.forward(model, state, data)
                self.frames.append((i * self.h, self.geoms(data)))
            if i == steps:
                break
            if ctrl is not None:
                state.ctrl[:] = ctrl(i * self.h)
            if pliant.step(model, state, data):
                raise RuntimeError(f"{name}: {pliant.describe_faults(model, data)}")
            self.qpos[i + 1], self.qvel[i + 1] = state.qpos, state.qvel

    def geoms(self, data):
        m = self.model
        return [(int(m.geom_type[g]), list(m.geom_size[g]), list(data.geom_xpos[g]), list(data.geom_xmat[g].reshape(9)), list(m.geom_rgba[g]))
                for g in range(m.ngeom)]  # fmt: skip

    def strip(self, box):
        return film.strip(self.frames, box)

    def joint(self, name):
        return int(self.model.jnt_qposadr[self.model.id("joint", name)])


def near(predicted, simulated, share, least=0.0):
    return abs(predicted - simulated) <= max(share * abs(predicted), least)


def drop_lines(name, run, column, row, height):
    """A ball that falls on a surface: bounce, contact and rest, predicted by the law of one row."""
    above = height + run.qpos[:, column]
    speed = run.qvel[:, column]
    times, heights, speeds = row.drop(height, run.time[-1])
    want, got = law.first_bounce(run.h, heights, speeds), law.first_bounce(run.h, list(above), list(speed))
    lines = [
        Line(f"{name}: speed kept in a bounce", want[0], got[0], "", near(want[0], got[0], 0, 0.02)),
        Line(f"{name}: time in contact", 1e3 * want[1], 1e3 * got[1], "ms", near(want[1], got[1], 0.02, run.h)),
        Line(f"{name}: deepest", 1e3 * want[2], 1e3 * got[2], "mm", near(want[2], got[2], 0.02)),
        Line(f"{name}: depth at rest", 1e3 * row.rest_depth(), -1e3 * above[-1], "mm", near(row.rest_depth(), -above[-1], 0.02)),
    ]
    curves = [(name, list(run.time), list(1e3 * above), False), (name, times, [1e3 * r for r in heights], True)]
    return lines, curves, got, -above[-1]


def geom_row(run, name):
    geom = run.model.id("geom", name)
    return law.Row(tuple(run.model.geom_solref[geom]), tuple(run.model.geom_solimp[geom]), run.h)


def rubber_balls():
    run = Run("rubber_balls", 4.0)
    lines, curves, bounce, rest = [], [], {}, {}
    for name in ("hard", "soft", "wide"):
        row = geom_row(run, name)
        more, drawn, bounce[name], rest[name] = drop_lines(name, run, run.joint(name), row, 0.5)
        lines += more
        curves += drawn
    lines += [
        Line("hard leaves sooner than soft: ratio of contact times", None, bounce["hard"][1] / bounce["soft"][1], "",
             bounce["hard"][1] < bounce["soft"][1]),
        Line("wider deforms more: ratio of depths", None, bounce["wide"][2] / bounce["soft"][2], "", bounce["wide"][2] > bounce["soft"][2]),
    ]  # fmt: skip
    story = "Hard and soft rubber, and soft rubber with a wider transition: harder leaves sooner, wider deforms more."
    return Scene("rubber_balls", story, lines, film.plot(curves, "time [s]", "height [mm]"), run.strip((-0.75, -0.05, 0.75, 0.75))), rest


def cushion(soft_rest):
    run = Run("cushion", 2.0)
    # the pad has the higher priority: its numbers alone count
    row = geom_row(run, "pad")
    lines, curves, bounce, rest = drop_lines("ball", run, run.joint("ball"), row, 0.5)
    lines += [
        Line("gives back less than 5 % of the speed", None, 100 * bounce[0], "%", bounce[0] < 0.05),
        Line("sinks less at rest than soft rubber: ratio of depths", None, rest / soft_rest, "", rest < soft_rest),
    ]
    story = "A cushion takes the blow and gives nothing back, yet carries the ball higher than soft rubber does."
    return Scene("cushion", story, lines, film.plot(curves, "time [s]", "height [mm]"), run.strip((-0.5, -0.05, 0.5, 0.95)))


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
        Line("the others stay behind below 10 % of it", None, 100 * left / (length * before), "%", left < 0.1 * length * before),
    ]
    curves = [(f"ball {i}", list(run.time), list(length * run.qvel[:, i]), False) for i in (0, 2, 4)]
    story = "Five steel balls with small gaps: the blow runs through, and the far ball leaves with nearly all of the speed."
    return Scene("newtons_cradle", story, lines, film.plot(curves, "time [s]", "speed [m/s]"), run.strip((-0.3, 0.15, 0.3, 0.53)))


def all_scenes():
    balls, rest = rubber_balls()
    yield balls
    yield newtons_cradle()
    yield cushion(rest["soft"])
