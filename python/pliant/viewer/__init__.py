"""Looking at a simulation: a viewer in the browser, and pages that play without one.

    pliant.viewer.save_html(model, "run.npz", "run.html")     # one file; needs nothing but a browser

    pliant.viewer.launch(model, data)                         # simulates until the viewer is closed
    with pliant.viewer.launch_passive(model, data) as viewer: # your loop simulates
        while viewer.is_running():
            pliant.mujoco.mj_step(model, data)
            viewer.sync()

The viewer needs the package viser: pip install pliant[viewer]. `data` is an MjData, a pliant.State or nothing.
docs/viewer.md explains both; `pliant view` does the same from the command line.
"""

from .page import page_text, save_html
from .recording import Recording, RecordingError, read

__all__ = ["Recording", "RecordingError", "ViewerError", "launch", "launch_passive", "page_text", "read", "save_html"]


class ViewerError(RuntimeError):
    """The viewer cannot be started: what is missing and what to do."""


def launch(model, data=None, **options):
    """Opens the viewer and simulates in real time until it is closed (its button, Ctrl-C). Returns nothing.

    Options: `port` (8080, or a free one if that is taken), `host` ("127.0.0.1"; another address needs the token that is
    printed), `open_browser`, `paused`, `speed`, `camera` (name of a camera of the model).
    """
    from .session import launch as run

    run(model, data, **options)


def launch_passive(model, data=None, *, key_callback=None, **options):
    """Opens the viewer beside a loop of your own, and returns a handle: `sync()` shows the data as they are now.

    The handle is a context manager with `is_running()`, `close()`, `lock()`, `cam`, `opt`, `user_scn`. `key_callback`
    gets the code of a key that is pressed. Options as for launch().
    """
    from .session import launch_passive as run

    return run(model, data, key_callback=key_callback, **options)
