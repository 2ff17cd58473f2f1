"""Numbers over time by name, for plots. A series has a title, a unit, names of columns and a function of a world."""

import collections.abc
import dataclasses

import numpy as np

from .. import _pliant
from . import marks


@dataclasses.dataclass
class Series:
    title: str
    unit: str
    columns: collections.abc.Sequence
    read: object  # (world) -> numbers, one per column


def _component_names(model, kind, counts):
    """'elbow', 'root[0]', 'root[1]' … for the numbers that joints (or others) have in an array."""
    out = []
    for i, count in enumerate(counts):
        name = model.name(kind, i) or f"{kind} {i}"
        out += [name] if count == 1 else [f"{name}[{k}]" for k in range(count)]
    return out


def qpos_names(model):
    return _component_names(model, "joint", [(7, 4, 1, 1)[t] for t in model.jnt_type])


def qvel_names(model):
    return _component_names(model, "joint", [(6, 3, 1, 1)[t] for t in model.jnt_type])


def sensor_names(model):
    return _component_names(model, "sensor", [int(n) for n in model.sensor_dim])


def actuator_names(model):
    return _component_names(model, "actuator", [1] * model.nactuator)


def _energies(model, world):
    before = world.data.energy.copy()  # the user's data stay as they are
    for stage in ("potential energy", "kinetic energy"):
        _pliant.run_stage(model, world.state, world.data, stage)
    potential, kinetic = (float(x) for x in world.data.energy)
    world.data.energy[:] = before
    return potential, kinetic, potential + kinetic


def _contact_numbers(model, world):
    force = marks.contact_forces(model, world.data)
    normal = marks.contacts(world.data)["frame"][:, :3] if len(force) else np.zeros((0, 3))
    return len(force), float(np.abs((force * normal).sum(1)).sum())


def _solver_numbers(world):
    reports = _pliant.solver_reports(world.data)
    return max((r["iterations"] for r in reports), default=0), max((r["gap"] for r in reports), default=0.0)


def all_series(model):
    """Everything there is to plot, the most asked for first. Solver numbers come from the forward pass of a state."""
    out = [
        Series("energy", "J", ["potential", "kinetic", "sum"], lambda w: _energies(model, w)),
        Series("contacts", "", ["number", "sum of normal forces [N]"], lambda w: _contact_numbers(model, w)),
    ]
    if model.nsensordata:
        out.append(Series("sensordata", "", sensor_names(model), lambda w: w.data.sensordata))
    if model.nq:
        out.append(Series("qpos", "", qpos_names(model), lambda w: w.state.qpos))
        out.append(Series("qvel", "", qvel_names(model), lambda w: w.state.qvel))
        out.append(Series("qacc", "", qvel_names(model), lambda w: w.data.qacc))
        out.append(Series("qfrc_constraint", "", qvel_names(model), lambda w: w.data.qfrc_constraint))
    if model.nactuator:
        out.append(Series("actuator_force", "", actuator_names(model), lambda w: w.data.actuator_force))
    if model.nu:
        out.append(Series("ctrl", "", [f"ctrl[{i}]" if model.nu != model.nactuator else n for i, n in
                                       enumerate(actuator_names(model) if model.nu == model.nactuator
                                                 else range(model.nu))], lambda w: w.state.ctrl))  # fmt: skip
    if model.nmimic:
        names = [r["name"] or f"mimic {i}" for i, r in enumerate(_mimics(model, _pliant.World(model)))]
        out.append(Series("mimic residual", "m or rad", names, lambda w: [r["residual"] for r in _mimics(model, w)]))
        out.append(Series("mimic force", "N or N m", names, lambda w: [r["force"] for r in _mimics(model, w)]))
    if model.ntendon:
        names = _component_names(model, "tendon", [1] * model.ntendon)
        out.append(Series("tendon length", "", names, lambda w: w.data.ten_length))
    out.append(Series("solver", "", ["iterations", "gap"], _solver_numbers))
    return out


class _Places(collections.abc.Sequence):
    """Names of the numbers of an array, xpos[3][2], made when they are asked for: large models have many."""

    def __init__(self, name, shape):
        self.name, self.shape = name, shape

    def __len__(self):
        return int(np.prod(self.shape, dtype=int))

    def __getitem__(self, number):
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self.name + "".join(f"[{k}]" for k in np.unravel_index(number, self.shape))


def field_series(model, world):
    """Every array of State and Data that has numbers in it."""
    out = []
    for part, fields in (("state", _pliant.state_fields()), ("data", _pliant.data_fields())):
        for field in fields:
            name = field["name"]
            shape = np.shape(getattr(getattr(world, part), name))
            columns = _Places(name, shape)
            if not columns:
                continue
            read = lambda w, part=part, name=name: np.asarray(getattr(getattr(w, part), name), float)  # noqa: E731
            out.append(Series(f"{part}.{name}", field["unit"], columns, read))
    return out


def _mimics(model, world):
    return _pliant.mimic_reports(model, world.state, world.data)
