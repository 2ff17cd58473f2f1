"""mujoco.viewer under MuJoCo's names and signatures: Pliant's viewer, in the browser (docs/viewer.md)."""

import pliant.mujoco as _mujoco
from pliant.viewer import session as _session
from pliant.viewer.session import Handle

__all__ = ["Handle", "launch", "launch_from_path", "launch_passive"]


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True, **options):
    """Simulates in the viewer until it is closed. `loader` gives (model, data) instead; panels are always there.

    Further options are those of pliant.viewer.launch: port, host, open_browser, paused, speed, camera.
    """
    if loader is not None:
        if model is not None or data is not None:
            raise ValueError("launch: give model and data, or a loader, not both")
        model, data = tuple(loader())[:2]
    if model is None:
        raise ValueError("launch: the viewer needs a model, or a loader that gives one")
    _session.launch(model, _mujoco.MjData(model) if data is None else data, **options)


def launch_from_path(path, **options):
    """Loads a model file and simulates it in the viewer."""
    launch(_mujoco.MjModel.from_xml_path(path), **options)


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True, **options):
    """Opens the viewer beside a loop of your own, and returns a Handle; panels are always there."""
    if not isinstance(model, _mujoco.MjModel):
        raise ValueError(f"`model` is not a MjModel: {type(model).__name__}")
    if not isinstance(data, _mujoco.MjData):
        raise ValueError(f"`data` is not a MjData: {type(data).__name__}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: {key_callback!r}")
    return _session.launch_passive(model, data, key_callback=key_callback, **options)
