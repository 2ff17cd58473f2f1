// Recorder: rows of State and Data as .csv (written at once) or .npz (kept until the end, as NumPy
// wants the number of rows first).

#include <cstring>
#include <optional>
#include <stdexcept>

#include "analysis/npz.h"
#include "base/output_file.h"
#include "base/text.h"
#include "pliant/analysis.h"
#include "pliant/place.h"

namespace pliant {
namespace {

struct Recorded {
  const StateFieldInfo* info;
  int field;      // place in its list
  bool of_state;  // else of Data
  int count, width;
  std::vector<std::string> names;
  std::vector<std::byte> rows;  // of .npz

  size_t numbers() const { return static_cast<size_t>(count) * static_cast<size_t>(width); }
  size_t bytes() const { return numbers() * scalar_bytes(info->scalar); }
};

/// "qpos.elbow", "qpos.root[3]", "xpos.body 4[0]", "energy[1]"
std::string column_name(const Model& m, const char* field, int index, bool several) {
  const FieldPlace place = place_of(m, field, index);
  std::string name = field;
  if (place.type == ObjType::kUnknown) return several ? name + "[" + std::to_string(index) + "]" : name;
  const std::string_view object = m.name(place.type, place.id);
  name += "." +
          (object.empty() ? kind_word(place.type) + std::string(" ") + std::to_string(place.id) : std::string(object));
  if (place.components > 1) name += "[" + std::to_string(place.component) + "]";
  return name;
}

Recorded find_field(const Model& m, const std::string& name) {
  std::vector<std::string_view> known;
  for (const bool of_state : {true, false}) {
    const auto fields = of_state ? state_fields() : data_fields();
    for (size_t i = 0; i < fields.size(); ++i) {
      known.push_back(fields[i].name);
      if (name != fields[i].name) continue;
      Recorded out{&fields[i], static_cast<int>(i), of_state, fields[i].count(m), fields[i].width(m), {}, {}};
      const int n = static_cast<int>(out.numbers());
      for (int k = 0; k < n; ++k) out.names.push_back(column_name(m, fields[i].name, k, n > 1));
      return out;
    }
  }
  const std::string hint = did_you_mean(name, known);
  throw std::invalid_argument("there is no field " + quote(name) + " to record" + (hint.empty() ? "" : ": " + hint));
}

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
      return static_cast<const bool*>(data)[i] ? "1" : "0";
    default:
      return std::to_string(static_cast<const uint8_t*>(data)[i]);
  }
}

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

}  // namespace

struct Recorder::Parts {
  std::filesystem::path path;
  std::string model_file;         // so that a recording can be drawn without saying what it shows
  std::optional<OutputFile> out;  // none any more after finish() or a failure
  bool csv = false;
  std::vector<Recorded> fields;
  std::vector<std::string> columns;
  int64_t rows = 0;

  void write_line(const State& s, const Data& d) {
    std::string line;
    for (const Recorded& field : fields) {
      const void* data = field.of_state ? s.field_data(field.field) : d.field_data(field.field);
      for (size_t i = 0; i < field.numbers(); ++i) {
        if (!line.empty()) line += ',';
        line += scalar_text(field.info->scalar, data, i);
      }
    }
    line += '\n';
    try {
      out->write(line);
    } catch (...) {
      out.reset();
      throw;
    }
  }

  void keep_row(const State& s, const Data& d) {
    uint64_t total = 0;
    for (const Recorded& field : fields) total += field.rows.size() + field.bytes();
    if (total > kMaxNpzBytes) {
      throw std::runtime_error(path.string() +
                               ": a recording as .npz cannot be larger than 4 GB; record fewer "
                               "rows, or to .csv");
    }
    for (Recorded& field : fields) {
      const auto* data =
          static_cast<const std::byte*>(field.of_state ? s.field_data(field.field) : d.field_data(field.field));
      field.rows.insert(field.rows.end(), data, data + field.bytes());
    }
  }

  void write_arrays() {
    NpzWriter writer(*out);
    for (const Recorded& field : fields) {
      std::vector<int64_t> shape{rows};
      const bool is_time = &field == &fields.front();
      if (!is_time) shape.push_back(field.count);
      if (std::string_view(field.info->width_name) != "1") shape.push_back(field.width);
      writer.add(field.info->name, numpy_type(field.info->scalar), shape, field.rows);
      if (!is_time) writer.add(std::string(field.info->name) + "_names", field.names);
    }
    if (!model_file.empty()) writer.add("model_file", {model_file});
    writer.finish();
  }
};

Recorder::Recorder(const Model& model, const std::filesystem::path& path, const std::vector<std::string>& fields)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.path = path;
  if (!model.files.empty()) p.model_file = model.files.front();
  p.csv = path.extension() == ".csv";
  if (!p.csv && path.extension() != ".npz") {
    throw std::invalid_argument(path.string() + ": a recording ends in .csv or .npz");
  }
  p.fields.push_back(find_field(model, "time"));
  for (const std::string& name : fields) {
    bool known = false;
    for (const Recorded& field : p.fields) known |= name == field.info->name;
    if (!known) p.fields.push_back(find_field(model, name));
  }
  for (const Recorded& field : p.fields) p.columns.insert(p.columns.end(), field.names.begin(), field.names.end());
  p.out.emplace(path);
  if (p.csv) {
    std::string line;
    for (const std::string& column : p.columns) line += (line.empty() ? "" : ",") + csv_text(column);
    p.out->write(line + "\n");
  }
}

Recorder::~Recorder() {
  if (!parts_ || !parts_->out) return;
  try {
    finish();
  } catch (const std::exception&) {
    // finish() is where a failure is reported; here nobody listens
  }
}

Recorder::Recorder(Recorder&&) noexcept = default;

bool Recorder::needs_data() const {
  for (const Recorded& field : parts_->fields) {
    if (!field.of_state) return true;
  }
  return false;
}

void Recorder::record(const State& state, const Data& data) {
  Parts& p = *parts_;
  if (!p.out) throw std::logic_error("a row for '" + p.path.string() + "' after the recording has ended");
  if (p.csv) {
    p.write_line(state, data);
  } else {
    p.keep_row(state, data);
  }
  ++p.rows;
}

void Recorder::finish() {
  Parts& p = *parts_;
  if (!p.out) return;
  try {
    if (!p.csv) p.write_arrays();
    p.out->commit();
  } catch (...) {
    p.out.reset();
    throw;
  }
  p.out.reset();
}

int64_t Recorder::rows() const { return parts_->rows; }
const std::vector<std::string>& Recorder::columns() const { return parts_->columns; }

}  // namespace pliant
