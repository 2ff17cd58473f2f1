"""Random control of models over its full range, with every solver, integrator and cone: no crash, no hang, no NaN that
nobody tells of, no reset.

    random_control.py SEED SECONDS [FOLDER…]

makes trials until so many seconds of the processor are used (on a busy machine the clock would leave time for little
but loading models), the same for the same seed. It says what it is about to do, so that a crash has a
name; its last line is JSON: trials, steps (and how many of them on models of which size), worlds that stopped with a
reason, what was found. `--trial SEED NUMBER` makes one again.
"""

import json
import pathlib
import random
import sys
import time
import warnings

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = [ROOT / "models", ROOT / "tests" / "parity" / "cases"]
SOLVERS, INTEGRATORS = ("PGS", "CG", "Newton", "TGS", "auto"), ("Euler", "RK4", "implicit", "implicitfast", "discrete")
CONES = ("pyramidal", "elliptic")
WORLDS = 8
MOST_STEP_SECONDS = 1.0  # of one step: of the processor, since the machine does other things too
MOST_NUMBERS = 1_000_000  # that a part of a rollout writes
CLASSES = (1, 3, 10, 30, 100)  # models are counted by dofs: "1 to 2", "3 to 9", …


def options(cache={}):  # noqa: B006 (found once)
    """Numbers of solvers, integrators and cones, by the words of MJCF."""
    import pliant

    if not cache:
        for attribute, words in (("solver", SOLVERS), ("integrator", INTEGRATORS), ("cone", CONES)):
            for word in words:
                model = pliant.load_string(f'<mujoco><option {attribute}="{word}"/><worldbody/></mujoco>')
                cache[attribute, word] = getattr(model.opt, attribute)
    return cache


def size_of(model):
    """(worlds, steps) of a trial, so that trials of small and of large models take about the same time: by dofs and by
    contacts at the start, not by the clock, so that a trial can be made again."""
    import pliant

    data = pliant.Data(model)
    pliant.forward(model, pliant.State(model), data)
    steps = int(np.clip(64_000 / (model.nv + data.ncon + 2) ** 1.5, 10, 4000))
    return (2 if steps < 20 else WORLDS), steps


def class_of(model):
    """The size of a model, in words."""
    least = [bound for bound in CLASSES if bound <= model.nv][-1]
    above = [bound for bound in CLASSES if bound > model.nv]
    return f"{least} to {above[0] - 1} dofs" if above else f"{least} dofs and more"


def controls(model, rng, worlds, steps):
    """(worlds, steps, nu + nv): controls that stay for some steps each; forces where there is nothing to control."""
    limited, bounds = model.actuator_ctrllimited.astype(bool), model.actuator_ctrlrange
    reach = 10.0 ** rng.integers(0, 3)
    low, high = np.where(limited, bounds[:, 0], -reach), np.where(limited, bounds[:, 1], reach)
    values = rng.uniform(low, high, (worlds, steps, model.nu))
    if rng.random() < 0.5:  # from one end to the other
        values = np.where(rng.random(values.shape) < 0.5, low, high)
    stays = int(rng.integers(1, 50))
    values = values[:, (np.arange(steps) // stays) * stays]
    force = rng.standard_normal((worlds, 1, model.nv)) * 9.81 * float(model.body_mass.sum()) if model.nu == 0 else 0.0
    pushes = force * (rng.random((worlds, steps, 1)) < 0.05) + np.zeros((worlds, steps, model.nv))
    return np.concatenate([values, pushes], axis=2)


def problems(model, start, result):
    """What nobody tells of, in the outputs of a rollout."""
    found = []
    told = {world: (step, message) for world, step, message in result.faults}
    for world in range(len(result.state)):
        state, status, steps = result.state[world], int(result.status[world]), int(result.steps[world])
        if not np.isfinite(state).all():
            found.append(f"world {world}: the state is not finite, status {status}")
        if status == 0:
            if not np.isfinite(result.sensordata[world]).all():
                found.append(f"world {world}: a sensor is not finite, and nobody says so")
            times = np.concatenate([[start[world, 0]], state[:, 0]])
            if steps != len(state) or not np.allclose(np.diff(times), model.opt.timestep, rtol=1e-6, atol=0):
                found.append(f"world {world}: time went from {times[0]} to {times[-1]} in {steps} steps")
        else:
            if world not in told or len(told[world][1]) < 10:
                found.append(f"world {world}: stopped with status {status}, and nobody says why")
            last = state[steps - 1] if steps > 0 else start[world]
            if not (state[steps:] == last).all():
                found.append(f"world {world}: refused in step {steps}, but the state has changed")
    return found


class Trials:
    """The trials of a seed, one after the other."""

    def __init__(self, seed, folders=FOLDERS):
        self.seed = seed
        self.paths = sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.xml"))
        self.models, self.classes = {}, {}
        self.steps = self.stopped = self.refused = 0
        self.found = []

    def model(self, path):
        import pliant

        if path not in self.models:
            self.models[path] = None
            try:
                model = pliant.load(path)
                if model.nv > 0:
                    self.models[path] = model
            except pliant.LoadError:
                pass
            if len(self.models) > 200:
                self.models.pop(next(iter(self.models)))
        return self.models[path]

    def run(self, number):
        import pliant

        draw = random.Random(f"{self.seed} {number}")
        path = draw.choice(self.paths)
        words = {"solver": draw.choice(SOLVERS), "integrator": draw.choice(INTEGRATORS), "cone": draw.choice(CONES)}
        name = f"trial {number}: {path.name} {' '.join(words.values())}"
        print(name, flush=True)
        model = self.model(path)
        if model is None:
            return
        model = pliant.Model(model)
        try:
            for attribute, word in words.items():
                setattr(model.opt, attribute, options()[attribute, word])
        except ValueError:
            self.refused += 1  # with words: tests look at them
            return
        rng = np.random.default_rng([self.seed, number])
        from pliant.scale import start_state

        worlds, steps = size_of(model)
        control = controls(model, rng, worlds, steps)
        start, warmstart = np.repeat(start_state(model)[None], worlds, 0), np.zeros((worlds, model.nv))
        length = max(1, MOST_NUMBERS // (worlds * (start.shape[1] + model.nsensordata)))
        made = 0
        for first in range(0, steps, length):
            result = self.part(name, model, start, warmstart, control[:, first : first + length])
            made += int(result.steps.sum())
            going = result.status == 0  # a world that stopped has said why
            if not going.any():
                break
            start, warmstart, control = result.state[going, -1], result.warmstart[going], control[going]
        self.steps += made
        self.classes[class_of(model)] = self.classes.get(class_of(model), 0) + made

    def part(self, name, model, start, warmstart, control):
        """Some steps of all worlds that go on."""
        before = time.process_time()
        result = roll(model, start, warmstart, control)
        seconds = time.process_time() - before
        self.stopped += int((result.status != 0).sum())
        self.found += [f"{name}: {problem}" for problem in problems(model, start, result)]
        if seconds > MOST_STEP_SECONDS:  # of all steps; of one of them?
            slow = slowest_step(model, start, warmstart, control)
            if slow > MOST_STEP_SECONDS:
                self.found.append(f"{name}: a step of {slow:.1f} s")
        return result


def roll(model, start, warmstart, control):
    import pliant

    return pliant.rollout(model, start, control, control_spec=control_spec(), initial_warmstart=warmstart, nthread=1,
                          on_fault="ignore")  # fmt: skip


def slowest_step(model, start, warmstart, control):
    """Seconds of the processor that the slowest step of a part takes: of these steps again, one at a time."""
    slowest = 0.0
    for world in range(len(control)):
        state, warm = start[world : world + 1], warmstart[world : world + 1]
        for step in range(control.shape[1]):
            before = time.process_time()
            result = roll(model, state, warm, control[world : world + 1, step : step + 1])
            slowest = max(slowest, time.process_time() - before)
            if result.status[0] != 0:
                break
            state, warm = result.state[:, -1], result.warmstart
    return slowest


def control_spec():
    from pliant import _enums

    return int(_enums.mjtState.mjSTATE_CTRL) | int(_enums.mjtState.mjSTATE_QFRC_APPLIED)


def main(arguments):
    warnings.simplefilter("ignore")
    if arguments[0] == "--trial":
        trials = Trials(int(arguments[1]), arguments[3:] or FOLDERS)
        trials.run(int(arguments[2]))
        number = 1
    else:
        trials, number = Trials(int(arguments[0]), arguments[2:] or FOLDERS), 0
        end = time.process_time() + float(arguments[1])
        try:
            while time.process_time() < end:
                trials.run(number)
                number += 1
        except KeyboardInterrupt:
            pass  # what is done counts
    print(json.dumps({"inputs": number, "steps": trials.steps, "classes": trials.classes, "stopped": trials.stopped,
                      "refused": trials.refused, "found": trials.found}), flush=True)  # fmt: skip
    return 1 if trials.found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
