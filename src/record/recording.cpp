// Recordings read back into memory, whatever their format.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/file_names.h"
#include "base/text.h"
#include "pliant/recording.h"
#include "record/csv_format.h"
#include "record/npz.h"

namespace pliant {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) {
    const std::string hint = did_you_mean_file(path);
    throw std::runtime_error("cannot read " + path.string() + (hint.empty() ? "" : ": " + hint));
  }
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

Recording from_npz(const std::string& bytes) {
  Recording out;
  constexpr std::string_view kNames = "_names";
  const auto arrays = read_npz(bytes);
  for (const auto& [name, array] : arrays) {
    if (name == "model_file") {
      if (const auto words = array.words(); !words.empty()) out.model_file = words[0];
      continue;
    }
    if (array.type.starts_with("<U")) continue;
    out.fields[name] = array.numbers();
    if (name == "time") out.rows = static_cast<int64_t>(out.fields[name].size());
    RecordedField& layout = out.layout[name];
    layout.name = name;
    layout.scalar = array.type == "|b1" ? Scalar::boolean : array.type == "<i4" ? Scalar::i32 : Scalar::real;
    int64_t numbers = 1;
    for (size_t i = 1; i < array.shape.size(); ++i) {
      if (array.shape[i] < 0 || array.shape[i] > INT32_MAX) throw std::runtime_error("an array has no possible shape");
      numbers *= array.shape[i];
      if (numbers > INT32_MAX) throw std::runtime_error("an array has no possible shape");
    }
    layout.has_width = array.shape.size() == 3;
    layout.count = static_cast<int>(layout.has_width ? array.shape[1] : numbers);
    layout.width = static_cast<int>(layout.has_width ? array.shape[2] : 1);
    if (const auto found = arrays.find(name + std::string(kNames)); found != arrays.end()) {
      layout.names = found->second.words();
    }
  }
  return out;
}

void add_numbers(Scalar scalar, std::span<const std::byte> bytes, std::vector<double>& out) {
  const size_t each = scalar_bytes(scalar), n = bytes.size() / each;
  for (size_t i = 0; i < n; ++i) {
    const std::byte* from = bytes.data() + i * each;
    if (scalar == Scalar::real) {
      double x;
      std::memcpy(&x, from, sizeof x);
      out.push_back(x);
    } else if (scalar == Scalar::i32) {
      int32_t x;
      std::memcpy(&x, from, sizeof x);
      out.push_back(x);
    } else {
      out.push_back(static_cast<double>(std::to_integer<uint8_t>(*from)));
    }
  }
}

Recording from_chunks(const RecordingFile& file) {
  constexpr double kMostNumbers = 2e9;  // 16 GB as double
  Recording out;
  const RecordingHead& head = file.head();
  out.rows = file.rows();
  out.worlds = head.worlds;
  out.version = head.version;
  out.model_file = head.model_file;
  out.note = file.note();
  out.end = file.end();
  out.events = file.events();
  double numbers = 0;
  for (const RecordedField& field : head.fields) {
    numbers += static_cast<double>(field.numbers()) * head.worlds * static_cast<double>(out.rows);
  }
  if (numbers > kMostNumbers) {
    throw std::runtime_error(
        "it has more than 16 GB of numbers; convert the fields you need (pliant recording FILE "
        "--fields … -o out.csv)");
  }
  for (const RecordedField& field : head.fields) {
    out.layout[field.name] = field;
    out.fields[field.name].reserve(field.numbers() * static_cast<size_t>(head.worlds) * static_cast<size_t>(out.rows));
  }
  for (int64_t row = 0; row < out.rows; ++row) {
    out.steps.push_back(file.step(row));
    for (size_t f = 0; f < head.fields.size(); ++f) {
      const RecordedField& field = head.fields[f];
      if (f == 0) {
        out.fields["time"].push_back(file.time(row));  // all worlds have the time of the first
      } else {
        add_numbers(field.scalar, file.values(row, f), out.fields[field.name]);
      }
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
  if (RecordingFile::is_one(path) || path.extension() == ".plr") {
    const RecordingFile file(path);
    Recording out = from_chunks(file);
    if (out.rows == 0) {
      throw std::runtime_error("cannot use " + path.string() + " as a recording: it has no rows" +
                               (out.note.empty() ? "" : " (" + out.note + ")"));
    }
    return out;
  }
  const std::string bytes = bytes_of(path);
  try {
    if (path.extension() != ".csv" && path.extension() != ".npz") {
      throw std::runtime_error("recordings are *.plr, *.npz or *.csv");
    }
    Recording out = path.extension() == ".csv" ? read_csv(bytes) : from_npz(bytes);
    if (!out.fields.contains("time") || out.rows == 0) throw std::runtime_error("it has no rows with a time");
    for (const auto& [name, numbers] : out.fields) {
      if (numbers.size() % static_cast<size_t>(out.rows) != 0)
        throw std::runtime_error(quote(name) + " has another number of rows than time");
      // one field may have several columns of arrays that NumPy wrote flat
      RecordedField& layout = out.layout[name];
      const size_t width = numbers.size() / static_cast<size_t>(out.rows);
      if (layout.numbers() != width) {
        layout.count = static_cast<int>(width);
        layout.width = 1;
        layout.has_width = false;
      }
      if (layout.names.size() != width) layout.names.clear();
    }
    const std::vector<double>& times = out.fields["time"];
    if (times.size() != static_cast<size_t>(out.rows)) throw std::runtime_error("it has several times per row");
    if (!std::is_sorted(times.begin(), times.end()) || !std::isfinite(times.front() + times.back()))
      throw std::runtime_error("its times are not in order");
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
    const bool of_worlds = std::string_view(known[i].name) != "time" && worlds > 1;
    const size_t one = of_worlds ? width / static_cast<size_t>(worlds) : width;  // the first world is shown
    if (one != wanted) {
      throw std::invalid_argument("the recording has " + std::to_string(one) + " numbers of " +
                                  std::string(known[i].name) + " per row, the model has " + std::to_string(wanted) +
                                  ": it is of another model");
    }
    const double* from = found->second.data() + static_cast<size_t>(row) * width;
    void* to = state.field_data(static_cast<int>(i));
    switch (known[i].scalar) {
      case Scalar::real:
        copy_numbers<double>(from, one, to);
        break;
      case Scalar::i32:
        copy_numbers<int32_t>(from, one, to);
        break;
      case Scalar::boolean:
        copy_numbers<bool>(from, one, to);
        break;
      default:
        break;  // bytes of memory between steps: not for pictures
    }
  }
}

}  // namespace pliant
