#!/usr/bin/env python3
"""What is true and what comes out: one table of motions whose right answer is known without a simulator.

Each row is a scene with a closed form or a conserved number. It is simulated by Pliant as the file would be by default,
by Pliant with the option that cures it, and by MuJoCo with a timestep that takes as much processor time as that cure (a
shorter one where MuJoCo's steps are cheaper; never a longer one than the row's). Options that this build does not have
leave a dash. Prints the table of docs/physics.md#truth.
"""

import argparse
import functools
import pathlib
import time

import mujoco
import numpy as np

import pliant.mujoco as ours

ROOT = pathlib.Path(__file__).resolve().parent.parent
MINUTE = 60.0
SHORTEST = 1e-5  # timestep of MuJoCo [s]


class Missing(Exception):
    """The option is not in this build."""


def scene(body, options="", flags="", more=""):
    return f"<mujoco><option {options}><flag {flags}/></option><worldbody>{body}</worldbody>{more}</mujoco>"


def load(module, text):
    try:
        model = module.MjModel.from_xml_string(text)
    except Exception as error:
        # no such attribute, no such word
        if module is ours and any(code in str(error) for code in ("[E202]", "[E211]")):
            raise Missing from error
        raise
    return model, module.MjData(model)


def cost(module, text, prepare=None, steps=400):
    """Processor time per simulated second."""
    model, data = load(module, text)
    best = np.inf
    for _ in range(7):
        module.mj_resetData(model, data)
        if prepare:
            prepare(model, data)
        module.mj_step(model, data, 50)
        start = time.process_time()
        module.mj_step(model, data, steps)
        best = min(best, (time.process_time() - start) / (steps * model.opt.timestep))
    return best


def with_timestep(text, timestep):
    return text.replace("<option ", f'<option timestep="{timestep:.6g}" ', 1)


class Row:
    """One line: `measure(module, text)` gives what is printed, `make(options)` the scene."""

    def __init__(self, name, truth, measure, make, option, theirs="", plain="", timestep=0.002, prepare=None):
        self.name, self.truth, self.measure, self.prepare, self.option, self.theirs = (
            name,
            truth,
            measure,
            prepare,
            option,
            theirs,
        )
        self.text, self.cured, self.reference = make(plain), make(option), make(theirs)
        self.timestep = timestep

    def ours(self, text):
        try:
            return self.measure(ours, with_timestep(text, self.timestep))
        except Missing:
            return "–"

    def equal_time(self):
        """MuJoCo's timestep at the time of the cure (of the default where there is none)."""
        theirs = cost(mujoco, with_timestep(self.reference, self.timestep), self.prepare)
        try:
            mine = cost(ours, with_timestep(self.cured, self.timestep), self.prepare)
        except Missing:
            mine = cost(ours, with_timestep(self.text, self.timestep), self.prepare)
        return max(SHORTEST, min(self.timestep, self.timestep * theirs / mine))

    def line(self):
        timestep = self.equal_time()
        theirs = self.measure(mujoco, with_timestep(self.reference, timestep))
        how = ", ".join(filter(None, (f"`{self.theirs}`" if self.theirs else "", f"h {timestep * 1e3:.2g} ms")))
        return [
            self.name,
            self.truth,
            self.ours(self.text),
            f"{self.ours(self.cured)} (`{self.option}`)",
            f"{theirs} ({how})",
        ]


def run(module, model, data, seconds, parts=1):
    """Steps to the given time, in so many parts; yields after each."""
    steps = round(seconds / model.opt.timestep)
    for part in range(parts):
        module.mj_step(model, data, (part + 1) * steps // parts - part * steps // parts)
        yield


# ---- slope -------------------------------------------------------------------------------------


def slope(options=""):
    tilt = np.radians(20)
    gravity = f"{9.81 * np.sin(tilt):.9g} 0 {-9.81 * np.cos(tilt):.9g}"
    box = '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    return scene(f'<geom type="plane" size="9 9 1"/>{box}', f'gravity="{gravity}" {options}')


def creep(module, text):
    model, data = load(module, text)
    for _ in run(module, model, data, 5):
        pass
    before = data.qpos[0]
    for _ in run(module, model, data, 5):
        pass
    return f"{abs(data.qpos[0] - before) / 5 * 1e3:.2g} mm/s"


# ---- stack -------------------------------------------------------------------------------------


def stack(flags=""):
    return scene(
        '<geom type="plane" size="9 9 1"/>'
        '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass=".1"/></body>'
        '<body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1" mass="100"/></body>',
        "",
        flags,
    )


def sink(module, text):
    model, data = load(module, text)
    for _ in run(module, model, data, 3):
        pass
    return f"{max(0, 0.3 - data.qpos[9]) * 1e3:.3g} mm"


# ---- tumbling ----------------------------------------------------------------------------------


def tumbling(options=""):
    return scene(
        '<body><freejoint/><inertial pos="0 0 0" mass="2" diaginertia=".02 .03 .045"/></body>',
        f'gravity="0 0 0" {options}',
    )


def spin_up(model, data, speed=5.0):
    data.qvel[3:6] = 0.05 * speed, speed, 0.02 * speed


def gained(module, text, speed=5.0):
    model, data = load(module, text)
    spin_up(model, data, speed)
    inertia = np.array([0.02, 0.03, 0.045])
    start = inertia @ data.qvel[3:6] ** 2
    worst = 0.0
    for _ in run(module, model, data, MINUTE, 60):
        energy = inertia @ data.qvel[3:6] ** 2
        worst = max(worst, abs(energy / start - 1))
        if not np.isfinite(energy) or worst > 1e3:
            return "diverges"
    return f"{worst:.1e}"


# ---- triple pendulum ---------------------------------------------------------------------------


def pendulum(options=""):
    rod = '<joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .5 0 0" contype="0" conaffinity="0"/>'
    last = f'<body pos=".5 0 0">{rod}</body>'
    return scene(f'<body pos="0 0 2">{rod}<body pos=".5 0 0">{rod}{last}</body></body>', options)


def energy_error(module, text):
    model, data = load(module, text)
    # energies are measured by one engine, from positions and velocities
    meter = mujoco.MjModel.from_xml_string(pendulum())
    meter.opt.enableflags = int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    at = mujoco.MjData(meter)

    def energies():
        at.qpos[:], at.qvel[:] = data.qpos, data.qvel
        mujoco.mj_forward(meter, at)
        return at.energy.copy()

    start = energies().sum()
    error, kinetic = 0.0, []
    for _ in run(module, model, data, MINUTE, 3000):
        now = energies()
        error = max(error, abs(now.sum() - start))
        kinetic.append(now[1])
    return f"{error / (max(kinetic) - min(kinetic)):.1e}"


# ---- rebound -----------------------------------------------------------------------------------


def ball(options=""):
    contact = 'solref="-100000 0" solimp=".95 .95 .001" condim="1"'
    body = f'<body pos="0 0 .2"><freejoint/><geom size=".1" {contact}/></body>'
    return scene(f'<geom type="plane" size="9 9 1" {contact}/>{body}', f'gravity="0 0 0" {options}')


def rebound(module, text):
    ratios = []
    for phase in np.linspace(0, 1, 20, endpoint=False):
        model, data = load(module, text)
        data.qvel[2] = -1
        data.qpos[2] = 0.2 + phase * model.opt.timestep
        for _ in run(module, model, data, 0.4):
            pass
        ratios.append(data.qvel[2])
    return f"{min(ratios):.3f} … {max(ratios):.3f}"


# ---- sliding gap -------------------------------------------------------------------------------


def sliding(options=""):
    joints = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
    box = f'<body pos="0 0 .1">{joints}<geom type="box" size=".1 .1 .1" friction=".5" margin=".5"/></body>'
    return scene(f'<geom type="plane" size="90 90 1" friction=".1"/>{box}', f'cone="elliptic" {options}')


def gap(module, text):
    """Depth within the margin at 10 m/s over that at rest."""
    depth = []
    for speed in (0, 10):
        model, data = load(module, text)
        data.qpos[1] = 0.5
        total, steps = 0.0, round(0.6 / model.opt.timestep)
        for i in range(steps):
            data.qvel[0], data.qpos[0] = speed, 0
            module.mj_step(model, data)
            total += (0.5 - data.qpos[1]) * (2 * i >= steps)
        depth.append(total / (steps - (steps + 1) // 2))
    return f"{depth[1] / depth[0]:.3f}"


def slide_fast(model, data):
    data.qpos[1], data.qvel[0] = 0.5, 10


ROWS = (
    Row("box on a slope of 20°, μ = 1: speed", "0", creep, slope, 'friction="anchored"'),
    Row("100 kg on 0.1 kg: how far the upper box sinks", "0.2 mm", sink, stack, 'diagstack="enable"'),
    Row(
        "tumbling at 5 rad/s for 60 s: energy error",
        "0",
        gained,
        tumbling,
        'spin="conserving"',
        'integrator="RK4"',
        prepare=spin_up,
    ),
    Row(
        "tumbling at 20 rad/s",
        "0",
        functools.partial(gained, speed=20.0),
        tumbling,
        'integrator="midpoint"',
        'integrator="RK4"',
        prepare=functools.partial(spin_up, speed=20.0),
    ),
    Row(
        "triple pendulum, 60 s: energy error over its range",
        "0",
        energy_error,
        pendulum,
        'integrator="midpoint"',
        'integrator="RK4"',
        plain='integrator="implicitfast"',
    ),
    Row(
        "the same beside implicitfast",
        "0",
        energy_error,
        pendulum,
        'integrator="midpoint"',
        'integrator="implicitfast"',
        plain='integrator="implicitfast"',
    ),
    Row("undamped ball: rebound over all phases", "1", rebound, ball, 'integrator="midpoint"'),
    Row("the same with TGS", "1", rebound, ball, 'solver="TGS"'),
    Row("box at 10 m/s: depth over that at rest", "1", gap, sliding, 'resolution="signorini"', prepare=slide_fast),
)


# ---- how often Signorini's forces are found ----------------------------------------------------

TEN = (
    "beads",
    "cushion",
    "drop",
    "gripper",
    "mimic_gripper",
    "newtons_cradle",
    "quadruped",
    "rubber_balls",
    "stack_of_boxes",
    "tendon_finger",
)


def found(steps=1000):
    """(islands solved, islands with the convex answer, convex problems per island) over ten scenes and both cones."""
    islands = missed = solves = 0
    for name in TEN:
        for cone in (0, 1):
            model = ours.MjModel.from_xml_path(str(ROOT / "models" / f"{name}.xml"))
            if not hasattr(model.opt, "resolution"):
                raise Missing
            model.opt.cone, model.opt.resolution = cone, 1
            data = ours.MjData(model)
            rng = np.random.default_rng(1)
            for step in range(steps):
                if step % 50 == 0:
                    data.qvel[:] += rng.uniform(-0.5, 0.5, model.nv)
                    low, high = model.actuator_ctrlrange.T if model.nu else (0, 0)
                    data.ctrl[:] = rng.uniform(low, high) if model.nu else 0
                ours.mj_step(model, data)
                if data.nefc:
                    reports = data.solver_reports
                    islands += len(reports)
                    missed += sum(report["convex"] for report in reports)
                    solves += sum(report["resolutions"] for report in reports)
    return islands, missed, solves / max(1, islands)


def costs():
    """Times of a simulated second of the triple pendulum over that of implicitfast, integrators in turn."""
    runs = [("implicitfast", 0.002), ("midpoint", 0.002), ("midpoint", 0.0025), ("midpoint", 0.003)]
    runs += [(name, 0.002) for name in ("implicit", "Euler", "RK4")]
    best = dict.fromkeys(runs, np.inf)
    for _ in range(5):
        for name, timestep in runs:
            text = with_timestep(pendulum(f'integrator="{name}"'), timestep)
            best[name, timestep] = min(best[name, timestep], cost(ours, text, steps=4000))
    return {f"{name} {timestep * 1e3:g} ms": best[name, timestep] / best[runs[0]] for name, timestep in runs}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", nargs="*", help="only rows whose name has one of these words")
    parser.add_argument("--no-scenes", action="store_true", help="without the count over ten scenes")
    arguments = parser.parse_args()
    print("| motion | truth | Pliant | with the option | MuJoCo at equal CPU time |\n|---|---|---|---|---|")
    for row in ROWS:
        if not arguments.rows or any(word in row.name for word in arguments.rows):
            print("| " + " | ".join(row.line()) + " |", flush=True)
    ratios = ", ".join(f"{name} {ratio:.2f}" for name, ratio in costs().items())
    print(f"\nTime of a simulated second, triple pendulum: {ratios}")
    long = energy_error(ours, with_timestep(pendulum('integrator="midpoint"'), 0.003))
    print(f"Energy error of midpoint with steps of 3 ms, 60 s: {long}")
    if arguments.no_scenes:
        return
    try:
        islands, missed, solves = found()
        print(
            f'resolution="signorini", ten scenes, both cones: {islands} islands, {missed} convex '
            f"({100 * missed / islands:.3f} %), {solves:.1f} convex problems per island"
        )
    except Missing:
        print('resolution="signorini" is not in this build')


if __name__ == "__main__":
    main()
