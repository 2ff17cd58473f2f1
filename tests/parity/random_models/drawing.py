"""Drawing of numbers, words and names."""

import math

from random_models import attributes as table
from random_models.document import Known


class Drawing:
    def has(self, feature):
        return feature in self.features

    def chance(self, p):
        return self.rng.random() < p

    def uniform(self, low, high):
        return self.rng.uniform(low, high)

    def number(self, value):
        if self.has("extremes") and self.chance(0.05):
            value *= self.rng.choice((1e-6, 1e-3, 1e2, 1e3))
        if not self.has("oddspace") or self.chance(0.6):
            return f"{value:.4g}"
        return self.rng.choice((f"{value:+.4g}", f"{value:.3e}", f"{value:.5E}", f"{value:.6f}", f"0{value:.3f}"
                                if value >= 0 else f"{value:.3f}"))  # fmt: skip

    def join(self, parts):
        if not self.has("oddspace") or self.chance(0.6):
            return " ".join(parts)
        gaps = (" ", "  ", "\n", "\t", " \r\n ")
        text = "".join(self.rng.choice(gaps) + part for part in parts)
        return (text if self.chance(0.5) else text.lstrip()) + self.rng.choice(("", " ", "\n"))

    def vector(self, values):
        return self.join([self.number(v) for v in values])

    def wholes(self, values):
        return self.join([str(v) for v in values])

    def words(self, words):
        return self.join(words) if words else "rgb"

    def real(self, low, high):
        return self.number(self.uniform(low, high))

    def reals(self, low, high, n):
        return self.vector([self.uniform(low, high) for _ in range(n)])

    def whole(self, low, high):
        return str(self.rng.randint(low, high))

    def span(self, low, high):
        middle = self.uniform(low, high)
        return self.vector([self.uniform(low, middle), middle + (high - middle) * self.uniform(0.1, 1)])

    def angle(self):
        if self.chance(0.2):
            return self.rng.choice((0, 90, 180, -90)) * (1 if self.degree else math.pi / 180)
        return self.uniform(-180, 180) if self.degree else self.uniform(-math.pi, math.pi)

    def direction(self, n, unit=False):
        if self.chance(0.2):
            values = [0.0] * n
            values[self.rng.randrange(n)] = self.rng.choice((1.0, -1.0))
            return values
        values = [self.rng.gauss(0, 1) + 0.01 for _ in range(n)]
        length = math.hypot(*values) if unit else 1
        return [round(v / length, 6) for v in values]

    def user(self, kind):
        most = self.user_sizes.get(kind, 3)
        return self.reals(-5, 5, self.rng.randint(0, most))

    def draw(self, attributes, rows, density=None):
        """Adds a random selection of attributes."""
        for name, value in rows.items():
            if name not in attributes and self.chance(self.density if density is None else density):
                attributes[name] = value(self)
        return attributes

    def orient(self, attributes, p=None):
        if self.chance(0.5 if p is None else p):
            kind = self.rng.choice(table.ORIENTATIONS)
            attributes[kind] = table.orientation(self, kind)

    def limit(self, attributes, range_name, limited_name, low, high, p=None):
        """A range with its switch, in the forms that are legal here; returns whether it limits."""
        if not self.chance(self.density if p is None else p):
            return False
        attributes[range_name] = self.span(low, high)
        state = self.rng.choice(("true", "false") if not self.autolimits else ("", "", "true", "false", "auto"))
        if state:
            attributes[limited_name] = state
        return state != "false"

    def name(self, attributes, kind, place=None, p=None, **info):
        """Names the element or not; a name can be referred to."""
        if self.chance((0.3 if self.has("unnamed") else 0.05) if p is None else 1 - p):
            return None
        self.serial += 1
        name = f"{kind[:2]}{self.serial}x"  # no digit at the end, where <replicate> adds some
        if self.has("unicode") and self.chance(0.3):
            name = self.rng.choice(("gelb–", "größe ", "手", "a/b_", "x&y<", "naïve.", " lead")) + name
        attributes["name"] = name
        scope = place.scope if place else ()
        body = place.body if place else 0
        self.known.setdefault(kind, []).append(Known(name, scope, body=body, **info))
        return name

    def candidates(self, kind, scope, where=None):
        """Objects of a kind inside exactly these replicates; all of them when scope is None."""
        found = [o for o in self.known.get(kind, ()) if scope is None or o.scope == scope]
        return [o for o in found if where is None or where(o)]

    def pick(self, kind, scope, where=None):
        found = self.candidates(kind, scope, where)
        if self.has("mistakes") and self.chance(0.03):
            return Known("nobody")
        return self.rng.choice(found) if found else None

    def pick_scope(self):
        if self.has("mixed") and self.chance(0.3):
            return None
        scopes = sorted({o.scope for objects in self.known.values() for o in objects} | {()})
        return self.rng.choice(scopes) if self.chance(0.5) else ()
