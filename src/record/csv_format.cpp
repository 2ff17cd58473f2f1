#include "record/csv_format.h"

#include <limits>
#include <sstream>
#include <stdexcept>

#include "base/text.h"

namespace pliant {
namespace {

/// Names of objects may hold anything.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string scalar_text(Scalar scalar, const void* data, size_t i) {
  switch (scalar) {
    case Scalar::real:
      return number_text(static_cast<const double*>(data)[i]);
    case Scalar::i32:
      return std::to_string(static_cast<const int32_t*>(data)[i]);
    case Scalar::boolean:
      return static_cast<const uint8_t*>(data)[i] ? "1" : "0";
    default:
      return std::to_string(static_cast<const uint8_t*>(data)[i]);
  }
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

/// Numbers as Recorder writes them: what a step refuses (a control that is nan) is recorded, too.
bool recorded_number(const std::string& word, double& x) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (parse_number(word, x) == NumberError::kNone) return true;
  if (word == "nan" || word == "-nan") return x = std::numeric_limits<double>::quiet_NaN(), true;
  if (word == "inf" || word == "-inf") return x = word[0] == '-' ? -kInfinite : kInfinite, true;
  return false;
}

}  // namespace

std::string csv_header(const std::vector<std::string>& columns) {
  std::string line;
  for (const std::string& column : columns) line += (line.empty() ? "" : ",") + csv_text(column);
  return line + "\n";
}

void add_csv_numbers(std::string& line, Scalar scalar, const void* data, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!line.empty()) line += ',';
    line += scalar_text(scalar, data, i);
  }
}

Recording read_csv(const std::string& bytes) {
  std::istringstream in(bytes);
  std::string line;
  if (!std::getline(in, line)) throw std::runtime_error("it is empty");
  std::vector<std::vector<double>*> columns;
  Recording out;
  // "qpos.elbow", "qpos.root[3]", "time": the field is what stands before
  for (const std::string& name : cells(line)) {
    const std::string field = name.substr(0, name.find_first_of(".["));
    RecordedField& layout = out.layout[field];
    layout.name = field;
    layout.names.push_back(name);
    layout.count = static_cast<int>(layout.names.size());
    columns.push_back(&out.fields[field]);
  }
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
      if (!recorded_number(words[i], x))
        throw std::runtime_error("line " + std::to_string(number) + ": " + quote(words[i]) + " is no number");
      columns[i]->push_back(x);
    }
    ++out.rows;
  }
  return out;
}

}  // namespace pliant
