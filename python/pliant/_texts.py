"""Models and data as text: files for people to read, the last model as MJCF, the files that a model is made of."""

import os

import numpy as np

from . import _pliant

_last = {}  # what the last model was read from


def remember_last(**source):
    """For mj_saveLastXML: arguments of MjSpec's reader."""
    _last.clear()
    _last.update(source)


def _changed(model, fresh):
    """Names of arrays that a program has written to since the model was compiled."""
    names = [field["name"] for field in _pliant.model_fields() if field["class"] != "derived"]
    return [name for name in names if not np.array_equal(getattr(model, name), getattr(fresh, name), equal_nan=False)]


def mj_saveLastXML(filename, m=None):
    """Writes the model that was loaded last as one MJCF file, with numbers that a program has changed since then in m.
    A FatalError names those that the elements of the file cannot express; write through an MjSpec then."""
    from ._spec import MjSpec

    if not _last:
        raise _pliant.FatalError("mj_saveLastXML: no model was loaded from XML yet")
    spec = MjSpec._load(None, _last.get("assets"), None, **{k: v for k, v in _last.items() if k in ("path", "xml")})
    if m is not None:
        fresh = spec.compile()
        if fresh.signature != m.signature:
            raise _pliant.FatalError("mj_saveLastXML: the model is not the one that was loaded last")
        if changed := _changed(m, fresh):
            try:
                spec.copy_back(m)
            except ValueError as error:
                raise _pliant.FatalError(
                    f"mj_saveLastXML: {', '.join(changed)} differ from what was loaded: {error}; change the model as "
                    "an MjSpec and use its to_file"
                ) from None
    filename = filename.decode() if isinstance(filename, bytes) else filename
    spec.to_file(filename)


def mju_getXMLDependencies(filename):
    """The files that a model is read from: itself, what it includes and attaches, meshes, textures and the like."""
    from ._spec import MjSpec

    filename = os.fspath(filename.decode() if isinstance(filename, bytes) else filename)
    spec = MjSpec.from_file(filename)
    folder = os.path.dirname(filename)
    folders = {"mesh": spec.compiler.meshdir, "hfield": spec.compiler.meshdir, "skin": spec.compiler.meshdir,
               "texture": spec.compiler.texturedir}  # fmt: skip
    found = [filename, *_pliant.Model(filename).files]
    for kind, below in folders.items():
        for element in spec._elements(kind):
            if element.file:
                found.append(os.path.join(folder, below, element.file))
    return list(dict.fromkeys(os.path.normpath(name) if name != filename else name for name in found))


def mj_printSchema(flg_html, flg_pad):
    """The elements and attributes that Pliant reads, as text; with flg_html as HTML, padded if flg_pad."""
    text = _pliant._schema_text()
    if not flg_html:
        return text
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, entity)
    style = ' style="padding: 1em"' if flg_pad else ""
    return f"<pre{style}>\n{text}</pre>\n"


# ---- arrays --------------------------------------------------------------------------------------


def _lines(owner, names, float_format):
    def number(x):
        return float_format % x if isinstance(x, (float, np.floating)) else str(x)

    for name in names:
        value = getattr(owner, name)
        if not isinstance(value, np.ndarray):
            yield f"{name:24} {number(value)}"
        elif value.size:
            yield name
            rows = value.reshape(len(value), -1)
            for i, row in enumerate(rows):
                yield f"  {i:6}  " + " ".join(number(x) for x in row)


def _write(filename, lines):
    filename = filename.decode() if isinstance(filename, bytes) else filename
    with open(filename, "w") as file:
        file.writelines(line + "\n" for line in lines)


def _check_format(function, float_format):
    float_format = float_format.decode() if isinstance(float_format, bytes) else float_format
    try:
        float_format % 1.5
    except (TypeError, ValueError) as error:
        raise _pliant.FatalError(f"{function}: '{float_format}' is no format of one number: {error}") from None
    return float_format


def mj_printFormattedModel(m, filename, float_format):
    """Writes sizes and arrays of a model as text; float_format as in "%.6g"."""
    float_format = _check_format("mj_printFormattedModel", float_format)
    sizes = [name for name, _ in _pliant.model_sizes()]
    arrays = [field["name"] for field in _pliant.model_fields() if field["dtype"] != "bytes"]
    _write(filename, _lines(m, [*sizes, *arrays], float_format))


def mj_printModel(m, filename):
    """Writes sizes and arrays of a model as text."""
    mj_printFormattedModel(m, filename, "%.9g")


def mj_printFormattedData(m, d, filename, float_format):
    """Writes state and computed arrays as text; float_format as in "%.6g"."""
    float_format = _check_format("mj_printFormattedData", float_format)
    state = [row["name"] for row in _pliant.state_fields()]
    data = [row["name"] for row in _pliant.data_fields() if hasattr(type(d), row["name"])]
    _write(filename, _lines(d, [*state, "ncon", "nefc", *data], float_format))


def mj_printData(m, d, filename):
    """Writes state and computed arrays as text."""
    mj_printFormattedData(m, d, filename, "%.9g")


FUNCTIONS = {name: value for name, value in list(globals().items()) if name.startswith(("mj_", "mju_"))}
