"""System identification: parameters of a model for which simulated sensors read what real ones did."""

import numpy as np

from .. import _pliant
from ._paths import Path
from ._sweep import measured_points


class Identification:
    """Results of identify().

    parameters  {name: value} found
    error       root of the mean squared difference of sensor readings, weighted
    start       {name: value} of the best start, and `start_error` its error
    deviation   {name: standard deviation}: how well each is determined by the readings, if they are scattered as the
                error says and independent; infinite where they do not tell
    residual    (nstep, nsensordata) simulated minus measured, weighted
    rollouts    how many were simulated
    converged   whether the search ended by itself, not by max_iterations
    """

    def __init__(self, **results):
        self.__dict__.update(results)

    def __str__(self):
        lines = [f"{name:32} {value:12.6g}  ± {self.deviation[name]:.2g}" for name, value in self.parameters.items()]
        lines.append(f"error {self.error:.4g} (at the start {self.start_error:.4g}), {self.rollouts} rollouts")
        return "\n".join(lines)

    def __repr__(self):
        return f"<Identification {self.parameters}, error {self.error:.4g}>"


class _Readings:
    """measure() of a rollout that keeps all readings: one object, so that it is sent once."""

    def __call__(self, model, state, sensordata):
        return sensordata.ravel()


def identify(model, measured, unknown, *, control=None, initial_state=None, nstep=None, weights=None, starts=16,
             max_iterations=50, seed=0, set_const=True, ray=None, progress=False):  # fmt: skip
    """Finds parameters for which the model's sensors read what was measured; returns an Identification.

    model           a Model with sensors
    measured        (nstep, nsensordata): what they read after every step; NaN: not measured
    unknown         {"body_mass[arm]": (0.5, 3), "geom_solref[ball][0]": (0.002, 0.1), …}: names as in sweep(), with
                    bounds
    control         (nstep, nu) during the measurement
    initial_state   a vector as rollout() takes it; by default the model's start
    weights         (nsensordata): of the differences; by default 1 / the scatter of each reading
    starts          points that are tried first, drawn inside the bounds; the search begins at the best, and the model's
                    own values are among them
    seed            of that drawing
    ray, progress   as in rollout()

    Starts are simulated side by side, and so are the nudged models of every step of the search (Levenberg-Marquardt
    inside the bounds, pliant.mujoco.minimize): the bits of the result do not depend on who simulates them.
    """
    from ..mujoco import minimize

    if not isinstance(model, _pliant.Model):
        raise TypeError(f"identify: model should be a Model, not {type(model).__name__}")
    measured = np.asarray(measured, np.float64)
    nstep = measured.shape[0] if nstep is None else nstep
    if measured.ndim != 2 or measured.shape != (nstep, model.nsensordata) or model.nsensordata == 0:
        raise ValueError(
            f"identify: measured should be of shape (nstep, nsensordata) = ({nstep}, {model.nsensordata}), with at "
            f"least one sensor; it is {measured.shape}"
        )
    if not unknown:
        raise ValueError("identify: nothing is unknown")
    paths = [Path(model, text) for text in unknown]
    bounds = np.array([[float(low), float(high)] for low, high in unknown.values()])
    for path, (low, high) in zip(paths, bounds):
        if not (np.isfinite([low, high]).all() and low < high) or np.ndim(path.get(model)) != 0 or path.is_option:
            raise ValueError(
                f"identify: {path.text} should be one number of an array of the model, with finite bounds (low, high)"
            )
    known = np.isfinite(measured)
    if weights is None:
        scatter = np.array([np.std(column[k]) if k.any() else 0 for column, k in zip(measured.T, known.T)])
        weights = 1 / np.where(scatter > 0, scatter, 1)
    weights = np.broadcast_to(np.asarray(weights, np.float64), (model.nsensordata,))
    width, rollouts = bounds[:, 1] - bounds[:, 0], 0

    def residual(x):
        """(number of readings, columns of x); x is the place between the bounds, 0 … 1."""
        nonlocal rollouts
        points = (bounds[:, :1] + width[:, None] * np.asarray(x)).T
        rollouts += len(points)
        found, _, _, _ = measured_points("identify", model, paths, points.tolist(), _Readings(), nstep, control,
                                         initial_state, set_const, ray, progress)  # fmt: skip
        readings = np.stack(found).reshape(len(points), nstep, -1)
        return np.where(known, (readings - np.where(known, measured, 0)) * weights, 0).reshape(len(points), -1).T

    rng = np.random.default_rng(seed)
    own = np.array([(float(path.get(model)) - low) / (high - low) for path, (low, high) in zip(paths, bounds)])
    drawn = np.column_stack([np.clip(own, 0, 1), *rng.random((max(0, starts - 1), len(paths)))])
    errors = np.sqrt(np.square(residual(drawn)).sum(0) / max(1, known.sum()))
    best = int(np.argmin(errors))
    x, trace = minimize.least_squares(
        drawn[:, best], residual, bounds=[np.zeros(len(paths)), np.ones(len(paths))], eps=1e-6,
        max_iter=max_iterations, verbose=minimize.Verbosity.SILENT,
    )  # fmt: skip
    x = np.asarray(x).reshape(-1, 1)
    r = residual(x)
    jacobian, _ = minimize.jacobian_fd(residual, x, r, 1e-6, 0, [np.zeros((len(paths), 1)), np.ones((len(paths), 1))])
    error = float(np.sqrt(np.square(r).sum() / max(1, known.sum())))

    def named(values):
        return dict(zip(unknown, map(float, values)))

    spread = _deviations(jacobian, error, int(known.sum()))
    return Identification(
        parameters=named(bounds[:, 0] + width * x[:, 0]),
        error=error,
        start=named(bounds[:, 0] + width * drawn[:, best]),
        start_error=float(errors[best]),
        deviation=named(width * spread),
        residual=r.reshape(nstep, -1),
        rollouts=rollouts,
        converged=len(trace) < max_iterations,
    )


def _deviations(jacobian, error, n):
    """Of least squares: the roots of the diagonal of error² n / (n - p) (JᵀJ)⁻¹; infinite along what is not seen."""
    _, s, vt = np.linalg.svd(np.asarray(jacobian), full_matrices=False)
    seen = s > 1e-12 * max(s.max(initial=0), 1e-300)
    blind = np.square(vt[~seen]).sum(0) > 1e-12
    values = np.sqrt(np.square(vt[seen] / s[seen, None]).sum(0)) * error * np.sqrt(n / max(1, n - len(s)))
    return np.where(blind, np.inf, values)
