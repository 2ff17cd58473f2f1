"""python -m pliant: version, how it was built, and the devices it can use."""

import os
import platform
import sys

import numpy

from . import _pliant


def main():
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
