# %% [markdown]
# # The viewer beside a loop
#
# `launch_passive` opens the viewer in a browser and leaves the loop to you. `open_browser=False`: only the address is
# printed, as on a machine without a screen. It needs the package viser (`pip install pliant[viewer]`).

# %%
import pliant.mujoco as mujoco
import pliant.viewer

model = mujoco.MjModel.from_xml_path("../../models/quadruped.xml")
data = mujoco.MjData(model)
viewer = pliant.viewer.launch_passive(model, data, port=0, open_browser=False, announce=lambda address: None)
viewer.address.startswith("http://127.0.0.1:")

# %% [markdown]
# Shapes of your own go to `user_scn`, as in MuJoCo.

# %%
scene = viewer.user_scn
mujoco.mjv_initGeom(
    scene.geoms[0], mujoco.mjtGeom.mjGEOM_SPHERE, [0.05, 0, 0], [0, 0, 0.8], [1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 1]
)
scene.ngeom = 1

# %%
while data.time < 0.5:
    mujoco.mj_step(model, data)
    viewer.sync()
viewer.is_running()

# %%
viewer.close()
data
