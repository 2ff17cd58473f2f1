"""Numbers of a recording over time as a picture (SVG): a panel per field, a curve per number."""

import html
import math

import numpy as np

from .recording import RecordingError

_COLOURS = (
    "#2563c4",
    "#d9480f",
    "#2b8a3e",
    "#9c36b5",
    "#c92a2a",
    "#0b7285",
    "#e67700",
    "#5f3dc4",
    "#495057",
    "#a61e4d",
)
_WIDTH, _PANEL, _LEFT, _RIGHT, _TOP, _BOTTOM = 960, 220, 70, 220, 26, 34
_MOST_CURVES = 10  # of one panel
_MOST_POINTS = 1500  # of one curve


def nice_ticks(low, high, count=5):
    """Round numbers between two, about `count` of them."""
    span = high - low
    if not span > 0:
        return [low]
    raw = span / count
    scale = 10 ** math.floor(math.log10(raw))
    step = next(s * scale for s in (1, 2, 2.5, 5, 10) if s * scale >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _thinned(time, values):
    """The lowest and highest value of each of so many pieces of time: no peak is lost."""
    if len(time) <= _MOST_POINTS:
        return time, values
    pieces = np.array_split(np.arange(len(time)), _MOST_POINTS // 2)
    keep = sorted({int(i) for p in pieces for i in (p[np.nanargmin(values[p])], p[np.nanargmax(values[p])])}
                  if np.isfinite(values).all() else range(0, len(time), len(time) // _MOST_POINTS))  # fmt: skip
    return time[keep], values[keep]


def _panel(title, time, columns, names, top):
    """One field: axes, curves, legend."""
    low, high = (float(f(columns[np.isfinite(columns)])) if np.isfinite(columns).any() else x
                 for f, x in ((np.min, 0.0), (np.max, 1.0)))  # fmt: skip
    if high - low < 1e-12 * max(1.0, abs(high)):
        low, high = low - 0.5 * (abs(low) or 1), high + 0.5 * (abs(high) or 1)
    start, end = float(time[0]), float(time[-1]) if len(time) > 1 else float(time[0]) + 1
    width, height = _WIDTH - _LEFT - _RIGHT, _PANEL - _TOP - _BOTTOM

    def x(t):
        return _LEFT + width * (t - start) / (end - start)

    def y(v):
        return top + _TOP + height * (high - v) / (high - low)

    out = [f'<text x="{_LEFT}" y="{top + 17}" class="title">{html.escape(title)}</text>']
    for tick in nice_ticks(low, high):
        out.append(f'<line x1="{_LEFT}" x2="{_LEFT + width}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" class="grid"/>'
                   f'<text x="{_LEFT - 6}" y="{y(tick) + 4:.1f}" class="right">{tick:.6g}</text>')  # fmt: skip
    bottom = top + _TOP + height
    for tick in nice_ticks(start, end, 8):
        at = f"{x(tick):.1f}"
        out.append(f'<line y1="{top + _TOP}" y2="{bottom}" x1="{at}" x2="{at}" class="grid"/>'
                   f'<text x="{at}" y="{bottom + 15}" class="middle">{tick:.6g}</text>')  # fmt: skip
    out.append(f'<text x="{_LEFT + width}" y="{top + _PANEL - 4}" class="right">time [s]</text>')
    for c in range(min(columns.shape[1], _MOST_CURVES)):
        t, v = _thinned(time, columns[:, c])
        points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(t, v) if math.isfinite(b))
        colour = _COLOURS[c % len(_COLOURS)]
        out.append(f'<polyline points="{points}" stroke="{colour}"/>')
        out.append(f'<text x="{_LEFT + width + 12}" y="{top + _TOP + 12 + 15 * c}" style="fill:{colour}">'
                   f"{html.escape(names[c])}</text>")  # fmt: skip
    if columns.shape[1] > _MOST_CURVES:
        out.append(f'<text x="{_LEFT + width + 12}" y="{top + _TOP + 12 + 15 * _MOST_CURVES}">and '
                   f"{columns.shape[1] - _MOST_CURVES} more</text>")  # fmt: skip
    return "".join(out)


def plot_svg(recording, fields=None):
    """The picture as text. `fields` are names of fields, or of single columns ("qpos.elbow"); by default all fields."""
    panels = []
    for wanted in fields or list(recording.fields):
        if wanted in recording.fields:
            columns = np.asarray(recording.fields[wanted], float).reshape(len(recording), -1)
            names = recording.names.get(wanted) or [f"{wanted}[{i}]" for i in range(columns.shape[1])]
        else:
            found = [(f, names.index(wanted)) for f, names in recording.names.items() if wanted in names]
            if not found:
                raise RecordingError(f"the recording has no field '{wanted}'; it has {', '.join(recording.fields)}")
            columns = np.asarray(recording.fields[found[0][0]], float).reshape(len(recording), -1)[:, [found[0][1]]]
            names = [wanted]
        if columns.shape[1]:
            panels.append((wanted, columns, names))
    if not panels or not len(recording):
        raise RecordingError("the recording has no numbers to plot")
    height = _PANEL * len(panels) + 8
    body = "".join(_panel(title, recording.time, c, n, _PANEL * i) for i, (title, c, n) in enumerate(panels))
    style = ("text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:bold}.right{text-anchor:end}"
             ".middle{text-anchor:middle}.grid{stroke:#e3e8ee}polyline{fill:none;stroke-width:1.4}")  # fmt: skip
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">'
        f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/>{body}</svg>\n'
    )
