"""Small models with one planted change each: (name, code, text of the element, words of its line in the file, XML).

The last three of a row are what the report must say. The same model with `cure` applied must not be named.
"""

CUBE = " ".join(f"{x} {y} {z}" for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1))
PLANTED = []


def plant(name, code, element, marker, xml, cure=None):
    """`marker` stands in the line of the element; `cure`: (old text, new text)."""
    PLANTED.append((name, code, element, marker, xml, cure))


# 8e-13 beside a diagonal of 1e-8: below the 1e-12 at which 3.12 stopped
plant(
    "inertia_frame",
    "C101",
    "body 'tiny'",
    'name="tiny"',
    """<mujoco>
  <worldbody>
    <body name="tiny">
      <joint axis="1 1 0"/>
      <inertial pos="0 .001 0" mass="1e-3" fullinertia="3e-8 2e-8 1.5e-8 8e-13 0 0"/>
    </body>
  </worldbody>
</mujoco>""",
    ("8e-13 0 0", "0 0 0"),
)

# M at qpos0: [6 2; 2 1] plus 1e-4 [2 1; 1 1]
plant(
    "dampratio",
    "C103",
    "actuator 'shoulder'",
    '<position name="shoulder"',
    """<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body>
      <joint name="shoulder" axis="0 0 1"/>
      <inertial pos="1 0 0" mass="2" diaginertia="1e-4 1e-4 1e-4"/>
      <body pos="1 0 0">
        <joint name="elbow" axis="0 0 1"/>
        <inertial pos="1 0 0" mass="1" diaginertia="1e-4 1e-4 1e-4"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder" joint="shoulder" kp="100" dampratio="1"/>
  </actuator>
  <keyframe><key qvel="1 0"/></keyframe>
</mujoco>""",
    ('dampratio="1"', 'kv="3"'),
)

plant(
    "shortcut_defaults",
    "C104",
    "actuator 'speed'",
    'name="speed"',
    """<mujoco>
  <default><position kp="50"/></default>
  <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
  <actuator>
    <velocity name="speed" joint="j"/>
  </actuator>
</mujoco>""",
    ("<velocity ", '<velocity kv="2" '),
)

plant(
    "tendon_limit",
    "C105",
    "tendon 'cord'",
    'name="cord"',
    """<mujoco>
  <worldbody><body><joint name="j"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
  <tendon>
    <fixed name="cord" actuatorfrcrange="-1 1"><joint joint="j" coef="1"/></fixed>
  </tendon>
  <actuator><motor tendon="cord"/></actuator>
  <keyframe><key ctrl="5"/></keyframe>
</mujoco>""",
    ('actuatorfrcrange="-1 1"', 'actuatorfrclimited="false"'),
)

plant(
    "pid_without_kp",
    "C104",
    "actuator 'pid'",
    'name="pid"',
    """<mujoco>
  <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
  <actuator>
    <pid name="pid" joint="j" kv="1"/>
  </actuator>
</mujoco>""",
    ('kv="1"', 'kv="1" kp="2"'),
)

# M = 1 of the body, 2 of the tendon; the limit is beyond its reach at the start, so that it pushes
plant(
    "tendon_armature",
    "C108",
    "tendon 'sum'",
    'name="sum"',
    """<mujoco>
  <option gravity="0 0 0"/>
  <worldbody><body>
    <joint name="j" type="slide" axis="0 1 0" range="1 2" limited="true"/>
    <geom size=".1" mass="1"/>
  </body></worldbody>
  <tendon>
    <fixed name="sum" armature="2"><joint joint="j" coef="1"/></fixed>
  </tendon>
</mujoco>""",
    ('armature="2"', ""),
)

plant(
    "mesh_on_plane",
    "C201",
    "geom 'floor' and geom 'cube'",
    '<geom name="cube"',
    f"""<mujoco>
  <asset><mesh name="cube" vertex="{CUBE}"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 .0999">
      <freejoint/>
      <geom name="cube" type="mesh" mesh="cube"/>
    </body>
  </worldbody>
</mujoco>""",
    ('type="mesh" mesh="cube"', 'type="box" size=".1 .1 .1"'),
)

plant(
    "cylinder_on_box",
    "C202",
    "geom 'drum' and geom 'table'",
    'name="table"',
    """<mujoco>
  <worldbody>
    <geom name="table" type="box" size="1 1 .1"/>
    <body pos="0 0 .1999">
      <freejoint/>
      <geom name="drum" type="cylinder" size=".1 .1"/>
    </body>
  </worldbody>
</mujoco>""",
    ('type="cylinder" size=".1 .1"', 'type="box" size=".1 .1 .1"'),
)

plant(
    "mesh_on_mesh",
    "C203",
    "geom 'lower' and geom 'upper'",
    'name="upper"',
    f"""<mujoco>
  <asset><mesh name="cube" vertex="{CUBE}"/></asset>
  <worldbody>
    <geom name="lower" type="mesh" mesh="cube"/>
    <body pos=".03 .02 .1999" euler="0 0 20">
      <freejoint/>
      <geom name="upper" type="mesh" mesh="cube"/>
    </body>
  </worldbody>
</mujoco>""",
    ('name="upper" type="mesh" mesh="cube"', 'name="upper" size=".1"'),
)

plant(
    "saturated",
    "C301",
    "actuator 'servo'",
    'name="servo"',
    """<mujoco>
  <option timestep="0.01" integrator="implicitfast" gravity="0 0 0"/>
  <worldbody><body>
    <joint name="j" type="slide" actuatorfrcrange="-10 10"/>
    <geom size=".1" mass="2"/>
  </body></worldbody>
  <actuator>
    <velocity name="servo" joint="j" kv="20"/>
  </actuator>
  <keyframe><key ctrl="5"/></keyframe>
</mujoco>""",
    ('actuatorfrcrange="-10 10"', ""),
)

plant(
    "tumbling",
    "C302",
    "joint 'free'",
    'name="free"',
    """<mujoco>
  <option timestep="0.005" integrator="RK4" gravity="0 0 0"/>
  <worldbody><body>
    <freejoint name="free"/>
    <geom type="box" size=".1 .2 .3"/>
  </body></worldbody>
  <keyframe><key qpos="0 0 0 1 0 0 0" qvel="0 0 0 5 4 3"/></keyframe>
</mujoco>""",
    ('integrator="RK4"', 'integrator="implicit"'),
)

# around a unit circle: the straight line leaves the site on its side, but the site is seen behind the middle
plant(
    "side_site",
    "C303",
    "tendon 'rope'",
    'name="rope"',
    """<mujoco>
  <worldbody>
    <geom name="pulley" type="sphere" size="1" contype="0" conaffinity="0"/>
    <site name="side" pos="-1.5 .5 0"/>
    <site name="a" pos="2 0 0"/>
    <body pos="0 2 0">
      <joint type="slide" axis="0 1 0"/>
      <geom size=".1" contype="0" conaffinity="0"/>
      <site name="b"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="rope" stiffness="10" springlength=".1">
      <site site="a"/><geom geom="pulley" sidesite="side"/><site site="b"/>
    </spatial>
  </tendon>
</mujoco>""",
    ("-1.5 .5 0", "1.5 1.5 0"),
)

plant(
    "small_lift",
    "C305",
    "geom 'leaf'",
    'name="leaf"',
    """<mujoco>
  <option density="1.2" gravity="0 0 0"/>
  <worldbody><body>
    <freejoint/>
    <geom name="leaf" type="ellipsoid" size=".025 .01 .001" mass="1e-4" fluidshape="ellipsoid"/>
  </body></worldbody>
  <keyframe><key qpos="0 0 0 1 0 0 0" qvel=".1 .2 .3 0 0 0"/></keyframe>
</mujoco>""",
    ('size=".025 .01 .001"', 'size=".25 .1 .01"'),
)

plant(
    "turned_site",
    "C306",
    "actuator 'wrist'",
    'name="wrist"',
    """<mujoco>
  <worldbody>
    <site name="base"/>
    <body euler="30 0 0">
      <joint type="ball"/>
      <geom size=".1 .2 .3" type="box"/>
      <site name="tool" euler="0 40 0"/>
    </body>
  </worldbody>
  <actuator>
    <position name="wrist" site="tool" refsite="base" gear="0 0 0 0 0 1" kp="5"/>
  </actuator>
</mujoco>""",
    ('name="tool" euler="0 40 0"', 'name="tool"'),
)

plant(
    "composite",
    "C501",
    "<composite>",
    "<composite",
    """<mujoco>
  <worldbody>
    <body><freejoint/><geom size=".1"/>
      <composite type="cable" curve="s" count="4 1 1" size="1"><geom type="capsule" size=".01"/></composite>
    </body>
  </worldbody>
</mujoco>""",
)

plant(
    "tendon_twice",
    "C502",
    "tendon 'sum'",
    'name="sum"',
    """<mujoco>
  <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
  <tendon>
    <fixed name="sum"><joint joint="j" coef="1"/><joint joint="j" coef="2"/></fixed>
  </tendon>
</mujoco>""",
)

plant(
    "flat_hfield",
    "C502",
    "hfield 'strip'",
    'name="strip"',
    """<mujoco>
  <asset>
    <hfield name="strip" nrow="1" ncol="4" size="1 1 1 1"/>
  </asset>
  <worldbody><geom type="hfield" hfield="strip"/></worldbody>
</mujoco>""",
)

# readings only: the model moves as before
READINGS = [
    (
        "still_accelerometer",
        "C401",
        "sensor 'imu'",
        """<mujoco>
  <worldbody><site name="s"/><body><joint/><geom size=".1"/></body></worldbody>
  <sensor><accelerometer name="imu" site="s"/></sensor>
</mujoco>""",
    ),
    (
        "weld_torque",
        "C402",
        "sensor 'torque'",
        """<mujoco>
  <worldbody>
    <body name="a"><joint type="ball"/><geom size=".1"/><site name="s"/></body>
    <body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <equality><weld body1="a" body2="b"/></equality>
  <sensor><torque name="torque" site="s"/></sensor>
</mujoco>""",
    ),
    (
        "tendon_force",
        "C403",
        "sensor 'force'",
        """<mujoco>
  <worldbody>
    <site name="w" pos="1 0 0"/>
    <body><joint/><geom size=".1" pos=".2 0 0"/><site name="s" pos=".2 0 0"/></body>
  </worldbody>
  <tendon><spatial stiffness="10" springlength=".1"><site site="w"/><site site="s"/></spatial></tendon>
  <sensor><force name="force" site="s"/></sensor>
</mujoco>""",
    ),
]
