"""Rollouts: the best of many random plans, by predictive sampling, for a cart that must swing a pole up.

rollouts.py [mujoco|pliant]
"""

import importlib
import sys

import numpy as np

XML = """
<mujoco>
  <option timestep=".02"/>
  <worldbody>
    <body name="cart"><joint name="x" type="slide" axis="1 0 0" range="-2 2" limited="true" damping=".2"/>
      <geom type="box" size=".1 .05 .05" mass="1"/>
      <body><joint name="swing" axis="0 1 0" damping=".002"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.6" size=".02" mass=".1"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="x" gear="8" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>
"""
HORIZON, PLANS, STEPS = 40, 48, 120


def cost(states):
    """Of trajectories (plan, step, [time, x, angle, speeds]): far from upright, far from the middle, fast."""
    x, angle, speed, turning = np.moveaxis(states[..., 1:5], -1, 0)
    return (2 * (1 + np.cos(angle)) + 0.3 * x**2 + 0.02 * speed**2 + 0.02 * turning**2 * (1 - np.cos(angle)) / 2).sum(
        -1
    )


def run(mujoco, rollout=None, steps=STEPS):
    """Angles over time. `rollout(model, data, state, controls)` is mujoco.rollout.rollout unless given."""
    rollout = rollout or importlib.import_module(mujoco.__name__ + ".rollout").rollout
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    helper = [mujoco.MjData(model) for _ in range(2)]  # one per thread
    full = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros(mujoco.mj_stateSize(model, full))
    rng = np.random.default_rng(0)
    plan = np.zeros((HORIZON, model.nu))
    angles, costs = [], []
    for _ in range(steps):
        mujoco.mj_getState(model, data, state, full)
        noise = rng.normal(size=(PLANS, HORIZON // 8, model.nu)).repeat(8, axis=1)
        noise[0] = 0
        plans = np.clip(plan + 0.6 * noise, -1, 1)
        states, _ = rollout(model, helper, np.tile(state, (PLANS, 1)), plans)
        totals = cost(states)
        best = int(np.argmin(totals))
        plan = np.vstack((plans[best][1:], plans[best][-1:]))
        data.ctrl[:] = plans[best][0]
        mujoco.mj_step(model, data)
        angles.append(data.qpos[1])
        costs.append(totals[best])
    return {"angles": np.array(angles), "costs": np.array(costs), "first_states": states[0, -1]}


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "pliant"
    result = run(importlib.import_module("pliant.mujoco" if name == "pliant" else name))
    upright = -np.cos(result["angles"][-20:]).mean()
    print(f"upright at the end: {upright:.3f} (1 is upright, -1 hangs)")
    assert upright > 0.8
