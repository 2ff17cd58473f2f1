"""Faults in models that were not made for it: robots of others (below PLIANT_MODELS) and scenes of ours, each with a
slip that a person makes. They were written down before `pliant why` was run on any of them.

A fault is (name, kinds, words, model, changes, options): the culprit is of one of these kinds and its element, rule or
place has one of these words. The model is a path, or a document. Changes are pairs of texts: what stands in the file,
and what stands there instead. Options: `ctrl` are controls by actuators.
"""

from why_faults import actuators, arm, scene, servos

HUMANOID, KUKA = "mujoco/humanoid/humanoid.xml", "menagerie/kuka_iiwa_14/iiwa14.xml"
ROBOTIQ, ALLEGRO = "menagerie/robotiq_2f85/2f85.xml", "menagerie/wonik_allegro/right_hand.xml"
CHEETAH, HOPPER, CAR = "gymnasium/half_cheetah.xml", "gymnasium/hopper.xml", "mujoco/car/car.xml"
QUADRUPED, GRIPPER = "models/quadruped.xml", "models/gripper.xml"  # ours

STRANGERS = [
    (
        "spring_in_other_units",
        {"spring"},
        {"knee_right"},
        HUMANOID,
        [('<joint name="knee_right" class="knee"', '<joint name="knee_right" class="knee" stiffness="500000"')],
        {},
    ),
    (
        "damping_with_a_minus",
        {"damper"},
        {"hip_y_left"},
        HUMANOID,
        [('<joint name="hip_y_left" class="hip_y"', '<joint name="hip_y_left" class="hip_y" damping="-30"')],
        {},
    ),
    (
        "feedback_that_pushes_away",
        {"actuator"},
        {"actuator4"},
        KUKA,
        [
            (
                'name="actuator4" joint="joint4" class="joint2"',
                'name="actuator4" joint="joint4" class="joint2" biasprm="0 2000 -200"',
            )
        ],
        {},
    ),
    (
        "fingers_mirrored_the_wrong_way",
        {"equality"},
        {"right_driver_joint", "2f85.xml:175"},
        ROBOTIQ,
        [('polycoef="0 1 0 0 0"', 'polycoef="0.6 -1 0 0 0"')],
        {},
    ),
    (
        "gain_of_a_finger",
        {"actuator"},
        {"ffa2"},
        ALLEGRO,
        [('<position name="ffa2" joint="ffj2" class="medial"', '<position name="ffa2" joint="ffj2" kp="50000"')],
        {},
    ),
    ("timestep_of_a_game", {"timestep"}, {"timestep"}, CHEETAH, [('timestep="0.01"', 'timestep="0.08"')], {}),
    (
        "wheel_without_weight",
        {"mass", "inertia"},
        {"left"},
        CAR,
        [
            (
                '<joint name="left"/>\n        <geom class="wheel"/>',
                '<joint name="left"/><geom class="wheel" mass="1e-9"/>',
            )
        ],
        {"ctrl": {"forward": 1, "turn": 0}},
    ),
    (
        "foot_of_steel",
        {"contact"},
        {"FL_foot"},
        QUADRUPED,
        [
            (
                '<geom name="FL_foot" class="foot"/>',
                '<geom name="FL_foot" class="foot" solref="-4e7 -100" priority="2"/>',
            )
        ],
        {},
    ),
    (
        "gain_in_newtons_per_millimetre",
        {"actuator"},
        {"lift"},
        GRIPPER,
        [('kp="2000" kv="200"', 'kp="2000" kv="200000"')],
        {"ctrl": {"lift": 0.1, "grip": 0}},
    ),
    (
        "starts_in_the_floor",
        {"contact"},
        {"floor"},
        HOPPER,
        [('<body name="torso" pos="0 0 1.25">', '<body name="torso" pos="0 0 1.05">')],
        {},
    ),
]

# Two slips at once: no single change cures them.
PAIRS = [
    (
        "two_gains",
        {"actuator"},
        {"ffa2", "mfa2"},
        ALLEGRO,
        [
            ('<position name="ffa2" joint="ffj2" class="medial"', '<position name="ffa2" joint="ffj2" kp="50000"'),
            ('<position name="mfa2" joint="mfj2" class="medial"', '<position name="mfa2" joint="mfj2" kp="50000"'),
        ],
        {},
    ),
    (
        "two_knees",
        {"damper"},
        {"knee_right", "knee_left"},
        HUMANOID,
        [
            ('<joint name="knee_right" class="knee"', '<joint name="knee_right" class="knee" damping="-30"'),
            ('<joint name="knee_left" class="knee"', '<joint name="knee_left" class="knee" damping="-30"'),
        ],
        {},
    ),
    (
        "gain_and_sign",
        {"actuator", "damper"},
        {"fore_servo", "hand"},
        scene(arm(hand='damping="-2"'), rest=actuators(servos(fore='kp="2e6"'))),
        [],
        {},
    ),
]
