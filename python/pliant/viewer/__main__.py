"""What `pliant view` and `pliant plot` start. Their arguments have been checked by the command (cmd_view.cpp)."""

import argparse
import json
import os
import sys
import warnings

from .. import _pliant
from .._recording import is_chunked
from . import RecordingError, ViewerError, recording, save_html
from .page import write_whole
from .plot import plot_svg
from .progress import Progress

_RECORDINGS = (".plr", ".npz", ".csv")
_TALK = ("--json", "--quiet", "--progress")


def _sayer(command):
    """Says what is missing of a recording as the other commands do."""

    def say(message, *_arguments, **_options):
        print(f"pliant {command}: {message}", file=sys.stderr)

    return say


def _arguments(words):
    parser = argparse.ArgumentParser(prog="pliant view", add_help=False)
    parser.add_argument("file")
    for name in ("--model", "--key", "--html", "--camera", "--host", "--urdf"):
        parser.add_argument(name)
    parser.add_argument("--port", type=int)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--fps", type=float, default=60.0)
    for name in ("--paused", "--no-browser", "--allow-unsupported", *_TALK):
        parser.add_argument(name, action="store_true")
    return parser.parse_args(words)


def _progress(arguments, total, unit):
    return Progress(total, unit, wanted=arguments.progress, silent=arguments.json or arguments.quiet)


def _say_written(arguments, source, target, **more):
    """What was made, as the other commands say it."""
    if arguments.json:
        found = {"file": str(source), "ok": True, "diagnostics": [], "output": str(target), **more}
        print(json.dumps(found, indent=2, ensure_ascii=False))
    elif not arguments.quiet:
        print(f"wrote {target}")


def _load(path, arguments):
    urdf = json.loads(arguments.urdf) if arguments.urdf else None
    return _pliant.Model(path, allow_unsupported=arguments.allow_unsupported, urdf=urdf)


def _model_of(path, shown, arguments):
    """The model of a recording: what --model says, the one inside, or the file it names, there or beside it."""
    if arguments.model:
        return _load(arguments.model, arguments)
    try:
        if (inside := shown.model()) is not None:
            return inside
    except _pliant.LoadError as problem:
        print(f"pliant view: {problem}", file=sys.stderr)
    return _load(_model_file_of(path, shown), arguments)


def _model_file_of(path, shown):
    if shown.model_file is None:
        raise RecordingError(f"{path}: it does not say which model it is of; name it with --model")
    beside = os.path.join(os.path.dirname(path), os.path.basename(shown.model_file))
    for candidate in (shown.model_file, beside):
        if os.path.exists(candidate):
            return candidate
    raise RecordingError(f"{path}: its model, {shown.model_file}, is not there; name it with --model")


def _key(model, wanted):
    """Number of a keyframe, by name or number."""
    names = [model.name("key", i) for i in range(model.nkey)]
    if wanted in names:
        return names.index(wanted)
    if wanted.isdigit() and int(wanted) < model.nkey:
        return int(wanted)
    raise ValueError(f"there is no keyframe '{wanted}'; the model has {', '.join(filter(None, names)) or model.nkey}")


def _simulate(model, arguments):
    """A recording of the model as it moves by itself."""
    world = _pliant.World(model)
    if arguments.key is not None:
        world.state.reset(model, _key(model, arguments.key))
    rows = {"time": [], "qpos": [], "qvel": [], "act": []}
    steps = round(arguments.seconds / model.opt.timestep)
    every = max(1, round(1 / (arguments.fps * model.opt.timestep)))
    progress = _progress(arguments, steps, "steps")
    for i in range(steps + 1):
        if i % 16 == 0:
            progress.update(i)
        if i % every == 0 or i == steps:
            rows["time"].append(float(world.time))
            for name in ("qpos", "qvel", "act"):
                rows[name].append(getattr(world.state, name).copy())
        if i < steps and _pliant.step(model, world.state, world.data):
            print(f"pliant view: {_pliant.describe_faults(model, world.data)}; the page ends there", file=sys.stderr)
            break
    progress.close()
    return rows


def _view(arguments):
    if arguments.file.endswith(_RECORDINGS) or is_chunked(arguments.file):
        shown = recording.read(arguments.file)
        model = _model_of(arguments.file, shown, arguments)
        shown.check(model)
    else:
        model, shown = _load(arguments.file, arguments), None
    if arguments.html:
        source = shown or _simulate(model, arguments)
        progress = None

        def frame(done, total):
            nonlocal progress
            progress = progress or _progress(arguments, total, "frames")
            progress.update(done)

        target = save_html(model, source, arguments.html, fps=arguments.fps, camera=arguments.camera,
                           speed=arguments.speed, progress=frame)  # fmt: skip
        if progress is not None:
            progress.close()
        _say_written(arguments, arguments.file, target, bytes=os.path.getsize(target))
        return 0
    from .session import launch

    state = _pliant.State(model)
    if arguments.key is not None:
        state.reset(model, _key(model, arguments.key))
    launch(model, state, recording=shown, port=arguments.port, host=arguments.host, camera=arguments.camera,
           speed=arguments.speed, paused=arguments.paused, open_browser=not arguments.no_browser,
           announce=_announce(arguments))  # fmt: skip
    return 0


def _announce(arguments):
    """What is said when the viewer is open: nothing may not be, for nobody would know where it is."""
    if not arguments.json:
        return None
    return lambda address: print(json.dumps({"file": arguments.file, "ok": True, "address": address}), flush=True)


def _plot(words):
    """A recording, the picture, and names by commas, or nothing for all."""
    parser = argparse.ArgumentParser(prog="pliant plot", add_help=False)
    for name in ("file", "target", "fields"):
        parser.add_argument(name)
    for name in _TALK:
        parser.add_argument(name, action="store_true")
    arguments = parser.parse_args(words)
    wanted = [name for name in arguments.fields.split(",") if name] or None
    text = plot_svg(recording.read(arguments.file), wanted)
    _say_written(arguments, arguments.file, write_whole(arguments.target, text))
    return 0


def main(words):
    """`words`: "view" or "plot", and the arguments."""
    warnings.showwarning = _sayer(words[0])
    try:
        return _plot(words[1:]) if words[0] == "plot" else _view(_arguments(words[1:]))
    except (ViewerError, RecordingError, _pliant.LoadError, ValueError, OSError) as problem:
        print(f"pliant {words[0]}: {problem}", file=sys.stderr)
        if "--json" in words:
            print(json.dumps({"ok": False, "message": str(problem), "diagnostics": []}, indent=2, ensure_ascii=False))
    except KeyboardInterrupt:
        return 130
    return 2


if __name__ == "__main__":
    sys.exit(main(["view", *sys.argv[1:]]))
