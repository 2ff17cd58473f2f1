"""Numbers of a model by name: "body_mass[arm]", "geom_solref[ball][0]", "geom_friction[*][0]", "opt.timestep"."""

import re

import numpy as np

from .._attributes import did_you_mean
from .._pliant import model_fields

# beginnings of the names of arrays, and the kind of object that a row belongs to
_KINDS = {
    "body": "body", "jnt": "joint", "dof": "dof", "geom": "geom", "site": "site", "cam": "camera", "light": "light",
    "mat": "material", "pair": "pair", "eq": "equality", "tendon": "tendon", "actuator": "actuator",
    "sensor": "sensor", "key": "key", "hfield": "hfield", "mesh": "mesh",
}  # fmt: skip
_PATH = re.compile(r"(\w+(?:\.\w+)?)((?:\[[^\]]*\])*)")


class Path:
    """One number, or one row, or a whole array, of a model."""

    def __init__(self, model, text):
        found = _PATH.fullmatch(text)
        if not found:
            raise ValueError(f"{text!r} should be like 'body_mass[arm]', 'geom_solref[ball][0]' or 'opt.timestep'")
        self.text, self.name = text, found[1]
        self.is_option = self.name.startswith("opt.")
        keys = re.findall(r"\[([^\]]*)\]", found[2])
        if self.is_option:
            self._check_option(model, keys)
            return
        fields = {row["name"]: row for row in model_fields()}
        if self.name not in fields:
            raise ValueError(f"{text!r}: Model has no array {self.name!r}.{did_you_mean(self.name, list(fields))}")
        if fields[self.name]["dtype"] != "float64" or fields[self.name]["class"] == "structure":
            raise ValueError(f"{text!r}: {self.name} cannot differ from world to world: it is not a real parameter")
        shape = np.shape(getattr(model, self.name))
        if len(keys) > len(shape):
            raise ValueError(f"{text!r}: {self.name} has the shape {shape}, {len(keys)} indices are too many")
        self.index = tuple(self._number(model, key, i, shape) for i, key in enumerate(keys))

    def _check_option(self, model, keys):
        option = self.name.removeprefix("opt.")
        if keys or not isinstance(getattr(model.opt, option, None), (int, float)):
            raise ValueError(f"{self.text!r}: {self.name} is not an option of one number")
        self.name, self.index = option, ()

    def _number(self, model, key, axis, shape):
        if key == "*":
            return slice(None)
        try:
            number = int(key)
        except ValueError:
            if axis > 0:
                raise ValueError(f"{self.text!r}: {key!r} should be a number from 0 to {shape[axis] - 1}") from None
            kind = _KINDS.get(self.name.split("_")[0])
            if kind is None:
                raise ValueError(f"{self.text!r}: rows of {self.name} have no names, give a number") from None
            number = model.id(kind, key)
            if number < 0:
                names = [model.name(kind, i) for i in range(model.count(kind))]
                raise ValueError(f"{self.text!r}: there is no {kind} {key!r}.{did_you_mean(key, names)}") from None
        if not 0 <= number < shape[axis]:
            raise ValueError(f"{self.text!r}: {number} is not from 0 to {shape[axis] - 1}")
        return number

    def get(self, model):
        """Its value now."""
        if self.is_option:
            return getattr(model.opt, self.name)
        return np.array(getattr(model, self.name)[self.index])


def rows_of(model, paths, points):
    """({array: (number of points, …)}, models): what rollout() takes as parameters, and the models that options make.

    points: (number of points) lists with a value for each path.
    """
    parameters, models = {}, None
    for path in paths:
        if not path.is_option and path.name not in parameters:
            start = np.array(getattr(model, path.name), np.float64)
            parameters[path.name] = np.repeat(start[None], len(points), 0)
    for at, path in enumerate(paths):
        if path.is_option:
            continue
        for rows, point in zip(parameters[path.name], points):
            rows[path.index] = point[at]
    options = [at for at, path in enumerate(paths) if path.is_option]
    if options:
        from .. import Model

        made = {}
        for point in points:
            key = tuple(point[at] for at in options)
            if key not in made:
                made[key] = Model(model)
                for at, value in zip(options, key):
                    setattr(made[key].opt, paths[at].name, value)
        models = [made[tuple(point[at] for at in options)] for point in points]
    return parameters, models
