"""Pictures without a renderer: geoms seen from the side as SVG, film strips of them, and plots of curves."""

import html
import math

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)
COLOURS = ("#c0392b", "#2465b5", "#218c74", "#8e44ad", "#d68910")


class View:
    """Side view along +y: x to the right, z up; `box` = (x0, z0, x1, z1) in metres, shown `width` pixels wide."""

    def __init__(self, box, width):
        self.box, self.width = box, width
        self.scale = width / (box[2] - box[0])
        self.height = self.scale * (box[3] - box[1])

    def point(self, p):
        return self.scale * (p[0] - self.box[0]), self.height - self.scale * (p[2] - self.box[1])

    def points(self, points):
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.point, points))


def hull(points):
    """Convex hull in the plane, counter-clockwise (Andrew's chain)."""
    points = sorted(set(points))
    if len(points) < 3:
        return points

    def turns_left(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])

    def half(sequence):
        chain = []
        for p in sequence:
            while len(chain) > 1 and not turns_left(*chain[-2:], p):
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(points) + half(reversed(points))


def outline(kind, size, pos, mat):
    """Points on the surface of a shape whose hull, seen from the side, is its outline."""
    axes = [[mat[3 * row + k] for row in range(3)] for k in range(3)]

    def at(x, y, z):
        return tuple(pos[i] + x * axes[0][i] + y * axes[1][i] + z * axes[2][i] for i in range(3))

    turn = [2 * math.pi * i / 32 for i in range(32)]
    if kind == BOX:
        return [at(a * size[0], b * size[1], c * size[2]) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    if kind == CYLINDER:
        return [at(size[0] * math.cos(t), size[0] * math.sin(t), s * size[1]) for t in turn for s in (-1, 1)]
    if kind == ELLIPSOID:
        return [at(size[0] * math.cos(t) * math.cos(u), size[1] * math.sin(t) * math.cos(u), size[2] * math.sin(u))
                for t in turn for u in turn]  # fmt: skip
    # spheres and capsules: circles in the picture about the ends
    half = size[1] if kind == CAPSULE else 0
    ends = [at(0, 0, half), at(0, 0, -half)] if half else [tuple(pos)]
    return [(e[0] + size[0] * math.cos(t), e[1], e[2] + size[0] * math.sin(t)) for e in ends for t in turn]


def colour(rgba):
    return "rgb({},{},{})".format(*(round(255 * min(1, max(0, c))) for c in rgba[:3])), float(rgba[3])


def draw(view, geoms):
    """`geoms`: (type, size, position, matrix, rgba), drawn from far to near."""
    parts = []
    for kind, size, pos, mat, rgba in sorted(geoms, key=lambda g: (g[0] != PLANE, -g[2][1])):
        fill, alpha = colour(rgba)
        if kind == PLANE:
            _, y = view.point(pos)
            parts.append(
                f'<rect x="0" y="{y:.1f}" width="{view.width:.0f}" height="{max(0, view.height - y):.1f}" '
                f'fill="{fill}"/>'
            )
        elif kind not in (HFIELD, MESH):
            corners = hull([(p[0], p[2]) for p in outline(kind, size, pos, mat)])
            text = view.points([(x, 0, z) for x, z in corners])
            parts.append(
                f'<polygon points="{text}" fill="{fill}" fill-opacity="{alpha:.2f}" stroke="#222" stroke-width="0.7"/>'
            )
    return "".join(parts)


def strip(frames, box, width=150):
    """A film strip: `frames` are (time, geoms)."""
    view = View(box, width)
    cells = []
    for i, (time, geoms) in enumerate(frames):
        x = i * (width + 6)
        cells.append(
            f'<svg x="{x}" y="0" width="{width}" height="{view.height:.0f}" viewBox="0 0 {width} {view.height:.0f}">'
            f'<rect width="100%" height="100%" fill="#f4f6f8"/>{draw(view, geoms)}'
            f'<text x="5" y="14" font-size="11" fill="#333">{time:.2f} s</text></svg>'
        )
    total = len(frames) * (width + 6) - 6
    return (
        f'<svg class="strip" viewBox="0 0 {total} {view.height:.0f}" width="{total}" role="img">{"".join(cells)}</svg>'
    )


def ticks(low, high):
    span = high - low or 1
    unit = 10 ** math.floor(math.log10(span / 4))
    unit *= next(f for f in (1, 2, 5, 10) if span / (f * unit) <= 6)
    first = math.ceil(low / unit)
    return [unit * i for i in range(first, math.floor(high / unit) + 1)]


def plot(curves, x_label, y_label, width=560, height=240, most=600):
    """`curves`: (name, xs, ys, dashed). At most `most` points of each are drawn."""
    left, bottom, top, right = 58, 36, 12, 12
    xs = [x for c in curves for x in c[1]]
    ys = [y for c in curves for y in c[2]]
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    y0, y1 = y0 - 0.05 * (y1 - y0 or 1), y1 + 0.05 * (y1 - y0 or 1)

    def sx(x):
        return left + (width - left - right) * (x - x0) / (x1 - x0 or 1)

    def sy(y):
        return height - bottom - (height - bottom - top) * (y - y0) / (y1 - y0 or 1)

    parts = [f'<rect width="{width}" height="{height}" fill="white"/>']
    for x in ticks(x0, x1):
        parts.append(f'<path d="M{sx(x):.1f} {top}V{height - bottom}" stroke="#e3e6ea"/>'
                     f'<text x="{sx(x):.1f}" y="{height - bottom + 14}" font-size="10" '
                     f'text-anchor="middle">{x:.3g}</text>')  # fmt: skip
    for y in ticks(y0, y1):
        parts.append(f'<path d="M{left} {sy(y):.1f}H{width - right}" stroke="#e3e6ea"/>'
                     f'<text x="{left - 5}" y="{sy(y) + 3:.1f}" font-size="10" '
                     f'text-anchor="end">{y:.3g}</text>')  # fmt: skip
    names = []
    for name, cx, cy, dashed in curves:
        stroke = COLOURS[names.index(name) % len(COLOURS)] if name in names else COLOURS[len(names) % len(COLOURS)]
        every = max(1, len(cx) // most)
        path = " ".join(f"{sx(x):.1f},{sy(y):.1f}" for x, y in zip(cx[::every], cy[::every]))
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="1.5"{dash}/>')
        if name not in names:
            names.append(name)
            parts.append(f'<text x="{width - right - 4}" y="{top + 12 * len(names)}" font-size="11" fill="{stroke}" '
                         f'text-anchor="end">{html.escape(name)}</text>')  # fmt: skip
    parts.append(
        f'<text x="{(left + width) / 2}" y="{height - 5}" font-size="11" '
        f'text-anchor="middle">{html.escape(x_label)}</text>'
    )
    parts.append(f'<text x="12" y="{height / 2}" font-size="11" text-anchor="middle" '
                 f'transform="rotate(-90 12 {height / 2})">{html.escape(y_label)}</text>')  # fmt: skip
    return f'<svg class="plot" viewBox="0 0 {width} {height}" width="{width}" role="img">{"".join(parts)}</svg>'
