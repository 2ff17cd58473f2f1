"""The panels beside the scene: run, show, move, contacts, plots, solver. What people do becomes a command."""

import re
import time

import numpy as np

from .. import _pliant
from . import shapes
from .contact_panel import ContactPanel
from .series import all_series, field_series

_TEXTS_PER_SECOND = 5.0
_PLOTTED = 600  # points of a live plot
_MOST_SLIDERS = 60
# keys that a browser hands on, and the codes that the reference's callbacks get for them (those of GLFW)
_KEYS = {key: ord(key) for key in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"} | {
    "space": 32, "escape": 256, "enter": 257, "tab": 258, "backspace": 259, "insert": 260, "delete": 261,
    "arrowright": 262, "arrowleft": 263, "arrowdown": 264, "arrowup": 265, "pageup": 266, "pagedown": 267, "home": 268,
    "end": 269,
}  # fmt: skip
_COLOURS = ["#2563c4", "#d9480f", "#2b8a3e", "#9c36b5", "#c92a2a", "#0b7285", "#e67700", "#5f3dc4"]


def shorter(text, most=24):
    return text if len(text) <= most else text[: most - 1] + "…"


class Panels:
    def __init__(self, session):
        self.session, self.model = session, session.model
        self.gui = session.server.viser.gui
        self.next_texts = 0.0
        self.sliders, self.switches = [], []
        tabs = self.gui.add_tab_group()
        with tabs.add_tab("Run"):
            self._run()
        with tabs.add_tab("Show"):
            self._show()
        with tabs.add_tab("Move"):
            self._move()
        with tabs.add_tab("Contact"):
            self.contact = ContactPanel(session, self.gui)
        with tabs.add_tab("Plot"):
            self._plot()
        with tabs.add_tab("Solver"):
            self._solver()
        self._keys()

    def _do(self, command):
        """A callback that hands a command to the simulating thread."""
        return lambda event: self.session.do(command)

    # ---- run --------------------------------------------------------------------------------------

    def _run(self):
        s, gui = self.session, self.gui
        self.status = gui.add_markdown("")
        self.troubles = gui.add_markdown("", visible=False)
        self.texts = gui.add_markdown("", visible=False)
        if not s.passive:
            self.play = gui.add_button("Pause" if s.playing else "Play", hint="space")
            self.play.on_click(self._do(self.toggle))
            gui.add_button("One step", hint="right arrow").on_click(self._do(self.one_step))
            speed = gui.add_slider("speed", min=0.01, max=4.0, step=0.01, initial_value=min(max(s.speed, 0.01), 4.0))
            speed.on_update(lambda event: s.do(lambda: setattr(s, "speed", speed.value)))
        gui.add_button("Reset", hint="backspace").on_click(self._do(lambda: self.reset()))
        if s.recording is not None:
            row = self.row = gui.add_slider("row", min=0, max=len(s.recording) - 1, step=1, initial_value=0)
            row.on_update(lambda event: event.client and s.do(lambda: s.go_to_row(row.value)))
        elif self.model.nkey:
            names = [self.model.name("key", k) or f"key {k}" for k in range(self.model.nkey)]
            key = gui.add_dropdown("keyframe", names)
            gui.add_button("Go to keyframe").on_click(lambda event: s.do(lambda: self.reset(names.index(key.value))))
        with gui.add_folder("Copy", expand_by_default=False):
            self.copied = gui.add_markdown("")
            gui.add_button("View as <camera>").on_click(self._copy_camera)
            gui.add_button("Pose as <key>").on_click(self._do(self._copy_pose))
        gui.add_button("Close the viewer", color="gray").on_click(self._do(lambda: setattr(s, "running", False)))

    def toggle(self):
        s = self.session
        if s.passive:
            return
        if not s.playing and s.recording is not None and s.row == len(s.recording) - 1:
            s.reset()
        s.playing = not s.playing
        self.trouble("")
        self.next_texts = 0.0

    def one_step(self):
        self.session.playing = False
        self.session.step()
        self.session.refresh()
        self.next_texts = 0.0

    def reset(self, key=None):
        self.session.reset(key)
        self.trouble("")
        self.next_texts = 0.0

    def trouble(self, text):
        self.troubles.content, self.troubles.visible = (f"**{text}**" if text else ""), bool(text)

    def _copy_camera(self, event):
        if event.client is not None:
            text = self.session.camera.mjcf(event.client)
            self.session.do(lambda: setattr(self.copied, "content", f"```xml\n{text}\n```"))

    def _copy_pose(self):
        state = self.session.world.state
        parts = []
        for name, attribute in (("qpos", "qpos"), ("qvel", "qvel"), ("act", "act"), ("ctrl", "ctrl")):
            values = np.asarray(getattr(state, name))
            if values.size and (name == "qpos" or np.any(values)):
                parts.append(f'{attribute}="{" ".join(f"{x:.6g}" for x in values)}"')
        time_now = float(state.time[0])
        self.copied.content = f'```xml\n<key name="pose" time="{time_now:.6g}" {" ".join(parts)}/>\n```'

    def _keys(self):
        s = self.session
        self.keys = {}
        if s.key_callback:  # then all keys are the user's
            for key, code in _KEYS.items():
                command = self.keys[code] = self.gui.add_command(f"key {key}", hotkey=key)
                command.on_trigger(lambda event, code=code: s.do(lambda: s.key_callback(code)))
            return
        if not s.passive:
            self.gui.add_command("Play or pause", hotkey="space").on_trigger(self._do(self.toggle))
            self.gui.add_command("One step", hotkey="arrowright").on_trigger(self._do(self.one_step))
        self.gui.add_command("Reset", hotkey="backspace").on_trigger(self._do(lambda: self.reset()))

    # ---- show -------------------------------------------------------------------------------------

    def _show(self):
        gui, scene = self.gui, self.session.scene
        options = scene.options
        names = {"contacts": "contact points", "forces": "contact forces", "tendons": "tendons", "sites": "sites",
                 "skins": "skins", "joints": "joint axes", "centres": "centres of mass", "inertias": "boxes of inertia",
                 "hulls": "convex hulls of meshes", "cameras": "cameras", "lights": "lights",
                 "transparent": "transparent", "islands": "islands in colour",
                 "wireframe": "edges only (wireframe)"}  # fmt: skip
        counts = {"tendons": self.model.ntendon, "sites": self.model.nsite, "skins": self.model.nskin,
                  "hulls": self.model.nmesh, "cameras": self.model.ncam, "lights": self.model.nlight}  # fmt: skip
        for name, text in names.items():
            if not counts.get(name, 1):
                continue
            box = gui.add_checkbox(text, getattr(options, name))
            box.on_update(lambda event, name=name, box=box: self._option(name, box.value))
        labels = gui.add_dropdown("names of", ["none", "bodies", "geoms", "sites", "joints", "cameras", "lights"])
        labels.on_update(lambda event: self._option("names", labels.value))
        frames = gui.add_dropdown("axes of", ["none", "bodies", "geoms", "sites", "cameras", "world"])
        frames.on_update(lambda event: self._option("frames", frames.value))
        self._groups("geom_groups", "Groups of geoms", self.model.geom_group)
        self._groups("site_groups", "Groups of sites", self.model.site_group)
        with gui.add_folder("Camera"):
            self._cameras()

    def _option(self, name, value):
        def change():
            setattr(self.session.scene.options, name, value)
            self.session.scene.rebuild()

        self.session.do(change)

    def _groups(self, name, title, numbers):
        """Switches of the groups there are, unless there is but the first."""
        present = sorted({min(max(int(g), 0), 5) for g in numbers})
        if present in ([], [0]):
            return
        with self.gui.add_folder(title):
            for group in present:
                box = self.gui.add_checkbox(f"group {group}", getattr(self.session.scene.options, name)[group])
                box.on_update(lambda event, group=group, box=box: self._group(name, group, box.value))

    def _group(self, name, group, value):
        groups = list(getattr(self.session.scene.options, name))
        groups[group] = value
        self._option(name, tuple(groups))

    def _cameras(self):
        m, camera = self.model, self.session.camera
        fixed = [m.name("camera", i) or f"camera {i}" for i in range(m.ncam)]
        bodies = [shapes.object_name(m, "body", b) for b in range(1, m.nbody) if m.body_parentid[b] == 0][:40]
        follow = [f"follow {name}" for name in bodies]
        choice = self.gui.add_dropdown("look", ["free", *follow, *fixed])
        if camera.type == 2:
            choice.value = fixed[camera.fixedcamid]
        ids = {name: m.id("body", name) for name in bodies}

        def change():
            if choice.value in fixed:
                camera.type, camera.fixedcamid = 2, fixed.index(choice.value)
            elif choice.value in follow:
                name = bodies[follow.index(choice.value)]
                camera.type, camera.trackbodyid = 1, ids[name] if ids[name] >= 0 else int(name.split()[-1])
            else:
                camera.type = 0

        choice.on_update(self._do(change))

    # ---- move -------------------------------------------------------------------------------------

    def _move(self):
        gui, m, state = self.gui, self.model, self.session.world.state
        gui.add_markdown("Ctrl and drag a body to pull it. Click a shape to see what it is.")
        self.picked = gui.add_markdown("")
        if m.nu:
            with gui.add_folder("Controls"):
                for i in range(min(m.nu, _MOST_SLIDERS)):
                    limited = bool(m.actuator_ctrllimited[i]) if m.nu == m.nactuator else False
                    low, high = (float(x) for x in m.actuator_ctrlrange[i]) if limited else (-1.0, 1.0)
                    name = m.name("actuator", i) if m.nu == m.nactuator else ""
                    self._slider(name or f"ctrl {i}", low, high, "ctrl", i)
                self._rest(m.nu, "controls")
        single = [j for j in range(m.njnt) if m.jnt_type[j] >= 2]
        if single:
            with gui.add_folder("Joints", expand_by_default=len(single) < 12):
                for j in single[:_MOST_SLIDERS]:
                    low, high = (float(x) for x in m.jnt_range[j]) if m.jnt_limited[j] else (-np.pi, np.pi)
                    self._slider(m.name("joint", j) or f"joint {j}", low, high, "qpos", int(m.jnt_qposadr[j]))
                self._rest(len(single), "joints")
        if m.neq:
            with gui.add_folder("Equalities", expand_by_default=False):
                for e in range(min(m.neq, _MOST_SLIDERS)):
                    box = gui.add_checkbox(m.name("equality", e) or f"equality {e}", bool(state.eq_active[e]))
                    box.on_update(lambda event, e=e, box=box: event.client and self._switch(e, box.value))
                    self.switches.append((e, box))
                self._rest(m.neq, "equalities")
        if m.nmimic:
            with gui.add_folder("Mimics"):
                self.mimics = gui.add_markdown("")

    def _rest(self, count, what):
        if count > _MOST_SLIDERS:
            self.gui.add_markdown(f"and {count - _MOST_SLIDERS} {what} more")

    def _slider(self, name, low, high, field, index):
        """Of one number of the state."""
        if not high > low:
            high = low + 1.0
        value = float(np.clip(getattr(self.session.shown.state, field)[index], low, high))
        slider = self.gui.add_slider(shorter(name), min=low, max=high, step=(high - low) / 500, initial_value=value)

        def change():
            getattr(self.session.world.state, field)[index] = slider.value
            if field == "qpos" and not self.session.passive:
                self.session.refresh()

        # a value that the program sets has no client
        slider.on_update(lambda event: event.client and self.session.do(change))
        self.sliders.append((slider, field, index, low, high))

    def _switch(self, equality, value):
        self.session.do(lambda: self.session.world.state.eq_active.__setitem__(equality, value))

    def chosen(self, geom):
        m = self.model
        body = int(m.geom_bodyid[geom])
        self.picked.content = (
            f"**{shapes.object_name(m, 'geom', geom)}** on body **{shapes.object_name(m, 'body', body)}**, "
            f"{float(m.body_mass[body]):.4g} kg  \n`{m.origin('geom', geom)}`"
        )
        self.contact.touching(geom)

    def choose_pair(self, first, second):
        self.contact.choose(first, second)

    # ---- plot -------------------------------------------------------------------------------------

    def _plot(self):
        self.series = all_series(self.model) + field_series(self.model, self.session.shown)
        self.trace_time, self.trace = [], []
        gui = self.gui
        choice = self.plotted = gui.add_dropdown("numbers", [s.title for s in self.series])
        self.columns = gui.add_text("columns", "0-7", hint="numbers of columns: 0-7 or 0,3,5")
        self.plot = None
        self.plot_folder = gui.add_folder("over time [s]")
        choice.on_update(self._do(self._new_plot))
        self.columns.on_update(self._do(self._new_plot))
        self._new_plot()

    def _chosen_columns(self, count):
        """Numbers of columns, at most eight."""
        out = []
        for part in self.columns.value.replace(" ", "").split(","):
            low, _, high = part.partition("-")
            if low.isdigit():
                out += range(int(low), (int(high) if high.isdigit() else int(low)) + 1)
        return [c for c in dict.fromkeys(out) if c < count][:8] or list(range(min(count, 8)))

    def _new_plot(self):
        if self.plot:
            self.plot.remove()
        self.shown_series = next(s for s in self.series if s.title == self.plotted.value)
        self.shown_columns = self._chosen_columns(len(self.shown_series.columns))
        self.trace_time, self.trace = [], []
        lines = ({"label": "time"},) + tuple(
            {"label": shorter(self.shown_series.columns[c]), "stroke": _COLOURS[i % len(_COLOURS)], "width": 1.5}
            for i, c in enumerate(self.shown_columns)
        )
        empty = tuple(np.zeros(2) for _ in lines)
        with self.plot_folder:
            self.plot = self.gui.add_uplot(empty, lines, aspect=1.4, scales={"x": {"time": False}})

    def _trace(self, now):
        if self.trace_time and now < self.trace_time[-1]:
            self.trace_time, self.trace = [], []
        if self.trace_time and now == self.trace_time[-1]:
            return
        values = np.asarray(self.shown_series.read(self.session.shown), float).ravel()
        self.trace_time.append(now)
        self.trace.append(values[self.shown_columns])
        if len(self.trace) > _PLOTTED:
            del self.trace_time[0], self.trace[0]

    # ---- solver -----------------------------------------------------------------------------------

    def _solver(self):
        gui = self.gui
        self.solver = gui.add_markdown("")
        gui.add_button("Ask the doctor", hint="what in this model will misbehave").on_click(self._do(self._doctor))
        self.doctor = gui.add_markdown("")
        gui.add_button("Take the marks away", color="gray").on_click(self._do(lambda: self._mark({})))

    def _doctor(self):
        found = _pliant.doctor(self.model, 1.0)
        lines = [f"- **{f.code}** {f.title}: {f.element} `{f.origin}`" + (f"  \n  `{f.change}`" if f.change else "")
                 for f in found[:20]]  # fmt: skip
        self.doctor.content = "\n".join(lines) or "Nothing that will misbehave was found."
        marks = {}
        for finding in found:
            for body in bodies_of(self.model, finding.element):
                marks.setdefault(body, f"{finding.code} {finding.title}")
        self._mark(marks)

    def _mark(self, marks):
        self.session.scene.findings = marks
        self.session.scene._add_labels()
        if not marks and not self.doctor.content.startswith("-"):
            self.doctor.content = ""

    def _solver_text(self):
        data, counts = self.session.shown.data, _pliant.row_counts(self.session.shown.data)
        reports = _pliant.solver_reports(data)
        lines = [f"{counts['nefc']} rows: {counts['ne']} of equalities, {counts['nf']} of friction, {counts['nl']} of "
                 f"limits; {data.ncon} contacts; {counts['nisland']} islands", "",
                 "| island | iterations | gap (certificate) | |", "|---|---|---|---|"]  # fmt: skip
        for i, report in enumerate(reports[:12]):
            lines.append(f"| {i} | {report['iterations']} | {report['gap']:.1e} | {report['status']} |")
        if len(reports) > 12:
            lines.append(f"| and {len(reports) - 12} more | | | |")
        force = _pliant.row_array(data, "row_force")
        if len(force):
            types, ids = _pliant.row_array(data, "row_type"), _pliant.row_array(data, "row_id")
            lines += ["", "Rows that carry most:", "", "| row | kind | of | force |", "|---|---|---|---|"]
            for r in np.argsort(-np.abs(force))[:8]:
                lines.append(f"| {r} | {_ROW_KINDS.get(int(types[r]), types[r])} | {ids[r]} | {force[r]:.4g} |")
        return "\n".join(lines)

    # ---- every frame ------------------------------------------------------------------------------

    def update(self):
        s = self.session
        now = float(s.shown.state.time[0])
        self._trace(now)
        self.contact.trace(now)
        clock = time.perf_counter()
        if clock < self.next_texts or not s.server.viser.get_clients():
            return
        self.next_texts = clock + 1 / _TEXTS_PER_SECOND
        self.status.content = self._status(now)
        if not s.passive:
            self.play.label = "Pause" if s.playing else "Play"
        if s.recording is not None:
            self.row.value = s.row
        self.texts.visible = bool(s.texts)
        self.texts.content = "  \n".join(f"{left}: {right}" for left, right in s.texts)
        for slider, field, index, low, high in self.sliders:
            value = float(np.clip(getattr(s.shown.state, field)[index], low, high))
            if abs(value - slider.value) > (high - low) / 1000:
                slider.value = value
        for equality, box in self.switches:
            box.value = bool(s.shown.state.eq_active[equality])
        if len(self.trace_time) > 1:
            columns = np.array(self.trace).T
            self.plot.data = (np.array(self.trace_time), *columns)
        self.solver.content = self._solver_text()
        if self.model.nmimic:
            self.mimics.content = self._mimic_text()
        self.contact.update()

    def _status(self, now):
        s = self.session
        reports = _pliant.solver_reports(s.shown.data)
        speed = "" if s.passive or not s.playing else f" · {s.realtime:.3g} × real time possible"
        if s.recording is not None:
            speed = f" · row {s.row} of {len(s.recording) - 1}"
        rows = _pliant.row_counts(s.shown.data)["nefc"]
        return (
            f"**t = {now:.3f} s**{speed}  \n{s.shown.data.ncon} contacts · {rows} rows · "
            f"{max((r['iterations'] for r in reports), default=0)} iterations · gap "
            f"{max((r['gap'] for r in reports), default=0.0):.0e}"
        )

    def _mimic_text(self):
        s = self.session
        lines = ["| mimic | residual | force |", "|---|---|---|"]
        for report in _pliant.mimic_reports(self.model, s.shown.state, s.shown.data):
            lines.append(
                f"| {report['sentence']} ({report['mode']}) | {report['residual']:.2e} | {report['force']:.4g} |"
            )
        return "\n".join(lines)


_ROW_KINDS = {0: "equality", 1: "friction of a dof", 2: "friction of a tendon", 3: "limit of a joint",
              4: "limit of a tendon", 5: "contact, no friction", 6: "contact, pyramid", 7: "contact, cone"}  # fmt: skip


def bodies_of(model, element):
    """Bodies that a finding names: "geom 'a' and geom 'b'", "joint 'lift'"."""
    out = []
    for kind, name in re.findall(r"(body|geom|joint|site|actuator|tendon) '([^']+)'", element):
        number = model.id(kind, name)
        if number < 0:
            continue
        if kind == "body":
            out.append(number)
        elif kind in ("geom", "joint", "site"):
            owner = {"geom": model.geom_bodyid, "joint": model.jnt_bodyid, "site": model.site_bodyid}[kind]
            out.append(int(owner[number]))
    return out
