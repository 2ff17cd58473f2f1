"""Every MuJoCo environment of Gymnasium draws itself on pliant.mujoco; prints a line of JSON."""

import json
import sys
import warnings

import pliant.mujoco

sys.modules["mujoco"] = pliant.mujoco

import gymnasium  # noqa: E402

warnings.simplefilter("ignore")
results = {}
for name, spec in gymnasium.registry.items():
    if "mujoco" not in str(spec.entry_point) or not name.endswith("-v5"):
        continue
    shapes = []
    for mode in sys.argv[1:]:
        env = gymnasium.make(name, render_mode=mode, width=96, height=64)
        env.reset(seed=0)
        env.step(env.action_space.sample())
        picture = env.render()
        for array in picture if isinstance(picture, tuple) else [picture]:
            shapes.append([mode, list(array.shape), float(array.std())])
        env.close()
    results[name] = shapes
print(json.dumps(results))
