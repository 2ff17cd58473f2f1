"""What attributes the elements of a random MJCF document may carry, and how their values are drawn.

A table maps attribute names to functions of the generator `g` (generator.py). Attributes that
depend on each other, on other objects or on the element's place are set by the generator itself.
"""

import math

ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
FLAGS = (
    "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart"
    " filterparent actuation refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd"
    " override energy fwdinv invdiscrete sleep diagexact speculative"
).split()  # fmt: skip


def real(low, high):
    return lambda g: g.real(low, high)


def reals(low, high, least, most=None):
    """least … most numbers."""
    return lambda g: g.reals(low, high, least if most is None else g.rng.randint(least, most))


def whole(low, high):
    return lambda g: g.whole(low, high)


def word(*words):
    return lambda g: g.rng.choice(words)


def flag(g):
    return g.rng.choice(("true", "false"))


def span(low, high):
    """Two numbers, the lower first."""
    return lambda g: g.span(low, high)


def user(kind):
    return lambda g: g.user(kind)


def rgba(g):
    return g.reals(0, 1, 4)


def solref(g):
    if g.chance(0.15):
        return g.vector([-g.uniform(1, 500), -g.uniform(0.1, 20)])
    return g.vector([g.uniform(0.005, 0.1), g.uniform(0.3, 2)][: g.rng.choice((1, 2))])


def solimp(g):
    low = g.uniform(0.1, 0.9)
    values = [low, g.uniform(low, 0.99), g.uniform(0.0005, 0.1), g.uniform(0.1, 0.9), g.uniform(1, 4)]
    return g.vector(values[: g.rng.randint(1, 5)])


def interval(g):
    """Period and, maybe, phase."""
    period = g.uniform(0.001, 0.02)
    return g.vector([period, -period * g.uniform(0, 0.9)][: g.rng.choice((1, 2))])


def orientation(g, kind):
    if kind == "quat":
        return g.vector(g.direction(4, unit=g.chance(0.5)))
    if kind == "axisangle":
        return g.vector([*g.direction(3), g.angle()])
    if kind == "xyaxes":
        x, y = g.direction(3), g.direction(3)
        while abs(sum(a * b for a, b in zip(x, y))) > 0.999 * math.hypot(*x) * math.hypot(*y):
            y = g.direction(3)
        return g.vector([*x, *y])
    if kind == "zaxis":
        return g.vector(g.rng.choice(([0, 0, -1], [0, 0, 1], g.direction(3), g.direction(3))))
    return g.vector([g.angle() for _ in range(3)])


OPTION = {
    "timestep": real(0.0005, 0.02),
    "impratio": real(0.5, 20),
    "tolerance": lambda g: g.number(10 ** -g.uniform(4, 12)),
    "ls_tolerance": real(0, 0.1),
    "noslip_tolerance": real(0, 1e-4),
    "ccd_tolerance": real(0, 1e-4),
    "sleep_tolerance": real(0, 1e-2),
    "gravity": reals(-10, 10, 3),
    "wind": reals(-2, 2, 3),
    "magnetic": reals(-1, 1, 3),
    "density": real(0, 1000),
    "viscosity": real(0, 1),
    "o_margin": real(0, 0.1),
    "o_solref": solref,
    "o_solimp": solimp,
    "o_friction": reals(0.1, 1, 1, 5),
    "integrator": word("Euler", "RK4", "implicit", "implicitfast", "discrete"),
    "cone": word("pyramidal", "elliptic"),
    "jacobian": word("dense", "sparse", "auto"),
    "solver": word("PGS", "CG", "Newton"),
    "iterations": whole(0, 300),
    "ls_iterations": whole(0, 100),
    "noslip_iterations": whole(0, 10),
    "ccd_iterations": whole(1, 60),
    "sdf_iterations": whole(1, 20),
    "sdf_initpoints": whole(1, 60),
    "actuatorgroupdisable": lambda g: g.wholes([g.rng.randint(0, 30) for _ in range(g.rng.randint(0, 5))]),
}

STATISTIC = {
    "meaninertia": real(0.1, 3),
    "meanmass": real(0.1, 3),
    "meansize": real(0.1, 3),
    "extent": real(0.5, 5),
    "center": reals(-1, 1, 3),
}

VISUAL = {
    "global": {
        "cameraid": whole(-1, 2),
        "orthographic": flag,
        "fovy": real(20, 80),
        "ipd": real(0.02, 0.1),
        "azimuth": real(-180, 180),
        "elevation": real(-90, 90),
        "linewidth": real(0.5, 4),
        "glow": real(0, 1),
        "offwidth": whole(100, 2000),
        "offheight": whole(100, 2000),
        "realtime": real(0.1, 2),
        "ellipsoidinertia": flag,
        "bvactive": flag,
    },
    "quality": {
        "shadowsize": whole(0, 8192),
        "offsamples": whole(0, 8),
        "numslices": whole(3, 64),
        "numstacks": whole(3, 64),
        "numquads": whole(1, 8),
    },
    "headlight": {
        "ambient": reals(0, 1, 3),
        "diffuse": reals(0, 1, 3),
        "specular": reals(0, 1, 3),
        "active": word("0", "1", "2", "false", "true", "auto"),
    },
    "map": {
        name: real(0.01, 50)
        for name in "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze"
        " shadowclip shadowscale actuatortendon".split()
    },
    "scale": {
        name: real(0.01, 2)
        for name in "forcewidth contactwidth contactheight connect com camera light selectpoint jointlength"
        " jointwidth actuatorlength actuatorwidth framelength framewidth constraint slidercrank"
        " frustum".split()
    },
    "rgba": {
        name: rgba
        for name in "fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light"
        " selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap"
        " rangefinder constraint slidercrank crankbroken frustum bv bvactive".split()
    },
}

JOINT = {
    "group": whole(0, 7),
    "pos": reals(-0.5, 0.5, 3),
    "axis": lambda g: g.vector(g.rng.choice(([1, 0, 0], [0, 1, 0], [0, 0, -2], g.direction(3)))),
    "springdamper": lambda g: g.reals(0.1, 2, 2),
    "solreflimit": solref,
    "solimplimit": solimp,
    "solreffriction": solref,
    "solimpfriction": solimp,
    "stiffness": reals(0, 20, 1, 3),
    "actuatorgravcomp": flag,
    "margin": real(0, 0.2),
    "ref": lambda g: g.number(g.angle() / 4),
    "springref": lambda g: g.number(g.angle() / 4),
    "springyield": real(0, 1),
    "armature": real(0, 1),
    "damping": reals(0, 3, 1, 3),
    "frictionloss": real(0, 1),
    "user": user("jnt"),
}

GEOM = {
    "contype": whole(0, 3),
    "conaffinity": whole(0, 3),
    "condim": word("1", "3", "4", "6"),
    "group": whole(0, 6),
    "priority": whole(-2, 3),
    "friction": reals(0.001, 1.5, 1, 3),
    "mass": lambda g: g.number(0) if g.chance(0.1) else g.real(0.1, 5),
    "density": lambda g: g.number(0) if g.chance(0.15) else g.real(100, 3000),
    "shellinertia": flag,
    "solmix": real(0, 3),
    "solref": solref,
    "solimp": solimp,
    "margin": real(0, 0.1),
    "gap": real(0, 0.05),
    "surfacevel": reals(-1, 1, 1, 6),
    "adhesion": real(0, 3),
    "fitscale": real(0.5, 2),
    "castshadow": flag,
    "rgba": rgba,
    "fluidshape": word("none", "ellipsoid"),
    "fluidcoef": reals(0, 2, 1, 5),
    "user": user("geom"),
}

SITE = {
    "group": whole(0, 7),
    "pos": reals(-0.5, 0.5, 3),
    "size": reals(0.01, 0.3, 1, 3),
    "rgba": rgba,
    "user": user("site"),
}

CAMERA = {
    "projection": word("perspective", "orthographic"),
    "ipd": real(0.01, 0.1),
    "output": lambda g: g.words([w for w in ("rgb", "depth", "distance", "normal", "segmentation") if g.chance(0.5)]),
    "pos": reals(-2, 2, 3),
    "mode": word("fixed", "track", "trackcom"),
    "user": user("cam"),
}

LIGHT = {
    "castshadow": flag,
    "active": flag,
    "pos": reals(-2, 2, 3),
    "dir": lambda g: g.vector(g.direction(3)),
    "bulbradius": real(0, 0.1),
    "intensity": real(0, 10),
    "range": real(1, 20),
    "attenuation": reals(0, 1, 3),
    "cutoff": real(0, 90),
    "softness": real(0, 1),
    "exponent": real(0, 20),
    "ambient": reals(0, 1, 3),
    "diffuse": reals(0, 1, 3),
    "specular": reals(0, 1, 3),
    "mode": word("fixed", "track", "trackcom"),
}

MATERIAL = {
    "texrepeat": reals(0.5, 5, 2),
    "texuniform": flag,
    "emission": real(0, 1),
    "specular": real(0, 1),
    "shininess": real(0, 1),
    "reflectance": real(0, 1),
    "metallic": real(0, 1),
    "roughness": real(0, 1),
    "rgba": rgba,
}

TEXTURE = {
    "colorspace": word("auto", "linear", "sRGB"),
    "rgb1": reals(0, 1, 3),
    "rgb2": reals(0, 1, 3),
    "mark": word("none", "edge", "cross", "random"),
    "markrgb": reals(0, 1, 3),
    "random": real(0, 0.4),
    "hflip": flag,
    "vflip": flag,
    "embed": word("true", "auto"),
}

PAIR = {
    "condim": word("1", "3", "4", "6"),
    "friction": reals(0.001, 1.5, 1, 5),
    "solref": solref,
    "solreffriction": solref,
    "solimp": solimp,
    "gap": real(0, 0.05),
    "margin": real(0, 0.1),
    "adhesion": real(0, 2),
}

EQUALITY = {"active": flag, "solref": solref, "solimp": solimp}

# in classes and in elements; `limited` and ranges are set by the generator
TENDON = {
    "group": whole(0, 7),
    "solreflimit": solref,
    "solimplimit": solimp,
    "solreffriction": solref,
    "solimpfriction": solimp,
    "frictionloss": real(0, 1),
    "springlength": lambda g: g.real(0.1, 1) if g.chance(0.5) else g.span(0.1, 1),
    "springyield": real(0, 1),
    "margin": real(0, 0.1),
    "stiffness": reals(0, 20, 1, 3),
    "damping": reals(0, 3, 1, 3),
    "user": user("tendon"),
}
FRAME = {
    "massscale": real(0.2, 3),
    "scaling": word("similar", "geometry"),
}
TENDON_LOOKS = {"width": real(0.001, 0.02), "rgba": rgba}

ACTUATOR = {
    "group": whole(0, 30),
    "ctrlrange": span(0, 2),
    "user": user("actuator"),
}
ACTUATOR_FORCE = {"forcerange": span(-50, 50)}
ACTUATOR_DYNAMICS = {
    "lengthrange": span(0.1, 2),
    "gear": reals(-3, 3, 1, 6),
    "damping": reals(0, 2, 1, 3),
    "armature": real(0, 0.5),
}

GAIN = real(0.1, 50)
# the attributes of each shortcut's own
SHORTCUTS = {
    "general": {
        "dyntype": word("none", "integrator", "filter", "filterexact"),
        "gaintype": word("fixed", "affine"),
        "biastype": word("none", "affine"),
        "dynprm": reals(0.01, 2, 1, 10),
        "gainprm": reals(-2, 20, 1, 10),
        "biasprm": reals(-20, 2, 1, 10),
        "actrange": span(-1, 2),
        "actearly": flag,
    },
    "motor": {},
    "position": {"kp": GAIN, "timeconst": real(0, 1)},
    "velocity": {"kv": GAIN},
    "intvelocity": {"kp": GAIN, "actrange": span(-1, 2)},
    "orientation": {"kp": GAIN, "input": word("expmap", "quat")},
    "pid": {
        "kp": GAIN,
        "ki": real(0, 5),
        "imax": real(0, 5),
        "slewmax": real(0, 5),
        "input": word("pos", "vel", "pos vel", "pos ff", "pos vel ff", "vel ff"),
        "velrange": span(-2, 2),
        "ffrange": span(-2, 2),
    },
    "damper": {"kv": GAIN},
    "cylinder": {
        "timeconst": real(0.1, 2),
        "area": real(0.1, 2),
        "diameter": real(0.1, 2),
        "bias": reals(-2, 2, 3),
    },
    "muscle": {
        "timeconst": reals(0.005, 0.1, 2),
        "tausmooth": real(0, 0.5),
        "range": span(0.5, 1.5),
        "force": real(1, 100),
        "scale": real(50, 300),
        "lmin": real(0.2, 0.7),
        "lmax": real(1.2, 2),
        "vmax": real(1, 2),
        "fpmax": real(1, 2),
        "fvmax": real(1, 2),
    },
    "adhesion": {"gain": GAIN},
    "dcmotor": {
        "motorconst": reals(0.05, 0.2, 1, 2),
        "resistance": real(0.5, 3),
        "saturation": reals(1, 5, 1, 3),
        "inductance": reals(0.01, 0.2, 1, 2),
        "cogging": reals(0.1, 3, 1, 3),
        "controller": reals(0.1, 5, 1, 6),
        "thermal": reals(0.1, 5, 2, 6),
        "lugre": reals(0.1, 5, 1, 5),
        "input": word("voltage", "pos", "pos vel", "vel", "pos vel ff", "none", "pos ff"),
    },
}
LIMITED_SHORTCUTS = ("general", "motor", "position", "velocity", "intvelocity", "pid", "cylinder", "muscle", "dcmotor")
DYNAMIC_SHORTCUTS = (*LIMITED_SHORTCUTS, "damper")
FORCE_SHORTCUTS = (*(s for s in DYNAMIC_SHORTCUTS if s != "dcmotor"), "orientation", "adhesion")
DAMPED_SHORTCUTS = ("position", "intvelocity", "orientation", "pid")
INHERITING_SHORTCUTS = ("position", "intvelocity", "pid")

SENSOR = {
    "cutoff": lambda g: g.real(0, 10),
    "noise": real(0, 1),
    "user": user("sensor"),
}
SITE_SENSORS = "touch accelerometer velocimeter gyro force torque magnetometer".split()
JOINT_SENSORS = "jointpos jointvel jointactuatorfrc".split()
JOINT_LIMIT_SENSORS = "jointlimitpos jointlimitvel jointlimitfrc".split()
BALL_SENSORS = "ballquat ballangvel".split()
TENDON_SENSORS = "tendonpos tendonvel tendonactuatorfrc".split()
TENDON_LIMIT_SENSORS = "tendonlimitpos tendonlimitvel tendonlimitfrc".split()
ACTUATOR_SENSORS = "actuatorpos actuatorvel actuatorfrc".split()
RELATIVE_SENSORS = "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel".split()
FRAME_SENSORS = "framelinacc frameangacc".split()
SUBTREE_SENSORS = "subtreecom subtreelinvel subtreeangmom".split()
PAIR_SENSORS = "distance normal fromto".split()
DIRECTION_SENSORS = "framequat framexaxis frameyaxis framezaxis ballquat normal contact".split()
GLOBAL_SENSORS = "e_potential e_kinetic clock".split()
