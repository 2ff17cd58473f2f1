// Contact pairs and exclusions.
//
// Reads Spec::pairs and Spec::excludes; writes Work::pairs, Work::excludes, then pair_* and
// exclude_signature. Both are sorted by the signature of their two bodies, so the ids of named
// pairs are not their order in the file; the lists of the working Spec and the name tables are put
// in that order too. A pair's parameters come from the pair alone, never from its geoms.

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "compile/compile.h"
#include "compile/counts.h"

namespace pliant {
namespace {

// Two body ids must fit into one signature.
constexpr size_t kMaxBodies = 65534;

int signature_of(int body1, int body2) {
  return static_cast<int>((static_cast<uint32_t>(body1) << 16) + static_cast<uint32_t>(body2));
}

void compile_pair(Work& work, const PairSpec& spec, PairWork& pair) {
  if (spec.condim != 1 && spec.condim != 3 && spec.condim != 4 && spec.condim != 6) {
    work.error(Code::kBadPair, spec, "condim", "condim is 1, 3, 4 or 6, not " + std::to_string(spec.condim));
  }
  pair.geom1 = work.resolve(ObjType::kGeom, spec.geom1, spec.source, "geom1");
  pair.geom2 = work.resolve(ObjType::kGeom, spec.geom2, spec.source, "geom2");
  if (pair.geom1 < 0 || pair.geom2 < 0) return;
  if (pair.geom1 == pair.geom2) {
    work.warning(Code::kIgnoredAttribute, spec, "geom2",
                 "is a pair of " + quote(spec.geom1) + " with itself, which never touches itself");
  }
  work.geoms[pair.geom1].visual = work.geoms[pair.geom2].visual = false;
  int body1 = work.spec.geoms[pair.geom1].body, body2 = work.spec.geoms[pair.geom2].body;
  if (body1 > body2) {
    std::swap(body1, body2);
    std::swap(pair.geom1, pair.geom2);
  }
  pair.signature = signature_of(body1, body2);
}

void compile_exclude(Work& work, const ExcludeSpec& spec, ExcludeWork& exclude) {
  const int body1 = work.resolve(ObjType::kBody, spec.body1, spec.source, "body1");
  const int body2 = work.resolve(ObjType::kBody, spec.body2, spec.source, "body2");
  if (body1 < 0 || body2 < 0) return;
  exclude.signature = signature_of(std::min(body1, body2), std::max(body1, body2));
}

// Puts both lists in ascending signature order; equal signatures keep the order of the file.
template <class Specs, class Works>
void sort_by_signature(Work& work, ObjType type, Specs& specs, Works& works) {
  std::vector<int> order(works.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return works[a].signature < works[b].signature; });
  Specs sorted_specs;
  Works sorted_works;
  auto& names = work.names[static_cast<int>(type)];
  for (int i : order) {
    if (const std::string& name = specs[i].name; !name.empty()) {
      names[name] = static_cast<int>(sorted_specs.size());
    }
    sorted_works.push_back(works[i]);
    sorted_specs.push_back(std::move(specs[i]));
  }
  specs = std::move(sorted_specs);
  works = std::move(sorted_works);
}

}  // namespace

void compile_pairs(Work& work) {
  Spec& spec = work.spec;
  if (spec.bodies.size() >= kMaxBodies) {
    work.error(Code::kBadBody, spec.bodies[kMaxBodies - 1], "",
               "the model has " + std::to_string(spec.bodies.size()) + " bodies; the most is " +
                   std::to_string(kMaxBodies - 1));
  }
  work.pairs.assign(spec.pairs.size(), {});
  work.excludes.assign(spec.excludes.size(), {});
  for (size_t i = 0; i < work.pairs.size(); ++i) compile_pair(work, spec.pairs[i], work.pairs[i]);
  for (size_t i = 0; i < work.excludes.size(); ++i) {
    compile_exclude(work, spec.excludes[i], work.excludes[i]);
  }
  sort_by_signature(work, ObjType::kPair, spec.pairs, work.pairs);
  sort_by_signature(work, ObjType::kExclude, spec.excludes, work.excludes);
}

void count_contact(Work& work) {
  work.sizes.npair = static_cast<int>(work.spec.pairs.size());
  work.sizes.nexclude = static_cast<int>(work.spec.excludes.size());
}

void write_contact(const Work& work, Model& model) {
  for (size_t i = 0; i < work.pairs.size(); ++i) {
    const PairSpec& spec = work.spec.pairs[i];
    model.pair_dim[i] = spec.condim;
    model.pair_frictionlaw[i] = static_cast<int>(spec.friction_law);
    model.pair_geom1[i] = work.pairs[i].geom1;
    model.pair_geom2[i] = work.pairs[i].geom2;
    model.pair_signature[i] = work.pairs[i].signature;
    std::copy(spec.solref.begin(), spec.solref.end(), model.pair_solref + kNumRef * i);
    std::copy(spec.solreffriction.begin(), spec.solreffriction.end(), model.pair_solreffriction + kNumRef * i);
    std::copy(spec.solimp.begin(), spec.solimp.end(), model.pair_solimp + kNumImp * i);
    model.pair_margin[i] = spec.margin;
    model.pair_gap[i] = spec.gap;
    model.pair_adhesion[i] = spec.adhesion;
    std::copy(spec.friction.begin(), spec.friction.end(), model.pair_friction + 5 * i);
  }
  for (size_t i = 0; i < work.excludes.size(); ++i) {
    model.exclude_signature[i] = work.excludes[i].signature;
  }
}

}  // namespace pliant
