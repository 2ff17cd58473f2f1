"""MjLogConfig: where messages go that a program asks for; so far the time of compiling (mjTOPIC_TIME_CMP)."""

import contextlib
import copy
import sys
import time

from . import _enums
from ._attributes import describe, no_attribute

_KINDS = {"logfile": str, "logto_console": bool, "logto_file": bool, "topics": int}


class MjLogConfig:
    """What is logged, and where. get() gives a copy of the settings; set() makes a copy the settings."""

    __slots__ = tuple(_KINDS)

    def __init__(self):
        self.logfile, self.logto_console, self.logto_file, self.topics = "MUJOCO_LOG.TXT", True, True, 0

    def __setattr__(self, name, value):
        if name not in _KINDS:
            raise no_attribute(self, name)
        if isinstance(value, str) != (_KINDS[name] is str):
            raise TypeError(f"{name} should be of type {_KINDS[name].__name__}, not {value!r}")
        if name == "topics":
            value = int(value)
            known = (1 << int(_enums.mjtLogTopic.mjNTOPIC)) - 1
            if value & ~known:
                raise ValueError(f"topics: bits beyond {known} have no meaning")
            if value & ~(1 << (int(_enums.mjtLogTopic.mjTOPIC_TIME_CMP) - 1)):
                raise NotImplementedError("topics: only the time of compiling (mjTOPIC_TIME_CMP) is logged; timers of"
                                          " steps are data.timer, and nothing sleeps")  # fmt: skip
        object.__setattr__(self, name, _KINDS[name](value))

    @staticmethod
    def get():
        """A copy of the settings."""
        return copy.copy(_settings)

    def set(self):
        """Makes these the settings."""
        global _settings
        _settings = copy.copy(self)

    __repr__ = describe


_settings = MjLogConfig()


@contextlib.contextmanager
def compile_time():
    """Logs how long it took, when that was asked for."""
    if not _settings.topics:
        yield
        return
    start = time.perf_counter()
    yield
    line = f"compile time: {time.perf_counter() - start:.6f} s\n"
    if _settings.logto_console:
        sys.stderr.write(line)
    if _settings.logto_file:
        with open(_settings.logfile, "a") as file:
            file.write(line)
