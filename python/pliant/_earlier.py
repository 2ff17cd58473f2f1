"""Names and forms of releases of MuJoCo before 4.0 that packages still use (robosuite 1.5): the mass matrix along
the branches of the tree.
"""

import numpy as np

from . import _pliant


def _pairs(m):
    """Dofs i and j of the numbers of qM: of every dof with itself, its parent, and so on."""
    rows, columns = [], []
    for dof in range(m.nv):
        at = dof
        while at >= 0:
            rows.append(dof)
            columns.append(at)
            at = int(m.dof_parentid[at])
    return np.array(rows, int), np.array(columns, int)


def along_branches(data):
    """MjData.qM before 4.0."""
    full = np.zeros((data.model.nv, data.model.nv))
    _pliant.mj_fullM(data.model, data, full)
    array = full[_pairs(data.model)]
    array.flags.writeable = False  # a copy: writing to it would change nothing
    return array


def mj_fullM(m, d, dst):
    """The mass matrix as a dense one, into dst. As before 4.0 also mj_fullM(m, dst, qM), with numbers like
    MjData.qM's."""
    if not isinstance(d, np.ndarray):
        return _pliant.mj_fullM(m, d, dst)
    dst, values = d, np.asarray(dst, float).ravel()
    if dst.size != m.nv * m.nv or dst.dtype != np.float64 or not dst.flags.writeable:
        raise TypeError(f"mj_fullM(): dst should be a writeable array of float64 of shape {(m.nv, m.nv)}")
    rows, columns = _pairs(m)
    if values.size != len(rows):
        raise TypeError(f"mj_fullM(): M should have {len(rows)} numbers, not {values.size}")
    full = np.zeros((m.nv, m.nv))
    full[rows, columns] = full[columns, rows] = values
    dst[...] = full.reshape(dst.shape)
    return None


FUNCTIONS = {"mj_fullM": mj_fullM}
