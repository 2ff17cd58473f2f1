// pliant contacts: which geoms touch, how deep, with which parameters, and who said so.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "cmd.h"
#include "console.h"
#include "names.h"
#include "pliant/contact_report.h"
#include "pliant/json.h"
#include "pliant/pliant.h"
#include "urdf_options.h"
#include "with_spec.h"

namespace pliant::app {
namespace {

struct ContactOptions {
  UrdfOptions urdf;
  std::string path, key;
  double after = 0;
  bool parameters = false, json = false, allow_unsupported = false;
};

std::string numbers(const std::vector<double>& values, const char* between) {
  std::string text;
  for (const double x : values) text += (text.empty() ? "" : between) + fmt::format("{:.6g}", x);
  return text;
}

std::string join(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

const char* exclusion(const Contact& c) { return c.exclude == ContactExclude::kInGap ? "in its gap: no force" : ""; }

/// "body 'torso'", "world", "body 3".
std::string body_name(const Model& m, int geom) {
  const int body = m.geom_bodyid[geom];
  const std::string_view name = m.name(ObjType::kBody, body);
  return body == 0 ? "world" : name.empty() ? fmt::format("body {}", body) : std::string(name);
}

/// The force of a contact on the body of its second geom: along the normal, and across it.
struct Force {
  double normal = 0, friction = 0;
};
Force force_of(const Data& d, int contact) {
  double f[6];
  contact_force(d, contact, f);
  return {f[0], std::hypot(f[1], f[2])};
}

std::string table_of(const std::vector<ContactReport>& reports, const Model& m, const Data& d) {
  std::vector<std::array<std::string, 6>> rows;
  rows.push_back({"bodies", "geoms", "distance [m]", "normal [N]", "friction [N]", ""});
  for (size_t i = 0; i < reports.size(); ++i) {
    const Contact& c = reports[i].contact;
    const Force force = force_of(d, static_cast<int>(i));
    rows.push_back({body_name(m, c.geom[0]) + " – " + body_name(m, c.geom[1]),
                    reports[i].geom[0] + " – " + reports[i].geom[1], fmt::format("{:.4g}", c.dist),
                    fmt::format("{:.4g}", force.normal), fmt::format("{:.4g}", force.friction), exclusion(c)});
  }
  std::array<size_t, 6> widths{};
  for (const auto& row : rows) {
    for (size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], fmt::formatted_size("{}", row[k]));
  }
  std::string out;
  for (size_t i = 0; i < rows.size() && rows.size() > 1; ++i) {
    std::string line = i == 0 ? "    " : fmt::format("{:3} ", i - 1);
    for (size_t k = 0; k < 2; ++k) line += fmt::format(" {:<{}} ", rows[i][k], widths[k]);
    for (size_t k = 2; k < 5; ++k) line += fmt::format(" {:>{}} ", rows[i][k], widths[k]);
    line += rows[i][5];
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string parameters_of(const std::vector<ContactReport>& reports) {
  std::string out;
  for (size_t i = 0; i < reports.size(); ++i) {
    const ContactReport& report = reports[i];
    const Contact& c = report.contact;
    out += fmt::format("\n{:3}  {} – {}   distance {:.6g}   position {}   normal {}\n", i, report.geom[0],
                       report.geom[1], c.dist, numbers({c.pos, c.pos + 3}, " "), numbers({c.frame, c.frame + 3}, " "));
    out += fmt::format("     {} – {}   rule: {}\n", report.origin[0], report.origin[1],
                       report.rule + (report.pair_origin.empty() ? "" : " at " + report.pair_origin));
    for (const ContactParameter& p : report.parameters) {
      out += fmt::format("     {:15}{:36} {:9} {}\n", p.name, numbers(p.value, " "), p.rule, join(p.origins, " , "));
    }
  }
  return out;
}

std::string text_of(const std::vector<ContactReport>& reports, const ContactOptions& options, const Model& m,
                    const State& s, const Data& d) {
  std::string out = fmt::format("{} contact{} at t = {:g}, {} pair{} of geoms compared\n", d.ncon,
                                d.ncon == 1 ? "" : "s", *s.time, d.npair_tested, d.npair_tested == 1 ? "" : "s");
  out += table_of(reports, m, d);
  return options.parameters ? out + parameters_of(reports) : out;
}

std::string json_list(const std::vector<double>& values) {
  std::string text;
  for (const double x : values) text += (text.empty() ? "" : ", ") + json_number(x);
  return "[" + text + "]";
}

std::string json_of(const std::vector<ContactReport>& reports, const ContactOptions& options,
                    const std::vector<Diagnostic>& diagnostics, const Model& m, const State& s, const Data& d) {
  std::string out = fmt::format(
      "{{\n  \"file\": {},\n  \"ok\": true,\n  \"diagnostics\": [{}],\n  \"time\": {},\n  \"pairs_compared\": {},\n"
      "  \"contacts\": [",
      json_text(options.path), diagnostics_json(diagnostics), json_number(*s.time), d.npair_tested);
  for (size_t i = 0; i < reports.size(); ++i) {
    const ContactReport& report = reports[i];
    const Contact& c = report.contact;
    out += fmt::format("{}\n    {{\"geoms\": [{}, {}], \"ids\": [{}, {}], \"origins\": [{}, {}], ", i ? "," : "",
                       json_text(report.geom[0]), json_text(report.geom[1]), c.geom[0], c.geom[1],
                       json_text(report.origin[0]), json_text(report.origin[1]));
    const Force force = force_of(d, static_cast<int>(i));
    out += fmt::format("\"bodies\": [{}, {}], \"normal_force\": {}, \"friction_force\": {}, ",
                       json_text(body_name(m, c.geom[0])), json_text(body_name(m, c.geom[1])),
                       json_number(force.normal), json_number(force.friction));
    out += fmt::format(
        "\"pair\": {}, \"rule\": {}, \"dist\": {}, \"pos\": {}, \"frame\": {}, \"exclude\": {},\n     \"parameters\": "
        "{{",
        report.pair_origin.empty() ? "null" : json_text(report.pair_origin), json_text(report.rule),
        json_number(c.dist), json_list({c.pos, c.pos + 3}), json_list({c.frame, c.frame + 9}),
        static_cast<int>(c.exclude));
    for (size_t k = 0; k < report.parameters.size(); ++k) {
      const ContactParameter& p = report.parameters[k];
      std::vector<std::string> origins;
      for (const std::string& origin : p.origins) origins.push_back(json_text(origin));
      out += fmt::format("{}\n       {}: {{\"value\": {}, \"rule\": {}, \"origins\": [{}]}}", k ? "," : "",
                         json_text(p.name), json_list(p.value), json_text(p.rule), join(origins, ", "));
    }
    out += "}}";
  }
  return out + (reports.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

int list_contacts(const ContactOptions& options) {
  const LoadedModel loaded = load_with_spec(options.path, options_of(options.allow_unsupported, options.urdf));
  if (!loaded.model) return refuse_model(options.path, loaded.diagnostics, options.json);
  print_findings_by_kind(loaded.diagnostics);
  const Model& m = *loaded.model;
  State s(m);
  set_key(m, options.key, s);
  Data d(m);
  StepStatus status;
  // half a step of slack: times are sums of roundings
  const double end = *s.time + options.after - 0.5 * m.opt.timestep;
  while (status.ok() && *s.time < end) status = step(m, s, d);
  if (status.ok()) status = forward(m, s, d);
  const auto reports = report_contacts(m, d, loaded.spec ? &*loaded.spec : nullptr);
  print(options.json ? json_of(reports, options, loaded.diagnostics, m, s, d) : text_of(reports, options, m, s, d));
  if (status.ok()) return kOk;
  std::fprintf(stderr, "%s\n", describe_status(m, d, status).c_str());
  return kFault;
}

}  // namespace

Run add_contacts(Arguments& arguments) {
  auto options = std::make_shared<ContactOptions>();
  arguments.positional("MODEL", options->path, "MJCF or URDF file, or binary model");
  arguments.option("--key", "KEY", options->key, "keyframe to look at, by name or number");
  arguments.option("--after", "T", options->after, "simulate so long first [s]", {0, 1e6});
  arguments.flag("--parameters", options->parameters, "list the parameters of every contact and where they come from");
  arguments.flag("--json", options->json, "print JSON");
  arguments.flag("--allow-unsupported", options->allow_unsupported, "ignore what Pliant does not support");
  add_urdf_options(arguments, options->urdf);
  arguments.note(
      "Contacts of the initial configuration or of a keyframe, or later (--after), in the order of data.contact; "
      "forces "
      "are those on the second body. With --parameters, every parameter is followed by the rule that made it and the "
      "places (file:line:column) of the attributes it was made of: 'pair' an "
      "explicit pair; 'priority' the geom of higher priority; 'solmix' a mean weighted by solmix; 'smaller' the "
      "smaller numbers, because one solref is direct (negative); 'larger', 'sum'; 'override' the flag of that name.");
  arguments.example("models/stack_of_boxes.xml --after 0.5");
  arguments.example("models/gripper.xml --parameters");
  return [options] { return list_contacts(*options); };
}

}  // namespace pliant::app
