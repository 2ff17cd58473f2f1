"""The panel of one pair of geoms: which numbers its contact has, which line of which file says so, what they will do,
what it does now, and other numbers to try while it runs."""

import collections

import numpy as np

from .. import _explain
from . import marks, shapes

_TRACE = 400
_INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast", "discrete", "midpoint")  # as pliant.design names them
_PARAMETERS = {"solref": 2, "solimp": 5, "friction": 3}


def numbers(values):
    return " ".join(f"{float(x):.6g}" for x in values)


def parse(text, count, name):
    """Numbers that somebody typed."""
    try:
        values = [float(x) for x in text.replace(",", " ").split()]
    except ValueError:
        raise ValueError(f"{name}: '{text}' is no list of numbers") from None
    if len(values) != count or not np.all(np.isfinite(values)):
        raise ValueError(f"{name} has {count} numbers; these are {len(values)}")
    return values


def impedance(solimp, depth):
    """d(r) of MuJoCo's solimp."""
    low, high, width, middle, power = solimp
    x = np.clip(np.abs(depth) / max(width, 1e-15), 0, 1)
    middle = min(max(middle, 1e-4), 1 - 1e-4)
    below = x**power / middle ** (power - 1)
    above = 1 - (1 - x) ** power / (1 - middle) ** (power - 1)
    return low + np.where(x <= middle, below, above) * (high - low)


def static_force(explanation, depth):
    """Force of the whole contact pressed slowly to a depth: what the row holds against at rest."""
    d = np.clip(impedance(explanation.solimp, depth), 1e-4, 0.9999)
    return explanation.row_stiffness * d * depth * d / ((1 - d) * max(explanation.estimate, 1e-12))


def _scales(top):
    """Axes of a plot from 0 to `top`: where numbers are missing, uPlot cannot find the range by itself."""
    return {"x": {"time": False}, "y": {"range": (0.0, float(top))}}


def _show(plot, top, data):
    """Data and range of a plot; the range changes by steps, for it makes the plot anew."""
    now = plot.scales["y"]["range"][1]
    if not 0.5 * now < top <= now:
        plot.scales = _scales(1.3 * top)
    plot.data = data


class ContactPanel:
    def __init__(self, session, gui):
        self.session, self.model, self.gui = session, session.model, gui
        self.pair, self.explanation, self.pairs = None, None, []
        self.time, self.depth, self.force = (collections.deque(maxlen=_TRACE) for _ in range(3))
        self.choice = gui.add_dropdown("pair", ["none"])
        self.choice.on_update(lambda event: event.client and session.do(self._chosen))
        gui.add_markdown("Click a contact point, or a shape, to choose a pair.")
        self.summary = gui.add_markdown("")
        with gui.add_folder("Try other numbers", visible=False) as self.editor:
            self.fields = {name: gui.add_text(name, "") for name in _PARAMETERS}
            gui.add_button("Apply").on_click(lambda event: session.do(self.apply))
            self.bounce = gui.add_text(
                "restitution", "", hint="speed after an impact of 1 m/s, as a part of that before"
            )
            gui.add_button("Numbers for this restitution").on_click(lambda event: session.do(self.design))
            self.line = gui.add_markdown("")
        self.curves = gui.add_folder("Predicted and simulated", visible=False)
        with self.curves:
            scales = _scales(1.0)
            self.law = gui.add_uplot(
                tuple(np.zeros(2) for _ in range(3)),
                ({"label": "depth [mm]"}, {"label": "predicted at rest [N]", "stroke": "#2563c4", "width": 2},
                 {"label": "simulated [N]", "stroke": "#d9480f", "points": {"show": True, "size": 4}, "width": 0}),
                aspect=1.5, scales=scales,
            )  # fmt: skip
            self.motion = gui.add_uplot(
                tuple(np.zeros(2) for _ in range(3)),
                ({"label": "time [s]"}, {"label": "depth at rest, predicted [mm]", "stroke": "#2563c4", "dash": (6, 4)},
                 {"label": "depth [mm]", "stroke": "#d9480f", "width": 2}),
                aspect=1.5, scales=scales,
            )  # fmt: skip

    # ---- choosing ---------------------------------------------------------------------------------

    def _name(self, pair):
        return " – ".join(shapes.object_name(self.model, "geom", g) for g in pair)

    def _touching_now(self):
        rows = marks.contacts(self.session.shown.data)
        return sorted({tuple(int(g) for g in sorted(pair)) for pair in rows["geom"]})

    def touching(self, geom):
        """The pair that presses most on a geom, if it touches anything."""
        rows = marks.contacts(self.session.shown.data)
        force = np.linalg.norm(marks.contact_forces(self.model, self.session.shown.data), axis=1)
        mine = [i for i in range(len(rows)) if geom in rows["geom"][i]]
        if mine:
            self.choose(*(int(g) for g in rows["geom"][max(mine, key=lambda i: force[i])]))

    def _chosen(self):
        for pair in self.pairs:
            if self._name(pair) == self.choice.value:
                self.choose(*pair)
                return
        self.pair = None
        self._refresh()

    def choose(self, first, second):
        self.pair = tuple(sorted((first, second)))
        for trace in (self.time, self.depth, self.force):
            trace.clear()
        self._refresh()
        self._list()

    def _list(self):
        """Names of pairs that touch, the chosen one among them."""
        pairs = self._touching_now()[:60]
        if self.pair is not None and self.pair not in pairs:
            pairs.insert(0, self.pair)
        names = ("none", *dict.fromkeys(self._name(p) for p in pairs))
        self.pairs = pairs
        if names != tuple(self.choice.options):
            self.choice.options = names
        wanted = self._name(self.pair) if self.pair is not None else "none"
        if self.choice.value != wanted:
            self.choice.value = wanted

    # ---- what it is -------------------------------------------------------------------------------

    def _refresh(self):
        """The explanation of the pair as it is now."""
        self.editor.visible = self.curves.visible = self.pair is not None
        if self.pair is None:
            self.explanation, self.summary.content = None, ""
            return
        try:
            self.explanation = e = _explain.explain(self.model, *self.pair, state=self.session.shown.state)
        except ValueError as problem:
            self.explanation, self.summary.content = None, f"**{self._name(self.pair)}**: {problem}"
            return
        lines = [f"**{e.title}**  \n{e.sentence}", "", "| | value | rule | from |", "|---|---|---|---|"]
        for name, source in e.sources.items():
            places = "<br>".join(f"`{place}`" for place in source["origins"])
            lines.append(f"| {name} | {numbers(source['value'])} | {source['rule']} | {places} |")
        lines += ["", "| will | |", "|---|---|", f"| depth at rest | {1e3 * e.rest_depth:.4g} mm |",
                  f"| bounce at {e.impact:g} m/s | {e.restitution:.3g} of the speed |",
                  f"| stiffness | {e.stiffness:.4g} N/m |", f"| damping ratio | {e.dampratio:.3g} |",
                  f"| settle | {e.settle_time:.3g} s |",
                  f"| longest stable timestep | {e.stable_dt:.3g} s |"]  # fmt: skip
        lines += [f"\n⚠ {note['text'] if isinstance(note, dict) else note}" for note in e.clamped]
        self.summary.content = "\n".join(lines)
        for name, count in _PARAMETERS.items():
            values = e.sources[name]["value"] if name in e.sources else []
            if name == "friction" and len(values) == 5:
                values = [values[0], values[2], values[3]]
            self.fields[name].value = numbers(values[:count])
        self.bounce.value = f"{e.restitution:.3g}"
        self.line.content = f"```xml\n{self.mjcf()}\n```"

    # ---- other numbers ----------------------------------------------------------------------------

    def owners(self):
        """Who has the numbers: ("pair", id), or geoms: the one of higher priority, or both."""
        m, (a, b) = self.model, self.pair
        for p in range(m.npair):
            if {int(m.pair_geom1[p]), int(m.pair_geom2[p])} == {a, b}:
                return [("pair", p)]
        if m.geom_priority[a] != m.geom_priority[b]:
            return [("geom", a if m.geom_priority[a] > m.geom_priority[b] else b)]
        return [("geom", a), ("geom", b)]

    def apply(self):
        """Writes what was typed into the model; the next step uses it."""
        values = {name: parse(self.fields[name].value, count, name) for name, count in _PARAMETERS.items()}
        m = self.model
        for kind, number in self.owners():
            for name, new in values.items():
                array = getattr(m, f"{kind}_{name}")
                if kind == "pair" and name == "friction":
                    array[number] = [new[0], new[0], new[1], new[2], new[2]]
                else:
                    array[number] = new
        if not self.session.passive:
            self.session.refresh()
        self._refresh()

    def design(self):
        """Writes the solref and solimp that bounce as wanted."""
        (wish,) = parse(self.bounce.value, 1, "restitution")
        o, e = self.model.opt, self.explanation
        if e is None:
            raise ValueError("restitution: choose a pair that can touch")
        made = _explain.design(restitution=wish, timestep=float(o.timestep), integrator=_INTEGRATORS[int(o.integrator)],
                               substeps=e.substeps, mass=e.mass, gravity=float(np.linalg.norm(o.gravity)))  # fmt: skip
        if not made.possible:
            raise ValueError(f"restitution {wish:g} cannot be had here: {made.refusal}")
        self.fields["solref"].value, self.fields["solimp"].value = numbers(made.solref), numbers(made.solimp)
        self.apply()

    def mjcf(self):
        """What to write into the file."""
        m = self.model
        values = {name: self.fields[name].value for name in _PARAMETERS}
        lines = []
        for kind, number in self.owners():
            friction = values["friction"]
            if kind == "pair":
                first, second, third = parse(friction, 3, "friction")
                friction = numbers([first, first, second, third, third])
            text = f'solref="{values["solref"]}" solimp="{values["solimp"]}" friction="{friction}"'
            if kind == "pair":
                lines.append(f"<!-- {m.origin('pair', number)} -->\n<pair … {text}/>")
            else:
                name = m.name("geom", number)
                named = f'name="{name}" ' if name else ""
                lines.append(f"<!-- {m.origin('geom', number)} -->\n<geom {named}… {text}/>")
        return "\n".join(lines)

    # ---- what it does -----------------------------------------------------------------------------

    def trace(self, now):
        """Remembers depth and force of the pair."""
        if self.pair is None:
            return
        if self.time and now < self.time[-1]:
            for trace in (self.time, self.depth, self.force):
                trace.clear()
        if self.time and now == self.time[-1]:
            return
        data = self.session.shown.data
        rows = marks.contacts(data)
        mine = [i for i in range(len(rows)) if tuple(sorted(int(g) for g in rows["geom"][i])) == self.pair]
        force = marks.contact_forces(self.model, data)[mine] if mine else np.zeros((0, 3))
        self.time.append(now)
        self.depth.append(-min(rows["dist"][mine]) if mine else np.nan)
        self.force.append(float(np.abs((force * rows["frame"][mine][:, :3]).sum(1)).sum()) if mine else np.nan)

    def update(self):
        self._list()
        if self.explanation is None or len(self.time) < 2:
            return
        e = self.explanation
        depth, force = np.array(self.depth), np.array(self.force)
        seen = np.isfinite(depth) & (depth > 0)
        rest = e.rest_depth if np.isfinite(e.rest_depth) else 0.0
        reach = max(1.5 * rest, 1.05 * float(depth[seen].max()) if seen.any() else 0.0, 1e-6)
        x = np.concatenate([np.linspace(0, reach, 60), depth[seen]])
        y = np.concatenate([np.full(60, np.nan), force[seen]])
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
        law = static_force(e, x)
        _show(self.law, max(float(law.max()), float(force[seen].max()) if seen.any() else 0.0), (1e3 * x, law, y))
        levels = np.full(len(self.time), 1e3 * rest)
        _show(self.motion, 1e3 * reach, (np.array(self.time), levels, 1e3 * np.maximum(depth, 0)))
