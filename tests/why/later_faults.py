"""Faults of other kinds than those of why_faults.py, written down before `pliant why` was run on any of them: small
models, and robots of others with a slip. Tuples as in why_faults.py and stranger_faults.py; `key` is the keyframe.
"""

from stranger_faults import CHEETAH, HOPPER, KUKA
from why_faults import actuators, arm, scene, servos

CUP, H1, WX = "dm_control_suite/ball_in_cup.xml", "menagerie/unitree_h1/h1.xml", "menagerie/trossen_wx250s/wx250s.xml"
CRANK = "mujoco/slider_crank/slider_crank.xml"

FILTERED = (
    '<general name="fore_servo" joint="fore" dyntype="filter" dynprm="1e-5" gainprm="100" biastype="affine" '
    'biasprm="0 -100 -5"/>'
)
LATER = [
    (
        "filter_faster_than_a_step",
        {"actuator"},
        {"fore_servo"},
        scene(arm(), rest=actuators(FILTERED) + '<keyframe><key ctrl="0.5"/></keyframe>'),
        {"key": "0"},
    ),
    (
        "dry_friction_too_stiff",
        {"friction"},
        {"fore"},
        scene(arm(fore='frictionloss="500" solreffriction="-1e8 -1e7"'), rest=actuators(servos())),
        {},
    ),
    (
        "centre_of_mass_in_millimetres",
        {"inertia"},
        {"hand"},
        scene(
            arm().replace(
                '<joint name="hand"',
                '<inertial pos="150 0 0" mass="0.5" diaginertia="0.004 0.004 0.0001"/><joint name="hand"',
            )
        ),
        {},
    ),
    (
        "gravcomp_in_percent",
        {"gravity"},
        {"hand"},
        scene(arm().replace('<body name="hand"', '<body name="hand" gravcomp="100"')),
        {},
    ),
    (
        "keyframe_in_degrees",
        {"limit"},
        {"upper", "fore", "hand"},
        scene(
            arm(*['range="-120 120"'] * 3),
            rest=actuators(servos()) + '<keyframe><key name="bent" qpos="-40 70 20"/></keyframe>',
        ),
        {"key": "0"},
    ),
]

LATER_STRANGERS = [
    (
        "filter_of_a_robot",
        {"actuator"},
        {"actuator4"},
        KUKA,
        [
            (
                '<general name="actuator4" joint="joint4" class="joint2"/>',
                '<general name="actuator4" joint="joint4" class="joint2" dyntype="filter" dynprm="1e-5"/>',
            )
        ],
        {"ctrl": {f"actuator{i}": 0.5 for i in range(1, 8)}},
    ),
    (
        "damping_made_explicit",
        {"damper"},
        {"foot_joint"},
        HOPPER,
        [
            (
                '<option integrator="RK4" timestep="0.002"/>',
                '<option timestep="0.002"><flag eulerdamp="disable"/></option>',
            ),
            ('name="foot_joint" pos', 'name="foot_joint" damping="4000" pos'),
        ],
        {},
    ),
    (
        "refsafe_off",
        {"contact"},
        {"foot"},
        CHEETAH,
        [
            ('timestep="0.01"/>', 'timestep="0.01"><flag refsafe="disable"/></option>'),
            ('solimp="0.0 0.8 0.01" solref="0.02 1"', 'solimp="0.9 0.99 0.01" solref=".0005 1"'),
        ],
        {},
    ),
    ("string_too_short", {"limit"}, {"string"}, CUP, [('range="0 0.3"', 'range="0 0.03"')], {}),
    (
        "keyframe_in_degrees",
        {"limit"},
        {"shoulder", "elbow", "wrist"},
        WX,
        [('qpos="0 -0.96 1.16 0 -0.3 0 0.015 -0.015"', 'qpos="0 -55 66 0 -17 0 0.015 -0.015"')],
        {"key": "home"},
    ),
    (
        "centre_of_mass_in_millimetres",
        {"inertia"},
        {"left_knee_link"},
        H1,
        [('pos="-0.00136 -0.00512 -0.1384"', 'pos="-1.36 -5.12 -138.4"')],
        {},
    ),
    ("crank_in_decimetres", {"actuator"}, {"forward"}, CRANK, [('cranklength=".08"', 'cranklength="80"')], {}),
    (
        "friction_of_a_file",
        {"friction"},
        {"joint6"},
        KUKA,
        [
            (
                '<joint name="joint6" class="joint2"/>',
                '<joint name="joint6" class="joint2" frictionloss="5000" solreffriction="-1e8 -1e7"/>',
            )
        ],
        {},
    ),
    (
        "gravcomp_of_a_robot",
        {"gravity"},
        {"link7"},
        KUKA,
        [('<body name="link7" ', '<body name="link7" gravcomp="10000" ')],
        {"key": "home"},
    ),
]
