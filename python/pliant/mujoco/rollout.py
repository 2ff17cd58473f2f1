"""mujoco.rollout by Pliant: the same arguments, shapes and results.

`data` says how many threads there are, and its first has the controls if none are given; the data themselves are not
touched. pliant.rollout has more: parameters
and a status per world.
"""

import warnings

import numpy as np

from pliant import _enums, _pliant
from pliant._callbacks import refuse_callbacks as _refuse_callbacks
from pliant._rollout import rollout as _rollout

_CTRL = int(_enums.mjtState.mjSTATE_CTRL)


def _check_number_of_data(datas, nthread):
    if not datas:
        raise ValueError("The list of data instances is empty")
    if nthread == 0 and len(datas) > 1:
        raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
    if nthread > 1 and len(datas) != nthread:
        raise ValueError(f"Length of data: {len(datas)} not equal to nthread: {nthread}")


class Rollout:
    """Rollouts with a fixed number of threads."""

    def __init__(self, *, nthread=None):
        self.nthread = 0 if nthread is None else nthread
        self._open = True

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()

    def close(self):
        """Ends the use of this object."""
        self._open = False

    def rollout(
        self, model, data, initial_state, control=None, *, control_spec=_CTRL, skip_checks=False, nstep=None,
        initial_warmstart=None, state=None, sensordata=None, chunk_size=None,
    ):  # fmt: skip
        """Trajectories from initial states under controls; returns (state, sensordata)."""
        _refuse_callbacks("rollout")
        if not self._open:
            raise RuntimeError("rollout requested after thread pool shutdown")
        for name, value, least in (("nstep", nstep, 0), ("chunk_size", chunk_size, 1)):
            if value is None:
                continue
            whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
            if not whole or value < least:
                wanted = "be a positive integer" if least else "be non-negative" if whole else "be an integer"
                raise ValueError(f"{name} must {wanted}, not {value!r}")
        datas = list(data) if isinstance(data, (list, tuple)) else [data]
        _check_number_of_data(datas, self.nthread)
        models = list(model) if isinstance(model, (list, tuple)) else [model]
        if skip_checks:  # then there may be more models than states
            models = models[: len(initial_state)]
        # data may be made for any model of the same sizes: check_fit of a cheap call says so
        for one in datas:
            if not isinstance(one, _pliant.World):
                raise TypeError(f"rollout: data should be MjData, not {type(one).__name__}")
        if nstep is None:
            # one control, or none, stands for as many steps as there is room for
            single = control is None or np.ndim(control) < 2 or np.shape(control)[-2] == 1
            outputs = [out for out in (state, sensordata) if np.ndim(out) >= 2]
            if single and outputs:
                nstep = np.shape(outputs[0])[-2]
        if control is None and control_spec:  # the inputs that would have been given are those of the data
            control = np.empty(_pliant.mj_stateSize(models[0], control_spec))
            _pliant.mj_getState(models[0], datas[0], control, control_spec)
        result = _rollout(
            models if len(models) > 1 else models[0], initial_state, control, nstep, max(1, self.nthread),
            control_spec=control_spec, initial_warmstart=initial_warmstart, state=state, sensordata=sensordata,
            on_fault="ignore",
        )  # fmt: skip
        if result.faults:
            world, step, message = result.faults[0]
            warnings.warn(f"rollout: world {world}, step {step}: {message}", RuntimeWarning, stacklevel=2)
        return result.state, result.sensordata


def rollout(
    model, data, initial_state, control=None, *, control_spec=_CTRL, skip_checks=False, nstep=None,
    initial_warmstart=None,
    state=None, sensordata=None, chunk_size=None, persistent_pool=False,
):  # fmt: skip
    """Trajectories from initial states under controls, on len(data) threads; returns (state, sensordata)."""
    nthread = len(data) if isinstance(data, (list, tuple)) else 1
    with Rollout(nthread=nthread) as engine:
        return engine.rollout(
            model, data, initial_state, control, control_spec=control_spec, skip_checks=skip_checks, nstep=nstep,
            initial_warmstart=initial_warmstart, state=state, sensordata=sensordata, chunk_size=chunk_size,
        )  # fmt: skip


def shutdown_persistent_pool():
    """Nothing to do: idle threads wait and end with the process."""
