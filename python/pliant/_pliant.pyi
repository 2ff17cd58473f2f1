"""Types of the compiled module. Fields of Model, State, Data and Batch are made by scripts/make-stubs."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
_Bytes = bytes  # (classes have a member of that name)

class Diagnostic:
    severity: str
    code: str
    file: str
    line: int
    column: int
    element: str
    message: str
    hint: str
    text: str

class Finding:
    code: str
    severity: str
    title: str
    element: str
    origin: str
    message: str
    evidence: dict[str, float]
    change: str

def doctor(model: Model, seconds: float = ...) -> list[Finding]: ...
def timestep_budget(model: Model) -> list[tuple[str, str, float]]: ...
def explain_answers(
    model: Model, kind: str, first: int, second: int, impact: float, state: State | None
) -> list[tuple[str, str]]: ...
def design_answer(wishes: dict[str, Any]) -> tuple[str, str]: ...
def doctor_codes() -> list[tuple[str, str, str]]: ...

class Change:
    code: str
    title: str
    version: str
    effect: str
    seen: bool
    element: str
    origin: str
    message: str
    numbers: dict[str, tuple[float, float]]
    size: float

class ChangeReport:
    since: str
    loaded: bool
    states: int
    changes: list[Change]
    differs: bool

def change_codes() -> list[tuple[str, str, str, str, str]]: ...

class LedgerEntry:
    fate: str
    line: int
    column: int
    element: str
    attribute: str
    value: str
    note: str

class LoadError(ValueError):
    diagnostics: list[Diagnostic]

class MjOption:
    # --- made by scripts/make-stubs: MjOption ---
    ccd_iterations: int
    ccd_tolerance: float
    cone: int
    density: float
    disableactuator: int
    disableflags: int
    discrete_full: int
    enableflags: int
    friction: int
    gravity: NDArray[np.float64]
    impratio: float
    integrator: int
    iterations: int
    jacobian: int
    ls_iterations: int
    ls_tolerance: float
    magnetic: NDArray[np.float64]
    noslip_iterations: int
    noslip_tolerance: float
    o_friction: NDArray[np.float64]
    o_margin: float
    o_solimp: NDArray[np.float64]
    o_solref: NDArray[np.float64]
    resolution: int
    sdf_initpoints: int
    sdf_iterations: int
    sleep_tolerance: float
    solver: int
    spin: int
    tgs_substeps: int
    tgs_sweeps: int
    timestep: float
    tolerance: float
    viscosity: float
    wind: NDArray[np.float64]
    # --- end ---

class MjStatistic:
    # --- made by scripts/make-stubs: MjStatistic ---
    center: NDArray[np.float64]
    extent: float
    meaninertia: float
    meanmass: float
    meansize: float
    # --- end ---

class MjVisual:
    def __getattr__(self, name: str) -> Any: ...

class Model:
    def __init__(
        self,
        path: str | os.PathLike[str] | Model | None = None,
        *,
        xml: str | None = None,
        assets: Mapping[str, bytes] | None = None,
        allow_unsupported: bool = False,
        cache_dir: str | os.PathLike[str] | None = None,
        urdf: dict[str, object] | None = None,
    ) -> None: ...
    @property
    def opt(self) -> MjOption: ...
    @property
    def vis(self) -> MjVisual: ...
    @property
    def stat(self) -> MjStatistic: ...
    @property
    def pending(self) -> list[str]: ...
    @property
    def diagnostics(self) -> list[Diagnostic]: ...
    @property
    def ledger(self) -> list[LedgerEntry]: ...
    @property
    def ledger_files(self) -> list[str]: ...
    @property
    def files(self) -> list[str]: ...
    @property
    def bytes(self) -> int: ...
    @property
    def arena_bytes(self) -> int: ...
    @property
    def model_name(self) -> str: ...
    def name(self, kind: str | int, id: int) -> str: ...
    def id(self, kind: str | int, name: str) -> int: ...
    def count(self, kind: str | int) -> int: ...
    def origin(self, kind: str | int, id: int) -> str: ...
    def __getstate__(self) -> _Bytes: ...
    def __setstate__(self, state: _Bytes) -> None: ...
    # --- made by scripts/make-stubs: Model ---
    nq: int  # numbers in qpos
    nv: int  # degrees of freedom: numbers in qvel
    nu: int  # controls
    nactuator: int  # actuators
    nout: int  # force outputs of all actuators
    na: int  # activations
    nbody: int  # bodies, the world included
    nbvh: int  # bounding boxes in all trees
    nbvhstatic: int  # of these, boxes that keep their place in their owner's frame
    njnt: int  # joints
    ntree: int  # kinematic trees: groups of bodies that move independently of one another
    nM: int  # entries of the mass matrix, packed by ancestor chains
    nB: int  # entries of the body-dof pattern
    nC: int  # entries of the mass matrix's lower half
    nD: int  # entries of the dof-dof pattern
    ngeom: int  # geoms
    nsite: int  # sites
    ncam: int  # cameras
    nlight: int  # lights
    nmesh: int  # meshes
    nmeshvert: int  # vertices of all meshes
    nmeshnormal: int  # normals of all meshes
    nmeshtexcoord: int  # texture coordinates of all meshes
    nmeshface: int  # triangles of all meshes
    nmeshgraph: int  # numbers in all convex hulls
    nmeshpoly: int  # polygons of all hulls
    nmeshpolyvert: int  # corners of all polygons
    nmeshpolymap: int  # polygons listed for all vertices
    nskin: int  # skins
    nskinvert: int  # vertices of all skins
    nskintexvert: int  # texture coordinates of all skins
    nskinface: int  # triangles of all skins
    nskinbone: int  # bones of all skins
    nskinbonevert: int  # vertices listed for all bones
    nhfield: int  # height fields
    nhfielddata: int  # samples of all height fields
    ntex: int  # textures
    ntexdata: int  # bytes of all textures
    nmat: int  # materials
    npair: int  # geom pairs named for contact
    nexclude: int  # body pairs kept from contact
    neq: int  # equality constraints
    ntendon: int  # tendons
    nJten: int  # entries of the tendon Jacobian
    nwrap: int  # elements of all tendon paths
    nsensor: int  # sensors
    nnumeric: int  # numeric entries of the user
    nnumericdata: int  # numbers in all of them
    ntext: int  # text entries of the user
    ntextdata: int  # characters in all of them
    ntuple: int  # tuples of the user
    ntupledata: int  # elements in all of them
    nkey: int  # keyframes
    nmocap: int  # mocap bodies
    nuser_body: int  # per body
    nuser_jnt: int  # per joint
    nuser_geom: int  # per geom
    nuser_site: int  # per site
    nuser_cam: int  # per camera
    nuser_tendon: int  # per tendon
    nuser_actuator: int  # per actuator
    nuser_sensor: int  # per sensor
    nnames: int  # characters of all names
    npaths: int  # characters of all file paths
    nnames_map: int  # slots of all name tables
    nJmom: int  # entries of the actuator moment matrix
    ngravcomp: int  # bodies with gravity compensation
    nmimic: int  # mimic constraints (not in the reference)
    nmimiclead: int  # leaders of all mimic constraints (not in the reference)
    nmimicrow: int  # mimic constraints with rows: hard and soft ones (not in the reference)
    nfollower: int  # exact mimic constraints: joints that are functions of others (not in the reference)
    nemax: int  # most rows the equality constraints can have
    njmax: int  # rows asked for in <size>; -1 if automatic
    nconmax: int  # contacts asked for in <size>; -1 if automatic
    npolygonmax: int  # most corners of a hull polygon
    nmeshdegmax: int  # most neighbours of a hull vertex
    nuserdata: int  # numbers kept for the user
    nsensordata: int  # numbers of all sensors
    nhistory: int  # numbers in all histories
    nplastic: int  # numbers in the rest lengths of all springs that yield
    qpos0: NDArray[np.float64]  # (nq,) [m|rad] configuration of the file as written; where every joint reads its ref
    qpos_spring: NDArray[np.float64]  # (nq,) [m|rad] configuration in which joint springs pull nothing
    body_parentid: NDArray[np.int32]  # (nbody,) body that carries this one; the world carries itself
    body_rootid: NDArray[np.int32]  # (nbody,) outermost ancestor below the world; 0 for the world
    body_weldid: NDArray[np.int32]  # (nbody,) first body of the rigid group it belongs to; 0 if fixed to the world
    body_mocapid: NDArray[np.int32]  # (nbody,) place among the mocap bodies; -1 if moved by physics
    body_jntnum: NDArray[np.int32]  # (nbody,) joints between this body and its parent
    body_jntadr: NDArray[np.int32]  # (nbody,) first of those joints; -1 if none
    body_dofnum: NDArray[np.int32]  # (nbody,) degrees of freedom its own joints give it
    body_dofadr: NDArray[np.int32]  # (nbody,) first of those dofs; -1 if none
    body_treeid: NDArray[np.int32]  # (nbody,) kinematic tree it belongs to; -1 if it cannot move
    body_geomnum: NDArray[np.int32]  # (nbody,) geoms attached to it
    body_geomadr: NDArray[np.int32]  # (nbody,) first of those geoms; -1 if none
    body_simple: NDArray[np.uint8]  # (nbody,) 1: its block of the mass matrix is diagonal; 2: likewise, and it only...
    body_sameframe: NDArray[np.uint8]  # (nbody,) how far body frame and principal frame coincide (SameFrame)
    body_pos: NDArray[np.float64]  # (nbody, 3) [m] origin in the parent's frame
    body_quat: NDArray[np.float64]  # (nbody, 4) orientation in the parent's frame
    body_ipos: NDArray[np.float64]  # (nbody, 3) [m] centre of mass in the body frame
    body_iquat: NDArray[np.float64]  # (nbody, 4) orientation of the principal axes in the body frame
    body_mass: NDArray[np.float64]  # (nbody,) [kg] mass
    body_subtreemass: NDArray[np.float64]  # (nbody,) [kg] mass of the body and everything it carries
    body_inertia: NDArray[np.float64]  # (nbody, 3) [kg m^2] principal moments about the centre of mass
    body_invweight0: NDArray[np.float64]  # (nbody, 2) [1/kg, 1/(kg m^2)] average response to a unit force and to a u...
    body_gravcomp: NDArray[np.float64]  # (nbody,) share of its weight held up by an upward force; 1 floats
    body_margin: NDArray[np.float64]  # (nbody,) [m] largest margin plus gap among its geoms
    body_user: NDArray[np.float64]  # (nbody, nuser_body) numbers for the user
    body_plugin: NDArray[np.int32]  # (nbody,) always -1: there are no plugins
    body_contype: NDArray[np.int32]  # (nbody,) union of its geoms' contact types
    body_conaffinity: NDArray[np.int32]  # (nbody,) union of its geoms' contact affinities
    body_bvhadr: NDArray[np.int32]  # (nbody,) root of its bounding-box tree; -1 if it has none
    body_bvhnum: NDArray[np.int32]  # (nbody,) boxes in that tree
    bvh_depth: NDArray[np.int32]  # (nbvh,) levels below the root of its tree
    bvh_child: NDArray[np.int32]  # (nbvh, 2) the two boxes inside this one, counted from the tree's root; -1 if none
    bvh_nodeid: NDArray[np.int32]  # (nbvh,) geom or face at a leaf; -1 at an inner box
    bvh_aabb: NDArray[np.float64]  # (nbvhstatic, 6) [m] centre and half sizes in the frame of the tree's owner
    jnt_type: NDArray[np.int32]  # (njnt,) free, ball, slide or hinge (JointType)
    jnt_qposadr: NDArray[np.int32]  # (njnt,) first of its numbers in qpos
    jnt_dofadr: NDArray[np.int32]  # (njnt,) first of its numbers in qvel
    jnt_bodyid: NDArray[np.int32]  # (njnt,) body it moves
    jnt_actuatorid: NDArray[np.int32]  # (njnt,) actuator that adds damping or armature to it; -1 if none
    jnt_plasticadr: NDArray[np.int32]  # (njnt,) first number of its spring's rest position in plastic; -1 if the spr...
    jnt_group: NDArray[np.int32]  # (njnt,) visibility group
    jnt_limited: NDArray[np.bool_]  # (njnt,) whether jnt_range is enforced
    jnt_actfrclimited: NDArray[np.bool_]  # (njnt,) whether jnt_actfrcrange is enforced
    jnt_actgravcomp: NDArray[np.bool_]  # (njnt,) whether gravity compensation counts as actuator force
    jnt_solref: NDArray[np.float64]  # (njnt, kNumRef) spring and damper of the limit
    jnt_solimp: NDArray[np.float64]  # (njnt, kNumImp) impedance of the limit
    jnt_pos: NDArray[np.float64]  # (njnt, 3) [m] anchor in the body frame
    jnt_axis: NDArray[np.float64]  # (njnt, 3) unit axis in the body frame; hinge and slide
    jnt_stiffness: NDArray[np.float64]  # (njnt,) [N/m|N m/rad] spring constant
    jnt_stiffnesspoly: NDArray[np.float64]  # (njnt, kNumPoly) spring terms of second and third order in the displace...
    jnt_springyield: NDArray[np.float64]  # (njnt,) [m|rad] displacement of the spring at which it yields
    jnt_range: NDArray[np.float64]  # (njnt, 2) [m|rad] lower and upper limit; ball: only the upper counts
    jnt_actfrcrange: NDArray[np.float64]  # (njnt, 2) [N|N m] bounds of the summed actuator force on it
    jnt_margin: NDArray[np.float64]  # (njnt,) [m|rad] distance from the limit at which it begins to act
    jnt_user: NDArray[np.float64]  # (njnt, nuser_jnt) numbers for the user
    dof_bodyid: NDArray[np.int32]  # (nv,) body it moves
    dof_jntid: NDArray[np.int32]  # (nv,) joint it is part of
    dof_parentid: NDArray[np.int32]  # (nv,) next dof towards the root; -1 at the first of a tree
    dof_treeid: NDArray[np.int32]  # (nv,) kinematic tree it belongs to
    dof_Madr: NDArray[np.int32]  # (nv,) place of its diagonal entry in the packed mass matrix
    dof_simplenum: NDArray[np.int32]  # (nv,) how many dofs from here on, itself included, have simple bodies
    dof_chainnum: NDArray[np.int32]  # (nv,) how many dofs directly before it, without a gap, lie between it and the...
    dof_solref: NDArray[np.float64]  # (nv, kNumRef) spring and damper of dry friction
    dof_solimp: NDArray[np.float64]  # (nv, kNumImp) impedance of dry friction
    dof_frictionloss: NDArray[np.float64]  # (nv,) [N|N m] dry friction
    dof_armature: NDArray[np.float64]  # (nv,) [kg|kg m^2] inertia added to the diagonal of the mass matrix, for exam...
    dof_damping: NDArray[np.float64]  # (nv,) [N s/m|N m s/rad] viscous damping
    dof_dampingpoly: NDArray[np.float64]  # (nv, kNumPoly) damping terms of second and third order in the velocity
    dof_invweight0: NDArray[np.float64]  # (nv,) [1/kg|1/(kg m^2)] response to a unit generalised force, at qpos0
    dof_M0: NDArray[np.float64]  # (nv,) [kg|kg m^2] diagonal of the mass matrix at qpos0
    dof_length: NDArray[np.float64]  # (nv,) [m] 1 for translations; for rotations a typical lever arm
    tree_bodyadr: NDArray[np.int32]  # (ntree,) first body
    tree_bodynum: NDArray[np.int32]  # (ntree,) bodies
    tree_dofadr: NDArray[np.int32]  # (ntree,) first dof
    tree_dofnum: NDArray[np.int32]  # (ntree,) dofs
    tree_sleep_policy: NDArray[np.int32]  # (ntree,) whether it may be put to sleep (SleepPolicy)
    geom_type: NDArray[np.int32]  # (ngeom,) shape (GeomType)
    geom_contype: NDArray[np.int32]  # (ngeom,) bits it offers; a pair is tested if they meet the other's conaffinity
    geom_conaffinity: NDArray[np.int32]  # (ngeom,) bits it accepts
    geom_condim: NDArray[np.int32]  # (ngeom,) directions in which its contacts push: 1, 3, 4 or 6
    geom_bodyid: NDArray[np.int32]  # (ngeom,) body that carries it
    geom_dataid: NDArray[np.int32]  # (ngeom,) its mesh or height field; -1 if neither
    geom_matid: NDArray[np.int32]  # (ngeom,) material; -1 if none
    geom_group: NDArray[np.int32]  # (ngeom,) visibility group
    geom_priority: NDArray[np.int32]  # (ngeom,) the geom of higher priority alone decides the contact's parameters
    geom_frictionlaw: NDArray[np.int32]  # (ngeom,) how its friction holds (OwnFrictionLaw): 0 as the option says, 1...
    geom_plugin: NDArray[np.int32]  # (ngeom,) always -1: there are no plugins
    geom_sameframe: NDArray[np.uint8]  # (ngeom,) frame of the body it coincides with (SameFrame)
    geom_castshadow: NDArray[np.bool_]  # (ngeom,) whether it casts shadows; kept for viewers
    geom_solmix: NDArray[np.float64]  # (ngeom,) its weight when solref and solimp of two geoms are averaged
    geom_solref: NDArray[np.float64]  # (ngeom, kNumRef) spring and damper of its contacts
    geom_solimp: NDArray[np.float64]  # (ngeom, kNumImp) impedance of its contacts
    geom_size: NDArray[np.float64]  # (ngeom, 3) [m] half sizes, as the shape uses them
    geom_aabb: NDArray[np.float64]  # (ngeom, 6) [m] centre and half sizes of a box around it, in its own frame
    geom_rbound: NDArray[np.float64]  # (ngeom,) [m] radius of a sphere around it; 0 for a plane
    geom_pos: NDArray[np.float64]  # (ngeom, 3) [m] centre in the body frame
    geom_quat: NDArray[np.float64]  # (ngeom, 4) orientation in the body frame
    geom_friction: NDArray[np.float64]  # (ngeom, 3) [1, m, m] sliding, torsional and rolling friction
    geom_margin: NDArray[np.float64]  # (ngeom,) [m] thickness added to the surface for contact
    geom_gap: NDArray[np.float64]  # (ngeom,) [m] further distance at which contacts are found but do not push
    geom_surfacevel: NDArray[np.float64]  # (ngeom, 6) [m/s, rad/s] velocity of the surface relative to the geom, in...
    geom_adhesion: NDArray[np.float64]  # (ngeom,) [N] attracting force of its contacts
    geom_fluid: NDArray[np.float64]  # (ngeom, kNumFluid) ellipsoid fluid model: switch, drag and lift coefficients,...
    geom_user: NDArray[np.float64]  # (ngeom, nuser_geom) numbers for the user
    geom_rgba: NDArray[np.float32]  # (ngeom, 4) colour if it has no material
    site_type: NDArray[np.int32]  # (nsite,) shape (GeomType)
    site_bodyid: NDArray[np.int32]  # (nsite,) body that carries it
    site_matid: NDArray[np.int32]  # (nsite,) material; -1 if none
    site_group: NDArray[np.int32]  # (nsite,) visibility group
    site_sameframe: NDArray[np.uint8]  # (nsite,) frame of the body it coincides with (SameFrame)
    site_dataid: NDArray[np.int32]  # (nsite,) mesh of the site; -1 if none
    site_size: NDArray[np.float64]  # (nsite, 3) [m] half sizes, as the shape uses them
    site_pos: NDArray[np.float64]  # (nsite, 3) [m] centre in the body frame
    site_quat: NDArray[np.float64]  # (nsite, 4) orientation in the body frame
    site_user: NDArray[np.float64]  # (nsite, nuser_site) numbers for the user
    site_rgba: NDArray[np.float32]  # (nsite, 4) colour if it has no material
    cam_mode: NDArray[np.int32]  # (ncam,) how it follows bodies (CamLightMode)
    cam_bodyid: NDArray[np.int32]  # (ncam,) body that carries it
    cam_targetbodyid: NDArray[np.int32]  # (ncam,) body it looks at; -1 if none
    cam_pos: NDArray[np.float64]  # (ncam, 3) [m] position in the body frame
    cam_quat: NDArray[np.float64]  # (ncam, 4) orientation in the body frame
    cam_poscom0: NDArray[np.float64]  # (ncam, 3) [m] offset from its body's subtree centre of mass at qpos0, world axes
    cam_pos0: NDArray[np.float64]  # (ncam, 3) [m] offset from its body's origin at qpos0, world axes
    cam_mat0: NDArray[np.float64]  # (ncam, 9) rotation matrix in the world at qpos0
    cam_projection: NDArray[np.int32]  # (ncam,) 0 perspective, 1 orthographic
    cam_fovy: NDArray[np.float64]  # (ncam,) [deg|m] vertical opening angle; orthographic: height of the picture
    cam_ipd: NDArray[np.float64]  # (ncam,) [m] distance between the eyes, for stereo pictures
    cam_resolution: NDArray[np.int32]  # (ncam, 2) [pixel] width and height of the picture
    cam_output: NDArray[np.int32]  # (ncam,) bits: which pictures it takes (colour, depth, …)
    cam_sensorsize: NDArray[np.float32]  # (ncam, 2) [m] width and height of the sensor; 0 if the opening angle is us...
    cam_intrinsic: NDArray[np.float32]  # (ncam, 4) [m] focal lengths and principal point, x and y each
    cam_user: NDArray[np.float64]  # (ncam, nuser_cam) numbers for the user
    light_mode: NDArray[np.int32]  # (nlight,) how it follows bodies (CamLightMode)
    light_bodyid: NDArray[np.int32]  # (nlight,) body that carries it
    light_targetbodyid: NDArray[np.int32]  # (nlight,) body it points at; -1 if none
    light_type: NDArray[np.int32]  # (nlight,) spot, directional, point or image (LightType)
    light_texid: NDArray[np.int32]  # (nlight,) texture of an image light; -1 if none
    light_castshadow: NDArray[np.bool_]  # (nlight,) whether it throws shadows
    light_bulbradius: NDArray[np.float32]  # (nlight,) [m] radius of the lamp; softens shadows
    light_intensity: NDArray[np.float32]  # (nlight,) [cd] luminous intensity; 0 leaves it to the renderer
    light_range: NDArray[np.float32]  # (nlight,) [m] distance beyond which it lights nothing
    light_active: NDArray[np.bool_]  # (nlight,) whether it is on
    light_pos: NDArray[np.float64]  # (nlight, 3) [m] position in the body frame
    light_dir: NDArray[np.float64]  # (nlight, 3) unit direction in the body frame
    light_poscom0: NDArray[np.float64]  # (nlight, 3) [m] offset from its body's subtree centre of mass at qpos0, wor...
    light_pos0: NDArray[np.float64]  # (nlight, 3) [m] offset from its body's origin at qpos0, world axes
    light_dir0: NDArray[np.float64]  # (nlight, 3) direction in the world at qpos0
    light_attenuation: NDArray[np.float32]  # (nlight, 3) constant, linear and quadratic fall-off with distance
    light_cutoff: NDArray[np.float32]  # (nlight,) [deg] half opening angle of a spot
    light_softness: NDArray[np.float32]  # (nlight,) how gradually the rim of a spot darkens
    light_exponent: NDArray[np.float32]  # (nlight,) how strongly a spot gathers at its centre
    light_ambient: NDArray[np.float32]  # (nlight, 3) ambient colour
    light_diffuse: NDArray[np.float32]  # (nlight, 3) diffuse colour
    light_specular: NDArray[np.float32]  # (nlight, 3) colour of highlights
    mesh_vertadr: NDArray[np.int32]  # (nmesh,) first vertex
    mesh_vertnum: NDArray[np.int32]  # (nmesh,) vertices
    mesh_faceadr: NDArray[np.int32]  # (nmesh,) first triangle
    mesh_facenum: NDArray[np.int32]  # (nmesh,) triangles
    mesh_bvhadr: NDArray[np.int32]  # (nmesh,) root of its bounding-box tree
    mesh_bvhnum: NDArray[np.int32]  # (nmesh,) boxes in that tree
    mesh_octadr: NDArray[np.int32]  # (nmesh,) always -1: there are no octrees
    mesh_octnum: NDArray[np.int32]  # (nmesh,) always 0
    mesh_normaladr: NDArray[np.int32]  # (nmesh,) first normal
    mesh_normalnum: NDArray[np.int32]  # (nmesh,) normals
    mesh_texcoordadr: NDArray[np.int32]  # (nmesh,) first texture coordinate; -1 if none
    mesh_texcoordnum: NDArray[np.int32]  # (nmesh,) texture coordinates
    mesh_graphadr: NDArray[np.int32]  # (nmesh,) its convex hull in mesh_graph; -1 if none
    mesh_extrema: NDArray[np.int32]  # (nmesh, 27) vertex farthest out in each of 27 grid directions
    mesh_vert: NDArray[np.float32]  # (nmeshvert, 3) [m] vertices, in the mesh's principal frame
    mesh_normal: NDArray[np.float32]  # (nmeshnormal, 3) unit normals
    mesh_texcoord: NDArray[np.float32]  # (nmeshtexcoord, 2) texture coordinates
    mesh_face: NDArray[np.int32]  # (nmeshface, 3) vertices of each triangle
    mesh_facenormal: NDArray[np.int32]  # (nmeshface, 3) normals at the corners of each triangle
    mesh_facetexcoord: NDArray[np.int32]  # (nmeshface, 3) texture coordinates at the corners of each triangle
    mesh_graph: NDArray[np.int32]  # (nmeshgraph,) convex hulls: vertices, their neighbours, faces
    mesh_scale: NDArray[np.float64]  # (nmesh, 3) factors applied to the file's vertices
    mesh_pos: NDArray[np.float64]  # (nmesh, 3) [m] principal frame in the file's frame: position
    mesh_quat: NDArray[np.float64]  # (nmesh, 4) principal frame in the file's frame: orientation
    mesh_pathadr: NDArray[np.int32]  # (nmesh,) its file in paths; -1 if none
    mesh_polynum: NDArray[np.int32]  # (nmesh,) polygons of the hull
    mesh_polyadr: NDArray[np.int32]  # (nmesh,) first of those polygons
    mesh_polynormal: NDArray[np.float64]  # (nmeshpoly, 3) unit normal of each polygon
    mesh_polyvertadr: NDArray[np.int32]  # (nmeshpoly,) first corner of each polygon, in mesh_polyvert
    mesh_polyvertnum: NDArray[np.int32]  # (nmeshpoly,) corners of each polygon
    mesh_polyvert: NDArray[np.int32]  # (nmeshpolyvert,) vertices at the corners
    mesh_polymapadr: NDArray[np.int32]  # (nmeshvert,) first polygon that meets at each vertex, in mesh_polymap
    mesh_polymapnum: NDArray[np.int32]  # (nmeshvert,) polygons that meet at each vertex
    mesh_polymap: NDArray[np.int32]  # (nmeshpolymap,) those polygons
    skin_matid: NDArray[np.int32]  # (nskin,) material; -1 if none
    skin_group: NDArray[np.int32]  # (nskin,) visibility group
    skin_rgba: NDArray[np.float32]  # (nskin, 4) colour if it has no material
    skin_inflate: NDArray[np.float32]  # (nskin,) [m] offset along the normals
    skin_vertadr: NDArray[np.int32]  # (nskin,) first vertex
    skin_vertnum: NDArray[np.int32]  # (nskin,) vertices
    skin_texcoordadr: NDArray[np.int32]  # (nskin,) first texture coordinate; -1 if none
    skin_faceadr: NDArray[np.int32]  # (nskin,) first triangle
    skin_facenum: NDArray[np.int32]  # (nskin,) triangles
    skin_boneadr: NDArray[np.int32]  # (nskin,) first bone
    skin_bonenum: NDArray[np.int32]  # (nskin,) bones
    skin_vert: NDArray[np.float32]  # (nskinvert, 3) [m] vertices
    skin_texcoord: NDArray[np.float32]  # (nskintexvert, 2) texture coordinates
    skin_face: NDArray[np.int32]  # (nskinface, 3) vertices of each triangle
    skin_bonevertadr: NDArray[np.int32]  # (nskinbone,) first vertex a bone moves, in skin_bonevertid
    skin_bonevertnum: NDArray[np.int32]  # (nskinbone,) vertices a bone moves
    skin_bonebindpos: NDArray[np.float32]  # (nskinbone, 3) [m] position of the bone when the skin was bound
    skin_bonebindquat: NDArray[np.float32]  # (nskinbone, 4) orientation of the bone when the skin was bound
    skin_bonebodyid: NDArray[np.int32]  # (nskinbone,) body the bone follows
    skin_bonevertid: NDArray[np.int32]  # (nskinbonevert,) vertices moved, all bones in turn
    skin_bonevertweight: NDArray[np.float32]  # (nskinbonevert,) how strongly each of them follows the bone
    skin_pathadr: NDArray[np.int32]  # (nskin,) its file in paths; -1 if none
    hfield_size: NDArray[np.float64]  # (nhfield, 4) [m] half x, half y, height at value 1, thickness below 0
    hfield_nrow: NDArray[np.int32]  # (nhfield,) samples along y
    hfield_ncol: NDArray[np.int32]  # (nhfield,) samples along x
    hfield_adr: NDArray[np.int32]  # (nhfield,) first sample in hfield_data
    hfield_data: NDArray[np.float32]  # (nhfielddata,) heights between 0 and 1, row by row
    hfield_pathadr: NDArray[np.int32]  # (nhfield,) its file in paths; -1 if none
    tex_type: NDArray[np.int32]  # (ntex,) 2d, cube or skybox (TextureType)
    tex_colorspace: NDArray[np.int32]  # (ntex,) meaning of the pixel values (ColorSpace)
    tex_height: NDArray[np.int32]  # (ntex,) [pixel] height; cubes stack six squares
    tex_width: NDArray[np.int32]  # (ntex,) [pixel] width
    tex_nchannel: NDArray[np.int32]  # (ntex,) bytes per pixel
    tex_adr: NDArray[np.int64]  # (ntex,) first byte in tex_data
    tex_data: NDArray[np.uint8]  # (ntexdata,) pixels, row by row
    tex_pathadr: NDArray[np.int32]  # (ntex,) its file in paths; -1 if none
    tex_contenttypeadr: NDArray[np.int32]  # (ntex,) its content type in paths; -1 if none
    mat_texid: NDArray[np.int32]  # (nmat, kNumTexRole) texture for each role; -1 if none
    mat_texuniform: NDArray[np.bool_]  # (nmat,) whether repetitions count per length rather than per object
    mat_texrepeat: NDArray[np.float32]  # (nmat, 2) repetitions of the texture along x and y
    mat_emission: NDArray[np.float32]  # (nmat,) own light, as a share of the colour
    mat_specular: NDArray[np.float32]  # (nmat,) strength of highlights
    mat_shininess: NDArray[np.float32]  # (nmat,) sharpness of highlights
    mat_reflectance: NDArray[np.float32]  # (nmat,) share of mirrored light; 0 for none
    mat_metallic: NDArray[np.float32]  # (nmat,) metalness of physically based renderers; -1 if not given
    mat_roughness: NDArray[np.float32]  # (nmat,) roughness of physically based renderers; -1 if not given
    mat_rgba: NDArray[np.float32]  # (nmat, 4) colour
    pair_dim: NDArray[np.int32]  # (npair,) directions in which its contacts push: 1, 3, 4 or 6
    pair_frictionlaw: NDArray[np.int32]  # (npair,) how its friction holds (OwnFrictionLaw): 0 as the option says, 1...
    pair_geom1: NDArray[np.int32]  # (npair,) first geom
    pair_geom2: NDArray[np.int32]  # (npair,) second geom
    pair_signature: NDArray[np.int32]  # (npair,) the two bodies as one number, the lower id in the high 16 bits
    pair_solref: NDArray[np.float64]  # (npair, kNumRef) spring and damper along the normal
    pair_solreffriction: NDArray[np.float64]  # (npair, kNumRef) spring and damper of friction; zeros: as along the n...
    pair_solimp: NDArray[np.float64]  # (npair, kNumImp) impedance
    pair_margin: NDArray[np.float64]  # (npair,) [m] thickness added to the surfaces for contact
    pair_gap: NDArray[np.float64]  # (npair,) [m] further distance at which contacts are found but do not push
    pair_adhesion: NDArray[np.float64]  # (npair,) [N] attracting force of its contacts
    pair_friction: NDArray[np.float64]  # (npair, 5) [1, 1, m, m, m] friction: two sliding, one torsional, two rolling
    exclude_signature: NDArray[np.int32]  # (nexclude,) the two bodies as one number, the lower id in the high 16 bits
    rank_bodyid: NDArray[np.int32]  # (nbody,) bodies by rank: rigid group by rigid group, groups without dofs first
    rank_first: NDArray[np.int32]  # (nbody,) lowest rank above its own that joints let it touch; all higher ones fol...
    eq_type: NDArray[np.int32]  # (neq,) connect, weld, joint, tendon, … (EqualityType)
    eq_obj1id: NDArray[np.int32]  # (neq,) first object
    eq_obj2id: NDArray[np.int32]  # (neq,) second object; -1 if none
    eq_objtype: NDArray[np.int32]  # (neq,) kind of both objects (ObjType)
    eq_active0: NDArray[np.bool_]  # (neq,) whether it is on at the start
    eq_solref: NDArray[np.float64]  # (neq, kNumRef) spring and damper
    eq_solimp: NDArray[np.float64]  # (neq, kNumImp) impedance
    eq_data: NDArray[np.float64]  # (neq, kNumEqData) connect: anchors; weld: anchor, relative pose, torque scale; jo...
    eq_mimicid: NDArray[np.int32]  # (neq,) place among the mimic constraints; -1 if it is another kind
    mimic_eqid: NDArray[np.int32]  # (nmimic,) equality it is; its eq_obj1id is the follower, its eq_obj2id the first...
    mimic_mode: NDArray[np.int32]  # (nmimic,) exact, hard or soft (MimicMode)
    mimic_leadadr: NDArray[np.int32]  # (nmimic,) first of its leaders in mimic_leadid and mimic_gear
    mimic_leadnum: NDArray[np.int32]  # (nmimic,) its leaders
    mimic_leadid: NDArray[np.int32]  # (nmimiclead,) joints that lead, all mimics in turn
    mimic_blockid: NDArray[np.int32]  # (nmimic,) group of mimics whose trees are connected by mimics: Gauss-Seidel s...
    mimicrow_mimicid: NDArray[np.int32]  # (nmimicrow,) the hard and soft ones, in the order of their rows: block by...
    follower_mimicid: NDArray[np.int32]  # (nfollower,) the exact ones, in the order in which followers are eliminate...
    mimic_gear: NDArray[np.float64]  # (nmimiclead,) gear of each leader
    mimic_offset: NDArray[np.float64]  # (nmimic,) [m|rad] offset
    mimic_naturalfreq: NDArray[np.float64]  # (nmimic,) [rad/s] soft: natural frequency of the coupling
    mimic_dampratio: NDArray[np.float64]  # (nmimic,) soft: damping ratio of the coupling
    mimic_erp: NDArray[np.float64]  # (nmimic,) hard: share of the residual that a step removes
    tendon_type: NDArray[np.int32]  # (ntendon,) fixed or spatial (TendonType)
    tendon_adr: NDArray[np.int32]  # (ntendon,) first element of its path, in wrap_*
    tendon_num: NDArray[np.int32]  # (ntendon,) elements of its path
    tendon_matid: NDArray[np.int32]  # (ntendon,) material; -1 if none
    tendon_actuatorid: NDArray[np.int32]  # (ntendon,) actuator that adds damping or armature to it; -1 if none
    tendon_plasticadr: NDArray[np.int32]  # (ntendon,) first of the two numbers of its spring's rest lengths in plast...
    tendon_group: NDArray[np.int32]  # (ntendon,) visibility group
    tendon_treenum: NDArray[np.int32]  # (ntendon,) kinematic trees its path touches
    tendon_treeid: NDArray[np.int32]  # (ntendon, 2) first two of those trees; -1 if fewer
    ten_J_rownnz: NDArray[np.int32]  # (ntendon,) dofs that can change its length
    ten_J_rowadr: NDArray[np.int32]  # (ntendon,) first of those dofs in ten_J_colind
    ten_J_colind: NDArray[np.int32]  # (nJten,) those dofs, all tendons in turn
    tendon_limited: NDArray[np.bool_]  # (ntendon,) whether tendon_range is enforced
    tendon_actfrclimited: NDArray[np.bool_]  # (ntendon,) whether tendon_actfrcrange is enforced
    tendon_width: NDArray[np.float64]  # (ntendon,) [m] thickness in pictures
    tendon_solref_lim: NDArray[np.float64]  # (ntendon, kNumRef) spring and damper of the limit
    tendon_solimp_lim: NDArray[np.float64]  # (ntendon, kNumImp) impedance of the limit
    tendon_solref_fri: NDArray[np.float64]  # (ntendon, kNumRef) spring and damper of dry friction
    tendon_solimp_fri: NDArray[np.float64]  # (ntendon, kNumImp) impedance of dry friction
    tendon_range: NDArray[np.float64]  # (ntendon, 2) [m|rad] shortest and longest length
    tendon_actfrcrange: NDArray[np.float64]  # (ntendon, 2) [N|N m] bounds of the summed actuator force on it
    tendon_margin: NDArray[np.float64]  # (ntendon,) [m|rad] distance from the limit at which it begins to act
    tendon_stiffness: NDArray[np.float64]  # (ntendon,) [N/m|N m/rad] spring constant
    tendon_stiffnesspoly: NDArray[np.float64]  # (ntendon, kNumPoly) spring terms of second and third order in the st...
    tendon_damping: NDArray[np.float64]  # (ntendon,) [N s/m|N m s/rad] viscous damping
    tendon_dampingpoly: NDArray[np.float64]  # (ntendon, kNumPoly) damping terms of second and third order in the vel...
    tendon_armature: NDArray[np.float64]  # (ntendon,) [kg|kg m^2] inertia felt when its length changes
    tendon_frictionloss: NDArray[np.float64]  # (ntendon,) [N|N m] dry friction
    tendon_lengthspring: NDArray[np.float64]  # (ntendon, 2) [m|rad] lengths between which its spring pulls nothing
    tendon_springyield: NDArray[np.float64]  # (ntendon,) [m|rad] stretch of the spring at which it yields
    tendon_length0: NDArray[np.float64]  # (ntendon,) [m|rad] length at qpos0
    tendon_invweight0: NDArray[np.float64]  # (ntendon,) [1/kg|1/(kg m^2)] response of its length to a unit tension,...
    tendon_user: NDArray[np.float64]  # (ntendon, nuser_tendon) numbers for the user
    tendon_rgba: NDArray[np.float32]  # (ntendon, 4) colour if it has no material
    wrap_type: NDArray[np.int32]  # (nwrap,) joint, pulley, site, sphere or cylinder (WrapType)
    wrap_objid: NDArray[np.int32]  # (nwrap,) the joint, site or geom; -1 for a pulley
    wrap_prm: NDArray[np.float64]  # (nwrap,) joint: coefficient; pulley: divisor; geom: side site, -1 if none
    actuator_trntype: NDArray[np.int32]  # (nactuator,) what it acts on (TransmissionType)
    actuator_dyntype: NDArray[np.int32]  # (nactuator,) law of its activation (DynType)
    actuator_gaintype: NDArray[np.int32]  # (nactuator,) law of the factor on its input (GainType)
    actuator_biastype: NDArray[np.int32]  # (nactuator,) law of the force without input (BiasType)
    actuator_ctrladr: NDArray[np.int32]  # (nactuator,) first of its controls
    actuator_ctrlnum: NDArray[np.int32]  # (nactuator,) controls
    actuator_ctrlspec: NDArray[np.int32]  # (nactuator,) meaning of its controls: bits or chart, by gain type
    actuator_outadr: NDArray[np.int32]  # (nactuator,) first of its force outputs
    actuator_outnum: NDArray[np.int32]  # (nactuator,) force outputs
    actuator_actadr: NDArray[np.int32]  # (nactuator,) first of its activations; -1 if none
    actuator_actnum: NDArray[np.int32]  # (nactuator,) activations
    actuator_trnid: NDArray[np.int32]  # (nactuator, 2) target, and reference or slider site; -1 if none
    actuator_cranklength: NDArray[np.float64]  # (nactuator,) [m] length of the rod of a slider-crank
    actuator_dynprm: NDArray[np.float64]  # (nactuator, kNumDyn) parameters of dyntype
    actuator_gainprm: NDArray[np.float64]  # (nactuator, kNumGain) parameters of gaintype
    actuator_biasprm: NDArray[np.float64]  # (nactuator, kNumBias) parameters of biastype
    actuator_actlimited: NDArray[np.bool_]  # (nactuator,) whether actuator_actrange is enforced
    actuator_actrange: NDArray[np.float64]  # (nactuator, 2) bounds of the activation
    actuator_actearly: NDArray[np.bool_]  # (nactuator,) whether its force uses the activation of the end of the step
    actuator_history: NDArray[np.int32]  # (nactuator, 2) length of its control history, and order of interpolation i...
    actuator_historyadr: NDArray[np.int32]  # (nactuator,) first number of that history; -1 if none
    actuator_delay: NDArray[np.float64]  # (nactuator,) [s] how late controls take effect
    actuator_damping: NDArray[np.float64]  # (nactuator,) viscous damping added to its target
    actuator_dampingpoly: NDArray[np.float64]  # (nactuator, kNumPoly) damping terms of second and third order in the...
    actuator_armature: NDArray[np.float64]  # (nactuator,) [kg|kg m^2] inertia added to its target
    actuator_group: NDArray[np.int32]  # (nactuator,) group, for switching actuators off together
    actuator_user: NDArray[np.float64]  # (nactuator, nuser_actuator) numbers for the user
    actuator_plugin: NDArray[np.int32]  # (nactuator,) always -1: there are no plugins
    actuator_forcelimited: NDArray[np.bool_]  # (nactuator,) whether actuator_forcerange is enforced
    actuator_forcerange: NDArray[np.float64]  # (nactuator, 2) [N|N m] bounds of its force
    actuator_ctrllimited: NDArray[np.bool_]  # (nu,) whether actuator_ctrlrange is enforced, per control
    actuator_ctrlrange: NDArray[np.float64]  # (nu, 2) bounds, per control
    actuator_gear: NDArray[np.float64]  # (nout, 6) factor between target and actuator, per output; sites and 3D join...
    actuator_acc0: NDArray[np.float64]  # (nout,) size of the acceleration caused by a unit force at qpos0, per output
    actuator_length0: NDArray[np.float64]  # (nout,) [m|rad] length at qpos0, per output
    actuator_lengthrange: NDArray[np.float64]  # (nout, 2) [m|rad] shortest and longest length the mechanism allows,...
    sensor_type: NDArray[np.int32]  # (nsensor,) what it measures (SensorType)
    sensor_datatype: NDArray[np.int32]  # (nsensor,) real, positive, axis or quaternion (DataType)
    sensor_needstage: NDArray[np.int32]  # (nsensor,) stage of the step after which it can be read (Stage)
    sensor_objtype: NDArray[np.int32]  # (nsensor,) kind of its object (ObjType)
    sensor_objid: NDArray[np.int32]  # (nsensor,) its object; -1 if none
    sensor_reftype: NDArray[np.int32]  # (nsensor,) kind of the frame it is expressed in (ObjType)
    sensor_refid: NDArray[np.int32]  # (nsensor,) that frame; -1 for the world
    sensor_intprm: NDArray[np.int32]  # (nsensor, kNumSensorPrm) whole-number parameters of its type
    sensor_dim: NDArray[np.int32]  # (nsensor,) numbers it delivers
    sensor_adr: NDArray[np.int32]  # (nsensor,) first of them in sensordata
    sensor_cutoff: NDArray[np.float64]  # (nsensor,) magnitude at which its values are clipped; 0 for none
    sensor_noise: NDArray[np.float64]  # (nsensor,) standard deviation of its noise, for the user's information
    sensor_history: NDArray[np.int32]  # (nsensor, 2) length of its reading history, and order of interpolation in it
    sensor_historyadr: NDArray[np.int32]  # (nsensor,) first number of that history; -1 if none
    sensor_delay: NDArray[np.float64]  # (nsensor,) [s] how late readings appear
    sensor_interval: NDArray[np.float64]  # (nsensor, 2) [s] time between readings, and offset of the first
    sensor_user: NDArray[np.float64]  # (nsensor, nuser_sensor) numbers for the user
    sensor_plugin: NDArray[np.int32]  # (nsensor,) always -1: there are no plugins
    numeric_adr: NDArray[np.int32]  # (nnumeric,) first number in numeric_data
    numeric_size: NDArray[np.int32]  # (nnumeric,) how many numbers
    numeric_data: NDArray[np.float64]  # (nnumericdata,) numbers, all entries in turn
    text_adr: NDArray[np.int32]  # (ntext,) first character in text_data
    text_size: NDArray[np.int32]  # (ntext,) characters, the closing zero included
    text_data: _Bytes  # texts, all entries in turn
    tuple_adr: NDArray[np.int32]  # (ntuple,) first element in tuple_*
    tuple_size: NDArray[np.int32]  # (ntuple,) elements
    tuple_objtype: NDArray[np.int32]  # (ntupledata,) kind of each element (ObjType)
    tuple_objid: NDArray[np.int32]  # (ntupledata,) id of each element
    tuple_objprm: NDArray[np.float64]  # (ntupledata,) number attached to each element
    key_time: NDArray[np.float64]  # (nkey,) [s] time
    key_qpos: NDArray[np.float64]  # (nkey, nq) [m|rad] configuration
    key_qvel: NDArray[np.float64]  # (nkey, nv) [m/s|rad/s] velocities
    key_act: NDArray[np.float64]  # (nkey, na) activations
    key_plastic: NDArray[np.float64]  # (nkey, nplastic) [m|rad] rest positions of springs that yield
    key_mpos: NDArray[np.float64]  # (nkey, nmocap*3) [m] positions of the mocap bodies
    key_mquat: NDArray[np.float64]  # (nkey, nmocap*4) orientations of the mocap bodies
    key_ctrl: NDArray[np.float64]  # (nkey, nu) controls
    name_bodyadr: NDArray[np.int32]  # (nbody,) body names: first character in names
    name_jntadr: NDArray[np.int32]  # (njnt,) likewise, joints
    name_geomadr: NDArray[np.int32]  # (ngeom,) likewise, geoms
    name_siteadr: NDArray[np.int32]  # (nsite,) likewise, sites
    name_camadr: NDArray[np.int32]  # (ncam,) likewise, cameras
    name_lightadr: NDArray[np.int32]  # (nlight,) likewise, lights
    name_meshadr: NDArray[np.int32]  # (nmesh,) likewise, meshes
    name_skinadr: NDArray[np.int32]  # (nskin,) likewise, skins
    name_hfieldadr: NDArray[np.int32]  # (nhfield,) likewise, height fields
    name_texadr: NDArray[np.int32]  # (ntex,) likewise, textures
    name_matadr: NDArray[np.int32]  # (nmat,) likewise, materials
    name_pairadr: NDArray[np.int32]  # (npair,) likewise, contact pairs
    name_excludeadr: NDArray[np.int32]  # (nexclude,) likewise, excluded pairs
    name_eqadr: NDArray[np.int32]  # (neq,) likewise, equality constraints
    name_tendonadr: NDArray[np.int32]  # (ntendon,) likewise, tendons
    name_actuatoradr: NDArray[np.int32]  # (nactuator,) likewise, actuators
    name_sensoradr: NDArray[np.int32]  # (nsensor,) likewise, sensors
    name_numericadr: NDArray[np.int32]  # (nnumeric,) likewise, numbers of the user
    name_textadr: NDArray[np.int32]  # (ntext,) likewise, texts of the user
    name_tupleadr: NDArray[np.int32]  # (ntuple,) likewise, tuples of the user
    name_keyadr: NDArray[np.int32]  # (nkey,) likewise, keyframes
    names: _Bytes  # the model's name, then those of all objects, each ended by a zero
    names_map: NDArray[np.int32]  # (nnames_map,) hash tables from names to ids, one per kind; -1 marks a free slot
    paths: _Bytes  # files of the assets, each ended by a zero
    B_rownnz: NDArray[np.int32]  # (nbody,) dofs that move the body
    B_rowadr: NDArray[np.int32]  # (nbody,) first of those dofs in B_colind
    B_colind: NDArray[np.int32]  # (nB,) those dofs, all bodies in turn
    M_rownnz: NDArray[np.int32]  # (nv,) entries in each row of the mass matrix's lower half
    M_rowadr: NDArray[np.int32]  # (nv,) first entry of each row in M_colind
    M_colind: NDArray[np.int32]  # (nC,) column of each entry
    M_parentid: NDArray[np.int32]  # (nv,) next column of each row towards the first, -1 at its end: dof_parentid, un...
    M_chainnum: NDArray[np.int32]  # (nv,) how many dofs directly before it, without a gap, are columns of its row; l...
    mapM2M: NDArray[np.int32]  # (nC,) where each of these entries stands in the packed mass matrix of dof_Madr
    D_rownnz: NDArray[np.int32]  # (nv,) entries in each row of the whole dof-dof pattern
    D_rowadr: NDArray[np.int32]  # (nv,) first entry of each row in D_colind
    D_diag: NDArray[np.int32]  # (nv,) place of the diagonal in each row
    D_colind: NDArray[np.int32]  # (nD,) column of each entry
    mapM2D: NDArray[np.int32]  # (nD,) entry of the lower half that each entry of the whole pattern repeats
    mapD2M: NDArray[np.int32]  # (nC,) entry of the whole pattern that each entry of the lower half comes from
    # --- end ---

def run_program(program: str, words: list[bytes]) -> int: ...
def code_table() -> list[tuple[int, str, str]]: ...
def joint_types() -> list[tuple[str, int, int]]: ...
def model_fields() -> list[dict[str, str]]: ...
def model_sizes() -> list[tuple[str, str]]: ...

class FatalError(RuntimeError): ...

class StepError(FatalError):
    faults: int

class Spec:
    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        xml: str | None = None,
        assets: Mapping[str, bytes] | None = None,
        allow_unsupported: bool = False,
    ) -> None: ...
    def to_xml(self, *, for_mujoco: bool = False, file: str | os.PathLike[str] | None = None) -> str: ...
    def save(
        self,
        path: str | os.PathLike[str],
        *,
        for_mujoco: bool = False,
        copy_assets: str | os.PathLike[str] | None = None,
        force: bool = False,
    ) -> None: ...
    @property
    def diagnostics(self) -> list[Diagnostic]: ...

class State:
    def __init__(self, model: Model) -> None: ...
    def __copy__(self) -> State: ...
    def assign(self, other: State) -> None: ...
    def reset(self, model: Model, key: int = ..., project: bool = False) -> None: ...
    def hash(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def __getstate__(self) -> _Bytes: ...
    def __setstate__(self, state: _Bytes) -> None: ...
    # --- made by scripts/make-stubs: State ---
    time: NDArray[np.float64]  # (1,) [s] simulated time
    qpos: NDArray[np.float64]  # (nq,) [m|rad] configuration; quaternions are normalised where they are used
    qvel: NDArray[np.float64]  # (nv,) [m/s|rad/s] velocities
    act: NDArray[np.float64]  # (na,) activations of actuators
    history: NDArray[np.float64]  # (nhistory,) past controls and sensor readings, for delays
    plastic: NDArray[np.float64]  # (nplastic,) [m|rad] rest positions of springs that yield
    ctrl: NDArray[np.float64]  # (nu,) controls
    qfrc_applied: NDArray[np.float64]  # (nv,) [N|N m] generalised force applied by the user
    xfrc_applied: NDArray[np.float64]  # (nbody, 6) [N, N m] force and torque applied by the user at the centre of ma...
    mocap_pos: NDArray[np.float64]  # (nmocap, 3) [m] positions of mocap bodies
    mocap_quat: NDArray[np.float64]  # (nmocap, 4) orientations of mocap bodies
    eq_active: NDArray[np.bool_]  # (neq,) which equality constraints are on
    userdata: NDArray[np.float64]  # (nuserdata,) numbers of the user; the engine does not touch them
    qacc_warmstart: NDArray[np.float64]  # (nv,) [m/s^2|rad/s^2] acceleration with which the solver starts
    # --- end ---

class Data:
    def __init__(self, model: Model) -> None: ...
    def __copy__(self) -> Data: ...
    def assign(self, other: Data) -> None: ...
    def reset(self) -> None: ...
    @property
    def ncon(self) -> int: ...
    timing: bool
    def times(self) -> list[tuple[str, int, int]]: ...
    @property
    def npair_tested(self) -> int: ...
    def contact_memory(self) -> NDArray[np.uint8]: ...
    def reserve_arena(self, bytes: int, fixed: bool = False) -> None: ...
    @property
    def bytes(self) -> int: ...
    def __getstate__(self) -> _Bytes: ...
    def __setstate__(self, state: _Bytes) -> None: ...
    # --- made by scripts/make-stubs: Data ---
    xpos: NDArray[np.float64]  # (nbody, 3) [m] origin of the body frame
    xquat: NDArray[np.float64]  # (nbody, 4) orientation of the body frame
    xmat: NDArray[np.float64]  # (nbody, 9) orientation of the body frame as a matrix
    xipos: NDArray[np.float64]  # (nbody, 3) [m] centre of mass of the body
    xiquat: NDArray[np.float64]  # (nbody, 4) principal axes of the body's inertia as a quaternion
    ximat: NDArray[np.float64]  # (nbody, 9) principal axes of the body's inertia
    xanchor: NDArray[np.float64]  # (njnt, 3) [m] anchor of the joint
    xaxis: NDArray[np.float64]  # (njnt, 3) axis of the joint
    hinge_cos: NDArray[np.float64]  # (njnt,) cosine of half the angle of a hinge
    hinge_sin: NDArray[np.float64]  # (njnt,) sine of half the angle of a hinge
    geom_xpos: NDArray[np.float64]  # (ngeom, 3) [m] centre of the geom
    geom_xquat: NDArray[np.float64]  # (ngeom, 4) orientation of the geom as a quaternion
    geom_xmat: NDArray[np.float64]  # (ngeom, 9) orientation of the geom
    site_xpos: NDArray[np.float64]  # (nsite, 3) [m] centre of the site
    site_xquat: NDArray[np.float64]  # (nsite, 4) orientation of the site as a quaternion
    site_xmat: NDArray[np.float64]  # (nsite, 9) orientation of the site
    subtree_com: NDArray[np.float64]  # (nbody, 3) [m] centre of mass of the body and everything it carries
    cdof: NDArray[np.float64]  # (nv, 6) motion a unit velocity of the dof causes
    cinert: NDArray[np.float64]  # (nbody, 10) [kg m^2, kg m, kg] inertia (xx yy zz xy xz yz), mass times offset, mass
    cam_xpos: NDArray[np.float64]  # (ncam, 3) [m] position of the camera
    cam_xmat: NDArray[np.float64]  # (ncam, 9) orientation of the camera
    light_xpos: NDArray[np.float64]  # (nlight, 3) [m] position of the light
    light_xdir: NDArray[np.float64]  # (nlight, 3) direction of the light
    ten_wrapadr: NDArray[np.int32]  # (ntendon,) first point of the tendon's path in wrap_xpos
    ten_wrapnum: NDArray[np.int32]  # (ntendon,) points of the path
    ten_J: NDArray[np.float64]  # (nJten,) change of length per unit velocity of each dof in ten_J_colind
    ten_length: NDArray[np.float64]  # (ntendon,) [m|rad] length
    wrap_obj: NDArray[np.int32]  # (nwrap, 2) what each point lies on: a geom, -1 a site, -2 a pulley
    wrap_xpos: NDArray[np.float64]  # (nwrap, 6) [m] points of the paths, two to a row
    crb: NDArray[np.float64]  # (nbody, 10) [kg m^2, kg m, kg] inertia of the body and everything it carries, as cinert
    M: NDArray[np.float64]  # (nC,) mass matrix: lower half by rows, columns in M_colind
    qLD: NDArray[np.float64]  # (nC,) its factors L and D, M = L' D L, in the same places
    qLDiagInv: NDArray[np.float64]  # (nv,) inverse of D
    actuator_length: NDArray[np.float64]  # (nout,) [m|rad] length of the transmission, per output
    moment_rownnz: NDArray[np.int32]  # (nout,) entries in each row of actuator_moment
    moment_rowadr: NDArray[np.int32]  # (nout,) first entry of each row
    moment_colind: NDArray[np.int32]  # (nJmom,) dof of each entry
    actuator_moment: NDArray[np.float64]  # (nJmom,) change of length per unit velocity of each dof
    cvel: NDArray[np.float64]  # (nbody, 6) [rad/s, m/s] velocity of the body
    cdof_dot: NDArray[np.float64]  # (nv, 6) time derivative of cdof
    ten_velocity: NDArray[np.float64]  # (ntendon,) [m/s|rad/s] velocity of the tendon's length
    actuator_velocity: NDArray[np.float64]  # (nout,) [m/s|rad/s] velocity of the transmission's length, per output
    qfrc_spring: NDArray[np.float64]  # (nv,) [N|N m] springs of joints and tendons
    qfrc_damper: NDArray[np.float64]  # (nv,) [N|N m] dampers of joints and tendons
    qfrc_gravcomp: NDArray[np.float64]  # (nv,) [N|N m] gravity compensation
    qfrc_fluid: NDArray[np.float64]  # (nv,) [N|N m] fluid
    qfrc_adhesion: NDArray[np.float64]  # (nv,) [N|N m] adhesion of contacts
    qfrc_passive: NDArray[np.float64]  # (nv,) [N|N m] all passive forces
    qfrc_bias: NDArray[np.float64]  # (nv,) [N|N m] Coriolis, centrifugal and gravity forces, with the sign they have...
    bias_acc: NDArray[np.float64]  # (nbody, 6) working memory: acceleration of the body at qacc = 0
    bias_force: NDArray[np.float64]  # (nbody, 6) working memory: force on the body and everything it carries
    actuator_force: NDArray[np.float64]  # (nout,) [N|N m] force of the actuator, per output
    qfrc_actuator: NDArray[np.float64]  # (nv,) [N|N m] force of all actuators
    act_dot: NDArray[np.float64]  # (na,) time derivative of act
    ctrl_used: NDArray[np.float64]  # (nu,) controls after delay and clamping
    ctrl_clamped: NDArray[np.int32]  # (nu,) how often the control was outside its range, since the Data was made
    efm_ck: NDArray[np.float64]  # (nv,) discrete: h times the stiffness of the joint's spring
    efm_diag: NDArray[np.float64]  # (nv,) discrete: what springs and dampers of joints add to the diagonal of M, h b...
    efm_sdiag: NDArray[np.float64]  # (nv,) discrete: what everything adds to the diagonal of M
    efm_c: NDArray[np.float64]  # (nv,) [N|N m] discrete: -h K qvel of springs of joints and tendons, added to qfrc_s...
    efm_ca: NDArray[np.float64]  # (nv,) [N|N m] discrete: the same of actuators
    efm_tid: NDArray[np.int32]  # (ntendon,) discrete: tendons with terms in the metric, the first nefmT places
    efm_ts: NDArray[np.float64]  # (ntendon,) discrete: h b + h² k of the tendons in efm_tid
    efm_tk: NDArray[np.float64]  # (ntendon,) discrete: h k of them
    efm_aid: NDArray[np.int32]  # (nactuator,) discrete: actuators with terms in the metric, the first nefmA places
    efm_as: NDArray[np.float64]  # (nactuator,) discrete: h gv + h² gp of the actuators in efm_aid
    efm_ak: NDArray[np.float64]  # (nactuator,) discrete: h gp of them
    metric_M: NDArray[np.float64]  # (nC,) discrete: the metric as far as the pattern of M reaches; its factors are i...
    qfrc_metric: NDArray[np.float64]  # (nv,) [N|N m] discrete: qfrc_smooth + efm_c + efm_ca
    qfrc_smooth: NDArray[np.float64]  # (nv,) [N|N m] all forces but those of constraints
    qacc_smooth: NDArray[np.float64]  # (nv,) [m/s^2|rad/s^2] acceleration without constraints
    qfrc_constraint: NDArray[np.float64]  # (nv,) [N|N m] force of constraints
    qfrc_advance: NDArray[np.float64]  # (nv,) [N|N m] TGS: mean force of constraints over the substeps as positions...
    qacc: NDArray[np.float64]  # (nv,) [m/s^2|rad/s^2] acceleration
    qacc_advance: NDArray[np.float64]  # (nv,) [m/s^2|rad/s^2] acceleration that moved the velocities, implicit terms...
    next_qpos: NDArray[np.float64]  # (nq,) [m|rad] qpos after the step; State gets it once everything is known to be...
    next_qvel: NDArray[np.float64]  # (nv,) [m/s|rad/s] likewise qvel
    next_act: NDArray[np.float64]  # (na,) likewise act
    next_plastic: NDArray[np.float64]  # (nplastic,) [m|rad] likewise plastic
    qH: NDArray[np.float64]  # (nC,) factors of M plus implicit terms, as qLD
    qHDiagInv: NDArray[np.float64]  # (nv,) inverse of the diagonal factor in qH
    qDeriv: NDArray[np.float64]  # (nD,) derivative of smooth forces with respect to velocity, columns in D_colind
    qLU: NDArray[np.float64]  # (nD,) factors of M - h qDeriv, in the same places
    fluid_slope: NDArray[np.float64]  # (nbody, 36) derivative of the fluid's force on the body and everything it car...
    body_scratch: NDArray[np.float64]  # (nbody, 12) working memory: rate of the inertia and momentum of the body and...
    rate: NDArray[np.float64]  # (1, nv+nv+na) Runge-Kutta: weighted mean of velocity, acceleration and act_dot of th...
    qvel_advance: NDArray[np.float64]  # (nv,) [m/s|rad/s] TGS: mean velocity of the substeps, which moved the positions
    yield_length: NDArray[np.float64]  # (ntendon,) [m|rad] ten_length at the start of the step, for springs that yield
    yield_J: NDArray[np.float64]  # (nJten,) likewise ten_J
    next_reading: NDArray[np.float64]  # (nsensordata,) what delayed sensors measure in this step, on its way into th...
    subtree_linvel: NDArray[np.float64]  # (nbody, 3) [m/s] velocity of the subtree's centre of mass
    subtree_angmom: NDArray[np.float64]  # (nbody, 3) [kg m^2/s] angular momentum of the subtree about its centre of...
    cacc: NDArray[np.float64]  # (nbody, 6) [rad/s^2, m/s^2] acceleration of the body, gravity as upward acceleration
    cfrc_int: NDArray[np.float64]  # (nbody, 6) [N m, N] force of the parent on the body
    cfrc_ext: NDArray[np.float64]  # (nbody, 6) [N m, N] force on the body from outside: contacts and xfrc_applied
    qfrc_inverse: NDArray[np.float64]  # (nv,) [N|N m] force that would cause qacc
    solver_fwdinv: NDArray[np.float64]  # (2,) flag fwdinv: difference of forward and inverse dynamics, constraint fo...
    energy: NDArray[np.float64]  # (2,) [J] potential and kinetic energy
    sensordata: NDArray[np.float64]  # (nsensordata,) readings of all sensors
    dof_scratch: NDArray[np.float64]  # (nv, 6) overwritten by every stage
    act_scratch: NDArray[np.float64]  # (na,) overwritten by every stage
    # --- end ---

class World:
    def __init__(self, model: Model) -> None: ...
    time: float
    timing: bool
    @property
    def model(self) -> Model: ...
    @property
    def state(self) -> State: ...
    @property
    def data(self) -> Data: ...
    @property
    def flg_energypos(self) -> bool: ...
    @property
    def flg_energyvel(self) -> bool: ...
    @property
    def flg_subtreevel(self) -> bool: ...
    @property
    def efm_active(self) -> int: ...
    @property
    def nefmT(self) -> int: ...
    @property
    def nefmA(self) -> int: ...
    @property
    def flg_rnepost(self) -> bool: ...
    @property
    def stage_times(self) -> dict[str, tuple[float, int]]: ...
    @property
    def faults(self) -> list[tuple[int, str, int, float, float]]: ...
    @property
    def bytes(self) -> int: ...
    def describe_faults(self) -> str: ...
    def assign(self, other: World) -> None: ...

def contact_layout() -> dict[str, Any]: ...
def state_fields() -> list[dict[str, str]]: ...
def data_fields() -> list[dict[str, str]]: ...
def run_stage(model: Model, state: State, data: Data, name: str) -> None: ...
def body_forces(model: Model, state: State, data: Data) -> None: ...
def inverse(model: Model, state: State, data: Data) -> int: ...
def row_fields() -> list[dict[str, Any]]: ...
def row_array(data: Data, name: str) -> NDArray[Any]: ...
def set_row_array(data: Data, name: str, values: ArrayLike) -> None: ...
def row_counts(data: Data) -> dict[str, int]: ...
def row_jacobian(model: Model, data: Data) -> NDArray[np.float64]: ...
def row_jacobian_sparse(data: Data) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]: ...
def island_array(model: Model, data: Data, name: str) -> NDArray[np.int32]: ...
def solver_reports(data: Data) -> list[dict[str, Any]]: ...
def solver_history(data: Data) -> list[list[tuple[Any, ...]]]: ...
def constraint_residuals(model: Model, data: Data) -> list[dict[str, Any]]: ...
def mimic_reports(model: Model, state: State, data: Data) -> list[dict[str, Any]]: ...
def mimic_report(model: Model, state: State, data: Data, name: str) -> dict[str, Any]: ...
def mimic_from_physx(
    gearing: float = 1.0,
    offset: float = 0.0,
    naturalFrequency: float = 0.0,
    dampingRatio: float = 0.0,
    degrees: bool = False,
    follower_turns: bool = True,
    leader_turns: bool = True,
) -> dict[str, Any]: ...
def physx_from_mimic(
    gear: float | Sequence[float],
    offset: float = 0.0,
    mode: str = "hard",
    naturalfreq: float = 0.0,
    dampratio: float = 0.0,
    degrees: bool = False,
    follower_turns: bool = True,
    leader_turns: bool = True,
) -> dict[str, float] | None: ...
def mimic_from_polycoef(
    polycoef: Sequence[float], qpos0_joint1: float = 0.0, qpos0_joint2: float = 0.0
) -> dict[str, float] | None: ...
def polycoef_from_mimic(
    gear: float | Sequence[float], offset: float = 0.0, qpos0_joint1: float = 0.0, qpos0_joint2: float = 0.0
) -> list[float] | None: ...
def project_state(model: Model, state: State) -> dict[str, float]: ...
def clamp_counts(data: Data) -> NDArray[np.int64]: ...
def set_contacts(data: Data, contacts: Any) -> None: ...
def forward(model: Model, state: State, data: Data) -> int: ...
def step(model: Model, state: State, data: Data, nstep: int = 1) -> int: ...
def advance(model: Model, state: State, data: Data, integrator: int) -> int: ...
def describe_faults(model: Model, data: Data) -> str: ...

_Out = NDArray[np.float64]
_IntOut = NDArray[np.int32]

def mj_step(m: Model, d: World, nstep: int = 1) -> None: ...
def mj_step1(m: Model, d: World) -> None: ...
def mj_step2(m: Model, d: World) -> None: ...
def mj_forward(m: Model, d: World) -> None: ...
def mj_inverse(m: Model, d: World) -> None: ...
def mj_Euler(m: Model, d: World) -> None: ...
def mj_implicit(m: Model, d: World) -> None: ...
def mj_kinematics(m: Model, d: World) -> None: ...
def mj_comPos(m: Model, d: World) -> None: ...
def mj_camlight(m: Model, d: World) -> None: ...
def mj_tendon(m: Model, d: World) -> None: ...
def mj_fwdKinematics(m: Model, d: World) -> None: ...
def mj_crb(m: Model, d: World) -> None: ...
def mj_makeM(m: Model, d: World) -> None: ...
def mj_makeConstraint(m: Model, d: World) -> None: ...
def mj_referenceConstraint(m: Model, d: World) -> None: ...
def mj_factorM(m: Model, d: World) -> None: ...
def mj_collision(m: Model, d: World) -> None: ...
def mj_transmission(m: Model, d: World) -> None: ...
def mj_sensorPos(m: Model, d: World) -> None: ...
def mj_comVel(m: Model, d: World) -> None: ...
def mj_passive(m: Model, d: World) -> None: ...
def mj_sensorVel(m: Model, d: World) -> None: ...
def mj_fwdActuation(m: Model, d: World) -> None: ...
def mj_fwdAcceleration(m: Model, d: World) -> None: ...
def mj_fwdConstraint(m: Model, d: World) -> None: ...
def mj_sensorAcc(m: Model, d: World) -> None: ...
def mj_fwdPosition(m: Model, d: World) -> None: ...
def mj_fwdVelocity(m: Model, d: World) -> None: ...
def mj_resetData(m: Model, d: World) -> None: ...
def mj_setConst(m: Model, d: World) -> None: ...
def set_const_fields() -> list[str]: ...
def mj_subtreeVel(m: Model, d: World) -> None: ...
def mj_rnePostConstraint(m: Model, d: World) -> None: ...
def mj_energyPos(m: Model, d: World) -> None: ...
def mj_energyVel(m: Model, d: World) -> None: ...
def mj_compareFwdInv(m: Model, d: World) -> None: ...
def mj_forwardSkip(m: Model, d: World, skipstage: SupportsIndex, skipsensor: SupportsIndex) -> None: ...
def mj_inverseSkip(m: Model, d: World, skipstage: SupportsIndex, skipsensor: SupportsIndex) -> None: ...
def mj_RungeKutta(m: Model, d: World, N: SupportsIndex) -> None: ...
def mj_resetDataKeyframe(m: Model, d: World, key: SupportsIndex) -> None: ...
def mj_copyData(dest: World, m: Model, src: World) -> None: ...
def mj_jac(m: Model, d: World, jacp: _Out | None, jacr: _Out | None, point: ArrayLike, body: int) -> None: ...
def mj_jacDot(m: Model, d: World, jacp: _Out | None, jacr: _Out | None, point: ArrayLike, body: int) -> None: ...
def mj_jacBody(m: Model, d: World, jacp: _Out | None, jacr: _Out | None, body: int) -> None: ...
def mj_jacBodyCom(m: Model, d: World, jacp: _Out | None, jacr: _Out | None, body: int) -> None: ...
def mj_jacGeom(m: Model, d: World, jacp: _Out | None, jacr: _Out | None, geom: int) -> None: ...
def mj_jacSite(m: Model, d: World, jacp: _Out | None, jacr: _Out | None, site: int) -> None: ...
def mj_jacSubtreeCom(m: Model, d: World, jacp: _Out | None, body: int) -> None: ...
def mj_jacPointAxis(
    m: Model, d: World, jacPoint: _Out | None, jacAxis: _Out | None, point: ArrayLike, axis: ArrayLike, body: int
) -> None: ...
def mj_angmomMat(m: Model, d: World, mat: _Out, body: int) -> None: ...
def mj_objectVelocity(m: Model, d: World, objtype: int, objid: int, res: _Out, flg_local: int) -> None: ...
def mj_objectAcceleration(m: Model, d: World, objtype: int, objid: int, res: _Out, flg_local: int) -> None: ...
def mj_applyFT(
    m: Model, d: World, force: ArrayLike, torque: ArrayLike, point: ArrayLike, body: int, qfrc_target: _Out
) -> None: ...
def mj_ray(
    m: Model, d: World, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: bool,
    bodyexclude: int, geomid: _IntOut | None, normal: _Out | None = None
) -> float: ...  # fmt: skip
def mj_multiRay(
    m: Model, d: World, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: bool,
    bodyexclude: int, geomid: _IntOut, dist: _Out, normal: _Out | None, nray: int, cutoff: float
) -> None: ...  # fmt: skip
def mj_rayMesh(
    m: Model, d: World, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: _Out | None = None
) -> float: ...
def mj_rayHfield(
    m: Model, d: World, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: _Out | None = None
) -> float: ...
def mju_rayGeom(
    pos: ArrayLike, mat: ArrayLike, size: ArrayLike, pnt: ArrayLike, vec: ArrayLike, geomtype: SupportsIndex,
    normal: _Out | None = None
) -> float: ...  # fmt: skip
def mj_geomDistance(m: Model, d: World, geom1: int, geom2: int, distmax: float, fromto: _Out | None) -> float: ...
def mj_insideSite(m: Model, d: World, siteid: int, point: ArrayLike) -> int: ...
def mj_contactForce(m: Model, d: World, id: int, result: _Out) -> None: ...
def write_rows(data: Data, n: int, ne: int, nf: int, nl: int, values: dict) -> None: ...
def mj_fullM(m: Model, d: World, dst: _Out) -> None: ...
def mj_mulM(m: Model, d: World, res: _Out, vec: ArrayLike) -> None: ...
def mj_mulM2(m: Model, d: World, res: _Out, vec: ArrayLike) -> None: ...
def mj_solveM(m: Model, d: World, x: _Out, y: ArrayLike) -> None: ...
def mj_solveM2(m: Model, d: World, x: _Out, y: ArrayLike, sqrtInvD: ArrayLike) -> None: ...
def mj_rne(m: Model, d: World, flg_acc: int, result: _Out) -> None: ...
def mj_integratePos(m: Model, qpos: _Out, qvel: ArrayLike, dt: float) -> None: ...
def mj_differentiatePos(m: Model, qvel: _Out, dt: float, qpos1: ArrayLike, qpos2: ArrayLike) -> None: ...
def mj_normalizeQuat(m: Model, qpos: _Out) -> None: ...
def mj_stateSize(m: Model, sig: int) -> int: ...
def mj_getState(m: Model, d: World, state: _Out, sig: int) -> None: ...
def mj_setState(m: Model, d: World, state: ArrayLike, sig: int) -> None: ...
def mj_copyState(m: Model, src: World, dst: World, sig: int) -> None: ...
def mj_extractState(m: Model, src: ArrayLike, srcsig: int, dst: _Out, dstsig: int) -> None: ...
def collide_pairs(
    model: Model, first: int, second: int, a: ArrayLike, b: ArrayLike, single: bool = False
) -> NDArray[np.float64]: ...

class StateBatch:
    nsim: int
    nthread: int
    nstate: int
    persistent: bool
    def __init__(self, model: Model, nsim: int, nthread: int = 0, persistent: bool = False) -> None: ...
    def state(self) -> NDArray[np.float64]: ...
    def status(self) -> NDArray[np.int32]: ...
    def faults(self) -> NDArray[np.int32]: ...
    def error(self, sim: int) -> str: ...
    def output(self, name: str) -> NDArray | None: ...
    def expand(self, name: str) -> NDArray | None: ...
    def expanded(self, name: str) -> NDArray | None: ...
    def set_models(self, models: list[Model]) -> None: ...
    def call_c_functions(self, functions: list[tuple[str, int]]) -> None: ...
    def get_model(self, sim: int, model: Model) -> None: ...
    def get_data(self, sim: int, data: World) -> None: ...
    def step(self, ids: NDArray[np.int32] | None, nstep: int, stage: int) -> int: ...
    def forward(self, ids: NDArray[np.int32] | None, stage: int) -> int: ...
    def reset(self, ids: NDArray[np.int32] | None, keyframe: NDArray[np.int32] | None, stage: int) -> int: ...
    def set_const(self, ids: NDArray[np.int32] | None) -> int: ...
    def rollout(
        self, ids: NDArray[np.int32] | None, nstep: int, control: NDArray[np.float64] | None, control_spec: int,
        records: list[tuple[str | None, int, NDArray]],
    ) -> int: ...  # fmt: skip
    def jac(
        self, ids: NDArray[np.int32] | None, body: NDArray[np.int32], point: NDArray[np.float64], jacp: _Out | None,
        jacr: _Out | None,
    ) -> int: ...  # fmt: skip
    def ray(
        self, ids: NDArray[np.int32] | None, pnt: NDArray[np.float64], vec: NDArray[np.float64],
        geomgroup: NDArray[np.uint8] | None, flg_static: bool, bodyexclude: NDArray[np.int32], dist: _Out,
        geomid: NDArray[np.int32], normal: _Out | None,
    ) -> int: ...  # fmt: skip

class Rollout:
    threads: int
    def __init__(self, threads: int = 0) -> None: ...
    def run(
        self, models: list[Model], nworld: int, nstep: int, control_spec: int, state0: NDArray[np.float64],
        warmstart0: NDArray[np.float64] | None, control: NDArray[np.float64] | None, control_steps: int,
        state: _Out | None, sensordata: _Out | None, warmstart: _Out | None, status: _IntOut | None,
        steps: _IntOut | None, parameters: dict[str, NDArray[np.float64]], set_const: bool,
        warmstarts: _Out | None = None,
    ) -> list[tuple[int, int, str]]: ...  # fmt: skip

def mjd_transitionFD(
    m: Model, d: World, eps: float, flg_centered: bool, A: _Out | None, B: _Out | None, C: _Out | None, D: _Out | None,
    nthread: int = 1,
) -> None: ...  # fmt: skip
def mjd_inverseFD(
    m: Model, d: World, eps: float, flg_actuation: bool, DfDq: _Out | None, DfDv: _Out | None, DfDa: _Out | None,
    DsDq: _Out | None, DsDv: _Out | None, DsDa: _Out | None, DmDq: _Out | None, nthread: int = 1,
) -> None: ...  # fmt: skip
def mj_readSensor(m: Model, d: World, id: SupportsIndex, time: float, result: _Out, interp: SupportsIndex) -> _Out: ...
def batch_rollout(
    batch: Batch, steps: int, ctrl: NDArray[np.float64] | None, state: _Out | None, sensordata: _Out | None
) -> None: ...
def pack_step(model: Model, state: State, data: Data) -> bytes: ...
def unpack_step(model: Model, state: State, data: Data, bytes: bytes) -> None: ...
def build_info() -> dict[str, Any]: ...

class Batch:
    nworld: int
    nstate: int
    nu: int
    nsensordata: int
    bytes_per_world: int
    status: NDArray[np.int32]
    device: str
    precision: str
    faults: NDArray[np.int32]  # (nworld, 1), where the worlds are
    @property
    def stream(self) -> int: ...
    @stream.setter
    def stream(self, stream: Any) -> None: ...  # None, a number, or an object of torch or CuPy
    def __init__(
        self,
        model: Model,
        nworld: int,
        device: str = "cpu",
        precision: str | None = None,
        threads: int = 0,
        outputs: list[str] = ...,
        contacts: int = 0,
        rows: int = 0,
        fixed_memory: bool = False,
    ) -> None: ...
    def step(self, ctrl: Any = None, nstep: int = 1, warn: bool = True) -> None: ...
    def rollout(
        self, control: ArrayLike | None = None, nstep: int | None = None, *, state: _Out | None = None,
        sensordata: _Out | None = None,
    ) -> tuple[_Out, _Out]: ...  # fmt: skip
    # masks: arrays of bools, on a GPU also those of packages that have DLPack
    def forward(self, mask: Any = None) -> None: ...
    def reset(self, mask: Any = None, keyframe: int | ArrayLike = -1) -> None: ...
    def statistics(self) -> dict[str, NDArray[Any]]: ...
    def time_stages(self, repeats: int = 20) -> dict[str, float]: ...
    def worlds_last(self, name: str) -> Any: ...
    def write(self, name: str, values: Any) -> None: ...
    def read(self, name: str) -> NDArray[Any]: ...
    def wait(self) -> None: ...
    def save(self) -> bytes: ...
    def restore(self, saved: bytes) -> None: ...
    def field(self, name: str) -> Any: ...
    def parameter(self, name: str) -> Any: ...
    # --- made by scripts/make-stubs: Batch ---
    time: NDArray[np.float64]  # (nworld, 1) [s] simulated time
    qpos: NDArray[np.float64]  # (nworld, nq) [m|rad] configuration; quaternions are normalised where they are used
    qvel: NDArray[np.float64]  # (nworld, nv) [m/s|rad/s] velocities
    act: NDArray[np.float64]  # (nworld, na) activations of actuators
    history: NDArray[np.float64]  # (nworld, nhistory) past controls and sensor readings, for delays
    plastic: NDArray[np.float64]  # (nworld, nplastic) [m|rad] rest positions of springs that yield
    ctrl: NDArray[np.float64]  # (nworld, nu) controls
    qfrc_applied: NDArray[np.float64]  # (nworld, nv) [N|N m] generalised force applied by the user
    xfrc_applied: NDArray[np.float64]  # (nworld, nbody × 6) [N, N m] force and torque applied by the user at the cen...
    mocap_pos: NDArray[np.float64]  # (nworld, nmocap × 3) [m] positions of mocap bodies
    mocap_quat: NDArray[np.float64]  # (nworld, nmocap × 4) orientations of mocap bodies
    eq_active: NDArray[np.bool_]  # (nworld, neq) which equality constraints are on
    userdata: NDArray[np.float64]  # (nworld, nuserdata) numbers of the user; the engine does not touch them
    qacc_warmstart: NDArray[np.float64]  # (nworld, nv) [m/s^2|rad/s^2] acceleration with which the solver starts
    # --- end ---
    def __getattr__(self, name: str) -> Any: ...  # arrays of Data as far as `outputs` names them

def cuda_unavailable() -> str: ...
def solve(
    solver: int,
    model: dict[str, Any],
    rows: dict[str, Any],
    vectors: dict[str, Any],
    options: dict[str, Any],
    repeat: int = 1,
) -> dict[str, Any]: ...

# Attributes of these come from tables: those of MjSpec from the schema of MJCF, those of scenes from mjv structs.
class _Fields:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class MjCharVec(_Fields): ...
class MjDoubleVec(_Fields): ...
class MjFloatVec(_Fields): ...
class MjIntVec(_Fields): ...
class MjLROpt(_Fields): ...
class MjStringVec(_Fields): ...
class MjsActuator(_Fields): ...
class MjsBody(_Fields): ...
class MjsCamera(_Fields): ...
class MjsCompiler(_Fields): ...
class MjsDefault(_Fields): ...
class MjsElement(_Fields): ...
class MjsEquality(_Fields): ...
class MjsExclude(_Fields): ...
class MjsFrame(_Fields): ...
class MjsGeom(_Fields): ...
class MjsHField(_Fields): ...
class MjsJoint(_Fields): ...
class MjsKey(_Fields): ...
class MjsLight(_Fields): ...
class MjsMaterial(_Fields): ...
class MjsMesh(_Fields): ...
class MjsNumeric(_Fields): ...
class MjsOrientation(_Fields): ...
class MjsPair(_Fields): ...
class MjsSensor(_Fields): ...
class MjsSite(_Fields): ...
class MjsSkin(_Fields): ...
class MjsTendon(_Fields): ...
class MjsText(_Fields): ...
class MjsTexture(_Fields): ...
class MjsTuple(_Fields): ...
class MjvCamera(_Fields): ...
class MjvGLCamera(_Fields): ...
class MjvGeom(_Fields): ...
class MjvLight(_Fields): ...
class MjvOption(_Fields): ...
class SpecTree(_Fields): ...
