// What constraints will do and what will misbehave, for C: as text or JSON.

#include "capi/handles.h"
#include "pliant/doctor.h"
#include "pliant/explain.h"

using pliant::capi::guarded;
using pliant::capi::must_fit;
using pliant::capi::needed;
using pliant::capi::new_text;

extern "C" {

char* pliant_explain_contact(const pliant_model* model, const pliant_state* state, int geom1, int geom2, double impact,
                             bool json) {
  return guarded(__func__, nullptr, [&] {
    const pliant::Model& m = needed(model, "model").model;
    must_fit(m, needed(state, "state").state, "state");
    for (const int geom : {geom1, geom2}) {
      if (geom < 0 || geom >= m.ngeom) {
        throw std::invalid_argument("there is no geom " + std::to_string(geom) + ", but " + std::to_string(m.ngeom));
      }
    }
    const pliant::Explanation found = pliant::explain_contact(m, state->state, geom1, geom2, impact);
    return new_text(json ? pliant::explain_json(found) : pliant::explain_text(found));
  });
}

char* pliant_explain_all(const pliant_model* model, const pliant_state* state, double impact, bool json) {
  return guarded(__func__, nullptr, [&] {
    const pliant::Model& m = needed(model, "model").model;
    must_fit(m, needed(state, "state").state, "state");
    std::string text = json ? "[" : "";
    bool first = true;
    for (const pliant::Explanation& found : pliant::explain_all(m, state->state, impact)) {
      if (!first) text += json ? "," : "\n";
      text += json ? pliant::explain_json(found) : pliant::explain_text(found);
      first = false;
    }
    return new_text(json ? text + "]" : text);
  });
}

char* pliant_doctor(const pliant_model* model, bool json) {
  return guarded(__func__, nullptr, [&] {
    const pliant::Model& m = needed(model, "model").model;
    const std::string name(m.model_name());
    const pliant::DoctorReport report = pliant::doctor(m);
    return new_text(json ? pliant::doctor_json(report, name) : pliant::doctor_text(report, name));
  });
}

}  // extern "C"
