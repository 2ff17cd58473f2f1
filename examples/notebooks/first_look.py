# %% [markdown]
# # A first look
#
# A model, its data and what is found out about it show themselves in a notebook. Nothing here needs a display, a
# graphics driver or a GPU.

# %%
import pliant
import pliant.mujoco as mujoco

model = mujoco.MjModel.from_xml_path("../../models/gripper.xml")
model

# %% [markdown]
# Data show the state as a picture, and what the last step did.

# %%
data = mujoco.MjData(model)
mujoco.mj_step(model, data, nstep=400)
data

# %% [markdown]
# What will the contacts do, and which line of the file says so?

# %%
pliant.explain(model, "block", "table")

# %%
pliant.explain(model)

# %% [markdown]
# What will misbehave? Each finding comes with the change that cures it.

# %%
pliant.doctor(pliant.load("../../models/mimic_gripper.xml"), seconds=0.5)

# %% [markdown]
# Many worlds at once, and pictures of some of them.

# %%
batch = pliant.Batch(model, 256)
for _ in range(200):
    batch.step()
batch

# %%
pictures = pliant.render_batch(model, batch.qpos[:4], height=120, width=160)
pictures.shape, pictures.dtype
