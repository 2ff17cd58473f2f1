"""Gymnasium's render_mode="human" with the viewer in the browser.

Gymnasium's environments show themselves in a window of their own, which they draw with OpenGL. Where Gymnasium has been
given pliant.mujoco for mujoco there is none to draw into; `serve` puts a class with the same methods in its place,
which shows the same data in the viewer. pliant.mujoco calls it when it makes a model.
"""

import sys
import time

import numpy as np

from .._enums import mjtGeom
from .._render import mjv_initGeom

_MODULE = "gymnasium.envs.mujoco.mujoco_rendering"
_FRAMES_PER_SECOND = 60.0  # as a window that waits for the screen


class WindowViewer:
    """What Gymnasium's class of this name does, on pliant.viewer.launch_passive. Pictures have the browser's size."""

    def __init__(self, model, data, width=None, height=None, max_geom=1000, visual_options=None):
        from . import launch_passive

        self.model, self.data = model, data
        self.handle = launch_passive(model, data)
        for flag, value in (visual_options or {}).items():
            self.handle.opt.flags[int(flag)] = value
        self._overlays, self._markers, self._next = {}, [], 0.0

    cam = property(lambda self: self.handle.cam)
    vopt = property(lambda self: self.handle.opt)
    scn = property(lambda self: self.handle.user_scn)
    address = property(lambda self: self.handle.address)

    def add_overlay(self, gridpos, text1, text2):
        """Lines for the panel beside the scene; where Gymnasium would have put them does not matter there."""
        left, right = self._overlays.get(gridpos, ("", ""))
        self._overlays[gridpos] = (left + text1 + "\n", right + text2 + "\n")

    def add_marker(self, **marker):
        """A shape in the next frame: type, size, pos, mat, rgba."""
        self._markers.append(marker)

    def render(self):
        """Shows the data as they are now, 60 times per second at most; nothing once the viewer has been closed."""
        if not self.handle.is_running():
            return
        scene = self.handle.user_scn
        if len(self._markers) > scene.maxgeom:
            raise RuntimeError(f"Ran out of geoms. maxgeom: {scene.maxgeom}")
        for geom, marker in zip(scene.geoms, self._markers):
            mjv_initGeom(geom, marker.get("type", mjtGeom.mjGEOM_SPHERE), marker.get("size", np.full(3, 0.01)),
                         marker.get("pos", np.zeros(3)), np.ravel(marker.get("mat", np.eye(3))),
                         marker.get("rgba", np.ones(4)))  # fmt: skip
        scene.ngeom = len(self._markers)
        lines = [pair for texts in self._overlays.values() for pair in zip(*(text.split("\n")[:-1] for text in texts))]
        self.handle.set_texts([(None, None, left, right) for left, right in lines])
        self.handle.sync()
        self._overlays, self._markers = {}, []
        now = time.perf_counter()
        self._next = max(self._next + 1 / _FRAMES_PER_SECOND, now)
        time.sleep(self._next - now)

    def make_context_current(self):
        """Does nothing: there is no OpenGL context."""

    def free(self):
        self.handle.close()

    close = free


def serve(mujoco):
    """Gives Gymnasium this window, if it is loaded and draws with the module `mujoco`."""
    rendering = sys.modules.get(_MODULE)
    if rendering is not None and getattr(rendering, "mujoco", None) is mujoco:
        rendering.WindowViewer = WindowViewer
