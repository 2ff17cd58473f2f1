"""Enumerations and constants with the names and values of the reference, 4.0.1.

Members are ints: mjtObj.mjOBJ_BODY == 1.
"""

import enum as _enum


class _Enum(_enum.IntEnum):
    __str__ = _enum.Enum.__str__
    __format__ = _enum.Enum.__format__


class mjtActuator(_Enum):
    mjACTUATOR_GENERAL = 0
    mjACTUATOR_MOTOR = 1
    mjACTUATOR_POSITION = 2
    mjACTUATOR_VELOCITY = 3
    mjACTUATOR_INTVELOCITY = 4
    mjACTUATOR_DAMPER = 5
    mjACTUATOR_CYLINDER = 6
    mjACTUATOR_MUSCLE = 7
    mjACTUATOR_ADHESION = 8
    mjACTUATOR_PID = 9
    mjACTUATOR_ORIENTATION = 10
    mjACTUATOR_DCMOTOR = 11


class mjtAlignFree(_Enum):
    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2


class mjtBias(_Enum):
    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_DCMOTOR = 3
    mjBIAS_SO3 = 4
    mjBIAS_USER = 5


class mjtBuiltin(_Enum):
    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3


class mjtButton(_Enum):
    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3


class mjtCTimer(_Enum):
    mjCTIMER_TOTAL = 0
    mjCTIMER_ASSETS = 1
    mjCTIMER_TEXTURE = 2
    mjCTIMER_MESH_LOAD = 3
    mjCTIMER_MESH_HULL = 4
    mjCTIMER_MESH_POLYGON = 5
    mjCTIMER_MESH_INERTIA = 6
    mjCTIMER_MESH_BVH = 7
    mjCTIMER_MESH_OCTREE = 8
    mjNCTIMER = 9


class mjtCamLight(_Enum):
    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4


class mjtCamOutBit(_Enum):
    mjCAMOUT_RGB = 1
    mjCAMOUT_DEPTH = 2
    mjCAMOUT_DIST = 4
    mjCAMOUT_NORMAL = 8
    mjCAMOUT_SEG = 16
    mjNCAMOUT = 5


class mjtCamera(_Enum):
    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3


class mjtCatBit(_Enum):
    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7


class mjtColorSpace(_Enum):
    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2


class mjtConDataField(_Enum):
    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6
    mjCONDATA_LINVEL = 7
    mjCONDATA_ANGVEL = 8
    mjNCONDATA = 9


class mjtCone(_Enum):
    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1


class mjtConflict(_Enum):
    mjCONFLICT_WARNING = 0
    mjCONFLICT_MERGE = 1
    mjCONFLICT_ERROR = 2


class mjtConstraint(_Enum):
    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7


class mjtConstraintState(_Enum):
    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4


class mjtCtrlChart(_Enum):
    mjCHART_EXPMAP = 1
    mjCHART_QUAT = 2


class mjtCtrlInput(_Enum):
    mjINPUT_POS = 1
    mjINPUT_VEL = 2
    mjINPUT_FF = 4
    mjINPUT_VOLTAGE = 8
    mjINPUT_NONE = 16
    mjINPUT_PRESSURE = 32


class mjtDataType(_Enum):
    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3


class mjtDepthMap(_Enum):
    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1


class mjtDisableBit(_Enum):
    mjDSBL_CONSTRAINT = 1
    mjDSBL_EQUALITY = 2
    mjDSBL_FRICTIONLOSS = 4
    mjDSBL_LIMIT = 8
    mjDSBL_CONTACT = 16
    mjDSBL_SPRING = 32
    mjDSBL_DAMPER = 64
    mjDSBL_GRAVITY = 128
    mjDSBL_CLAMPCTRL = 256
    mjDSBL_WARMSTART = 512
    mjDSBL_FILTERPARENT = 1024
    mjDSBL_ACTUATION = 2048
    mjDSBL_REFSAFE = 4096
    mjDSBL_SENSOR = 8192
    mjDSBL_MIDPHASE = 16384
    mjDSBL_EULERDAMP = 32768
    mjDSBL_AUTORESET = 65536
    mjDSBL_NATIVECCD = 131072
    mjDSBL_ISLAND = 262144
    mjDSBL_MULTICCD = 524288
    mjNDISABLE = 20


class mjtDyn(_Enum):
    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_DCMOTOR = 5
    mjDYN_PID = 6
    mjDYN_USER = 7


class mjtEmbed(_Enum):
    mjEMBED_FALSE = 0
    mjEMBED_TRUE = 1
    mjEMBED_AUTO = 2


class mjtEnableBit(_Enum):
    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_SLEEP = 16
    mjENBL_DIAGEXACT = 32
    mjENBL_IPC = 64
    mjENBL_SPECULATIVE = 128
    mjNENABLE = 8


class mjtEq(_Enum):
    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_FLEXVERT = 5
    mjEQ_FLEXSTRAIN = 6
    mjEQ_DISTANCE = 7


class mjtEvent(_Enum):
    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8


class mjtFlexSection(_Enum):
    mjFLEXSECTION_CIRCLE = 0
    mjFLEXSECTION_BOX = 1


class mjtFlexSelf(_Enum):
    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4


class mjtFont(_Enum):
    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2


class mjtFontScale(_Enum):
    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300


class mjtFrame(_Enum):
    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7
    mjNFRAME = 8


class mjtFramebuffer(_Enum):
    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1


class mjtGain(_Enum):
    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_DCMOTOR = 3
    mjGAIN_SO3 = 4
    mjGAIN_PID = 5
    mjGAIN_USER = 6


class mjtGeom(_Enum):
    mjGEOM_PLANE = 0
    mjGEOM_HFIELD = 1
    mjGEOM_SPHERE = 2
    mjGEOM_CAPSULE = 3
    mjGEOM_ELLIPSOID = 4
    mjGEOM_CYLINDER = 5
    mjGEOM_BOX = 6
    mjGEOM_MESH = 7
    mjGEOM_SDF = 8
    mjNGEOMTYPES = 9
    mjGEOM_ARROW = 100
    mjGEOM_ARROW1 = 101
    mjGEOM_ARROW2 = 102
    mjGEOM_LINE = 103
    mjGEOM_LINEBOX = 104
    mjGEOM_FLEX = 105
    mjGEOM_SKIN = 106
    mjGEOM_LABEL = 107
    mjGEOM_TRIANGLE = 108
    mjGEOM_NONE = 1001


class mjtGeomInertia(_Enum):
    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1


class mjtGridPos(_Enum):
    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7


class mjtInertiaFromGeom(_Enum):
    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2


class mjtIntegrator(_Enum):
    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3
    mjINT_DISCRETE = 4


class mjtItem(_Enum):
    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13
    mjNITEM = 14


class mjtJacobian(_Enum):
    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2


class mjtJoint(_Enum):
    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3


class mjtLRMode(_Enum):
    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3


class mjtLabel(_Enum):
    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16
    mjNLABEL = 17


class mjtLightType(_Enum):
    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3


class mjtLimited(_Enum):
    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2


class mjtLogLevel(_Enum):
    mjLOG_DEBUG = 0
    mjLOG_INFO = 1
    mjLOG_WARNING = 2
    mjLOG_ERROR = 3


class mjtLogTopic(_Enum):
    mjTOPIC_NONE = 0
    mjTOPIC_TIME_STP = 1
    mjTOPIC_TIME_CMP = 2
    mjTOPIC_SLEEP = 3
    mjNTOPIC = 3


class mjtMark(_Enum):
    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3


class mjtMeshBuiltin(_Enum):
    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7
    mjMESH_BUILTIN_GRID = 8
    mjMESH_BUILTIN_BOX = 9
    mjMESH_BUILTIN_CYLINDER = 10
    mjMESH_BUILTIN_ELLIPSOID = 11
    mjMESH_BUILTIN_SQUARE = 12
    mjMESH_BUILTIN_DISC = 13


class mjtMeshInertia(_Enum):
    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3


class mjtMouse(_Enum):
    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7
    mjMOUSE_TURN_V = 8
    mjMOUSE_TURN_H = 9


class mjtObj(_Enum):
    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_FLEX = 9
    mjOBJ_MESH = 10
    mjOBJ_SKIN = 11
    mjOBJ_HFIELD = 12
    mjOBJ_TEXTURE = 13
    mjOBJ_MATERIAL = 14
    mjOBJ_PAIR = 15
    mjOBJ_EXCLUDE = 16
    mjOBJ_EQUALITY = 17
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_NUMERIC = 21
    mjOBJ_TEXT = 22
    mjOBJ_TUPLE = 23
    mjOBJ_KEY = 24
    mjOBJ_PLUGIN = 25
    mjNOBJECT = 26
    mjOBJ_FRAME = 100
    mjOBJ_DEFAULT = 101
    mjOBJ_MODEL = 102


class mjtOrientation(_Enum):
    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4


class mjtPassthrough(_Enum):
    mjPASSTHROUGH_NONE = 0
    mjPASSTHROUGH_TEXTURES = 1


class mjtPertBit(_Enum):
    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2


class mjtPluginCapabilityBit(_Enum):
    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8


class mjtProjection(_Enum):
    mjPROJ_PERSPECTIVE = 0
    mjPROJ_ORTHOGRAPHIC = 1


class mjtRayDataField(_Enum):
    mjRAYDATA_DIST = 0
    mjRAYDATA_DIR = 1
    mjRAYDATA_ORIGIN = 2
    mjRAYDATA_POINT = 3
    mjRAYDATA_NORMAL = 4
    mjRAYDATA_DEPTH = 5
    mjNRAYDATA = 6


class mjtRndFlag(_Enum):
    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_DEPTH = 7
    mjRND_SEGMENT = 8
    mjRND_IDCOLOR = 9
    mjRND_CULL_FACE = 10
    mjRND_POST_PROCESSING = 11
    mjNRNDFLAG = 12


class mjtSDFType(_Enum):
    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3


class mjtSameFrame(_Enum):
    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4


class mjtScaling(_Enum):
    mjSCALING_SIMILAR = 0
    mjSCALING_GEOMETRY = 1


class mjtSection(_Enum):
    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2


class mjtSensor(_Enum):
    mjSENS_TOUCH = 0
    mjSENS_ACCELEROMETER = 1
    mjSENS_VELOCIMETER = 2
    mjSENS_GYRO = 3
    mjSENS_FORCE = 4
    mjSENS_TORQUE = 5
    mjSENS_MAGNETOMETER = 6
    mjSENS_RANGEFINDER = 7
    mjSENS_CAMPROJECTION = 8
    mjSENS_JOINTPOS = 9
    mjSENS_JOINTVEL = 10
    mjSENS_TENDONPOS = 11
    mjSENS_TENDONVEL = 12
    mjSENS_ACTUATORPOS = 13
    mjSENS_ACTUATORVEL = 14
    mjSENS_ACTUATORFRC = 15
    mjSENS_JOINTACTFRC = 16
    mjSENS_TENDONACTFRC = 17
    mjSENS_BALLQUAT = 18
    mjSENS_BALLANGVEL = 19
    mjSENS_JOINTLIMITPOS = 20
    mjSENS_JOINTLIMITVEL = 21
    mjSENS_JOINTLIMITFRC = 22
    mjSENS_TENDONLIMITPOS = 23
    mjSENS_TENDONLIMITVEL = 24
    mjSENS_TENDONLIMITFRC = 25
    mjSENS_FRAMEPOS = 26
    mjSENS_FRAMEQUAT = 27
    mjSENS_FRAMEXAXIS = 28
    mjSENS_FRAMEYAXIS = 29
    mjSENS_FRAMEZAXIS = 30
    mjSENS_FRAMELINVEL = 31
    mjSENS_FRAMEANGVEL = 32
    mjSENS_FRAMELINACC = 33
    mjSENS_FRAMEANGACC = 34
    mjSENS_SUBTREECOM = 35
    mjSENS_SUBTREELINVEL = 36
    mjSENS_SUBTREEANGMOM = 37
    mjSENS_INSIDESITE = 38
    mjSENS_GEOMDIST = 39
    mjSENS_GEOMNORMAL = 40
    mjSENS_GEOMFROMTO = 41
    mjSENS_CONTACT = 42
    mjSENS_E_POTENTIAL = 43
    mjSENS_E_KINETIC = 44
    mjSENS_CLOCK = 45
    mjSENS_TACTILE = 46
    mjSENS_PLUGIN = 47
    mjSENS_USER = 48


class mjtSleepPolicy(_Enum):
    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5


class mjtSleepState(_Enum):
    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1


class mjtSolver(_Enum):
    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2


class mjtStage(_Enum):
    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3


class mjtState(_Enum):
    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_HISTORY = 16
    mjSTATE_WARMSTART = 32
    mjSTATE_CTRL = 64
    mjSTATE_QFRC_APPLIED = 128
    mjSTATE_XFRC_APPLIED = 256
    mjSTATE_EQ_ACTIVE = 512
    mjSTATE_MOCAP_POS = 1024
    mjSTATE_MOCAP_QUAT = 2048
    mjSTATE_USERDATA = 4096
    mjSTATE_PLUGIN = 8192
    mjSTATE_PLASTIC = 16384
    mjNSTATE = 15
    mjSTATE_PHYSICS = 16414
    mjSTATE_FULLPHYSICS = 24607
    mjSTATE_USER = 8128
    mjSTATE_INTEGRATION = 32767


class mjtStereo(_Enum):
    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2


class mjtTendon(_Enum):
    mjTENDON_FIXED = 0
    mjTENDON_SPATIAL = 1


class mjtTexture(_Enum):
    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2


class mjtTextureRole(_Enum):
    mjTEXROLE_USER = 0
    mjTEXROLE_RGB = 1
    mjTEXROLE_OCCLUSION = 2
    mjTEXROLE_ROUGHNESS = 3
    mjTEXROLE_METALLIC = 4
    mjTEXROLE_NORMAL = 5
    mjTEXROLE_OPACITY = 6
    mjTEXROLE_EMISSIVE = 7
    mjTEXROLE_RGBA = 8
    mjTEXROLE_ORM = 9
    mjNTEXROLE = 10


class mjtTimer(_Enum):
    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14
    mjNTIMER = 15


class mjtTrn(_Enum):
    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_SO3 = 6
    mjTRN_UNDEFINED = 1000


class mjtVisFlag(_Enum):
    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30
    mjNVISFLAG = 31


class mjtWarning(_Enum):
    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_BADQPOS = 3
    mjWARN_BADQVEL = 4
    mjWARN_BADQACC = 5
    mjWARN_BADCTRL = 6
    mjNWARNING = 7


class mjtWrap(_Enum):
    mjWRAP_NONE = 0
    mjWRAP_JOINT = 1
    mjWRAP_PULLEY = 2
    mjWRAP_SITE = 3
    mjWRAP_SPHERE = 4
    mjWRAP_CYLINDER = 5


# fmt: off
mjDISABLESTRING = (
    "Constraint", "Equality", "Frictionloss", "Limit", "Contact", "Spring", "Damper",
    "Gravity", "Clampctrl", "Warmstart", "Filterparent", "Actuation", "Refsafe", "Sensor",
    "Midphase", "Eulerdamp", "AutoReset", "NativeCCD", "Island", "MultiCCD",
)
mjENABLESTRING = (
    "Override", "Energy", "Fwdinv", "InvDiscrete", "Sleep", "DiagExact", "IPC", "Speculative",
)
mjFRAMESTRING = (
    "None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World",
)
mjLABELSTRING = (
    "None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator",
    "Constraint", "Flex", "Skin", "Selection", "SelPoint", "Contact", "ContactForce",
    "Island",
)
mjMAXCONPAIR = 50
mjMAXFLEXNODES = 27
mjMAXIMP = 0.9999
mjMAXLIGHT = 100
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXOVERLAY = 500
mjMAXPLANEGRID = 200
mjMAXTREEDEPTH = 50
mjMAXVAL = 10000000000.0
mjMINAWAKE = 10
mjMINIMP = 0.0001
mjMINMU = 1e-05
mjMINVAL = 1e-15
mjNBIAS = 10
mjNDYN = 10
mjNEQDATA = 12
mjNFLUID = 12
mjNGAIN = 10
mjNGROUP = 6
mjNIMP = 5
mjNISLAND = 20
mjNPOLY = 2
mjNREF = 2
mjNSENS = 3
mjNSOLVER = 200
mjPI = 3.141592653589793
mjRNDSTRING = (
    ("Shadow", "1", "S"), ("Wireframe", "0", "W"), ("Reflection", "1", "R"),
    ("Additive", "0", "L"), ("Skybox", "1", "K"), ("Fog", "0", "G"), ("Haze", "1", "/"),
    ("Depth", "0", ""), ("Segment", "0", ","), ("Id Color", "0", ""), ("Cull Face", "1", ""),
    ("Post Processing", "1", ""),
)
mjSC_IN = 1
mjSC_INOUT = 3
mjSC_OUT = 2
mjTIMERSTRING = (
    "step", "forward", "inverse", "position", "velocity", "actuation", "constraint", "advance",
    "pos_kinematics", "pos_inertia", "pos_collision", "pos_make", "pos_project",
    "col_broadphase", "col_narrowphase",
)
mjVERSION_HEADER = 4000001
mjVISSTRING = (
    ("Convex Hull", "0", "H"), ("Texture", "1", "X"), ("Joint", "0", "J"),
    ("Camera", "0", "Q"), ("Actuator", "0", "U"), ("Activation", "0", ","),
    ("Light", "0", "Z"), ("Tendon", "1", "V"), ("Range Finder", "1", "Y"),
    ("Equality", "0", "E"), ("Inertia", "0", "I"), ("Scale Inertia", "0", "'"),
    ("Perturb Force", "0", "B"), ("Perturb Object", "1", "O"), ("Contact Point", "0", "C"),
    ("Island", "0", "N"), ("Contact Force", "0", "F"), ("Contact Split", "0", "P"),
    ("Transparent", "0", "T"), ("Auto Connect", "0", "A"), ("Center of Mass", "0", "M"),
    ("Select Point", "0", ""), ("Static Body", "1", "D"), ("Skin", "1", ";"),
    ("Flex Vert", "0", ""), ("Flex Edge", "1", ""), ("Flex Face", "0", ""),
    ("Flex Skin", "1", ""), ("Body Tree", "0", "`"), ("Mesh Tree", "0", "\\"),
    ("SDF iters", "0", ""),
)
# fmt: on
