// Contacts in words: each parameter with the rule that made it and the places its numbers come from.
//
// Reads the contacts of Data; a Spec, where there is one, has the attributes of elements and of default classes. A geom
// of the Model is found in the Spec by the place of its element, which copies (replicate, attach) share.

#include "pliant/contact_report.h"

#include <map>
#include <tuple>

#include "base/text.h"
#include "collision/contact_params_hd.h"

namespace pliant {
namespace {

constexpr const char* kMixed[] = {"condim", "friction", "friction_law", "solref",
                                  "solimp", "margin",   "gap",          "adhesion"};

/// Where attributes of elements come from.
class Sources {
 public:
  Sources(const Model& m, const Spec* spec) : m_(m), spec_(spec) {
    if (!spec) return;
    for (size_t i = 0; i < spec->geoms.size(); ++i) geoms_.emplace(key(spec->origin(spec->geoms[i].source)), i);
    for (size_t i = 0; i < spec->pairs.size(); ++i) pairs_.emplace(key(spec->origin(spec->pairs[i].source)), i);
  }

  std::string geom(int id, const char* attribute) const {
    std::string element = m_.origin(ObjType::kGeom, id);
    const int at = find(geoms_, ObjType::kGeom, id);
    if (at < 0) return element;
    const GeomSpec& geom = spec_->geoms[at];
    return trace(geom.source, class_of(geom), attribute, element, [](const DefaultClass& c) { return c.geom.source; });
  }
  std::string pair(int id, const char* attribute) const {
    std::string element = m_.origin(ObjType::kPair, id);
    const int at = find(pairs_, ObjType::kPair, id);
    if (at < 0) return element;
    const int source = spec_->pairs[at].source;
    return trace(source, find_class(value_of(source, "class")), attribute, element,
                 [](const DefaultClass& c) { return c.pair.source; });
  }

 private:
  using Key = std::tuple<int, int, int>;
  using Index = std::map<Key, size_t>;
  static Key key(const Origin& at) { return {at.file, at.line, at.column}; }

  int find(const Index& index, ObjType type, int id) const {
    const auto list = m_.origins.find(type);
    if (!spec_ || list == m_.origins.end() || id >= static_cast<int>(list->second.size())) return -1;
    const auto found = index.find(key(list->second[id]));
    return found == index.end() ? -1 : static_cast<int>(found->second);
  }

  /// The element's own attribute, or the nearest class that sets it.
  template <class F>
  std::string trace(int source, int klass, const char* attribute, const std::string& element, F record) const {
    if (spec_->has_attribute(source, attribute)) return place(spec_->origin(source, attribute));
    for (int c = klass; c >= 0; c = spec_->classes[c].parent) {
      const DefaultClass& owner = spec_->classes[c];
      // a class without a record of its own has its parent's
      const bool inherited = owner.parent >= 0 && record(spec_->classes[owner.parent]) == record(owner);
      if (record(owner) < 0 || inherited || !spec_->has_attribute(record(owner), attribute)) continue;
      return place(spec_->origin(record(owner), attribute)) + " (class " + quote(owner.name) + ")";
    }
    return element + " (not set)";
  }

  std::string place(const Origin& at) const {
    const bool known = at.file >= 0 && at.file < static_cast<int>(spec_->files.size());
    return (known ? spec_->files[at.file] : std::string()) + ":" + std::to_string(at.line) + ":" +
           std::to_string(at.column);
  }
  std::string value_of(int source, std::string_view attribute) const {
    if (source < 0) return {};
    const SourceElement& element = spec_->sources[source];
    for (int i = 0; i < element.attribute_count; ++i) {
      const SourceAttribute& own = spec_->source_attributes[element.first_attribute + i];
      if (own.name == attribute) return own.value;
    }
    return {};
  }
  int find_class(const std::string& name) const {
    for (size_t i = 0; i < spec_->classes.size(); ++i) {
      if (spec_->classes[i].name == name) return static_cast<int>(i);
    }
    return 0;
  }
  /// Its own class, or the childclass of the nearest frame or body around it.
  int class_of(const GeomSpec& geom) const {
    if (const std::string own = value_of(geom.source, "class"); !own.empty()) return find_class(own);
    int frame = geom.frame;
    for (int body = geom.body; body >= 0;) {
      for (; frame >= 0; frame = spec_->frames[frame].parent) {
        if (const std::string name = value_of(spec_->frames[frame].source, "childclass"); !name.empty())
          return find_class(name);
      }
      const BodySpec& owner = spec_->bodies[body];
      if (const std::string name = value_of(owner.source, "childclass"); !name.empty()) return find_class(name);
      frame = owner.frame;
      body = owner.parent;
    }
    return 0;
  }

  const Model& m_;
  const Spec* spec_;
  Index geoms_, pairs_;
};

std::string geom_name(const Model& m, int geom) {
  const std::string_view name = m.name(ObjType::kGeom, geom);
  return name.empty() ? "geom " + std::to_string(geom) : std::string(name);
}

std::vector<double> values_of(const Model& m, const Contact& c, std::string_view name) {
  if (name == "condim") return {static_cast<double>(c.dim)};
  if (name == "friction_law") return {static_cast<double>(c.anchored)};
  if (name == "friction") return {c.friction, c.friction + 5};
  if (name == "solref") return {c.solref, c.solref + kNumRef};
  if (name == "solreffriction") return {c.solreffriction, c.solreffriction + kNumRef};
  if (name == "solimp") return {c.solimp, c.solimp + kNumImp};
  if (name == "margin") return {c.includemargin};
  if (name == "gap") return {pair_gap(m, c.geom[0], c.geom[1], c.pair)};
  return {c.adhesion};
}

/// How geoms of equal priority agree on a parameter.
const char* mixing_rule(const Model& m, const Contact& c, std::string_view name) {
  if (name == "condim" || name == "friction" || name == "friction_law") return "larger";
  if (name == "margin" || name == "gap" || name == "adhesion") return "sum";
  const bool standard = m.geom_solref[kNumRef * c.geom[0]] > 0 && m.geom_solref[kNumRef * c.geom[1]] > 0;
  return name == "solref" && !standard ? "smaller" : "solmix";
}

bool is_overridden(const Model& m, std::string_view name) {
  return (m.opt.enableflags & kEnableOverride) &&
         (name == "margin" || name == "solref" || name == "solreffriction" || name == "solimp" || name == "friction");
}

ContactParameter parameter_of(const Model& m, const Contact& c, const char* name, const Sources& sources) {
  ContactParameter out{name, values_of(m, c, name), "", {}};
  const int higher = m.geom_priority[c.geom[0]] - m.geom_priority[c.geom[1]];
  const std::string_view word = name;
  if (is_overridden(m, name)) {
    out.rule = "override";
  } else if (c.pair >= 0) {
    out.rule = "pair";
    out.origins = {sources.pair(c.pair, name)};
  } else if (higher != 0 && word != "margin" && word != "gap") {
    out.rule = "priority";
    out.origins = {sources.geom(c.geom[higher > 0 ? 0 : 1], name)};
  } else {
    out.rule = mixing_rule(m, c, name);
    out.origins = {sources.geom(c.geom[0], name), sources.geom(c.geom[1], name)};
  }
  return out;
}

std::string rule_of(const Model& m, const Contact& c) {
  if (c.pair >= 0) return "pair";
  const int higher = m.geom_priority[c.geom[0]] - m.geom_priority[c.geom[1]];
  if (higher != 0) return "priority of " + geom_name(m, c.geom[higher > 0 ? 0 : 1]);
  const double share = mix_share(m.geom_solmix[c.geom[0]], m.geom_solmix[c.geom[1]]);
  return "solmix " + number_text(share) + " : " + number_text(1 - share);
}

}  // namespace

std::vector<ContactParameter> contact_parameters(const Model& m, const Contact& c, const Spec* spec) {
  const Sources sources(m, spec);
  std::vector<ContactParameter> out;
  for (const char* name : kMixed) out.push_back(parameter_of(m, c, name, sources));
  if (c.pair >= 0) out.push_back(parameter_of(m, c, "solreffriction", sources));
  return out;
}

std::string contact_rule(const Model& m, const Contact& c) { return rule_of(m, c); }

std::vector<ContactReport> report_contacts(const Model& m, const Data& d, const Spec* spec) {
  std::vector<ContactReport> reports;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& c = d.contact[i];
    ContactReport report;
    report.contact = c;
    for (int side = 0; side < 2; ++side) {
      report.geom[side] = geom_name(m, c.geom[side]);
      report.origin[side] = m.origin(ObjType::kGeom, c.geom[side]);
    }
    if (c.pair >= 0) report.pair_origin = m.origin(ObjType::kPair, c.pair);
    report.rule = rule_of(m, c);
    report.parameters = contact_parameters(m, c, spec);
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace pliant
