// Checks of single fields that model_links.def calls SPECIAL: places that depend on a type,
// products of sizes, tables inside arrays.

#include <algorithm>

#include "model/array_checker.h"
#include "model/name_map.h"

namespace pliant {

void ArrayChecker::joint_places() {
  for (int j = 0; j < njnt && fine(); ++j) {
    between("jnt_qposadr", j, m.jnt_qposadr[j], 0, nq - joint_kind(m.jnt_type[j]).positions);
    between("jnt_dofadr", j, m.jnt_dofadr[j], 0, nv - joint_kind(m.jnt_type[j]).velocities);
  }
}

/// Springs that yield keep their rest positions side by side: joints first, then tendons.
void ArrayChecker::plastic_places() {
  int64_t at = 0;
  const auto next = [&](const char* field, int i, int address, int numbers) {
    if (address == -1) return;
    between(field, i, address, at, numbers ? at : -1);
    at += numbers;
  };
  for (int j = 0; j < njnt && fine(); ++j) {
    next("jnt_plasticadr", j, m.jnt_plasticadr[j], joint_kind(m.jnt_type[j]).rest_positions());
  }
  for (int t = 0; t < ntendon && fine(); ++t) next("tendon_plasticadr", t, m.tendon_plasticadr[t], 2);
  if (fine() && at != nplastic) {
    fail("nplastic is " + std::to_string(nplastic) + "; the springs that yield have " + std::to_string(at) +
         " numbers");
  }
}

/// Row i of the packed mass matrix holds the dof and its ancestors, and follows row i-1.
void ArrayChecker::packed_mass_matrix() {
  std::vector<int> chain(nv);
  int64_t at = 0;
  for (int i = 0; i < nv && fine(); ++i) {
    chain[i] = m.M_parentid[i] < 0 ? 1 : chain[m.M_parentid[i]] + 1;
    between("dof_Madr", i, m.dof_Madr[i], at, at);
    between("D_diag", i, m.D_diag[i], chain[i] - 1, chain[i] - 1);
    const int before = i > 0 && m.dof_parentid[i] == i - 1 ? m.dof_chainnum[i - 1] + 1 : 0;
    between("dof_chainnum", i, m.dof_chainnum[i], before, before);
    at += chain[i];
  }
  if (at != nM) fail("nM is " + std::to_string(nM) + "; the dofs have " + std::to_string(at) + " entries");
}

/// Rows of the mass matrix follow each other. One has the dof itself and either, for a dof whose inertia is constant
/// and diagonal, nothing else, or all of its ancestors, whose rows then have all of theirs.
void ArrayChecker::mass_matrix_rows() {
  std::vector<int> chain(nv);
  int64_t at = 0;
  for (int i = 0; i < nv && fine(); ++i) {
    const int parent = m.M_parentid[i];
    chain[i] = parent < 0 ? 1 : chain[parent] + 1;
    const int entries = m.dof_simplenum[i] ? 1 : chain[i];
    between("M_rownnz", i, m.M_rownnz[i], entries, entries);
    between("M_rowadr", i, m.M_rowadr[i], at, at);
    if (entries > 1 && m.M_rownnz[parent] != chain[parent]) {
      fail("row " + std::to_string(parent) + " of the mass matrix lacks ancestors");
    }
    at += entries;
    int dof = i;
    for (int64_t k = at - 1; k >= at - entries && fine(); --k, dof = m.M_parentid[dof]) {
      between("M_colind", k, m.M_colind[k], dof, dof);
    }
  }
  if (at != nC) fail("nC is " + std::to_string(nC) + "; the rows have " + std::to_string(at) + " entries");
}

void ArrayChecker::geom_data() {
  for (int g = 0; g < ngeom && fine(); ++g) {
    const auto type = static_cast<GeomType>(m.geom_type[g]);
    // a primitive fitted to a mesh remembers it
    const int least = type == GeomType::kMesh || type == GeomType::kHfield ? 0 : -1;
    between("geom_dataid", g, m.geom_dataid[g], least, (type == GeomType::kHfield ? nhfield : nmesh) - 1);
  }
}

void ArrayChecker::site_shapes() {
  constexpr int kLeast = static_cast<int>(GeomType::kSphere), kMesh = static_cast<int>(GeomType::kMesh);
  for (int s = 0; s < nsite && fine(); ++s) {
    between("site_type", s, m.site_type[s], kLeast, kMesh);
    between("site_dataid", s, m.site_dataid[s], m.site_type[s] == kMesh ? 0 : -1, nmesh - 1);
  }
}

void ArrayChecker::height_samples() {
  for (int h = 0; h < nhfield && fine(); ++h) {
    between("hfield_nrow", h, m.hfield_nrow[h], 1, nhfielddata);
    between("hfield_ncol", h, m.hfield_ncol[h], 1, nhfielddata);
    const int64_t samples = int64_t{m.hfield_nrow[h]} * m.hfield_ncol[h];
    between("hfield_adr", h, m.hfield_adr[h], 0, nhfielddata - samples);
    for (int k = 0; k < 4; ++k) {
      if (!(m.hfield_size[4 * h + k] > 0)) fail(item_text("hfield_size", 4 * h + k) + " is not greater than 0");
    }
  }
}

void ArrayChecker::texture_bytes() {
  for (int t = 0; t < ntex && fine(); ++t) {
    between("tex_height", t, m.tex_height[t], 0, ntexdata);
    between("tex_width", t, m.tex_width[t], 0, ntexdata);
    between("tex_nchannel", t, m.tex_nchannel[t], 0, INT32_MAX);
    // each product is bounded before the next factor comes
    const int64_t pixels = int64_t{m.tex_height[t]} * m.tex_width[t];
    if (pixels > ntexdata) return fail(item_text("tex_height", t) + " times tex_width is too much");
    const int64_t bytes = pixels * m.tex_nchannel[t];
    if (bytes == 0 && m.tex_adr[t] == -1) continue;  // its pixels are in its file
    between("tex_adr", t, m.tex_adr[t], 0, ntexdata - bytes);
  }
}

/// One that can be coupled to others.
void ArrayChecker::scalar_joint(int joint) {
  const JointKind& kind = joint_kind(m.jnt_type[joint]);
  if (!kind.is_scalar()) fail(item_text("jnt_type", joint) + " is " + kind.keyword + ", which has several dofs");
}

/// Connections and welds hold two bodies or two sites, the others one or two joints or tendons.
void ArrayChecker::equality_objects() {
  int64_t rows = 0;
  for (int e = 0; e < neq && fine(); ++e) {
    const EqualityKind* kind = find_equality_kind(m.eq_type[e]);
    if (!kind) return fail(item_text("eq_type", e) + " is " + std::to_string(m.eq_type[e]) + ", which is no equality");
    const bool has_pose = kind->holds_poses(), joints = kind->ties_joints();
    const bool sites = has_pose && m.eq_objtype[e] == static_cast<int>(ObjType::kSite);
    const int type = static_cast<int>(sites ? ObjType::kSite : has_pose ? ObjType::kBody : ObjType::kUnknown);
    const int count = joints ? njnt : kind->ties_tendons() ? ntendon : sites ? nsite : nbody;
    between("eq_objtype", e, m.eq_objtype[e], type, type);
    between("eq_obj1id", e, m.eq_obj1id[e], 0, count - 1);
    between("eq_obj2id", e, m.eq_obj2id[e], has_pose ? 0 : -1, count - 1);
    rows += kind->rows;
    if (fine() && joints) {
      for (const int joint : {m.eq_obj1id[e], m.eq_obj2id[e]}) {
        if (joint >= 0) scalar_joint(joint);
      }
    }
  }
  if (fine() && rows != nemax) {
    fail("nemax is " + std::to_string(nemax) + "; there can be " + std::to_string(rows) + " rows");
  }
}

/// Mimics and the equalities they are know one another; their leaders are single dofs, other than the follower.
void ArrayChecker::mimic_joints() {
  int mimics = 0, leads = 0;
  for (int e = 0; e < neq && fine(); ++e) {
    const bool is_mimic = m.eq_type[e] == static_cast<int>(EqualityType::kMimic);
    const int expected = is_mimic ? mimics++ : -1;
    between("eq_mimicid", e, m.eq_mimicid[e], expected, expected);
    if (!is_mimic || !fine()) continue;
    if (mimics > nmimic) return fail("there are more than " + std::to_string(nmimic) + " mimics");
    const int k = mimics - 1;
    between("mimic_eqid", k, m.mimic_eqid[k], e, e);
    between("mimic_leadadr", k, m.mimic_leadadr[k], leads, leads);
    between("mimic_leadnum", k, m.mimic_leadnum[k], 1, nmimiclead - leads);
    for (int i = 0; i < m.mimic_leadnum[k] && fine(); ++i) {
      const int joint = m.mimic_leadid[leads + i];
      between("mimic_leadid", leads + i, joint, 0, njnt - 1);
      if (fine()) scalar_joint(joint);
      if (fine() && joint == m.eq_obj1id[e]) fail(item_text("mimic_leadid", leads + i) + " is its own follower");
    }
    leads += m.mimic_leadnum[k];
  }
  if (fine() && (mimics != nmimic || leads != nmimiclead)) fail("nmimic or nmimiclead counts what is not there");
  int rows = 0;
  for (int i = 0; i < nmimic && fine(); ++i) rows += m.mimic_mode[i] != static_cast<int>(MimicMode::kExact);
  if (fine() && rows != nmimicrow)
    fail("nmimicrow is " + std::to_string(nmimicrow) + "; there are " + std::to_string(rows));
  for (int i = 0; i < nmimicrow && fine(); ++i) {
    between("mimicrow_mimicid", i, m.mimicrow_mimicid[i], 0, nmimic - 1);
    if (!fine()) return;
    // ascending by block, then by number: each occurs once
    const int mimic = m.mimicrow_mimicid[i], last = i > 0 ? m.mimicrow_mimicid[i - 1] : -1;
    const bool after = i == 0 || m.mimic_blockid[last] < m.mimic_blockid[mimic] ||
                       (m.mimic_blockid[last] == m.mimic_blockid[mimic] && last < mimic);
    if (!after || m.mimic_mode[mimic] == static_cast<int>(MimicMode::kExact)) {
      fail(item_text("mimicrow_mimicid", i) + " is not in its place");
    }
  }
  followers();
}

/// follower_mimicid lists every exact mimic once; nobody is followed who has been eliminated, and nobody twice.
void ArrayChecker::followers() {
  std::vector<bool> listed(nmimic, false), gone(njnt, false);
  for (int k = 0; k < nfollower && fine(); ++k) {
    between("follower_mimicid", k, m.follower_mimicid[k], 0, nmimic - 1);
    if (!fine()) return;
    const int mimic = m.follower_mimicid[k], joint = m.eq_obj1id[m.mimic_eqid[mimic]];
    bool right = !listed[mimic] && !gone[joint] && m.mimic_mode[mimic] == static_cast<int>(MimicMode::kExact);
    listed[mimic] = gone[joint] = true;
    for (int i = 0; i < m.mimic_leadnum[mimic]; ++i) right = right && !gone[m.mimic_leadid[m.mimic_leadadr[mimic] + i]];
    if (!right) fail(item_text("follower_mimicid", k) + " cannot be eliminated here");
  }
  for (int i = 0; i < nmimic && fine(); ++i) {
    const bool exact = m.mimic_mode[i] == static_cast<int>(MimicMode::kExact);
    if (exact != listed[i]) fail(item_text("mimic_mode", i) + " and follower_mimicid disagree");
  }
}

/// Contacts have 1, 3, 4 or 6 dimensions.
void ArrayChecker::contact_dimensions() {
  const auto check = [&](const char* name, const int32_t* dimension, int n) {
    for (int i = 0; i < n && fine(); ++i) {
      const int d = dimension[i];
      if (d != 1 && d != 3 && d != 4 && d != 6) {
        fail(item_text(name, i) + " is " + std::to_string(d) + "; it must be 1, 3, 4 or 6");
      }
    }
  };
  check("geom_condim", m.geom_condim, ngeom);
  check("pair_dim", m.pair_dim, npair);
}

void ArrayChecker::tendon_paths() {
  for (int w = 0; w < nwrap && fine(); ++w) {
    const auto type = static_cast<WrapType>(m.wrap_type[w]);
    if (type == WrapType::kPulley || type == WrapType::kNone) {
      between("wrap_objid", w, m.wrap_objid[w], -1, -1);
    } else {
      const bool is_geom = type == WrapType::kSphere || type == WrapType::kCylinder;
      const int count = type == WrapType::kJoint ? njnt : is_geom ? ngeom : nsite;
      between("wrap_objid", w, m.wrap_objid[w], 0, count - 1);
      // the side site of a geom is kept among the real parameters
      const double side = m.wrap_prm[w];
      if (is_geom && !(side >= -1 && side < nsite && side == static_cast<int>(side))) {
        fail(item_text("wrap_prm", w) + " names no site");
      }
    }
  }
  // Paths follow each other. A path is joints alone, or sites and pulleys with geoms between sites.
  int at = 0;
  for (int t = 0; t < ntendon && fine(); ++t) {
    between("tendon_adr", t, m.tendon_adr[t], at, at);
    const int first = at, end = at += m.tendon_num[t];
    const auto is = [&](int w, WrapType type) {
      return w >= first && w < end && m.wrap_type[w] == static_cast<int>(type);
    };
    const bool fixed = is(first, WrapType::kJoint);
    bool right = end > first && end <= nwrap && (fixed || is(end - 1, WrapType::kSite));
    for (int w = first; w < end && right; ++w) {
      const auto type = static_cast<WrapType>(m.wrap_type[w]);
      const bool is_geom = type == WrapType::kSphere || type == WrapType::kCylinder;
      right = fixed     ? type == WrapType::kJoint
              : is_geom ? is(w - 1, WrapType::kSite) && is(w + 1, WrapType::kSite)
                        : type == WrapType::kSite || type == WrapType::kPulley;
    }
    if (!right) fail("tendon " + std::to_string(t) + " has no possible path");
  }
  if (fine() && at != nwrap) fail("nwrap is " + std::to_string(nwrap) + "; paths have " + std::to_string(at));
}

/// Columns of a tendon's Jacobian ascend; a joint that is named twice has two.
void ArrayChecker::tendon_columns() {
  for (int t = 0; t < ntendon && fine(); ++t) {
    const int first = m.ten_J_rowadr[t], end = first + m.ten_J_rownnz[t];
    for (int k = first; k < end && fine(); ++k) {
      between("ten_J_colind", k, m.ten_J_colind[k], k > first ? m.ten_J_colind[k - 1] : 0, nv - 1);
    }
  }
}

void ArrayChecker::actuator_targets() {
  for (int a = 0; a < nactuator && fine(); ++a) {
    const int32_t* target = m.actuator_trnid + 2 * a;
    int count = njnt, least_second = -1;
    bool ball = false;
    switch (static_cast<TransmissionType>(m.actuator_trntype[a])) {
      case TransmissionType::kTendon:
        count = ntendon;
        break;
      case TransmissionType::kSite:
        count = nsite;
        break;
      case TransmissionType::kSliderCrank:
        count = nsite, least_second = 0;
        break;
      case TransmissionType::kBody:
        count = nbody;
        break;
      case TransmissionType::kSo3:
        // a site against another one, or a ball joint
        ball = target[1] < 0;
        count = ball ? njnt : nsite;
        break;
      default:
        break;
    }
    between("actuator_trnid", 2 * a, target[0], 0, count - 1);
    // the second, where there is one, is a site
    between("actuator_trnid", 2 * a + 1, target[1], least_second, nsite - 1);
    if (fine() && ball && !joint_kind(m.jnt_type[target[0]]).is_ball()) {
      fail(item_text("jnt_type", target[0]) + " is no ball joint");
    }
  }
}

/// One table per kind; every slot holds an object of that kind, or -1.
void ArrayChecker::name_tables() {
  int64_t at = 0;
  for (const NamedKind& kind : kNamedKinds) {
    const int64_t slots = int64_t{kNameSlotsPerObject} * (m.*kind.count);
    if (at + slots > nnames_map) break;
    for (int64_t s = at; s < at + slots && fine(); ++s) {
      between("names_map", s, m.names_map[s], -1, m.*kind.count - 1);
    }
    at += slots;
  }
  int64_t wanted = 0;
  for (const NamedKind& kind : kNamedKinds) wanted += int64_t{kNameSlotsPerObject} * (m.*kind.count);
  if (wanted != nnames_map) fail("nnames_map does not fit the number of objects");
}

void ArrayChecker::skins() {
  for (int s = 0; s < nskin && fine(); ++s) {
    for (int f = 3 * m.skin_faceadr[s]; f < 3 * (m.skin_faceadr[s] + m.skin_facenum[s]) && fine(); ++f) {
      between("skin_face", f, m.skin_face[f], 0, m.skin_vertnum[s] - 1);
    }
    for (int b = m.skin_boneadr[s]; b < m.skin_boneadr[s] + m.skin_bonenum[s] && fine(); ++b) {
      for (int v = m.skin_bonevertadr[b]; v < m.skin_bonevertadr[b] + m.skin_bonevertnum[b] && fine(); ++v) {
        between("skin_bonevertid", v, m.skin_bonevertid[v], 0, m.skin_vertnum[s] - 1);
      }
    }
  }
}

}  // namespace pliant
