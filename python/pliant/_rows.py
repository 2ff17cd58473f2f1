"""Constraint rows, islands and the solver's report as attributes of MjData, under MuJoCo's names.

Rows live in memory that the next step uses again: these arrays are copies, made when they are asked for.
"""

import numpy as np

from . import _enums, _pliant

_FIELDS = {row["name"]: row for row in _pliant.row_fields()}
# arrays that are the same under another name
_ROWS = """
    type id pos margin frictionloss diagA KBIP D R vel aref force state island
""".split()
_ROWS_BY_ISLAND = "type id frictionloss D R aref force state".split()
_COUNTS = "nefc ne nf nl nisland nidof".split()
# The reference keeps matrices of the dual problem; Pliant does not form them.
_EMPTY = {
    "efc_AR": "float64", "efc_AR_colind": "int32", "efc_AR_rowadr": "int32", "efc_AR_rownnz": "int32",
    "efc_Y": "float64", "efc_Y_colind": "int32", "efc_Y_rowadr": "int32", "efc_Y_rownnz": "int32",
}  # fmt: skip


def _is_sparse(model):
    return model.opt.jacobian == 1 or (model.opt.jacobian == 2 and model.nv >= 60)


def _jacobian(data, part):
    """Part 0 … 3 of (values, rownnz, rowadr, colind); in dense mode every row has all columns."""
    if _is_sparse(data.model):
        return _pliant.row_jacobian_sparse(data.data)[part]
    nefc, nv = data.nefc, data.model.nv
    if part == 0:
        return _pliant.row_jacobian(data.model, data.data).ravel()
    counts = np.full(nefc, nv, np.int32)
    return (counts, np.arange(nefc, dtype=np.int32) * nv, np.tile(np.arange(nv, dtype=np.int32), nefc))[part - 1]


def _super(data):
    """How many of the rows that follow have the same columns."""
    nnz, adr, columns = (_jacobian(data, part) for part in (1, 2, 3))
    out = np.zeros(len(nnz), np.int32)
    for i in range(len(nnz) - 2, -1, -1):
        same = nnz[i] == nnz[i + 1] and np.array_equal(
            columns[adr[i] : adr[i] + nnz[i]], columns[adr[i + 1] : adr[i + 1] + nnz[i + 1]]
        )
        out[i] = out[i + 1] + 1 if same else 0
    return out


def _bias(data):
    return _pliant.row_jacobian(data.model, data.data) @ data.qacc_smooth - data.efc_aref


def _sorted_by(island):
    """Places in the order of islands, what belongs to none last; and where each went."""
    key = np.where(island < 0, np.iinfo(np.int32).max, island)
    order = np.argsort(key, kind="stable").astype(np.int32)
    place = np.empty_like(order)
    place[order] = np.arange(len(order), dtype=np.int32)
    return order, place


def _numbers_of_islands(island, count):
    numbers = np.bincount(island[island >= 0], minlength=count)[:count].astype(np.int32)
    return numbers, np.concatenate([[0], np.cumsum(numbers)])[:count].astype(np.int32)


def _island_dofadr(data):
    return np.array([np.argmax(data.dof_island == k) for k in range(data.nisland)], np.int32)


def _type_count(data, types):
    chosen = np.isin(data.efc_type, types)
    return _numbers_of_islands(np.where(chosen, data.efc_island, -1), data.nisland)[0]


def _iterations(data):
    out = np.zeros(_enums.mjNISLAND, np.int32)
    for i, report in enumerate(_pliant.solver_reports(data.data)[: _enums.mjNISLAND]):
        out[i] = report["iterations"]
    return out


def _first_rows_of_tendons(data):
    model, out = data.model, np.full(data.model.ntendon, -1, np.int32)
    of_tendons = (_enums.mjtConstraint.mjCNSTR_FRICTION_TENDON, _enums.mjtConstraint.mjCNSTR_LIMIT_TENDON)
    types, ids = data.efc_type, data.efc_id
    for row in range(len(types) - 1, -1, -1):
        type, id = types[row], ids[row]
        if type in of_tendons:
            out[id] = row
        elif type == 0 and model.eq_type[id] == _enums.mjtEq.mjEQ_TENDON:
            for tendon in (model.eq_obj1id[id], model.eq_obj2id[id]):
                if tendon >= 0:
                    out[tendon] = row
    return out


def _places(data, island, unused):
    order, place = _sorted_by(island)
    return (place if unused == "place" else order).copy()


_PROPERTIES = {
    "nJ": (lambda d: len(_jacobian(d, 0)), "numbers in efc_J"),
    "efc_J": (lambda d: _jacobian(d, 0), "Jacobian of the rows: dense or compressed by rows, as mj_isSparse says"),
    "efc_J_rownnz": (lambda d: _jacobian(d, 1), "numbers in each row of efc_J"),
    "efc_J_rowadr": (lambda d: _jacobian(d, 2), "first number of each row"),
    "efc_J_colind": (lambda d: _jacobian(d, 3), "dof of each number"),
    "efc_J_rowsuper": (_super, "how many of the following rows have the same columns"),
    "efc_b": (_bias, "J qacc_smooth - aref"),
    "dof_island": (lambda d: _pliant.island_array(d.model, d.data, "dof_island"), "island of each dof; -1: none"),
    "tree_island": (lambda d: _pliant.island_array(d.model, d.data, "tree_island"), "island of each tree; -1: none"),
    "island_nv": (lambda d: _numbers_of_islands(d.dof_island, d.nisland)[0], "dofs of each island"),
    "island_idofadr": (lambda d: _numbers_of_islands(d.dof_island, d.nisland)[1], "its first dof, in order of islands"),
    "island_dofadr": (_island_dofadr, "its first dof"),
    "island_nefc": (lambda d: _numbers_of_islands(d.efc_island, d.nisland)[0], "rows of each island"),
    "island_iefcadr": (lambda d: _numbers_of_islands(d.efc_island, d.nisland)[1], "its first row, in order of islands"),
    "island_ntree": (lambda d: _numbers_of_islands(d.tree_island, d.nisland)[0], "trees of each island"),
    "island_itreeadr": (lambda d: _numbers_of_islands(d.tree_island, d.nisland)[1],
                        "its first tree, in order of islands"),
    "island_ne": (lambda d: _type_count(d, [0]), "equality rows of each island"),
    "island_nf": (lambda d: _type_count(d, [1, 2]), "friction rows of each island"),
    "map_dof2idof": (lambda d: _places(d, d.dof_island, "place"), "place of each dof in the order of islands"),
    "map_idof2dof": (lambda d: _places(d, d.dof_island, "order"), "dofs in the order of islands"),
    "map_efc2iefc": (lambda d: _places(d, d.efc_island, "place"), "place of each row in the order of islands"),
    "map_iefc2efc": (lambda d: _places(d, d.efc_island, "order"), "rows in the order of islands"),
    "map_itree2tree": (lambda d: _places(d, d.tree_island, "order"), "trees in the order of islands"),
    "iacc": (lambda d: d.qacc[d.map_idof2dof[: d.nidof]], "qacc in the order of islands"),
    "iacc_smooth": (lambda d: d.qacc_smooth[d.map_idof2dof[: d.nidof]], "qacc_smooth in the order of islands"),
    "ifrc_smooth": (lambda d: d.qfrc_smooth[d.map_idof2dof[: d.nidof]], "qfrc_smooth in the order of islands"),
    "ifrc_constraint": (lambda d: d.qfrc_constraint[d.map_idof2dof[: d.nidof]],
                        "qfrc_constraint in the order of islands"),
    "solver_niter": (_iterations, "iterations of the solver, per island"),
    "tendon_efcadr": (_first_rows_of_tendons, "first row that involves the tendon; -1: none"),
    "row_clamps": (lambda d: _pliant.row_array(d.data, "row_clamps"), _FIELDS["row_clamps"]["meaning"]),
    "solver_reports": (lambda d: _pliant.solver_reports(d.data),
                       "how the solver did, one dict per island: status, iterations, gap, converged …"),
}  # fmt: skip


# The reference has no memory for arrays of islands where there are none, and for those of rows likewise.
_OF_ISLANDS = ("island_", "map_", "iacc", "ifrc_", "iefc_", "dof_island", "tree_island", "efc_island")
_OF_ROWS = (*_OF_ISLANDS, "efc_", "tendon_efcadr")
_NONE = ("tendon_efcadr", "tree_island", "dof_island")  # -1: none


def as_memory(value):
    """An array as the reference would have it in its memory: a view of that."""
    return value.view() if isinstance(value, np.ndarray) and value.flags.owndata else value


def _shown(name, get):
    """Arrays that the reference has no memory for own theirs, and are filled with nothing: 0, or -1 for places."""

    def read(self):
        value = get(self)
        if not isinstance(value, np.ndarray):
            return value
        nothing = (name.startswith(_OF_ROWS) and self.nefc == 0) or (name.startswith(_OF_ISLANDS) and self.nisland == 0)
        if nothing or value.size == 0:
            return np.full(value.shape, -1 if name in _NONE else 0, value.dtype)
        return as_memory(value)

    return read


def add_rows(cls):
    """Adds the properties to MjData."""
    for name in _COUNTS:
        get = lambda self, name=name: _pliant.row_counts(self.data)[name]  # noqa: E731
        setattr(cls, name, property(get, doc="number of rows, islands or dofs in islands"))
    for name in _ROWS:
        get = lambda self, name=name: _pliant.row_array(self.data, f"row_{name}")  # noqa: E731
        setattr(cls, f"efc_{name}", property(_shown(f"efc_{name}", get), doc=_FIELDS[f"row_{name}"]["meaning"]))
    for name in _ROWS_BY_ISLAND:
        get = lambda self, name=name: getattr(self, f"efc_{name}")[self.map_iefc2efc]  # noqa: E731
        setattr(cls, f"iefc_{name}", property(_shown(f"iefc_{name}", get), doc=f"efc_{name} in the order of islands"))
    for name, (get, doc) in _PROPERTIES.items():
        setattr(cls, name, property(_shown(name, get), doc=doc))
    for name, dtype in _EMPTY.items():
        get = lambda self, dtype=dtype: np.zeros(0, dtype)  # noqa: E731
        setattr(cls, name, property(get, doc="always empty: Pliant does not form the dual problem's matrices"))
    return cls
