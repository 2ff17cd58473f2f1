"""Which settings the files of a model have given: MjSpec.authored, as bits in the order of the reference's structs."""

from . import _enums as E

_ORDER = {
    "option": """timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance gravity wind
        magnetic density viscosity o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations
        ls_iterations noslip_iterations ccd_iterations disableflags enableflags disableactuator sdf_initpoints
        sdf_iterations""",
    "visual_global": """cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime offwidth offheight
        ellipsoidinertia bvactive""",
    "visual_quality": "shadowsize offsamples numslices numstacks numquads",
    "visual_headlight": "ambient diffuse specular active",
    "visual_map": """stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip shadowscale
        actuatortendon""",
    "visual_scale": """forcewidth contactwidth contactheight connect com camera light selectpoint jointlength jointwidth
        actuatorlength actuatorwidth framelength framewidth constraint slidercrank frustum""",
    "visual_rgba": """fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light
        selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap rangefinder constraint
        slidercrank crankbroken frustum bv bvactive""",
    "compiler": """autolimits boundmass boundinertia settotalmass balanceinertia fitaabb degree eulerseq discardvisual
        usethread fusestatic inertiafromgeom inertiagrouprange saveinertial savecompiled savecanonical alignfree
        conflict passthrough LRopt meshdir texturedir""",
}
_BIT = {section: {name: 1 << i for i, name in enumerate(names.split())} for section, names in _ORDER.items()}
_SECTION = {"option": "option", "global": "visual_global", "quality": "visual_quality",
            "headlight": "visual_headlight", "map": "visual_map", "scale": "visual_scale", "rgba": "visual_rgba",
            "compiler": "compiler"}  # fmt: skip
_OTHER_NAMES = {("compiler", "angle"): "degree"}
_DISABLE = {name.removeprefix("mjDSBL_").lower(): bit.value for name, bit in E.mjtDisableBit.__members__.items()
            if name != "mjNDISABLE"}  # fmt: skip
_ENABLE = {name.removeprefix("mjENBL_").lower(): bit.value for name, bit in E.mjtEnableBit.__members__.items()
           if name != "mjNENABLE"}  # fmt: skip


class MjsAuthored:
    """Which settings a file has given, as bits."""

    __slots__ = (*[section for section in _ORDER if section != "compiler"], "disableactuator", "disableflags",
                 "enableflags")  # fmt: skip

    def __init__(self, other=None):
        for name in self.__slots__:
            setattr(self, name, getattr(other, name) if other is not None else 0)


def authored_by(read):
    """(MjsAuthored, bits of the compiler) from what was read of files."""
    found, compiler = MjsAuthored(), 0
    for entry in read:
        name = entry.attribute
        if entry.element == "flag":
            found.disableflags |= _DISABLE.get(name, 0)
            found.enableflags |= _ENABLE.get(name, 0)
        elif entry.element == "option" and name == "actuatorgroupdisable":
            for group in entry.value.split():
                found.disableactuator |= 1 << int(group)
        elif entry.element in _SECTION:
            section = _SECTION[entry.element]
            bit = _BIT[section].get(_OTHER_NAMES.get((section, name), name), 0)
            if section == "compiler":
                compiler |= bit
            else:
                setattr(found, section, getattr(found, section) | bit)
    return found, compiler
