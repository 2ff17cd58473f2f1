// Reading attributes by the schema: types, counts, keywords, finiteness, presence rules; the fate of each
// goes to the ledger. Everything wrong with an attribute is reported at its name or value.

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "load/mjcf_reader.h"
#include "load/mjcf_tables.h"

namespace pliant {
namespace {

std::string tagged(const Element& element) { return "<" + std::string(element.tag) + ">"; }

std::vector<std::string_view> attribute_names(const ElementSchema& schema) {
  std::vector<std::string_view> names;
  for (const AttributeSchema& row : schema.attributes) names.push_back(row.name);
  return names;
}

bool stands_outside_default(const ElementSchema& schema, std::string_view attribute) {
  return std::any_of(mjcf_elements().begin(), mjcf_elements().end(), [&](const ElementSchema* other) {
    return !other->in_default && std::strcmp(other->tag, schema.tag) == 0 && other->find(attribute);
  });
}

std::string expected_count(const AttributeSchema& row) {
  if (row.max == kMany) return "any number of values";
  if (row.min == row.max) return std::to_string(row.max) + (row.max == 1 ? " value" : " values");
  return std::to_string(row.min) + " to " + std::to_string(row.max) + " values";
}

const char* kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::kInt:
      return "a whole number";
    case ValueKind::kReal:
    case ValueKind::kFloat:
      return "a number";
    default:
      return "a value";
  }
}

/// Parses all words as numbers; reports the first that is wrong. An empty result means "leave it".
template <class Number>
bool parse_numbers(MjcfReader& reader, const Element& element, const AttributeSchema& row, const Attribute& attribute,
                   std::vector<Number>& out) {
  size_t at = 0;
  const std::string_view text = attribute.value;
  for (std::string_view w = next_word(text, at); !w.empty(); w = next_word(text, at)) {
    Number number{};
    const NumberError problem = parse_number(w, number);
    if (problem == NumberError::kNone) {
      out.push_back(number);
      continue;
    }
    const std::string where = "attribute '" + std::string(row.name) + "' of " + tagged(element);
    if (problem == NumberError::kNotFinite) {
      reader.error_at(Code::kNotFinite, attribute, element, where + " is not finite: " + quote(w));
    } else {
      reader.error_at(Code::kBadNumber, attribute, element,
                      where + " needs " + kind_name(row.kind) + ", not " + quote(w),
                      problem == NumberError::kOutOfRange     ? "the number does not fit into 32 bits"
                      : w.find(',') != std::string_view::npos ? "values are separated by spaces, decimals by a point"
                                                              : "");
    }
    return false;
  }
  const int n = static_cast<int>(out.size());
  if (n == 0) {
    // as if it were absent: what was inherited stays
    const std::string where = "attribute '" + std::string(row.name) + "' of " + tagged(element) + " is empty";
    if (row.required) {
      reader.error_at(Code::kMissingAttribute, attribute, element, where + ", but it is needed");
      return false;
    }
    reader.diagnostics.warning(Code::kIgnoredAttribute, attribute.value_at, element.tag,
                               where + ": the default or inherited value stays");
    return true;
  }
  if (n < row.min || n > row.max) {
    reader.error_at(Code::kWrongCount, attribute, element,
                    "attribute '" + std::string(row.name) + "' of " + tagged(element) + " needs " +
                        expected_count(row) + ", not " + std::to_string(n));
    return false;
  }
  return true;
}

template <class Number>
bool store_numbers(MjcfReader& reader, const Element& element, const AttributeSchema& row, const Attribute& attribute,
                   void* object) {
  std::vector<Number> numbers;
  if (!parse_numbers(reader, element, row, attribute, numbers)) return false;
  if (!row.member || !object) return true;
  if (numbers.empty()) return true;
  if (row.max == kMany) {
    *static_cast<std::vector<Number>*>(row.member(object)) = std::move(numbers);
  } else {
    std::memcpy(row.member(object), numbers.data(), numbers.size() * sizeof(Number));
  }
  return true;
}

const Keyword* find_keyword(const AttributeSchema& row, std::string_view text) {
  for (const Keyword& keyword : row.keywords) {
    if (text == keyword.text) return &keyword;
  }
  return nullptr;
}

void report_keyword(MjcfReader& reader, const Element& element, const AttributeSchema& row, const Attribute& attribute,
                    std::string_view text, std::span<const Keyword> keywords) {
  std::vector<std::string_view> words;
  for (const Keyword& keyword : keywords) words.push_back(keyword.text);
  std::string hint = did_you_mean(text, words);
  reader.error_at(Code::kBadKeyword, attribute, element,
                  "attribute '" + std::string(row.name) + "' of " + tagged(element) + " cannot be " + quote(text) +
                      "; it is " + one_of(words),
                  std::move(hint));
}

Fate fate_of(Support support) {
  switch (support) {
    case Support::kKept:
    case Support::kViewing:
      return Fate::kKept;
    case Support::kNoEffect:
      return Fate::kIgnored;
    case Support::kUnsupported:
      return Fate::kUnsupported;
  }
  return Fate::kKept;
}

bool present(const Element& element, const std::vector<const char*>& group) {
  return std::any_of(group.begin(), group.end(), [&](const char* n) { return element.find(n); });
}
bool complete(const Element& element, const std::vector<const char*>& group) {
  return std::all_of(group.begin(), group.end(), [&](const char* n) { return element.find(n); });
}
std::string group_text(const std::vector<const char*>& group) {
  std::string text;
  for (const char* name : group) text += (text.empty() ? "'" : " with '") + std::string(name) + "'";
  return text;
}

}  // namespace

bool MjcfReader::read_value(const Element& element, const AttributeSchema& row, const Attribute& attribute,
                            void* object) {
  void* member = row.member && object ? row.member(object) : nullptr;
  switch (row.kind) {
    case ValueKind::kReal:
      return store_numbers<double>(*this, element, row, attribute, object);
    case ValueKind::kFloat:
      return store_numbers<float>(*this, element, row, attribute, object);
    case ValueKind::kInt:
      return store_numbers<int>(*this, element, row, attribute, object);
    case ValueKind::kBool: {
      const std::string_view text = attribute.value;
      if (text != "true" && text != "false") {
        report_keyword(*this, element, row, attribute, text, kWordsBool);
        return false;
      }
      if (member) *static_cast<bool*>(member) = text == "true";
      return true;
    }
    case ValueKind::kKeyword: {
      const Keyword* keyword = find_keyword(row, attribute.value);
      if (!keyword) {
        report_keyword(*this, element, row, attribute, attribute.value, row.keywords);
        return false;
      }
      // the member is an int or an enum with int underneath
      if (member) std::memcpy(member, &keyword->value, sizeof(int));
      return true;
    }
    case ValueKind::kFlags: {
      int bits = 0;
      for (std::string_view word : split_words(attribute.value)) {
        const Keyword* keyword = find_keyword(row, word);
        if (!keyword) {
          report_keyword(*this, element, row, attribute, word, row.keywords);
          return false;
        }
        bits |= keyword->value;
      }
      if (member) std::memcpy(member, &bits, sizeof(int));
      return true;
    }
    case ValueKind::kText:
    case ValueKind::kName:
    case ValueKind::kRef:
    case ValueKind::kClass:
    case ValueKind::kFile:
      if (member) *static_cast<std::string*>(member) = attribute.value;
      return true;
  }
  return true;
}

void MjcfReader::read_attributes(const Element& element, const ElementSchema& schema, void* object) {
  for (const Attribute& attribute : element.attributes) {
    const AttributeSchema* row = schema.find(attribute.name);
    if (!row) {
      std::string hint = did_you_mean(attribute.name, attribute_names(schema));
      if (schema.in_default && stands_outside_default(schema, attribute.name)) {
        hint = "it cannot be set in <default>";
      } else if (hint.empty() && schema.in_default) {
        hint = "not every attribute can be set in <default>";
      } else if (hint.empty() && schema.attributes.empty()) {
        hint = "it has no attributes";
      }
      diagnostics.error(Code::kUnknownAttribute, attribute.name_at, element.tag,
                        tagged(element) + " has no attribute " + quote(attribute.name), std::move(hint));
      continue;
    }
    if (row->support == Support::kUnsupported) {
      const std::string message =
          "attribute '" + std::string(row->name) + "' of " + tagged(element) + " is not supported: " + row->note;
      if (options.allow_unsupported) {
        diagnostics.warning(Code::kUnsupportedAttribute, attribute.name_at, element.tag, message);
      } else {
        diagnostics.error(Code::kUnsupportedAttribute, attribute.name_at, element.tag, message);
      }
    } else if (!read_value(element, *row, attribute, object)) {
      continue;
    }
    const bool numbers =
        row->kind == ValueKind::kReal || row->kind == ValueKind::kFloat || row->kind == ValueKind::kInt;
    if (numbers && is_blank(attribute.value)) {
      ledger.add(Fate::kIgnored, attribute.value_at, element.tag, attribute.name, attribute.value, "empty");
      continue;
    }
    ledger.add(fate_of(row->support), attribute.value_at, element.tag, attribute.name, attribute.value,
               row->note ? row->note : "");
  }
  for (const AttributeSchema& row : schema.attributes) {
    if (!row.required || element.find(row.name)) continue;
    error(Code::kMissingAttribute, element, tagged(element) + " needs the attribute '" + std::string(row.name) + "'");
  }
  check_rules(element, schema);
}

void MjcfReader::check_rules(const Element& element, const ElementSchema& schema) {
  for (const Rule& rule : schema.rules) {
    const std::vector<const char*>*first = nullptr, *second = nullptr;
    bool any_complete = false;
    for (const auto& group : rule.groups) {
      any_complete |= complete(element, group);
      if (!present(element, group)) continue;
      if (!first)
        first = &group;
      else if (!second)
        second = &group;
    }
    if (rule.kind == RuleKind::kExclusive && second) {
      const char* offender =
          *std::find_if(second->begin(), second->end(), [&](const char* n) { return element.find(n); });
      const char* other = *std::find_if(first->begin(), first->end(), [&](const char* n) { return element.find(n); });
      error_at(Code::kAttributeConflict, *element.find(offender), element,
               tagged(element) + " cannot have both '" + other + "' and '" + offender + "'");
    } else if (rule.kind == RuleKind::kTogether && first &&
               !std::all_of(rule.groups.begin(), rule.groups.end(),
                            [&](const auto& g) { return complete(element, g); })) {
      std::string all;
      for (const auto& group : rule.groups) all += (all.empty() ? "" : " and ") + group_text(group);
      error(Code::kMissingAttribute, element, tagged(element) + " needs " + all + " together");
    } else if (rule.kind == RuleKind::kOneOf && !any_complete) {
      std::string all;
      for (const auto& group : rule.groups) all += (all.empty() ? "" : ", or ") + group_text(group);
      error(Code::kMissingAttribute, element, tagged(element) + " needs " + all);
    }
  }
}

int MjcfReader::reals(const Element& element, std::string_view attribute, std::span<double> out) const {
  const Attribute* found = element.find(attribute);
  if (!found) return 0;
  std::vector<double> numbers;
  size_t at = 0;
  for (std::string_view w = next_word(found->value, at); !w.empty(); w = next_word(found->value, at)) {
    double number = 0;
    if (parse_number(w, number) != NumberError::kNone || numbers.size() == out.size()) return 0;
    numbers.push_back(number);
  }
  std::copy(numbers.begin(), numbers.end(), out.begin());
  return static_cast<int>(numbers.size());
}

bool MjcfReader::real(const Element& element, std::string_view attribute, double& out) const {
  return reals(element, attribute, {&out, 1}) == 1;
}

bool MjcfReader::integer(const Element& element, std::string_view attribute, int& out) const {
  const Attribute* found = element.find(attribute);
  if (!found) return false;
  size_t at = 0;
  const std::string_view w = next_word(found->value, at);
  int number = 0;
  if (parse_number(w, number) != NumberError::kNone || !next_word(found->value, at).empty()) return false;
  out = number;
  return true;
}

bool MjcfReader::boolean(const Element& element, std::string_view attribute, bool& out) const {
  const Attribute* found = element.find(attribute);
  if (!found || (found->value != "true" && found->value != "false")) return false;
  out = found->value == "true";
  return true;
}

bool MjcfReader::word(const Element& element, const ElementSchema& schema, std::string_view attribute, int& out) const {
  const Attribute* found = element.find(attribute);
  const AttributeSchema* row = schema.find(attribute);
  const Keyword* keyword = found && row ? find_keyword(*row, found->value) : nullptr;
  if (keyword) out = keyword->value;
  return keyword != nullptr;
}

std::vector<int> MjcfReader::words(const Element& element, const ElementSchema& schema,
                                   std::string_view attribute) const {
  std::vector<int> values;
  const Attribute* found = element.find(attribute);
  const AttributeSchema* row = schema.find(attribute);
  if (!found || !row) return values;
  for (std::string_view w : split_words(found->value)) {
    const Keyword* keyword = find_keyword(*row, w);
    if (!keyword) return {};
    values.push_back(keyword->value);
  }
  return values;
}

bool MjcfReader::text(const Element& element, std::string_view attribute, std::string& out) const {
  const Attribute* found = element.find(attribute);
  if (found) out = found->value;
  return found != nullptr;
}

void MjcfReader::read_orientation(const Element& element, Orientation& orientation) {
  // several of them are a conflict that check_rules has reported; the last one counts then
  for (const OrientationForm& form : kOrientationForms) {
    double values[6];
    if (reals(element, form.name, {values, 6}) != form.count) continue;
    if (form.kind == OrientationKind::kQuat) {
      if (values[0] == 0 && values[1] == 0 && values[2] == 0 && values[3] == 0) {
        error_at(Code::kBadOrientation, *element.find("quat"), element,
                 "the quaternion of " + tagged(element) + " is zero", "no rotation is '1 0 0 0'");
      }
      orientation.kind = OrientationKind::kQuat;
      std::copy(values, values + 4, orientation.quat.begin());
    } else {
      orientation.kind = form.kind;
      orientation.value = {};
      std::copy(values, values + form.count, orientation.value.begin());
    }
  }
}

int MjcfReader::source_of(const Element& element) {
  const auto [entry, is_new] = source_ids_.try_emplace(&element, static_cast<int>(spec.sources.size()));
  if (!is_new) return entry->second;
  SourceElement source;
  source.tag = element.tag;
  source.at = element.at;
  source.first_attribute = static_cast<int>(spec.source_attributes.size());
  source.attribute_count = static_cast<int>(element.attributes.size());
  spec.sources.push_back(std::move(source));
  for (const Attribute& attribute : element.attributes) {
    // values are kept for messages; long data is cut
    spec.source_attributes.push_back({std::string(attribute.name), std::string(attribute.value.substr(0, 60)),
                                      attribute.name_at, attribute.value_at});
  }
  return entry->second;
}

void MjcfReader::error(Code code, const Element& element, std::string message, std::string hint) {
  diagnostics.error(code, element.at, element.tag, std::move(message), std::move(hint));
}

void MjcfReader::error_at(Code code, const Attribute& attribute, const Element& element, std::string message,
                          std::string hint) {
  diagnostics.error(code, attribute.value_at, element.tag, std::move(message), std::move(hint));
}

void MjcfReader::warning(Code code, const Element& element, std::string message, std::string hint) {
  diagnostics.warning(code, element.at, element.tag, std::move(message), std::move(hint));
}

}  // namespace pliant
