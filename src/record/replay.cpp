#include "pliant/replay.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <stdexcept>
#include <vector>

#include "base/text.h"
#include "pliant/place.h"
#include "pliant/state_vector.h"

namespace pliant {
namespace {

/// What the user may set between two steps.
constexpr unsigned kInputs = kStateCtrl | kStateQfrcApplied | kStateXfrcApplied | kStateEqActive | kStateMocapPos |
                             kStateMocapQuat | kStateUserdata;

bool is_input(std::string_view field) {
  for (const char* name :
       {"ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat", "userdata"}) {
    if (field == name) return true;
  }
  return false;
}

/// Bit for bit: NaN is like itself, and zero unlike minus zero.
bool same_bits(const double* a, const double* b, size_t n) {
  return std::equal(a, a + n, b,
                    [](double x, double y) { return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y); });
}

bool same_memory(const RowMemory& a, const RowMemory& b) {
  const auto same_entry = [](const RowMemory::Entry& x, const RowMemory::Entry& y) {
    return x.kind == y.kind && x.id[0] == y.id[0] && x.id[1] == y.id[1] && x.rows == y.rows && x.start == y.start &&
           x.slips == y.slips && same_bits(x.place, y.place, std::size(x.place));
  };
  return std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), same_entry) &&
         a.force.size() == b.force.size() && same_bits(a.force.data(), b.force.data(), a.force.size());
}

class Replay {
 public:
  Replay(const Model& model, const RecordingFile& recording, const ReplayOptions& options)
      : m_(model), recording_(recording), options_(options), state_(model), wanted_(model), data_(model) {
    for (const RecordedField& field : recording.head().fields) {
      int place = 0;
      for (const StateFieldInfo& info : state_fields()) {
        if (field.of_state && field.name == info.name && info.scalar == Scalar::real && !is_input(field.name)) {
          compared_.push_back({place, info.name, field.numbers()});
        }
        ++place;
      }
    }
    for (const RecordedEvent& event : recording.events()) events_.emplace(event.row, &event);
  }

  ReplayReport run() {
    find_rows();
    ReplayReport& r = report_;
    recording_.restore(r.first_row, state_, options_.world);
    const int64_t last = r.last_row;
    for (int64_t row = r.first_row; row < last; ++row) {
      if (!to_next_row(row)) {
        r.last_row = row;
        return report_;
      }
    }
    after_last_row();
    return report_;
  }

 private:
  struct Compared {
    int field;
    const char* name;
    size_t numbers;
  };

  void find_rows() {
    const int64_t rows = recording_.rows();
    constexpr double kHair = 1e-9;  // times are sums of roundings
    const int64_t first = recording_.first_row(options_.from - kHair), last = recording_.last_row(options_.to + kHair);
    if (rows == 0) throw std::invalid_argument("the recording has no rows");
    if (first > last) {
      throw std::invalid_argument("the recording has no rows in that time: it goes from " +
                                  number_text(recording_.time(0)) + " to " + number_text(recording_.time(rows - 1)) +
                                  " s");
    }
    report_.first_row = first, report_.last_row = last;
  }

  const RecordedEvent* event_after(int64_t row, std::string_view kind) const {
    const auto [first, last] = events_.equal_range(row + 1);
    for (auto at = first; at != last; ++at) {
      if (at->second->kind == kind) return at->second;
    }
    return nullptr;
  }

  int64_t faults_seen() const {
    int64_t sum = 0;
    for (const FaultRecord& fault : data_.faults) sum += fault.count;
    return sum;
  }

  /// False when a step was refused, or there was the fault that is waited for.
  bool make_step() {
    const int64_t before = faults_seen();
    report_.fault_time = *state_.time;
    if (options_.visit) before_ = state_;
    const StepStatus status = step(m_, state_, data_);
    if (status.ok() && !(options_.until_fault && faults_seen() > before)) {
      ++report_.steps;
      if (options_.visit) options_.visit(before_, state_);
      return true;
    }
    report_.fault = status;
    report_.fault_text = status.ok() ? describe_faults(m_, data_) : describe_status(m_, data_, status);
    return false;
  }

  bool to_next_row(int64_t row) {
    const int64_t steps = recording_.step(row + 1) - recording_.step(row);
    recording_.restore(row + 1, wanted_, options_.world);
    if (steps < 1 || event_after(row, "reset")) {
      state_ = wanted_;
      ++report_.restarts;
      return true;
    }
    report_.skipped_steps += steps - 1;
    for (int64_t i = 0; i < steps; ++i) {
      if (options_.stop && options_.stop()) {
        report_.stopped = true;
        return false;
      }
      if (!make_step()) {
        if (const RecordedEvent* event = event_after(row, "fault")) report_.recorded_fault = event->text;
        if (!report_.fault.ok() && !report_.first) {
          report_.first = {row + 1, recording_.step(row + 1), *wanted_.time, "", "", 0, 0, 0};
        }
        return false;
      }
    }
    compare(row + 1);
    copy_state(m_, wanted_, kInputs, state_);
    return true;
  }

  void compare(int64_t row) {
    report_.largest.reset();
    double largest = -1;
    for (const Compared& c : compared_) {
      const auto* recorded = static_cast<const double*>(wanted_.field_data(c.field));
      const auto* replayed = static_cast<const double*>(state_.field_data(c.field));
      if (same_bits(recorded, replayed, c.numbers)) continue;
      for (size_t i = 0; i < c.numbers; ++i) {
        if (same_bits(recorded + i, replayed + i, 1)) continue;
        const int index = static_cast<int>(i);
        const ReplayDifference difference{
            row,   recording_.step(row), *wanted_.time, c.name, object_text(m_, place_of(m_, c.name, index)),
            index, recorded[i],          replayed[i]};
        if (!report_.first) report_.first = difference;
        const double distance = std::abs(recorded[i] - replayed[i]);
        if (distance > largest || !report_.largest) largest = distance, report_.largest = difference;
      }
    }
    if (!report_.first && !wanted_.row_memory.entries.empty() && !same_memory(wanted_.row_memory, state_.row_memory)) {
      report_.first = {row, recording_.step(row), *wanted_.time, "row memory of the solver", "", 0, 0, 0};
    }
    if (!report_.first) ++report_.same_rows;
  }

  /// The step that the recording did not survive.
  void after_last_row() {
    const bool is_end = report_.last_row == recording_.rows() - 1;
    const RecordedEvent* event = is_end ? event_after(report_.last_row, "fault") : nullptr;
    if (event) report_.recorded_fault = event->text;
    if (is_end && (event || options_.until_fault)) make_step();
  }

  const Model& m_;
  const RecordingFile& recording_;
  const ReplayOptions& options_;
  State state_, wanted_, before_;
  Data data_;
  std::vector<Compared> compared_;
  std::multimap<int64_t, const RecordedEvent*> events_;  // by the rows before them
  ReplayReport report_;
};

/// A time as people write it: rows lie on sums of roundings.
std::string time_text(double t) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", t);
  return text;
}

std::string place_text(const ReplayDifference& d) {
  return d.field + "[" + std::to_string(d.index) + "]" + (d.object.empty() ? "" : " (" + d.object + ")");
}

}  // namespace

ReplayReport replay(const Model& model, const RecordingFile& recording, const ReplayOptions& options) {
  recording.check(model);
  if (options.world < 0 || options.world >= recording.head().worlds) {
    throw std::invalid_argument("the recording has " + std::to_string(recording.head().worlds) +
                                " worlds, and no world " + std::to_string(options.world));
  }
  return Replay(model, recording, options).run();
}

std::string replay_text(const ReplayReport& r, const RecordingFile& recording) {
  std::string out = "rows       " + std::to_string(r.first_row) + " … " + std::to_string(r.last_row) + " of " +
                    std::to_string(recording.rows()) + ": t = " + time_text(recording.time(r.first_row)) + " … " +
                    time_text(recording.time(r.last_row)) + "\n";
  out += "steps      " + std::to_string(r.steps) + "\n";
  if (r.restarts) out += "restarts   " + std::to_string(r.restarts) + ": there the state was set from outside\n";
  if (r.skipped_steps) {
    out += "between    " + std::to_string(r.skipped_steps) +
           " steps have no row: the inputs of the row before them were used\n";
  }
  if (r.same()) {
    out += r.same_rows ? "replay     the same bits\n" : "replay     nothing to compare\n";
  } else if (r.first->field.empty()) {
    out += "replay     the same bits until step " + std::to_string(r.first->step) +
           ", which is refused here and was not when it was recorded\n";
  } else {
    const ReplayDifference& d = *r.first;
    out += "replay     differs from step " + std::to_string(d.step) + " on (t = " + time_text(d.time) + "): ";
    out += d.object.empty() && d.recorded == d.replayed
               ? d.field + "\n"
               : place_text(d) + " is " + number_text(d.replayed) + ", recorded was " + number_text(d.recorded) + "\n";
    if (r.largest && r.largest->row != d.row) {
      out += "at the end " + place_text(*r.largest) + " is " + number_text(r.largest->replayed) + ", recorded was " +
             number_text(r.largest->recorded) + ": the largest difference\n";
    }
  }
  if (!r.fault_text.empty()) {
    out += "fault      " + r.fault_text + "\n";
    if (!r.recorded_fault.empty()) {
      out += r.recorded_fault == r.fault_text ? "           as recorded\n"
                                              : "           recorded was: " + r.recorded_fault + "\n";
    }
  } else if (!r.recorded_fault.empty()) {
    out += "fault      none here; recorded was: " + r.recorded_fault + "\n";
  }
  if (r.stopped) out += "stopped by Ctrl-C\n";
  return out;
}

}  // namespace pliant
