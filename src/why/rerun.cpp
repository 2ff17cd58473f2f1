#include "why/rerun.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "pliant/query.h"
#include "pliant/state_vector.h"

namespace pliant::whys {
namespace {

/// Takes contacts between two bodies (and what is welded to them) out of every step.
void keep_apart(const Model& m, Data& d, std::pair<int, int> bodies) {
  if (bodies.first < 0) return;
  int stage = 0;
  for (const StageInfo& info : pipeline()) {
    if (std::string_view(info.name) == "collision") break;
    ++stage;
  }
  d.probe = [stage, bodies](const Model& model, const State&, Data& data, int now) {
    if (now != stage) return;
    int kept = 0;
    for (int i = 0; i < data.ncon; ++i) {
      const int a = model.geom_bodyid[data.contact[i].geom[0]], b = model.geom_bodyid[data.contact[i].geom[1]];
      if (std::minmax(a, b) == std::minmax(bodies.first, bodies.second)) continue;
      data.contact[kept++] = data.contact[i];
    }
    data.ncon = kept;
  };
  (void)m;
}

void mend(double* x, const double* good, int n) {
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(x[i]) || std::abs(x[i]) > 1e10) x[i] = good[i];
  }
}

}  // namespace

std::optional<Variant> both(const Variant& a, const Variant& b) {
  const bool apart = a.apart.first >= 0 && b.apart.first >= 0, off = a.off >= 0 && b.off >= 0;
  // one attribute has one value
  for (const MjcfEdit& x : a.edits) {
    for (const MjcfEdit& y : b.edits) {
      if (x.line.empty() && x.tag == y.tag && x.name == y.name && x.origin == y.origin && x.attribute == y.attribute)
        return std::nullopt;
    }
  }
  if (apart || off || (a.parts > 1 && b.parts > 1)) return std::nullopt;
  Variant v = a;
  v.what += kAnd + b.what;
  v.edits.insert(v.edits.end(), b.edits.begin(), b.edits.end());
  v.change = [first = a.change, second = b.change](Model& m) {
    if (first) first(m);
    if (second) second(m);
  };
  v.start = [first = a.start, second = b.start](const Model& m, State& s) {
    if (first) first(m, s);
    if (second) second(m, s);
  };
  if (b.apart.first >= 0) v.apart = b.apart;
  if (b.off >= 0) v.off = b.off;
  v.parts *= b.parts;
  v.own_truth = a.own_truth || b.own_truth, v.good_inputs = a.good_inputs || b.good_inputs;
  return v;
}

Rerun::Rerun(const Model& m, const Past& past, size_t from, int64_t steps, int64_t& budget)
    : m_(m), past_(past), from_(from), steps_(steps), budget_(budget) {}

Outcome Rerun::run(const Variant& variant, int finer) const {
  Outcome out;
  const int parts = variant.parts * finer;
  if (budget_ < steps_ * parts) {
    out.refused = "there was no time to try it";
    return out;
  }
  Model m = m_;
  try {
    if (variant.change) {
      variant.change(m);
      set_const(m);
    }
  } catch (const std::invalid_argument& problem) {
    out.refused = std::string("it cannot be tried: ") + problem.what();
    return out;
  }
  m.opt.timestep /= parts;
  out.tried = true;
  State s(m), inputs(m), before(m);
  Data d(m);
  keep_apart(m, d, variant.apart);
  copy_state(m, past_.states[from_], ~0u >> (32 - kNumStateParts), s);
  if (variant.start) variant.start(m, s);
  Watch watch(m);
  const auto nq = static_cast<size_t>(m.nq);
  out.path.reserve(nq * static_cast<size_t>(steps_ + 1));
  out.path.insert(out.path.end(), s.qpos, s.qpos + m.nq);
  State good = inputs;
  for (int64_t i = 0; i < steps_; ++i) {
    const size_t row = std::min(from_ + static_cast<size_t>(i), past_.states.size() - 1);
    copy_state(m, past_.states[row], kInputBits, inputs);
    if (variant.good_inputs) {
      mend(inputs.ctrl, good.ctrl, m.nu);
      mend(inputs.qfrc_applied, good.qfrc_applied, m.nv);
      mend(inputs.xfrc_applied, good.xfrc_applied, 6 * m.nbody);
      mend(inputs.mocap_pos, good.mocap_pos, 3 * m.nmocap);
      mend(inputs.mocap_quat, good.mocap_quat, 4 * m.nmocap);
      good = inputs;
    }
    copy_state(m, inputs, kInputBits, s);
    if (variant.off >= 0) s.eq_active[variant.off] = false;
    for (int part = 0; part < parts; ++part) {
      --budget_;
      before = s;
      const StepStatus status = step(m, s, d);
      watch.look(before, d, s, status);
      if (!status.ok()) {
        out.seen = watch.seen();
        return out;
      }
    }
    out.path.insert(out.path.end(), s.qpos, s.qpos + m.nq);
    ++out.steps;
    if (const Seen* worst = watch.worst(); worst && is_fatal(worst->band)) break;
  }
  out.seen = watch.seen();
  out.finite = out.steps == steps_;
  return out;
}

double Rerun::distance(const Outcome& a, const Outcome& truth) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  if (!a.tried || !truth.tried || a.steps != steps_ || truth.steps != steps_) return kFar;
  const auto nq = static_cast<size_t>(m_.nq);
  std::vector<double> apart(static_cast<size_t>(m_.nv));
  const auto size = [&](const double* from, const double* to) {
    differentiate_pos(m_, apart.data(), 1, from, to);
    double most = 0;
    for (int i = 0; i < m_.nv; ++i)
      most = std::max(most, std::abs(apart[static_cast<size_t>(i)]) * std::max(m_.dof_length[i], 1e-3));
    return most;
  };
  // a hundredth of the model: nobody looks for more where nothing moves
  double moved = 0.01 * std::min(std::max(m_.stat.extent, 0.1), 10.0), off = 0;
  for (size_t i = 0; i <= static_cast<size_t>(steps_); ++i) {
    moved = std::max(moved, size(truth.path.data(), truth.path.data() + i * nq));
    off = std::max(off, size(truth.path.data() + i * nq, a.path.data() + i * nq));
  }
  return off / moved;
}

}  // namespace pliant::whys
