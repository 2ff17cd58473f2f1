"""What the comparison with the reference leaves out, and why. Everything else must be equal."""

# Largest |difference| of a field over the largest |value| of the reference in that field.
RELATIVE_TOLERANCE = 1e-9
# Below this largest |value| the difference itself is compared with RELATIVE_TOLERANCE.
SMALL_REFERENCE = 1e-12

# Random documents may have bodies of which two principal moments nearly coincide: relative to the largest
# moment, closer than CLOSE_MOMENTS. Rounding then decides about the axes, so their inertia tensors are
# compared instead, more tightly. Models of others are never judged this way.
CLOSE_MOMENTS = 1e-5
TENSOR_TOLERANCE = 1e-12

# Fields that are not compared.
NOT_COMPARED = {
    "nbuffer": "memory of the reference's own layout",
    "narena": "memory of the reference's own step",
    "signature": "hash of the reference's own Spec",
    "vis.rgba.bv": "the reference's Python shows it as an empty array",
    "vis.rgba.bvactive": "the reference's Python shows it as an empty array",
}

# Fields that a model may list in `pending`: they need kinematics or the mass matrix at qpos0.
MAY_BE_PENDING = {
    "body_invweight0",
    "dof_invweight0",
    "dof_M0",
    "dof_length",
    "tendon_length0",
    "tendon_invweight0",
    "tendon_lengthspring",
    "actuator_acc0",
    "actuator_length0",
    "actuator_lengthrange",
    "actuator_biasprm",  # dampratio
    "eq_data",  # relative poses
    "cam_pos0",
    "cam_poscom0",
    "cam_mat0",
    "light_pos0",
    "light_poscom0",
    "light_dir0",
    "jnt_stiffness",  # springdamper
    "dof_damping",  # springdamper
    "stat.meaninertia",
    "stat.meanmass",
    "stat.meansize",
    "stat.extent",
    "stat.center",
}

# Models that use these are not compared yet: size of the reference's model, and what it counts.
OUT_OF_SCOPE = {
    "nflex": "flexes",
    "nplugin": "plugins",
}
