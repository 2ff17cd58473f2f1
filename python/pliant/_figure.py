"""MjvFigure: a plot that a program fills. There is no window to draw it into (mjr_figure says so): the numbers can be
read again, and drawn with something else."""

import numpy as np

from ._attributes import describe, equal, no_attribute

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
            getattr(self, name)[...] = value
            return
        if isinstance(value, bytes) and isinstance(usual, str):
            value = value.decode()
        if isinstance(value, str) != isinstance(usual, str):
            raise TypeError(f"{name} should be of type {type(usual).__name__}, not {value!r}")
        self.__dict__[name] = type(usual)(value)

    def __copy__(self):
        other = MjvFigure()
        for name in _DEFAULTS:
            setattr(other, name, getattr(self, name))
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
