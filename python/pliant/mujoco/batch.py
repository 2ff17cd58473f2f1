"""Many simulations of one model, moved together on threads: Batch, with the names and shapes of mujoco.batch.

Simulation i is row i of `state`, a vector of mjSTATE_INTEGRATION. A call loads rows, runs, copies out the fields that
were asked for, and saves the rows; bits of the results depend neither on the number of threads nor on the number of
simulations.

    batch = Batch(model, nsim=1024)
    qpos, ctrl, xpos = batch.qpos, batch.ctrl, batch.xpos
    for _ in range(1000):
        ctrl[:] = policy(qpos)
        batch.step()

Fields of the state are live: what is written is the simulation's at its next call. Other fields are copies, made after
every call, and read-only; after step() they are those of the state before the last substep, as with mj_step. Parameters
of the model get values of their own per simulation with expand(), or by writing named views:
batch.body("pole").mass = masses. DATA_FIELDS and MODEL_FIELDS are the names bind() and expand() know.

Beyond the reference: a step that meets numbers which are not finite is refused and the simulation counts as failed,
where the reference resets its state; in rollout() it stops where it is.
"""

import copy as _copy
import functools as _functools

import numpy as _np

from .. import _pliant
from .._attributes import did_you_mean as _did_you_mean
from .._callbacks import refuse_callbacks as _refuse_callbacks
from .._data import _WARNINGS, MjData
from .._enums import mjtStage, mjtState, mjtWarning
from .._pliant import FatalError

__all__ = ["DATA_FIELDS", "MODEL_FIELDS", "Batch", "SimulationError"]

# fields of MjData that are parts of the state
_STATE_FIELDS = {
    "time": mjtState.mjSTATE_TIME, "qpos": mjtState.mjSTATE_QPOS, "qvel": mjtState.mjSTATE_QVEL,
    "act": mjtState.mjSTATE_ACT, "history": mjtState.mjSTATE_HISTORY, "qacc_warmstart": mjtState.mjSTATE_WARMSTART,
    "ctrl": mjtState.mjSTATE_CTRL, "qfrc_applied": mjtState.mjSTATE_QFRC_APPLIED,
    "xfrc_applied": mjtState.mjSTATE_XFRC_APPLIED, "eq_active": mjtState.mjSTATE_EQ_ACTIVE,
    "mocap_pos": mjtState.mjSTATE_MOCAP_POS, "mocap_quat": mjtState.mjSTATE_MOCAP_QUAT,
    "userdata": mjtState.mjSTATE_USERDATA, "plugin_state": mjtState.mjSTATE_PLUGIN,
    "plastic": mjtState.mjSTATE_PLASTIC,
}  # fmt: skip
_COUNTS = "nA nJ ncon ne nefc nf nidof nisland nl".split()
# fields of a size of their own in every step
_IN_ARENA = "contact efc_ iefc_ island_ map_ iacc ifrc_ dof_island tree_island tendon_efcadr efm_".split()
_ASSETS = "mesh_ hfield_ skin_ tex_ oct_ bvh_".split()
_WARNING_PLACES = [(int(mjtWarning[f"mjWARN_{name}"]), fault) for name, fault in _WARNINGS.items()]


class SimulationError(RuntimeError):
    """Some simulations of a call failed: they are where they were before it, and the others have run.

    `ids` are their numbers; Batch.error(i) says what happened to each.
    """

    def __init__(self, ids, message, ncall=None):
        self.ids = ids
        some = ", ".join(map(str, ids[:5])) + (", ..." if len(ids) > 5 else "")
        of = "" if ncall is None else f" of {ncall}"
        super().__init__(f"{len(ids)}{of} simulations ({some}); simulation {ids[0]}: {message}")


class Batch:
    """nsim simulations of a model on nthread threads (0: one per core).

    model       what they share; it is copied
    persistent  every simulation keeps an MjData of its own from call to call (get_data); otherwise one per thread
                serves all, and fields that a call does not compute hold numbers of another simulation
    """

    def __init__(self, model, nsim, nthread=0, persistent=False):
        _check_int("nsim", nsim), _check_int("nthread", nthread)
        self._b = _pliant.StateBatch(model, nsim, nthread, bool(persistent))
        self.model = model
        self._models = None
        self._nkey = model.nkey
        self._bound, self._expanded = {}, {}
        self.state = self._b.state()
        self.status = self._b.status()
        self.status.flags.writeable = False
        self._faults = self._b.faults()
        self.warning = _np.zeros((nsim, int(mjtWarning.mjNWARNING), 2), _np.int32)

    @_functools.cached_property
    def _data(self):
        """An MjData, for shapes and types."""
        return MjData(self.model)

    def __getattr__(self, name):
        if name in DATA_FIELDS:
            return self.bind(name)
        hint = "" if name.startswith("__") else _hint(name, DATA_FIELDS, of_model=True)
        raise AttributeError(f"Batch has no attribute {name!r}{hint}", name=name, obj=self)

    def __setattr__(self, name, value):
        if name not in DATA_FIELDS:
            object.__setattr__(self, name, value)
        elif name not in _STATE_FIELDS:
            raise _not_written(name)
        else:
            self.bind(name)[...] = value

    nsim = property(lambda self: self._b.nsim, doc="number of simulations")
    nthread = property(lambda self: self._b.nthread, doc="number of threads")
    nstate = property(lambda self: self._b.nstate, doc="numbers in a row of `state`")
    persistent = property(lambda self: self._b.persistent, doc="whether simulations keep their data")
    models = property(
        lambda self: tuple(self._models) if isinstance(self._models, list) else self._models,
        doc="what set_models was given; None: the batch's model",
    )

    def error(self, sim):
        """Why the last call of a simulation failed; "" if it did not."""
        return self._b.error(sim)

    # ---- fields ----------------------------------------------------------------------------------

    def bind(self, name):
        """A field of MjData of all simulations, (nsim, …). Parts of the state are views of the rows, so that eq_active
        is made of float64; others are read-only and zero until the next call.
        """
        if name in _STATE_FIELDS:
            before = int(_STATE_FIELDS[name]) - 1
            first = _pliant.mj_stateSize(self.model, before)
            size = _pliant.mj_stateSize(self.model, int(_STATE_FIELDS[name]))
            view = self.state[:, first : first + size]
            return view[:, 0] if name == "time" else view.reshape(self.nsim, *getattr(self._data, name).shape)
        if name not in self._bound:
            self._bound[name] = self._bind_output(name)
        return self._bound[name]

    def _bind_output(self, name):
        template = _template(self._data, name)
        if name not in DATA_FIELDS or template is None:
            raise _not_bindable(self._data, name)
        rows = self._b.output(name)
        if rows is None:  # what does not change
            return _np.broadcast_to(template, (self.nsim, *template.shape))
        rows = rows.view(template.dtype).reshape(self.nsim, *template.shape)
        rows.flags.writeable = False
        return rows

    def expand(self, name):
        """Gives every simulation its own values of a parameter, "body_mass" or "opt.gravity", and returns them, (nsim,
        …). Call set_const() when constants that follow from it should follow.
        """
        if name not in self._expanded:
            if name not in MODEL_FIELDS:
                raise _not_expandable(self.model, name)
            self._no_models("expand")
            template = _parameter(self.model, name)
            rows = self._b.expand(name)
            if rows is None and template.size == 0:  # of things that Pliant does not have
                rows = _np.zeros((self.nsim, 0), template.dtype)
            self._expanded[name] = _parameter_rows(rows, template, name)
        return self._expanded[name]

    def expanded(self, name):
        """Values of a parameter that simulations have of their own, by expand() or set_const(), read-only; None if all
        share the model's.
        """
        if name not in MODEL_FIELDS:
            raise _not_expandable(self.model, name)
        rows = self._b.expanded(name)
        if rows is None:
            return None
        rows = _parameter_rows(rows, _parameter(self.model, name), name)
        rows.flags.writeable = False
        return rows

    # ---- calls -----------------------------------------------------------------------------------

    def step(self, ids=None, nstep=1, stage=mjtStage.mjSTAGE_NONE):
        """Moves simulations by nstep timesteps, then computes the stages up to `stage` (mjtStage) at the new state:
        with mjSTAGE_VEL positions, velocities and their sensors are those of the new state, as after mj_step1.
        """
        self._b.call_c_functions(_refuse_callbacks("Batch.step", c_functions=True))
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.step(ids, nstep, int(stage)))

    def forward(self, ids=None, stage=mjtStage.mjSTAGE_ACC):
        """Computes the stages up to `stage`: by default all, as mj_forward."""
        self._b.call_c_functions(_refuse_callbacks("Batch.forward", c_functions=True))
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.forward(ids, int(stage)))

    def reset(self, ids=None, keyframe=-1, stage=mjtStage.mjSTAGE_ACC):
        """Back to the start, or to keyframes (one for all simulations of the call, or one each; -1: the start), then as
        forward().
        """
        ids = _ids(ids, self.nsim)
        keys = _integers("keyframe", keyframe, (self._number(ids),), -1, self._nkey)
        self._check(ids, self._b.reset(ids, None if (keys == -1).all() else keys, int(stage)))

    def set_const(self, ids=None):
        """mj_setConst for simulations; what it computes is per simulation from now on."""
        self._no_models("set_const")
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.set_const(ids))

    def rollout(self, nstep, control=None, control_spec=mjtState.mjSTATE_CTRL, record=("qpos",), ids=None, out=None):
        """Moves simulations by nstep steps and returns what was recorded after each: {item: (n, nstep, …)}.

        control       (n, nstep, size of control_spec): parts of the state, set before each step; None: as they are
        control_spec  bits of mjtState within mjSTATE_USER
        record        names of fields, or bits of mjtState for state vectors
        out           arrays to record into, by item
        A simulation whose step is refused stops; its records repeat the last ones and `warning` counts it.
        """
        self._b.call_c_functions(_refuse_callbacks("Batch.rollout", c_functions=True))
        ids = _ids(ids, self.nsim)
        _check_int("nstep", nstep)
        n = self._number(ids)
        if int(control_spec) & ~int(mjtState.mjSTATE_USER):
            raise ValueError("control_spec can only have bits of mjSTATE_USER")
        if control is not None:
            size = _pliant.mj_stateSize(self.model, int(control_spec))
            control = _np.ascontiguousarray(_np.broadcast_to(control, (n, nstep, size)), _np.float64)
        arrays, records = {}, []
        for item in record:
            arrays[item] = self._record(item, (n, nstep), (out or {}).get(item))
            named = isinstance(item, str)
            if not named or self._is_recorded(item):
                records.append((item if named else None, 0 if named else int(item), arrays[item]))
        self._check(ids, self._b.rollout(ids, nstep, control, int(control_spec), records))
        return arrays

    def _is_recorded(self, name):
        """Whether the engine has the field; what never changes is written by _record."""
        return name in _STATE_FIELDS or self._b.output(name) is not None

    def _record(self, item, rows, given):
        if isinstance(item, str):
            template = _np.zeros(()) if item == "time" else _template(self._data, item)
            if item not in DATA_FIELDS or template is None:
                raise _not_bindable(self._data, item)
            shape, dtype = (*rows, *template.shape), template.dtype
        else:
            shape, dtype = (*rows, _pliant.mj_stateSize(self.model, int(item))), _np.dtype(_np.float64)
        if given is None:
            given = _np.empty(shape, dtype)
        fits = isinstance(given, _np.ndarray) and given.shape == shape and given.dtype == dtype
        if not fits or not given.flags.c_contiguous or not given.flags.writeable:
            raise ValueError(f"out[{item!r}] must be a writable C-contiguous array of {dtype} of shape {shape}")
        if isinstance(item, str) and not self._is_recorded(item):
            given[...] = template
        return given

    def jac(self, body, point, ids=None):
        """mj_jac of a point of the world on a body, (3,) or (n, 3); `body` an id, or one per simulation. Returns jacp
        and jacr, (n, 3, nv). States and bound fields stay as they are.
        """
        ids = _ids(ids, self.nsim)
        n = self._number(ids)
        body = _integers("body", body, (n,), 0, self.model.nbody)
        point = _np.ascontiguousarray(_np.broadcast_to(point, (n, 3)), _np.float64)
        jacp, jacr = _np.zeros((2, n, 3, self.model.nv))
        self._check(ids, self._b.jac(ids, body, point, jacp, jacr))
        return jacp, jacr

    def ray(self, pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1, ids=None, normal=False):
        """mj_ray in every simulation: `pnt` and `vec` (3,), (nray, 3) or (n, nray, 3). Returns distances and geoms, (n,
        nray), -1 where nothing is hit, and with `normal` also the normals there, (n, nray, 3).
        """
        ids = _ids(ids, self.nsim)
        n = self._number(ids)
        pnt, vec = (_np.atleast_2d(_np.asarray(x, _np.float64)) for x in (pnt, vec))
        nray = _np.broadcast_shapes(pnt.shape[:-1], vec.shape[:-1])[-1]
        pnt, vec = (_np.ascontiguousarray(_np.broadcast_to(x, (n, nray, 3))) for x in (pnt, vec))
        exclude = _integers("bodyexclude", bodyexclude, (n, nray), -1, self.model.nbody)
        if geomgroup is not None:
            geomgroup = _np.ascontiguousarray(geomgroup, _np.uint8)
        dist, geomid = _np.zeros((n, nray)), _np.zeros((n, nray), _np.int32)
        normals = _np.zeros((n, nray, 3)) if normal else None
        self._check(ids, self._b.ray(ids, pnt, vec, geomgroup, bool(flg_static), exclude, dist, geomid, normals))
        return (dist, geomid, normals) if normal else (dist, geomid)

    # ---- models and data of single simulations -----------------------------------------------------

    def set_models(self, models):
        """Other models: one per simulation, one for all, or None for the batch's own. They must have the sizes of the
        batch's model; expand() and set_const() are not possible while they are set, and they not after those.
        """
        many = models if models is None or isinstance(models, _pliant.Model) else list(models)
        chosen = [] if many is None else many if isinstance(many, list) else [many]
        if isinstance(many, list) and len(many) != self.nsim:
            raise ValueError(f"set_models: one model per simulation is needed, {self.nsim}, not {len(many)}")
        if not all(isinstance(model, _pliant.Model) for model in chosen):
            raise TypeError("set_models: models should be an MjModel, a list of them or None")
        try:
            self._b.set_models(chosen)
        except ValueError as error:
            raise FatalError(str(error)) from None
        self._nkey = max((model.nkey for model in chosen), default=self.model.nkey)
        self._models = many

    def get_model(self, sim, model=None):
        """The model of a simulation with its own parameters: a copy, or written into `model`."""
        self.error(sim)  # is there one?
        if model is None:
            model = _copy.copy(self._model_of(sim))
        self._b.get_model(sim, model)
        return model

    def get_data(self, sim, data=None):
        """The state of a simulation, in a persistent batch all of its MjData: new, or written into `data`."""
        self.error(sim)
        if data is None:
            data = MjData(self.model)
        self._b.get_data(sim, data)
        return data

    def _model_of(self, sim):
        return self._models[sim] if isinstance(self._models, list) else self._models or self.model

    def _no_models(self, what):
        if self._models is not None:
            raise FatalError(f"{what}: models of the caller are set (set_models); change those instead")

    def _number(self, ids):
        return self.nsim if ids is None else len(ids)

    def _check(self, ids, failed):
        for place, fault in _WARNING_PLACES:
            self.warning[:, place] = self._faults[:, fault]
        if failed:
            chosen = _np.arange(self.nsim) if ids is None else ids
            bad = chosen[self.status[chosen] != 0]
            raise SimulationError(bad, self.error(int(bad[0])), len(chosen))


def _add_named(kind, of_data):
    def named(self, key):
        return _Named(self, kind, key, of_data)

    named.__name__ = kind
    named.__doc__ = f"One {kind} of all simulations, by name or number."
    setattr(Batch, kind, named)


for _kind in "actuator body camera geom joint light sensor site tendon".split():
    _add_named(_kind, True)
for _kind in "equality keyframe material numeric pair".split():
    _add_named(_kind, False)


class _Named:
    """One object of all simulations: its parts of bound and expanded fields, by the names MjData's and MjModel's views
    have. Reading an attribute of the model does not expand it; writing does. Addresses, counts, ids and types are the
    same in every simulation.
    """

    _fields = {}  # (kind, attribute, of the model) → field

    def __init__(self, batch, kind, key, of_data):
        model_view = getattr(batch.model, kind)(key)
        put = _functools.partial(object.__setattr__, self)
        put("_batch", batch), put("_kind", kind), put("_model_view", model_view)
        put("_data_view", getattr(batch._data, kind)(model_view.id) if of_data else None)
        put("id", model_view.id), put("name", model_view.name)

    def __getattr__(self, attribute):
        return self._part(attribute, False)

    def __setattr__(self, attribute, value):
        if attribute in ("id", "name") or attribute.startswith("_"):
            raise AttributeError(f"{attribute} is read-only")
        self._part(attribute, True)[...] = value

    def _part(self, attribute, write):
        batch, in_no_field = self._batch, False
        for of_model, view, owner, names in (
            (False, self._data_view, batch._data, DATA_FIELDS),
            (True, self._model_view, batch.model, MODEL_FIELDS),
        ):
            part = None if view is None else getattr(view, attribute, None)
            if not isinstance(part, _np.ndarray):
                continue
            if part.size == 0:
                empty = _np.empty((batch.nsim, *part.shape), part.dtype)
                empty.flags.writeable = False
                return empty
            key = (self._kind, attribute, of_model)
            if key not in self._fields:
                field = _field_with(owner, names, part)
                if field is None:
                    in_no_field = True
                    continue
                self._fields[key] = field
            field = self._fields[key]
            found = (
                self._of_model(attribute, field, part, write) if of_model else self._of_data(attribute, field, write)
            )
            if not isinstance(found, _Rows):
                return found
            whole = getattr(owner, field)
            first = (_address(part) - _address(whole)) // whole.itemsize
            flat = found.rows.reshape(batch.nsim, -1)
            return flat[:, first : first + part.size].reshape(batch.nsim, *part.shape)
        if in_no_field:
            raise AttributeError(f"{self._kind} {attribute} is not a slice of a field that the batch binds or expands")
        names = [name for view in (self._model_view, self._data_view) if view is not None for name in dir(view)]
        raise AttributeError(f"{attribute} is not a field of a {self._kind}.{_close(attribute, names)}")

    def _of_data(self, attribute, field, write):
        if write and field not in _STATE_FIELDS:
            raise _not_written(f"{self._kind} {attribute}")
        return _Rows(self._batch.bind(field))

    def _of_model(self, attribute, field, part, write):
        batch, shape = self._batch, (self._batch.nsim, *part.shape)
        if batch._models is not None:
            if write:
                raise ValueError(
                    f"{field} comes from the models that set_models was given; change those and set them again"
                )
            views = (getattr(batch._model_of(i), self._kind)(self.id) for i in range(batch.nsim))
            values = _np.stack([_np.asarray(getattr(view, attribute)) for view in views])
            values.flags.writeable = False
            return values
        if field in batch._expanded:
            return _Rows(batch.expand(field))
        if _structural(field, part):
            if write:
                raise ValueError(f"{field} is structural: it cannot differ between simulations")
            return _np.broadcast_to(_np.asarray(part), shape)
        if write:
            return _Rows(batch.expand(field))
        rows = batch.expanded(field)
        return _np.broadcast_to(_np.asarray(part), shape) if rows is None else _Rows(rows)


class _Rows:
    """A whole field of all simulations, of which a part is wanted."""

    def __init__(self, rows):
        self.rows = rows


def _address(array):
    return array.__array_interface__["data"][0]


def _field_with(owner, names, part):
    """The field among `names` whose memory the array is a part of."""
    for name in names:
        whole = getattr(owner, name, None)
        if not isinstance(whole, _np.ndarray) or whole.dtype != part.dtype:
            continue
        offset = _address(part) - _address(whole)
        if offset >= 0 and offset + part.nbytes <= whole.nbytes:
            return name
    return None


def _structural(field, part):
    """Whether a field of the model holds addresses, counts, ids or types."""
    return part.dtype.kind in "iu" and field.endswith(("adr", "num", "id", "type")) and not field.endswith("contype")


def _parameter(model, name):
    """A parameter of the model or an option, as an array."""
    return _np.asarray(getattr(model.opt, name[4:]) if name.startswith("opt.") else getattr(model, name))


def _parameter_rows(rows, template, name):
    dtype = _np.int32 if name.startswith("opt.") and template.dtype.kind != "f" else template.dtype
    rows = rows.view(dtype)
    if rows.shape[1] == template.size:
        return rows.reshape(len(rows), *template.shape)
    # bvh_aabb: boxes of bodies only, which come first
    return rows.reshape(len(rows), -1 if rows.shape[1] else 0, *template.shape[1:])


def _template(data, name):
    """A field of MjData as an array; counts as numbers of int32."""
    value = getattr(data, name, None)
    if isinstance(value, _np.ndarray):
        return value
    return _np.zeros((), _np.int32) if isinstance(value, int) and not isinstance(value, bool) else None


# ---- arguments -----------------------------------------------------------------------------------


def _check_int(name, value):
    if isinstance(value, bool) or not isinstance(value, (int, _np.integer)):
        raise TypeError(f"{name} should be an integer, not {type(value).__name__}")
    if value < 0:
        raise ValueError(f"{name} must not be negative, got {value}")


def _ids(ids, nsim):
    """Ascending numbers of simulations as int32; None: all. Checked before they are narrowed."""
    if ids is None:
        return None
    ids = _np.asarray(ids)
    if ids.dtype == bool:
        if ids.shape != (nsim,):
            raise ValueError(f"a boolean mask must have shape ({nsim},), not {ids.shape}")
        return None if ids.all() else _np.flatnonzero(ids).astype(_np.int32)
    if ids.ndim != 1:
        raise ValueError(f"ids must be one-dimensional, but their shape is {ids.shape}")
    if ids.size == 0:
        return _np.zeros(0, _np.int32)
    if ids.dtype.kind not in "iu":
        raise ValueError(f"ids must be integers, got {ids.dtype}")
    wrong = _np.flatnonzero(ids[1:] <= ids[:-1])
    if wrong.size:
        raise ValueError(f"ids must be sorted and unique, got {ids[wrong[0]]} before {ids[wrong[0] + 1]}")
    for end in (ids[0], ids[-1]):
        if end < 0 or end >= nsim:
            raise ValueError(f"ids must be in [0, {nsim}), got {end}")
    return _np.ascontiguousarray(ids, _np.int32)


def _integers(name, values, shape, low, high):
    """Integers from low to below high, as int32 of a shape."""
    values = _np.asarray(values)
    if values.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {values.dtype}")
    wrong = values[(values < low) | (values >= high)]
    if wrong.size:
        raise ValueError(f"{name} must be in [{low}, {high}), got {wrong.flat[0]}")
    return _np.ascontiguousarray(_np.broadcast_to(values, shape), _np.int32)


# ---- names ---------------------------------------------------------------------------------------


def _close(name, names):
    hint = _did_you_mean(name, list(names))
    return f" ({hint.strip()[0].lower()}{hint.strip()[1:]})" if hint else ""


def _hint(name, names, of_model=False):
    if of_model and name in MODEL_FIELDS:
        return f"; {name} is a field of MjModel: use expand({name!r})"
    if "opt." + name in MODEL_FIELDS:
        return f"; {name} is an option: use expand('opt.{name}')"
    return _close(name, names)


def _not_bindable(data, name):
    if name in MODEL_FIELDS:
        return ValueError(f"{name} is a field of MjModel: use expand({name!r})")
    if any(name.startswith(prefix) for prefix in _IN_ARENA) and hasattr(type(data), name):
        return ValueError(f"{name} is in the arena: its size changes from step to step, and it cannot be bound")
    if _template(data, name) is not None and not isinstance(getattr(data, name), _np.ndarray):
        counts = sorted(count for count in _COUNTS if count in DATA_FIELDS)
        return ValueError(f"{name} is not one of the scalars bind() accepts: {', '.join(counts)}")
    return ValueError(f"{name} is not an array of MjData{_hint(name, DATA_FIELDS)}")


def _not_expandable(model, name):
    if name in DATA_FIELDS:
        return ValueError(f"{name} is a field of MjData: use bind({name!r})")
    if any(name.startswith(prefix) for prefix in _ASSETS) and hasattr(type(model), name):
        return ValueError(f"{name} is asset data, shared by all simulations, and cannot be expanded")
    return ValueError(f"{name} is not a parameter of the model{_hint(name, MODEL_FIELDS)}")


def _not_written(name):
    return ValueError(
        f"{name} is computed by every call and cannot be written; write fields of the state or expand parameters"
    )


def _names():
    """Names that bind() and expand() accept."""
    from . import MjModel  # (the package imports this module when it is asked for)

    model = MjModel.from_xml_string("<mujoco/>")
    data = MjData(model)
    public = lambda owner: [name for name in dir(owner) if not name.startswith("_")]  # noqa: E731
    outputs = {
        name
        for name in public(data)
        if isinstance(getattr(data, name), _np.ndarray) and not any(name.startswith(prefix) for prefix in _IN_ARENA)
    }
    parameters = {
        name
        for name in public(model)
        if isinstance(getattr(model, name), _np.ndarray)
        and (name == "bvh_aabb" or not any(name.startswith(prefix) for prefix in _ASSETS))
    }
    # (of Pliant's own options some are the same in all simulations)
    engine = _pliant.StateBatch(model, 1, 1, False)
    options = {f"opt.{name}" for name in public(model.opt) if not name.startswith("tgs_")}
    options = {name for name in options if engine.expand(name) is not None}
    return frozenset(outputs | set(_STATE_FIELDS) | set(_COUNTS)), frozenset(parameters | options)


DATA_FIELDS, MODEL_FIELDS = _names()
