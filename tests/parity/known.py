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
    **dict.fromkeys(
        "nefmCvert efmC_perm flex_plasticadr flex_plasticmode flex_vertcell flex_yield".split(),
        "of flexes, which Pliant does not have",
    ),
    "vis.rgba.bv": "the reference's Python shows it as an empty array",
    "vis.rgba.bvactive": "the reference's Python shows it as an empty array",
}

# Fields that a model may list in `pending`.
MAY_BE_PENDING = set()

# Models that use these are not compared yet: size of the reference's model, and what it counts.
OUT_OF_SCOPE = {
    "nflex": "flexes",
    "nplugin": "plugins",
}
