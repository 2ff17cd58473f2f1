"""Pliant: a rigid-body simulator that reads MJCF.

    model = pliant.load("robot.xml")
    model.body_mass          # NumPy views into the model's memory
    model.diagnostics        # what the loader has to say about the file

    state = pliant.State(model)               # what must be kept to continue
    data = pliant.Data(model)                 # what a step computes
    faults = pliant.step(model, state, data)  # 0 if all is well
    state.qpos, data.xpos

    batch = pliant.Batch(model, 4096)         # many worlds; device="cuda" for a GPU
    batch.step(ctrl)                          # ctrl: (4096, nu)
    batch.qpos                                # (4096, nq)

    state, sensordata = pliant.rollout(model, states, controls)   # open loop, all cores
    batch.rollout(controls)                   # the same, from where the worlds are: chunk by chunk

`pliant.envs.VecEnv` makes Gymnasium environments of a model and a reward; `pliant.mujoco` offers the same under the
names of MuJoCo's Python package.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from . import _pliant
from ._attributes import explain_attributes as _explain_attributes
from ._attributes import explain_missing as _explain_missing
from ._explain import Design, Explanation, design, explain
from ._notebook import add_notebook_views as _add_notebook_views
from ._pliant import (
    Batch,
    Change,
    ChangeReport,
    Data,
    Diagnostic,
    FatalError,
    Finding,
    LedgerEntry,
    LoadError,
    Model,
    Spec,
    State,
    StepError,
    __version__,
    build_info,
    change_codes,
    code_table,
    constraint_residuals,
    cuda_unavailable,
    data_fields,
    describe_faults,
    doctor_codes,
    forward,
    mimic_from_physx,
    mimic_from_polycoef,
    mimic_report,
    mimic_reports,
    model_fields,
    model_sizes,
    physx_from_mimic,
    polycoef_from_mimic,
    project_state,
    state_fields,
    step,
    timestep_budget,
)
from ._recording import (
    FlightRecorder,
    Recorder,
    Recording,
    RecordingError,
    convert_recording,
    read_recording,
    replay,
)
from ._render import Renderer, render_batch, save_png
from ._reports import doctor
from ._rollout import RolloutResult, batch_rollout, rollout
from ._why import WhyReport, why

__all__ = [
    "Batch",
    "Change",
    "ChangeReport",
    "Data",
    "Diagnostic",
    "FatalError",
    "FlightRecorder",
    "Design",
    "Explanation",
    "Finding",
    "LedgerEntry",
    "LoadError",
    "Model",
    "Recorder",
    "Recording",
    "RecordingError",
    "Renderer",
    "RolloutResult",
    "Spec",
    "State",
    "StepError",
    "WhyReport",
    "__version__",
    "build_info",
    "change_codes",
    "changed_since",
    "code_table",
    "constraint_residuals",
    "convert",
    "convert_recording",
    "cuda_unavailable",
    "data_fields",
    "describe_faults",
    "design",
    "doctor",
    "doctor_codes",
    "explain",
    "forward",
    "load",
    "load_string",
    "mimic_from_physx",
    "mimic_from_polycoef",
    "mimic_report",
    "mimic_reports",
    "model_fields",
    "model_sizes",
    "physx_from_mimic",
    "polycoef_from_mimic",
    "project_state",
    "read_recording",
    "render_batch",
    "replay",
    "rollout",
    "save_png",
    "state_fields",
    "step",
    "timestep_budget",
    "why",
]

Batch.rollout = batch_rollout
_add_notebook_views()
for _owner in (Model, State, Data):
    _explain_missing(_owner)
for _part in ("Global", "Quality", "Headlight", "Map", "Scale", "Rgba"):
    _explain_attributes(getattr(_pliant.MjVisual, _part))
for _owner in (_pliant.MjOption, _pliant.MjStatistic, _pliant.MjLROpt, _pliant.MjVisual):
    _explain_attributes(_owner)
setattr(_pliant.MjVisual, "global", _pliant.MjVisual.global_)  # a keyword of Python, but the reference's name


def load(path: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None, *, allow_unsupported: bool = False,
         cache_dir: str | os.PathLike[str] | None = None, urdf: dict[str, object] | None = None) -> Model:  # fmt: skip
    """Loads and compiles a model file: MJCF, URDF or an archive (.mjz) of one; raises LoadError with every finding.

    `assets` maps file names to bytes that are used instead of files of that name. With
    `allow_unsupported`, what Pliant does not support becomes a warning and is left out.
    `cache_dir` names a folder that keeps meshes between loads; the model is the same with and without.
    `urdf` is a dict that says what a URDF leaves open: package_paths (folders for package://), actuators ("effort"
    or "position"), position_kp, fuse_fixed, floating_base, self_collision (docs/urdf.md).
    """
    if path is None:  # which Model takes for a path that was not given
        raise TypeError("load: a path is wanted, not None")
    return Model(path, assets=assets, allow_unsupported=allow_unsupported, cache_dir=cache_dir, urdf=urdf)


def convert(source, target, assets=None, *, for_mujoco=False, copy_assets=None, force=False):
    """Writes a model file as one flat MJCF file; returns the findings, losses among them (W650).

    With `for_mujoco` only what MuJoCo reads is written. `copy_assets` names a folder beside the target that gets
    copies of meshes and textures. A file that the model is read from is overwritten with `force` only.
    """
    spec = Spec(source, assets=assets)
    spec.save(target, for_mujoco=for_mujoco, copy_assets=copy_assets, force=force)
    return spec.diagnostics


def changed_since(path=None, since="3.12", *, xml=None, states=None, assets=None, allow_unsupported=False):
    """What in a model file means something else than in an earlier MuJoCo: a ChangeReport.

    `report.differs` says whether the model moves differently, `report.changes` why: element, place in the file, old
    and new numbers, size. Give a file, or the model as text (`xml`). `states` are dicts of qpos, qvel, act, ctrl,
    mocap_pos and mocap_quat to look at, in place of qpos0, keyframes and two short runs. docs/changed_since.md has the
    list of causes.
    """
    if (path is None) == (xml is None):
        raise TypeError("changed_since() needs a path or xml, and not both")
    numbers = [{name: [float(x) for x in _flat(value)] for name, value in state.items()} for state in states or []]
    report = _pliant._changed_since(path, xml, since, numbers, assets, allow_unsupported)
    if path is not None and not report.loaded and not assets and not os.path.isfile(path):
        Model(path)  # raises: a file that is not there says nothing about any version
    return report


def _flat(value):
    return value.ravel() if hasattr(value, "ravel") else value


def load_string(xml: str, assets: Mapping[str, bytes] | None = None, *, allow_unsupported: bool = False,
                cache_dir: str | os.PathLike[str] | None = None,
                urdf: dict[str, object] | None = None) -> Model:  # fmt: skip
    """Loads and compiles a model given as text; otherwise like load().

    >>> model = pliant.load_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    >>> model.ngeom
    1
    >>> try:
    ...     pliant.load_string("<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>")
    ... except pliant.LoadError as error:
    ...     finding = error.diagnostics[0]
    >>> finding.line, finding.column, finding.hint
    (1, 26, "did you mean 'size'?")
    """
    if isinstance(xml, (bytes, bytearray)):
        xml = bytes(xml).decode()
    if not isinstance(xml, str):
        raise TypeError(f"load_string: a text is wanted, not {type(xml).__name__}")
    return Model(xml=xml, assets=assets, allow_unsupported=allow_unsupported, cache_dir=cache_dir, urdf=urdf)
