// Mimic constraints, q(follower) + Σ gear·q(leader) + offset = 0: their joints, and whether they can hold together.
//
// Reads Spec::equalities, joints and actuators; writes Work::equalities (leaders), then eq_mimicid, mimic_* and
// follower_mimicid. All mimics together are a linear system over joint positions. It is brought to reduced echelon
// form: a row without joints is a repetition or a contradiction, a row with one joint leaves that joint no freedom.
// Cycles are named before.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/text.h"
#include "compile/compile.h"
#include "compile/mimic.h"

namespace pliant {
namespace {

/// Coefficients that elimination leaves below this, relative to the largest of their row, are rounding errors.
constexpr double kRounding = 1e-9;

const std::string& joint_name(const Work& work, int id) { return work.spec.joints[id].name; }

bool is_exact(const EqualitySpec& spec) { return spec.mode == MimicMode::kExact; }

// ---- one mimic by itself -------------------------------------------------------------------------------

void check_joint(Work& work, const EqualitySpec& spec, int id, const char* attribute) {
  const JointKind& kind = joint_kind(work.spec.joints[id].type);
  if (kind.is_scalar()) return;
  work.error(
      Code::kBadMimic, spec, attribute,
      "can tie hinge and slide joints only; " + quote(joint_name(work, id)) + " is a " + kind.keyword + " joint");
}

// Parameters that the mode reads must make sense; those that it does not read are named.
void check_parameters(Work& work, const EqualitySpec& spec) {
  const auto refuse = [&](const char* attribute, double value, const char* rule) {
    work.error(Code::kBadMimic, spec, attribute, std::string(attribute) + " " + rule + ", not " + number_text(value));
  };
  const auto unread = [&](const char* attribute, const char* mode) {
    if (!work.spec.has_attribute(spec.source, attribute)) return;
    work.warning(Code::kIgnoredAttribute, spec, attribute,
                 std::string(attribute) + " is for mode=\"" + mode + "\" only");
  };
  if (spec.mode == MimicMode::kSoft) {
    if (!(spec.naturalfreq > 0)) refuse("naturalfreq", spec.naturalfreq, "must be greater than 0");
  } else {
    unread("naturalfreq", "soft");
    unread("dampratio", "soft");
  }
  if (!(spec.dampratio >= 0)) refuse("dampratio", spec.dampratio, "cannot be negative");
  if (spec.mode != MimicMode::kHard) unread("erp", "hard");
  if (!(spec.erp > 0 && spec.erp <= 1)) refuse("erp", spec.erp, "must be greater than 0 and at most 1");
}

// ---- cycles ----------------------------------------------------------------------------------------------

/// Depth-first search over follower → leaders; each cycle is reported once, at the mimic that closes it.
class CycleSearch {
 public:
  explicit CycleSearch(Work& work) : work_(work), state_(work.spec.joints.size(), kNew) {
    for (size_t e = 0; e < work.equalities.size(); ++e) {
      if (usable(e)) mimics_of_[work.equalities[e].obj1].push_back(e);
    }
  }
  /// Whether there is any.
  bool run() {
    for (const auto& [joint, mimics] : mimics_of_) visit(joint);
    return found_;
  }

 private:
  enum State : char { kNew, kOpen, kDone };
  struct Step {
    int joint;
    size_t mimic, leader;
  };

  bool usable(size_t e) const {
    return work_.spec.equalities[e].type == EqualityType::kMimic && work_.equalities[e].obj1 >= 0 &&
           !work_.equalities[e].leaders.empty();
  }

  // A path of joints that are being followed, kept by hand: chains can be as long as the file.
  void visit(int start) {
    if (state_[start] != kNew) return;
    std::vector<Step> path = {{start, 0, 0}};
    state_[start] = kOpen;
    while (!path.empty()) {
      Step& step = path.back();
      const auto mimics = mimics_of_.find(step.joint);
      if (mimics == mimics_of_.end() || step.mimic == mimics->second.size()) {
        state_[step.joint] = kDone;
        path.pop_back();
        continue;
      }
      const size_t e = mimics->second[step.mimic];
      const std::vector<int>& leaders = work_.equalities[e].leaders;
      if (step.leader == leaders.size()) {
        ++step.mimic;
        step.leader = 0;
        continue;
      }
      const int leader = leaders[step.leader++];
      if (state_[leader] == kOpen) report(e, path, leader);
      if (state_[leader] != kNew) continue;
      state_[leader] = kOpen;
      path.push_back({leader, 0, 0});
    }
  }

  void report(size_t e, const std::vector<Step>& path, int leader) {
    found_ = true;
    std::string chain;
    size_t i = 0;
    while (path[i].joint != leader) ++i;
    for (; i < path.size(); ++i) chain += quote(joint_name(work_, path[i].joint)) + " follows ";
    work_.error(Code::kBadMimic, work_.spec.equalities[e], "joint2",
                "closes a cycle: " + chain + quote(joint_name(work_, leader)));
  }

  Work& work_;
  std::vector<char> state_;
  std::map<int, std::vector<size_t>> mimics_of_;
  bool found_ = false;
};

// ---- contradictions --------------------------------------------------------------------------------------

/// Σ coefficient·q + constant = 0, and the mimic it came from.
struct Relation {
  std::map<int, double> coefficients;  // by joint
  double constant = 0;
  size_t mimic = 0;
  int pivot = -1;

  double largest() const {
    double most = std::abs(constant);
    for (const auto& [joint, value] : coefficients) most = std::max(most, std::abs(value));
    return most;
  }
  /// Removes other's pivot from this relation.
  void eliminate(const Relation& other, double scale) {
    const auto at = coefficients.find(other.pivot);
    if (at == coefficients.end()) return;
    const double factor = at->second / other.coefficients.at(other.pivot);
    for (const auto& [joint, value] : other.coefficients) {
      double& mine = coefficients[joint];
      mine -= factor * value;
      if (joint == other.pivot || std::abs(mine) <= kRounding * scale) coefficients.erase(joint);
    }
    constant -= factor * other.constant;
  }
};

Relation relation_of(const Work& work, size_t e) {
  const EqualitySpec& spec = work.spec.equalities[e];
  const EqualityWork& equality = work.equalities[e];
  Relation relation;
  relation.mimic = e;
  relation.constant = spec.offset;
  relation.coefficients[equality.obj1] += 1;
  for (size_t k = 0; k < equality.leaders.size(); ++k) relation.coefficients[equality.leaders[k]] += spec.gear[k];
  return relation;
}

void check_contradictions(Work& work) {
  std::vector<Relation> solved;
  for (size_t e = 0; e < work.equalities.size(); ++e) {
    const EqualitySpec& spec = work.spec.equalities[e];
    if (spec.type != EqualityType::kMimic) continue;
    Relation relation = relation_of(work, e);
    const double scale = relation.largest();
    for (const Relation& other : solved) relation.eliminate(other, scale);
    if (relation.coefficients.empty()) {
      const std::string what = quote(joint_name(work, work.equalities[e].obj1));
      if (std::abs(relation.constant) > kRounding * std::max(1.0, scale)) {
        work.error(
            Code::kBadMimic, spec, "joint1",
            "contradicts the mimics before it: they leave " + what + " off by " + number_text(relation.constant));
      } else {
        work.warning(Code::kMimicConsequence, spec, "joint1",
                     "says of " + what + " what the mimics before it say already");
      }
      continue;
    }
    const int follower = work.equalities[e].obj1;
    relation.pivot = relation.coefficients.contains(follower) ? follower : relation.coefficients.begin()->first;
    for (Relation& other : solved) other.eliminate(relation, std::max(scale, other.largest()));
    solved.push_back(std::move(relation));
  }
  for (const Relation& relation : solved) {
    if (relation.coefficients.size() > 1) continue;
    work.error(Code::kBadMimic, work.spec.equalities[relation.mimic], "joint1",
               "contradicts other mimics unless joint " + quote(joint_name(work, relation.pivot)) + " stays at " +
                   number_text(0.0 - relation.constant / relation.coefficients.begin()->second),
               "together the mimics leave it no freedom");
  }
}

// ---- exact followers -------------------------------------------------------------------------------------

// Lowest and highest position that leaders allow the follower.
std::array<double, 2> led_range(const Work& work, const EqualitySpec& spec, const EqualityWork& equality) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  double low = -spec.offset, high = -spec.offset;
  for (size_t k = 0; k < equality.leaders.size(); ++k) {
    if (!work.joint_limited[equality.leaders[k]]) return {-kInf, kInf};
    const auto& range = work.spec.joints[equality.leaders[k]].range;
    const double a = -spec.gear[k] * range[0], b = -spec.gear[k] * range[1];
    low += std::min(a, b);
    high += std::max(a, b);
  }
  return {low, high};
}

void check_follower_range(Work& work, const EqualitySpec& spec, const EqualityWork& equality) {
  if (!work.joint_limited[equality.obj1]) return;
  const auto& own = work.spec.joints[equality.obj1].range;
  const auto led = led_range(work, spec, equality);
  const double slack = 1e-9 * std::max({1.0, std::abs(own[0]), std::abs(own[1])});
  const std::string ranges = "range " + number_text(own[0]) + " " + number_text(own[1]) + " of follower " +
                             quote(spec.object1) + ", whose leaders lead it from " + number_text(led[0]) + " to " +
                             number_text(led[1]);
  if (led[0] > own[1] + slack || led[1] < own[0] - slack) {
    work.warning(Code::kMimicConsequence, spec, "joint1",
                 "conflicts with the " + ranges + ": no position satisfies both");
  } else if (led[0] > -std::numeric_limits<double>::infinity() &&
             (led[0] < own[0] - slack || led[1] > own[1] + slack)) {
    work.warning(Code::kMimicConsequence, spec, "joint1", "conflicts with the " + ranges + ": it stops them earlier");
  }
}

void check_follower_actuators(Work& work, const EqualitySpec& spec, int follower) {
  for (size_t a = 0; a < work.actuators.size(); ++a) {
    const ActuatorWork& actuator = work.actuators[a];
    const bool on_joint =
        actuator.trntype == TransmissionType::kJoint || actuator.trntype == TransmissionType::kJointInParent;
    if (!on_joint || actuator.trnid[0] != follower) continue;
    work.warning(
        Code::kMimicConsequence, work.spec.actuators[a], "joint",
        "drives " + quote(spec.object1) + ", which follows its leaders exactly: its force acts on them, by their gear");
  }
}

void check_exact(Work& work) {
  std::map<int, size_t> follows;
  for (size_t e = 0; e < work.equalities.size(); ++e) {
    const EqualitySpec& spec = work.spec.equalities[e];
    if (spec.type != EqualityType::kMimic || !is_exact(spec)) continue;
    const EqualityWork& equality = work.equalities[e];
    if (!follows.try_emplace(equality.obj1, e).second) {
      work.error(Code::kBadMimic, spec, "joint1",
                 "contradicts " + describe(work.spec, work.spec.equalities[follows[equality.obj1]]) + ": " +
                     quote(spec.object1) + " follows others exactly already");
      continue;
    }
    check_follower_range(work, spec, equality);
    check_follower_actuators(work, spec, equality.obj1);
    // where the file puts the follower
    double start = spec.offset + work.spec.joints[equality.obj1].ref;
    for (size_t k = 0; k < equality.leaders.size(); ++k)
      start += spec.gear[k] * work.spec.joints[equality.leaders[k]].ref;
    if (std::abs(start) > 1e-9) {
      work.warning(Code::kMimicConsequence, spec, "joint1",
                   "moves " + quote(spec.object1) + " by " + number_text(-start) + " from where the file puts it");
    }
  }
}

}  // namespace

void compile_mimic(Work& work, EqualitySpec& spec, EqualityWork& equality) {
  equality.obj1 = work.resolve(ObjType::kJoint, spec.object1, spec.source, "joint1");
  if (spec.leaders.empty()) {
    work.error(Code::kMissingAttribute, spec, "joint2", "needs a leader in 'joint2'");
  }
  if (spec.gear.empty()) spec.gear.assign(spec.leaders.size(), 1.0);
  bool known = equality.obj1 >= 0;
  for (const std::string& leader : spec.leaders) {
    equality.leaders.push_back(work.resolve(ObjType::kJoint, leader, spec.source, "joint2"));
    known = known && equality.leaders.back() >= 0;
  }
  if (spec.gear.size() != spec.leaders.size()) {
    work.error(
        Code::kWrongCount, spec, "gear",
        "has " + std::to_string(spec.leaders.size()) + " leaders, but " + std::to_string(spec.gear.size()) + " gears");
    known = false;
  }
  for (const double gear : spec.gear) {
    if (gear == 0) work.error(Code::kBadMimic, spec, "gear", "a gear of 0 couples nothing");
  }
  check_parameters(work, spec);
  if (!known) {
    equality.leaders.clear();
    return;
  }
  equality.obj2 = equality.leaders.empty() ? -1 : equality.leaders[0];
  check_joint(work, spec, equality.obj1, "joint1");
  for (size_t k = 0; k < equality.leaders.size(); ++k) {
    check_joint(work, spec, equality.leaders[k], "joint2");
    if (equality.leaders[k] == equality.obj1) {
      work.error(Code::kBadMimic, spec, "joint2", "lets " + quote(spec.object1) + " follow itself");
    }
    if (std::count(equality.leaders.begin(), equality.leaders.begin() + static_cast<std::ptrdiff_t>(k),
                   equality.leaders[k])) {
      work.error(Code::kBadMimic, spec, "joint2", "names the leader " + quote(spec.leaders[k]) + " twice");
    }
  }
}

void check_mimics(Work& work) {
  const auto& equalities = work.spec.equalities;
  const bool any = std::any_of(equalities.begin(), equalities.end(),
                               [](const EqualitySpec& e) { return e.type == EqualityType::kMimic; });
  // what is wrong with one alone makes no sense of all together
  if (!any || work.diagnostics.has_errors()) return;
  if (CycleSearch(work).run()) return;
  check_exact(work);
  if (!work.diagnostics.has_errors()) check_contradictions(work);
}

std::vector<int> elimination_order(const Work& work) {
  // a follower is free to go once nobody follows it any more
  std::map<int, int> mimic_of, followers_of;  // by joint
  for (size_t e = 0; e < work.equalities.size(); ++e) {
    const EqualitySpec& spec = work.spec.equalities[e];
    if (spec.type != EqualityType::kMimic || !is_exact(spec) || work.equalities[e].leaders.empty()) continue;
    mimic_of[work.equalities[e].obj1] = static_cast<int>(e);
    for (const int leader : work.equalities[e].leaders) ++followers_of[leader];
  }
  std::vector<int> order;
  std::vector<int> free;
  for (const auto& [joint, e] : mimic_of) {
    if (!followers_of.contains(joint)) free.push_back(joint);
  }
  while (!free.empty()) {
    const int joint = free.back();
    free.pop_back();
    order.push_back(mimic_of[joint]);
    for (const int leader : work.equalities[order.back()].leaders) {
      if (--followers_of[leader] == 0 && mimic_of.contains(leader)) free.push_back(leader);
    }
  }
  return order;
}

void count_mimics(Work& work) {
  work.sizes.nmimic = work.sizes.nmimiclead = 0;
  work.sizes.nmimicrow = 0;
  work.sizes.nfollower = static_cast<int>(elimination_order(work).size());
  for (size_t e = 0; e < work.equalities.size(); ++e) {
    if (work.spec.equalities[e].type != EqualityType::kMimic) continue;
    ++work.sizes.nmimic;
    work.sizes.nmimicrow += !is_exact(work.spec.equalities[e]);
    work.sizes.nmimiclead += static_cast<int>(work.equalities[e].leaders.size());
  }
}

// Mimics over the same trees, or over trees that mimics connect, are one block; blocks are numbered by their first
// mimic.
void write_blocks(Model& model) {
  std::vector<int> group(static_cast<size_t>(model.ntree));
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int tree) {
    while (group[tree] != tree) tree = group[tree] = group[group[tree]];
    return tree;
  };
  const auto tree_of = [&](int joint) { return model.dof_treeid[model.jnt_dofadr[joint]]; };
  const auto follower_tree = [&](int mimic) { return tree_of(model.eq_obj1id[model.mimic_eqid[mimic]]); };
  for (int i = 0; i < model.nmimic; ++i) {
    for (int k = 0; k < model.mimic_leadnum[i]; ++k) {
      group[root(tree_of(model.mimic_leadid[model.mimic_leadadr[i] + k]))] = root(follower_tree(i));
    }
  }
  std::map<int, int> number;  // by root
  for (int i = 0; i < model.nmimic; ++i) {
    const int next = static_cast<int>(number.size());
    model.mimic_blockid[i] = number.try_emplace(root(follower_tree(i)), next).first->second;
  }
  int row = 0;
  for (int i = 0; i < model.nmimic; ++i) {
    if (model.mimic_mode[i] != static_cast<int>(MimicMode::kExact)) model.mimicrow_mimicid[row++] = i;
  }
  std::stable_sort(model.mimicrow_mimicid, model.mimicrow_mimicid + row,
                   [&](int a, int b) { return model.mimic_blockid[a] < model.mimic_blockid[b]; });
}

void write_mimics(const Work& work, Model& model) {
  int mimic = 0, lead = 0, follower = 0;
  for (size_t e = 0; e < work.equalities.size(); ++e) {
    const EqualitySpec& spec = work.spec.equalities[e];
    const bool is_mimic = spec.type == EqualityType::kMimic;
    model.eq_mimicid[e] = is_mimic ? mimic : -1;
    if (!is_mimic) continue;
    const EqualityWork& equality = work.equalities[e];
    model.mimic_eqid[mimic] = static_cast<int>(e);
    model.mimic_mode[mimic] = static_cast<int>(spec.mode);
    model.mimic_leadadr[mimic] = lead;
    model.mimic_leadnum[mimic] = static_cast<int>(equality.leaders.size());
    model.mimic_offset[mimic] = spec.offset;
    model.mimic_naturalfreq[mimic] = spec.naturalfreq;
    model.mimic_dampratio[mimic] = spec.dampratio;
    model.mimic_erp[mimic] = spec.erp;
    for (size_t k = 0; k < equality.leaders.size(); ++k, ++lead) {
      model.mimic_leadid[lead] = equality.leaders[k];
      model.mimic_gear[lead] = spec.gear[k];
    }
    ++mimic;
  }
  write_blocks(model);
  for (const int e : elimination_order(work)) model.follower_mimicid[follower++] = model.eq_mimicid[e];
}

}  // namespace pliant
