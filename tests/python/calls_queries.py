"""Example calls of rays and distances, names, whole models, derivatives, sparse matrices."""

import numpy as np

from calls_registry import example


@example("mj_ray")
def _ray(function, module, model, data, rng):
    geom = np.zeros(1, np.int32)
    return [function(model, data, np.array([0.0, 0, 3]), np.array([0, 0, -1.0]), None, True, -1, geom), geom]


@example("mj_multiRay")
def _rays(function, module, model, data, rng):
    directions = np.array([[0, 0, -1.0], [0.2, 0, -1], [1, 0, 0]]).ravel()
    geom, distance = np.zeros(3, np.int32), np.zeros(3)
    function(model, data, np.array([0.0, 0, 3]), directions, None, True, -1, geom, distance, None, 3, 100.0)
    return [geom, distance]


@example("mj_rayHfield")
def _ray_hfield(function, module, model, data, rng):
    return [function(model, data, model.geom("hills").id, np.array([3.2, 0.1, 3]), np.array([0, 0, -1.0]))]


@example("mj_rayMesh")
def _ray_mesh(function, module, model, data, rng):
    place = data.geom("palm").xpos
    return [function(model, data, model.geom("palm").id, place + [0, 0, 1], np.array([0, 0, -1.0]))]


@example("mju_rayGeom")
def _ray_geom(function, module, model, data, rng):
    sphere = module.mjtGeom.mjGEOM_SPHERE
    return [
        function(
            np.zeros(3), np.eye(3).ravel(), np.ones(3) * 0.5, np.array([0.1, 0, 2]), np.array([0, 0, -1.0]), sphere
        )
    ]


@example("mj_geomDistance")
def _distance(function, module, model, data, rng):
    between = np.zeros(6)
    return [function(model, data, model.geom("box").id, model.geom("sphere").id, 5.0, between), between]


@example("mj_insideSite")
def _inside_site(function, module, model, data, rng):
    places = [data.site_xpos[0], data.site_xpos[0] + 10, *rng.uniform(-1, 1, (20, 3))]
    return [[function(model, data, site, place) for site in range(model.nsite) for place in places]]


@example("mj_loadTexture")
def _texture(function, module, model, data, rng):
    model = module.MjModel.from_xml_string(
        '<mujoco><asset><texture name="a" type="2d" builtin="checker" width="6" height="4" rgb1="1 .5 0"/>'
        '<texture name="b" type="cube" builtin="flat" width="4" height="4" colorspace="sRGB"/></asset></mujoco>'
    )
    return [value for texture in range(model.ntex) for value in function(model, texture)]


@example("mj_embedAssets")
def _embed(function, module, model, data, rng):
    other = function(model)
    assert other is not model
    return [other.body_mass, other.ntexdata]


@example("mj_readSensor")
def _read_sensor(function, module, model, data, rng):
    out = np.zeros(3)
    result = function(model, data, 1, data.time, out, 0)
    return [np.array(result).ravel() if result is not None else out]


@example("mj_local2Global")
def _local(function, module, model, data, rng):
    results = []
    for same in range(5):
        place, turn = np.zeros(3), np.zeros(9)
        function(data, place, turn, np.array([0.1, 0.2, 0.3]), np.array([0.8, 0.6, 0, 0]), 3, same)
        results += [place, turn]
    return results


@example("mj_name2id")
def _name2id(function, module, model, data, rng):
    return [function(model, module.mjtObj.mjOBJ_GEOM, "palm"), function(model, int(module.mjtObj.mjOBJ_BODY), "nobody")]


@example("mj_id2name")
def _id2name(function, module, model, data, rng):
    return [
        function(model, int(module.mjtObj.mjOBJ_GEOM), 2) == "box",
        function(model, module.mjtObj.mjOBJ_BODY, 99) is None,
    ]


@example("mj_getTotalmass", "mj_isPyramidal", "mj_isSparse", "mj_isDual")
def _of_model(function, module, model, data, rng):
    return [function(model)]


@example("mj_sizeModel")
def _size(function, module, model, data, rng):
    return [function(model) > 1000]


@example("mj_setTotalmass")
def _total_mass(function, module, model, data, rng):
    function(model, 7.0)
    return [model.body_mass, model.body_inertia]


@example("mj_version", "mj_versionString")
def _version(function, module, model, data, rng):
    value = function()
    return [value if isinstance(value, int) else value == "4.0.1"]


@example("mj_defaultOption")
def _default_option(function, module, model, data, rng):
    options = module.MjOption()
    options.timestep = 1
    function(options)
    return [options.timestep, options.gravity, options.iterations]


@example("mj_defaultVisual")
def _default_visual(function, module, model, data, rng):
    model.vis.global_.fovy = 11
    function(model.vis)
    return [model.vis.global_.fovy, model.vis.rgba.fog]


@example("mj_defaultSolRefImp")
def _default_soft(function, module, model, data, rng):
    ref, imp = np.zeros(2), np.zeros(5)
    function(ref, imp)
    return [ref, imp]


@example("mjd_transitionFD")
def _transition(function, module, model, data, rng):
    n = 2 * model.nv + model.na
    A, B, C = np.zeros((n, n)), np.zeros((n, model.nu)), np.zeros((model.nsensordata, n))
    model.opt.tolerance = 0
    function(model, data, 1e-6, True, A, B, C, None)
    return [np.round(A, 4), np.round(B, 4), np.round(C, 4)]


@example("mjd_inverseFD")
def _inverse_fd(function, module, model, data, rng):
    nv = model.nv
    module.mj_forward(model, data)
    out = [np.zeros((nv, nv)) for _ in range(3)]
    function(model, data, 1e-6, True, out[0], out[1], out[2], None, None, None, None)
    return [np.round(out[2], 3)]


@example("mjd_subQuat")
def _sub_quat(function, module, model, data, rng):
    a, b = rng.normal(size=(2, 4))
    Da, Db = np.zeros(9), np.zeros(9)
    function(a / np.linalg.norm(a), b / np.linalg.norm(b), Da, Db)
    return [Da, Db]


@example("mjd_quatIntegrate")
def _quat_integrate(function, module, model, data, rng):
    Dq, Dv, Ds = np.zeros(9), np.zeros(9), np.zeros(3)
    function(np.array([0.4, -0.7, 0.2]), 0.3, Dq, Dv, Ds)
    return [Dq, Dv, Ds]


@example("mju_str2Type")
def _str2type(function, module, model, data, rng):
    return [int(function(name)) for name in ("body", "tendon", "key", "nothing")]


@example("mju_type2Str")
def _type2str(function, module, model, data, rng):
    return [function(1) == "body", function(int(module.mjtObj.mjOBJ_KEY)) == "key"]


def _sparse(rng):
    dense = rng.normal(size=(3, 3)) * (rng.random((3, 3)) < 0.7)
    return dense, np.zeros(9), np.zeros(3, np.int32), np.zeros(3, np.int32), np.zeros(9, np.int32)


@example("mju_dense2sparse")
def _dense2sparse(function, module, model, data, rng):
    dense, values, nnz, adr, columns = _sparse(rng)
    returned = function(values, dense, nnz, adr, columns)
    return [returned, values, nnz, adr, columns]


@example("mju_sparse2dense", "mju_sym2dense")
def _sparse2dense(function, module, model, data, rng):
    dense, values, nnz, adr, columns = _sparse(rng)
    if "sym" in function.__name__:
        dense = np.tril(dense)
    module.mju_dense2sparse(values, dense, nnz, adr, columns)
    out = np.zeros((3, 3))
    function(out, values, nnz, adr, columns)
    return [out]
