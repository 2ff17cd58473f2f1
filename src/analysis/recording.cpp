// Recordings read back: *.npz and *.csv, as Recorder writes them.

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "analysis/npz.h"
#include "base/file_names.h"
#include "base/text.h"
#include "pliant/recording.h"

namespace pliant {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    const std::string hint = did_you_mean_file(path);
    throw std::runtime_error("cannot read " + path.string() + (hint.empty() ? "" : ": " + hint));
  }
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

/// Fields of a line; quotes hold commas.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      out.back() += '"', ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      out.emplace_back();
    } else if (c != '\r') {
      out.back() += c;
    }
  }
  return out;
}

Recording from_csv(const std::string& bytes) {
  std::istringstream in(bytes);
  std::string line;
  if (!std::getline(in, line)) throw std::runtime_error("it is empty");
  std::vector<std::vector<double>*> columns;
  Recording out;
  // "qpos.elbow", "qpos.root[3]", "time": the field is what stands before
  for (const std::string& name : cells(line)) columns.push_back(&out.fields[name.substr(0, name.find_first_of(".["))]);
  int number = 1;
  while (std::getline(in, line)) {
    ++number;
    if (is_blank(line)) continue;
    const std::vector<std::string> words = cells(line);
    if (words.size() != columns.size()) {
      throw std::runtime_error("line " + std::to_string(number) + " has " + std::to_string(words.size()) +
                               " numbers, the first line names " + std::to_string(columns.size()));
    }
    for (size_t i = 0; i < words.size(); ++i) {
      double x = 0;
      if (parse_number(words[i], x) != NumberError::kNone)
        throw std::runtime_error("line " + std::to_string(number) + ": " + quote(words[i]) + " is no finite number");
      columns[i]->push_back(x);
    }
    ++out.rows;
  }
  return out;
}

Recording from_npz(const std::string& bytes) {
  Recording out;
  for (const auto& [name, array] : read_npz(bytes)) {
    if (name == "model_file") {
      if (const auto words = array.words(); !words.empty()) out.model_file = words[0];
    } else if (!array.type.starts_with("<U")) {
      out.fields[name] = array.numbers();
      if (name == "time") out.rows = static_cast<int64_t>(out.fields[name].size());
    }
  }
  return out;
}

template <class T>
void copy_numbers(const double* from, size_t n, void* to) {
  for (size_t i = 0; i < n; ++i) static_cast<T*>(to)[i] = static_cast<T>(from[i]);
}

}  // namespace

Recording read_recording(const std::filesystem::path& path) {
  const std::string bytes = bytes_of(path);
  try {
    Recording out = path.extension() == ".csv" ? from_csv(bytes) : from_npz(bytes);
    if (!out.fields.contains("time") || out.rows == 0) throw std::runtime_error("it has no rows with a time");
    for (const auto& [name, numbers] : out.fields) {
      if (numbers.size() % static_cast<size_t>(out.rows) != 0)
        throw std::runtime_error(quote(name) + " has another number of rows than time");
    }
    const std::vector<double>& times = out.fields["time"];
    if (!std::is_sorted(times.begin(), times.end())) throw std::runtime_error("its times are not in order");
    return out;
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error("cannot use " + path.string() + " as a recording: " + problem.what());
  }
}

void Recording::restore(const Model& model, int64_t row, State& state) const {
  const auto known = state_fields();
  for (size_t i = 0; i < known.size(); ++i) {
    const auto found = fields.find(known[i].name);
    if (found == fields.end()) continue;
    const size_t wanted = static_cast<size_t>(known[i].count(model)) * static_cast<size_t>(known[i].width(model));
    const size_t width = found->second.size() / static_cast<size_t>(rows);
    if (width != wanted) {
      throw std::invalid_argument("the recording has " + std::to_string(width) + " numbers of " +
                                  std::string(known[i].name) + " per row, the model has " + std::to_string(wanted) +
                                  ": it is of another model");
    }
    const double* from = found->second.data() + static_cast<size_t>(row) * width;
    void* to = state.field_data(static_cast<int>(i));
    switch (known[i].scalar) {
      case Scalar::real:
        copy_numbers<double>(from, width, to);
        break;
      case Scalar::i32:
        copy_numbers<int32_t>(from, width, to);
        break;
      case Scalar::boolean:
        copy_numbers<bool>(from, width, to);
        break;
      default:
        break;  // bytes of memory between steps: not for pictures
    }
  }
}

}  // namespace pliant
