"""<compiler>, <option>, <size>, <visual>."""

from random_models import attributes as table
from random_models.document import Node
from random_models.shapes import USER_KINDS


class Settings:
    def compiler(self):
        node = Node("compiler")
        a = node.attributes
        if self.has("compiler"):
            if self.chance(0.4):
                a["angle"] = self.rng.choice(("degree", "radian", "radian"))
                self.degree = a["angle"] == "degree"
            if self.chance(0.5):
                letters = self.rng.choice(("xyz", "zyx", "xzx", "yxz", "zzy", "xxx", "yzx"))
                a["eulerseq"] = "".join(c.upper() if self.chance(0.5) else c for c in letters)
            self.draw(a, {"balanceinertia": table.flag, "strippath": table.flag, "usethread": table.flag,
                          "saveinertial": table.flag, "savecompiled": table.flag, "savecanonical": table.flag,
                          "fitaabb": table.flag, "passthrough": table.word("none", "textures"),
                          "conflict": table.word("warning", "merge", "merge"),
                          "coordinate": table.word("local")})  # fmt: skip
        if not self.autolimits:
            a["autolimits"] = "false"
        elif self.chance(0.1):
            a["autolimits"] = "true"
        if self.has("tightinertia"):
            self.draw(a, {"inertiafromgeom": table.word("true", "false", "auto"),
                          "inertiagrouprange": lambda g: g.wholes(sorted((g.rng.randint(0, 3), g.rng.randint(2, 6)))),
                          "balanceinertia": table.flag}, 0.5)  # fmt: skip
        if self.chance(0.8 if self.has("tightinertia") else 0.1):
            a["boundmass"] = self.real(0.01, 1)
            a["boundinertia"] = self.real(0.01, 0.1)
        for feature, name in (("fusestatic",) * 2, ("discardvisual",) * 2, ("alignfree",) * 2):
            if self.has(feature):
                a[name] = "true"
        if self.has("totalmass"):
            a["settotalmass"] = self.real(1, 20)
        if self.has("actuators") or self.has("attach"):  # in other modes the reference simulates, and may never end
            node.add("lengthrange", self.draw({"mode": "none"}, {"accel": table.real(5, 40),
                                                                 "useexisting": table.flag}))  # fmt: skip
        return node

    def option(self):
        node = Node("option")
        if self.has("option"):
            self.draw(node.attributes, table.OPTION)
            if self.chance(0.5):
                flags = {name: table.word("enable", "disable") for name in table.FLAGS}
                node.add("flag", self.draw({}, flags))
        return node

    def size(self):
        node = Node("size")
        a = node.attributes
        if not self.has("size"):
            return node
        for kind in USER_KINDS:
            if self.chance(self.density):
                self.user_sizes[kind] = self.rng.randint(0, 4)
                a[f"nuser_{kind}"] = str(self.user_sizes[kind])
        if self.chance(0.3):
            a["memory"] = self.rng.choice(("2M", "300K", "1g", "-1", "1000000"))
        elif self.chance(0.3):
            self.draw(a, {"njmax": table.whole(-1, 900), "nconmax": table.whole(-1, 300),
                          "nstack": table.whole(-1, 100000)}, 0.5)  # fmt: skip
        self.draw(a, {"nuserdata": table.whole(0, 5), "nkey": table.whole(0, 4)})
        return node

    def visual(self):
        node = Node("visual")
        for tag, rows in table.VISUAL.items():
            if self.chance(0.5):
                node.add(tag, self.draw({}, rows))
        return node
