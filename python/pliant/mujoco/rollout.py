"""mujoco.rollout by Pliant: the same arguments, shapes and results.

`data` only says how many threads there are: the data themselves are not touched. pliant.rollout has more: parameters
and a status per world.
"""

import warnings

import numpy as np

import pliant
from pliant import _enums
from pliant._callbacks import refuse_callbacks as _refuse_callbacks
from pliant._rollout import rollout as _rollout

_CTRL = int(_enums.mjtState.mjSTATE_CTRL)


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
        for name, value in (("nstep", nstep), ("chunk_size", chunk_size)):
            if value and not isinstance(value, int):
                raise ValueError(f"{name} must be an integer")
        datas = list(data) if isinstance(data, (list, tuple)) else [data]
        models = list(model) if isinstance(model, (list, tuple)) else [model]
        # data may be made for any model of the same sizes: check_fit of a cheap call says so
        for one in datas:
            if not isinstance(one, pliant._pliant.World):
                raise TypeError(f"rollout: data should be MjData, not {type(one).__name__}")
        if nstep is None:
            # one control, or none, stands for as many steps as there is room for
            single = control is None or np.ndim(control) < 2 or np.shape(control)[-2] == 1
            outputs = [out for out in (state, sensordata) if np.ndim(out) >= 2]
            if single and outputs:
                nstep = np.shape(outputs[0])[-2]
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
