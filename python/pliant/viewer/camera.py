"""Where one looks from, under the names of the reference: free, following a body, or a camera of the model."""

import logging

import numpy as np

from .._enums import mjtCamera, mjtFrame, mjtLabel, mjtRndFlag, mjtVisFlag

log = logging.getLogger("pliant.viewer")
_FREE, _TRACKING, _FIXED = (int(mjtCamera.mjCAMERA_FREE), int(mjtCamera.mjCAMERA_TRACKING),
                            int(mjtCamera.mjCAMERA_FIXED))  # fmt: skip


class Camera:
    """type, lookat, distance, azimuth, elevation, trackbodyid, fixedcamid: written between frames, followed by all
    browsers. People who turn the scene in a browser turn their own view only."""

    def __init__(self, model, viser, name=None):
        self.model, self.viser = model, viser
        self.type, self.trackbodyid, self.fixedcamid = _FREE, -1, -1
        self.lookat = np.array(model.stat.center, float)
        self.distance = 1.5 * float(model.stat.extent)
        self.azimuth, self.elevation = default_angles(model)
        self.orthographic = 0
        if name is not None:
            self.fixedcamid = model.id("camera", name)
            if self.fixedcamid < 0:
                names = [model.name("camera", i) for i in range(model.ncam)]
                raise ValueError(
                    f"there is no camera '{name}'; the model has {', '.join(filter(None, names)) or 'none'}"
                )
            self.type = _FIXED
        self._begin()
        start = viser.initial_camera
        start.up = (0.0, 0.0, 1.0)
        start.fov = np.radians(float(model.vis.global_.fovy))
        start.near, start.far = 0.005 * float(model.stat.extent), 100 * float(model.stat.extent)
        self._shown, self._before = self._key(), None

    def eye(self):
        a, e = np.radians(self.azimuth), np.radians(self.elevation)
        forward = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        return self.lookat - self.distance * forward

    def _begin(self):
        """Where browsers look from that come later."""
        self.viser.initial_camera.position, self.viser.initial_camera.look_at = self.eye(), self.lookat

    def _key(self):
        return (self.type, self.trackbodyid, self.fixedcamid, tuple(self.lookat), self.distance, self.azimuth,
                self.elevation)  # fmt: skip

    def follow(self, data, clients):
        """Turns browsers where the camera says, if that has changed or something moves it."""
        if self.type == _FIXED and 0 <= self.fixedcamid < self.model.ncam:
            turn = data.cam_xmat[self.fixedcamid].reshape(3, 3)
            eye = np.array(data.cam_xpos[self.fixedcamid])
            for client in clients:
                client.camera.up_direction = turn[:, 1]
                client.camera.position, client.camera.look_at = eye, eye - turn[:, 2]
                client.camera.fov = np.radians(float(self.model.cam_fovy[self.fixedcamid]))
            self._shown = self._key()
            return
        if self._shown != self._key():
            for client in clients:
                client.camera.up_direction = np.array([0.0, 0.0, 1.0])
                client.camera.position, client.camera.look_at = self.eye(), self.lookat
                client.camera.fov = np.radians(float(self.model.vis.global_.fovy))
            self._begin()
            self._shown, self._before = self._key(), None
        if self.type == _TRACKING and 0 <= self.trackbodyid < self.model.nbody:
            now = np.array(data.subtree_com[self.trackbodyid])
            if self._before is not None and np.any(now != self._before):
                for client in clients:
                    client.camera.position = client.camera.position + (now - self._before)
            self._before = now

    def mjcf(self, client):
        """The view of a browser as a line of MJCF."""
        eye = client.camera.position
        z = eye - client.camera.look_at
        z = z / np.linalg.norm(z)
        x = np.cross(client.camera.up_direction, z)
        x /= np.linalg.norm(x)
        numbers = lambda values: " ".join(f"{v:.4g}" for v in values)  # noqa: E731
        return (f'<camera name="view" pos="{numbers(eye)}" xyaxes="{numbers(x)} {numbers(np.cross(z, x))}" '
                f'fovy="{np.degrees(client.camera.fov):.4g}"/>')  # fmt: skip


def default_angles(model):
    """Azimuth and elevation the model asks for; where it asks for none, a view that shows more than the reference's."""
    azimuth, elevation = float(model.vis.global_.azimuth), float(model.vis.global_.elevation)
    return (120.0, -25.0) if (azimuth, elevation) == (90.0, -45.0) else (azimuth, elevation)


class VisualOptions:
    """`flags`, `geomgroup`, `sitegroup`, `label`, `frame` as MjvOption has them, and the flag of wireframes of the
    user's scene. What is asked for and not shown by the viewer is logged, once."""

    _FLAGS = {
        "hulls": mjtVisFlag.mjVIS_CONVEXHULL, "joints": mjtVisFlag.mjVIS_JOINT, "cameras": mjtVisFlag.mjVIS_CAMERA,
        "lights": mjtVisFlag.mjVIS_LIGHT, "tendons": mjtVisFlag.mjVIS_TENDON, "inertias": mjtVisFlag.mjVIS_INERTIA,
        "contacts": mjtVisFlag.mjVIS_CONTACTPOINT, "islands": mjtVisFlag.mjVIS_ISLAND,
        "forces": mjtVisFlag.mjVIS_CONTACTFORCE, "transparent": mjtVisFlag.mjVIS_TRANSPARENT,
        "centres": mjtVisFlag.mjVIS_COM, "skins": mjtVisFlag.mjVIS_SKIN, "textures": mjtVisFlag.mjVIS_TEXTURE,
        "statics": mjtVisFlag.mjVIS_STATIC,
    }  # fmt: skip
    _LABELS = {mjtLabel.mjLABEL_BODY: "bodies", mjtLabel.mjLABEL_JOINT: "joints", mjtLabel.mjLABEL_GEOM: "geoms",
               mjtLabel.mjLABEL_SITE: "sites", mjtLabel.mjLABEL_CAMERA: "cameras",
               mjtLabel.mjLABEL_LIGHT: "lights"}  # fmt: skip
    _FRAMES = {mjtFrame.mjFRAME_BODY: "bodies", mjtFrame.mjFRAME_GEOM: "geoms", mjtFrame.mjFRAME_SITE: "sites",
               mjtFrame.mjFRAME_CAMERA: "cameras", mjtFrame.mjFRAME_WORLD: "world"}  # fmt: skip

    def __init__(self):
        self.flags = np.zeros(len(mjtVisFlag.__members__) - 1, np.uint8)
        for name in ("tendons", "contacts", "forces", "skins", "textures", "statics"):
            self.flags[int(self._FLAGS[name])] = 1
        self.geomgroup = np.array([1, 1, 1, 0, 0, 0], np.uint8)
        self.sitegroup = np.array([1, 1, 1, 0, 0, 0], np.uint8)
        self.label, self.frame = int(mjtLabel.mjLABEL_NONE), int(mjtFrame.mjFRAME_NONE)
        self._wireframe, self._strangers = False, set()
        self._before = self._key()

    def _key(self):
        return (self.flags.tobytes(), self.geomgroup.tobytes(), self.sitegroup.tobytes(), int(self.label),
                int(self.frame), self._wireframe)  # fmt: skip

    def _stranger(self, name):
        if name not in self._strangers:
            self._strangers.add(name)
            log.warning("%s is not shown by the viewer; pictures of Renderer show it", name)

    def read_flags(self, scene):
        """Flags of the user's scene."""
        self._wireframe = bool(scene.flags[int(mjtRndFlag.mjRND_WIREFRAME)])

    def apply(self, scene):
        """What the user's program has changed since the last frame; browsers change the rest."""
        if self._key() == self._before:
            return
        self._before = self._key()
        o = scene.options
        o.wireframe = self._wireframe
        known = {int(flag) for flag in self._FLAGS.values()}
        for flag in mjtVisFlag:
            if int(flag) < len(self.flags) and self.flags[int(flag)] and int(flag) not in known:
                self._stranger(flag.name)
        for name, flag in self._FLAGS.items():
            setattr(o, name, bool(self.flags[int(flag)]))
        o.geom_groups, o.site_groups = tuple(map(bool, self.geomgroup)), tuple(map(bool, self.sitegroup))
        labels = {int(k): v for k, v in self._LABELS.items()} | {int(mjtLabel.mjLABEL_NONE): "none"}
        frames = {int(k): v for k, v in self._FRAMES.items()} | {int(mjtFrame.mjFRAME_NONE): "none"}
        if int(self.label) not in labels:
            self._stranger(mjtLabel(int(self.label)).name)
        if int(self.frame) not in frames:
            self._stranger(mjtFrame(int(self.frame)).name)
        o.names, o.frames = labels.get(int(self.label), "none"), frames.get(int(self.frame), "none")
        scene.rebuild()
