"""MjvFigure: a plot that a program fills. There is no window to draw it into (mjr_figure says so): the numbers can be
read again, and drawn with something else."""

import numpy as np

from ._attributes import assign_numbers, describe, equal, no_attribute, plain_number

_LINES, _POINTS = 100, 1001
# colours of lines, over and over
_COLOURS = np.array([[1, 0.3, 0.3], [0.1, 1, 0.1], [0.3, 0.3, 1], [0.1, 1, 1], [1, 0.2, 1], [1, 1, 0.1]], np.float32)
_DEFAULTS = {
    "flg_legend": 1, "flg_extend": 1, "flg_barplot": 0, "flg_selection": 0, "flg_symmetric": 0, "highlightid": -1,
    "legendoffset": 0, "subplot": 0, "linewidth": 3.0, "gridwidth": 1.0, "selection": 0.0,
    "minwidth": "XXX", "title": "", "xlabel": "", "xformat": "%.0f", "yformat": "%.2g",
    "flg_ticklabel": np.ones(2, np.int32), "gridsize": np.full(2, 2, np.int32),
    "gridrgb": np.full(3, 0.4, np.float32), "figurergba": np.array([0, 0, 0, 1], np.float32),
    "panergba": np.array([0, 0, 0, 1], np.float32), "legendrgba": np.array([0, 0, 0, 0.3], np.float32),
    "textrgb": np.ones(3, np.float32), "linergb": np.resize(_COLOURS, (_LINES, 3)),
    "range": np.array([[0, 1], [0, 1]], np.float32), "highlight": np.zeros(2, np.int32),
    "linename": np.zeros(_LINES, "S100"), "linepnt": np.zeros(_LINES, np.int32),
    "linedata": np.zeros((_LINES, 2 * _POINTS), np.float32), "xaxispixel": np.zeros(2, np.int32),
    "yaxispixel": np.zeros(2, np.int32), "xaxisdata": np.zeros(2, np.float32), "yaxisdata": np.zeros(2, np.float32),
}  # fmt: skip


class MjvFigure:
    """Lines of a plot and how it looks; nothing draws it."""

    def __init__(self):
        mjv_defaultFigure(self)

    def __setattr__(self, name, value):
        usual = _DEFAULTS.get(name)
        if name not in _DEFAULTS:
            raise no_attribute(self, name)
        if isinstance(usual, np.ndarray):
            if usual.dtype.kind == "S":
                raise AttributeError(f"{name}: write its elements")
            assign_numbers(name, getattr(self, name), value)
        elif isinstance(usual, str):
            if isinstance(value, (bytes, bytearray)):
                value = bytes(value).decode()
            if not isinstance(value, str):
                raise TypeError(f"{name} should be of type str, not {type(value).__name__}")
            self.__dict__[name] = str(value)
        else:
            self.__dict__[name] = plain_number(name, value, usual)

    def __copy__(self):
        other = MjvFigure()
        for name, value in self.__dict__.items():
            other.__dict__[name] = value.copy() if isinstance(value, np.ndarray) else value
        return other

    def __deepcopy__(self, memo):
        return self.__copy__()

    __repr__ = describe
    __eq__ = equal
    __hash__ = None


def mjv_defaultFigure(fig):
    """The figure to its defaults."""
    if not isinstance(fig, MjvFigure):
        raise TypeError(f"mjv_defaultFigure(): fig should be an MjvFigure, not {type(fig).__name__}")
    fig.__dict__.update({name: value.copy() if isinstance(value, np.ndarray) else value
                         for name, value in _DEFAULTS.items()})  # fmt: skip


NAMES = {"MjvFigure": MjvFigure, "mjv_defaultFigure": mjv_defaultFigure}
