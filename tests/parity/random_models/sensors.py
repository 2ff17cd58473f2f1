"""<sensor>."""

from random_models import attributes as table
from random_models.document import Node, Place


class Sensors:
    def sensors(self):
        node = Node("sensor")
        for _ in range(self.rng.randint(1, 8)):
            scope = self.pick_scope()
            found = self.sensor(scope)
            if not found:
                continue
            tag, a = found
            if tag == "user":
                self.draw(a, {"noise": table.real(0, 1), "user": table.user("sensor")})
            else:
                self.draw(a, table.SENSOR)
                if tag in table.DIRECTION_SENSORS and not self.chance(0.02):
                    a.pop("cutoff", None)
                if self.has("history") and self.chance(0.3):
                    a["nsample"] = self.whole(1, 5)
                    self.draw(a, {"delay": table.real(0, 0.01), "interval": table.interval,
                                  "interp": table.word("zoh", "linear", "cubic")}, 0.5)  # fmt: skip
            self.name(a, "sensor", Place(scope=() if scope is None else scope))
            node.add(tag, a)
        geoms = [o for o in self.known.get("geom", ()) if not o.scope]
        self.extras.tactile(node, self.extras.rng.choice(geoms) if geoms else None)
        return node

    def frame_object(self, scope, prefix="obj"):
        kind = self.rng.choice(("body", "xbody", "geom", "site", "camera"))
        found = self.pick("body" if kind == "xbody" else kind, scope)
        return found and {f"{prefix}type": kind, f"{prefix}name": found.name}

    def named(self, kind, scope, where=None):
        found = self.pick(kind, scope, where)
        return found and {kind: found.name}

    def sensor(self, scope):
        """(tag, attributes) or None."""
        family = self.rng.randrange(14)
        choice = self.rng.choice
        tag, a = None, None
        if family == 0:
            tag, a = choice(table.SITE_SENSORS), self.named("site", scope)
        elif family == 1:
            tag, a = choice(table.JOINT_SENSORS), self.named("joint", scope, lambda o: o.type in ("hinge", "slide"))
        elif family == 2:
            tag, a = choice(table.JOINT_LIMIT_SENSORS), self.named("joint", scope, lambda o: o.limited)
        elif family == 3:
            tag, a = choice(table.BALL_SENSORS), self.named("joint", scope, lambda o: o.type == "ball")
        elif family == 4:
            tag, a = choice(table.TENDON_SENSORS), self.named("tendon", scope)
        elif family == 5:
            tag, a = choice(table.TENDON_LIMIT_SENSORS), self.named("tendon", scope, lambda o: o.limited)
        elif family == 6:
            tag, a = choice(table.ACTUATOR_SENSORS), self.named("actuator", scope)
        elif family == 7:
            tag, a = choice(table.RELATIVE_SENSORS), self.frame_object(scope)
            if a and self.chance(0.5):
                a.update(self.frame_object(scope, "ref") or {})
        elif family == 8:
            tag, a = choice(table.FRAME_SENSORS), self.frame_object(scope)
        elif family == 9:
            tag, a = choice(table.SUBTREE_SENSORS), self.named("body", scope)
        elif family == 10:
            tag = choice(table.PAIR_SENSORS)
            one, two = choice(("geom", "body")), choice(("geom", "body"))
            first = self.pick(one, scope)
            second = first and self.pick(two, scope, lambda o: o.body != first.body)
            a = second and {f"{one}1": first.name, f"{two}2": second.name}
        elif family == 11:
            if not self.replicates and not self.level:  # the reference copies them along with anything
                tag, a = choice(table.GLOBAL_SENSORS), {}
        elif family == 12:
            tag, a = self.special_sensor(scope)
        else:
            tag, a = "contact", self.contact_sensor(scope)
        return (tag, a) if tag and a is not None else None

    def special_sensor(self, scope):
        tag = self.rng.choice(("rangefinder", "rangefinder", "camprojection", "insidesite", "user"))
        site = self.named("site", scope)
        if tag == "rangefinder":
            a = (self.named("camera", scope) if self.chance(0.3) else None) or site
            if a and self.chance(0.5):
                words = [w for w in ("dist", "dir", "origin", "point", "normal", "depth") if self.chance(0.4)]
                a["data"] = self.join(words or ["dist"])
            return tag, a
        if tag == "camprojection":
            camera = self.named("camera", scope)
            return tag, site and camera and {**site, **camera}
        if tag == "insidesite":
            a = self.frame_object(scope)
            if a and self.chance(0.4):
                a["enclosed"] = table.flag(self)
            return tag, site and a and {**a, **site}
        a = {"dim": self.whole(0, 4)}
        self.draw(a, {"datatype": table.word("real", "positive"), "needstage": table.word("pos", "vel", "acc")}, 0.5)
        if self.chance(0.5) or self.replicates or self.level:
            kind = self.rng.choice(("body", "joint", "geom", "site", "tendon", "actuator"))
            found = self.pick(kind, scope)
            if not found:
                return tag, None
            a.update(objtype=kind, objname=found.name)
        return tag, a

    def contact_sensor(self, scope):
        a = {}
        for side in ("1", "2"):
            kind = self.rng.choice(("geom", "body", "subtree", "", "site" if side == "1" else ""))
            if kind == "":
                continue
            found = self.pick("body" if kind == "subtree" else kind, scope)
            if found:
                a[kind if kind == "site" else kind + side] = found.name
        if not a and (self.replicates or self.level):
            return None
        fields = ("found", "force", "torque", "dist", "pos", "normal", "tangent", "linvel", "angvel")
        words = [w for w in fields if self.chance(0.35)]
        if words:
            a["data"] = self.join(words)
        self.draw(a, {"num": table.whole(1, 5), "reduce": table.word("none", "mindist", "maxforce", "netforce")}, 0.5)
        return a
