#pragma once
// When a stage has something to do, for one world and for a batch: sizes and options of the Model decide.

#include "base/hd.h"
#include "pliant/step.h"

namespace pliant {

template <class M>
PLIANT_HD bool has_work(const M& m, StageCondition condition) {
  switch (condition) {
    case StageCondition::kTendons:
      return m.ntendon > 0;
    case StageCondition::kCameras:
      return m.ncam + m.nlight > 0;
    case StageCondition::kReadings:
      return m.nsensor > 0;
    case StageCondition::kEnergy:
      return (m.opt.enableflags & kEnableEnergy) != 0;
    case StageCondition::kDiscrete:
      return m.opt.integrator == Integrator::kDiscrete;
    case StageCondition::kImplicit:
      return is_implicit(m.opt.integrator);
    case StageCondition::kDelays:
      return m.nsensor > 0 && m.nhistory > 0;
    case StageCondition::kAlways:
      break;
  }
  return true;
}

}  // namespace pliant
