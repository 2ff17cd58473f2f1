"""<custom> and <keyframe>."""

from random_models import attributes as table
from random_models.document import Node


class Custom:
    def custom(self):
        node = Node("custom")
        for _ in range(self.rng.randint(1, 4)):
            tag = self.rng.choice(("numeric", "text", "tuple"))
            a = {}
            self.name(a, tag, p=1)
            if tag == "numeric":
                n = self.rng.randint(0, 4)
                if n:
                    a["data"] = self.reals(-5, 5, n)
                if not n or self.chance(0.3):
                    a["size"] = str(n + self.rng.randint(0 if n else 1, 3))
                node.add(tag, a)
            elif tag == "text":
                a["data"] = self.rng.choice(("hello", "größe & <klein>", "two\nlines", " x "))
                node.add(tag, a)
            else:
                self.tuple(node.add(tag, a), a["name"])
                if not node.children[-1].children:
                    node.children.pop()
                    self.known[tag].pop()
        return node

    def tuple(self, node, own):
        for _ in range(self.rng.randint(1, 4)):
            kinds = "body xbody joint geom site camera light texture material pair exclude equality tendon actuator"
            kind = self.rng.choice((*kinds.split(), "sensor", "numeric", "text", "body" if self.level else "tuple"))
            if (self.replicates or self.level) and kind in ("texture", "material", "numeric", "text", "tuple"):
                kind = "body"  # a tuple of such things alone is doubled by every replica in the reference
            found = self.pick("body" if kind == "xbody" else kind, (), lambda o: o.name != own and " " not in o.name)
            if found:
                a = {"objtype": kind, "objname": found.name}
                node.add("element", self.draw(a, {"prm": table.real(-2, 2)}, 0.4))

    def keyframes(self):
        node = Node("keyframe")
        copied = self.child_models
        for _ in range(self.rng.randint(1, 3)):
            a = {}
            self.name(a, "key")
            full = self.chance(0.7) or self.level  # of an attached model they must be complete
            for name, n in (("qpos", self.nq), ("qvel", self.nv), ("act", self.na), ("ctrl", self.nu),
                            ("mpos", 3 * self.nmocap), ("mquat", 4 * self.nmocap),
                            ("plastic", self.nplastic)):  # fmt: skip
                if name in ("act", "ctrl") and self.several and not self.chance(0.02):
                    continue  # the reference miscounts them where vectors are short or attached
                if n and not copied and self.chance(0.6):
                    size = n if full else self.rng.randint(1, n)
                    a[name] = self.vector([self.rng.gauss(0, 1) for _ in range(size)])
            self.draw(a, {"time": table.real(0, 5)}, 0.4)
            node.add("key", a)
        return node
