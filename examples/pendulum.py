"""A pendulum under MuJoCo's names, with a controller that swings it up and a StepError caught.

.venv/bin/python examples/pendulum.py
"""

import math

import pliant.mujoco as mujoco

XML = """
<mujoco model="pendulum">
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02" mass="1"/>
      <site name="tip" pos="0 0 -0.5"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-1 1"/></actuator>
</mujoco>
"""


def main():
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    data.joint("hinge").qpos = 0.1

    # Push in the direction of motion: every swing goes higher.
    highest = -math.inf
    while data.time < 10:
        data.ctrl[0] = math.copysign(1, data.qvel[0])
        mujoco.mj_step(model, data)
        highest = max(highest, data.site("tip").xpos[2])
    print(f"t = {data.time:.2f} s, tip at {data.site('tip').xpos}, highest {highest:.3f} m")

    # A bad number is refused and named; the state stays as it was.
    data.ctrl[0] = math.nan
    try:
        mujoco.mj_step(model, data)
    except mujoco.StepError as error:
        print(error)


if __name__ == "__main__":
    main()
