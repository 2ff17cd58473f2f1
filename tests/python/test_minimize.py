"""pliant.mujoco.minimize: known minima, bounds, and derivatives that are checked."""

import io

import numpy as np
import pytest

from pliant.mujoco import minimize


def rosenbrock(x):
    return np.stack([1 - x[0, :], 10 * (x[1, :] - x[0, :] ** 2)])


def solve(residual, start, **options):
    return minimize.least_squares(np.array(start, float), residual, output=io.StringIO(), **options)


def test_finds_the_minimum():
    x, trace = solve(rosenbrock, [0, 0])
    np.testing.assert_allclose(x, [1, 1], atol=1e-7)
    assert trace[0].objective > trace[-1].objective


@pytest.mark.parametrize("upper, expected", [((0.5, 2), (0.5, 0.25)), ((2, 0.49), (0.7015, 0.49))])
def test_stays_in_the_box(upper, expected):
    x, _ = solve(rosenbrock, [0, 0], bounds=[np.array([-2.0, -2.0]), np.array(upper, float)])
    np.testing.assert_allclose(x, expected, atol=1e-4)


def test_linear_problems_take_one_step():
    matrix, target = np.array([[2.0, 1], [1, 3], [0, 1]]), np.array([[1.0], [2], [3]])
    x, trace = solve(lambda x: matrix @ x - target, [5, -5])
    np.testing.assert_allclose(x, np.linalg.lstsq(matrix, target, rcond=None)[0][:, 0], atol=1e-6)
    assert len(trace) <= 4


def test_wrong_derivatives_are_noticed():
    with pytest.raises(ValueError, match="Jacobian does not match"):
        solve(rosenbrock, [0.3, 0.2], jacobian=lambda x, r: np.ones((2, 2)), check_derivatives=True)
