"""Rollouts on a cluster: worlds in chunks, bits as on one machine."""

import numpy as np

from ._cluster import cluster_of


def _rows(array, first, end):
    """The rows of some worlds; one row stands for all."""
    return array if array is None or len(array) == 1 else array[first:end]


def compute(worker, models, worlds, nstep, control_spec, initial_state, initial_warmstart, control, rows, set_const,
            keep_warmstarts):  # fmt: skip
    """What a worker does: (state, sensordata, warmstart, status, steps, faults, warmstarts) of some worlds."""
    from .. import _rollout

    models = [worker.get(model) for model in models]
    initial_state, initial_warmstart, control = (
        worker.get(array) if hasattr(array, "ref") else array for array in (initial_state, initial_warmstart, control)
    )
    if len(initial_state) == 1:
        initial_state = np.repeat(initial_state, worlds, 0)
    job = _rollout._Job(models, initial_state, control, nstep, control_spec, initial_warmstart, None, None, None,
                        set_const, None)  # fmt: skip
    job.rows = rows
    if keep_warmstarts:
        job.warmstarts = np.empty((worlds, nstep, models[0].nv))
    job.run(worker.threads)
    return job.state, job.sensordata, job.warmstart, job.status, job.steps, job.faults, job.warmstarts


def run(job, ray, progress, function=None, take=None, what="rollout"):
    """Fills the outputs of a job; returns the Report. With `function`, what it makes of a chunk's outputs comes back in
    their place, to `take(first, end, made)`."""
    cluster = cluster_of(ray)
    shared = [cluster.share_model(model) for model in job.models]
    one_for_all = {
        name: cluster.share(array)
        for name in ("initial_state", "initial_warmstart", "control")
        if (array := getattr(job, name)) is not None and len(array) == 1 and array.nbytes > 10_000
    }

    def arguments(first, end):
        given = {
            name: one_for_all.get(name, _rows(getattr(job, name), first, end))
            for name in ("initial_state", "initial_warmstart", "control")
        }
        return {
            "models": shared if len(shared) == 1 else shared[first:end],
            "worlds": end - first,
            "nstep": job.nstep,
            "control_spec": job.control_spec,
            "rows": {name: _rows(values, first, end) for name, values in job.rows.items()},
            "set_const": job.set_const,
            "keep_warmstarts": job.warmstarts is not None,
            **given,
        }

    faults = []

    def keep(first, end, results):
        state, sensordata, warmstart, status, steps, found, warmstarts = results
        _part(job.state, job.nbatch, first, end)[...] = state
        _part(job.sensordata, job.nbatch, first, end)[...] = sensordata
        job.warmstart[first:end], job.status[first:end], job.steps[first:end] = warmstart, status, steps
        if warmstarts is not None:
            job.warmstarts[first:end] = warmstarts
        faults.extend((first + world, step, message) for world, step, message in found)

    report = cluster.do(what, job.nbatch, function or compute, arguments, take or keep, progress)
    job.faults = sorted(faults)
    return report


def _part(array, nbatch, first, end):
    """Worlds of an output, whatever its shape is."""
    return array.reshape(nbatch, *(array.shape[1:] if array.ndim == 3 else (-1, array.shape[-1])))[first:end]
