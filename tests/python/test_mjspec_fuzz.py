"""Random sequences of edits of an MjSpec: whatever is built, changed, attached and removed, calls end with a result or
with an exception that says what is wrong, and what compiles can be simulated and written.
"""

import random
import warnings

import numpy as np
import pytest

import pliant.mujoco as mujoco

EXPECTED = (ValueError, TypeError, IndexError, AttributeError, KeyError, NotImplementedError, mujoco.FatalError,
            mujoco.LoadError)  # fmt: skip
ODD = [0, 1, -1, 0.5, 1e30, -1e30, float("nan"), float("inf"), 2**40, "", "box", "no such thing", b"bytes", None, [],
       [1, 2, 3], [0, 0, 0, 0], np.zeros(6), np.ones((2, 2)), True, object()]  # fmt: skip


class Edits:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.spec = mujoco.MjSpec()
        self.others = []
        self.names = 0

    def name(self):
        self.names += 1
        return self.random.choice(["", "box", f"n{self.names}"])

    def elements(self):
        return [element for kind in ("bodies", "geoms", "joints", "sites", "actuators", "sensors", "equalities",
                                     "tendons", "meshes", "materials", "cameras", "lights", "frames")
                for element in getattr(self.spec, kind)]  # fmt: skip

    def number(self, scale=1.0):
        return self.random.choice([0.0, self.random.gauss(0, scale), self.random.uniform(0.01, 0.3)])

    # -- edits --

    def add_body(self):
        body = self.random.choice(self.spec.bodies)
        new = body.add_body(name=self.name(), pos=[self.number() for _ in range(3)])
        if self.random.random() < 0.7:
            new.add_geom(size=[abs(self.number()) for _ in range(3)], type=self.random.choice(list(mujoco.mjtGeom)))
        if self.random.random() < 0.7:
            new.add_joint(name=self.name(), type=self.random.choice(list(mujoco.mjtJoint)))

    def add_part(self):
        body = self.random.choice(self.spec.bodies)
        kind = self.random.choice(["geom", "joint", "site", "camera", "light", "frame", "freejoint"])
        getattr(body, f"add_{kind}")(name=self.name())

    def add_other(self):
        kind = self.random.choice(["actuator", "sensor", "equality", "tendon", "mesh", "material", "exclude", "pair",
                                   "numeric", "text", "key"])  # fmt: skip
        new = getattr(self.spec, f"add_{kind}")(name=self.name())
        if kind == "actuator":
            new.target, new.trntype = "box", self.random.choice(list(mujoco.mjtTrn))
        if kind == "mesh":
            new.uservert = np.array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1][: self.random.choice([12, 9, 5])], float)

    def set_attribute(self):
        element = self.random.choice(self.elements() + [self.spec.option, self.spec.compiler, self.spec.stat])
        attribute = self.random.choice([name for name in dir(element) if not name.startswith("_")])
        if not callable(getattr(element, attribute)):
            setattr(element, attribute, self.random.choice(ODD))

    def remove(self):
        self.spec.delete(self.random.choice(self.elements()))

    def use_removed(self):
        element = self.random.choice(self.elements())
        self.spec.delete(element)
        repr(element)
        element.name = "again"

    def copy(self):
        self.others.append(self.spec.copy())
        if self.random.random() < 0.3:
            self.spec = self.random.choice(self.others)

    def attach(self):
        other = self.random.choice(self.others) if self.others else mujoco.MjSpec()
        frame = self.spec.worldbody.add_frame(pos=[self.number() for _ in range(3)])
        self.spec.attach(other, frame=frame, prefix=self.random.choice(["", "p-", "q-"]))
        self.others = [one for one in self.others if one is not other]

    def add_default(self):
        parent = self.spec.default
        new = self.spec.add_default(self.name() or "d", parent)
        new.geom.size = [0.1, 0.1, 0.1]
        self.random.choice(self.spec.geoms).classname = new

    def write(self):
        self.spec.to_xml()

    def compile(self):
        model = self.spec.compile()
        assert np.isfinite(model.body_mass).all()
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, 2)

    def run(self, length):
        edits = [self.add_body] * 4 + [self.add_part] * 3 + [self.add_other] * 2 + [self.set_attribute] * 6
        edits += [self.remove, self.use_removed, self.copy, self.attach, self.add_default, self.write, self.compile]
        for _ in range(length):
            self.step(self.random.choice(edits))
        self.step(self.write)
        self.step(self.compile)

    def step(self, edit):
        try:
            edit()
        except EXPECTED as error:
            assert str(error), f"{edit.__name__}: {type(error).__name__} without words"


def run(seeds):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in seeds:
            Edits(seed).run(30)


@pytest.mark.parametrize("part", range(4))
def test_random_edits(part):
    run(range(25 * part, 25 * part + 25))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_many_random_edits(part):
    run(range(1000 * (part + 1), 1000 * (part + 2)))
