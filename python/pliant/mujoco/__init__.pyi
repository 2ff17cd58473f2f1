"""Types of pliant.mujoco. Made by scripts/make-stubs; do not edit."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant import _pliant
from pliant._contact import MjContact as MjContact
from pliant._data import MjSolverStat as MjSolverStat
from pliant._data import MjTimerStat as MjTimerStat
from pliant._data import MjWarningStat as MjWarningStat
from pliant._enums import *
from pliant._pliant import FatalError as FatalError
from pliant._pliant import LoadError as LoadError
from pliant._pliant import MjOption as MjOption
from pliant._pliant import MjStatistic as MjStatistic
from pliant._pliant import MjVisual as MjVisual
from pliant._pliant import StepError as StepError
from pliant._render import GLContext as GLContext
from pliant._render import MjrContext as MjrContext
from pliant._render import MjrRect as MjrRect
from pliant._pliant import MjvCamera as MjvCamera
from pliant._pliant import MjvGLCamera as MjvGLCamera
from pliant._pliant import MjvGeom as MjvGeom
from pliant._pliant import MjvLight as MjvLight
from pliant._pliant import MjvOption as MjvOption
from pliant._render import MjvPerturb as MjvPerturb
from pliant._render import MjvScene as MjvScene
from pliant._render import Renderer as Renderer
from pliant._pliant import mj_Euler as mj_Euler
from pliant._pliant import mj_RungeKutta as mj_RungeKutta
from pliant._pliant import mj_angmomMat as mj_angmomMat
from pliant._pliant import mj_applyFT as mj_applyFT
from pliant._pliant import mj_camlight as mj_camlight
from pliant._pliant import mj_collision as mj_collision
from pliant._pliant import mj_comPos as mj_comPos
from pliant._pliant import mj_comVel as mj_comVel
from pliant._pliant import mj_compareFwdInv as mj_compareFwdInv
from pliant._pliant import mj_contactForce as mj_contactForce
from pliant._pliant import mj_copyData as mj_copyData
from pliant._pliant import mj_copyState as mj_copyState
from pliant._pliant import mj_crb as mj_crb
from pliant._pliant import mj_differentiatePos as mj_differentiatePos
from pliant._pliant import mj_energyPos as mj_energyPos
from pliant._pliant import mj_energyVel as mj_energyVel
from pliant._pliant import mj_extractState as mj_extractState
from pliant._pliant import mj_factorM as mj_factorM
from pliant._pliant import mj_forward as mj_forward
from pliant._pliant import mj_forwardSkip as mj_forwardSkip
from pliant._pliant import mj_fullM as mj_fullM
from pliant._pliant import mj_fwdAcceleration as mj_fwdAcceleration
from pliant._pliant import mj_fwdActuation as mj_fwdActuation
from pliant._pliant import mj_fwdConstraint as mj_fwdConstraint
from pliant._pliant import mj_fwdKinematics as mj_fwdKinematics
from pliant._pliant import mj_fwdPosition as mj_fwdPosition
from pliant._pliant import mj_fwdVelocity as mj_fwdVelocity
from pliant._pliant import mj_geomDistance as mj_geomDistance
from pliant._pliant import mj_getState as mj_getState
from pliant._pliant import mj_implicit as mj_implicit
from pliant._pliant import mj_insideSite as mj_insideSite
from pliant._pliant import mj_integratePos as mj_integratePos
from pliant._pliant import mj_inverse as mj_inverse
from pliant._pliant import mj_inverseSkip as mj_inverseSkip
from pliant._pliant import mj_jac as mj_jac
from pliant._pliant import mj_jacBody as mj_jacBody
from pliant._pliant import mj_jacBodyCom as mj_jacBodyCom
from pliant._pliant import mj_jacDot as mj_jacDot
from pliant._pliant import mj_jacGeom as mj_jacGeom
from pliant._pliant import mj_jacPointAxis as mj_jacPointAxis
from pliant._pliant import mj_jacSite as mj_jacSite
from pliant._pliant import mj_jacSubtreeCom as mj_jacSubtreeCom
from pliant._pliant import mj_kinematics as mj_kinematics
from pliant._pliant import mj_makeConstraint as mj_makeConstraint
from pliant._pliant import mj_makeM as mj_makeM
from pliant._pliant import mj_mulM as mj_mulM
from pliant._pliant import mj_mulM2 as mj_mulM2
from pliant._pliant import mj_normalizeQuat as mj_normalizeQuat
from pliant._pliant import mj_objectAcceleration as mj_objectAcceleration
from pliant._pliant import mj_objectVelocity as mj_objectVelocity
from pliant._pliant import mj_passive as mj_passive
from pliant._pliant import mj_rayHfield as mj_rayHfield
from pliant._pliant import mj_rayMesh as mj_rayMesh
from pliant._pliant import mj_readSensor as mj_readSensor
from pliant._pliant import mj_referenceConstraint as mj_referenceConstraint
from pliant._pliant import mj_resetData as mj_resetData
from pliant._pliant import mj_resetDataKeyframe as mj_resetDataKeyframe
from pliant._pliant import mj_rne as mj_rne
from pliant._pliant import mj_rnePostConstraint as mj_rnePostConstraint
from pliant._pliant import mj_sensorAcc as mj_sensorAcc
from pliant._pliant import mj_sensorPos as mj_sensorPos
from pliant._pliant import mj_sensorVel as mj_sensorVel
from pliant._pliant import mj_setConst as mj_setConst
from pliant._pliant import mj_setState as mj_setState
from pliant._pliant import mj_solveM as mj_solveM
from pliant._pliant import mj_solveM2 as mj_solveM2
from pliant._pliant import mj_stateSize as mj_stateSize
from pliant._pliant import mj_step as mj_step
from pliant._pliant import mj_step1 as mj_step1
from pliant._pliant import mj_step2 as mj_step2
from pliant._pliant import mj_subtreeVel as mj_subtreeVel
from pliant._pliant import mj_tendon as mj_tendon
from pliant._pliant import mj_transmission as mj_transmission
from pliant._pliant import mju_rayGeom as mju_rayGeom

__version__: str
MJTNUM_BYTES: int
MJTNUM_DTYPE: type
UnexpectedError = FatalError
MjVisualHeadlight: Any
MjVisualRgba: Any

class MjModel(_pliant.Model):
    @classmethod
    def from_xml_path(cls, filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None) -> MjModel: ...
    @classmethod
    def from_xml_string(cls, xml: str, assets: Mapping[str, bytes] | None = None) -> MjModel: ...
    B_colind: NDArray[np.int32]
    B_rowadr: NDArray[np.int32]
    B_rownnz: NDArray[np.int32]
    D_colind: NDArray[np.int32]
    D_diag: NDArray[np.int32]
    D_rowadr: NDArray[np.int32]
    D_rownnz: NDArray[np.int32]
    M_chainnum: NDArray[np.int32]
    M_colind: NDArray[np.int32]
    M_parentid: NDArray[np.int32]
    M_rowadr: NDArray[np.int32]
    M_rownnz: NDArray[np.int32]
    actuator_acc0: NDArray[np.float64]
    actuator_actadr: NDArray[np.int32]
    actuator_actearly: NDArray[np.bool_]
    actuator_actlimited: NDArray[np.bool_]
    actuator_actnum: NDArray[np.int32]
    actuator_actrange: NDArray[np.float64]
    actuator_armature: NDArray[np.float64]
    actuator_biasprm: NDArray[np.float64]
    actuator_biastype: NDArray[np.int32]
    actuator_cranklength: NDArray[np.float64]
    actuator_ctrladr: NDArray[np.int32]
    actuator_ctrllimited: NDArray[np.bool_]
    actuator_ctrlnum: NDArray[np.int32]
    actuator_ctrlrange: NDArray[np.float64]
    actuator_ctrlspec: NDArray[np.int32]
    actuator_damping: NDArray[np.float64]
    actuator_dampingpoly: NDArray[np.float64]
    actuator_delay: NDArray[np.float64]
    actuator_dynprm: NDArray[np.float64]
    actuator_dyntype: NDArray[np.int32]
    actuator_forcelimited: NDArray[np.bool_]
    actuator_forcerange: NDArray[np.float64]
    actuator_gainprm: NDArray[np.float64]
    actuator_gaintype: NDArray[np.int32]
    actuator_gear: NDArray[np.float64]
    actuator_group: NDArray[np.int32]
    actuator_history: NDArray[np.int32]
    actuator_historyadr: NDArray[np.int32]
    actuator_length0: NDArray[np.float64]
    actuator_lengthrange: NDArray[np.float64]
    actuator_outadr: NDArray[np.int32]
    actuator_outnum: NDArray[np.int32]
    actuator_plugin: NDArray[np.int32]
    actuator_trnid: NDArray[np.int32]
    actuator_trntype: NDArray[np.int32]
    actuator_user: NDArray[np.float64]
    arena_bytes: int
    body_bvhadr: NDArray[np.int32]
    body_bvhnum: NDArray[np.int32]
    body_conaffinity: NDArray[np.int32]
    body_contype: NDArray[np.int32]
    body_dofadr: NDArray[np.int32]
    body_dofnum: NDArray[np.int32]
    body_geomadr: NDArray[np.int32]
    body_geomnum: NDArray[np.int32]
    body_gravcomp: NDArray[np.float64]
    body_inertia: NDArray[np.float64]
    body_invweight0: NDArray[np.float64]
    body_ipos: NDArray[np.float64]
    body_iquat: NDArray[np.float64]
    body_jntadr: NDArray[np.int32]
    body_jntnum: NDArray[np.int32]
    body_margin: NDArray[np.float64]
    body_mass: NDArray[np.float64]
    body_mocapid: NDArray[np.int32]
    body_parentid: NDArray[np.int32]
    body_plugin: NDArray[np.int32]
    body_pos: NDArray[np.float64]
    body_quat: NDArray[np.float64]
    body_rootid: NDArray[np.int32]
    body_sameframe: NDArray[np.uint8]
    body_simple: NDArray[np.uint8]
    body_subtreemass: NDArray[np.float64]
    body_treeid: NDArray[np.int32]
    body_user: NDArray[np.float64]
    body_weldid: NDArray[np.int32]
    bvh_aabb: NDArray[np.float64]
    bvh_child: NDArray[np.int32]
    bvh_depth: NDArray[np.int32]
    bvh_nodeid: NDArray[np.int32]
    bytes: int
    cam_bodyid: NDArray[np.int32]
    cam_fovy: NDArray[np.float64]
    cam_intrinsic: NDArray[np.float32]
    cam_ipd: NDArray[np.float64]
    cam_mat0: NDArray[np.float64]
    cam_mode: NDArray[np.int32]
    cam_output: NDArray[np.int32]
    cam_pos: NDArray[np.float64]
    cam_pos0: NDArray[np.float64]
    cam_poscom0: NDArray[np.float64]
    cam_projection: NDArray[np.int32]
    cam_quat: NDArray[np.float64]
    cam_resolution: NDArray[np.int32]
    cam_sensorsize: NDArray[np.float32]
    cam_targetbodyid: NDArray[np.int32]
    cam_user: NDArray[np.float64]
    diagnostics: Any
    dof_M0: NDArray[np.float64]
    dof_Madr: NDArray[np.int32]
    dof_armature: NDArray[np.float64]
    dof_bodyid: NDArray[np.int32]
    dof_chainnum: NDArray[np.int32]
    dof_damping: NDArray[np.float64]
    dof_dampingpoly: NDArray[np.float64]
    dof_frictionloss: NDArray[np.float64]
    dof_invweight0: NDArray[np.float64]
    dof_jntid: NDArray[np.int32]
    dof_length: NDArray[np.float64]
    dof_parentid: NDArray[np.int32]
    dof_simplenum: NDArray[np.int32]
    dof_solimp: NDArray[np.float64]
    dof_solref: NDArray[np.float64]
    dof_treeid: NDArray[np.int32]
    efm0_L: NDArray[np.float64]
    efm0_L_colind: NDArray[np.int32]
    efm0_L_rowadr: NDArray[np.int32]
    efm0_L_rownnz: NDArray[np.int32]
    efm0_dofid: NDArray[np.int32]
    efmC_perm: NDArray[np.int32]
    eq_active0: NDArray[np.bool_]
    eq_data: NDArray[np.float64]
    eq_mimicid: NDArray[np.int32]
    eq_obj1id: NDArray[np.int32]
    eq_obj2id: NDArray[np.int32]
    eq_objtype: NDArray[np.int32]
    eq_solimp: NDArray[np.float64]
    eq_solref: NDArray[np.float64]
    eq_type: NDArray[np.int32]
    exclude_signature: NDArray[np.int32]
    files: Any
    flex_activelayers: NDArray[np.int32]
    flex_bending: NDArray[np.float64]
    flex_bendingadr: NDArray[np.int32]
    flex_bvhadr: NDArray[np.int32]
    flex_bvhnum: NDArray[np.int32]
    flex_cellnum: NDArray[np.int32]
    flex_centered: NDArray[np.bool_]
    flex_conaffinity: NDArray[np.int32]
    flex_condim: NDArray[np.int32]
    flex_contype: NDArray[np.int32]
    flex_damping: NDArray[np.float64]
    flex_dim: NDArray[np.int32]
    flex_edge: NDArray[np.int32]
    flex_edgeadr: NDArray[np.int32]
    flex_edgedamping: NDArray[np.float64]
    flex_edgeequality: NDArray[np.int32]
    flex_edgeflap: NDArray[np.int32]
    flex_edgenum: NDArray[np.int32]
    flex_edgestiffness: NDArray[np.float64]
    flex_elem: NDArray[np.int32]
    flex_elemadr: NDArray[np.int32]
    flex_elemdataadr: NDArray[np.int32]
    flex_elemedge: NDArray[np.int32]
    flex_elemedgeadr: NDArray[np.int32]
    flex_elemlayer: NDArray[np.int32]
    flex_elemnum: NDArray[np.int32]
    flex_elemtexcoord: NDArray[np.int32]
    flex_flatskin: NDArray[np.bool_]
    flex_friction: NDArray[np.float64]
    flex_gap: NDArray[np.float64]
    flex_group: NDArray[np.int32]
    flex_interp: NDArray[np.int32]
    flex_margin: NDArray[np.float64]
    flex_matid: NDArray[np.int32]
    flex_node: NDArray[np.float64]
    flex_node0: NDArray[np.float64]
    flex_nodeadr: NDArray[np.int32]
    flex_nodebodyid: NDArray[np.int32]
    flex_nodenum: NDArray[np.int32]
    flex_passive: NDArray[np.int32]
    flex_plasticadr: NDArray[np.int32]
    flex_plasticmode: NDArray[np.int32]
    flex_priority: NDArray[np.int32]
    flex_radius: NDArray[np.float64]
    flex_rgba: NDArray[np.float32]
    flex_rigid: NDArray[np.bool_]
    flex_selfcollide: NDArray[np.int32]
    flex_shell: NDArray[np.int32]
    flex_shelldataadr: NDArray[np.int32]
    flex_shellnum: NDArray[np.int32]
    flex_size: NDArray[np.float64]
    flex_solimp: NDArray[np.float64]
    flex_solmix: NDArray[np.float64]
    flex_solref: NDArray[np.float64]
    flex_stiffness: NDArray[np.float64]
    flex_stiffnessadr: NDArray[np.int32]
    flex_texcoord: NDArray[np.float32]
    flex_texcoordadr: NDArray[np.int32]
    flex_vert: NDArray[np.float64]
    flex_vert0: NDArray[np.float64]
    flex_vertadr: NDArray[np.int32]
    flex_vertbodyid: NDArray[np.int32]
    flex_vertcell: NDArray[np.int32]
    flex_vertedge: NDArray[np.int32]
    flex_vertedgeadr: NDArray[np.int32]
    flex_vertedgenum: NDArray[np.int32]
    flex_vertmetric: NDArray[np.float64]
    flex_vertnum: NDArray[np.int32]
    flex_yield: NDArray[np.float64]
    flexedge_J_colind: NDArray[np.int32]
    flexedge_J_rowadr: NDArray[np.int32]
    flexedge_J_rownnz: NDArray[np.int32]
    flexedge_invweight0: NDArray[np.float64]
    flexedge_length0: NDArray[np.float64]
    flexedge_rigid: NDArray[np.bool_]
    flexvert_J_colind: NDArray[np.int32]
    flexvert_J_rowadr: NDArray[np.int32]
    flexvert_J_rownnz: NDArray[np.int32]
    flg_adhesion: bool
    flg_gravcomp: bool
    flg_surfacevel: bool
    follower_mimicid: NDArray[np.int32]
    geom_aabb: NDArray[np.float64]
    geom_adhesion: NDArray[np.float64]
    geom_bodyid: NDArray[np.int32]
    geom_castshadow: NDArray[np.bool_]
    geom_conaffinity: NDArray[np.int32]
    geom_condim: NDArray[np.int32]
    geom_contype: NDArray[np.int32]
    geom_dataid: NDArray[np.int32]
    geom_fluid: NDArray[np.float64]
    geom_friction: NDArray[np.float64]
    geom_frictionlaw: NDArray[np.int32]
    geom_gap: NDArray[np.float64]
    geom_group: NDArray[np.int32]
    geom_margin: NDArray[np.float64]
    geom_matid: NDArray[np.int32]
    geom_plugin: NDArray[np.int32]
    geom_pos: NDArray[np.float64]
    geom_priority: NDArray[np.int32]
    geom_quat: NDArray[np.float64]
    geom_rbound: NDArray[np.float64]
    geom_rgba: NDArray[np.float32]
    geom_sameframe: NDArray[np.uint8]
    geom_size: NDArray[np.float64]
    geom_solimp: NDArray[np.float64]
    geom_solmix: NDArray[np.float64]
    geom_solref: NDArray[np.float64]
    geom_surfacevel: NDArray[np.float64]
    geom_type: NDArray[np.int32]
    geom_user: NDArray[np.float64]
    hfield_adr: NDArray[np.int32]
    hfield_data: NDArray[np.float32]
    hfield_ncol: NDArray[np.int32]
    hfield_nrow: NDArray[np.int32]
    hfield_pathadr: NDArray[np.int32]
    hfield_size: NDArray[np.float64]
    jnt_actfrclimited: NDArray[np.bool_]
    jnt_actfrcrange: NDArray[np.float64]
    jnt_actgravcomp: NDArray[np.bool_]
    jnt_actuatorid: NDArray[np.int32]
    jnt_axis: NDArray[np.float64]
    jnt_bodyid: NDArray[np.int32]
    jnt_dofadr: NDArray[np.int32]
    jnt_group: NDArray[np.int32]
    jnt_limited: NDArray[np.bool_]
    jnt_margin: NDArray[np.float64]
    jnt_plasticadr: NDArray[np.int32]
    jnt_pos: NDArray[np.float64]
    jnt_qposadr: NDArray[np.int32]
    jnt_range: NDArray[np.float64]
    jnt_solimp: NDArray[np.float64]
    jnt_solref: NDArray[np.float64]
    jnt_springyield: NDArray[np.float64]
    jnt_stiffness: NDArray[np.float64]
    jnt_stiffnesspoly: NDArray[np.float64]
    jnt_type: NDArray[np.int32]
    jnt_user: NDArray[np.float64]
    key_act: NDArray[np.float64]
    key_ctrl: NDArray[np.float64]
    key_mpos: NDArray[np.float64]
    key_mquat: NDArray[np.float64]
    key_plastic: NDArray[np.float64]
    key_qpos: NDArray[np.float64]
    key_qvel: NDArray[np.float64]
    key_time: NDArray[np.float64]
    ledger: Any
    ledger_files: Any
    light_active: NDArray[np.bool_]
    light_ambient: NDArray[np.float32]
    light_attenuation: NDArray[np.float32]
    light_bodyid: NDArray[np.int32]
    light_bulbradius: NDArray[np.float32]
    light_castshadow: NDArray[np.bool_]
    light_cutoff: NDArray[np.float32]
    light_diffuse: NDArray[np.float32]
    light_dir: NDArray[np.float64]
    light_dir0: NDArray[np.float64]
    light_exponent: NDArray[np.float32]
    light_intensity: NDArray[np.float32]
    light_mode: NDArray[np.int32]
    light_pos: NDArray[np.float64]
    light_pos0: NDArray[np.float64]
    light_poscom0: NDArray[np.float64]
    light_range: NDArray[np.float32]
    light_softness: NDArray[np.float32]
    light_specular: NDArray[np.float32]
    light_targetbodyid: NDArray[np.int32]
    light_texid: NDArray[np.int32]
    light_type: NDArray[np.int32]
    mapD2M: NDArray[np.int32]
    mapM2D: NDArray[np.int32]
    mapM2M: NDArray[np.int32]
    mat_emission: NDArray[np.float32]
    mat_metallic: NDArray[np.float32]
    mat_reflectance: NDArray[np.float32]
    mat_rgba: NDArray[np.float32]
    mat_roughness: NDArray[np.float32]
    mat_shininess: NDArray[np.float32]
    mat_specular: NDArray[np.float32]
    mat_texid: NDArray[np.int32]
    mat_texrepeat: NDArray[np.float32]
    mat_texuniform: NDArray[np.bool_]
    mesh_bvhadr: NDArray[np.int32]
    mesh_bvhnum: NDArray[np.int32]
    mesh_extrema: NDArray[np.int32]
    mesh_face: NDArray[np.int32]
    mesh_faceadr: NDArray[np.int32]
    mesh_facenormal: NDArray[np.int32]
    mesh_facenum: NDArray[np.int32]
    mesh_facetexcoord: NDArray[np.int32]
    mesh_graph: NDArray[np.int32]
    mesh_graphadr: NDArray[np.int32]
    mesh_normal: NDArray[np.float32]
    mesh_normaladr: NDArray[np.int32]
    mesh_normalnum: NDArray[np.int32]
    mesh_octadr: NDArray[np.int32]
    mesh_octnum: NDArray[np.int32]
    mesh_pathadr: NDArray[np.int32]
    mesh_polyadr: NDArray[np.int32]
    mesh_polymap: NDArray[np.int32]
    mesh_polymapadr: NDArray[np.int32]
    mesh_polymapnum: NDArray[np.int32]
    mesh_polynormal: NDArray[np.float64]
    mesh_polynum: NDArray[np.int32]
    mesh_polyvert: NDArray[np.int32]
    mesh_polyvertadr: NDArray[np.int32]
    mesh_polyvertnum: NDArray[np.int32]
    mesh_pos: NDArray[np.float64]
    mesh_quat: NDArray[np.float64]
    mesh_scale: NDArray[np.float64]
    mesh_texcoord: NDArray[np.float32]
    mesh_texcoordadr: NDArray[np.int32]
    mesh_texcoordnum: NDArray[np.int32]
    mesh_vert: NDArray[np.float32]
    mesh_vertadr: NDArray[np.int32]
    mesh_vertnum: NDArray[np.int32]
    mimic_blockid: NDArray[np.int32]
    mimic_dampratio: NDArray[np.float64]
    mimic_eqid: NDArray[np.int32]
    mimic_erp: NDArray[np.float64]
    mimic_gear: NDArray[np.float64]
    mimic_leadadr: NDArray[np.int32]
    mimic_leadid: NDArray[np.int32]
    mimic_leadnum: NDArray[np.int32]
    mimic_mode: NDArray[np.int32]
    mimic_naturalfreq: NDArray[np.float64]
    mimic_offset: NDArray[np.float64]
    mimicrow_mimicid: NDArray[np.int32]
    model_name: str
    nB: int
    nC: int
    nD: int
    nJfe: int
    nJmom: int
    nJten: int
    nM: int
    na: int
    nactuator: int
    name_actuatoradr: NDArray[np.int32]
    name_bodyadr: NDArray[np.int32]
    name_camadr: NDArray[np.int32]
    name_eqadr: NDArray[np.int32]
    name_excludeadr: NDArray[np.int32]
    name_flexadr: NDArray[np.int32]
    name_geomadr: NDArray[np.int32]
    name_hfieldadr: NDArray[np.int32]
    name_jntadr: NDArray[np.int32]
    name_keyadr: NDArray[np.int32]
    name_lightadr: NDArray[np.int32]
    name_matadr: NDArray[np.int32]
    name_meshadr: NDArray[np.int32]
    name_numericadr: NDArray[np.int32]
    name_pairadr: NDArray[np.int32]
    name_pluginadr: NDArray[np.int32]
    name_sensoradr: NDArray[np.int32]
    name_siteadr: NDArray[np.int32]
    name_skinadr: NDArray[np.int32]
    name_tendonadr: NDArray[np.int32]
    name_texadr: NDArray[np.int32]
    name_textadr: NDArray[np.int32]
    name_tupleadr: NDArray[np.int32]
    names: _pliant._Bytes
    names_map: NDArray[np.int32]
    narena: int
    nbody: int
    nbuffer: int
    nbvh: int
    nbvhdynamic: int
    nbvhstatic: int
    ncam: int
    nconmax: int
    nefm0L: int
    nefm0dof: int
    nefmCvert: int
    nemax: int
    neq: int
    nexclude: int
    nflex: int
    nflexbending: int
    nflexedge: int
    nflexelem: int
    nflexelemdata: int
    nflexelemedge: int
    nflexnode: int
    nflexshelldata: int
    nflexstiffness: int
    nflextexcoord: int
    nflexvert: int
    nfollower: int
    ngeom: int
    ngravcomp: int
    nhfield: int
    nhfielddata: int
    nhistory: int
    njmax: int
    njnt: int
    nkey: int
    nlight: int
    nmat: int
    nmesh: int
    nmeshdegmax: int
    nmeshface: int
    nmeshgraph: int
    nmeshnormal: int
    nmeshpoly: int
    nmeshpolymap: int
    nmeshpolyvert: int
    nmeshtexcoord: int
    nmeshvert: int
    nmimic: int
    nmimiclead: int
    nmimicrow: int
    nmocap: int
    nnames: int
    nnames_map: int
    nnumeric: int
    nnumericdata: int
    noct: int
    nout: int
    npair: int
    npaths: int
    nplastic: int
    nplugin: int
    npluginattr: int
    npluginstate: int
    npolygonmax: int
    nq: int
    nsensor: int
    nsensordata: int
    nsite: int
    nskin: int
    nskinbone: int
    nskinbonevert: int
    nskinface: int
    nskintexvert: int
    nskinvert: int
    ntendon: int
    ntex: int
    ntexdata: int
    ntext: int
    ntextdata: int
    ntree: int
    ntuple: int
    ntupledata: int
    nu: int
    numeric_adr: NDArray[np.int32]
    numeric_data: NDArray[np.float64]
    numeric_size: NDArray[np.int32]
    nuser_actuator: int
    nuser_body: int
    nuser_cam: int
    nuser_geom: int
    nuser_jnt: int
    nuser_sensor: int
    nuser_site: int
    nuser_tendon: int
    nuserdata: int
    nv: int
    nwrap: int
    oct_aabb: NDArray[np.float64]
    oct_child: NDArray[np.int32]
    oct_coeff: NDArray[np.float64]
    oct_depth: NDArray[np.int32]
    pair_adhesion: NDArray[np.float64]
    pair_dim: NDArray[np.int32]
    pair_friction: NDArray[np.float64]
    pair_frictionlaw: NDArray[np.int32]
    pair_gap: NDArray[np.float64]
    pair_geom1: NDArray[np.int32]
    pair_geom2: NDArray[np.int32]
    pair_margin: NDArray[np.float64]
    pair_signature: NDArray[np.int32]
    pair_solimp: NDArray[np.float64]
    pair_solref: NDArray[np.float64]
    pair_solreffriction: NDArray[np.float64]
    paths: _pliant._Bytes
    pending: Any
    plugin: NDArray[np.int32]
    plugin_attr: NDArray[np.int8]
    plugin_attradr: NDArray[np.int32]
    plugin_stateadr: NDArray[np.int32]
    plugin_statenum: NDArray[np.int32]
    qpos0: NDArray[np.float64]
    qpos_spring: NDArray[np.float64]
    rank_bodyid: NDArray[np.int32]
    rank_first: NDArray[np.int32]
    sensor_adr: NDArray[np.int32]
    sensor_cutoff: NDArray[np.float64]
    sensor_datatype: NDArray[np.int32]
    sensor_delay: NDArray[np.float64]
    sensor_dim: NDArray[np.int32]
    sensor_history: NDArray[np.int32]
    sensor_historyadr: NDArray[np.int32]
    sensor_interval: NDArray[np.float64]
    sensor_intprm: NDArray[np.int32]
    sensor_needstage: NDArray[np.int32]
    sensor_noise: NDArray[np.float64]
    sensor_objid: NDArray[np.int32]
    sensor_objtype: NDArray[np.int32]
    sensor_plugin: NDArray[np.int32]
    sensor_refid: NDArray[np.int32]
    sensor_reftype: NDArray[np.int32]
    sensor_type: NDArray[np.int32]
    sensor_user: NDArray[np.float64]
    signature: int
    site_bodyid: NDArray[np.int32]
    site_dataid: NDArray[np.int32]
    site_group: NDArray[np.int32]
    site_matid: NDArray[np.int32]
    site_pos: NDArray[np.float64]
    site_quat: NDArray[np.float64]
    site_rgba: NDArray[np.float32]
    site_sameframe: NDArray[np.uint8]
    site_size: NDArray[np.float64]
    site_type: NDArray[np.int32]
    site_user: NDArray[np.float64]
    skin_boneadr: NDArray[np.int32]
    skin_bonebindpos: NDArray[np.float32]
    skin_bonebindquat: NDArray[np.float32]
    skin_bonebodyid: NDArray[np.int32]
    skin_bonenum: NDArray[np.int32]
    skin_bonevertadr: NDArray[np.int32]
    skin_bonevertid: NDArray[np.int32]
    skin_bonevertnum: NDArray[np.int32]
    skin_bonevertweight: NDArray[np.float32]
    skin_face: NDArray[np.int32]
    skin_faceadr: NDArray[np.int32]
    skin_facenum: NDArray[np.int32]
    skin_group: NDArray[np.int32]
    skin_inflate: NDArray[np.float32]
    skin_matid: NDArray[np.int32]
    skin_pathadr: NDArray[np.int32]
    skin_rgba: NDArray[np.float32]
    skin_texcoord: NDArray[np.float32]
    skin_texcoordadr: NDArray[np.int32]
    skin_vert: NDArray[np.float32]
    skin_vertadr: NDArray[np.int32]
    skin_vertnum: NDArray[np.int32]
    ten_J_colind: NDArray[np.int32]
    ten_J_rowadr: NDArray[np.int32]
    ten_J_rownnz: NDArray[np.int32]
    tendon_actfrclimited: NDArray[np.bool_]
    tendon_actfrcrange: NDArray[np.float64]
    tendon_actuatorid: NDArray[np.int32]
    tendon_adr: NDArray[np.int32]
    tendon_armature: NDArray[np.float64]
    tendon_damping: NDArray[np.float64]
    tendon_dampingpoly: NDArray[np.float64]
    tendon_frictionloss: NDArray[np.float64]
    tendon_group: NDArray[np.int32]
    tendon_invweight0: NDArray[np.float64]
    tendon_length0: NDArray[np.float64]
    tendon_lengthspring: NDArray[np.float64]
    tendon_limited: NDArray[np.bool_]
    tendon_margin: NDArray[np.float64]
    tendon_matid: NDArray[np.int32]
    tendon_num: NDArray[np.int32]
    tendon_plasticadr: NDArray[np.int32]
    tendon_range: NDArray[np.float64]
    tendon_rgba: NDArray[np.float32]
    tendon_solimp_fri: NDArray[np.float64]
    tendon_solimp_lim: NDArray[np.float64]
    tendon_solref_fri: NDArray[np.float64]
    tendon_solref_lim: NDArray[np.float64]
    tendon_springyield: NDArray[np.float64]
    tendon_stiffness: NDArray[np.float64]
    tendon_stiffnesspoly: NDArray[np.float64]
    tendon_treeid: NDArray[np.int32]
    tendon_treenum: NDArray[np.int32]
    tendon_type: NDArray[np.int32]
    tendon_user: NDArray[np.float64]
    tendon_width: NDArray[np.float64]
    tex_adr: NDArray[np.int64]
    tex_colorspace: NDArray[np.int32]
    tex_contenttypeadr: NDArray[np.int32]
    tex_data: NDArray[np.uint8]
    tex_height: NDArray[np.int32]
    tex_nchannel: NDArray[np.int32]
    tex_pathadr: NDArray[np.int32]
    tex_type: NDArray[np.int32]
    tex_width: NDArray[np.int32]
    text_adr: NDArray[np.int32]
    text_data: _pliant._Bytes
    text_size: NDArray[np.int32]
    tree_bodyadr: NDArray[np.int32]
    tree_bodynum: NDArray[np.int32]
    tree_dofadr: NDArray[np.int32]
    tree_dofnum: NDArray[np.int32]
    tree_sleep_policy: NDArray[np.int32]
    tuple_adr: NDArray[np.int32]
    tuple_objid: NDArray[np.int32]
    tuple_objprm: NDArray[np.float64]
    tuple_objtype: NDArray[np.int32]
    tuple_size: NDArray[np.int32]
    wrap_objid: NDArray[np.int32]
    wrap_prm: NDArray[np.float64]
    wrap_type: NDArray[np.int32]
    def actuator(self, name: str | int = ...) -> Any: ...
    def body(self, name: str | int = ...) -> Any: ...
    def camera(self, name: str | int = ...) -> Any: ...
    def cam(self, name: str | int = ...) -> Any: ...
    def equality(self, name: str | int = ...) -> Any: ...
    def eq(self, name: str | int = ...) -> Any: ...
    def exclude(self, name: str | int = ...) -> Any: ...
    def geom(self, name: str | int = ...) -> Any: ...
    def hfield(self, name: str | int = ...) -> Any: ...
    def joint(self, name: str | int = ...) -> Any: ...
    def jnt(self, name: str | int = ...) -> Any: ...
    def light(self, name: str | int = ...) -> Any: ...
    def material(self, name: str | int = ...) -> Any: ...
    def mat(self, name: str | int = ...) -> Any: ...
    def mesh(self, name: str | int = ...) -> Any: ...
    def numeric(self, name: str | int = ...) -> Any: ...
    def pair(self, name: str | int = ...) -> Any: ...
    def sensor(self, name: str | int = ...) -> Any: ...
    def site(self, name: str | int = ...) -> Any: ...
    def skin(self, name: str | int = ...) -> Any: ...
    def tendon(self, name: str | int = ...) -> Any: ...
    def ten(self, name: str | int = ...) -> Any: ...
    def text(self, name: str | int = ...) -> Any: ...
    def texture(self, name: str | int = ...) -> Any: ...
    def tex(self, name: str | int = ...) -> Any: ...
    def tuple(self, name: str | int = ...) -> Any: ...
    def keyframe(self, name: str | int = ...) -> Any: ...
    def key(self, name: str | int = ...) -> Any: ...

class MjData(_pliant.World):
    def __init__(self, model: MjModel) -> None: ...
    M: NDArray[np.float64]
    act: NDArray[np.float64]
    act_dot: NDArray[np.float64]
    actuator_force: NDArray[np.float64]
    actuator_length: NDArray[np.float64]
    actuator_moment: NDArray[np.float64]
    actuator_velocity: NDArray[np.float64]
    body_awake: NDArray[np.int32]
    body_awake_ind: NDArray[np.int32]
    bvh_aabb_dyn: NDArray[np.float64]
    bvh_active: NDArray[np.bool_]
    bytes: int
    cacc: NDArray[np.float64]
    cam_xmat: NDArray[np.float64]
    cam_xpos: NDArray[np.float64]
    cdof: NDArray[np.float64]
    cdof_dot: NDArray[np.float64]
    cfrc_ext: NDArray[np.float64]
    cfrc_int: NDArray[np.float64]
    cinert: NDArray[np.float64]
    contact: Any
    crb: NDArray[np.float64]
    ctrl: NDArray[np.float64]
    cvel: NDArray[np.float64]
    data: Any
    dof_awake_ind: NDArray[np.int32]
    dof_island: NDArray[np.int32]
    efc_AR: NDArray[np.float64]
    efc_AR_colind: NDArray[np.int32]
    efc_AR_rowadr: NDArray[np.int32]
    efc_AR_rownnz: NDArray[np.int32]
    efc_D: NDArray[np.float64]
    efc_J: NDArray[np.float64]
    efc_J_colind: NDArray[np.int32]
    efc_J_rowadr: NDArray[np.int32]
    efc_J_rownnz: NDArray[np.int32]
    efc_J_rowsuper: NDArray[np.int32]
    efc_KBIP: NDArray[np.float64]
    efc_R: NDArray[np.float64]
    efc_Y: NDArray[np.float64]
    efc_Y_colind: NDArray[np.int32]
    efc_Y_rowadr: NDArray[np.int32]
    efc_Y_rownnz: NDArray[np.int32]
    efc_aref: NDArray[np.float64]
    efc_b: NDArray[np.float64]
    efc_diagA: NDArray[np.float64]
    efc_force: NDArray[np.float64]
    efc_frictionloss: NDArray[np.float64]
    efc_id: NDArray[np.int32]
    efc_island: NDArray[np.int32]
    efc_margin: NDArray[np.float64]
    efc_pos: NDArray[np.float64]
    efc_state: NDArray[np.int32]
    efc_type: NDArray[np.int32]
    efc_vel: NDArray[np.float64]
    efm_K_colind: NDArray[np.int32]
    efm_K_rowadr: NDArray[np.int32]
    efm_K_rownnz: NDArray[np.int32]
    efm_K_val: NDArray[np.float64]
    efm_L: NDArray[np.float64]
    efm_active: int
    efm_aid: NDArray[np.int32]
    efm_ak: NDArray[np.float64]
    efm_as: NDArray[np.float64]
    efm_c: NDArray[np.float64]
    efm_ca: NDArray[np.float64]
    efm_ck: NDArray[np.float64]
    efm_con_ind: NDArray[np.int32]
    efm_con_val: NDArray[np.float64]
    efm_diag: NDArray[np.float64]
    efm_dofid: NDArray[np.int32]
    efm_fluid: NDArray[np.float64]
    efm_sdiag: NDArray[np.float64]
    efm_tid: NDArray[np.int32]
    efm_tk: NDArray[np.float64]
    efm_ts: NDArray[np.float64]
    energy: NDArray[np.float64]
    eq_active: NDArray[np.bool_]
    faults: Any
    flex_hessian_valid: NDArray[np.bool_]
    flexedge_J: NDArray[np.float64]
    flexedge_hessian: NDArray[np.float64]
    flexedge_length: NDArray[np.float64]
    flexedge_velocity: NDArray[np.float64]
    flexelem_aabb: NDArray[np.float64]
    flexelem_krot: NDArray[np.float64]
    flexvert_J: NDArray[np.float64]
    flexvert_conage: NDArray[np.int32]
    flexvert_hessian: NDArray[np.float64]
    flexvert_lambda: NDArray[np.float64]
    flexvert_length: NDArray[np.float64]
    flexvert_xpos: NDArray[np.float64]
    flg_energypos: bool
    flg_energyvel: bool
    flg_rnepost: bool
    flg_subtreevel: bool
    geom_xmat: NDArray[np.float64]
    geom_xpos: NDArray[np.float64]
    geom_xquat: NDArray[np.float64]
    history: NDArray[np.float64]
    iacc: NDArray[np.float64]
    iacc_smooth: NDArray[np.float64]
    iefc_D: NDArray[np.float64]
    iefc_R: NDArray[np.float64]
    iefc_aref: NDArray[np.float64]
    iefc_force: NDArray[np.float64]
    iefc_frictionloss: NDArray[np.float64]
    iefc_id: NDArray[np.int32]
    iefc_state: NDArray[np.int32]
    iefc_type: NDArray[np.int32]
    ifrc_constraint: NDArray[np.float64]
    ifrc_smooth: NDArray[np.float64]
    island_dofadr: NDArray[np.int32]
    island_idofadr: NDArray[np.int32]
    island_iefcadr: NDArray[np.int32]
    island_itreeadr: NDArray[np.int32]
    island_ne: NDArray[np.int32]
    island_nefc: NDArray[np.int32]
    island_nf: NDArray[np.int32]
    island_ntree: NDArray[np.int32]
    island_nv: NDArray[np.int32]
    light_xdir: NDArray[np.float64]
    light_xpos: NDArray[np.float64]
    map_dof2idof: NDArray[np.int32]
    map_efc2iefc: NDArray[np.int32]
    map_idof2dof: NDArray[np.int32]
    map_iefc2efc: NDArray[np.int32]
    map_itree2tree: NDArray[np.int32]
    maxuse_arena: int
    maxuse_con: int
    maxuse_efc: int
    maxuse_stack: int
    mocap_pos: NDArray[np.float64]
    mocap_quat: NDArray[np.float64]
    moment_colind: NDArray[np.int32]
    moment_rowadr: NDArray[np.int32]
    moment_rownnz: NDArray[np.int32]
    nA: int
    nJ: int
    nY: int
    narena: int
    nbody_awake: int
    nbuffer: int
    ncon: int
    ne: int
    nefc: int
    nefmA: int
    nefmK: int
    nefmL: int
    nefmT: int
    nefmcon: int
    nefmdof: int
    nf: int
    nidof: int
    nisland: int
    nl: int
    nparent_awake: int
    nplugin: int
    ntree_awake: int
    nv_awake: int
    parena: int
    parent_awake_ind: NDArray[np.int32]
    pbase: int
    plastic: NDArray[np.float64]
    plugin: NDArray[np.int32]
    plugin_data: NDArray[np.uint64]
    plugin_state: NDArray[np.float64]
    pstack: int
    qDeriv: NDArray[np.float64]
    qH: NDArray[np.float64]
    qHDiagInv: NDArray[np.float64]
    qLD: NDArray[np.float64]
    qLDiagInv: NDArray[np.float64]
    qLU: NDArray[np.float64]
    qM: NDArray[np.float64]
    qacc: NDArray[np.float64]
    qacc_smooth: NDArray[np.float64]
    qacc_warmstart: NDArray[np.float64]
    qfrc_actuator: NDArray[np.float64]
    qfrc_adhesion: NDArray[np.float64]
    qfrc_applied: NDArray[np.float64]
    qfrc_bias: NDArray[np.float64]
    qfrc_constraint: NDArray[np.float64]
    qfrc_damper: NDArray[np.float64]
    qfrc_fluid: NDArray[np.float64]
    qfrc_gravcomp: NDArray[np.float64]
    qfrc_inverse: NDArray[np.float64]
    qfrc_passive: NDArray[np.float64]
    qfrc_smooth: NDArray[np.float64]
    qfrc_spring: NDArray[np.float64]
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    row_clamps: NDArray[np.int32]
    sensordata: NDArray[np.float64]
    signature: int
    site_xmat: NDArray[np.float64]
    site_xpos: NDArray[np.float64]
    site_xquat: NDArray[np.float64]
    solver: Any
    solver_fwdinv: NDArray[np.float64]
    solver_niter: NDArray[np.int32]
    solver_nnz: NDArray[np.int32]
    solver_reports: Any
    stage_times: Any
    state: Any
    subtree_angmom: NDArray[np.float64]
    subtree_com: NDArray[np.float64]
    subtree_linvel: NDArray[np.float64]
    ten_J: NDArray[np.float64]
    ten_length: NDArray[np.float64]
    ten_velocity: NDArray[np.float64]
    ten_wrapadr: NDArray[np.int32]
    ten_wrapnum: NDArray[np.int32]
    tendon_efcadr: NDArray[np.int32]
    threadpool: int
    time: float
    timer: Any
    timing: bool
    tree_asleep: NDArray[np.int32]
    tree_awake: NDArray[np.int32]
    tree_island: NDArray[np.int32]
    userdata: NDArray[np.float64]
    warning: Any
    wrap_obj: NDArray[np.int32]
    wrap_xpos: NDArray[np.float64]
    xanchor: NDArray[np.float64]
    xaxis: NDArray[np.float64]
    xfrc_applied: NDArray[np.float64]
    ximat: NDArray[np.float64]
    xipos: NDArray[np.float64]
    xiquat: NDArray[np.float64]
    xmat: NDArray[np.float64]
    xpos: NDArray[np.float64]
    xquat: NDArray[np.float64]
    def actuator(self, name: str | int = ...) -> Any: ...
    def body(self, name: str | int = ...) -> Any: ...
    def camera(self, name: str | int = ...) -> Any: ...
    def cam(self, name: str | int = ...) -> Any: ...
    def geom(self, name: str | int = ...) -> Any: ...
    def joint(self, name: str | int = ...) -> Any: ...
    def jnt(self, name: str | int = ...) -> Any: ...
    def light(self, name: str | int = ...) -> Any: ...
    def sensor(self, name: str | int = ...) -> Any: ...
    def site(self, name: str | int = ...) -> Any: ...
    def tendon(self, name: str | int = ...) -> Any: ...
    def ten(self, name: str | int = ...) -> Any: ...

def mj_addM(m: Any, d: Any, dst: Any, rownnz: Any = ..., rowadr: Any = ..., colind: Any = ...) -> Any: ...
def mj_defaultLROpt(opt: Any) -> Any: ...
def mj_defaultOption(opt: Any) -> Any: ...
def mj_defaultSolRefImp(solref: Any, solimp: Any) -> Any: ...
def mj_defaultVisual(vis: Any) -> Any: ...
def mj_embedAssets(m: Any) -> Any: ...
def mj_getTotalmass(m: Any) -> Any: ...
def mj_id2name(m: Any, type: Any, id: Any) -> Any: ...
def mj_isDual(m: Any) -> Any: ...
def mj_isPyramidal(m: Any) -> Any: ...
def mj_isSparse(m: Any) -> Any: ...
def mj_island(m: Any, d: Any) -> Any: ...
def mj_loadTexture(m: Any, id: Any) -> Any: ...
def mj_local2Global(d: Any, xpos: Any, xmat: Any, pos: Any, quat: Any, body: Any, sameframe: Any) -> Any: ...
def mj_mulJacTVec(m: Any, d: Any, res: Any, vec: Any) -> Any: ...
def mj_mulJacVec(m: Any, d: Any, res: Any, vec: Any) -> Any: ...
def mj_multiRay(m: Any, d: Any, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, dist: Any, normal: Any, nray: Any, cutoff: Any) -> Any: ...
def mj_name2id(m: Any, type: Any, name: Any) -> Any: ...
def mj_ray(m: Any, d: Any, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, normal: Any) -> Any: ...
def mj_resetCtrl(m: Any, d: Any) -> Any: ...
def mj_resetDataDebug(m: Any, d: Any, debug_value: Any) -> Any: ...
def mj_saveModel(m: Any, filename: Any = ..., buffer: Any = ...) -> Any: ...
def mj_setKeyframe(m: Any, d: Any, k: Any) -> Any: ...
def mj_setTotalmass(m: Any, newmass: Any) -> Any: ...
def mj_sizeModel(m: Any) -> Any: ...
def mj_version() -> Any: ...
def mj_versionString() -> Any: ...
def mjd_inverseFD(m: Any, d: Any, eps: Any, flg_actuation: Any, DfDq: Any, DfDv: Any, DfDa: Any, DsDq: Any, DsDv: Any, DsDa: Any, DmDq: Any, nthread: Any) -> Any: ...
def mjd_quatIntegrate(vel: Any, scale: Any, Dquat: Any, Dvel: Any, Dscale: Any) -> Any: ...
def mjd_subQuat(qa: Any, qb: Any, Da: Any, Db: Any) -> Any: ...
def mjd_transitionFD(m: Any, d: Any, eps: Any, flg_centered: Any, A: Any, B: Any, C: Any, D: Any, nthread: Any) -> Any: ...
def mjr_finish() -> Any: ...
def mjr_getError() -> Any: ...
def mjr_maxViewport(con: Any) -> Any: ...
def mjr_overlay(font: Any, gridpos: Any, viewport: Any, overlay: Any, overlay2: Any, con: Any) -> Any: ...
def mjr_readPixels(rgb: Any, depth: Any, viewport: Any, con: Any) -> Any: ...
def mjr_render(viewport: Any, scn: Any, con: Any) -> Any: ...
def mjr_resizeOffscreen(width: Any, height: Any, con: Any) -> Any: ...
def mjr_setBuffer(framebuffer: Any, con: Any) -> Any: ...
def mjr_uploadHField(m: Any, con: Any, hfieldid: Any) -> Any: ...
def mjr_uploadMesh(m: Any, con: Any, meshid: Any) -> Any: ...
def mjr_uploadTexture(m: Any, con: Any, texid: Any) -> Any: ...
def mju_Halton(index: int, base: int) -> Any: ...
def mju_L1(vec: ArrayLike) -> Any: ...
def mju_add(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_add3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_addScl(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None: ...
def mju_addScl3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None: ...
def mju_addTo(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_addTo3(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_addToScl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_addToScl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_axisAngle2Quat(res: NDArray[np.float64], axis: ArrayLike, angle: float) -> None: ...
def mju_band2Dense(res: NDArray[np.float64], mat: ArrayLike, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None: ...
def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> Any: ...
def mju_bandMulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int) -> None: ...
def mju_boxQP(res: Any, R: Any, index: Any, H: Any, g: Any, lower: Any = ..., upper: Any = ...) -> Any: ...
def mju_cholFactor(mat: NDArray[np.float64], mindiag: float) -> Any: ...
def mju_cholFactorBand(mat: NDArray[np.float64], ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> Any: ...
def mju_cholSolve(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_cholSolveBand(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int) -> None: ...
def mju_cholUpdate(mat: NDArray[np.float64], x: NDArray[np.float64], flg_plus: int) -> Any: ...
def mju_clip(x: float, min: float, max: float) -> Any: ...
def mju_copy(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_copy3(res: NDArray[np.float64], data: ArrayLike) -> None: ...
def mju_copy4(res: NDArray[np.float64], data: ArrayLike) -> None: ...
def mju_cross(res: NDArray[np.float64], a: ArrayLike, b: ArrayLike) -> None: ...
def mju_d2n(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_decodePyramid(force: NDArray[np.float64], pyramid: ArrayLike, mu: ArrayLike) -> None: ...
def mju_dense2Band(res: NDArray[np.float64], mat: ArrayLike, ntotal: int, nband: int, ndense: int) -> None: ...
def mju_dense2sparse(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any: ...
def mju_derivQuat(res: NDArray[np.float64], quat: ArrayLike, vel: ArrayLike) -> None: ...
def mju_dist3(pos1: ArrayLike, pos2: ArrayLike) -> Any: ...
def mju_dot(vec1: ArrayLike, vec2: ArrayLike) -> Any: ...
def mju_dot3(vec1: ArrayLike, vec2: ArrayLike) -> Any: ...
def mju_eig3(eigval: NDArray[np.float64], eigvec: NDArray[np.float64], quat: NDArray[np.float64], mat: ArrayLike) -> Any: ...
def mju_encodePyramid(pyramid: NDArray[np.float64], force: ArrayLike, mu: ArrayLike) -> None: ...
def mju_euler2Quat(quat: NDArray[np.float64], euler: ArrayLike, seq: str) -> None: ...
def mju_eye(mat: NDArray[np.float64]) -> None: ...
def mju_f2n(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_fill(res: NDArray[np.float64], val: float) -> None: ...
def mju_insertionSort(list: NDArray[np.float64]) -> None: ...
def mju_insertionSortInt(list: NDArray[np.int32]) -> None: ...
def mju_isBad(x: float) -> Any: ...
def mju_isZero(vec: ArrayLike) -> Any: ...
def mju_mat2Quat(quat: NDArray[np.float64], mat: ArrayLike) -> None: ...
def mju_mat2Rot(quat: NDArray[np.float64], mat: ArrayLike) -> Any: ...
def mju_max(a: float, b: float) -> Any: ...
def mju_min(a: float, b: float) -> Any: ...
def mju_mulMatMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None: ...
def mju_mulMatMatT(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None: ...
def mju_mulMatTMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None: ...
def mju_mulMatTVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulMatTVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulMatVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos1: ArrayLike, quat1: ArrayLike, pos2: ArrayLike, quat2: ArrayLike) -> None: ...
def mju_mulQuat(res: NDArray[np.float64], quat1: ArrayLike, quat2: ArrayLike) -> None: ...
def mju_mulQuatAxis(res: NDArray[np.float64], quat: ArrayLike, axis: ArrayLike) -> None: ...
def mju_mulVecMatVec(vec1: ArrayLike, mat: ArrayLike, vec2: ArrayLike) -> Any: ...
def mju_muscleBias(len: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> Any: ...
def mju_muscleDynamics(ctrl: float, act: float, prm: ArrayLike) -> Any: ...
def mju_muscleGain(len: float, vel: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> Any: ...
def mju_n2d(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_n2f(res: NDArray[np.float32], vec: ArrayLike) -> None: ...
def mju_negPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike) -> None: ...
def mju_negQuat(res: NDArray[np.float64], quat: ArrayLike) -> None: ...
def mju_norm(res: ArrayLike) -> Any: ...
def mju_norm3(vec: ArrayLike) -> Any: ...
def mju_normalize(res: NDArray[np.float64]) -> Any: ...
def mju_normalize3(vec: NDArray[np.float64]) -> Any: ...
def mju_normalize4(vec: NDArray[np.float64]) -> Any: ...
def mju_quat2Mat(res: NDArray[np.float64], quat: ArrayLike) -> None: ...
def mju_quat2Vel(res: NDArray[np.float64], quat: ArrayLike, dt: float) -> None: ...
def mju_quatIntegrate(quat: NDArray[np.float64], vel: ArrayLike, scale: float) -> None: ...
def mju_quatZ2Vec(quat: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_raySkin(nface: Any, nvert: Any, face: Any, vert: Any, pnt: Any, vec: Any, vertid: Any = ...) -> Any: ...
def mju_rotVecQuat(res: NDArray[np.float64], vec: ArrayLike, quat: ArrayLike) -> None: ...
def mju_round(x: float) -> Any: ...
def mju_scl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_scl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_sigmoid(x: float) -> Any: ...
def mju_sign(x: float) -> Any: ...
def mju_sparse2dense(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any: ...
def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> Any: ...
def mju_sqrMatTD(res: NDArray[np.float64], mat: ArrayLike, diag: ArrayLike | None) -> None: ...
def mju_standardNormal(num2: Any | None) -> Any: ...
def mju_str2Type(str: Any) -> Any: ...
def mju_sub(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_sub3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_subFrom(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_subFrom3(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_subQuat(res: NDArray[np.float64], qa: ArrayLike, qb: ArrayLike) -> None: ...
def mju_sum(vec: ArrayLike) -> Any: ...
def mju_sym2dense(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any: ...
def mju_symmetrize(res: NDArray[np.float64], mat: ArrayLike) -> None: ...
def mju_transformSpatial(res: NDArray[np.float64], vec: ArrayLike, flg_force: int, newpos: ArrayLike, oldpos: ArrayLike, rotnew2old: ArrayLike) -> None: ...
def mju_transpose(res: NDArray[np.float64], mat: ArrayLike) -> None: ...
def mju_trnVecPose(res: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_type2Str(type: Any) -> Any: ...
def mju_unit4(res: NDArray[np.float64]) -> None: ...
def mju_writeNumBytes(nbytes: int) -> Any: ...
def mju_zero(res: NDArray[np.float64]) -> None: ...
def mju_zero3(res: NDArray[np.float64]) -> None: ...
def mju_zero4(res: NDArray[np.float64]) -> None: ...
def mjv_averageCamera(cam1: Any, cam2: Any) -> Any: ...
def mjv_connector(geom: Any, type: Any, width: Any, from_: Any, to: Any) -> Any: ...
def mjv_defaultCamera(cam: Any) -> Any: ...
def mjv_defaultFreeCamera(m: Any, cam: Any) -> Any: ...
def mjv_defaultOption(opt: Any) -> Any: ...
def mjv_defaultPerturb(pert: Any) -> Any: ...
def mjv_initGeom(geom: Any, type: Any, size: Any = ..., pos: Any = ..., mat: Any = ..., rgba: Any = ...) -> Any: ...
def mjv_select(m: Any, d: Any, vopt: Any, aspectratio: Any, relx: Any, rely: Any, scn: Any, selpnt: Any, geomid: Any, flexid: Any, skinid: Any) -> Any: ...
def mjv_updateCamera(m: Any, d: Any, cam: Any, scn: Any) -> Any: ...
def mjv_updateScene(m: Any, d: Any, opt: Any, pert: Any, cam: Any, catmask: Any, scn: Any) -> Any: ...
