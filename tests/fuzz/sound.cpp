#include "sound.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "pliant/model_io.h"

namespace pliant::fuzz {
namespace {

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "not sound: %s\n", why.c_str());
  std::abort();
}

template <class T>
bool all_finite(const T* data, size_t n) {
  return std::all_of(data, data + n, [](T x) { return std::isfinite(x); });
}

bool is_pending(const Model& model, const std::string& name) {
  return std::find(model.pending.begin(), model.pending.end(), name) != model.pending.end();
}

void require_finite(const Model& model) {
  const auto fields = model_fields();
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const size_t n = size_t(model.field_count(i)) * model.field_width(i);
    const void* data = model.field_data(i);
    const bool fine = fields[i].scalar == Scalar::real  ? all_finite(static_cast<const double*>(data), n)
                      : fields[i].scalar == Scalar::f32 ? all_finite(static_cast<const float*>(data), n)
                                                        : true;
    if (!fine && !is_pending(model, fields[i].name)) fail(std::string(fields[i].name) + " is not finite");
  }
  const auto finite = [&](const char* name, const double* data, size_t n) {
    if (!all_finite(data, n) && !is_pending(model, name)) fail(std::string(name) + " is not finite");
  };
  finite("stat.meaninertia", &model.stat.meaninertia, 1);
  finite("stat.meanmass", &model.stat.meanmass, 1);
  finite("stat.meansize", &model.stat.meansize, 1);
  finite("stat.extent", &model.stat.extent, 1);
  finite("stat.center", model.stat.center.data(), 3);
}

/// Names and places of everything can be asked for.
void require_names(const Model& model) {
  for (int type = 0; type < kNumObjTypes; ++type) {
    const ObjType kind = static_cast<ObjType>(type);
    for (int id = 0; id < model.count(kind); ++id) {
      const std::string_view name = model.name(kind, id);
      model.origin(kind, id);
      if (model.id(kind, name) >= model.count(kind)) fail("a name leads to no object");
    }
  }
}

}  // namespace

void require_sound(const Model& model) {
  require_finite(model);
  require_names(model);
  const std::string once = write_plm(model);
  try {
    if (write_plm(read_plm(once)) != once) fail("it changes on its way through .plm");
  } catch (const LoadError& error) {
    fail(error.what());
  }
}

void require_sound(const Report& report) {
  const bool has_error = std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                                     [](const Diagnostic& d) { return d.severity == Severity::kError; });
  if (report.ok() == has_error) fail(report.ok() ? "a model with errors" : "no model and no error");
  if (report.ok()) require_sound(*report.model);
}

void require_comes_back(std::string_view xml, const Model& model, const LoadOptions& options) {
  const Loaded loaded = load_string(xml, options);
  Diagnostics findings;
  const std::string text = write_mjcf(*loaded.spec, findings);
  if (findings.has_errors()) fail("it cannot be written: " + to_text(findings.list()));
  LoadOptions roomy = options;
  roomy.max_copies = LoadOptions{}.max_copies;
  const Report again = load_report_string(text, roomy);
  if (!again.ok()) fail("its written form does not load: " + to_text(again.diagnostics) + text);
  for (int type = 0; type < kNumObjTypes; ++type) {
    const ObjType kind = static_cast<ObjType>(type);
    if (model.count(kind) != again.model->count(kind)) fail("its written form is another model\n" + text);
  }
}

}  // namespace pliant::fuzz
