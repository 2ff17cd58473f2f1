#pragma once
// Activation dynamics: structs by the lines DYNAMICS of actuator_laws.def.
//
//   rates            writes act_dot of an actuator; it is 0 before
//   next             an activation after one timestep
//   kFollows         its activations follow controls: where these are angles, so are they
//   kBoundsItself    next is not clamped to actrange
//
// reads actuator_length actuator_velocity ctrl_used act · writes act_dot

#include "force/actuator_dcmotor_hd.h"
#include "force/actuator_muscle_hd.h"
#include "math/constants.h"
#include "math/scalar.h"
#include "pliant/kinds.h"

namespace pliant {

/// Linear filter with time constant tau [s].
template <class R>
PLIANT_HD R filter_rate(R ctrl, R act, R tau) {
  return (ctrl - act) / at_least(R(kTiny), tau);
}
/// What the filter reaches after `step` with a constant control.
template <class R>
PLIANT_HD R filter_exact_next(R act, R rate, R tau, R step) {
  tau = at_least(R(kTiny), tau);
  return act + rate * tau * (1 - exp(-step / tau));
}

/// The activation that is the input of the force: the last one.
template <class M>
PLIANT_HD int last_activation(const M& m, int i) {
  return m.actuator_actadr[i] + m.actuator_actnum[i] - 1;
}

/// Activations that do not move of themselves, one Euler step.
struct PlainDynamics {
  static constexpr bool kFollows = false, kBoundsItself = false;
  template <class M, class S, class D>
  PLIANT_HD static void rates(const M&, const S&, D&, int) {}
  template <class M, class S, class D, class R>
  PLIANT_HD static R next(const M& m, const S&, const D&, int, int, R act, R rate) {
    return act + rate * R(m.opt.timestep);
  }
};

struct NoneDynamics : PlainDynamics {};
struct UserDynamics : PlainDynamics {};  // nobody computes a rate of type user: it stays 0

struct IntegratorDynamics : PlainDynamics {
  static constexpr bool kFollows = true;
  /// One activation per control, the last ones.
  template <class M, class S, class D>
  PLIANT_HD static void rates(const M& m, const S&, D& d, int i) {
    const int n = m.actuator_ctrlnum[i], first = last_activation(m, i) - n + 1, ctrl = m.actuator_ctrladr[i];
    for (int k = 0; k < n; ++k) d.act_dot[first + k] = typename D::Real(d.ctrl_used[ctrl + k]);
  }
};

struct FilterDynamics : PlainDynamics {
  static constexpr bool kFollows = true;
  /// The filter of an angle goes the short way round.
  template <class M, class S, class D>
  PLIANT_HD static void rates(const M& m, const S& s, D& d, int i) {
    using R = typename D::Real;
    const int last = last_activation(m, i);
    const R control = d.ctrl_used[m.actuator_ctrladr[i]];
    d.act_dot[last] = filter_rate(nearest_setpoint(control, R(s.act[last]), setpoint_period<R>(m, i)), R(s.act[last]),
                                  R(m.actuator_dynprm[kNumDyn * i]));
  }
};

struct FilterExactDynamics : FilterDynamics {
  template <class M, class S, class D, class R>
  PLIANT_HD static R next(const M& m, const S&, const D&, int i, int, R act, R rate) {
    return filter_exact_next(act, rate, R(m.actuator_dynprm[kNumDyn * i]), R(m.opt.timestep));
  }
};

struct MuscleDynamics : PlainDynamics {
  template <class M, class S, class D>
  PLIANT_HD static void rates(const M& m, const S& s, D& d, int i) {
    using R = typename D::Real;
    const auto& prm = m.actuator_dynprm;
    const int at = kNumDyn * i, last = last_activation(m, i), ctrl = m.actuator_ctrladr[i];
    d.act_dot[last] = muscle_rate(R(d.ctrl_used[ctrl]), R(s.act[last]), R(prm[at]), R(prm[at + 1]), R(prm[at + 2]));
  }
};

struct DcMotorDynamics : PlainDynamics {
  static constexpr bool kBoundsItself = true;
  template <class M, class S, class D>
  PLIANT_HD static void rates(const M& m, const S& s, D& d, int i) {
    dcmotor_rates(m, s, d, i);
  }
  template <class M, class S, class D, class R>
  PLIANT_HD static R next(const M& m, const S& s, const D& d, int i, int state, R, R rate) {
    return dcmotor_next(m, s, d, i, state, rate);
  }
};

struct PidDynamics : PlainDynamics {
  template <class M, class S, class D>
  PLIANT_HD static void rates(const M& m, const S& s, D& d, int i) {
    pid_rate(m, s, d, i);
  }
};

/// Calls f with the struct of dynamics; numbers that are no type do not get into a Model.
template <class F>
PLIANT_HD decltype(auto) with_dynamics(int type, F&& f) {
  switch (static_cast<DynType>(type)) {
#define DYNAMICS(name, keyword, states) \
  case DynType::k##name:                \
    return f(name##Dynamics{});
#define GAIN(name, keyword, inputs, slopes, scaling)
#define BIAS(name, keyword, slopes, scaling)
#include "pliant/actuator_laws.def"
#undef DYNAMICS
#undef GAIN
#undef BIAS
  }
  __builtin_unreachable();
}

/// act_dot of an actuator.
template <class M, class S, class D>
PLIANT_HD void activation_rates(const M& m, const S& s, D& d, int i) {
  const int first = m.actuator_actadr[i];
  if (first < 0) return;
  for (int k = 0; k < m.actuator_actnum[i]; ++k) d.act_dot[first + k] = 0;
  with_dynamics(m.actuator_dyntype[i], [&](auto law) PLIANT_INLINED { law.rates(m, s, d, i); });
}

/// Activation number `state` (0 is the actuator's first) after one timestep with this rate.
template <class M, class S, class D, class R>
PLIANT_HD R next_activation(const M& m, const S& s, const D& d, int i, int state, R rate) {
  const R act = s.act[m.actuator_actadr[i] + state];
  return with_dynamics(m.actuator_dyntype[i], [&](auto law) PLIANT_INLINED {
    const R next = law.next(m, s, d, i, state, act, rate);
    if (law.kBoundsItself || !m.actuator_actlimited[i]) return next;
    return clamped(next, R(m.actuator_actrange[2 * i]), R(m.actuator_actrange[2 * i + 1]));
  });
}

/// The activation that drives the force: as it is, or with actearly as it will be.
template <class M, class S, class D>
PLIANT_HD auto driving_activation(const M& m, const S& s, const D& d, int i, int state) {
  using R = typename D::Real;
  const int adr = m.actuator_actadr[i] + state;
  return m.actuator_actearly[i] ? next_activation(m, s, d, i, state, R(d.act_dot[adr])) : R(s.act[adr]);
}

}  // namespace pliant
