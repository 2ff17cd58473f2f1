"""<actuator>."""

from random_models import attributes as table
from random_models.document import Node, Place


class Actuators:
    def shortcut(self, a, tag, in_default=False):
        """Attributes of an actuator, except its name, class and target."""
        if tag in table.LIMITED_SHORTCUTS and "ctrlrange" in a:
            state = self.rng.choice(("true", "false") if not self.autolimits else ("", "true", "false", "auto"))
            if state:
                a["ctrllimited"] = state
        if tag == "orientation":
            if self.chance(self.density) and self.autolimits:
                a["forcerange"] = self.vector([0, self.uniform(1, 50)])
        elif tag in table.FORCE_SHORTCUTS:
            self.limit(a, "forcerange", "forcelimited", -50, 50)
        if tag in ("damper", "adhesion") and not in_default:
            a["ctrlrange"] = self.span(0, 2)
        if tag in table.DYNAMIC_SHORTCUTS:
            rows = dict(table.ACTUATOR_DYNAMICS)
            if in_default:
                rows.pop("lengthrange")
                if self.chance(0.8):  # they fit joints and tendons only
                    del rows["damping"], rows["armature"]
            self.draw(a, rows)
        rows = dict(table.SHORTCUTS[tag])
        if in_default:
            rows.pop("tausmooth", None)
        if tag == "dcmotor":
            a["motorconst"] = self.reals(0.05, 0.2, 1)
            a["resistance"] = self.real(0.5, 3)
        self.draw(a, rows)
        if tag == "general" and a.get("dyntype", "none") == "none" and not self.chance(0.02):
            a.pop("actrange", None)
        if tag == "dcmotor" and a.get("input") in (None, "voltage", "none"):
            a.pop("controller", None)
        if "actrange" in a:
            state = self.rng.choice(("true", "false") if not self.autolimits else ("", "true", "false", "auto"))
            if state:
                a["actlimited"] = state
        if tag in table.DAMPED_SHORTCUTS and self.chance(self.density):
            a[self.rng.choice(("kv", "dampratio"))] = self.real(0, 2)
        if tag in table.INHERITING_SHORTCUTS and self.chance(0.1) and "ctrlrange" not in a and "actrange" not in a:
            a["inheritrange"] = self.real(0.5, 1.5)
        if self.has("history") and self.chance(0.3):
            a["nsample"] = self.whole(1, 5)
            a["delay"] = self.real(0, 0.01)
            self.draw(a, {"interp": table.word("zoh", "linear", "cubic")}, 0.5)

    def actuators(self):
        node = Node("actuator")
        for _ in range(self.rng.randint(1, 6)):
            scope = self.pick_scope()
            tag = self.rng.choice(("general", "general", *table.SHORTCUTS))
            target = self.actuator_target(tag, scope)
            if not target:
                continue
            a = {**target, **self.draw({}, table.ACTUATOR)}
            self.shortcut(a, tag)
            if not {"joint", "jointinparent", "tendon"} & a.keys() and not self.chance(0.02):
                for name in ("inheritrange", "damping", "armature"):
                    a.pop(name, None)
            self.class_of(a, None, lambda own: own.get("actuator", tag) == tag or self.chance(0.1))
            if tag == "general" and self.chance(0.05):
                a["actdim"] = self.whole(1, 4)
                a["dyntype"] = "user"
            self.name(a, "actuator", Place(scope=() if scope is None else scope))
            node.add(tag, a)
            self.nu += 1
            self.na += tag in ("intvelocity", "cylinder", "muscle") or a.get("dyntype", "none") != "none"
            self.several |= tag in ("pid", "dcmotor", "orientation", "general")
        return node

    def actuator_target(self, tag, scope):
        if tag == "adhesion":
            body = self.pick("body", scope)
            return body and {"body": body.name}
        if tag == "orientation" and self.chance(0.6):
            joint = self.pick("joint", scope, lambda o: o.type == "ball")
            return joint and {"joint": joint.name}
        kinds = ["joint", "joint", "joint", "jointinparent", "tendon", "cranksite", "site"]
        if tag == "muscle":
            kinds.remove("site")
        if tag == "general":
            kinds.append("body")
        if tag == "orientation":
            kinds = ["site"]
        kind = self.rng.choice(kinds)
        if kind in ("joint", "jointinparent"):
            joint = self.pick("joint", scope, lambda o: o.type in ("hinge", "slide") or self.chance(0.5))
            return joint and {kind: joint.name}
        if kind in ("tendon", "body"):
            found = self.pick(kind, scope, lambda o: o.type != "wrapping" or self.chance(0.1))
            return found and {kind: found.name}
        one = self.pick("site", scope)
        two = one and self.pick("site", scope, lambda o: o.name != one.name)
        if not one:
            return None
        if kind == "cranksite":
            return two and {"cranksite": one.name, "slidersite": two.name, "cranklength": self.real(0.1, 2)}
        target = {"site": one.name}
        if tag == "orientation" and not two:
            return None
        if two and (tag == "orientation" or self.chance(0.5)):
            target["refsite"] = two.name
        return target
