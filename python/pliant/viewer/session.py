"""A running viewer: the loop that simulates, plays a recording or follows a loop of the user's.

One thread, that of the simulation, touches model, state and data. What people do in their browsers becomes a command in
a queue, which that thread runs between steps. A frame is a copy of state and data, which another thread, the painter,
turns into messages; while it is busy, no copy is made. Neither it nor a slow or lost browser makes the simulation wait.
"""

import collections
import contextlib
import queue
import signal
import threading
import time
import traceback

import numpy as np

from .. import _pliant
from .._render import MjvScene
from . import ViewerError, marks
from .camera import Camera, VisualOptions
from .panels import Panels
from .recording import recording_of
from .scene import Scene
from .server import Server, log

_FRAMES_PER_SECOND = 60.0
_MOST_MARKERS = 1000  # shapes of the user's scene
_LONGEST_BURST = 0.1  # s of simulation that a late frame makes up for


class Pair:
    """A State and a Data, as an MjData has them."""

    def __init__(self, state, data):
        self.state, self.data = state, data


def _world(model, data):
    """What has .state and .data."""
    if data is None:
        return _pliant.World(model)
    if hasattr(data, "state") and hasattr(data, "data"):
        return data
    if isinstance(data, _pliant.State):
        return Pair(data, _pliant.Data(model))
    if isinstance(data, tuple) and len(data) == 2 and isinstance(data[0], _pliant.State):
        return Pair(*data)
    raise TypeError(f"data must be an MjData, a pliant.State or (State, Data); it is a {type(data).__name__}")


def drawn(scene):
    """Shapes of the user's scene, as the painter wants them."""
    return [(int(g.type), np.array(g.size).ravel(), np.array(g.pos).ravel(), np.array(g.mat).reshape(3, 3),
             np.array(g.rgba)) for g in (scene.geoms[i] for i in range(scene.ngeom))]  # fmt: skip


class Session:
    """Everything about one open viewer. `passive`: the user's loop simulates and calls sync()."""

    def __init__(self, model, data=None, *, passive=False, recording=None, port=None, host=None, camera=None, speed=1.0,
                 paused=False, open_browser=True, key_callback=None, title=None,
                 announce=None):  # fmt: skip
        if not (np.isfinite(speed) and speed > 0):
            raise ValueError(f"speed must be positive; it is {speed}")
        self.model, self.world, self.passive = model, _world(model, data), passive
        self.recording = None if recording is None else recording_of(model, recording)
        self.playing, self.speed, self.owed, self.realtime = not paused, speed, 0.0, 0.0
        self.running, self.trouble = True, ""
        self.commands, self.lock = collections.deque(), threading.RLock()
        self.key_callback, self.grip, self.row = key_callback, None, 0
        self.user_scene, self.texts = MjvScene(model, maxgeom=_MOST_MARKERS), []
        self.origin = _pliant.State(model)
        self.origin.assign(self.world.state)
        # shows the forces of a state before the first step, without a trace in the user's data
        self.own_data = _pliant.Data(model)
        self.next_frame, self.stepped, self.frames = 0.0, passive, 0
        # what is being shown: written by the simulation, read by the painter, each while it holds `paint`
        self.shown, self.markers = Pair(_pliant.State(model), _pliant.Data(model)), []
        # `busy` from a frame's copy until it is drawn. Ctrl-C may interrupt the simulating thread at any line: what it
        # uses to call the painter is written in C, so that no half-taken lock is left for close() to wait for.
        self.paint, self.fresh, self.busy = threading.RLock(), queue.SimpleQueue(), False
        self.server = Server(title or model.model_name or "Pliant", host, port)
        try:
            self.camera = Camera(model, self.server.viser, camera)
            self.visual = VisualOptions()
            self.scene = Scene(self.server.viser, model, self._clicked, self._contact_clicked, self._dragged)
            self.refresh()
            self._copy()
            self.panels = Panels(self)
            self._draw()
        except BaseException:
            self.server.stop()
            raise
        self.painter = threading.Thread(target=self._painting, name="pliant viewer", daemon=True)
        self.painter.start()
        self.server.announce(open_browser, announce)

    # ---- commands of browsers ---------------------------------------------------------------------

    def do(self, command):
        """Has the simulating thread run a function; from any thread."""
        self.commands.append(command)

    def run_commands(self):
        if not self.commands:
            return
        with self.paint:  # they may change what is drawn
            while self.commands:
                try:
                    self.commands.popleft()()
                except Exception as problem:  # a command that fails must not end the simulation
                    self.say(f"{type(problem).__name__}: {problem}")
                    log.warning("a command failed: %s", traceback.format_exc())

    def say(self, text):
        self.trouble = text
        self.panels.trouble(text)

    def _clicked(self, solid):
        if solid.kind == "geom":
            self.do(lambda: self.choose(solid.id))

    def _contact_clicked(self, index):
        def choose():
            rows = marks.contacts(self.shown.data)
            if index is not None and index < len(rows):
                self.panels.choose_pair(*(int(g) for g in rows["geom"][index]))

        self.do(choose)

    def choose(self, geom):
        self.scene.chosen = geom
        self.panels.chosen(geom)

    # ---- dragging: a spring between where a body was taken and where the pointer is ----------------

    def _dragged(self, solid, phase, start, end):
        self.do(lambda: self._drag(solid.body, phase, start, end))

    def _drag(self, body, phase, start, end):
        if phase == "end":
            self.release()
            return
        if self.grip is None or self.grip["body"] != body:
            self.release()
            pos, turn = self.data.xpos[body], self.data.xmat[body].reshape(3, 3)
            self.grip = {"body": body, "local": turn.T @ (start - pos),
                         "before": np.array(self.world.state.xfrc_applied[body])}  # fmt: skip
        self.grip["target"] = end

    def pull(self):
        """The spring's force on the gripped body, added to what the user applies."""
        if not self.grip or "target" not in self.grip:
            return
        m, d, body = self.model, self.data, self.grip["body"]
        point = d.xpos[body] + d.xmat[body].reshape(3, 3) @ self.grip["local"]
        mass = float(m.body_subtreemass[int(m.body_rootid[body])])
        stiffness = float(m.vis.map.stiffness) * mass
        speed = (point - self.grip.get("point", point)) / max(self.grip.get("since", 1.0), 1e-9)
        force = stiffness * (self.grip["target"] - point) - 2 * np.sqrt(stiffness * mass) * speed
        self.grip["point"] = point
        self.grip["force"] = force
        torque = np.cross(point - d.xipos[body], force)
        self.world.state.xfrc_applied[body] = self.grip["before"] + np.concatenate([force, torque])

    def release(self):
        if self.grip:
            self.world.state.xfrc_applied[self.grip["body"]] = self.grip["before"]
        self.grip = None

    # ---- what is shown ----------------------------------------------------------------------------

    @property
    def data(self):
        """Contacts and forces: of the last step, or of a forward pass of the viewer's own."""
        return self.world.data if self.stepped else self.own_data

    def refresh(self):
        """After a change that no step has seen: forces of the state as it is."""
        _pliant.forward(self.model, self.world.state, self.own_data)
        self.stepped = False

    def _copy(self):
        self.shown.state.assign(self.world.state)
        self.shown.data.assign(self.data)
        self.markers = drawn(self.user_scene)
        self.visual.read_flags(self.user_scene)

    def show(self):
        """Hands the state as it is to the painter, unless it is still busy with another."""
        if self.busy:
            return
        with self.paint:
            self._copy()
        self.busy = True
        self.fresh.put(None)

    def _draw(self):
        """One frame to all browsers."""
        self.frames += 1
        viser, grip = self.server.viser, self.grip
        with viser.atomic():
            self.visual.apply(self.scene)
            self.scene.update(self.shown.state, self.shown.data)
            if grip and "point" in grip:
                self.scene.show_pull(grip["point"], grip["target"], grip["force"])
            else:
                self.scene.show_pull(None, None)
            self.scene.show_markers(self.markers)
            self.camera.follow(self.scene.view, viser.get_clients().values())
        self.panels.update()

    def _painting(self):
        while self.running:
            self.fresh.get()
            with self.paint:
                if not self.running:
                    return
                try:
                    self._draw()
                except Exception:  # a frame that fails must not end the next ones
                    log.warning("a frame failed: %s", traceback.format_exc())
            self.busy = False

    def due(self, now):
        """Whether it is time for the next frame; nobody looking, a few per second keep the panels right."""
        if now < self.next_frame:
            return False
        rate = _FRAMES_PER_SECOND if self.server.viser.get_clients() else 4.0
        self.next_frame = max(self.next_frame + 1 / rate, now)
        return True

    # ---- simulating -------------------------------------------------------------------------------

    def step(self, count=1):
        """Steps; a refused step pauses and says why."""
        if self.recording is not None:
            self.go_to_row(min(self.row + count, len(self.recording) - 1))
            return
        if self.grip:
            self.grip["since"] = count * float(self.model.opt.timestep)
        self.pull()
        self.stepped = True
        if _pliant.step(self.model, self.world.state, self.world.data, count):
            self.playing = False
            self.say(_pliant.describe_faults(self.model, self.world.data))

    def go_to_row(self, row):
        self.row = int(row)
        self.recording.put(self.row, self.world.state)
        self.refresh()

    def reset(self, key=None):
        """To the start, or to a keyframe."""
        self.release()
        self.trouble = ""
        if self.recording is not None:
            self.go_to_row(0)
            return
        if key is None:
            self.world.state.assign(self.origin)
        else:
            self.world.state.reset(self.model, key)
        self.refresh()

    def _advance(self, passed):
        """Steps for the time that has passed, as far as they fit into a frame."""
        if self.recording is not None:
            self.owed += passed * self.speed
            times = self.recording.time
            row = int(np.searchsorted(times, times[self.row] + self.owed, side="right")) - 1
            if row > self.row:
                self.owed -= times[row] - times[self.row]
                self.go_to_row(row)
            if self.row == len(self.recording) - 1:
                self.playing, self.owed = False, 0.0
            return
        h = float(self.model.opt.timestep)
        self.owed = min(self.owed + passed * self.speed, _LONGEST_BURST * self.speed + h)
        end, begun, done = time.perf_counter() + 1.5 / _FRAMES_PER_SECOND, time.perf_counter(), 0
        while self.owed >= h and self.playing and time.perf_counter() < end:
            count = 1 if self.grip else max(1, min(8, int(self.owed / h)))
            self.step(count)
            self.owed -= count * h
            done += count
        if done:
            share = done * h / max(time.perf_counter() - begun, 1e-9)
            self.realtime = share if not self.realtime else 0.9 * self.realtime + 0.1 * share

    @contextlib.contextmanager
    def _ending_on_ctrl_c(self):
        """Ctrl-C ends the loop between two frames; a second one interrupts at once. A handler of the user's stays."""
        plain = signal.default_int_handler
        if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not plain:
            yield
            return

        def end(*_):
            signal.signal(signal.SIGINT, plain)
            self.running = self.running and False  # None: closed already

        signal.signal(signal.SIGINT, end)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, plain)

    def run(self):
        """Until the viewer is closed, or Ctrl-C."""
        before = time.perf_counter()
        try:
            with self._ending_on_ctrl_c():
                while self.running:
                    self.run_commands()
                    now = time.perf_counter()
                    if self.playing:
                        self._advance(now - before)
                    before = now
                    if self.due(now):
                        self.show()
                    time.sleep(max(0.0, min(self.next_frame - time.perf_counter(), 0.005)))
        except KeyboardInterrupt:
            pass
        finally:
            self.close()

    def sync(self):
        """Of a user's loop: what browsers asked for, and a frame if one is due."""
        # mostly there is nothing to do, and steps of small models take a few microseconds
        if time.perf_counter() < self.next_frame and not self.commands and self.grip is None:
            return
        if not self.running:
            return
        with self.lock:
            self.run_commands()
            self.pull()
            if self.due(time.perf_counter()):
                self.show()

    def close(self):
        if self.running is None:
            return
        self.running = None
        self.release()
        self.fresh.put(None)
        if self.painter is not threading.current_thread():
            self.painter.join(timeout=5)
        self.server.stop()


class Handle:
    """What launch_passive returns."""

    def __init__(self, session):
        self._session = session

    def sync(self, state_only=False):
        """Shows the data as they are now, and lets browsers change them. Cheap when no frame is due."""
        self._session.sync()

    def is_running(self):
        return bool(self._session.running)

    def close(self):
        self._session.close()

    @contextlib.contextmanager
    def lock(self):
        """While it is held, no frame is made."""
        with self._session.lock:
            yield

    @property
    def address(self):
        """Where the viewer is, for a browser."""
        return self._session.server.address

    @property
    def cam(self):
        return self._session.camera

    @property
    def opt(self):
        return self._session.visual

    @property
    def user_scn(self):
        """An MjvScene for shapes of your own: the first `ngeom` of `geoms` are drawn, mjv_initGeom fills one."""
        return self._session.user_scene

    @property
    def m(self):
        return self._session.model

    @property
    def d(self):
        return self._session.world

    def set_texts(self, texts):
        """Lines for the panel: (font, place, left, right), or several; font and place are ignored."""
        lines = texts if isinstance(texts, list) else [texts]
        self._session.texts = [(str(line[2] or ""), str(line[3] or "")) for line in lines]

    def clear_texts(self):
        self._session.texts = []

    def update_hfield(self, hfieldid):
        """Takes over the changed heights of the model."""
        self._changed(("hfield", int(hfieldid)))

    def update_mesh(self, meshid):
        self._changed(("mesh", int(meshid)))

    def update_texture(self, texid):
        self._changed(None)

    def _changed(self, key):
        with self._session.paint:
            self._session.scene.meshes.pop(key, None)
            self._session.scene.rebuild()

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        self.close()


def launch(model, data=None, **options):
    if data is not None and not hasattr(data, "state") and not isinstance(data, _pliant.State):
        raise TypeError(f"data must be an MjData or a pliant.State; it is a {type(data).__name__}")
    Session(model, data, **options).run()


def launch_passive(model, data=None, *, key_callback=None, **options):
    if data is None:
        raise ViewerError("launch_passive shows data that a loop of yours changes: give it model and data")
    return Handle(Session(model, data, passive=True, key_callback=key_callback, **options))
