"""Example calls of what programs do around a simulation: callbacks, files, histories, options."""

import io
import pathlib
import tempfile
import typing

import numpy as np

from calls_registry import XML, example


@example("mju_boxQP")
def _box_qp(function, module, model, data, rng):
    half = rng.normal(size=(4, 4))
    res, index = np.zeros(4), np.zeros(4, np.int32)
    hessian = half @ half.T + np.eye(4)
    free = function(res, np.zeros((4, 11)), index, hessian, rng.normal(size=4) * 5, -np.ones(4), np.ones(4))
    return [free, res, index[:free]]


@example("mj_saveModel")
def _save_model(function, module, model, data, rng):
    buffer = np.zeros(module.mj_sizeModel(model), np.uint8)
    function(model, None, buffer)
    return [buffer.any()]


@example("mj_defaultLROpt")
def _default_lr_opt(function, module, model, data, rng):
    options = module.MjLROpt()
    options.accel = 3
    function(options)
    return [options.accel, options.timestep, options.tolrange, options.useexisting]


@example("mj_resetCallbacks")
def _reset_callbacks(function, module, model, data, rng):
    function()
    return [module.get_mjcb_passive() is None]


def _push(model, data):
    data.qfrc_passive[:] += 0.5


def _steer(model, data):
    data.ctrl[:] = 0.7


@example("set_mjcb_control", "get_mjcb_control", "set_mjcb_passive", "get_mjcb_passive")
def _callbacks_in_a_step(function, module, model, data, rng):
    name = function.__name__.rpartition("_")[2]
    callback = _steer if name == "control" else _push
    getattr(module, f"set_mjcb_{name}")(callback)
    try:
        assert getattr(module, f"get_mjcb_{name}")() is callback
        for _ in range(3):
            module.mj_step(model, data)
    finally:
        getattr(module, f"set_mjcb_{name}")(None)
    return [data.qpos, data.qvel]


@example(*(f"{what}_mjcb_{name}" for what in ("get", "set")
           for name in ("sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time")))  # fmt: skip
def _no_callback(function, module, model, data, rng):
    return [function(None) is None if function.__name__.startswith("set") else function() is None]


@example("set_mju_user_warning", "get_mju_user_warning")
def _user_warning(function, module, model, data, rng):
    module.set_mju_user_warning(None)
    return [module.get_mju_user_warning() is None]


@example("to_zip", "from_zip")
def _zip(function, module, model, data, rng):
    archive = io.BytesIO()
    module.to_zip(module.MjSpec.from_string(XML), archive)
    archive.seek(0)
    return [module.from_zip(archive).compile().nbody]


@example("MjStruct")
def _struct(function, module, model, data, rng):
    return [isinstance(module.MjSpec().worldbody, typing.get_args(module.MjStruct))]


# ---- files -------------------------------------------------------------------------------------------


def _written(write):
    """The text that a function writes into a file that it is given the name of."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "written.xml"
        write(str(path))
        return path.read_text()


@example("mj_printModel", "mj_printData", "mj_printFormattedModel", "mj_printFormattedData")
def _print(function, module, model, data, rng):
    given = [model, data] if "Data" in function.__name__ else [model]
    form = ["%.3g"] if "Formatted" in function.__name__ else []
    text = _written(lambda path: function(*given, path, *form)).lower()
    return [("qpos" in text) if len(given) > 1 else ("body_mass" in text)]


@example("mj_printSchema")
def _schema(function, module, model, data, rng):
    return ["mujoco" in function(html, pad) for html in (False, True) for pad in (False, True)]


@example("mj_saveLastXML")
def _save_last(function, module, model, data, rng):
    last = module.MjModel.from_xml_string(XML)
    again = module.MjModel.from_xml_string(_written(lambda path: function(path, last)))
    return [again.nq, again.ngeom, again.body_mass, again.geom_size, again.sensor_type]


@example("mju_getXMLDependencies")
def _dependencies(function, module, model, data, rng):
    with tempfile.TemporaryDirectory() as folder:
        main, part = pathlib.Path(folder) / "main.xml", pathlib.Path(folder) / "part.xml"
        mesh = pathlib.Path(folder) / "corner.obj"
        mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        part.write_text('<mujoco><asset><mesh name="corner" file="corner.obj"/></asset></mujoco>')
        main.write_text('<mujoco><include file="part.xml"/></mujoco>')
        names = {pathlib.Path(name).name for name in function(str(main))}
        return [name in names for name in ("main.xml", "part.xml", "corner.obj")]


# ---- histories and length ranges ---------------------------------------------------------------------

_DELAYED = """
<mujoco>
  <worldbody><body><joint name="j" range="-1 1"/><geom size=".1" pos=".3 0 0"/><site name="s"/></body></worldbody>
  <actuator><position name="a" joint="j" delay=".01" nsample="5"/><muscle name="m" joint="j"/></actuator>
  <sensor><framepos objtype="site" objname="s" delay=".01" nsample="5"/></sensor>
</mujoco>
"""


@example("mj_initCtrlHistory", "mj_readCtrl")
def _control_history(function, module, model, data, rng):
    model = module.MjModel.from_xml_string(_DELAYED)
    data, results, out = module.MjData(model), [], np.zeros(1)
    times = np.array([0, 0.01, 0.025, 0.03, 0.04])
    module.mj_initCtrlHistory(model, data, 0, times, rng.normal(size=5))
    for _ in range(2):
        for interpolation in range(3):
            for time in np.linspace(-0.01, 0.06, 40):
                module.mj_readCtrl(model, data, 0, time, out, interpolation)
                results.append(out.copy())
        module.mj_initCtrlHistory(model, data, 0, None, rng.normal(size=5))
        module.mj_step(model, data)
    return results


@example("mj_initSensorHistory")
def _sensor_history(function, module, model, data, rng):
    model = module.MjModel.from_xml_string(_DELAYED)
    data, results, out = module.MjData(model), [], np.zeros(3)
    function(model, data, 0, np.array([0, 0.01, 0.025, 0.03, 0.04]), rng.normal(size=(5, 3)), 0.02)
    for time in np.linspace(-0.01, 0.06, 20):
        module.mj_readSensor(model, data, 0, time, out, 1)
        results.append(out.copy())
    return [*results, data.history]


@example("mj_setLengthRange")
def _length_range(function, module, model, data, rng):
    model = module.MjModel.from_xml_string(_DELAYED)
    options = module.MjLROpt()
    module.mj_defaultLROpt(options)
    # the range of the joint: simulations of the reference are those of its compiler only with its compiler's flags
    options.useexisting, options.uselimit, options.mode = 0, 1, 3
    model.actuator_lengthrange[:] = 0
    for index in range(2):
        function(model, module.MjData(model), index, options)
    return [model.actuator_lengthrange.copy()]


@example("mju_raySkin")
def _ray_skin(function, module, model, data, rng):
    vert = rng.normal(size=(30, 3)).astype(np.float32)
    face = rng.integers(0, 30, (40, 3)).astype(np.int32)
    nearest, results = np.zeros(1, np.int32), []
    for _ in range(20):
        distance = function(40, 30, face, vert, 3 * rng.normal(size=3), rng.normal(size=3), nearest)
        results += [distance, nearest.copy() if distance >= 0 else 0]
    return results
