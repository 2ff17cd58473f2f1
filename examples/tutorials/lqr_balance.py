"""Balance by LQR: the upright double pendulum on a cart is held by feedback whose gains come from finite differences of
the step.

lqr_balance.py [mujoco|pliant]
"""

import importlib
import sys

import numpy as np

XML = """
<mujoco>
  <option timestep=".01" integrator="implicitfast"/>
  <worldbody>
    <body name="cart"><joint name="x" type="slide" axis="1 0 0" damping=".1"/>
      <geom type="box" size=".1 .05 .05" mass="1"/>
      <body><joint name="lower" axis="0 1 0" damping=".001"/>
        <geom type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".2"/>
        <body pos="0 0 .5"><joint name="upper" axis="0 1 0" damping=".001"/>
          <geom type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".2"/></body></body></body>
  </worldbody>
  <actuator><motor joint="x" gear="10" ctrlrange="-5 5" ctrllimited="true"/></actuator>
</mujoco>
"""


def solve_riccati(A, B, Q, R, iterations=2000):
    """The cost matrix P of the discrete problem, by iterating its equation; and the gains K."""
    P = Q.copy()
    for _ in range(iterations):
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        new = Q + A.T @ P @ (A - B @ K)
        if np.allclose(new, P, rtol=1e-12, atol=1e-12):
            break
        P = new
    return P, K


def run(mujoco):
    """Gains, and the angles while it balances after a push."""
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    n, nu = 2 * model.nv + model.na, model.nu
    A, B = np.zeros((n, n)), np.zeros((n, nu))
    mujoco.mj_forward(model, data)
    mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)
    Q = np.diag([1.0, 10, 10, 0.1, 0.1, 0.1])
    _, K = solve_riccati(A, B, Q, np.eye(nu))
    mujoco.mj_resetData(model, data)
    data.qpos[1:] = 0.05, -0.05  # off balance
    angles = []
    for i in range(800):
        if i == 300:
            data.qvel[1] += 0.3  # a push
        data.ctrl[:] = -K @ np.concatenate((data.qpos, data.qvel))
        mujoco.mj_step(model, data)
        angles.append(data.qpos.copy())
    return {"A": A, "B": B, "gains": K, "angles": np.array(angles)}


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "pliant"
    result = run(importlib.import_module("pliant.mujoco" if name == "pliant" else name))
    last = np.abs(result["angles"][-50:]).max(0)
    print("gains", np.round(result["gains"], 3), "largest |x|, |angles| in the last half second", last)
    assert last[1:].max() < 0.02
