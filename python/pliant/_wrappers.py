"""Python around functions of the compiled module that looks like them."""

import inspect
import re


def like_native(call, native, name):
    """The Python function, with name, documentation and arguments of the compiled one."""
    call.__name__ = call.__qualname__ = name
    call.__doc__ = native.__doc__
    arguments = re.findall(r"(\w+): ", native.__doc__.splitlines()[0].split(" -> ")[0])
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    call.__signature__ = inspect.Signature([inspect.Parameter(argument, kind) for argument in arguments])
    return call
