"""What a contact will do, from its law alone: one mass, one row, no engine. The laws are those of docs/physics.md.

In contact a(r, v) = (1 - d(r)) g - d(r) (B v + K d(r) r), as long as the row pushes; r is negative in overlap.
"""

import dataclasses


@dataclasses.dataclass
class Row:
    solref: tuple
    solimp: tuple
    timestep: float
    gravity: float = 9.81

    def impedance(self, r):
        d0, dwidth, width, midpoint, power = self.solimp
        x = abs(r) / width if width > 0 else 1
        if d0 == dwidth or width <= 1e-15:
            return (d0 + dwidth) / 2
        if x >= 1:
            return dwidth
        if x <= midpoint:
            y = x**power / midpoint ** (power - 1)
        else:
            y = 1 - (1 - x) ** power / (1 - midpoint) ** (power - 1)
        return d0 + y * (dwidth - d0)

    def spring(self):
        first, second = self.solref
        dwidth = self.solimp[1]
        if first > 0:
            time = max(first, 2 * self.timestep)
            return 1 / (dwidth * time * second) ** 2, 2 / (dwidth * time)
        return -first / dwidth**2, -second / dwidth

    def acceleration(self, r, v):
        if r >= 0:
            return -self.gravity
        stiffness, damping = self.spring()
        d = self.impedance(r)
        push = -damping * v - stiffness * d * r + self.gravity  # beyond free fall
        return -self.gravity + max(0.0, d * push)

    def rest_depth(self):
        """Where (1 - d) g = d K d r, by bisection."""
        stiffness, _ = self.spring()
        low, high = 0.0, 1.0
        for _ in range(100):
            r = 0.5 * (low + high)
            d = self.impedance(r)
            low, high = (r, high) if d * stiffness * d * r < (1 - d) * self.gravity else (low, r)
        return low

    def drop(self, height, seconds):
        """Times, heights above the surface and speeds of a mass that falls, step by step as the engine's Euler does."""
        r, v, times, heights, speeds = height, 0.0, [0.0], [height], [0.0]
        for i in range(round(seconds / self.timestep)):
            v += self.timestep * self.acceleration(r, v)
            r += self.timestep * v
            times.append((i + 1) * self.timestep)
            heights.append(r)
            speeds.append(v)
        return times, heights, speeds


def first_bounce(timestep, heights, speeds):
    """(restitution, time in contact, deepest) of the first time a height is below zero."""
    start = next(i for i, r in enumerate(heights) if r < 0)
    end = next((i for i in range(start, len(heights)) if heights[i] >= 0), None)
    depth = -min(heights[start:end])
    if end is None:
        return 0.0, (len(heights) - start) * timestep, depth
    return -speeds[end] / speeds[start], (end - start) * timestep, depth
