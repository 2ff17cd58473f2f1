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


class Building(Edits):
    """Edits that mostly make sense, so that most models compile and run, and what they leave behind is used."""

    def __init__(self, seed):
        super().__init__(seed)
        self.held = []  # elements of before, whatever became of them
        self.pair = None  # the last model and data
        self.compiled = 0

    def name(self):
        self.names += 1
        return self.random.choice(["", f"n{self.names}", f"n{self.names}"])

    def one(self, kind):
        return self.random.choice(getattr(self.spec, kind))

    def add_body(self):
        new = self.one("bodies").add_body(name=self.name(), pos=[self.number() for _ in range(3)])
        new.mass, new.inertia, new.explicitinertial = 1, [1, 1, 1], True
        kind = self.random.choice(["HINGE", "SLIDE", "BALL", None])
        if kind:
            new.add_joint(name=self.name(), type=mujoco.mjtJoint[f"mjJNT_{kind}"])
        if self.random.random() < 0.7:
            kind = self.random.choice(["SPHERE", "CAPSULE", "BOX", "CYLINDER", "ELLIPSOID"])
            new.add_geom(name=self.name(), type=mujoco.mjtGeom[f"mjGEOM_{kind}"], size=[0.1, 0.1, 0.2])
        self.held.append(new)

    def add_part(self):
        kind = self.random.choice(["site", "camera", "light", "frame"])
        self.held.append(getattr(self.one("bodies"), f"add_{kind}")(name=self.name()))

    def add_other(self):
        joint = self.one("joints")
        joint.name = joint.name or self.fresh()
        kind = self.random.choice(["actuator", "sensor", "equality", "tendon", "exclude", "numeric", "text", "tuple"])
        name = self.fresh()
        if kind == "actuator":
            new = self.spec.add_actuator(name=name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
            laws = [new.set_to_motor, lambda: new.set_to_position(kp=3), lambda: new.set_to_velocity(kv=2)]
            self.random.choice(laws)()
        elif kind == "sensor":
            types = [mujoco.mjtSensor.mjSENS_JOINTPOS, mujoco.mjtSensor.mjSENS_JOINTVEL]
            new = self.spec.add_sensor(name=name, type=self.random.choice(types), objtype=mujoco.mjtObj.mjOBJ_JOINT,
                                       objname=joint.name)  # fmt: skip
        elif kind == "equality":
            new = self.spec.add_equality(name=name, type=mujoco.mjtEq.mjEQ_JOINT, name1=joint.name,
                                         objtype=mujoco.mjtObj.mjOBJ_JOINT)  # fmt: skip
        elif kind == "tendon":
            new = self.spec.add_tendon(name=name)
            new.wrap_joint(joint.name, self.number())
        elif kind == "exclude":
            one, other = self.one("bodies"), self.one("bodies")
            for body in (one, other):
                body.name = body.name or self.fresh()
            new = self.spec.add_exclude(name=name, bodyname1=one.name, bodyname2=other.name)
        elif kind == "numeric":
            new = self.spec.add_numeric(name=name, data=[self.number()] * self.random.randint(1, 4))
        elif kind == "text":
            new = self.spec.add_text(name=name, data=self.random.choice(["x", "", "two words"]))
        else:
            new = self.spec.add_tuple(name=name)
        self.held.append(new)

    def fresh(self):
        self.names += 1
        return f"n{self.names}"

    def rename(self):
        element = self.random.choice(self.held)
        element.name = self.random.choice([self.fresh(), "", element.name])

    def use_held(self):
        element = self.random.choice(self.held)
        for attribute in self.random.sample(dir(element), 12):
            if not attribute.startswith("_") and not callable(value := getattr(element, attribute)):
                repr(value)

    def set_attribute(self):
        element = self.random.choice(self.held)
        attribute = self.random.choice([name for name in dir(element) if not name.startswith("_")])
        value = getattr(element, attribute)
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            setattr(element, attribute, value * self.random.choice([1, 1, 2, 0.5, -1]))
        elif isinstance(value, float):
            setattr(element, attribute, value * self.random.choice([1, 2, 0.5]))

    def attach(self):
        other = self.random.choice(self.others) if self.others else mujoco.MjSpec()
        prefix, suffix = self.random.choice([(self.fresh(), None), (None, self.fresh()), (self.fresh(), "s")])
        way = self.random.randrange(5)
        if way == 0:
            self.spec.attach(other, site=self.one("sites"), prefix=prefix, suffix=suffix)
        elif way == 1:
            self.one("bodies").add_frame().attach_body(self.random.choice(other.bodies[1:]), prefix, suffix)
        elif way == 2:
            self.one("bodies").attach_frame(self.random.choice(other.frames), prefix, suffix)
        elif way == 3:
            self.one("sites").attach_body(self.random.choice(self.spec.bodies[1:]), prefix, suffix)
        else:
            self.spec.attach(other, frame=self.one("bodies").add_frame(), prefix=prefix, suffix=suffix)
        self.others = [one for one in self.others if one is not other]

    def to_frame(self):
        self.held.append(self.random.choice(self.spec.bodies[1:]).to_frame())

    def add_default(self):
        parent = self.random.choice([self.spec.default, *(g.classname for g in self.spec.geoms[:3])])
        new = self.spec.add_default(self.fresh(), parent)
        new.joint.armature = 0.01
        for joint in self.spec.joints[:2]:
            joint.classname = new

    def key(self):
        model = self.spec.copy().compile()
        self.spec.add_key(name=self.fresh(), qpos=model.qpos0, ctrl=np.zeros(model.nu))

    def write(self):
        again = mujoco.MjSpec.from_string(self.spec.to_xml())
        model, twin = self.spec.copy().compile(), again.compile()
        for size in ("nq", "nv", "nu", "nbody", "ngeom", "ntendon", "nsensor", "neq"):
            assert getattr(model, size) == getattr(twin, size), size

    def compile(self):
        model = self.spec.compile()
        self.run_model(model, mujoco.MjData(model))

    def run_model(self, model, data):
        assert np.isfinite(model.body_mass).all()
        self.pair = model, data
        mujoco.mj_step(model, data, 2)
        self.compiled += 1
        for body in self.spec.bodies:
            assert model.bind(body).id == body.id
        data.bind(self.spec.joints).qpos  # noqa: B018

    def recompile(self):
        if self.pair:
            self.run_model(*self.spec.recompile(*self.pair))

    def run(self, length):
        edits = [self.add_body] * 6 + [self.add_part] * 3 + [self.add_other] * 4 + [self.set_attribute] * 2
        edits += [self.use_held] * 2 + [self.rename, self.remove, self.copy, self.attach, self.attach, self.to_frame]
        edits += [self.add_default, self.key, self.write, self.compile, self.compile, self.recompile]
        for _ in range(length):
            self.step(self.random.choice(edits))
        self.step(self.write)
        self.step(self.compile)


def run(seeds, kinds=(Edits, Building)):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in seeds:
            kinds[seed % len(kinds)](seed).run(30)


def test_most_models_that_are_built_compile():
    """Otherwise the sequences would try little."""
    compiled = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(20):
            building = Building(seed)
            building.run(30)
            compiled += building.compiled > 0
    assert compiled >= 15


@pytest.mark.parametrize("part", range(4))
def test_random_edits(part):
    run(range(25 * part, 25 * part + 25))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_many_random_edits(part):
    run(range(1000 * (part + 1), 1000 * (part + 2)))
