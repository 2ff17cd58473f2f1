"""System identification: stiffness and damping of a contact (solref) from the recorded height of a bouncing ball, by
least squares.

The residuals are those of whole simulations; their derivatives by solref are finite differences.

    identify_solref.py [mujoco|pliant]
"""

import importlib
import sys

import numpy as np

XML = """
<mujoco>
  <option timestep=".001"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body pos="0 0 .25"><joint name="height" type="slide" axis="0 0 1"/><geom name="ball" size=".05" mass=".3"/></body>
  </worldbody>
</mujoco>
"""
TRUTH = np.array([2500.0, 12.0])  # stiffness and damping, as solref = (-stiffness, -damping)
NOISE, SECONDS = 1e-4, 0.45


def heights(mujoco, model, parameters):
    """Height of the ball over time, for a contact of this stiffness and damping."""
    data = mujoco.MjData(model)
    model.geom_solref[:] = -parameters[0], -parameters[1]
    out = []
    for i in range(int(SECONDS / model.opt.timestep)):
        mujoco.mj_step(model, data)
        if i % 5 == 0:
            out.append(data.qpos[0])
    return np.array(out)


def least_squares(residual, start, iterations=30):
    """Levenberg and Marquardt's method in logarithms of the parameters, which stay positive."""
    x, weight = np.log(start), 1e-2
    r = residual(np.exp(x))
    for _ in range(iterations):
        J = np.column_stack([(residual(np.exp(x + step)) - r) / 1e-5 for step in 1e-5 * np.eye(len(x))])
        H = J.T @ J
        while True:
            step = np.linalg.solve(H + weight * np.diag(np.diag(H)), -J.T @ r)
            trial = residual(np.exp(x + step))
            if trial @ trial < r @ r or weight > 1e6:
                break
            weight *= 4
        if weight > 1e6 or np.linalg.norm(step) < 1e-9:
            break
        x, r, weight = x + step, trial, weight / 4
    return np.exp(x), r


def run(mujoco):
    """Parameters found, and the residual that is left, as a multiple of the noise."""
    model = mujoco.MjModel.from_xml_string(XML)
    recorded = heights(mujoco, model, TRUTH)
    recorded = recorded + NOISE * np.random.default_rng(0).normal(size=len(recorded))
    found, residual = least_squares(lambda p: heights(mujoco, model, p) - recorded, np.array([1500.0, 8.0]))
    return {"found": found, "residual": np.sqrt(np.mean(residual**2)) / NOISE}


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "pliant"
    result = run(importlib.import_module("pliant.mujoco" if name == "pliant" else name))
    print("found", result["found"], "truth", TRUTH, f"residual {result['residual']:.2f} times the noise")
    assert np.allclose(result["found"], TRUTH, rtol=0.02)
