"""python -m pliant: the command line. Without arguments: version, how it was built, and the devices it can use."""

import os
import platform
import signal
import sys

import numpy

from . import _pliant


def _about():
    build = _pliant.build_info()
    gpu = _pliant.cuda_unavailable()
    lines = {
        "pliant": _pliant.__version__,
        "module": _pliant.__file__,
        "compiler": build["compiler"],
        "build": build["build_type"],
        "instructions": build["instructions"],
        "GPU part": "built in" if build["cuda"] else "not built in",
        "python": f"{platform.python_version()}, numpy {numpy.__version__}",
        "cpu": f"{os.cpu_count()} cores, {platform.machine()}",
        "gpu": gpu or "available",
    }
    for name, value in lines.items():
        print(f"{name:14}{value}")
    print("\n'python -m pliant --help' lists the commands.")
    return 0


def main(words=None):
    words = sys.argv[1:] if words is None else list(words)
    if not words:
        return _about()
    # as in the program: Ctrl-C ends a command at once (a simulation ends it in its own way), a closed pipe quietly
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.environ.setdefault("PLIANT_PYTHON", sys.executable)  # for commands that are written in Python (view)
    sys.stdout.flush()
    # the command that pip installs calls this, too
    name = "pliant" if os.path.basename(sys.argv[0]) == "pliant" else "python -m pliant"
    return _pliant.run_program(name, [os.fsencode(word) for word in words])


if __name__ == "__main__":
    sys.exit(main())
