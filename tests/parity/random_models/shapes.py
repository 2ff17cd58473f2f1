"""Shapes of geoms and sites."""

PRIMITIVES = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3, "plane": 3}
FROMTO = ("capsule", "cylinder", "ellipsoid", "box")
USER_KINDS = ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
