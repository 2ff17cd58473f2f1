"""Numbers of a recording over time as a picture (SVG): a panel per field, a curve per number."""

import difflib
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
    keep = set()
    for piece in pieces:
        finite = piece[np.isfinite(values[piece])]
        if len(finite):
            keep |= {int(finite[np.argmin(values[finite])]), int(finite[np.argmax(values[finite])])}
        if len(finite) < len(piece):  # where the curve is broken
            keep.add(int(piece[~np.isfinite(values[piece])][0]))
    keep = sorted(keep)
    return time[keep], values[keep]


def _runs(time, values):
    """Pieces of a curve without numbers that are none."""
    pieces, bad = [], ~np.isfinite(values)
    for piece in np.split(np.arange(len(values)), np.flatnonzero(bad)):
        piece = piece[~bad[piece]]
        if len(piece):
            pieces.append((time[piece], values[piece]))
    return pieces


def _panel(title, time, columns, names, top):
    """One field: axes, curves, legend."""
    low, high = (float(f(columns[np.isfinite(columns)])) if np.isfinite(columns).any() else x
                 for f, x in ((np.min, 0.0), (np.max, 1.0)))  # fmt: skip
    scale = 1.0
    if not math.isfinite(high - low):  # larger than numbers are
        scale = 0.25
        low, high = scale * low, scale * high
    if high - low < 1e-12 * max(1.0, abs(high)):
        low, high = low - 0.5 * (abs(low) or 1), high + 0.5 * (abs(high) or 1)
    start, end = float(time[0]), float(time[-1]) if len(time) > 1 else float(time[0]) + 1
    width, height = _WIDTH - _LEFT - _RIGHT, _PANEL - _TOP - _BOTTOM

    def x(t):
        return _LEFT + width * (t - start) / (end - start)

    def y(v):
        return top + _TOP + height * ((high - scale * v) / (high - low))

    out = [f'<text x="{_LEFT}" y="{top + 17}" class="title">{html.escape(title)}</text>']
    for tick in nice_ticks(low, high):
        out.append(f'<line x1="{_LEFT}" x2="{_LEFT + width}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" class="grid"/>'
                   f'<text x="{_LEFT - 6}" y="{y(tick) + 4:.1f}" class="right">{tick / scale:.6g}</text>')  # fmt: skip
    bottom = top + _TOP + height
    for tick in nice_ticks(start, end, 8):
        at = f"{x(tick):.1f}"
        out.append(f'<line y1="{top + _TOP}" y2="{bottom}" x1="{at}" x2="{at}" class="grid"/>'
                   f'<text x="{at}" y="{bottom + 15}" class="middle">{tick:.6g}</text>')  # fmt: skip
    out.append(f'<text x="{_LEFT + width}" y="{top + _PANEL - 4}" class="right">time [s]</text>')
    for c in range(min(columns.shape[1], _MOST_CURVES)):
        t, v = _thinned(time, columns[:, c])
        colour = _COLOURS[c % len(_COLOURS)]
        for times, numbers in _runs(t, v):
            if len(times) == 1:  # alone between gaps, it would be no line
                out.append(f'<circle cx="{x(times[0]):.1f}" cy="{y(numbers[0]):.1f}" r="1.5" fill="{colour}"/>')
                continue
            points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(times, numbers))
            out.append(f'<polyline points="{points}" stroke="{colour}"/>')
        out.append(f'<text x="{_LEFT + width + 12}" y="{top + _TOP + 12 + 15 * c}" style="fill:{colour}">'
                   f"{html.escape(names[c])}</text>")  # fmt: skip
    if columns.shape[1] > _MOST_CURVES:
        out.append(f'<text x="{_LEFT + width + 12}" y="{top + _TOP + 12 + 15 * _MOST_CURVES}">and '
                   f"{columns.shape[1] - _MOST_CURVES} more</text>")  # fmt: skip
    return "".join(out)


def _no_field(recording, wanted):
    field = wanted.split(".")[0].split("[")[0]
    if field != wanted and (names := recording.names.get(field)):
        near = difflib.get_close_matches(wanted, names, 1)
        hint = f": did you mean '{near[0]}'?" if near else f", such as '{names[0]}'"
        return f"field '{field}' of the recording has no column '{wanted}'; it has {len(names)}{hint}"
    return f"the recording has no field '{wanted}'; it has {', '.join(recording.fields)}"


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
                raise RecordingError(_no_field(recording, wanted))
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
