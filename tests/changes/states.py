"""Models of others and states to look at them in, made by MuJoCo: the same in the test and in the script that measures.

(scripts/make-changed-since-table imports this with a Python that has an old MuJoCo and nothing of ours.)
"""

import os
import pathlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARKS, MARKS_OF_LARGE = (20, 100, 300, 600), (20, 60)  # steps after which a run is looked at
LARGE = 300  # dofs
NAMES = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat")


def sources():
    given = os.environ.get("PLIANT_MODELS")
    if given:
        yield "$PLIANT_MODELS", pathlib.Path(given)
    packages = next((ROOT / ".venv" / "lib").glob("python3*")) / "site-packages"
    for name in ("gymnasium", "dm_control"):
        if (packages / name).is_dir():
            yield name, packages / name


def models():
    """(name, path) of every file that may be a model; names do not depend on where it is."""
    for label, folder in sources():
        for path in sorted([*folder.rglob("*.xml"), *folder.rglob("*.urdf")]):
            yield f"{label}/{path.relative_to(folder).as_posix()}", path


def state_of(d):
    return {name: getattr(d, name).copy() for name in NAMES}


def set_state(mujoco, m, d, state):
    mujoco.mj_resetData(m, d)
    for name, value in state.items():
        getattr(d, name)[...] = value


def states_of(mujoco, m, d):
    """qpos0, keyframes, and along two runs: controls at rest and random ones."""
    mujoco.mj_resetData(m, d)
    states = [state_of(d)]
    for key in range(min(m.nkey, 4)):
        mujoco.mj_resetDataKeyframe(m, d, key)
        states.append(state_of(d))
    limited, limits = m.actuator_ctrllimited, m.actuator_ctrlrange
    low, high = np.where(limited, limits[:, 0], -1), np.where(limited, limits[:, 1], 1)
    marks = MARKS if m.nv <= LARGE else MARKS_OF_LARGE
    for random in (False, True) if m.nu else (False,):
        mujoco.mj_resetData(m, d)
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, d, 0)
        rng = np.random.default_rng(0)
        for i in range(1, marks[-1] + 1):
            if random and i % 20 == 1:
                d.ctrl[:] = rng.uniform(low, high)
            mujoco.mj_step(m, d)
            if i in marks and np.all(np.isfinite(d.qacc)) and np.max(np.abs(d.qacc), initial=0) < 1e10:
                states.append(state_of(d))
    return states
