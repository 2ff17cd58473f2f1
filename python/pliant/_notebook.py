"""What models, data, explanations and batches look like when they are printed, or shown in a notebook."""

import base64
import html
import math
import pathlib
import tempfile

from . import _pliant
from ._explain import Design, Explanation, Explanations
from ._render import Renderer, save_png
from ._reports import Findings
from ._rollout import RolloutResult

_PICTURE = 320, 240  # pixels of the picture of data

_COUNTS = (("bodies", "nbody"), ("joints", "njnt"), ("dofs", "nv"), ("geoms", "ngeom"), ("actuators", "nactuator"),
           ("sensors", "nsensor"), ("tendons", "ntendon"), ("equalities", "neq"), ("keyframes", "nkey"))  # fmt: skip


def _table(title, rows):
    """A table of two columns."""
    cells = "".join(
        f'<tr><th style="text-align:left">{html.escape(str(name))}</th><td style="text-align:left">'
        f"{html.escape(_text(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption><b>{html.escape(title)}</b></caption>{cells}</table>"


def _text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.5g}" if math.isfinite(value) else "unlimited"
    if isinstance(value, (list, tuple)):
        return " ".join(_text(x) for x in value)
    return str(value)


def _model_rows(model):
    rows = [(text, getattr(model, name)) for text, name in _COUNTS if getattr(model, name)]
    rows.append(("timestep", f"{model.opt.timestep:g} s"))
    if model.files:
        rows.append(("file", model.files[0]))
    return rows


def _model_repr(model):
    counts = ", ".join(f"{number} {text}" for text, number in _model_rows(model)[:-1] if text != "timestep")
    return f"<{type(model).__name__} {model.model_name!r}: {counts}>"


def _model_html(model):
    return _table(f"model {model.model_name}", _model_rows(model))


def _state_rows(state):
    return [
        ("time", f"{float(state.time[0]):g} s"),
        ("qpos", f"{state.qpos.size} numbers"),
        ("qvel", f"{state.qvel.size} numbers, largest {_largest(state.qvel)}"),
        ("ctrl", f"{state.ctrl.size} numbers"),
        ("hash", f"{state.hash():016x}"),
    ]


def _largest(array):
    return f"{abs(array).max():.4g}" if array.size else "0"


def _data_rows(data):
    counts = _pliant.row_counts(data)
    reports = _pliant.solver_reports(data)
    return [
        ("contacts", data.ncon),
        ("rows", counts["nefc"]),
        ("islands", counts["nisland"]),
        ("iterations", max((r["iterations"] for r in reports), default=0)),
        ("gap", max((r["gap"] for r in reports), default=0.0)),
        ("memory", f"{data.bytes / 1e6:.2f} MB"),
    ]


def _named(rows, title):
    """repr and _repr_html_ of a class from a function that lists names and values."""

    def text(self):
        return f"<{type(self).__name__} " + ", ".join(f"{name}: {_text(value)}" for name, value in rows(self)) + ">"

    return text, lambda self: _table(title, rows(self))


def _batch_rows(batch):
    return [("worlds", batch.nworld), ("numbers per state", batch.nstate), ("sensor numbers", batch.nsensordata),
            ("bytes per world", batch.bytes_per_world)]  # fmt: skip


def _shape(array):
    return "not kept" if array is None else " × ".join(map(str, array.shape))


def _rollout_rows(result):
    return [("states", _shape(result.state)), ("sensordata", _shape(result.sensordata))]


def _answer_html(answer):
    title = getattr(answer, "title", type(answer).__name__)
    rows = [(name, value) for name, value in vars(answer).items()
            if isinstance(value, (bool, int, float, str)) or (isinstance(value, list) and value and
            all(isinstance(x, (int, float)) for x in value))]  # fmt: skip
    out = _table(str(title), rows)
    sources = getattr(answer, "sources", None)
    if isinstance(sources, dict):
        lines = [
            (name, f"{_text(s['value'])}  ({s['rule']}: {', '.join(s['origins'])})") for name, s in sources.items()
        ]
        out += _table("where its numbers come from", lines)
    return out


def _grid(title, head, rows):
    """A table with a head."""
    line = "".join(f'<th style="text-align:left">{html.escape(name)}</th>' for name in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{html.escape(_text(cell))}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><caption><b>{html.escape(title)}</b></caption><tr>{line}</tr>{body}</table>"


def _picture(world):
    """The state as it is now, seen by the free camera: an <img>, or why there is none. The world is not touched."""
    model = world.model
    state, data = _pliant.State(model), _pliant.Data(model)
    state.assign(world.state)
    if _pliant.forward(model, state, data):
        return f"<p>no picture: {html.escape(_pliant.describe_faults(model, data))}</p>"
    width = min(_PICTURE[0], int(model.vis.global_.offwidth))
    height = min(_PICTURE[1], int(model.vis.global_.offheight))
    with Renderer(model, height, width) as renderer, tempfile.TemporaryDirectory() as folder:
        renderer.update_scene(data, state=state)
        path = pathlib.Path(folder) / "picture.png"
        save_png(path, renderer.render())
        text = base64.b64encode(path.read_bytes()).decode()
    return f'<img width="{width}" height="{height}" alt="the model" src="data:image/png;base64,{text}"/>'


def _world_rows(world):
    return [*_state_rows(world.state), *_data_rows(world.data)]


def _world_html(world):
    return _table("data", _world_rows(world)) + _picture(world)


def _findings_html(findings):
    head = ("code", "how bad", "what", "where", "change")
    rows = [(f.code, f.severity, f.message, f"{f.element} {f.origin}", f.change) for f in findings]
    return _grid(f"{len(findings)} findings", head, rows)


def _explanations_html(explanations):
    head = ("", "", "depth at rest", "restitution", "stiffness", "damping ratio", "stable timestep", "clamped")
    rows = [
        (e.kind, e.title, e.rest_depth, e.restitution, e.stiffness, e.dampratio, e.stable_dt,
         " ".join(note["code"] for note in e.clamped))
        for e in explanations
    ]  # fmt: skip
    return _grid(f"{len(explanations)} explanations", head, rows)


def _changes_html(report):
    return f"<pre>{html.escape(str(report))}</pre>"


def _changes_repr(report):
    return f"<ChangeReport since {report.since}: {len(report.changes)} changes, differs: {_text(bool(report.differs))}>"


def _finding_html(finding):
    rows = [("where", f"{finding.element} {finding.origin}"), ("what", finding.message), ("change", finding.change)]
    return _table(f"{finding.code} {finding.title}", [row for row in rows if row[1]])


def add_notebook_views():
    """Gives the classes their looks; called once by the package."""
    _pliant.Model.__repr__, _pliant.Model._repr_html_ = _model_repr, _model_html
    _pliant.State.__repr__, _pliant.State._repr_html_ = _named(_state_rows, "state")
    _pliant.Data.__repr__, _pliant.Data._repr_html_ = _named(_data_rows, "data of the last step")
    _pliant.Batch.__repr__, _pliant.Batch._repr_html_ = _named(_batch_rows, "batch")
    _pliant.World.__repr__, _pliant.World._repr_html_ = _named(_world_rows, "data")[0], _world_html
    for cls in (Explanation, Design):
        cls._repr_html_ = _answer_html
    _pliant.Finding._repr_html_ = _finding_html
    _pliant.ChangeReport.__repr__, _pliant.ChangeReport._repr_html_ = _changes_repr, _changes_html
    Findings._repr_html_, Explanations._repr_html_ = _findings_html, _explanations_html
    RolloutResult._repr_html_ = lambda self: _table("rollout", _rollout_rows(self))
