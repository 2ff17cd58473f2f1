"""What of MuJoCo's Python package Pliant does not have, or has with another meaning: one table.

The messages of pliant.mujoco and the page docs/compatibility.md come from here. Names may end in *.
"""

import fnmatch

RENDERING = "Renderer draws pictures as arrays (docs/rendering.md); there is no window or figure to draw into"
FILAMENT = "Renderer, which draws with rays on the CPU"
PLUGINS = "Pliant has no plugins"
FLEXES = "Pliant has no flexes"
STANDARD = "a name of Python's library or NumPy that the package happens to import; import it yourself"

# name or pattern → what to use instead
ABSENT = {
    "usd": RENDERING, "mjrf": FILAMENT,
    "sysid": "examples/tutorials/identify_solref.py shows how with least squares",
    "Mjv*": RENDERING, "Mjr*": RENDERING, "mjv_*": RENDERING, "mjr_*": RENDERING, "mjr[A-Z]*": RENDERING,
    "mj_printScene": RENDERING, "mj_printFormattedScene": RENDERING,
    "bind_scalar": "bind, or named access: model.joint(name).axis",
    "mj_loadAllPluginLibraries": PLUGINS, "mj_loadPluginLibrary": PLUGINS, "PLUGINS_DIR": PLUGINS,
    "PLUGIN_HANDLES": PLUGINS,
    "mj_flex": FLEXES, "mj_rayFlex": FLEXES,
    "get_mju_user_[mf]*": "memory is the library's own", "set_mju_user_[mf]*": "memory is the library's own",
    "HEADERS_DIR": "C++ headers are in include/pliant of the source tree",
    "mj_getCache": "pliant.load(path, cache_dir=…) keeps meshes",
    "mj_clearCache": "empty the folder given as cache_dir",
    "mj_getCacheSize": "look at the folder given as cache_dir",
    "mj_getCacheCapacity": "look at the folder given as cache_dir",
    "mj_setCacheCapacity": "empty the folder given as cache_dir",
    "MjLogMessage": "findings are in model.diagnostics and data.warning",
    "mju_writeLog": "use Python's logging", "mju_warningText": "data.describe_faults() says what happened and where",
    "mju_threadpool": "one step runs on one thread; use pliant.rollout or pliant.Batch for many worlds",
    "mju_printMat": "print(mat)", "mju_printMatSparse": "mju_sparse2dense, then print",
    "mj_projectConstraint": "the matrices of the dual problem are never formed; efc_J and M are there",
    "mj_constraintUpdate": "mj_fwdConstraint, or mj_inverse for the forces at a given qacc",
    "mj_invConstraint": "mj_inverse", "mj_invPosition": "mj_fwdPosition", "mj_invVelocity": "mj_fwdVelocity",
    "mj_addContact": "contacts are found by mj_collision; use <pair> in the model, or xfrc_applied",
    "MjPreContact": "contacts are found by mj_collision",
    "mj_maxContact": "memory for contacts grows by itself",
    "mj_actuatorInputName": "m.actuator(id).name and the order of inputs in docs/mjcf.md",
    "mujoco": "the package under its own name: `import pliant.mujoco as mujoco`",
    "Any": STANDARD, "IO": STANDARD, "Sequence": STANDARD, "TypeAlias": STANDARD, "Union": STANDARD, "ctypes": STANDARD,
    "np": STANDARD, "os": STANDARD, "platform": STANDARD, "subprocess": STANDARD, "warnings": STANDARD,
    "zipfile": STANDARD,
}  # fmt: skip

# name → how it differs
DIFFERS = {
    "MjModel": "also has diagnostics, ledger, origin(); no save methods; made by from_xml_path, from_xml_string, copy "
               "or pickle",
    "MjData": "a step that meets NaN or numbers beyond 1e10 is refused with StepError instead of reset",
    "MjContact": "elem, flex and vert are constant: no flexes; H is what a program has written: cone Hessians stay "
                 "inside the solver",
    "MjvFigure": "a program can fill it and read it again; nothing draws it",
    "mjv_defaultFigure": "other colours of lines",
    "MjLogConfig": "logs the time of compiling (mjTOPIC_TIME_CMP); other topics are refused",
    "MjsFlex": "can be made, changed and deleted; a model that has one does not compile",
    "MjsPlugin": "can be made, changed and deleted; a model that uses one does not compile",
    "set_mjcb_act_dyn": "with actearly the gaintype must be fixed or user",
    "MjVisual": "parts are classes of their own, MjVisual.Global and so on",
    "mj_step": "raises StepError and keeps the state where the reference resets it, unless set_on_fault('reset') is "
               "said; ends at Ctrl-C",
    "mj_step1": "raises StepError where the reference resets the state",
    "mj_step2": "raises StepError where the reference resets the state",
    "set_mjcb_contactfilter": "is asked about pairs of geoms that have contacts, once per pair and step",
    "set_mjcb_time": "is asked at the beginning and the end of steps and of mj_forward: timers of stages are the "
                     "engine's own",
    "mj_saveLastXML": "numbers that were changed since then and that no element of the file can express are an error",
    "mj_printSchema": "Pliant's own schema",
    "mj_printModel": "an own format", "mj_printFormattedModel": "an own format",
    "mj_printData": "an own format", "mj_printFormattedData": "an own format",
    "mj_setLengthRange": "raises FatalError where the reference returns 0; the data given are not touched",
    "mj_saveModel": "writes Pliant's own format, .plm, without the places of elements in files",
    "MjSpec": "flexes and plugins can be edited, and are refused by compile and to_xml; to_xml writes the same model, "
              "not always in the same words; errors also name the line of the program that made the element",
    "mj_forward": "raises StepError when qacc is not finite, unless set_on_fault says something else",
    "mj_inverse": "raises StepError when a number is not finite, unless set_on_fault says something else",
    "mj_checkPos": "raises StepError where the reference resets the state",
    "mj_checkVel": "raises StepError where the reference resets the state",
    "mj_checkAcc": "raises StepError where the reference resets the state",
    "mj_crb": "computes the factors of M, too", "mj_makeM": "computes the factors of M, too",
    "mj_inverseSkip": "computes what could be skipped again",
    "mj_embedAssets": "of models that were loaded from XML",
    "mj_island": "does nothing: mj_makeConstraint finds islands",
    "mj_compareFwdInv": "with the flag invdiscrete forward accelerations are those of the equations of motion",
    "mj_resetDataDebug": "fills arrays of numbers only",
    "mj_setConst": "leaves the data as they are",
    "mj_resetDataKeyframe": "a keyframe that does not exist is an error; the reference resets without one",
    "mj_setKeyframe": "refuses numbers of keyframes that do not exist",
    "mj_sizeModel": "size of a .plm file, not of an .mjb file",
    "set_mju_user_warning": "is told of faults under set_on_fault('reset') or 'warn' only; otherwise they are errors",
    **{f"set_mjcb_{name}": "machine code (ctypes, capsule) is refused: it would be given the reference's structs; a "
                           "Python function in ctypes' form is called with addresses that nothing can be read from"
       for name in "control passive sensor act_dyn act_gain act_bias contactfilter".split()},
    "mju_boxQP": "another method: the answer is the same to rounding",
    "mj_geomDistance": "true distances where the reference stops early (docs/differences.md)",
    "mj_jacDot": "of a ball joint that slide joints of the same body follow: the derivative; the reference's is "
                 "another one",
    "mjd_transitionFD": "leaves the data as they are; nthread; RK4, too, which the reference refuses; an error while "
                        "there are callbacks, which it cannot call",
    "mjd_inverseFD": "leaves the data as they are; nthread; an error while there are callbacks, which it cannot call",
    "mju_eig3": "another method: vectors may have other signs, and no number of iterations is given",
    "mju_mat2Rot": "the same rotation, another number of iterations",
    "mju_standardNormal": "random numbers of Python's `random`",
    "batch.Batch": "a simulation whose step is refused counts as failed (SimulationError) where the reference resets "
                   "its state; in rollout it stops. Of callbacks only C functions for control and passive",
    "batch.SimulationError": "also raised for steps that are refused; other words",
    "batch.DATA_FIELDS": "fields that Pliant does not have are constant",
    "batch.MODEL_FIELDS": "also has fields of Pliant's own; integers that say what is what are checked when a "
                          "simulation runs",
    "batch.Batch.persistent": "needed for nothing but get_data: nothing sleeps; stages are computed anew",
    "minimize": "another implementation: other iterations, the same minima",
    "rollout": "threads have their own data; per-world status in `pliant.rollout`",
    "rollout.rollout": "the data given are not touched, where the reference leaves the last state and controls in them",
    "rollout.Rollout": "the data given are not touched, where the reference leaves the last state and controls in them",
    "GLContext": "a class that needs no driver and does nothing",
    "MjrContext": "drawn with rays on the CPU; has the members that programs use",
    "MjrRect": "the same members",
    "MjvGeom": "double precision; camdist, modelrbound and transparent stay inside",
    "MjvGLCamera": "double precision", "MjvLight": "double precision",
    "MjvPerturb": "kept; nothing of it is drawn",
    "MjvScene": "double precision; no flexes, skins inside",
    "Renderer": "rays on the CPU (docs/rendering.md); threads",
    "mjv_select": "geoms; skins are looked through",
    "mjv_updateScene": "`pert` is not drawn; positions in double precision",
    "mjr_render": "the picture is drawn when it is read; stereo, additive transparency and the like are refused",
    "mjr_overlay": "drawn when the picture is read, with letters of Pliant's own; the viewport must be the picture's",
    "mjr_readPixels": "the size must be that of the picture", "mjr_setBuffer": "all buffers are memory",
    "mjr_maxViewport": "pictures may be larger", "mjr_resizeOffscreen": "pictures may have any size",
    "mjr_uploadTexture": "reads all textures again", "mjr_uploadMesh": "reads all meshes again",
    "mjr_uploadHField": "does nothing: heights are read from the model",
    "mjr_finish": "does nothing", "mjr_getError": "always 0: errors are exceptions",
    "glfw": "GLContext, which needs no driver", "renderer": "the same Renderer",
    "rendering": "rendering.classic has Renderer and GLContext",
    "viewer": "in the browser (docs/viewer.md); panels are always there, figures and images are not",
    "MjSolverStat": "read-only lines of data.solver", "MjTimerStat": "counted while data.timing is set",
    "MjWarningStat": "counts faults; data.describe_faults() says where",
}  # fmt: skip


# modules, and names that stand for what Python has: asking for these is an error at once
_MODULES = ("rendering", "glfw", "viewer", "renderer", "usd", "sysid", "mujoco", "mj_flex")


def can_be_named(name):
    """Whether code may mention the name without using it: in annotations, isinstance and tables."""
    return instead_of(name) not in (None, STANDARD) and name not in _MODULES and not name.startswith("PLUGIN")


def placeholder(name, message):
    """What stands for a class or function that Pliant does not have: using it is the error, not mentioning it."""

    def refuse(*args, **kwargs):
        raise NotImplementedError(message)

    if name.startswith(("Mj", "Renderer", "GLContext")):
        return type(name, (), {"__init__": refuse, "__doc__": message})
    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = message
    return refuse


def instead_of(name):
    """What to use instead of a name Pliant does not have; None if it is not in the table."""
    if name in ABSENT:
        return ABSENT[name]
    for pattern, text in ABSENT.items():
        if ("*" in pattern or "[" in pattern) and fnmatch.fnmatchcase(name, pattern):
            return text
    return None
