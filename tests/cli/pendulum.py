"""A small model and the program that runs it, for tests of commands."""

import subprocess

from test_cli import PROGRAM


def pendulum(actuators='<motor name="motor" joint="hinge"/>', more=""):
    """An arm on a base that floats."""
    return f"""<mujoco model="pendulum">
  <option timestep="0.01"/>
  <worldbody>
    <body name="base"><freejoint name="root"/><geom size="0.1"/>
      <body name="arm"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0 0 -1"/></body>
    </body>
  </worldbody>
  <actuator>
    {actuators}
  </actuator>
  {more}
</mujoco>"""


def run_in(folder, *words, **more):
    """`pliant WORDS` in a folder."""
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True, **more)
