#include "record/convert.h"

#include <algorithm>
#include <stdexcept>

#include "base/text.h"
#include "record/csv_format.h"
#include "record/npz.h"

namespace pliant {
namespace {

const char* numpy_type(Scalar scalar) {
  switch (scalar) {
    case Scalar::real:
      return "<f8";
    case Scalar::i32:
      return "<i4";
    case Scalar::boolean:
      return "|b1";
    default:
      return "|u1";
  }
}

/// Places of the wanted fields in the head, time first.
std::vector<size_t> chosen(const RecordingHead& head, const std::vector<std::string>& fields) {
  std::vector<size_t> out{0};
  std::vector<std::string_view> known;
  for (const RecordedField& field : head.fields) known.push_back(field.name);
  if (fields.empty()) {
    for (size_t i = 1; i < known.size(); ++i) out.push_back(i);
  }
  for (const std::string& name : fields) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const std::string hint = did_you_mean(name, known);
      throw std::invalid_argument("the recording has no field " + quote(name) + "; it has " + one_of(known) +
                                  (hint.empty() ? "" : ": " + hint));
    }
    const auto place = static_cast<size_t>(found - known.begin());
    if (std::find(out.begin(), out.end(), place) == out.end()) out.push_back(place);
  }
  return out;
}

/// "qpos.elbow" of world 3 as "qpos.elbow@3", where there are several.
std::vector<std::string> column_names(const RecordingHead& head, const RecordedField& field) {
  if (head.worlds == 1) return field.names;
  std::vector<std::string> out;
  for (int world = 0; world < head.worlds; ++world) {
    for (const std::string& name : field.names) out.push_back(name + "@" + std::to_string(world));
  }
  return out;
}

}  // namespace

void write_npz(const RecordingFile& from, OutputFile& out, const std::vector<std::string>& fields) {
  NpzWriter writer(out);
  const RecordingHead& head = from.head();
  for (const size_t f : chosen(head, fields)) {
    const RecordedField& field = head.fields[f];
    const bool is_time = f == 0;
    // all worlds have the time of the first
    const auto worlds = is_time ? size_t{1} : static_cast<size_t>(head.worlds);
    std::vector<int64_t> shape{from.rows()};
    if (worlds > 1) shape.push_back(head.worlds);
    if (!is_time) shape.push_back(field.count);
    if (field.has_width) shape.push_back(field.width);
    writer.add(field.name, numpy_type(field.scalar), shape, static_cast<uint64_t>(from.rows()) * field.bytes() * worlds,
               [&](const auto& take) {
                 for (int64_t row = 0; row < from.rows(); ++row) {
                   take(from.values(row, f).first(field.bytes() * worlds));
                 }
               });
    if (!is_time) writer.add(field.name + "_names", field.names);
  }
  if (!head.model_file.empty()) writer.add("model_file", {head.model_file});
  writer.finish();
}

void write_csv(const RecordingFile& from, OutputFile& out, const std::vector<std::string>& fields) {
  const RecordingHead& head = from.head();
  const std::vector<size_t> places = chosen(head, fields);
  std::vector<std::string> columns;
  for (const size_t f : places) {
    const std::vector<std::string> names =
        f == 0 ? std::vector<std::string>{"time"} : column_names(head, head.fields[f]);
    columns.insert(columns.end(), names.begin(), names.end());
  }
  out.write(csv_header(columns));
  for (int64_t row = 0; row < from.rows(); ++row) {
    std::string line;
    for (const size_t f : places) {
      const size_t worlds = f == 0 ? 1 : static_cast<size_t>(head.worlds);
      add_csv_numbers(line, head.fields[f].scalar, from.values(row, f).data(), head.fields[f].numbers() * worlds);
    }
    out.write(line + "\n");
  }
}

void convert_recording(const RecordingFile& from, const std::filesystem::path& to,
                       const std::vector<std::string>& fields) {
  const bool npz = to.extension() == ".npz";
  if (!npz && to.extension() != ".csv") {
    throw std::invalid_argument(to.string() + ": recordings are converted to .npz or .csv");
  }
  chosen(from.head(), fields);  // complains before anything is written
  OutputFile out(to);
  npz ? write_npz(from, out, fields) : write_csv(from, out, fields);
  out.commit();
}

}  // namespace pliant
