"""What models, data, explanations and batches look like when they are printed, or shown in a notebook."""

import html
import math

from . import _pliant
from ._explain import Design, Explanation
from ._rollout import RolloutResult

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


def _finding_html(finding):
    rows = [("where", f"{finding.element} {finding.origin}"), ("what", finding.message), ("change", finding.change)]
    return _table(f"{finding.code} {finding.title}", [row for row in rows if row[1]])


def add_notebook_views():
    """Gives the classes their looks; called once by the package."""
    _pliant.Model.__repr__, _pliant.Model._repr_html_ = _model_repr, _model_html
    _pliant.State.__repr__, _pliant.State._repr_html_ = _named(_state_rows, "state")
    _pliant.Data.__repr__, _pliant.Data._repr_html_ = _named(_data_rows, "data of the last step")
    _pliant.Batch.__repr__, _pliant.Batch._repr_html_ = _named(_batch_rows, "batch")
    _pliant.World.__repr__, _pliant.World._repr_html_ = _named(
        lambda self: [*_state_rows(self.state), *_data_rows(self.data)], "data"
    )
    for cls in (Explanation, Design):
        cls._repr_html_ = _answer_html
    _pliant.Finding._repr_html_ = _finding_html
    RolloutResult._repr_html_ = lambda self: _table("rollout", _rollout_rows(self))
