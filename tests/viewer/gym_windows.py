"""Environments of Gymnasium in render_mode="human" on pliant.mujoco, watched by a browser; prints a line of JSON."""

import json
import sys
import time
import warnings

import pliant.mujoco

sys.modules["mujoco"] = pliant.mujoco

import gymnasium  # noqa: E402

from fake_browser import FakeBrowser  # noqa: E402

warnings.simplefilter("ignore")
results = {}
for name in sys.argv[1:]:
    env = gymnasium.make(name, render_mode="human")
    env.reset(seed=0)
    window = env.unwrapped.mujoco_renderer.viewer
    browser = FakeBrowser(window.address)
    window.add_marker(pos=[0, 0, 1], size=[0.1, 0.1, 0.1], rgba=[1, 0, 0, 1])
    window.add_overlay(0, "reward", "1.5")
    env.render()
    texts, end = window.handle._session.texts, time.monotonic() + 60
    while browser.messages < 5 and time.monotonic() < end:
        env.step(env.action_space.sample())
    browser.close()
    camera = [float(window.cam.distance), *map(float, window.cam.lookat)]
    env.close()
    wanted = env.unwrapped.mujoco_renderer.default_cam_config
    results[name] = {"messages": browser.messages, "texts": texts, "camera": camera, "wanted": wanted,
                     "open": window.handle.is_running()}  # fmt: skip
    window.render()  # of a closed window: nothing
print(json.dumps(results, default=list))
