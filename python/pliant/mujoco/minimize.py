"""Nonlinear least squares in a box, with the interface of mujoco.minimize: Gauss-Newton steps with a regularizer that
grows when a step does not help and shrinks when it does.

    x, trace = minimize.least_squares(x0, residual)      # residual(x): (n, k) → (m, k), k points at once
"""

import abc
import dataclasses
import enum
import sys
import time

import numpy as np

from .._functions import mju_boxQP


class Verbosity(enum.Enum):
    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_ENDINGS = {
    Status.FACTORIZATION_FAILED: "the Hessian could not be factorised",
    Status.NO_IMPROVEMENT: "insufficient reduction of the objective",
    Status.MAX_ITER: "maximum iterations reached",
    Status.DX_TOL: "norm(dx) < tol",
    Status.G_TOL: "norm(gradient) < tol",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iteration: where it was, and, with Verbosity.FULLITER, what it saw."""

    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


class Norm(abc.ABC):
    """What is minimised of the residual."""

    @abc.abstractmethod
    def value(self, r):
        """The number that is minimised."""

    @abc.abstractmethod
    def grad_hess(self, r, proj):
        """Gradient and Gauss-Newton Hessian by x, where proj is the Jacobian of the residual by x."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r):
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r, proj):
        return proj.T @ r, proj.T @ proj


def _column(values):
    return np.asarray(values, np.float64).reshape(-1, 1)


def jacobian_fd(residual, x, r, eps, n_res, bounds=None):
    """Jacobian by finite differences, all points in one call; points stay in the box. Returns also the number of
    evaluations so far, n_res and one per number of x."""
    x, n = _column(x), np.size(x)
    step = np.full((n, 1), float(eps))
    if bounds is not None:
        lower, upper = _column(bounds[0]), _column(bounds[1])
        above, below = upper - x, x - lower
        # towards the farther bound, and not beyond it
        step = np.where(above >= below, np.minimum(eps, above), -np.minimum(eps, below))
    points = np.tile(x, n)
    moved = points[np.diag_indices(n)] + step[:, 0]
    points[np.diag_indices(n)] = np.clip(moved, lower[:, 0], upper[:, 0]) if bounds is not None else moved
    widths = points[np.diag_indices(n)] - x[:, 0]  # what the numbers really differ by
    return (np.asarray(residual(points)) - r) / widths, n_res + n


def _compare(name, given, found, eps, output):
    """Whether something given agrees with its finite differences."""
    for who, values in ((f"User-provided {name}", given), (f"Finite-difference {name}", found)):
        if not np.all(np.isfinite(values)):
            raise ValueError(f"{who} must contain finite numbers only")
    tolerance = 300 * eps * (1 + np.abs(found).max(initial=0))
    if np.shape(given) != np.shape(found) or np.abs(given - found).max(initial=0) > tolerance:
        raise ValueError(f"User-provided {name} does not match finite differences")
    if output is not None:
        print(f"User-provided {name} matches finite differences.", file=output)


def check_jacobian(residual, x, r, jac, eps, n_res, bounds=None, output=None, name="Jacobian"):
    """Compares a Jacobian with finite differences: ValueError where they differ. Returns the evaluations so far."""
    found, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    _compare(name, np.asarray(jac), found, eps, output)
    return n_res


def check_norm(r, norm, eps, output=None):
    """Compares gradient and Hessian of a norm with finite differences: ValueError where they differ."""
    r = _column(r)
    n = r.size
    gradient, hessian = norm.grad_hess(r, np.eye(n))
    if not np.all(np.isfinite(gradient)) or not np.all(np.isfinite(hessian)):
        raise ValueError("gradient and norm Hessian must contain finite numbers only")
    slope = np.zeros((n, 1))
    curvature = np.zeros((n, n))
    for i in range(n):
        moved = r.copy()
        moved[i] += eps
        slope[i] = (norm.value(moved) - norm.value(r)) / eps
        curvature[:, i] = ((norm.grad_hess(moved, np.eye(n))[0] - gradient) / eps)[:, 0]
    _compare("norm gradient", _column(gradient), slope, eps, output)
    if not np.allclose(hessian, hessian.T, atol=1e-10 * (1 + np.abs(hessian).max())):
        raise ValueError("User-provided norm Hessian is not symmetric")
    if np.linalg.eigvalsh(hessian).min() < -1e-10 * (1 + np.abs(hessian).max()):
        raise ValueError("User-provided norm Hessian is not positive definite")
    _compare("norm Hessian", np.asarray(hessian), curvature, eps, output)


def _box(bounds, n):
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds: a lower and an upper bound are needed")
    lower, upper = (np.asarray(bound, np.float64) for bound in bounds)
    if lower.size != n or upper.size != n:
        raise ValueError(f"bounds should have {n} numbers each, as x0 has")
    if not np.all(np.isfinite(lower)) or not np.all(np.isfinite(upper)):
        raise ValueError("bounds should be finite")
    if np.any(lower >= upper):
        raise ValueError("lower bounds should be smaller than upper bounds")
    return [_column(lower), _column(upper)]


def _scale(x_scale, n):
    """Units of x, or None when they follow the Jacobian."""
    if x_scale is None:
        return np.ones(n)
    if isinstance(x_scale, str):
        if x_scale != "jac":
            raise ValueError(f"x_scale is a number, numbers, or 'jac', not {x_scale!r}")
        return None
    scale = np.asarray(x_scale, np.float64)
    scale = np.full(n, scale) if scale.ndim == 0 else scale
    if scale.shape != (n,) or not np.all(np.isfinite(scale)) or np.any(scale <= 0):
        raise ValueError(f"x_scale should be {n} positive numbers")
    return scale


_QUADRATIC, _EPS = Quadratic(), np.finfo(np.float64).eps ** 0.5


def least_squares(x0, residual, bounds=None, jacobian=None, norm=_QUADRATIC, eps=_EPS, mu_min=1e-6,
                  mu_max=1e8, mu_factor=10.0**0.1, xtol=1e-8, gtol=1e-8, max_iter=100,
                  verbose=Verbosity.ITER, output=None, iter_callback=None, check_derivatives=False,
                  x_scale=None):  # fmt: skip
    """Minimises norm(residual(x)), inside bounds; returns the best x and the trace of iterations, a list of IterLog."""
    verbose, output = Verbosity(verbose), output or sys.stdout
    x = _column(x0)
    n = x.size
    bounds, fixed_scale = _box(bounds, n), _scale(x_scale, n)
    if bounds is not None:
        x = np.clip(x, *bounds)
    say = (lambda *text: print(*text, file=output)) if verbose != Verbosity.SILENT else (lambda *text: None)
    start, n_res = time.perf_counter(), 1
    r = np.asarray(residual(x), np.float64)
    value = norm.value(r)
    if check_derivatives and not isinstance(norm, Quadratic):
        check_norm(r, norm, eps, output)
    mu, trace, status, rising, small = 0.0, [], Status.MAX_ITER, 1.0, False

    for iteration in range(max_iter):
        if jacobian is not None:
            jac = np.asarray(jacobian(x, r), np.float64)
            if check_derivatives and iteration == 0:
                n_res = check_jacobian(residual, x, r, jac, eps, n_res, bounds, output)
        else:
            jac, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
        scale = fixed_scale
        if scale is None:
            lengths = np.linalg.norm(jac, axis=0)
            scale = 1 / np.where(lengths > 0, lengths, 1)
        gradient, hessian = norm.grad_hess(r, jac)
        gradient = _column(gradient)
        details = {"residual": r, "jacobian": jac, "grad": gradient} if verbose == Verbosity.FULLITER else {}
        inside = np.ones((n, 1), bool)
        if bounds is not None:
            inside = ~(((x <= bounds[0]) & (gradient > 0)) | ((x >= bounds[1]) & (gradient < 0)))
        flat = np.linalg.norm(gradient[inside]) < gtol
        if flat or small:
            status = Status.DX_TOL if small else Status.G_TOL  # the step was seen to be small before the gradient
            trace.append(IterLog(x.copy(), value, np.float64(0), np.float64(mu), **details))
            break

        step = better = None
        reduction = np.float64(0)
        while step is None or better is None:
            step = _step(gradient, hessian, mu, scale, x, bounds)
            if step is None and mu >= mu_max:
                status = Status.FACTORIZATION_FAILED
                break
            if step is not None:
                candidate = x + step if bounds is None else np.clip(x + step, *bounds)
                step = candidate - x
                trial = np.asarray(residual(candidate), np.float64)
                n_res += 1
                new_value = norm.value(trial) if np.all(np.isfinite(trial)) else np.inf
                predicted = -(gradient.T @ step + 0.5 * step.T @ hessian @ step).item()
                if new_value < value or np.linalg.norm(step) < xtol:
                    reduction = np.float64(value - new_value)
                    better = candidate, trial, new_value, predicted
                    break
            if mu >= mu_max:
                status = Status.NO_IMPROVEMENT
                break
            rising = max(rising * mu_factor, mu_factor)
            mu = min(max(mu * rising, mu_min), mu_max)
        if better is None:
            trace.append(IterLog(x.copy(), value, np.float64(0), np.float64(mu), **details))
            break

        if details:
            details["step"] = step
        trace.append(IterLog(x.copy(), value, reduction, np.float64(mu), **details))
        if verbose in (Verbosity.ITER, Verbosity.FULLITER):
            log_mu = np.log10(mu) if mu > 0 else -np.inf
            lengths = np.linalg.norm(step), np.linalg.norm(gradient)
            say(f"iter: {iteration:<3d}  y: {value:<9.4g}  log10mu: {log_mu:>4.1f}  dy: {reduction:<9.3g}  "
                f"|dx|: {lengths[0]:<9.3g}  |g|: {lengths[1]:<9.3g}")  # fmt: skip
        if iter_callback is not None:
            iter_callback(trace)
        candidate, trial, new_value, predicted = better
        # (in the units of x, and relative to where it is)
        small = np.linalg.norm(step / scale[:, None]) < xtol * (xtol + np.linalg.norm(x / scale[:, None]))
        if new_value <= value:
            x, r, value = candidate, trial, new_value
        # a step that did what the model said allows a bolder one
        if predicted > 0 and reduction > 0.5 * predicted:
            rising = min(rising / mu_factor, 1 / mu_factor)
            mu = mu * rising if mu * rising >= mu_min else 0.0
        elif reduction < 0.1 * predicted:
            rising = max(rising * mu_factor, mu_factor)
            mu = min(max(mu * rising, mu_min), mu_max)
    else:
        trace.append(IterLog(x.copy(), value, np.float64(0), np.float64(mu)))

    exact = " exact minimum found," if value == 0 else ""
    seconds = time.perf_counter() - start
    say(f"Terminated after {len(trace) - 1} iterations:{exact} {_ENDINGS[status]}. y: {value:.4g}, "
        f"residual evaluations: {n_res}, {seconds:.3g} s")  # fmt: skip
    return x[:, 0].copy(), trace


def _step(gradient, hessian, mu, scale, x, bounds):
    """The step that minimises the quadratic model with the regularizer, in the box; None when there is none."""
    unit = scale[:, None]
    matrix = hessian * unit * unit.T + mu * np.eye(len(scale))
    slope = gradient * unit
    if bounds is None:
        try:
            factor = np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            return None
        return -unit * np.linalg.solve(factor.T, np.linalg.solve(factor, slope))
    lower, upper = (bounds[0] - x) / unit, (bounds[1] - x) / unit
    scaled = np.zeros(len(scale))
    if mju_boxQP(scaled, None, None, matrix, slope[:, 0], lower[:, 0], upper[:, 0]) < 0:
        return None
    return unit * scaled[:, None]
