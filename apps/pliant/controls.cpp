// Controls from a file or from noise.

#include "controls.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace pliant::app {
namespace {

constexpr std::string_view kNoise = "noise:";
constexpr double kTurn = 6.283185307179586;

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool read_number(std::string_view text, double& out) {
  text = trimmed(text);
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// Cells of a line; quotes as spreadsheets write them.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace

Controls::Controls(const Model& model, const std::string& source) : source_(source) {
  if (source.empty()) return;
  if (model.nu == 0) throw std::invalid_argument("--ctrl: the model has no actuators");
  if (source.starts_with(kNoise)) {
    read_noise(source.substr(kNoise.size()));
  } else {
    read_csv(model, source);
  }
}

void Controls::read_noise(const std::string& text) {
  noise_ = true;
  const size_t comma = text.find(',');
  double seed = 0;
  const bool good = read_number(text.substr(0, comma), sigma_) && std::isfinite(sigma_) && sigma_ >= 0 &&
                    (comma == std::string::npos || read_number(text.substr(comma + 1), seed)) && seed >= 0 &&
                    seed < 1e15 && seed == std::floor(seed);
  if (!good) {
    throw std::invalid_argument("--ctrl noise:" + text +
                                ": write noise:SIGMA or noise:SIGMA,SEED, for example "
                                "noise:0.1,42");
  }
  seed_ = static_cast<uint64_t>(seed);
}

void Controls::read_csv(const Model& model, const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::invalid_argument(path + ": cannot open the file of controls");
  const auto nu = static_cast<size_t>(model.nu);
  bool timed = false, first = true;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string_view content = trimmed(line);
    if (content.empty() || content[0] == '#') continue;
    const auto fail = [&](const std::string& why) {
      throw std::invalid_argument(path + ":" + std::to_string(number) + ": " + why);
    };
    const std::vector<std::string> cells = cells_of(content);
    double value = 0;
    // the first line may name the columns
    if (first) {
      first = false;
      if (trimmed(cells[0]) == "time") timed = true;
      const bool named = std::none_of(cells.begin(), cells.end(), [&](const auto& c) { return read_number(c, value); });
      if (named) {
        if (cells.size() != nu + timed) {
          fail(std::to_string(cells.size()) + " columns, but the model has " + std::to_string(nu) + " controls" +
               (timed ? " (and there is a time column)" : ""));
        }
        continue;
      }
    }
    if (cells.size() != nu + timed) {
      fail(std::to_string(cells.size()) + " numbers, but the model has " + std::to_string(nu) + " controls" +
           (timed ? " (and there is a time column)" : ""));
    }
    for (size_t i = 0; i < cells.size(); ++i) {
      if (!read_number(cells[i], value)) {
        fail("column " + std::to_string(i + 1) + ": '" + std::string(trimmed(cells[i])) + "' is not a number");
      }
      if (!std::isfinite(value)) fail("column " + std::to_string(i + 1) + ": " + cells[i] + " is not finite");
      if (timed && i == 0) {
        if (!times_.empty() && value <= times_.back()) fail("times must increase");
        times_.push_back(value);
      } else {
        rows_.push_back(value);
      }
    }
    ++row_count_;
  }
  if (row_count_ == 0) throw std::invalid_argument(path + ": there are no controls in the file");
}

// Box-Muller on splitmix64: the same numbers on every machine.
double Controls::normal() {
  const auto uniform = [this] {
    uint64_t z = seed_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
  };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(kTurn * uniform());
}

void Controls::apply(const Model& m, int64_t step, State& s) {
  if (noise_) {
    for (int i = 0; i < m.nu; ++i) {
      const double low = m.actuator_ctrlrange[2 * i], high = m.actuator_ctrlrange[2 * i + 1];
      const bool limited = m.actuator_ctrllimited[i];
      const double middle = limited ? (low + high) / 2 : 0, half = limited ? (high - low) / 2 : 1;
      s.ctrl[i] = middle + sigma_ * half * normal();
    }
    return;
  }
  if (row_count_ == 0) return;
  if (times_.empty()) {
    row_ = std::min(step, row_count_ - 1);
  } else {
    // A row holds until the time of the next one; half a timestep forgives rounding.
    while (row_ + 1 < row_count_ && times_[row_ + 1] <= *s.time + m.opt.timestep / 2) ++row_;
  }
  std::copy_n(rows_.data() + row_ * m.nu, m.nu, s.ctrl);
}

std::string Controls::note(int64_t steps, double time) const {
  if (noise_ || row_count_ == 0) return {};
  if (times_.empty() && steps > row_count_) {
    return source_ + " has controls for " + std::to_string(row_count_) + " steps; the last row was held after that";
  }
  if (times_.empty() && steps < row_count_) {
    return source_ + " has " + std::to_string(row_count_) + " rows; " + std::to_string(row_count_ - steps) +
           " were not used";
  }
  if (!times_.empty() && row_ + 1 < row_count_ && time > 0) {
    return source_ + " has " + std::to_string(row_count_ - row_ - 1) + " rows of later times that were not used";
  }
  return {};
}

}  // namespace pliant::app
