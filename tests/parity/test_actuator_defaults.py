"""What actuators take from default classes: every shortcut under classes written with every other, at random depth."""

import random

import mujoco
import numpy as np
import pytest

import pliant
import pliant.mujoco

DOCUMENTS_PER_SEED = 25
SEEDS = 24

MECHANICAL = {
    "ctrlrange": lambda r: numbers(sorted(r.sample([0, 0.5, 1, 2], 2))),
    "gear": lambda r: numbers([r.choice([1, 2, -0.5])]),
    "forcerange": lambda r: numbers(r.choice([(-2, 3), (-3, 3)])),
    "forcelimited": lambda r: r.choice(["auto", "false"]),
    "group": lambda r: r.randrange(3),
}
GAIN = {
    "kp": lambda r: r.choice([0, 2, 7.5]),
    "kv": lambda r: r.choice([0, 0.5, 3]),
    "dampratio": lambda r: r.choice([0, 1, 0.7]),
    "inheritrange": lambda r: r.choice([0, 0.5, 1]),
}
OWN = {
    "general": {
        "gaintype": lambda r: r.choice(["fixed", "affine", "pid"]),
        "biastype": lambda r: r.choice(["none", "affine"]),
        "dyntype": lambda r: r.choice(["none", "integrator", "filter", "filterexact"]),
        "gainprm": lambda r: numbers(r.choices([0, 1, 2, 3], k=3)),
        "biasprm": lambda r: numbers([0, -r.choice([0, 1, 2]), -r.choice([0, 1])]),
        "dynprm": lambda r: numbers(r.choices([0.1, 1, 2], k=2)),
        "input": lambda r: r.choice(["pos", "vel", "pressure"]),
        "inheritrange": GAIN["inheritrange"],
        "actrange": lambda r: numbers((-1, 2)),
    },
    "motor": {},
    "position": GAIN | {"timeconst": lambda r: r.choice([0, 0.2, 1])},
    "velocity": {"kv": GAIN["kv"]},
    "intvelocity": GAIN | {"actrange": lambda r: numbers((-1, 2))},
    "pid": GAIN
    | {
        "ki": lambda r: r.choice([0, 2]),
        "imax": lambda r: r.choice([0, 3]),
        "input": lambda r: r.choice(["pos", "pos vel", "pos ff"]),
        "posrange": lambda r: numbers((-1, 2)),
        "velrange": lambda r: numbers((-2, 2)),
    },
    "damper": {"kv": GAIN["kv"]},
    "cylinder": {
        "timeconst": lambda r: r.choice([0.3, 2]),
        "area": lambda r: r.choice([0, 2]),
        "diameter": lambda r: r.choice([0, 2, -1]),
        "bias": lambda r: numbers(r.choices([0, 1, -1], k=3)),
    },
    "muscle": {
        "timeconst": lambda r: numbers(r.choices([0.1, 0.2, -1], k=2)),
        "force": lambda r: r.choice([5, -2]),
        "scale": lambda r: r.choice([5, -2]),
        "lmin": lambda r: 0.6,
        "range": lambda r: numbers((0.6, 1.1)),
    },
    "dcmotor": {
        "motorconst": lambda r: numbers(r.choice([(1,), (1, 4), (0.5,)])),
        "resistance": lambda r: r.choice([2, 3]),
        "saturation": lambda r: numbers(r.choice([(5,), (0,), (0, 2), (0, 0, 3)])),
        "inductance": lambda r: numbers(r.choice([(0.1,), (0,), (0, 0.3)])),
        "thermal": lambda r: numbers(r.choice([(2, 3), (2, 3, 4, 0.1, 20, 25), (0, 0, 0)])),
        "input": lambda r: r.choice(["voltage", "none", "ff"]),
        "cogging": lambda r: numbers((1, 2, 3)),
    },
}
NOT_FOR = {"damper": {"ctrllimited"}, "dcmotor": {"forcerange", "forcelimited"}}


def numbers(values):
    return " ".join(repr(v) for v in values)


def element(r, tag, extra=""):
    table = {k: v for k, v in MECHANICAL.items() if k not in NOT_FOR.get(tag, ())} | OWN[tag]
    chosen = {name: make(r) for name, make in table.items() if r.random() < 0.35}
    if "kv" in chosen and tag not in ("velocity", "damper"):
        chosen.pop("dampratio", None)
    if tag == "dcmotor":  # without these it is refused at once
        chosen.setdefault("motorconst", 1)
        chosen.setdefault("resistance", 2)
    return f"<{tag} {extra} " + " ".join(f'{k}="{v}"' for k, v in chosen.items()) + "/>"


def document(r):
    tags = list(OWN)
    names = iter("abcdefgh")

    def classes(depth):
        inner = "".join(element(r, tag) for tag in r.sample(tags, r.choice([0, 1, 1, 1, 2])))
        if depth:
            for _ in range(r.choice([1, 1, 2])):
                inner += f'<default class="{next(names)}">{classes(depth - 1)}</default>'
        return inner

    defaults = classes(2)
    known = [name for name in "abcdefgh" if f'class="{name}"' in defaults]
    klass = r.choice(["", *(f'class="{name}"' for name in known)])
    actuator = element(r, r.choice(tags), f'name="x" joint="h" lengthrange="0 1" {klass}')
    return f"""<mujoco><default>{defaults}</default><worldbody><body><joint name="h" range="-40 80"/>
      <geom size=".1" pos=".4 0 0"/></body></worldbody><actuator>{actuator}</actuator></mujoco>"""


def load(module, text):
    try:
        return module.MjModel.from_xml_string(text), ""
    except (ValueError, pliant.LoadError) as error:
        return None, str(error)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_actuators_equal_reference(seed):
    r = random.Random(seed)
    compared = 0
    for _ in range(DOCUMENTS_PER_SEED):
        text = document(r)
        theirs, refusal = load(mujoco, text)
        ours, complaint = load(pliant.mujoco, text)
        assert (theirs is None) == (ours is None), f"{text}\n{refusal or 'accepted'}\n{complaint or 'accepted'}"
        if theirs is None:
            continue
        compared += 1
        for field in dir(theirs):
            if not field.startswith("actuator_") and field not in ("na", "nu", "nout"):
                continue
            a, b = np.asarray(getattr(theirs, field)), np.asarray(getattr(ours, field))
            np.testing.assert_allclose(b, a, rtol=0, atol=1e-12, err_msg=f"{field}\n{text}")
    assert compared >= DOCUMENTS_PER_SEED // 4
