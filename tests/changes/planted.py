"""Small models with one planted change each, and the same models without it.

Every code has at least one. scripts/make-changed-since-table measures them with both wheels, too: truth.json
says that the planted one differs and the cured one does not.
"""

import dataclasses

CUBE = " ".join(f"{x} {y} {z}" for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1))
PLANTED = []


@dataclasses.dataclass
class Planted:
    name: str
    code: str
    element: str  # as the report calls it
    marker: str  # stands in the line of the element
    xml: str
    cure: tuple  # (old text, new text)
    effect: str = "motion"  # or "reading", "refused", "note": nothing that a step shows

    @property
    def cured(self):
        assert self.xml.count(self.cure[0]) == 1, self.name
        return self.xml.replace(*self.cure)

    @property
    def ending(self):
        return "urdf" if "<robot" in self.xml else "xml"


def plant(*row, **more):
    PLANTED.append(Planted(*row, **more))


def texts():
    """(name, ending, text) of all of them, planted and cured."""
    for p in PLANTED:
        yield f"planted/{p.name}", p.ending, p.xml
        yield f"cured/{p.name}", p.ending, p.cured


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
    ('<composite type="cable" curve="s" count="4 1 1" size="1"><geom type="capsule" size=".01"/></composite>', ""),
    effect="refused",
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
    ('<joint joint="j" coef="2"/>', ""),
    effect="refused",
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
    ('nrow="1"', 'nrow="2"'),
    effect="refused",
)


plant(
    "pulley_of_nothing",
    "C502",
    "tendon 'rope'",
    'name="rope"',
    """<mujoco>
  <worldbody>
    <site name="a" pos="1 0 0"/>
    <body><joint/><geom size=".1" pos=".2 0 0"/><site name="b" pos=".2 0 0"/></body>
  </worldbody>
  <tendon>
    <spatial name="rope"><site site="a"/><site site="b"/><pulley divisor="0"/><site site="a"/><site site="b"/></spatial>
  </tendon>
</mujoco>""",
    ('divisor="0"', 'divisor="2"'),
    effect="refused",
)

plant(
    "tendon_on_ball",
    "C502",
    "tendon 'sum'",
    'name="sum"',
    """<mujoco>
  <worldbody>
    <body><joint name="k"/><geom size=".1"/><body><joint name="j" type="ball"/><geom size=".1"/></body></body>
  </worldbody>
  <tendon>
    <fixed name="sum"><joint joint="k" coef="1"/><joint joint="j" coef="1"/></fixed>
  </tendon>
</mujoco>""",
    ('<joint joint="j" coef="1"/>', ""),
    effect="refused",
)

plant(
    "negative_armature",
    "C502",
    "tendon 'sum'",
    'name="sum"',
    """<mujoco>
  <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
  <tendon>
    <fixed name="sum" armature="-1e-3"><joint joint="j" coef="1"/></fixed>
  </tendon>
</mujoco>""",
    ('armature="-1e-3"', ""),
    effect="refused",
)

plant(
    "channels",
    "C502",
    "texture 'grid'",
    'name="grid"',
    """<mujoco>
  <asset>
    <texture name="grid" builtin="checker" type="2d" width="8" height="8" nchannel="4"/>
  </asset>
  <worldbody><geom size=".1"/></worldbody>
</mujoco>""",
    (' nchannel="4"', ""),
    effect="refused",
)

plant(
    "skin_face",
    "C502",
    "skin 'hide'",
    'name="hide"',
    """<mujoco>
  <worldbody><body name="b"><joint/><geom size=".1"/></body></worldbody>
  <deformable>
    <skin name="hide" vertex="0 0 0 1 0 0 0 1 0" face="0 1 3">
      <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
    </skin>
  </deformable>
</mujoco>""",
    ('face="0 1 3"', 'face="0 1 2"'),
    effect="refused",
)

plant(
    "heavy_pictures",
    "C502",
    "geom 'shell'",
    'name="shell"',
    """<mujoco>
  <compiler discardvisual="true" inertiafromgeom="true"/>
  <worldbody><body>
    <joint/>
    <geom size=".1"/>
    <geom name="shell" size=".2" contype="0" conaffinity="0"/>
  </body></worldbody>
</mujoco>""",
    ('size=".2"', 'size=".2" mass="0"'),
    effect="refused",
)

plant(
    "mimic",
    "C107",
    "joint 'follower'",
    'name="follower"',
    """<robot name="pair">
  <link name="base"/>
  <link name="one"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="two"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="leader" type="continuous"><parent link="base"/><child link="one"/><axis xyz="0 1 0"/></joint>
  <joint name="follower" type="continuous">
    <parent link="base"/><child link="two"/><axis xyz="0 1 0"/><mimic joint="leader" multiplier="2"/></joint>
</robot>""",
    ('<mimic joint="leader" multiplier="2"/>', ""),
)

# det = |a|^2 |b|^2 sin^2 of the angle loses ten digits at 1e-5 rad
plant(
    "nearly_parallel",
    "C204",
    "geom 'lower' and geom 'upper'",
    'name="upper"',
    """<mujoco>
  <worldbody>
    <geom name="lower" type="capsule" size=".1 .5" quat="1 0 1 0"/>
    <body pos=".15 0 .1999" quat="1 0 1 1e-5">
      <freejoint/>
      <geom name="upper" type="capsule" size=".1 .5"/>
    </body>
  </worldbody>
</mujoco>""",
    ('quat="1 0 1 1e-5"', 'quat="1 0.3 1 0"'),
)

plant(
    "early_stop",
    "C304",
    "<option>",
    "<option",
    """<mujoco>
  <option solver="PGS" tolerance="1e-3"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .0999"><freejoint/><geom type="box" size=".2 .2 .1" mass="5"/></body>
    <body pos="0.05 0 .2998"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
    <body pos="3 0 0"><joint/><geom size=".1" pos=".5 0 0" mass="50"/></body>
  </worldbody>
</mujoco>""",
    ('solver="PGS" tolerance="1e-3"', 'solver="Newton"'),
)

plant(
    "replicated_keyframe",
    "C106",
    "keyframe 'home'",
    'name="home"',
    """<mujoco>
  <worldbody>
    <replicate count="2" offset="1 0 0"><body><joint type="slide"/><geom size=".1"/></body></replicate>
  </worldbody>
  <keyframe>
    <key name="home" qpos="1"/>
  </keyframe>
</mujoco>""",
    ('count="2"', 'count="1"'),
    effect="note",
)

plant(
    "still_accelerometer",
    "C401",
    "sensor 'imu'",
    'name="imu"',
    """<mujoco>
  <worldbody>
    <site name="s"/>
    <body><joint/><geom size=".1"/><site name="t"/></body>
  </worldbody>
  <sensor>
    <accelerometer name="imu" site="s"/>
  </sensor>
</mujoco>""",
    ('site="s"', 'site="t"'),
    effect="reading",
)

plant(
    "weld_torque",
    "C402",
    "sensor 'torque'",
    'name="torque"',
    """<mujoco>
  <worldbody>
    <body name="a"><joint type="ball"/><geom size=".1"/><site name="s"/></body>
    <body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <equality><weld body1="a" body2="b"/></equality>
  <sensor>
    <torque name="torque" site="s"/>
  </sensor>
</mujoco>""",
    ('<weld body1="a" body2="b"/>', '<connect body1="a" body2="b" anchor="0 0 0"/>'),
    effect="reading",
)

plant(
    "tendon_force",
    "C403",
    "sensor 'force'",
    'name="force"',
    """<mujoco>
  <worldbody>
    <site name="w" pos="1 0 0"/>
    <body><joint/><geom size=".1" pos=".2 0 0"/><site name="s" pos=".2 0 0"/></body>
  </worldbody>
  <tendon><spatial stiffness="10" springlength=".1"><site site="w"/><site site="s"/></spatial></tendon>
  <sensor>
    <force name="force" site="s"/>
  </sensor>
</mujoco>""",
    ('stiffness="10"', ""),
    effect="reading",
)

plant(
    "contact_stage",
    "C404",
    "sensor 'touch'",
    'name="touch"',
    """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 .0999"><freejoint/><geom name="ball" size=".1"/></body>
  </worldbody>
  <sensor>
    <contact name="touch" geom1="ball" data="found dist"/>
  </sensor>
</mujoco>""",
    ('data="found dist"', 'data="found force"'),
    effect="note",
)

plant(
    "total_mass",
    "C503",
    "<compiler>",
    "<compiler",
    """<mujoco>
  <compiler settotalmass="3"/>
  <worldbody><body><joint/><geom size=".1"/></body></worldbody>
</mujoco>""",
    ('settotalmass="3"', ""),
    effect="note",
)

plant(
    "mean_inertia",
    "C503",
    "<statistic>",
    "<statistic",
    """<mujoco>
  <statistic meaninertia="2"/>
  <worldbody><body><joint/><geom size=".1"/></body></worldbody>
</mujoco>""",
    ('meaninertia="2"', ""),
    effect="note",
)
