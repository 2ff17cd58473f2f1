"""Inverse kinematics: joint angles for which the tip of an arm is at a target, by damped least squares on the Jacobian
of the tip.

inverse_kinematics.py [mujoco|pliant]
"""

import importlib
import sys

import numpy as np

XML = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body pos="0 0 .2"><joint axis="0 0 1" range="-3 3"/><geom type="capsule" fromto="0 0 0 0 0 .2" size=".04"/>
      <body pos="0 0 .2"><joint axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        <body pos=".3 0 0"><joint axis="0 1 0" range="-2.5 2.5"/>
          <geom type="capsule" fromto="0 0 0 .3 0 0" size=".025"/>
          <body pos=".3 0 0"><joint axis="1 0 0"/><joint axis="0 1 0" range="-2 2"/>
            <geom type="capsule" fromto="0 0 0 .1 0 0" size=".02"/>
              <site name="tip" pos=".1 0 0"/></body></body></body></body>
  </worldbody>
</mujoco>
"""
TARGET = np.array([0.25, 0.35, 0.45])
TARGET_QUAT = np.array([0.9, 0.1, 0.3, 0.3])


def run(mujoco, iterations=60, damping=1e-3):
    """Angles, where the tip is then, and the error of every iteration [m, rad]."""
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    tip = model.site("tip").id
    wanted = TARGET_QUAT / np.linalg.norm(TARGET_QUAT)
    jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    errors = []
    for _ in range(iterations):
        mujoco.mj_fwdPosition(model, data)
        quat, turn, turn_world = np.zeros(4), np.zeros(3), np.zeros(3)
        mujoco.mju_mat2Quat(quat, data.site_xmat[tip])
        mujoco.mju_subQuat(turn, wanted, quat)  # in the frame of the tip
        mujoco.mju_rotVecQuat(turn_world, turn, quat)
        error = np.concatenate((TARGET - data.site_xpos[tip], 0.1 * turn_world))
        errors.append(np.linalg.norm(error))
        mujoco.mj_jacSite(model, data, jacp, jacr, tip)
        J = np.vstack((jacp, 0.1 * jacr))
        step = J.T @ np.linalg.solve(J @ J.T + damping * np.eye(6), error)
        mujoco.mj_integratePos(model, data.qpos, step, 1)
        limited = model.jnt_limited.astype(bool)
        low, high = model.jnt_range.T
        data.qpos[limited] = np.clip(data.qpos[limited], low[limited], high[limited])
    mujoco.mj_fwdPosition(model, data)
    return {"qpos": data.qpos.copy(), "tip": data.site_xpos[tip].copy(), "errors": np.array(errors)}


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "pliant"
    result = run(importlib.import_module("pliant.mujoco" if name == "pliant" else name))
    print("angles", np.round(result["qpos"], 4), "tip", np.round(result["tip"], 4), "target", TARGET)
    assert result["errors"][-1] < result["errors"][0] / 5
