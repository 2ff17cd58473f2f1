// Recordings: the input is read as it is, and once more with checksums that fit, as somebody would make them who wants
// to get nonsense past the reader.

#include <stdexcept>

#include "pliant/model_io.h"
#include "pliant/recording.h"
#include "pliant/state.h"
#include "record/chunks.h"
#include "targets.h"

namespace pliant::fuzz {
namespace {

/// What the reader lets through can be looked at, every number of it.
void use(const RecordingFile& file) {
  unsigned sum = 0;
  for (int64_t row = 0; row < file.rows(); ++row) {
    sum += static_cast<unsigned>(file.step(row));
    for (size_t field = 0; field < file.head().fields.size(); ++field) {
      for (const std::byte b : file.values(row, field)) sum += std::to_integer<unsigned>(b);
    }
  }
  if (sum == 0 && file.rows() > 1 && file.step(1) > 1) return;  // so that nothing of it is left out
  constexpr int kMost = 10'000;                                 // a State of more is only slow
  std::optional<Model> model;
  try {
    model = file.model();
  } catch (const LoadError&) {
    return;
  }
  if (!model || model->nuserdata > kMost || model->nhistory > kMost) return;
  State state(*model);
  try {
    file.check(*model);
    for (int64_t row = 0; row < file.rows(); ++row) file.restore(row, state);
  } catch (const std::invalid_argument&) {
    // of another model
  }
}

void read(const std::string& bytes) {
  try {
    const RecordingFile file(bytes, "input");
    constexpr double kMostBytes = 1e7;  // rows whose numbers are written once can be many
    double all = 0;
    for (const RecordedField& field : file.head().fields) all += static_cast<double>(field.bytes());
    if (all * file.head().worlds * static_cast<double>(file.rows()) < kMostBytes) use(file);
  } catch (const std::runtime_error&) {
    // a refusal
  }
}

}  // namespace

void plr(std::string_view bytes) {
  read(std::string(bytes));
  read(seal_plr(std::string(bytes)));
}

}  // namespace pliant::fuzz
