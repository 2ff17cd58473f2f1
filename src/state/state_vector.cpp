// State as a vector: one table line per part, in the order of the bits.

#include "pliant/state_vector.h"

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

namespace pliant {
namespace {

/// One part: where its numbers are. eq_active is the only one that is not made of reals.
struct Part {
  int size;
  double* real;
  bool* flag;
};

Part part(const Model& m, const State* s, int bit) {
  switch (1u << bit) {
    case kStateTime:
      return {1, s ? s->time : nullptr, nullptr};
    case kStateQpos:
      return {m.nq, s ? s->qpos : nullptr, nullptr};
    case kStateQvel:
      return {m.nv, s ? s->qvel : nullptr, nullptr};
    case kStateAct:
      return {m.na, s ? s->act : nullptr, nullptr};
    case kStateHistory:
      return {m.nhistory, s ? s->history : nullptr, nullptr};
    case kStateWarmstart:
      return {m.nv, s ? s->qacc_warmstart : nullptr, nullptr};
    case kStateCtrl:
      return {m.nu, s ? s->ctrl : nullptr, nullptr};
    case kStateQfrcApplied:
      return {m.nv, s ? s->qfrc_applied : nullptr, nullptr};
    case kStateXfrcApplied:
      return {6 * m.nbody, s ? s->xfrc_applied : nullptr, nullptr};
    case kStateEqActive:
      return {m.neq, nullptr, s ? s->eq_active : nullptr};
    case kStateMocapPos:
      return {3 * m.nmocap, s ? s->mocap_pos : nullptr, nullptr};
    case kStateMocapQuat:
      return {4 * m.nmocap, s ? s->mocap_quat : nullptr, nullptr};
    case kStateUserdata:
      return {m.nuserdata, s ? s->userdata : nullptr, nullptr};
    case kStatePlastic:
      return {m.nplastic, s ? s->plastic : nullptr, nullptr};
    default:
      return {0, nullptr, nullptr};
  }
}

void check(const char* function, unsigned signature) {
  if (signature < (1u << kNumStateParts)) return;
  throw std::invalid_argument(std::string(function) + ": signature " + std::to_string(signature) +
                              " has bits beyond the " + std::to_string(kNumStateParts) + " parts of a state");
}

void check_fit(const char* function, const Model& m, const State& s) {
  if (!s.fits(m)) {
    throw std::invalid_argument(std::string(function) + ": the state belongs to a model of other sizes");
  }
}

void copy_reals(double* to, const double* from, int n) {
  if (n) std::memcpy(to, from, sizeof(double) * static_cast<size_t>(n));
}

}  // namespace

int state_size(const Model& m, unsigned signature) {
  check("state_size", signature);
  int size = 0;
  for (int bit = 0; bit < kNumStateParts; ++bit) {
    if (signature >> bit & 1) size += part(m, nullptr, bit).size;
  }
  return size;
}

void get_state(const Model& m, const State& s, unsigned signature, double* vector) {
  check("get_state", signature);
  check_fit("get_state", m, s);
  for (int bit = 0; bit < kNumStateParts; ++bit) {
    if (!(signature >> bit & 1)) continue;
    const Part from = part(m, &s, bit);
    if (from.real) copy_reals(vector, from.real, from.size);
    if (from.flag) {
      for (int i = 0; i < from.size; ++i) vector[i] = from.flag[i];
    }
    vector += from.size;
  }
}

void set_state(const Model& m, State& s, unsigned signature, const double* vector) {
  check("set_state", signature);
  check_fit("set_state", m, s);
  for (int bit = 0; bit < kNumStateParts; ++bit) {
    if (!(signature >> bit & 1)) continue;
    const Part to = part(m, &s, bit);
    if (to.real) copy_reals(to.real, vector, to.size);
    if (to.flag) {
      for (int i = 0; i < to.size; ++i) to.flag[i] = vector[i] != 0;
    }
    vector += to.size;
  }
  // forces that rows start with are no part of a vector: what starts from it does not depend on what was before
  if (signature & kStateWarmstart) s.row_memory.clear();
}

void copy_state(const Model& m, const State& from, unsigned signature, State& to) {
  check("copy_state", signature);
  check_fit("copy_state", m, from);
  check_fit("copy_state", m, to);
  for (int bit = 0; bit < kNumStateParts; ++bit) {
    if (!(signature >> bit & 1)) continue;
    const Part a = part(m, &from, bit), b = part(m, &to, bit);
    if (a.real && a.real != b.real) copy_reals(b.real, a.real, a.size);
    for (int i = 0; a.flag && i < a.size; ++i) b.flag[i] = a.flag[i];
  }
  if (signature & kStateWarmstart) to.row_memory = from.row_memory;
}

void extract_state(const Model& m, const double* from, unsigned from_signature, double* to, unsigned to_signature) {
  check("extract_state", from_signature);
  check("extract_state", to_signature);
  if (to_signature & ~from_signature) {
    throw std::invalid_argument("extract_state: signature " + std::to_string(from_signature) + " lacks parts of " +
                                std::to_string(to_signature));
  }
  for (int bit = 0; bit < kNumStateParts; ++bit) {
    if (!(from_signature >> bit & 1)) continue;
    const int size = part(m, nullptr, bit).size;
    if (to_signature >> bit & 1) {
      copy_reals(to, from, size);
      to += size;
    }
    from += size;
  }
}

}  // namespace pliant
