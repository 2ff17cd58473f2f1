// Controls from a file or from noise.

#include "controls.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "base/file_names.h"
#include "base/text.h"

namespace pliant::app {
namespace {

constexpr std::string_view kNoise = "noise:";
constexpr double kTurn = 6.283185307179586;

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

struct Cell {
  std::string text;
  int column = 1;  // where it starts, in characters
};

/// Cells of a line; quotes as spreadsheets write them, white space around others does not count.
std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  int column = 1;
  for (size_t i = 0;;) {
    Cell cell;
    bool quoted = false, was_quoted = false;
    cell.column = column;
    for (; i < line.size() && (quoted || line[i] != ','); ++i) {
      column += (static_cast<unsigned char>(line[i]) & 0xC0) != 0x80;
      if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
        cell.text += line[++i];
        ++column;
      } else if (line[i] == '"') {
        quoted = !quoted;
        was_quoted = true;
      } else if (quoted || !is_blank({&line[i], 1}) || (!was_quoted && !cell.text.empty())) {
        cell.text += line[i];
      } else if (!was_quoted) {
        ++cell.column;
      }
    }
    if (!was_quoted) cell.text = trimmed(cell.text);
    cells.push_back(std::move(cell));
    if (i >= line.size()) return cells;
    ++i;
    ++column;
  }
}

/// Of an actuator as the first line of a file names it; unnamed ones as recordings do, "actuator 3".
std::string name_of(const Model& m, int actuator) {
  const std::string_view name = m.name(ObjType::kActuator, actuator);
  return name.empty() ? "actuator " + std::to_string(actuator) : std::string(name);
}

class ControlFile {
 public:
  ControlFile(const Model& model, const std::string& path) : path_(path), count_(static_cast<size_t>(model.nu)) {
    for (int i = 0; i < model.nu; ++i) names_.push_back(name_of(model, i));
  }

  void read(std::vector<double>& rows, std::vector<double>& times) {
    errno = 0;
    std::ifstream file(path_);
    std::string line;
    if (!file || (file.peek() == EOF && file.bad())) {
      const int reason = errno;
      const std::string hint = did_you_mean_file(path_);
      throw std::invalid_argument(path_ + ": cannot open the file of controls: " + std::strerror(reason) +
                                  (hint.empty() ? "" : "; " + hint));
    }
    while (std::getline(file, line)) {
      std::string_view content = line;
      if (++line_ == 1 && content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
      if (trimmed(content).empty() || trimmed(content)[0] == '#') continue;
      const std::vector<Cell> cells = cells_of(content);
      if (columns_.empty()) {
        if (read_names(cells)) continue;
        use_positions();
      }
      read_row(cells, rows, times);
    }
    if (file.bad()) throw std::invalid_argument(path_ + ": cannot read the file of controls: " + std::strerror(errno));
  }

 private:
  static constexpr int kTime = -1;

  [[noreturn]] void fail(const std::string& why) const {
    throw std::invalid_argument(path_ + ":" + std::to_string(line_) + ": " + why);
  }
  [[noreturn]] void fail(const Cell& cell, const std::string& why) const {
    throw std::invalid_argument(path_ + ":" + std::to_string(line_) + ":" + std::to_string(cell.column) + ": " + why);
  }

  void use_positions() {
    for (size_t i = 0; i < count_; ++i) columns_.push_back(static_cast<int>(i));
  }

  std::optional<int> find(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<int>(found - names_.begin());
  }

  /// Whether the first line names columns; then they are in columns_.
  bool read_names(const std::vector<Cell>& cells) {
    double value = 0;
    const auto is_number = [&](const Cell& cell) { return parse_number(cell.text, value) != NumberError::kNotANumber; };
    const auto is_name = [&](const Cell& cell) {
      return cell.text == kTimeName || find(cell.text) || find(without_prefix(cell.text));
    };
    if (std::all_of(cells.begin(), cells.end(), is_number)) {
      if (!std::all_of(cells.begin(), cells.end(), is_name)) return false;
      fail("this could be numbers or the names of actuators; write ctrl.NAME for names, 1.0 for numbers");
    }
    // among numbers, what is no name is a slip in a number
    if (std::any_of(cells.begin(), cells.end(), is_number) && std::none_of(cells.begin(), cells.end(), is_name)) {
      return false;
    }
    const bool prefixed = are_prefixed(cells);
    std::vector<std::string_view> known(names_.begin(), names_.end());
    known.push_back(kTimeName);
    for (const Cell& cell : cells) {
      const std::string name = prefixed ? without_prefix(cell.text) : cell.text;
      const std::optional<int> column = cell.text == kTimeName ? std::optional(kTime) : find(name);
      if (!column) {
        std::string hint = did_you_mean(name, known);
        if (cells.size() == 1 && cell.text.find_first_of(";\t") != std::string::npos) {
          hint = "columns are separated by commas";
        }
        if (hint.empty()) hint = "the model has " + list(names_);
        fail(cell, "there is no actuator " + quote(name) + "; " + hint);
      }
      if (std::find(columns_.begin(), columns_.end(), *column) != columns_.end()) {
        fail(cell, "there are two columns " + quote(name));
      }
      columns_.push_back(*column);
    }
    std::vector<std::string> missing;
    for (size_t i = 0; i < count_; ++i) {
      if (std::find(columns_.begin(), columns_.end(), static_cast<int>(i)) == columns_.end())
        missing.push_back(names_[i]);
    }
    if (!missing.empty()) {
      fail(cells.back(),
           (missing.size() == 1 ? "there is no column for " : "there are no columns for ") + list(missing));
    }
    return true;
  }

  /// Recordings call their columns ctrl.NAME; an actuator's own name may begin like that, too.
  bool are_prefixed(const std::vector<Cell>& cells) const {
    const auto all = [&](auto holds) {
      return std::all_of(cells.begin(), cells.end(),
                         [&](const Cell& cell) { return cell.text == kTimeName || holds(cell.text); });
    };
    if (!all([](const std::string& name) { return name.starts_with(kPrefix); })) return false;
    const bool fits = all([this](const std::string& name) { return find(without_prefix(name)).has_value(); });
    return fits || !all([this](const std::string& name) { return find(name).has_value(); });
  }
  static std::string without_prefix(const std::string& name) {
    return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
  }

  static std::string list(const std::vector<std::string>& names) {
    constexpr size_t kMostListed = 8;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kMostListed); ++i) text += (i ? ", " : "") + quote(names[i]);
    return names.size() > kMostListed ? text + " and " + std::to_string(names.size() - kMostListed) + " more" : text;
  }

  void read_row(const std::vector<Cell>& cells, std::vector<double>& rows, std::vector<double>& times) const {
    const bool timed = columns_.size() > count_;
    if (cells.size() != columns_.size()) {
      fail(std::to_string(cells.size()) + " numbers, but the model has " + std::to_string(count_) + " controls" +
           (timed ? " (and there is a time column)" : ""));
    }
    const size_t start = rows.size();
    rows.resize(start + count_);
    for (size_t i = 0; i < cells.size(); ++i) {
      double value = 0;
      const NumberError problem = parse_number(cells[i].text, value);
      if (problem == NumberError::kNotANumber) fail(cells[i], quote(cells[i].text) + " is not a number");
      if (problem != NumberError::kNone) fail(cells[i], cells[i].text + " is not finite");
      if (columns_[i] != kTime) {
        rows[start + static_cast<size_t>(columns_[i])] = value;
      } else {
        if (!times.empty() && value <= times.back()) fail(cells[i], "times must increase");
        times.push_back(value);
      }
    }
  }

  static constexpr std::string_view kPrefix = "ctrl.", kTimeName = "time";
  std::string path_;
  size_t count_;
  std::vector<std::string> names_;
  std::vector<int> columns_;  // of the file: an actuator, or kTime
  int line_ = 0;
};

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
  const auto read = [](const std::string& word, double& out) { return parse_number(word, out) == NumberError::kNone; };
  const bool good = read(text.substr(0, comma), sigma_) && sigma_ >= 0 &&
                    (comma == std::string::npos || read(text.substr(comma + 1), seed)) && seed >= 0 && seed < 1e15 &&
                    seed == std::floor(seed);
  if (!good) {
    throw std::invalid_argument("--ctrl noise:" + text +
                                ": write noise:SIGMA or noise:SIGMA,SEED, for example "
                                "noise:0.1,42");
  }
  seed_ = static_cast<uint64_t>(seed);
}

void Controls::read_csv(const Model& model, const std::string& path) {
  ControlFile(model, path).read(rows_, times_);
  row_count_ = static_cast<int64_t>(rows_.size()) / model.nu;
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
