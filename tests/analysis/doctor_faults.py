"""Thirty small models with one planted fault each: (name, code the doctor must give, word its line must have, MJCF)."""

FLOOR = '<geom name="floor" type="plane" size="5 5 0.1"/>'


def scene(body, option='timestep="0.002"', rest="", default="", compiler=""):
    return (
        f"<mujoco>{compiler}<option {option}/><default>{default}</default><worldbody>{body}</worldbody>{rest}</mujoco>"
    )


def ball(attributes="", pos="0 0 0.1"):
    return (
        f'{FLOOR}<body name="ball" pos="{pos}"><freejoint/><geom name="ball" size="0.1" mass="1" {attributes}/></body>'
    )


def arm(joint="", geom="", extra="", pos="0 0 1"):
    return (
        f'<body name="arm" pos="{pos}"><joint name="hinge" axis="0 1 0" {joint}/>'
        f'<geom name="arm" type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5" {geom}/>{extra}</body>'
    )


def box(name, pos, mass, size="0.1 0.1 0.1"):
    return (
        f'<body name="{name}" pos="{pos}"><freejoint/><geom name="{name}" type="box" size="{size}" mass="{mass}"/>'
        f"</body>"
    )


def inertial(moments, kind="diaginertia"):
    return (
        f'<body name="part" pos="0 0 1"><freejoint/><inertial pos="0 0 0" mass="1" {kind}="{moments}"/>'
        '<geom name="part" size="0.1"/></body>'
    )


# a plate with a tall wall on either side: a U, whose hull is a full block
U_MESH = (
    '<asset><mesh name="cup" vertex="-1 -1 0  1 -1 0  1 1 0  -1 1 0  -1 -1 2  -.9 -1 2  -.9 1 2  -1 1 2  -.9 -1 .1'
    "  -.9 1 .1"
    '  1 -1 2  1 1 2  .9 -1 2  .9 1 2  .9 -1 .1  .9 1 .1" scale="0.1 0.1 0.1"'
    ' face="0 2 1 0 3 2  0 1 8 1 14 8 0 8 4 4 8 5 1 10 14 10 12 14  3 9 2 2 9 15 3 7 9 7 6 9 2 15 11 11 15 13'
    '  0 4 3 4 7 3  1 2 10 10 2 11  4 5 7 5 6 7  10 11 12 12 11 13  5 8 6 8 9 6  12 13 14 14 13 15  8 14 9 14 15 9"/>'
    "</asset>"
)

FOUR_BAR = (
    '<body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0"/>'
    '<geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.02" contype="0" conaffinity="0"/>'
    '<body name="b" pos="0 0 0.3"><joint name="jb" axis="0 1 0"/>'
    '<geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02" contype="0" conaffinity="0"/></body></body>'
    '<body name="c" pos="0.4 0 1"><joint name="jc" axis="0 1 0"/>'
    '<geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.02" contype="0" conaffinity="0"/></body>'
)


def fingers(friction, kp=50):
    finger = (
        '<body name="{0}" pos="{1} 0 1"><joint name="{0}" type="slide" axis="1 0 0" damping="5" range="-0.1 0.1"/>'
        '<geom name="{0}" type="box" size="0.01 0.03 0.03" mass="0.2" friction="{2}"/></body>'
    )
    body = finger.format("left", -0.0605, friction) + finger.format("right", 0.0605, friction)
    body += (
        '<body name="cube" pos="0 0 1"><freejoint/>'
        f'<geom name="cube" type="box" size="0.05 0.05 0.05" mass="1" friction="{friction}"/></body>'
    )
    rest = (
        f'<actuator><position name="left" joint="left" kp="{kp}" kv="2"/>'
        f'<position name="right" joint="right" kp="{kp}" kv="2"/></actuator>'
        '<keyframe><key name="grip" qpos="0.001 -0.001 0 0 1 1 0 0 0" ctrl="0.03 -0.03"/></keyframe>'
    )
    return scene(body, rest=rest)


def pair_of_gears(solref):
    body = (
        '<body name="one"><joint name="one" axis="0 0 1" damping="0.1"/>'
        '<geom name="one" type="cylinder" size="0.1 0.02" mass="1" contype="0" conaffinity="0"/></body>'
        '<body name="two" pos="0.3 0 0"><joint name="two" axis="0 0 1" damping="0.1"/>'
        '<geom name="two" type="cylinder" size="0.1 0.02" mass="1" contype="0" conaffinity="0"/></body>'
    )
    return scene(
        body,
        rest=f'<equality><joint name="gear" joint1="one" joint2="two" polycoef="0 -2 0 0 0" solref="{solref}"/>'
        f"</equality>",
    )


FAULTS = [
    # timestep: contact, limit, equality, actuator, spring, damper
    ("contact_too_stiff", "D101", "ball", scene(ball('solref="-3e6 -100" priority="1"'))),
    ("contact_underdamped_at_refsafe", "D101", "ball", scene(ball('solref="0.001 0.2" priority="1"'))),
    (
        "limit_too_stiff",
        "D102",
        "hinge",
        scene(arm('range="-30 30" damping="0.1" solreflimit="-5e6 -10"'), 'timestep="0.002"'),
    ),
    ("equality_too_stiff", "D103", "gear", pair_of_gears("-4e6 -10")),
    (
        "actuator_gain",
        "D104",
        "servo",
        scene(arm('damping="0.01"'), rest='<actuator><position name="servo" joint="hinge" kp="1e5"/></actuator>'),
    ),
    (
        "actuator_damping_explicit",
        "D104",
        "brake",
        scene(arm(), rest='<actuator><velocity name="brake" joint="hinge" kv="50"/></actuator>'),
    ),
    ("joint_spring", "D105", "hinge", scene(arm('stiffness="8e4" damping="0.1"'))),
    (
        "tendon_spring",
        "D105",
        "cord",
        scene(
            arm('damping="0.01"'),
            rest='<tendon><fixed name="cord" stiffness="1e5" springlength="0"><joint joint="hinge" coef="1"/></fixed>'
            "</tendon>",
        ),
    ),
    # violated at the start
    (
        "overlap_at_start",
        "D201",
        "arm",
        scene(
            arm(
                geom="",
                extra='<body name="tip" pos="0.28 0 0"><joint name="tip" axis="0 1 0" damping="0.1"/>'
                '<geom name="tip" size="0.03" mass="0.1"/><body name="nail" pos="-0.05 0 0">'
                '<joint name="nail" axis="0 1 0" damping="0.1"/>'
                '<geom name="nail" size="0.03" mass="0.05"/></body></body>',
                joint='damping="0.1"',
            )
        ),
    ),
    (
        "overlap_in_keyframe",
        "D201",
        "keyframe 'low'",
        scene(
            ball(pos="0 0 0.5"),
            rest='<keyframe><key name="high" qpos="0 0 0.5 1 0 0 0"/><key name="low" qpos="0 0 0.02 1 0 0 0"/>'
            "</keyframe>",
        ),
    ),
    (
        "weld_off",
        "D202",
        "clamp",
        scene(
            arm('damping="0.1"') + '<body name="post" pos="1 0 1"><joint name="post" axis="0 1 0" damping="0.1"/>'
            '<geom size="0.05" mass="1"/></body>',
            rest='<equality><connect name="clamp" body1="arm" body2="post" anchor="0.3 0 0"/></equality>'
            '<keyframe><key name="bent" qpos="1 0"/></keyframe>',
        ),
    ),
    # inertia
    ("impossible_diaginertia", "D301", "part", scene(inertial("0.01 0.01 0.05"))),
    ("impossible_fullinertia", "D301", "part", scene(inertial("0.01 0.02 0.09 0 0 0", "fullinertia"))),
    ("inertia_in_millimetres", "D302", "part", scene(inertial("4000 4000 4000"))),
    # mass ratios
    (
        "light_link",
        "D303",
        "wrist",
        scene(
            '<body name="base" pos="0 0 1"><joint name="j0" axis="0 1 0" damping="1"/><geom size="0.05" mass="5"/>'
            '<body name="wrist" pos="0.2 0 0"><joint name="j1" axis="0 1 0" damping="1"/>'
            '<geom size="0.01" mass="0.001"/>'
            '<body name="hand" pos="0.2 0 0"><joint name="j2" axis="0 1 0" damping="1"/><geom size="0.05" mass="20"/>'
            "</body></body></body>"
        ),
    ),
    (
        "heavy_on_light",
        "D304",
        "pebble",
        scene(FLOOR + box("pebble", "0 0 0.05", 0.01, "0.05 0.05 0.05") + box("block", "0 0 0.2", 100)),
    ),
    # shapes
    (
        "hollow_mesh",
        "D401",
        "cup",
        scene(
            FLOOR + '<body name="cup" pos="0 0 0.3"><freejoint/><geom name="cup" type="mesh" mesh="cup"/></body>',
            rest=U_MESH,
        ),
    ),
    # parameters that are not used as written
    ("solref_below_two_steps", "D501", "ball", scene(ball('solref="0.002 1"'))),
    ("solref_mixed_signs", "D501", "ball", scene(ball('solref="-1000 1"'))),
    ("solimp_out_of_range", "D502", "ball", scene(ball('solimp="0.9 1.5 0.001"'))),
    ("margin_floats", "D504", "ball", scene(ball('margin="0.03"'))),
    ("gap_of_the_old_kind", "D505", "ball", scene(ball('margin="0.01" gap="0.01"'))),
    # limits
    ("start_beyond_limit", "D601", "hinge", scene(arm('range="20 60" damping="1"'))),
    (
        "degrees_as_radians",
        "D602",
        "hinge",
        scene(arm('range="-90 90" limited="true" damping="1"'), compiler='<compiler angle="radian"/>'),
    ),
    (
        "limit_behind_a_wall",
        "D603",
        "hinge",
        scene(
            arm('range="-90 90" damping="1"') + '<geom name="wall" type="box" size="0.05 0.2 0.2" pos="0.2 0 1.25"/>'
        ),
    ),
    (
        "target_beyond_limit",
        "D604",
        "servo",
        scene(
            arm('range="-10 10" damping="2"'),
            rest='<actuator><position name="servo" joint="hinge" kp="20" kv="2" ctrlrange="-3 3"/></actuator>',
        ),
    ),
    # damping and gains
    (
        "undamped_four_bar",
        "D701",
        "closure",
        scene(FOUR_BAR, rest='<equality><connect name="closure" body1="b" body2="c" anchor="0.4 0 0"/></equality>'),
    ),
    (
        "undamped_servo",
        "D702",
        "servo",
        scene(arm(), rest='<actuator><position name="servo" joint="hinge" kp="200"/></actuator>'),
    ),
    # friction
    (
        "slips_off_the_ramp",
        "D801",
        "ramp",
        scene(
            '<geom name="ramp" type="box" size="2 2 0.1" euler="0 30 0" friction="0.2"/>'
            '<body name="crate" pos="0.1 0 0.1732" euler="0 30 0"><freejoint/>'
            '<geom name="crate" type="box" size="0.1 0.1 0.1" friction="0.2"/></body>'
        ),
    ),
    ("grip_too_weak", "D801", "cube", fingers(0.3)),
]
