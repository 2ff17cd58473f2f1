"""Forty small models with one seeded fault each.

A fault is (name, kinds, words, MJCF, options): the culprit that `pliant why` must name first is of one of these kinds,
and its element has one of these words. Options: `key` is the keyframe it starts from; `bad` is (control, step, value):
a program sets that control from that step on.
"""

import textwrap

FLOOR = '<geom name="floor" type="plane" size="5 5 0.1"/>'


def scene(body, option='timestep="0.002"', rest="", compiler="", asset=""):
    return textwrap.dedent(
        f"""\
        <mujoco>
          {compiler}
          <option {option}/>
          {asset}
          <worldbody>
            {body}
          </worldbody>
          {rest}
        </mujoco>
        """
    )


def link(name, pos, joint="", geom="", inside="", size="0.02", length=0.3, mass=0.5):
    """A rod on a hinge, with what stands inside its body."""
    mass = "" if mass is None else f'mass="{mass}"'
    return (
        f'<body name="{name}" pos="{pos}"><joint name="{name}" axis="0 1 0" {joint}/>'
        f'<geom name="{name}" type="capsule" fromto="0 0 0 {length} 0 0" size="{size}" {mass} '
        f'contype="0" conaffinity="0" {geom}/>{inside}</body>'
    )


def damped(joint, damping):
    return joint if "damping" in joint else f'damping="{damping}" {joint}'


def arm(upper="", fore="", hand="", masses=(2, 1, 0.5)):
    """Three rods, each on the end of the one before."""
    last = link("hand", "0.3 0 0", damped(hand, 0.1), mass=masses[2])
    middle = link("fore", "0.3 0 0", damped(fore, 0.3), mass=masses[1], inside=last)
    return link("upper", "0 0 1", damped(upper, 0.5), mass=masses[0], inside=middle)


def servos(upper='kp="200" kv="10"', fore='kp="100" kv="5"', hand='kp="20" kv="1"'):
    return (
        f'<position name="upper_servo" joint="upper" {upper}/><position name="fore_servo" joint="fore" {fore}/>'
        f'<position name="hand_servo" joint="hand" {hand}/>'
    )


def actuators(lines):
    return f"<actuator>{lines}</actuator>"


def box(name, pos, mass=1, half="0.1 0.1 0.1", more=""):
    return (
        f'<body name="{name}" pos="{pos}"><freejoint name="{name}"/>'
        f'<geom name="{name}" type="box" size="{half}" mass="{mass}" {more}/></body>'
    )


def ball(name="ball", pos="0 0 0.5", more="", mass=1):
    return (
        f'<body name="{name}" pos="{pos}"><freejoint name="{name}"/>'
        f'<geom name="{name}" size="0.1" mass="{mass}" {more}/></body>'
    )


def slider(name, pos, joint="", mass=1, geom=""):
    return (
        f'<body name="{name}" pos="{pos}"><joint name="{name}" type="slide" axis="1 0 0" {joint}/>'
        f'<geom name="{name}" type="box" size="0.03 0.03 0.03" mass="{mass}" contype="0" conaffinity="0" '
        f"{geom}/></body>"
    )


def jaws(coupling, ctrl="0.03"):
    """A gripper: the right jaw follows the left one."""
    body = slider("left", "-0.05 0 1", 'range="0 0.04" damping="5"', 0.3) + slider(
        "right", "0.05 0 1", 'range="-0.04 0" damping="5"', 0.3
    )
    rest = (
        f"<equality>{coupling}</equality>"
        + actuators('<position name="grip" joint="left" kp="500" kv="10" ctrlrange="0 0.04"/>')
        + f'<keyframe><key ctrl="{ctrl}"/></keyframe>'
    )
    return scene(body, rest=rest)


def bead(name, pos, size, inside=""):
    return (
        f'<body name="{name}" pos="{pos}"><joint name="{name}" axis="0 1 0" damping="0.02"/>'
        f'<geom name="{name}" size="{size}" mass="0.1"/>{inside}</body>'
    )


# the third bead is folded back into the first
FOLDED = bead("tip", "0 0 1", 0.05, bead("nail", "0.2 0 0", 0.03, bead("claw", "-0.17 0 0.02", 0.05)))
TETRA = "0 0 0  0.2 0 0  0 0.2 0  0 0 0.2"

FAULTS = [
    # gains, springs and dampers that the timestep cannot follow
    ("high_gain", {"actuator"}, {"fore_servo"}, scene(arm(), rest=actuators(servos(fore='kp="2e6"'))), {}),
    (
        "high_velocity_gain",
        {"actuator"},
        {"brake"},
        scene(arm(), rest=actuators(servos() + '<velocity name="brake" joint="hand" kv="500"/>')),
        {},
    ),
    (
        "stiff_spring_undamped",
        {"spring"},
        {"hand"},
        scene(arm(hand='stiffness="1e5" springref="10"'), rest=actuators(servos())),
        {},
    ),
    (
        "stiff_tendon_spring",
        {"spring"},
        {"cord"},
        scene(
            arm(),
            rest=(
                '<tendon><fixed name="cord" stiffness="3e5"><joint joint="upper" coef="1"/><joint '
                'joint="hand" coef="-1"/></fixed></tendon>'
            )
            + '<keyframe><key qpos="0 0.1 0.1"/></keyframe>',
        ),
        {"key": "0"},
    ),
    (
        "tendon_damper_explicit",
        {"damper"},
        {"cord"},
        scene(
            arm(),
            rest=(
                '<tendon><fixed name="cord" damping="500"><joint joint="fore" coef="1"/><joint '
                'joint="hand" coef="-1"/></fixed></tendon>'
            ),
        ),
        {},
    ),
    (
        "gain_through_a_gear",
        {"actuator"},
        {"fore_servo"},
        scene(arm(), rest=actuators(servos(fore='kp="300" gear="100"'))),
        {},
    ),
    # signs
    ("negative_damping", {"damper"}, {"fore"}, scene(arm(fore='damping="-2"')), {}),
    (
        "velocity_servo_sign",
        {"actuator"},
        {"spin"},
        scene(arm(), rest=actuators('<velocity name="spin" joint="hand" kv="-2"/>')),
        {},
    ),
    (
        "position_servo_sign",
        {"actuator"},
        {"fore_servo"},
        scene(arm(), rest=actuators(servos(fore='kp="-100" kv="5"'))),
        {},
    ),
    ("negative_spring", {"spring"}, {"fore"}, scene(arm(fore='stiffness="-400"')), {}),
    # forces
    (
        "gear_too_big",
        {"actuator"},
        {"motor"},
        scene(
            arm(),
            rest=actuators('<motor name="motor" joint="hand" gear="1e5"/>') + '<keyframe><key ctrl="1"/></keyframe>',
        ),
        {"key": "0"},
    ),
    (
        "springref_in_degrees",
        {"spring"},
        {"hand"},
        scene(arm(hand='stiffness="50" springref="170"'), compiler='<compiler angle="radian"/>'),
        {},
    ),
    # inputs
    ("nan_control", {"input"}, {"fore_servo"}, scene(arm(), rest=actuators(servos())), {"bad": (1, 60, float("nan"))}),
    (
        "infinite_control",
        {"input"},
        {"fore_servo"},
        scene(arm(), rest=actuators(servos())),
        {"bad": (1, 60, float("inf"))},
    ),
    # constraints: too stiff for the timestep
    ("stiff_direct_solref", {"contact"}, {"ball"}, scene(FLOOR + ball(more='solref="-5e6 -50" priority="1"')), {}),
    ("stiff_limit", {"limit"}, {"hand"}, scene(arm(hand='range="-20 20" solreflimit="-8e6 -20"')), {}),
    (
        "stiff_equality",
        {"equality"},
        {"gear"},
        scene(
            arm(),
            rest=(
                '<equality><joint name="gear" joint1="fore" joint2="hand" polycoef="0 -1 0 0 0" '
                'solref="-8e6 -20"/></equality>'
            ),
        ),
        {},
    ),
    (
        "stiff_connect",
        {"equality"},
        {"pin"},
        scene(arm(), rest='<equality><connect name="pin" body1="hand" anchor="0.3 0 0" solref="-6e6 -10"/></equality>'),
        {},
    ),
    (
        "stiff_pair",
        {"contact"},
        {"crate", "floor"},
        scene(
            FLOOR + box("crate", "0 0 0.3"),
            rest='<contact><pair name="rest" geom1="crate" geom2="floor" solref="-8e6 -50"/></contact>',
        ),
        {},
    ),
    # constraints that cannot hold
    (
        "overlap_of_boxes",
        {"contact"},
        {"one", "two"},
        scene(FLOOR + box("one", "0 0 0.101") + box("two", "0.06 0.02 0.13")),
        {},
    ),
    (
        "overlap_with_the_floor",
        {"contact"},
        {"crate"},
        scene(FLOOR + box("crate", "0 0 -0.02") + ball(pos="1 0 0.101")),
        {},
    ),
    ("overlap_of_links", {"contact"}, {"tip", "claw"}, scene(FOLDED), {}),
    (
        "swapped_mimic_sign",
        {"equality", "limit", "model"},
        {"follow", "right"},
        jaws('<joint name="follow" joint1="right" joint2="left" polycoef="0 1 0 0 0"/>'),
        {"key": "0"},
    ),
    (
        "opposing_equalities",
        {"equality"},
        {"pull", "hold"},
        scene(
            arm(),
            rest=(
                '<equality><joint name="pull" joint1="fore" polycoef="1 0 0 0 0"/><joint name="hold" '
                'joint1="fore" polycoef="0 0 0 0 0"/></equality>'
            ),
        ),
        {},
    ),
    (
        "opposing_connects",
        {"equality"},
        {"here", "there"},
        scene(
            arm(),
            rest=(
                '<equality><connect name="here" body1="hand" anchor="0.3 0 0"/><weld name="there" '
                'body1="hand" relpose="0.2 0 0.4 1 0 0 0"/></equality>'
            ),
        ),
        {},
    ),
    (
        "tendon_without_slack",
        {"limit"},
        {"rope"},
        scene(
            '<site name="hook" pos="0 0 2"/>'
            + ball(pos="0 0 1", more="").replace("</body>", '<site name="eye"/></body>'),
            rest=(
                '<tendon><spatial name="rope" range="0 0.4" limited="true"><site site="hook"/><site '
                'site="eye"/></spatial></tendon>'
            ),
        ),
        {},
    ),
    ("start_beyond_limit", {"limit"}, {"fore"}, scene(arm(fore='range="40 80"')), {}),
    ("range_in_degrees_too_narrow", {"limit"}, {"fore"}, scene(arm(fore='range="0.5 1.5" limited="true"')), {}),
    # masses and inertia
    ("tiny_mass", {"mass", "inertia"}, {"hand"}, scene(arm(masses=(2, 1, 1e-7)), rest=actuators(servos())), {}),
    (
        "tiny_mass_in_the_middle",
        {"mass", "inertia"},
        {"fore"},
        scene(arm(fore='stiffness="200"', masses=(2, 1e-6, 5)), rest=actuators(servos(hand='kp="2000" kv="1"'))),
        {},
    ),
    (
        "inertia_too_small",
        {"inertia", "mass"},
        {"hand"},
        scene(
            link(
                "upper",
                "0 0 1",
                'damping="0.5"',
                inside=(
                    '<body name="hand" pos="0.3 0 0"><joint name="hand" axis="0 1 0"/><inertial pos="0 0 '
                    '0" mass="0.5" diaginertia="1e-9 1e-9 1e-9"/><geom name="hand" size="0.05" '
                    'contype="0" conaffinity="0"/></body>'
                ),
                mass=2,
            ),
            rest=actuators('<position name="servo" joint="hand" kp="5" kv="0.1"/>'),
        ),
        {},
    ),
    (
        "bad_inertia",
        {"model", "inertia"},
        {"part"},
        scene(
            '<body name="part" pos="0 0 1"><freejoint/><inertial pos="0 0 0" mass="1" '
            'diaginertia="0.01 0.01 0.05"/><geom size="0.1"/></body>'
        ),
        {},
    ),
    (
        "negative_mass",
        {"model", "mass"},
        {"part", "geom"},
        scene('<body name="part" pos="0 0 1"><freejoint/><geom name="part" size="0.1" mass="-1"/></body>'),
        {},
    ),
    # timesteps
    (
        "timestep_too_large",
        {"timestep"},
        {"timestep"},
        scene(arm(), option='timestep="0.05"', rest=actuators(servos())),
        {},
    ),
    (
        "timestep_too_large_springs",
        {"timestep"},
        {"timestep"},
        scene(
            arm(upper='stiffness="300"', fore='stiffness="200"', hand='stiffness="100"'),
            option='timestep="0.04"',
            rest='<keyframe><key qpos="0.5 0.5 0.5"/></keyframe>',
        ),
        {"key": "0"},
    ),
    # units
    (
        "gravity_in_millimetres",
        {"gravity"},
        {"gravity"},
        scene(FLOOR + box("crate", "0 0 0.5"), option='timestep="0.002" gravity="0 0 -9810"'),
        {},
    ),
    (
        "inertia_in_millimetres",
        {"inertia", "mass"},
        {"hand"},
        scene(
            link(
                "upper",
                "0 0 1",
                'damping="0.5"',
                inside=(
                    '<body name="hand" pos="0.3 0 0"><joint name="hand" axis="0 1 0"/><inertial pos="0 0 '
                    '0" mass="0.5" diaginertia="800 800 800"/><geom name="hand" size="0.05" contype="0" '
                    'conaffinity="0"/></body>'
                ),
                mass=2,
            ),
            rest=actuators('<position name="servo" joint="hand" kp="5" kv="0.1"/>'),
        ),
        {},
    ),
    (
        "density_of_grams",
        {"mass", "inertia", "model"},
        {"hand"},
        scene(
            link(
                "upper",
                "0 0 1",
                'damping="0.5" stiffness="50"',
                inside=link("hand", "0.3 0 0", 'damping="0.1"', 'density="1e-3"', mass=None),
                mass=2,
            ),
            rest=actuators('<position name="servo" joint="hand" kp="20" kv="1"/>'),
        ),
        {},
    ),
    (
        "inverted_mesh",
        {"model"},
        {"shell", "mesh"},
        scene(
            '<body pos="0 0 1"><freejoint/><geom type="mesh" mesh="shell"/></body>',
            asset=(
                f'<asset><mesh name="shell" vertex="{TETRA}" face="0 1 2  0 3 1  0 2 3  1 3 2" '
                f'inertia="exact"/></asset>'
            ),
        ),
        {},
    ),
    (
        "heavy_on_light",
        {"mass", "contact"},
        {"pebble", "block"},
        scene(FLOOR + box("pebble", "0 0 0.05", 0.001, "0.05 0.05 0.05") + box("block", "0 0 0.2", 500)),
        {},
    ),
]

# Written after the method was, and not used to change it.
FURTHER = [
    (
        "muscle_gain",
        {"actuator"},
        {"m"},
        scene(
            arm(),
            rest=actuators('<general name="m" joint="hand" gainprm="1e6" biastype="affine" biasprm="0 -1e6 -10"/>'),
        ),
        {},
    ),
    (
        "ball_joint_spring",
        {"spring"},
        {"b"},
        scene(
            '<body name="b" pos="0 0 1"><joint name="b" type="ball" stiffness="1e6"/><geom '
            'name="b" type="capsule" fromto="0 0 0 0.3 0 0" size=".02" mass=".5"/></body>'
        ),
        {},
    ),
    (
        "site_motor",
        {"actuator"},
        {"jet"},
        scene(
            (
                '<body name="d" pos="0 0 1"><freejoint name="d"/><geom type="box" size=".1 .1 .02" '
                'mass="1"/><site name="s"/></body>'
            ),
            rest=actuators('<motor name="jet" site="s" gear="0 0 1e6 0 0 0"/>')
            + '<keyframe><key ctrl="1"/></keyframe>',
        ),
        {"key": "0"},
    ),
    (
        "mesh_mm",
        {"size", "contact"},
        {"shell"},
        scene(
            FLOOR + '<body name="b" pos="0 0 1"><freejoint/><geom name="shell" type="mesh" mesh="shell"/></body>',
            asset='<asset><mesh name="shell" vertex="0 0 0  200 0 0  0 200 0  0 0 200"/></asset>',
        ),
        {},
    ),
    (
        "huge_initial_velocity",
        {"input"},
        {"hand"},
        scene(arm(), rest='<keyframe><key qvel="0 0 1e5"/></keyframe>'),
        {"key": "0"},
    ),
    (
        "few_iterations",
        {"solver"},
        {"solver"},
        scene(
            FLOOR + "".join(box(f"b{i}", f"0 0 {0.1 + 0.2 * i}") for i in range(8)),
            option='timestep="0.002" solver="PGS" iterations="1"',
        ),
        {},
    ),
    (
        "weld_to_far",
        {"equality"},
        {"clamp"},
        scene(
            FLOOR + box("a", "0 0 0.1") + box("b", "1 0 0.1"),
            rest='<equality><weld name="clamp" body1="a" body2="b" relpose="0 0 0 1 0 0 0"/></equality>',
        ),
        {},
    ),
    (
        "rk4_stiff",
        {"spring"},
        {"fore"},
        scene(arm(fore='stiffness="3e6" springref="5"'), option='timestep="0.002" integrator="RK4"'),
        {},
    ),
    (
        "implicitfast_stiff_kp",
        {"actuator"},
        {"hand_servo"},
        scene(
            arm(), option='timestep="0.002" integrator="implicitfast"', rest=actuators(servos(hand='kp="1e6" kv="1"'))
        ),
        {},
    ),
    (
        "tendon_actuator_kp",
        {"actuator"},
        {"pull"},
        scene(
            arm(),
            rest=(
                '<tendon><fixed name="cord"><joint joint="fore" coef="1"/><joint joint="hand" '
                'coef="1"/></fixed></tendon>'
            )
            + actuators('<position name="pull" tendon="cord" kp="5e5"/>'),
        ),
        {},
    ),
    ("fluid_dense", {"fluid"}, {"density"}, scene(arm(), option='timestep="0.002" density="1e7" viscosity="1e3"'), {}),
    (
        "slide_gain",
        {"actuator"},
        {"push"},
        scene(
            slider("cart", "0 0 1", 'damping="1"'),
            rest=actuators('<position name="push" joint="cart" kp="1e7"/>') + '<keyframe><key ctrl="0.1"/></keyframe>',
        ),
        {"key": "0"},
    ),
    (
        "armature_tiny_finger",
        {"mass", "inertia"},
        {"tip"},
        scene(
            arm(hand="").replace(
                "</body></body></body>",
                (
                    '<body name="tip" pos="0.3 0 0"><joint name="tip" axis="0 1 0" stiffness="1" '
                    'damping="0.001"/><geom name="tip" size="0.02" mass="1e-8" contype="0" '
                    'conaffinity="0"/></body></body></body></body>'
                ),
            )
        ),
        {},
    ),
    (
        "limit_solimp",
        {"limit"},
        {"fore"},
        scene(arm(fore='range="-10 10" solreflimit="-1e7 -1" solimplimit="0.99 0.9999 0.0001"')),
        {},
    ),
    (
        "timestep_30ms_contact",
        {"timestep"},
        {"timestep"},
        scene(FLOOR + ball(more='solref="-2000 -20"'), option='timestep="0.03"'),
        {},
    ),
]
