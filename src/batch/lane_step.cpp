// Steps of several worlds in vector lanes.
//
// The stages for teams run on four worlds before anything else does: they read State alone and each other. What stages
// of contacts, rows, solver and sensors read of them (the column `reads` of stages.def) is then handed out, four
// numbers of each of four worlds at a time; these run world by world, and the integrator on all four again. If worlds
// disagree about where the program goes, nothing has been written yet, and each makes its step alone.

#include "batch/lane_step.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "batch/lane_views.h"
#include "collision/motions_hd.h"
#include "force/actuation_stage_hd.h"
#include "force/passive_stage_hd.h"
#include "force/transmission_table_hd.h"
#include "inertia/inertia_hd.h"
#include "integrate/euler_hd.h"
#include "integrate/implicit_hd.h"
#include "integrate/integrate.h"
#include "kinematics/kinematics_hd.h"
#include "kinematics/tendon_hd.h"
#include "model/contact_candidates.h"
#include "pliant/option_checks.h"
#include "state/checks_hd.h"
#include "state/fault.h"
#include "step/acceleration_hd.h"
#include "step/advance.h"
#include "step/stage_condition_hd.h"

namespace pliant {

#ifdef PLIANT_LANES

/// Geoms that are only seen need no place here.
PLIANT_HD void geom_pose(const LaneModel& m, LaneData& d, const Carrier<Lanes>& body, int geom) {
  if (m.wants_geom[static_cast<size_t>(geom)]) geom_pose<LaneModel, LaneData>(m, d, body, geom);
}

/// A world whose tendon exerts nothing leaves its forces alone, zeros with a sign included: they get -0.
template <class Q>
PLIANT_HD void add_tendon_force(const LaneModel& m, const LaneData& d, int tendon, Lanes force, Q& qfrc) {
  if (is_zero(force)) return;
  const int first = m.ten_J_rowadr[tendon];
  for (int k = first; k < first + m.ten_J_rownnz[tendon]; ++k) {
    qfrc[m.ten_J_colind[k]] += select(force == Lanes(0), Lanes(-0.0), d.ten_J[k] * force);
  }
}

namespace {

/// Whether a stage runs in lanes: those for teams, but for readings and energies.
constexpr bool runs_in_lanes(std::string_view writes) {
  return !has_word(writes, "sensor") && !has_word(writes, "energy");
}

/// Whether LaneData has the arrays of an owner.
constexpr bool has_lanes(std::string_view owner) {
#define TEAM_STAGE(name, title, phase, condition, writes, reads) \
  if (runs_in_lanes(writes) && has_word(writes, owner)) return true;
#define WORLD_STAGE(name, title, phase, condition, writes, reads)
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  return owner == "solver" || owner == "integrate" || owner == "factors" || owner == "implicit" || owner == "scratch";
}

/// Four numbers of four worlds, to or from one row per world.
PLIANT_HD void turn(__m256d& a, __m256d& b, __m256d& c, __m256d& d) {
  const __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b);
  const __m256d cd_even = _mm256_unpacklo_pd(c, d), cd_odd = _mm256_unpackhi_pd(c, d);
  a = _mm256_permute2f128_pd(ab_even, cd_even, 0x20), b = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20);
  c = _mm256_permute2f128_pd(ab_even, cd_even, 0x31), d = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31);
}
void hand_out(const Lanes* from, int n, double* const (&to)[kLanes]) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    __m256d a = from[i].v, b = from[i + 1].v, c = from[i + 2].v, d = from[i + 3].v;
    turn(a, b, c, d);
    _mm256_storeu_pd(to[0] + i, a), _mm256_storeu_pd(to[1] + i, b);
    _mm256_storeu_pd(to[2] + i, c), _mm256_storeu_pd(to[3] + i, d);
  }
  for (; i < n; ++i) {
    for (int k = 0; k < kLanes; ++k) to[k][i] = from[i][k];
  }
}
void collect(const double* const (&from)[kLanes], int n, Lanes* to) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    __m256d a = _mm256_loadu_pd(from[0] + i), b = _mm256_loadu_pd(from[1] + i);
    __m256d c = _mm256_loadu_pd(from[2] + i), d = _mm256_loadu_pd(from[3] + i);
    turn(a, b, c, d);
    to[i].v = a, to[i + 1].v = b, to[i + 2].v = c, to[i + 3].v = d;
  }
  for (; i < n; ++i) to[i] = {from[0][i], from[1][i], from[2][i], from[3][i]};
}

constexpr int kLongestPause = 63;  // [steps]

constexpr bool kRunsInLanes[] = {
#define TEAM_STAGE(name, title, phase, condition, writes, reads) runs_in_lanes(writes),
#define WORLD_STAGE(name, title, phase, condition, writes, reads) false,
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
};

/// An array of Data: where it lies from Data's first array on, and in lanes.
struct Handed {
  ptrdiff_t offset = 0;
  int n = 0;
  const Lanes* numbers = nullptr;
  const int* integers = nullptr;
};

bool is_good_state(const Model& m, const State& s) {
  bool good = true;
  each_input(m, s, [&](Fault, const char*, const double* x, int n) { good = good && first_bad(x, n) < 0; });
  return good;
}

ptrdiff_t offset_of(const Data& d, int field) {
  return static_cast<const std::byte*>(d.field_data(field)) - reinterpret_cast<const std::byte*>(d.xpos);
}

}  // namespace

/// Whether a sensor may look at places of geoms.
bool looks_at_geoms(const Model& m, int sensor) {
  const auto is_geom = [](int type) { return static_cast<ObjType>(type) == ObjType::kGeom; };
  if (is_geom(m.sensor_objtype[sensor]) || is_geom(m.sensor_reftype[sensor])) return true;
  switch (static_cast<SensorType>(m.sensor_type[sensor])) {
    case SensorType::kRangefinder:
    case SensorType::kGeomDist:
    case SensorType::kGeomNormal:
    case SensorType::kGeomFromTo:
    case SensorType::kContact:
    case SensorType::kTactile:
    case SensorType::kPlugin:
    case SensorType::kUser:
      return true;
    default:
      return false;
  }
}

/// Whether contacts are looked for in a list of candidates; nothing but these geoms is looked at then.
bool has_listed_candidates(const Model& m) { return m.prepared_contacts && m.prepared_contacts->is_current(m); }

/// Per geom, whether anybody reads where it is. Where candidates for contact are listed, no other geom is looked at but
/// by sensors and by fluids.
std::vector<uint8_t> wanted_geoms(const Model& m, bool output) {
  bool all = output || !has_listed_candidates(m) || m.opt.density > 0 || m.opt.viscosity > 0;
  for (int i = 0; i < m.nsensor; ++i) all = all || looks_at_geoms(m, i);
  std::vector<uint8_t> wanted(static_cast<size_t>(m.ngeom), all);
  if (!all) {
    for (const CandidatePair& pair : m.prepared_contacts->candidates.pairs) {
      wanted[static_cast<size_t>(pair.geom1)] = wanted[static_cast<size_t>(pair.geom2)] = 1;
    }
  }
  return wanted;
}

struct LaneStep::Memory {
  explicit Memory(const Model& model) : model(model), m(model) {}

  const Model& model;
  LaneModel m;
  LaneState s;
  LaneData d;
  std::vector<Lanes> numbers;
  std::vector<int> integers;
  std::vector<int> state_field, state_count;  // what is read of State
  std::vector<Lanes*> state_numbers;
  std::vector<int> world_stages;  // places in pipeline()
  std::vector<Handed> before, after, all;
  std::vector<int> outputs;
  int pause = 0, patience = 0;
  int64_t together = 0, split = 0;

  void place();
  void choose_arrays(const Data& like);

  bool smooth();
  bool integrate();
  /// Worlds that disagree will mostly do so again: the next try comes later, and later still if that fails.
  void disagree() {
    ++split;
    patience = std::min(2 * patience + 1, kLongestPause);
    pause = patience;
  }
};

bool LaneStep::is_for(const Model& m) {
  const Integrator integrator = m.opt.integrator;
  if (integrator != Integrator::kEuler && !is_implicit(integrator)) return false;
  if (m.opt.spin == SpinLaw::kConserving) return false;
  // (contacts that are predicted read velocities before other stages have made them)
  if (m.opt.enableflags & (kEnableSpeculative | kEnableSpeculativeExact) || looks_ahead(m.opt)) return false;
  if (solver_substeps(m.opt) != 1 || (m.opt.enableflags & kEnableFwdInv)) return false;
  if (m.nfollower > 0 || m.nmimicrow > 0 || m.nplastic > 0 || m.nhistory > 0 || may_attract(m)) return false;
  for (int k = 0; k < m.nwrap; ++k) {
    if (is_wrapped_geom(m, k)) return false;
  }
  for (int i = 0; i < m.nactuator; ++i) {
    // (adhesion pulls at contacts, which come later here)
    if (m.actuator_trntype[i] == static_cast<int>(TransmissionType::kBody)) return false;
  }
  return true;
}

namespace {

/// The stages that run in lanes; whether what they have made is good for all worlds.
template <class Team, class M, class S, class D>
bool smooth_stages(const Team& team, const M& m, const S& s, D& d) {
  int bad = -1;
  const auto run = [&](StageCondition condition, auto&& stage) PLIANT_INLINED {
    if (LaneSplit::met() || bad >= 0 || !has_work(m, condition)) return;
    if constexpr (std::is_void_v<decltype(stage())>) {
      stage();
    } else {
      bad = stage();
    }
  };
#define TEAM_STAGE(name, title, phase, condition, writes, reads)                                  \
  if constexpr (runs_in_lanes(writes)) {                                                          \
    run(StageCondition::condition, [&]() PLIANT_INLINED { return name##_stage(team, m, s, d); }); \
  }
#define WORLD_STAGE(name, title, phase, condition, writes, reads)
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  return bad < 0 && !LaneSplit::met();
}

/// Memory for the arrays of a field list, in its order: f(place in the list, member).
template <class F>
void each_lane_field(LaneData& d, F&& f) {
  int place = 0;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) f(place++, d.name);
#include "pliant/data_fields.def"
#undef FIELD
}
template <class F>
void each_lane_field(LaneState& s, F&& f) {
  int place = 0;
#define FIELD(type, name, count, width, layout, unit, meaning) f(place++, s.name);
#include "pliant/state_fields.def"
#undef FIELD
}

}  // namespace

void LaneStep::Memory::place() {
  const auto data_list = data_fields(), state_list = state_fields();
  const auto count = [&](const StateFieldInfo& info) { return info.count(model) * info.width(model); };
  size_t n = static_cast<size_t>(model.nu), ni = 0;  // (of counted clamps, below)
  each_lane_field(d, [&]<class T>(int k, T*&) {
    if (!has_lanes(data_list[k].owner)) return;
    if constexpr (std::is_same_v<T, Lanes>) n += static_cast<size_t>(count(data_list[k]));
    if constexpr (std::is_same_v<T, int>) ni += static_cast<size_t>(count(data_list[k]));
  });
  each_lane_field(s, [&]<class T>(int k, T*&) {
    if constexpr (std::is_same_v<T, Lanes>) n += static_cast<size_t>(count(state_list[k]));
  });
  numbers.assign(n, Lanes{});
  integers.assign(ni, 0);
  Lanes* next = numbers.data();
  int* next_integer = integers.data();
  each_lane_field(d, [&]<class T>(int k, T*& member) {
    if (!has_lanes(data_list[k].owner)) return;
    if constexpr (std::is_same_v<T, Lanes>) member = next, next += count(data_list[k]);
    if constexpr (std::is_same_v<T, int>) member = next_integer, next_integer += count(data_list[k]);
  });
  each_lane_field(s, [&]<class T>(int k, T*& member) {
    if constexpr (std::is_same_v<T, Lanes>) {
      member = next, next += count(state_list[k]);
      if (count(state_list[k]) == 0 || state_list[k].name == std::string_view("qacc_warmstart")) return;
      state_field.push_back(k), state_count.push_back(count(state_list[k])), state_numbers.push_back(member);
    }
  });
  d.clamped = reinterpret_cast<LaneMask::Bits*>(next);
}

// What is handed to the worlds: before their own stages what these read, after the integration what moves State, and
// all there is where the integrator of one world takes over.
void LaneStep::Memory::choose_arrays(const Data& like) {
  const auto stages = pipeline();
  // beyond the lists, which are for teams: what solvers that work with forces read, searches for contacts through trees
  // of boxes, and forces of tendons on bodies
  std::string reads = "qLD qLDiagInv xipos ximat ten_J ten_wrapadr ten_wrapnum wrap_obj wrap_xpos";
  for (size_t i = 0; i < stages.size(); ++i) {
    if (kRunsInLanes[i] || !is_needed(model, stages[i].condition)) continue;
    world_stages.push_back(static_cast<int>(i));
    reads += std::string(" ") + stages[i].reads;
  }
  const auto list = data_fields();
  const auto is_output = [&](int k) { return std::find(outputs.begin(), outputs.end(), k) != outputs.end(); };
  bool cameras = false, geoms = false;
  for (int k = 0; k < static_cast<int>(list.size()); ++k) {
    const StateFieldInfo& info = list[static_cast<size_t>(k)];
    if (std::string_view(info.owner) == "cameras") cameras = cameras || is_output(k) || has_word(reads, info.name);
    if (std::string_view(info.count_name) == "ngeom") geoms = geoms || is_output(k);
  }
  m.wants_geom = wanted_geoms(model, geoms);
  if (!cameras) m.ncam = m.nlight = 0;
  each_lane_field(d, [&]<class T>(int k, T*& member) {
    const StateFieldInfo& info = list[static_cast<size_t>(k)];
    if (!member || std::string_view(info.name) == "ctrl_clamped") return;
    Handed handed{offset_of(like, k), info.count(m) * info.width(m), nullptr, nullptr};
    if (handed.n == 0) return;
    if constexpr (std::is_same_v<T, Lanes>) handed.numbers = member;
    if constexpr (std::is_same_v<T, int>) handed.integers = member;
    const std::string_view owner = info.owner;
    if (owner == "solver") return;  // the worlds' own
    const bool integration = owner == "integrate" || owner == "factors" || owner == "implicit" || owner == "scratch";
    const bool next = std::string_view(info.name).starts_with("next_");
    const auto add = [&](const Handed& part) {
      if (!integration) all.push_back(part);
      if (!integration && (has_word(reads, info.name) || is_output(k))) before.push_back(part);
      if (integration && (next || is_output(k))) after.push_back(part);
    };
    if (std::string_view(info.count_name) != "ngeom") return add(handed);
    // runs of geoms that are wanted
    const int width = info.width(m);
    for (int first = 0; first < m.ngeom; ++first) {
      int end = first;
      while (end < m.ngeom && m.wants_geom[static_cast<size_t>(end)]) ++end;
      if (end > first) {
        add({handed.offset + static_cast<ptrdiff_t>(sizeof(double)) * first * width, (end - first) * width,
             handed.numbers + first * width, nullptr});
      }
      first = end;
    }
  });
}

// Returns whether it is good for all four.
bool LaneStep::Memory::smooth() {
  LaneSplit::clear();
  for (int i = 0; i < m.nu; ++i) d.clamped[i] = LaneMask::Bits{};
  return smooth_stages(SerialTeam{}, m, s, d);
}

bool LaneStep::Memory::integrate() {
  constexpr SerialTeam team;
  LaneSplit::clear();
  int bad = -1;
  const Lanes* qacc = d.qacc_advance;
  if (m.opt.integrator == Integrator::kImplicit) {
    implicit_acceleration(team, m, s, d);
  } else if (m.opt.integrator == Integrator::kImplicitFast) {
    bad = implicitfast_acceleration(team, m, s, d);
  } else if (has_implicit_damping(model)) {
    bad = implicit_damping(team, m, s, d);
  } else {
    qacc = d.qacc;
  }
  advance_state(team, m, s, d, d.act_dot, qacc, d.next_qvel, d.ten_length, d.ten_J);
  return bad < 0 && !LaneSplit::met();
}

LaneStep::LaneStep(const Model& model, const Data& like, std::span<const int> outputs)
    : memory_(std::make_unique<Memory>(model)) {
  memory_->outputs.assign(outputs.begin(), outputs.end());
  memory_->place();
  memory_->choose_arrays(like);
}

void LaneStep::step(std::span<LaneWorld> worlds) {
  Memory& me = *memory_;
  const Model& m = me.model;
  const int n = static_cast<int>(worlds.size());
  const auto alone = [&](LaneWorld& w) { w.status = pliant::step(m, *w.state, *w.data); };
  bool good = n > 1 && me.pause == 0 && !option_problem(m.opt);
  me.pause -= me.pause > 0;
  for (LaneWorld& w : worlds) good = good && is_good_state(m, *w.state);
  if (!good) {
    std::for_each(worlds.begin(), worlds.end(), alone);
    return;
  }
  // four in any case: the first world once more where there are fewer
  const auto world = [&](int k) -> LaneWorld& { return worlds[static_cast<size_t>(k < n ? k : 0)]; };

  for (size_t f = 0; f < me.state_field.size(); ++f) {
    const double* from[kLanes];
    for (int k = 0; k < kLanes; ++k)
      from[k] = static_cast<const double*>(world(k).state->field_data(me.state_field[f]));
    collect(from, me.state_count[f], me.state_numbers[f]);
  }
  ++me.together;
  if (!me.smooth()) {
    me.disagree();
    std::for_each(worlds.begin(), worlds.end(), alone);
    return;
  }
  const auto hand = [&](const std::vector<Handed>& list) {
    for (const Handed& h : list) {
      std::byte* to[kLanes];
      for (int k = 0; k < kLanes; ++k) to[k] = reinterpret_cast<std::byte*>(world(k).data->xpos) + h.offset;
      if (h.numbers) {
        double* const places[kLanes] = {reinterpret_cast<double*>(to[0]), reinterpret_cast<double*>(to[1]),
                                        reinterpret_cast<double*>(to[2]), reinterpret_cast<double*>(to[3])};
        hand_out(h.numbers, h.n, places);
      } else {
        for (int k = 0; k < n; ++k) std::memcpy(to[k], h.integers, sizeof(int) * static_cast<size_t>(h.n));
      }
    }
  };
  hand(me.before);
  StageFaults stages[kLanes] = {StageFaults(*world(0).data), StageFaults(*world(1).data), StageFaults(*world(2).data),
                                StageFaults(*world(3).data)};
  bool ok = true;
  for (int k = 0; k < n; ++k) {
    const State& s = *worlds[k].state;
    Data& d = *worlds[k].data;
    for (int i = 0; i < m.nu; ++i) d.ctrl_clamped[i] -= static_cast<int>(me.d.clamped[i][k]);
    count_null_quaternions(m, s, d);
    d.done = {};
    for (const int stage : me.world_stages) run_stage(m, s, d, stage);
    worlds[k].status = {check_results(m, s, d) | StageFaults::refusing(stages[k].met(d))};
    ok = ok && worlds[k].status.ok();
  }
  if (ok) {
    const double *force[kLanes], *qacc[kLanes];
    for (int k = 0; k < kLanes; ++k) force[k] = world(k).data->qfrc_constraint, qacc[k] = world(k).data->qacc;
    collect(force, m.nv, me.d.qfrc_constraint);
    collect(qacc, m.nv, me.d.qacc);
    ok = me.integrate();
    if (!ok) me.disagree();
  }
  hand(ok ? me.after : me.all);
  for (int k = 0; k < n; ++k) {
    if (!worlds[k].status.ok()) continue;
    State& s = *worlds[k].state;
    Data& d = *worlds[k].data;
    int faults = 0;
    if (ok) {
      faults = check_next(m, s, d, -1);
      if (!faults) commit(m, s, d);
    } else {
      faults = advance_from(m, s, s, d, m.opt.integrator).faults;
    }
    worlds[k].status.faults = faults | stages[k].met(d);
  }
  if (ok) me.patience = 0;
}

int64_t LaneStep::together() const { return memory_->together; }
int64_t LaneStep::split() const { return memory_->split; }

#else

struct LaneStep::Memory {};
bool LaneStep::is_for(const Model&) { return false; }
LaneStep::LaneStep(const Model&, const Data&, std::span<const int>) {}
void LaneStep::step(std::span<LaneWorld>) {}
int64_t LaneStep::together() const { return 0; }
int64_t LaneStep::split() const { return 0; }

#endif

LaneStep::~LaneStep() = default;
LaneStep::LaneStep(LaneStep&&) noexcept = default;
LaneStep& LaneStep::operator=(LaneStep&&) noexcept = default;

}  // namespace pliant
