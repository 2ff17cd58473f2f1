# %% [markdown]
# # Tuning a contact
#
# A ball is to bounce back with 60 % of its speed. `design` finds the numbers, `explain` says what they will do, and a
# simulation shows that they do it.

# %%
import pathlib
import tempfile

import numpy as np

import pliant
import pliant.mujoco as mujoco
import pliant.viewer

XML = """<mujoco><option timestep="0.001"/><worldbody>
  <light pos="0 0 3"/><geom name="floor" type="plane" size="1 1 0.1" rgba="0.8 0.85 0.9 1"/>
  <body pos="0 0 0.5"><freejoint/><geom name="ball" size="0.1" mass="0.5" condim="1" {numbers}/></body>
</worldbody></mujoco>"""

wish = pliant.design(restitution=0.6, mass=0.5, timestep=0.001, impact=2.8)
wish.attributes

# %%
model = mujoco.MjModel.from_xml_string(XML.format(numbers=wish.attributes))
found = pliant.explain(model, "ball", "floor", impact=2.8)
found

# %% [markdown]
# The drop, step by step.

# %%
data = mujoco.MjData(model)
height, speed = [], []
while data.time < 1.2:
    mujoco.mj_step(model, data)
    height.append(data.qpos[2])
    speed.append(data.qvel[2])
speed = np.array(speed)
arrives = -speed.min()
leaves = speed[np.argmin(speed) :].max()
print(f"predicted {found.restitution:.3f}, simulated {leaves / arrives:.3f}")
assert abs(leaves / arrives - found.restitution) < 0.03

# %%
data

# %% [markdown]
# The whole drop as a page that plays: one file, to keep or to send. On the command line `pliant explain MODEL --geoms
# ball floor --html ball.html` writes the tuning page, where all these numbers can be slid and typed.

# %%
data = mujoco.MjData(model)
rows = []
for _ in range(1200):
    rows.append(data.qpos.copy())
    mujoco.mj_step(model, data)
with tempfile.TemporaryDirectory() as folder:
    page = pliant.viewer.save_html(model, np.array(rows), pathlib.Path(folder) / "drop.html", title="A ball")
    print(f"{page.name}: {page.stat().st_size // 1024} kB")
