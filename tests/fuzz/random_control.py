"""Random control of models over its full range, with every solver, integrator and cone: no crash, no hang, no NaN that
nobody tells of, no reset.

    random_control.py SEED SECONDS [FOLDER…]

makes trials until the time is over, the same for the same seed. It says what it is about to do, so that a crash has a
name; its last line is JSON: trials, steps, worlds that stopped with a reason, what was found. `--trial SEED NUMBER`
makes one again.
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
SOLVERS, INTEGRATORS = ("PGS", "CG", "Newton", "TGS"), ("Euler", "RK4", "implicit", "implicitfast", "discrete")
CONES = ("pyramidal", "elliptic")
WORLDS = 8
MOST_STEP_SECONDS = 1.0  # of one step, on a machine that does other things too
MOST_DOFS = 120  # larger models take the time of all others


def options(cache={}):  # noqa: B006 (found once)
    """Numbers of solvers, integrators and cones, by the words of MJCF."""
    import pliant

    if not cache:
        for attribute, words in (("solver", SOLVERS), ("integrator", INTEGRATORS), ("cone", CONES)):
            for word in words:
                model = pliant.load_string(f'<mujoco><option {attribute}="{word}"/><worldbody/></mujoco>')
                cache[attribute, word] = getattr(model.opt, attribute)
    return cache


def steps_of(model):
    """So many that trials of small and of large models take about the same time: by dofs, not by the clock, so that a
    trial can be made again."""
    return int(np.clip(64_000 / (model.nv + 2) ** 1.5, 50, 4000))


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
        self.models = {}
        self.steps = self.stopped = self.refused = 0
        self.found = []

    def model(self, path):
        import pliant

        if path not in self.models:
            self.models[path] = None
            try:
                model = pliant.load(path)
                if 0 < model.nv <= MOST_DOFS:
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

        start = np.repeat(start_state(model)[None], WORLDS, 0)
        control = controls(model, rng, WORLDS, steps_of(model))
        before = time.perf_counter()
        result = pliant.rollout(model, start, control, control_spec=control_spec(), nthread=1, on_fault="ignore")
        seconds = time.perf_counter() - before
        made = int(result.steps.sum())
        self.steps += made
        self.stopped += int((result.status != 0).sum())
        self.found += [f"{name}: {problem}" for problem in problems(model, start, result)]
        if seconds > MOST_STEP_SECONDS * max(1, made):
            self.found.append(f"{name}: {seconds:.1f} s for {made} steps")


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
        end = time.monotonic() + float(arguments[1])
        while time.monotonic() < end:
            trials.run(number)
            number += 1
    print(json.dumps({"inputs": number, "steps": trials.steps, "stopped": trials.stopped, "refused": trials.refused,
                      "found": trials.found}), flush=True)  # fmt: skip
    return 1 if trials.found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
